// What the C library opens in a local variable, ended as it should be; and variables that go where
// nobody follows them, of which nothing is said.
// RUN: %frontend -fsyntax-only -Werror %s
#include <acre/own.h>
#include <glob.h>
#include <iconv.h>
#include <regex.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

void unasked(const char *text) { // whether it has failed
  regex_t re;
  regcomp(&re, "^[0-9]+$", REG_EXTENDED);
  if (regexec(&re, text, 0, NULL, 0) == 0)
    puts(text);
  regfree(&re);
}
bool by_a_flag(const char *pattern, const char *text) {
  regex_t re;
  bool done = regcomp(&re, pattern, 0) == 0;
  bool found = done && regexec(&re, text, 0, NULL, 0) == 0;
  if (done)
    regfree(&re);
  return found;
}
void by_its_result(const char *pattern) {
  regex_t re;
  char why[100];
  int status = regcomp(&re, pattern, 0);
  regerror(status, &re, why, sizeof why);
  if (status == 0)
    regfree(&re);
  else
    puts(why);
}
void each_in_turn(const char *const *patterns) {
  regex_t re;
  for (; *patterns; patterns++)
    if (regcomp(&re, *patterns, 0) == 0)
      regfree(&re);
}
void added(const char *const *patterns, int flags) {
  glob_t found = {0};
  for (; *patterns; patterns++, flags |= GLOB_APPEND)
    glob(*patterns, flags, NULL, &found);
  for (char **each = found.gl_pathv; each && *each; each++)
    puts(*each);
  globfree(&found);
}
int by_a_switch(const char *text) {
  wordexp_t words;
  switch (wordexp(text, &words, 0)) {
  case 0:
    break;
  case WRDE_NOSPACE:
    wordfree(&words);
    return -1;
  default:
    return -1;
  }
  int count = (int)words.we_wordc;
  wordfree(&words);
  return count;
}
void in_time(const char *pattern) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found))
    return;
  char *unique first = strdup(found.gl_pathv[0]);
  globfree(&found);
  if (first)
    puts(first);
  free(first);
}
void handle(bool wanted, char *text, size_t size, char *into, size_t room) {
  iconv_t to = (iconv_t)-1;
  if (wanted)
    to = iconv_open("UTF-8", "LATIN1");
  if (to == (iconv_t)-1)
    return;
  iconv(to, &text, &size, &into, &room);
  iconv_close(to);
}

static void show(const regex_t *re, const char *text) {
  if (regexec(re, text, 0, NULL, 0) == 0)
    puts(text);
}
static bool is(regex_t *re, const char *text) { return regexec(re, text, 0, NULL, 0) == 0; }
void lent(const char *pattern, const char *text) {
  regex_t re;
  if (regcomp(&re, pattern, 0))
    return;
  show(&re, text);
  if (is(&re, text))
    puts(text);
  regfree(&re);
}

// Not followed: they go where somebody else may end them.
static bool compile(regex_t *re, const char *pattern) { return regcomp(re, pattern, 0) == 0; }
static void finish(regex_t *re) { regfree(re); }
void by_others(const char *pattern) {
  regex_t re;
  if (compile(&re, pattern))
    finish(&re);
}
iconv_t given(void) {
  iconv_t to = iconv_open("UTF-8", "LATIN1");
  return to;
}
struct matcher {
  regex_t re;
};
bool member(struct matcher *m, const char *pattern) { return regcomp(&m->re, pattern, 0) == 0; }

// Members of local structures are followed as variables are.
struct search {
  struct {
    regex_t re;
    int flags;
  } by;
  glob_t files;
  iconv_t to;
  int hits;
};
static void count(struct search *s, const char *text) {
  s->hits += regexec(&s->by.re, text, 0, NULL, 0) == 0;
}
static void look_at(const struct search *s) { puts(s->hits ? "some" : "none"); }
int in_members(const char *pattern, const char *text) {
  struct search s = {.hits = 0};
  if (regcomp(&s.by.re, pattern, s.by.flags))
    return -1;
  if (glob(pattern, 0, NULL, &s.files) == 0) {
    puts(s.files.gl_pathv[0]);
    globfree(&s.files);
  }
  count(&s, text);
  look_at(&s);
  regfree(&s.by.re);
  return s.hits;
}
int cleared_first(const char *pattern) {
  struct search s;
  memset(&s, 0, sizeof s);
  if ((s.to = iconv_open("UTF-8", "LATIN1")) == (iconv_t)-1)
    return -1;
  s.hits = regcomp(&s.by.re, pattern, 0);
  if (s.hits == 0)
    regfree(&s.by.re);
  return iconv_close(s.to);
}
static void finish_search(struct search *s) { regfree(&s->by.re); }
void ended_by_others(const char *pattern) {
  struct search s;
  if (regcomp(&s.by.re, pattern, 0) == 0)
    finish_search(&s);
}
void named_otherwise(const char *pattern) {
  struct search s;
  regex_t *kept = &s.by.re;
  if (regcomp(&s.by.re, pattern, 0) == 0)
    regfree(kept);
}
struct search given_away(const char *pattern) {
  struct search s = {.hits = 0};
  s.hits = regcomp(&s.by.re, pattern, 0);
  return s;
}
