/* SPDX-License-Identifier: MIT */
/* port.c - sockets, and the queues of those that send streams. */
#define _GNU_SOURCE
#include "port.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "../events/sockets.h"

enum { QUEUE_FEW = 8, QUEUE_MOST = 8192, PARTS_PER_CALL = 64 };

struct port *refcounted port_new(enum port_kind kind, const char *borrowed address) {
  size_t length = strlen(address);
  struct port *refcounted port = length < ADDRESS_MAX ? acre_ref_new(sizeof *port) : NULL;
  if (!port)
    return NULL;
  port->kind = kind;
  port->descriptor = -1;
  memcpy(port->address, address, length + 1);
  return port;
}

void port_drop(struct port *refcounted port) {
  if (acre_ref_count(port) == 1) {
    port_clear(port);
    free(acre_take(&port->queue));
  }
  rc_drop(port);
}

bool port_open(struct port *refcounted borrowed port) {
  int type = port->kind == PORT_UDP_IN || port->kind == PORT_UDP_OUT ? SOCK_DGRAM : SOCK_STREAM;
  port->descriptor = port_is_output(port->kind) ? socket_connect("overlay", port->address, type)
                                                : socket_listen("overlay", port->address, type);
  return port->descriptor >= 0;
}

void port_close(struct events *borrowed loop, struct port *refcounted borrowed port) {
  port->is_used = false;
  if (port->descriptor < 0)
    return;
  int descriptor = port->descriptor;
  events_wake(loop, descriptor);
  events_close(loop, descriptor);
  port->descriptor = -1;
}

/* The first packet of the queue, which is port's. */
static struct streambuff *unique pop(struct port *port, struct streambuff *unique *queue) {
  struct streambuff *unique packet = acre_take(&queue[port->first]);
  port->first = (port->first + 1) % port->capacity;
  port->queued--;
  return packet;
}

void port_clear(struct port *refcounted borrowed port) {
  struct streambuff *unique *unique queue = acre_take(&port->queue);
  while (port->queued)
    streambuff_free(pop(port, queue));
  free(acre_swap(&port->queue, queue));
}

static bool make_room(struct port *port) {
  if (port->queued < port->capacity)
    return true;
  size_t capacity = port->capacity ? port->capacity * 2 : QUEUE_FEW;
  if (capacity > QUEUE_MOST)
    return false;
  struct streambuff *unique *unique queue = calloc(capacity, sizeof *queue);
  if (!queue)
    return false;
  for (size_t i = 0; i < port->queued; i++)
    queue[i] = acre_take(&port->queue[(port->first + i) % port->capacity]);
  port->first = 0;
  port->capacity = capacity;
  free(acre_swap(&port->queue, queue));
  return true;
}

static struct databuff *refcounted frame_head(size_t length) {
  struct databuff *refcounted head = databuff_new(4);
  for (unsigned i = 0; head && i < 4; i++)
    head->bytes[i] = (unsigned char)(length >> (24 - 8 * i));
  return head;
}

bool port_enqueue(struct port *refcounted borrowed port, struct streambuff *unique packet) {
  size_t length = streambuff_length(packet);
  if (length > PACKET_MAX || !make_room(port) || !streambuff_prepend(packet, frame_head(length))) {
    streambuff_free(packet);
    return false;
  }
  streambuff_free(acre_swap(&port->queue[(port->first + port->queued) % port->capacity], packet));
  port->queued++;
  return true;
}

static void forget_sent(struct port *port, struct streambuff *unique *borrowed queue, size_t sent) {
  while (port->queued && sent >= streambuff_length(queue[port->first])) {
    sent -= streambuff_length(queue[port->first]);
    streambuff_free(pop(port, queue));
  }
  if (port->queued)
    streambuff_strip(queue[port->first], sent);
}

/* Sends what the socket takes of the queue, which is port's. */
static bool flush(struct port *port, struct streambuff *unique *borrowed queue) {
  while (port->queued) {
    struct iovec parts[PARTS_PER_CALL];
    size_t count = 0;
    for (size_t i = 0; i < port->queued && count < PARTS_PER_CALL; i++)
      count += streambuff_gather(queue[(port->first + i) % port->capacity], parts + count,
                                 PARTS_PER_CALL - count);
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
    ssize_t sent = sendmsg(port->descriptor, &message, MSG_NOSIGNAL);
    if (sent < 0)
      return errno == EAGAIN || errno == EINTR || errno == ENOTCONN;
    forget_sent(port, queue, (size_t)sent);
  }
  return true;
}

bool port_flush(struct port *refcounted borrowed port) {
  /* Others have the port too: the queue is taken out while its packets are lent. */
  struct streambuff *unique *unique queue = acre_take(&port->queue);
  bool is_open = flush(port, queue);
  free(acre_swap(&port->queue, queue));
  return is_open;
}

bool port_send(const struct port *refcounted borrowed port,
               const struct streambuff *borrowed packet) {
  struct iovec parts[PARTS_PER_CALL];
  size_t count = streambuff_gather(packet, parts, PARTS_PER_CALL);
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
  /* A datagram that nobody listened for is told of at the next one, which was not sent then. */
  for (int i = 0; i < 2; i++)
    if (sendmsg(port->descriptor, &message, MSG_NOSIGNAL) == (ssize_t)streambuff_length(packet))
      return true;
  return false;
}
