/* Pools of which each object says in front which pool it is of, so that functions about an object
   take no pool.  Compiled with headed.map or without. */
#ifndef HEADED_H
#define HEADED_H

#include <stddef.h>

typedef struct context context;
extern context *current;

context *context_new(void);
void context_reset(context *c);
void context_delete(context *c);
/* At most LARGEST bytes; else null. */
void *take(size_t size);
void *take_any(context *c, size_t size);
void *resize(void *object, size_t size);
void *resize_any(void *object, size_t size);
void give_back(void *object);
context *context_of(void *object);
size_t space_of(void *object);
size_t context_total(context *c);
int is_context_empty(context *c);

enum { LARGEST = 1 << 20 };

#endif
