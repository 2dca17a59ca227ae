#ifndef ITEM_H
#define ITEM_H
/* Includes nothing: main.c reads it before any header of Acre, count.c reads none of these. */
#define P(parameters) parameters

struct item;
typedef void (*visitor)(struct item *);
typedef void action(struct item *);

struct item *item_new(const char *name);
void item_end P((struct item *));
int item_count(void);
void each(visitor visit, struct item *first);
extern action *at_end;
#endif
