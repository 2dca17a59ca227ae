/* SPDX-License-Identifier: MIT */
/* tree.c - construction with folding.
 *
 * A constant is always one node: conversions and arithmetic of constants, and an address plus a
 * constant, leave no operator.  Initialisers of static objects rely on that.
 */
#include "tree.h"

enum { DEPTH_LIMIT = 2000 };

void tree_deepen(struct tree *tree, const struct tree *kid) {
  if (kid && kid->depth >= tree->depth)
    tree->depth = kid->depth + 1;
  if (tree->depth > DEPTH_LIMIT)
    error("expression too complex");
}

struct tree *inregion(r) tree_new(region r, enum op op, struct type *type,
                                  struct tree *inregion(r) left, struct tree *inregion(r) right) {
  struct tree *tree = ralloc(r, struct tree);
  tree_deepen(tree, left);
  tree_deepen(tree, right);
  tree->op = op;
  tree->type = type;
  tree->kids[0] = left;
  tree->kids[1] = right;
  return tree;
}

long type_truncate(const struct type *type, long value) {
  switch (type->kind) {
  case TYPE_BOOL:
    return value != 0;
  case TYPE_CHAR:
    return (signed char)value;
  case TYPE_UNSIGNED_CHAR:
    return (unsigned char)value;
  case TYPE_SHORT:
    return (short)value;
  case TYPE_UNSIGNED_SHORT:
    return (unsigned short)value;
  case TYPE_INT:
    return (int)value;
  case TYPE_UNSIGNED:
    return (unsigned)value;
  default:
    return value;
  }
}

struct tree *inregion(r) tree_integer(region r, long value, struct type *type) {
  struct tree *tree = tree_new(r, OP_INTEGER, type, NULL, NULL);
  tree->value = type_truncate(type, value);
  return tree;
}

struct tree *inregion(r) tree_floating(region r, double value, struct type *type) {
  struct tree *tree = tree_new(r, OP_FLOATING, type, NULL, NULL);
  tree->floating = type->kind == TYPE_FLOAT ? (float)value : value;
  return tree;
}

struct tree *inregion(r) tree_address(region r, struct symbol *symbol, struct type *type) {
  struct tree *tree = tree_new(r, OP_ADDRESS, type_pointer_to(type), NULL, NULL);
  tree->symbol = symbol;
  return tree;
}

struct tree *inregion(r) tree_label_address(region r, int label, struct type *type) {
  struct tree *tree = tree_new(r, OP_ADDRESS, type_pointer_to(type), NULL, NULL);
  tree->label = label;
  return tree;
}

struct tree *inregion(r) tree_indirect(region r, struct tree *inregion(r) address) {
  if (address->type->kind != TYPE_POINTER)
    error("not a pointer");
  return tree_new(r, OP_INDIRECT, address->type->base, address, NULL);
}

bool op_is_comparison(enum op op) { return op >= OP_EQUAL && op <= OP_GREATER_EQUAL; }

static bool compare(enum op op, int order) {
  switch (op) {
  case OP_EQUAL:
    return order == 0;
  case OP_UNEQUAL:
    return order != 0;
  case OP_LESS:
    return order < 0;
  case OP_LESS_EQUAL:
    return order <= 0;
  case OP_GREATER:
    return order > 0;
  default:
    return order >= 0;
  }
}

/* The quotient or remainder; false if there is none. */
static bool divide(enum op op, bool is_unsigned, unsigned long a, unsigned long b,
                   unsigned long *result) {
  if (b == 0)
    return false;
  if (is_unsigned)
    *result = op == OP_DIVIDE ? a / b : a % b;
  else if (b == ~0ul)
    *result = op == OP_DIVIDE ? 0 - a : 0;
  else
    *result =
        op == OP_DIVIDE ? (unsigned long)((long)a / (long)b) : (unsigned long)((long)a % (long)b);
  return true;
}

/* left op right in type; false if it has no value. */
static bool fold_integers(enum op op, const struct type *type, long left, long right,
                          long *result) {
  unsigned long a = (unsigned long)left, b = (unsigned long)right, value;
  bool is_unsigned = type_is_unsigned(type);
  unsigned shift = (unsigned)right & (type->size == 8 ? 63 : 31);
  switch (op) {
  case OP_ADD:
    value = a + b;
    break;
  case OP_SUBTRACT:
    value = a - b;
    break;
  case OP_MULTIPLY:
    value = a * b;
    break;
  case OP_DIVIDE:
  case OP_REMAINDER:
    if (!divide(op, is_unsigned, a, b, &value))
      return false;
    break;
  case OP_BIT_AND:
    value = a & b;
    break;
  case OP_BIT_OR:
    value = a | b;
    break;
  case OP_BIT_XOR:
    value = a ^ b;
    break;
  case OP_SHIFT_LEFT:
    value = a << shift;
    break;
  case OP_SHIFT_RIGHT:
    value = is_unsigned ? a >> shift : (unsigned long)(left >> shift);
    break;
  default:
    if (!op_is_comparison(op))
      return false;
    value = is_unsigned ? compare(op, a < b ? -1 : a > b)
                        : compare(op, left < right ? -1 : left > right);
    break;
  }
  *result = (long)value;
  return true;
}

