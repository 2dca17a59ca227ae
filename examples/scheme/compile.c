/* SPDX-License-Identifier: MIT */
/* compile.c - expressions, calls, procedures and bodies. */
#include "compile.h"

#include <stdarg.h>
#include <string.h>

#include "machine.h"

enum { COMPILE_DEPTH = 2500, EXPANSIONS_MAX = 100000 };

size_t emit(struct machine *m, struct unit *inregion(m) unit, int32_t word) {
  if (unit->length == unit->size) {
    size_t size = 2 * unit->size + 32;
    int32_t *words = rarrayalloc(MEMORY(m), size, int32_t);
    if (unit->length)
      memcpy(words, unit->words, unit->length * sizeof *words);
    unit->words = words;
    unit->size = size;
  }
  unit->words[unit->length] = word;
  return unit->length++;
}

int32_t add_constant(struct machine *m, struct unit *inregion(m) unit,
                     struct object *inregion(m) value) {
  int32_t number = unit->constant_count;
  for (struct object *each = unit->constants; is_pair(each); each = cdr(each)) {
    number--;
    if (car(each) == value)
      return number;
  }
  unit->constants = make_pair(m, value, unit->constants);
  return unit->constant_count++;
}

void emit_constant(struct machine *m, struct unit *inregion(m) unit,
                   struct object *inregion(m) value) {
  emit(m, unit, CODE_CONSTANT);
  emit(m, unit, add_constant(m, unit, value));
}

size_t emit_jump(struct machine *m, struct unit *inregion(m) unit, int32_t instruction) {
  emit(m, unit, instruction);
  return emit(m, unit, 0);
}

void patch_jump(struct unit *unit, size_t jump) {
  unit->words[jump] = (int32_t)(unit->length - jump - 1);
}

void emit_end(struct machine *m, struct unit *inregion(m) unit, bool is_tail) {
  if (is_tail)
    emit(m, unit, CODE_RETURN);
}

struct object *list_of(struct machine *m, ...) {
  va_list items;
  struct object *list = m->nil, *last = NULL;
  va_start(items, m);
  for (struct object *item; (item = va_arg(items, struct object *)) != NULL;) {
    struct object *pair = make_pair(m, item, m->nil);
    if (last)
      as_pair(last)->cdr = pair;
    else
      list = pair;
    last = pair;
  }
  va_end(items);
  return list;
}

static struct unit *unit_new(struct machine *m) {
  struct unit *unit = ralloc(MEMORY(m), struct unit);
  unit->constants = m->nil;
  return unit;
}

/* Points of return in the constants learn which code they are in. */
static struct code *unit_code(struct machine *m, struct unit *unit) {
  struct code *code = make_code(m, unit->length);
  struct slots *constants = make_slots(m, KIND_VECTOR, (size_t)unit->constant_count, NULL);
  memcpy(code->words, unit->words, unit->length * sizeof(int32_t));
  struct object *each = unit->constants;
  for (size_t i = constants->length; i > 0; i--, each = cdr(each)) {
    constants->items[i - 1] = car(each);
    if (is_kind(car(each), KIND_POINT))
      ((struct point *)car(each))->code = code;
  }
  code->constants = constants;
  code->file = m->file;
  return code;
}

static bool compile_reference(struct machine *m, struct unit *unit, struct object *name,
                              struct object *scope, bool is_tail) {
  struct meaning meaning = meaning_of(name, scope);
  if (meaning.kind == MEANS_SYNTAX)
    return fail(m, "a word of the language is no variable", name_symbol(name)) != NULL;
  if (meaning.kind == MEANS_GLOBAL) {
    emit(m, unit, CODE_GLOBAL);
    emit(m, unit, add_constant(m, unit, meaning.object));
  } else {
    emit(m, unit, meaning.up ? CODE_LOCAL : CODE_LOCAL_HERE);
    if (meaning.up)
      emit(m, unit, (int32_t)meaning.up);
    emit(m, unit, (int32_t)meaning.variable);
  }
  emit_end(m, unit, is_tail);
  return true;
}

void emit_set(struct machine *m, struct unit *inregion(m) unit, struct meaning meaning) {
  if (meaning.kind == MEANS_GLOBAL) {
    emit(m, unit, CODE_SET_GLOBAL);
    emit(m, unit, add_constant(m, unit, meaning.object));
    return;
  }
  emit(m, unit, CODE_SET_LOCAL);
  emit(m, unit, (int32_t)meaning.up);
  emit(m, unit, (int32_t)meaning.variable);
}

