/* SPDX-License-Identifier: MIT */
/* Configuration files and path utilities: right, wrong and leaking. */
#include "corpus.h"

struct option {
  char *unique key;
  char *unique value;
  struct option *unique next;
  int line;
};

struct section {
  char *unique name;
  struct option *unique options;
  struct section *unique next;
};

struct config {
  char *unique path;
  struct section *unique sections;
  int errors;
};

struct strlist {
  char *unique *unique items;
  size_t count, capacity;
};

// right
static struct option *unique option_new(const char *borrowed key, const char *borrowed value,
                                        int line) {
  struct option *unique o = calloc(1, sizeof *o);
  if (!o)
    return NULL;
  o->key = strdup(key);
  o->value = strdup(value);
  if (!o->key || !o->value) {
    acre_drop(o);
    return NULL;
  }
  o->line = line;
  return o;
}

// right
static struct section *borrowed section_find(struct config *borrowed c, const char *name) {
  for (struct section *s = c->sections; s; s = s->next)
    if (strcmp(s->name, name) == 0)
      return s;
  return NULL;
}

// right
static struct option *borrowed option_find(struct section *borrowed s, const char *key) {
  struct option *o = s->options;
  while (o && strcasecmp(o->key, key) != 0)
    o = o->next;
  return o;
}

// right: appends at the end
static struct section *config_add_section(struct config *borrowed c, const char *name) {
  struct section *found = section_find(c, name);
  if (found)
    return found;
  struct section *unique s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->name = strdup(name);
  if (!s->name) {
    free(s);
    return NULL;
  }
  struct section *unique *tail = &c->sections;
  while (*tail)
    tail = &(*tail)->next;
  *tail = s;
  return *tail;
}

// right: replaces or appends
static int section_set(struct section *borrowed s, const char *key, const char *value, int line) {
  struct option *o = option_find(s, key);
  if (o) {
    char *unique copy = strdup(value);
    if (!copy)
      return -ENOMEM;
    free(acre_swap(&o->value, copy));
    o->line = line;
    return 0;
  }
  struct option *unique n = option_new(key, value, line);
  if (!n)
    return -ENOMEM;
  n->next = acre_take(&s->options);
  s->options = n;
  return 0;
}

// right
bool config_remove(struct config *borrowed c, const char *borrowed section,
                   const char *borrowed key) {
  struct section *s = section_find(c, section);
  if (!s)
    return false;
  for (struct option *unique *p = &s->options; *p; p = &(*p)->next) {
    if (strcasecmp((*p)->key, key) == 0) {
      struct option *unique gone = acre_take(p);
      *p = acre_take(&gone->next);
      acre_drop(gone);
      return true;
    }
  }
  return false;
}

// right
static char *trim(char *s) {
  while (isspace((unsigned char)*s))
    s++;
  size_t n = strlen(s);
  while (n > 0 && isspace((unsigned char)s[n - 1]))
    s[--n] = '\0';
  return s;
}

// right
struct config *unique config_load(const char *borrowed path) {
  FILE *unique in = fopen(path, "r");
  if (!in)
    return NULL;
  struct config *unique c = calloc(1, sizeof *c);
  char *unique line = NULL;
  size_t size = 0;
  int number = 0;
  struct section *current = NULL;
  if (!c)
    goto out;
  c->path = strdup(path);
  while (getline(&line, &size, in) >= 0) {
    number++;
    char *text = trim(line);
    if (*text == '\0' || *text == '#' || *text == ';')
      continue;
    if (*text == '[') {
      char *end = strchr(text, ']');
      if (!end) {
        c->errors++;
        continue;
      }
      *end = '\0';
      current = config_add_section(c, text + 1);
      continue;
    }
    char *eq = strchr(text, '=');
    if (!eq || !current) {
      c->errors++;
      continue;
    }
    *eq = '\0';
    if (section_set(current, trim(text), trim(eq + 1), number) < 0)
      c->errors++;
  }
out:
  free(line);
  fclose(in);
  return c;
}

// leak: the copy of the text is lost where a line has no '='
int config_load_string(struct config *borrowed c, const char *borrowed text) {
  char *unique copy = strdup(text);
  if (!copy)
    return -ENOMEM;
  struct section *s = config_add_section(c, "global");
  if (!s) {
    free(copy);
    return -ENOMEM;
  }
  char *save = NULL;
  for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    char *eq = strchr(line, '=');
    if (!eq)
      return -EINVAL;
    *eq = '\0';
    int r = section_set(s, line, eq + 1, 0);
    if (r < 0)
      break;
  }
  free(copy);
  return 0;
}

// wrong: the old name is freed and then printed
int config_rename(struct config *borrowed c, const char *borrowed from, const char *borrowed to) {
  struct section *s = section_find(c, from);
  if (!s)
    return -ENOENT;
  const char *old = s->name;
  char *unique fresh = strdup(to);
  if (!fresh)
    return -ENOMEM;
  free(acre_swap(&s->name, fresh));
  fprintf(stderr, "section %s is now %s\n", old, to);
  return 0;
}

// wrong: the loop goes on from a section that was dropped
void config_purge(struct config *borrowed c) {
  struct section *unique *p = &c->sections;
  while (*p) {
    if (!(*p)->options) {
      struct section *unique gone = acre_take(p);
      acre_drop(gone);
      *p = acre_take(&gone->next);
    } else {
      p = &(*p)->next;
    }
  }
}

