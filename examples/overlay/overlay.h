/* SPDX-License-Identifier: MIT */
/* overlay.h - the node: its plan, and packets on their way through it. */
#ifndef OVERLAY_OVERLAY_H
#define OVERLAY_OVERLAY_H

#include "plan.h"

struct overlay {
  const char *path;              /* of the configuration */
  acre_key *unique key;          /* to the plan's arena, whose root is the plan */
  uint64_t received, sent, lost; /* packets */
  size_t full;                   /* outputs that are */
  size_t paused_count, paused_capacity;
  int *unique paused; /* descriptors of inputs that wait for them, without an event */
};

/* -- Packets (forward.c) ----------------------------------------------------------------------- */

/* Gives packet, which came from outside, to those that come after the plan's operation of that
 * number. */
void overlay_receive(struct events *borrowed loop, struct overlay *overlay, size_t source,
                     struct streambuff *unique packet);

/* -- Ports (output.c, input.c) ----------------------------------------------------------------- */

void output_send(struct events *borrowed loop, struct overlay *overlay,
                 struct port *refcounted port, struct streambuff *unique packet);
/* Waits for packets from an open input, as long as the plan has it. */
void input_start(struct events *borrowed loop, struct overlay *overlay,
                 struct port *refcounted port);
/* Notes that descriptor waits, to be woken when no output is full.  False when memory is out. */
bool input_pause(struct overlay *overlay, int descriptor);
void inputs_wake(struct events *borrowed loop, struct overlay *overlay);

#endif
