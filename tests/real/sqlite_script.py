"""A long SQL script for the SQLite shell: the same text every time, some thousands of
statements."""

import random

WORDS = (
    "region arena pointer count page object slot stack heap trace barrier record handle owner"
    " parent child free delete verify report plain union struct array field index query table"
).split()


def schema():
    return """
PRAGMA foreign_keys = ON;
CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT CHECK(age >= 0), boss \
REFERENCES person(id),
  label TEXT GENERATED ALWAYS AS (upper(name) || '/' || age) STORED);
CREATE TABLE item(id INTEGER PRIMARY KEY, owner INT REFERENCES person(id) ON DELETE CASCADE, kind \
TEXT, price REAL,
  data JSON, UNIQUE(owner, kind, price));
CREATE TABLE pair(a INT, b INT, w REAL, PRIMARY KEY(a, b)) WITHOUT ROWID;
CREATE TABLE log(at INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT, n INT);
CREATE INDEX item_kind ON item(kind, price DESC);
CREATE INDEX item_partial ON item(price) WHERE kind = 'page';
CREATE INDEX person_expression ON person(lower(name), age % 10);
CREATE VIEW wealth AS SELECT p.id, p.name, sum(i.price) AS total, count(*) AS n FROM person p \
JOIN item i ON i.owner = p.id
  GROUP BY p.id;
CREATE TRIGGER item_added AFTER INSERT ON item WHEN new.price > 900 BEGIN
  INSERT INTO log(what, n) VALUES('dear ' || new.kind, new.id); END;
CREATE TRIGGER item_changed AFTER UPDATE OF price ON item WHEN abs(new.price - old.price) > 300 \
BEGIN
  INSERT INTO log(what, n) SELECT 'moved ' || name, new.id FROM person WHERE id = new.owner; END;
CREATE TRIGGER wealth_insert INSTEAD OF INSERT ON wealth BEGIN INSERT INTO person(id, name, age) \
VALUES(new.id, new.name, 1); END;
CREATE VIRTUAL TABLE document USING fts5(title, body, tokenize = 'porter');
CREATE VIRTUAL TABLE box USING rtree(id, x0, x1, y0, y1);
""".replace("\n  ", " ")  # each statement on one line


