/* SPDX-License-Identifier: MIT */
/* expression.c - recursive descent over the levels of C's expressions, producing typed trees in
 * region r. */
#include "tree.h"

#include "declaration.h"

static struct tree *parse_unary(region r);

static struct tree *lvalue(struct tree *tree) {
  if (tree->op != OP_INDIRECT)
    error("not an object");
  return tree;
}

/* From here on the object must be in memory. */
static struct tree *address_of(struct tree *tree) {
  struct tree *address = lvalue(tree)->kids[0];
  if (address->op == OP_ADDRESS && address->symbol && address->symbol->is_local)
    address->symbol->is_in_memory = true;
  return address;
}

static bool is_null_constant(const struct tree *tree) {
  return tree->op == OP_INTEGER && tree->value == 0;
}

struct tree *inregion(r) tree_assign_convert(region r, struct tree *inregion(r) tree,
                                             struct type *type) {
  tree = tree_decay(r, tree);
  const struct type *from = tree->type;
  if (type->kind == TYPE_POINTER && !is_null_constant(tree)) {
    if (from->kind != TYPE_POINTER)
      error("pointer made from something else");
  } else if (type_is_arithmetic(type) && from->kind == TYPE_POINTER && type->kind != TYPE_BOOL) {
    error("number made from a pointer");
  }
  return tree_convert(r, tree, type);
}

struct tree *inregion(r) tree_assign(region r, struct tree *inregion(r) target,
                                     struct tree *inregion(r) value) {
  lvalue(target);
  return tree_new(r, OP_ASSIGN, target->type, target, tree_assign_convert(r, value, target->type));
}

/* An unnamed object with an initialiser, and its value. */
static struct tree *parse_compound_literal(region r, struct type *type) {
  struct tree *set = NULL;
  struct symbol *symbol = declare_unnamed(r, &type, &set);
  struct tree *object = tree_indirect(r, tree_address(r, symbol, type));
  return set ? tree_new(r, OP_COMMA, type, set, object) : object;
}

static struct tree *parse_name(region r) {
  struct atom *name = lexer_name();
  struct symbol *symbol = symbol_find(name, false);
  if (!symbol && lexer.token == '(') {
    struct type *type = type_function(regionof(unit), unit->int_type);
    symbol = symbol_add(unit->globals, name, SYMBOL_FUNCTION, type);
  }
  if (!symbol || symbol->kind == SYMBOL_TYPEDEF)
    error("'%s' is not declared", name->text);
  if (symbol->kind == SYMBOL_CONSTANT)
    return tree_integer(r, symbol->value, unit->int_type);
  return tree_indirect(r, tree_address(r, symbol, symbol->type));
}

static struct tree *parse_string(region r) {
  struct type *type = type_array_of(unit_memory(), unit->char_type, lexer.string_length);
  int label = unit_string_label(lexer.string, lexer.string_length);
  lexer_next();
  return tree_indirect(r, tree_label_address(r, label, type));
}

static struct type *integer_constant_type(void) {
  if (lexer.is_long)
    return lexer.is_unsigned ? unit->unsigned_long_type : unit->long_type;
  return lexer.is_unsigned ? unit->unsigned_type : unit->int_type;
}

static struct tree *parse_va_operation(region r) {
  int token = lexer.token;
  lexer_next();
  lexer_expect('(');
  struct tree *list = tree_decay(r, parse_assignment(r)),
              *result = tree_integer(r, 0, unit->void_type);
  if (token == TOKEN_VA_ARG) {
    lexer_expect(',');
    result = tree_new(r, OP_VA_ARG, parse_type_name(), list, NULL);
  } else if (token == TOKEN_VA_START) {
    lexer_expect(',');
    parse_assignment(r);
    result = tree_new(r, OP_VA_START, unit->void_type, list, NULL);
  } else if (token == TOKEN_VA_COPY) {
    lexer_expect(',');
    struct tree *from = tree_decay(r, parse_assignment(r));
    result = tree_assign(r, tree_indirect(r, list), tree_indirect(r, from));
  }
  lexer_expect(')');
  return result;
}

