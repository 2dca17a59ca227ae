/* SPDX-License-Identifier: MIT */
/* Options, configuration files and small parsers, as command line programs have them. */
#include "corpus.h"
#include <getopt.h>
#include <sys/mman.h>

struct option_value {
  struct option_value *unique next;
  char *unique name;
  char *unique value;
};

struct config {
  struct option_value *unique values;
  char *unique path;
  char *unique error;
  int line;
};

struct token { char *unique text; int kind; };

struct lexer {
  const char *at;
  char *unique word;
  size_t length, room;
};

struct settings { char *unique user; char *unique home; char *unique shell; int port; };

static void die(const char *why) {
  fprintf(stderr, "error: %s\n", why);
  exit(EXIT_FAILURE);
}

static void die_errno(const char *what) {
  int saved = errno;
  fprintf(stderr, "%s: %s\n", what, strerror(saved));
  if (saved == ENOMEM) abort();
  exit(2);
}

static void free_anything(void *unique p) { free(p); }

void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

// right
char *unique xstrdup(const char *text) {
  char *unique copy = strdup(text);
  if (!copy) die("out of memory");
  return copy;
}

// right
void *unique xmalloc(size_t size) {
  void *unique p = malloc(size ? size : 1);
  if (p == NULL) die_errno("malloc");
  return p;
}

// right
int read_number(const char *text) {
  char *unique copy = xstrdup(text);
  char *end;
  long value = strtol(copy, &end, 10);
  if (*end) {
    free(copy);
    die("not a number");
  }
  free(copy);
  return (int)value;
}

// right
int read_port(const char *text) {
  char *unique copy = xstrdup(text);
  int port = atoi(copy);
  if (port <= 0) die("bad port");
  free(copy);
  return port;
}

// wrong: used after the end, where the program goes on
int read_port_late(const char *text) {
  char *unique copy = xstrdup(text);
  free(copy);
  if (cond()) die("bad port");
  return atoi(copy);
}

// leak: the copy, where the port is good
int read_port_loses(const char *text) {
  char *unique copy = xstrdup(text);
  int port = atoi(copy);
  if (port <= 0) {
    free(copy);
    die("bad port");
  }
  return port;
}

// right
void config_set(struct config *borrowed c, const char *name, const char *value) {
  for (struct option_value *v = c->values; v; v = v->next)
    if (strcmp(v->name, name) == 0) {
      free(acre_swap(&v->value, xstrdup(value)));
      return;
    }
  struct option_value *unique v = calloc(1, sizeof *v);
  if (!v) die("out of memory");
  v->name = xstrdup(name);
  v->value = xstrdup(value);
  v->next = acre_take(&c->values);
  c->values = v;
}

// leak: the old value
void config_replace_loses(struct config *borrowed c, const char *name, const char *value) {
  for (struct option_value *v = c->values; v; v = v->next)
    if (strcmp(v->name, name) == 0) v->value = xstrdup(value);
}

// right
const char *borrowed config_get(const struct config *borrowed c, const char *borrowed name
                                __attribute__((noescape))) {
  for (const struct option_value *v = c->values; v; v = v->next)
    if (strcmp(v->name, name) == 0) return v->value;
  return NULL;
}

// right
bool config_remove(struct config *borrowed c, const char *name) {
  struct option_value *unique *at = &c->values;
  while (*at && strcmp((*at)->name, name) != 0) at = &(*at)->next;
  if (!*at) return false;
  struct option_value *unique found = acre_take(at);
  *at = acre_take(&found->next);
  acre_drop(found);
  return true;
}

// leak: its name and its value
bool config_remove_loses(struct config *borrowed c, const char *name) {
  struct option_value *unique *at = &c->values;
  while (*at && strcmp((*at)->name, name) != 0) at = &(*at)->next;
  if (!*at) return false;
  struct option_value *unique found = acre_take(at);
  *at = acre_take(&found->next);
  free(found);
  return true;
}

// wrong: the rest of the list goes with the option that is dropped, and is taken after
bool config_remove_late(struct config *borrowed c) {
  struct option_value *unique found = acre_take(&c->values);
  if (!found) return false;
  acre_drop(found);
  c->values = acre_take(&found->next);
  return true;
}

// right
void config_fail(struct config *borrowed c, const char *why) {
  char *unique text = NULL;
  if (asprintf(&text, "%s:%d: %s", c->path ? c->path : "-", c->line, why) < 0) return;
  free(acre_swap(&c->error, text));
}

// leak: the message, where there was one before
void config_fail_once(struct config *borrowed c, const char *why) {
  char *unique text = NULL;
  if (asprintf(&text, "%d: %s", c->line, why) < 0) return;
  if (!c->error) c->error = text;
}

