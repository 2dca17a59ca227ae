/* SPDX-License-Identifier: MIT */
/* seek.c - looks for files: a small find.
 *
 * seek [-d depth] [-e regex] [-g glob] [-o owner] [-m days] [-x suffix] [-s] [-l] PATH...
 *
 * -s prints, at the end, how many bytes lie in each folder, by nftw.  -l prints what the files are
 * beside their names.  PATH may be a pattern, and ~ is known.
 */
#define _GNU_SOURCE
#include <acre/own.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <regex.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

/* What is looked for: null, negative or 0 where that does not matter. */
struct wanted {
  regex_t *unique expression;
  char *unique pattern;
  char *unique owner;
  char *unique *unique suffixes;
  size_t suffix_count;
  long depth;
  double days;
  bool is_long, has_sums;
};

/* A file that was found. */
struct found {
  char *unique path;
  char *unique target; /* of a symbolic link */
  struct stat about;
};

/* A growing array of them. */
struct results {
  struct found *unique items;
  size_t count, room;
};

static void fail(const char *what) { fprintf(stderr, "seek: %s: %s\n", what, strerror(errno)); }

/* -- Results --------------------------------------------------------------------------------- */

static bool results_add(struct results *borrowed results, char *unique path, char *unique target,
                        const struct stat *about) {
  if (results->count == results->room) {
    size_t room = results->room ? 2 * results->room : 16;
    struct found *unique items = acre_take(&results->items);
    struct found *unique more = realloc(items, room * sizeof *more);
    if (!more) {
      results->items = items;
      free(path);
      free(target);
      return false;
    }
    results->items = more;
    results->room = room;
  }
  struct found *item = &results->items[results->count++];
  item->path = path;
  item->target = target;
  item->about = *about;
  return true;
}

static int compare_found(const void *a, const void *b) {
  const struct found *left = a, *right = b;
  return strcmp(left->path, right->path);
}

static void results_end(struct results *borrowed results) {
  acre_drop_array(acre_take(&results->items), results->count);
}

/* -- What is wanted -------------------------------------------------------------------------- */

static regex_t *unique compile_expression(const char *text) {
  regex_t *unique expression = malloc(sizeof *expression);
  if (!expression)
    return NULL;
  int error = regcomp(expression, text, REG_EXTENDED | REG_NOSUB);
  if (error) {
    size_t size = regerror(error, expression, NULL, 0);
    char *unique why = malloc(size);
    if (why) {
      regerror(error, expression, why, size);
      fprintf(stderr, "seek: %s: %s\n", text, why);
      free(why);
    }
    free(expression);
    return NULL;
  }
  return expression;
}

/* Splits "c,h,txt". */
static bool add_suffixes(struct wanted *borrowed wanted, const char *list) {
  char *unique copy = strdup(list), *state = NULL;
  bool is_done = copy != NULL;
  for (char *word = copy ? strtok_r(copy, ",", &state) : NULL; word && is_done;
       word = strtok_r(NULL, ",", &state)) {
    char *unique *unique old = acre_take(&wanted->suffixes);
    char *unique *unique more = reallocarray(old, wanted->suffix_count + 1, sizeof *more);
    if (!more) {
      wanted->suffixes = old;
      is_done = false;
      break;
    }
    wanted->suffixes = more;
    char *unique suffix = NULL;
    if (asprintf(&suffix, ".%s", word) < 0)
      is_done = false;
    else
      wanted->suffixes[wanted->suffix_count++] = suffix;
  }
  free(copy);
  return is_done;
}

static void wanted_end(struct wanted *borrowed wanted) {
  if (wanted->expression)
    regfree(wanted->expression);
  free(acre_take(&wanted->expression));
  free(acre_take(&wanted->pattern));
  free(acre_take(&wanted->owner));
  acre_drop_array(acre_take(&wanted->suffixes), wanted->suffix_count);
}

static bool has_suffix(const struct wanted *borrowed wanted, const char *name) {
  if (!wanted->suffix_count)
    return true;
  const char *dot = strrchr(name, '.');
  for (size_t i = 0; dot && i < wanted->suffix_count; i++)
    if (strcmp(dot, wanted->suffixes[i]) == 0)
      return true;
  return false;
}

