"""Libraries that a real program needs, built by its compiler."""

import os
import shutil

import sources


def install(tree, package, *arguments):
    """Configures and installs a library below the tree.  Returns where all of them are."""
    cache = os.path.dirname(os.path.dirname(tree.source))
    directory = tree.path("acre-libraries", package)
    prefix = tree.path("acre-libraries", "installed")
    shutil.copytree(sources.fetch(cache, package), directory, symlinks=True)
    configure = ["sh", "./configure", f"CC={tree.cc}", "CFLAGS=-O2 -w", f"--prefix={prefix}"]
    tree.run(*configure, "--disable-static", *arguments, cwd=directory)
    tree.make(cwd=directory)
    tree.run("make", "install", cwd=directory)
    return prefix


def install_apr(tree):
    """The Apache Portable Runtime.  Returns the options by which a configure script finds it."""
    prefix = install(tree, "apr")
    install(tree, "apr-util", f"--with-apr={prefix}", "--without-pgsql", "--without-sqlite3")
    return f"--with-apr={prefix}", f"--with-apr-util={prefix}"
