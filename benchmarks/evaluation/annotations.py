# SPDX-License-Identifier: MIT
"""Table 3 and Figure 9: the words added to a program, the stores that the compiler proves safe, and
those that run.

A site is a place of the source, FILE:LINE:COLUMN, that stores through an annotated type (a check)
or a plain pointer that may count.  The compiler may treat copies of one site differently, after
inlining; a site is safe if no copy keeps its barrier.  All is what `acre-cc -facre-stats` counts
(docs/reference/stats.md).
"""

import json
import os
import re
import shutil
import subprocess
import tempfile

import programs

KEYWORDS = ("sameregion", "parentptr", "traditional", "inregion", "inparent", "settled", "deletes")
SLOTS = {"check": ("sameregion", "parentptr", "traditional"), "count": ("counted",)}
OUTCOMES = ("safe", "executed", "called", "changed")
LONGEST_RUN_SECONDS = 300
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)


def measure_source(program):
    """Lines and annotations of the program's own files."""
    lines, keywords = 0, dict.fromkeys(KEYWORDS, 0)
    for path in program.own_files():
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        lines += text.count("\n")
        for word in re.findall(r"\w+", NOT_CODE.sub(" ", text)):
            if word in keywords:
                keywords[word] += 1
    return {"lines": lines, "keywords": keywords}


def merged(acre, path):
    done = subprocess.run(
        [os.path.join(acre, "bin", "acre"), "stats", "--json", path],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)["stores"]


def summarize(stores):
    """Of annotated and of counted stores the places, those whose every copy is safe, and the
    others."""
    result = {}
    for kind, slots in SLOTS.items():
        kept = {}
        for store in stores:
            if store["slot"] in slots and store["removed"] + store["cleared"] + store["kept"]:
                file = os.path.relpath(store["file"], programs.ROOT)
                site = f"{file}:{store['line']}:{store['column']}"
                kept[site] = kept.get(site, False) or store["kept"] > 0
        result[kind] = {
            "sites": len(kept),
            "safe": list(kept.values()).count(False),
            "kept": sorted(site for site, is_kept in kept.items() if is_kept),
        }
    return result


def executed(stores):
    """{slot: {"safe", "executed", "called", "changed": times}}, see docs/reference/stats.md."""
    result = {}
    for store in stores:
        counts = result.setdefault(store["slot"], dict.fromkeys(OUTCOMES, 0))
        for outcome in OUTCOMES:
            counts[outcome] += store[outcome]
    return result


def measure_stores(program, options):
    """What is decided, {"file" or "lto": {kind: {sites, safe, kept}}}, and what the default run
    executes by slot.

    Without what cannot be compiled or run.
    """
    directory, compiler = tempfile.mkdtemp(dir=options.work), os.path.join(
        options.acre, "bin", "acre-cc"
    )
    decided, stores = {}, {}
    try:
        for how, more in (("file", ()), ("lto", ("-flto",))):
            binary = os.path.join(directory, how)
            mode = programs.Mode(how, compiler, (f"-facre-stats={binary}.decided", *more))
            if program.build(mode, binary):
                continue
            decided[how] = summarize(merged(options.acre, binary + ".decided"))
            if how == "file":
                command, place = program.session([binary], "default", binary)
                done = subprocess.run(
                    command,
                    cwd=place,
                    check=False,
                    capture_output=True,
                    timeout=LONGEST_RUN_SECONDS,
                    env={**os.environ, "ACRE_STATS": binary + ".json"},
                )
                stores = (
                    executed(merged(options.acre, binary + ".json")) if done.returncode == 0 else {}
                )
    except (OSError, ValueError, subprocess.SubprocessError) as reason:
        print(f"{program.name}: stores are not counted: {reason}", flush=True)
    finally:
        shutil.rmtree(directory)
    return decided, stores
