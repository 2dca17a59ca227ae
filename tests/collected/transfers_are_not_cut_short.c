// The stop of a thread for a collection ended transfers after a part of the bytes, in programs that
// handle no signal and count on all.
// RUN: %acre-cc -O1 -pthread -facre-malloc=collected %s -o %t && %t
// RUN: %acre-cc -O1 -pthread -facre-malloc=quarantine %s -o %t && %t
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { BYTES = 1 << 19, PART = 4096, MESSAGES = 20 };

static unsigned char *sent, *received;
static atomic_int is_over;

static void require(int is_so, const char *what) {
  if (is_so)
    return;
  printf("%s\n", what);
  exit(1);
}

/* Takes what arrives in small parts, slowly, so that whoever sends has to wait. */
static void *drain(void *end) {
  int file = (int)(long)end;
  for (size_t at = 0; at < BYTES;) {
    ssize_t got = read(file, received + at, BYTES - at < PART ? BYTES - at : PART);
    require(got > 0, "read");
    at += (size_t)got;
    usleep(50);
  }
  return NULL;
}

static void *feed(void *end) {
  for (size_t at = 0; at < BYTES; at += PART) {
    require(write((int)(long)end, sent + at, PART) == PART, "write");
    usleep(50);
  }
  return NULL;
}

typedef ssize_t transfer(int file);
static struct iovec parts[] = {{0, 1}, {0, BYTES / 2 - 1}, {0, 0}, {0, BYTES / 2}};

static void lay_parts(unsigned char *at) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    parts[i].iov_base = at;
    at += parts[i].iov_len;
  }
}

static ssize_t by_writev(int file) { return writev(file, parts, 4); }
static ssize_t by_sendmsg(int file) {
  return sendmsg(file, &(struct msghdr){.msg_iov = parts, .msg_iovlen = 4}, 0);
}
static ssize_t by_sendfile(int file) {
  int from = memfd_create("sent", 0);
  require(write(from, sent, BYTES) == BYTES, "memfd");
  off_t at = 0;
  ssize_t result = sendfile(file, from, &at, BYTES);
  require(at == BYTES, "where sendfile is");
  close(from);
  return result;
}
static ssize_t by_recv(int file) { return recv(file, received, BYTES, MSG_WAITALL); }
static ssize_t by_recvmsg(int file) {
  return recvmsg(file, &(struct msghdr){.msg_iov = parts, .msg_iovlen = 4}, MSG_WAITALL);
}

static void check(const char *what, transfer *one, void *(*other)(void *), int is_pipe) {
  pthread_t thread;
  int ends[2];
  memset(received, 0, BYTES);
  lay_parts(other == drain ? sent : received);
  require((is_pipe ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) == 0, "a pair");
  pthread_create(&thread, NULL, other, (void *)(long)ends[0]);
  ssize_t result = one(ends[1]);
  pthread_join(thread, NULL);
  require(result == BYTES, what);
  require(memcmp(sent, received, BYTES) == 0, what);
  close(ends[0]);
  close(ends[1]);
}

/* A message is not the rest of the one before it. */
static void check_messages(void) {
  int ends[2];
  char text[8];
  require(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0, "a pair");
  for (int i = 0; i < MESSAGES; i++)
    require(send(ends[0], "abc", 3, 0) == 3, "a message");
  for (int i = 0; i < MESSAGES; i++)
    require(recv(ends[1], text, sizeof text, MSG_WAITALL) == 3, "one message");
}

static void *transfer_all(void *unused) {
  check("writev, pipe", by_writev, drain, 1);
  check("writev", by_writev, drain, 0);
  check("sendmsg", by_sendmsg, drain, 0);
  check("sendfile", by_sendfile, drain, 0);
  check("recv", by_recv, feed, 0);
  check("recvmsg", by_recvmsg, feed, 0);
  check_messages();
  is_over = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  sent = malloc(BYTES);
  received = malloc(BYTES);
  for (size_t i = 0; i < BYTES; i++)
    sent[i] = (unsigned char)(i * 2654435761u >> 24);
  pthread_create(&thread, NULL, transfer_all, NULL);
  while (!is_over) {
    char *volatile garbage = malloc(50000);
    garbage[0] = 1;
    free(garbage);
  }
  pthread_join(thread, NULL);
  return 0;
}
