/* Knows nothing of Acre. */
#include "item.h"
int count_is(int wanted);
int count_is(int wanted) { return item_count() == wanted; }
