// -facre-strict: what is copied unseen is an error; the handles of arenas, and pointers into them.
// RUN: %frontend -fsyntax-only -Xclang -verify=plain %s
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify=strict -Xclang -plugin-arg-acre \
// RUN:   -Xclang strict %s
// plain-no-diagnostics
#include <acre/own.h>
#include <acre/scope.h>
#include <stdlib.h>
#include <string.h>

struct numbers {
  int all[4];
};
struct node {
  struct node *next;
  int value;
};
struct view {
  struct node *first;
  int count;
};
struct context {
  region memory;
};
static struct view kept;
static struct context used;
static struct node *global;
void see_view(struct view v);
struct view make_view(region r);

void numbers_copied(struct numbers *to, const struct numbers *from) {
  memcpy(to, from, sizeof *to);
}

void handle_kept(void) {
  acre_scoped_region(r);
  region other = r;
  // strict-error@-1 {{what this copy of the handle makes may outlive the block of the arena 'r'}}
  used.memory = r;   // strict-error {{what this copy of the handle makes may outlive}}
  global = ralloc(other, struct node);
}
region handle_returned(void) {
  acre_scoped_region(r);
  return r; // strict-error {{what this copy of the handle makes may outlive}}
}
void handle_chosen(region s, int way) {
  acre_scoped_region(r);
  region other = way ? r : s; // strict-error {{what this copy of the handle makes may outlive}}
  (void)other;
}
void handle_in_a_list(void) {
  acre_scoped_region(r);
  struct context c = {r}; // strict-error {{what this copy of the handle makes may outlive}}
  (void)c;
}
void structure_kept(void) {
  acre_scoped_region(r);
  struct view v = {ralloc(r, struct node), 1};
  kept = v; // strict-error {{what is stored here may outlive the block of the arena 'r'}}
}
void literal_kept(void) {
  acre_scoped_region(r);
  kept = (struct view){ralloc(r, struct node), 1};
  // strict-error@-1 {{what is stored here may outlive}}
}
void result_kept(void) {
  acre_scoped_region(r);
  kept = make_view(r); // strict-error {{what is stored here may outlive}}
}
struct view structure_returned(void) {
  acre_scoped_region(r);
  struct view v = {ralloc(r, struct node), 1};
  return v; // strict-error {{what is returned may outlive}}
}
void structure_passed(void) {
  acre_scoped_region(r);
  struct view v = {ralloc(r, struct node), 1};
  see_view(v); // strict-error {{what is passed here may outlive}}
}
void structure_in_an_outer_variable(void) {
  struct view outer;
  {
    acre_scoped_region(r);
    struct view v = {ralloc(r, struct node), 1};
    outer = v; // strict-error {{what is kept in this variable may outlive}}
  }
  (void)outer;
}
void structure_of_the_arena(void) {
  acre_scoped_region(r);
  struct view *v = ralloc(r, struct view);
  kept = *v; // strict-error {{what is stored here may outlive}}
}
void structure_moved_out(void) {
  acre_scoped_region(r);
  struct view v = {ralloc(r, struct node), 1};
  memcpy(&kept, &v, sizeof v); // strict-error {{what is stored here may outlive}}
}
void stays(void) {
  acre_scoped_region(r);
  struct view *v = ralloc(r, struct view), *w = ralloc(r, struct view);
  struct view inner = *v;
  *w = inner;
  memcpy(v, w, sizeof *v);
  memcpy(&inner, v, sizeof *v);
  struct numbers n = {{0}}, m = n;
  (void)m;
}
struct view when_it_is_over(struct view *from) {
  {
    acre_scoped_region(r);
    (void)r;
  }
  struct view v = *from;
  kept = v;
  return v;
}
