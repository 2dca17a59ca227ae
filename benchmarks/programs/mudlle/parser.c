/* SPDX-License-Identifier: MIT */
/* parser.c - recursive descent for what begins with a word, operator precedence for expressions.
 *
 * Operands and operators wait on two stacks that all nested expressions share; an expression works
 * above the marks where it found them and leaves both as they were.
 */
#include "tree.h"

#include <string.h>

enum { STACK_LIMIT = 512, NESTING_LIMIT = 400, DEPTH_LIMIT = 1000, PARAMETER_LIMIT = 100 };

/* In the region of what is parsed. */
struct parser {
  struct lexer *traditional lexer;
  struct node *sameregion operands[STACK_LIMIT];
  enum token operators[STACK_LIMIT];
  int operand_count, operator_count;
  int nesting;
};

static struct node *parse_expression(struct parser *parser);
static struct node *parse_block(struct parser *parser);

static bool at(const struct parser *parser, enum token token) {
  return parser->lexer->token == token;
}

static bool accept(struct parser *parser, enum token token) {
  if (!at(parser, token))
    return false;
  lexer_next(parser->lexer);
  return true;
}

static void expect(struct parser *parser, enum token token, const char *what) {
  if (!accept(parser, token))
    fail(parser->lexer->line, "%s expected", what);
}

static struct node *node_new(struct parser *parser, enum node_kind kind) {
  struct node *node = ralloc(regionof(parser), struct node);
  node->kind = kind;
  node->line = parser->lexer->line;
  return node;
}

/* kid, if there is one, is below node. */
static void deepen(struct node *node, const struct node *kid) {
  if (kid && kid->depth >= node->depth)
    node->depth = kid->depth + 1;
  if (node->depth > DEPTH_LIMIT)
    fail(node->line, "expression too complex");
}

static struct node *node_new_tree(region memory, enum node_kind kind, struct node *first,
                                  struct node *second, struct node *third) {
  struct node *node = ralloc(memory, struct node);
  node->kind = kind;
  node->line = first ? first->line : 0;
  node->first = first;
  node->second = second;
  node->third = third;
  deepen(node, first);
  deepen(node, second);
  deepen(node, third);
  return node;
}

static char *parse_name(struct parser *parser) {
  if (!at(parser, TOKEN_NAME))
    fail(parser->lexer->line, "name expected");
  char *name = lexer_name(parser->lexer, regionof(parser));
  lexer_next(parser->lexer);
  return name;
}

static struct variable *variable_new(region memory, char *name) {
  struct variable *variable = ralloc(memory, struct variable);
  variable->name = name;
  return variable;
}

/* Expressions separated by commas, up to the closing token: the list of owner. */
static void parse_list(struct parser *parser, struct node *owner, enum token close) {
  struct node *last = NULL;
  while (!at(parser, close)) {
    struct node *node = parse_expression(parser);
    if (last)
      last->next = node;
    else
      owner->list = node;
    last = node;
    deepen(owner, node);
    owner->number++;
    if (!accept(parser, TOKEN_COMMA))
      break;
  }
  expect(parser, close, "end of list");
  if (owner->number > 255)
    fail(parser->lexer->line, "more than 255 elements");
}

static struct function *function_new(region memory, char *name, int line) {
  struct function *function = ralloc(memory, struct function);
  function->name = name;
  function->line = line;
  return function;
}

/* After "fn". */
static struct node *parse_function(struct parser *parser) {
  struct node *node = node_new(parser, NODE_FUNCTION);
  char *name = at(parser, TOKEN_NAME) ? parse_name(parser) : NULL;
  struct function *function =
      function_new(regionof(parser), name ? name : rstrdup(regionof(parser), "fn"), node->line);
  struct variable *last = NULL;
  expect(parser, TOKEN_LEFT, "(");
  while (!at(parser, TOKEN_RIGHT)) {
    struct variable *parameter = variable_new(regionof(parser), parse_name(parser));
    if (last)
      last->next = parameter;
    else
      function->parameters = parameter;
    last = parameter;
    if (++function->parameter_count > PARAMETER_LIMIT)
      fail(node->line, "too many parameters");
    if (!accept(parser, TOKEN_COMMA))
      break;
  }
  expect(parser, TOKEN_RIGHT, ")");
  function->body = parse_expression(parser);
  node->function = function;
  deepen(node, function->body);
  if (!name)
    return node;
  struct node *assign = node_new_tree(regionof(parser), NODE_ASSIGN, node, NULL, NULL);
  assign->name = name;
  return assign;
}

static struct node *parse_parenthesized(struct parser *parser) {
  expect(parser, TOKEN_LEFT, "(");
  struct node *node = parse_expression(parser);
  expect(parser, TOKEN_RIGHT, ")");
  return node;
}

