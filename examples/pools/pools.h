/* SPDX-License-Identifier: MIT */
/* pools.h - a home-made allocator: pools in a tree, each of which is freed as a whole. */
#ifndef POOLS_H
#define POOLS_H

#include <stddef.h>

typedef struct pool pool_t;

pool_t *pool_new(pool_t *parent);
void *pool_get(pool_t *pool, size_t size);
char *pool_text(pool_t *pool, const char *format, ...);
void pool_reset(pool_t *pool);
void pool_free(pool_t *pool);

#endif
