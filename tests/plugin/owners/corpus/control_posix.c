/* SPDX-License-Identifier: MIT */
/* What the library opens and lends, once more: written when opened.c and lent.c were judged as they
   should be, so that the first figures say what to expect of other code. */
#include "corpus.h"
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <langinfo.h>
#include <locale.h>
#include <pwd.h>
#include <regex.h>
#include <spawn.h>
#include <sys/mman.h>
#include <wordexp.h>

// right
char *unique expand_home(const char *path) {
  char *unique out = NULL;
  if (path[0] != '~') return strdup(path);
  const char *slash = strchr(path, '/');
  struct passwd *pw;
  if (path[1] == '/' || !path[1]) {
    pw = getpwuid(getuid());
  } else {
    char *unique name = slash ? strndup(path + 1, (size_t)(slash - path - 1)) : strdup(path + 1);
    if (!name) return NULL;
    pw = getpwnam(name);
    free(name);
  }
  if (!pw || asprintf(&out, "%s%s", pw->pw_dir, slash ? slash : "") < 0) return NULL;
  return out;
}

// right
int each_match(const char *pattern, const char *text,
               void (*found)(const char *borrowed, size_t)) {
  regex_t re;
  regmatch_t m;
  int rc, n = 0;
  if ((rc = regcomp(&re, pattern, REG_EXTENDED | REG_NEWLINE)) != 0) {
    char why[128];
    regerror(rc, &re, why, sizeof why);
    fprintf(stderr, "%s\n", why);
    return -1;
  }
  for (int flags = 0; (rc = regexec(&re, text, 1, &m, flags)) == 0; flags = REG_NOTBOL) {
    found(text + m.rm_so, (size_t)(m.rm_eo - m.rm_so));
    text += m.rm_eo > 0 ? m.rm_eo : 1;
    n++;
    if (!*text) break;
  }
  regfree(&re);
  return rc == REG_ESPACE ? -1 : n;
}

// leak: the expression where the memory is out
int each_match_lost(const char *pattern, const char *text) {
  regex_t re;
  int rc;
  if ((rc = regcomp(&re, pattern, REG_EXTENDED)) != 0) return rc;
  rc = regexec(&re, text, 0, NULL, 0);
  if (rc == REG_ESPACE) return rc;
  regfree(&re);
  return 0;
}

struct names {
  char *unique *unique items;
  size_t count;
};
// right
bool read_names(const char *pattern, struct names *borrowed into) {
  glob_t g = {0};
  bool done = false;
  int rc = glob(pattern, GLOB_MARK, NULL, &g);
  if (rc == GLOB_NOMATCH) return true;
  if (rc) goto out;
  for (size_t i = 0; i < g.gl_pathc; i++) {
    char *unique copy = strdup(g.gl_pathv[i]);
    if (!copy) goto out;
    free(acre_swap(&into->items[into->count++], acre_take(&copy)));
  }
  done = true;
out:
  globfree(&g);
  return done;
}

// wrong: a pointer to the last component outlives the words
const char *base_of(const char *text, char *borrowed into, size_t size) {
  wordexp_t w;
  if (wordexp(text, &w, 0) != 0) return NULL;
  const char *base = w.we_wordc ? strrchr(w.we_wordv[0], '/') : NULL;
  wordfree(&w);
  if (base) snprintf(into, size, "%s", base + 1);
  return into;
}

// stale: the group's name, behind another question
void show(const char *path) {
  struct stat st;
  if (stat(path, &st)) return;
  struct group *gr = getgrgid(st.st_gid);
  struct group *mine = getgrgid(getgid());
  if (gr && mine) printf("%s %s\n", gr->gr_name, mine->gr_name);
}

// wrong: the environment's text is grown
char *unique path_with(const char *dir) {
  char *path = getenv("PATH");
  if (!path) return NULL;
  char *unique longer = realloc(path, strlen(path) + strlen(dir) + 2);
  if (longer) strcat(strcat(longer, ":"), dir);
  return longer;
}

