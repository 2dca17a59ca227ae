/* SPDX-License-Identifier: MIT */
/* Parsers, builders of strings, options, directories and expressions, written as nobody had tried
 * them: right, wrong, leaking and stale. */
#include "corpus.h"

#include <fnmatch.h>
#include <getopt.h>
#include <glob.h>
#include <pwd.h>
#include <regex.h>

struct text {
  char *unique bytes;
  size_t size, room;
};
struct field {
  struct field *unique next;
  char *unique name;
  char *unique value;
};
struct section {
  char *unique title;
  struct field *unique fields;
  struct section *unique next;
  int line;
};
struct rule {
  regex_t match;
  const char *name;
  int hits;
};
struct opts {
  char *unique output;
  char *unique *unique includes;
  size_t count;
  bool verbose;
};
struct line_reader {
  FILE *unique in;
  char *unique line;
  size_t room;
  int number;
};
void field_free(struct field *unique f);
void section_free(struct section *unique s);
void complain(int line, const char *borrowed what);
bool is_wanted(const char *borrowed path);

/* -- Builders -- */

// right
bool text_room(struct text *borrowed t, size_t more) {
  if (t->size + more <= t->room) return true;
  size_t room = t->room ? t->room * 2 : 64;
  while (room < t->size + more) room *= 2;
  char *unique bytes = realloc(t->bytes, room);
  if (!bytes) return false;
  t->bytes = bytes;
  t->room = room;
  return true;
}

// right
bool text_add(struct text *borrowed t, const char *bytes, size_t size) {
  if (!text_room(t, size + 1)) return false;
  memcpy(t->bytes + t->size, bytes, size);
  t->size += size;
  t->bytes[t->size] = '\0';
  return true;
}

// right
char *unique text_end(struct text *borrowed t) {
  t->size = t->room = 0;
  return acre_take(&t->bytes);
}

// wrong: the builder keeps what is returned
char *unique text_end_wrong(struct text *borrowed t) {
  t->size = 0;
  return t->bytes;
}

// wrong: at points into the old bytes
bool text_double(struct text *borrowed t) {
  char *at = t->bytes;
  if (!text_room(t, t->size)) return false;
  memcpy(t->bytes + t->size, at, t->size);
  return true;
}

// right
char *unique quoted(const char *word) {
  struct text t = {0};
  bool fine = text_add(&t, "\"", 1);
  for (; fine && *word; word++) {
    if (*word == '"' || *word == '\\') fine = text_add(&t, "\\", 1);
    if (fine) fine = text_add(&t, word, 1);
  }
  if (fine) fine = text_add(&t, "\"", 1);
  if (!fine) {
    free(acre_take(&t.bytes));
    return NULL;
  }
  return text_end(&t);
}

// leak: what was built, where the word is empty
char *unique quoted_or_null(const char *word) {
  struct text t = {.bytes = strdup("\"")};
  if (!*word) return NULL;
  text_add(&t, word, strlen(word));
  return acre_take(&t.bytes);
}

// right
char *unique joined(char *const *words, size_t count, char between) {
  char *unique result = strdup("");
  for (size_t i = 0; result && i < count; i++) {
    char *unique longer = NULL;
    if (asprintf(&longer, "%s%.1s%s", result, i ? &between : "", words[i]) < 0) longer = NULL;
    free(result);
    result = longer;
  }
  return result;
}

// leak: the result of the round before
char *unique joined_careless(char *const *words, size_t count) {
  char *unique result = strdup("");
  for (size_t i = 0; i < count; i++) {
    char *unique longer = NULL;
    if (asprintf(&longer, "%s %s", result ? result : "", words[i]) < 0) break;
    result = longer;
  }
  return result;
}

// right
char *unique replaced(const char *in, const char *what, const char *by) {
  struct text out = {0};
  size_t size = strlen(what);
  for (const char *found; size && (found = strstr(in, what)); in = found + size) {
    if (!text_add(&out, in, (size_t)(found - in)) || !text_add(&out, by, strlen(by))) {
      free(acre_take(&out.bytes));
      return NULL;
    }
  }
  text_add(&out, in, strlen(in));
  return acre_take(&out.bytes);
}

// wrong: the trimmed text is no beginning of what malloc has made
char *unique trimmed(const char *in) {
  char *unique copy = strdup(in);
  if (!copy) return NULL;
  char *at = copy;
  while (isspace((unsigned char)*at)) at++;
  return at;
}

// right
char *unique trimmed_copy(const char *in) {
  while (isspace((unsigned char)*in)) in++;
  char *unique copy = strdup(in);
  if (!copy) return NULL;
  char *end = copy + strlen(copy);
  while (end > copy && isspace((unsigned char)end[-1])) end--;
  *end = '\0';
  return copy;
}

