"""Compares compiler/shared/library.def with what the installed C library declares and exports.

usage: check_table.py --clang PATH --table PATH --guarantee PATH [--owners PATH] [--list]

A function matters that is given the address of a pointer, of untyped memory, or of a structure with
pointers, to write there. Each must stand in the table: tracked, or as harmless or untracked with a
reason; what is untracked must be named in the guarantee.  Other names of a function that the
library exports (fortified, with a locale, of a newer standard) stand for it: of one that is tracked
each must be tracked too, and of one whose accesses have a size each must have that too.

With --owners library_owners.def is compared as well: there stands each function that is given any
pointer at all, a name that the library does not declare is a mistake but in the lists for that, and
where the two files speak of the same they agree.
"""

import argparse
import json
import os
import re
import subprocess
import sys

# Structures that the library makes and alone knows: what is in them is its own.
OPAQUE = re.compile(
    r"\b(FILE|__FILE|_IO_FILE|__locale_struct|FTS|FTS64|FTSENT|FTSENT64|pthread_mutex_t|link_map|"
    r"__pthread_unwind_buf_t|re_pattern_buffer|regex_t|__res_state|hsearch_data|dirent|dirent64|"
    r"posix_spawn_file_actions_t|tm|utmp|utmpx)\b(?! \*)"
)
TRACKED = ("INTERCEPTED", "COPIER", "SETTER")


def read_table(path):
    """The functions of each list, and those of the lists with reasons."""
    text = open(path).read()
    lists = {
        kind: set(re.findall(r'^ACRE_%s\("(\w+)"' % kind, text, re.M))
        for kind in TRACKED + ("COLLECTED", "ACCESSES")
    }
    for kind in ("HARMLESS", "UNTRACKED"):
        lists[kind] = set()
        for reason, names in re.findall(
            r'^ACRE_%s\(((?:\s*"[^"]*")+),((?:\s*"[^"]*")+)\)' % kind, text, re.M
        ):
            lists[kind].update(" ".join(re.findall(r'"([^"]*)"', names)).split())
    return lists


