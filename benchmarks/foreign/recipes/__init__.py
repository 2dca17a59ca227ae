# SPDX-License-Identifier: MIT
"""One module for each foreign program: what it is, how it is built, tested and run; and the rules
of its port, if it has one.

PACKAGE: the Debian source package.  MEMORY: how it manages memory, for the page.  FILES: patterns
of its own sources. BINARY: what is measured.  SETTINGS: its environment.  RUNS: its arguments,
small for counting and default for timing. OUTPUTS: files that the small run writes and that are a
part of its answer.  write_loads(directory) writes what RUNS read.  build(tree, flags) configures
and makes.  check(tree) runs its own tests and returns what they say of each.
"""
