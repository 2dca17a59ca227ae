/* SPDX-License-Identifier: MIT */
/* forms.c - the words of the language. */
#include "compile.h"
#include "machine.h"

struct form_use {
  struct object *expression, *arguments, *scope;
  int64_t count; /* of arguments */
  bool is_tail;
};

static bool malformed(struct machine *m, const struct form_use *use) {
  return fail(m, "the form is not written as it must be", without_aliases(m, use->expression)) !=
         NULL;
}

static bool compile_quote(struct machine *m, struct unit *unit, const struct form_use *use) {
  if (use->count != 1)
    return malformed(m, use);
  emit_constant(m, unit, without_aliases(m, car(use->arguments)));
  emit_end(m, unit, use->is_tail);
  return true;
}

static bool compile_if(struct machine *m, struct unit *unit, const struct form_use *use) {
  struct object *branches = use->count == 2 || use->count == 3 ? cdr(use->arguments) : NULL;
  if (!branches)
    return malformed(m, use);
  if (!compile_expression(m, unit, car(use->arguments), use->scope, false))
    return false;
  size_t no = emit_jump(m, unit, CODE_JUMP_IF_FALSE);
  if (!compile_expression(m, unit, car(branches), use->scope, use->is_tail))
    return false;
  size_t end = use->is_tail ? 0 : emit_jump(m, unit, CODE_JUMP);
  patch_jump(unit, no);
  if (!compile_sequence(m, unit, cdr(branches), use->scope, use->is_tail))
    return false;
  if (!use->is_tail)
    patch_jump(unit, end);
  return true;
}

/* Outside all scopes; in a body, definitions are looked for before. */
static bool compile_define(struct machine *m, struct unit *unit, const struct form_use *use) {
  struct object *name, *value;
  if (use->scope)
    return fail(m, "a definition is out of place", without_aliases(m, use->expression)) != NULL;
  if (!split_definition(m, use->expression, &name, &value))
    return false;
  struct object *symbol = name_symbol(name);
  bool is_lambda =
      is_pair(value) && is_form(car(value), NULL, FORM_LAMBDA) && list_length(value) > 2;
  if (is_lambda ? !compile_lambda(m, unit, symbol, cadr(value), cdr(cdr(value)), NULL)
                : !compile_expression(m, unit, value, NULL, false))
    return false;
  as_symbol(symbol)->syntax = NULL;
  emit(m, unit, CODE_DEFINE);
  emit(m, unit, add_constant(m, unit, symbol));
  emit_end(m, unit, use->is_tail);
  return true;
}

static bool compile_set(struct machine *m, struct unit *unit, const struct form_use *use) {
  if (use->count != 2 || !is_name(car(use->arguments)))
    return malformed(m, use);
  struct meaning meaning = meaning_of(car(use->arguments), use->scope);
  if (meaning.kind == MEANS_SYNTAX)
    return fail(m, "a word of the language is no variable", name_symbol(car(use->arguments))) !=
           NULL;
  if (!compile_expression(m, unit, cadr(use->arguments), use->scope, false))
    return false;
  emit_set(m, unit, meaning);
  emit_end(m, unit, use->is_tail);
  return true;
}

static bool is_binding(struct object *o) { return list_length(o) == 2 && is_name(car(o)); }

static bool are_bindings(struct object *list) {
  if (list_length(list) < 0)
    return false;
  for (; is_pair(list); list = cdr(list))
    if (!is_binding(car(list)))
      return false;
  return true;
}

/* (let name ((variable value) ...) body ...): ((letrec ((name (lambda (variable ...) body ...)))
 * name) value ...) */
static bool compile_named_let(struct machine *m, struct unit *unit, const struct form_use *use) {
  struct object *name = car(use->arguments), *bindings = cadr(use->arguments),
                *body = cdr(cdr(use->arguments));
  struct object *names = m->nil, *values = m->nil, *reversed = m->nil;
  for (; is_pair(bindings); bindings = cdr(bindings))
    reversed = make_pair(m, car(bindings), reversed);
  for (; is_pair(reversed); reversed = cdr(reversed)) {
    names = make_pair(m, car(car(reversed)), names);
    values = make_pair(m, cadr(car(reversed)), values);
  }
  struct object *procedure = make_pair(m, form_object(m, FORM_LAMBDA), make_pair(m, names, body));
  struct object *binding = list_of(m, list_of(m, name, procedure, NULL), NULL);
  struct object *call =
      make_pair(m, list_of(m, form_object(m, FORM_LETREC), binding, name, NULL), values);
  call->line = use->expression->line;
  return compile_expression(m, unit, call, use->scope, use->is_tail);
}

