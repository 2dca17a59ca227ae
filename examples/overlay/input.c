/* SPDX-License-Identifier: MIT */
/* input.c - receives packets: datagrams, and frames of streams. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "overlay.h"

enum { TURN = 32, DATAGRAM_MAX = 65536, PAUSE = 1000 };

/* Waits for datagrams or connections. */
struct receiver {
  struct overlay *overlay;
  struct port *refcounted port;
};

/* A connection, and the frame that is coming in.  If its input is gone, it is closed when the next
 * bytes come. */
struct stream {
  struct overlay *overlay;
  struct port *refcounted port; /* that it came to */
  int descriptor;
  unsigned char head[4];
  size_t filled; /* of the head, then of it and data */
  struct databuff *refcounted data;
};

static struct streambuff *unique packet_of(struct databuff *refcounted data) {
  struct streambuff *unique packet = streambuff_new();
  if (!packet) {
    rc_drop(data);
    return NULL;
  }
  if (streambuff_append(packet, data))
    return packet;
  streambuff_free(packet);
  return NULL;
}

static void deliver(struct events *loop, struct overlay *overlay, size_t source,
                    struct databuff *refcounted data) {
  struct streambuff *unique packet = packet_of(data);
  if (packet)
    overlay_receive(loop, overlay, source, packet);
  else
    overlay->lost++;
}

/* -- Streams ----------------------------------------------------------------------------------- */

static void stream_free(struct events *loop, struct stream *unique stream) {
  events_close(loop, stream->descriptor);
  struct port *refcounted port = acre_take(&stream->port);
  port_drop(port);
  rc_drop(acre_take(&stream->data));
  free(stream);
}

/* Reads on.  1: a frame is complete, 0: nothing is there, -1: the connection ended or is wrong. */
static int read_frame(struct stream *stream) {
  for (;;) {
    size_t head = sizeof stream->head;
    size_t filled = stream->filled;
    unsigned char *place =
        filled < head ? stream->head + filled : stream->data->bytes + (filled - head);
    size_t wanted = (filled < head ? head : head + stream->data->size) - filled;
    ssize_t count = wanted ? recv(stream->descriptor, place, wanted, 0) : 0;
    if (wanted && count <= 0)
      return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
    stream->filled += (size_t)count;
    if (stream->filled == head && !stream->data) {
      size_t length = 0;
      for (size_t i = 0; i < head; i++)
        length = length << 8 | stream->head[i];
      struct databuff *refcounted data = length <= PACKET_MAX ? databuff_new(length) : NULL;
      if (!data)
        return -1;
      rc_drop(acre_swap(&stream->data, data));
    }
    if (stream->data && stream->filled == head + stream->data->size)
      return 1;
  }
}

static void stream_comes(struct events *borrowed loop, void *unique environment, unsigned event) {
  struct stream *unique stream = environment;
  struct overlay *overlay = stream->overlay;
  /* A callback may still be woken while the loop stops the others: then no packet is taken in. */
  if (event & EVENT_FAILED || events_is_stopping(loop) || !stream->port->is_used) {
    stream_free(loop, stream);
    return;
  }
  int state = 1;
  for (int i = 0; i < TURN && !overlay->full && (state = read_frame(stream)) == 1; i++) {
    stream->filled = 0;
    deliver(loop, overlay, stream->port->source, acre_take(&stream->data));
  }
  if (state < 0) {
    stream_free(loop, stream);
    return;
  }
  int descriptor = stream->descriptor;
  bool is_paused = overlay->full && input_pause(overlay, descriptor);
  events_wait(loop, descriptor, is_paused ? 0 : EVENT_READABLE, is_paused ? PAUSE : 0, stream_comes,
              stream);
}

static void stream_start(struct events *loop, struct overlay *overlay, struct port *refcounted port,
                         int descriptor) {
  struct stream *unique stream = calloc(1, sizeof *stream);
  if (!stream) {
    port_drop(port);
    close(descriptor);
    return;
  }
  stream->overlay = overlay;
  stream->port = port;
  stream->descriptor = descriptor;
  events_wait(loop, descriptor, EVENT_READABLE, 0, stream_comes, stream);
}

bool input_pause(struct overlay *overlay, int descriptor) {
  if (overlay->paused_count == overlay->paused_capacity) {
    size_t capacity = overlay->paused_capacity ? overlay->paused_capacity * 2 : 8;
    int *unique old = acre_take(&overlay->paused);
    int *unique paused = realloc(old, capacity * sizeof *paused);
    if (!paused) {
      free(acre_swap(&overlay->paused, old));
      return false;
    }
    free(acre_swap(&overlay->paused, paused));
    overlay->paused_capacity = capacity;
  }
  overlay->paused[overlay->paused_count++] = descriptor;
  return true;
}

void inputs_wake(struct events *borrowed loop, struct overlay *overlay) {
  int *unique paused = acre_take(&overlay->paused);
  size_t count = overlay->paused_count;
  overlay->paused_count = overlay->paused_capacity = 0;
  for (size_t i = 0; i < count; i++)
    events_wake(loop, paused[i]);
  free(paused);
}

/* -- Datagrams and connections ----------------------------------------------------------------- */

static void receive_datagrams(struct events *loop, struct overlay *overlay, int descriptor,
                              size_t source) {
  unsigned char bytes[DATAGRAM_MAX];
  for (int i = 0; i < TURN; i++) {
    ssize_t length = recv(descriptor, bytes, sizeof bytes, 0);
    if (length < 0)
      return;
    struct databuff *refcounted data = databuff_new((size_t)length);
    if (data)
      memcpy(data->bytes, bytes, (size_t)length);
    deliver(loop, overlay, source, data);
  }
}

static void accept_streams(struct events *loop, struct overlay *overlay,
                           struct port *refcounted port) {
  for (int i = 0, on = 1; i < TURN; i++) {
    int descriptor = accept4(port->descriptor, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0)
      break;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    stream_start(loop, overlay, rc_alias(port), descriptor);
  }
  port_drop(port);
}

static void input_comes(struct events *borrowed loop, void *unique environment, unsigned event) {
  struct receiver *unique receiver = environment;
  struct overlay *overlay = receiver->overlay;
  struct port *refcounted port = acre_take(&receiver->port);
  if (event & (EVENT_STOP | EVENT_FAILED) || events_is_stopping(loop) || !port->is_used) {
    port_drop(port);
    free(receiver);
    return;
  }
  int descriptor = port->descriptor;
  errno = 0;
  if (port->kind == PORT_UDP_IN)
    receive_datagrams(loop, overlay, descriptor, port->source);
  else
    accept_streams(loop, overlay, rc_alias(port));
  bool is_lacking =
      port->kind == PORT_TCP_IN && (errno == EMFILE || errno == ENFILE || errno == ENOMEM);
  rc_drop(acre_swap(&receiver->port, port));
  events_wait(loop, descriptor, is_lacking ? 0 : EVENT_READABLE, is_lacking ? PAUSE : 0,
              input_comes, receiver);
}

void input_start(struct events *borrowed loop, struct overlay *overlay,
                 struct port *refcounted port) {
  struct receiver *unique receiver = malloc(sizeof *receiver);
  if (!receiver) {
    port_drop(port);
    return;
  }
  int descriptor = port->descriptor;
  *receiver = (struct receiver){overlay, port};
  events_wait(loop, descriptor, EVENT_READABLE, 0, input_comes, receiver);
}
