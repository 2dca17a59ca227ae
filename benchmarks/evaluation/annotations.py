"""Table 3: the words added to a program, and the assignments that the compiler proves safe.

A site is a place of the source, FILE:LINE:COLUMN, that stores through an annotated type (a check) or a plain pointer
that may count.  The compiler may treat copies of one site differently, after inlining.  Per file, a site is safe if
its barrier was removed in one copy and kept in none.  With -flto the link decides again on what the compiler kept, and
reports what it decides: what it says of a site replaces what the compiler said.
"""
import glob
import os
import re
import shutil
import subprocess
import tempfile

import programs

KEYWORDS = ("sameregion", "parentptr", "traditional", "inregion", "deletes")
KINDS = {"check": "check of", "count": "counted store"}
# The compiler writes "remark: " before the message, the linker does not.
REMARK = re.compile(r"^(/[^:\n]+):(\d+):(\d+): (remark: )?(check of|counted store)\b[^\n]*? (removed|kept)\b([^\n]*)",
                    re.M)
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)


def measure_source(program):
    """Lines and annotations of the program's own files."""
    paths = sorted(path for end in "ch" for path in glob.glob(os.path.join(program.directory, f"*.{end}")))
    lines, keywords = 0, dict.fromkeys(KEYWORDS, 0)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        lines += text.count("\n")
        for word in re.findall(r"\w+", NOT_CODE.sub(" ", text)):
            if word in keywords:
                keywords[word] += 1
    return {"lines": lines, "keywords": keywords}


def read_remarks(text):
    """The remarks of the compiler and those of the link: {kind: {site: (kept?, why)}} each."""
    compiled, linked = ({kind: {} for kind in KINDS} for _ in range(2))
    for path, line, column, remark, start, decision, why in REMARK.findall(text):
        kind = next(kind for kind, words in KINDS.items() if words == start)
        sites = (compiled if remark else linked)[kind]
        site = f"{os.path.relpath(path, programs.ROOT)}:{line}:{column}"
        if decision == "kept" or site not in sites:
            sites[site] = (decision == "kept", re.sub(r" \[-R[^]]*\]$", "", why.lstrip(": ")))
    return compiled, linked


def summarize(sites):
    kept = {site: why for site, (is_kept, why) in sorted(sites.items()) if is_kept}
    return {"sites": len(sites), "safe": len(sites) - len(kept), "kept": kept}


def compile_with_remarks(program, compiler, options, output):
    directories = sorted({os.path.dirname(source) for source in program.sources()})
    command = [compiler, "-std=gnu17", "-O2", "-g", "-Rpass=acre", "-Rpass-missed=acre", *options,
               *(f"-I{directory}" for directory in directories), *program.sources(), "-o", output,
               *program.words("libraries")]
    # Where a source shares a prefix with the working directory, the link would name it relative to that prefix.
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, errors="replace", check=False)
    return done.stdout + "\n" + done.stderr if done.returncode == 0 else None


def measure_sites(program, acre_cc, work):
    """{"file" or "lto": {kind: {sites, safe, kept}}}, without what cannot be compiled."""
    directory = tempfile.mkdtemp(dir=work)
    measured = {}
    for how, options in (("file", ()), ("lto", ("-flto",))):
        text = compile_with_remarks(program, acre_cc, options, os.path.join(directory, how))
        if text is not None:
            compiled, linked = read_remarks(text)
            measured[how] = {kind: summarize({**compiled[kind], **linked[kind]}) for kind in KINDS}
    shutil.rmtree(directory)
    return measured
