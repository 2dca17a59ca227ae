/* SPDX-License-Identifier: MIT */
/* generate.c - instructions for the tree, one list for each function.
 *
 * depth is the number of values on the machine's stack above the frame's slots at the point
 * reached.  Every node leaves it one higher if its value is wanted, and as it was if not.
 */
#include "compile.h"

/* The innermost loop: where break and continue go, and the depth they must restore. */
struct loop {
  struct instruction *sameregion end;
  struct instruction *sameregion again;
  int depth;
};

/* In the region of its list. */
struct generator {
  struct program *parentptr program;
  const struct function *parentptr function;
  struct list *sameregion list;
  const struct loop *sameregion loop;
  int depth, deepest;
};

static void generate(struct generator *generator, const struct node *node, bool is_wanted) deletes;

static struct instruction *instruction_new(region memory, enum opcode opcode, int operand) {
  struct instruction *instruction = ralloc(memory, struct instruction);
  instruction->opcode = opcode;
  instruction->operand = operand;
  return instruction;
}

static void append(struct list *list, struct instruction *instruction) {
  instruction->previous = list->last;
  if (list->last)
    list->last->next = instruction;
  else
    list->first = instruction;
  list->last = instruction;
}

/* effect: what the instruction adds to the depth. */
static struct instruction *emit(struct generator *generator, enum opcode opcode, int operand,
                                int effect) {
  struct instruction *instruction = instruction_new(regionof(generator), opcode, operand);
  append(generator->list, instruction);
  generator->depth += effect;
  if (generator->depth > generator->deepest)
    generator->deepest = generator->depth;
  return instruction;
}

static struct instruction *label_new(struct generator *generator) {
  return instruction_new(regionof(generator), OP_LABEL, 0);
}

static void emit_label(struct generator *generator, struct instruction *label) {
  append(generator->list, label);
}

static void emit_jump(struct generator *generator, enum opcode opcode, struct instruction *label,
                      int effect) {
  struct instruction *jump = emit(generator, opcode, 0, effect);
  jump->target = label;
  label->reference_count++;
}

static int capture_index(const struct function *function, const struct variable *variable) {
  const struct capture *capture = function->captures;
  while (capture->variable != variable)
    capture = capture->next;
  return capture->index;
}

static void generate_name(struct generator *generator, const struct node *node) {
  const struct variable *variable = node->variable;
  if (!variable)
    emit(generator, OP_GLOBAL, node->global->index, 1);
  else if (variable->owner == generator->function)
    emit(generator, variable_is_boxed(variable) ? OP_BOXED_LOCAL : OP_LOCAL, variable->slot, 1);
  else
    emit(generator, variable_is_boxed(variable) ? OP_BOXED_CAPTURED : OP_CAPTURED,
         capture_index(generator->function, variable), 1);
}

static void generate_assignment(struct generator *generator, const struct node *node,
                                bool is_wanted) deletes {
  const struct variable *variable = node->variable;
  generate(generator, node->first, true);
  if (is_wanted)
    emit(generator, OP_DUP, 0, 1);
  if (!variable)
    emit(generator, OP_SET_GLOBAL, node->global->index, -1);
  else if (variable->owner == generator->function)
    emit(generator, variable_is_boxed(variable) ? OP_SET_BOXED_LOCAL : OP_SET_LOCAL, variable->slot,
         -1);
  else
    emit(generator, OP_SET_BOXED_CAPTURED, capture_index(generator->function, variable), -1);
}

static int generate_list(struct generator *generator, const struct node *list) deletes {
  int count = 0;
  for (; list; list = list->next, count++)
    generate(generator, list, true);
  return count;
}

