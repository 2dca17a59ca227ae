# SPDX-License-Identifier: MIT
"""How the results of a package's own tests are read: each reader takes the tree and the step that
ran the tests, and returns the result of each test by its name."""

import glob
import hashlib
import os
import re


def automake(tree, step):
    """The .trs files that the harness of Automake writes."""
    found = {}
    for path in sorted(glob.glob(tree.path("**", "*.trs"), recursive=True)):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        name = os.path.relpath(path, tree.directory).removesuffix(".trs")
        for result, rest in re.findall(r"^:test-result: *(\S+) *(.*)$", text, re.M):
            found[unique(found, f"{name} {rest}".strip())] = result
    return found


def unique(found, name):
    """The name, or with a number the next of that name."""
    number, free = 1, name
    while free in found:
        number += 1
        free = f"{name} ({number})"
    return free


def lines(pattern):
    """Lines that match; the groups `name` and `result` say which test and what became of it."""
    compiled = re.compile(pattern, re.M)

    def read(tree, step):
        found = {}
        for match in compiled.finditer(tree.plain(step.output)):
            groups = match.groupdict()
            name = unique(found, (groups.get("name") or "").strip())
            found[name] = (groups.get("result") or "").strip()
        return found

    return read


# A line for each test, in the words of most harnesses.
words = lines(
    r"^\s*(?P<result>PASS|FAIL|XFAIL|XPASS|SKIP|ERROR|UNTESTED|UNSUPPORTED): +(?P<name>.*?)\s*$"
)
tap = lines(r"^\s*(?P<result>ok|not ok)\b *(?P<name>\d+.*?)(?: *[#] *(?:time|took).*)?\s*$")


# What make prints itself, and what differs from run to run.
NOISE = (r"^\s*(CC|CCLD|GEN|make)\b.*", r"^/bin/(ba)?sh .*", r"0x[0-9a-f]+", r"\d+:\d+:\d+[.\d]*")


def printed(*ignored):
    """A harness that prints no results: each line is a test, but for what is noise or ignored."""
    patterns = [re.compile(pattern) for pattern in (*NOISE, *ignored)]

    def read(tree, step):
        found = {}
        for line in tree.plain(step.output).splitlines():
            for pattern in patterns:
                line = pattern.sub("", line)
            if line.strip():
                found[unique(found, line.strip())] = "printed"
        return found

    return read


def parts(pattern, *ignored):
    """Output in parts that each begin with a line that matches, the name of a test: its result is
    what follows, as a digest."""
    begin, noise = re.compile(pattern), [re.compile(each) for each in (*NOISE, *ignored)]

    def read(tree, step):
        texts, name = {}, None
        for line in tree.plain(step.output).splitlines():
            if begin.match(line):
                name = unique(texts, line.strip())
                texts[name] = ""
            elif name:
                for each in noise:
                    line = each.sub("", line)
                texts[name] += line + "\n"
        return {name: hashlib.sha256(text.encode()).hexdigest()[:8] for name, text in texts.items()}

    return read


def together(*each):
    """The results that several readers find."""

    def read(tree, step):
        return {name: result for one in each for name, result in one(tree, step).items()}

    return read


ctest = lines(
    r"^\s*\d+/\d+ Test +#\d+: (?P<name>\S+) \.*\s*(?P<result>Passed|\*\*\*[\w ]+?) *[\d.]+ s"
)
autotest = lines(r"^ *\d+: (?P<name>.*?) +(?P<result>ok|FAILED|skipped|expected failure)\b.*$")
tcl = lines(r"^(?:\+\+\+\+|====) (?P<name>\S+) .*(?P<result>PASSED|FAILED)$")
tries = lines(r"^(?P<name>.*) gave (?P<result>\d+)$")
