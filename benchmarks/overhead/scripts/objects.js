// Objects, arrays, closures and text, as scripts use them.  The number of rounds stands before.
function Node(key, left, right) {
  this.key = key;
  this.left = left;
  this.right = right;
}

function insert(node, key) {
  if (!node) return new Node(key, null, null);
  if (key < node.key) node.left = insert(node.left, key);
  else if (key > node.key) node.right = insert(node.right, key);
  return node;
}

function sum(node) {
  return node ? node.key + sum(node.left) + sum(node.right) : 0;
}

var total = 0;
var seed = 1;
for (var round = 0; round < rounds; round++) {
  var root = null;
  var words = [];
  for (var i = 0; i < 300; i++) {
    seed = (seed * 1103 + 12345) % 65536;
    root = insert(root, seed);
    words.push('word' + (seed % 97));
  }
  var counts = {};
  words.forEach(function (word) {
    counts[word] = (counts[word] || 0) + 1;
  });
  var sorted = Object.keys(counts).sort(function (a, b) {
    return counts[b] - counts[a] || (a < b ? -1 : 1);
  });
  var copy = JSON.parse(JSON.stringify({ first: sorted.slice(0, 10), sum: sum(root) }));
  total += copy.sum + copy.first.length + sorted.join(',').replace(/word/g, 'w').length;
}
print(total);
