# SPDX-License-Identifier: MIT
"""One module for each program that is ported to owners, in the form of benchmarks/foreign/recipes:
what it is, how it is built, tested and run, and beside it the rules of its port."""
