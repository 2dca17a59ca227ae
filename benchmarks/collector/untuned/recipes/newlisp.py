# SPDX-License-Identifier: MIT
"""newLISP, an interpreter that frees each result at once: cells in blocks, strings from malloc."""

import loads

PACKAGE = "newlisp"
BINARY = "newlisp"
ARGUMENTS = ("-n", "work.lsp")
PROGRAM = """\
(define (texts n) (let (l '()) (for (i 1 n) (push (string i "-" (* i i)) l)) (length (join l ","))))
(define (sorted n) (let (l '()) (for (i 1 n) (push (% (* i 7919) 65521) l)) (nth 100 (sort l))))
(define (counted n) (let (t '()) (for (i 1 n) (push (list (% i 97) (string i)) t))
  (length (unique (map first t)))))
(println (texts 120000))
(println (sorted 150000))
(println (counted 60000))
(dotimes (i 40) (println (length (explode (dup (string "ab" i) 3000) 3))))
(exit)
"""


def build(tree):
    tree.run("make", "-f", "makefile_linuxLP64", f"CC={tree.cc}")


def prepare(directory):
    loads.write(directory, "work.lsp", PROGRAM.splitlines())
