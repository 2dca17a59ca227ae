/* SPDX-License-Identifier: MIT */
/* The idioms of systemd and GLib: cleanup at the end of scope, TAKE_PTR, steal, autoptr. */
#include "corpus.h"

static inline void freep(void *p) { free(*(void **)p); }
#define _cleanup_free_ __attribute__((cleanup(freep)))

#define TAKE_PTR(ptr)          \
  ({                           \
    __typeof__(ptr) *_p = &(ptr); \
    __typeof__(ptr) _v = *_p;     \
    *_p = NULL;                \
    _v;                        \
  })

static inline void fclosep(FILE **f) {
  if (*f) fclose(*f);
}
#define _cleanup_fclose_ __attribute__((cleanup(fclosep)))

static inline void closep(int *fd) {
  if (*fd >= 0) close(*fd);
}
#define _cleanup_close_ __attribute__((cleanup(closep)))

struct unit {
  char *unique id;
  char *unique description;
  int state;
};

static void unit_free(struct unit *unique u) {
  if (!u) return;
  free(acre_take(&u->id));
  free(acre_take(&u->description));
  free(u);
}

static inline void unit_freep(struct unit *unique *u) { unit_free(acre_take(u)); }
#define _cleanup_unit_ __attribute__((cleanup(unit_freep)))

// right
int read_one_line(const char *path, char *unique *acre_out ret) {
  _cleanup_fclose_ FILE *f = fopen(path, "re");
  if (!f) return -errno;
  _cleanup_free_ char *unique line = NULL;
  size_t n = 0;
  if (getline(&line, &n, f) < 0) return -EIO;
  *ret = TAKE_PTR(line);
  return 0;
}

// wrong: the cleanup frees what the caller has got
int read_one_line_kept(const char *path, char *unique *acre_out ret) {
  _cleanup_fclose_ FILE *f = fopen(path, "re");
  if (!f) return -errno;
  _cleanup_free_ char *unique line = NULL;
  size_t n = 0;
  if (getline(&line, &n, f) < 0) return -EIO;
  *ret = line;
  return 0;
}

// leak: no cleanup, early return
int read_one_line_plain(FILE *f, char *unique *acre_out ret) {
  char *unique line = NULL;
  size_t n = 0;
  if (getline(&line, &n, f) < 0) return -EIO;
  *ret = line;
  return 0;
}

// right
int unit_new(const char *id, struct unit *unique *acre_out ret) {
  _cleanup_unit_ struct unit *unique u = calloc(1, sizeof *u);
  if (!u) return -ENOMEM;
  u->id = strdup(id);
  if (!u->id) return -ENOMEM;
  *ret = TAKE_PTR(u);
  return 0;
}

// wrong: returned and cleaned up
struct unit *unique unit_new_returned(const char *id) {
  _cleanup_unit_ struct unit *unique u = calloc(1, sizeof *u);
  if (!u) return NULL;
  u->id = strdup(id);
  return u;
}

// right
struct unit *unique unit_new_taken(const char *id) {
  _cleanup_unit_ struct unit *unique u = calloc(1, sizeof *u);
  if (!u) return NULL;
  u->id = strdup(id);
  if (!u->id) return NULL;
  return TAKE_PTR(u);
}

// wrong: freed by hand and by the cleanup
void unit_log(const char *id) {
  _cleanup_unit_ struct unit *unique u = unit_new_taken(id);
  if (!u) return;
  look(u->id);
  unit_free(u);
}

// right
void unit_log_taken(const char *id) {
  _cleanup_unit_ struct unit *unique u = unit_new_taken(id);
  if (!u) return;
  look(u->id);
  unit_free(TAKE_PTR(u));
}

// right
int unit_set_description(struct unit *borrowed u, const char *text) {
  _cleanup_free_ char *unique copy = NULL;
  if (text) {
    copy = strdup(text);
    if (!copy) return -ENOMEM;
  }
  free(acre_swap(&u->description, TAKE_PTR(copy)));
  return 0;
}