static void generate_if(struct generator *generator, const struct node *node, bool is_wanted)
    deletes {
  struct instruction *otherwise = label_new(generator), *end = label_new(generator);
  generate(generator, node->first, true);
  emit_jump(generator, OP_JUMP_FALSE, otherwise, -1);
  int depth = generator->depth;
  generate(generator, node->second, is_wanted);
  emit_jump(generator, OP_JUMP, end, 0);
  emit_label(generator, otherwise);
  generator->depth = depth;
  if (node->third)
    generate(generator, node->third, is_wanted);
  else if (is_wanted)
    emit(generator, OP_NIL, 0, 1);
  emit_label(generator, end);
}

/* The condition stands at the end, so that each turn takes one jump.  The value is nil. */
static void generate_loop(struct generator *generator, const struct node *node, bool is_wanted)
    deletes {
  const struct loop *outer = generator->loop;
  struct instruction *body = label_new(generator), *condition = label_new(generator);
  struct loop *loop = ralloc(regionof(generator), struct loop);
  loop->end = label_new(generator);
  loop->again = label_new(generator);
  loop->depth = generator->depth;
  generator->loop = loop;
  emit_jump(generator, OP_JUMP, condition, 0);
  emit_label(generator, body);
  generate(generator, node->second, false);
  emit_label(generator, loop->again);
  if (node->third)
    generate(generator, node->third, false);
  emit_label(generator, condition);
  generate(generator, node->first, true);
  emit_jump(generator, OP_JUMP_TRUE, body, -1);
  emit_label(generator, loop->end);
  generator->loop = outer;
  if (is_wanted)
    emit(generator, OP_NIL, 0, 1);
}

/* Code behind the jump is not reached: the depth is that of a node whose value is wanted or not, as
 * usual. */
static void generate_exit(struct generator *generator, const struct node *node, bool is_wanted) {
  const struct loop *loop = generator->loop;
  if (!loop)
    fail(node->line, "not in a loop");
  int depth = generator->depth;
  while (generator->depth > loop->depth)
    emit(generator, OP_POP, 0, -1);
  emit_jump(generator, OP_JUMP, node->kind == NODE_BREAK ? loop->end : loop->again, 0);
  generator->depth = depth + is_wanted;
}

static void generate_logical(struct generator *generator, const struct node *node, bool is_wanted)
    deletes {
  struct instruction *end = label_new(generator);
  bool is_and = node->kind == NODE_AND;
  generate(generator, node->first, true);
  if (is_wanted)
    emit_jump(generator, is_and ? OP_JUMP_FALSE_KEEP : OP_JUMP_TRUE_KEEP, end, -1);
  else
    emit_jump(generator, is_and ? OP_JUMP_FALSE : OP_JUMP_TRUE, end, -1);
  generate(generator, node->second, is_wanted);
  emit_label(generator, end);
}

/* The captured variables are pushed as they stand in the frame: boxes as boxes. */
static void generate_closure(struct generator *generator, const struct function *function) deletes {
  struct code *code = generate_function(generator->program, function);
  for (const struct capture *capture = function->captures; capture; capture = capture->next) {
    const struct variable *variable = capture->variable;
    if (variable->owner == generator->function)
      emit(generator, OP_LOCAL, variable->slot, 1);
    else
      emit(generator, OP_CAPTURED, capture_index(generator->function, variable), 1);
  }
  emit(generator, OP_CLOSURE, 0, 1 - function->capture_count)->code = code;
}

static void generate_boxes(struct generator *generator, const struct variable *variables) {
  for (; variables; variables = variables->next)
    if (variable_is_boxed(variables))
      emit(generator, OP_MAKE_BOX, variables->slot, 0);
}

static void generate_block(struct generator *generator, const struct node *block, bool is_wanted)
    deletes {
  generate_boxes(generator, block->variables);
  for (const struct node *node = block->list; node; node = node->next)
    generate(generator, node, is_wanted && !node->next);
  if (is_wanted && !block->list)
    emit(generator, OP_NIL, 0, 1);
}

