/* SPDX-License-Identifier: MIT */
/* declaration.h - declarations, types as written, initialisers. */
#ifndef LCC_DECLARATION_H
#define LCC_DECLARATION_H

#include "tree.h"

/* What stands before the declarators. */
struct specifiers {
  struct type *type;
  int storage; /* TOKEN_STATIC, TOKEN_EXTERN, TOKEN_TYPEDEF or 0 */
};

/* What a declarator makes of the type before it. */
struct declarator {
  struct type *type;
  struct atom *name; /* null if it has none */
};

bool is_type_start(void);
struct specifiers parse_specifiers(void);
/* A declarator for base. */
struct declarator parse_declarator(struct type *base);
struct type *parse_type_name(void);

/* One declaration or definition at the outermost level. */
void parse_external(void) deletes;
/* A declaration in a function. */
void parse_local_declaration(void) deletes;
/* The declaration of name in the innermost scope, checked against an earlier one. */
struct symbol *declare(struct atom *name, struct type *type, int storage);
/* A new local variable of the function, with or without name. */
struct symbol *declare_local(struct atom *name, struct type *type);
/* A compound literal's object: "{" is next.  *type is completed; *set initialises it, null if it is
 * static. */
struct symbol *declare_unnamed(region r, struct type **type, struct tree **set);

/* initializer.c.  Both return the type, completed if it was an array without length. */
struct type *initialize_static(region r, struct symbol *symbol, struct type *type);
struct type *initialize_local(region r, struct symbol *symbol, struct type *type,
                              struct tree **set);
/* A definition without initialiser. */
void define_zero(const struct symbol *symbol);
const char *symbol_assembly_name(const struct symbol *symbol);

/* statement.c */
void parse_function(struct symbol *symbol, struct type *type) deletes;

#endif
