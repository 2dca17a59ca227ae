/* Makes sessions until it is ended, or waits after the first: snapshot_server [idle] */
#include <acre/region.h>
#include <stdio.h>
#include <unistd.h>

struct request {
  struct request *next;
  char *path;
};

static struct request *last;

int main(int count, char **values) {
  region server = newregion();
  acre_region_set_name(server, "server\033[2J");
  (void)values;
  for (int i = 0; i < 6000; i++) {
    region session = newsubregion(server);
    struct request *made = ralloc(session, struct request);
    made->path = rstralloc(session, 1000);
    last = made;
    if (i == 0) {
      puts("ready");
      fflush(stdout);
    }
    while (count > 1)
      pause();
    usleep(10000);
  }
  return 0;
}
