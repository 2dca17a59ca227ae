// The data of a descriptor that epoll waits for counts for as long as the kernel may give it back.
// RUN: %each_level -o %t %s
#define _GNU_SOURCE
#include "../Inputs/check.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static int epoll;

static int control(int operation, int descriptor, node *data) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = data};
  return epoll_ctl(epoll, operation, descriptor, &event);
}

static void add_modify_remove(int *ends) deletes {
  region r = newregion();
  CHECK(control(EPOLL_CTL_ADD, ends[0], new_node(r)) == 0);
  CHECK_COUNT(r, 1);
  CHECK(control(EPOLL_CTL_ADD, ends[0], new_node(r)) != 0); // there is one already
  CHECK(control(EPOLL_CTL_MOD, ends[0], new_node(r)) == 0);
  CHECK_COUNT(r, 1);
  DELETE_REFUSED(r);
  CHECK(write(ends[1], "x", 1) == 1);
  struct epoll_event got;
  CHECK(epoll_wait(epoll, &got, 1, -1) == 1 && ((node *)got.data.ptr)->value == 42);
  got.data.ptr = NULL;
  CHECK(control(EPOLL_CTL_DEL, ends[0], NULL) == 0);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}

static void numbers_are_not_pointers(int *ends) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = ends[0]};
  CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0);
  CHECK(epoll_ctl(epoll, EPOLL_CTL_DEL, ends[0], NULL) == 0);
}

static void closed(int *ends) deletes {
  region r = newregion();
  int copy = dup(ends[0]);
  CHECK(control(EPOLL_CTL_ADD, copy, new_node(r)) == 0);
  close(copy); // the file is open as ends[0] too, so the kernel goes on to wait for it
  DELETE_REFUSED(r);
  CHECK_COUNT(r, 1);
  region other = newregion();
  CHECK(open("/dev/null", O_RDONLY) == copy && close(copy) == 0);
  int pair[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && pair[0] == copy);
  CHECK(control(EPOLL_CTL_ADD, copy, new_node(other)) == 0); // now there are two for that number
  DELETE_REFUSED(r);
  DELETE_REFUSED(other);
  close(ends[0]);
  DELETE_ACCEPTED(r);
  close(pair[0]);
  CHECK_COUNT(other, 0);
  DELETE_ACCEPTED(other);
  close(pair[1]);
}

static void epoll_closed(int *ends) deletes {
  region r = newregion();
  CHECK(control(EPOLL_CTL_ADD, ends[1], new_node(r)) == 0);
  int copy = dup(epoll);
  close(epoll);
  DELETE_REFUSED(r);
  close(copy);
  DELETE_ACCEPTED(r);
}

int main(void) deletes {
  int ends[2];
  epoll = epoll_create1(EPOLL_CLOEXEC);
  CHECK(epoll >= 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  add_modify_remove((int[]){ends[1], ends[0]});
  numbers_are_not_pointers(ends);
  closed(ends);
  epoll_closed(ends);
}
