# SPDX-License-Identifier: MIT
"""Lays out the site of site.conf: the same files, byte by byte, wherever it is."""

import os
import random
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
PARTS = """<html><body>
<!--#include virtual="/before.html" -->
<!--#set var="kind" value="plain" -->
<!--#if expr="$kind = plain" -->plain<!--#else -->other<!--#endif -->
<!--#include virtual="/proxy/after.html" -->
<!--#echo var="uri" default="none" -->
<!--#include virtual="/missing-part" -->
<!--#include virtual="/ssi/nested.html" -->
</body></html>
"""


def write(directory, name, text):
    path = os.path.join(directory, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text.encode() if isinstance(text, str) else text)
    os.utime(path, (1000000000, 1000000000))


def lay(directory, process="master_process off;", listen=""):
    """process and listen: further lines of the configuration, of its main and of its server
    part."""
    shutil.rmtree(directory, ignore_errors=True)
    files = os.path.join(directory, "files")
    words = "region pool request answer header buffer chain filter phase server".split()
    page = (
        "<html><body><p>"
        + " ".join(random.Random(1).choices(words, k=900))
        + "</p></body></html>\n"
    )
    write(files, "index.html", "<html><body>the first page</body></html>\n")
    write(files, "page.html", page)
    write(files, "style.css", "p { margin: 1em }\n" * 40)
    write(files, "large.bin", random.Random(2).randbytes(150000))
    write(files, "ssi/parts.html", PARTS)
    write(files, "parts.html", PARTS)
    write(files, "nested.html", '<p><!--#include virtual="/page.html" --></p>\n')
    for name in ("before", "after", "missing", "locked"):
        write(files, name + ".html", f"<p>{name}</p>\n")
    write(files, "echo.html", '<!--#echo var="request_uri" --> <!--#echo var="args" -->\n')
    write(files, "key/open", "open\n")
    for name in ("one", "two", "three"):
        write(files, f"listed/{name}", name)
    write(directory, "process.conf", process + "\n")
    write(directory, "listen.conf", listen + "\n")
    os.makedirs(os.path.join(directory, "temporary"))
    shutil.copy(os.path.join(HERE, "site.conf"), directory)
    shutil.copy(os.path.join(HERE, "requests.txt"), directory)
