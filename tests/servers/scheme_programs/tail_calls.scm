;; A million iterations in constant memory; mutual recursion; deep recursion that is no tail call.
(define (count n) (let loop ((i 0)) (if (< i n) (loop (+ i 1)) i)))
(write (count 1000000)) (newline)
;=> 1000000
(define (even-way? n) (if (= n 0) #t (odd-way? (- n 1))))
(define (odd-way? n) (if (= n 0) #f (even-way? (- n 1))))
(write (even-way? 100001)) (newline)
;=> #f
(define (deep n) (if (= n 0) 0 (+ 1 (deep (- n 1)))))
(write (deep 100000)) (newline)
;=> 100000
(write (let loop ((i 0)) (cond ((= i 50000) => (lambda (x) (list x i))) (else (loop (+ i 1)))))) (newline)
;=> (#t 50000)
(write (let loop ((i 0)) (and #t (or #f (if (= i 50000) i (loop (+ i 1))))))) (newline)
;=> 50000
(write (apply + (iota 1000))) (newline)
;=> 499500
(write (do ((i 0 (+ i 1)) (s '() (cons i s))) ((= i 5) (reverse s)))) (newline)
;=> (0 1 2 3 4)
