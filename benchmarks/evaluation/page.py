# SPDX-License-Identifier: MIT
"""Writes docs/results/evaluation.md: what was seen, the bars, and the paper's numbers beside
ours."""

import os

import columns
import paper
import summary
import tables

BARS = {"mean": 1.03, "worst": 1.08, "share": 60}
WEAKEST = ("lcc", "rc", "apache")  # where the paper removes the fewest checks
FIGURES = {
    "time": (
        "Figure 7. Processor time in each column, norc = 1; bars are medians, lines reach from the"
        " least to the greatest ratio of one turn"
    ),
    "annotations": "Figure 8. What annotations, checks and inference cost, norc = 1",
    "stores": "Figure 9. Executed pointer stores by what they need",
}


def overhead_of(ratios):
    """Geometric mean and worst as (mean, worst, program), or null if there are none."""
    known = {name: value for name, value in ratios.items() if value is not None}
    if not known:
        return None
    worst = max(known, key=known.get)
    return summary.geometric_mean(known.values()), known[worst], worst


def describe_overhead(results, what, of):
    seen = overhead_of({name: of(result) for name, result in results.items()})
    if not seen:
        return f"- {what}: not measured."
    mean, worst, program = seen
    is_met = mean <= BARS["mean"] and worst <= BARS["worst"]
    return (
        f"- {what}: {tables.percent(mean)} geometric mean, {tables.percent(worst)} worst"
        f" (`{program}`); at most {tables.percent(BARS['mean'])} and"
        f" {tables.percent(BARS['worst'])} are wanted: **{'met' if is_met else 'missed'}**."
    )


def describe_rest(results):
    """What of the overhead no inference can remove."""
    of = summary.instruction_ratio
    rest, whole = (
        summary.geometric_mean(of(result, column, "norc") for result in results.values())
        for column in ("nc", "inf")
    )
    return (
        f"- Where it goes: without any check of annotations (nc) it is {tables.percent(rest)} of"
        f" instructions instead of {tables.percent(whole)}; that rest is barriers of plain pointers"
        " and of copies, and what protects the stack."
    )


def describe_rivals(results):
    lines = []
    for rival in ("malloc", "mimalloc", "jemalloc", "bdwgc", "talloc", "apr"):
        ratios = {name: summary.ratio(result, "inf", rival) for name, result in results.items()}
        known = {name: value for name, value in ratios.items() if value is not None}
        slower = [
            f"`{name}` ({tables.percent(value)}; norc"
            f" {tables.percent(summary.ratio(results[name], 'norc', rival))})"
            for name, value in known.items()
            if value >= 1
        ]
        if known:
            mean = tables.percent(summary.geometric_mean(known.values()))
            lines.append(
                f"- inf against {rival}: {mean} in the geometric mean; "
                + (
                    f"**not faster** on {', '.join(slower)}."
                    if slower
                    else "faster on every program."
                )
            )
    if any("not faster" in line for line in lines):
        lines.append(
            "- There *norc* in brackets is what regions without counts are against the same: what"
            " is more is counting. Where norc is not faster either, it is that regions hand out"
            " zeroed memory and cannot free a buffer that has grown: `moss` writes 42 words where"
            " it writes 30 with malloc (cachegrind)."
        )
    return lines


def describe_shares(results):
    lines = []
    for how, words in (("file", "compiled file by file"), ("lto", "with `-flto`")):
        shares = {name: summary.share_safe(result, how) for name, result in results.items()}
        known = {
            name: share
            for name, share in shares.items()
            if share is not None and name in paper.TABLE_3
        }
        below = [
            f"`{name}` ({share:.0f} %, paper {paper.TABLE_3[name][2]} %)"
            for name, share in known.items()
            if share <= paper.TABLE_3[name][2]
        ]
        if known:
            lines.append(
                f"- Annotated assignments proved safe, {words}: "
                + (
                    f"**not above the paper's Table 3** on {', '.join(below)}."
                    if below
                    else "above the paper's Table 3 on every program."
                )
            )
        lines += [
            f"- `{name}` {words}: {known[name]:.0f} % proved (paper {paper.TABLE_3[name][2]} %);"
            f" above {BARS['share']} % is wanted:"
            f" **{'met' if known[name] > BARS['share'] else 'missed'}**."
            for name in WEAKEST
            if name in known
        ]
    return lines


