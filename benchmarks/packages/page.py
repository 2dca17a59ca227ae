# SPDX-License-Identifier: MIT
"""Writes docs/results/packages.md: for each package whether it builds, what its tests say, what it
costs, and what was found."""

import collections
import os
import re

from summary import geometric_mean

INTRODUCTION = """\
C packages of Debian that Acre was not made with. Each is built four times, by `clang -O2`, by \
`acre-cc -O2`, and by that with `-facre-malloc=collected` and with `-facre-malloc=quarantine`, \
unchanged and with no annotation, and its own tests are run with each and compared one by one."""
COLUMNS = """\
**own** is plain clang. **inf** is `acre-cc`, its tests run with `ACRE_VERIFY=1`. **col** is the \
collected heap; **poison** the same programs under `ACRE_HEAP=growth=256K,poison`, which collects \
often and overwrites what it takes for dead. **qua** is the quarantine. A figure is the number of \
tests with a result other than own's; what differs is run once more with both compilers, and a \
test whose results meet then is *unsteady*: it is counted apart, behind the +. Time is processor \
time of the whole run of the tests, the shell and other programs included, once, on a machine \
that others use: a ratio near 1 says nothing; the means are of runs of a second or more in which \
no test differs. Text is the `.text` of all object files. Checks are \
those of configure, without libtool's whether `-static` works: with the collected heap it does \
not."""
WORDS = {
    "inf": "acre-cc",
    "col": "the collected heap",
    "poison": "the collected heap, poisoned",
    "qua": "the quarantine",
}
# The runs of a kind of its own beside plain clang's: what they cost is told.
COMPARED = ("inf", "col", "qua")
GOOD = (
    *("PASS", "pass", "ok", "OK", "XFAIL", "printed", "passed", "Passed", "PASSED", "SUCCESS"),
    "successful",
    "0",
    ".",
)
BAD_TIME = 1.5
CELLS = (
    *("package", "version", "builds", "tests, good", *WORDS, "own"),
    *(f"time {run}" for run in COMPARED),
    *(f"text {kind}" for kind in COMPARED),
    *("warnings added", "checks that differ"),
)
# Checks that name the compiler or the load of the machine, and one that all packages with libtool
# share: whether programs can be linked statically, which collected memory does not allow.
NO_FINDING = (
    r"_cv_(env_CC_value|prog_ac_ct_CC|prog_CPP|prog_CC|stdint_message)$"
    r"|filesystem_timestamp_resolution$|lt_cv_prog_compiler_static_works$"
)


def explained(package, run, name):
    patterns = {**package.explained.get("all", {}), **package.explained.get(run, {})}
    return next((why for pattern, why in patterns.items() if re.search(pattern, name)), None)


def unexplained(package, result, run):
    entry = result["runs"].get(run, {})
    return [name for name in entry.get("differ", {}) if not explained(package, run, name)]


def faults(package, result):
    """What the table does not explain: builds that fail and tests that differ."""
    broken = [kind for kind, build in result["builds"].items() if not build["works"]]
    return broken + [name for run in WORDS for name in unexplained(package, result, run)]


def ratio(values, name, base="own"):
    if not values.get(name) or not values.get(base):
        return None
    return values[name] / values[base]


def shown(value):
    return "–" if value is None else f"{value:.2f}"


def tests_cell(result, run):
    entry = result["runs"].get(run)
    if not entry:
        return "–"
    if "differ" not in entry:
        return "?"
    unsteady = len(entry["unsteady"])
    late = ", too long" if entry["status"] is None else ""
    return f"{len(entry['differ'])}" + (f" + {unsteady}" if unsteady else "") + late


def results_of(own):
    counts = collections.Counter(own["tests"].values())
    good = sum(counts[word] for word in GOOD)
    return f"{len(own['tests'])}, {good}"


def comparable(line):
    """A warning without what differs though it is the same."""
    # The linker says where in the object file it is, which differs as the code does.
    line = re.sub(r"(\(\.text[^)]*)\+0x[0-9a-f]+\)", r"\1)", line)
    # Clang tells warnings about its options by the name that it was called by.
    return re.sub(r"^clang-\d+: ", "clang: ", line)


