/* SPDX-License-Identifier: MIT */
/* malloc_block.c - see malloc_block.h.  A chunk is what glibc calls a block with its header:
 *
 *   word 0   belongs to the chunk before while that is in use
 *   word 1   the chunk's size, a multiple of 16, and in the low bits: the chunk before is in use
 *            (1), it has a mapping of its own (2), it is in the heap of a thread (4)
 *   word 2   what the program gets; it reaches to the end of the next chunk's word 0
 *
 * All memory is read by copies, which fail where nothing is mapped: other threads may change a heap
 * while it is walked.
 */
#define _GNU_SOURCE
#include "platform/malloc_block.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/kernel.h"
#include "platform/os.h"
#include "platform/procfs.h"

#if defined(__GLIBC__)
#pragma weak gnu_get_libc_version
const char *gnu_get_libc_version(void);

#define PAGE ((uintptr_t)4096)
#define THREAD_HEAP ((uintptr_t)1 << 26) /* its size and alignment: HEAP_MAX_SIZE */

enum {
  PREVIOUS_IN_USE = 1,
  IS_MAPPED = 2,
  IS_OF_THREAD = 4,
  FLAGS = 7,
  HEADER = 16,
  CHUNK_ALIGN = 16,
  WINDOW = 4096 /* bytes read at once */
};

/* -- What is mapped ---------------------------------------------------------------------------- */

struct mapping {
  uintptr_t start, end;
  bool is_heap; /* the one that brk has made */
};

static uintptr_t read_hex(const char **text) {
  uintptr_t value = 0;
  for (;; ++*text) {
    char c = **text;
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0)
      return value;
    value = value << 4 | (uintptr_t)digit;
  }
}

/* The file of mappings, read in large parts: a report may ask for each of many slots. */
struct lines {
  int file;
  size_t next, end; /* of the text that is not used yet */
  char text[4096];
};

static bool next_char(struct lines *lines, char *c) {
  if (lines->next == lines->end) {
    ssize_t count = read(lines->file, lines->text, sizeof lines->text);
    lines->next = 0;
    lines->end = count > 0 ? (size_t)count : 0;
  }
  if (lines->next == lines->end)
    return false;
  *c = lines->text[lines->next++];
  return true;
}

/* Reads one line, "START-END rest"; false at the end. */
static bool read_line(struct lines *lines, char *line, size_t size) {
  size_t used = 0;
  char c;
  while (next_char(lines, &c) && c != '\n')
    if (used + 1 < size)
      line[used++] = c;
  line[used] = 0;
  return used > 0;
}

static struct mapping find_mapping(uintptr_t address) {
  struct mapping found = {0, 0, false};
  char line[512];
  int maps = acre_procfs_open(FILE_MAPS);
  if (maps < 0)
    return found;
  lseek(maps, 0, SEEK_SET);
  struct lines lines = {.file = maps};
  while (!found.end && read_line(&lines, line, sizeof line)) {
    const char *text = line;
    uintptr_t start = read_hex(&text);
    text++;
    uintptr_t end = read_hex(&text);
    if (address - start < end - start)
      found = (struct mapping){start, end, strstr(text, "[heap]") != NULL};
  }
  acre_procfs_close(FILE_MAPS, maps);
  return found;
}

/* -- A walk ------------------------------------------------------------------------------------ */

/* Part of a heap that has been copied. */
struct window {
  uintptr_t start, end;
  uint64_t words[WINDOW / sizeof(uint64_t)];
};

/* The word at address, which is below limit; 0 if it cannot be read. */
static uint64_t word_at(struct window *window, uintptr_t address, uintptr_t limit) {
  if (address - window->start >= window->end - window->start) {
    uintptr_t start = address & ~(PAGE - 1), end = start + WINDOW < limit ? start + WINDOW : limit;
    window->start = window->end = 0;
    if (!acre_os_read((const void *)start, window->words, end - start))
      return 0;
    window->start = start;
    window->end = end;
  }
  return window->words[(address - window->start) / sizeof(uint64_t)];
}

/* Goes from chunk to chunk, from start to exactly end, where the heap ends; false if that cannot
   be: start is no chunk.  *found: the block of address, of size 0 if that is free.  flag: what each
   of them that is in use has of IS_OF_THREAD. */
