;; Binary trees: many are made, one stays.
(define (make d) (if (= d 0) (cons '() '()) (cons (make (- d 1)) (make (- d 1)))))
(define (check t) (if (null? (car t)) 1 (+ 1 (check (car t)) (check (cdr t)))))
(define long (make 12))
(let loop ((i 0)) (if (< i 20) (begin (check (make 10)) (loop (+ i 1)))))
(write (check long)) (newline)
