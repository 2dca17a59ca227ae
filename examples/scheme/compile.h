/* SPDX-License-Identifier: MIT */
/* compile.h - data to code. */
#ifndef SCHEME_COMPILE_H
#define SCHEME_COMPILE_H

#include "primitives.h"
#include "syntax.h"

/* Code of one function that is made, and of the expression in it that is looked at. */
struct unit {
  struct object head;
  int32_t *sameregion words;
  size_t length, size;
  struct object *sameregion constants; /* the newest first */
  int32_t constant_count;
};

/* Code without arguments that has the value of the expression, outside all scopes; null: a failure.
 */
struct code *compile(struct machine *m, struct object *expression);

/* -- Between the files of the compiler --------------------------------------------------------- */

/* Appends code for an expression in a scope.  is_tail: its value is the function's result.  False:
 * a failure. */
bool compile_expression(struct machine *m, struct unit *inregion(m) unit, struct object *expression,
                        struct object *scope, bool is_tail);
/* Appends code for a list of expressions, the last of which has the value; none: unspecified. */
bool compile_sequence(struct machine *m, struct unit *inregion(m) unit, struct object *list,
                      struct object *scope, bool is_tail);
/* The same for a body, which may begin with definitions. */
bool compile_body(struct machine *m, struct unit *inregion(m) unit, struct object *body,
                  struct object *scope, bool is_tail);
/* Appends code for a form of the language; form is its number. */
bool compile_form(struct machine *m, struct unit *inregion(m) unit, enum form form,
                  struct object *expression, struct object *scope, bool is_tail);
/* Appends code that makes a procedure. */
bool compile_lambda(struct machine *m, struct unit *inregion(m) unit, struct object *name,
                    struct object *parameters, struct object *body, struct object *scope);
/* Looks at uses of macros at the head of the expression until it is none; null: a failure. */
struct object *expand_head(struct machine *m, struct object *expression, struct object *scope);
/* The macro or form that the second part of (define-syntax name ...) says; null: a failure. */
struct object *syntax_of(struct machine *m, struct object *expression, struct object *scope);
/* What (quasiquote datum) becomes; null: a failure. */
struct object *expand_quasiquote(struct machine *m, struct object *datum, struct object *scope,
                                 unsigned level);
/* The name and the expression of (define name expression), also where it defines a function; false:
 * a failure. */
bool split_definition(struct machine *m, struct object *expression, struct object **name,
                      struct object **value);

size_t emit(struct machine *m, struct unit *inregion(m) unit, int32_t word);
void emit_constant(struct machine *m, struct unit *inregion(m) unit,
                   struct object *inregion(m) value);
int32_t add_constant(struct machine *m, struct unit *inregion(m) unit,
                     struct object *inregion(m) value);
/* Emits a jump to be told where to; returns what patch_jump wants. */
size_t emit_jump(struct machine *m, struct unit *inregion(m) unit, int32_t instruction);
void patch_jump(struct unit *unit, size_t jump);
/* Emits a return where the value is the function's result. */
void emit_end(struct machine *m, struct unit *inregion(m) unit, bool is_tail);
void emit_set(struct machine *m, struct unit *inregion(m) unit, struct meaning meaning);
/* A list of the arguments, up to a null. */
struct object *list_of(struct machine *m, ...);

#endif
