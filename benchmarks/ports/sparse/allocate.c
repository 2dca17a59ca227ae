/* SPDX-License-Identifier: MIT */
/* allocate.c - the beginnings and ends of sparse's regions.
 *
 * Before a region is deleted, what stays must forget it.  What is predefined is in lists and a
 * table of its own, so it is enough that these take the places of the unit's.
 */
#include "allocate.h"
#include "lib.h"
#include "linearize.h"
#include "scope.h"
#include "symbol.h"
#include "token.h"

/* -- Names ------------------------------------------------------------------------------------- */

static struct symbol *no_symbols;
struct symbol **first_symbols = &no_symbols;
static unsigned int names = 1, names_capacity = 1;

static void copy_names(struct symbol **from, unsigned int count) {
  names_capacity = names + names / 2 + 512;
  struct symbol **table = alloc_names(names_capacity);
  for (unsigned int i = 1; i < count; i++)
    if (from[i])
      table[i] = from[i];
  first_symbols = table;
}

struct symbol **symbol_slot(struct ident *ident) {
  if (!ident->nr) {
    if (names == names_capacity)
      copy_names(first_symbols, names);
    ident->nr = names++;
  }
  return &first_symbols[ident->nr];
}

/* -- Regions ----------------------------------------------------------------------------------- */

#ifdef MEMORY_BLOBS

static struct pseudo_list *value_table[VALUE_HASH_SIZE];
struct pseudo_list **value_pseudos = value_table;
static struct pseudo_list *dying;
struct pseudo_list **dying_pseudos = &dying;

#else

#include <stdio.h>
#include <string.h>

settled region unit_region;
struct pseudo_list **value_pseudos, **dying_pseudos;

/* Lists that begin with what is predefined.  Each unit adds to copies. */
extern struct symbol_list *restr, *fouled;
/* What parsing goes on with after an error: it leads to the token in error. */
extern struct token bad_token;
static struct symbol_list *predefined_restr, *predefined_fouled, *predefined_symbols;
static struct symbol **predefined_first;
static unsigned int predefined_names;

struct ident *traditional __alloc_ident(int extra) {
#if defined(MEMORY_MALLOC) || defined(MEMORY_COLLECTED)
  struct ident *ident = memory_new(1, sizeof *ident + extra);
#else
  struct ident *ident = calloc(1, sizeof *ident + extra);
#endif
  if (!ident)
    die("out of memory");
  return ident;
}

void start_allocating(void) deletes {
  memory_start();
  unit_region = permanent_region;
  value_pseudos = rarrayalloc(permanent_region, VALUE_HASH_SIZE, struct pseudo_list *);
  dying_pseudos = rarrayalloc(permanent_region, 1, struct pseudo_list *);
}

void end_predefinition(void) {
  predefined_symbols = global_scope->symbols;
  predefined_restr = restr;
  predefined_fouled = fouled;
  predefined_first = first_symbols;
  predefined_names = names;
}

/* In the unit's region. */
static struct symbol_list *copy_list(struct symbol_list *list) {
  struct symbol_list *copy = NULL;
  struct symbol *symbol;
  FOR_EACH_PTR(list, symbol) { add_symbol(&copy, symbol); }
  END_FOR_EACH_PTR(symbol);
  return copy;
}

void start_unit(void) deletes {
  end_unit();
  unit_region = newregion();
  value_pseudos = rarrayalloc(unit_region, VALUE_HASH_SIZE, struct pseudo_list *);
  dying_pseudos = rarrayalloc(unit_region, 1, struct pseudo_list *);
  global_scope->symbols = copy_list(predefined_symbols);
  restr = copy_list(predefined_restr);
  fouled = copy_list(predefined_fouled);
  copy_names(predefined_first, predefined_names);
}

/* Symbols that are predefined may have got a value, or a definition in the unit. */
static void forget_unit(struct symbol *symbol) {
  symbol->pseudo = NULL;
  if (symbol->namespace & (NS_MACRO | NS_UNDEF))
    symbol->used_in = NULL;
  if (symbol->namespace == NS_SYMBOL) {
    symbol->same_symbol = NULL;
    symbol->definition = NULL;
    symbol->ep = NULL;
  }
}

static void forget_symbols(void) {
  struct symbol *symbol;
  FOR_EACH_PTR(predefined_symbols, symbol) { forget_unit(symbol); }
  END_FOR_EACH_PTR(symbol);
  first_symbols = predefined_first;
  global_scope->symbols = predefined_symbols;
  restr = predefined_restr;
  fouled = predefined_fouled;
  translation_unit_used_list = function_computed_target_list = NULL;
  function_computed_goto_list = NULL;
}

void end_unit(void) deletes {
  if (unit_region == permanent_region)
    return;
  file_scope = function_scope = block_scope = global_scope;
  forget_symbols();
  value_pseudos = dying_pseudos = NULL;
  bad_token.next = NULL;
  region gone = unit_region;
  unit_region = NULL;
  deleteregion(gone);
}

char *token_bytes(const void *bytes, unsigned long count) {
  return memcpy(rstralloc(unit_region, count), bytes, count);
}

char *permanent_bytes(const void *bytes, unsigned long count) {
  return memcpy(rstralloc(permanent_region, count), bytes, count);
}

void report_stats(void) {
#if !defined(MEMORY_MALLOC) && !defined(MEMORY_COLLECTED)
  acre_stats stats;
  acre_get_stats(&stats);
  if (fmem_report)
    fprintf(stderr, "%zu regions, %zu objects, %zu bytes\n", stats.regions_created, stats.objects,
            stats.bytes_requested);
#endif
}

#endif
