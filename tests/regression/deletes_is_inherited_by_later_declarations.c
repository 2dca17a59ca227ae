// A definition had to repeat the deletes of its declaration, which generated code and old parameter
// lists cannot.
// RUN: %each_level -o %t %s -- -Wno-deprecated-non-prototype
// RUN: not %acre-cc -Wno-deprecated-non-prototype -fsyntax-only -DWRONG %s 2>&1 | FileCheck %s
#include "../end_to_end/Inputs/check.h"

int yyparse(void) deletes;
int yyparse(void);
static int drop() deletes;
typedef int parser(void) deletes;

int yyparse(void) {
  region r = newregion();
  new_node(r);
  return drop(&r);
}
static int drop(place) region *place;
{ return deleteregion(*place); }
int yyparse(void) deletes;

#ifdef WRONG
static void later(region r);
void before(region r) { later(r); }
// CHECK: [[@LINE+1]]:13: error: 'later' is declared with 'deletes' here but without it before
static void later(region r) deletes { deleteregion(r); }
// CHECK: error: call of 'yyparse', which may delete a region, in 'caller'
void caller(void) { yyparse(); }
// CHECK: error: 'deletes' function initializing
int (*plain)(void) = yyparse;
#endif

int main(void) deletes {
  parser *parse = yyparse;
  CHECK(parse());
}