static struct node *parse_if(struct parser *parser) {
  struct node *condition = parse_parenthesized(parser), *then = parse_expression(parser);
  struct node *otherwise = accept(parser, TOKEN_ELSE) ? parse_expression(parser) : NULL;
  return node_new_tree(regionof(parser), NODE_IF, condition, then, otherwise);
}

static struct node *parse_while(struct parser *parser) {
  struct node *condition = parse_parenthesized(parser), *body = parse_expression(parser);
  return node_new_tree(regionof(parser), NODE_LOOP, condition, body, NULL);
}

/* for (start; condition; step) body  is  { start; loop }. */
static struct node *parse_for(struct parser *parser) {
  struct node *block = node_new(parser, NODE_BLOCK);
  expect(parser, TOKEN_LEFT, "(");
  block->list = parse_expression(parser);
  expect(parser, TOKEN_SEMICOLON, ";");
  struct node *condition = parse_expression(parser);
  expect(parser, TOKEN_SEMICOLON, ";");
  struct node *step = parse_expression(parser);
  expect(parser, TOKEN_RIGHT, ")");
  struct node *loop =
      node_new_tree(regionof(parser), NODE_LOOP, condition, parse_expression(parser), step);
  block->list->next = loop;
  deepen(block, block->list);
  deepen(block, loop);
  return block;
}

static struct node *parse_return(struct parser *parser) {
  struct node *node = node_new(parser, NODE_RETURN);
  if (!at(parser, TOKEN_SEMICOLON) && !at(parser, TOKEN_CLOSE))
    node->first = parse_expression(parser);
  deepen(node, node->first);
  return node;
}

static struct node *number_new(struct parser *parser, int number) {
  struct node *node = node_new(parser, NODE_NUMBER);
  node->number = number;
  return node;
}

static struct node *name_new(struct parser *parser, char *name) {
  struct node *node = node_new(parser, NODE_NAME);
  node->name = name;
  return node;
}

static struct node *name_copy(region memory, const struct node *name) {
  struct node *node = ralloc(memory, struct node);
  node->kind = NODE_NAME;
  node->line = name->line;
  node->name = name->name;
  return node;
}

/* match (subject) { pattern => value; ... }  is a block with a hidden variable and a chain of ifs.
   Patterns are constants, _ for anything, and  head :: tail  of two new variables. */
static struct node *parse_pattern(struct parser *parser, struct node *block, struct node *subject);

static struct node *call_new(region memory, char *callee, const struct node *argument) {
  struct node *name = name_copy(memory, argument);
  name->name = callee;
  struct node *call = node_new_tree(memory, NODE_CALL, name, NULL, NULL);
  call->list = name_copy(memory, argument);
  call->number = 1;
  return call;
}

/* A condition that binds variable of the block to a part of the subject; it always holds. */
static struct node *bind_part(struct parser *parser, struct node *block, const char *part,
                              const struct node *subject) {
  region memory = regionof(parser);
  char *name = parse_name(parser);
  struct variable *variable = variable_new(memory, name);
  variable->next = block->variables;
  block->variables = variable;
  struct node *assign = node_new_tree(memory, NODE_ASSIGN,
                                      call_new(memory, rstrdup(memory, part), subject), NULL, NULL);
  assign->name = name;
  return node_new_tree(memory, NODE_OR, assign, number_new(parser, 1), NULL);
}

static struct node *parse_pattern(struct parser *parser, struct node *block, struct node *subject) {
  region memory = regionof(parser);
  if (at(parser, TOKEN_NAME)) {
    if (parser->lexer->length == 1 && parser->lexer->start[0] == '_') {
      lexer_next(parser->lexer);
      return number_new(parser, 1);
    }
    struct node *is_pair = call_new(memory, rstrdup(memory, "pair?"), subject);
    struct node *head = bind_part(parser, block, "head", subject);
    expect(parser, TOKEN_CONS, "::");
    struct node *tail = bind_part(parser, block, "tail", subject);
    return node_new_tree(memory, NODE_AND, is_pair,
                         node_new_tree(memory, NODE_AND, head, tail, NULL), NULL);
  }
  struct node *equal = node_new_tree(memory, NODE_BINARY, name_copy(memory, subject),
                                     parse_expression(parser), NULL);
  equal->operation = TOKEN_EQUAL;
  return equal;
}

