/* What two files of a program in RC's names share. */
#include <acre/rc.h>

struct item {
  struct item *sameregion next;
  char *traditional name;
  struct item *parentptr owner;
};
struct item *make_item(region r, struct item *next);
