// A function of the C library that is given no pointer was taken for one of the program, which may
// free what hangs on a global variable: walking a list while closing descriptors was an error.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/own.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

struct client {
  struct client *unique next;
  char *unique name;
  int fd;
};
static struct client *unique clients;
int extern_call(int);

void close_all(void) {
  for (struct client *c = clients; c; c = c->next) {
    if (close(c->fd) < 0 && errno == EINTR)
      sleep(1);
    if (isspace(c->name[0]) || toupper(c->name[0]) == 'A' || abs(c->fd) > sqrt(2.0))
      c->fd = dup(c->fd);
  }
}
static void client_end(struct client *unique c) {
  if (!c)
    return;
  close(c->fd);
  free(acre_take(&c->name));
  acre_drop(acre_take(&c->next));
  free(c);
}
// What a function frees of its own is nowhere else.
void end_idle(void) {
  struct client *unique *p = &clients;
  while (*p) {
    if ((*p)->fd < 0) {
      struct client *unique dead = acre_take(p);
      *p = acre_take(&dead->next);
      client_end(dead);
    } else {
      p = &(*p)->next;
    }
  }
}
void unknown(void) {
  for (struct client *c = clients; c; c = c->next) // expected-error {{'c' is used after}}
    extern_call(c->fd); // expected-note {{lost here}}
}
