/* SPDX-License-Identifier: MIT */
/* mappings.c - see mappings.h.
 *
 * maps says what is mapped, pagemap which of its pages exist.  Without pagemap, pages that are not
 * in memory do not exist if the process has nothing swapped.  Nothing here may call malloc, or take
 * a lock that a stopped thread may hold.
 */
#define _GNU_SOURCE
#include "gc/linux/mappings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "platform/kernel.h"
#include "platform/os.h"
#include "platform/procfs.h"

/* A line of maps: a path of 4096 bytes, and what stands before it. */
#define LINE_BYTES (4096 + 256)
/* Pages asked for at once. */
#define BATCH 512
/* Bits of a word of pagemap. */
#define PAGE_IN_MEMORY (UINT64_C(1) << 63)
#define PAGE_SWAPPED (UINT64_C(1) << 62)
#define PAGE_OF_FILE (UINT64_C(1) << 61)
#define PAGE_GUARD (UINT64_C(1) << 58) /* madvise made it unreadable; looks swapped otherwise */

typedef struct line {
  acre_gc_mapping mapping;
  bool is_readable, is_writable, is_shared;
} line;

typedef struct walk {
  acre_gc_mapping_visit *visit;
  void *context;
  int pagemap;
  bool has_swapped;
  size_t page_size;
} walk;

/* From the kernel's interface, which is newer than the headers of most systems. */
typedef struct query {
  uint64_t size, flags, address, start, end, permissions, page_size, offset, inode;
  uint32_t device_major, device_minor, name_size, build_id_size;
  uint64_t name, build_id;
} query;
#define QUERY_READABLE 1
#define QUERY_WRITABLE 2
#define QUERY_SHARED 8
#define QUERY_THIS_OR_NEXT 16
#define PROCMAP_IOCTL_QUERY _IOWR('f', 17, query)

/* -- Lines ------------------------------------------------------------------------------------- */

static uintptr_t parse_hex(const char **at) {
  uintptr_t value = 0;
  for (;; ++*at) {
    char c = **at;
    unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                            : 16;
    if (digit == 16)
      return value;
    value = value * 16 + digit;
  }
}

static const char *skip_word(const char *at) {
  while (*at && *at != ' ')
    at++;
  while (*at == ' ')
    at++;
  return at;
}

/* [heap], [stack] and names that the program gave are anonymous too; what the kernel shows of
   itself is never written.  Files that are memory, and the queues of io_uring, are not known to lie
   on any disk: programs keep pointers there as elsewhere. */
static bool is_anonymous(const char *path) {
  static const char *const of_memory[] = {"/dev/zero", "/memfd:", "/dev/shm/", "/SYSV",
                                          "anon_inode:[io_uring]"};
  bool is_memory = *path == 0 || (*path == '[' && path[1] != 'v');
  for (size_t i = 0; i < sizeof of_memory / sizeof *of_memory && !is_memory; i++)
    is_memory = strncmp(path, of_memory[i], strlen(of_memory[i])) == 0;
  return is_memory;
}

/* start-end rwxp offset device inode path */
static bool parse(const char *text, line *l) {
  l->mapping.start = parse_hex(&text);
  if (*text++ != '-')
    return false;
  l->mapping.end = parse_hex(&text);
  if (*text++ != ' ' || strlen(text) < 4)
    return false;
  l->is_readable = text[0] == 'r';
  l->is_writable = text[1] == 'w';
  l->is_shared = text[3] == 's';
  const char *path = skip_word(skip_word(skip_word(skip_word(text))));
  l->mapping.is_anonymous = is_anonymous(path);
  return true;
}

static void visit_line(const walk *w, const char *text) {
  line l = {
      .mapping = {.pagemap = w->pagemap, .has_swapped = w->has_swapped, .page_size = w->page_size}};
  if (!parse(text, &l) || !l.is_readable)
    return;
  /* Anonymous memory may have been written before it was protected. */
  if (l.mapping.is_anonymous || (l.is_writable && !l.is_shared))
    w->visit(&l.mapping, w->context);
}

/* -- Pages ------------------------------------------------------------------------------------- */

static bool page_may_hold(const acre_gc_mapping *m, uint64_t word) {
  bool is_of_file = !m->is_anonymous && (word & PAGE_OF_FILE) != 0;
  return (word & (PAGE_IN_MEMORY | PAGE_SWAPPED)) != 0 && (word & PAGE_GUARD) == 0 && !is_of_file;
}

/* Without pagemap: what of it is known, in the same words.  What cannot be read lies behind the end
 * of a file, or guards a stack. */
static void find_pages(const acre_gc_mapping *m, uintptr_t at, size_t count, uint64_t *words) {
  unsigned char residents[BATCH];
  bool is_known = !m->has_swapped && mincore((void *)at, count * m->page_size, residents) == 0;
  for (size_t i = 0; i < count; i++) {
    char byte;
    bool may_be = !is_known || (residents[i] & 1);
    words[i] = may_be && acre_os_read((const void *)(at + i * m->page_size), &byte, sizeof byte)
                   ? PAGE_IN_MEMORY
                   : 0;
  }
}

