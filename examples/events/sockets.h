/* SPDX-License-Identifier: MIT */
/* sockets.h - addresses and descriptors. */
#ifndef EVENTS_SOCKETS_H
#define EVENTS_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>

#include "discipline.h"

/* A non-blocking socket of type SOCK_STREAM or SOCK_DGRAM that listens at, or is bound to,
   "HOST:PORT", "[HOST]:PORT" or "PORT" (of the loopback interface).  -1, with a message on stderr,
   if there is none. */
int socket_listen(const char *program, const char *borrowed address, int type);
/* A non-blocking socket that is connected, or about to be, to "HOST:PORT". */
int socket_connect(const char *program, const char *borrowed address, int type);
/* The port that a socket is bound to. */
unsigned socket_port(int descriptor);

#endif