static bool compile_call(struct machine *m, struct unit *unit, struct object *call,
                         struct object *scope, bool is_tail) {
  unsigned line = call->line;
  int64_t count = list_length(cdr(call));
  if (count < 0)
    return fail(m, "a call has no dot", without_aliases(m, call)) != NULL;
  struct object *point = NULL;
  if (!is_tail) {
    point = make_point(m, NULL, 0);
    emit(m, unit, CODE_BEGIN_CALL);
    emit(m, unit, add_constant(m, unit, point));
  }
  for (struct object *each = cdr(call); is_pair(each); each = cdr(each)) {
    if (!compile_expression(m, unit, car(each), scope, false))
      return false;
    emit(m, unit, CODE_PUSH);
  }
  if (!compile_expression(m, unit, car(call), scope, false))
    return false;
  emit(m, unit, CODE_CALL);
  emit(m, unit, (int32_t)count);
  emit(m, unit, (int32_t)line);
  if (point)
    ((struct point *)point)->place = (uint32_t)unit->length;
  return true;
}

static bool compile_at_depth(struct machine *m, struct unit *unit, struct object *expression,
                             struct object *scope, bool is_tail) {
  if (expression->line)
    m->line = expression->line;
  expression = expand_head(m, expression, scope);
  if (!expression)
    return false;
  if (is_name(expression))
    return compile_reference(m, unit, expression, scope, is_tail);
  if (!is_pair(expression)) {
    if (is_nil(expression))
      return fail(m, "() is no expression; '() is the empty list", NULL) != NULL;
    emit_constant(m, unit, without_aliases(m, expression));
    emit_end(m, unit, is_tail);
    return true;
  }
  struct object *head = car(expression);
  struct meaning meaning =
      is_name(head) ? meaning_of(head, scope) : (struct meaning){.object = head};
  if (meaning.object && is_kind(meaning.object, KIND_FORM))
    return compile_form(m, unit, (enum form)integer_of(meaning.object), expression, scope, is_tail);
  return compile_call(m, unit, expression, scope, is_tail);
}

bool compile_expression(struct machine *m, struct unit *inregion(m) unit, struct object *expression,
                        struct object *scope, bool is_tail) {
  if (m->depth >= COMPILE_DEPTH)
    return fail(m, "expressions are nested too deeply", NULL) != NULL;
  m->depth++;
  bool is_right = compile_at_depth(m, unit, expression, scope, is_tail);
  m->depth--;
  return is_right;
}

struct object *expand_head(struct machine *m, struct object *expression, struct object *scope) {
  for (unsigned rounds = 0; expression && is_pair(expression); rounds++) {
    struct object *head = car(expression);
    struct meaning meaning =
        is_name(head) ? meaning_of(head, scope) : (struct meaning){.object = head};
    if (!meaning.object || !is_kind(meaning.object, KIND_MACRO))
      break;
    if (rounds == EXPANSIONS_MAX)
      return fail(m, "a macro is expanded without end", name_symbol(head));
    unsigned line = expression->line;
    expression = macro_expand(m, meaning.object, expression, scope);
    if (expression && is_pair(expression) && !expression->line)
      expression->line = line;
  }
  return expression;
}

bool compile_sequence(struct machine *m, struct unit *inregion(m) unit, struct object *list,
                      struct object *scope, bool is_tail) {
  if (list_length(list) < 0)
    return fail(m, "a list of expressions is expected", without_aliases(m, list)) != NULL;
  if (is_nil(list)) {
    emit_constant(m, unit, m->unspecified);
    emit_end(m, unit, is_tail);
  }
  for (; is_pair(list); list = cdr(list))
    if (!compile_expression(m, unit, car(list), scope, is_tail && is_nil(cdr(list))))
      return false;
  return true;
}

/* Binds the names of parameters in scope.  False: a failure. */
static bool bind_parameters(struct machine *m, struct object *scope, struct object *parameters,
                            struct code *counts) {
  int64_t variable = FRAME_VARIABLES;
  struct object *rest = parameters;
  for (; is_pair(rest) || is_name(rest); rest = cdr(rest)) {
    struct object *name = is_pair(rest) ? car(rest) : rest;
    if (!is_name(name))
      return fail(m, "a parameter must be a name", without_aliases(m, name)) != NULL;
    for (struct object *each = slot(scope, SCOPE_ENTRIES); is_pair(each); each = cdr(each))
      if (car(car(each)) == name)
        return fail(m, "two parameters have one name", name_symbol(name)) != NULL;
    scope_add(m, scope, name, make_integer(m, variable++));
    if (!is_pair(rest)) {
      counts->has_rest = true;
      return true;
    }
    counts->required++;
  }
  return is_nil(rest) || fail(m, "a parameter must be a name", without_aliases(m, rest)) != NULL;
}

bool compile_lambda(struct machine *m, struct unit *inregion(m) unit, struct object *name,
                    struct object *parameters, struct object *body, struct object *scope) {
  struct object *inside = scope_new(m, scope, true);
  struct code *counts = make_code(m, 0);
  struct unit *inner = unit_new(m);
  if (!bind_parameters(m, inside, parameters, counts) ||
      !compile_body(m, inner, body, inside, true))
    return false;
  struct code *code = unit_code(m, inner);
  code->required = counts->required;
  code->has_rest = counts->has_rest;
  code->name = name ? name_symbol(name) : NULL;
  emit(m, unit, CODE_CLOSE);
  emit(m, unit, add_constant(m, unit, &code->head));
  return true;
}

