# SPDX-License-Identifier: MIT
"""The tables of the page, as lines of Markdown.  A number that was not measured is a dash."""

import paper
import summary

NONE = "–"


def percent(value):
    """A ratio as what it is above or below one."""
    return NONE if value is None else f"{100 * (value - 1):+.1f} %".replace("-", "−")


def number(value, format_=".2f", scale=1):
    return NONE if value is None else format(value / scale, format_).replace("-", "−")


def table(head, rows):
    marks = ["---", *["---:"] * (len(head) - 1)]
    return ["| " + " | ".join(map(str, row)) + " |" for row in (head, marks, *rows)]


def rows_of(data, cells):
    return [[f"`{name}`", *cells(name, result)] for name, result in data["programs"].items()]


def times(data, columns):
    return table(
        ["program", *columns],
        rows_of(data, lambda _, r: [number(summary.median_time(r, column)) for column in columns]),
    )


def ratios(data, columns):
    def cell(result, column):
        value, ends = summary.ratio(result, column, "norc"), summary.ratio_range(
            result, column, "norc"
        )
        return NONE if value is None or not ends else f"{value:.2f} ({ends[0]:.2f}–{ends[1]:.2f})"

    shown = [column for column in columns if column != "norc"]
    rows = rows_of(data, lambda _, r: [cell(r, column) for column in shown])
    means = [
        summary.geometric_mean(summary.ratio(r, column, "norc") for r in data["programs"].values())
        for column in shown
    ]
    return table(
        ["program", *shown], [*rows, ["geometric mean", *(number(mean, ".3f") for mean in means)]]
    )


def overheads(data):
    """Time over norc of the counted columns, and inf over norc when both are compiled with
    -flto."""

    def cells(result):
        return [
            *(percent(summary.ratio(result, column, "norc")) for column in summary.COUNTED),
            percent(summary.ratio(result, "inf-lto", "norc-lto")),
        ]

    def mean(over, under):
        return percent(
            summary.geometric_mean(summary.ratio(r, over, under) for r in data["programs"].values())
        )

    last = [
        "geometric mean",
        *(mean(column, "norc") for column in summary.COUNTED),
        mean("inf-lto", "norc-lto"),
    ]
    return table(
        ["over norc", *summary.COUNTED, "inf-lto over norc-lto"],
        [*rows_of(data, lambda _, r: cells(r)), last],
    )


def instructions(data):
    columns = ("norc", *summary.COUNTED)

    def cell(result, column):
        count, value = summary.instruction_count(result, column), summary.instruction_ratio(
            result, column, "norc"
        )
        return (
            NONE
            if count is None
            else f"{count / 1e6:.1f} M" + (f" ({value:.3f})" if value is not None else "")
        )

    def deletes(result, column):
        part, whole = summary.instruction_count(
            result, column, "deletes"
        ), summary.instruction_count(result, "norc")
        return NONE if not part or not whole else f"{100 * part / whole:.2f} %"

    def mean(over, under):
        results = data["programs"].values()
        return number(
            summary.geometric_mean(summary.instruction_ratio(r, over, under) for r in results),
            ".3f",
        )

    rows = rows_of(
        data,
        lambda _, r: [
            *(cell(r, column) for column in columns),
            number(summary.instruction_ratio(r, "inf-lto", "norc-lto"), ".3f"),
            deletes(r, "norc"),
            deletes(r, "inf"),
        ],
    )
    last = [
        "geometric mean",
        "",
        *(mean(column, "norc") for column in summary.COUNTED),
        mean("inf-lto", "norc-lto"),
        "",
        "",
    ]
    return table(
        ["program", *columns, "inf-lto over norc-lto", "norc, deletes", "inf, deletes"],
        [*rows, last],
    )


def throughputs(data, columns):
    """Requests per second of the programs that are servers; empty if there is none or wrk is
    missing."""
    rates = {name: result.get("throughput", {}) for name, result in data["programs"].items()}
    rows = [
        [f"`{name}`", *(number(of.get(column), ",.0f") for column in columns)]
        for name, of in rates.items()
        if any(of.values())
    ]
    return table(["requests per second", *columns], rows) if rows else []