// right
char *unique expanded(const char *path) {
  char *unique result = NULL;
  if (path[0] != '~') return strdup(path);
  const char *home = getenv("HOME");
  if (!home) return NULL;
  if (asprintf(&result, "%s%s", home, path + 1) < 0) return NULL;
  return result;
}

// right
char *unique stream_text(struct field *borrowed f) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (const struct field *each = f; each; each = each->next)
    fprintf(out, "%s=%s\n", each->name, each->value ? each->value : "");
  if (fclose(out) != 0) {
    free(text);
    return NULL;
  }
  return text;
}

/* -- Parsers -- */

// right
struct field *unique field_parse(const char *line) {
  const char *equals = strchr(line, '=');
  if (!equals) return NULL;
  struct field *unique f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->name = strndup(line, (size_t)(equals - line));
  f->value = strdup(equals + 1);
  if (!f->name || !f->value) {
    acre_drop(f);
    return NULL;
  }
  return f;
}

// leak: the name, where there is no value
struct field *unique field_parse_strict(const char *line) {
  struct field *unique f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->name = strdup(line);
  char *equals = f->name ? strchr(f->name, '=') : NULL;
  if (!equals) {
    free(f);
    return NULL;
  }
  *equals = '\0';
  f->value = strdup(equals + 1);
  return f;
}

// wrong: the value points into the name
struct field *unique field_parse_inside(const char *line) {
  struct field *unique f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->name = strdup(line);
  if (f->name) f->value = strchr(f->name, '=');
  return f;
}

// right
struct section *unique sections_read(FILE *borrowed in) {
  struct section *unique first = NULL;
  struct section *last = NULL;
  struct field *unique *end = NULL;
  char *unique line = NULL;
  size_t room = 0;
  int number = 0;
  while (getline(&line, &room, in) > 0) {
    number++;
    if (line[0] == '[') {
      struct section *unique s = calloc(1, sizeof *s);
      if (!s) break;
      s->line = number;
      s->title = strndup(line + 1, strcspn(line + 1, "]"));
      if (last)
        last->next = s;
      else
        first = s;
      last = s;
    } else if (last) {
      struct field *unique f = field_parse(line);
      if (!f) {
        complain(number, line);
        continue;
      }
      end = &last->fields;
      while (*end) end = &(*end)->next;
      *end = f;
    }
  }
  free(line);
  return first;
}

// leak: the line
int count_sections(FILE *borrowed in) {
  char *unique line = NULL;
  size_t room = 0;
  int count = 0;
  while (getline(&line, &room, in) > 0) {
    if (line[0] == '#') continue;
    if (line[0] == '\0') return -1;
    count += line[0] == '[';
  }
  free(line);
  return count;
}

// wrong: the title of a section that was freed
const char *first_title(FILE *borrowed in) {
  struct section *unique all = sections_read(in);
  if (!all) return NULL;
  const char *title = all->title;
  section_free(all);
  return strdup(title) ? "known" : NULL;
}

// right
const char *borrowed value_of(const struct section *borrowed s, const char *title,
                              const char *name) {
  for (; s; s = s->next) {
    if (!s->title || strcmp(s->title, title) != 0) continue;
    for (const struct field *f = s->fields; f; f = f->next)
      if (strcmp(f->name, name) == 0) return f->value;
  }
  return NULL;
}

// right
bool value_set(struct section *borrowed s, const char *name, const char *value) {
  for (struct field *f = s->fields; f; f = f->next)
    if (strcmp(f->name, name) == 0) {
      free(acre_swap(&f->value, strdup(value)));
      return f->value != NULL;
    }
  struct field *unique f = calloc(1, sizeof *f);
  if (!f) return false;
  f->name = strdup(name);
  f->value = strdup(value);
  f->next = acre_take(&s->fields);
  s->fields = f;
  return true;
}

// leak: the value that was there
bool value_change(struct section *borrowed s, const char *name, const char *value) {
  for (struct field *f = s->fields; f; f = f->next)
    if (strcmp(f->name, name) == 0) {
      f->value = strdup(value);
      return true;
    }
  return false;
}

// right
void fields_remove(struct section *borrowed s, const char *pattern) {
  struct field *unique *at = &s->fields;
  while (*at) {
    if (fnmatch(pattern, (*at)->name, 0) == 0) {
      struct field *unique gone = acre_take(at);
      *at = acre_take(&gone->next);
      field_free(gone);
    } else {
      at = &(*at)->next;
    }
  }
}

// wrong: goes on at a place in the field that was freed
void fields_remove_wrong(struct section *borrowed s, const char *pattern) {
  struct field *unique *at = &s->fields;
  while (*at) {
    struct field *f = *at;
    if (fnmatch(pattern, f->name, 0) == 0) field_free(acre_take(at));
    at = &f->next;
  }
}

