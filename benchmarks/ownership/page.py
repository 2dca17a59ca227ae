# SPDX-License-Identifier: MIT
"""Writes docs/results/ownership.md from what was measured."""

import statistics

# Of the paper: Table 1, section 5.2 and Figure 6.
PAPER_LINES = {
    "webserver": "CycWeb: 667 lines, 21 swaps and explicit aliases in all",
    "overlay": "MediaNet: 8,715 lines, 320 changed (4 %)",
    "scheme": "CycScheme: 2,523 lines",
}

REGION_WORDS = ("sameregion", "parentptr", "traditional", "inregion", "inparent")
BUSY = 4  # load


def median(samples, key):
    return statistics.median(sample[key] for sample in samples)


def peak(samples, key):
    return max(sample[key] for sample in samples)


def ratio_text(value, bar, is_upper):
    is_met = value <= bar if is_upper else value >= bar
    return "**met**" if is_met else "**missed**"


def bars(data):
    lines = []
    for name in ("webserver", "overlay"):
        footprint = data[name]["footprint"]
        manual, collected = peak(footprint["manual"], "reserved"), peak(
            footprint["collected"], "reserved"
        )
        lines.append(
            f"- {name}: manual reserves {manual / 1024:.0f} KB, collected {collected / 1024:,.0f}"
            f" KB: 1/{collected / manual:.0f}; at most 1/10 is wanted:"
            f" {ratio_text(manual / collected, 0.1, True)}."
        )
        for key, word in (
            ("rate", "throughput"),
            ("cpu", "processor time of the server per piece of work"),
        ):
            shares = [
                median(of["manual"], key) / median(of["plain"], key)
                for of in data[name]["throughput"].values()
            ]
            mean = statistics.geometric_mean(shares)
            met = ratio_text(mean, 0.97, False) if key == "rate" else ratio_text(mean, 1.03, True)
            lines.append(
                f"- {name}: {word}, manual over plain C, geometric mean {mean:.3f} "
                f"({min(shares):.3f} to {max(shares):.3f}); within 3 % is wanted: {met}."
            )
        shares = [
            median(of["manual"], "rate") / median(of["collected"], "rate")
            for of in data[name]["throughput"].values()
        ]
        mean = statistics.geometric_mean(shares)
        lines.append(
            f"- {name}: throughput, manual over collected, geometric mean {mean:.3f}; at least 1 is"
            f" wanted: {ratio_text(mean, 1.0, False)}."
        )
        counts = data[name]["instructions"]
        lines.append(
            f"- {name}: instructions of the program for one piece of work of 4 KB, manual over"
            f" plain C: {counts['manual'] / counts['plain']:.3f}."
        )
    for name, times in data["compile"].items():
        share = times["acre"] / times["plain"]
        lines.append(
            f"- compile time, {name}: {share:.3f} of clang; at most 1.15 is wanted:"
            f" {ratio_text(share, 1.15, True)}; reports: {times['reports']}."
        )
    return "\n".join(lines)