void acre_gc_mapping_pages(const acre_gc_mapping *m, uintptr_t start, uintptr_t end,
                           acre_gc_range_visit *visit, void *context) {
  uint64_t words[BATCH];
  uintptr_t from = start,
            at = start &
                 ~(m->page_size - 1); /* [from, at) is to be visited, where it is not empty */
  while (at < end) {
    size_t left = (end - at + m->page_size - 1) / m->page_size, count = left < BATCH ? left : BATCH;
    ssize_t bytes = (ssize_t)(count * sizeof *words);
    if (m->pagemap < 0 || pread(m->pagemap, words, (size_t)bytes,
                                (off_t)(at / m->page_size * sizeof *words)) != bytes)
      find_pages(m, at, count, words);
    for (size_t i = 0; i < count; i++, at += m->page_size) {
      if (page_may_hold(m, words[i]))
        continue;
      if (from < at)
        visit(from, at, context);
      from = at + m->page_size;
    }
  }
  if (from < end)
    visit(from, end, context);
}

/* -- One --------------------------------------------------------------------------------------- */

/* A name that is longer than this is that of a file on a disk: those of files that are memory have
 * up to 255 bytes. */
#define NAME_BYTES 320

static bool has_anonymous_name(int maps, const query *found) {
  char name[NAME_BYTES];
  query q = {
      .size = sizeof q, .address = found->start, .name_size = sizeof name, .name = (uintptr_t)name};
  return ioctl(maps, PROCMAP_IOCTL_QUERY, &q) == 0 && (q.name_size == 0 || is_anonymous(name));
}

static acre_gc_mapping_kind next(int maps, uintptr_t address, uint64_t flags, acre_gc_mapping *m) {
  query q = {.size = sizeof q, .flags = flags | QUERY_THIS_OR_NEXT, .address = address};
  if (ioctl(maps, PROCMAP_IOCTL_QUERY, &q) != 0)
    return MAPPING_NONE;
  *m = (acre_gc_mapping){
      .start = q.start, .end = q.end, .pagemap = m->pagemap, .page_size = m->page_size};
  if (!(q.permissions & QUERY_READABLE))
    return MAPPING_HIDDEN;
  bool is_shared = q.permissions & QUERY_SHARED, is_writable = q.permissions & QUERY_WRITABLE;
  /* The name takes as long as all the rest.  Of files on a disk it is not that of /dev/zero. */
  bool is_on_disk = q.inode != 0 && q.device_major != 0;
  m->is_anonymous =
      is_shared || !is_writable ? !is_on_disk && has_anonymous_name(maps, &q) : q.inode == 0;
  if (is_shared)
    return m->is_anonymous ? MAPPING_SHARED : MAPPING_SKIPPED;
  return m->is_anonymous || is_writable ? MAPPING_PRIVATE : MAPPING_SKIPPED;
}

acre_gc_mapping_kind acre_gc_mapping_next(int maps, uintptr_t address, acre_gc_mapping *m) {
  return next(maps, address, 0, m);
}

acre_gc_mapping_kind acre_gc_mapping_next_readable(int maps, uintptr_t address,
                                                   acre_gc_mapping *m) {
  return next(maps, address, QUERY_READABLE, m);
}

bool acre_gc_mapping_next_works(int maps) {
  query q = {.size = sizeof q, .address = (uintptr_t)&q};
  return ioctl(maps, PROCMAP_IOCTL_QUERY, &q) == 0;
}

/* -- All --------------------------------------------------------------------------------------- */

static bool visit_file(const walk *w, int maps) {
  char text[LINE_BYTES];
  size_t used = 0;
  for (off_t at = 0;;) {
    ssize_t got = pread(maps, text + used, sizeof text - 1 - used, at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got == 0 && used == 0;
    at += got;
    used += (size_t)got;
    text[used] = 0;
    char *next = text;
    for (char *end; (end = strchr(next, '\n')) != NULL; next = end + 1) {
      *end = 0;
      visit_line(w, next);
    }
    used -= (size_t)(next - text);
    if (used == sizeof text - 1)
      return false;
    memmove(text, next, used);
  }
}

/* Or not known. */
static bool has_swapped(void) {
  char text[ACRE_PROCFS_STATUS_BYTES];
  const char *swapped = acre_procfs_status("/proc/thread-self/status", "VmSwap:", text);
  return !swapped || strtoull(swapped, NULL, 10) != 0;
}

/* Reading a line takes the system several times as long as answering a question, because it writes
 * the path of the file. */
static bool visit_by_questions(const walk *w, int maps) {
  acre_gc_mapping m = {.pagemap = w->pagemap, .page_size = w->page_size};
  acre_gc_mapping_kind kind;
  for (uintptr_t at = 0; (kind = acre_gc_mapping_next_readable(maps, at, &m)) != MAPPING_NONE;
       at = m.end)
    if (kind == MAPPING_PRIVATE || kind == MAPPING_SHARED)
      w->visit(&m, w->context);
  return acre_gc_mapping_next_works(maps);
}

static bool visit_all(const walk *w, int maps) {
  if (w->pagemap >= 0 && acre_gc_mapping_next_works(maps))
    return visit_by_questions(w, maps);
  return visit_file(w, maps);
}

bool acre_gc_mappings_each(acre_gc_mapping_visit *visit, void *context) {
  int saved_errno = errno, maps = acre_procfs_open(FILE_MAPS);
  walk w = {visit, context, acre_procfs_open(FILE_PAGEMAP), false, (size_t)sysconf(_SC_PAGESIZE)};
  w.has_swapped = w.pagemap < 0 && has_swapped();
  bool is_done = maps >= 0 && visit_all(&w, maps);
  /* The system swaps while the world is stopped. */
  if (is_done && w.pagemap < 0 && !w.has_swapped && has_swapped()) {
    w.has_swapped = true;
    is_done = visit_file(&w, maps);
  }
  acre_procfs_close(FILE_PAGEMAP, w.pagemap);
  acre_procfs_close(FILE_MAPS, maps);
  errno = saved_errno;
  return is_done;
}
