#include "stores.h"

static inline void link_to(struct node *from, struct node *to) { from->next = to; }

void one(struct node *o) { link_to(o, o->self); }
void two(struct node *t) { link_to(t, t->self); }
void three(struct node *t) { link_to(t, t->self); }
void four(struct node *f) { link_to(f, f->self); }
void five(struct node *f) { link_to(f, f->self); }
void six(struct node *s) { link_to(s, s->self); }
void seven(struct node *s) { link_to(s, s->self); }
void eight(struct node *e) { link_to(e, e->self); }
