/* SPDX-License-Identifier: MIT */
/* collected_transfers.c - linked into a program as collected_waits.c is: calls that read and write.
 *
 * A signal ends them early: before the first byte with EINTR, where the file has a time of its own,
 * and later with a part of the bytes.  Where that was only a stop of the thread, these transfer the
 * rest, as they would have without one: programs that give no signal a handler count on it.
 */
#define _GNU_SOURCE
#include <acre/abi.h>

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "foreign/collected_waits.h"

static struct {
  ssize_t (*read)(int, void *, size_t);
  ssize_t (*readv)(int, const struct iovec *, int);
  ssize_t (*recvfrom)(int, void *, size_t, int, struct sockaddr *, socklen_t *);
  ssize_t (*recvmsg)(int, struct msghdr *, int);
  int (*recvmmsg)(int, struct mmsghdr *, unsigned, int, struct timespec *);
  int (*accept4)(int, struct sockaddr *, socklen_t *, int);
  int (*connect)(int, const struct sockaddr *, socklen_t);
  ssize_t (*write)(int, const void *, size_t);
  ssize_t (*writev)(int, const struct iovec *, int);
  ssize_t (*sendto)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);
  ssize_t (*sendmsg)(int, const struct msghdr *, int);
  ssize_t (*sendfile)(int, int, off_t *, size_t);
} next;

void acre_collected_find_transfers(void) {
  acre_find_next("readv", &next.readv);
  acre_find_next("recvfrom", &next.recvfrom);
  acre_find_next("recvmsg", &next.recvmsg);
  acre_find_next("recvmmsg", &next.recvmmsg);
  acre_find_next("accept4", &next.accept4);
  acre_find_next("connect", &next.connect);
  acre_find_next("write", &next.write);
  acre_find_next("writev", &next.writev);
  acre_find_next("sendto", &next.sendto);
  acre_find_next("sendmsg", &next.sendmsg);
  acre_find_next("sendfile", &next.sendfile);
  acre_find_next("read", &next.read);
}

/* Each of these functions calls this first.  Libraries are started before the program is. */
static inline void begin_wait(void) {
  if (__builtin_expect(!next.read, 0))
    acre_collected_find_transfers();
  acre_rt_gc_forget_stop();
}

_Noreturn void __chk_fail(void); /* of _FORTIFY_SOURCE */

/* -- Waiting ----------------------------------------------------------------------------------- */

/* A call that waits for a socket with a time of its own (SO_RCVTIMEO, SO_SNDTIMEO) begins again
   when there is something to do.  When it began to wait is not known: the time counts from the
   first stop. */
typedef struct socket_wait {
  int file, option;
  bool is_timed;
  struct timespec left;
} socket_wait;

static bool waits_on(socket_wait *w, const void *frame) {
  struct timeval time;
  socklen_t size = sizeof time;
  if (!acre_was_only_stopped(frame))
    return false;
  if (!w->is_timed && getsockopt(w->file, SOL_SOCKET, w->option, &time, &size) == 0) {
    w->is_timed = time.tv_sec || time.tv_usec;
    w->left = (struct timespec){time.tv_sec, time.tv_usec * 1000};
  }
  if (!w->is_timed)
    return true;
  struct pollfd file = {w->file, w->option == SO_RCVTIMEO ? POLLIN : POLLOUT, 0};
  long ready = acre_rt_gc_wait(SYS_ppoll, (long[6]){(long)&file, 1, (long)&w->left});
  errno = ready < 0 ? (int)-ready : EAGAIN;
  return ready > 0;
}

__attribute__((weak)) ssize_t read(int file, void *to, size_t size) {
  socket_wait w = {.file = file, .option = SO_RCVTIMEO};
  ssize_t result;
  do {
    begin_wait();
    result = next.read(file, to, size);
  } while (result < 0 && waits_on(&w, __builtin_frame_address(0)));
  return result;
}

__attribute__((weak)) ssize_t readv(int file, const struct iovec *parts, int count) {
  socket_wait w = {.file = file, .option = SO_RCVTIMEO};
  ssize_t result;
  do {
    begin_wait();
    result = next.readv(file, parts, count);
  } while (result < 0 && waits_on(&w, __builtin_frame_address(0)));
  return result;
}

/* A signal ends a transfer after a part of the bytes: *done counts them, and the rest follows if
 * only a stop was the reason. */