def table_of_words(data):
    lines = [
        (
            "| | lines of code | with a word | share | calls of swap, take, alias, drop | `unique`"
            " | `borrowed` | `refcounted` | of regions | the paper |"
        ),
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for name, found in data["words"].items():
        uses = found["uses"]
        lines.append(
            f"| {name} | {found['lines']} | {found['annotated']} |"
            f" {100 * found['annotated'] / found['lines']:.0f} % |"
            f" {sum(uses[call] for call in ('acre_swap', 'acre_take', 'rc_alias', 'rc_drop'))} |"
            f" {uses['unique']} | {uses['borrowed']} | {uses['refcounted']} |"
            f" {sum(uses[word] for word in REGION_WORDS)} | {PAPER_LINES.get(name, '')} |"
        )
    return "\n".join(lines)


def table_of_loans(data):
    lines = [
        (
            "| | to the C library | to parameters without a word | to `borrowed` parameters | to"
            " local variables | to `borrowed` variables | `acre_alias` | not written out where it"
            " is lent (as the paper counts) | without a word anywhere |"
        ),
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, found in data["words"].items():
        loans = found["loans"]
        silent = loans["LentToLibrary"] + loans["LentToPlain"] + loans["KeptInPlain"]
        total = sum(loans.values())
        written = loans.get("AliasesWritten", 0) + loans["KeptInBorrowed"]
        lines.append(
            f"| {name} | {loans['LentToLibrary']} | {loans['LentToPlain']} |"
            f" {loans['LentToBorrowed']} | {loans['KeptInPlain']} | {loans['KeptInBorrowed']} |"
            f" {loans.get('AliasesWritten', 0)} | {100 * (total - written) / total:.0f} % |"
            f" {silent} of {total}: {100 * silent / total:.0f} % |"
        )
    return "\n".join(lines)


def table_of_throughput(throughput, unit, piece):
    names = list(next(iter(throughput.values())))
    lines = [
        f"| {piece} | "
        + " | ".join(f"{name}, {unit}" for name in names)
        + " | "
        + " | ".join(f"{name}, µs of processor" for name in names)
        + " |",
        "|---|" + "---:|" * (2 * len(names)),
    ]
    for what, found in throughput.items():
        rates = " | ".join(
            f"{median(found[name], 'rate'):,.0f} ({min(s['rate'] for s in found[name]):,.0f}–"
            f"{max(s['rate'] for s in found[name]):,.0f})"
            for name in names
        )
        lines.append(
            f"| {what} | {rates} | "
            + " | ".join(f"{median(found[name], 'cpu'):.1f}" for name in names)
            + " |"
        )
    return "\n".join(lines)


def table_of_memory(data):
    lines = [
        "| | data, peak KB | reserved, peak KB | resident, peak KB | the paper |",
        "|---|---:|---:|---:|---|",
    ]
    paper = {
        ("webserver", "collected"): "Boa: reserved 635 KB",
        ("webserver", "manual"): "CycWeb: data below 6.5 KB",
        ("overlay", "collected"): "MediaNet: data 438 KB, reserved 840 KB",
        ("overlay", "manual"): "MediaNet: data 15.5 KB, reserved 131 KB",
    }
    for name in ("webserver", "overlay"):
        for version, samples in data[name]["footprint"].items():
            lines.append(
                f"| {name}, {version} | "
                + " | ".join(
                    f"{peak(samples, key) / 1024:,.1f}" for key in ("data", "reserved", "resident")
                )
                + f" | {paper.get((name, version), '')} |"
            )
    return "\n".join(lines)


def table_of_interpreter(data):
    names = list(next(iter(data["scheme"].values())))
    lines = [
        "| | "
        + " | ".join(f"{name}, million instructions" for name in names)
        + " | "
        + " | ".join(f"{name}, KB reserved" for name in names)
        + " | data, KB |",
        "|---|" + "---:|" * (2 * len(names) + 1),
    ]
    for program, found in data["scheme"].items():
        plain = found["plain"]["instructions"]
        counts = " | ".join(
            f"{found[name]['instructions'] / 1e6:.1f} ({found[name]['instructions'] / plain:.2f})"
            for name in names
        )
        lines.append(
            f"| `{program}` | {counts} | "
            + " | ".join(f"{found[name]['reserved'] / 1024:,.0f}" for name in names)
            + f" | {found['manual']['data'] / 1024:,.0f} |"
        )
    return "\n".join(lines)


def write(path, data, figures):
    drawn = "\n\n".join(f"![Memory over time]({name})" for name in figures)
    versions = "; ".join(data["versions"])
    busy = (
        " The machine was busy: rates scatter by more than what is asked, processor time and"
        " instructions say more."
        if max(data["load"]) > BUSY
        else ""
    )
    text = f"""# Programs that own their memory

Generated by `{data['command']}` on {data['date']}; do not edit.
Machine: {data['machine']}; one-minute load {data['load'][0]:.1f} before and \
{data['load'][1]:.1f} after, of which measuring itself is one to two.{busy}{data.get("note", "")}
Versions: {versions}.

The servers of `examples/` beside those of *Experience With Safe Manual Memory-Management in \
Cyclone* (2004). They are programs of the same
kinds, written anew, on another machine: shares and ratios can be compared, times cannot. The \
same sources are

- **plain**: C with `malloc` and `free`, by clang -O2; references are counted by libacre, the \
plan lies in an arena that nobody checks;
- **manual**: the disciplines of `<acre/own.h>`, by acre-cc -O2;
- **collected**: no owners: `free` and references are nothing, `-facre-malloc=collected`, by \
acre-cc -O2.

## Against what is wanted

{bars(data)}

## Annotations (Table 1)

A line has a word if `unique`, `borrowed`, `refcounted` or a word of regions (`sameregion`, \
`parentptr`, `traditional`, `inregion`, `inparent`) is in it. Comments and empty lines are not \
counted.

{table_of_words(data)}

The paper calls the loan of an owned object an alias, and counts where one had to be written out \
in the caller: in MediaNet 71 % of 66 were inferred. What its functions say of their parameters it
does not count, because there a parameter without a word may be lent anything: it is polymorphic \
in the region that it points to, and each file is checked for keeping nothing. A plain parameter \
of C may be kept, so
`borrowed` has to stand in declarations of functions that are defined in other files, and on \
parameters that lend on what hangs on them. So there are two shares: of loans that are not \
written out where they are made,
which is the paper's, and of those for which there is no word anywhere, neither in the caller nor \
in what is called, which is harder to reach the more files a program has. Loans of owners and of \
`borrowed` parameters, as
the compiler counts them (`-save-stats`); what a parameter without a word lends on is not among \
them, so fewer words also make fewer loans:

{table_of_loans(data)}

## Throughput (Figures 3 and 5)

Web server: pages of that size for {data['clients']} clients by `wrk`, requests a second; \
{data['runs']} turns of {data['seconds']} s, median and range. The load runs on the same machine.

{table_of_throughput(data['webserver']['throughput'], 'requests/s', 'page')}

Overlay: packets of so many bytes come as frames, get a number in front and go out as frames, in \
Mbit/s; median and range of {data['runs']} turns.

{table_of_throughput(data['overlay']['throughput'], 'Mbit/s', 'bytes')}

Instructions that the program itself executes for a page or packet of 4 KB (callgrind; the \
kernel's are not counted): web server {data['webserver']['instructions']['plain']:,.0f} plain and
{data['webserver']['instructions']['manual']:,.0f} manual, overlay \
{data['overlay']['instructions']['plain']:,.0f} plain and \
{data['overlay']['instructions']['manual']:,.0f} manual.

## Memory (Figures 4 and 6)

While the web server sends 4 KB pages to {data['clients']} clients, and while the overlay \
forwards 50,000 packets of 4 KB; asked for every 50 ms. Data is what objects take, for
the collected heap with those that are dead and not found yet; reserved is what the allocator has \
from the system.

{table_of_memory(data)}

{drawn}

## The interpreter, and bounds (Tables 2 and 3)

A Scheme interpreter whose copying collector is two arenas with keys (`examples/scheme`; the \
paper's is CycScheme, of which it gives no figures). *plain*: arenas are
lists of blocks that nobody checks. *checked*: manual with `-facre-bounds`, the paper's column of \
that name. Instructions are counted by callgrind; memory is what
the interpreter says at its end. The collected version has no data of its own.

{table_of_interpreter(data)}

The programs of the paper's Tables 2 and 3 (Epic, Kiss-FFT, BetaFTPD) are ported ones, which are \
not repeated here; what `-facre-bounds` costs other programs is in `bounds.md`.

## Compile time

Processor time, acre-cc against clang with the same options: of each file the median of the runs, \
in which the two compilers take turns for each file. The last
column is the least and the greatest ratio of a run. SQLite, Lua and zlib are compiled with \
`-include acre/own.h`, so that the analysis looks at them.

{table_of_compile(data)}
"""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def table_of_compile(data):
    lines = ["| | clang, s | acre-cc, s | ratio | range |", "|---|---:|---:|---:|---|"]
    for name, times in data["compile"].items():
        lines.append(
            f"| {name} | {times['plain']:.2f} | {times['acre']:.2f} |"
            f" {times['acre'] / times['plain']:.3f} |"
            f" {min(times['ratios']):.3f}–{max(times['ratios']):.3f} |"
        )
    return "\n".join(lines)
