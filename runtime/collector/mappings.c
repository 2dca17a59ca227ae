/* mappings.c - see mappings.h.
 *
 * /proc/self/maps says what is mapped, /proc/self/pagemap which of its pages exist.  Where there is no pagemap, every page
 * of a mapping is taken to exist.  Nothing here may call malloc, or take a lock that a stopped thread may hold.
 */
#define _GNU_SOURCE
#include "mappings.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A line of maps: a path of 4096 bytes, and what stands before it. */
#define LINE_BYTES (4096 + 256)
/* Pages asked for at once. */
#define BATCH 512
/* Bits of a word of pagemap. */
#define PAGE_IN_MEMORY (UINT64_C(1) << 63)
#define PAGE_SWAPPED (UINT64_C(1) << 62)
#define PAGE_OF_FILE (UINT64_C(1) << 61)

typedef struct mapping {
  uintptr_t start, end;
  bool is_readable, is_writable, is_shared, is_anonymous;
} mapping;

typedef struct walk {
  acre_gc_mapping_visit *visit;
  void *context;
  int pagemap; /* -1: none */
  size_t page;
} walk;

/* -- Lines ------------------------------------------------------------------------------------------------ */

static uintptr_t parse_hex(const char **at) {
  uintptr_t value = 0;
  for (;; ++*at) {
    char c = **at;
    unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
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

/* start-end rwxp offset device inode path */
static bool parse(const char *line, mapping *m) {
  m->start = parse_hex(&line);
  if (*line++ != '-')
    return false;
  m->end = parse_hex(&line);
  if (*line++ != ' ' || strlen(line) < 4)
    return false;
  m->is_readable = line[0] == 'r';
  m->is_writable = line[1] == 'w';
  m->is_shared = line[3] == 's';
  const char *path = skip_word(skip_word(skip_word(skip_word(line))));
  /* [heap], [stack] and names that the program gave are anonymous too; what the kernel shows of itself is never written. */
  bool is_kernel = strncmp(path, "[v", 2) == 0;
  m->is_anonymous = !is_kernel && (*path == 0 || *path == '[' || strncmp(path, "/dev/zero", 9) == 0);
  return true;
}

/* -- Pages ------------------------------------------------------------------------------------------------ */

static bool page_may_hold(const mapping *m, uint64_t word) {
  bool is_of_file = !m->is_anonymous && (word & PAGE_OF_FILE) != 0;
  return (word & (PAGE_IN_MEMORY | PAGE_SWAPPED)) != 0 && !is_of_file;
}

static void visit_pages(const walk *w, const mapping *m) {
  uint64_t words[BATCH];
  uintptr_t run = 0; /* where the pages begin that have not been visited; 0: none */
  for (uintptr_t at = m->start; at < m->end;) {
    size_t left = (m->end - at) / w->page, count = left < BATCH ? left : BATCH;
    ssize_t size = w->pagemap < 0 ? -1 : pread(w->pagemap, words, count * sizeof *words, (off_t)(at / w->page * sizeof *words));
    bool is_known = size == (ssize_t)(count * sizeof *words);
    for (size_t i = 0; i < count; i++, at += w->page) {
      bool is_wanted = !is_known || page_may_hold(m, words[i]);
      if (is_wanted && !run)
        run = at;
      if (!is_wanted && run) {
        w->visit(run, at, w->context);
        run = 0;
      }
    }
  }
  if (run)
    w->visit(run, m->end, w->context);
}

static void visit_line(const walk *w, const char *line) {
  mapping m;
  if (!parse(line, &m) || !m.is_readable)
    return;
  /* Anonymous memory may have been written before it was protected. */
  if (m.is_anonymous || (m.is_writable && !m.is_shared))
    visit_pages(w, &m);
}

/* -- All -------------------------------------------------------------------------------------------------- */

static bool visit_file(const walk *w, int maps) {
  char text[LINE_BYTES];
  size_t used = 0;
  for (;;) {
    ssize_t got = read(maps, text + used, sizeof text - 1 - used);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got == 0 && used == 0;
    used += (size_t)got;
    text[used] = 0;
    char *line = text;
    for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
      *end = 0;
      visit_line(w, line);
    }
    used -= (size_t)(line - text);
    if (used == sizeof text - 1)
      return false;
    memmove(text, line, used);
  }
}

bool acre_gc_mappings_each(acre_gc_mapping_visit *visit, void *context) {
  int saved_errno = errno;
  int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) {
    errno = saved_errno;
    return false;
  }
  walk w = {visit, context, open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), (size_t)sysconf(_SC_PAGESIZE)};
  bool is_done = visit_file(&w, maps);
  if (w.pagemap >= 0)
    close(w.pagemap);
  close(maps);
  errno = saved_errno;
  return is_done;
}
