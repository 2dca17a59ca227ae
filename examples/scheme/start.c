/* SPDX-License-Identifier: MIT */
/* start.c - what is in the arena before a program is. */
#include "compile.h"
#include "machine.h"
#include "ports.h"
#include "primitives.h"

enum { STACK_SIZE = 256 };

static struct object *make_constant(struct machine *m, enum kind kind) {
  return make_number_of_kind(m, kind, 0);
}

static void fill_forms(struct machine *m) {
#define FORM_WORD(name, word) word,
  static const char *const words[] = {FORMS(FORM_WORD)};
#undef FORM_WORD
  for (size_t i = 0; i < FORM_COUNT; i++)
    as_symbol(intern_word(m, words[i]))->syntax = form_object(m, (enum form)i);
}

void machine_fill(struct machine *m) {
  m->nil = make_constant(m, KIND_NIL);
  m->no = make_constant(m, KIND_FALSE);
  m->yes = make_constant(m, KIND_TRUE);
  m->unspecified = make_constant(m, KIND_UNSPECIFIED);
  m->eof = make_constant(m, KIND_EOF);
  m->unbound = make_constant(m, KIND_UNBOUND);
  m->smalls = make_slots(m, KIND_VECTOR, SMALL_COUNT, NULL);
  for (size_t i = 0; i < SMALL_COUNT; i++)
    m->smalls->items[i] = make_number_of_kind(m, KIND_FIXNUM, SMALL_LEAST + (int64_t)i);
  m->characters = make_slots(m, KIND_VECTOR, CHARACTER_COUNT, NULL);
  for (size_t i = 0; i < CHARACTER_COUNT; i++)
    m->characters->items[i] = make_number_of_kind(m, KIND_CHARACTER, (int64_t)i);
  m->stack = make_slots(m, KIND_VECTOR, STACK_SIZE, NULL);
  m->winders = m->handlers = m->nil;
  ports_fill(m);
  define_primitives(m);
  fill_forms(m);
}