static bool compile_let(struct machine *m, struct unit *unit, const struct form_use *use) {
  if (use->count > 2 && is_name(car(use->arguments)) && are_bindings(cadr(use->arguments)))
    return compile_named_let(m, unit, use);
  if (use->count < 2 || !are_bindings(car(use->arguments)))
    return malformed(m, use);
  struct object *bindings = car(use->arguments), *inside = scope_new(m, use->scope, true);
  if (is_nil(bindings))
    return compile_body(m, unit, cdr(use->arguments), use->scope, use->is_tail);
  int32_t count = 0;
  for (struct object *each = bindings; is_pair(each); each = cdr(each), count++) {
    if (!compile_expression(m, unit, cadr(car(each)), use->scope, false))
      return false;
    emit(m, unit, CODE_PUSH);
    scope_add(m, inside, car(car(each)), make_integer(m, FRAME_VARIABLES + count));
  }
  emit(m, unit, CODE_BIND);
  emit(m, unit, count);
  if (!compile_body(m, unit, cdr(use->arguments), inside, use->is_tail))
    return false;
  if (!use->is_tail)
    emit(m, unit, CODE_LEAVE);
  return true;
}

static bool compile_letrec(struct machine *m, struct unit *unit, const struct form_use *use) {
  if (use->count < 2 || !are_bindings(car(use->arguments)))
    return malformed(m, use);
  struct object *inside = scope_new(m, use->scope, true);
  int32_t count = 0;
  for (struct object *each = car(use->arguments); is_pair(each); each = cdr(each), count++)
    scope_add(m, inside, car(car(each)), make_integer(m, FRAME_VARIABLES + count));
  emit(m, unit, CODE_ENTER);
  emit(m, unit, count);
  for (struct object *each = car(use->arguments); is_pair(each); each = cdr(each)) {
    struct object *name = car(car(each)), *value = cadr(car(each));
    bool is_lambda =
        is_pair(value) && is_form(car(value), inside, FORM_LAMBDA) && list_length(value) > 2;
    if (is_lambda ? !compile_lambda(m, unit, name, cadr(value), cdr(cdr(value)), inside)
                  : !compile_expression(m, unit, value, inside, false))
      return false;
    emit_set(m, unit, meaning_of(name, inside));
  }
  if (!compile_body(m, unit, cdr(use->arguments), inside, use->is_tail))
    return false;
  if (!use->is_tail)
    emit(m, unit, CODE_LEAVE);
  return true;
}

/* and, or: the value is that of the last expression, or of the first that decides. */
static bool compile_junction(struct machine *m, struct unit *unit, const struct form_use *use,
                             bool is_and) {
  if (use->count == 0) {
    emit_constant(m, unit, make_boolean(m, is_and));
    emit_end(m, unit, use->is_tail);
    return true;
  }
  struct object *jumps = m->nil, *each = use->arguments;
  for (; is_pair(cdr(each)); each = cdr(each)) {
    if (!compile_expression(m, unit, car(each), use->scope, false))
      return false;
    size_t jump = emit_jump(m, unit, is_and ? CODE_JUMP_IF_FALSE : CODE_JUMP_IF_TRUE);
    jumps = make_pair(m, make_integer(m, (int64_t)jump), jumps);
  }
  if (!compile_expression(m, unit, car(each), use->scope, use->is_tail))
    return false;
  for (each = jumps; is_pair(each); each = cdr(each))
    patch_jump(unit, (size_t)integer_of(car(each)));
  if (is_pair(jumps))
    emit_end(m, unit, use->is_tail);
  return true;
}

static bool compile_when(struct machine *m, struct unit *unit, const struct form_use *use,
                         bool is_when) {
  if (use->count < 1 || !compile_expression(m, unit, car(use->arguments), use->scope, false))
    return use->count < 1 ? malformed(m, use) : false;
  size_t jump = emit_jump(m, unit, is_when ? CODE_JUMP_IF_FALSE : CODE_JUMP_IF_TRUE);
  if (!compile_sequence(m, unit, cdr(use->arguments), use->scope, use->is_tail))
    return false;
  size_t end = use->is_tail ? 0 : emit_jump(m, unit, CODE_JUMP);
  patch_jump(unit, jump);
  emit_constant(m, unit, m->unspecified);
  emit_end(m, unit, use->is_tail);
  if (!use->is_tail)
    patch_jump(unit, end);
  return true;
}