// right
static bool reader_open(struct line_reader *acre_out borrowed r, const char *path) {
  *r = (struct line_reader){.in = fopen(path, "r")};
  return r->in != NULL;
}
static char *borrowed reader_next(struct line_reader *borrowed r) {
  if (getline(&r->line, &r->room, r->in) <= 0) return NULL;
  r->number++;
  return r->line;
}
static void reader_close(struct line_reader *borrowed r) {
  free(acre_take(&r->line));
  if (r->in) fclose(acre_take(&r->in));
}

// right
int longest_line(const char *path) {
  struct line_reader r;
  size_t most = 0;
  if (!reader_open(&r, path)) return -1;
  for (char *line; (line = reader_next(&r));) {
    size_t size = strlen(line);
    if (size > most) most = size;
  }
  reader_close(&r);
  return (int)most;
}

// wrong: the line before is overwritten by the next
int repeated_lines(const char *path) {
  struct line_reader r;
  int count = 0;
  if (!reader_open(&r, path)) return -1;
  char *before = reader_next(&r);
  for (char *line; before && (line = reader_next(&r)); before = line)
    count += strcmp(before, line) == 0;
  reader_close(&r);
  return count;
}

// leak: the reader, at an empty line
int lines_before_gap(const char *path) {
  struct line_reader r;
  if (!reader_open(&r, path)) return -1;
  for (char *line; (line = reader_next(&r));)
    if (*line == '\n') return r.number;
  reader_close(&r);
  return r.number;
}

// right
char *unique *unique words_of(const char *line, size_t *count) {
  size_t room = 8, used = 0;
  char *unique *unique words = calloc(room, sizeof *words);
  while (words && *line) {
    size_t size = strcspn(line, " \t\n");
    if (size) {
      if (used + 1 >= room) break;
      words[used++] = strndup(line, size);
    }
    line += size + (line[size] != '\0');
  }
  *count = used;
  return words;
}

// right
static void words_free(char *unique *unique words, size_t count) {
  if (!words) return;
  for (size_t i = 0; i < count; i++) free(acre_take(&words[i]));
  free(words);
}

// right
size_t word_bytes(const char *line) {
  size_t count = 0, bytes = 0;
  char *unique *unique words = words_of(line, &count);
  for (size_t i = 0; words && i < count; i++) bytes += words[i] ? strlen(words[i]) : 0;
  words_free(words, count);
  return bytes;
}

// wrong: a word after all were freed
const char *first_word(const char *line) {
  size_t count = 0;
  char *unique *unique words = words_of(line, &count);
  if (!words) return NULL;
  const char *word = words[0];
  words_free(words, count);
  return word && *word ? "some" : NULL;
}

/* -- Options -- */

// right
static void opts_free(struct opts *borrowed o) {
  free(acre_take(&o->output));
  for (size_t i = 0; i < o->count; i++) free(acre_take(&o->includes[i]));
  free(acre_take(&o->includes));
  o->count = 0;
}

// right
int opts_parse(struct opts *acre_out borrowed o, int argc, char **argv) {
  *o = (struct opts){0};
  for (int c; (c = getopt(argc, argv, "o:v")) != -1;) {
    switch (c) {
    case 'o':
      free(acre_swap(&o->output, strdup(optarg)));
      break;
    case 'v':
      o->verbose = true;
      break;
    default:
      opts_free(o);
      return -1;
    }
  }
  return optind;
}

// leak: the output, if it is given twice
int opts_parse_once(struct opts *acre_out borrowed o, int argc, char **argv) {
  *o = (struct opts){0};
  for (int c; (c = getopt(argc, argv, "o:v")) != -1;) {
    if (c == 'o')
      o->output = strdup(optarg);
    else if (c == 'v')
      o->verbose = true;
  }
  return 0;
}

// right
int run_with(int argc, char **argv) {
  struct opts o;
  if (opts_parse(&o, argc, argv) < 0) return 2;
  if (o.output) look(o.output);
  opts_free(&o);
  return 0;
}

// leak: the options, where there is nothing to do
int run_if_any(int argc, char **argv) {
  struct opts o;
  int first = opts_parse(&o, argc, argv);
  if (first < 0) return 2;
  if (first == argc) return 0;
  look(argv[first]);
  opts_free(&o);
  return 0;
}

// right
bool opts_include(struct opts *borrowed o, const char *path) {
  char *unique *unique more = realloc(o->includes, (o->count + 1) * sizeof *more);
  if (!more) return false;
  o->includes = more;
  o->includes[o->count++] = strdup(path);
  return true;
}

/* -- Regular expressions -- */

