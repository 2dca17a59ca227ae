/* SPDX-License-Identifier: MIT */
/* Strings that a structure or a caller owns: copies, joins, fields, lines, splits. */
#include "corpus.h"

struct person {
  char *unique name;
  char *unique mail;
  int age;
};

// right
struct person *unique person_new(const char *name, const char *mail) {
  struct person *unique p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->name = strdup(name);
  p->mail = strdup(mail);
  if (!p->name || !p->mail) {
    acre_drop(p);
    return NULL;
  }
  return p;
}

// leak: the name when the copy of the mail fails
struct person *unique person_new_loses_name(const char *name, const char *mail) {
  struct person *unique p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->name = strdup(name);
  if (!p->name) {
    free(p);
    return NULL;
  }
  p->mail = strdup(mail);
  if (!p->mail) {
    free(p);
    return NULL;
  }
  return p;
}

// wrong: returned after it was dropped
struct person *unique person_new_dropped(const char *name) {
  struct person *unique p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->name = strdup(name);
  if (!p->name) acre_drop(p);
  return p;
}

// right
void person_rename(struct person *borrowed p, const char *name) {
  char *unique copy = strdup(name);
  if (!copy) return;
  free(acre_swap(&p->name, copy));
}

// leak: the old name
void person_rename_loses(struct person *borrowed p, const char *name) {
  acre_swap(&p->name, strdup(name));
}

// wrong: the old name is used after it was freed
void person_rename_uses(struct person *borrowed p, const char *name) {
  const char *old = p->name;
  free(acre_swap(&p->name, strdup(name)));
  printf("%s is now %s\n", old, p->name);
}

// right
bool person_rename_logged(struct person *borrowed p, const char *name) {
  char *unique copy = strdup(name);
  if (!copy) return false;
  printf("%s is now %s\n", p->name, copy);
  char *unique old = acre_swap(&p->name, copy);
  free(old);
  return true;
}

// right
void person_free(struct person *unique p) {
  if (!p) return;
  free(acre_take(&p->name));
  free(acre_take(&p->mail));
  free(p);
}

// leak: the mail
void person_free_loses_mail(struct person *unique p) {
  if (!p) return;
  free(acre_take(&p->name));
  free(p);
}

// wrong: fields are freed after the structure
void person_free_order(struct person *unique p) {
  if (!p) return;
  free(p);
  free(acre_take(&p->name));
}

// wrong: frees the slot in place, which stays
void person_free_slot(struct person *borrowed p) { free(p->name); }

// right
char *unique join_path(const char *dir, const char *file) {
  size_t a = strlen(dir), b = strlen(file);
  char *unique path = malloc(a + b + 2);
  if (!path) return NULL;
  memcpy(path, dir, a);
  path[a] = '/';
  memcpy(path + a + 1, file, b + 1);
  return path;
}

// leak: the path when it is too long
char *unique join_path_limit(const char *dir, const char *file) {
  size_t a = strlen(dir), b = strlen(file);
  char *unique path = malloc(a + b + 2);
  if (!path) return NULL;
  if (a + b > 4096) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  memcpy(path, dir, a);
  path[a] = '/';
  memcpy(path + a + 1, file, b + 1);
  return path;
}

// wrong: returns a pointer into what it has freed
const char *base_of_copy(const char *path) {
  char *unique copy = strdup(path);
  if (!copy) return "";
  char *slash = strrchr(copy, '/');
  free(copy);
  return slash ? slash + 1 : path;
}

// right
int file_exists(const char *dir, const char *file) {
  char *unique path = join_path(dir, file);
  if (!path) return -1;
  int result = access(path, F_OK);
  free(path);
  return result == 0;
}

// leak: the early return
int file_readable(const char *dir, const char *file) {
  char *unique path = join_path(dir, file);
  if (!path) return -1;
  if (access(path, R_OK) != 0) return 0;
  free(path);
  return 1;
}

// wrong: freed twice on the way of the error
int file_removed(const char *dir, const char *file) {
  char *unique path = join_path(dir, file);
  if (!path) return -1;
  int result = unlink(path);
  if (result < 0) free(path);
  free(path);
  return result;
}

// right
int count_lines(FILE *in) {
  char *unique line = NULL;
  size_t size = 0;
  int lines = 0;
  while (getline(&line, &size, in) >= 0) lines += *line != '#';
  free(line);
  return lines;
}

// leak: the line
int count_lines_loses(FILE *in) {
  char *unique line = NULL;
  size_t size = 0;
  int lines = 0;
  while (getline(&line, &size, in) >= 0) lines++;
  return lines;
}

// wrong: a token of the line is used after it
int first_word_length(FILE *in) {
  char *unique line = NULL;
  size_t size = 0;
  if (getline(&line, &size, in) < 0) {
    free(line);
    return 0;
  }
  char *word = strtok(line, " ");
  free(line);
  return word ? (int)strlen(word) : 0;
}

