#include <acre/acre.h>
#include <signal.h>

static region session;

static void stop(int number) {
  (void)number;
  deleteregion(session);
}

int main(void) {
  session = newregion();
  struct sigaction action = {0};
  action.sa_handler = stop;
  return sigaction(SIGTERM, &action, 0);
}
