/* SPDX-License-Identifier: MIT */
/* macro.c - syntax-rules.
 *
 * A match is a list of entries (name . value).  What stands before an ellipsis has as its value the
 * values of its matches, an object of KIND_VALUES, which no program holds.
 */
#include "machine.h"
#include "syntax.h"

struct use {
  struct machine *m;
  struct object *macro;
  struct object *scope;   /* where the macro is used */
  struct object *matched; /* entries (name . value) */
  struct object *renamed; /* entries (name . alias) */
  unsigned line;
};

static struct object *failed(struct use *use, const char *message, struct object *about) {
  return fail(use->m, message, about);
}

static bool is_ellipsis(const struct use *use, struct object *o) {
  return is_name(o) && name_symbol(o) == name_symbol(slot(use->macro, MACRO_ELLIPSIS));
}

static bool has_ellipsis_after(const struct use *use, struct object *list) {
  return is_pair(cdr(list)) && is_ellipsis(use, cadr(list));
}

static bool is_member(const struct object *o, struct object *list) {
  for (; is_pair(list); list = cdr(list))
    if (car(list) == o)
      return true;
  return false;
}

static struct object *entry_of(const struct object *name, struct object *entries) {
  for (; is_pair(entries); entries = cdr(entries))
    if (car(car(entries)) == name)
      return car(entries);
  return NULL;
}

static void add_match(struct use *use, struct object *name, struct object *value) {
  use->matched = make_pair(use->m, make_pair(use->m, name, value), use->matched);
}

/* Whether a name in the use means what a literal means to the macro. */
static bool is_literal(const struct use *use, struct object *literal, struct object *o) {
  if (!is_name(o))
    return false;
  struct meaning given = meaning_of(o, use->scope),
                 wanted = meaning_of(literal, slot(use->macro, MACRO_SCOPE));
  return given.kind == wanted.kind && given.object == wanted.object &&
         (given.kind != MEANS_LOCAL || given.variable == wanted.variable);
}

static size_t count_pairs(struct object *list) {
  size_t count = 0;
  for (; is_pair(list); list = cdr(list))
    count++;
  return count;
}

static bool is_match(struct use *use, struct object *pattern, struct object *form);

/* Puts the names of pattern in use->matched, each with room for count values. */
static void add_names(struct use *use, struct object *pattern, size_t count) {
  for (; is_pair(pattern); pattern = cdr(pattern))
    add_names(use, car(pattern), count);
  if (is_kind(pattern, KIND_VECTOR))
    for (size_t i = 0; i < as_slots(pattern)->length; i++)
      add_names(use, slot(pattern, i), count);
  if (is_name(pattern) && !is_ellipsis(use, pattern) &&
      !is_member(pattern, slot(use->macro, MACRO_LITERALS)))
    add_match(use, pattern, &make_slots(use->m, KIND_VALUES, count, use->m->nil)->head);
}

/* Matches count forms with one pattern; *form goes past them. */
static bool is_repeated_match(struct use *use, struct object *pattern, struct object **form,
                              size_t count) {
  struct object *before = use->matched;
  add_names(use, pattern, count);
  struct object *collected = use->matched;
  for (size_t i = 0; i < count; i++, *form = cdr(*form)) {
    use->matched = use->m->nil;
    if (!is_match(use, pattern, car(*form)))
      return false;
    for (struct object *each = collected; each != before; each = cdr(each)) {
      struct object *entry = entry_of(car(car(each)), use->matched);
      if (entry)
        as_slots(cdr(car(each)))->items[i] = cdr(entry);
    }
  }
  use->matched = collected;
  return true;
}

static struct object *vector_list(struct use *use, struct object *vector) {
  struct object *list = use->m->nil;
  for (size_t i = as_slots(vector)->length; i > 0; i--)
    list = make_pair(use->m, slot(vector, i - 1), list);
  return list;
}

static bool is_match(struct use *use, struct object *pattern, struct object *form) {
  for (; is_pair(pattern); pattern = cdr(pattern), form = cdr(form)) {
    if (has_ellipsis_after(use, pattern)) {
      struct object *after = cdr(cdr(pattern));
      size_t tail = count_pairs(after), have = count_pairs(form);
      if (have < tail || !is_repeated_match(use, car(pattern), &form, have - tail))
        return false;
      return is_match(use, after, form);
    }
    if (!is_pair(form) || !is_match(use, car(pattern), car(form)))
      return false;
  }
  if (is_name(pattern)) {
    if (is_member(pattern, slot(use->macro, MACRO_LITERALS)))
      return is_literal(use, pattern, form);
    if (name_symbol(pattern) != intern_word(use->m, "_"))
      add_match(use, pattern, form);
    return true;
  }
  if (is_kind(pattern, KIND_VECTOR))
    return is_kind(form, KIND_VECTOR) &&
           is_match(use, vector_list(use, pattern), vector_list(use, form));
  return is_equal(pattern, form, EQUAL_DEPTH);
}

/* The alias of a name that the template puts in: one for each name and use. */
static struct object *alias_of(struct use *use, struct object *name) {
  struct object *entry = entry_of(name, use->renamed);
  if (entry)
    return cdr(entry);
  struct slots *alias = make_slots(use->m, KIND_ALIAS, ALIAS_SLOTS, NULL);
  alias->items[ALIAS_NAME] = name;
  alias->items[ALIAS_SCOPE] = slot(use->macro, MACRO_SCOPE);
  use->renamed = make_pair(use->m, make_pair(use->m, name, &alias->head), use->renamed);
  return &alias->head;
}

static struct object *instance(struct use *use, struct object *template, bool is_escaped);

