#include "h.h"
#include <acre/acre.h>
struct s { region r; };
void f(struct s *s) { deleteregion(s->r); }
#define SIGNATURE (region)
void g SIGNATURE;
void *cast(void *p) { return SIGNATURE p; }
void g(region r) { deleteregion(r); }
static void in_reach(region r) { deleteregion(r); }
void calls(region r) { in_reach(r); }
