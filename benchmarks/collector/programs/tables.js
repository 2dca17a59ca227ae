// Hash tables of chained records and text made of them: objects, closures and strings that the interpreter collects itself.
var state = 20010620;
function random(n) {
	state = (state * 16807) % 2147483647;
	return state % n;
}
function Table(size) {
	this.chains = [];
	for (var i = 0; i < size; i++)
		this.chains[i] = null;
}
Table.prototype.add = function (number, round) {
	var at = number % this.chains.length, first = this.chains[at];
	for (var node = first; node; node = node.next)
		if (node.number === number) {
			node.rounds.push(round);
			return;
		}
	this.chains[at] = { number: number, name: "node " + number + "/" + round, rounds: [round], next: first };
};
Table.prototype.each = function (visit) {
	for (var i = 0; i < this.chains.length; i++)
		for (var node = this.chains[i]; node; node = node.next)
			visit(node);
};
var rounds = 8, size = 20000, kept = [];
for (var round = 0; round < rounds; round++) {
	var table = new Table(5000);
	for (var i = 0; i < size; i++)
		table.add(random(size), round + i);
	kept[round % 3] = table;
	var names = [];
	table.each(function (node) { names.push(node.name + "=" + node.rounds.join("+")); });
	var text = names.join(",");
	print(round, text.length, text.split(",").sort().slice(0, 3).join(" "));
}
var sum = 0;
for (var k = 0; k < kept.length; k++)
	kept[k].each(function (node) { sum = (sum * 3 + node.rounds[0]) % 1000003; });
print(sum);
