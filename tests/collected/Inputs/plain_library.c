/* A library that acre-cc does not compile: it keeps, frees and resizes what it is given. */
#include <stdlib.h>
#include <string.h>

struct kept {
  void *object;
  struct kept *next;
};
static struct kept *all;

void library_keep(void *object) {
  struct kept *k = malloc(sizeof *k);
  k->object = object;
  k->next = all;
  all = k;
}
void *library_take(void) {
  struct kept *k = all;
  void *object = k->object;
  all = k->next;
  free(k);
  return object;
}
void library_link(void **slot, void *object) { *slot = object; }
void library_free(void *p) { free(p); }
void *library_resize(void *p, size_t size) { return realloc(p, size); }
char *library_text(void) { return strdup("of the library"); }