def verdict(data):
    results = data["programs"]
    lines = [
        describe_overhead(
            results,
            "inf over norc, median processor time",
            lambda r: summary.ratio(r, "inf", "norc"),
        ),
        describe_overhead(
            results,
            "the same, best runs",
            lambda r: summary.ratio(r, "inf", "norc", summary.best_time),
        ),
        describe_overhead(
            results,
            "the same, instructions of the small run",
            lambda r: summary.instruction_ratio(r, "inf", "norc"),
        ),
        describe_overhead(
            results,
            "with `-flto` for both, median processor time",
            lambda r: summary.ratio(r, "inf-lto", "norc-lto"),
        ),
        describe_rest(results),
        *describe_rivals(results),
        *describe_shares(results),
    ]
    return "\n".join(lines)


def reasons(results):
    """Why the programs above the bar for the worst are there."""
    ratios = {
        name: summary.instruction_ratio(result, "inf", "norc") for name, result in results.items()
    }
    above = [name for name, value in ratios.items() if value is not None and value > BARS["worst"]]
    lines = [
        f"- `{name}` ({tables.percent(ratios[name])}): {WHY.get(name, 'not known')}."
        for name in above
    ]
    return (
        ["", f"Why it is more than {tables.percent(BARS['worst'])}:", "", *lines] if lines else []
    )


def heading(data):
    before, after = data["load"]
    note = f" {data['note']}" if data["note"] else ""
    lines = [
        "# The evaluation of the paper, repeated",
        "",
        f"Generated by `{data['command']}` on {data['date']}; do not edit.",
        (
            f"Machine: {data['machine']}; load over one and five minutes {before[0]:.1f} and"
            f" {before[1]:.1f} before, {after[0]:.1f} and {after[1]:.1f} after; measuring itself is"
            f" a load of 1.{note}"
        ),
        f"Versions: {'; '.join(data['versions'])}.",
        "",
        (
            "The programs of `benchmarks/programs`, of the kinds that *Language Support for"
            " Regions* measures in its section 5, written anew, and real ones ported by scripts"
            " (`benchmarks/ports`): times and counts are not comparable with the paper's one by"
            f" one, shares and ratios are. Every mean is over {len(data['programs'])} programs. The"
            " same sources serve every column, all at `-O2`:"
        ),
        "",
        "| column | is |",
        "|---|---|",
    ]
    lines += [f"| {name} | {what} |" for name, what in data["columns"].items()]
    lines.append("")
    skipped = "; ".join(f"{name}: {why}" for name, why in data["skipped"].items())
    lines.append(f"Skipped: {skipped or 'nothing'}.")
    failed = [
        f"- `{name}`, {column}: {reason.splitlines()[0]}"
        for name, result in data["programs"].items()
        for column, reason in result["failures"].items()
    ]
    return lines + (["", "Failed, and left out below:", "", *failed] if failed else [])


def figure(page, drawn, name):
    stem = os.path.splitext(os.path.basename(page))[0]
    return (
        ["", f"![{FIGURES[name]}]({stem}-{name}.svg)", "", f"*{FIGURES[name]}.*", ""]
        if name in drawn
        else [""]
    )


def describe_noise(data):
    spreads = {name: summary.spread(result, "norc") for name, result in data["programs"].items()}
    known = {name: value for name, value in spreads.items() if value is not None}
    if not known or data["runs"] < 2:
        return "One run says nothing of the noise."
    worst = max(known, key=known.get)
    mean = summary.geometric_mean(known.values())
    return (
        f"Noise: the middle half of norc's runs lies within {tables.percent(known[worst])} for"
        f" `{worst}`, where it is worst, and {tables.percent(mean)} in the geometric mean."
    )


def describe_runs(data):
    whole = data["runs"] + data["further_runs"]
    return (
        f"Median of {data['runs']} runs, of {whole} in {', '.join(columns.COMPARED)}; user and"
        " system time in seconds; the columns take turns."
    )


def times_section(data, page, drawn):
    shown = list(data["columns"])
    return [
        "## Processor time",
        "",
        f"{describe_runs(data)} {describe_noise(data)}",
        "",
        *tables.times(data, shown),
        "",
        (
            "Ratio of the medians to norc; in brackets the least and the greatest ratio of two runs"
            " of the same turn."
        ),
        "",
        *tables.ratios(data, shown),
        *figure(page, drawn, "time"),
        *tables.overheads(data),
        *figure(page, drawn, "annotations"),
        *throughput_section(data),
    ]


