/* SPDX-License-Identifier: MIT */
/* machine.c - the interpreter loop.
 *
 * A frame is: the called closure, its arguments and other locals (the slots), then the values
 * pushed.  Calls nest in C.  [0, top) of the stack is in use; before a frame runs, room for the
 * most it can push is checked for once.
 */
#include "machine.h"

#include "compile.h"

#include <string.h>

enum { STACK_LIMIT = 60000, CALL_LIMIT = 4000 };

struct frame {
  const struct code *code;
  const struct value *captured;
  struct value *slots;
};

static void call(struct machine *machine, int argument_count);

void machine_fail(const char *message, const char *where) { fail(0, "in %s: %s", where, message); }

static struct value make_number(int number) { return (struct value){NULL, KIND_NUMBER, number}; }

static bool is_true(const struct value *value) {
  return value->kind == KIND_NUMBER ? value->number != 0 : value->kind != KIND_NIL;
}

static void push(struct machine *machine, struct value value) {
  machine->stack[machine->top++] = value;
}

static struct value *pop(struct machine *machine) { return &machine->stack[--machine->top]; }

bool value_is_equal(const struct value *a, const struct value *b) {
  if (a->kind != b->kind)
    return false;
  if (a->kind != KIND_STRING)
    return a->reference == b->reference && a->number == b->number;
  const struct string *left = a->reference, *right = b->reference;
  return left->length == right->length &&
         memcmp(left->text, right->text, (size_t)left->length) == 0;
}

static struct value concatenate(struct machine *machine, const struct string *a,
                                const struct string *b) {
  struct string *joined = string_new(regionof(machine), NULL, a->length + b->length);
  memcpy(joined->text, a->text, (size_t)a->length);
  memcpy(joined->text + a->length, b->text, (size_t)b->length);
  return (struct value){joined, KIND_STRING, 0};
}

static void binary(struct machine *machine, enum opcode opcode, const struct frame *frame) {
  struct value *right = pop(machine), *left = &machine->stack[machine->top - 1];
  int result;
  if (opcode == OP_EQUAL || opcode == OP_UNEQUAL) {
    *left = make_number(value_is_equal(left, right) == (opcode == OP_EQUAL));
  } else if (opcode == OP_CONS) {
    struct pair *pair = ralloc(regionof(machine), struct pair);
    pair->head = *left;
    pair->tail = *right;
    *left = (struct value){pair, KIND_PAIR, 0};
  } else if (left->kind == KIND_NUMBER && right->kind == KIND_NUMBER) {
    if (!compute_binary((enum token)(TOKEN_CONS + (opcode - OP_CONS)), left->number, right->number,
                        &result))
      machine_fail("division by zero", frame->code->name);
    left->number = result;
  } else if (opcode == OP_ADD && left->kind == KIND_STRING && right->kind == KIND_STRING) {
    *left = concatenate(machine, left->reference, right->reference);
  } else {
    machine_fail("operands of the wrong type", frame->code->name);
  }
  *right = (struct value){NULL, KIND_NIL, 0};
}

static void unary(struct machine *machine, enum opcode opcode, const struct frame *frame) {
  struct value *operand = &machine->stack[machine->top - 1];
  if (opcode == OP_NOT)
    *operand = make_number(!is_true(operand));
  else if (operand->kind != KIND_NUMBER)
    machine_fail("operand of the wrong type", frame->code->name);
  else
    operand->number =
        opcode == OP_NEGATE ? (int)(0u - (unsigned)operand->number) : ~operand->number;
}

static struct value *element(const struct value *container, const struct value *index,
                             const struct frame *frame) {
  const struct vector *vector = container->reference;
  if (container->kind != KIND_VECTOR || index->kind != KIND_NUMBER)
    machine_fail("not a vector and an index", frame->code->name);
  if (index->number < 0 || index->number >= vector->length)
    machine_fail("index out of range", frame->code->name);
  return &vector->elements[index->number];
}

static void get_element(struct machine *machine, const struct frame *frame) {
  const struct value *index = pop(machine);
  struct value *container = &machine->stack[machine->top - 1];
  const struct string *string = container->reference;
  if (container->kind != KIND_STRING) {
    *container = *element(container, index, frame);
    return;
  }
  if (index->kind != KIND_NUMBER || index->number < 0 || index->number >= string->length)
    machine_fail("index out of range", frame->code->name);
  *container = make_number((unsigned char)string->text[index->number]);
}

