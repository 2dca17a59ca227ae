/* SPDX-License-Identifier: MIT */
/* fold.c - constant folding, in place: a node that is constant becomes a literal, a decided
 * condition its branch.
 *
 * Numbers have 32 bits and wrap.  What would fail at run time (division by zero, adding a string to
 * a number) stays.
 */
#include "compile.h"

#include <string.h>

static void fold_node(struct node *node);

bool compute_binary(enum token operation, int left, int right, int *result) {
  unsigned a = (unsigned)left, b = (unsigned)right;
  switch (operation) {
  case TOKEN_PLUS:
    *result = (int)(a + b);
    break;
  case TOKEN_MINUS:
    *result = (int)(a - b);
    break;
  case TOKEN_TIMES:
    *result = (int)(a * b);
    break;
  case TOKEN_DIVIDE:
  case TOKEN_REMAINDER:
    if (right == 0)
      return false;
    if (right == -1)
      *result = operation == TOKEN_DIVIDE ? (int)(0 - a) : 0;
    else
      *result = operation == TOKEN_DIVIDE ? left / right : left % right;
    break;
  case TOKEN_BIT_AND:
    *result = (int)(a & b);
    break;
  case TOKEN_BIT_OR:
    *result = (int)(a | b);
    break;
  case TOKEN_BIT_XOR:
    *result = (int)(a ^ b);
    break;
  case TOKEN_SHIFT_LEFT:
    *result = (int)(a << (b & 31));
    break;
  case TOKEN_SHIFT_RIGHT:
    *result = (int)((long long)left >> (b & 31));
    break;
  case TOKEN_EQUAL:
    *result = left == right;
    break;
  case TOKEN_UNEQUAL:
    *result = left != right;
    break;
  case TOKEN_LESS:
    *result = left < right;
    break;
  case TOKEN_LESS_EQUAL:
    *result = left <= right;
    break;
  case TOKEN_GREATER:
    *result = left > right;
    break;
  case TOKEN_GREATER_EQUAL:
    *result = left >= right;
    break;
  default:
    return false;
  }
  return true;
}

static void fold_list(struct node *list) {
  for (; list; list = list->next)
    fold_node(list);
}

static void become_number(struct node *node, int number) {
  node->kind = NODE_NUMBER;
  node->number = number;
  node->first = node->second = node->third = NULL;
}

/* node becomes what chosen is, in node's place in its list; null: nil. */
static void become(struct node *node, const struct node *chosen) {
  struct node *next = node->next;
  if (chosen) {
    *node = *chosen;
    node->next = next;
  } else {
    node->kind = NODE_NIL;
  }
}

static bool is_constant(const struct node *node) {
  return node->kind == NODE_NUMBER || node->kind == NODE_NIL;
}

static bool is_true(const struct node *constant) {
  return constant->kind == NODE_NUMBER && constant->number != 0;
}

static void fold_unary(struct node *node) {
  const struct node *operand = node->first;
  if (node->operation == TOKEN_NOT && is_constant(operand))
    become_number(node, !is_true(operand));
  else if (operand->kind == NODE_NUMBER)
    become_number(node, node->operation == TOKEN_MINUS ? (int)(0u - (unsigned)operand->number)
                                                       : ~operand->number);
}

static void fold_strings(struct node *node) {
  const struct string *left = node->first->string, *right = node->second->string;
  struct string *joined = string_new(regionof(node), NULL, left->length + right->length);
  memcpy(joined->text, left->text, (size_t)left->length);
  memcpy(joined->text + left->length, right->text, (size_t)right->length);
  node->kind = NODE_STRING;
  node->string = joined;
}

static void fold_binary(struct node *node) {
  const struct node *left = node->first, *right = node->second;
  int result;
  if (left->kind == NODE_NUMBER && right->kind == NODE_NUMBER) {
    if (compute_binary(node->operation, left->number, right->number, &result))
      become_number(node, result);
  } else if (left->kind == NODE_STRING && right->kind == NODE_STRING &&
             node->operation == TOKEN_PLUS) {
    fold_strings(node);
  }
}

/* The value of && and || is that of the operand that decides. */
static void fold_logical(struct node *node) {
  if (is_constant(node->first))
    become(node, is_true(node->first) == (node->kind == NODE_AND) ? node->second : node->first);
}

static void fold_node(struct node *node) {
  if (node->first)
    fold_node(node->first);
  if (node->second)
    fold_node(node->second);
  if (node->third)
    fold_node(node->third);
  fold_list(node->list);
  switch (node->kind) {
  case NODE_UNARY:
    fold_unary(node);
    break;
  case NODE_BINARY:
    fold_binary(node);
    break;
  case NODE_AND:
  case NODE_OR:
    fold_logical(node);
    break;
  case NODE_IF:
    if (is_constant(node->first))
      become(node, is_true(node->first) ? node->second : node->third);
    break;
  case NODE_LOOP:
    if (is_constant(node->first) && !is_true(node->first))
      become(node, NULL);
    break;
  case NODE_FUNCTION:
    fold_function(node->function);
    break;
  default:
    break;
  }
}

void fold_function(struct function *function) { fold_node(function->body); }