def throughput_section(data):
    rates = tables.throughputs(data, list(data["columns"]))
    return (
        [
            "",
            (
                "`wrk` with 16 connections to one process, a file of 6 kB, on the machine that"
                " serves it:"
            ),
            "",
            *rates,
            "",
        ]
        if rates
        else []
    )


INSTRUCTIONS = """\
Of the small run, counted by callgrind: the same in every repetition, where times are not. In \
brackets the ratio to \
norc. The last two columns are what is spent within deletes of regions, as a share of all \
instructions of norc; \
looking for pointers out of what is deleted (the paper's *region unscan*) is in the second only."""

PROFILE = """\
Where the instructions of inf beyond those of norc are, in per cent of norc's: what each function \
executes itself. In the \
program's own functions are barriers and checks in line, and what the optimizer does otherwise \
because of them; in the \
runtime is all that is called."""

WHY = {
    "apache": (
        "requests, connections and the configuration have regions of their own and refer to each"
        " other; most stores are through types that nginx uses for all of these, so that no word"
        " fits. Where one leads to another page, a call decides; where it leads out of its region,"
        " a record and a count change; copies of structures are looked through"
    ),
    "lcc": (
        "trees and types of a statement refer to those of its function and of the unit: what"
        " another file passes is checked by a call, and structures are copied"
    ),
    "rc": (
        "most stores are into lists that hold what may be of any region, so that no word fits: each"
        " is looked at in line, and where it leads to another page a call decides"
    ),
}  # of those whose overhead is above the bar

TABLE_1 = """\
Lines of `.c` and `.h` without what programs share. Objects and memory of the default run as the \
runtime counts them, \
sizes as asked for; *max use* is pages of regions in use at most, which include what is not yet \
used of a page."""

TABLE_2 = """\
inf less norc, by the medians and by the best runs; per cent is of norc. The paper's is of the \
counted run, best of \
five."""

TABLE_3 = """\
Words are `sameregion`, `parentptr` and `traditional` in the program's own files. *Safe* is the \
share of places in the \
source that assign through an annotated type whose check the compiler removed in every copy, by \
`-facre-stats`; a \
place where one inlined copy keeps its check is not safe. The paper's *lines changed* has no \
counterpart: these programs \
were written for regions. Counted assignments are those of pointers without annotation into \
memory; a safe one \
touches no count."""

STORES = """\
Pointer stores into memory that the default run executes, counted in a build with `-facre-stats`; \
variables that stay \
in registers are not in it. *Safe*: through an annotated type, proved, no work. *Checked*: through \
an annotated type, \
checked; *checked in line* is the share of these that needed no call. *Counted*: through a type \
without annotation, \
with a barrier, which ends early where neither the old nor the new value is external; *count \
changed* is the share of \
these that changed the count of a region. *Plain, proved*: without annotation and without barrier. \
*Copies* are those \
of whole structures and arrays that may hold pointers, which are looked through and are not in the \
shares and the \
figure. Decisions are those of compiling file by file."""


def write(path, data, drawn):
    lines = [
        *heading(data),
        "",
        "## Against what is wanted",
        "",
        verdict(data),
        "",
        *times_section(data, path, drawn),
        "## Instructions",
        "",
        INSTRUCTIONS,
        "",
        *tables.instructions(data),
        "",
        PROFILE,
        "",
        *tables.profiles(data),
        *reasons(data["programs"]),
        "",
        "## Memory",
        "",
        "Peak resident memory in MiB, and page faults (minor and major) in thousands.",
        "",
        *tables.memory(data, list(data["columns"])),
        "",
        "## Table 1: the programs",
        "",
        *tables.table_1(data),
        "",
        TABLE_1,
        "",
        "## Table 2: the cost of counting",
        "",
        *tables.table_2(data),
        "",
        TABLE_2,
        "",
        "## Table 3: annotations and what is proved",
        "",
        *tables.table_3(data),
        "",
        TABLE_3,
        "",
        "## Figure 9: pointer stores at run time",
        "",
        *tables.stores(data),
        *figure(path, drawn, "stores"),
        STORES,
    ]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
