#include <acre/acre.h>
#include "f.h"
#include "../out/g.h"
#include <h.h>
/* The first three are declared where nothing can be changed; the fourth's parentheses are in no
   file. */
void f(void *p) { deleteregion(p); }
void g(void *p) { deleteregion(p); }
void h(void *p) { deleteregion(p); }
void k ARGUMENTS { deleteregion(p); }
static void in_reach(void *p) { deleteregion(p); }
void calls(void *p) { in_reach(p); }