static void set_element(struct machine *machine, const struct frame *frame) {
  const struct value *value = pop(machine), *index = pop(machine);
  struct value *container = &machine->stack[machine->top - 1];
  *element(container, index, frame) = *value;
  *container = *value;
}

static struct box *box_of(const struct value *value) { return value->reference; }

static void make_box(struct machine *machine, struct value *slot) {
  struct box *box = ralloc(regionof(machine), struct box);
  box->value = *slot;
  *slot = (struct value){box, KIND_BOX, 0};
}

/* The newest count values, moved to the heap. */
static struct value *take_values(struct machine *machine, int count) {
  struct value *values = rarrayalloc(regionof(machine), (size_t)count, struct value);
  machine->top -= count;
  for (int i = 0; i < count; i++)
    values[i] = machine->stack[machine->top + i];
  return values;
}

static void make_list(struct machine *machine, int count) {
  struct value list = {NULL, KIND_NIL, 0};
  for (int i = 0; i < count; i++) {
    struct pair *pair = ralloc(regionof(machine), struct pair);
    pair->head = *pop(machine);
    pair->tail = list;
    list = (struct value){pair, KIND_PAIR, 0};
  }
  push(machine, list);
}

static void make_vector(struct machine *machine, int count) {
  struct vector *vector = ralloc(regionof(machine), struct vector);
  vector->length = count;
  vector->elements = take_values(machine, count);
  push(machine, (struct value){vector, KIND_VECTOR, 0});
}

static void make_closure(struct machine *machine, struct code *code) {
  struct closure *closure = ralloc(regionof(machine), struct closure);
  closure->code = code;
  closure->captured = take_values(machine, code->capture_count);
  push(machine, (struct value){closure, KIND_CLOSURE, 0});
}

/* Whether the jump is taken; pops what it tests. */
static bool decide(struct machine *machine, enum opcode opcode, const struct frame *frame) {
  struct value *right, *left;
  switch (opcode) {
  case OP_JUMP:
    return true;
  case OP_JUMP_FALSE:
    return !is_true(pop(machine));
  case OP_JUMP_TRUE:
    return is_true(pop(machine));
  case OP_JUMP_FALSE_KEEP:
  case OP_JUMP_TRUE_KEEP:
    if (is_true(&machine->stack[machine->top - 1]) == (opcode == OP_JUMP_TRUE_KEEP))
      return true;
    machine->top--;
    return false;
  default:
    break;
  }
  right = pop(machine);
  left = pop(machine);
  if (opcode == OP_JUMP_EQUAL || opcode == OP_JUMP_UNEQUAL)
    return value_is_equal(left, right) == (opcode == OP_JUMP_EQUAL);
  if (left->kind != KIND_NUMBER || right->kind != KIND_NUMBER)
    machine_fail("operands of the wrong type", frame->code->name);
  return (left->number < right->number) == (opcode == OP_JUMP_LESS);
}

static void execute_simple(struct machine *machine, enum opcode opcode, const struct frame *frame) {
  switch (opcode) {
  case OP_NIL:
    push(machine, (struct value){NULL, KIND_NIL, 0});
    break;
  case OP_POP:
    machine->top--;
    break;
  case OP_DUP:
    push(machine, machine->stack[machine->top - 1]);
    break;
  case OP_NOT:
  case OP_COMPLEMENT:
  case OP_NEGATE:
    unary(machine, opcode, frame);
    break;
  case OP_INDEX:
    get_element(machine, frame);
    break;
  case OP_STORE:
    set_element(machine, frame);
    break;
  default:
    binary(machine, opcode, frame);
    break;
  }
}

static void add_number(struct machine *machine, int operand, const struct frame *frame) {
  struct value *value = &machine->stack[machine->top - 1];
  if (value->kind != KIND_NUMBER)
    machine_fail("operands of the wrong type", frame->code->name);
  value->number = (int)((unsigned)value->number + (unsigned)operand);
}

