/* SPDX-License-Identifier: MIT */
/* machine.c - the instructions. */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "primitives.h"

_Noreturn void machine_die(const char *message) {
  fflush(stdout);
  fprintf(stderr, "scheme: %s\n", message);
  exit(3);
}

struct object *inregion(m) fail_with(struct machine *m, struct object *message,
                                     struct object *irritants, const char *type) {
  struct slots *condition = make_slots(m, KIND_CONDITION, CONDITION_SLOTS, m->no);
  condition->items[CONDITION_MESSAGE] = message;
  condition->items[CONDITION_IRRITANTS] = irritants;
  struct string *file = m->caller ? m->caller->file : m->file;
  if (file)
    condition->items[CONDITION_FILE] = &file->head;
  condition->items[CONDITION_LINE] = make_integer(m, m->line);
  if (type)
    condition->items[CONDITION_TYPE] = intern_word(m, type);
  m->failure = &condition->head;
  return NULL;
}

struct object *inregion(m) fail(struct machine *m, const char *message, struct object *irritant) {
  return fail_with(m, make_message(m, message), irritant ? make_pair(m, irritant, m->nil) : m->nil,
                   NULL);
}

struct object *inregion(m) fail_type(struct machine *m, const char *primitive, const char *expected,
                                     struct object *value) {
  char message[200];
  snprintf(message, sizeof message, "%s: %s is expected, not", primitive, expected);
  return fail(m, message, value);
}

void machine_push(struct machine *m, struct object *inregion(m) value) {
  if (m->top == m->stack->length) {
    struct slots *larger = make_slots(m, KIND_VECTOR, 2 * m->top, NULL);
    for (size_t i = 0; i < m->top; i++)
      larger->items[i] = m->stack->items[i];
    m->stack = larger;
  }
  m->stack->items[m->top++] = value;
}

static struct object *pop(struct machine *m) { return m->stack->items[--m->top]; }

struct object *machine_transfer(struct machine *m, struct object *inregion(m) procedure,
                                unsigned count) {
  m->accumulator = procedure;
  m->count = count;
  m->is_transfer = true;
  return NULL;
}

/* Goes on where the call that waits last was left. */
static void do_return(struct machine *m) {
  if (!m->top) {
    m->stop = OUTCOME_DONE;
    return;
  }
  const struct point *point = (const struct point *)pop(m);
  m->frame = (struct slots *)pop(m);
  m->code = point->code;
  m->place = point->place;
}

/* Gives m->failure to the handlers, as a call of raise in the place of what failed. */
static void raise_failure(struct machine *m) {
  if (!m->raise) {
    m->stop = OUTCOME_FAILED;
    return;
  }
  machine_push(m, m->failure);
  machine_transfer(m, m->raise, 1);
}

static bool is_count_right(unsigned count, unsigned least, bool has_rest) {
  return has_rest ? count >= least : count == least;
}

static void fail_count(struct machine *m, struct object *procedure) {
  m->top -= m->count;
  char message[80];
  snprintf(message, sizeof message, "wrong number of arguments (%u) for", m->count);
  fail(m, message, procedure);
  raise_failure(m);
}

static void enter_procedure(struct machine *m, struct object *procedure) {
  struct code *code = (struct code *)slot(procedure, PROCEDURE_CODE);
  if (!is_count_right(m->count, code->required, code->has_rest)) {
    fail_count(m, procedure);
    return;
  }
  struct object *rest = m->nil;
  for (; m->count > code->required; m->count--)
    rest = make_pair(m, pop(m), rest);
  struct slots *frame =
      make_slots(m, KIND_FRAME, FRAME_VARIABLES + code->required + code->has_rest, NULL);
  m->top -= code->required;
  for (uint32_t i = 0; i < code->required; i++)
    frame->items[FRAME_VARIABLES + i] = m->stack->items[m->top + i];
  if (code->has_rest)
    frame->items[FRAME_VARIABLES + code->required] = rest;
  frame->items[FRAME_PARENT] = slot(procedure, PROCEDURE_FRAME);
  m->frame = frame;
  m->code = code;
  m->place = 0;
}

