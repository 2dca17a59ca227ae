// Copies of structs took the padding behind a small member for a pointer if a stale one lay there,
// and refused deletes.
// RUN: %each_level -o %t %s
// RUN: %each_level -o %t %s -- -fno-strict-aliasing
// RUN: %each_level -o %t %s -- -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -Wno-error -w
#include "../end_to_end/Inputs/check.h"

struct item {
  char *name;
  unsigned char flag; // and seven bytes of padding
  struct item *next;
};
struct small {
  int number;
  char flag; // and three bytes of padding
};
struct nested {
  struct item items[3];
  union {
    struct item *item;
    char *text;
  };
  char tag[3]; // and five bytes of padding
};
struct large {
  long numbers[40];
  struct nested parts[2];
  char last;
};
struct annotated {
  struct annotated *traditional next;
  char flag;
  node *pointer;
};
struct __attribute__((packed, aligned(8))) packed {
  int number;
  node *pointer;
  char flag; // and three bytes of padding
};

/* Fills size bytes at address with a stale pointer, of which the first byte is null. */
NOINLINE static void stale(void *address, size_t size, const char *pointer) {
  uintptr_t word = ((uintptr_t)pointer + 511) & ~(uintptr_t)255;
  for (size_t at = 0; at < size; at++)
    ((char *)address)[at] = ((char *)&word)[at % sizeof word];
}
NOINLINE static void set_item(struct item *item, char *name) {
  item->name = name;
  item->flag = 0;
  item->next = NULL;
}
NOINLINE static void set_nested(struct nested *nested, char *name) {
  for (int i = 0; i < 3; i++)
    set_item(&nested->items[i], name);
  nested->text = NULL;
  nested->tag[0] = nested->tag[1] = nested->tag[2] = 0;
}

static struct item item, items[2], *many;
static struct small small, smalls[2];
static struct nested nested;
static struct large large;
static struct annotated annotated;
static struct packed packed;

NOINLINE static struct item by_value(struct item given) { return given; }

NOINLINE static void copy_items(char *base, char *name, size_t count) {
  struct item from[2];
  stale(from, sizeof from, base);
  set_item(&from[0], name);
  set_item(&from[1], name);
  struct item *source = opaque(from);
  item = *source;
  items[0] = by_value(*source);
  memcpy(&items[1], source, sizeof *source);
  memcpy(many, source, count * sizeof *source);
  memmove(&many[2], source, sizeof from);
}

NOINLINE static void copy_others(char *base, char *name) {
  struct small from[2];
  stale(from, sizeof from, base);
  for (int i = 0; i < 2; i++)
    from[i].number = 0, from[i].flag = 0;
  struct small *source = opaque(from);
  small = *source;
  memcpy(smalls, source, 2 * sizeof *source);
  struct large other;
  stale(&other, sizeof other, base);
  memset(other.numbers, 0, sizeof other.numbers);
  set_nested(&other.parts[0], name);
  set_nested(&other.parts[1], name);
  other.last = 0;
  struct large *more = opaque(&other);
  nested = more->parts[1];
  large = *more;
}

NOINLINE static void copy_annotated(char *base, node *pointer) {
  struct annotated from;
  stale(&from, sizeof from, base);
  from.next = NULL;
  from.flag = 0;
  from.pointer = pointer;
  annotated = *(struct annotated *)opaque(&from);
  struct packed other;
  stale(&other, sizeof other, base);
  other.number = 0;
  other.pointer = pointer;
  other.flag = 0;
  packed = *(struct packed *)opaque(&other);
}

int main(void) {
  region r = newregion(), keep = newregion(), nodes = newregion();
  char *base = rstralloc(r, 4096), *name = rstrdup(keep, "name");
  many = calloc(4, sizeof *many);
  copy_items(base, name, (size_t)opaque((void *)2));
  copy_others(base, name);
  copy_annotated(base, new_node(nodes));
  CHECK_COUNT(r, 0);
  CHECK_COUNT(keep, 1 + 2 + 4 + 3 + 6);
  CHECK_COUNT(nodes, 2);
}