bool split_definition(struct machine *m, struct object *expression, struct object **name,
                      struct object **value) {
  struct object *rest = cdr(expression);
  if (list_length(rest) < 1 || (!is_pair(car(rest)) && list_length(rest) > 2))
    return fail(m, "define: a name and an expression are expected",
                without_aliases(m, expression)) != NULL;
  *name = car(rest);
  *value =
      is_nil(cdr(rest)) ? list_of(m, form_object(m, FORM_QUOTE), m->unspecified, NULL) : cadr(rest);
  for (struct object *body = cdr(rest); is_pair(*name); *name = car(*name)) {
    *value = make_pair(m, form_object(m, FORM_LAMBDA), make_pair(m, cdr(*name), body));
    (*value)->line = expression->line;
    body = list_of(m, *value, NULL);
  }
  return is_name(*name) || fail(m, "define: a name is expected", without_aliases(m, *name)) != NULL;
}

/* What scan_body finds: entries (name or #f . expression) in order. */
static bool scan_body(struct machine *m, struct object *body, struct object *scope,
                      struct object **entries, int64_t *variables) {
  for (; is_pair(body); body = cdr(body)) {
    if (car(body)->line)
      m->line = car(body)->line;
    struct object *each = expand_head(m, car(body), scope), *name, *value;
    if (!each)
      return false;
    if (is_pair(each) && is_form(car(each), scope, FORM_BEGIN)) {
      if (!scan_body(m, cdr(each), scope, entries, variables))
        return false;
    } else if (is_pair(each) && is_form(car(each), scope, FORM_DEFINE_SYNTAX)) {
      if (list_length(each) != 3 || !is_name(cadr(each)))
        return fail(m, "define-syntax: a name and rules are expected", without_aliases(m, each)) !=
               NULL;
      struct object *syntax = syntax_of(m, car(cdr(cdr(each))), scope);
      if (!syntax)
        return false;
      scope_add(m, scope, cadr(each), syntax);
    } else if (is_pair(each) && is_form(car(each), scope, FORM_DEFINE)) {
      if (!split_definition(m, each, &name, &value))
        return false;
      if (meaning_of(name, scope).kind != MEANS_LOCAL || meaning_of(name, scope).up)
        scope_add(m, scope, name, make_integer(m, FRAME_VARIABLES + (*variables)++));
      *entries = make_pair(m, make_pair(m, name, value), *entries);
    } else {
      *entries = make_pair(m, make_pair(m, m->no, each), *entries);
    }
  }
  return is_nil(body) || fail(m, "a list of expressions is expected", NULL) != NULL;
}

static bool compile_entry(struct machine *m, struct unit *unit, struct object *entry,
                          struct object *scope, bool is_tail) {
  struct object *name = car(entry), *value = cdr(entry);
  if (!is_name(name))
    return compile_expression(m, unit, value, scope, is_tail);
  bool is_lambda =
      is_pair(value) && is_form(car(value), scope, FORM_LAMBDA) && list_length(value) > 2;
  if (is_lambda ? !compile_lambda(m, unit, name, cadr(value), cdr(cdr(value)), scope)
                : !compile_expression(m, unit, value, scope, false))
    return false;
  emit_set(m, unit, meaning_of(name, scope));
  emit_end(m, unit, is_tail);
  return true;
}

bool compile_body(struct machine *m, struct unit *inregion(m) unit, struct object *body,
                  struct object *scope, bool is_tail) {
  struct object *inside = scope_new(m, scope, true), *entries = m->nil, *ordered = m->nil;
  int64_t variables = 0;
  if (!is_pair(body))
    return fail(m, "a body is expected", NULL) != NULL;
  if (!scan_body(m, body, inside, &entries, &variables))
    return false;
  for (; is_pair(entries); entries = cdr(entries))
    ordered = make_pair(m, car(entries), ordered);
  if (variables) {
    emit(m, unit, CODE_ENTER);
    emit(m, unit, (int32_t)variables);
  } else {
    as_slots(inside)->items[SCOPE_HAS_FRAME] = m->no;
  }
  if (is_nil(ordered)) {
    emit_constant(m, unit, m->unspecified);
    emit_end(m, unit, is_tail);
  }
  for (; is_pair(ordered); ordered = cdr(ordered))
    if (!compile_entry(m, unit, car(ordered), inside, is_tail && is_nil(cdr(ordered))))
      return false;
  if (variables && !is_tail)
    emit(m, unit, CODE_LEAVE);
  return true;
}

struct code *compile(struct machine *m, struct object *expression) {
  struct unit *unit = unit_new(m);
  m->depth = 0;
  if (!compile_expression(m, unit, expression, NULL, true))
    return NULL;
  return unit_code(m, unit);
}
