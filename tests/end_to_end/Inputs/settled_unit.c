#include "settled_unit.h"

settled region unit;

void unit_begin(void) deletes {
  if (unit)
    unit_end();
  unit = newregion();
  acre_region_set_name(unit, "unit");
}
void unit_end(void) deletes { deleteregion_ptr(&unit); }
void look_around(void) {}
struct name *inregion(unit) name_new(void) { return ralloc(unit, struct name); }
const char *traditional name_text(void) { return "name"; }
