# SPDX-License-Identifier: MIT
"""Writes docs/results/foreign.md: the figures, worst first, beside the first ones, and how they
came about."""

import statistics

CONTROLS = {
    "zsh": "a shell with a heap that has nested marks",
    "rsync": "a copier of trees of files with pools of entries",
}
COLUMNS = {
    "own": "the program as it is: `clang -O2`",
    "norc": "what is measured, the program as it is or its port, by `acre-cc -O2 -fno-acre`",
    "inf": "the same by `acre-cc -O2`",
}
INTRODUCTION = """\
Programs from Debian's source packages that use pools, arenas, obstacks or nested marks. Acre was \
not made with them, and nothing in it is tuned for them. Each is built as it is, with no region \
in it, and most are ported to regions: once, in the straightforward way, by a script that is not \
changed after it was first measured."""
FIRST = """\
The **first figures** of a program are those of the revision that stands beside its name, which \
is from before any change to Acre that the program led to. They are kept in \
`benchmarks/foreign/first.json` and stand before the arrow; what stands behind it is from now."""
TABLE = """\
Ratios; worst first, by instructions of inf to norc now. Instructions are callgrind's, of the \
small run, without those of processes that the program starts; peak is resident memory of the \
default run; text is the `.text` of all object files, so without the runtime. Times are user \
time, medians of the default run, the columns taking turns. Tests: its own where the package has \
some, run with `ACRE_VERIFY=1`, and how many of them say something else than with clang."""


def median(samples, what):
    return statistics.median(sample[what] for sample in samples)


def quotient(values, name, base):
    return values[name] / values[base] if values.get(name) and values.get(base) else None


def shown(value):
    return "–" if value is None else f"{value:.3f}"


def times_of(result, what="user"):
    return {column: median(samples, what) for column, samples in result["time"].items() if samples}


def figures(result):
    """What the page shows of a program, rounded, as it is kept of its first measurement."""
    times, peaks = times_of(result), times_of(result, "peak_kb")
    counts, checks = result["instructions"], result["checks"]
    ratios = {
        "instructions": quotient(counts, "inf", "norc"),
        "instructions_own": quotient(counts, "inf", "own"),
        "time": quotient(times, "inf", "norc"),
        "peak": quotient(peaks, "inf", "norc"),
        "text": quotient(result["text"], "inf", "norc"),
    }
    return {
        "norc": round((counts.get("norc") or 0) / 1e6),
        **{name: round(ratio, 3) for name, ratio in ratios.items() if ratio},
        **{how: proved(result["sites"], how) for how in ("file", "lto")},
        "tests": f"{checks['tests']}, {len(checks['differ'])} differ" if checks else "not run",
    }


def first_of(result):
    """What is kept of a first measurement: its tests are not told again."""
    return {name: value for name, value in figures(result).items() if name != "tests"}


def both(first, now, name):
    """A figure of the first measurement and of this one."""
    values = [shown(figures.get(name)) for figures in (first, now) if figures]
    return " → ".join(values)


def both_shares(first, now, how):
    """Annotated places proved: the first time in per cent, now with the counts."""
    before, after = first.get(how), now.get(how)
    parts = [f"{100 * one[0] / one[1]:.0f} %" for one in (before,) if one]
    parts += [f"{100 * one[0] / one[1]:.0f} % of {one[1]}" for one in (after,) if one]
    return " → ".join(parts) or "–"


def row(name, result, first=None):
    first, now = first or {}, figures(result)
    changes = result["changes"]
    cells = [
        f"`{name}`" + (f" ({first['revision']})" if first else ""),
        str(changes["touched"]) if changes else "–",
        f"{now['norc']:,} M",
        both(first, now, "instructions"),
        both(first, now, "instructions_own"),
        both(first, now, "time"),
        both(first, now, "peak"),
        both(first, now, "text"),
        both_shares(first, now, "file"),
        both_shares(first, now, "lto"),
        now["tests"],
    ]
    return "| " + " | ".join(cells) + " |"


def badness(item):
    return -(quotient(item[1]["instructions"], "inf", "norc") or 99)


def results_table(measured, first):
    heading = (
        "program",
        "lines touched",
        "norc",
        "instructions inf/norc",
        "inf/own",
        "time inf/norc",
        "peak inf/norc",
        "text inf/norc",
        "annotated places proved, by file",
        "with `-flto`",
        "tests",
    )
    return [
        "| " + " | ".join(heading) + " |",
        "|---|---:|---:|---|---|---|---|---|---|---|---:|",
        *(
            row(name, result, first.get(name))
            for name, result in sorted(measured.items(), key=badness)
        ),
        *(first_only(name, first[name]) for name in sorted(first) if name not in measured),
    ]


