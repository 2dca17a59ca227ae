/* SPDX-License-Identifier: MIT */
/* overlay - a node that forwards packets through operations, which can be changed while it runs. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../events/signals.h"
#include "../events/sockets.h"
#include "overlay.h"

enum { EXIT_USAGE = 2 };

static const char usage[] =
    "usage: overlay CONFIGURATION\n"
    "Forwards packets through operations.  CONFIGURATION has a line for each: NAME KIND [ARGUMENT] "
    "[-> NAME...]; the\n"
    "names at the end are of the operations that get its packets next.  '#' begins a line of "
    "comment.\n"
    "\n"
    "  udp-in HOST:PORT    packets that come as datagrams\n"
    "  tcp-in HOST:PORT    packets that come as frames: 4 bytes of length, big end first, and the "
    "packet\n"
    "  udp-out HOST:PORT   sends datagrams\n"
    "  tcp-out HOST:PORT   sends frames; inputs of frames wait when it is slow\n"
    "  number              puts a number of 4 bytes in front: 0, 1, 2 and so on\n"
    "  strip N             takes N bytes off the front\n"
    "  prepend TEXT        puts a word in front\n"
    "  xor N               changes each byte to the exclusive or of it and N\n"
    "  every N             passes one of N packets on\n"
    "  split N             into packets of at most N bytes\n"
    "  join N              packets, until they have N bytes\n"
    "\n"
    "SIGHUP reads it again: ports that stay in it stay open, and if it is wrong the old one "
    "remains.  SIGUSR1 prints\n"
    "how much memory the node has, SIGINT and SIGTERM end it.  Exit status: 0; 1 if it cannot run; "
    "2 for a wrong\n"
    "command line.\n";

/* The open port of the plan there is that is the same as port; null if there is none. */
static struct port *refcounted find_port(const struct overlay *overlay, const struct port *port) {
  if (!overlay->key)
    return NULL;
  acre_open(memory, overlay->key);
  const struct plan *plan = acre_root(struct plan, memory);
  for (size_t i = 0; i < plan->count; i++) {
    struct port *refcounted each = rc_alias(plan->operations[i]->port);
    if (each && each->kind == port->kind && each->descriptor >= 0 &&
        strcmp(each->address, port->address) == 0)
      return each;
    if (each)
      port_drop(each);
  }
  return NULL;
}

/* Gives plan the ports of the one there is that it has too.  False, with a message, if another
 * cannot be opened. */
static bool open_ports(const struct overlay *overlay, const struct plan *plan) {
  for (size_t i = 0; i < plan->count; i++) {
    struct port *refcounted port = rc_alias(plan->operations[i]->port);
    if (!port)
      continue;
    struct port *refcounted same = find_port(overlay, port);
    bool is_open = same || port_open(port) || port->kind == PORT_TCP_OUT; /* which is tried again */
    port_drop(port);
    if (same) {
      struct port *refcounted unopened = acre_swap(&plan->operations[i]->port, same);
      port_drop(unopened);
    }
    if (!is_open)
      return false;
  }
  return true;
}

/* Closes the ports of plan that are not used. */
static void close_ports(struct events *loop, const struct plan *plan) {
  for (size_t i = 0; i < plan->count; i++) {
    struct port *refcounted port = rc_alias(plan->operations[i]->port);
    if (!port)
      continue;
    if (!port->is_used)
      port_close(loop, port);
    port_drop(port);
  }
}

static void mark_ports(acre_key *key, bool is_used) {
  acre_open(memory, key);
  const struct plan *plan = acre_root(struct plan, memory);
  for (size_t i = 0; i < plan->count; i++) {
    struct port *port = plan->operations[i]->port;
    if (port) {
      port->is_used = is_used;
      port->source = i;
    }
  }
}

/* Reads a plan into the arena of key and opens its ports.  False: it is wrong. */
static bool prepare(struct events *loop, const struct overlay *overlay, acre_key *key) {
  acre_open(memory, key);
  struct plan *plan = plan_read(memory, overlay->path);
  if (!plan)
    return false;
  acre_root(struct plan, memory) = plan;
  if (open_ports(overlay, plan))
    return true;
  close_ports(loop, plan);
  plan_drop(plan);
  return false;
}

/* Begins to use the ports that are new, and says where the inputs are. */
static void start_ports(struct events *loop, struct overlay *overlay) {
  acre_open(memory, overlay->key);
  const struct plan *plan = acre_root(struct plan, memory);
  printf("overlay: %zu operations", plan->count);
  for (size_t i = 0; i < plan->count; i++) {
    struct port *refcounted port = rc_alias(plan->operations[i]->port);
    if (!port)
      continue;
    if (!port_is_output(port->kind))
      printf(", port %u", socket_port(port->descriptor));
    if (port_is_output(port->kind) || port->is_waiting) {
      port_drop(port);
    } else {
      port->is_waiting = true;
      input_start(loop, overlay, port);
    }
  }
  printf("\n");
  fflush(stdout);
}

/* Frees the plan that key opens, and closes those of its ports that no other has. */
static void retire(struct events *loop, acre_key *unique key) {
  {
    acre_open(memory, key);
    struct plan *plan = acre_root(struct plan, memory);
    close_ports(loop, plan);
    plan_drop(plan);
  }
  acre_key_drop(key);
}

/* Puts the configuration in the file in the place of the one there is.  False: it is wrong, and
 * nothing has changed. */
static bool configure(struct events *loop, struct overlay *overlay) {
  acre_key *unique key = acre_key_new();
  if (!key || !prepare(loop, overlay, key)) {
    acre_key_drop(key);
    return false;
  }
  acre_key *unique old = acre_take(&overlay->key);
  if (old)
    mark_ports(old, false);
  mark_ports(key, true);
  acre_key_drop(acre_swap(&overlay->key, key));
  start_ports(loop, overlay);
  if (old)
    retire(loop, old);
  return true;
}

static bool run(struct events *loop, struct overlay *overlay) {
  if (!signals_wait(loop, "overlay", true)) {
    perror("overlay");
    return false;
  }
  if (!configure(loop, overlay)) {
    events_stop(loop);
    events_run(loop);
    return false;
  }
  while (events_run(loop))
    configure(loop, overlay);
  acre_key *unique key = acre_take(&overlay->key);
  mark_ports(key, false);
  retire(loop, key);
  free(acre_take(&overlay->paused));
  printf("overlay: %" PRIu64 " packets received, %" PRIu64 " sent, %" PRIu64 " lost\n",
         overlay->received, overlay->sent, overlay->lost);
  return true;
}

int main(int argc, char **argv) {
  if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    fputs(usage, stdout);
    return EXIT_SUCCESS;
  }
  if (argc != 2 || argv[1][0] == '-') {
    fprintf(stderr, "overlay: one configuration is needed\nTry 'overlay --help'.\n");
    return EXIT_USAGE;
  }
  struct overlay overlay = {.path = argv[1]};
  struct events *unique loop = events_new();
  if (!loop) {
    perror("overlay");
    return EXIT_FAILURE;
  }
  bool is_done = run(loop, &overlay);
  events_free(loop);
  return is_done ? EXIT_SUCCESS : EXIT_FAILURE;
}
