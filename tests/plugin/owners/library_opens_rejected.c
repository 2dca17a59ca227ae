// What the C library opens in a local variable is ended on each path, once, and not used after it.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify %s
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

int lost_on_a_path(const char *pattern, const char *text) {
  regex_t re;
  if (regcomp(&re, pattern, REG_EXTENDED) != 0) // expected-note {{it is opened here}}
    return -1;
  if (regexec(&re, text, 0, NULL, 0) != 0)
    return 0; // expected-warning {{'re' is lost at the end of its scope}}
  regfree(&re);
  return 1;
}
void opened_again(const char *const *patterns) {
  regex_t re;
  for (; *patterns; patterns++)
    // expected-warning@+2 {{'re' may be overwritten}}
    // expected-note@+1 {{it is opened here}}
    if (regcomp(&re, *patterns, 0) == 0)
      puts(*patterns);
} // expected-warning {{'re' may be lost at the end of its scope}} expected-note@-2 {{opened here}}
void freed_twice(const char *pattern, bool early) {
  regex_t re;
  if (regcomp(&re, pattern, 0))
    return;
  if (early)
    regfree(&re); // expected-note {{consumed here}}
  regfree(&re);   // expected-error {{'re' is used after it was consumed on some path}}
}
void used_late(const char *pattern, const char *text) {
  regex_t re;
  if (regcomp(&re, pattern, 0))
    return;
  regfree(&re);                     // expected-note {{consumed here}}
  regexec(&re, text, 0, NULL, 0); // expected-error {{'re' is used after it was consumed}}
}
void failed(const char *pattern) {
  regex_t re;
  if (regcomp(&re, pattern, 0)) // expected-note {{this may fail}}
    puts("bad");
  regfree(&re); // expected-error {{'re' is used, but the call that was to open it may have failed}}
}
void never_opened(const char *pattern) {
  regex_t re; // expected-note {{declared here without a value}}
  if (*pattern && regcomp(&re, pattern, 0))
    return;
  regfree(&re); // expected-error {{'re' is used before it is surely initialized}}
}
const char *path_late(const char *pattern) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found))
    return NULL;
  const char *first = found.gl_pathv[0];
  globfree(&found); // expected-note {{lost here}}
  puts(first);      // expected-error {{'first' is used after 'found', which it was borrowed from}}
  return NULL;
}
void vector_late(const char *text) {
  wordexp_t words;
  if (wordexp(text, &words, WRDE_NOCMD))
    return;
  wordfree(&words);         // expected-note {{consumed here}}
  puts(words.we_wordv[0]); // expected-error {{'words' is used after it was consumed}}
}
void path_freed(const char *pattern) {
  glob_t found; // expected-note {{'found', which it is in, is declared here}}
  if (glob(pattern, 0, NULL, &found))
    return;
  free(found.gl_pathv[0]); // expected-error {{what is in 'found' belongs to the C library}}
  globfree(&found);
}
int handle_lost(char *text, size_t size, char *into, size_t room) {
  iconv_t to = iconv_open("UTF-8", "LATIN1"); // expected-note {{it is opened here}}
  if (to == (iconv_t)-1)
    return -1;
  if (iconv(to, &text, &size, &into, &room) == (size_t)-1)
    return -1; // expected-warning {{'to' is lost at the end of its scope}}
  return iconv_close(to);
}
void actions_late(const char *path, char **arguments, pid_t *child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_destroy(&actions); // expected-note {{consumed here}}
  // expected-error@+1 {{'actions' is used after it was consumed}}
  posix_spawn(child, path, &actions, NULL, arguments, arguments);
}

struct search {
  regex_t re;
  iconv_t to;
  int hits;
};
static void look_at(const struct search *s) { puts(s->hits ? "some" : "none"); }
int member_lost(const char *pattern, const char *text) {
  struct search s = {.hits = 0};
  if (regcomp(&s.re, pattern, 0)) // expected-note {{it is opened here}}
    return -1;
  s.hits = regexec(&s.re, text, 0, NULL, 0) == 0;
  look_at(&s);
  return s.hits; // expected-warning {{'re' is lost at the end of its scope}}
}
int member_late(const char *pattern, const char *text) {
  struct search s = {.hits = 0};
  if (regcomp(&s.re, pattern, 0))
    return -1;
  regfree(&s.re); // expected-note {{consumed here}}
  // expected-error@+1 {{'re' is used after it was consumed}}
  return regexec(&s.re, text, 0, NULL, 0) == 0;
}
void member_twice(const char *pattern) {
  struct search s;
  if (regcomp(&s.re, pattern, 0)) // expected-note {{it is opened here}}
    return;
  if (regcomp(&s.re, pattern, REG_NOSUB)) // expected-warning {{'re' is overwritten}}
    return;
  regfree(&s.re);
}
void handle_in_member(void) {
  struct search s;
  s.to = iconv_open("UTF-8", "LATIN1"); // expected-note {{it is opened here}}
  look_at(&s);
} // expected-warning {{'to' may be lost at the end of its scope}}
void cleared_over(const char *pattern) {
  struct search s;
  if (regcomp(&s.re, pattern, 0))
    return;
  s = (struct search){.hits = 1}; // expected-warning {{'re' is overwritten}}
}
