// free(p) in a function whose parameter is void *unique loses what the object's fields own, as it
// does where it stands itself; nothing was said.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct box {
  char *unique name;
};

static void end(void *unique p) {
  if (p)
    free(p);
}
void end_wiped(void *unique p, size_t size) {
  memset(p, 0, size);
  end(p);
}
static void end_all(void *unique p) {
  struct box *unique b = p;
  acre_drop(b);
}

void loses(struct box *unique one, struct box *unique other) {
  end(one); // expected-warning {{'one' is freed with what 'one->name' may own}}
  end_wiped(other, sizeof *other); // expected-warning {{is freed with what 'other->name' may own}}
}
void frees(struct box *unique one, struct box *unique other) {
  free(acre_take(&one->name));
  end(one);
  end_all(other);
}
