/* A region for each of several units, in a settled variable. */
#include <acre/acre.h>

struct name {
  struct name *sameregion next;
  const char *traditional text;
};

extern settled region unit;
void unit_begin(void) deletes;
void unit_end(void) deletes;
void look_around(void);
struct name *inregion(unit) name_new(void);
const char *traditional name_text(void);
