// A static function that ends the program on all its paths and does not say so was taken to return:
// what stands behind a call of it was reported.  Over longjmp owners were lost in silence.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

char *unique make(void);
void use(const char *borrowed text);
int cond(void);
static jmp_buf start;

static void die(const char *why) {
  fputs(why, stderr);
  if (cond())
    abort();
  exit(1);
}
static void die_by_another(void) { die("another"); }
static void warns(const char *why) {
  fputs(why, stderr);
  if (cond())
    exit(1);
}
static void back(void) { longjmp(start, 1); }

void ends(void) {
  char *unique p = make();
  if (cond()) {
    free(p);
    die("here");
  }
  use(p);
  if (cond())
    die_by_another(); // what the program has goes with it
  free(p);
}
void goes_on(void) {
  char *unique p = make();
  if (cond()) {
    free(p); // expected-note {{consumed here}}
    warns("here");
  }
  use(p); // expected-error {{'p' is used after it was consumed on some path}}
}
void jumps(void) {
  char *unique p = make();
  if (cond())
    longjmp(start, 1); // expected-warning {{'p' may be lost where the program jumps back}}
  if (cond())
    back(); // expected-warning {{'p' may be lost where the program jumps back}}
  free(p);
  back();
}
void jumps_here(void) {
  char *unique volatile p = make();
  if (!setjmp(start))
    longjmp(start, 1);
  free(p);
}
