/* Is what nobody frees collected, as the argument says? */
#include <acre/collected.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void lose(int count) {
  for (int i = 0; i < count; i++)
    *(void *volatile *)malloc(40) = NULL;
}

int main(int count, char **arguments) {
  acre_heap_stats stats;
  lose(10000);
  acre_collected_collect();
  lose(1);
  acre_collected_collect();
  acre_collected_get_stats(&stats);
  return (stats.live_objects > 5000) != (count > 1 && strcmp(arguments[1], "quarantine") == 0);
}
