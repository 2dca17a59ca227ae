/* SPDX-License-Identifier: MIT */
/* ngx_palloc.c - nginx's pools as regions, see ngx_palloc.h.
 *
 * Invariant: `condemned` holds the regions of the pools that were destroyed since the last
 * ngx_reclaim_pools: a null after each pool with those that depend on it.  These go together,
 * because they may point to each other.
 */
#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>

/* Enough of the newest blocks to find the ones that a connection gives back and takes again. */
enum { LARGE_BLOCKS_TRIED = 8 };

/* Handles, not pointers: a region that is to go is no reason for it to stay. */
static struct {
  region *regions;
  size_t count, capacity;
} condemned;

ngx_pool_t *ngx_create_pool(size_t size, ngx_log_t *log) {
  return ngx_make_pool(newregion(), size, log);
}

static void condemn(region memory) {
  if (condemned.count == condemned.capacity) {
    size_t capacity = condemned.capacity ? 2 * condemned.capacity : 64;
    region *regions = realloc(condemned.regions, capacity * sizeof *regions);
    if (!regions) {
      ngx_log_error(NGX_LOG_EMERG, ngx_cycle->log, ngx_errno, "no memory to destroy a pool");
      abort();
    }
    condemned.regions = regions;
    condemned.capacity = capacity;
  }
  condemned.regions[condemned.count++] = memory;
}

static void destroy(ngx_pool_t *pool) {
  for (ngx_pool_t *dependent = pool->dependents; dependent; dependent = dependent->next)
    destroy(dependent);
  for (ngx_pool_cleanup_t *cleanup = pool->cleanup; cleanup; cleanup = cleanup->next)
    if (cleanup->handler)
      cleanup->handler(cleanup->data);
  condemn(regionof(pool));
}

void ngx_destroy_pool(ngx_pool_t *pool) {
  destroy(pool);
  condemn(NULL);
}

void ngx_reclaim_pools(void) deletes {
  for (size_t first = 0, end; first < condemned.count; first = end + 1) {
    for (end = first; condemned.regions[end]; end++) {
    }
    deleteregion_array(end - first, condemned.regions + first);
  }
  condemned.count = 0;
}

void ngx_forget_connection(ngx_connection_t *connection) {
  ngx_memzero(&connection->own_log, sizeof(ngx_log_t));
  connection->log = ngx_cycle->log;
  connection->read->log = connection->write->log = NULL;
  connection->pool = NULL;
  connection->sockaddr = connection->local_sockaddr = NULL;
  ngx_str_null(&connection->addr_text);
  connection->proxy_protocol = NULL;
  connection->udp = NULL;
  connection->buffer = NULL;
}

void ngx_forget_previous(ngx_cycle_t *cycle) {
  ngx_listening_t *sockets = cycle->listening.elts;
  for (ngx_uint_t i = 0; i < cycle->listening.nelts; i++)
    sockets[i].previous = NULL;
}

/* What was allocated stays until the pool goes: only a configuration that is read from a binary
 * file asks for this. */
void ngx_reset_pool(ngx_pool_t *pool) { pool->chain = NULL; }

/* Whether a block of this size was given back; it is the first of the list then. */
static ngx_uint_t reuse_large(ngx_pool_t *pool, size_t size, size_t alignment,
                              ngx_uint_t is_buffer) {
  ngx_uint_t tried = 0;
  ngx_pool_large_t *previous = NULL;
  for (ngx_pool_large_t *large = pool->large; large && tried < LARGE_BLOCKS_TRIED;
       large = large->next, tried++) {
    if (large->is_free && large->is_buffer == is_buffer && large->size == size &&
        ((uintptr_t)large->block & (alignment - 1)) == 0) {
      large->is_free = 0;
      if (previous) {
        previous->next = large->next;
        large->next = pool->large;
        pool->large = large;
      }
      return 1;
    }
    previous = large;
  }
  return 0;
}

static ngx_pool_large_t *add_large(ngx_pool_t *pool, size_t size) {
  ngx_pool_large_t *large = ralloc(regionof(pool), ngx_pool_large_t);
  large->size = size;
  large->next = pool->large;
  pool->large = large;
  return large;
}

void ngx_take_large(ngx_pool_t *pool, size_t size, size_t alignment, const acre_site *site) {
  if (!reuse_large(pool, size, alignment, 0))
    add_large(pool, size)->block = NGX_REGION_ALLOC(regionof(pool), size, alignment, site);
}

void ngx_take_large_buffer(ngx_pool_t *pool, size_t size) {
  if (reuse_large(pool, size, 1, 1))
    return;
  ngx_pool_large_t *large = add_large(pool, size);
  large->block = NGX_REGION_ALLOC_APART(regionof(pool), size);
  large->is_buffer = 1;
}

ngx_int_t ngx_pfree(ngx_pool_t *pool, void *block) {
  for (ngx_pool_large_t *large = pool->large; large; large = large->next)
    if (large->block == block) {
      large->is_free = 1;
      return NGX_OK;
    }
  return NGX_DECLINED;
}

ngx_pool_cleanup_t *ngx_pool_cleanup_add_site(ngx_pool_t *pool, size_t size,
                                              const acre_site *site) {
  ngx_pool_cleanup_t *cleanup = ralloc(regionof(pool), ngx_pool_cleanup_t);
  if (size)
    cleanup->data = NGX_REGION_ALLOC(regionof(pool), size, NGX_ALIGNMENT, site);
  cleanup->next = pool->cleanup;
  pool->cleanup = cleanup;
  return cleanup;
}

void ngx_pool_run_cleanup_file(ngx_pool_t *pool, ngx_fd_t fd) {
  for (ngx_pool_cleanup_t *cleanup = pool->cleanup; cleanup; cleanup = cleanup->next) {
    ngx_pool_cleanup_file_t *file = cleanup->data;
    if (cleanup->handler == ngx_pool_cleanup_file && file->fd == fd) {
      cleanup->handler(file);
      cleanup->handler = NULL;
      return;
    }
  }
}

static void close_file(const ngx_pool_cleanup_file_t *file) {
  if (close(file->fd) == -1)
    ngx_log_error(NGX_LOG_ALERT, file->log, ngx_errno, "closing \"%s\" failed", file->name);
}

void ngx_pool_cleanup_file(void *data) { close_file(data); }

void ngx_pool_delete_file(void *data) {
  const ngx_pool_cleanup_file_t *file = data;
  if (unlink((const char *)file->name) == -1 && ngx_errno != NGX_ENOENT)
    ngx_log_error(NGX_LOG_CRIT, file->log, ngx_errno, "deleting \"%s\" failed", file->name);
  close_file(file);
}
