#include <acre/region.h>

static void *kept[4];
_Thread_local void *kept_by_thread;

void plugin_keep(void *p) {
  kept[2] = p;
  kept_by_thread = p;
}
