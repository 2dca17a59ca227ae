"""The lines of stats_count_every_store.c's child and of the process itself hold what they did."""

import json
import sys

child, own = (json.loads(line) for line in open(sys.argv[1]))


def total(line, slot, outcome):
    return sum(store[outcome] for store in line["stores"] if store["slot"] == slot)


def by_function(line, outcome):
    result = {}
    for store in line["stores"]:
        if store[outcome]:
            result[store["function"]] = result.get(store["function"], 0) + store[outcome]
    return result


executed = {
    outcome: {
        slot: total(own, slot, outcome) for slot in ("sameregion", "counted", "cleared", "copy")
    }
    for outcome in ("safe", "executed", "called", "changed")
}
annotated = executed["safe"]["sameregion"] + executed["executed"]["sameregion"]
# A copy of a record is one of its slots each, except where nothing is optimised.
split = 1 - executed["executed"]["copy"]
assert split in (0, 1), executed
assert annotated == 4002 + split, executed
counted = executed["safe"]["counted"] + sum(
    executed["executed"][slot] for slot in ("counted", "cleared")
)
assert counted == 5 + split, executed
assert executed["changed"]["counted"] + executed["changed"]["cleared"] == 3, executed
assert by_function(child, "executed").keys() | by_function(child, "safe").keys() == {
    "link_to"
}, child
assert all(
    store["called"] <= store["executed"] and store["line"] > 0 for store in own["stores"]
), own
