// A unit that knows nothing of regions, and stores what it is given.
#ifndef UNIT_WITHOUT_REGIONS_H
#define UNIT_WITHOUT_REGIONS_H
#include <stddef.h>

typedef union {
  void *pointer;
  unsigned long number;
  unsigned char byte;
} value;
typedef struct {
  value held;
  int tag;
} tagged;
typedef struct {
  void *first, *second;
  long count;
} pair;

void put(void **slot, void *p);
void put_global(void *p);
void put_value(tagged *to, void *p);
void put_number(tagged *to, unsigned long number);
void copy_value(tagged *to, const tagged *from);
void copy_pair(pair *to, const pair *from);
void put_pair(pair *to, void *first, void *second);
void clear_pair(pair *to);
void put_each(void **slots, size_t count, void *p);
/// Calls back with the address of a local that holds p; says whether it still does then.
int with_local(void *p, void (*callback)(void **));

#endif
