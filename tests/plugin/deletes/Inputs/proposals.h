/* Includes nothing itself. */
#ifndef PROPOSALS_H
#define PROPOSALS_H

struct item;
typedef void release(struct item *);
typedef void (*hook)(struct item *);
#define P(parameters) parameters
void prototype(struct item *);
void in_macro P((struct item *));
#if SOMETHING
#include <stddef.h>
#endif
extern hook on_end;
#endif