static bool is_owned_by(const char *owner, uid_t id) {
  const struct passwd *user = getpwuid(id);
  return user && strcmp(user->pw_name, owner) == 0;
}

static bool is_wanted(const struct wanted *borrowed wanted, const char *name,
                      const struct stat *about) {
  if (wanted->expression && regexec(wanted->expression, name, 0, NULL, 0) != 0)
    return false;
  if (wanted->pattern && fnmatch(wanted->pattern, name, FNM_PERIOD) != 0)
    return false;
  if (wanted->owner && !is_owned_by(wanted->owner, about->st_uid))
    return false;
  if (wanted->days > 0 && difftime(time(NULL), about->st_mtime) > wanted->days * 86400)
    return false;
  return has_suffix(wanted, name);
}

/* -- The sum of each folder ------------------------------------------------------------------ */

struct sum {
  char *unique folder;
  long long bytes;
};

/* nftw has no argument for this. */
static void *sums;

static int compare_sums(const void *a, const void *b) {
  const struct sum *left = a, *right = b;
  return strcmp(left->folder, right->folder);
}

static void free_sum(void *node) { acre_drop((struct sum *unique)node); }

static int add_bytes(const char *path, const struct stat *about, int type, struct FTW *place) {
  if (type != FTW_F || place->base < 1)
    return 0;
  struct sum *unique sum = malloc(sizeof *sum);
  if (!sum)
    return -1;
  sum->folder = strndup(path, (size_t)place->base - 1);
  sum->bytes = about->st_size;
  struct sum *plain = acre_release(sum);
  struct sum **there = plain->folder ? tsearch(plain, &sums, compare_sums) : NULL;
  if (!there || *there != plain) {
    if (there)
      (*there)->bytes += about->st_size;
    free_sum(plain);
  }
  return there ? 0 : -1;
}

static void print_sum(const void *node, VISIT visit, int level) {
  (void)level;
  const struct sum *sum = *(struct sum *const *)node;
  if (visit == postorder || visit == leaf)
    printf("%lld\t%s\n", sum->bytes, sum->folder);
}

static void add_sums(const char *path) {
  if (nftw(path, add_bytes, 16, FTW_PHYS) < 0)
    fail(path);
}

static void print_sums(void) {
  twalk(sums, print_sum);
  tdestroy(sums, free_sum);
  sums = NULL;
}

/* -- The walk -------------------------------------------------------------------------------- */

static char *unique join(const char *folder, const char *name) {
  char *unique path = NULL;
  if (asprintf(&path, "%s/%s", folder, name) < 0)
    return NULL;
  return path;
}

/* The target of a symbolic link, or null. */
static char *unique read_link(const char *path, const struct stat *about) {
  if (!S_ISLNK(about->st_mode))
    return NULL;
  size_t room = about->st_size > 0 ? (size_t)about->st_size + 1 : PATH_MAX;
  char *unique target = malloc(room);
  ssize_t length = target ? readlink(path, target, room - 1) : -1;
  if (length < 0) {
    free(target);
    return NULL;
  }
  target[length] = '\0';
  return target;
}

static bool visit(const struct wanted *borrowed wanted, struct results *borrowed results,
                  const char *path, const char *name, long depth);

static bool walk(const struct wanted *borrowed wanted, struct results *borrowed results,
                 const char *folder, long depth) {
  DIR *unique directory = opendir(folder);
  bool is_done = true;
  if (!directory) {
    fail(folder);
    return true;
  }
  for (const struct dirent *entry; is_done && (entry = readdir(directory));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
      continue;
    char *unique path = join(folder, entry->d_name);
    is_done = path && visit(wanted, results, path, entry->d_name, depth + 1);
    free(path);
  }
  closedir(directory);
  return is_done;
}

static bool visit(const struct wanted *borrowed wanted, struct results *borrowed results,
                  const char *path, const char *name, long depth) {
  struct stat about;
  if (lstat(path, &about) < 0) {
    fail(path);
    return true;
  }
  if (is_wanted(wanted, name, &about)) {
    char *unique copy = strdup(path);
    if (!copy || !results_add(results, copy, read_link(path, &about), &about))
      return false;
  }
  if (S_ISDIR(about.st_mode) && (wanted->depth < 0 || depth < wanted->depth))
    return walk(wanted, results, path, depth);
  return true;
}

