"""Checks the rules of the Trace Event format that viewers (Perfetto, chrome://tracing) import by;
says what is in the file.

usage: trace_format.py FILE

A file is a list of events, whose closing bracket may be missing.  Every event has a phase, a
process and a time in microseconds; what else it needs depends on its phase.  Events of one thread
that stand for durations must nest.
"""

import collections
import json
import numbers
import sys

NEEDED = {
    "C": ("name", "args"),
    "X": ("name", "tid", "dur"),
    "i": ("name", "tid"),
    "b": ("name", "cat", "id"),
    "e": ("name", "cat", "id"),
    "M": ("name", "args"),
}
METADATA = {
    "process_name": "name",
    "thread_name": "name",
    "process_labels": "labels",
    "process_sort_index": "sort_index",
    "thread_sort_index": "sort_index",
}


def reject(number, event, why):
    sys.exit(f"trace_format.py: event {number}: {why}: {json.dumps(event)}")


def is_number(value):
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def check_fields(number, event):
    phase = event.get("ph")
    if phase not in NEEDED:
        reject(number, event, "a phase that is not known here")
    for field in (*NEEDED[phase], "pid"):
        if field not in event:
            reject(number, event, f"no {field}")
    if phase != "M" and not (is_number(event.get("ts")) and event["ts"] >= 0):
        reject(number, event, "no time")
    if not all(isinstance(event[field], int) for field in ("pid", "tid") if field in event):
        reject(number, event, "a process or thread that is no integer")
    if phase == "C" and not (event["args"] and all(map(is_number, event["args"].values()))):
        reject(number, event, "a counter without numbers")
    if phase == "X" and not (is_number(event["dur"]) and event["dur"] >= 0):
        reject(number, event, "a duration that is none")
    if phase == "i" and event.get("s", "t") not in ("g", "p", "t"):
        reject(number, event, "a scope that is none")
    if phase == "M" and METADATA.get(event["name"]) not in event["args"]:
        reject(number, event, "metadata that no viewer knows")


def check_nesting(events):
    """Complete events of a thread lie side by side or in each other; what begins ends, once,
    later."""
    threads, begun = collections.defaultdict(list), {}
    for number, event in enumerate(events):
        key = (event["pid"], event.get("cat"), event.get("id"), event["name"])
        if event["ph"] == "X":
            threads[event["pid"], event["tid"]].append((event["ts"], -event["dur"], number))
        elif event["ph"] == "b":
            if key in begun:
                reject(number, event, "begins twice")
            begun[key] = event["ts"]
        elif event["ph"] == "e" and begun.pop(key, float("inf")) > event["ts"]:
            reject(number, event, "ends what did not begin before")
    for found in threads.values():
        open_until = []
        for start, minus_duration, number in sorted(found):
            while open_until and open_until[-1] <= start:
                open_until.pop()
            if open_until and start - minus_duration > open_until[-1]:
                reject(number, events[number], "overlaps with another of its thread")
            open_until.append(start - minus_duration)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read().rstrip()
    if not text.endswith("]"):
        text = text.rstrip(",") + "]"
    events = json.loads(text)
    for number, event in enumerate(events):
        check_fields(number, event)
    check_nesting(events)
    count = collections.Counter(event["ph"] for event in events)
    print("opens: " + ", ".join(f"{phase} {count[phase]}" for phase in sorted(count)))


if __name__ == "__main__":
    main()