static void generate_unary(struct generator *generator, const struct node *node) deletes {
  generate(generator, node->first, true);
  emit(generator,
       node->operation == TOKEN_NOT     ? OP_NOT
       : node->operation == TOKEN_MINUS ? OP_NEGATE
                                        : OP_COMPLEMENT,
       0, 0);
}

static void generate_return(struct generator *generator, const struct node *node, bool is_wanted)
    deletes {
  if (node->first)
    generate(generator, node->first, true);
  else
    emit(generator, OP_NIL, 0, 1);
  emit(generator, OP_RETURN, 0, is_wanted ? 0 : -1);
}

/* Nodes that always push a value. */
static void generate_value(struct generator *generator, const struct node *node) deletes {
  int count;
  switch (node->kind) {
  case NODE_NIL:
    emit(generator, OP_NIL, 0, 1);
    break;
  case NODE_NUMBER:
    emit(generator, OP_NUMBER, node->number, 1);
    break;
  case NODE_STRING:
    emit(generator, OP_CONSTANT, 0, 1)->string = node->string;
    break;
  case NODE_NAME:
    generate_name(generator, node);
    break;
  case NODE_FUNCTION:
    generate_closure(generator, node->function);
    break;
  case NODE_UNARY:
    generate_unary(generator, node);
    break;
  case NODE_BINARY:
    generate(generator, node->first, true);
    generate(generator, node->second, true);
    emit(generator, OP_CONS + (node->operation - TOKEN_CONS), 0, -1);
    break;
  case NODE_INDEX:
    generate(generator, node->first, true);
    generate(generator, node->second, true);
    emit(generator, OP_INDEX, 0, -1);
    break;
  case NODE_STORE:
    generate(generator, node->first, true);
    generate(generator, node->second, true);
    generate(generator, node->third, true);
    emit(generator, OP_STORE, 0, -2);
    break;
  case NODE_CALL:
    generate(generator, node->first, true);
    count = generate_list(generator, node->list);
    emit(generator, OP_CALL, count, -count);
    break;
  case NODE_LIST:
  case NODE_VECTOR:
    count = generate_list(generator, node->list);
    emit(generator, node->kind == NODE_LIST ? OP_LIST : OP_VECTOR, count, 1 - count);
    break;
  default:
    fail(node->line, "node without code");
  }
}

static void generate(struct generator *generator, const struct node *node, bool is_wanted) deletes {
  switch (node->kind) {
  case NODE_ASSIGN:
    generate_assignment(generator, node, is_wanted);
    return;
  case NODE_AND:
  case NODE_OR:
    generate_logical(generator, node, is_wanted);
    return;
  case NODE_BLOCK:
    generate_block(generator, node, is_wanted);
    return;
  case NODE_IF:
    generate_if(generator, node, is_wanted);
    return;
  case NODE_LOOP:
    generate_loop(generator, node, is_wanted);
    return;
  case NODE_BREAK:
  case NODE_CONTINUE:
    generate_exit(generator, node, is_wanted);
    return;
  case NODE_RETURN:
    generate_return(generator, node, is_wanted);
    return;
  default:
    break;
  }
  generate_value(generator, node);
  if (!is_wanted)
    emit(generator, OP_POP, 0, -1);
}

struct code *generate_function(struct program *program, const struct function *function) deletes {
  region memory = newsubregion(regionof(function));
  struct list *list = ralloc(memory, struct list);
  struct generator *generator = ralloc(memory, struct generator);
  generator->program = program;
  generator->function = function;
  generator->list = list;
  generate_boxes(generator, function->parameters);
  generate(generator, function->body, true);
  emit(generator, OP_RETURN, 0, -1);
  optimize_list(list);
  struct code *code = assemble_list(program, list);
  code->name = rstrdup(regionof(program), function->name);
  code->parameter_count = function->parameter_count;
  code->local_count = function->local_count;
  code->capture_count = function->capture_count;
  code->stack_size = function->local_count + generator->deepest + 1; /* one for optimize_list */
  deleteregion(memory);
  return code;
}