/* Walks what a pattern on the command line means. */
static bool walk_pattern(const struct wanted *borrowed wanted, struct results *borrowed results,
                         const char *text) {
  glob_t names;
  bool is_done = true;
  switch (glob(text, GLOB_TILDE | GLOB_NOCHECK, NULL, &names)) {
  case 0:
    break;
  case GLOB_NOSPACE:
    return false;
  default:
    return true;
  }
  for (size_t i = 0; is_done && i < names.gl_pathc; i++) {
    const char *slash = strrchr(names.gl_pathv[i], '/');
    const char *name = slash && slash[1] ? slash + 1 : names.gl_pathv[i];
    is_done = visit(wanted, results, names.gl_pathv[i], name, 0);
    if (wanted->has_sums)
      add_sums(names.gl_pathv[i]);
  }
  globfree(&names);
  return is_done;
}

/* -- Printing -------------------------------------------------------------------------------- */

static void print_long(const struct found *found) {
  char date[32] = "?";
  struct tm when;
  const struct passwd *user = getpwuid(found->about.st_uid);
  const struct group *group = getgrgid(found->about.st_gid);
  if (localtime_r(&found->about.st_mtime, &when))
    strftime(date, sizeof date, "%F %R", &when);
  printf("%04o %s:%s %9lld %s ", (unsigned)found->about.st_mode & 07777, user ? user->pw_name : "?",
         group ? group->gr_name : "?", (long long)found->about.st_size, date);
}

static void print_results(const struct wanted *borrowed wanted, struct results *borrowed results) {
  if (results->count)
    qsort(results->items, results->count, sizeof *results->items, compare_found);
  for (size_t i = 0; i < results->count; i++) {
    const struct found *item = &results->items[i];
    if (wanted->is_long)
      print_long(item);
    printf("%s%s%s\n", item->path, item->target ? " -> " : "", item->target ? item->target : "");
  }
}

/* -- The command line ------------------------------------------------------------------------ */

/* Options before those of the command line, as a shell would read them. */
static bool read_defaults(struct wanted *borrowed wanted) {
  const char *text = getenv("SEEK_SUFFIXES");
  wordexp_t words;
  bool is_done = true;
  if (!text || wordexp(text, &words, WRDE_NOCMD) != 0)
    return true;
  for (size_t i = 0; is_done && i < words.we_wordc; i++)
    is_done = add_suffixes(wanted, words.we_wordv[i]);
  wordfree(&words);
  return is_done;
}

static bool set_text(char *unique *text, const char *value) {
  free(acre_swap(text, strdup(value)));
  return *text != NULL;
}

static bool read_option(struct wanted *borrowed wanted, int option, const char *value) {
  switch (option) {
  case 'd':
    wanted->depth = strtol(value, NULL, 10);
    return true;
  case 'e':
    if (wanted->expression)
      regfree(wanted->expression);
    free(acre_swap(&wanted->expression, compile_expression(value)));
    return wanted->expression != NULL;
  case 'g':
    return set_text(&wanted->pattern, value);
  case 'o':
    return set_text(&wanted->owner, value);
  case 'm':
    wanted->days = strtod(value, NULL);
    return wanted->days > 0;
  case 'x':
    return add_suffixes(wanted, value);
  case 's':
    wanted->has_sums = true;
    return true;
  case 'l':
    wanted->is_long = true;
    return true;
  default:
    return false;
  }
}

int main(int argc, char **argv) {
  struct wanted wanted = {.depth = -1};
  struct results results = {0};
  bool is_right = read_defaults(&wanted);
  for (int option; is_right && (option = getopt(argc, argv, "d:e:g:o:m:x:sl")) != -1;)
    is_right = read_option(&wanted, option, optarg);
  if (!is_right)
    fprintf(stderr, "usage: seek [-d depth] [-e regex] [-g glob] [-o owner] [-m days] [-x suffix] "
                    "[-s] [-l] PATH...\n");
  for (int i = optind; is_right && i < argc; i++)
    is_right = walk_pattern(&wanted, &results, argv[i]);
  if (is_right) {
    print_results(&wanted, &results);
    print_sums();
  }
  results_end(&results);
  wanted_end(&wanted);
  return is_right ? 0 : 1;
}
