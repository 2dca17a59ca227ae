// What popen had opened could be given to fclose, which leaves the command behind, and a stream of
// wide characters had no owner.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int closed_as_a_file(const char *command) {
  FILE *unique p = popen(command, "r");
  if (!p)
    return -1;
  return fclose(p); // expected-error {{what popen made is ended by pclose, not by this}}
}
int closed_as_a_command(const char *name) {
  FILE *unique f = fopen(name, "r");
  if (!f)
    return -1;
  return pclose(f); // expected-error {{what fopen made is ended by fclose, not by this}}
}
int moved(const char *command) {
  FILE *unique p = popen(command, "r"), *unique q = p;
  if (!q)
    return -1;
  return fclose(q); // expected-error {{what popen made is ended by pclose}}
}
int on_one_path(const char *what) {
  FILE *unique f;
  if (*what == '|')
    f = popen(what + 1, "r");
  else
    f = fopen(what, "r");
  if (!f)
    return -1;
  return fclose(f); // expected-error {{what popen made is ended by pclose}}
}

int right(const char *command, const char *name) {
  FILE *unique p = popen(command, "r"), *unique f = fopen(name, "r");
  if (p)
    pclose(p);
  p = NULL;
  return f ? fclose(f) : -1;
}
int chosen(const char *what) {
  const int is_command = *what == '|';
  FILE *unique f = is_command ? popen(what + 1, "r") : fopen(what, "r");
  if (!f)
    return -1;
  return is_command ? pclose(f) : fclose(f);
}

wchar_t *unique wide(void) {
  wchar_t *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_wmemstream(&text, &size);
  if (!out)
    return NULL;
  fputws(L"text", out);
  fclose(out);
  return text;
}
void wide_freed_early(void) {
  wchar_t *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_wmemstream(&text, &size);
  if (!out)
    return;
  free(text); // expected-error {{'text' is used before it is initialized}}
  fclose(out);
} // expected-warning {{'text' may be lost}}