// right
bool config_load(struct config *borrowed c, const char *path) {
  FILE *unique in = fopen(path, "r");
  if (!in) {
    config_fail(c, strerror(errno));
    return false;
  }
  char *unique line = NULL;
  size_t size = 0;
  bool ok = true;
  while (ok && getline(&line, &size, in) > 0) {
    c->line++;
    char *equals = strchr(line, '=');
    if (line[0] == '#') continue;
    if (!equals) {
      config_fail(c, "no '='");
      ok = false;
    } else {
      *equals = '\0';
      config_set(c, line, equals + 1);
    }
  }
  free(line);
  fclose(in);
  return ok;
}

// leak: the line, where one has no '='
bool config_check(const char *path) {
  FILE *unique in = fopen(path, "r");
  char *unique line = NULL;
  size_t size = 0;
  if (!in) return false;
  while (getline(&line, &size, in) > 0)
    if (!strchr(line, '=')) {
      fclose(in);
      return false;
    }
  free(line);
  fclose(in);
  return true;
}

// right
int read_input(const char *path) {
  FILE *unique in = stdin;
  if (path && strcmp(path, "-") != 0) {
    in = fopen(path, "r");
    if (!in) return -1;
  }
  int lines = 0, c;
  while ((c = getc(in)) != EOF) lines += c == '\n';
  if (in != stdin) fclose(in);
  return lines;
}

// right
int write_output(const char *path, const char *text) {
  FILE *unique out = path ? fopen(path, "w") : stdout;
  if (!out) return -1;
  int written = fputs(text, out);
  if (out == stdout) fflush(out);
  else if (fclose(out) != 0) return -1;
  return written;
}

// leak: what was opened
int write_output_loses(const char *path, const char *text) {
  FILE *unique out = path ? fopen(path, "w") : stdout;
  if (!out) return -1;
  int written = fputs(text, out);
  fflush(out);
  return written;
}

// wrong: closed twice
int write_output_twice(const char *path) {
  FILE *unique out = path ? fopen(path, "w") : stdout;
  if (!out) return -1;
  if (out != stdout) fclose(out);
  return fclose(out);
}

// right
int options_parse(struct settings *borrowed s, int count, char **values) {
  int c;
  while ((c = getopt(count, values, "u:h:p:")) != -1) switch (c) {
    case 'u':
      free(acre_swap(&s->user, xstrdup(optarg)));
      break;
    case 'h':
      free(acre_swap(&s->home, xstrdup(optarg)));
      break;
    case 'p':
      s->port = atoi(optarg);
      break;
    default:
      return -1;
    }
  return optind;
}

// leak: the user, if it is given twice
int options_parse_loses(struct settings *borrowed s, int count, char **values) {
  int c;
  while ((c = getopt(count, values, "u:")) != -1)
    if (c == 'u') s->user = xstrdup(optarg);
  return optind;
}

// right
struct settings *unique settings_default(void) {
  struct settings *unique s = calloc(1, sizeof *s);
  if (!s) return NULL;
  const char *user = getenv("USER"), *home = getenv("HOME");
  s->user = strdup(user ? user : "nobody");
  s->home = strdup(home ? home : "/");
  if (!s->user || !s->home) {
    acre_drop(s);
    return NULL;
  }
  s->port = 80;
  return s;
}

// leak: the user, where the home fails
struct settings *unique settings_default_loses(void) {
  struct settings *unique s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->user = strdup("nobody");
  s->home = strdup("/");
  if (!s->user || !s->home) {
    free(s);
    return NULL;
  }
  return s;
}

// right
void settings_print(const struct settings *borrowed s) {
  log_line("user %s, home %s, port %d", s->user, s->home, s->port);
}

// right
void settings_log(struct settings *s) {
  log_line("user %s", s->user ? s->user : "-");
  if (s->shell) log_line("shell %s", s->shell);
}

// right
ssize_t settings_send(int to, const struct settings *borrowed s) {
  size_t length = strlen(s->user);
  ssize_t sent = write(to, s->user, length);
  return sent < 0 ? -1 : write(to, "\n", 1);
}

// leak: what the settings own
void settings_end_alone(struct settings *unique s) {
  if (s) note(s->port);
  free_anything(s);
}

// right
void settings_end(struct settings *unique s) {
  if (!s) return;
  free(acre_take(&s->user));
  free(acre_take(&s->home));
  free(acre_take(&s->shell));
  free_anything(s);
}

// stale: the old value, after the new one was set
void environment_restore(void) {
  const char *old = getenv("TZ");
  setenv("TZ", "UTC", 1);
  note(1);
  if (old) setenv("TZ", old, 1);
}

// right
void environment_restore_copied(void) {
  const char *now = getenv("TZ");
  char *unique old = now ? strdup(now) : NULL;
  setenv("TZ", "UTC", 1);
  note(1);
  if (old) setenv("TZ", old, 1);
  free(old);
}

// right
void environment_other(void) {
  const char *path = getenv("PATH");
  setenv("TZ", "UTC", 1);
  if (path) puts(path);
}

