"""What the Scheme interpreter makes of programs, of wrong programs, of its options and of little
memory."""

import glob
import os
import re
import subprocess

from program import expect, expect_equal

HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE_OF_PROGRAMS = 200
PROGRAMS = sorted(glob.glob(os.path.join(HERE, "scheme_programs", "*.scm")))

# What is put in the place of what, and what the compiler says to it.
MISTAKES = (
    (
        "scheme/heap.c",
        "  acre_key_drop(acre_swap(&host->key, key));\n  ports_sweep();",
        "  acre_key_drop(key);\n  acre_key_drop(acre_swap(&host->key, key));\n  ports_sweep();",
        "'key' is used after it was consumed",
    ),
    (
        "scheme/heap.c",
        "  acre_key_drop(acre_swap(&host->key, key));\n  ports_sweep();",
        "  ports_sweep();",
        "'key' is lost at the end of its scope",
    ),
    (
        "scheme/reader.c",
        "    free(source);\n    free(copy);\n",
        "    free(source);\n",
        "'copy' may be lost",
    ),
    (
        "scheme/ports.c",
        (
            "  struct object *text = make_text(m, source->text, source->length);\n "
            " source_free(source);\n"
        ),
        (
            "  source_free(source);\n  struct object *text = make_text(m, source->text,"
            " source->length);\n"
        ),
        "'source' is used after it was consumed",
    ),
    (
        "scheme/heap.c",
        "    acre_root(struct machine, space) = to;\n",
        "    acre_root(struct machine, space) = to;\n    acre_key_drop(key);\n",
        "'key' is consumed while the arena 'space' that it opened is open",
    ),
)

# A program, its exit status, and what it says on the standard error.
WRONG = (
    ("(car 5)", 1, r"-e:1: car: a pair is expected, not 5\n"),
    ("\n\n(foo\n (bar))", 1, r"-e:4: there is no variable bar\n"),
    ('(error "no good:" \'x "y")', 1, r'-e:1: no good: x "y"\n'),
    ("(raise 'symbol)", 1, r"scheme: nobody handles what was raised: symbol\n"),
    ("((lambda (x) x))", 1, r"-e:1: wrong number of arguments \(0\) for #<procedure>\n"),
    ("(cons 1)", 1, r"-e:1: cons: wrong number of arguments: 1\n"),
    ('("f" 1)', 1, r'-e:1: this is no procedure: "f"\n'),
    ("(display 1", 1, r"-e:1: a parenthesis is not closed\n"),
    ("\n)", 1, r"-e:2: a parenthesis closes nothing\n"),
    ('"abc', 1, r"-e:1: a string has no end\n"),
    ("1/2", 1, r"-e:1: there are no fractions in this Scheme\n"),
    ("(if)", 1, r"-e:1: the form is not written as it must be \(if\)\n"),
    ("(let ((x 1) (x 2)) x)", 0, r""),
    ("(lambda (x x) x)", 1, r"-e:1: two parameters have one name x\n"),
    (
        "(define-syntax f (syntax-rules () ((_ a) a))) (f)",
        1,
        r"-e:1: no rule of the macro matches \(f\)\n",
    ),
    ("(letrec ((a b) (b 1)) a)", 1, r".*a variable is used before it has a value\n"),
    ("(set! nowhere 1)", 1, r".*set!: there is no variable nowhere\n"),
    ("(+ 9223372036854775807 1)", 1, r".*\+: the exact result needs more than 64 bits\n"),
    ("(vector-ref (vector 1) 1)", 1, r".*vector-ref: an integer from 0 to 0 is expected, not 1\n"),
    ("(make-vector 1000000000000)", 1, r".*make-vector: out of memory\n"),
    ("(exit)", 0, r""),
    ("(exit 7)", 7, r""),
    ("(exit #f)", 1, r""),
    (
        (
            '(dynamic-wind (lambda () #f) (lambda () (exit 4)) (lambda () (display "out"'
            " (current-error-port))))"
        ),
        4,
        r"out",
    ),
    (
        "(with-exception-handler (lambda (e) 1) (lambda () (car 1)))",
        1,
        r".*the handler of an exception returned; it was raised with #<condition>\n",
    ),
)


def wanted(path):
    with open(path, encoding="utf-8") as file:
        return "".join(line[4:] for line in file if line.startswith(";=> "))


def check_programs(program):
    is_collected = program.version == "collected"
    if is_collected:  # else its heap is checked at each collection, which takes long
        program.environment["ACRE_HEAP"] = "growth=8M"
    for path in PROGRAMS:
        for step in ("2M",) if is_collected else ("2M", "40K"):
            done = program.run("--step=" + step, path, patience=PATIENCE_OF_PROGRAMS)
            what = f"{os.path.basename(path)} with --step={step}"
            expect_equal(done.stdout, wanted(path), what)
            expect_equal((done.returncode, done.stderr), (0, ""), what)
    yield f"{len(PROGRAMS)} programs print what is written in them, with many collections and few"


def check_each_collection(program):
    """A collection at every instruction that allocates."""
    for name in ("stress.scm", "queens_of_four.scm"):
        path = os.path.join(HERE, "scheme_programs", "small", name)
        done = program.run("--step=0", "--memory", path, patience=PATIENCE_OF_PROGRAMS)
        expect_equal(done.stdout, wanted(path), name)
        expect(
            done.returncode == 0 and "scheme: memory: data " in done.stderr,
            f"{name}: {done.stderr[-500:]}",
        )
        collections = int(re.search(r"collections (\d+)", done.stderr).group(1))
        expect(
            collections > 300 or program.version == "collected",
            f"{name}: only {collections} collections",
        )
    yield "small programs do the same when memory is collected at each instruction that allocates"


