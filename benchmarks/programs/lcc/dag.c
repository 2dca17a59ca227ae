/* SPDX-License-Identifier: MIT */
/* dag.c - value numbering of one expression.
 *
 * Each operation without side effect is a node; a second one with the same operation and operands
 * is the same node, and its instruction is emitted once.  The instruction is emitted when the node
 * is made, so a node's value never changes - but what a node says of memory or of a variable holds
 * only until the next store or call: changing ends that by counting epoch up.  A label joins paths
 * that did not make the same nodes, so it forgets all of them.
 */
#include "code.h"

enum { DAG_BUCKETS = 32 };

struct node {
  struct node *sameregion next;
  enum quad_op op;
  enum op operation;
  enum class class, from;
  struct operand a, b;
  struct symbol *parentptr symbol;
  int label;
  long offset;
  int result;
  int epoch; /* -1: for good */
};

/* In the statement's region. */
struct dag {
  struct node *sameregion *sameregion buckets;
  struct node *sameregion spare; /* made, but found to exist already */
  int epoch;
};

/* Where an object is: at a register plus offset, at a symbol or label plus offset, or a variable in
 * a register. */
struct location {
  struct operand base;
  struct symbol *symbol;
  int label;
  long offset;
  bool is_variable;
};

static struct operand value_of(struct dag *dag, const struct tree *tree);
static void effect_of(struct dag *dag, const struct tree *tree);
static void branch(struct dag *dag, const struct tree *tree, bool is_true, int label);

static struct dag *dag_new(region r) {
  struct dag *dag = ralloc(r, struct dag);
  dag->buckets = rarrayalloc(r, DAG_BUCKETS, struct node *sameregion);
  return dag;
}

static void forget_all(struct dag *dag) {
  for (int i = 0; i < DAG_BUCKETS; i++)
    dag->buckets[i] = NULL;
}

static void changing(struct dag *dag) { dag->epoch++; }

static void emit_label(struct dag *dag, int label) {
  code_label(label);
  forget_all(dag);
}

static bool is_variable(struct operand operand) {
  return operand.kind == OPERAND_REGISTER && code->values[operand.value].symbol;
}

static bool is_same_operand(struct operand a, struct operand b) {
  return a.kind == b.kind && a.value == b.value;
}

static bool is_same_node(const struct dag *dag, const struct node *a, const struct node *b) {
  return a->op == b->op && a->operation == b->operation && a->class == b->class &&
         a->from == b->from && a->symbol == b->symbol && a->label == b->label &&
         a->offset == b->offset && is_same_operand(a->a, b->a) && is_same_operand(a->b, b->b) &&
         (a->epoch < 0 || a->epoch == dag->epoch);
}

/* Makes a node to be given to find_or_emit. */
static struct node *node_new(struct dag *dag, enum quad_op op, enum class class, struct operand a,
                             struct operand b) {
  struct node *node = dag->spare;
  if (node)
    dag->spare = NULL;
  else
    node = ralloc(regionof(dag), struct node);
  node->op = op;
  node->operation = OP_INTEGER;
  node->class = node->from = class;
  node->a = a;
  node->b = b;
  node->symbol = NULL;
  node->label = 0;
  node->offset = 0;
  return node;
}

static struct node *sameregion *bucket_of(struct dag *dag, const struct node *node) {
  unsigned long hash = (unsigned long)node->op * 31 + (unsigned long)node->operation;
  hash = hash * 31 + (unsigned long)node->a.value * 7 + (unsigned long)node->b.value * 3;
  hash += (unsigned long)node->offset + (unsigned long)node->label;
  return &dag->buckets[hash % DAG_BUCKETS];
}

static void emit_node(struct node *node) {
  /* A result is a full register even where less is loaded. */
  node->result = code_new_value(class_size(node->class) < 4 ? CLASS_I4 : node->class);
  struct quad *quad = code_emit(node->op, node->class, node->result, node->a, node->b);
  quad->operation = node->operation;
  quad->from = node->from;
  quad->symbol = node->symbol;
  quad->label = node->label;
  quad->offset = node->offset;
}

/* The value of a node like wanted: an earlier one, or wanted with its instruction. */
static struct operand find_or_emit(struct dag *dag, struct node *wanted) {
  struct node *sameregion *bucket = bucket_of(dag, wanted);
  for (const struct node *node = *bucket; node; node = node->next) {
    if (is_same_node(dag, node, wanted)) {
      dag->spare = wanted;
      return code_register(node->result);
    }
  }
  bool is_transient = wanted->op == QUAD_LOAD || is_variable(wanted->a) || is_variable(wanted->b);
  wanted->epoch = is_transient ? dag->epoch : -1;
  emit_node(wanted);
  wanted->next = *bucket;
  *bucket = wanted;
  return code_register(wanted->result);
}

