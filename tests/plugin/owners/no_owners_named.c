// Functions that name no owner, and that matter to owners all the same; functions of the C library,
// one of each kind.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify \
// RUN:   -Xclang -verify-ignore-unexpected=note %s
#define _GNU_SOURCE
#include <acre/own.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

struct holder {
  char *unique text;
};
struct view {
  const char *first;
};
void take(char *unique p);
void two(int first, int second);
int eat(char *unique p);
void see_address(char **p);

void result_dropped(char *unique (*make)(void)) {
  make(); // expected-warning {{the result is unique and is dropped}}
}
void passed_by_pointer(void (*taker)(char *unique), char *p) {
  taker(p); // expected-error {{a plain pointer cannot become unique}}
}
void passed(char *p) {
  take(p); // expected-error {{a plain pointer cannot become unique}}
}
void put_in_a_structure(char *p) {
  struct holder h = {p}; // expected-error {{a plain pointer cannot become unique}}
  (void)h.text;
}
void put_in_a_structure_unread(char *p) {
  struct holder h = {p}; // expected-error {{a plain pointer cannot become unique}}
  (void)&h;
}
void keeps_by_address(char *p) { // expected-note {{the parameter is declared here}}
  char *q = NULL;
  see_address(&q);
  q = p;
}
void keeps_in_a_list(char *p) { // expected-note {{the parameter is declared here}}
  struct view v = {p};
  (void)v;
}
void separates(char *p) {
  while (strsep(&p, ","))
    ;
}
void lent(char *unique p) {
  keeps_by_address(p);
  // expected-error@-1 {{'p' is lent to 'keeps_by_address', which is not known to give it back}}
  keeps_in_a_list(p);
  // expected-error@-1 {{'p' is lent to 'keeps_in_a_list', which is not known to give it back}}
  separates(p);
  free(p);
}

static char *last_of_a_block(char *p) {
  return ({
    puts("given back");
    p;
  });
}
void used_after_a_block(char *unique p) {
  char *q = last_of_a_block(p);
  free(p); // expected-note {{lost here}}
  puts(q); // expected-error {{'q' is used after 'p'}}
}

// -- Values that are consumed in parts of expressions ---------------------------------------------

void selected(char *unique p) {
  two(*p, eat(_Generic(1, int: p, default: NULL)));
  // expected-error@-1 {{'p' is used and consumed}}
  // expected-note@-2 {{consumed here}}
}
void chosen(char *unique p) {
  two(*p, eat(__builtin_choose_expr(1, p, NULL)));
  // expected-error@-1 {{'p' is used and consumed}}
  // expected-note@-2 {{consumed here}}
}

// -- The C library --------------------------------------------------------------------------------

static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
char *looked_for(char *unique p, wchar_t *unique w, char *given) {
  char *found = bsearch("x", p, 10, 1, compare);
  found = memchr(p, 'x', 10);
  found = memcpy(p, given, 4);
  found = getcwd(p, 10);
  wchar_t *wide = wmemset(w, 'x', 2);
  wide = wmemchr(w, 'x', 2);
  int first = *wide + *found;
  free(w);
  free(p); // expected-note {{lost here}}
  return *found + first ? given : NULL; // expected-error {{'found' is used after 'p'}}
}
void searched(char *unique p) {
  char *found = bsearch("x", p, 10, 1, compare);
  free(p);     // expected-note {{lost here}}
  puts(found); // expected-error {{'found' is used after 'p'}}
}
void copied(char *unique p, char *given) {
  char *start = memcpy(p, given, 4);
  free(p);     // expected-note {{lost here}}
  puts(start); // expected-error {{'start' is used after 'p'}}
}
void wide(wchar_t *unique p) {
  wchar_t *found = wmemchr(p, 'x', 3);
  free(p);            // expected-note {{lost here}}
  putwchar(*found);   // expected-error {{'found' is used after 'p'}}
}
void directory(char *unique p) {
  char *name = getcwd(p, 10);
  free(p);    // expected-note {{lost here}}
  puts(name); // expected-error {{'name' is used after 'p'}}
}
void broken_down(struct tm *unique p, const time_t *now) {
  struct tm *parts = localtime_r(now, p);
  (void)parts;
  free(p);
}
void only_looked_at(char *unique p, wchar_t *unique w, struct stat *unique s,
                    struct iovec *unique v, time_t *unique t, struct pollfd *unique a) {
  (void)(strlen(p) + strcspn(p, "x") + wcslen(w));
  printf("%s", p);
  vsnprintf(p, 4, "x", (__builtin_va_list){0});
  puts(p);
  (void)write(1, p, 1);
  stat("x", s);
  remove(p);
  setenv(p, p, 1);
  poll(a, 1, 0);
  readv(0, v, 1);
  time(t);
  system(p);
  mbstowcs(w, p, 1);
  __builtin_prefetch(p);
  free(p);
  free(w);
  free(s);
  free(v);
  free(t);
  free(a);
}
void grown(char *unique p, size_t count) {
  char *unique q = reallocarray(p, count, 2);
  if (!q) {
    free(p);
    return;
  }
  free(q);
}
