;; raise, guard, with-exception-handler; errors of primitives are conditions with a place.
(write (guard (e ((symbol? e) (list 'symbol e)) ((string? e) 'string)) (raise 'boom))) (newline)
;=> (symbol boom)
(write (guard (e ((assq 'a e) => cdr) ((assq 'b e))) (raise (list (cons 'a 42))))) (newline)
;=> 42
(write (guard (e ((assq 'a e) => cdr) ((assq 'b e))) (raise (list (cons 'b 23))))) (newline)
;=> (b . 23)
(write (guard (e (#t (list (error-object-message e) (error-object-irritants e)))) (error "wrong:" 1 "two"))) (newline)
;=> ("wrong:" (1 "two"))
(write (with-exception-handler (lambda (e) 10) (lambda () (+ 1 (raise-continuable 'ask))))) (newline)
;=> 11
(write (guard (e (#t 'outer)) (guard (e ((number? e) 'inner)) (raise 'not-a-number)))) (newline)
;=> outer
(define order '())
(guard (e (#t (set! order (cons e order))))
  (dynamic-wind (lambda () (set! order (cons 'in order))) (lambda () (raise 'x)) (lambda () (set! order (cons 'out order)))))
(write (reverse order)) (newline)
;=> (in out x)
(write (guard (e ((error-object? e) (error-object-line e))) (car 5))) (newline)
;=> 19
(write (guard (e ((error-object? e) (error-object-message e))) (vector-ref (vector 1 2) 2))) (newline)
;=> "vector-ref: an integer from 0 to 1 is expected, not"
(write (guard (e ((error-object? e) (error-object-message e))) (* 99999999999 99999999999))) (newline)
;=> "*: the exact result needs more than 64 bits"
(write (guard (e ((error-object? e) (error-object-message e))) undefined-name)) (newline)
;=> "there is no variable"
(write (guard (e (#t (error-object-message e))) (with-exception-handler (lambda (e) 'ignored) (lambda () (raise 'x))))) (newline)
;=> "the handler of an exception returned; it was raised with"
(write (guard (e ((file-error? e) 'no-file)) (open-input-file "/nowhere/at/all"))) (newline)
;=> no-file
(write (guard (e ((read-error? e) 'bad-text)) (read (open-input-string "(1 . ")))) (newline)
;=> bad-text
(write (guard (e ((out-of-memory? e) 'too-large)) (make-vector 1000000000000 0))) (newline)
;=> too-large
