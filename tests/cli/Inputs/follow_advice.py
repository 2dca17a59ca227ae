"""Follows the advice of acre explain in functions of the evaluation's programs, in copies of them.

usage: follow_advice.py PROGRAMS ACRE-BUILD WORK

For each case: the check stays, the advice is the one expected; it is followed by the edit; the
check is gone, and the program still gives its right answer with all checks that the compiler
removed made all the same.
"""

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
programs_directory, build, work = sys.argv[1:]
sys.path.insert(0, programs_directory)
import programs  # noqa: E402


@dataclasses.dataclass(frozen=True)
class Case:
    program: str
    file: str
    store: str  # the line of the source
    advice: str  # what is to be in it
    edits: tuple  # (file, before, after)
    is_linked: bool = False
    new_store: str = ""  # the line after the edit, if it is another


CASES = (
    Case(
        "lcc",
        "statement.c",
        "choices->first = choice;",
        "allocate .* in regionof\\(.*\\) instead of 'unit->",
        (
            (
                "statement.c",
                "ralloc(unit->function, struct choice)",
                "ralloc(regionof(choices), struct choice)",
            ),
        ),
    ),
    Case(
        "mudlle",
        "program.c",
        "program->forms[program->form_count++] = code;",
        "say in its signature, with inregion or inparent, where it points",
        (
            (
                "program.h",
                "program_add_form(struct program *program, struct code *code)",
                "program_add_form(struct program *program, struct code *inregion(program) code)",
            ),
            (
                "program.c",
                "program_add_form(struct program *program, struct code *code)",
                "program_add_form(struct program *program, struct code *inregion(program) code)",
            ),
        ),
    ),
    Case(
        "mudlle",
        "generate.c",
        "code->name = rstrdup(regionof(program), function->name);",
        "say in its signature, with inregion or inparent, where it",
        (
            (
                "generate.c",
                "  code->name = rstrdup(regionof(program), function->name);",
                "  code->name = rstrdup(regionof(code), function->name);",
            ),
        ),
        new_store="code->name = rstrdup(regionof(code), function->name);",
    ),
    Case(
        "mudlle", "analyse.c", "analysis->program = program;", "link with -flto", (), is_linked=True
    ),
)


def explain(case, program, *options):
    includes = sorted({f"-I{os.path.dirname(source)}" for source in program.sources()})
    files = (
        program.sources() if "--link" in options else [os.path.join(program.directory, case.file)]
    )
    done = subprocess.run(
        [
            os.path.join(build, "bin", "acre"),
            "explain",
            "--json",
            *options,
            *files,
            "--",
            "-std=gnu17",
            *includes,
            *program.words("libraries"),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)["stores"]


def find(stores, text):
    found = [
        store
        for store in stores
        if store.get("source", "").strip() == text
        and store["slot"] not in ("counted", "inregion", "inparent")
    ]
    assert len(found) == 1, f"{len(found)} stores are '{text}'"
    return found[0]


def follow(case, program):
    for name, before, after in case.edits:
        path = os.path.join(program.directory, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert text.count(before) == 1, f"{name}: '{before}' is not there once"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(before, after))


def check_answer(program):
    binary = os.path.join(work, program.name + "-followed")
    mode = programs.Mode(
        "followed", os.path.join(build, "bin", "acre-cc"), ("-facre-checks=verified",)
    )
    complaint = program.build(mode, binary)
    assert not complaint, complaint
    answer = subprocess.run(
        [binary, *program.words("small")], cwd=program.directory, capture_output=True, check=True
    )
    assert answer.stdout == program.expected(), "the program gives another answer"


def copied(name):
    """The program with its neighbours, in the working directory."""
    target = os.path.join(work, "benchmarks", "programs")
    if not os.path.exists(target):
        shutil.copytree(programs_directory, target)
        # What some of them read.
        os.symlink(
            os.path.join(programs_directory, "..", "..", "tests"), os.path.join(work, "tests")
        )
    program = programs.Program(name)
    program.directory = os.path.join(target, name)
    return program


for case in CASES:
    program = copied(case.program)
    before = find(explain(case, program), case.store)
    assert before["decision"] == "kept", f"{case.store} has no check: take another function"
    advices = [copy["change"] for copy in before["copies"] if copy["decision"] == "kept"]
    assert any(re.search(case.advice, advice) for advice in advices), advices
    follow(case, program)
    after = find(
        explain(case, program, *(["--link"] if case.is_linked else [])),
        case.new_store or case.store,
    )
    assert after["decision"] == "removed", after
    check_answer(program)
