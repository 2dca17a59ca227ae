// RUN: %acre-cc -O2 -g -facre-malloc=collected -pthread %s -o %t
// RUN: not --crash %t local 2>&1 | %whole %s --check-prefixes=LINE,STACK,ADVICE
// RUN: not --crash %t forged 2>&1 | %whole %s --check-prefixes=LINE,STACK,ADVICE
// RUN: not --crash %t alloca 2>&1 | %whole %s --check-prefixes=LINE,STACK,ADVICE
// RUN: not --crash %t global 2>&1 | %whole %s --check-prefixes=LINE,STATIC,ADVICE
// RUN: not --crash %t literal 2>&1 | %whole %s --check-prefixes=LINE,STATIC,ADVICE
// RUN: not --crash %t library 2>&1 | %whole %s --check-prefixes=LINE,STATIC,ADVICE
// RUN: not --crash %t inside 2>&1 | %whole %s --check-prefixes=LINE,INSIDE,ADVICE
// RUN: not --crash %t line 2>&1 | %whole %s --check-prefixes=LINE,NOBODY,ADVICE
// RUN: not --crash %t mapped 2>&1 | %whole %s --check-prefixes=LINE,NOBODY,ADVICE
// RUN: not --crash %t thread 2>&1 | %whole %s --check-prefixes=LINE,NOBODY,ADVICE
// RUN: not --crash %t number 2>&1 | %whole %s --check-prefixes=LINE,NOBODY,ADVICE
// RUN: not --crash %t region 2>&1 | %whole %s --check-prefixes=LINE,REGION
// RUN: not --crash %t realloc 2>&1 | %whole %s --check-prefixes=REALLOC,ADVICE
// RUN: not --crash %t size 2>&1 | %whole %s --check-prefixes=SIZE,ADVICE
// RUN: not --crash %t indirect 2>&1 | %whole %s --check-prefixes=INDIRECT,ADVICE
// LINE: acre: fatal: [[FILE]]:[[@LINE+30]]: in give_back: free: {{0x[0-9a-f]+}}
// STACK-SAME: is on the stack: a local variable, or memory of alloca;
// STATIC-SAME: is in the program or a library: a global or static variable, or a string literal;
// INSIDE-SAME: is not the start of an object in the collected heap, but at offset 8 of one of 100
// INSIDE-SAME: bytes;
// NOBODY-SAME: was not allocated by any malloc;
// REGION-SAME: is 40 bytes of pointer-free data in the region created at [[FILE]]:[[@LINE+89]],
// REGION-SAME: which only deleting the region frees
// REALLOC: acre: fatal: [[FILE]]:[[@LINE+89]]: in main: realloc: {{0x[0-9a-f]+}} is on the stack:
// REALLOC-SAME: a local variable, or memory of alloca;
// SIZE: acre: fatal: [[FILE]]:[[@LINE+89]]: in main: malloc_usable_size: {{0x[0-9a-f]+}} is on the
// SIZE-SAME: stack: a local variable, or memory of alloca;
// INDIRECT: acre: fatal: free: {{0x[0-9a-f]+}} is on the stack: a local variable, or memory of
// INDIRECT-SAME: alloca;
// ADVICE-SAME: pass only what malloc and its kin returned
// An address that no allocator gave was passed on to the C library, which gave the stack out as
// heap memory if the words there looked like a block.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <acre/region.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static char global[64];
static void *volatile address;

__attribute__((noinline)) static void give_back(void *p) { free(p); }

/* Words like those before a block of the C library, and before the next one. */
static void *forge(uint64_t *words) {
  words[1] = words[17] = 0x81;
  return words + 2;
}

static void *have_stack(void *unused) {
  uint64_t words[40] __attribute__((aligned(16))) = {0};
  address = forge(words);
  while (address)
    usleep(1000);
  return unused;
}

static void *another_stack(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, have_stack, NULL);
  while (!address)
    usleep(1000);
  return address;
}

static char *line_of_library(void) {
  char *line = NULL;
  size_t size = 0;
  FILE *file = fmemopen("a line that is read into memory", 31, "r");
  CHECK(getline(&line, &size, file) > 0);
  return line;
}

static void *mapped(void) {
  return mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(int count, char **arguments) {
  static const time_t now;
  uint64_t words[40] __attribute__((aligned(16))) = {0};
  void (*volatile indirect)(void *) = free;
  CHECK(count == 2);
  const char *what = arguments[1];
  if (strcmp(what, "local") == 0)
    give_back(words);
  else if (strcmp(what, "forged") == 0)
    give_back(forge(words));
  else if (strcmp(what, "alloca") == 0)
    give_back(__builtin_alloca(100));
  else if (strcmp(what, "global") == 0)
    give_back(global);
  else if (strcmp(what, "literal") == 0)
    give_back("literal");
  else if (strcmp(what, "library") == 0)
    give_back(gmtime(&now));
  else if (strcmp(what, "inside") == 0)
    give_back((char *)malloc(100) + 8);
  else if (strcmp(what, "line") == 0)
    give_back(line_of_library() + 16);
  else if (strcmp(what, "mapped") == 0)
    give_back(forge(mapped()));
  else if (strcmp(what, "thread") == 0)
    give_back(another_stack());
  else if (strcmp(what, "number") == 0)
    give_back((void *)0x1230);
  else if (strcmp(what, "region") == 0)
    give_back(rstralloc(newregion(), 40));
  else if (strcmp(what, "realloc") == 0)
    address = realloc(words, 1000);
  else if (strcmp(what, "size") == 0)
    return (int)malloc_usable_size(words);
  else if (strcmp(what, "indirect") == 0)
    indirect(words);
}