def added_warnings(result, kind):
    """Lines that only acre-cc's build has, and how often."""
    if kind not in result["builds"] or "own" not in result["builds"]:
        return []
    own, other = (
        collections.Counter(map(comparable, result["builds"][name]["warnings"]))
        for name in ("own", kind)
    )
    return sorted((other - own).elements())


def different_checks(result, kind):
    """Variables of configure's cache with another value."""
    if kind not in result["builds"] or "own" not in result["builds"]:
        return {}
    own, other = (result["builds"][name]["checks"] for name in ("own", kind))
    return {
        name: (own.get(name), other.get(name))
        for name in sorted({*own, *other})
        if own.get(name) != other.get(name) and not re.search(NO_FINDING, name)
    }


def costs(result):
    text = {kind: build["text"] for kind, build in result["builds"].items()}
    time = {run: entry["cpu"] for run, entry in result["runs"].items()}
    return text, time


def cells_of(package, result):
    """The package's row: the text of each cell by the name of its column."""
    builds = result["builds"]
    text, time = costs(result)
    own = result["runs"].get("own")
    return {
        "package": f"`{package.name}`",
        "version": result.get("version", "").removeprefix(package.source + "-") or "–",
        "builds": ", ".join(kind for kind, build in builds.items() if not build["works"]) or "all",
        "tests, good": results_of(own) if own else "–",
        **{run: tests_cell(result, run) for run in WORDS},
        "own": f"{time['own']:.0f} s" if own else "–",
        **{f"time {run}": shown(ratio(time, run)) for run in COMPARED},
        **{f"text {kind}": shown(ratio(text, kind)) for kind in COMPARED},
        "warnings added": str(len(added_warnings(result, "inf"))),
        "checks that differ": str(
            sum(len(different_checks(result, kind)) for kind in COMPARED)
        ),
    }


def row(cells):
    return "| " + " | ".join(cells[name] for name in CELLS) + " |"


def heading():
    ruler = ["---"] * 3 + ["---:"] * (len(CELLS) - 3)
    return ["| " + " | ".join(CELLS) + " |", "|" + "|".join(ruler) + "|"]


def progress(package, result):
    """What is printed when a package is finished."""
    lines = [row(cells_of(package, result))]
    for kind, build in result["builds"].items():
        if not build["works"]:
            lines.append(f"   {kind} does not build:\n{build['said']}")
        for name, (own, other) in different_checks(result, kind).items():
            lines.append(f"   {kind} configured otherwise: {name}: {own} -> {other}")
        lines += [f"   {kind} warns: {line}" for line in added_warnings(result, kind)[:5]]
    for run, entry in result["runs"].items():
        peak = entry.get("peak", 0) >> 10
        lines.append(f"   {run}: {entry['cpu']} s, {entry['wall']} s by the clock, {peak} MiB")
        if entry["status"] is None:
            lines.append(f"   {run}: the tests took too long")
        lines += [f"   {run} says: {line}" for line in entry["said"][:5]]
        for name, seen in list(entry.get("differ", {}).items())[:20]:
            lines.append(f"   {run} differs: {name}: {seen}")
        if entry.get("unsteady"):
            lines.append(f"   {run} unsteady: {', '.join(entry['unsteady'])[:300]}")
    return "\n".join(lines)


def number(cell):
    """The first number of a cell, or None where it has none."""
    found = re.match(r"[\d.]+", cell)
    return float(found[0]) if found else None


