#include "unit_without_regions.h"

static void *global;

void put(void **slot, void *p) { *slot = p; }
void put_global(void *p) { global = p; }
void put_value(tagged *to, void *p) { to->held.pointer = p; }
void put_number(tagged *to, unsigned long number) { to->held.number = number; }
void copy_value(tagged *to, const tagged *from) {
  to->held = from->held;
  to->tag = from->tag;
}
void copy_pair(pair *to, const pair *from) { *to = *from; }
void put_pair(pair *to, void *first, void *second) {
  to->first = first;
  to->second = second;
  to->count++;
}
void clear_pair(pair *to) { to->first = to->second = NULL; }
void put_each(void **slots, size_t count, void *p) {
  for (size_t i = 0; i < count; i++)
    slots[i] = p;
}
int with_local(void *p, void (*callback)(void **)) {
  void *local = p, *other = NULL;
  callback(&local);
  callback(&other);
  return local == p;
}
