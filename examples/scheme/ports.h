/* SPDX-License-Identifier: MIT */
/* ports.h - where text comes from and goes to.
 *
 * An input port is a string and a place in it; a file is read whole when it is opened, and standard
 * input gets another line when the string is used up.  An output port is a string that grows, or a
 * file, by its number in a table outside the arena: files whose port a collection did not find are
 * closed after it.
 */
#ifndef SCHEME_PORTS_H
#define SCHEME_PORTS_H

#include "value.h"

enum { PORT_TYPE, PORT_TEXT, PORT_PLACE, PORT_FILE, PORT_SLOTS };
enum port_type {
  PORT_INPUT,
  PORT_STANDARD_INPUT,
  PORT_OUTPUT_STRING,
  PORT_OUTPUT_FILE,
  PORT_CLOSED
};

/* Makes the standard ports the current ones. */
void ports_fill(struct machine *m);
/* The collector found this port. */
void ports_found(const struct object *port);
/* After a collection: closes the files whose ports were not found. */
void ports_sweep(void);

#endif