// wrong: the cleanup frees the new description
int unit_set_description_freed(struct unit *borrowed u, const char *text) {
  _cleanup_free_ char *unique copy = strdup(text);
  if (!copy) return -ENOMEM;
  free(acre_swap(&u->description, copy));
  return 0;
}

// leak: the old description
int unit_set_description_loses(struct unit *borrowed u, const char *text) {
  _cleanup_free_ char *unique copy = strdup(text);
  if (!copy) return -ENOMEM;
  u->description = TAKE_PTR(copy);
  return 0;
}

// right
int free_and_strdup(char *unique *borrowed p, const char *s) {
  _cleanup_free_ char *unique t = NULL;
  if (s) {
    t = strdup(s);
    if (!t) return -ENOMEM;
  }
  free(acre_swap(p, TAKE_PTR(t)));
  return 0;
}

// right
int path_join_check(const char *a, const char *b) {
  _cleanup_free_ char *unique path = NULL;
  if (asprintf(&path, "%s/%s", a, b) < 0) return -ENOMEM;
  return access(path, F_OK) < 0 ? -errno : 0;
}

// right
int for_each_line(const char *path) {
  _cleanup_fclose_ FILE *f = fopen(path, "re");
  if (!f) return -errno;
  for (;;) {
    _cleanup_free_ char *unique line = NULL;
    size_t n = 0;
    if (getline(&line, &n, f) < 0) break;
    if (*line == '#') continue;
    look(line);
  }
  return 0;
}

// wrong: a line is kept after the turn of the loop
int last_line(FILE *f) {
  const char *last = "";
  for (;;) {
    _cleanup_free_ char *unique line = NULL;
    size_t n = 0;
    if (getline(&line, &n, f) < 0) break;
    last = line;
  }
  return *last;
}

// right
int two_units(const char *a, const char *b) {
  _cleanup_unit_ struct unit *unique first = NULL, *unique second = NULL;
  int r = unit_new(a, &first);
  if (r < 0) return r;
  r = unit_new(b, &second);
  if (r < 0) return r;
  return strcmp(first->id, second->id);
}

// leak: the first unit when the second fails
int two_units_plain(const char *a, const char *b) {
  struct unit *unique first = NULL, *unique second = NULL;
  int r = unit_new(a, &first);
  if (r < 0) return r;
  r = unit_new(b, &second);
  if (r < 0) return r;
  r = strcmp(first->id, second->id);
  unit_free(first);
  unit_free(second);
  return r;
}

// right
int two_units_careful(const char *a, const char *b) {
  struct unit *unique first = NULL, *unique second = NULL;
  int r = unit_new(a, &first);
  if (r < 0) return r;
  r = unit_new(b, &second);
  if (r < 0) {
    unit_free(first);
    return r;
  }
  r = strcmp(first->id, second->id);
  unit_free(first);
  unit_free(second);
  return r;
}

#define g_autofree __attribute__((cleanup(freep)))
#define g_steal_pointer(pp) acre_take(pp)

// right
char *unique build_greeting(const char *name) {
  g_autofree char *unique text = NULL;
  if (asprintf(&text, "hello %s", name) < 0) {
    text = NULL;
    return NULL;
  }
  return g_steal_pointer(&text);
}

// wrong: autofree and returned
char *unique build_greeting_freed(const char *name) {
  g_autofree char *unique text = strdup(name);
  return text;
}

// right
char *unique build_greeting_upper(const char *name) {
  g_autofree char *unique text = strdup(name);
  if (!text) return NULL;
  for (char *c = text; *c; c++) *c = toupper((unsigned char)*c);
  if (*text == '\0') return NULL;
  return g_steal_pointer(&text);
}

// wrong: used after it was stolen
char *unique stolen_used(const char *name) {
  g_autofree char *unique text = strdup(name);
  if (!text) return NULL;
  char *unique result = g_steal_pointer(&text);
  result[0] = text[0];
  return result;
}

