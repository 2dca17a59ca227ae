#!/usr/bin/env python3
"""The runtime's folders are layers: each includes and calls only itself and those before it.

usage: layers.py RUNTIME OBJECTS     RUNTIME: the directory; OBJECTS: a file that lists what was
       compiled from it

Also: no header declares what another file defines, and only interceptors need functions that
platform/kernel.h names, which may be the program's own.  Exit status: 1 if one of these is not so,
each said in a line.
"""

import collections
import os
import pathlib
import re
import subprocess
import sys

LAYERS = [
    "platform",
    "memory",
    "gc/heap",
    "gc/linux",
    "gc/trace",
    "gc/cycle",
    "gc/check",
    "gc/process",
    "counting",
    "foreign",
    "evidence",
    "owner",
    "region",
]


def layer(module):
    return LAYERS.index(os.path.dirname(module))


def modules(root, suffix):
    """Path below the runtime without suffix -> its text."""
    return {
        str(path.relative_to(root))[:-2]: path.read_text()
        for path in sorted(root.rglob("*" + suffix))
    }


def symbols(objects):
    """(name -> module that defines it, module -> names that it needs)."""
    defined, needed = {}, collections.defaultdict(set)
    for path in objects:
        module = os.path.normpath(re.sub(r".*acre_objects\.dir/|\.c\.o$", "", path))
        for line in subprocess.run(
            ["nm", path], capture_output=True, text=True, check=True
        ).stdout.splitlines():
            *_, kind, name = line.split()
            if kind in "Uwv":
                needed[module].add(name)
            elif kind.isupper():
                defined[name] = module
    return defined, needed


def declared(text):
    """The names of the runtime outside of all braces."""
    text, depth, outside = re.sub(r"/\*.*?\*/", "", text, flags=re.S), 0, []
    for part in re.split(r"([{}])", text):
        depth += (part == "{") - (part == "}")
        outside += [part] if depth == 0 else []
    return set(re.findall(r"\bacre_\w+", " ".join(outside)))


def main():
    root, objects = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text().split()
    sources, headers = modules(root, ".c"), modules(root, ".h")
    faults = []
    for module, text in list(sources.items()) + list(headers.items()):
        for other in re.findall(r'#include "([^"]+)\.h"', text):
            if layer(other) > layer(module):
                faults.append(f"{module} includes {other}.h, of a later layer")
    defined, needed = symbols(objects)
    if not set(needed) <= set(sources):
        faults.append(f"not below {root}: {', '.join(sorted(set(needed) - set(sources)))}")
    for module, names in needed.items():
        for name in sorted(names):
            if name in defined and layer(defined[name]) > layer(module):
                faults.append(f"{module} needs {name} of {defined[name]}, of a later layer")
    replaced = set(re.findall(r"redefine_extname (\w+)", headers["platform/kernel"]))
    for module, names in needed.items():
        if not module.startswith("foreign/intercept_") and names & replaced:
            listed = ", ".join(sorted(names & replaced))
            faults.append(f"{module} needs {listed} without platform/kernel.h")
    for module, text in headers.items():
        for name in sorted(declared(text)):
            if defined.get(name, module) != module:
                faults.append(f"{module}.h declares {name}, which {defined[name]}.c defines")
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