class Declarations:
    """What a program that includes every header of the C library sees."""

    def __init__(self, clang):
        headers = open(os.path.join(os.path.dirname(__file__), "headers.txt")).read().split()
        source = "#define _GNU_SOURCE\n" + "".join(
            f"#if __has_include(<{h}>)\n#include <{h}>\n#endif\n" for h in headers
        )
        dump = subprocess.run(
            [clang, "-x", "c", "-", "-fsyntax-only", "-w", "-Xclang", "-ast-dump=json"],
            input=source,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        self.records, self.typedefs, self.functions = {}, {}, {}
        self.walk(json.loads(dump)["inner"])

    def walk(self, nodes):
        for node in nodes:
            kind = node.get("kind")
            if kind == "RecordDecl" and node.get("completeDefinition"):
                fields = [c["type"] for c in node.get("inner", []) if c.get("kind") == "FieldDecl"]
                self.records[node["id"]] = fields
                if node.get("name"):
                    self.records[node["tagUsed"] + " " + node["name"]] = fields
                self.walk(node.get("inner", []))
            elif kind == "TypedefDecl":
                self.typedefs[node["name"]] = node
            elif kind == "FunctionDecl" and not node.get("isImplicit"):
                self.functions.setdefault(node["name"], node)

    def record_of(self, name):
        """The fields of a structure, by its tag or by the typedef of one without."""
        if name in self.records:
            return self.records[name]
        found = re.search(
            r"'ownedTagDecl': \{'id': '(\w+)'|'decl': \{'id': '(\w+)', 'kind': 'RecordDecl'",
            str(self.typedefs.get(name, "")),
        )
        return self.records.get(found and (found.group(1) or found.group(2)))

    def has_pointer(self, type_name, depth=0):
        bare = re.sub(r"\b(const|volatile|restrict|__restrict)\b|\[\d*\]", "", type_name).strip()
        if bare.endswith("*") or "(*" in bare:
            return True
        fields = self.record_of(bare)
        if fields is None and bare in self.typedefs:
            named = desugared(self.typedefs[bare]["type"])
            return depth < 6 and named != bare and self.has_pointer(named, depth + 1)
        return depth < 6 and any(self.has_pointer(desugared(f), depth + 1) for f in fields or [])

    def matters(self, function):
        parameters = [
            c["type"] for c in function.get("inner", []) if c.get("kind") == "ParmVarDecl"
        ]
        return any(self.may_write_pointer(desugared(p)) for p in parameters)

    def takes_pointer(self, function):
        """Whether an argument can be an address, also behind the last parameter."""
        parameters = [
            desugared(c["type"])
            for c in function.get("inner", [])
            if c.get("kind") == "ParmVarDecl"
        ]
        return "..." in function["type"]["qualType"] or any(
            re.search(r"\*( ?(const|restrict|__restrict))*$|\(\*\)", p.strip()) for p in parameters
        )

    def may_write_pointer(self, type_name):
        bare = re.sub(r"\b(restrict|__restrict|const)$", "", type_name).strip()
        if not bare.endswith("*"):
            return False
        pointee = bare[:-1].strip()
        if re.search(r"\*\s*const$", pointee) or (
            pointee.startswith("const") and not pointee.endswith("*")
        ):
            return False
        return not OPAQUE.search(pointee) and (pointee == "void" or self.has_pointer(pointee))


def desugared(type_node):
    return type_node.get("desugaredQualType", type_node["qualType"])


def exported(declarations):
    """Names that the shared libraries of this program export, which the headers need not
    declare."""
    names = set(declarations.functions)
    for line in open("/proc/self/maps"):
        path = line.split()[-1]
        if re.search(r"/lib[cm][.-][^/]*so[^/]*$", path):
            symbols = subprocess.run(
                ["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=False
            ).stdout
            names.update(re.findall(r" [TWi] (\w+)", symbols))
    return names


# Lists of library_owners.def that name what this C library need not declare.
ELSEWHERE = ("elsewhere", "acre")
# Functions that programs define, for the dynamic linker to call.
AUDIT = re.compile("la_")


def read_owners(path):
    """(list, its first argument, names) of library_owners.def."""
    text = re.sub(r'"\s*"', "", open(path).read())
    return [
        (kind, label.strip('"'), names.split())
        for kind, label, names in re.findall(
            r'^ACRE_(\w+)\((?:("[\w./]+"|\d+),\s*)?\s*"([^"]*)"\)', text, re.M
        )
    ]


def owners_complaints(path, table_path, declarations):
    every = read_owners(path)
    lists = [each for each in every if each[0] != "PUTS_BYTES"]
    bytes_put = {name for kind, _, names in every if kind == "PUTS_BYTES" for name in names}
    named = {name for _, _, names in lists for name in names}
    # Lists of one line are of what not every C library declares.
    declared = set(declarations.functions) | {
        name
        for kind, label, names in lists
        for name in names
        if label in ELSEWHERE or (kind != "LENDS" and len(names) <= 5)
    }
    complaints = [
        f"{name} is given a pointer and is in no list of owners"
        for name, node in declarations.functions.items()
        if not name.startswith("_") and not AUDIT.match(name)
        if declarations.takes_pointer(node) and name not in named
    ]
    complaints += [f"{name} is in a list of owners and not declared" for name in named - declared]
    complaints += [f"{name} puts bytes and is in no other list" for name in bytes_put - named]
    lends = [name for kind, _, names in lists if kind == "LENDS" for name in names]
    others = {name for kind, _, names in lists if kind != "LENDS" for name in names}
    complaints += [
        f"{name} is listed twice, or lends and does more"
        for name in set(lends)
        if lends.count(name) > 1 or name in others
    ]
    into = {
        (name, label)
        for kind, label, names in lists
        if kind in ("POINTS_INTO", "MAKES_UNLESS")
        for name in names
    }
    text = open(table_path).read()
    complaints += [
        f"{name} points into argument {argument} in one table only"
        for name, argument in re.findall(r'^ACRE_INTO\("(\w+)", (\d)\)', text, re.M)
        if (name, argument) not in into
    ]
    complaints += [
        f"{name} is known to the pass alone"
        for name in re.findall(r'^ACRE_(?:LOOKS|READS_NUMBER)\("(\w+)"\)', text, re.M)
        if name not in named
    ]
    return complaints


def base_name(name, known):
    """The function that name is another name of, if it is one of known."""
    for pattern in (
        r"__isoc\d\d_(\w+)_l",
        r"__isoc\d\d_(\w+)",
        r"__(\w+)_chk",
        r"__(\w+)_internal",
        r"__(\w+)_l",
        r"__(\w+)",
        r"(\w+)_l",
    ):
        found = re.fullmatch(pattern, name)
        if found and found.group(1) in known:
            return found.group(1)
    return None


def main():
    parser = argparse.ArgumentParser()
    for option in ("--clang", "--table", "--guarantee"):
        parser.add_argument(option, required=True)
    parser.add_argument("--owners")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    table = read_table(options.table)
    tracked = set().union(*(table[kind] for kind in TRACKED + ("COLLECTED",)))
    known = tracked | table["HARMLESS"] | table["UNTRACKED"]
    declarations = Declarations(options.clang)
    wanted = {name for name, node in declarations.functions.items() if declarations.matters(node)}
    complaints = [
        f"{name} may store or keep a pointer and is in no list"
        for name in wanted - known
        if base_name(name, known - tracked) is None
    ]
    for name in exported(declarations) - known:
        base = base_name(name, tracked)
        if base and name not in wanted:
            complaints.append(
                f"{name} is another name of {base}, which is tracked, and is in no list"
            )
    sized = table["ACCESSES"]
    for name in exported(declarations) - sized:
        base = base_name(name, sized)
        if base:
            complaints.append(f"{name} is another name of {base}, which has accesses, and has none")
    guarantee = open(options.guarantee).read()
    complaints += [
        f"{name} is untracked, but {options.guarantee} does not say so"
        for name in table["UNTRACKED"]
        if not re.search(rf"\b{name.removesuffix('64')}\b", guarantee)
    ]
    both = tracked & (table["HARMLESS"] | table["UNTRACKED"]) - table["COLLECTED"]
    complaints += [f"{name} is in two lists" for name in both]
    if options.owners:
        complaints += owners_complaints(options.owners, options.table, declarations)
    print("\n".join(sorted(wanted if options.list else complaints)))
    print(f"{len(wanted)} functions matter, {len(complaints)} complaints", file=sys.stderr)
    return bool(complaints) and not options.list


if __name__ == "__main__":
    sys.exit(main())