static struct tree *parse_primary(region r) {
  struct tree *tree;
  switch (lexer.token) {
  case TOKEN_NAME:
    return parse_name(r);
  case TOKEN_STRING:
    return parse_string(r);
  case TOKEN_INTEGER:
    tree = tree_integer(r, (long)lexer.integer, integer_constant_type());
    lexer_next();
    return tree;
  case TOKEN_FLOATING:
    tree = tree_floating(r, lexer.floating, lexer.is_float ? unit->float_type : unit->double_type);
    lexer_next();
    return tree;
  case TOKEN_VA_START:
  case TOKEN_VA_ARG:
  case TOKEN_VA_END:
  case TOKEN_VA_COPY:
    return parse_va_operation(r);
  case '(':
    lexer_next();
    tree = parse_expression(r);
    lexer_expect(')');
    return tree;
  default:
    error("expression expected");
  }
}

static struct tree *default_argument(region r, struct tree *argument) {
  struct type *type =
      argument->type->kind == TYPE_FLOAT ? unit->double_type : type_promote(argument->type);
  return type_is_aggregate(type) ? argument : tree_convert(r, argument, type);
}

static struct tree *parse_call(region r, struct tree *callee) {
  callee = tree_decay(r, callee);
  if (callee->type->kind != TYPE_POINTER || callee->type->base->kind != TYPE_FUNCTION)
    error("call of something that is no function");
  const struct type *type = callee->type->base;
  struct tree *call = tree_new(r, OP_CALL, type->base, callee, NULL), *last = NULL;
  const struct parameter *parameter = type->parameters;
  while (lexer.token != ')') {
    struct tree *argument = tree_decay(r, parse_assignment(r));
    if (parameter)
      argument = tree_assign_convert(r, argument, parameter->type);
    else if (type->has_prototype && !type->is_variadic)
      error("too many arguments");
    else
      argument = default_argument(r, argument);
    parameter = parameter ? parameter->next : NULL;
    /* An argument tree may be shared with nothing else: next belongs to this list. */
    if (last)
      last->next = argument;
    else
      call->arguments = argument;
    last = argument;
    tree_deepen(call, argument);
    if (!lexer_accept(','))
      break;
  }
  if (parameter)
    error("too few arguments");
  lexer_expect(')');
  return call;
}

static struct tree *select_field(region r, struct tree *address, struct atom *name) {
  const struct type *aggregate = address->type->base;
  long offset;
  if (address->type->kind != TYPE_POINTER || !type_is_aggregate(aggregate))
    error("'%s' of something that has no fields", name->text);
  const struct field *field = type_find_field(aggregate, name, &offset);
  if (!field)
    error("no field '%s'", name->text);
  return tree_indirect(r, tree_offset(r, address, offset, type_pointer_to(field->type)));
}

/* Fields of a value that is no object (a call's result, a conditional): values of aggregates are
 * addresses. */
static struct tree *aggregate_address(region r, struct tree *tree) {
  if (tree->op == OP_INDIRECT)
    return tree->kids[0];
  if (tree->op == OP_COMMA)
    return tree_new(r, OP_COMMA, type_pointer_to(tree->type), tree->kids[0],
                    aggregate_address(r, tree->kids[1]));
  struct tree *address = tree_new(r, OP_CONVERT, type_pointer_to(tree->type), tree, NULL);
  return address;
}

static struct type *update_type(const struct tree *target, const struct tree *value, enum op op) {
  if (target->type->kind == TYPE_POINTER)
    return target->type;
  return op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT ? type_promote(target->type)
                                                     : type_common(target->type, value->type);
}

static struct tree *make_update(region r, struct tree *target, enum op op, struct tree *value,
                                bool is_postfix) {
  lvalue(target);
  value = tree_decay(r, value);
  if (!type_is_scalar(target->type) || !type_is_arithmetic(value->type))
    error("operands of the wrong type");
  struct type *type = update_type(target, value, op);
  if (type->kind == TYPE_POINTER)
    value = tree_binary(r, OP_MULTIPLY, unit->long_type, tree_convert(r, value, unit->long_type),
                        tree_integer(r, type->base->kind == TYPE_VOID ? 1 : type_size(type->base),
                                     unit->long_type));
  else
    value = tree_convert(r, value, type);
  struct tree *update = tree_new(r, OP_UPDATE, target->type, target, value);
  update->operation = op;
  update->computed_type = type;
  update->is_postfix = is_postfix;
  return update;
}

