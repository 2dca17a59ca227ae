"""Follows the example of docs/reference/explain.md in the working directory.

usage: follow_page.py PAGE ACRE

Of what acre explain says, the lines that name a place and the summary must be on the page, in
order; the reasons may be worded anew.
"""

import re
import subprocess
import sys

page, acre = sys.argv[1:]
with open(page) as file:
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)


def block(kind):
    found = "".join(text for name, text in blocks if name == kind)
    assert found, f"the page has no block {kind}"
    return found


def decided(text):
    return re.findall(
        r"^(?:words\.c:.*check.*|(?:annotated|counted) stores:.*)$", text, re.MULTILINE
    )


def explain(*options):
    return subprocess.run(
        [acre, "explain", *options, "words.c"], check=True, capture_output=True, text=True
    ).stdout


def compare(page_says, acre_says):
    assert decided(page_says) == decided(
        acre_says
    ), f"the page says\n{page_says}\nacre explain says\n{acre_says}"


with open("words.c", "w") as file:
    file.write(block("c"))
compare(block("before"), explain("--kept"))
subprocess.run(["patch", "-s", "words.c"], input=block("diff"), check=True, text=True)
compare(block("after"), explain())
assert "kept" not in "".join(line for line in decided(explain()) if "check" in line)