static struct node *parse_match(struct parser *parser) {
  struct node *block = node_new(parser, NODE_BLOCK);
  struct node *assign = node_new(parser, NODE_ASSIGN), *last = NULL;
  int count = 0, deepest = 0;
  assign->first = parse_parenthesized(parser);
  assign->name = rstrdup(regionof(parser), "(subject)");
  block->variables = variable_new(regionof(parser), assign->name);
  block->list = assign;
  struct node *subject = name_new(parser, assign->name);
  expect(parser, TOKEN_OPEN, "{");
  while (!accept(parser, TOKEN_CLOSE)) {
    struct node *choice = node_new(parser, NODE_IF);
    choice->first = parse_pattern(parser, block, subject);
    expect(parser, TOKEN_ARROW, "=>");
    choice->second = parse_expression(parser);
    accept(parser, TOKEN_SEMICOLON);
    if (last)
      last->third = choice;
    else
      assign->next = choice;
    last = choice;
    deepen(choice, choice->first);
    deepen(choice, choice->second);
    /* The choices before this one are above it. */
    deepest = choice->depth > deepest ? choice->depth : deepest;
    block->depth = deepest + ++count;
    deepen(block, assign->first);
  }
  return block;
}

static struct node *parse_sequence(struct parser *parser, enum node_kind kind, enum token close) {
  struct node *node = node_new(parser, kind);
  lexer_next(parser->lexer);
  parse_list(parser, node, close);
  return node;
}

static struct node *parse_word(struct parser *parser) {
  enum token token = parser->lexer->token;
  int line = parser->lexer->line;
  lexer_next(parser->lexer);
  switch (token) {
  case TOKEN_NIL:
    return node_new(parser, NODE_NIL);
  case TOKEN_TRUE:
    return number_new(parser, 1);
  case TOKEN_FALSE:
    return number_new(parser, 0);
  case TOKEN_FN:
    return parse_function(parser);
  case TOKEN_IF:
    return parse_if(parser);
  case TOKEN_WHILE:
    return parse_while(parser);
  case TOKEN_FOR:
    return parse_for(parser);
  case TOKEN_MATCH:
    return parse_match(parser);
  case TOKEN_RETURN:
    return parse_return(parser);
  case TOKEN_BREAK:
    return node_new(parser, NODE_BREAK);
  case TOKEN_CONTINUE:
    return node_new(parser, NODE_CONTINUE);
  default:
    fail(line, "expression expected");
  }
}

static struct node *parse_primary(struct parser *parser) {
  struct node *node;
  switch (parser->lexer->token) {
  case TOKEN_NUMBER:
    node = number_new(parser, parser->lexer->number);
    break;
  case TOKEN_STRING:
    node = node_new(parser, NODE_STRING);
    node->string = lexer_string(parser->lexer, regionof(parser));
    break;
  case TOKEN_NAME:
    return name_new(parser, parse_name(parser));
  case TOKEN_LEFT:
    return parse_parenthesized(parser);
  case TOKEN_OPEN:
    return parse_block(parser);
  case TOKEN_LEFT_BRACKET:
    return parse_sequence(parser, NODE_LIST, TOKEN_RIGHT_BRACKET);
  case TOKEN_VECTOR:
    return parse_sequence(parser, NODE_VECTOR, TOKEN_RIGHT_BRACKET);
  default:
    return parse_word(parser);
  }
  lexer_next(parser->lexer);
  return node;
}

static struct node *parse_postfix(struct parser *parser) {
  struct node *node = parse_primary(parser);
  for (;;) {
    if (accept(parser, TOKEN_LEFT)) {
      node = node_new_tree(regionof(parser), NODE_CALL, node, NULL, NULL);
      parse_list(parser, node, TOKEN_RIGHT);
    } else if (accept(parser, TOKEN_LEFT_BRACKET)) {
      struct node *index = parse_expression(parser);
      node = node_new_tree(regionof(parser), NODE_INDEX, node, index, NULL);
      expect(parser, TOKEN_RIGHT_BRACKET, "]");
    } else {
      return node;
    }
  }
}

static struct node *parse_unary(struct parser *parser) {
  enum token token = parser->lexer->token;
  if (token != TOKEN_NOT && token != TOKEN_TILDE && token != TOKEN_MINUS)
    return parse_postfix(parser);
  if (++parser->nesting > NESTING_LIMIT)
    fail(parser->lexer->line, "nested too deeply");
  lexer_next(parser->lexer);
  struct node *node = node_new_tree(regionof(parser), NODE_UNARY, parse_unary(parser), NULL, NULL);
  node->operation = token;
  parser->nesting--;
  return node;
}

static int precedence(enum token token) {
  switch (token) {
  case TOKEN_OR:
    return 1;
  case TOKEN_AND:
    return 2;
  case TOKEN_EQUAL:
  case TOKEN_UNEQUAL:
    return 3;
  case TOKEN_LESS:
  case TOKEN_LESS_EQUAL:
  case TOKEN_GREATER:
  case TOKEN_GREATER_EQUAL:
    return 4;
  case TOKEN_CONS:
    return 5;
  case TOKEN_BIT_OR:
    return 6;
  case TOKEN_BIT_XOR:
    return 7;
  case TOKEN_BIT_AND:
    return 8;
  case TOKEN_SHIFT_LEFT:
  case TOKEN_SHIFT_RIGHT:
    return 9;
  case TOKEN_PLUS:
  case TOKEN_MINUS:
    return 10;
  case TOKEN_TIMES:
  case TOKEN_DIVIDE:
  case TOKEN_REMAINDER:
    return 11;
  default:
    return 0;
  }
}

