// Strings and vectors: a scanner, a hash table and a small calculator.

fn space?(c) c == 32 || c == 10 || c == 9;
fn digit?(c) c >= 48 && c <= 57;
fn words(text) {
  var result = nil, i = 0, n = length(text);
  while (i < n) {
    while (i < n && space?(text[i])) i = i + 1;
    var start = i;
    while (i < n && !space?(text[i])) i = i + 1;
    if (i > start) result = substring(text, start, i - start) :: result
  };
  result
};
fn hash(s) {
  var h = 5381, i;
  for (i = 0; i < length(s); i = i + 1) h = (h * 33 ^ s[i]) & 1048575;
  h
};
fn table_new(size) vector(size, nil);
fn table_find(table, key) {
  var entry = table[hash(key) % length(table)];
  while (entry != nil && head(head(entry)) != key) entry = tail(entry);
  if (entry == nil) nil else head(entry)
};
fn table_add(table, key, amount) {
  var pair = table_find(table, key);
  if (pair != nil) return set_tail(pair, tail(pair) + amount);
  var i = hash(key) % length(table);
  table[i] = (key :: amount) :: table[i];
  amount
};
text = "the quick brown fox jumps over the lazy dog and the dog sleeps while the fox runs over the hill";
table = table_new(17);
for (list = words(text); list != nil; list = tail(list)) table_add(table, head(list), 1);
for (list = ["the", "fox", "dog", "over", "cat"]; list != nil; list = tail(list)) {
  print(head(list) + ":"); print(table_find(table, head(list))); print("\n")
};

// expression = term { (+|-) term };  term = factor { (*|/) factor };  factor = number | ( expression )
fn calculate(source) {
  var at = 0, expression;
  fn peek() { while (at < length(source) && space?(source[at])) at = at + 1; if (at < length(source)) source[at] else 0 };
  fn factor() {
    var c = peek();
    if (c == 40) { at = at + 1; var v = expression(); peek(); at = at + 1; return v };
    if (c == 45) { at = at + 1; return -factor() };
    if (!digit?(c)) error("digit expected at " + string(at));
    var n = 0;
    while (digit?(peek())) { n = n * 10 + (peek() - 48); at = at + 1 };
    n
  };
  fn term() {
    var v = factor();
    while (true) match (peek()) {
      42 => { at = at + 1; v = v * factor() };
      47 => { at = at + 1; v = v / factor() };
      _ => return v
    }
  };
  expression = fn () {
    var v = term();
    while (true) {
      var c = peek();
      if (c == 43) { at = at + 1; v = v + term() }
      else if (c == 45) { at = at + 1; v = v - term() }
      else return v
    }
  };
  expression()
};
print(calculate("1 + 2 * 3")); print(" ");
print(calculate("(1 + 2) * -(3 - 10) / 2")); print(" ");
print(calculate("2*(3+4)*(5-6)+100/7")); print("\n");

fn queens(n) {
  var columns = vector(n, 0), count = 0;
  fn safe?(row, column) {
    var i = 0;
    while (i < row) {
      var other = columns[i];
      if (other == column || other - column == row - i || column - other == row - i) return false;
      i = i + 1
    };
    true
  };
  fn place(row) {
    if (row == n) { count = count + 1; return nil };
    var column;
    for (column = 0; column < n; column = column + 1) {
      if (!safe?(row, column)) continue;
      columns[row] = column;
      place(row + 1)
    }
  };
  place(0);
  count
};
queens(7);
["the value of the last form", 1 :: 2, #[queens(6)]];