// leak: options of a section that the target has, too, are overwritten
void config_merge(struct config *borrowed to, struct config *unique from) {
  struct section *unique s = acre_take(&from->sections);
  while (s) {
    struct section *unique next = acre_take(&s->next);
    struct section *mine = section_find(to, s->name);
    if (mine) {
      mine->options = acre_take(&s->options);
      acre_drop(s);
    } else {
      s->next = acre_take(&to->sections);
      to->sections = s;
    }
    s = next;
  }
  acre_drop(from);
}

// right
char *unique path_join(const char *borrowed dir, const char *borrowed name) {
  size_t n = strlen(dir), m = strlen(name);
  if (name[0] == '/')
    return strdup(name);
  char *unique out = malloc(n + m + 2);
  if (!out)
    return NULL;
  memcpy(out, dir, n);
  if (n > 0 && dir[n - 1] != '/')
    out[n++] = '/';
  memcpy(out + n, name, m + 1);
  return out;
}

// right: directory and name of their own
int path_split(const char *borrowed path, char *unique *acre_out dir, char *unique *acre_out base) {
  *dir = NULL;
  *base = NULL;
  const char *slash = strrchr(path, '/');
  char *unique d = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
  char *unique b = strdup(slash ? slash + 1 : path);
  if (!d || !b) {
    free(d);
    free(b);
    return -1;
  }
  *dir = d;
  *base = b;
  return 0;
}

// right (known: slices of a local text lie in an array from calloc)
char *unique path_normalize(const char *borrowed path) {
  char *unique work = strdup(path);
  if (!work)
    return NULL;
  size_t max = strlen(path) / 2 + 2, depth = 0;
  char **parts = NULL;
  char *unique out = NULL;
  parts = calloc(max, sizeof *parts);
  if (!parts) {
    free(work);
    return NULL;
  }
  char *save = NULL;
  for (char *p = strtok_r(work, "/", &save); p; p = strtok_r(NULL, "/", &save)) {
    if (strcmp(p, ".") == 0)
      continue;
    if (strcmp(p, "..") == 0) {
      if (depth)
        depth--;
      continue;
    }
    parts[depth++] = p;
  }
  out = malloc(strlen(path) + 2);
  if (out) {
    char *w = out;
    if (path[0] == '/' || depth == 0)
      *w++ = path[0] == '/' ? '/' : '.';
    for (size_t i = 0; i < depth; i++) {
      if (i)
        *w++ = '/';
      w = stpcpy(w, parts[i]);
    }
    *w = '\0';
  }
  free(parts);
  free(work);
  return out;
}

// right
static bool strlist_push(struct strlist *borrowed l, const char *text) {
  if (l->count == l->capacity) {
    size_t capacity = l->capacity ? 2 * l->capacity : 8;
    char *unique *unique grown = realloc(l->items, capacity * sizeof *grown);
    if (!grown)
      return false;
    l->items = grown;
    l->capacity = capacity;
  }
  char *unique copy = strdup(text);
  if (!copy)
    return false;
  l->items[l->count++] = copy;
  return true;
}

// right
static void strlist_clear(struct strlist *borrowed l) {
  for (size_t i = 0; i < l->count; i++)
    free(acre_take(&l->items[i]));
  free(acre_take(&l->items));
  l->count = l->capacity = 0;
}

// right: first file of a search path that can be opened
char *unique path_search(const char *borrowed dirs, const char *borrowed name) {
  struct strlist tried = {0};
  char *unique found = NULL;
  while (*dirs && !found) {
    size_t n = strcspn(dirs, ":");
    char *unique dir = strndup(dirs, n);
    if (!dir)
      break;
    char *unique file = path_join(dir, name);
    free(dir);
    if (!file)
      break;
    FILE *unique f = fopen(file, "r");
    if (f) {
      fclose(f);
      found = file;
    } else {
      strlist_push(&tried, file);
      free(file);
    }
    dirs += n;
    if (*dirs == ':')
      dirs++;
  }
  if (!found)
    for (size_t i = 0; i < tried.count; i++)
      fprintf(stderr, "tried %s\n", tried.items[i]);
  strlist_clear(&tried);
  return found;
}

// leak: the shorter prefix is lost in each round
char *unique path_common(const struct strlist *borrowed l) {
  if (l->count == 0)
    return NULL;
  char *unique prefix = strdup(l->items[0]);
  for (size_t i = 1; prefix && i < l->count; i++) {
    size_t n = 0;
    while (prefix[n] && prefix[n] == l->items[i][n])
      n++;
    prefix = strndup(prefix, n);
  }
  return prefix;
}

// wrong: points into a copy that is gone
void path_extension(const char *borrowed path, char *borrowed out, size_t size) {
  char *unique dir = NULL, *unique base = NULL;
  if (path_split(path, &dir, &base) < 0)
    return;
  const char *dot = strrchr(base, '.');
  free(dir);
  free(base);
  snprintf(out, size, "%s", dot ? dot + 1 : "");
}

// right
void config_dump(const struct config *borrowed c, FILE *borrowed out) {
  for (const struct section *s = c->sections; s; s = s->next) {
    fprintf(out, "[%s]\n", s->name);
    for (const struct option *o = s->options; o; o = o->next)
      fprintf(out, "%s = %s\n", o->key, o->value);
  }
}

// right
void config_reverse_options(struct section *borrowed s) {
  struct option *unique rest = acre_take(&s->options), *unique done = NULL;
  while (rest) {
    struct option *unique next = acre_take(&rest->next);
    rest->next = done;
    done = rest;
    rest = next;
  }
  s->options = done;
}
