/* SPDX-License-Identifier: MIT */
/* Tables of plugins, options and symbols, written as nobody had tried them: right, wrong and
 * leaking. */
#include "corpus.h"

#include <dlfcn.h>
#include <glob.h>
#include <regex.h>

enum { BUCKETS = 16, MAX_OPTIONS = 8 };

typedef int entry_fn(void *borrowed state, const char *borrowed text);
struct plugin {
  struct plugin *unique next;
  char *unique name;
  void *unique library;
  void *unique state;
  entry_fn *entry;
  int (*stop)(void *unique state);
};
struct registry {
  struct plugin *unique first;
  unsigned count;
};
struct option {
  const char *name;
  bool wants;
  char *unique value;
};
struct options {
  struct option all[MAX_OPTIONS];
  char *unique *unique rest;
  size_t rest_count;
};
// right (known: which member of the union is in use nobody knows)
struct symbol {
  struct symbol *unique chain;
  char *unique name;
  int kind;
  union {
    long number;
    char *unique text;
    struct scope *unique inner;
  } is;
};
struct scope {
  struct symbol *unique buckets[BUCKETS];
  struct scope *unique outer;
  unsigned count;
};
void plugin_free(struct plugin *unique p);
void symbol_free(struct symbol *unique s);
void scope_free(struct scope *unique s);
size_t hash(const char *borrowed text);
int each(const struct registry *borrowed r, int (*call)(const struct plugin *borrowed, void *),
         void *);
static void freep(void *p) { free(*(void **)p); }
static void closep(FILE *unique *f) {
  if (*f) fclose(acre_take(f));
}
#define AUTO_FREE __attribute__((cleanup(freep)))
#define AUTO_CLOSE __attribute__((cleanup(closep)))

/* -- Plugins -- */

// right (known: a function of the library lies in what owns it)
struct plugin *unique plugin_load(const char *path) {
  void *unique library = dlopen(path, RTLD_NOW);
  if (!library) return NULL;
  entry_fn *entry = (entry_fn *)dlsym(library, "entry");
  struct plugin *unique p = entry ? calloc(1, sizeof *p) : NULL;
  if (!p) {
    dlclose(library);
    return NULL;
  }
  p->name = strdup(path);
  p->entry = entry;
  p->library = library;
  return p;
}

// leak: the library, where it has no entry
struct plugin *unique plugin_load_open(const char *path) {
  void *unique library = dlopen(path, RTLD_NOW);
  if (!library) return NULL;
  if (!dlsym(library, "entry")) return NULL;
  struct plugin *unique p = calloc(1, sizeof *p);
  if (!p) {
    dlclose(library);
    return NULL;
  }
  p->library = library;
  return p;
}

// right
void registry_add(struct registry *borrowed r, struct plugin *unique p) {
  p->next = acre_take(&r->first);
  r->first = p;
  r->count++;
}

// right
bool registry_load_all(struct registry *borrowed r, const char *pattern) {
  glob_t found;
  bool good = true;
  if (glob(pattern, 0, NULL, &found) != 0) return false;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    struct plugin *unique p = plugin_load(found.gl_pathv[i]);
    if (p)
      registry_add(r, p);
    else
      good = false;
  }
  globfree(&found);
  return good;
}

// leak: the paths, where one cannot be loaded
bool registry_load_each(struct registry *borrowed r, const char *pattern) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0) return false;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    struct plugin *unique p = plugin_load(found.gl_pathv[i]);
    if (!p) return false;
    registry_add(r, p);
  }
  globfree(&found);
  return true;
}

// wrong: the first path is told after all paths were freed
bool registry_load_first(struct registry *borrowed r, const char *pattern) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0) return false;
  struct plugin *unique p = plugin_load(found.gl_pathv[0]);
  const char *path = found.gl_pathv[0];
  globfree(&found);
  if (p) registry_add(r, p);
  return puts(path) >= 0;
}

// right
int registry_call(struct registry *borrowed r, const char *name, const char *text) {
  for (struct plugin *p = r->first; p; p = p->next)
    if (strcmp(p->name, name) == 0) return p->entry(p->state, text);
  return -1;
}

// right
void registry_unload(struct registry *borrowed r, const char *name) {
  struct plugin *unique *at = &r->first;
  while (*at) {
    if (strcmp((*at)->name, name) == 0) {
      struct plugin *unique p = acre_take(at);
      *at = acre_take(&p->next);
      if (p->stop) p->stop(acre_take(&p->state));
      if (p->library) dlclose(acre_take(&p->library));
      plugin_free(p);
      r->count--;
      return;
    }
    at = &(*at)->next;
  }
}

