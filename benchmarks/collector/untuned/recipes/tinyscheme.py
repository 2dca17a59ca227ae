# SPDX-License-Identifier: MIT
"""TinyScheme, an interpreter with a collector of its own in segments of cells from malloc."""

import loads

PACKAGE = "tinyscheme"
BINARY = "scheme"
SCRIPT = 'TINYSCHEMEINIT="$(dirname "$0")/init.scm" "$0" sort.scm'
PROGRAM = """\
(define (make n seed) (let loop ((i 0) (s seed) (l '()))
  (if (= i n) l (loop (+ i 1) (remainder (+ (* s 1103) 12345) 65521) (cons s l)))))
(define (split l) (if (or (null? l) (null? (cdr l))) (cons l '())
  (let ((r (split (cddr l)))) (cons (cons (car l) (car r)) (cons (cadr l) (cdr r))))))
(define (merge a b) (cond ((null? a) b) ((null? b) a)
  ((< (car a) (car b)) (cons (car a) (merge (cdr a) b))) (else (cons (car b) (merge a (cdr b))))))
(define (sort l) (if (or (null? l) (null? (cdr l))) l
  (let ((r (split l))) (merge (sort (car r)) (sort (cdr r))))))
(define (texts n) (let loop ((i 0) (t 0)) (if (= i n) t
  (loop (+ i 1) (+ t (string-length (string-append (number->string i) "-" (number->string n))))))))
(define (again n) (if (> n 0) (begin (display (list-ref (sort (make 900 n)) 450)) (newline)
  (again (- n 1)))))
(again 12)
(display (texts 30000)) (newline)
"""


def build(tree):
    flags = ["-O2", "-w", f"-I{tree.directory}"]
    flags += ["-DUSE_DL=0", "-DUSE_MATH=1", "-DUSE_ASCII_NAMES=0"]
    tree.compile(flags, [tree.path("scheme.c")], tree.path(BINARY), ["-lm"])


def prepare(directory):
    loads.write(directory, "sort.scm", PROGRAM.splitlines())
