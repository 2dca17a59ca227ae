/* SPDX-License-Identifier: MIT */
/* ngx_palloc.h - nginx's pools as regions.  Takes the place of nginx's file of this name.
 *
 * A pool is an object that lies in its own region, so whatever has a pointer to the pool has the
 * region, and `pool` in an object of the pool is a sameregion pointer.  Allocations are macros, so
 * that each says what type its size is of.
 *
 * ngx_destroy_pool runs the cleanup handlers at once, as nginx does, but its callers still hold
 * pointers into the pool. So the region goes in ngx_reclaim_pools, which the loops call when they
 * have handled events, where no function of a request is active.
 */
#ifndef _NGX_PALLOC_H_INCLUDED_
#define _NGX_PALLOC_H_INCLUDED_

#include <ngx_config.h>
#include <ngx_core.h>

#define NGX_MAX_ALLOC_FROM_POOL (ngx_pagesize - 1)
#define NGX_DEFAULT_POOL_SIZE (16 * 1024)
#define NGX_POOL_ALIGNMENT 16
#define NGX_MIN_POOL_SIZE 256
#define NGX_BUFFER_APART 1024

typedef void (*ngx_pool_cleanup_pt)(void *data);

typedef struct ngx_pool_cleanup_s ngx_pool_cleanup_t;
struct ngx_pool_cleanup_s {
  ngx_pool_cleanup_pt traditional handler;
  void *data;
  ngx_pool_cleanup_t *sameregion next;
};

/* A block that ngx_pfree takes back: one that is larger than the pool's max. */
typedef struct ngx_pool_large_s ngx_pool_large_t;
struct ngx_pool_large_s {
  ngx_pool_large_t *sameregion next;
  void *sameregion block;
  size_t size;
  ngx_uint_t is_free, is_buffer;
};

struct ngx_pool_s {
  struct {
    u_char *traditional last, *traditional end;
  } d; /* always null: nginx's arrays take it that nothing of theirs is at the end of the pool */
  ngx_uint_t max;
  ngx_chain_t *sameregion chain;
  ngx_pool_large_t *sameregion large;
  ngx_pool_cleanup_t *sameregion cleanup;
  ngx_log_t *log;
  ngx_pool_t *dependents; /* those that are destroyed with this pool, linked by next; each in a
                             region of its own */
  ngx_pool_t *next;
};

typedef struct {
  ngx_fd_t fd;
  u_char *name;
  ngx_log_t *log;
} ngx_pool_cleanup_file_t;

ngx_pool_t *ngx_create_pool(size_t size, ngx_log_t *log);
void ngx_destroy_pool(ngx_pool_t *pool);
void ngx_reset_pool(ngx_pool_t *pool);
void ngx_reclaim_pools(void) deletes;

/* A connection that is free says nothing of the last one that it was. */
void ngx_forget_connection(ngx_connection_t *connection);
/* Nor does a cycle that has taken over its sockets of the one before. */
void ngx_forget_previous(ngx_cycle_t *cycle);

void ngx_pool_run_cleanup_file(ngx_pool_t *pool, ngx_fd_t fd);
void ngx_pool_cleanup_file(void *data);
void ngx_pool_delete_file(void *data);
ngx_int_t ngx_pfree(ngx_pool_t *pool, void *block);

#if defined(MEMORY_MALLOC) || defined(MEMORY_COLLECTED)
typedef void acre_site;
#define NGX_SITE(size) NULL
#define NGX_IS_TYPED(site) 0
#define NGX_REGION_ALLOC(r, size, align, site) memory_region_alloc((r), 1, (size))
#define NGX_REGION_ALLOC_TEXT(r, size) memory_region_alloc_pointerfree((r), 1, (size))
#define NGX_REGION_ALLOC_APART(r, size) memory_region_alloc_pointerfree((r), 1, (size))
#else
#define NGX_SITE(size) ACRE_TYPE_OF_SIZE(size)
#define NGX_IS_TYPED(site) ((site) && (site)->type)
#define NGX_REGION_ALLOC(r, size, align, site) acre_region_alloc((r), (size), (align), (site))
/* Text lies among the objects that lead to it, and buffers of some size apart from them: so most
 * pointers stay on a page. */
#define NGX_REGION_ALLOC_TEXT(r, size) acre_region_alloc_array((r), (size), 1, 1, NULL)
#define NGX_REGION_ALLOC_APART(r, size) acre_region_alloc_bytes((r), (size))
#endif

