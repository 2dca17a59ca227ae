/* SPDX-License-Identifier: MIT */
/* syntax.h - what names mean where: scopes, words of the language, macros.
 *
 * A scope is a list of entries (name . meaning): the number of a variable in the scope's frame, a
 * word or a macro. What no scope has is outside, in the symbol itself.  A name that a macro puts
 * into a program is an alias: an object of its own that stands for a name in the macro's scope.  A
 * scope that binds an alias binds nothing else, and an alias that no scope binds means what its
 * name means where the macro was defined.  So macros are hygienic, except for definitions outside
 * all scopes, which define the name itself.
 */
#ifndef SCHEME_SYNTAX_H
#define SCHEME_SYNTAX_H

#include "value.h"

enum { SCOPE_PARENT, SCOPE_ENTRIES, SCOPE_HAS_FRAME, SCOPE_SLOTS };

/* Words of the language by their numbers; the names are in this order. */
// clang-format off: a list
#define FORMS(X) \
  X(QUOTE, "quote") X(QUASIQUOTE, "quasiquote") X(UNQUOTE, "unquote") \
  X(UNQUOTE_SPLICING, "unquote-splicing") X(IF, "if") X(DEFINE, "define") X(SET, "set!") \
  X(LAMBDA, "lambda") X(BEGIN, "begin") X(LET, "let") X(LETREC, "letrec") \
  X(LETREC_STAR, "letrec*") X(AND, "and") X(OR, "or") X(WHEN, "when") X(UNLESS, "unless") \
  X(COND, "cond") X(CASE, "case") X(ELSE, "else") X(ARROW, "=>") \
  X(DEFINE_SYNTAX, "define-syntax") X(LET_SYNTAX, "let-syntax") \
  X(LETREC_SYNTAX, "letrec-syntax") X(SYNTAX_RULES, "syntax-rules")
// clang-format on
#define FORM_NUMBER(name, word) FORM_##name,
enum form { FORMS(FORM_NUMBER) FORM_COUNT };
#undef FORM_NUMBER

enum meaning_kind { MEANS_GLOBAL, MEANS_LOCAL, MEANS_SYNTAX };
struct meaning {
  enum meaning_kind kind;
  struct object *object; /* MEANS_GLOBAL: the symbol; MEANS_SYNTAX: the form or macro */
  unsigned up, variable; /* MEANS_LOCAL */
};

struct object *inregion(m) scope_new(struct machine *m, struct object *inregion(m) parent,
                                     bool has_frame);
void scope_add(struct machine *m, struct object *inregion(m) scope, struct object *inregion(m) name,
               struct object *inregion(m) meaning);
/* scope may be null: outside. */
struct meaning meaning_of(struct object *name, struct object *scope);
/* Whether the name at the head of a list, or a name alone, is this word. */
bool is_form(struct object *o, struct object *scope, enum form form);
struct object *inregion(m) form_object(struct machine *m, enum form form);
/* The symbol behind an alias, or the symbol. */
struct object *name_symbol(struct object *name);
/* The datum with symbols in the place of aliases. */
struct object *inregion(m) without_aliases(struct machine *m, struct object *inregion(m) datum);

/* The macro that (syntax-rules ...) is in scope; null: a failure. */
struct object *inregion(m) macro_new(struct machine *m, struct object *inregion(m) rules,
                                     struct object *inregion(m) scope);
/* What a use of the macro becomes; null: a failure. */
struct object *inregion(m) macro_expand(struct machine *m, struct object *macro, struct object *use,
                                        struct object *scope);

#endif
