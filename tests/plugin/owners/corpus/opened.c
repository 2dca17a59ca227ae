/* SPDX-License-Identifier: MIT */
/* Structures that the C library fills and one of its functions ends: regular expressions, paths,
   words, conversions, actions of spawned programs. */
#include "corpus.h"
#include <glob.h>
#include <iconv.h>
#include <regex.h>
#include <spawn.h>
#include <sys/wait.h>
#include <wordexp.h>

extern char **environ;

// right
static int count_matches(const char *pattern, const char *const *lines, size_t count) {
  regex_t re;
  int found = 0;
  if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB) != 0) return -1;
  for (size_t i = 0; i < count; i++)
    if (regexec(&re, lines[i], 0, NULL, 0) == 0) found++;
  regfree(&re);
  return found;
}

// right
static char *unique explain_pattern(const char *pattern) {
  regex_t re;
  int status = regcomp(&re, pattern, REG_EXTENDED);
  if (status == 0) {
    regfree(&re);
    return NULL;
  }
  size_t size = regerror(status, &re, NULL, 0);
  char *unique text = malloc(size);
  if (text) regerror(status, &re, text, size);
  return text;
}

// right
static bool grep_stream(FILE *borrowed in, const char *pattern, FILE *borrowed out) {
  regex_t re;
  char *unique line = NULL;
  size_t room = 0;
  bool any = false;
  int status = regcomp(&re, pattern, 0);
  if (status) {
    char why[200];
    regerror(status, &re, why, sizeof why);
    fprintf(stderr, "%s: %s\n", pattern, why);
    return false;
  }
  while (getline(&line, &room, in) > 0) {
    regmatch_t at[1];
    if (regexec(&re, line, 1, at, 0) == REG_NOMATCH) continue;
    fprintf(out, "%d: %s", (int)at[0].rm_so, line);
    any = true;
  }
  free(line);
  regfree(&re);
  return any;
}

// leak: the expression, where no line could be read
static bool first_line_matches(const char *path, const char *pattern) {
  regex_t re;
  char line[512];
  if (regcomp(&re, pattern, REG_NOSUB)) return false;
  FILE *unique in = fopen(path, "r");
  if (!in) return false;
  bool is = fgets(line, sizeof line, in) && regexec(&re, line, 0, NULL, 0) == 0;
  fclose(in);
  regfree(&re);
  return is;
}

// leak: the expression, on every path
static int matches_once(const char *pattern, const char *text) {
  regex_t re;
  if (regcomp(&re, pattern, REG_EXTENDED) != 0) return -1;
  return regexec(&re, text, 0, NULL, 0) == 0;
}

// wrong: the expression is freed twice where nothing matches
static int replace_first(const char *pattern, const char *text, char *borrowed into, size_t size) {
  regex_t re;
  regmatch_t at[1];
  int status = -1;
  if (regcomp(&re, pattern, REG_EXTENDED)) return -1;
  if (regexec(&re, text, 1, at, 0) != 0) {
    regfree(&re);
    goto out;
  }
  snprintf(into, size, "%.*s*%s", (int)at[0].rm_so, text, text + at[0].rm_eo);
  status = 0;
out:
  regfree(&re);
  return status;
}

// wrong: what could not be compiled is freed
static bool is_pattern(const char *pattern) {
  regex_t re;
  bool is = regcomp(&re, pattern, REG_EXTENDED) == 0;
  regfree(&re);
  return is;
}

// right
static bool is_pattern_freed(const char *pattern) {
  regex_t re;
  bool is = regcomp(&re, pattern, REG_EXTENDED) == 0;
  if (is) regfree(&re);
  return is;
}

// wrong: the expression is used after it was freed
static size_t groups_of(const char *pattern, const char *text) {
  regex_t re;
  regmatch_t at[4];
  if (regcomp(&re, pattern, REG_EXTENDED) != 0) return 0;
  int status = regexec(&re, text, 4, at, 0);
  regfree(&re);
  return status == 0 && regexec(&re, text + at[0].rm_eo, 4, at, REG_NOTBOL) == 0 ? 2 : 1;
}

// wrong: freed where it was never compiled
static int scan_file(const char *path, const char *pattern) {
  regex_t re;
  int found = -1;
  char line[256];
  FILE *unique in = fopen(path, "r");
  if (!in) goto out;
  if (regcomp(&re, pattern, 0) != 0) {
    fclose(in);
    return -1;
  }
  for (found = 0; fgets(line, sizeof line, in);)
    found += regexec(&re, line, 0, NULL, 0) == 0;
  fclose(in);
out:
  regfree(&re);
  return found;
}