/* (test => receiver), and the clauses after it. */
static bool compile_receiver(struct machine *m, struct unit *unit, const struct form_use *use,
                             struct object *clauses) {
  struct object *name = &make_symbol(m, "test", 4)->head, *clause = car(clauses);
  struct object *call = list_of(m, car(cdr(cdr(clause))), name, NULL);
  struct object *rest = make_pair(m, form_object(m, FORM_COND), cdr(clauses));
  struct object *choice = list_of(m, form_object(m, FORM_IF), name, call, rest, NULL);
  struct object *bindings = list_of(m, list_of(m, name, car(clause), NULL), NULL);
  call->line = clause->line;
  return compile_expression(m, unit, list_of(m, form_object(m, FORM_LET), bindings, choice, NULL),
                            use->scope, use->is_tail);
}

static bool compile_cond(struct machine *m, struct unit *unit, const struct form_use *use,
                         struct object *clauses) {
  if (is_nil(clauses)) {
    emit_constant(m, unit, m->unspecified);
    emit_end(m, unit, use->is_tail);
    return true;
  }
  struct object *clause = car(clauses), *rest = cdr(clauses);
  int64_t length = list_length(clause);
  if (length < 1 || list_length(rest) < 0)
    return malformed(m, use);
  if (is_form(car(clause), use->scope, FORM_ELSE))
    return is_nil(rest) ? compile_sequence(m, unit, cdr(clause), use->scope, use->is_tail)
                        : malformed(m, use);
  if (length == 3 && is_form(cadr(clause), use->scope, FORM_ARROW))
    return compile_receiver(m, unit, use, clauses);
  if (!compile_expression(m, unit, car(clause), use->scope, false))
    return false;
  size_t next = emit_jump(m, unit, length == 1 ? CODE_JUMP_IF_TRUE : CODE_JUMP_IF_FALSE), end = 0;
  if (length > 1) {
    if (!compile_sequence(m, unit, cdr(clause), use->scope, use->is_tail))
      return false;
    end = use->is_tail ? 0 : emit_jump(m, unit, CODE_JUMP);
    patch_jump(unit, next);
  }
  if (!compile_cond(m, unit, use, rest))
    return false;
  if (length == 1)
    patch_jump(unit, next);
  else if (!use->is_tail)
    patch_jump(unit, end);
  if (length == 1)
    emit_end(m, unit, use->is_tail);
  return true;
}

/* One clause of case as one of cond. */
static struct object *case_clause(struct machine *m, struct object *clause, struct object *key,
                                  struct object *scope) {
  struct object *body = cdr(clause), *test = car(clause);
  if (is_pair(body) && is_form(car(body), scope, FORM_ARROW) && list_length(body) == 2)
    body = list_of(m, list_of(m, cadr(body), key, NULL), NULL);
  if (!is_form(test, scope, FORM_ELSE))
    test = list_of(m, primitive_object(m, "memv"), key,
                   list_of(m, form_object(m, FORM_QUOTE), test, NULL), NULL);
  else
    test = form_object(m, FORM_ELSE);
  return make_pair(m, test, body);
}

static bool compile_case(struct machine *m, struct unit *unit, const struct form_use *use) {
  if (use->count < 1)
    return malformed(m, use);
  struct object *key = &make_symbol(m, "key", 3)->head, *clauses = m->nil, *cond = m->nil;
  for (struct object *each = cdr(use->arguments); is_pair(each); each = cdr(each)) {
    struct object *clause = car(each);
    if (list_length(clause) < 2 ||
        (!is_form(car(clause), use->scope, FORM_ELSE) && list_length(car(clause)) < 0))
      return malformed(m, use);
    clauses = make_pair(m, case_clause(m, car(each), key, use->scope), clauses);
  }
  for (; is_pair(clauses); clauses = cdr(clauses))
    cond = make_pair(m, car(clauses), cond);
  cond = make_pair(m, form_object(m, FORM_COND), cond);
  struct object *bindings = list_of(m, list_of(m, key, car(use->arguments), NULL), NULL);
  return compile_expression(m, unit, list_of(m, form_object(m, FORM_LET), bindings, cond, NULL),
                            use->scope, use->is_tail);
}

