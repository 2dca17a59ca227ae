#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the instructions that each kind of barrier executes, inline and out of line.

  total    per store, from callgrind: acre-cc against plain clang, each as the difference of two
           runs of different
           length, so that starting up does not count
  inline   of them in the function of the store itself; the rest is out of line
  code     the store's function, from the disassembly

Writes raw data to benchmarks/results/<date>-<machine>/barriers.json and the table to
docs/results/barriers.md.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

COUNT = 2000
CASES = {  # name in barriers.c: (function of the store, what it is)
    "inactive": ("store_plain", "counted, no region exists"),
    "outside": ("store_plain", "counted, of a pointer outside all regions"),
    "null": ("store_plain", "counted, of null"),
    "own": ("store_plain", "counted, of a pointer into the slot's region"),
    "own-far": ("store_plain", "counted, of a pointer into the slot's region on another page"),
    "again": ("store_plain", "counted, of a pointer into the region that the slot is counted in"),
    "making": ("store_plain", "counted, one count changes, up and down by turns"),
    "changing": ("store_plain", "counted, two counts change"),
    "result": ("store_result", "counted, through a parameter to a local of the caller"),
    "sameregion-null": ("store_sameregion", "sameregion, of null"),
    "sameregion-page": ("store_sameregion", "sameregion, on one page"),
    "sameregion-far": ("store_sameregion", "sameregion, on different pages"),
    "parentptr-page": ("store_parentptr", "parentptr, on one page"),
    "parentptr-far": ("store_parentptr", "parentptr, into the slot's region on another page"),
    "parentptr-above": ("store_parentptr", "parentptr, two regions up"),
    "traditional": ("store_traditional", "traditional"),
    "value-number": ("copy_value", "copy of a record with one parentptr slot, that is null"),
    "value-far": ("copy_value", "copy of a record with one parentptr slot, two regions up"),
    "overlay": (
        "copy_overlay",
        "copy of a record with one parentptr slot, on one page, and a union",
    ),
    "overlay-far": (
        "copy_overlay",
        "copy of a record with one parentptr slot, two regions up, and a union",
    ),
}
LISTED = ["store_plain", "store_sameregion", "store_parentptr", "store_traditional"]
LISTED_OUT_OF_LINE = [
    "acre.near.store",
    "acre.far.store",
    "acre.warm.check_sameregion",
    "acre.warm.check_parentptr",
]


def run(command):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"run.py: {' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout


def build(acre, directory):
    source, include = HERE / "barriers.c", ["-I", ROOT / "include"]
    run([acre / "bin" / "acre-cc", "-O2", source, "-o", directory / "counted"])
    run(
        [
            "clang-22",
            "-O2",
            *include,
            source,
            acre / "lib" / "libacre.a",
            "-lpthread",
            "-o",
            directory / "plain",
        ]
    )


def executed(program, case, count, function):
    """Instructions in all, and in the function of the store."""
    done, text = common.callgrind([program, case, count], text=True)
    if done.returncode != 0:
        sys.exit(f"run.py: {program} {case} {count}\n{done.stderr}")
    own, inside, skip = 0, False, False
    names = {}
    for line in text.splitlines():
        name = re.match(r"fn=\((\d+)\)(?: (.*))?$", line)
        if name:
            names.setdefault(name.group(1), name.group(2))
            inside = names[name.group(1)] == function
        elif line.startswith("cfn="):
            called = re.match(r"cfn=\((\d+)\)(?: (.*))?$", line)
            names.setdefault(called.group(1), called.group(2))
        elif line.startswith("calls="):
            skip = True
        elif re.match(r"[+*\d-]", line):
            if inside and not skip:
                own += int(line.split()[1])
            skip = False
    return common.callgrind_total(text), own


def measure_case(directory, case):
    data = {}
    for kind in ("counted", "plain"):
        short, long = (
            executed(directory / kind, case, count, CASES[case][0]) for count in (COUNT, 2 * COUNT)
        )
        data[kind] = {"total": (long[0] - short[0]) / COUNT, "own": (long[1] - short[1]) / COUNT}
    data["total"] = data["counted"]["total"] - data["plain"]["total"]
    data["inline"] = data["counted"]["own"] - data["plain"]["own"]
    return data


def listing(program, function):
    """The function's instructions, without addresses; jumps name how far on they go."""
    text = run(["objdump", "-d", "--no-show-raw-insn", program])
    body = re.search(
        rf"^[0-9a-f]+ <{re.escape(function)}>:\n((?:\s+[0-9a-f]+:.*\n)+)", text, re.M
    ).group(1)
    code = re.findall(r"^\s+([0-9a-f]+):\s+(\S.*?)\s*$", body, re.M)
    base = int(code[0][0], 16)
    lines = []
    for address, instruction in code:
        instruction = re.sub(r"\s+", " ", instruction)
        instruction = re.sub(
            rf"\b[0-9a-f]+ <{re.escape(function)}\+0x([0-9a-f]+)>", r"+\1", instruction
        )
        instruction = re.sub(r"\b[0-9a-f]+ <([^>+]+)(?:@@Base)?>", r"\1", instruction)
        instruction = re.sub(
            r"-?0x[0-9a-f]+\(%rip\) # [0-9a-f]+ <([^>@]+).*>", r"\1(%rip)", instruction
        )
        if not re.match(r"(nop|cs nop|data16|xchg %ax,%ax)", instruction):
            lines.append(f"{int(address, 16) - base:4x}  {instruction}")
    return lines


def code_section(data):
    lines = []
    for function, code in data["code"].items():
        lines += [f"`{function}`:", "", "```", *code, "```", ""]
    return lines


def write_page(path, data):
    lines = [
        "# What a barrier costs",
        "",
        f"Generated by `{data['command']}` on {data['date']}; do not edit.",
        f"Machine: {data['machine']}. Versions: {'; '.join(data['versions'])}.",
        "",
        (
            "Instructions of one store at `-O2`, less those of the same store compiled by plain"
            " clang. *Inline*: in the"
        ),
        (
            "function of the store; the rest is out of line. The paper has 23 instructions for a"
            " counted store and 6 to 14 for a"
        ),
        "check, on SPARC; each reads the page map, and a counted store the slot's old value.",
        "",
        "| store | instructions | inline |",
        "|---|---:|---:|",
    ]
    for case, (_, what) in CASES.items():
        lines.append(
            f"| {what} | {data['cases'][case]['total']:.0f} | {data['cases'][case]['inline']:.0f} |"
        )
    lines += [
        "",
        "The call of an out-of-line function counts as inline, its return as out of line.",
        "",
        "## The code",
        "",
    ]
    lines += code_section(data)
    path.write_text("\n".join(lines).rstrip() + "\n")


def measure(acre):
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        build(acre, directory)
        return {
            "versions": [
                run(["clang-22", "--version"]).splitlines()[0],
                run(["valgrind", "--version"]).strip(),
            ],
            "cases": {case: measure_case(directory, case) for case in CASES},
            "code": {f: listing(directory / "counted", f) for f in [*LISTED, *LISTED_OUT_OF_LINE]},
        }


if __name__ == "__main__":
    sys.exit(
        common.main("barriers", __doc__, ("clang-22", "valgrind", "objdump"), measure, write_page)
    )
