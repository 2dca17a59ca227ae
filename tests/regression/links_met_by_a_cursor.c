// A node that a pointer to the links of a list has found was taken for one without a link.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdbool.h>
#include <stddef.h>

struct entity {
  struct entity *unique next, *unique children;
  int id;
};

bool move_child(struct entity *borrowed from, struct entity *borrowed to, int id) {
  struct entity *unique *at = &from->children;
  while (*at && (*at)->id != id)
    at = &(*at)->next;
  if (!*at)
    return false;
  struct entity *unique child = acre_take(at);
  *at = acre_take(&child->next);
  child->next = acre_take(&to->children);
  to->children = child;
  return true;
}
bool move_children(struct entity *borrowed from, struct entity *borrowed to, int id) {
  struct entity *unique *at = &from->children;
  while (*at && (*at)->id != id)
    at = &(*at)->next;
  if (!*at)
    return false;
  struct entity *unique child = acre_take(at);
  child->next = acre_take(&to->children); // expected-warning {{'child->next' may be overwritten}}
  to->children = child;
  return true;
}
bool move_last(struct entity *borrowed from, struct entity *borrowed to) {
  struct entity *unique *at = &from->children;
  if (!*at)
    return false;
  while ((*at)->next)
    at = &(*at)->next;
  struct entity *unique child = acre_take(at);
  child->next = acre_take(&to->children);
  to->children = child;
  return true;
}