// leak: what was stolen
void stolen_lost(const char *name) {
  g_autofree char *unique text = strdup(name);
  if (!text) return;
  char *unique mine = g_steal_pointer(&text);
  look(mine);
}

// right
int overwrite_in_loop(char *borrowed *borrowed names, size_t n) {
  _cleanup_free_ char *unique longest = NULL;
  for (size_t i = 0; i < n; i++) {
    if (longest && strlen(longest) >= strlen(names[i])) continue;
    free(longest);
    longest = strdup(names[i]);
    if (!longest) return -ENOMEM;
  }
  if (longest) look(longest);
  return 0;
}

// leak: the shorter name
int overwrite_in_loop_loses(char *borrowed *borrowed names, size_t n) {
  _cleanup_free_ char *unique longest = NULL;
  for (size_t i = 0; i < n; i++) {
    longest = strdup(names[i]);
    if (!longest) return -ENOMEM;
  }
  return 0;
}

struct context {
  char *unique path;
  struct unit *unique unit;
};

static void context_done(struct context *c) {
  free(acre_take(&c->path));
  unit_free(acre_take(&c->unit));
}

// right
int with_context(const char *path) {
  __attribute__((cleanup(context_done))) struct context c = {0};
  c.path = strdup(path);
  if (!c.path) return -ENOMEM;
  int r = unit_new("a.service", &c.unit);
  if (r < 0) return r;
  return c.unit->state;
}

// leak: no cleanup of the context
int with_context_loses(const char *path) {
  struct context c = {0};
  c.path = strdup(path);
  if (!c.path) return -ENOMEM;
  int r = unit_new("a.service", &c.unit);
  if (r < 0) return r;
  context_done(&c);
  return 0;
}

// wrong: context that was never set is cleaned up
int with_context_unset(const char *path) {
  struct context c;
  if (access(path, R_OK) < 0) {
    free(acre_take(&c.path));
    return -errno;
  }
  return 0;
}

// right
int load_into(struct context *borrowed c, const char *path) {
  _cleanup_free_ char *unique p = strdup(path);
  _cleanup_unit_ struct unit *unique u = NULL;
  if (!p) return -ENOMEM;
  int r = unit_new(path, &u);
  if (r < 0) return r;
  free(acre_swap(&c->path, acre_take(&p)));
  unit_free(acre_swap(&c->unit, acre_take(&u)));
  return 0;
}

// wrong: p may be null and in the context, but is printed
int load_into_printed(struct context *borrowed c, const char *path) {
  _cleanup_free_ char *unique p = strdup(path);
  if (!p) return -ENOMEM;
  const char *shown = p;
  free(acre_swap(&c->path, acre_take(&p)));
  puts(shown);
  return 0;
}

// right
int fd_and_buffer(const char *path, char *unique *acre_out ret) {
  _cleanup_close_ int fd = open(path, O_RDONLY);
  if (fd < 0) return -errno;
  struct stat st;
  if (fstat(fd, &st) < 0) return -errno;
  _cleanup_free_ char *unique buf = malloc((size_t)st.st_size + 1);
  if (!buf) return -ENOMEM;
  ssize_t n = read(fd, buf, (size_t)st.st_size);
  if (n < 0) return -errno;
  buf[n] = '\0';
  *ret = TAKE_PTR(buf);
  return 0;
}

// right
const char *borrowed unit_description(const struct unit *borrowed u) {
  return u->description ? u->description : u->id;
}

// wrong: returns what its cleanup frees
const char *borrowed unit_description_made(const struct unit *borrowed u) {
  _cleanup_free_ char *unique text = strdup(u->id);
  return text;
}

// right
int conditional_take(bool keep, char *unique *acre_out ret) {
  _cleanup_free_ char *unique p = make();
  if (!p) return -ENOMEM;
  *ret = keep ? TAKE_PTR(p) : NULL;
  return 0;
}

// leak: what the out parameter was given before
int out_set_twice(char *unique *acre_out ret) {
  *ret = make();
  *ret = make();
  return 0;
}
