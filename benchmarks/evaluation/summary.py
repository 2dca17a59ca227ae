# SPDX-License-Identifier: MIT
"""Numbers that the page and the figures derive from the raw data."""

import math
import statistics

COUNTED = ("nq", "qs", "inf", "nc")


def cpu_times(result, column):
    return [sample["user"] + sample["system"] for sample in result["time"].get(column, [])]


def median_time(result, column):
    """Null if the column was not measured."""
    times = cpu_times(result, column)
    return statistics.median(times) if times else None


def best_time(result, column):
    return min(cpu_times(result, column), default=None)


def ratio(result, column, base, of=median_time):
    over, under = of(result, column), of(result, base)
    return over / under if over is not None and under else None


def ratio_range(result, column, base):
    """The least and the greatest ratio of two runs of the same turn."""
    pairs = [
        over / under
        for over, under in zip(cpu_times(result, column), cpu_times(result, base))
        if under
    ]
    return (min(pairs), max(pairs)) if pairs else None


def instruction_count(result, column, what="all"):
    """Null if callgrind did not run."""
    return (result["instructions"].get(column) or {}).get(what)


def instruction_ratio(result, column, base):
    return ratio(result, column, base, instruction_count)


def geometric_mean(ratios):
    known = [value for value in ratios if value is not None]
    return math.exp(statistics.fmean(map(math.log, known))) if known else None


def median_usage(result, column, what):
    samples = [sample[what] for sample in result["time"].get(column, [])]
    return statistics.median(samples) if samples else None


def share_safe(result, how, kind="check"):
    """Per cent of the sites, or null."""
    sites = result["sites"].get(how, {}).get(kind)
    return 100 * sites["safe"] / sites["sites"] if sites and sites["sites"] else None


def total(result, outcome, *slots):
    return sum(result["stores"].get(slot, {}).get(outcome, 0) for slot in slots)


def run_time_stores(result):
    """Executed stores: annotated ones that need nothing, those that are checked, and plain ones
    that are counted.

    Null if they were not counted.
    """
    annotated, plain = ("sameregion", "parentptr", "traditional"), ("counted", "cleared")
    if not any("executed" in of for of in result["stores"].values()):
        return None
    return {
        "safe": total(result, "safe", *annotated),
        "checked": total(result, "executed", *annotated),
        "counted": total(result, "executed", *plain),
        "uncounted": total(result, "safe", *plain),
    }


def decided_inline(result):
    """Of the checked stores, those that no call of the runtime was needed for."""
    slots = ("sameregion", "parentptr", "traditional")
    return total(result, "executed", *slots) - total(result, "called", *slots)


def count_changes(result):
    """Stores that changed the count of a region."""
    return total(result, "changed", "counted", "cleared")


def copies(result):
    """Executed copies of structures with pointers that inf looks through."""
    return total(result, "executed", "copy")


def spread(result, column):
    """The third quartile of the runs over the first."""
    times = cpu_times(result, column)
    if len(times) < 2:
        return None
    first, _, third = statistics.quantiles(times, n=4, method="inclusive")
    return third / first if first else None
