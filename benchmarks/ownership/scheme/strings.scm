;; Counts words in a table of hashes: strings are made and compared.
(define (words n) (let loop ((i 0) (l '())) (if (= i n) l (loop (+ i 1) (cons (string-append "word" (number->string (modulo (* i 7919) 997))) l)))))
(define table (make-vector 997 '()))
(define (hash s) (let loop ((i 0) (h 0)) (if (= i (string-length s)) h (loop (+ i 1) (modulo (+ (* h 31) (char->integer (string-ref s i))) 997)))))
(for-each (lambda (w) (let* ((h (hash w)) (e (assoc w (vector-ref table h)))) (if e (set-cdr! e (+ 1 (cdr e))) (vector-set! table h (cons (cons w 1) (vector-ref table h)))))) (words 4000))
(write (apply + (map (lambda (l) (fold-left + 0 (map cdr l))) (vector->list table)))) (newline)