def summarize(rows):
    done = [cells for cells in rows if cells["own"] != "–"]
    lines = [f"{len(done)} packages."]
    for run, words in WORDS.items():
        tried = [cells for cells in done if number(cells[run]) is not None]
        same = [cells for cells in tried if number(cells[run]) == 0]
        tests = sum(number(cells["tests, good"]) for cells in tried)
        differ = sum(number(cells[run]) for cells in tried)
        lines.append(
            f"- {words}: {len(same)} of {len(tried)} have plain clang's results in every test; of "
            f"{tests:,.0f} tests {differ:.0f} differ."
        )
    for kind in COMPARED:
        text = [number(cells[f"text {kind}"]) for cells in done]
        # A run of less than a second is mostly the shell's; one in which tests fail ends early.
        time = [
            number(cells[f"time {kind}"])
            for cells in done
            if number(cells["own"]) >= 1 and number(cells[kind]) == 0
        ]
        lines.append(
            f"- {WORDS[kind]}: text {shown(geometric_mean(text))}, time of tests "
            f"{shown(geometric_mean(time))}, geometric means over plain clang."
        )
    return lines


def findings(package, result):
    """What is told of one package below the table."""
    lines = list(package.found)
    for kind in COMPARED:
        for name, (own, other) in different_checks(result, kind).items():
            lines.append(f"{kind}: configure says `{name}={other}` instead of `{own}`.")
    for run in WORDS:
        entry = result["runs"].get(run, {})
        groups = collections.defaultdict(list)
        for name, seen in entry.get("differ", {}).items():
            groups[explained(package, run, name) or "not explained yet"].append(name)
        for why, names in groups.items():
            listed = ", ".join(f"`{name[:70]}`" for name in names[:6])
            more = f" and {len(names) - 6} more" if len(names) > 6 else ""
            lines.append(f"{run}: {listed}{more}: {why}.")
        if entry.get("unsteady"):
            listed = ", ".join(f"`{name[:70]}`" for name in entry["unsteady"][:6])
            lines.append(f"{run}: unsteady (with plain clang too, or once only): {listed}.")
    return lines


def slow(rows):
    lines = []
    for cells in rows:
        for run in COMPARED:
            times = number(cells[f"time {run}"])
            if times and times > BAD_TIME and number(cells["own"]) >= 1:
                lines.append(f"- {cells['package']}, {run}: {times:.2f} of {cells['own']}.")
    return lines or ["None."]


class Written:
    """The page as it stands.  What it says of a package that has no result in the directory of
    work is kept."""

    def __init__(self, path):
        text = ""
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                text = file.read()
        self.rows = {}
        for line in re.findall(r"^\| (`.*`.*) \|$", text, re.M):
            cells = line.split(" | ")
            self.rows[cells[0].strip("`")] = dict(zip(CELLS, cells, strict=True))
        self.told = {
            name: said.rstrip().splitlines()
            for name, said in re.findall(r"^\*\*`(.*)`\*\*\n\n((?:- .*\n?)+)", text, re.M)
        }
        found = re.search(r"^Machine: (.*?)\. Acre at (.*?): a", text, re.M)
        self.machines, self.revisions = (
            (set(found[1].split("; ")), set(found[2].split(", "))) if found else (set(), set())
        )


def write(path, packages, results, machine):
    written = Written(path)
    revisions = {
        entry["revision"] for result in results.values() for entry in result["runs"].values()
    }
    rows, told, machines = [], [], {machine}
    for package in packages:
        name, result = package.name, results[package.name]
        if result["builds"]:
            rows.append(cells_of(package, result))
            said = [f"- {line}" for line in findings(package, result)]
        elif name in written.rows:
            rows.append(written.rows[name])
            said = written.told.get(name)
            revisions |= written.revisions
            machines |= written.machines
        else:
            said = None
        told += [f"**`{name}`**", "", *said, ""] if said else []
    revisions = sorted(revisions - {""})
    lines = [
        "# Debian packages that nobody tuned Acre for",
        "",
        "Generated by `benchmarks/packages/run.py`; do not edit.",
        f"Machine: {'; '.join(sorted(machines))}. "
        f"Acre at {', '.join(revisions) or 'the revision of this page'}: a "
        "package that a change to Acre could not touch is not run again for it.",
        "",
        INTRODUCTION,
        "",
        COLUMNS,
        "",
        *summarize(rows),
        "",
        *heading(),
        *map(row, rows),
        "",
        f"## Tests that take more than {BAD_TIME} times the time",
        "",
        *slow(rows),
        "",
        "## What was found",
        "",
        *told,
    ]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines).rstrip() + "\n")