/* How often what stands before an ellipsis is repeated: as often as its longest name.  -1: it has
 * no name to repeat. */
static int64_t repetitions(const struct use *use, struct object *template) {
  int64_t most = -1;
  for (; is_pair(template); template = cdr(template)) {
    int64_t here = repetitions(use, car(template));
    most = here > most ? here : most;
  }
  if (is_kind(template, KIND_VECTOR))
    for (size_t i = 0; i < as_slots(template)->length; i++) {
      int64_t here = repetitions(use, slot(template, i));
      most = here > most ? here : most;
    }
  const struct object *entry = is_name(template) ? entry_of(template, use->matched) : NULL;
  if (entry && is_kind(((const struct pair *)entry)->cdr, KIND_VALUES)) {
    int64_t here = (int64_t)((const struct slots *)((const struct pair *)entry)->cdr)->length;
    most = here > most ? here : most;
  }
  return most;
}

/* The matches of round i: names before an ellipsis have their value of that round. */
static struct object *matches_of_round(const struct use *use, size_t i) {
  struct object *result = use->matched;
  for (struct object *each = use->matched; is_pair(each); each = cdr(each)) {
    struct object *value = cdr(car(each));
    bool is_newest = entry_of(car(car(each)), use->matched) == car(each);
    if (is_newest && is_kind(value, KIND_VALUES) && i < as_slots(value)->length)
      result = make_pair(use->m, make_pair(use->m, car(car(each)), slot(value, i)), result);
  }
  return result;
}

/* The list of the instances of template, ellipses deep, before rest. */
static struct object *repeated(struct use *use, struct object *template, unsigned ellipses,
                               struct object *rest) {
  if (!ellipses) {
    struct object *item = instance(use, template, false);
    return item ? make_pair(use->m, item, rest) : NULL;
  }
  int64_t count = repetitions(use, template);
  if (count < 0)
    return failed(use, "syntax-rules: nothing before an ellipsis can be repeated", template);
  struct object *matched = use->matched;
  for (int64_t i = count; i > 0 && rest; i--) {
    use->matched = matches_of_round(use, (size_t)i - 1);
    rest = repeated(use, template, ellipses - 1, rest);
    use->matched = matched;
  }
  return rest;
}

static struct object *pair_instance(struct use *use, struct object *template, bool is_escaped) {
  if (!is_escaped && is_ellipsis(use, car(template)) && is_pair(cdr(template)))
    return instance(use, cadr(template), true);
  struct object *after = cdr(template);
  unsigned ellipses = 0;
  for (; !is_escaped && is_pair(after) && is_ellipsis(use, car(after)); after = cdr(after))
    ellipses++;
  struct object *rest = instance(use, after, is_escaped);
  if (!rest)
    return NULL;
  if (ellipses)
    return repeated(use, car(template), ellipses, rest);
  struct object *first = instance(use, car(template), is_escaped);
  if (!first)
    return NULL;
  struct object *pair = make_pair(use->m, first, rest);
  pair->line = use->line;
  return pair;
}

static struct object *instance(struct use *use, struct object *template, bool is_escaped) {
  if (is_pair(template))
    return pair_instance(use, template, is_escaped);
  if (is_kind(template, KIND_VECTOR)) {
    struct object *list = instance(use, vector_list(use, template), is_escaped);
    if (!list)
      return NULL;
    struct slots *vector = make_slots(use->m, KIND_VECTOR, count_pairs(list), NULL);
    for (size_t i = 0; i < vector->length; i++, list = cdr(list))
      vector->items[i] = car(list);
    return &vector->head;
  }
  if (!is_name(template))
    return template;
  struct object *entry = entry_of(template, use->matched);
  if (entry && is_kind(cdr(entry), KIND_VALUES))
    return failed(use, "syntax-rules: an ellipsis is missing after a name", template);
  return entry ? cdr(entry) : alias_of(use, template);
}

struct object *inregion(m) macro_new(struct machine *m, struct object *inregion(m) rules,
                                     struct object *inregion(m) scope) {
  struct object *ellipsis = intern_word(m, "..."), *rest = cdr(rules);
  if (is_pair(rest) && is_name(car(rest))) {
    ellipsis = car(rest);
    rest = cdr(rest);
  }
  if (!is_pair(rest) || list_length(car(rest)) < 0 || list_length(rest) < 0)
    return fail(m, "syntax-rules: a list of literals and rules are expected", rules);
  for (struct object *each = cdr(rest); is_pair(each); each = cdr(each))
    if (list_length(car(each)) != 2 || !is_pair(car(car(each))))
      return fail(m, "syntax-rules: a rule is a pattern and a template", car(each));
  struct slots *macro = make_slots(m, KIND_MACRO, MACRO_SLOTS, NULL);
  macro->items[MACRO_SCOPE] = scope;
  macro->items[MACRO_ELLIPSIS] = ellipsis;
  macro->items[MACRO_LITERALS] = car(rest);
  macro->items[MACRO_RULES] = cdr(rest);
  return &macro->head;
}

struct object *inregion(m) macro_expand(struct machine *m, struct object *macro,
                                        struct object *form, struct object *scope) {
  struct use use = {.m = m, .macro = macro, .scope = scope, .renamed = m->nil, .line = form->line};
  for (struct object *each = slot(macro, MACRO_RULES); is_pair(each); each = cdr(each)) {
    use.matched = m->nil;
    if (is_match(&use, cdr(car(car(each))), cdr(form)))
      return instance(&use, cadr(car(each)), false);
  }
  return fail(m, "no rule of the macro matches", without_aliases(m, form));
}