static struct tree *add_pointers(region r, enum op op, struct tree *left, struct tree *right);

static struct tree *parse_postfix(region r, struct tree *tree) {
  for (;;) {
    switch (lexer.token) {
    case '(':
      lexer_next();
      tree = parse_call(r, tree);
      break;
    case '[': {
      lexer_next();
      struct tree *index = parse_expression(r);
      lexer_expect(']');
      tree = tree_indirect(r, add_pointers(r, OP_ADD, tree_decay(r, tree), tree_decay(r, index)));
      break;
    }
    case '.':
      lexer_next();
      tree = select_field(r, aggregate_address(r, tree), lexer_name());
      break;
    case TOKEN_ARROW:
      lexer_next();
      tree = select_field(r, tree_decay(r, tree), lexer_name());
      break;
    case TOKEN_INCREMENT:
    case TOKEN_DECREMENT:
      tree = make_update(r, tree, lexer.token == TOKEN_INCREMENT ? OP_ADD : OP_SUBTRACT,
                         tree_integer(r, 1, unit->int_type), true);
      lexer_next();
      break;
    default:
      return tree;
    }
  }
}

static struct tree *parse_sizeof(region r) {
  bool is_align = lexer.token == TOKEN_ALIGNOF;
  lexer_next();
  const struct type *type;
  if (lexer.token == '(') {
    lexer_next();
    if (is_type_start()) {
      type = parse_type_name();
      lexer_expect(')');
    } else {
      struct tree *tree = parse_expression(r);
      lexer_expect(')');
      type = parse_postfix(r, tree)->type;
    }
  } else {
    type = parse_unary(r)->type;
  }
  return tree_integer(r, is_align ? type->align : type_size(type), unit->unsigned_long_type);
}

/* "(" has been read and a type follows. */
static struct tree *parse_cast(region r) {
  struct type *type = parse_type_name();
  lexer_expect(')');
  if (lexer.token == '{')
    return parse_postfix(r, parse_compound_literal(r, type));
  return tree_convert(r, tree_decay(r, parse_unary(r)), type);
}

static struct tree *parse_sign(region r, enum op op) {
  struct tree *kid = tree_decay(r, parse_unary(r));
  if (!type_is_arithmetic(kid->type) || (op == OP_COMPLEMENT && type_is_floating(kid->type)))
    error("operand of the wrong type");
  struct type *type = type_promote(kid->type);
  return tree_unary(r, op, type, tree_convert(r, kid, type));
}

static struct tree *parse_operator(region r) {
  struct tree *tree;
  int token = lexer.token;
  switch (token) {
  case TOKEN_SIZEOF:
  case TOKEN_ALIGNOF:
    return parse_sizeof(r);
  case '(':
    lexer_next();
    if (is_type_start())
      return parse_cast(r);
    tree = parse_expression(r);
    lexer_expect(')');
    return parse_postfix(r, tree);
  case '+':
  case '-':
  case '~':
  case '!':
  case '*':
  case '&':
  case TOKEN_INCREMENT:
  case TOKEN_DECREMENT:
    lexer_next();
    break;
  default:
    return parse_postfix(r, parse_primary(r));
  }
  switch (token) {
  case '+':
    tree = tree_decay(r, parse_unary(r));
    return tree_convert(r, tree, type_promote(tree->type));
  case '-':
    return parse_sign(r, OP_NEGATE);
  case '~':
    return parse_sign(r, OP_COMPLEMENT);
  case '!':
    return tree_unary(r, OP_NOT, unit->int_type, tree_test(r, parse_unary(r)));
  case '*':
    return tree_indirect(r, tree_decay(r, parse_unary(r)));
  case '&':
    tree = parse_unary(r);
    return tree_convert(r, address_of(tree), type_pointer_to(tree->type));
  default:
    tree = parse_unary(r);
    return make_update(r, tree, token == TOKEN_INCREMENT ? OP_ADD : OP_SUBTRACT,
                       tree_integer(r, 1, unit->int_type), false);
  }
}

static struct tree *parse_unary(region r) {
  nesting_enter();
  struct tree *tree = parse_operator(r);
  nesting_leave();
  return tree;
}

