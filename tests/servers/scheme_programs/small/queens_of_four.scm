;; Few steps, for a collection at each.
(define (safe? q d qs)
  (or (null? qs) (and (not (= (abs (- (car qs) q)) d)) (not (= (car qs) q)) (safe? q (+ d 1) (cdr qs)))))
(define (place k qs)
  (if (= k 0) (list qs)
      (append-map (lambda (q) (if (safe? q 1 qs) (place (- k 1) (cons q qs)) '())) '(1 2 3 4))))
(write (place 4 '())) (newline)
;=> ((3 1 4 2) (2 4 1 3))