// wrong: the name is a part of the plugin that was freed
void registry_unload_told(struct registry *borrowed r) {
  struct plugin *unique p = acre_take(&r->first);
  if (!p) return;
  r->first = acre_take(&p->next);
  const char *name = p->name;
  plugin_free(p);
  printf("%s is gone\n", name);
}

// leak: the state of the plugin, where it has nothing to stop
void registry_stop(struct registry *borrowed r) {
  struct plugin *unique p = acre_take(&r->first);
  if (!p) return;
  r->first = acre_take(&p->next);
  void *unique state = acre_take(&p->state);
  if (p->stop) p->stop(state);
  plugin_free(p);
}

struct search {
  const char *name;
  const struct plugin *found;
};
static int is_named(const struct plugin *borrowed p, void *context) {
  struct search *s = context;
  return strcmp(p->name, s->name) == 0;
}
// right
bool registry_has(const struct registry *borrowed r, const char *name) {
  struct search s = {name, NULL};
  return each(r, is_named, &s) != 0;
}

// right
void registry_end(struct registry *borrowed r) {
  struct plugin *unique all = acre_take(&r->first);
  while (all) {
    struct plugin *unique next = acre_take(&all->next);
    plugin_free(all);
    all = next;
  }
  r->count = 0;
}

// leak: every other plugin
void registry_end_two(struct registry *borrowed r) {
  struct plugin *unique all = acre_take(&r->first);
  while (all) {
    struct plugin *unique next = acre_take(&all->next);
    plugin_free(all);
    all = next ? acre_take(&next->next) : NULL;
  }
}

/* -- Options -- */

// right
int options_parse(struct options *borrowed o, int count, char **arguments) {
  for (int i = 1; i < count; i++) {
    const char *word = arguments[i];
    if (strncmp(word, "--", 2) != 0) {
      char *unique copy = strdup(word);
      char *unique *unique more =
          copy ? realloc(o->rest, (o->rest_count + 1) * sizeof *more) : NULL;
      if (!more) {
        free(copy);
        return -1;
      }
      o->rest = more;
      memset(&o->rest[o->rest_count], 0, sizeof o->rest[0]);
      o->rest[o->rest_count++] = copy;
      continue;
    }
    for (int k = 0; k < MAX_OPTIONS && o->all[k].name; k++) {
      if (strcmp(word + 2, o->all[k].name) != 0) continue;
      if (o->all[k].wants && i + 1 < count)
        free(acre_swap(&o->all[k].value, strdup(arguments[++i])));
    }
  }
  return 0;
}

// leak: the value that was given before
int options_set(struct options *borrowed o, int k, const char *value) {
  char *unique copy = strdup(value);
  if (!copy) return -1;
  o->all[k].value = copy;
  return 0;
}

// right
const char *borrowed options_get(const struct options *borrowed o,
                                 const char *name __attribute__((noescape)),
                                 const char *otherwise) {
  for (int k = 0; k < MAX_OPTIONS && o->all[k].name; k++)
    if (strcmp(o->all[k].name, name) == 0 && o->all[k].value) return o->all[k].value;
  return otherwise;
}

// right
void options_end(struct options *borrowed o) {
  for (int k = 0; k < MAX_OPTIONS; k++) free(acre_take(&o->all[k].value));
  for (size_t i = 0; i < o->rest_count; i++) free(acre_take(&o->rest[i]));
  free(acre_take(&o->rest));
  o->rest_count = 0;
}

// wrong: the words are freed after the list of them
void options_end_list(struct options *borrowed o) {
  char *unique *unique rest = acre_take(&o->rest);
  if (!rest) return;
  size_t count = o->rest_count;
  free(rest);
  for (size_t i = 0; i < count; i++) free(acre_take(&rest[i]));
}

// right
char *unique option_expand(const char *value) {
  AUTO_FREE char *unique home = NULL;
  const char *set = getenv("HOME");
  if (*value != '~') return strdup(value);
  home = strdup(set ? set : "/");
  if (!home) return NULL;
  char *unique all = NULL;
  if (asprintf(&all, "%s%s", home, value + 1) < 0) return NULL;
  return all;
}

// wrong: the cleanup frees what is returned
char *unique option_home(void) {
  AUTO_FREE char *unique home = NULL;
  const char *set = getenv("HOME");
  home = strdup(set ? set : "/");
  return home;
}

