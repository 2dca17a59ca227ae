// What malloc returned for an object and something behind it was taken for an array, whose slots
// nobody follows: one that was never set was used.  So was one of an object that acre_take had
// taken out of a variable.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct packet {
  size_t length;
  char *unique label;
  unsigned char bytes[];
};
struct entry {
  char *unique value;
  char key[1];
};
char *unique make(void);

void label(struct packet *unique *acre_out into, size_t size) {
  struct packet *unique p = malloc(sizeof *p + size);
  if (!p)
    return;
  free(acre_swap(&p->label, make()));
  // expected-error@-1 {{'p->label' is used before it is surely set}}
  *into = p;
}
struct packet *unique packet_by_offset(size_t size) {
  struct packet *unique p = malloc(offsetof(struct packet, bytes) + size);
  if (p)
    acre_drop(p); // expected-error {{'p->label' is used before it is surely set}}
  return NULL;
}
void dropped_as_taken(void) {
  struct entry *unique e = malloc(sizeof *e);
  if (e)
    acre_drop(acre_take(&e)); // expected-error {{'e->value' is used before it is surely set}}
}
void moved_as_taken(void) {
  struct entry *unique e = malloc(sizeof *e), *unique moved = NULL;
  moved = acre_take(&e);
  if (moved)
    free(acre_take(&moved->value)); // expected-error {{'moved->value' is used before}}
  free(moved);
}
struct packet *unique packet(const void *borrowed bytes, size_t size) {
  struct packet *unique p = malloc(sizeof *p + size);
  if (!p)
    return NULL;
  p->length = size;
  p->label = NULL;
  memcpy(p->bytes, bytes, size);
  return p;
}
struct entry *unique entry(const char *borrowed key) {
  struct entry *unique e = malloc(strlen(key) + sizeof *e);
  if (!e)
    return NULL;
  free(acre_take(&e->value)); // expected-error {{'e->value' is used before it is surely set}}
  e->value = make();
  strcpy(e->key, key);
  return e;
}
struct entry *unique entries(size_t count) {
  struct entry *unique e = malloc(count * sizeof *e);
  for (size_t i = 0; e && i != count; ++i)
    e[i].value = NULL;
  return e;
}
