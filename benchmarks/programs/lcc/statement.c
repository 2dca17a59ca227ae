/* SPDX-License-Identifier: MIT */
/* statement.c - statements, and functions as wholes.  An expression's region is deleted when its
 * code is emitted. */
#include "code.h"
#include "declaration.h"

#include <stdlib.h>
#include <string.h>

/* A case label of the switch being parsed. */
struct choice {
  struct choice *sameregion next;
  long value;
  int label;
};

struct choices {
  struct choice *sameregion first;
  const struct type *parentptr type;
  int count, default_label;
};

/* A label of the program. */
struct target {
  struct target *sameregion next;
  struct atom *parentptr name;
  int label;
  bool is_defined;
};

/* Where jumps out of the innermost statements go; 0: nowhere. */
struct context {
  int break_label, continue_label;
  struct choices *choices;
};

static struct target *targets; /* of the function */

static void parse_statement(struct context context) deletes;

static void parse_effect(void) deletes {
  region r = newsubregion(unit->function);
  code_expression(r, parse_expression(r));
  deleteregion(r);
}

/* "( expression )", branching to label if it is not true. */
static void parse_condition(int label) deletes {
  region r = newsubregion(unit->function);
  lexer_expect('(');
  code_branch(r, tree_test(r, parse_expression(r)), false, label);
  lexer_expect(')');
  deleteregion(r);
}

static void parse_if(struct context context) deletes {
  int otherwise = unit_new_label();
  parse_condition(otherwise);
  parse_statement(context);
  if (lexer_accept(TOKEN_ELSE)) {
    int end = unit_new_label();
    code_jump(end);
    code_label(otherwise);
    parse_statement(context);
    code_label(end);
  } else {
    code_label(otherwise);
  }
}

static struct context loop_context(struct context outer) {
  int break_label = unit_new_label(), continue_label = unit_new_label();
  return (struct context){break_label, continue_label, outer.choices};
}

static void parse_while(struct context outer) deletes {
  struct context context = loop_context(outer);
  code_label(context.continue_label);
  parse_condition(context.break_label);
  parse_statement(context);
  code_jump(context.continue_label);
  code_label(context.break_label);
}

static void parse_do(struct context outer) deletes {
  struct context context = loop_context(outer);
  int start = unit_new_label();
  code_label(start);
  parse_statement(context);
  code_label(context.continue_label);
  lexer_expect(TOKEN_WHILE);
  parse_condition(context.break_label);
  code_jump(start);
  code_label(context.break_label);
  lexer_expect(';');
}

/* The step is parsed before the body but comes after it: its tree waits in a region of its own. */
static void parse_for(struct context outer) deletes {
  struct context context = loop_context(outer);
  int start = unit_new_label();
  region r = newsubregion(unit->function);
  scope_enter();
  lexer_expect('(');
  if (is_type_start()) {
    parse_local_declaration();
  } else {
    if (lexer.token != ';')
      parse_effect();
    lexer_expect(';');
  }
  code_label(start);
  if (lexer.token != ';') {
    region condition = newsubregion(unit->function);
    code_branch(condition, tree_test(condition, parse_expression(condition)), false,
                context.break_label);
    deleteregion(condition);
  }
  lexer_expect(';');
  struct tree *step = lexer.token == ')' ? NULL : parse_expression(r);
  lexer_expect(')');
  parse_statement(context);
  code_label(context.continue_label);
  code_expression(r, step);
  code_jump(start);
  code_label(context.break_label);
  scope_leave();
  deleteregion(r);
}

static int compare_choices(const void *a, const void *b) {
  const struct choice *left = a, *right = b;
  return left->value < right->value ? -1 : left->value > right->value;
}

static void branch_on(enum class class, enum op operation, struct operand value, long choice,
                      int label) {
  struct quad *quad = code_emit(QUAD_BRANCH, class, -1, value, code_immediate(choice));
  quad->operation = operation;
  quad->label = label;
}

/* A binary search among count sorted choices. */
static void branch_choices(enum class class, struct operand value, const struct choice *sorted,
                           int count, int default_label) {
  if (count <= 3) {
    for (int i = 0; i < count; i++)
      branch_on(class, OP_EQUAL, value, sorted[i].value, sorted[i].label);
    code_jump(default_label);
    return;
  }
  int middle = count / 2, upper = unit_new_label();
  branch_on(class, OP_GREATER_EQUAL, value, sorted[middle].value, upper);
  branch_choices(class, value, sorted, middle, default_label);
  code_label(upper);
  branch_choices(class, value, sorted + middle, count - middle, default_label);
}