static int precedence(int token, enum op *op) {
  switch (token) {
  case TOKEN_OR:
    *op = OP_OR;
    return 1;
  case TOKEN_AND:
    *op = OP_AND;
    return 2;
  case '|':
    *op = OP_BIT_OR;
    return 3;
  case '^':
    *op = OP_BIT_XOR;
    return 4;
  case '&':
    *op = OP_BIT_AND;
    return 5;
  case TOKEN_EQUAL:
    *op = OP_EQUAL;
    return 6;
  case TOKEN_UNEQUAL:
    *op = OP_UNEQUAL;
    return 6;
  case '<':
    *op = OP_LESS;
    return 7;
  case '>':
    *op = OP_GREATER;
    return 7;
  case TOKEN_LESS_EQUAL:
    *op = OP_LESS_EQUAL;
    return 7;
  case TOKEN_GREATER_EQUAL:
    *op = OP_GREATER_EQUAL;
    return 7;
  case TOKEN_SHIFT_LEFT:
    *op = OP_SHIFT_LEFT;
    return 8;
  case TOKEN_SHIFT_RIGHT:
    *op = OP_SHIFT_RIGHT;
    return 8;
  case '+':
    *op = OP_ADD;
    return 9;
  case '-':
    *op = OP_SUBTRACT;
    return 9;
  case '*':
    *op = OP_MULTIPLY;
    return 10;
  case '/':
    *op = OP_DIVIDE;
    return 10;
  case '%':
    *op = OP_REMAINDER;
    return 10;
  default:
    return 0;
  }
}

/* + and - where an operand is a pointer. */
static struct tree *add_pointers(region r, enum op op, struct tree *left, struct tree *right) {
  if (left->type->kind == TYPE_POINTER && right->type->kind == TYPE_POINTER && op == OP_SUBTRACT) {
    long size = left->type->base->kind == TYPE_VOID ? 1 : type_size(left->type->base);
    struct tree *difference =
        tree_binary(r, OP_SUBTRACT, unit->long_type, tree_convert(r, left, unit->long_type),
                    tree_convert(r, right, unit->long_type));
    return tree_binary(r, OP_DIVIDE, unit->long_type, difference,
                       tree_integer(r, size, unit->long_type));
  }
  if (right->type->kind == TYPE_POINTER && op == OP_ADD) {
    struct tree *swapped = left;
    left = right;
    right = swapped;
  }
  if (left->type->kind != TYPE_POINTER || !type_is_integer(right->type))
    error("operands of the wrong type");
  return tree_element(r, left, right, op == OP_SUBTRACT);
}

static struct tree *compare_pointers(region r, enum op op, struct tree *left, struct tree *right) {
  if ((left->type->kind != TYPE_POINTER && !is_null_constant(left)) ||
      (right->type->kind != TYPE_POINTER && !is_null_constant(right)))
    error("comparison of a pointer and a number");
  struct type *type = unit->unsigned_long_type;
  return tree_binary(r, op, type, tree_convert(r, left, type), tree_convert(r, right, type));
}

static struct tree *make_binary(region r, enum op op, struct tree *left, struct tree *right) {
  if (op == OP_AND || op == OP_OR) {
    left = tree_test(r, left);
    right = tree_test(r, right);
    if (left->op == OP_INTEGER && (left->value != 0) == (op == OP_OR))
      return tree_integer(r, op == OP_OR, unit->int_type);
    return tree_new(r, op, unit->int_type, left, right);
  }
  left = tree_decay(r, left);
  right = tree_decay(r, right);
  bool has_pointer = left->type->kind == TYPE_POINTER || right->type->kind == TYPE_POINTER;
  if (has_pointer && (op == OP_ADD || op == OP_SUBTRACT))
    return add_pointers(r, op, left, right);
  if (has_pointer && op_is_comparison(op))
    return compare_pointers(r, op, left, right);
  if (!type_is_arithmetic(left->type) || !type_is_arithmetic(right->type))
    error("operands of the wrong type");
  struct type *type = type_common(left->type, right->type);
  if (op == OP_SHIFT_LEFT || op == OP_SHIFT_RIGHT)
    type = type_promote(left->type);
  bool is_integral = op == OP_REMAINDER || (op >= OP_BIT_AND && op <= OP_SHIFT_RIGHT);
  if (is_integral && (type_is_floating(type) || type_is_floating(right->type)))
    error("operands of the wrong type");
  return tree_binary(r, op, type, tree_convert(r, left, type), tree_convert(r, right, type));
}

