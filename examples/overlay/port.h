/* SPDX-License-Identifier: MIT */
/* port.h - sockets that packets come from and go to.
 *
 * A port is reference-counted: a plan refers to its ports, and so does each callback that waits for
 * one.  When plans change, ports that are in both stay open.  Packets over TCP are frames: 4 bytes
 * of length, the most significant first, and the packet.
 */
#ifndef OVERLAY_PORT_H
#define OVERLAY_PORT_H

#include "../events/events.h"
#include "streambuff.h"

enum { PACKET_MAX = 1 << 24, ADDRESS_MAX = 128, PORT_RETRY = 1000 };

enum port_kind { PORT_UDP_IN, PORT_TCP_IN, PORT_UDP_OUT, PORT_TCP_OUT };

struct port {
  enum port_kind kind;
  int descriptor;  /* -1: closed */
  bool is_used;    /* the plan has it */
  size_t source;   /* of an input, the operation's number in the plan */
  bool is_waiting; /* a callback waits for it */

  /* Of PORT_TCP_OUT: packets that wait, in a ring. */
  bool is_full;  /* and inputs that can wait do */
  int64_t retry; /* when to connect again */
  size_t first, queued, capacity;
  struct streambuff *unique *unique queue;
  char address[ADDRESS_MAX];
};

static inline bool port_is_output(enum port_kind kind) { return kind >= PORT_UDP_OUT; }

/* A port that is not open yet: see port_open.  Null when memory is out or address is too long. */
struct port *refcounted port_new(enum port_kind kind, const char *borrowed address);
/* Gives a reference back.  The socket is closed before, by port_close. */
void port_drop(struct port *refcounted port);
/* Opens the socket; false, with a message, if that fails. */
bool port_open(struct port *refcounted borrowed port);
/* The plan does not have the port any more: whoever waits for it hears of it, then the socket is
 * closed. */
void port_close(struct events *borrowed loop, struct port *refcounted borrowed port);
/* Forgets the packets that wait. */
void port_clear(struct port *refcounted borrowed port);
/* Takes packet into the queue.  False, and the packet is gone: the queue is full. */
bool port_enqueue(struct port *refcounted borrowed port, struct streambuff *unique packet);
/* Sends what the socket takes.  False: the connection failed. */
bool port_flush(struct port *refcounted borrowed port);
/* Sends a datagram.  False: it is lost. */
bool port_send(const struct port *refcounted borrowed port,
               const struct streambuff *borrowed packet);

#endif
