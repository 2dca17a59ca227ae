# SPDX-License-Identifier: MIT
"""gdb pretty-printers for Acre: region handles, and the objects that pointers into regions lead to.

Loaded by itself beside libacre.so, or with `source acre-gdb.py`.  Needs the runtime's debug
information.

  print r                 region 'request' (created at server.c:42), count 2
  acre regions            all live regions
  acre object POINTER     the object that POINTER points into, with its region
"""

import gdb

CHUNK_SHIFT = 10  # ACRE_CHUNK_SHIFT
WINDOW_SHIFT = 40
PAGE_SHIFT = 14  # ACRE_WINDOW_PAGE_SHIFT
BLOCK_HEADER = 48
BUMP_ONE_SHIFT = 24  # ACRE_BUMP_ONE
SITE_MASK = (1 << 48) - 1
SIZE_ESCAPE = 0xFFFF
BACK_MAX = 0xFFFF
BACK_CHUNK_SHIFT = 15
FREE, LIVE, DEFERRED, RETIRED = range(4)


def global_value(name):
    symbol = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
    if symbol is None:
        raise gdb.GdbError("no debug information for the Acre runtime (%s)" % name)
    return symbol.value()


def slot_at(index):
    chunks = global_value("acre_region_chunks")
    if index >> CHUNK_SHIFT > chunks.type.range()[1]:
        return None
    chunk = chunks[index >> CHUNK_SHIFT]
    return chunk[index & ((1 << CHUNK_SHIFT) - 1)] if int(chunk) else None


def text(value):
    return value.string(errors="replace") if int(value) else None


def describe(slot):
    index = int(slot["index"])
    if index == 0:
        return "the traditional region"
    if index == 1:
        return "the permanent region"
    name, here = text(slot["name"]), text(slot["created_here"])
    called = (
        "region '%s' (created at %s)" % (name, here) if name else "the region created at %s" % here
    )
    state = ", delete deferred" if int(slot["state"]) == DEFERRED else ""
    return "%s, count %d%s" % (called, int(slot["count"]), state)


class HandlePrinter:
    """A region handle: bit 63, 31 bits of generation, 32 bits of index."""

    def __init__(self, value):
        self.handle = int(value) & (2**64 - 1)

    def to_string(self):
        if self.handle == 0:
            return "no region"
        slot = slot_at(self.handle & 0xFFFFFFFF) if self.handle >> 63 else None
        if slot is None:
            return "0x%x, which is not a region handle" % self.handle
        is_alive = int(slot["state"]) in (LIVE, DEFERRED)
        if is_alive and int(slot["generation"]) == self.handle >> 32 & 0x7FFFFFFF:
            return describe(slot)
        return "a deleted region"


def read_word(address):
    return int(gdb.Value(address).cast(gdb.lookup_type("unsigned long").pointer()).dereference())


def owner_of(address):
    if address >> WINDOW_SHIFT != int(global_value("acre_rt_window_tag")):
        return 0
    page = (address - int(global_value("acre_rt_window_base"))) >> PAGE_SHIFT
    is_inside = 0 <= page < int(global_value("acre_rt_window_pages"))
    return int(global_value("acre_rt_page_map")[page]["owner"]) if is_inside else 0


def block_of(address):
    start = address & ~((1 << PAGE_SHIFT) - 1)
    while True:
        page = (start & ((1 << WINDOW_SHIFT) - 1)) >> PAGE_SHIFT
        back = int(
            global_value("acre_back_chunks")[page >> BACK_CHUNK_SHIFT][
                page & ((1 << BACK_CHUNK_SHIFT) - 1)
            ]
        )
        start -= back << PAGE_SHIFT
        if back != BACK_MAX:
            return start


def find_object(address):
    """(start, size, site) of the object that address points into, or None.  Walks its block."""
    block = gdb.Value(block_of(address)).cast(gdb.lookup_type("struct acre_block").pointer())
    allocator = block["allocator"]
    is_current = int(allocator["blocks"]) == int(block)
    end = int(allocator["bump"]["avail"] if is_current else block["end"])
    at, found = int(block) + BLOCK_HEADER, None
    while at < end:
        word = read_word(at)
        at += 8
        if word == 0:
            continue
        size = word >> 48
        if size == SIZE_ESCAPE:
            size = read_word(at)
            at += 8
        if at > address:
            break
        found = (at, size, word & SITE_MASK)
        at += (size + 7) & ~7
    return found


def describe_object(address):
    owner = owner_of(address)
    if owner == 0:
        return "0x%x is in no region" % address
    found = find_object(address)
    where = describe(slot_at(owner))
    if found is None:
        return "0x%x is in no object of %s" % (address, where)
    start, size, site_address = found
    what = "%d bytes" % size
    if site_address:
        site = gdb.Value(site_address).cast(gdb.lookup_type("acre_site").pointer())
        if int(site["type"]):
            what = text(site["type"]["name"])
        if int(site["file"]):
            what += " allocated at %s:%d" % (text(site["file"]), int(site["line"]))
    return "0x%x is offset %d of %s (%d bytes at 0x%x) in %s" % (
        address,
        address - start,
        what,
        size,
        start,
        where,
    )


class AcreCommand(gdb.Command):
    """Commands about Acre's regions."""

    def __init__(self):
        super().__init__("acre", gdb.COMMAND_DATA, prefix=True)


def totals(slot):
    """Objects and bytes that were allocated in a region."""
    objects = size = 0
    for allocator in (slot["normal"], slot["pointer_free"]):
        tally = int(allocator["bump"]["tally"])
        objects += int(allocator["objects"]) + (tally >> BUMP_ONE_SHIFT)
        size += int(allocator["bytes_requested"]) + (tally & ((1 << BUMP_ONE_SHIFT) - 1))
    return objects, size


class RegionsCommand(gdb.Command):
    """List all live regions: handle, what it is, objects and bytes."""

    def __init__(self):
        super().__init__("acre regions", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        for index in range(int(global_value("index_limit"))):
            slot = slot_at(index)
            if int(slot["state"]) in (LIVE, DEFERRED):
                handle = 1 << 63 | int(slot["generation"]) << 32 | index
                objects, size = totals(slot)
                print("0x%x  %s, %d objects, %d bytes" % (handle, describe(slot), objects, size))


class ObjectCommand(gdb.Command):
    """acre object POINTER: the object that POINTER points into."""

    def __init__(self):
        super().__init__("acre object", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        if not argument:
            raise gdb.GdbError("acre object needs a pointer")
        print(describe_object(int(gdb.parse_and_eval(argument)) & (2**64 - 1)))


def handle_printer(value):
    kind = value.type.strip_typedefs()
    is_handle = (
        kind.code == gdb.TYPE_CODE_PTR and kind.target().unqualified().tag == "acre_region_handle"
    )
    return HandlePrinter(value) if is_handle else None


gdb.pretty_printers.append(handle_printer)
AcreCommand()
RegionsCommand()
ObjectCommand()
