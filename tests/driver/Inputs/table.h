#ifndef TABLE_H
#define TABLE_H
#include <acre/acre.h>

struct entry {
  struct entry *next;
  int value;
};
extern struct entry *table_head;
struct entry *table_add(region r, int value);
#endif
