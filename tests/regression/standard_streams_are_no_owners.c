// stdin and its like could be in no variable that owns a stream, so the commonest choice of an
// input was rejected.  Nobody has to close them, and it is no mistake to do so.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdio.h>

int reads(const char *name) {
  FILE *unique in = stdin;
  if (name)
    in = fopen(name, "r");
  if (!in)
    return -1;
  int c = getc(in);
  if (in != stdin)
    fclose(in);
  return c;
}
int chooses(const char *name) {
  FILE *unique in = name ? fopen(name, "r") : stdin;
  if (!in)
    return -1;
  int c = getc(in);
  fclose(in);
  return c;
}
int loses(const char *name) {
  FILE *unique in = name ? fopen(name, "r") : stdin;
  if (!in)
    return -1;
  return getc(in); // expected-warning {{'in' may be lost at the end of its scope}}
}
int closes_another(const char *name) {
  FILE *unique out = name ? fopen(name, "w") : stdout;
  if (!out)
    return -1;
  if (out != stderr)
    fclose(out); // expected-note {{consumed here}}
  return fputc('a', out); // expected-error {{'out' is used after it was consumed}}
}
void never_null(void) {
  FILE *unique out = stdout;
  if (!out)
    return;
  fclose(out);  // expected-note {{consumed here}}
  fflush(out); // expected-error {{'out' is used after it was consumed}}
}
