// RUN: %each_level --expect-abort "for descriptor 0, points to node allocated" -o %t %s
// A delete that would leave the kernel with a dangling pointer names the descriptors.
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