static struct tree *parse_binary(region r, int lowest) {
  struct tree *left = parse_unary(r);
  enum op op = OP_ADD;
  for (int level; (level = precedence(lexer.token, &op)) >= lowest && level > 0;) {
    enum op found = op;
    lexer_next();
    struct tree *right = parse_binary(r, level + 1);
    left = make_binary(r, found, left, right);
  }
  return left;
}

static struct type *conditional_type(const struct tree *left, const struct tree *right) {
  if (type_is_arithmetic(left->type) && type_is_arithmetic(right->type))
    return type_common(left->type, right->type);
  if (left->type->kind == TYPE_POINTER && is_null_constant(right))
    return left->type;
  if (right->type->kind == TYPE_POINTER && is_null_constant(left))
    return right->type;
  if (left->type->kind == TYPE_POINTER && left->type->base->kind == TYPE_VOID)
    return left->type;
  if (left->type->kind == TYPE_VOID)
    return left->type;
  return right->type;
}

static struct tree *parse_conditional(region r) {
  struct tree *condition = parse_binary(r, 1);
  if (!lexer_accept('?'))
    return condition;
  nesting_enter();
  condition = tree_test(r, condition);
  struct tree *left = tree_decay(r, parse_expression(r));
  lexer_expect(':');
  struct tree *right = tree_decay(r, parse_conditional(r));
  nesting_leave();
  struct type *type = conditional_type(left, right);
  left = tree_convert(r, left, type);
  right = tree_convert(r, right, type);
  if (condition->op == OP_INTEGER)
    return condition->value ? left : right;
  struct tree *tree = tree_new(r, OP_CONDITION, type, condition, left);
  tree->kids[2] = right;
  tree_deepen(tree, right);
  return tree;
}

static bool assignment_operation(int token, enum op *op) {
  switch (token) {
  case TOKEN_ASSIGN_ADD:
    *op = OP_ADD;
    return true;
  case TOKEN_ASSIGN_SUBTRACT:
    *op = OP_SUBTRACT;
    return true;
  case TOKEN_ASSIGN_MULTIPLY:
    *op = OP_MULTIPLY;
    return true;
  case TOKEN_ASSIGN_DIVIDE:
    *op = OP_DIVIDE;
    return true;
  case TOKEN_ASSIGN_REMAINDER:
    *op = OP_REMAINDER;
    return true;
  case TOKEN_ASSIGN_AND:
    *op = OP_BIT_AND;
    return true;
  case TOKEN_ASSIGN_OR:
    *op = OP_BIT_OR;
    return true;
  case TOKEN_ASSIGN_XOR:
    *op = OP_BIT_XOR;
    return true;
  case TOKEN_ASSIGN_SHIFT_LEFT:
    *op = OP_SHIFT_LEFT;
    return true;
  case TOKEN_ASSIGN_SHIFT_RIGHT:
    *op = OP_SHIFT_RIGHT;
    return true;
  default:
    return false;
  }
}

struct tree *inregion(r) parse_assignment(region r) {
  struct tree *left = parse_conditional(r);
  enum op op;
  bool is_update = assignment_operation(lexer.token, &op);
  if (!is_update && lexer.token != '=')
    return left;
  nesting_enter();
  lexer_next();
  struct tree *right = parse_assignment(r);
  nesting_leave();
  return is_update ? make_update(r, left, op, right, false) : tree_assign(r, left, right);
}

struct tree *inregion(r) parse_expression(region r) {
  struct tree *left = parse_assignment(r);
  while (lexer_accept(',')) {
    struct tree *right = tree_decay(r, parse_assignment(r));
    left = tree_new(r, OP_COMMA, right->type, left, right);
  }
  return left;
}

/* The few nodes of a constant stay until the function or unit ends. */
long parse_constant(void) {
  struct tree *tree = parse_conditional(unit_memory());
  if (tree->op != OP_INTEGER)
    error("constant expected");
  return tree->value;
}
