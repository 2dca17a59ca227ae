// What copies an owning pointer without a word of it: memory functions, atomics, another type's
// layout, a swap of other types.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

struct node {
  struct node *unique next;
  char *unique name;
  int value;
};
struct pair {
  char *unique first, *unique second;
};
struct twin {
  char *first, *second;
};
struct shifted {
  int kind;
  struct pair inside;
};
struct node *unique make_node(void);

void record_copied(struct pair *to, struct pair *from) {
  memcpy(to, from, sizeof *to);
  // expected-error@-1 {{the unique pointers of 'struct pair' are copied here with it}}
}
void to_bytes(void *to, struct pair *from) {
  memmove(to, from, sizeof *from); // expected-error {{the unique pointers of 'struct pair'}}
}
void from_bytes(struct pair *to, const void *from) {
  __builtin_memcpy(to, from, sizeof *to);
  // expected-error@-1 {{the unique pointers of 'struct pair'}}
}
void inline_copy(struct pair *to, struct pair *from) {
  __builtin_memcpy_inline(to, from, sizeof(struct pair));
  // expected-error@-1 {{the unique pointers of 'struct pair'}}
}
void array_shifted(struct pair all[4]) {
  memmove(all, all + 1, 3 * sizeof *all);
  // expected-error@-1 {{the unique pointers of 'struct pair'}}
}
void slots_copied(char *unique *to, char *unique *from) {
  memcpy(to, from, sizeof *to);
  // expected-error@-1 {{the unique pointers of 'char *unique' are copied here with it}}
}
void backwards(struct pair *to, struct pair *from) {
  bcopy(from, to, sizeof *to); // expected-error {{the unique pointers of 'struct pair'}}
}
void as_wide_characters(struct pair *to, struct pair *from) {
  wmemmove((wchar_t *)to, (wchar_t *)from, 4);
  // expected-error@-1 {{the unique pointers of 'struct pair'}}
}
void one_slot(struct pair *borrowed p) {
  char *plain;
  memcpy(&plain, &p->first, sizeof plain);
  // expected-error@-1 {{the unique pointers of 'char *unique'}}
  free(acre_take(&p->first));
}

char *loaded(struct pair *borrowed p) {
  return __atomic_load_n(&p->first, __ATOMIC_RELAXED);
  // expected-error@-1 {{an atomic operation would copy a unique pointer in memory}}
}
void stored(struct pair *borrowed p, char *q) {
  __atomic_store_n(&p->first, q, __ATOMIC_RELAXED);
  // expected-error@-1 {{an atomic operation would copy}}
}
void exchanged(char *unique *slot) {
  char *old = __atomic_exchange_n(slot, NULL, __ATOMIC_ACQ_REL);
  // expected-error@-1 {{an atomic operation would copy}}
  free(old);
}
void loaded_whole(struct pair *from) {
  struct pair to = {0};
  __atomic_load(from, &to, __ATOMIC_RELAXED);
  // expected-error@-1 {{an atomic operation would copy}}
}
void compared(struct pair *borrowed p, char *q) {
  (void)__sync_val_compare_and_swap(&p->first, NULL, q);
  // expected-error@-1 {{an atomic operation would copy}}
}
char *behind_a_cast(struct pair *borrowed p) {
  void *plain = __atomic_load_n((void *volatile *)&p->first, __ATOMIC_RELAXED);
  // expected-error@-1 {{an atomic operation would copy}}
  // expected-warning@-2 {{annotation}} expected-note@-73 {{declared here}}
  return plain;
}

char *twin(struct pair *borrowed p) {
  struct twin *other = (struct twin *)p;
  // expected-error@-1 {{'struct pair *borrowed' becomes 'struct twin *', where the pointer at \
offset 0 is 'char *' and not 'char *unique'}}
  return other->first;
}
void first_field(struct pair *p) {
  free(*(char **)p); // expected-error {{where the pointer at offset 0 is 'char *'}}
}
void twin_made_owner(struct twin *p) {
  free(acre_take(&((struct pair *)p)->first));
  // expected-error@-1 {{where the pointer at offset 0 is 'char *unique'}}
}
void inside(struct pair *p) {
  free(acre_take(&((struct node *)p)->name)); // the same places
}

void other_type(struct node *borrowed n) {
  free(acre_swap(&n->name, make_node()));
  // expected-error@-1 {{a pointer of type 'struct node *unique' cannot be put into a slot of \
type 'char *unique'}}
}
void variable_of_other_type(struct node *unique n) {
  char *unique p = NULL;
  free(acre_swap(&p, n));
  // expected-error@-1 {{a pointer of type 'struct node *unique' cannot be put into a slot}}
  free(p);
}

static void eat(char *unique p) { acre_drop(p); }
void (*eats)(char *) = eat;
// expected-error@-1 {{initializing 'void (*)(char *)' with an expression of type 'void (*)(char \
*unique)' changes}}
// expected-note@-3 {{declared here}} expected-note@-4 {{declared here}}
