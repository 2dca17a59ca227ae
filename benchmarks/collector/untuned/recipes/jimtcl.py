# SPDX-License-Identifier: MIT
"""Jim Tcl, an interpreter: counted objects, lists and dictionaries, each from malloc."""

import loads

PACKAGE = "jimtcl"
BINARY = "jimsh"
ARGUMENTS = ("work.tcl",)
PROGRAM = """\
proc texts {n} { set l {}; for {set i 0} {$i < $n} {incr i} { lappend l "$i-[expr {$i * $i}]" }
  return [string length [join $l ,]] }
proc table {n} { set d {}; for {set i 0} {$i < $n} {incr i} { dict lappend d [expr {$i % 997}] $i }
  set s 0; foreach k [dict keys $d] { incr s [llength [dict get $d $k]] }; return $s }
proc sorted {n} { set l {}
  for {set i 0} {$i < $n} {incr i} { lappend l [expr {$i * 7919 % 65521}] }
  return [lindex [lsort -integer $l] 100] }
proc tree {n} { if {$n == 0} { return leaf }
  return [list [tree [expr {$n - 1}]] $n [tree [expr {$n - 1}]]] }
puts [texts 60000]
puts [table 50000]
puts [sorted 60000]
puts [string length [tree 12]]
"""


def build(tree):
    options = ("--disable-docs", "--without-ext=default")
    tree.run("./configure", f"CC={tree.cc}", "CFLAGS=-O2 -w", *options)
    tree.make("jimsh")


def prepare(directory):
    loads.write(directory, "work.tcl", PROGRAM.splitlines())
