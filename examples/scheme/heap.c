/* SPDX-License-Identifier: MIT */
/* heap.c - a copying collector of two arenas.
 *
 * Copies are numbered as they are made.  An object's forward is the number of its copy, counted
 * from 1; two tables, one in each arena, say which object and which copy a number means.  So no
 * pointer leads from one arena to the other, and the tables are also the queue: a copy is made
 * empty, and filled with copies when its number's turn comes. An object is in one of three states:
 * not reached (forward is 0), reached (its copy is empty), done (its number is below the next to
 * fill).  The tables stay behind: the old one goes with its arena, the new one is garbage.
 */
#include "heap.h"

#include <string.h>

#include "../events/footprint.h"
#include "machine.h"
#include "ports.h"

static struct object *sameregion *table_place(struct machine *m, uint32_t number, unsigned *chunk) {
  uint32_t shifted = number + (1u << FIRST_CHUNK_BITS);
  unsigned bits = 31 - (unsigned)__builtin_clz(shifted);
  *chunk = bits - FIRST_CHUNK_BITS;
  return m->numbered[*chunk] ? &m->numbered[*chunk][shifted - (1u << bits)] : NULL;
}

static void table_set(struct machine *m, uint32_t number, struct object *object) {
  unsigned chunk;
  struct object *sameregion *place = table_place(m, number, &chunk);
  if (!place) {
    m->numbered[chunk] =
        rarrayalloc(MEMORY(m), (size_t)1 << (FIRST_CHUNK_BITS + chunk), struct object *sameregion);
    place = table_place(m, number, &chunk);
  }
  *place = object;
}

static struct object *table_get(struct machine *m, uint32_t number) {
  unsigned chunk;
  return *table_place(m, number, &chunk);
}

/* A copy of o in to without the pointers. */
static struct object *copy_empty(struct machine *to, const struct object *o) {
  switch (o->kind) {
  case KIND_FLONUM:
    return make_flonum(to, flonum_of(o));
  case KIND_PAIR: {
    struct object *copy = make_pair(to, NULL, NULL);
    copy->line = o->line;
    return copy;
  }
  case KIND_STRING: {
    const struct string *old = (const struct string *)o;
    struct string *copy = make_string(to, old->length);
    memcpy(copy->characters, old->characters, old->length * sizeof(uint32_t));
    return &copy->head;
  }
  case KIND_BYTEVECTOR: {
    const struct bytevector *old = (const struct bytevector *)o;
    struct bytevector *copy = make_bytevector(to, old->length);
    memcpy(copy->bytes, old->bytes, old->length);
    return &copy->head;
  }
  case KIND_SYMBOL: {
    const struct symbol *old = (const struct symbol *)o;
    return &make_symbol(to, old->name, old->length)->head;
  }
  case KIND_CODE: {
    const struct code *old = (const struct code *)o;
    struct code *copy = make_code(to, old->length);
    memcpy(copy->words, old->words, old->length * sizeof(int32_t));
    copy->required = old->required;
    copy->has_rest = old->has_rest;
    return &copy->head;
  }
  case KIND_POINT:
    return make_point(to, NULL, ((const struct point *)o)->place);
  default:
    if (is_slots(o))
      return &make_slots(to, (enum kind)o->kind, ((const struct slots *)o)->length, NULL)->head;
    return make_number_of_kind(to, (enum kind)o->kind, integer_of(o));
  }
}

/* The copy of o, which is made if there is none yet. */
static struct object *forwarded(struct machine *from, struct machine *to, struct object *o) {
  if (!o)
    return NULL;
  if (!o->forward) {
    if (to->numbered_count == NUMBERED_MAX)
      machine_die("more objects than a collection can count");
    table_set(from, to->numbered_count, o);
    table_set(to, to->numbered_count, copy_empty(to, o));
    o->forward = ++to->numbered_count;
  }
  return table_get(to, o->forward - 1);
}

#define FORWARDED(T, place) ((T *)forwarded(from, to, (struct object *)(place)))

static void fill_slots(struct machine *from, struct machine *to, struct slots *copy,
                       const struct slots *o) {
  for (size_t i = 0; i < o->length; i++)
    copy->items[i] = forwarded(from, to, o->items[i]);
}

