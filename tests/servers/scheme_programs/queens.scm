;; All ways to put n queens on a board of n by n.
(define (queens n)
  (define (attacks? q qs)
    (let loop ((qs qs) (d 1))
      (and (pair? qs) (or (= (car qs) q) (= (abs (- (car qs) q)) d) (loop (cdr qs) (+ d 1))))))
  (let place ((k n) (qs '()))
    (if (= k 0) 1
        (let try ((q 1) (sum 0))
          (if (> q n) sum (try (+ q 1) (if (attacks? q qs) sum (+ sum (place (- k 1) (cons q qs))))))))))
(write (map queens '(1 2 3 4 5 6))) (newline)
;=> (1 0 0 2 10 4)