/* Whether a value of one type, as it is held, is one of the other. */
static bool is_no_conversion(const struct type *to, const struct type *from) {
  if (type_is_aggregate(from))
    return true;
  return !type_is_floating(to) && !type_is_floating(from) && to->size == from->size &&
         to->size >= 4 && type_is_scalar(to) && type_is_scalar(from);
}

static struct location locate(struct dag *dag, const struct tree *address,
                              const struct type *type) {
  struct location location = {code_none(), NULL, 0, 0, false};
  for (; address->op == OP_CONVERT; address = address->kids[0]) {
    const struct type *from = address->kids[0]->type;
    if (type_is_aggregate(from) || !is_no_conversion(address->type, from))
      break;
  }
  if (address->op == OP_ADDRESS) {
    struct symbol *symbol = address->symbol;
    location.symbol = symbol;
    location.label = address->label;
    location.offset = address->value;
    location.is_variable = symbol && symbol->is_local && type_is_scalar(type) &&
                           type_is_scalar(symbol->type) &&
                           class_of(symbol->type) == class_of(type) && address->value == 0;
    if (symbol && symbol->is_local && !location.is_variable)
      symbol->is_in_memory = true;
  } else if (address->op == OP_ADD && address->kids[1]->op == OP_INTEGER) {
    location.base = value_of(dag, address->kids[0]);
    location.offset = address->kids[1]->value;
  } else {
    location.base = value_of(dag, address);
  }
  if (location.base.kind == OPERAND_IMMEDIATE) {
    struct node *move = node_new(dag, QUAD_MOVE, CLASS_U8, location.base, code_none());
    location.base = find_or_emit(dag, move);
  }
  return location;
}

static struct operand load(struct dag *dag, const struct location *location,
                           const struct type *type) {
  if (location->is_variable)
    return code_register(location->symbol->local);
  struct node *node = node_new(dag, QUAD_LOAD, class_of(type), location->base, code_none());
  node->symbol = location->symbol;
  node->label = location->label;
  node->offset = location->offset;
  return find_or_emit(dag, node);
}

static void store(struct dag *dag, const struct location *location, const struct type *type,
                  struct operand value) {
  enum class class = class_of(type);
  if (location->is_variable) {
    code_emit(QUAD_MOVE, class, location->symbol->local, value, code_none());
  } else {
    struct quad *quad = code_emit(QUAD_STORE, class, -1, location->base, value);
    quad->symbol = location->symbol;
    quad->label = location->label;
    quad->offset = location->offset;
  }
  changing(dag);
}

static struct operand address_value(struct dag *dag, const struct location *location) {
  if (location->base.kind != OPERAND_NONE) {
    if (location->offset == 0)
      return location->base;
    struct node *sum =
        node_new(dag, QUAD_BINARY, CLASS_I8, location->base, code_immediate(location->offset));
    sum->operation = OP_ADD;
    return find_or_emit(dag, sum);
  }
  struct node *node = node_new(dag, QUAD_ADDRESS, CLASS_U8, code_none(), code_none());
  node->symbol = location->symbol;
  node->label = location->label;
  node->offset = location->offset;
  return find_or_emit(dag, node);
}

/* A value that does not change when a variable that it was read from does. */
static struct operand keep(struct operand value, enum class class) {
  if (!is_variable(value))
    return value;
  int copy = code_new_value(class);
  code_emit(QUAD_MOVE, class, copy, value, code_none());
  return code_register(copy);
}

static struct operand temporary_aggregate(const struct type *type) {
  struct symbol *symbol = ralloc(regionof(code), struct symbol);
  symbol->kind = SYMBOL_VARIABLE;
  symbol->type = (struct type *)type;
  symbol->is_local = true;
  symbol->is_in_memory = true;
  symbol->local = code_new_local(symbol);
  int address = code_new_value(CLASS_U8);
  code_emit(QUAD_ADDRESS, CLASS_U8, address, code_none(), code_none())->symbol = symbol;
  return code_register(address);
}

static struct argument *argument_new(region memory, struct argument *last, struct operand operand,
                                     enum class class) {
  struct argument *argument = ralloc(memory, struct argument);
  argument->operand = operand;
  argument->class = class;
  if (last)
    last->next = argument;
  return argument;
}