// right
char *unique first_word(FILE *in) {
  char *unique line = NULL;
  size_t size = 0;
  char *unique result = NULL;
  if (getline(&line, &size, in) >= 0) {
    char *end = strpbrk(line, " \t\n");
    if (end) *end = '\0';
    result = strdup(line);
  }
  free(line);
  return result;
}

// right
char *unique describe(int code) {
  char *unique text;
  if (asprintf(&text, "error %d", code) < 0) return NULL;
  return text;
}

// right
char *unique describe_set(int code) {
  char *unique text = NULL;
  if (asprintf(&text, "error %d", code) < 0) return NULL;
  return text;
}

// leak: the text of asprintf
void describe_print(int code) {
  char *unique text = NULL;
  if (asprintf(&text, "error %d", code) < 0) return;
  puts(text);
}

// wrong: uses text that asprintf did not make
void describe_twice(int code) {
  char *unique text = NULL;
  if (asprintf(&text, "error %d", code) < 0) return;
  puts(text);
  free(text);
  puts(text);
}

// right
size_t split(char *borrowed text, char **borrowed parts, size_t limit) {
  size_t n = 0;
  char *rest = NULL;
  for (char *p = strtok_r(text, ",", &rest); p && n < limit; p = strtok_r(NULL, ",", &rest)) n++;
  (void)parts;
  return n;
}

// right
long sum_fields(const char *csv) {
  char *unique copy = strdup(csv);
  if (!copy) return -1;
  long total = 0;
  char *rest = copy, *field;
  while ((field = strsep(&rest, ","))) total += strtol(field, NULL, 10);
  free(copy);
  return total;
}

// wrong: the rest is read after its buffer
long sum_fields_late(const char *csv) {
  char *unique copy = strdup(csv);
  if (!copy) return -1;
  char *rest = copy;
  long first = strtol(rest, &rest, 10);
  free(copy);
  return first + (*rest == ',');
}

// leak: the copy in case of an empty field
long sum_fields_strict(const char *csv) {
  char *unique copy = strdup(csv);
  if (!copy) return -1;
  long total = 0;
  char *rest = copy, *field;
  while ((field = strsep(&rest, ","))) {
    if (!*field) return -1;
    total += strtol(field, NULL, 10);
  }
  free(copy);
  return total;
}

// right
char *unique trim(char *unique text) {
  size_t n = strlen(text);
  while (n && isspace((unsigned char)text[n - 1])) text[--n] = '\0';
  size_t skip = strspn(text, " \t");
  memmove(text, text + skip, n - skip + 1);
  return text;
}

// wrong: frees in the middle
void trim_free(char *unique text) {
  char *start = text;
  while (isspace((unsigned char)*start)) start++;
  look(start);
  free(text);
  look(start);
}

// right
void swap_names(struct person *borrowed a, struct person *borrowed b) {
  char *unique t = acre_take(&a->name);
  a->name = acre_take(&b->name);
  b->name = t;
}

// wrong: both have the same name
void share_names(struct person *borrowed a, struct person *borrowed b) { a->name = b->name; }

// leak: the name of a
void move_name(struct person *borrowed a, struct person *borrowed b) {
  char *unique old = acre_take(&a->name);
  a->name = acre_take(&b->name);
  note(old != NULL);
}

// right
int person_compare(const struct person *borrowed a, const struct person *borrowed b) {
  int order = strcmp(a->name, b->name);
  return order ? order : strcmp(a->mail, b->mail);
}

// right
struct person *unique person_copy(const struct person *borrowed p) {
  struct person *unique q = calloc(1, sizeof *q);
  if (!q) return NULL;
  q->age = p->age;
  if (p->name && !(q->name = strdup(p->name))) goto fail;
  if (p->mail && !(q->mail = strdup(p->mail))) goto fail;
  return q;
fail:
  acre_drop(q);
  return NULL;
}

// wrong: a shallow copy owns what the first one owns
struct person *unique person_shallow(const struct person *borrowed p) {
  struct person *unique q = malloc(sizeof *q);
  if (!q) return NULL;
  *q = *p;
  return q;
}

// leak: the copy is lost when the mail fails
struct person *unique person_copy_loses(const struct person *borrowed p) {
  struct person *unique q = calloc(1, sizeof *q);
  if (!q) return NULL;
  q->name = strdup(p->name);
  q->mail = strdup(p->mail);
  if (!q->mail) return NULL;
  return q;
}

// right
char *unique replace(char *unique text, const char *value) {
  free(text);
  return strdup(value);
}

// wrong: measures what it has freed
char *unique replace_longer(char *unique text, const char *value) {
  free(text);
  return strlen(value) > strlen(text) ? strdup(value) : NULL;
}

// leak: the text if the value is null
char *unique replace_maybe(char *unique text, const char *value) {
  if (!value) return NULL;
  free(text);
  return strdup(value);
}
