"""Asserts what acre explain --sarif says of stores.c, and the rules of the format that an editor
depends on."""

import json
import os
import sys

with open(sys.argv[1]) as file:
    log = json.load(file)
assert log["version"] == "2.1.0" and "sarif-2.1.0" in log["$schema"]
(run,) = log["runs"]
assert run["tool"]["driver"]["name"] == "acre"
assert run["columnKind"] == "unicodeCodePoints"
rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
assert len(set(rules)) == len(rules)

results = run["results"]
for result in results:
    assert rules[result["ruleIndex"]] == result["ruleId"]
    is_kept = result["ruleId"].endswith("-kept")
    assert (result["kind"], result["level"]) == (("fail", "note") if is_kept else ("pass", "none"))
    assert result["message"]["text"]
    (location,) = result["locations"]
    artifact = location["physicalLocation"]["artifactLocation"]
    base = run["originalUriBaseIds"][artifact["uriBaseId"]]["uri"]
    assert base.startswith("file:///") and base.endswith("/")
    assert artifact["uri"] in ("Inputs/stores.c", "Inputs/stores.h")
    region = location["physicalLocation"]["region"]
    assert 1 <= region["startLine"] and 1 <= region["startColumn"] < region["endColumn"]

assert [result["ruleId"] for result in results] == [
    "acre-check-kept",
    "acre-check-removed",
    "acre-check-kept",
    "acre-check-removed",
    "acre-count-kept",
    "acre-count-removed",
    "acre-check-removed",
]
first = results[0]
assert first["locations"][0]["physicalLocation"]["region"] == {
    "startLine": 5,
    "startColumn": 11,
    "endColumn": 12,
}
assert first["locations"][0]["logicalLocations"] == [{"name": "make", "kind": "function"}]
assert first["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 3
assert "a parameter of 'make'" in first["message"]["text"]
