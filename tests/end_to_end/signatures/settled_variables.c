// A settled variable names one region in every function that is not deletes, whatever other files
// do.
// RUN: %each_level -o %t %s %S/../Inputs/settled_unit.c
// RUN: env ACRE_FLAGS= %acre explain %s -- -O2 -I%S | FileCheck %s
#include "../Inputs/check.h"
#include "../Inputs/settled_unit.h"

static settled struct name *root;

// Two reads of the variable, with calls of another file between them.
NOINLINE static void append(struct name *behind) {
  struct name *one = ralloc(unit, struct name);
  look_around();
  struct name *two = name_new();
  // CHECK: settled_variables.c:[[#@LINE+1]]:{{.*}}check of sameregion store removed
  one->next = two;
  look_around();
  // CHECK: settled_variables.c:[[#@LINE+1]]:{{.*}}check of sameregion store removed
  two->next = ralloc(unit, struct name);
  // CHECK: settled_variables.c:[[#@LINE+1]]:{{.*}}check of sameregion store kept
  behind->next = one;
}

NOINLINE static void append_to_root(void) {
  look_around();
  // CHECK: settled_variables.c:[[#@LINE+1]]:{{.*}}check of sameregion store removed
  root->next = ralloc(regionof(root), struct name);
  // CHECK: settled_variables.c:[[#@LINE+1]]:{{.*}}check of traditional {{.*}} removed
  root->text = name_text();
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    unit_begin();
    root = name_new();
    append(root);
    append_to_root();
    CHECK(root->next && strcmp(root->text, "name") == 0);
    root = NULL;
    unit_end();
  }
  return 0;
}
