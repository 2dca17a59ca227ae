// What a flag tells was forgotten where it had become more precise on both of two ways: behind a
// loop that counts, an owner that the flag speaks of drew the warning that it is lost.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

bool cond(void);
char *unique make(void);

int counted(const char *path) {
  char *unique text;
  bool made = false;
  int found = -1;
  FILE *unique in = fopen(path, "r");
  if (!in)
    goto out;
  text = make();
  if (!text)
    goto out;
  made = true;
  for (found = 0; cond();)
    found += 1;
out:
  if (in)
    fclose(in);
  if (made)
    free(text);
  return found;
}
int counted_and_lost(const char *path) {
  char *unique text = NULL;
  bool made = false;
  int found = -1;
  FILE *unique in = fopen(path, "r");
  if (!in)
    goto out;
  text = make();
  for (found = 0; cond();)
    found += 1;
  made = found > 3;
out:
  if (in)
    fclose(in);
  if (made)
    free(text);
  return found; // expected-warning {{'text' may be lost}}
} // expected-note@-2 {{consumed here on another path}}