def statement(rng, step):
    """One statement, of a kind chosen by rng.  Some break a constraint, and must fail the same
    way everywhere."""
    person, item = rng.randint(1, 400), rng.randint(1, 3000)
    word, other = rng.choice(WORDS), rng.choice(WORDS)
    price = rng.randint(0, 100000) / 100
    body = " ".join(rng.choice(WORDS) for _ in range(rng.randint(5, 60)))
    return rng.choice(
        (
            (
                f"INSERT OR IGNORE INTO person VALUES({person}, '{word} {step}',"
                f" {rng.randint(-2, 90)}, {rng.choice(['NULL', person])});"
            ),
            (
                "INSERT INTO person(name, age, boss) SELECT name || '+', age + 1, id FROM person"
                f" WHERE id % 97 = {person % 97} LIMIT 3;"
            ),
            (
                f"INSERT INTO item(owner, kind, price, data) VALUES({person}, '{word}', {price},"
                f' json(\'{{"a":[{step},{{"b":"{other}"}}],"w":"{word}"}}\'));'
            ),
            (
                f"INSERT INTO item(id, owner, kind, price) VALUES({item}, {person}, '{word}',"
                f" {price}) ON CONFLICT(id) DO UPDATE SET price = excluded.price, kind = kind ||"
                " '*';"
            ),
            f"REPLACE INTO pair VALUES({person % 60}, {item % 60}, {price});",
            (
                "UPDATE item SET price = price * 1.1, data = json_set(coalesce(data, '{}'),"
                f" '$.n', {step}) WHERE owner = {person};"
            ),
            (
                "UPDATE person SET boss = (SELECT min(id) FROM person) WHERE age >"
                f" {rng.randint(60, 89)};"
            ),
            f"DELETE FROM item WHERE id BETWEEN {item} AND {item + 3};",
            (
                f"DELETE FROM person WHERE id = {person} AND NOT EXISTS(SELECT 1 FROM person q"
                " WHERE q.boss = person.id);"
            ),
            f"INSERT INTO document VALUES('{word} {other}', '{body}');",
            f"DELETE FROM document WHERE rowid = {item % 700};",
            (
                f"INSERT OR REPLACE INTO box VALUES({person}, {price}, {price + person}, {item},"
                f" {item + 5});"
            ),
            (
                "SELECT title, snippet(document, 1, '[', ']', '..', 6), round(bm25(document), 6)"
                f" FROM document WHERE document MATCH '{word} NOT {other}' ORDER BY rank, rowid"
                " LIMIT 3;"
            ),
            (
                "SELECT p.name, i.kind, i.price FROM person p LEFT JOIN item i ON i.owner = p.id"
                f" AND i.kind LIKE '{word[:2]}%' WHERE p.age BETWEEN {person % 50} AND"
                f" {person % 50 + 3} ORDER BY 1, 2, 3 LIMIT 6;"
            ),
            (
                "SELECT kind, count(*), round(avg(price), 4), group_concat(DISTINCT owner % 5)"
                f" FROM item GROUP BY kind HAVING count(*) > {person % 9} ORDER BY 2 DESC, 1"
                " LIMIT 5;"
            ),
            (
                "SELECT json_extract(data, '$.a[1].b'), json_type(data, '$.a'),"
                f" json_array_length(data, '$.a') FROM item WHERE data IS NOT NULL AND id > {item}"
                " ORDER BY id LIMIT 3;"
            ),
            (
                f"SELECT value, key FROM item, json_tree(item.data) WHERE item.owner = {person} AND"
                " json_tree.atom IS NOT NULL ORDER BY item.id, json_tree.id LIMIT 5;"
            ),
            (
                "SELECT id, price, rank() OVER (PARTITION BY kind ORDER BY price),"
                " round(sum(price) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND CURRENT ROW), 3)"
                f" FROM item WHERE id < {item} ORDER BY id DESC LIMIT 4;"
            ),
            (
                f"WITH RECURSIVE up(id, depth) AS (SELECT {person}, 0 UNION SELECT boss, depth + 1"
                " FROM person JOIN up USING(id) WHERE boss IS NOT NULL AND depth < 20) SELECT"
                " count(*), max(depth) FROM up;"
            ),
            (
                f"SELECT a, b, w FROM pair WHERE (a, b) > ({person % 60}, {item % 60}) EXCEPT"
                f" SELECT a, b, w FROM pair WHERE w < {price} ORDER BY 1, 2 LIMIT 3;"
            ),
            f"SELECT count(*) FROM box WHERE x0 < {price} AND x1 > {price} AND y0 > {item - 500};",
            f"SELECT name, total, n FROM wealth ORDER BY total DESC, id LIMIT {person % 4};",
            (
                f"SELECT typeof({price} || ''), substr('{body}', -12), printf('%08.3f|%x|%Q',"
                f" {price}, {item}, '{word}''s'), hex(zeroblob(4)), instr('{body}', '{other}');"
            ),
            (
                f"SELECT * FROM person WHERE lower(name) = '{word} {step}' AND age % 10 ="
                f" {person % 10} UNION ALL SELECT * FROM person WHERE id = {person};"
            ),
        )
    )


def script(count):
    rng = random.Random(20010620)
    lines = [".bail off", ".nullvalue NULL", schema()]
    depth = 0
    for step in range(count):
        action = rng.random()
        if depth == 0 and action < 0.02:
            lines.append("BEGIN;")
            depth = 1
        elif depth and action < 0.04:
            lines.append(f"SAVEPOINT s{depth};")
            depth += 1
        elif depth > 1 and action < 0.08:
            depth -= 1
            lines.append(
                rng.choice((f"ROLLBACK TO s{depth}; RELEASE s{depth};", f"RELEASE s{depth};"))
            )
        elif depth and action < 0.10:
            lines.append(rng.choice(("COMMIT;", "COMMIT;", "ROLLBACK;")))
            depth = 0
        lines.append(statement(rng, step))
    if depth:
        lines.append("COMMIT;")
    lines += [
        "PRAGMA integrity_check;",
        "PRAGMA foreign_key_check;",
        "ALTER TABLE pair RENAME COLUMN w TO weight;",
        "ALTER TABLE item ADD COLUMN note TEXT DEFAULT 'none';",
        "DROP INDEX item_kind;",
        "ANALYZE;",
        "INSERT INTO document(document) VALUES('integrity-check');",
        "EXPLAIN QUERY PLAN SELECT * FROM wealth;",
        "VACUUM;",
        "PRAGMA integrity_check;",
        "SELECT count(*), total(price) FROM item;",
        ".schema",
        ".dump",
    ]
    return "\n".join(lines) + "\n"
