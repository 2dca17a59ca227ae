/* SPDX-License-Identifier: MIT */
/* code.c - see code.h. */
#define _GNU_SOURCE
#include "platform/code.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "platform/check.h"
#include "platform/kernel.h"
#include "platform/os.h"
#include "platform/sanitizer.h"
#include "platform/thread.h"

/* How far a jump of 32 bits reaches, and how far apart the places are that are tried. */
#define REACH ((uintptr_t)1 << 31)
#define PLACE_STEP ((uintptr_t)1 << 24)

static uintptr_t page_bytes(void) { return (uintptr_t)sysconf(_SC_PAGESIZE); }
static uintptr_t round_up(uintptr_t address) {
  return (address + page_bytes() - 1) & -page_bytes();
}

static void *map(uintptr_t wish, size_t size) {
  void *got = mmap((void *)wish, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return got == MAP_FAILED ? NULL : got;
}

static bool reaches(uintptr_t low, uintptr_t high, uintptr_t start, size_t size) {
  uintptr_t first = low < start ? low : start, last = high > start + size ? high : start + size;
  return last - first < REACH;
}

/* The kernel takes the wish if nothing is there. */
void *acre_code_near(uintptr_t low, uintptr_t high, size_t size) {
  ACRE_ASSERT(low < high);
  if (!acre_os_request())
    return NULL;
  for (uintptr_t distance = 0; distance < REACH; distance += PLACE_STEP) {
    const uintptr_t below = (low & -page_bytes()) - round_up(size) - distance,
                    above = round_up(high) + distance;
    const uintptr_t wishes[] = {below < low ? below : above, above};
    for (int i = 0; i < 2; i++) {
      void *got = map(wishes[i], size);
      if (got && reaches(low, high, (uintptr_t)got, size))
        return got;
      if (got)
        munmap(got, size);
    }
  }
  return NULL;
}

bool acre_code_seal(void *code, size_t size) {
  return mprotect(code, size, PROT_READ | PROT_EXEC) == 0;
}

void acre_code_free(void *code, size_t size) { munmap(code, size); }

/* A changed copy takes the place of all pages in one system call. */
static bool replace(uintptr_t low, size_t size, acre_code_writer *write, void *context) {
  unsigned char *copy = acre_os_request() ? map(0, size) : NULL;
  if (!copy)
    return false;
  memcpy(copy, (const void *)low, size);
  write(low, copy, context);
  if (acre_code_seal(copy, size) &&
      mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)low) != MAP_FAILED)
    return true;
  munmap(copy, size);
  return false;
}

/* In place the pages stay those of the file, which profilers know by its name.  They may hold this
 * function too, so they stay executable; and no signal handler may run what is half written. */
static bool change_in_place(uintptr_t start, size_t size, acre_code_writer *write, void *context) {
  if (mprotect((void *)start, size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return false;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  write(start, (unsigned char *)start, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  mprotect((void *)start, size, PROT_READ | PROT_EXEC);
  return true;
}

bool acre_code_change(uintptr_t low, uintptr_t high, acre_code_writer *write, void *context) {
  ACRE_ASSERT(low < high);
  const uintptr_t start = low & -page_bytes();
  const size_t size = round_up(high) - start;
  const bool is_done = (acre_thread_is_alone() && change_in_place(start, size, write, context)) ||
                       replace(start, size, write, context);
  VALGRIND_DISCARD_TRANSLATIONS(start, size);
  return is_done;
}
