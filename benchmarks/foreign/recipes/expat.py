# SPDX-License-Identifier: MIT
"""Expat, the XML parser: pools of strings for each document, tables of elements, attributes and
entities from malloc."""

import os
import re

from toolchain import run_program

PACKAGE = "expat"
MEMORY = (
    "pools of strings that are cleared and deleted with the document; tables and lists from malloc"
)
FILES = ("expat/lib/*.[ch]", "expat/xmlwf/*.[ch]")
BINARY = "out/xmlwf/xmlwf"
SETTINGS = ()
RUNS = {
    "small": ("-n", "-m", "-d", "made", "small.xml"),
    "default": ("-n", "-m", "-d", "made", "default.xml"),
}
OUTPUTS = ("made/small.xml",)


def document(items):
    lines = [
        '<?xml version="1.0"?>',
        "<!DOCTYPE list [<!ENTITY who 'somebody'><!ENTITY what 'a <i>text</i> of &who;'>",
        "<!ELEMENT list ANY><!ATTLIST item kind CDATA 'plain' size NMTOKENS #IMPLIED>]>",
        '<list xmlns="urn:one" xmlns:b="urn:two">',
    ]
    for number in range(items):
        lines.append(
            f'<item n{number % 50}="{number}" b:name="item &amp; {number}" size=" 1  2 {number} ">'
            f"<b:part{number % 40} xmlns:c{number % 7}='urn:{number % 90}'>&what; and "
            f"<c{number % 7}:deep a='1'>text &#233; {number}</c{number % 7}:deep>"
            f"<![CDATA[<raw> {number}]]></b:part{number % 40}><!-- {number} --></item>"
        )
    return "\n".join([*lines, "</list>", ""])


def write_loads(directory):
    os.mkdir(os.path.join(directory, "made"))
    for key, items in (("small", 6000), ("default", 90000)):
        with open(os.path.join(directory, key + ".xml"), "w", encoding="ascii") as file:
            file.write(document(items))


def build(tree, flags):
    text = " ".join(flags)
    tree.run(
        *("cmake", "-S", "expat", "-B", "out", f"-DCMAKE_C_COMPILER={tree.cc}"),
        *("-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_C_FLAGS={text}", "-DEXPAT_SHARED_LIBS=OFF"),
        "-DEXPAT_BUILD_DOCS=OFF",
    )
    # The source tests this macro's value, which the configuration of its CMake file does not give.
    with open(tree.path("out", "expat_config.h"), "r+", encoding="utf-8") as file:
        text = re.sub(r"(?m)^(#define XML_DTD)$", r"\1 1", file.read())
        file.seek(0)
        file.write(text)
    tree.make("-C", "out", "xmlwf")


def check(tree):
    tree.make("-C", "out", "runtests")
    status, output, _ = run_program(["tests/runtests", "-v"], cwd=tree.path("out"))
    text = output.decode(errors="replace")
    said = dict(re.findall(r"^(PASS|FAIL): (\S+)", text, re.M))
    return {**said, "all": f"status {status}, {text.splitlines()[-1]}"}
