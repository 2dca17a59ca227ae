#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands in the place of a compiler, and notes what is compiled, a line of JSON for each file.

Usage: compiler.py LOG COMPILER ARGUMENT...
"""

import json
import os
import sys


def main():
    log, words = sys.argv[1], sys.argv[2:]
    sources = [word for word in words if word.endswith(".c") and "conftest" not in word]
    if "-c" in words and len(sources) == 1:
        entry = json.dumps({"directory": os.getcwd(), "source": sources[0], "words": words})
        with open(log, "a", encoding="utf-8") as file:
            file.write(entry + "\n")
    os.execv(words[0], words)


if __name__ == "__main__":
    main()