def profiles(data):
    """What inf executes beyond norc, by function, in per cent of norc's instructions."""

    def share(result, count):
        whole = summary.instruction_count(result, "norc")
        return f"{number(100 * count / whole, '.1f')} %" if whole else NONE

    def cells(result):
        known = [
            result["profile"][part] for part in ("program", "runtime") if part in result["profile"]
        ]
        return [
            cell
            for of in known
            for cell in (
                share(result, of["all"]),
                ", ".join(f"`{name}` {share(result, count)}" for name, count in of["most"]) or NONE,
            )
        ] or [NONE] * 4

    return table(
        ["program", "in its own functions", "of these", "in the runtime", "of these"],
        rows_of(data, lambda _, r: cells(r)),
    )


def memory(data, columns):
    def cell(result, column):
        peak = summary.median_usage(result, column, "peak_kb")
        faults = [
            summary.median_usage(result, column, kind + "_faults") for kind in ("minor", "major")
        ]
        return NONE if peak is None else f"{peak / 1024:.1f}, {sum(faults) / 1000:.1f}"

    return table(
        ["program", *columns], rows_of(data, lambda _, r: [cell(r, column) for column in columns])
    )


def table_1(data):
    def cells(name, result):
        found, theirs = result["statistics"].get("norc", {}), paper.TABLE_1.get(name, (None,) * 4)
        ours = [
            (result["size"]["lines"], 1),
            (found.get("objects"), 1),
            (found.get("bytes"), 1024),
            (found.get("peak"), 1024),
        ]
        return [
            cell
            for (value, scale), known in zip(ours, theirs)
            for cell in (number(value, ",.0f", scale), number(known, ",.0f"))
        ]

    head = [
        cell
        for what in ("lines", "objects", "allocated, kB", "max use, kB")
        for cell in (what, "paper")
    ]
    return table(["program", *head], rows_of(data, cells))


def table_2(data):
    def cells(name, result):
        both = []
        for of in (summary.median_time, summary.best_time):
            over, under = of(result, "inf"), of(result, "norc")
            both += [
                number(None if over is None or under is None else over - under, "+.3f"),
                percent(summary.ratio(result, "inf", "norc", of)),
            ]
        return [*both, *paper.TABLE_2.get(name, (NONE,) * 3)]

    head = [
        "median, s",
        "median, %",
        "best, s",
        "best, %",
        "paper, s",
        "paper, %",
        "paper's unscan, s",
    ]
    return table(["program", *head], rows_of(data, cells))


def table_3(data):
    def share(result, how, kind):
        value, sites = summary.share_safe(result, how, kind), result["sites"].get(how, {}).get(kind)
        return NONE if value is None else f"{value:.0f} % ({sites['safe']} of {sites['sites']})"

    def cells(name, result):
        words = result["size"]["keywords"]
        annotations = sum(words[word] for word in ("sameregion", "parentptr", "traditional"))
        theirs = paper.TABLE_3.get(name, (NONE,) * 3)
        return [
            annotations,
            theirs[0],
            words["deletes"],
            words["inregion"],
            share(result, "file", "check"),
            share(result, "lto", "check"),
            f"{theirs[2]} %",
            share(result, "file", "count"),
            share(result, "lto", "count"),
        ]

    return table(
        [
            "program",
            "words",
            "paper",
            "`deletes`",
            "`inregion`",
            "safe, per file",
            "safe, `-flto`",
            "paper",
            "counted safe, per file",
            "counted safe, `-flto`",
        ],
        rows_of(data, cells),
    )


def stores(data):
    def cells(result):
        found = summary.run_time_stores(result)
        if not found:
            return [NONE] * 9
        annotated, whole = found["safe"] + found["checked"], sum(found.values())
        shares = [
            100 * part / of if of else None
            for part, of in (
                (found["safe"], annotated),
                (annotated, whole),
                (summary.decided_inline(result), found["checked"]),
                (summary.count_changes(result), found["counted"]),
            )
        ]
        return [
            *(number(found[kind], ",.0f") for kind in ("safe", "checked", "counted", "uncounted")),
            *(NONE if share is None else f"{share:.1f} %" for share in shares),
            number(summary.copies(result), ",.0f"),
        ]

    head = [
        "safe",
        "checked",
        "counted",
        "plain, proved",
        "safe of annotated",
        "annotated of all",
        "checked in line",
        "count changed",
        "copies",
    ]
    return table(["program", *head], rows_of(data, lambda _, r: cells(r)))