/* Aggregates are passed as the address of the caller's object, which the callee copies; for a
   result that is one, the address of a temporary comes first. */
static struct operand call_of(struct dag *dag, const struct tree *tree) {
  const struct type *type = tree->kids[0]->type->base;
  struct operand callee = code_none(), hidden = code_none(), result = code_none();
  struct symbol *symbol = NULL;
  if (tree->kids[0]->op == OP_ADDRESS)
    symbol = tree->kids[0]->symbol;
  else
    callee = value_of(dag, tree->kids[0]);
  if (type_is_aggregate(tree->type))
    hidden = temporary_aggregate(tree->type);
  struct argument *first = NULL, *last = NULL;
  if (hidden.kind != OPERAND_NONE)
    first = last = argument_new(regionof(code), NULL, hidden, CLASS_U8);
  for (const struct tree *argument = tree->arguments; argument; argument = argument->next) {
    last = argument_new(regionof(code), last, value_of(dag, argument), class_of(argument->type));
    first = first ? first : last;
  }
  int number = -1;
  if (hidden.kind == OPERAND_NONE && tree->type->kind != TYPE_VOID) {
    number = code_new_value(type_is_floating(tree->type) ? class_of(tree->type)
                                                         : class_of(type_promote(tree->type)));
    result = code_register(number);
  }
  struct quad *call = code_emit(QUAD_CALL, result.kind ? class_of(tree->type) : CLASS_I4, number,
                                callee, code_none());
  call->arguments = first;
  call->symbol = symbol;
  call->is_variadic = type->is_variadic || !type->has_prototype;
  changing(dag);
  return hidden.kind != OPERAND_NONE ? hidden : result;
}

static struct operand assign_of(struct dag *dag, const struct tree *tree) {
  const struct tree *target = tree->kids[0], *source = tree->kids[1];
  if (type_is_aggregate(tree->type)) {
    struct operand from = value_of(dag, source), to = value_of(dag, target->kids[0]);
    code_emit(QUAD_COPY, CLASS_U8, -1, to, from)->offset = type_size(tree->type);
    changing(dag);
    return to;
  }
  struct location location = locate(dag, target->kids[0], target->type);
  struct operand value = value_of(dag, source);
  store(dag, &location, target->type, value);
  return location.is_variable ? code_register(location.symbol->local) : value;
}

/* Whether value, which may be any number, is not 0. */
static struct operand truth_value(struct dag *dag, struct operand value, const struct type *from) {
  if (type_is_floating(from))
    error("number made a truth value by an assigning operator");
  struct node *node = node_new(dag, QUAD_COMPARE, CLASS_I4, value, code_immediate(0));
  node->operation = OP_UNEQUAL;
  node->from = class_of(from);
  return find_or_emit(dag, node);
}

static struct operand convert(struct dag *dag, struct operand value, const struct type *from,
                              const struct type *to) {
  if (value.kind == OPERAND_IMMEDIATE && !type_is_floating(to))
    return code_immediate(type_truncate(to, value.value));
  if (to->kind == TYPE_BOOL && from->kind != TYPE_BOOL)
    return truth_value(dag, value, from);
  if (is_no_conversion(to, from) || class_of(from) == class_of(to))
    return value;
  struct node *node = node_new(dag, QUAD_CONVERT, class_of(to), value, code_none());
  node->from = class_of(from);
  return find_or_emit(dag, node);
}

static struct operand update_of(struct dag *dag, const struct tree *tree) {
  const struct tree *target = tree->kids[0];
  const struct type *type = tree->computed_type;
  struct location location = locate(dag, target->kids[0], target->type);
  struct operand amount = value_of(dag, tree->kids[1]);
  struct operand old = load(dag, &location, target->type);
  if (tree->is_postfix)
    old = keep(old, class_of(target->type));
  struct node *node =
      node_new(dag, QUAD_BINARY, class_of(type), convert(dag, old, target->type, type), amount);
  node->operation = tree->operation;
  struct operand sum = convert(dag, find_or_emit(dag, node), type, target->type);
  store(dag, &location, target->type, sum);
  if (tree->is_postfix)
    return old;
  return location.is_variable ? code_register(location.symbol->local) : sum;
}

/* A condition as 0 or 1. */
static struct operand truth_of(struct dag *dag, const struct tree *tree) {
  int result = code_new_value(CLASS_I4), end = unit_new_label();
  code_emit(QUAD_MOVE, CLASS_I4, result, code_immediate(0), code_none());
  branch(dag, tree, false, end);
  code_emit(QUAD_MOVE, CLASS_I4, result, code_immediate(1), code_none());
  emit_label(dag, end);
  return code_register(result);
}

