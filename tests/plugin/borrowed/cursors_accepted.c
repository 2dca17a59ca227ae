// Local pointers that functions move by their address: strsep(&p, ","), strtol(p, &p, 10),
// skip(&p); a transparent union. The rejected twins are in cursors_rejected.c.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
// expected-no-diagnostics
#define _GNU_SOURCE
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <ctype.h>
static void skip(const char **at) { while (**at == ' ') ++*at; }
static long number(const char **at) {
  skip(at);
  long v = 0;
  for (; isdigit((unsigned char)**at); ++*at) v = v * 10 + (**at - '0');
  return v;
}
static char *word(char **at) {
  char *s = *at;
  while (*s && *s != ' ') s++;
  if (*s) *s++ = 0;
  char *r = *at;
  *at = s;
  return r;
}
static int parse_int(const char **s, int *out) {
  char *end = NULL;
  long v = strtol(*s, &end, 10);
  if (end == *s) return 0;
  *s = end;
  *out = (int)v;
  return 1;
}
static int count(char *text) {
  int n = 0;
  while (strsep(&text, ",")) n++;
  return n;
}
static long sum(const char *text) {
  long s = 0;
  while (*text) { s += number(&text); skip(&text); if (*text == '+') text++; else break; } return s;
}
static long tok(char *text) {
  char *save;
  long s = 0;
  for (char *t = strtok_r(text, " ", &save); t; t = strtok_r(NULL, " ", &save)) s += strlen(t);
  return s;
}
static long nums(const char *p) {
  long s = 0;
  while (*p) { char *end; s += strtol(p, &end, 10); if (p == end) break; p = end; } return s;
}
static long nums2(char *p) {
  long s = 0;
  while (*p) { char *b = p; s += strtol(p, &p, 10); if (b == p) break; } return s;
}
static int expr(const char **p);
static int fact(const char **p) {
  skip(p);
  if (**p == '(') { ++*p; int v = expr(p); if (**p == ')') ++*p; return v; } return (int)number(p);
}
static int expr(const char **p) {
  int v = fact(p);
  skip(p);
  while (**p == '+') { ++*p; v += fact(p); skip(p);} return v;
}
static int evals(const char *text) { return expr(&text); }
static long number_in_place(char **at) { return strtol(*at, at, 10); }
static int bound(struct sockaddr *a) { return bind(-1, a, 0); }
int again_in_each_turn(int count, struct sockaddr *unique a) {
  int parts = bound(a);
  free(a);
  while (count-- > 0) {
    char *unique line = strdup("1 2");
    char *rest, *p = line;
    parts += strtok_r(line, " ", &rest) != NULL;
    parts += number_in_place(&p) == 1;
    free(line);
  }
  return parts;
}
int main(void) {
  char *unique line = strdup(" 12 + 30,ab cd,(1+2)");
  const char *c = line;
  long n = number(&c);
  skip(&c);
  printf("%ld %c\n", n, *c);
  int o = 0;
  printf("%d\n", parse_int(&c, &o));
  printf("%ld\n", sum(line));
  printf("%ld\n", nums(line));
  printf("%ld\n", nums2(line));
  printf("%d\n", evals(line));
  char *p = line;
  char *w = strsep(&p, ",");
  printf("%s\n", w);
  while ((w = strsep(&p, ",")))
    printf("%s\n", w);
  printf("%d\n", count(line));
  free(line);
  line = strdup("a bc def");
  char *q = line;
  while (*q) printf("%s\n", word(&q));
  free(line);
  line = strdup("a bc def");
  printf("%ld\n", tok(line));
  free(line);
  char *save;
  line = strdup("a bc def");
  for (char *t = strtok_r(line, " ", &save); t; t = strtok_r(NULL, " ", &save)) puts(t);
  free(line);
  struct sockaddr *unique a = calloc(1, sizeof *a);
  if (bind(-1, a, 0)) puts("no");
  socklen_t len = 0;
  accept(-1, a, &len);
  free(a);
}