static void call_primitive(struct machine *m, struct object *procedure) {
  const struct primitive *primitive = primitive_of(procedure);
  unsigned count = m->count;
  if (count < primitive->least || (count > primitive->most && primitive->most != ANY_COUNT)) {
    m->top -= count;
    char message[120];
    snprintf(message, sizeof message, "%s: wrong number of arguments: %u", primitive->name, count);
    fail(m, message, NULL);
    raise_failure(m);
    return;
  }
  struct object *value = primitive->function(m, &m->stack->items[m->top - count], count);
  if (value) {
    m->top -= count;
    m->accumulator = value;
    do_return(m);
  } else if (!m->is_transfer && !m->stop) {
    m->top -= count;
    raise_failure(m);
  }
}

static struct object *values_of_stack(struct machine *m) {
  struct slots *values = make_slots(m, KIND_VALUES, m->count, NULL);
  for (unsigned i = 0; i < m->count; i++)
    values->items[i] = m->stack->items[m->top - m->count + i];
  return &values->head;
}

static void throw_to(struct machine *m, struct object *continuation) {
  m->accumulator = m->count == 1 ? m->stack->items[m->top - 1] : values_of_stack(m);
  const struct slots *saved = (const struct slots *)continuation;
  m->winders = saved->items[CONTINUATION_WINDERS];
  m->handlers = saved->items[CONTINUATION_HANDLERS];
  m->top = 0;
  for (size_t i = CONTINUATION_STACK; i < saved->length; i++)
    machine_push(m, saved->items[i]);
  do_return(m);
}

/* Calls the accumulator with the m->count arguments on top of the stack. */
static void call(struct machine *m) {
  do {
    struct object *procedure = m->accumulator;
    m->is_transfer = false;
    switch (procedure->kind) {
    case KIND_PROCEDURE:
      enter_procedure(m, procedure);
      break;
    case KIND_PRIMITIVE:
      call_primitive(m, procedure);
      break;
    case KIND_CONTINUATION:
      throw_to(m, procedure);
      break;
    case KIND_PARAMETER:
      if (m->count) {
        fail_count(m, procedure);
        break;
      }
      m->accumulator = slot(procedure, PARAMETER_VALUE);
      do_return(m);
      break;
    default:
      m->top -= m->count;
      fail(m, "this is no procedure:", procedure);
      raise_failure(m);
    }
  } while (m->is_transfer);
}

/* A failure of an instruction that is no call: a call is made of it. */
static void fail_here(struct machine *m) {
  machine_push(m, &m->frame->head);
  machine_push(m, make_point(m, m->code, m->place));
  raise_failure(m);
  if (m->is_transfer)
    call(m);
}

void machine_interrupt(struct machine *m, const char *message) {
  fail_with(m, make_message(m, message), m->nil, "out-of-memory");
  fail_here(m);
}

static struct slots *frame_at(struct machine *m, int32_t up) {
  struct slots *frame = m->frame;
  for (; up; up--)
    frame = (struct slots *)frame->items[FRAME_PARENT];
  return frame;
}

static int32_t operand(struct machine *m) { return m->code->words[m->place++]; }

static struct object *constant(struct machine *m) { return m->code->constants->items[operand(m)]; }

static void load_local(struct machine *m, int32_t up) {
  struct object *value = frame_at(m, up)->items[operand(m)];
  m->accumulator = value ? value : m->unbound;
  if (!value) {
    fail(m, "a variable is used before it has a value", NULL);
    fail_here(m);
  }
}

static void load_global(struct machine *m) {
  struct object *symbol = constant(m);
  m->accumulator = as_symbol(symbol)->value;
  if (is_kind(m->accumulator, KIND_UNBOUND)) {
    fail(m, "there is no variable", symbol);
    fail_here(m);
  }
}