/* Gives copy what o points to. */
static void fill(struct machine *from, struct machine *to, struct object *copy,
                 const struct object *o) {
  switch (o->kind) {
  case KIND_PAIR:
    as_pair(copy)->car = forwarded(from, to, ((const struct pair *)o)->car);
    as_pair(copy)->cdr = forwarded(from, to, ((const struct pair *)o)->cdr);
    break;
  case KIND_SYMBOL:
    as_symbol(copy)->value = forwarded(from, to, ((const struct symbol *)o)->value);
    as_symbol(copy)->syntax = forwarded(from, to, ((const struct symbol *)o)->syntax);
    as_symbol(copy)->next = FORWARDED(struct symbol, ((const struct symbol *)o)->next);
    break;
  case KIND_CODE:
    ((struct code *)copy)->constants = FORWARDED(struct slots, ((const struct code *)o)->constants);
    ((struct code *)copy)->name = forwarded(from, to, ((const struct code *)o)->name);
    ((struct code *)copy)->file = FORWARDED(struct string, ((const struct code *)o)->file);
    break;
  case KIND_POINT:
    ((struct point *)copy)->code = FORWARDED(struct code, ((const struct point *)o)->code);
    break;
  default:
    if (is_kind(o, KIND_PORT))
      ports_found(o);
    if (is_slots(o))
      fill_slots(from, to, as_slots(copy), (const struct slots *)o);
  }
}

/* What the registers hold. */
static void fill_machine(struct machine *from, struct machine *to) {
#define REGISTER(T, name) to->name = FORWARDED(T, from->name);
  MACHINE_REGISTERS(REGISTER)
#undef REGISTER
  for (size_t i = 0; i < SYMBOL_CHAINS; i++)
    to->symbols[i] = FORWARDED(struct symbol, from->symbols[i]);
  to->place = from->place;
  to->top = from->top;
  to->count = from->count;
  to->line = from->line;
}

static struct machine *new_machine(region memory, struct host *host) {
  struct machine *m = ralloc(memory, struct machine);
  m->head.kind = KIND_MACHINE;
  m->host = host;
  MEMORY_INIT(m, memory);
  return m;
}

/* Copies all that from reaches. */
static void copy_all(struct machine *from, struct machine *to) {
  for (size_t i = from->top; i < from->stack->length; i++)
    from->stack->items[i] = NULL;
  fill_machine(from, to);
  for (uint32_t done = 0; done < to->numbered_count; done++)
    fill(from, to, table_get(to, done), table_get(from, done));
}

/* Asked while there are two arenas: then it is most. */
static void look_at_footprint(struct host *host) {
  size_t reserved = footprint_now().reserved + ARENA_BYTES();
  if (reserved > host->most_reserved)
    host->most_reserved = reserved;
}

/* Garbage may be as much as what is alive: the collector's work stays in proportion to what is
   allocated.  Near the limit it may be less, so that a program that goes over it is told before it
   is far. */
static void set_threshold(struct host *host) {
  size_t garbage = host->live > host->step ? host->live : host->step;
  size_t room = host->limit > host->live ? host->limit - host->live : 0;
  if (room < host->limit / 16)
    room = host->limit / 16;
  host->threshold = !host->step ? 1 : garbage < room ? garbage : room + 1;
}

bool heap_collect(struct host *host) {
  acre_key *unique key = acre_key_new();
  if (!key)
    return false;
  host->allocated = 0;
  {
    acre_open(space, key);
    acre_open(old, host->key);
    struct machine *to = new_machine(space, host);
    copy_all(acre_root(struct machine, old), to);
    for (size_t i = 0; i < NUMBERED_CHUNKS; i++)
      to->numbered[i] = NULL;
    acre_root(struct machine, space) = to;
  }
  look_at_footprint(host);
  acre_key_drop(acre_swap(&host->key, key));
  ports_sweep();
  host->live = host->allocated;
  host->copied += host->live;
  host->allocated = 0;
  host->collections++;
  set_threshold(host);
  return true;
}

bool heap_start(struct host *host) {
  set_threshold(host);
  acre_key *unique key = acre_key_new();
  if (!key)
    return false;
  {
    acre_open(memory, key);
    struct machine *m = new_machine(memory, host);
    acre_root(struct machine, memory) = m;
    machine_fill(m);
  }
  acre_key_drop(acre_swap(&host->key, key));
  return true;
}

void heap_end(struct host *host) { acre_key_drop(acre_take(&host->key)); }