// right
static int scan_file_flag(const char *path, const char *pattern) {
  regex_t re;
  bool compiled = false;
  int found = -1;
  char line[256];
  FILE *unique in = fopen(path, "r");
  if (!in) goto out;
  if (regcomp(&re, pattern, 0) != 0) goto out;
  compiled = true;
  for (found = 0; fgets(line, sizeof line, in);)
    found += regexec(&re, line, 0, NULL, 0) == 0;
out:
  if (in) fclose(in);
  if (compiled) regfree(&re);
  return found;
}

static bool matches_any(const regex_t *re, char *const *texts) {
  for (; *texts; texts++)
    if (regexec(re, *texts, 0, NULL, 0) == 0) return true;
  return false;
}

// right
static bool any_argument(const char *pattern, char *const *arguments) {
  regex_t re;
  if (regcomp(&re, pattern, REG_ICASE) != 0) return false;
  bool found = matches_any(&re, arguments);
  regfree(&re);
  return found;
}

// leak: the expression that a helper was lent
static bool any_argument_kept(const char *pattern, char *const *arguments) {
  regex_t re;
  if (regcomp(&re, pattern, REG_ICASE) != 0) return false;
  return matches_any(&re, arguments);
}

// leak: each expression but the last
static int count_all(char *const *patterns, const char *text) {
  regex_t re;
  int found = 0;
  bool any = false;
  for (; *patterns; patterns++) {
    if (regcomp(&re, *patterns, REG_NOSUB) != 0) return -1;
    any = true;
    found += regexec(&re, text, 0, NULL, 0) == 0;
  }
  if (any) regfree(&re);
  return found;
}

// right
static int count_each(char *const *patterns, const char *text) {
  int found = 0;
  for (; *patterns; patterns++) {
    regex_t re;
    if (regcomp(&re, *patterns, REG_NOSUB) != 0) continue;
    found += regexec(&re, text, 0, NULL, 0) == 0;
    regfree(&re);
  }
  return found;
}

// right
static off_t size_of_all(const char *pattern) {
  glob_t found;
  off_t sum = 0;
  struct stat about;
  if (glob(pattern, GLOB_TILDE, NULL, &found) != 0) return -1;
  for (size_t i = 0; i < found.gl_pathc; i++)
    if (stat(found.gl_pathv[i], &about) == 0) sum += about.st_size;
  globfree(&found);
  return sum;
}

// right
static int remove_all(const char *const *patterns) {
  glob_t found = {0};
  int flags = 0, removed = 0;
  for (; *patterns; patterns++) {
    glob(*patterns, flags, NULL, &found);
    flags = GLOB_APPEND;
  }
  for (size_t i = 0; i < found.gl_pathc; i++)
    removed += unlink(found.gl_pathv[i]) == 0;
  globfree(&found);
  return removed;
}

// right
static char *unique first_path(const char *pattern) {
  glob_t found;
  char *unique result = NULL;
  switch (glob(pattern, GLOB_NOSORT, NULL, &found)) {
  case 0:
    result = strdup(found.gl_pathv[0]);
    break;
  case GLOB_NOSPACE:
    note(1);
    break;
  default:
    break;
  }
  globfree(&found);
  return result;
}

// leak: the paths, where one is found
static bool has_path(const char *pattern, const char *name) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0) return false;
  for (size_t i = 0; i < found.gl_pathc; i++)
    if (strcmp(found.gl_pathv[i], name) == 0) return true;
  globfree(&found);
  return false;
}

// wrong: a path is used after all were freed
static void show_last(const char *pattern) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0) return;
  const char *last = NULL;
  for (size_t i = 0; i < found.gl_pathc; i++)
    last = found.gl_pathv[i];
  globfree(&found);
  if (last) puts(last);
}

// wrong: the array is read after it was freed
static size_t longest_path(const char *pattern) {
  glob_t found;
  size_t longest = 0;
  if (glob(pattern, 0, NULL, &found) != 0) return 0;
  globfree(&found);
  for (size_t i = 0; i < found.gl_pathc; i++)
    if (strlen(found.gl_pathv[i]) > longest) longest = strlen(found.gl_pathv[i]);
  return longest;
}

