// What fread and its kin put over unique pointers was taken for owners, and memset with another
// byte than zero made pointers up.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct entry {
  int number;
  char *unique name;
  int size;
};
struct table {
  struct entry entries[4];
};

void from_a_file(struct entry *borrowed e, FILE *in) {
  fread(e, sizeof *e, 1, in); // expected-error {{bytes that are no pointers are put over}}
  fread(&e->number, sizeof e->number, 1, in);
  fread(e, offsetof(struct entry, name), 1, in);
}
void from_a_descriptor(struct table *borrowed t, int fd) {
  read(fd, t, sizeof *t); // expected-error {{bytes that are no pointers}}
  read(fd, (char *)t + 8, 8); // expected-error {{bytes that are no pointers}}
  read(fd, (char *)t + offsetof(struct entry, size), sizeof(int));
}
void filled(struct entry *borrowed e) {
  memset(e, 0xff, sizeof *e); // expected-error {{bytes that are no pointers}}
  free(acre_take(&e->name));
  memset(e, 0, sizeof *e);
}

static void fill(int fd, void *buffer, size_t size);
void by_a_helper(struct entry *borrowed e, int fd) {
  fill(fd, e, sizeof *e); // expected-error {{bytes that are no pointers}}
  fill(fd, &e->size, sizeof e->size);
}
static void fill(int fd, void *buffer, size_t size) {
  char *at = buffer;
  while (size-- > 0)
    read(fd, at++, 1);
}
void cleared(void) {
  struct entry e = {.name = strdup("")};
  memset(&e, 0, sizeof e); // expected-warning {{'e.name' may be overwritten}}
  e.name = strdup("");
  free(acre_take(&e.name));
  memset(&e, 0, sizeof e);
}
