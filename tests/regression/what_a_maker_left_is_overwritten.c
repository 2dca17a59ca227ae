// What a function of the same file left in the fields of the object that it returns was overwritten
// without a word.
// RUN: %acre-cc -fsyntax-only -Xclang -verify=leak %s
// RUN: %acre-cc -fsyntax-only -Werror -DRIGHT %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct settings {
  char *unique home;
  char *unique shell;
  struct settings *unique next;
};

static struct settings *unique make(const char *home, struct settings *unique next) {
  struct settings *unique s = calloc(1, sizeof *s);
  if (!s)
    abort();
  s->home = strdup(home);
  s->next = next;
  return s;
}

static void end(struct settings *unique s) {
  while (s) {
    struct settings *unique next = acre_take(&s->next);
    free(acre_take(&s->home));
    free(acre_take(&s->shell));
    free(s);
    s = acre_take(&next);
  }
}

#ifndef RIGHT
void wrong_field(const char *home, struct settings *unique list) {
  struct settings *unique s = make(home, list);
  s->home = strdup("/"); // leak-warning {{'s->home' may be overwritten}}
  end(s);
}

void wrong_list(struct settings *unique list, struct settings *unique other) {
  struct settings *unique s = make("/", list);
  s->next = other; // leak-warning {{'s->next' may be overwritten}}
  end(s);
}
#else
void right_field(const char *home, struct settings *unique list) {
  struct settings *unique s = make(home, list);
  free(acre_swap(&s->home, strdup("/")));
  s->shell = strdup("sh"); // The maker left null.
  end(s);
}

void right_list(struct settings *unique other) {
  struct settings *unique s = make("/", NULL);
  s->next = other; // The maker was given null for it.
  end(s);
}
#endif
