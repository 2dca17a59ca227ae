// Streams, directories and lists of addresses could not be owned; they are, and only their own
// functions end them.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <dirent.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>

struct log {
  FILE *unique out; // expected-warning {{is dropped: it is closed, not freed}}
};

void stream_freed(const char *name) {
  FILE *unique f = fopen(name, "r");
  free(f); // expected-error {{FILE is ended by fclose, not by this}}
}
void stream_taken(struct log *borrowed l) {
  free(acre_take(&l->out)); // expected-error {{FILE is ended by fclose}}
  if (l->out)
    fclose(acre_take(&l->out));
}
void stream_dropped(FILE *unique f) {
  acre_drop(f); // expected-error {{is ended by fclose}}
}
void directory_twice(const char *name) {
  DIR *unique d = opendir(name);
  if (!d)
    return;
  closedir(d);
  closedir(d); // expected-error {{'d' is used after it was consumed}}
}
void addresses_lost(const char *host) {
  struct addrinfo *unique list;
  if (getaddrinfo(host, "80", NULL, &list) != 0)
    return;
} // expected-warning {{'list' may be lost}}
void log_dropped(struct log *unique l) { acre_drop(l); }

int closed(const char *name) {
  FILE *unique f = fopen(name, "r");
  if (!f)
    return -1;
  int c = getc(f);
  fclose(f);
  return c;
}
int addresses(const char *host) {
  struct addrinfo *unique list;
  if (getaddrinfo(host, "80", NULL, &list) != 0)
    return -1;
  int family = list->ai_family;
  freeaddrinfo(list);
  return family;
}
void log_end(struct log *unique l) {
  if (l->out)
    fclose(acre_take(&l->out));
  free(l);
}
