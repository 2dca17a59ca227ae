/* SPDX-License-Identifier: MIT */
/* allocate.h - sparse's allocators, made of regions.
 *
 *   permanent     identifiers, names of files, what is set up before the first file
 *   unit_region   all that is made of one file: tokens, symbols, expressions, statements, their
 *                 lists, the linear code
 *
 * A unit ends where sparse begins the next file or the program ends.  sparse keeps it to the end of
 * the program.  In a region nothing is given back by itself.
 *
 * With MEMORY_BLOBS all this is sparse's own allocator, untouched: blobs.h and blobs.c are its
 * allocate.h and allocate.c.
 */
#ifndef ALLOCATE_H
#define ALLOCATE_H

struct ident;
struct symbol;
/* The symbols of each name, linked by next_id, by the name's number; names without symbols have
 * number 0.  The table is in the unit's region, as most symbols are. */
extern struct symbol **first_symbols;
/* Gives the name a number if it has none.  The table may move. */
struct symbol **symbol_slot(struct ident *ident);

struct pseudo_list;
/* The constants of the unit's linear code, by hash. */
extern struct pseudo_list **value_pseudos;
enum { VALUE_HASH_SIZE = 64 };
/* The pseudos that die at an instruction: a variable of sparse's, in the unit's region, as what it
 * leads to is. */
extern struct pseudo_list **dying_pseudos;

#ifdef MEMORY_BLOBS

#include "blobs.h"
#include "utils.h"

#define sameregion
#define parentptr
#define traditional
#define deletes
#define inregion(r)
#define settled

#define start_allocating() ((void)0)
#define start_unit() ((void)0)
#define end_unit() ((void)0)
#define end_predefinition() protect_token_alloc()
#define alloc_beside(object, T) __alloc_##T(0)
#define alloc_statement_beside(object, place, kind) alloc_statement((place), (kind))
#define alloc_names(count) calloc((count), sizeof(struct symbol *))
#define alloc_array_beside(object, count, T) calloc((count), sizeof(T))
#define free_array_beside(array) free(array)
#define end_at(token) ((token)->next = NULL)
#define __alloc_ptr_list(extra) __alloc_ptrlist(extra)
#define alloc_permanent_bytes(count) malloc(count)
#define permanent_bytes(bytes, count) xmemdup((bytes), (count))
#define token_bytes(bytes, count) xmemdup((bytes), (count))

#else

#include "memory.h"

extern settled region unit_region;

/* Parts of an object are allocated in the region of the object. */
#define alloc_beside(object, T) ralloc(regionof(object), struct T)
#define alloc_names(count) rarrayalloc(unit_region, (count), struct symbol *)
#define alloc_array_beside(object, count, T) rarrayalloc(regionof(object), (count), T)
#define free_array_beside(array) ((void)(array))
/* A new token leads to nothing. */
#define end_at(token) ((void)(token))
/* What alloc_statement makes. */
#define alloc_statement_beside(object, place, kind)            \
  ({                                                           \
    struct statement *made_ = alloc_beside(object, statement); \
    made_->pos = (place);                                      \
    made_->type = (kind);                                      \
    made_;                                                     \
  })
#define __alloc_ptrlist(extra) ralloc(unit_region, struct ptr_list)

/* Identifiers are outside all regions, as those that are static are. */
struct ident *traditional __alloc_ident(int extra);
#define __alloc_string(extra) ralloc_flexible(unit_region, struct string, (extra))
#define __alloc_bytes(count) rstralloc(unit_region, (count))
#define __alloc_token(extra) ralloc(unit_region, struct token)
#define __alloc_symbol(extra) ralloc(unit_region, struct symbol)
#define __alloc_scope(extra) ralloc(unit_region, struct scope)
#define __alloc_context(extra) ralloc(unit_region, struct context)
#define __alloc_expression(extra) ralloc(unit_region, struct expression)
#define __alloc_type_expression(extra) ralloc(unit_region, struct type_expression)
#define __alloc_statement(extra) ralloc(unit_region, struct statement)
#define __alloc_asm_operand(extra) ralloc(unit_region, struct asm_operand)
#define __alloc_asm_rules(extra) ralloc(unit_region, struct asm_rules)
#define __alloc_asm_constraint(extra) ralloc(unit_region, struct asm_constraint)
#define __alloc_entrypoint(extra) ralloc(unit_region, struct entrypoint)
#define __alloc_basic_block(extra) ralloc(unit_region, struct basic_block)
#define __alloc_instruction(extra) ralloc(unit_region, struct instruction)
#define __alloc_multijmp(extra) ralloc(unit_region, struct multijmp)
#define __alloc_pseudo(extra) ralloc(unit_region, struct pseudo)
#define __alloc_pseudo_user(extra) ralloc(unit_region, struct pseudo_user)
#define __alloc_ptrmap(extra) ralloc(unit_region, struct ptrmap)
#define __alloc_storage(extra) ralloc(unit_region, struct storage)
#define __alloc_storage_hash(extra) ralloc(unit_region, struct storage_hash)

#define __free_token(token) ((void)(token))
#define __free_ptrlist(list) ((void)(list))

#define __DECLARE_ALLOCATOR(type, x) struct x
#define DECLARE_ALLOCATOR(x) struct x
#define __ALLOCATOR(type, name, x) struct x
#define ALLOCATOR(x, name) struct x

/* Before anything is allocated. */
void start_allocating(void) deletes;
/* What is predefined stays; from here on everything belongs to a file. */
void end_predefinition(void);
void start_unit(void) deletes;
void end_unit(void) deletes;
/* Macros and their tokens are in the unit's region too. */
#define clear_token_alloc() ((void)0)

#define alloc_permanent_bytes(count) rstralloc(permanent_region, (count))
/* A copy that outlives the unit. */
char *permanent_bytes(const void *bytes, unsigned long count);
/* A copy for a token. */
char *token_bytes(const void *bytes, unsigned long count);

#endif
#endif
