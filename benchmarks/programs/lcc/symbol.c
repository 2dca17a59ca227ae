/* SPDX-License-Identifier: MIT */
/* symbol.c - hash tables, one for each scope that has declarations.
 *
 * A table and its symbols lie in the same region: permanent for the global one, the function's for
 * the others.
 */
#include "symbol.h"

struct table *scope;

struct table *table_new(region memory, struct table *outer, int bucket_count) {
  struct table *table = ralloc(memory, struct table);
  table->outer = outer;
  table->buckets = rarrayalloc(memory, (size_t)bucket_count, struct symbol *sameregion);
  table->bucket_count = bucket_count;
  return table;
}

void scope_enter(void) { scope = table_new(unit->function, scope, TABLE_BUCKETS); }

void scope_leave(void) { scope = scope->outer; }

static struct symbol *find_in(const struct table *table, const struct atom *name, bool is_tag) {
  struct symbol *symbol = table->buckets[name->hash % (uint32_t)table->bucket_count];
  while (symbol && (symbol->name != name || (symbol->kind == SYMBOL_TAG) != is_tag))
    symbol = symbol->next;
  return symbol;
}

struct symbol *symbol_find(const struct atom *name, bool is_tag) {
  for (const struct table *table = scope; table; table = table->outer) {
    struct symbol *symbol = find_in(table, name, is_tag);
    if (symbol)
      return symbol;
  }
  return NULL;
}

struct symbol *symbol_find_here(const struct atom *name, bool is_tag) {
  return find_in(scope, name, is_tag);
}

struct symbol *symbol_add(struct table *table, struct atom *name, enum symbol_kind kind,
                          struct type *type) {
  if (find_in(table, name, kind == SYMBOL_TAG))
    error("'%s' is declared twice", name->text);
  struct symbol *symbol = ralloc(regionof(table), struct symbol);
  struct symbol *sameregion *bucket = &table->buckets[name->hash % (uint32_t)table->bucket_count];
  symbol->name = name;
  symbol->kind = kind;
  symbol->type = type;
  symbol->next = *bucket;
  *bucket = symbol;
  return symbol;
}
