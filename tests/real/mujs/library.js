// The library: sorting, strings, regular expressions, dates, JSON, numbers.
var seed = 42;
function random(n) { seed = (seed * 16807) % 2147483647; return seed % n; }
var numbers = [], words = [];
for (var i = 0; i < 5000; i++) { numbers.push(random(100000)); words.push(random(1e6).toString(36) + '-' + i); }
numbers.sort(function (a, b) { return a - b; });
words.sort();
for (i = 1; i < numbers.length; i++) if (numbers[i - 1] > numbers[i]) throw new Error('unsorted');
print(numbers.slice(0, 20), words.slice(0, 5), words[words.length - 1]);
try { [3, 1, 2].sort(function () { throw 'in comparison'; }); } catch (e) { print(e); }

var text = words.join(' ');
print(text.length, text.match(/\b[a-z]{3}-\d+/g).length, text.replace(/(\w+)-(\d+)/g, '$2:$1').substring(0, 100));
print(text.split(/[\s-]+/).length, /(?:a|b)*?c(?=\d)(\w)?/.exec('ababc1').join('|'), 'x'.search(/y/));
print('The Quick'.replace(/[A-Z]/g, function (m, at) { return m.toLowerCase() + at; }), escape('é ☃'), encodeURIComponent('é ☃/?'));
try { new RegExp('(unclosed'); } catch (e) { print(e.name); }
try { decodeURIComponent('%E0%A4%A'); } catch (e) { print(e.name); }

function tree(depth, width) {
	var node = { name: 'n' + depth, values: [depth, -1.5e-7, null, true, 'q"\\\n\u2603'], children: [] };
	for (var i = 0; depth > 0 && i < width; i++) node.children.push(tree(depth - 1, width));
	return node;
}
var json = JSON.stringify(tree(6, 4)), again = JSON.stringify(JSON.parse(json));
print(json.length, json === again, JSON.stringify(JSON.parse(json, function (k, v) { return k === 'values' ? v.length : v; })).length);
print(JSON.stringify({ a: [1, { b: 2 }], c: undefined, d: new Date(0) }, null, 2));
['{', '[1,]', '{"a":tru}', '"\\x"', ''].forEach(function (s) { try { JSON.parse(s); } catch (e) { print(e.name); } });
var ring = {}; ring.ring = ring;
try { JSON.stringify(ring); } catch (e) { print(e.name); }

print(new Date(86400000 * 365.25 * 40).toISOString(), Date.UTC(2001, 5, 20), isNaN(new Date('x')));
[0.1 + 0.2, 1e21, 123456789012345680000, 5e-324, 1 / 3, -0, 2e-7, 1e300 * 1e10].forEach(function (n) {
	print(n, n.toFixed ? n.toPrecision(6) : '', n.toExponential(3), (n | 0), n.toString(2).length);
});
var total = 0;
for (i = 0; i < 300; i++) {
	var garbage = [];
	for (var j = 0; j < 200; j++) garbage.push({ j: j, s: 'garbage' + j, f: function () { return j; } });
	total += garbage.filter(function (g) { return g.j % 2; }).map(function (g) { return g.s.length; }).reduce(function (a, b) { return a + b; });
	if (i % 50 === 0) gc(true);
}
print(total, Math.max.apply(null, numbers), [1, [2, [3]]].toString(), [3, 2, 1].reverse().concat([4], 5).indexOf(4));
throw new RangeError('leaves with an error');
