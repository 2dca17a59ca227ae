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
    pairs = [over / under for over, under in zip(cpu_times(result, column), cpu_times(result, base)) if under]
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


def run_time_stores(result):
    """Figure 9: stores through annotated types that need nothing, that are checked, and stores that changed a count.

    Null where the counters are not there.  qs checks every annotated store, so the difference to inf is what was proved.
    """
    every, left = result["statistics"].get("qs"), result["statistics"].get("inf")
    if not every or not left or every.get("checked", 0) < left.get("checked", 0):
        return None
    return {"safe": every["checked"] - left["checked"], "checked": left["checked"], "counted": left["counted"]}