static bool goes_on(socket_wait *w, ssize_t result, size_t *done, size_t size, const void *frame) {
  if (result < 0)
    return waits_on(w, frame);
  *done += (size_t)result;
  return result > 0 && *done < size && acre_rt_gc_was_only_stopped(frame);
}

/* Does it wait for all bytes that it was asked for?  Only streams of bytes do. */
static bool waits_for_all(int file, int flags) {
  int type = 0;
  socklen_t size = sizeof type;
  return flags & MSG_WAITALL && !(flags & MSG_PEEK) &&
         getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

__attribute__((weak)) ssize_t recvfrom(int file, void *restrict to, size_t size, int flags,
                                       struct sockaddr *restrict from,
                                       socklen_t *restrict from_size) {
  socket_wait w = {.file = file, .option = SO_RCVTIMEO};
  size_t done = 0, wanted = waits_for_all(file, flags) ? size : 0;
  ssize_t result;
  do {
    begin_wait();
    result = next.recvfrom(file, (char *)to + done, size - done, flags, from, from_size);
  } while (goes_on(&w, result, &done, wanted, __builtin_frame_address(0)));
  return done ? (ssize_t)done : result;
}

__attribute__((weak)) ssize_t recv(int file, void *to, size_t size, int flags) {
  return recvfrom(file, to, size, flags, NULL, NULL);
}

/* One of recv, send and, without flags, write. */
typedef ssize_t transfer(int file, void *at, size_t size, int flags);

/* After a stop, when `done` bytes of the parts have been transferred: the others, part by part.
 * Returns how many have been in all. */
static ssize_t transfer_rest(transfer *one, int file, const struct iovec *parts, size_t count,
                             size_t done, int flags) {
  size_t total = done;
  for (size_t i = 0; i < count; i++) {
    size_t left = parts[i].iov_len, skipped = done < left ? done : left;
    done -= skipped;
    left -= skipped;
    if (left == 0)
      continue;
    ssize_t result = one(file, (char *)parts[i].iov_base + skipped, left, flags);
    total += result > 0 ? (size_t)result : 0;
    if (result < (ssize_t)left)
      break;
  }
  return (ssize_t)total;
}

/* For as long as nothing has been received, the message is as the program made it. */
__attribute__((weak)) ssize_t recvmsg(int file, struct msghdr *message, int flags) {
  socket_wait w = {.file = file, .option = SO_RCVTIMEO};
  ssize_t result;
  do {
    begin_wait();
    result = next.recvmsg(file, message, flags);
  } while (result < 0 && waits_on(&w, __builtin_frame_address(0)));
  if (result <= 0 || !acre_rt_gc_was_only_stopped(__builtin_frame_address(0)) ||
      !waits_for_all(file, flags))
    return result;
  return transfer_rest(recv, file, message->msg_iov, message->msg_iovlen, (size_t)result, flags);
}

/* Messages that came before a stop are counted, and the others waited for; not with a time, of
 * which it is not known how much is left. */
__attribute__((weak)) int recvmmsg(int file, struct mmsghdr *messages, unsigned count, int flags,
                                   struct timespec *time) {
  socket_wait w = {.file = file, .option = SO_RCVTIMEO};
  size_t done = 0, wanted = flags & MSG_WAITFORONE || time ? 0 : count;
  int result;
  do {
    begin_wait();
    result = next.recvmmsg(file, messages + done, count - (unsigned)done, flags, time);
  } while (goes_on(&w, result, &done, wanted, __builtin_frame_address(0)));
  return done ? (int)done : result;
}

/* The names that _FORTIFY_SOURCE gives some of them. */
__attribute__((weak)) ssize_t __read_chk(int file, void *to, size_t size, size_t room) {
  if (room < size)
    __chk_fail();
  return read(file, to, size);
}

__attribute__((weak)) ssize_t __recv_chk(int file, void *to, size_t size, size_t room, int flags) {
  if (room < size)
    __chk_fail();
  return recv(file, to, size, flags);
}

__attribute__((weak)) ssize_t __recvfrom_chk(int file, void *restrict to, size_t size, size_t room,
                                             int flags, struct sockaddr *restrict from,
                                             socklen_t *restrict from_size) {
  if (room < size)
    __chk_fail();
  return recvfrom(file, to, size, flags, from, from_size);
}

__attribute__((weak)) int accept4(int file, struct sockaddr *restrict from,
                                  socklen_t *restrict size, int flags) {
  socket_wait w = {.file = file, .option = SO_RCVTIMEO};
  int result;
  do {
    begin_wait();
    result = next.accept4(file, from, size, flags);
  } while (result < 0 && waits_on(&w, __builtin_frame_address(0)));
  return result;
}

__attribute__((weak)) int accept(int file, struct sockaddr *restrict from,
                                 socklen_t *restrict size) {
  return accept4(file, from, size, 0);
}

/* A second connect of a socket that is connecting waits for the first, so it is called again. */
__attribute__((weak)) int connect(int file, const struct sockaddr *to, socklen_t size) {
  socket_wait w = {.file = file, .option = SO_SNDTIMEO};
  int result;
  do {
    begin_wait();
    result = next.connect(file, to, size);
  } while (result < 0 && waits_on(&w, __builtin_frame_address(0)));
  if (result < 0 && w.is_timed && errno == EAGAIN)
    errno = EINPROGRESS;
  return result;
}

__attribute__((weak)) ssize_t write(int file, const void *from, size_t size) {
  socket_wait w = {.file = file, .option = SO_SNDTIMEO};
  size_t done = 0;
  ssize_t result;
  do {
    begin_wait();
    result = next.write(file, (const char *)from + done, size - done);
  } while (goes_on(&w, result, &done, size, __builtin_frame_address(0)));
  return done ? (ssize_t)done : result;
}

__attribute__((weak)) ssize_t sendto(int file, const void *from, size_t size, int flags,
                                     const struct sockaddr *to, socklen_t to_size) {
  socket_wait w = {.file = file, .option = SO_SNDTIMEO};
  size_t done = 0;
  ssize_t result;
  do {
    begin_wait();
    result = next.sendto(file, (const char *)from + done, size - done, flags, to, to_size);
  } while (goes_on(&w, result, &done, size, __builtin_frame_address(0)));
  return done ? (ssize_t)done : result;
}

__attribute__((weak)) ssize_t send(int file, const void *from, size_t size, int flags) {
  return sendto(file, from, size, flags, NULL, 0);
}

static ssize_t send_part(int file, void *at, size_t size, int flags) {
  return sendto(file, at, size, flags, NULL, 0);
}

/* What goes with the bytes goes with the first of them. */
__attribute__((weak)) ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
  socket_wait w = {.file = file, .option = SO_SNDTIMEO};
  ssize_t result;
  do {
    begin_wait();
    result = next.sendmsg(file, message, flags);
  } while (result < 0 && waits_on(&w, __builtin_frame_address(0)));
  if (result <= 0 || !acre_rt_gc_was_only_stopped(__builtin_frame_address(0)))
    return result;
  return transfer_rest(send_part, file, message->msg_iov, message->msg_iovlen, (size_t)result,
                       flags);
}

