# SPDX-License-Identifier: MIT
"""Writes docs/results/foreign.md: the first figures, worst first, and how they came about."""

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
in it, and some are ported to regions: once, in the straightforward way, by a script that is not \
changed after it was first measured. These are the **first figures**, taken before any change to \
Acre that they led to."""
TABLE = """\
Ratios; worst first, by instructions of inf to norc. Instructions are callgrind's, of the small \
run, without those of processes that the program starts; times are user time, medians of the \
default run, the columns taking turns; in brackets the least and the greatest ratio of one turn. \
Peak is resident memory of the default run; text is the `.text` of all object files, so without \
the runtime. Tests: its own where the package has some, run with `ACRE_VERIFY=1`, and how many of \
them say something else than with clang."""


def median(samples, what):
    return statistics.median(sample[what] for sample in samples)


def quotient(values, name, base):
    return values[name] / values[base] if values.get(name) and values.get(base) else None


def shown(value):
    return "–" if value is None else f"{value:.3f}"


def times_of(result, what="user"):
    return {column: median(samples, what) for column, samples in result["time"].items() if samples}


def range_of(result, name, base):
    """The least and the greatest ratio of user time in one turn."""
    samples = result["time"]
    if not samples.get(name) or not samples.get(base):
        return ""
    pairs = [a["user"] / b["user"] for a, b in zip(samples[name], samples[base]) if b["user"]]
    return f" ({min(pairs):.2f}–{max(pairs):.2f})" if pairs else ""


def row(name, result):
    times, peaks = times_of(result), times_of(result, "peak_kb")
    counts, checks = result["instructions"], result["checks"]
    cells = [
        f"`{name}`",
        f"{(counts.get('norc') or 0) / 1e6:,.0f} M",
        shown(quotient(counts, "inf", "norc")),
        shown(quotient(counts, "inf", "own")),
        f"{times.get('own', 0):.2f} s",
        shown(quotient(times, "inf", "norc")) + range_of(result, "inf", "norc"),
        shown(quotient(times, "inf", "own")),
        shown(quotient(peaks, "inf", "norc")),
        shown(quotient(peaks, "inf", "own")),
        shown(quotient(result["text"], "inf", "norc")),
        f"{checks['tests']}, {len(checks['differ'])} differ" if checks else "not run",
    ]
    return "| " + " | ".join(cells) + " |"


def badness(item):
    return -(quotient(item[1]["instructions"], "inf", "norc") or 99)


def results_table(measured):
    heading = (
        "program",
        "norc",
        "instructions inf/norc",
        "inf/own",
        "time own",
        "time inf/norc",
        "inf/own",
        "peak inf/norc",
        "inf/own",
        "text inf/norc",
        "tests",
    )
    return [
        "| " + " | ".join(heading) + " |",
        "|---|---:|---:|---:|---:|---|---:|---:|---:|---:|---|",
        *(row(*item) for item in sorted(measured.items(), key=badness)),
    ]


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
            "| port | lines touched | files | annotations | annotated places proved, by file | with"
            " `-flto` | annotated stores run | of these safe | counted stores run | of these with a"
            " change of count |"
        ),
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
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
            f"| {changes['annotations']} | {share(result['sites'], 'file')} "
            f"| {share(result['sites'], 'lto')} | {safe + run:,} "
            f"| {100 * safe / (safe + run) if safe + run else 0:.0f} % | {counted['executed']:,} "
            f"| {counted['changed']:,} |"
        )
    return lines if ported else ["None yet."]


def share(sites, how):
    check = sites.get(how, {}).get("check")
    return f"{check['safe']} of {check['sites']}" if check and check["sites"] else "–"


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


def write(path, data):
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
        *([data["note"], ""] if data.get("note") else []),
        "| column | is |",
        "|---|---|",
        *(f"| {name} | {what} |" for name, what in COLUMNS.items()),
        "",
        "## First figures",
        "",
        TABLE,
        "",
        *results_table(measured),
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