static void set_local(struct machine *m) {
  struct slots *frame = frame_at(m, operand(m));
  frame->items[operand(m)] = m->accumulator;
  m->accumulator = m->unspecified;
}

static void set_global(struct machine *m, bool is_definition) {
  struct object *symbol = constant(m);
  if (!is_definition && is_kind(as_symbol(symbol)->value, KIND_UNBOUND)) {
    fail(m, "set!: there is no variable", symbol);
    fail_here(m);
    return;
  }
  as_symbol(symbol)->value = m->accumulator;
  m->accumulator = m->unspecified;
}

static void close_procedure(struct machine *m) {
  struct slots *procedure = make_slots(m, KIND_PROCEDURE, PROCEDURE_SLOTS, NULL);
  procedure->items[PROCEDURE_CODE] = constant(m);
  procedure->items[PROCEDURE_FRAME] = &m->frame->head;
  m->accumulator = &procedure->head;
}

/* A frame in this one, with values from the stack or none. */
static void enter_frame(struct machine *m, bool has_values) {
  size_t count = (size_t)operand(m);
  struct slots *frame = make_slots(m, KIND_FRAME, FRAME_VARIABLES + count, NULL);
  frame->items[FRAME_PARENT] = &m->frame->head;
  if (has_values) {
    m->top -= count;
    for (size_t i = 0; i < count; i++)
      frame->items[FRAME_VARIABLES + i] = m->stack->items[m->top + i];
  }
  m->frame = frame;
}

static void jump_if(struct machine *m, bool condition) {
  int32_t distance = operand(m);
  if (condition)
    m->place += (size_t)distance;
}

static void begin_call(struct machine *m) {
  machine_push(m, &m->frame->head);
  machine_push(m, constant(m));
}

static void call_here(struct machine *m) {
  m->count = (unsigned)operand(m);
  unsigned line = (unsigned)operand(m);
  if (line) {
    m->line = line;
    m->caller = m->code;
  }
  call(m);
}

static void execute(struct machine *m) {
  switch ((enum instruction)operand(m)) {
  case CODE_CONSTANT:
    m->accumulator = constant(m);
    break;
  case CODE_LOCAL:
    load_local(m, operand(m));
    break;
  case CODE_LOCAL_HERE:
    load_local(m, 0);
    break;
  case CODE_GLOBAL:
    load_global(m);
    break;
  case CODE_SET_LOCAL:
    set_local(m);
    break;
  case CODE_SET_GLOBAL:
    set_global(m, false);
    break;
  case CODE_DEFINE:
    set_global(m, true);
    break;
  case CODE_PUSH:
    machine_push(m, m->accumulator);
    break;
  case CODE_CLOSE:
    close_procedure(m);
    break;
  case CODE_JUMP:
    jump_if(m, true);
    break;
  case CODE_JUMP_IF_FALSE:
    jump_if(m, !is_true(m->accumulator));
    break;
  case CODE_JUMP_IF_TRUE:
    jump_if(m, is_true(m->accumulator));
    break;
  case CODE_BEGIN_CALL:
    begin_call(m);
    break;
  case CODE_CALL:
    call_here(m);
    break;
  case CODE_BIND:
    enter_frame(m, true);
    break;
  case CODE_ENTER:
    enter_frame(m, false);
    break;
  case CODE_LEAVE:
    m->frame = (struct slots *)m->frame->items[FRAME_PARENT];
    break;
  case CODE_RETURN:
    do_return(m);
    break;
  }
}

enum outcome machine_run(struct machine *m) {
  m->stop = OUTCOME_NONE;
  while (!m->stop && !heap_is_full(m->host))
    execute(m);
  return m->stop ? m->stop : OUTCOME_COLLECT;
}

void machine_start(struct machine *m, struct code *code) {
  m->code = code;
  m->place = 0;
  m->top = 0;
  m->frame = make_slots(m, KIND_FRAME, FRAME_VARIABLES, NULL);
  m->winders = m->handlers = m->nil;
}