// right
int count_matches(const char *path, const char *pattern) {
  struct rule r = {.name = pattern};
  char line[512];
  FILE *unique in = fopen(path, "r");
  if (!in) return -1;
  if (regcomp(&r.match, pattern, REG_EXTENDED | REG_NOSUB) != 0) {
    fclose(in);
    return -1;
  }
  while (fgets(line, sizeof line, in)) r.hits += regexec(&r.match, line, 0, NULL, 0) == 0;
  regfree(&r.match);
  fclose(in);
  return r.hits;
}

// leak: the expression, where the file cannot be opened
int count_matches_late(const char *path, const char *pattern) {
  struct rule r = {.name = pattern};
  char line[512];
  if (regcomp(&r.match, pattern, REG_EXTENDED) != 0) return -1;
  FILE *unique in = fopen(path, "r");
  if (!in) return -1;
  while (fgets(line, sizeof line, in)) r.hits += regexec(&r.match, line, 0, NULL, 0) == 0;
  regfree(&r.match);
  fclose(in);
  return r.hits;
}

// wrong: used after regfree
bool matches_once(const char *text, const char *pattern) {
  struct rule r = {.name = pattern};
  if (regcomp(&r.match, pattern, REG_NOSUB)) return false;
  regfree(&r.match);
  return regexec(&r.match, text, 0, NULL, 0) == 0;
}

// right
char *unique first_group(const char *text, const char *pattern) {
  regex_t re;
  regmatch_t at[2];
  char *unique found = NULL;
  if (regcomp(&re, pattern, REG_EXTENDED)) return NULL;
  if (regexec(&re, text, 2, at, 0) == 0 && at[1].rm_so >= 0)
    found = strndup(text + at[1].rm_so, (size_t)(at[1].rm_eo - at[1].rm_so));
  regfree(&re);
  return found;
}

// leak: what was found before
char *unique last_group(const char *text, const char *pattern) {
  regex_t re;
  regmatch_t at[2];
  char *unique found = NULL;
  if (regcomp(&re, pattern, REG_EXTENDED)) return NULL;
  while (regexec(&re, text, 2, at, 0) == 0 && at[0].rm_eo > 0) {
    found = strndup(text + at[1].rm_so, (size_t)(at[1].rm_eo - at[1].rm_so));
    text += at[0].rm_eo;
  }
  regfree(&re);
  return found;
}

/* -- Directories -- */

// right
long tree_size(const char *path) {
  DIR *unique dir = opendir(path);
  if (!dir) return -1;
  long sum = 0;
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char *unique below = NULL;
    if (asprintf(&below, "%s/%s", path, entry->d_name) < 0) break;
    struct stat about;
    if (lstat(below, &about) == 0)
      sum += S_ISDIR(about.st_mode) ? tree_size(below) : (long)about.st_size;
    free(below);
  }
  closedir(dir);
  return sum;
}

// leak: the path of what is not wanted
long tree_count(const char *path) {
  DIR *unique dir = opendir(path);
  if (!dir) return -1;
  long count = 0;
  for (struct dirent *entry; (entry = readdir(dir));) {
    char *unique below = NULL;
    if (asprintf(&below, "%s/%s", path, entry->d_name) < 0) break;
    if (!is_wanted(below)) continue;
    count++;
    free(below);
  }
  closedir(dir);
  return count;
}

// wrong: the name of an entry after closedir
char *unique newest_name(const char *path) {
  DIR *unique dir = opendir(path);
  const char *name = NULL;
  if (!dir) return NULL;
  for (struct dirent *entry; (entry = readdir(dir));)
    if (entry->d_name[0] != '.') name = entry->d_name;
  closedir(dir);
  return name ? strdup(name) : NULL;
}

// right
size_t glob_bytes(const char *pattern) {
  glob_t found;
  size_t sum = 0;
  if (glob(pattern, 0, NULL, &found) != 0) return 0;
  for (size_t i = 0; i < found.gl_pathc; i++) sum += strlen(found.gl_pathv[i]);
  globfree(&found);
  return sum;
}

// leak: what glob has found, if that is one
char *unique glob_one(const char *pattern) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0) return NULL;
  if (found.gl_pathc == 1) return strdup(found.gl_pathv[0]);
  globfree(&found);
  return NULL;
}

// stale: the first user's home after the second was asked for
bool same_home(const char *one, const char *other) {
  struct passwd *first = getpwnam(one);
  if (!first) return false;
  const char *home = first->pw_dir;
  struct passwd *second = getpwnam(other);
  return second && strcmp(home, second->pw_dir) == 0;
}

// right
bool same_home_copied(const char *one, const char *other) {
  struct passwd *user = getpwnam(one);
  char *unique home = user ? strdup(user->pw_dir) : NULL;
  if (!home) return false;
  user = getpwnam(other);
  bool same = user && strcmp(home, user->pw_dir) == 0;
  free(home);
  return same;
}
