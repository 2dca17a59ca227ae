/* check.h - what the end-to-end programs share.
 *
 * A failed check exits with status 1, never by abort(), so that an expected abort is always Acre's
 * own.
 */
#ifndef ACRE_TEST_CHECK_H
#define ACRE_TEST_CHECK_H

#include <acre/region.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

typedef struct node {
  struct node *next;
  struct node *other;
  long value;
} node;

static inline void check_failed(const char *what, const char *file, int line) {
  fprintf(stderr, "%s:%d: check failed: %s\n", file, line, what);
  exit(1);
}

static inline void check_count(region r, size_t wanted, const char *file, int line) {
  size_t count = acre_region_count(r);
  if (count != wanted) {
    fprintf(stderr, "%s:%d: the count is %zu, wanted %zu\n", file, line, count, wanted);
    acre_region_report(r, 2, 10);
    exit(1);
  }
}

/* The count during a call that may delete: with what the callers' locals hold.  Exposed locals are
 * counted only then. */
static inline void check_held(region r, size_t wanted, const char *file, int line) deletes {
  check_count(r, wanted, file, line);
}

#define CHECK(condition) ((condition) ? (void)0 : check_failed(#condition, __FILE__, __LINE__))
/* What holds only where regions are counted: COUNTED is defined there. */
#ifdef COUNTED
#define COUNTED_ONLY(condition) CHECK(condition)
#else
#define COUNTED_ONLY(condition) ((void)0)
#endif
#define CHECK_COUNT(r, wanted) check_count((r), (wanted), __FILE__, __LINE__)
#define CHECK_HELD(r, wanted) check_held((r), (wanted), __FILE__, __LINE__)

static inline void *identity_function(void *p) { return p; }
/* The argument, by a way the optimizer cannot follow.  Also makes a local variable's address leave
 * its function. */
static void *(*volatile opaque)(void *) = identity_function;

static inline node *new_node(region r) {
  node *n = ralloc(r, node);
  n->value = 42;
  return n;
}

/* Deletes r, which must succeed. */
static inline void delete_accepted(region r, const char *file, int line) deletes {
  if (acre_region_count(r))
    acre_region_report(r, 2, 10);
  if (!acre_region_delete(r, ACRE_HERE))
    check_failed("a region without references can be deleted", file, line);
}

/* Tries to delete r, which must be refused and leave the region alive. */
static inline void delete_refused(region r, const char *file, int line) deletes {
  acre_region_set_delete_policy(r, ACRE_DELETE_REFUSE);
  if (acre_region_delete(r, ACRE_HERE))
    check_failed("a region with references cannot be deleted", file, line);
  if (!acre_region_is_live(r))
    check_failed("a refused delete leaves the region alive", file, line);
}

#define DELETE_ACCEPTED(r) delete_accepted((r), __FILE__, __LINE__)
#define DELETE_REFUSED(r) delete_refused((r), __FILE__, __LINE__)

#endif
