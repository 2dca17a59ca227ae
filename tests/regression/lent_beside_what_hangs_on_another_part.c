// A part of an object was not lent beside what hangs on another part of it.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stddef.h>

struct buffer {
  char *unique data;
  size_t used;
};
struct connection {
  struct buffer in, out;
  struct connection *peer;
};
struct pipe {
  struct buffer in, out;
};
int append(struct buffer *borrowed to, const char *borrowed bytes, size_t size);
int change(struct pipe *borrowed p, const char *borrowed bytes);

int echo(struct pipe *borrowed p) { return append(&p->out, p->in.data, p->in.used); }
int echo_held(struct connection *borrowed c) {
  const char *start = c->in.data;
  append(&c->out, start, c->in.used);
  return start ? start[0] : 0;
}
int twice(struct pipe *borrowed p) {
  return append(&p->in, p->in.data, p->in.used); // expected-error {{lent by another argument}}
}
int whole(struct pipe *borrowed p) {
  return change(p, p->in.data); // expected-error {{lent by another argument}}
}
