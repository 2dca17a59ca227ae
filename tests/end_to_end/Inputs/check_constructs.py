"""usage: check_constructs.py PAGE FOLDER

Checks that every test that the page names is in the folder, and that the page names every test in the folder.
"""

import os
import re
import sys


def main():
    page, folder = sys.argv[1:]
    with open(page) as file:
        named = set(re.findall(r"`(\w+\.(?:c|test))`", file.read()))
    present = {name for name in os.listdir(folder) if name.endswith((".c", ".test"))} - {
        "constructs_page.test"
    }
    for name in sorted(named - present):
        print(f"{page} names {name}, which does not exist")
    for name in sorted(present - named):
        print(f"{page} does not name {name}")
    return named != present


if __name__ == "__main__":
    sys.exit(main())