static bool fold_floatings(enum op op, double left, double right, double *result) {
  switch (op) {
  case OP_ADD:
    *result = left + right;
    break;
  case OP_SUBTRACT:
    *result = left - right;
    break;
  case OP_MULTIPLY:
    *result = left * right;
    break;
  default:
    return false;
  }
  return true;
}

static bool is_commutative(enum op op) {
  return op == OP_ADD || op == OP_MULTIPLY || op == OP_BIT_AND || op == OP_BIT_OR ||
         op == OP_BIT_XOR;
}

/* The exponent of value if that is a power of two above 1; else 0. */
static int exponent_of(long value) {
  int exponent = 0;
  if (value <= 1 || (value & (value - 1)) != 0)
    return 0;
  while (value >> exponent != 1)
    exponent++;
  return exponent;
}

/* Operations with a neutral right operand, and address arithmetic. */
static struct tree *simplify(region r, enum op op, struct type *type, struct tree *left,
                             struct tree *right) {
  long value = right->value;
  int exponent = exponent_of(value);
  if (left->op == OP_ADDRESS && (op == OP_ADD || op == OP_SUBTRACT))
    return tree_offset(r, left, op == OP_ADD ? value : -value, type);
  switch (op) {
  case OP_ADD:
  case OP_SUBTRACT:
  case OP_BIT_OR:
  case OP_BIT_XOR:
  case OP_SHIFT_LEFT:
  case OP_SHIFT_RIGHT:
    return value == 0 ? left : NULL;
  case OP_MULTIPLY:
    if (exponent)
      return tree_binary(r, OP_SHIFT_LEFT, type, left, tree_integer(r, exponent, type));
    return value == 1 ? left : NULL;
  case OP_DIVIDE:
    if (type_is_unsigned(type) && exponent)
      return tree_binary(r, OP_SHIFT_RIGHT, type, left, tree_integer(r, exponent, type));
    return value == 1 ? left : NULL;
  default:
    return NULL;
  }
}

struct tree *inregion(r) tree_binary(region r, enum op op, struct type *type,
                                     struct tree *inregion(r) left,
                                     struct tree *inregion(r) right) {
  struct type *result_type = op_is_comparison(op) ? unit->int_type : type;
  long integer;
  double floating;
  if (left->op == OP_INTEGER && right->op != OP_INTEGER && is_commutative(op)) {
    struct tree *swapped = left;
    left = right;
    right = swapped;
  }
  if (left->op == OP_INTEGER && right->op == OP_INTEGER &&
      fold_integers(op, left->type, left->value, right->value, &integer))
    return tree_integer(r, integer, result_type);
  if (left->op == OP_FLOATING && right->op == OP_FLOATING &&
      fold_floatings(op, left->floating, right->floating, &floating))
    return tree_floating(r, floating, result_type);
  if (right->op == OP_INTEGER && !type_is_floating(type)) {
    struct tree *simple = simplify(r, op, type, left, right);
    if (simple)
      return simple;
  }
  return tree_new(r, op, result_type, left, right);
}

struct tree *inregion(r) tree_unary(region r, enum op op, struct type *type,
                                    struct tree *inregion(r) kid) {
  if (kid->op == OP_INTEGER && op == OP_NEGATE)
    return tree_integer(r, (long)(0 - (unsigned long)kid->value), type);
  if (kid->op == OP_INTEGER && op == OP_COMPLEMENT)
    return tree_integer(r, ~kid->value, type);
  if (kid->op == OP_INTEGER && op == OP_NOT)
    return tree_integer(r, !kid->value, type);
  if (kid->op == OP_FLOATING && op == OP_NEGATE)
    return tree_floating(r, -kid->floating, type);
  return tree_new(r, op, type, kid, NULL);
}

