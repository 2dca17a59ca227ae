// RUN: %each_level -o %t %s -- -facre-malloc=collected -pthread
// RUN: %t.O0
// RUN: env ACRE_HEAP=poison,growth=256K %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine -pthread %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// The C library waits for messages (mq_notify with SIGEV_THREAD) in a thread that blocks all
// signals, which the collector could not stop. What the function is given stays while only the
// queue refers to it. Descriptors come back; a child asks for itself.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int calls;
static mqd_t queue;

static void take(union sigval value) {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, NULL, &blocked);
  CHECK(!sigismember(&blocked, SIGUSR1) && is_whole(value.sival_ptr, 7));
  char text[8];
  CHECK(mq_receive(queue, text, sizeof text, NULL) == 3);
  new_item(1);
  __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
}

static void open_queue(void) {
  char name[64];
  snprintf(name, sizeof name, "/acre-collected-%d", (int)getpid());
  struct mq_attr attributes = {.mq_maxmsg = 2, .mq_msgsize = 8};
  queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
  CHECK(queue >= 0 && mq_unlink(name) == 0);
}

__attribute__((noinline)) static void ask(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 18);
  CHECK(mq_notify(queue, &(struct sigevent){.sigev_notify = SIGEV_THREAD,
                                            .sigev_notify_function = take,
                                            .sigev_value.sival_ptr = new_item(7),
                                            .sigev_notify_attributes = &attributes}) == 0);
  pthread_attr_destroy(&attributes);
}

static void send_messages(void) {
  int lowest = dup(0);
  close(lowest);
  for (int i = 1; i <= 10; i++) {
    ask();
    struct sigevent again = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = take};
    CHECK(mq_notify(queue, &again) == -1 && errno == EBUSY);
    churn();
    CHECK(mq_send(queue, "abc", 3, 0) == 0);
    while (__atomic_load_n(&calls, __ATOMIC_SEQ_CST) < i)
      churn();
  }
  ask();
  CHECK(mq_notify(queue, NULL) == 0 && mq_send(queue, "abc", 3, 0) == 0);
  for (int file = -1; file != lowest; usleep(1000)) {
    file = dup(0);
    close(file);
  }
  CHECK(calls == 10);
}

int main(void) {
  CHECK(mq_notify(-1, &(struct sigevent){.sigev_notify = SIGEV_THREAD,
                                         .sigev_notify_function = take}) == -1 &&
        errno == EBADF);
  open_queue();
  CHECK(mq_notify(queue, &(struct sigevent){.sigev_notify = SIGEV_NONE}) == 0 &&
        mq_notify(queue, NULL) == 0);
  send_messages();
  pid_t child = fork();
  if (child == 0) {
    calls = 0;
    open_queue();
    send_messages();
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  puts("ok");
}
