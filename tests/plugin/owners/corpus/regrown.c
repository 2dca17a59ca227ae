/* SPDX-License-Identifier: MIT */
/* What is left of realloc, chosen by a test; slots that a callee may have emptied. */
#include "corpus.h"

struct text {
  char *unique bytes;
  size_t size, room;
};
struct pair {
  char *unique first;
  char *unique second;
};

// right
static char *unique read_all(int fd) {
  char *unique bytes = malloc(64);
  size_t size = 0, room = 64;
  for (ssize_t got; bytes && (got = read(fd, bytes + size, room - size)) > 0;) {
    size += (size_t)got;
    if (size < room) continue;
    char *unique more = realloc(bytes, 2 * room);
    if (!more) {
      free(bytes);
      return NULL;
    }
    bytes = more;
    room *= 2;
  }
  char *unique fitting = bytes ? realloc(bytes, size + 1) : NULL;
  return fitting ? fitting : bytes;
}

// right
static char *unique grown(char *unique old, size_t size) {
  char *more = realloc(old, size);
  return more ? (char *unique)more : old;
}

// right
static char *unique grown_kept(char *unique old, size_t size) {
  char *unique more = realloc(old, size);
  const bool failed = !more;
  char *unique both = more ? more : old;
  if (failed) note(1);
  return both;
}

// right
static char *unique grown_if(char *unique old, size_t size) {
  char *unique more = realloc(old, size), *unique kept;
  if (more)
    kept = more;
  else
    kept = old;
  return kept;
}

// right
static char *unique grown_twice(char *unique old, size_t size) {
  char *unique more = realloc(old, 2 * size);
  if (!more) more = realloc(old, size);
  return more ? more : old;
}

// right
static char *unique grown_tested(char *unique old, size_t size, bool *borrowed failed) {
  char *unique more = realloc(old, size);
  if (!more) *failed = true;
  if (more) memset(more, 0, size);
  char *unique x = more ? more : old;
  return x;
}

// right
static char *unique grown_not(char *unique old, size_t size) {
  char *unique more = realloc(old, size);
  return !more ? old : more;
}

// right
static char *unique grown_elvis(char *unique old, size_t size) {
  char *unique more = realloc(old, size);
  return more ?: old;
}

// right
static char *unique grown_compared(char *unique old, size_t size) {
  char *unique more = realloc(old, size);
  return more == NULL ? old : more;
}

// right
static char *unique grown_in_loop(int fd) {
  char *unique bytes = NULL;
  for (size_t room = 64; room < 4096; room *= 2) {
    char *unique more = realloc(bytes, room);
    const bool failed = !more;
    bytes = more ? more : bytes;
    if (failed || read(fd, bytes + room / 2, room / 2) <= 0) break;
  }
  return bytes;
}

// right
static void text_fit(struct text *borrowed t) {
  char *unique old = acre_take(&t->bytes);
  char *unique fitting = realloc(old, t->size + 1);
  if (fitting) t->room = t->size + 1;
  t->bytes = fitting ? fitting : old;
}

// right
static bool text_grow(struct text *borrowed t, size_t room) {
  char *unique old = acre_take(&t->bytes), *unique more = realloc(old, room);
  const bool done = more != NULL;
  t->bytes = done ? more : old;
  if (done) t->room = room;
  return done;
}

static char *unique either(char *unique one, char *unique other) {
  if (one) {
    free(other);
    return one;
  }
  return other;
}

// right
static char *unique pick(const char *name, const char *otherwise) {
  char *unique a = strdup(name), *unique b = strdup(otherwise);
  return either(a, b);
}

// wrong: the old block is used where it was moved
static char *unique grown_wrong(char *unique old, size_t size) {
  char *unique more = realloc(old, size);
  return more ? old : more;
}

// wrong: freed where realloc has moved it
static char *unique grown_freed(char *unique old, size_t size) {
  char *unique more = realloc(old, size);
  char *unique x = more ? more : old;
  free(old);
  return x;
}

// leak: the old block, where there is no more
static char *unique grown_lost(char *unique old, size_t size) {
  char *unique more = realloc(old, size);
  return more ? more : NULL;
}

// wrong: both may be freed
static void grown_both(char *unique old, size_t size) {
  char *unique more = realloc(old, size);
  char *unique x = more ? more : old;
  free(x);
  free(more);
}

static bool give_first(struct pair *borrowed p, bool wanted) {
  if (!wanted || !p->first) return false;
  free(acre_take(&p->first));
  return true;
}
static char *unique take_first(struct pair *borrowed p) { return acre_take(&p->first); }
static void take_if(struct pair *borrowed p, int number) {
  if (number > 3) sink(acre_take(&p->first));
}

// right
static void set_after_all(struct pair *borrowed p, const char *name) {
  free(take_first(p));
  p->first = strdup(name);
}

// right
static void set_where_given(struct pair *borrowed p, const char *name) {
  if (give_first(p, *name != '\0')) p->first = strdup(name);
}

// leak: the first, where it was not taken
static void set_over(struct pair *borrowed p, int number, const char *name) {
  take_if(p, number);
  p->first = strdup(name);
}

// leak: the first, where the number is small
static void set_in_place(struct pair *borrowed p, int number, const char *name) {
  if (number > 3) sink(acre_take(&p->first));
  p->first = strdup(name);
}

// leak: the second, which was not taken
static void set_second(struct pair *borrowed p, const char *name) {
  free(take_first(p));
  p->second = strdup(name);
}

// leak: the first, where it was not wanted
static void set_anyhow(struct pair *borrowed p, bool wanted, const char *name) {
  bool given = give_first(p, wanted);
  if (given) note(1);
  p->first = strdup(name);
}

// right
static void set_where_known(struct pair *borrowed p, bool wanted, const char *name) {
  bool given = give_first(p, wanted);
  if (given) p->first = strdup(name);
}

// right
static void set_swapped(struct pair *borrowed p, int number, const char *name) {
  take_if(p, number);
  free(acre_swap(&p->first, strdup(name)));
}

// right
static void set_where_empty(struct pair *borrowed p, int number, const char *name) {
  take_if(p, number);
  if (!p->first) p->first = strdup(name);
}