static void execute_operand(struct machine *machine, enum opcode opcode, int operand,
                            const struct frame *frame) {
  struct value *slots = frame->slots;
  switch (opcode) {
  case OP_NUMBER:
    push(machine, make_number(operand));
    break;
  case OP_CONSTANT:
    push(machine, (struct value){frame->code->constants[operand].string, KIND_STRING, 0});
    break;
  case OP_LOCAL:
    push(machine, slots[operand]);
    break;
  case OP_SET_LOCAL:
    slots[operand] = *pop(machine);
    break;
  case OP_BOXED_LOCAL:
    push(machine, box_of(&slots[operand])->value);
    break;
  case OP_SET_BOXED_LOCAL:
    box_of(&slots[operand])->value = *pop(machine);
    break;
  case OP_CAPTURED:
    push(machine, frame->captured[operand]);
    break;
  case OP_BOXED_CAPTURED:
    push(machine, box_of(&frame->captured[operand])->value);
    break;
  case OP_SET_BOXED_CAPTURED:
    box_of(&frame->captured[operand])->value = *pop(machine);
    break;
  case OP_GLOBAL:
    push(machine, machine->globals[operand]);
    break;
  case OP_SET_GLOBAL:
    machine->globals[operand] = *pop(machine);
    break;
  case OP_MAKE_BOX:
    make_box(machine, &slots[operand]);
    break;
  case OP_CALL:
    call(machine, operand);
    break;
  case OP_LIST:
    make_list(machine, operand);
    break;
  case OP_VECTOR:
    make_vector(machine, operand);
    break;
  case OP_CLOSURE:
    make_closure(machine, frame->code->constants[operand].code);
    break;
  case OP_ADD_NUMBER:
    add_number(machine, operand, frame);
    break;
  default:
    machine_fail("invalid byte code", frame->code->name);
  }
}

/* Runs the frame up to its return: the result is then on top of the stack. */
static void execute(struct machine *machine, const struct frame *frame) {
  const unsigned char *pc = frame->code->bytes;
  for (;;) {
    unsigned opcode = *pc++;
    if (opcode == OP_RETURN)
      return;
    if (opcode < OP_FIRST_WITH_OPERAND) {
      execute_simple(machine, (enum opcode)opcode, frame);
      continue;
    }
    int operand = (signed char)pc[0];
    if (opcode & OP_WIDE) {
      operand = (int)(pc[0] | (unsigned)pc[1] << 8 | (unsigned)pc[2] << 16 | (unsigned)pc[3] << 24);
      pc += 3;
    }
    pc++;
    opcode &= ~(unsigned)OP_WIDE;
    if (opcode < OP_FIRST_JUMP)
      execute_operand(machine, (enum opcode)opcode, operand, frame);
    else if (decide(machine, (enum opcode)opcode, frame))
      pc += operand;
  }
}

static void call_closure(struct machine *machine, const struct closure *closure,
                         int argument_count) {
  const struct code *code = closure->code;
  int base = machine->top - argument_count;
  if (argument_count != code->parameter_count)
    machine_fail("wrong number of arguments", code->name);
  if (machine->call_depth == CALL_LIMIT || base + code->stack_size > STACK_LIMIT)
    machine_fail("stack overflow", code->name);
  struct frame frame = {code, closure->captured, &machine->stack[base]};
  for (int i = argument_count; i < code->local_count; i++)
    frame.slots[i] = (struct value){NULL, KIND_NIL, 0};
  machine->top = base + code->local_count;
  machine->call_depth++;
  execute(machine, &frame);
  machine->call_depth--;
  machine->stack[base - 1] = machine->stack[machine->top - 1];
  machine->top = base;
}

/* Replaces the called value and its arguments by the result. */
static void call(struct machine *machine, int argument_count) {
  int base = machine->top - argument_count;
  const struct value *callee = &machine->stack[base - 1];
  if (callee->kind == KIND_CLOSURE) {
    call_closure(machine, callee->reference, argument_count);
  } else if (callee->kind == KIND_BUILTIN) {
    machine->stack[base - 1] =
        builtin_call(machine, callee->number, &machine->stack[base], argument_count);
    machine->top = base;
  } else {
    machine_fail("call of something that is no function", "a form");
  }
}

struct machine *machine_new(struct program *program) {
  region heap = newsubregion(regionof(program));
  struct machine *machine = ralloc(heap, struct machine);
  machine->program = program;
  machine->globals = rarrayalloc(heap, (size_t)program->symbol_count, struct value);
  machine->stack = rarrayalloc(heap, STACK_LIMIT, struct value);
  machine->random_state = 1;
  builtin_define(machine);
  return machine;
}

void machine_delete(struct machine *machine) deletes {
  region heap = regionof(machine);
  deleteregion(heap);
}

const struct value *machine_run(struct machine *machine) {
  struct program *program = machine->program;
  for (int i = 0; i < program->form_count; i++) {
    machine->top = 0;
    make_closure(machine, program->forms[i]);
    call(machine, 0);
  }
  return &machine->stack[0];
}
