"""Figure 9: the pointer stores that a program executes, by what they need.

The compiler decides most barriers in line, where nothing counts them.  But what `acre-cc -flto -c` hands to the link
is not lowered yet: each barrier is still a call.  Compiled on by plain clang it stays one, and the linker puts
count_stores.c between the call and the runtime.  The decisions are those of file-by-file compilation.
"""
import os
import re
import shutil
import subprocess
import tempfile

import programs

HERE = os.path.dirname(os.path.abspath(__file__))
BARRIERS = ("acre_rt_store", "acre_rt_check_sameregion", "acre_rt_check_parentptr", "acre_rt_check_traditional",
            "acre_rt_rescan", "acre_rt_rescan_typed")
LONGEST_RUN_SECONDS = 300


class Failed(Exception):
    """The program could not be built or run this way."""


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                          timeout=LONGEST_RUN_SECONDS, **options)
    if done.returncode:
        raise Failed(f"{os.path.basename(command[0])} ends with status {done.returncode}: {done.stderr[-1000:]}")
    return done.stderr


def build(program, checks, options, directory):
    """Returns the path of a binary that counts its barriers."""
    acre_cc, objects = os.path.join(options.acre, "bin", "acre-cc"), []
    includes = [f"-I{path}" for path in sorted({os.path.dirname(source) for source in program.sources()})]
    for number, source in enumerate(program.sources()):
        objects.append(os.path.join(directory, f"{number}.bc"))
        run([acre_cc, "-std=gnu17", "-O2", f"-facre-checks={checks}", "-flto", *includes, "-c", source,
             "-o", objects[-1]])
    binary = os.path.join(directory, "program")
    run([options.clang, "-O2", f"-I{os.path.join(programs.ROOT, 'include')}", "-x", "ir", *objects,
         "-x", "c", os.path.join(HERE, "count_stores.c"), "-x", "none", os.path.join(options.acre, "lib", "libacre.a"),
         *(f"-Wl,--wrap={barrier}" for barrier in BARRIERS), *program.words("libraries"), "-lpthread", "-o", binary])
    return binary


def count_stores(program, options):
    """{"all" or "inferred": {"plain", an annotation or "copies": barriers that the default run executes}}.

    Empty if that is impossible.
    """
    counts = {}
    directory = tempfile.mkdtemp(dir=options.work)
    try:
        for checks in ("all", "inferred"):
            binary = build(program, checks, options, directory)
            report = run([binary, *program.words("default")], cwd=program.directory)
            line = re.search(r"^stores: (.*)$", report, re.M)
            counts[checks] = {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", line.group(1))}
    except (Failed, subprocess.TimeoutExpired) as reason:
        print(f"{program.name}: stores are not counted: {reason}", flush=True)
        return {}
    finally:
        shutil.rmtree(directory)
    return counts
