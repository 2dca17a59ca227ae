/* SPDX-License-Identifier: MIT */
/* connection.h - a client, from accept to close. */
#ifndef WEBSERVER_CONNECTION_H
#define WEBSERVER_CONNECTION_H

#include "../events/events.h"
#include "site.h"

/* All clients of the site. */
struct clients {
  const struct site *site;
  size_t count, most; /* most: so that each can have a descriptor and a file */
  int listener; /* where one more waits, to be called back when a client goes; -1: nobody does */
};

/* Serves the client at socket, which it closes in the end.  clients outlives it. */
void connection_start(struct events *borrowed loop, struct clients *clients, int socket);

#endif
