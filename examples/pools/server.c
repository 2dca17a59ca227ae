/* SPDX-License-Identifier: MIT */
/* server.c - a global keeps a request whose pool has ended. */
#include "pools.h"

#include <stdio.h>

struct request {
  int number;
  char *name;
};
static struct request *last;

int main(void) {
  pool_t *connection = pool_new(NULL), *pool = pool_new(connection);
  struct request *r = pool_get(pool, sizeof *r);
  r->number = 1;
  r->name = pool_text(pool, "request %d", r->number);
  last = r;
  pool_free(pool);
  printf("%s\n", last->name);
  pool_free(connection);
  return 0;
}
