"""Says which functions and structures that the files of notes name no header declares.  A header
that is not installed is passed over.
usage: names.py CLANG NOTES"""
import pathlib
import re
import shutil
import subprocess
import sys

PACKAGES = {"glib": ["glib-2.0"], "libxml": ["libxml-2.0"]}
# Headers that are not included alone.
WHOLE = {"glib": "glib.h", "curl": "curl/curl.h"}


def statements(text):
    """The words of each statement."""
    lines = []
    for line in text.splitlines():
        line = line.split("#")[0].rstrip()
        if line[:1].isspace() and lines:
            lines[-1] += line
        elif line:
            lines.append(line)
    return [line.split() for line in lines]


def flags(folder):
    if folder not in PACKAGES or not shutil.which("pkg-config"):
        return []
    command = ["pkg-config", "--cflags", *PACKAGES[folder]]
    return subprocess.run(command, capture_output=True, text=True).stdout.split()


def names(path):
    """What is to be declared by the header itself, and what by another one of its folder."""
    functions, others = set(), set()
    for word, *rest in statements(path.read_text()):
        if ":" in rest:
            colon = rest.index(":")
            others.update(rest[:colon])
            functions.update(rest[colon + 1 :])
        else:
            functions.update(each for each in rest if not each.isdigit())
    return functions, others


def declared(clang, headers):
    """All words that are left of these headers; null if one is not installed."""
    command = [clang, "-E", "-P", "-x", "c", "-std=gnu17", "-D_GNU_SOURCE"]
    command += [*flags(headers[0].parts[0]), "-"]
    source = "".join(f"#include <{WHOLE.get(each.parts[0], each)}>\n" for each in headers)
    ran = subprocess.run(command, input=source, capture_output=True, text=True)
    return None if ran.returncode else set(re.findall(r"\b\w+\b", ran.stdout))


def check(clang, path, root):
    def header(of):
        return of.relative_to(root).with_suffix(".h")

    own = declared(clang, [header(path)])
    if own is None:
        return []
    functions, others = names(path)
    folder = [path] if path.parent == root else path.parent.glob("*.acre")
    around = declared(clang, [header(each) for each in folder])
    return sorted((functions - own) | (others - around if around else set()))


def main():
    clang, root = sys.argv[1], pathlib.Path(sys.argv[2])
    failed = False
    for path in sorted(root.rglob("*.acre")):
        unknown = check(clang, path, root)
        for name in unknown:
            print(f"{path}: {name} is not declared")
        failed |= bool(unknown)
    return failed


sys.exit(main())