def check_errors(program):
    for text, status, errors in WRONG:
        done = program.run("-e", text)
        expect_equal(
            done.returncode, status, f"the exit status of {text!r} ({done.stderr[-200:]!r})"
        )
        expect(re.fullmatch(errors, done.stderr), f"{text!r} says {done.stderr!r}")
    script = os.path.join(program.directory, "wrong.scm")
    with open(script, "w", encoding="utf-8") as file:
        file.write(
            '#!/usr/bin/env scheme\n(define (f x)\n  (display "before ")\n  (+ 1 (vector-ref x'
            " 5)))\n(f (vector))\n"
        )
    done = program.run(script)
    expect_equal((done.returncode, done.stdout), (1, "before "), "a script that fails")
    expect(
        done.stderr.startswith(script + ":4: vector-ref:"),
        f"the place of an error is {done.stderr!r}",
    )
    yield f"{len(WRONG)} wrong programs end with the right message and exit status"


def check_limits(program):
    """The collected version has no collections of its own, so it does not see --limit."""
    if program.version == "collected":
        return
    text = (
        "(define (grow l) (grow (cons 1 l)))"
        "(write (guard (e ((out-of-memory? e) 'caught)) (grow '())))"
    )
    done = program.run("--limit=4M", "-e", text)
    expect_equal(
        (done.returncode, done.stdout), (0, "caught"), f"a program at its limit ({done.stderr})"
    )
    done = program.run(
        "--limit=4M", "-e", "(define l '()) (define (grow) (set! l (cons 1 l)) (grow)) (grow)"
    )
    expect_equal(done.returncode, 1, "a program that does not handle it")
    expect("out of memory: see --limit" in done.stderr, f"it says {done.stderr!r}")
    done = program.run(
        "--limit=4M",
        "-e",
        "(define l '()) (define (grow) (set! l (cons 1 l)) (grow))"
        "(define (again) (guard (e (#t (again))) (grow))) (again)",
    )
    expect_equal(done.returncode, 3, f"a program that goes on all the same ({done.stderr})")
    done = program.run(
        "-e", "(define (deep n) (if (= n 0) 0 (+ 1 (deep (- n 1))))) (write (deep 100000))"
    )
    expect_equal(done.stdout, "100000", "recursion that is deeper than the stack of C")
    for text in ("(" * 3000 + ")" * 3000, "'" * 3000 + "x"):
        done = program.run("-e", text)
        expect(
            done.returncode == 1 and "nested too deeply" in done.stderr,
            f"deep nesting: {done.stderr[-200:]!r}",
        )
    yield "memory that is out is an error that can be handled once, then the end"


def check_command_line(program):
    expect_equal(program.run("--help").returncode, 0, "--help")
    expect(program.run("--version").stdout.startswith("scheme "), "--version")
    for arguments in (["--what"], ["--step=x"], ["--limit=0"], ["-e"]):
        done = program.run(*arguments)
        expect(
            done.returncode == 2 and "Try 'scheme --help'" in done.stderr,
            f"{arguments}: {done.stderr!r}",
        )
    done = program.run("/nowhere/at/all.scm")
    expect(done.returncode == 1 and "No such file" in done.stderr, "a file that is not there")
    done = program.run("-e", "(write (command-line))", "/dev/null", "one", "two")
    expect_equal(done.stdout, '("/dev/null" "one" "two")', "(command-line)")
    yield "options, and mistakes in them"


def check_conversation(program):
    text = (
        '(define x 20)\n(+ x\n   2)\n(car x)\n"text" \'a\n(read-line)\nthe line\n(display "no end"'
    )
    done = subprocess.run(
        [program.binary],
        env=program.environment,
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    expect_equal(done.stdout, '22\n"text"\na\n"the line"\n', "a conversation")
    expect(
        re.fullmatch(
            r"scheme:1: car: a pair is expected, not 20\nscheme:1: a parenthesis is not closed\n",
            done.stderr,
        ),
        f"a conversation says {done.stderr!r}",
    )
    yield "a conversation goes on after an error, and over several lines"


def check_files(program):
    path, library = (os.path.join(program.directory, name) for name in ("out.txt", "library.scm"))
    with open(library, "w", encoding="utf-8") as file:
        file.write(
            "(define-syntax twice (syntax-rules () ((_ e) (begin e e))))\n(define loaded"
            " 'yes)\n(twice (display 1))\n"
        )
    text = (
        f'(load "{library}") (call-with-output-file "{path}" (lambda (p) (write \'(a "b" #\\c) p)'
        " (newline p)))"
        f'(write (call-with-input-file "{path}" read)) (write loaded)'
        # More files than may be open at once: their ports are garbage.
        f'(do ((i 0 (+ i 1))) ((= i 500)) (make-vector 2000) (write i (open-output-file "{path}")))'
    )
    if program.version == "collected":
        text = text[: text.index("(do ")]
    done = program.run("--step=256K", "-e", text)
    expect_equal((done.returncode, done.stdout, done.stderr), (0, '11(a "b" #\\c)yes', ""), "files")
    yield "files are read, written, loaded, and closed when nobody has their ports"


def check(program):
    for each in (
        check_programs,
        check_each_collection,
        check_errors,
        check_limits,
        check_command_line,
        check_conversation,
        check_files,
    ):
        yield from each(program)
