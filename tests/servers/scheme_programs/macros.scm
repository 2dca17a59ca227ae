;; syntax-rules: ellipses, literals, hygiene in both directions, macros in bodies and macros that make macros.
(define-syntax swap! (syntax-rules () ((_ a b) (let ((tmp a)) (set! a b) (set! b tmp)))))
(write (let ((tmp 1) (other 2)) (swap! tmp other) (list tmp other))) (newline)
;=> (2 1)
(define-syntax my-or (syntax-rules () ((_) #f) ((_ e) e) ((_ e r ...) (let ((t e)) (if t t (my-or r ...))))))
(write (let ((t 5) (if list)) (my-or #f t))) (newline)
;=> 5
(define-syntax while
  (syntax-rules () ((_ test body ...) (let loop () (when test body ... (loop))))))
(write (let ((i 0) (s '())) (while (< i 3) (set! s (cons i s)) (set! i (+ i 1))) s)) (newline)
;=> (2 1 0)
(define-syntax for
  (syntax-rules (in) ((_ x in list body ...) (for-each (lambda (x) body ...) list))))
(for x in '(1 2 3) (display x)) (newline)
;=> 123
(define-syntax my-let*
  (syntax-rules () ((_ () b ...) (let () b ...)) ((_ ((n v) m ...) b ...) (let ((n v)) (my-let* (m ...) b ...)))))
(write (my-let* ((a 1) (b (+ a 1)) (c (* b 2))) (list a b c))) (newline)
;=> (1 2 4)
(define-syntax flatten (syntax-rules () ((_ (a b ...) ...) '(a ... (b ... ) ...))))
(write (flatten (1 2 3) (4) (5 6))) (newline)
;=> (1 4 5 (2 3) () (6))
(define-syntax tail-pattern (syntax-rules () ((_ a ... z) (list z a ...))))
(write (tail-pattern 1 2 3 4)) (newline)
;=> (4 1 2 3)
(define-syntax be-like-begin
  (syntax-rules () ((_ name) (define-syntax name (syntax-rules () ((_ e (... ...)) (begin e (... ...))))))))
(be-like-begin sequence)
(write (sequence 1 2 3)) (newline)
;=> 3
(define (f) (define-syntax twice (syntax-rules () ((_ e) (+ e e)))) (define x 4) (twice x))
(write (f)) (newline)
;=> 8
(write (let-syntax ((foo (syntax-rules () ((_ x) (* x 2))))) (foo 21))) (newline)
;=> 42
(write (letrec-syntax ((ev? (syntax-rules () ((_) #t) ((_ x . r) (od? . r)))) (od? (syntax-rules () ((_) #f) ((_ x . r) (ev? . r)))))
  (ev? 1 2 3 4))) (newline)
;=> #t
(write (let ((else #f)) (cond (else 1) (#t 2)))) (newline)
;=> 2
(define-syntax vec (syntax-rules () ((_ #(a b ...)) '(a (b ...)))))
(write (vec #(1 2 3))) (newline)
;=> (1 (2 3))
(define-syntax my-if (syntax-rules () ((_ c a b) (cond (c a) (else b)))))
(write (let ((else #f)) (my-if #f 1 2))) (newline)
;=> 2
(define-values (q r) (floor/ 17 5))
(write (list q r)) (newline)
;=> (3 2)
(define area (case-lambda ((r) (* r r)) ((a b) (* a b)) ((a . more) (length more))))
(write (list (area 3) (area 3 4) (area 1 2 3 4))) (newline)
;=> (9 12 3)
