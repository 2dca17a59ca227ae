// settled stands on static variables, in all their declarations; only deletes functions and main
// set them.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -fblocks -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#include <acre/region.h>
struct node { struct node *next; };
extern settled region unit;
settled region unit;
static settled struct node *root;
struct node *settled first;
static settled _Thread_local region own;

settled int number;
// expected-error@-1 {{'settled' on 'number' has no meaning: it stands on variables of static \
storage that are regions or pointers}}
settled region several[2]; // expected-error {{'settled' on 'several' has no meaning}}
struct holder { settled region held; }; // expected-error {{'settled' on 'held' has no meaning}}
settled region made(void); // expected-error {{'settled' on 'made' has no meaning}}
void local(settled region parameter) {
// expected-error@-1 {{'settled' on 'parameter' has no meaning}}
  settled region automatic = parameter;
  // expected-error@-1 {{'settled' on 'automatic' has no meaning}}
  static settled region kept;
  (void)automatic, (void)kept;
}

extern settled region with; // expected-note {{previous declaration is here}}
region with; // expected-error {{'with' is declared without 'settled' here but with it before}}
extern region without; // expected-note {{previous declaration is here}}
settled region without;
// expected-error@-1 {{'without' is declared with 'settled' here but without it before}}

void begin(void) deletes {
  (unit) = newregion();
  root = first = ralloc(unit, struct node);
  own = unit;
}
void end(void) deletes {
  root = first = NULL;
  deleteregion_ptr(&unit);
}
int main(void) {
  unit = newregion();
  return 0;
}

struct node *reads(void) {
  root->next = first;
  (void)sizeof(unit);
  return ralloc(unit, struct node);
}

void set_elsewhere(void) {
  unit = NULL;
  // expected-error@-1 {{'unit' is 'settled': only a function that is 'deletes' may assign to it, \
and nothing may take its address}}
  root++; // expected-error {{'root' is 'settled'}}
}
void takes(region *place) deletes;
void address(void) deletes {
  region *place = &unit; // expected-error {{'unit' is 'settled'}}
  takes(&unit); // expected-error {{'unit' is 'settled'}}
  root += 1; // expected-error {{'root' is 'settled'}}
  __atomic_store_n(&root, NULL, 0); // expected-error {{'root' is 'settled'}}
  __asm__("" : "=r"(root)); // expected-error {{'root' is 'settled'}}
  __asm__("" : : "r"(&root), "r"(first)); // expected-error {{'root' is 'settled'}}
  void (^later)(void) = ^{ root = NULL; }; // expected-error {{'root' is 'settled'}}
  (void)place, (void)later;
}
region *outside = &unit; // expected-error {{'unit' is 'settled'}}
extern region other __attribute__((alias("aliased")));
// expected-error@-1 {{'aliased' is 'settled'}}
settled region aliased;