static bool walk(struct window *window, uintptr_t start, uintptr_t end, unsigned flag,
                 uintptr_t address, struct acre_malloc_block *found) {
  uint64_t first = word_at(window, start + sizeof(uint64_t), end);
  found->size = 0;
  if (!(first & PREVIOUS_IN_USE)) /* nothing is before the first one */
    return false;
  uintptr_t hit = 0;
  size_t hit_size = 0;
  while (start < end) {
    uint64_t header = word_at(window, start + sizeof(uint64_t), end);
    size_t size = header & ~(uint64_t)FLAGS;
    bool is_last = size == end - start;     /* what is not given out yet */
    if (size == 0 && end - start == HEADER) /* closes a heap that could not grow */
      break;
    if (size < HEADER || size % CHUNK_ALIGN != 0 || size > end - start || header & IS_MAPPED ||
        (!flag && header & IS_OF_THREAD))
      return false;
    if (hit && hit + hit_size == start && !(header & PREVIOUS_IN_USE))
      hit = 0; /* the chunk of the address is free */
    if (address - (start + HEADER) < size - sizeof(uint64_t) && !is_last &&
        (header & IS_OF_THREAD) == flag) {
      hit = start;
      hit_size = size;
    }
    start += size;
  }
  if (hit)
    *found = (struct acre_malloc_block){hit + HEADER, hit_size - sizeof(uint64_t)};
  return true;
}

/* Where the first chunk begins is not said: thread-local memory of a static program, or what the
   arena keeps of itself, lies before it. */
static struct acre_malloc_block walk_heap(uintptr_t start, uintptr_t end, unsigned flag,
                                          uintptr_t address) {
  enum { MOST_BEFORE = 16 * 4096 };
  struct acre_malloc_block found = {0, 0};
  struct window window = {0, 0, {0}};
  uintptr_t last = start + MOST_BEFORE < address ? start + MOST_BEFORE : address;
  for (uintptr_t first = start; first < last; first += CHUNK_ALIGN)
    if (walk(&window, first, end, flag, address, &found))
      break;
  return found;
}

/* A large block has pages of its own, whose first words are its header. */
static struct acre_malloc_block search_pages(const struct mapping *in, uintptr_t address) {
  enum { MOST_PAGES = 65536 };
  uintptr_t page = address & ~(PAGE - 1);
  for (unsigned i = 0; i < MOST_PAGES && page >= in->start; i++, page -= PAGE) {
    uint64_t header[2];
    if (!acre_os_read((const void *)page, header, sizeof header))
      break;
    size_t size = header[1] & ~(uint64_t)FLAGS;
    /* Since glibc 2.43 it ends as others do, with word 0 of a next chunk, whose header ends the
       pages. */
    const bool has_next = (size + HEADER) % PAGE == 0;
    const size_t end = has_next ? size + HEADER : size,
                 usable = has_next ? size - sizeof header[0] : size - HEADER;
    if (header[0] == 0 && (header[1] & FLAGS) == IS_MAPPED && size != 0 && end % PAGE == 0 &&
        end <= in->end - page && address - (page + HEADER) < usable)
      return (struct acre_malloc_block){page + HEADER, usable};
  }
  return (struct acre_malloc_block){0, 0};
}

static struct acre_malloc_block search_thread_heap(uintptr_t address) {
  /* What a thread's heap begins with: its arena, the heap before, how many bytes are in use. */
  uintptr_t start = address & ~(THREAD_HEAP - 1);
  uint64_t info[3];
  if (!acre_os_read((const void *)start, info, sizeof info) || !info[0] || info[2] % PAGE != 0 ||
      info[2] > THREAD_HEAP || address - start >= info[2])
    return (struct acre_malloc_block){0, 0};
  return walk_heap(start + 2 * HEADER, start + info[2], IS_OF_THREAD, address);
}

static bool is_glibc(void) {
  if (!gnu_get_libc_version) /* a static program, which may have another: then no walk fits */
    return true;
  uintptr_t of_malloc = acre_os_library((const void *)(uintptr_t)malloc).start;
  uintptr_t of_libc = acre_os_library((const void *)(uintptr_t)gnu_get_libc_version).start;
  return of_malloc == of_libc;
}

struct acre_malloc_block acre_malloc_block_find(uintptr_t address) {
  int saved_errno = errno;
  struct acre_malloc_block found = {0, 0};
  struct mapping in = is_glibc() ? find_mapping(address) : (struct mapping){0, 0, false};
  if (in.is_heap) {
    found = walk_heap(in.start, in.end, 0, address);
  } else if (in.end) {
    found = search_thread_heap(address);
    if (!found.size)
      found = search_pages(&in, address);
  }
  errno = saved_errno;
  return found;
}

#else

struct acre_malloc_block acre_malloc_block_find(uintptr_t address) {
  (void)address;
  return (struct acre_malloc_block){0, 0};
}

#endif
