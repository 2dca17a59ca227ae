# SPDX-License-Identifier: MIT
"""One module for each program that Acre was not made with: a Debian source package.

PACKAGE: the package.  BINARY: what is run, below the tree.  build(tree): makes it with tree.cc, as
for tests/real.  prepare(directory): writes what the run reads, the same each time.  ARGUMENTS: of
the run, in that directory; or SCRIPT, for the shell, in which $0 is the binary.  All that it says
goes to its standard output.
"""
