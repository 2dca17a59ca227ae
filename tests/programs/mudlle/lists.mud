// Lists: the library functions that a program of this language brings along, and sorting.

fn reverse(list) {
  var result = nil;
  while (list != nil) { result = head(list) :: result; list = tail(list) };
  result
};
fn append(a, b) match (a) { h :: t => h :: append(t, b); _ => b };
fn map(f, list) match (list) { h :: t => f(h) :: map(f, t); _ => nil };
fn filter(keep?, list) match (list) {
  h :: t => if (keep?(h)) h :: filter(keep?, t) else filter(keep?, t);
  _ => nil
};
fn fold(f, start, list) {
  for (nil; list != nil; list = tail(list)) start = f(start, head(list));
  start
};
fn range(from, to) {
  var result = nil;
  while (to > from) { to = to - 1; result = to :: result };
  result
};
fn merge(a, b, less?) {
  if (a == nil) return b;
  if (b == nil) return a;
  if (less?(head(b), head(a))) head(b) :: merge(a, tail(b), less?) else head(a) :: merge(tail(a), b, less?)
};
fn split(list, n) {
  var front = nil;
  while (n > 0) { front = head(list) :: front; list = tail(list); n = n - 1 };
  front :: list
};
fn sort(list, less?) {
  var n = length(list);
  if (n < 2) return list;
  var halves = split(list, n / 2);
  merge(sort(head(halves), less?), sort(tail(halves), less?), less?)
};
fn assoc(key, pairs) {
  while (pairs != nil) {
    if (head(head(pairs)) == key) return tail(head(pairs));
    pairs = tail(pairs)
  };
  nil
};
fn compose(f, g) fn (x) f(g(x));
fn permutations(list) {
  if (list == nil) return [nil];
  var result = nil, before = nil, rest = list;
  while (rest != nil) {
    var first = head(rest);
    result = append(map(fn (p) first :: p, permutations(append(reverse(before), tail(rest)))), result);
    before = first :: before;
    rest = tail(rest)
  };
  result
};

print(sort([5, 3, 9, 1, 7, 3, 8, 2], fn (a, b) a < b)); print("\n");
print(sort(map(fn (x) random(1000), range(0, 30)), fn (a, b) a > b)); print("\n");
print(filter(fn (x) x % 3 == 0, range(0, 30))); print("\n");
print(fold(fn (a, b) a + b, 0, map(compose(fn (x) x * x, fn (x) x + 1), range(0, 100)))); print("\n");
print(assoc("two", ["one" :: 1, "two" :: 2, "three" :: 3])); print("\n");
print(length(permutations(range(0, 6)))); print("\n");
print(head(permutations(["a", "b", "c"]))); print("\n");
print(1 :: 2); print([]); print([[1], [2, [3]]]); print("\n");
fold(fn (a, p) a + fold(fn (x, y) x * 10 + y, 0, p), 0, permutations(range(1, 6)));