/* The block is that of pool->large: said by that field, all callers know where it lies. */
void ngx_take_large(ngx_pool_t *pool, size_t size, size_t alignment, const acre_site *site);
void ngx_take_large_buffer(ngx_pool_t *pool, size_t size);
ngx_pool_cleanup_t *ngx_pool_cleanup_add_site(ngx_pool_t *pool, size_t size, const acre_site *site);

/* nginx takes back only what is large, and that is buffers: memory of a known type stays what it
 * is. */
static ngx_inline ngx_uint_t ngx_pool_is_large(ngx_pool_t *pool, size_t size,
                                               const acre_site *site) {
  return !NGX_IS_TYPED(site) && size > pool->max;
}

static ngx_inline void *ngx_palloc_large(ngx_pool_t *pool, size_t size, size_t alignment,
                                         const acre_site *site) {
  ngx_take_large(pool, size, alignment, site);
  return pool->large->block;
}

static ngx_inline void *ngx_palloc_site(ngx_pool_t *pool, size_t size, const acre_site *site) {
  if (ngx_pool_is_large(pool, size, site))
    return ngx_palloc_large(pool, size, NGX_ALIGNMENT, site);
  return NGX_REGION_ALLOC(regionof(pool), size, NGX_ALIGNMENT, site);
}

static ngx_inline void *ngx_pcalloc_site(ngx_pool_t *pool, size_t size, const acre_site *site) {
  void *block = ngx_palloc_site(pool, size, site);
  if (ngx_pool_is_large(pool, size, site)) /* all but a block that was freed is zero */
    ngx_memzero(block, size);
  return block;
}

static ngx_inline void *ngx_palloc_text(ngx_pool_t *pool, size_t size) {
  return NGX_REGION_ALLOC_TEXT(regionof(pool), size);
}

static ngx_inline void *ngx_palloc_buffer(ngx_pool_t *pool, size_t size) {
  if (size < NGX_BUFFER_APART)
    return ngx_palloc_text(pool, size);
  if (size <= pool->max)
    return NGX_REGION_ALLOC_APART(regionof(pool), size);
  ngx_take_large_buffer(pool, size);
  return pool->large->block;
}

/* Pools are made in line: so is known of a pool and its parent what a pointer from one to the other
 * asks. */
static ngx_inline ngx_pool_t *ngx_make_pool(region memory, size_t size, ngx_log_t *log) {
  ngx_pool_t *pool = ralloc(memory, ngx_pool_t);
  pool->max = size < NGX_MAX_ALLOC_FROM_POOL ? size : NGX_MAX_ALLOC_FROM_POOL;
  pool->log = log;
  return pool;
}

/* A pool that must be destroyed before its parent. */
static ngx_inline ngx_pool_t *ngx_create_subpool(ngx_pool_t *parent, size_t size, ngx_log_t *log) {
  return ngx_make_pool(newsubregion(regionof(parent)), size, log);
}

/* A pool that is destroyed with its parent; the two may point to each other. */
static ngx_inline ngx_pool_t *ngx_create_dependent_pool(ngx_pool_t *parent, size_t size,
                                                        ngx_log_t *log) {
  ngx_pool_t *pool = ngx_create_subpool(parent, size, log);
  pool->next = parent->dependents;
  parent->dependents = pool;
  return pool;
}

/* The text, which lies in the region of the object or in one above it: asked once for all that
 * points into the text. */
static ngx_inline u_char *inparent(object) ngx_text_above(void *object, u_char *text) {
  (void)object;
  return text;
}

#define ngx_palloc(pool, size) ngx_palloc_site((pool), (size), NGX_SITE(size))
#define ngx_pcalloc(pool, size) ngx_pcalloc_site((pool), (size), NGX_SITE(size))
/* In the region of an object: what its sameregion pointers point to. */
#define ngx_pcalloc_beside(object, size) \
  NGX_REGION_ALLOC(regionof(object), (size), NGX_ALIGNMENT, NGX_SITE(size))
#define ngx_pnalloc(pool, size) ngx_palloc_text((pool), (size))
#define ngx_pmemalign(pool, size, alignment) \
  ngx_palloc_large((pool), (size), (alignment), NGX_SITE(size))
#define ngx_pool_cleanup_add(pool, size) ngx_pool_cleanup_add_site((pool), (size), NGX_SITE(size))

#endif
