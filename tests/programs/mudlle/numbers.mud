// Arithmetic and control: what constant folding computes must be what the machine computes.

fn same(a, b, what) if (a != b) error("differs: " + what + " " + string(a) + " " + string(b));
fn id(x) x;
same(2147483647 + 1, id(2147483647) + id(1), "wrap");
same(-7 / 2, id(-7) / id(2), "divide");
same(-7 % 3, id(-7) % id(3), "remainder");
same(1 << 31 >> 31, id(id(1) << id(31)) >> id(31), "shift");
same(~5 & 255 | 3 ^ 9, id(~id(5)) & id(255) | id(3) ^ id(9), "bits");
same("a" + "b" + "c", id("a") + id("b") + id("c"), "strings");
same(1 < 2 == true, (id(1) < id(2)) == id(true), "comparison");
same(if (0) 1 else 2, if (id(0)) 1 else 2, "if");
same(!nil && 5, !id(nil) && id(5), "logic");
same(nil || 0 || 7, id(nil) || id(0) || id(7), "or");
same((-2147483647 - 1) / -1, (id(-2147483647) - 1) / id(-1), "overflow");

fn gcd(a, b) { while (b != 0) { var t = a % b; a = b; b = t }; a };
fn power(base, exponent, modulus) {
  var result = 1;
  while (exponent > 0) {
    if (exponent & 1) result = result * base % modulus;
    base = base * base % modulus;
    exponent = exponent >> 1
  };
  result
};
fn fib(n) if (n < 2) n else fib(n - 1) + fib(n - 2);
fn ackermann(m, n) if (m == 0) n + 1 else if (n == 0) ackermann(m - 1, 1) else ackermann(m - 1, ackermann(m, n - 1));
fn collatz(limit) {
  var best = 0, longest = 0, i;
  for (i = 1; i < limit; i = i + 1) {
    var n = i, steps = 0;
    while (n != 1) { n = if (n & 1) 3 * n + 1 else n / 2; steps = steps + 1 };
    if (steps > longest) { longest = steps; best = i }
  };
  best :: longest
};
fn multiply(a, b, n) {
  var c = vector(n * n, 0), i, j, k;
  for (i = 0; i < n; i = i + 1)
    for (j = 0; j < n; j = j + 1) {
      var sum = 0;
      for (k = 0; k < n; k = k + 1) sum = sum + a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum
    };
  c
};
fn fill(n, f) { var v = vector(n, 0), i; for (i = 0; i < n; i = i + 1) v[i] = f(i); v };

print([gcd(1071, 462), power(3, 200, 10007), fib(15), ackermann(2, 3)]); print("\n");
print(collatz(1000)); print("\n");
print(multiply(fill(9, fn (i) i), fill(9, fn (i) 10 - i), 3)); print("\n");
// A break out of the middle of a call leaves nothing on the stack.
fn broken(n) { var i = 0; while (true) { id(id(i) + (if (i > n) break else 1)); i = i + 1 }; i };
broken(50) * 1000 + broken(5);
