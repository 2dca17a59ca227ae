// Closures: variables shared by several functions, counters, a queue of objects made of functions, delayed lists.

fn counter() { var n = 0; fn () n = n + 1 };
fn account(balance) {
  var history = nil;
  fn move(amount) { history = amount :: history; balance = balance + amount };
  fn (message, amount) match (message) {
    "deposit" => move(amount);
    "withdraw" => if (amount > balance) "too little" else move(-amount);
    "history" => history;
    _ => error("unknown message " + string(message));
  }
};
a = counter(); b = counter();
a(); a(); b();
print([a(), b()]); print("\n");
account1 = account(100);
account1("deposit", 50);
print(account1("withdraw", 500)); print(" ");
print(account1("withdraw", 30)); print(" ");
print(account1("history", 0)); print("\n");

// Each turn of a loop has its own variables.
fn each() {
  var functions = nil, i = 0;
  while (i < 5) {
    var own = i * i;
    functions = (fn (x) { own = own + x; own }) :: functions;
    i = i + 1
  };
  functions
};
for (fs = each(); fs != nil; fs = tail(fs)) { head(fs)(1); print(head(fs)(10)); print(" ") };
print("\n");

// Mutual recursion and recursion through a local variable.
fn even?(n) if (n == 0) true else odd?(n - 1);
fn odd?(n) if (n == 0) false else even?(n - 1);
fn factorials(limit) {
  var fact;
  fact = fn (n) if (n < 2) 1 else n * fact(n - 1);
  var result = nil;
  while (limit > 0) { result = fact(limit) :: result; limit = limit - 1 };
  result
};
print([even?(1000), odd?(7), even?(7)]); print(factorials(12)); print("\n");

// Streams: a pair of a value and a function for the rest.
fn from(n) n :: fn () from(n + 1);
fn sieve(stream) {
  var prime = head(stream);
  fn without(s) if (head(s) % prime == 0) without(tail(s)()) else head(s) :: fn () without(tail(s)());
  prime :: fn () sieve(without(tail(stream)()))
};
fn take(n, stream) if (n == 0) nil else head(stream) :: take(n - 1, tail(stream)());
print(take(40, sieve(from(2)))); print("\n");

fn curry(f) fn (x) fn (y) fn (z) f(x, y, z);
fn adder(n) { var m = n * 2; fn (x) { var k = fn () m = m + x + n; k(); k() } };
curry(fn (x, y, z) x * 100 + y * 10 + z)(1)(2)(3) + adder(5)(7);