/* Replaces the two newest operands by the newest operator applied to them. */
static void reduce(struct parser *parser) {
  enum token token = parser->operators[--parser->operator_count];
  struct node *right = parser->operands[--parser->operand_count];
  struct node *left = parser->operands[--parser->operand_count];
  enum node_kind kind = token == TOKEN_AND ? NODE_AND : token == TOKEN_OR ? NODE_OR : NODE_BINARY;
  struct node *node = node_new_tree(regionof(parser), kind, left, right, NULL);
  node->operation = token;
  parser->operands[parser->operand_count++] = node;
}

static void push_operand(struct parser *parser, struct node *node) {
  if (parser->operand_count == STACK_LIMIT)
    fail(node->line, "expression too complex");
  parser->operands[parser->operand_count++] = node;
}

/* target = value: makes the target a store. */
static struct node *parse_assignment(struct parser *parser, struct node *target) {
  struct node *value = parse_expression(parser);
  if (target->kind == NODE_NAME) {
    target->kind = NODE_ASSIGN;
    target->first = value;
    deepen(target, value);
  } else if (target->kind == NODE_INDEX) {
    target->kind = NODE_STORE;
    target->third = value;
    deepen(target, value);
  } else {
    fail(target->line, "not assignable");
  }
  return target;
}

static struct node *parse_expression(struct parser *parser) {
  if (++parser->nesting > NESTING_LIMIT)
    fail(parser->lexer->line, "nested too deeply");
  int mark = parser->operator_count;
  struct node *first = parse_unary(parser);
  if (accept(parser, TOKEN_ASSIGN)) {
    parser->nesting--;
    return parse_assignment(parser, first);
  }
  push_operand(parser, first);
  while (parser->lexer->token >= TOKEN_FIRST_BINARY && parser->lexer->token <= TOKEN_LAST_BINARY) {
    enum token token = parser->lexer->token;
    int level = precedence(token) + (token == TOKEN_CONS); /* to the right */
    while (parser->operator_count > mark &&
           precedence(parser->operators[parser->operator_count - 1]) >= level)
      reduce(parser);
    if (parser->operator_count == STACK_LIMIT)
      fail(parser->lexer->line, "expression too complex");
    parser->operators[parser->operator_count++] = token;
    lexer_next(parser->lexer);
    push_operand(parser, parse_unary(parser));
  }
  while (parser->operator_count > mark)
    reduce(parser);
  parser->nesting--;
  return parser->operands[--parser->operand_count];
}

/* After "var": declares the names in block; the assignments of their values, in order, end at
 * *last. */
static void parse_variables(struct parser *parser, struct node *block, struct node **last) {
  do {
    struct node *assign = node_new(parser, NODE_ASSIGN);
    assign->name = parse_name(parser);
    struct variable *variable = variable_new(regionof(parser), assign->name);
    variable->next = block->variables;
    block->variables = variable;
    assign->first =
        accept(parser, TOKEN_ASSIGN) ? parse_expression(parser) : node_new(parser, NODE_NIL);
    deepen(block, assign->first);
    if (*last)
      (*last)->next = assign;
    else
      block->list = assign;
    *last = assign;
  } while (accept(parser, TOKEN_COMMA));
}

static struct node *parse_block(struct parser *parser) {
  struct node *block = node_new(parser, NODE_BLOCK), *last = NULL;
  expect(parser, TOKEN_OPEN, "{");
  while (!accept(parser, TOKEN_CLOSE)) {
    if (accept(parser, TOKEN_VAR)) {
      parse_variables(parser, block, &last);
    } else {
      struct node *node = parse_expression(parser);
      if (last)
        last->next = node;
      else
        block->list = node;
      last = node;
      deepen(block, node);
    }
    while (accept(parser, TOKEN_SEMICOLON))
      ;
  }
  return block;
}

struct function *inregion(memory) parse_form(struct lexer *lexer, region memory) {
  struct parser *parser = ralloc(memory, struct parser);
  parser->lexer = lexer;
  while (accept(parser, TOKEN_SEMICOLON))
    ;
  if (at(parser, TOKEN_END))
    return NULL;
  struct function *form = function_new(memory, rstrdup(memory, "form"), lexer->line);
  form->body = parse_expression(parser);
  if (!at(parser, TOKEN_SEMICOLON) && !at(parser, TOKEN_END) && form->body->kind != NODE_ASSIGN)
    fail(lexer->line, "; expected");
  return form;
}
