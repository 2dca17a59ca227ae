// The names of openlog, the buffer of fmemopen, the arguments of getopt and the state of random()
// were not counted.
// RUN: %each_level -o %t %s
#define _GNU_SOURCE
#include "../Inputs/check.h"
#include <getopt.h>
#include <obstack.h>
#include <sys/mman.h>
#include <syslog.h>
#include <unistd.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

static struct obstack stack;

static void memory_moves(region r) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  node **low = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  low[1] = new_node(r);
  node **moved = mremap(low, 2 * page, 64 * page, MREMAP_MAYMOVE);
  CHECK(moved != MAP_FAILED && moved[1]->value == 42);
  CHECK_COUNT(r, 1);
  moved[1] = NULL;
  CHECK_COUNT(r, 0);
  munmap(moved, 64 * page);
  obstack_begin(&stack, 64);
  for (int i = 0; i < 100; i++)
    obstack_ptr_grow(&stack, new_node(r));
  CHECK_COUNT(r, 100);
  obstack_free(&stack, NULL);
}

int main(void) deletes {
  region r = newregion();
  openlog(rstrdup(r, "daemon"), 0, LOG_USER);
  CHECK_COUNT(r, 1);
  openlog("daemon", 0, LOG_USER);
  CHECK_COUNT(r, 0);
  FILE *file = fmemopen(rstralloc(r, 16), 16, "w");
  CHECK_COUNT(r, 1);
  fclose(file);
  CHECK_COUNT(r, 0);
  char *arguments[] = {"program", rstrdup(r, "-avalue"), rstrdup(r, "-b"), NULL};
  CHECK(getopt(3, arguments, "a:b") == 'a');
  CHECK_COUNT(r, 2);
  CHECK(getopt(3, arguments, "a:b") == 'b' && getopt(3, arguments, "a:b") == -1);
  CHECK_COUNT(r, 0);
  char *old = initstate(1, rstralloc(r, 64), 64);
  CHECK_COUNT(r, 1);
  setstate(old);
  CHECK_COUNT(r, 0);
  memory_moves(r);
}