// right
void environment_default(void) {
  const char *pager = getenv("PAGER");
  setenv("PAGER", "more", 0);
  if (pager) puts(pager);
}

// right
struct token *unique token_make(const char *from, size_t length, int kind) {
  struct token *unique t = malloc(sizeof *t);
  if (!t) return NULL;
  t->kind = kind;
  t->text = strndup(from, length);
  if (!t->text) {
    free(t);
    return NULL;
  }
  return t;
}

// leak: the text
int token_kind(struct token *unique t) {
  int kind = t->kind;
  free(t);
  return kind;
}

// right
char *unique token_text(struct token *unique t) {
  char *unique text = acre_take(&t->text);
  free(t);
  return text;
}

// wrong: the text went with the token
const char *token_peek(struct token *unique t) {
  const char *text = t->text;
  acre_drop(t);
  return text;
}

// right
bool lexer_add(struct lexer *borrowed l, char c) {
  if (l->length + 1 >= l->room) {
    size_t room = l->room ? l->room * 2 : 16;
    char *unique more = realloc(l->word, room);
    if (!more) return false;
    l->word = more;
    l->room = room;
  }
  l->word[l->length++] = c;
  l->word[l->length] = '\0';
  return true;
}

// right
bool lexer_add_or_die(struct lexer *borrowed l, char c) {
  if (l->length + 1 >= l->room) {
    l->room = l->room * 2 + 16;
    l->word = realloc(l->word, l->room);
    if (!l->word) die("out of memory");
  }
  l->word[l->length++] = c;
  return true;
}

// leak: the word, where there is no room for more
bool lexer_add_loses(struct lexer *borrowed l, char c) {
  if (l->length + 1 >= l->room) {
    l->room = l->room * 2 + 16;
    l->word = realloc(l->word, l->room);
    if (!l->word) return false;
  }
  l->word[l->length++] = c;
  return true;
}

// wrong: the old word is used after it was given to realloc
bool lexer_add_late(struct lexer *borrowed l, char c) {
  char *unique more = realloc(l->word, l->room * 2);
  if (!more) return false;
  more[l->length] = l->word[0] + c;
  l->word = more;
  return true;
}

// wrong: the lexer keeps the old word
bool lexer_add_forgets(struct lexer *borrowed l, char c) {
  char *unique more = realloc(l->word, l->room * 2);
  if (!more) return false;
  more[l->length++] = c;
  free(more);
  return true;
}

// right
char *unique lexer_word(struct lexer *borrowed l) {
  while (*l->at == ' ') l->at++;
  while (*l->at && *l->at != ' ')
    if (!lexer_add(l, *l->at++)) return NULL;
  l->length = l->room = 0;
  return acre_take(&l->word);
}

// right
char *unique unquote(const char *text) {
  size_t length = strlen(text);
  char *unique out = malloc(length + 1);
  if (!out) return NULL;
  size_t n = 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\\') i++;
    if (i == length) {
      free(out);
      return NULL;
    }
    out[n++] = text[i];
  }
  out[n] = '\0';
  return out;
}

// leak: the result, where a quote is open
char *unique unquote_loses(const char *text) {
  char *unique out = malloc(strlen(text) + 1);
  if (!out) return NULL;
  size_t n = 0;
  for (const char *c = text; *c; c++) {
    if (*c == '"' && !c[1]) return NULL;
    out[n++] = *c;
  }
  out[n] = '\0';
  return out;
}

// right
char **unique split_words(const char *text, size_t *count) {
  size_t room = 8, n = 0;
  char **unique words = calloc(room, sizeof *words);
  char *unique copy = strdup(text);
  if (!words || !copy) {
    free(words);
    free(copy);
    return NULL;
  }
  char *rest;
  for (char *w = strtok_r(copy, " ", &rest); w && n < room; w = strtok_r(NULL, " ", &rest))
    words[n++] = acre_release(xstrdup(w));
  *count = n;
  free(copy);
  return words;
}

// wrong: the words point into the copy
const char *first_word(const char *text) {
  char *unique copy = xstrdup(text);
  char *rest, *word = strtok_r(copy, " ", &rest);
  free(copy);
  return word;
}

// right
long count_mapped(int from, size_t size) {
  char *unique map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, from, 0);
  if (map == MAP_FAILED) return -1;
  long lines = 0;
  for (size_t i = 0; i < size; i++) lines += map[i] == '\n';
  munmap(map, size);
  return lines;
}

// right
long count_if_mapped(int from, size_t size) {
  char *unique map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, from, 0);
  if (map == MAP_FAILED) map = NULL;
  long lines = 0;
  for (size_t i = 0; map && i < size; i++) lines += map[i] == '\n';
  if (map) munmap(map, size);
  return lines;
}

// leak: the mapping, if it is empty
long count_mapped_loses(int from, size_t size) {
  char *unique map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, from, 0);
  if (map == MAP_FAILED) return -1;
  if (map[0] == '\0') return 0;
  munmap(map, size);
  return 1;
}