static void code_choices(const struct choices *choices, struct operand value, int default_label) {
  struct choice *sorted = rarrayalloc(unit->function, (size_t)choices->count, struct choice);
  int i = 0;
  for (const struct choice *choice = choices->first; choice; choice = choice->next, i++) {
    sorted[i].value = choice->value;
    sorted[i].label = choice->label;
  }
  qsort(sorted, (size_t)choices->count, sizeof *sorted, compare_choices);
  for (i = 1; i < choices->count; i++)
    if (sorted[i].value == sorted[i - 1].value)
      error("two cases have the same value");
  /* Signed comparison, as the values were sorted. */
  enum class class = choices->type->size == 8 ? CLASS_I8 : CLASS_I4;
  branch_choices(class, value, sorted, choices->count, default_label);
}

static void parse_switch(struct context outer) deletes {
  struct choices *choices = ralloc(unit->function, struct choices);
  struct context context = {unit_new_label(), outer.continue_label, choices};
  int dispatch = unit_new_label();
  region r = newsubregion(unit->function);
  lexer_expect('(');
  struct tree *tree = tree_decay(r, parse_expression(r));
  if (!type_is_integer(tree->type))
    error("switch on something that is no integer");
  choices->type = type_promote(tree->type);
  enum class class = class_of(choices->type);
  struct operand value = code_register(code_new_value(class));
  code_emit(QUAD_MOVE, class, (int)value.value,
            code_value(r, tree_convert(r, tree, type_promote(tree->type))), code_none());
  lexer_expect(')');
  tree = NULL;
  deleteregion(r);
  code_jump(dispatch);
  parse_statement(context);
  code_jump(context.break_label);
  code_label(dispatch);
  code_choices(choices, value,
               choices->default_label ? choices->default_label : context.break_label);
  code_label(context.break_label);
}

static void parse_case(struct choices *choices) {
  if (!choices)
    error("not in a switch");
  int label = unit_new_label();
  if (lexer_accept(TOKEN_DEFAULT)) {
    if (choices->default_label)
      error("two defaults");
    choices->default_label = label;
  } else {
    lexer_next();
    struct choice *choice = ralloc(unit->function, struct choice);
    choice->value = type_truncate(choices->type->size == 8 ? unit->long_type : unit->int_type,
                                  parse_constant());
    choice->label = label;
    choice->next = choices->first;
    choices->first = choice;
    choices->count++;
  }
  lexer_expect(':');
  code_label(label);
}

static struct target *find_target(struct atom *name) {
  struct target *target = targets;
  while (target && target->name != name)
    target = target->next;
  if (target)
    return target;
  target = ralloc(unit->function, struct target);
  target->name = name;
  target->label = unit_new_label();
  target->next = targets;
  targets = target;
  return target;
}

static void parse_label(void) {
  struct target *target = find_target(lexer_name());
  if (target->is_defined)
    error("label '%s' is defined twice", target->name->text);
  target->is_defined = true;
  lexer_expect(':');
  code_label(target->label);
}

static void parse_return(void) deletes {
  struct type *type = code->symbol->type->base;
  lexer_next();
  if (lexer.token != ';') {
    region r = newsubregion(unit->function);
    struct tree *tree = tree_decay(r, parse_expression(r));
    if (type_is_aggregate(type)) {
      struct operand from = code_aggregate(r, tree);
      code_emit(QUAD_COPY, CLASS_U8, -1, code_register(code->result_address), from)->offset =
          type_size(type);
      code_emit(QUAD_RETURN, CLASS_U8, -1, code_register(code->result_address), code_none());
    } else if (type->kind == TYPE_VOID) {
      code_expression(r, tree);
      code_emit(QUAD_RETURN, CLASS_I4, -1, code_none(), code_none());
    } else {
      struct operand value = code_value(r, tree_assign_convert(r, tree, type));
      code_emit(QUAD_RETURN, class_of(type), -1, value, code_none());
    }
    tree = NULL;
    deleteregion(r);
  } else {
    code_emit(QUAD_RETURN, CLASS_I4, -1, code_none(), code_none());
  }
  lexer_expect(';');
}