struct tree *inregion(r) tree_offset(region r, struct tree *inregion(r) address, long offset,
                                     struct type *type) {
  if (address->op == OP_ADDRESS) {
    struct tree *sum = tree_new(r, OP_ADDRESS, type, NULL, NULL);
    sum->symbol = address->symbol;
    sum->label = address->label;
    sum->value = address->value + offset;
    return sum;
  }
  if (address->op == OP_ADD && address->kids[1]->op == OP_INTEGER)
    return tree_new(r, OP_ADD, type, address->kids[0],
                    tree_integer(r, address->kids[1]->value + offset, unit->long_type));
  if (offset == 0)
    return tree_convert(r, address, type);
  return tree_binary(r, OP_ADD, type, address, tree_integer(r, offset, unit->long_type));
}

struct tree *inregion(r) tree_element(region r, struct tree *inregion(r) pointer,
                                      struct tree *inregion(r) index, bool is_subtracted) {
  long size = pointer->type->base->kind == TYPE_VOID ? 1 : type_size(pointer->type->base);
  struct tree *distance =
      tree_binary(r, OP_MULTIPLY, unit->long_type, tree_convert(r, index, unit->long_type),
                  tree_integer(r, size, unit->long_type));
  if (distance->op == OP_INTEGER)
    return tree_offset(r, pointer, is_subtracted ? -distance->value : distance->value,
                       pointer->type);
  return tree_binary(r, is_subtracted ? OP_SUBTRACT : OP_ADD, pointer->type, pointer, distance);
}

/* What the machine's instructions give where the value does not fit, C leaving it undefined. */
static long floating_to_integer(double value, const struct type *type) {
  const double limit = 9223372036854775808.0;
  if (type->kind == TYPE_UNSIGNED_LONG && value >= limit && value < 2 * limit)
    return (long)((unsigned long)(value - limit) + 0x8000000000000000ul);
  return value >= -limit && value < limit ? (long)value : (long)0x8000000000000000ul;
}

static struct tree *convert_constant(region r, struct tree *tree, struct type *type) {
  if (tree->op == OP_FLOATING && type_is_floating(type))
    return tree_floating(r, tree->floating, type);
  if (tree->op == OP_FLOATING)
    return tree_integer(r, floating_to_integer(tree->floating, type), type);
  if (!type_is_floating(type))
    return tree_integer(r, tree->value, type);
  bool is_large = tree->type->kind == TYPE_UNSIGNED_LONG;
  return tree_floating(r, is_large ? (double)(unsigned long)tree->value : (double)tree->value,
                       type);
}

struct tree *inregion(r) tree_convert(region r, struct tree *inregion(r) tree, struct type *type) {
  if (tree->type == type || type->kind == TYPE_VOID)
    return type->kind == TYPE_VOID && tree->type != type ? tree_new(r, OP_CONVERT, type, tree, NULL)
                                                         : tree;
  if (!type_is_scalar(type) || !type_is_scalar(tree->type)) {
    if (type_is_equal(type, tree->type))
      return tree;
    error("types do not convert");
  }
  if (type->kind == TYPE_BOOL && tree->op == OP_FLOATING)
    return tree_integer(r, tree->floating != 0, type);
  if (tree->op == OP_INTEGER || tree->op == OP_FLOATING)
    return convert_constant(r, tree, type);
  if (tree->op == OP_ADDRESS && type->size == 8 && !type_is_floating(type))
    return tree_offset(r, tree, 0, type);
  if (type->kind == TYPE_BOOL) {
    struct tree *test = tree_test(r, tree);
    if (!op_is_comparison(test->op) && test->op != OP_AND && test->op != OP_OR &&
        test->op != OP_NOT)
      test = tree_new(r, OP_UNEQUAL, unit->int_type, test,
                      type_is_floating(test->type) ? tree_floating(r, 0, test->type)
                                                   : tree_integer(r, 0, test->type));
    return tree_new(r, OP_CONVERT, type, test, NULL);
  }
  return tree_new(r, OP_CONVERT, type, tree, NULL);
}

struct tree *inregion(r) tree_decay(region r, struct tree *inregion(r) tree) {
  struct type *type = tree->type;
  if (type->kind == TYPE_ARRAY)
    return tree_offset(r, tree->kids[0], 0, type_pointer_to(type->base));
  if (type->kind == TYPE_FUNCTION)
    return tree->kids[0];
  return tree;
}

struct tree *inregion(r) tree_test(region r, struct tree *inregion(r) tree) {
  tree = tree_decay(r, tree);
  if (!type_is_scalar(tree->type))
    error("condition of a type that has no truth value");
  if (tree->op == OP_FLOATING)
    return tree_integer(r, tree->floating != 0, unit->int_type);
  return tree;
}