static ssize_t write_part(int file, void *at, size_t size, int flags) {
  (void)flags;
  return write(file, at, size);
}

__attribute__((weak)) ssize_t writev(int file, const struct iovec *parts, int count) {
  socket_wait w = {.file = file, .option = SO_SNDTIMEO};
  ssize_t result;
  do {
    begin_wait();
    result = next.writev(file, parts, count);
  } while (result < 0 && waits_on(&w, __builtin_frame_address(0)));
  if (result <= 0 || !acre_rt_gc_was_only_stopped(__builtin_frame_address(0)))
    return result;
  return transfer_rest(write_part, file, parts, (size_t)count, (size_t)result, 0);
}

/* The kernel moves on in the file, or in *at. */
__attribute__((weak)) ssize_t sendfile(int to, int from, off_t *at, size_t size) {
  socket_wait w = {.file = to, .option = SO_SNDTIMEO};
  size_t done = 0;
  ssize_t result;
  do {
    begin_wait();
    result = next.sendfile(to, from, at, size - done);
  } while (goes_on(&w, result, &done, size, __builtin_frame_address(0)));
  return done ? (ssize_t)done : result;
}

/* off64_t is off_t where Acre runs. */
__attribute__((weak)) ssize_t sendfile64(int to, int from, off_t *at, size_t size) {
  return sendfile(to, from, at, size);
}