static void parse_jump(int label) {
  if (!label)
    error("nothing to leave or continue");
  lexer_next();
  code_jump(label);
  lexer_expect(';');
}

static void parse_compound(struct context context) deletes {
  scope_enter();
  while (!lexer_accept('}')) {
    if (lexer.token == TOKEN_NAME && lexer_is_before(':'))
      parse_label();
    else if (is_type_start())
      parse_local_declaration();
    else
      parse_statement(context);
  }
  scope_leave();
}

static void parse_any_statement(struct context context) deletes {
  switch (lexer.token) {
  case '{':
    lexer_next();
    parse_compound(context);
    return;
  case ';':
    lexer_next();
    return;
  case TOKEN_IF:
    lexer_next();
    parse_if(context);
    return;
  case TOKEN_WHILE:
    lexer_next();
    parse_while(context);
    return;
  case TOKEN_DO:
    lexer_next();
    parse_do(context);
    return;
  case TOKEN_FOR:
    lexer_next();
    parse_for(context);
    return;
  case TOKEN_SWITCH:
    lexer_next();
    parse_switch(context);
    return;
  case TOKEN_CASE:
  case TOKEN_DEFAULT:
    parse_case(context.choices);
    parse_statement(context);
    return;
  case TOKEN_BREAK:
    parse_jump(context.break_label);
    return;
  case TOKEN_CONTINUE:
    parse_jump(context.continue_label);
    return;
  case TOKEN_RETURN:
    parse_return();
    return;
  case TOKEN_GOTO:
    lexer_next();
    code_jump(find_target(lexer_name())->label);
    lexer_expect(';');
    return;
  default:
    break;
  }
  if (lexer.token == TOKEN_NAME && lexer_is_before(':')) {
    parse_label();
    parse_statement(context);
    return;
  }
  parse_effect();
  lexer_expect(';');
}

static void parse_statement(struct context context) deletes {
  nesting_enter();
  parse_any_statement(context);
  nesting_leave();
}

static void add_incoming(struct incoming **last, int value) {
  struct incoming *incoming = ralloc(regionof(code), struct incoming);
  incoming->value = value;
  if (*last)
    (*last)->next = incoming;
  else
    code->incoming = incoming;
  *last = incoming;
}

/* A parameter of aggregate type arrives as an address. */
static void declare_parameter(const struct parameter *parameter, struct incoming **last) {
  struct symbol *symbol = declare_local(parameter->name, parameter->type);
  if (type_is_scalar(parameter->type)) {
    add_incoming(last, symbol->local);
    return;
  }
  int from = code_new_value(CLASS_U8), to = code_new_value(CLASS_U8);
  add_incoming(last, from);
  symbol->is_in_memory = true;
  code_emit(QUAD_ADDRESS, CLASS_U8, to, code_none(), code_none())->symbol = symbol;
  code_emit(QUAD_COPY, CLASS_U8, -1, code_register(to), code_register(from))->offset =
      type_size(parameter->type);
}

static void check_targets(void) {
  for (const struct target *target = targets; target; target = target->next)
    if (!target->is_defined)
      error("label '%s' is not defined", target->name->text);
  targets = NULL;
}

void parse_function(struct symbol *symbol, struct type *type) deletes {
  if (symbol->is_defined)
    error("'%s' is defined twice", symbol->name->text);
  symbol->is_defined = true;
  symbol->type = type;
  region memory = newsubregion(regionof(unit));
  unit->function = memory;
  code = code_new(symbol, type);
  scope_enter();
  struct incoming *last = NULL;
  if (type_is_aggregate(type->base)) {
    code->result_address = code_new_value(CLASS_U8);
    add_incoming(&last, code->result_address);
  }
  for (const struct parameter *parameter = type->parameters; parameter; parameter = parameter->next)
    declare_parameter(parameter, &last);
  last = NULL;
  struct context context = {0, 0, NULL};
  lexer_expect('{');
  parse_compound(context);
  scope_leave();
  if (strcmp(symbol->name->text, "main") == 0)
    code_emit(QUAD_RETURN, CLASS_I4, -1, code_immediate(0), code_none());
  check_targets();
  code_allocate_registers();
  code_output();
  code = NULL;
  unit->function = NULL;
  deleteregion(memory);
}