// right
static int run_words(const char *command) {
  wordexp_t words;
  int status;
  switch (wordexp(command, &words, WRDE_NOCMD)) {
  case 0:
    break;
  case WRDE_NOSPACE:
    wordfree(&words);
    return -1;
  default:
    return -1;
  }
  pid_t child = fork();
  if (child == 0) {
    execvp(words.we_wordv[0], words.we_wordv);
    _exit(127);
  }
  wordfree(&words);
  return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

// leak: the words, where there is none
static char *unique first_word(const char *text) {
  wordexp_t words;
  if (wordexp(text, &words, WRDE_NOCMD | WRDE_UNDEF) != 0) return NULL;
  if (words.we_wordc == 0) return NULL;
  char *unique copy = strdup(words.we_wordv[0]);
  wordfree(&words);
  return copy;
}

// wrong: the vector is walked after it was freed
static int print_words(const char *text) {
  wordexp_t words;
  if (wordexp(text, &words, 0)) return -1;
  char **each = words.we_wordv;
  int count = (int)words.we_wordc;
  wordfree(&words);
  for (int i = 0; i < count; i++) puts(each[i]);
  return count;
}

// right
static char *unique to_utf8(const char *from, char *text, size_t size) {
  iconv_t conversion = iconv_open("UTF-8", from);
  if (conversion == (iconv_t)-1) return NULL;
  size_t room = 4 * size, left = room;
  char *unique result = malloc(room + 1);
  if (!result) {
    iconv_close(conversion);
    return NULL;
  }
  char *to = result;
  if (iconv(conversion, &text, &size, &to, &left) == (size_t)-1) {
    free(acre_take(&result));
  } else {
    *to = '\0';
  }
  iconv_close(conversion);
  return result;
}

// leak: the conversion, where a character is not known
static ssize_t count_latin1(char *text, size_t size) {
  iconv_t conversion = iconv_open("LATIN1", "UTF-8");
  if (conversion == (iconv_t)-1) return -1;
  char buffer[256], *to = buffer;
  size_t left = sizeof buffer;
  if (iconv(conversion, &text, &size, &to, &left) == (size_t)-1) return -1;
  iconv_close(conversion);
  return to - buffer;
}

// wrong: the conversion is closed twice
static int convert_twice(char *text, size_t size, char *into, size_t room) {
  iconv_t conversion = iconv_open("UTF-16", "UTF-8");
  if (conversion == (iconv_t)-1) return -1;
  int status = 0;
  if (iconv(conversion, &text, &size, &into, &room) == (size_t)-1) {
    status = -errno;
    iconv_close(conversion);
  }
  iconv_close(conversion);
  return status;
}

// wrong: the conversion is used after it was closed
static size_t flush_late(char *text, size_t size, char *into, size_t room) {
  iconv_t conversion = iconv_open("UTF-7", "UTF-8");
  if (conversion == (iconv_t)-1) return 0;
  size_t status = iconv(conversion, &text, &size, &into, &room);
  iconv_close(conversion);
  if (status != (size_t)-1) status = iconv(conversion, NULL, NULL, &into, &room);
  return status;
}

// right
static pid_t spawn_into(const char *path, char *const *arguments, const char *log) {
  posix_spawn_file_actions_t actions;
  pid_t child = -1;
  if (posix_spawn_file_actions_init(&actions) != 0) return -1;
  if (posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT, 0600) != 0 ||
      posix_spawn_file_actions_adddup2(&actions, 1, 2) != 0 ||
      posix_spawnp(&child, path, &actions, NULL, arguments, environ) != 0)
    child = -1;
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

// leak: the actions, where the program cannot be started
static int spawn_quiet(const char *path, char *const *arguments) {
  posix_spawn_file_actions_t actions;
  pid_t child;
  int status;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (posix_spawn(&child, path, &actions, NULL, arguments, environ) != 0) return -1;
  posix_spawn_file_actions_destroy(&actions);
  return waitpid(child, &status, 0) == child ? status : -1;
}

// wrong: an action is added after all were destroyed
static int spawn_late(const char *path, char *const *arguments, int out) {
  posix_spawn_file_actions_t actions;
  pid_t child;
  if (posix_spawn_file_actions_init(&actions)) return -1;
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_destroy(&actions);
  return posix_spawn(&child, path, &actions, NULL, arguments, environ) ? -1 : (int)child;
}
