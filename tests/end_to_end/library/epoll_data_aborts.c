// A delete that would leave the kernel with a dangling pointer names the descriptors.
// RUN: %each_level --expect-abort -o %t %s
// ABORT: acre: fatal: cannot delete the region created at [[FILE]]:[[@LINE+14]]: 1 reference from
// ABORT-SAME: outside remains
// ABORT-NEXT: deleteregion called at [[FILE]]:[[@LINE+19]]
// ABORT-NEXT: 1. epoll descriptor 4 for descriptor 0 points to node allocated at
// ABORT-SAME: check.h:{{[0-9]+}}
// ABORT-NEXT: hint: take the pointer back first: EPOLL_CTL_DEL, pthread_setspecific(key, NULL),
// ABORT-SAME: fclose, timer_delete, unsetenv
#include "../Inputs/check.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) deletes {
  region r = newregion();
  int ends[2];
  close(0);
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = new_node(r)};
  epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, ends[0], &event);
  event.data.ptr = NULL;
  deleteregion(r);
}
