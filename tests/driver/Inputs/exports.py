# SPDX-License-Identifier: MIT
"""Prints what programs may name of the runtime and only its static form has.

    exports.py LIBRARY.a LIBRARY.so FILE...
"""

import pathlib
import re
import subprocess
import sys


def symbols(*arguments):
    listed = subprocess.run(["nm", *arguments], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^[0-9a-f]+ [TDBRV] (acre_\w+)$", listed, re.M))


static, shared, *files = sys.argv[1:]
text = "".join(pathlib.Path(file).read_text() for file in files)
named = set(re.findall(r"\bacre_\w+", text))
missing = named & symbols(static) - symbols("-D", shared)
print(*sorted(missing), sep="\n", end="\n" if missing else "")
sys.exit(bool(missing))
