#include "item.h"
#include <acre/acre.h>
int count_is(int);
static void run(void) { each(item_end, 0); }
int main(void) {
  run();
  return !count_is(0);
}
