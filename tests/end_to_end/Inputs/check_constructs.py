"""usage: check_constructs.py PAGE FOLDER

Checks that every test that the page names is below the folder, and that the page names every test
there. Examples and bad input have no constructs of their own.
"""

import pathlib
import re
import sys

OTHERS = {"Inputs", "bad_input", "examples", "constructs_page.test"}


def main():
    page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    named = set(re.findall(r"`([\w/]+\.(?:c|test))`", page.read_text()))
    tests = {
        path.relative_to(folder) for path in folder.rglob("*") if path.suffix in (".c", ".test")
    }
    present = {str(path) for path in tests if not OTHERS & set(path.parts)}
    for name in sorted(named - present):
        print(f"{page} names {name}, which does not exist")
    for name in sorted(present - named):
        print(f"{page} does not name {name}")
    return named != present


if __name__ == "__main__":
    sys.exit(main())
