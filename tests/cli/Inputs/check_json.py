"""Asserts what acre explain --json says of stores.c."""

import json
import sys

with open(sys.argv[1]) as file:
    explanation = json.load(file)
stores = {(store["file"], store["line"]): store for store in explanation["stores"]}
assert len(stores) == len(explanation["stores"]) == 7

make = stores["Inputs/stores.c", 5]
assert (make["column"], make["function"], make["slot"], make["decision"]) == (
    11,
    "make",
    "sameregion",
    "kept",
)
assert make["source"] == "  n->next = next;"
assert len(make["copies"]) == 1
copy = make["copies"][0]
assert "a parameter of 'make'" in copy["missing"] and copy["change"]
assert copy["where"] == {"file": "Inputs/stores.c", "line": 3}

assert stores["Inputs/stores.c", 6]["slot"] == "parentptr"
removed = stores["Inputs/stores.c", 6]["copies"][0]
assert removed["decision"] == "removed" and removed["facts"] and "missing" not in removed

inlined = stores["Inputs/stores.c", 10]
assert (inlined["function"], inlined["decision"]) == ("link_to", "kept")
assert [copy["function"] for copy in inlined["copies"]] == ["twice", "twice"]
assert sorted(copy["decision"] for copy in inlined["copies"]) == ["kept", "removed"]
assert stores["Inputs/stores.c", 17]["decision"] == "removed"

assert stores["Inputs/stores.c", 27]["slot"] == stores["Inputs/stores.c", 28]["slot"] == "counted"
assert explanation["summary"] == {
    "annotated": {"stores": 5, "removed": 3},
    "counted": {"stores": 2, "removed": 1},
    "copies": {"stores": 0, "removed": 0},
}