struct object *syntax_of(struct machine *m, struct object *expression, struct object *scope) {
  if (is_name(expression)) {
    struct meaning meaning = meaning_of(expression, scope);
    if (meaning.kind == MEANS_SYNTAX)
      return meaning.object;
  }
  if (is_pair(expression) && is_form(car(expression), scope, FORM_SYNTAX_RULES))
    return macro_new(m, expression, scope);
  return fail(m, "(syntax-rules ...) is expected", without_aliases(m, expression));
}

/* Outside all scopes. */
static bool compile_define_syntax(struct machine *m, struct unit *unit,
                                  const struct form_use *use) {
  if (use->count != 2 || !is_name(car(use->arguments)))
    return malformed(m, use);
  if (use->scope)
    return fail(m, "a definition is out of place", without_aliases(m, use->expression)) != NULL;
  struct object *syntax = syntax_of(m, cadr(use->arguments), NULL);
  if (!syntax)
    return false;
  as_symbol(name_symbol(car(use->arguments)))->syntax = syntax;
  emit_constant(m, unit, m->unspecified);
  emit_end(m, unit, use->is_tail);
  return true;
}

static bool compile_let_syntax(struct machine *m, struct unit *unit, const struct form_use *use,
                               bool is_recursive) {
  if (use->count < 2 || !are_bindings(car(use->arguments)))
    return malformed(m, use);
  struct object *inside = scope_new(m, use->scope, false);
  for (struct object *each = car(use->arguments); is_pair(each); each = cdr(each)) {
    struct object *syntax = syntax_of(m, cadr(car(each)), is_recursive ? inside : use->scope);
    if (!syntax)
      return false;
    scope_add(m, inside, car(car(each)), syntax);
  }
  return compile_body(m, unit, cdr(use->arguments), inside, use->is_tail);
}

static bool compile_quasiquote(struct machine *m, struct unit *unit, const struct form_use *use) {
  if (use->count != 1)
    return malformed(m, use);
  struct object *expanded = expand_quasiquote(m, car(use->arguments), use->scope, 1);
  return expanded && compile_expression(m, unit, expanded, use->scope, use->is_tail);
}

bool compile_form(struct machine *m, struct unit *inregion(m) unit, enum form form,
                  struct object *expression, struct object *scope, bool is_tail) {
  struct object *arguments = cdr(expression);
  const struct form_use use = {expression, arguments, scope, list_length(arguments), is_tail};
  if (use.count < 0)
    return malformed(m, &use);
  switch (form) {
  case FORM_QUOTE:
    return compile_quote(m, unit, &use);
  case FORM_QUASIQUOTE:
    return compile_quasiquote(m, unit, &use);
  case FORM_IF:
    return compile_if(m, unit, &use);
  case FORM_DEFINE:
    return compile_define(m, unit, &use);
  case FORM_SET:
    return compile_set(m, unit, &use);
  case FORM_LAMBDA:
    if (use.count < 2)
      return malformed(m, &use);
    if (!compile_lambda(m, unit, NULL, car(arguments), cdr(arguments), scope))
      return false;
    emit_end(m, unit, is_tail);
    return true;
  case FORM_BEGIN:
    return compile_sequence(m, unit, arguments, scope, is_tail);
  case FORM_LET:
    return compile_let(m, unit, &use);
  case FORM_LETREC:
  case FORM_LETREC_STAR:
    return compile_letrec(m, unit, &use);
  case FORM_AND:
  case FORM_OR:
    return compile_junction(m, unit, &use, form == FORM_AND);
  case FORM_WHEN:
  case FORM_UNLESS:
    return compile_when(m, unit, &use, form == FORM_WHEN);
  case FORM_COND:
    return compile_cond(m, unit, &use, arguments);
  case FORM_CASE:
    return compile_case(m, unit, &use);
  case FORM_DEFINE_SYNTAX:
    return compile_define_syntax(m, unit, &use);
  case FORM_LET_SYNTAX:
  case FORM_LETREC_SYNTAX:
    return compile_let_syntax(m, unit, &use, form == FORM_LETREC_SYNTAX);
  default:
    return fail(m, "a word of the language is out of place", without_aliases(m, expression)) !=
           NULL;
  }
}