// right
int options_read(struct options *borrowed o, const char *path) {
  AUTO_CLOSE FILE *unique in = fopen(path, "r");
  AUTO_FREE char *unique line = NULL;
  size_t room = 0;
  if (!in) return errno == ENOENT ? 0 : -1;
  while (getline(&line, &room, in) > 0) {
    char *equals = strchr(line, '=');
    if (!equals) return -1;
    *equals = 0;
    for (int k = 0; k < MAX_OPTIONS && o->all[k].name; k++)
      if (strcmp(line, o->all[k].name) == 0) free(acre_swap(&o->all[k].value, strdup(equals + 1)));
  }
  return 0;
}

// wrong: a stream that the cleanup closes once more
int options_read_close(const char *path) {
  AUTO_CLOSE FILE *unique in = fopen(path, "r");
  if (!in) return -1;
  int c = fgetc(in);
  fclose(in);
  return c;
}

// leak: the expression, where the text matches
bool option_matches(const char *pattern, const char *value) {
  regex_t e;
  if (regcomp(&e, pattern, REG_EXTENDED | REG_NOSUB) != 0) return false;
  if (regexec(&e, value, 0, NULL, 0) == 0) return true;
  regfree(&e);
  return false;
}

/* -- Symbols -- */

// right
struct symbol *borrowed scope_find(const struct scope *borrowed s,
                                   const char *name __attribute__((noescape))) {
  for (; s; s = s->outer)
    for (struct symbol *y = s->buckets[hash(name) % BUCKETS]; y; y = y->chain)
      if (strcmp(y->name, name) == 0) return y;
  return NULL;
}

// right
struct symbol *borrowed scope_define(struct scope *borrowed s,
                                     const char *name __attribute__((noescape))) {
  struct symbol *unique y = calloc(1, sizeof *y);
  if (!y) return NULL;
  y->name = strdup(name);
  if (!y->name) {
    free(y);
    return NULL;
  }
  struct symbol *unique *bucket = &s->buckets[hash(name) % BUCKETS];
  y->chain = acre_take(bucket);
  *bucket = y;
  s->count++;
  return *bucket;
}

// leak: the symbols with the same hash
void scope_define_only(struct scope *borrowed s, const char *name) {
  struct symbol *unique y = calloc(1, sizeof *y);
  if (!y) return;
  y->name = strdup(name);
  s->buckets[hash(name) % BUCKETS] = y;
}

// right
struct scope *unique scope_enter(struct scope *unique outer) {
  struct scope *unique s = calloc(1, sizeof *s);
  if (!s) {
    scope_free(outer);
    return NULL;
  }
  s->outer = outer;
  return s;
}

// right
struct scope *unique scope_leave(struct scope *unique s) {
  struct scope *unique outer = acre_take(&s->outer);
  for (int i = 0; i < BUCKETS; i++) {
    while (s->buckets[i]) {
      struct symbol *unique y = acre_take(&s->buckets[i]);
      s->buckets[i] = acre_take(&y->chain);
      symbol_free(y);
    }
  }
  free(s);
  return outer;
}

// wrong: the outer scope was freed with the inner one
struct scope *unique scope_leave_all(struct scope *unique s) {
  struct scope *outer = s->outer;
  scope_free(s);
  return (struct scope *unique)outer;
}

// leak: the scope around
void scope_leave_last(struct scope *unique s) {
  for (int i = 0; i < BUCKETS; i++) acre_drop(acre_take(&s->buckets[i]));
  free(s);
}

// right (known: another member tells that the union has no owner)
void symbol_set_text(struct symbol *borrowed y, const char *text) {
  char *unique copy = strdup(text);
  if (!copy) return;
  if (y->kind == 1)
    free(acre_swap(&y->is.text, copy));
  else if (y->kind == 2) {
    scope_free(acre_take(&y->is.inner));
    y->is.text = copy;
  } else {
    y->is.number = 0;
    y->is.text = copy;
  }
  y->kind = 1;
}

// wrong: the text is compared after the symbol has another
bool symbol_changes(struct symbol *borrowed y, const char *text) {
  const char *before = y->is.text;
  free(acre_swap(&y->is.text, strdup(text)));
  return strcmp(before, text) != 0;
}

// right
bool scope_undefine(struct scope *borrowed s, const char *name) {
  struct symbol *unique *at = &s->buckets[hash(name) % BUCKETS];
  while (*at && strcmp((*at)->name, name) != 0) at = &(*at)->chain;
  struct symbol *unique y = acre_take(at);
  if (!y) return false;
  *at = acre_take(&y->chain);
  symbol_free(y);
  s->count--;
  return true;
}

// wrong: the kind of a symbol that was removed from the scope
int scope_undefine_kind(struct scope *borrowed s, const char *name) {
  struct symbol *y = scope_find(s, name);
  if (!y) return -1;
  if (!scope_undefine(s, name)) return -1;
  return y->kind;
}