static struct operand condition_of(struct dag *dag, const struct tree *tree) {
  int otherwise = unit_new_label(), end = unit_new_label();
  bool has_value = tree->type->kind != TYPE_VOID;
  enum class class = type_is_aggregate(tree->type) ? CLASS_U8 : class_of(tree->type);
  int result = has_value ? code_new_value(class) : -1;
  branch(dag, tree->kids[0], false, otherwise);
  for (int i = 1; i <= 2; i++) {
    if (has_value)
      code_emit(QUAD_MOVE, class, result, value_of(dag, tree->kids[i]), code_none());
    else
      effect_of(dag, tree->kids[i]);
    if (i == 1)
      code_jump(end);
    emit_label(dag, i == 1 ? otherwise : end);
  }
  return has_value ? code_register(result) : code_none();
}

static struct operand floating_constant(struct dag *dag, const struct tree *tree) {
  struct node *node = node_new(dag, QUAD_FLOAT, class_of(tree->type), code_none(), code_none());
  node->label = unit_float_label(tree->floating, tree->type->kind == TYPE_FLOAT);
  return find_or_emit(dag, node);
}

static struct operand va_operation(struct dag *dag, const struct tree *tree) {
  struct operand list = value_of(dag, tree->kids[0]), result = code_none();
  bool is_start = tree->op == OP_VA_START;
  int number = is_start ? -1 : code_new_value(class_of(tree->type));
  struct quad *quad =
      code_emit(is_start ? QUAD_VA_START : QUAD_VA_ARG, CLASS_U8, number, list, code_none());
  if (!is_start) {
    if (!type_is_scalar(tree->type))
      error("va_arg of this type is not supported");
    quad->class = quad->from = class_of(tree->type);
    result = code_register(number);
  }
  changing(dag);
  return result;
}

static struct operand binary_of(struct dag *dag, const struct tree *tree) {
  struct operand left = value_of(dag, tree->kids[0]), right = value_of(dag, tree->kids[1]);
  bool is_comparison = op_is_comparison(tree->op);
  struct node *node =
      node_new(dag, is_comparison ? QUAD_COMPARE : QUAD_BINARY, class_of(tree->type), left, right);
  node->operation = tree->op;
  node->from = class_of(tree->kids[0]->type);
  return find_or_emit(dag, node);
}

static struct operand unary_of(struct dag *dag, const struct tree *tree) {
  struct node *node =
      node_new(dag, QUAD_UNARY, class_of(tree->type), value_of(dag, tree->kids[0]), code_none());
  node->operation = tree->op;
  return find_or_emit(dag, node);
}

static struct operand convert_of(struct dag *dag, const struct tree *tree) {
  const struct tree *kid = tree->kids[0];
  if (tree->type->kind == TYPE_VOID) {
    effect_of(dag, kid);
    return code_none();
  }
  struct operand value = value_of(dag, kid);
  bool is_truth =
      op_is_comparison(kid->op) || kid->op == OP_NOT || kid->op == OP_AND || kid->op == OP_OR;
  if (is_no_conversion(tree->type, kid->type) || (is_truth && tree->type->kind == TYPE_BOOL))
    return value;
  return convert(dag, value, kid->type, tree->type);
}

static struct operand value_of(struct dag *dag, const struct tree *tree) {
  struct location location;
  switch (tree->op) {
  case OP_INTEGER:
    return code_immediate(tree->value);
  case OP_FLOATING:
    return floating_constant(dag, tree);
  case OP_ADDRESS:
    if (tree->symbol && tree->symbol->is_local)
      tree->symbol->is_in_memory = true;
    location = (struct location){code_none(), tree->symbol, tree->label, tree->value, false};
    return address_value(dag, &location);
  case OP_INDIRECT:
    if (!type_is_scalar(tree->type))
      return value_of(dag, tree->kids[0]);
    location = locate(dag, tree->kids[0], tree->type);
    return load(dag, &location, tree->type);
  case OP_ASSIGN:
    return assign_of(dag, tree);
  case OP_UPDATE:
    return update_of(dag, tree);
  case OP_NEGATE:
  case OP_COMPLEMENT:
    return unary_of(dag, tree);
  case OP_CONVERT:
    return convert_of(dag, tree);
  case OP_NOT:
  case OP_AND:
  case OP_OR:
    return truth_of(dag, tree);
  case OP_CONDITION:
    return condition_of(dag, tree);
  case OP_COMMA:
    effect_of(dag, tree->kids[0]);
    return value_of(dag, tree->kids[1]);
  case OP_CALL:
    return call_of(dag, tree);
  case OP_VA_START:
  case OP_VA_ARG:
    return va_operation(dag, tree);
  case OP_SEQUENCE:
    for (const struct tree *part = tree->arguments; part; part = part->next)
      effect_of(dag, part);
    return code_none();
  case OP_CLEAR:
    code_emit(QUAD_CLEAR, CLASS_U8, -1, value_of(dag, tree->kids[0]), code_none())->offset =
        tree->value;
    changing(dag);
    return code_none();
  default:
    return binary_of(dag, tree);
  }
}