// right
size_t convert_lines(FILE *borrowed in, FILE *borrowed out, const char *from) {
  iconv_t cd = iconv_open("UTF-8", from);
  char *unique line = NULL;
  size_t room = 0, bad = 0;
  if (cd == (iconv_t)-1) return 0;
  for (ssize_t n; (n = getline(&line, &room, in)) > 0;) {
    char buffer[1024], *src = line, *dst = buffer;
    size_t left = (size_t)n, free_bytes = sizeof buffer;
    if (iconv(cd, &src, &left, &dst, &free_bytes) == (size_t)-1) {
      bad++;
      iconv(cd, NULL, NULL, NULL, NULL);
      continue;
    }
    fwrite(buffer, 1, sizeof buffer - free_bytes, out);
  }
  free(line);
  iconv_close(cd);
  return bad;
}

// leak: the first conversion, where the second fails
int two_ways(void) {
  iconv_t a = iconv_open("UTF-8", "LATIN1"), b;
  if (a == (iconv_t)-1) return -1;
  b = iconv_open("LATIN1", "UTF-8");
  if (b == (iconv_t)-1) return -1;
  iconv_close(b);
  iconv_close(a);
  return 0;
}

// right
void print_times(const time_t *times, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char text[40];
    struct tm *t = localtime(&times[i]);
    if (!t || !strftime(text, sizeof text, "%c", t)) continue;
    puts(text);
  }
}

// right
const char *weekday(time_t t) {
  struct tm *tm = gmtime(&t);
  return tm ? nl_langinfo(DAY_1 + tm->tm_wday) : "?";
}

// wrong: a formatted time is freed
void log_time(void) {
  time_t now = time(NULL);
  char *text = ctime(&now);
  text[strlen(text) - 1] = 0;
  puts(text);
  free(text);
}

// right
int run_quiet(char *const *argv, char *const *env) {
  posix_spawn_file_actions_t fa, *given = NULL;
  pid_t pid;
  if (posix_spawn_file_actions_init(&fa) == 0) given = &fa;
  if (given) posix_spawn_file_actions_addclose(&fa, 0);
  int rc = posix_spawnp(&pid, argv[0], given, NULL, argv, env);
  if (given) posix_spawn_file_actions_destroy(given);
  return rc;
}

// right
bool same_file(size_t size, int fd, int other) {
  void *unique x = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  void *unique y = x == MAP_FAILED ? MAP_FAILED
                                   : mmap(NULL, size, PROT_READ, MAP_PRIVATE, other, 0);
  bool is = x != MAP_FAILED && y != MAP_FAILED && memcmp(x, y, size) == 0;
  if (y != MAP_FAILED) munmap(y, size);
  if (x != MAP_FAILED) munmap(x, size);
  return is;
}

// leak: the first mapping, where the second fails
bool same_file_lost(size_t size, int fd, int other) {
  void *unique x = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (x == MAP_FAILED) return false;
  void *unique y = mmap(NULL, size, PROT_READ, MAP_PRIVATE, other, 0);
  if (y == MAP_FAILED) return false;
  bool is = memcmp(x, y, size) == 0;
  munmap(y, size);
  munmap(x, size);
  return is;
}

static int first_group(const regex_t *re, const char *text, regmatch_t *borrowed m) {
  return regexec(re, text, 1, m, 0);
}
// right
bool in_helper(const char *p, const char *text) {
  regex_t re;
  regmatch_t m[1];
  if (regcomp(&re, p, 0)) return false;
  int rc = first_group(&re, text, m);
  regfree(&re);
  return !rc;
}

// wrong: freed twice in a loop
void all(char *const *patterns, const char *text) {
  regex_t re;
  for (; *patterns; patterns++) {
    if (regcomp(&re, *patterns, 0)) continue;
    if (!regexec(&re, text, 0, NULL, 0)) {
      regfree(&re);
      break;
    }
    regfree(&re);
  }
  regfree(&re);
}
