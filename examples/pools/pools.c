/* SPDX-License-Identifier: MIT */
/* pools.c - see pools.h.  Nothing here knows of Acre. */
#define _GNU_SOURCE
#include "pools.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct piece {
  struct piece *next;
};

struct pool {
  struct piece *pieces;
  pool_t *parent, *child, *sibling;
};

void *pool_get(pool_t *pool, size_t size) {
  struct piece *piece = calloc(1, sizeof *piece + size);
  if (!piece)
    abort();
  piece->next = pool->pieces;
  pool->pieces = piece;
  return piece + 1;
}

/* A line of the map says that it makes a string: so that is known to hold no pointers. */
char *pool_text(pool_t *pool, const char *format, ...) {
  char *text = NULL;
  va_list arguments;
  va_start(arguments, format);
  const int length = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (length < 0)
    abort();
  char *copy = memcpy(pool_get(pool, (size_t)length + 1), text, (size_t)length + 1);
  free(text);
  return copy;
}

pool_t *pool_new(pool_t *parent) {
  pool_t *pool = calloc(1, sizeof *pool);
  if (!pool)
    abort();
  pool->parent = parent;
  if (parent) {
    pool->sibling = parent->child;
    parent->child = pool;
  }
  return pool;
}

void pool_reset(pool_t *pool) {
  while (pool->child)
    pool_free(pool->child);
  while (pool->pieces) {
    struct piece *next = pool->pieces->next;
    free(pool->pieces);
    pool->pieces = next;
  }
}

void pool_free(pool_t *pool) {
  pool_reset(pool);
  if (pool->parent) {
    pool_t **link = &pool->parent->child;
    while (*link != pool)
      link = &(*link)->sibling;
    *link = pool->sibling;
  }
  free(pool);
}
