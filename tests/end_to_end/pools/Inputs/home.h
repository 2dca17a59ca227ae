/* Pools as servers have them: blocks that are used again, a tree, and functions to be called when a
   pool ends.  Compiled with home.map or without. */
#ifndef HOME_H
#define HOME_H

#include <stddef.h>

typedef struct pool pool;
extern pool *current_pool;

pool *pool_create(pool *parent);
int pool_create_at(pool **made, pool *parent);
void pool_destroy(pool *p);
void pool_clear(pool *p);
void pool_tag(pool *p, const char *name);
void *pool_alloc(pool *p, size_t size);
void *pool_alloc_array(pool *p, size_t count, size_t size);
void *pool_alloc_aligned(pool *p, size_t size, size_t align);
char *pool_bytes(pool *p, size_t size);
void *pool_copy(pool *p, const void *from, size_t size);
char *pool_printf(pool *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
int pool_give_back(pool *p, void *object);
void *alloc_current(size_t size);
void pool_at_end(pool *p, void (*call)(void *), void *with);

#endif
