/* Stops where gdb is to print a live handle, a dead one, and pointers to objects on two pages. */
#include <acre/region.h>
struct entry {
  struct entry *next;
  int key;
};

static const acre_slot slots[] = {{0, 1, 8, ACRE_SLOT_PLAIN, "next"}};
static const acre_type type = {"struct entry", sizeof(struct entry), 8, 1, 1, 0, slots, 0, 0};
static const acre_site site = {&type, "table.c", "insert", 31};
static int stop_here(region live, region dead, int *key, int *other) {
  return live != dead && *key == *other;
}

int main(void) {
  region live = newregion(), dead = newregion(), reply = newregion();
  deleteregion(dead);
  acre_region_set_name(live, "request");
  struct entry *entry = acre_region_alloc(live, sizeof *entry, _Alignof(struct entry), &site);
  acre_region_set_name(reply, "reply");
  struct entry *other = acre_region_alloc(reply, sizeof *other, _Alignof(struct entry), &site);
  return stop_here(live, dead, &entry->key, &other->key);
}
