#include "home.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct block block;
struct block {
  block *next;
  char *free, *end;
};

typedef struct ending ending;
struct ending {
  ending *next;
  void (*call)(void *);
  void *with;
};

struct pool {
  block *blocks;
  pool *parent, *child, *sibling;
  ending *endings;
  const char *tag;
};

#define BLOCK_SIZE 8192

pool *current_pool;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static block *unused;

static block *take_block(size_t size) {
  block *b = NULL;
  pthread_mutex_lock(&lock);
  if (size <= BLOCK_SIZE && unused) {
    b = unused;
    unused = b->next;
  }
  pthread_mutex_unlock(&lock);
  if (!b) {
    size_t whole = sizeof(block) + (size > BLOCK_SIZE ? size : BLOCK_SIZE);
    b = malloc(whole);
    if (!b)
      abort();
    b->end = (char *)b + whole;
  }
  b->free = (char *)(b + 1);
  b->next = NULL;
  return b;
}

static void leave_blocks(block *b) {
  while (b) {
    block *next = b->next;
    if (b->end - (char *)(b + 1) == BLOCK_SIZE) {
      pthread_mutex_lock(&lock);
      b->next = unused;
      unused = b;
      pthread_mutex_unlock(&lock);
    } else {
      free(b);
    }
    b = next;
  }
}

void *pool_alloc_aligned(pool *p, size_t size, size_t align) {
  block *b = p->blocks;
  char *start = (char *)(((uintptr_t)b->free + align - 1) & ~(uintptr_t)(align - 1));
  if (start + size > b->end) {
    b = take_block(size + align);
    b->next = p->blocks;
    p->blocks = b;
    start = (char *)(((uintptr_t)b->free + align - 1) & ~(uintptr_t)(align - 1));
  }
  b->free = start + size;
  return memset(start, 0, size);
}

void *pool_alloc(pool *p, size_t size) { return pool_alloc_aligned(p, size, 8); }
void *pool_alloc_array(pool *p, size_t count, size_t size) { return pool_alloc(p, count * size); }
char *pool_bytes(pool *p, size_t size) { return pool_alloc_aligned(p, size, 1); }
void *pool_copy(pool *p, const void *from, size_t size) {
  return from ? memcpy(pool_alloc(p, size), from, size) : NULL;
}
void *alloc_current(size_t size) { return pool_alloc(current_pool, size); }
int pool_give_back(pool *p, void *object) { return p && object ? -1 : 0; }
void pool_tag(pool *p, const char *name) { p->tag = name; }

/* Writes where the pool's own next object would lie. */
char *pool_printf(pool *p, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  block *b = take_block((size_t)length + 1);
  b->next = p->blocks->next;
  p->blocks->next = b;
  vsnprintf(b->free, (size_t)length + 1, format, again);
  va_end(again);
  char *text = b->free;
  b->free += length + 1;
  return text;
}

pool *pool_create(pool *parent) {
  block *b = take_block(sizeof(pool));
  pool *p = (pool *)b->free;
  b->free += sizeof(pool);
  memset(p, 0, sizeof *p);
  p->blocks = b;
  p->parent = parent;
  if (parent) {
    pthread_mutex_lock(&lock);
    p->sibling = parent->child;
    parent->child = p;
    pthread_mutex_unlock(&lock);
  }
  return p;
}

int pool_create_at(pool **made, pool *parent) {
  *made = NULL;
  *made = pool_create(parent);
  return 0;
}

void pool_at_end(pool *p, void (*call)(void *), void *with) {
  ending *e = pool_alloc(p, sizeof *e);
  e->call = call;
  e->with = with;
  e->next = p->endings;
  p->endings = e;
}

/* What has run stays in the list: as in programs that only free the memory. */
static void end(pool *p) {
  while (p->child)
    pool_destroy(p->child);
  for (ending *e = p->endings; e; e = e->next)
    e->call(e->with);
}

/* The pool's own memory is used again from what lies behind its object. */
void pool_clear(pool *p) {
  end(p);
  p->endings = NULL;
  block *own = (block *)p - 1, *each = p->blocks;
  while (each != own) {
    block *next = each->next;
    each->next = NULL;
    leave_blocks(each);
    each = next;
  }
  leave_blocks(own->next);
  own->next = NULL;
  own->free = (char *)(p + 1);
  p->blocks = own;
}

void pool_destroy(pool *p) {
  end(p);
  if (p->parent) {
    pthread_mutex_lock(&lock);
    pool **at = &p->parent->child;
    while (*at != p)
      at = &(*at)->sibling;
    *at = p->sibling;
    pthread_mutex_unlock(&lock);
  }
  leave_blocks(p->blocks);
}