def first_only(name, first):
    """The row of a program that is not measured now."""
    cells = (
        f"`{name}` ({first['revision']})",
        "–",
        f"{first['norc']:,} M",
        *(shown(first.get(key)) for key in ("instructions", "instructions_own")),
        *(shown(first.get(key)) for key in ("time", "peak", "text")),
        *(both_shares(first, {}, how) for how in ("file", "lto")),
        "not run",
    )
    return "| " + " | ".join(cells) + " |"


def programs_table(measured):
    lines = [
        "| program | package | lines | memory | small run | default run |",
        "|---|---|---:|---|---|---|",
    ]
    for name, result in sorted(measured.items()):
        lines.append(
            f"| `{name}` | {result['version']} | {result['lines']} | {result['memory']} "
            f"| `{result['runs']['small']}` | `{result['runs']['default']}` |"
        )
    return lines


def ports_section(measured):
    ported = {name: result for name, result in measured.items() if result["changes"]}
    lines = [
        (
            "| port | lines touched | files | annotations | annotated stores run | of these safe |"
            " counted stores run | of these with a change of count |"
        ),
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, result in sorted(ported.items()):
        changes, stores = result["changes"], result["stores"]
        annotated = [
            stores[slot] for slot in ("sameregion", "parentptr", "traditional") if slot in stores
        ]
        safe, run = (sum(counts[what] for counts in annotated) for what in ("safe", "executed"))
        counted = stores.get("counted", dict.fromkeys(("executed", "changed"), 0))
        lines.append(
            f"| `{name}` | {changes['touched']} of {changes['lines']} | {changes['files']} "
            f"| {changes['annotations']} | {safe + run:,} "
            f"| {100 * safe / (safe + run) if safe + run else 0:.0f} % | {counted['executed']:,} "
            f"| {counted['changed']:,} |"
        )
    return lines if ported else ["None yet."]


def proved(sites, how):
    """Annotated places that are proved, and all; null if there is none."""
    check = sites.get(how, {}).get("check")
    return [check["safe"], check["sites"]] if check and check["sites"] else None


def profile_section(measured):
    lines = ["| program | more instructions | where |", "|---|---:|---|"]
    for name, result in sorted(measured.items(), key=badness):
        counts = result["instructions"]
        if not quotient(counts, "inf", "norc"):
            continue
        base = counts["norc"] / 100
        parts = [
            f"{'**' if is_runtime else ''}`{function}`{'**' if is_runtime else ''}"
            f" {more / base:+.2f}"
            for function, more, is_runtime in result["profile"][:8]
            if abs(more) / base >= 0.005
        ]
        more = (counts["inf"] - counts["norc"]) / base
        lines.append(f"| `{name}` | {more:+.2f} % | {', '.join(parts)} |")
    return lines


def wrong_section(measured):
    lines = []
    for name, result in sorted(measured.items()):
        for column, reason in result["failures"].items():
            lines.append(f"- `{name}`, {column}: {' '.join(reason.splitlines()[:3])}")
        for test in result["checks"].get("differ", {}) if result["checks"] else ():
            lines.append(f"- `{name}`: its test `{test}` says something else than with clang.")
    return lines or ["Nothing: no run was refused, and none gave another result."]


def write(path, data, first):
    measured = {
        name: result for name, result in data["programs"].items() if "skipped" not in result
    }
    skipped = [
        f"- `{name}`: {result['skipped']}"
        for name, result in data["programs"].items()
        if "skipped" in result
    ]
    controls = "; ".join(f"`{name}`, {what}" for name, what in CONTROLS.items())
    lines = [
        "# Foreign programs",
        "",
        f"Generated by `{data['command']}` on {data['date']}; do not edit.",
        (
            f"Machine: {data['machine']}; one-minute load"
            f" {' before and '.join(f'{one:.1f}' for one in data['load'])} after. Acre at revision"
            f" {data['revision'] or 'unknown'}."
        ),
        "",
        INTRODUCTION,
        "",
        FIRST,
        "",
        *([data["note"], ""] if data.get("note") else []),
        "| column | is |",
        "|---|---|",
        *(f"| {name} | {what} |" for name, what in COLUMNS.items()),
        "",
        "## Figures",
        "",
        TABLE,
        "",
        *results_table(measured, first),
        "",
        *([*skipped, ""] if skipped else []),
        "## What went wrong",
        "",
        *wrong_section(measured),
        "",
        "## Where the instructions are",
        "",
        (
            "What each function executes itself more in inf than in norc, in per cent of norc's"
            " instructions; functions of the runtime are bold."
        ),
        "",
        *profile_section(measured),
        "",
        "## The ports",
        "",
        *ports_section(measured),
        "",
        "## The programs",
        "",
        *programs_table(measured),
        "",
        "## Controls",
        "",
        (
            f"Named when the first figures were taken, and not measured with them: {controls}. They"
            " are ported and built when Acre has been changed because of the others, to see"
            " whether the change serves programs that nobody looked at."
        ),
    ]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
