// Functions and variables of a program that the C library has too, outside ISO C, were defined a
// second time by what -facre-malloc=collected links into it.
// RUN: %each_level -o %t %s -- -facre-malloc=collected -Wno-incompatible-library-redeclaration
#include <stdlib.h>

int mq_notify(int x) { return x; }
int pthread_sigmask(int x) { return x; }
int setcontext(int x) { return x; }
int sigaltstack(int x) { return x; }
int sigfillset(int x) { return x; }
int sigprocmask(int x) { return x; }
int sleep(int x) { return x; }
int swapcontext(int x) { return x; }
char timer_create = 1;
char timer_delete = 2;

int main(void) {
  void *p = malloc(100);
  free(p);
  int sum = mq_notify(1) + pthread_sigmask(1) + setcontext(1) + sigaltstack(1) + sigfillset(1) +
            sigprocmask(1) + sleep(1) + swapcontext(1) + timer_create + timer_delete;
  return sum == 11 ? 0 : 1;
}
