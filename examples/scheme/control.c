/* SPDX-License-Identifier: MIT */
/* control.c - primitives that call, leave, fail and end. */
#include <stdio.h>
#include <stdlib.h>

#include "compile.h"
#include "machine.h"
#include "primitives.h"

static struct object *apply(struct machine *m, struct object *sameregion *arguments,
                            unsigned count) {
  struct object *procedure = arguments[0], *list = arguments[count - 1];
  int64_t length = list_length(list);
  if (length < 0)
    return fail_type(m, "apply", "a list", list);
  size_t first = m->top - count + 1;
  struct object *given = m->nil;
  for (unsigned i = count - 1; i > 1; i--)
    given = make_pair(m, m->stack->items[first + i - 2], given);
  m->top -= count;
  for (; is_pair(given); given = cdr(given))
    machine_push(m, car(given));
  for (; is_pair(list); list = cdr(list))
    machine_push(m, car(list));
  return machine_transfer(m, procedure, count - 2 + (unsigned)length);
}

static struct object *call_cc(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  struct object *receiver = arguments[0];
  m->top -= count;
  struct slots *continuation = make_slots(m, KIND_CONTINUATION, CONTINUATION_STACK + m->top, NULL);
  continuation->items[CONTINUATION_WINDERS] = m->winders;
  continuation->items[CONTINUATION_HANDLERS] = m->handlers;
  for (size_t i = 0; i < m->top; i++)
    continuation->items[CONTINUATION_STACK + i] = m->stack->items[i];
  machine_push(m, &continuation->head);
  return machine_transfer(m, receiver, 1);
}

static struct object *values(struct machine *m, struct object *sameregion *arguments,
                             unsigned count) {
  if (count == 1)
    return arguments[0];
  struct slots *several = make_slots(m, KIND_VALUES, count, NULL);
  for (unsigned i = 0; i < count; i++)
    several->items[i] = arguments[i];
  return &several->head;
}

/* (%apply-values consumer values) */
static struct object *apply_values(struct machine *m, struct object *sameregion *arguments,
                                   unsigned count) {
  struct object *consumer = arguments[0], *value = arguments[1];
  m->top -= count;
  if (!is_kind(value, KIND_VALUES)) {
    machine_push(m, value);
    return machine_transfer(m, consumer, 1);
  }
  struct slots *several = as_slots(value);
  for (size_t i = 0; i < several->length; i++)
    machine_push(m, several->items[i]);
  return machine_transfer(m, consumer, (unsigned)several->length);
}

static struct object *winders(struct machine *m, struct object *sameregion *arguments,
                              unsigned count) {
  if (!count)
    return m->winders;
  m->winders = arguments[0];
  return m->unspecified;
}

static struct object *handlers(struct machine *m, struct object *sameregion *arguments,
                               unsigned count) {
  if (!count)
    return m->handlers;
  m->handlers = arguments[0];
  return m->unspecified;
}

static struct object *set_raise(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  (void)count;
  m->raise = arguments[0];
  return m->unspecified;
}

static struct object *uncaught(struct machine *m, struct object *sameregion *arguments,
                               unsigned count) {
  (void)count;
  m->failure = arguments[0];
  m->stop = OUTCOME_FAILED;
  return NULL;
}

static struct object *error(struct machine *m, struct object *sameregion *arguments,
                            unsigned count) {
  struct object *irritants = m->nil;
  for (unsigned i = count; i > 1; i--)
    irritants = make_pair(m, arguments[i - 1], irritants);
  return fail_with(m, arguments[0], irritants, NULL);
}

static struct object *exit_program(struct machine *m, struct object *sameregion *arguments,
                                   unsigned count) {
  struct object *status = count ? arguments[0] : m->yes;
  int of_truth = is_true(status) ? EXIT_SUCCESS : EXIT_FAILURE;
  m->host->exit_status = is_fixnum(status) ? (int)(integer_of(status) & 255) : of_truth;
  m->stop = OUTCOME_EXIT;
  return NULL;
}

/* (eval expression [environment-or-file]) */
static struct object *eval(struct machine *m, struct object *sameregion *arguments,
                           unsigned count) {
  struct object *expression = arguments[0];
  struct string *file = m->file;
  m->file = count > 1 && is_string(arguments[1]) ? as_string(arguments[1]) : NULL;
  m->caller = NULL;
  struct code *code = compile(m, expression);
  if (!code)
    return NULL;
  m->file = file;
  struct slots *procedure = make_slots(m, KIND_PROCEDURE, PROCEDURE_SLOTS, NULL);
  procedure->items[PROCEDURE_CODE] = &code->head;
  procedure->items[PROCEDURE_FRAME] = &make_slots(m, KIND_FRAME, FRAME_VARIABLES, NULL)->head;
  m->top -= count;
  return machine_transfer(m, &procedure->head, 0);
}

static struct object *condition_part(struct machine *m, struct object *sameregion *arguments,
                                     unsigned count) {
  (void)count;
  if (!is_kind(arguments[0], KIND_CONDITION))
    return fail_type(m, "error-object", "an error", arguments[0]);
  if (!is_index(m, "error-object", arguments[1], 0, CONDITION_SLOTS - 1))
    return NULL;
  return slot(arguments[0], (size_t)integer_of(arguments[1]));
}

static struct object *make_parameter(struct machine *m, struct object *sameregion *arguments,
                                     unsigned count) {
  (void)count;
  struct slots *parameter = make_slots(m, KIND_PARAMETER, PARAMETER_SLOTS, NULL);
  parameter->items[PARAMETER_VALUE] = arguments[0];
  parameter->items[PARAMETER_CONVERTER] = arguments[1];
  return &parameter->head;
}

/* (%parameter p): its converter.  (%parameter p value): sets it. */
static struct object *parameter(struct machine *m, struct object *sameregion *arguments,
                                unsigned count) {
  if (!is_kind(arguments[0], KIND_PARAMETER))
    return fail_type(m, "parameterize", "a parameter", arguments[0]);
  if (count == 1)
    return slot(arguments[0], PARAMETER_CONVERTER);
  as_slots(arguments[0])->items[PARAMETER_VALUE] = arguments[1];
  return m->unspecified;
}

static struct object *collections(struct machine *m, struct object *sameregion *arguments,
                                  unsigned count) {
  (void)arguments, (void)count;
  return make_integer(m, (int64_t)m->host->collections);
}

const struct primitive primitives_control[] = {{"apply", apply, 2, ANY_COUNT},
                                               {"%call/cc", call_cc, 1, 1},
                                               {"values", values, 0, ANY_COUNT},
                                               {"%apply-values", apply_values, 2, 2},
                                               {"%winders", winders, 0, 1},
                                               {"%handlers", handlers, 0, 1},
                                               {"%set-raise!", set_raise, 1, 1},
                                               {"%uncaught", uncaught, 1, 1},
                                               {"error", error, 1, ANY_COUNT},
                                               {"exit", exit_program, 0, 1},
                                               {"emergency-exit", exit_program, 0, 1},
                                               {"eval", eval, 1, 2},
                                               {"%condition-part", condition_part, 2, 2},
                                               {"%make-parameter", make_parameter, 2, 2},
                                               {"%parameter", parameter, 1, 2},
                                               {"%collections", collections, 0, 0},
                                               {NULL, NULL, 0, 0}};
