/* SPDX-License-Identifier: MIT */
/* analyse.c - closure analysis: each name becomes a local variable, a captured one, or a global.
 *
 * Afterwards: every variable has a slot of its function's frame that no variable alive at the same
 * time shares; for every use of a variable in a function that does not own it, that function and
 * those between have a capture of it.
 */
#include "tree.h"

#include <string.h>

/* The variables that a place in the source sees, from the innermost block out. */
struct scope {
  const struct scope *sameregion outer;
  struct variable *sameregion variables;
};

/* In the region of the tree. */
struct analysis {
  struct program *parentptr program;
  struct function *sameregion function; /* the innermost */
  const struct scope *sameregion scope;
  int slot_count; /* in use */
};

static void analyse_node(struct analysis *analysis, struct node *node);

static struct variable *find_variable(const struct scope *scope, const char *name) {
  for (; scope; scope = scope->outer)
    for (struct variable *variable = scope->variables; variable; variable = variable->next)
      if (strcmp(variable->name, name) == 0)
        return variable;
  return NULL;
}

/* Lets function, and those around it up to the owner, capture variable. */
static void capture_variable(struct function *function, struct variable *variable) {
  for (; function != variable->owner; function = function->outer) {
    struct capture *last = NULL;
    for (struct capture *capture = function->captures; capture; capture = capture->next) {
      if (capture->variable == variable)
        return;
      last = capture;
    }
    struct capture *capture = ralloc(regionof(function), struct capture);
    capture->variable = variable;
    capture->index = function->capture_count++;
    if (last)
      last->next = capture;
    else
      function->captures = capture;
  }
  variable->is_captured = true;
}

static void resolve(struct analysis *analysis, struct node *node) {
  struct variable *variable = find_variable(analysis->scope, node->name);
  node->variable = variable;
  if (!variable)
    node->global = program_symbol(analysis->program, node->name);
  else if (variable->owner != analysis->function)
    capture_variable(analysis->function, variable);
}

static void declare_variables(struct analysis *analysis, struct variable *variables) {
  struct function *function = analysis->function;
  for (struct variable *variable = variables; variable; variable = variable->next) {
    variable->owner = function;
    variable->slot = analysis->slot_count++;
  }
  if (analysis->slot_count > function->local_count)
    function->local_count = analysis->slot_count;
}

static struct scope *scope_new(const struct scope *outer, struct variable *variables, region r) {
  struct scope *scope = ralloc(r, struct scope);
  scope->outer = outer;
  scope->variables = variables;
  return scope;
}

static void analyse_function(struct analysis *outer, struct function *function) {
  function->outer = outer->function;
  struct analysis *analysis = ralloc(regionof(outer), struct analysis);
  analysis->program = outer->program;
  analysis->function = function;
  analysis->scope = scope_new(outer->scope, function->parameters, regionof(outer));
  declare_variables(analysis, function->parameters);
  analyse_node(analysis, function->body);
}

static void analyse_block(struct analysis *analysis, struct node *block) {
  const struct scope *outer = analysis->scope;
  int slot_count = analysis->slot_count;
  analysis->scope = scope_new(outer, block->variables, regionof(analysis));
  declare_variables(analysis, block->variables);
  for (struct node *node = block->list; node; node = node->next)
    analyse_node(analysis, node);
  analysis->scope = outer;
  analysis->slot_count = slot_count;
}

/* A variable that is set only by its declaration, before any closure sees it, needs no box. */
static void analyse_assignment(struct analysis *analysis, struct node *node) {
  analyse_node(analysis, node->first);
  resolve(analysis, node);
  struct variable *variable = node->variable;
  if (variable && (!node->number || variable->is_captured))
    variable->is_assigned = true;
}

static void analyse_node(struct analysis *analysis, struct node *node) {
  switch (node->kind) {
  case NODE_NAME:
    resolve(analysis, node);
    return;
  case NODE_ASSIGN:
    analyse_assignment(analysis, node);
    return;
  case NODE_FUNCTION:
    analyse_function(analysis, node->function);
    return;
  case NODE_BLOCK:
    analyse_block(analysis, node);
    return;
  default:
    break;
  }
  if (node->first)
    analyse_node(analysis, node->first);
  if (node->second)
    analyse_node(analysis, node->second);
  if (node->third)
    analyse_node(analysis, node->third);
  for (struct node *element = node->list; element; element = element->next)
    analyse_node(analysis, element);
}

bool variable_is_boxed(const struct variable *variable) {
  return variable->is_captured && variable->is_assigned;
}

void analyse_form(struct function *form, struct program *program) {
  struct analysis *analysis = ralloc(regionof(form), struct analysis);
  analysis->program = program;
  analyse_function(analysis, form);
}
