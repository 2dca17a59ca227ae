// The language: closures, prototypes, getters, labelled loops, exceptions through every kind of frame.
function counter() { var n = 0; return { up: function () { return ++n; }, get value() { return n; } }; }
var c = counter();
for (var i = 0; i < 1000; i++) c.up();
print(c.value);

function Shape(name) { this.name = name; }
Shape.prototype.area = function () { throw new Error('no area for ' + this.name); };
Shape.prototype.toString = function () { return this.name + ' of ' + this.area(); };
function Square(side) { Shape.call(this, 'square'); this.side = side; }
Square.prototype = Object.create(Shape.prototype);
Square.prototype.area = function () { return this.side * this.side; };
print(String(new Square(5)), new Square(2) instanceof Shape);
try { String(new Shape('blob')); } catch (e) { print(e.message); }

function thrower(depth) {
	try {
		if (depth === 0) throw { code: 42, trail: [] };
		return thrower(depth - 1);
	} catch (e) {
		e.trail.push(depth);
		throw e;
	} finally {
		if (depth % 10 === 0) finals.push(depth);
	}
}
var finals = [];
try { thrower(60); } catch (e) { print(e.code, e.trail.join(' '), finals.join(' ')); }

var caught = 0;
for (i = 0; i < 20000; i++) {
	try {
		if (i % 3 === 0) null.x;
		else if (i % 3 === 1) undefinedName;
		else [].reduce(function () {});
	} catch (e) { caught += e instanceof TypeError ? 1 : e instanceof ReferenceError ? 100000 : 7; }
}
print(caught);

outer: for (i = 0; i < 10; i++) {
	for (var j = 0; j < 10; j++) {
		if (j === 5) continue outer;
		if (i === 7) break outer;
		try { if (i === j) continue; } finally { caught++; }
	}
}
print(i, j, caught);
print((function f() { return f.length + arguments.length; })(1, 2, 3));
print([1, 2, 3].map(function (x) { return this.k * x; }, { k: 7 }), (function () { return typeof this; }).call(5));
var o = { a: 1 };
Object.defineProperty(o, 'hidden', { value: 2, enumerable: false });
o.b = 3; delete o.a; o.c = 4;
var keys = [];
for (var k in o) keys.push(k);
print(keys, 'hidden' in o, Object.getOwnPropertyNames(o).sort(), JSON.stringify(o));
try { (function recurse(n) { return recurse(n + 1) + 1; })(0); } catch (e) { print('overflow', e instanceof Error); }
try { eval('var x = = 2'); } catch (e) { print(e.name); }
print(eval('(function (n) { return n < 2 ? n : arguments.callee(n - 1) + arguments.callee(n - 2); })(18)'));
