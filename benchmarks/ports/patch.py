# SPDX-License-Identifier: MIT
"""Changes the source of a real program by rules, and says how much was changed.

Invariant: a rule that does not match exactly as often as it says is an error, so a new version of
the program is never half changed in silence.  No rule holds a line of the program: patterns name
what is anchored, replacements what is ours.
"""

import difflib
import glob
import os
import re
import shutil


class Mismatch(Exception):
    """A rule does not fit this version of the program."""


class Tree:
    """A private copy of a program's source.  kinds: the files that count as its source."""

    def __init__(self, source, directory, kinds=("*.c", "*.h")):
        self.source, self.directory, self.kinds = source, directory, kinds
        shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(source, directory, symlinks=True)
        self.annotations, self.renamed = 0, {}

    def path(self, *parts):
        return os.path.join(self.directory, *parts)

    def read(self, name):
        with open(self.path(name), encoding="utf-8", errors="surrogateescape") as file:
            return file.read()

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)

    def supplant(self, name, ours, renamed):
        """Puts a file of ours in the place of one of the program's, which is kept by another
        name."""
        os.rename(self.path(name), self.path(renamed))
        shutil.copy(ours, self.path(name))
        self.renamed[name] = renamed

    def replace(self, name, pattern, replacement, count=1):
        """Replaces all matches of a regular expression (^ and $ are ends of lines); there must
        be count of them."""
        text, found = re.subn(pattern, replacement, self.read(name), flags=re.M)
        if found != count:
            raise Mismatch(f"{name}: {found} matches of {pattern!r}, not {count}")
        self.write(name, text)

    def replace_all(self, rules):
        """rules: {file: ((pattern, replacement) or (pattern, replacement, count), ...)}."""
        for name, each in rules.items():
            for rule in each:
                self.replace(name, *rule)

    def annotate(self, name, record, rules):
        """Puts words before the names of fields: rules is {word: "field field ..."}.  record: a
        pattern.

        A field written with its own star, "\\*field", is a pointer to annotated pointers.
        """
        text = self.read(name)
        start, end = find_record(name, text, record)
        body = text[start:end]
        for word, fields in rules.items():
            for field in fields.split():
                body, found = re.subn(
                    rf"(\*\s*|\b\w+_p?t\s+)({field})(?=\s*(?:[;,)]|\[))", rf"\1{word} \2", body
                )
                if found != 1:
                    raise Mismatch(f"{name}: {found} pointers named {field} in {record}")
                self.annotations += 1
        self.write(name, text[:start] + body + text[end:])

    def annotate_variable(self, name, before, variable, word):
        """Puts a word before the name of a variable or parameter.  before: a pattern of what
        stands there."""
        self.replace(name, rf"({before})({variable})\b", rf"\1{word} \2")
        self.annotations += 1

    def files(self, root):
        paths = (path for kind in self.kinds for path in glob.glob(os.path.join(root, kind)))
        return {os.path.relpath(path, root) for path in paths}

    def changes(self):
        """{"lines": of the original, "touched": those changed, added or removed, "files": so
        changed, "annotations"}.

        Files of ours do not count.
        """
        lines = touched = changed = 0
        for name in sorted(self.files(self.source)):
            with open(
                os.path.join(self.source, name), encoding="utf-8", errors="surrogateescape"
            ) as file:
                old = file.read().splitlines()
            lines += len(old)
            count = count_changes(old, self.read(self.renamed.get(name, name)).splitlines())
            touched, changed = touched + count, changed + bool(count)
        return {
            "lines": lines,
            "touched": touched,
            "files": changed,
            "annotations": self.annotations,
        }


def count_changes(old, new):
    """Lines of old that are gone or replaced, or those that stand for them, whichever are more."""
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return sum(
        max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal"
    )


def find_record(name, text, record):
    """The places of the braces of a record's definition, named before them or, by typedef,
    behind them."""
    opened = re.search(rf"\b{record}\s*\{{", text)
    closed = None if opened else re.search(rf"\}}\s*{record}\s*;", text)
    if not opened and not closed:
        raise Mismatch(f"{name}: no {record}")
    depth, place, step = 1, opened.end() if opened else closed.start() - 1, 1 if opened else -1
    while depth and 0 <= place < len(text):
        depth += {"{": step, "}": -step}.get(text[place], 0)
        place += step
    if depth:
        raise Mismatch(f"{name}: {record} does not end")
    return (opened.end(), place) if opened else (place + 2, closed.start() + 1)