/* For its side effects alone. */
static void effect_of(struct dag *dag, const struct tree *tree) {
  switch (tree->op) {
  case OP_INTEGER:
  case OP_FLOATING:
  case OP_ADDRESS:
    return;
  case OP_INDIRECT:
    effect_of(dag, tree->kids[0]);
    return;
  default:
    value_of(dag, tree);
    return;
  }
}

static enum op inverse(enum op op) {
  switch (op) {
  case OP_EQUAL:
    return OP_UNEQUAL;
  case OP_UNEQUAL:
    return OP_EQUAL;
  case OP_LESS:
    return OP_GREATER_EQUAL;
  case OP_LESS_EQUAL:
    return OP_GREATER;
  case OP_GREATER:
    return OP_LESS_EQUAL;
  default:
    return OP_LESS;
  }
}

static void branch_on(enum class class, enum op operation, struct operand a, struct operand b,
                      int label) {
  struct quad *quad = code_emit(QUAD_BRANCH, class, -1, a, b);
  quad->operation = operation;
  quad->label = label;
}

/* Comparisons with a NaN are false: such a comparison is inverted by jumping around, not by its
 * opposite. */
static void branch_comparison(struct dag *dag, const struct tree *tree, bool is_true, int label) {
  enum class class = class_of(tree->kids[0]->type);
  struct operand left = value_of(dag, tree->kids[0]), right = value_of(dag, tree->kids[1]);
  if (is_true || !class_is_floating(class)) {
    branch_on(class, is_true ? tree->op : inverse(tree->op), left, right, label);
    return;
  }
  int holds = unit_new_label();
  branch_on(class, tree->op, left, right, holds);
  code_jump(label);
  emit_label(dag, holds);
}

static void branch_logical(struct dag *dag, const struct tree *tree, bool is_true, int label) {
  /* Whether the first operand alone can decide for the jump. */
  if ((tree->op == OP_OR) == is_true) {
    branch(dag, tree->kids[0], is_true, label);
    branch(dag, tree->kids[1], is_true, label);
    return;
  }
  int end = unit_new_label();
  branch(dag, tree->kids[0], !is_true, end);
  branch(dag, tree->kids[1], is_true, label);
  emit_label(dag, end);
}

static void branch(struct dag *dag, const struct tree *tree, bool is_true, int label) {
  if (tree->op == OP_NOT) {
    branch(dag, tree->kids[0], !is_true, label);
  } else if (tree->op == OP_AND || tree->op == OP_OR) {
    branch_logical(dag, tree, is_true, label);
  } else if (op_is_comparison(tree->op)) {
    branch_comparison(dag, tree, is_true, label);
  } else if (tree->op == OP_INTEGER) {
    if ((tree->value != 0) == is_true)
      code_jump(label);
  } else if (type_is_floating(tree->type)) {
    region r = regionof(dag);
    struct tree *zero = tree_floating(r, 0, tree->type);
    branch_comparison(dag, tree_new(r, OP_UNEQUAL, unit->int_type, (struct tree *)tree, zero),
                      is_true, label);
  } else {
    struct operand value = value_of(dag, tree);
    branch_on(class_of(tree->type), is_true ? OP_UNEQUAL : OP_EQUAL, value, code_immediate(0),
              label);
  }
}

void code_expression(region r, const struct tree *inregion(r) tree) {
  if (tree)
    effect_of(dag_new(r), tree);
}

void code_branch(region r, const struct tree *inregion(r) tree, bool is_true, int label) {
  branch(dag_new(r), tree, is_true, label);
}

struct operand code_value(region r, const struct tree *inregion(r) tree) {
  return value_of(dag_new(r), tree);
}

struct operand code_aggregate(region r, const struct tree *inregion(r) tree) {
  return value_of(dag_new(r), tree);
}
