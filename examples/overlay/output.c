/* SPDX-License-Identifier: MIT */
/* output.c - sends packets.
 *
 * A stream takes packets into its queue while its socket takes no more.  When many wait it is full,
 * and inputs that can wait do until few are left.  A stream whose connection failed loses what
 * waits, and connects again after a while.
 */
#include <stdlib.h>
#include <unistd.h>

#include "overlay.h"

enum { MANY = 256, FEW = 32 };

struct writer {
  struct overlay *overlay;
  struct port *refcounted port;
};

static void set_full(struct events *loop, struct overlay *overlay, struct port *port,
                     bool is_full) {
  if (port->is_full == is_full)
    return;
  port->is_full = is_full;
  overlay->full += is_full ? 1 : (size_t)-1;
  if (!overlay->full)
    inputs_wake(loop, overlay);
}

static void fail(struct events *loop, struct overlay *overlay,
                 struct port *refcounted borrowed port) {
  overlay->lost += port->queued;
  port_clear(port);
  events_close(loop, port->descriptor);
  port->descriptor = -1;
  port->retry = events_clock() + PORT_RETRY;
}

static void writable(struct events *borrowed loop, void *unique environment, unsigned event);

/* Waits until the rest can be sent. */
static void wait_on(struct events *loop, struct overlay *overlay, struct port *refcounted port) {
  struct writer *unique writer = malloc(sizeof *writer);
  if (!writer) {
    port_drop(port);
    return;
  }
  int descriptor = port->descriptor;
  port->is_waiting = true;
  *writer = (struct writer){overlay, port};
  events_wait(loop, descriptor, EVENT_WRITABLE, 0, writable, writer);
}

/* Sends what can be sent, and waits for the rest.  Last it wakes inputs, which may send to this
 * port again. */
static void write_on(struct events *loop, struct overlay *overlay, struct port *refcounted port) {
  size_t before = port->queued;
  if (!port_flush(port))
    fail(loop, overlay, port);
  else
    overlay->sent += before - port->queued;
  if (port->queued)
    wait_on(loop, overlay, rc_alias(port));
  set_full(loop, overlay, port, port->queued > (port->is_full ? FEW : MANY));
  port_drop(port);
}

static void writable(struct events *borrowed loop, void *unique environment, unsigned event) {
  struct writer *unique writer = environment;
  struct overlay *overlay = writer->overlay;
  struct port *refcounted port = acre_take(&writer->port);
  free(writer);
  port->is_waiting = false;
  /* It may be woken while others are being stopped: nobody would stop it then. */
  if (event & (EVENT_STOP | EVENT_FAILED) || events_is_stopping(loop) || !port->is_used) {
    port_flush(port);
    overlay->lost += port->queued;
    port_clear(port);
    set_full(loop, overlay, port, false);
    port_drop(port);
    return;
  }
  write_on(loop, overlay, port);
}

/* Whether the port is open, or is now. */
static bool is_open(struct port *refcounted borrowed port) {
  if (port->descriptor >= 0)
    return true;
  if (events_clock() < port->retry)
    return false;
  port->retry = events_clock() + PORT_RETRY;
  return port_open(port);
}

static void send_frame(struct events *loop, struct overlay *overlay, struct port *refcounted port,
                       struct streambuff *unique packet) {
  if (!is_open(port)) {
    streambuff_free(packet);
    overlay->lost++;
  } else if (!port_enqueue(port, packet)) {
    overlay->lost++;
  } else if (!port->is_waiting) {
    write_on(loop, overlay, port);
    return;
  } else {
    set_full(loop, overlay, port, port->queued > (port->is_full ? FEW : MANY));
  }
  port_drop(port);
}

void output_send(struct events *borrowed loop, struct overlay *overlay,
                 struct port *refcounted port, struct streambuff *unique packet) {
  if (port->kind == PORT_TCP_OUT) {
    send_frame(loop, overlay, port, packet);
    return;
  }
  bool is_sent = port_send(port, packet);
  overlay->sent += is_sent;
  overlay->lost += !is_sent;
  streambuff_free(packet);
  port_drop(port);
}
