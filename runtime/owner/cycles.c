/* SPDX-License-Identifier: MIT */
/* cycles.c - see cycles.h.  A debugging aid: plain tables, one lock, memory from malloc. */
#include "owner/cycles.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <acre/own.h>

#include "counting/store.h"
#include "memory/descriptor.h"
#include "owner/refcount.h"
#include "platform/check.h"
#include "platform/os.h"

bool acre_is_checking_cycles;

enum state { UNKNOWN, HELD, OPEN, DONE }; /* OPEN: on the path that is being followed */
struct node {
  char *object; /* null: free */
  const acre_site *site;
  size_t inside;     /* references from objects of the table */
  size_t first_edge; /* its edges lie together */
  size_t edge_count;
  enum state state;
};
/* A reference that one node's object holds in a slot of its own, or of a unique object that it
 * owns. */
struct edge {
  struct node *to;
  size_t offset; /* in the node's object of the slot that leads there */
  bool is_direct;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *nodes;
static size_t capacity, used; /* capacity: a power of two */

void acre_cycles_lock(void) { pthread_mutex_lock(&lock); }
void acre_cycles_unlock(void) { pthread_mutex_unlock(&lock); }

/* items, an array of count items of size bytes each, with room for at least one more: the array has
 * room for the next power of two, so it is full exactly when count is one. */
static void *with_room(void *items, size_t count, size_t size) {
  if (count & (count - 1))
    return items;
  void *larger = realloc(items, (count ? 2 * count : 1) * size);
  if (!larger)
    acre_os_fatal("out of memory for the check for cycles");
  return larger;
}

/* -- The table --------------------------------------------------------------------------------- */

static size_t home_of(const void *object) {
  return ((uintptr_t)object >> 4) * (size_t)0x9e3779b97f4a7c15 >> 20 & (capacity - 1);
}

/* Where object is, or would be. */
static struct node *place_of(const void *object) {
  size_t at = home_of(object);
  while (nodes[at].object && nodes[at].object != object)
    at = (at + 1) & (capacity - 1);
  return &nodes[at];
}

static struct node *find(const void *object) {
  struct node *place = capacity ? place_of(object) : NULL;
  return place && place->object ? place : NULL;
}

static void grow(void) {
  struct node *old = nodes;
  size_t old_capacity = capacity;
  capacity = capacity ? 2 * capacity : 1024;
  nodes = calloc(capacity, sizeof *nodes);
  if (!nodes)
    acre_os_fatal("out of memory for the check for cycles");
  for (size_t i = 0; i < old_capacity; i++)
    if (old[i].object)
      *place_of(old[i].object) = old[i];
  free(old);
}

void acre_cycles_add(void *object, const acre_site *site) {
  acre_cycles_lock();
  if (2 * used >= capacity)
    grow();
  *place_of(object) = (struct node){.object = object, .site = site};
  used++;
  acre_cycles_unlock();
}

void acre_cycles_remove(void *object) {
  acre_cycles_lock();
  struct node *gone = find(object);
  if (gone) {
    used--;
    gone->object = NULL;
    /* Entries that were put behind this one because it was in their way are inserted anew. */
    for (size_t at = (size_t)(gone - nodes + 1) & (capacity - 1); nodes[at].object;
         at = (at + 1) & (capacity - 1)) {
      struct node moved = nodes[at];
      nodes[at].object = NULL;
      *place_of(moved.object) = moved;
    }
  }
  acre_cycles_unlock();
}

/* -- Who refers to whom ------------------------------------------------------------------------ */

struct graph {
  struct edge *edges;
  size_t edge_count;
  struct owned {
    const char *object;
    const acre_owned_type *type;
    size_t offset; /* of the slot in the node's object that led there */
    bool is_direct;
  } *waiting;
  size_t waiting_count;
};

static void add_edge(struct graph *graph, struct node *to, const struct owned *from) {
  graph->edges = with_room(graph->edges, graph->edge_count, sizeof *graph->edges);
  graph->edges[graph->edge_count++] = (struct edge){to, from->offset, from->is_direct};
  to->inside++;
}

static void wait_for(struct graph *graph, struct owned object) {
  graph->waiting = with_room(graph->waiting, graph->waiting_count, sizeof *graph->waiting);
  graph->waiting[graph->waiting_count++] = object;
}

static void follow_slot(struct graph *graph, const struct owned *in, const acre_owned_slot *run,
                        size_t offset) {
  void *value = acre_read_slot((uintptr_t)in->object + offset);
  struct owned from = {value, run->target, in->is_direct ? offset : in->offset, in->is_direct};
  struct node *to = value && run->kind == ACRE_OWNS_REFERENCE ? find(value) : NULL;
  if (to)
    add_edge(graph, to, &from);
  from.is_direct = false;
  if (value && run->kind == ACRE_OWNS_OBJECT && run->target)
    wait_for(graph, from);
}

static void collect_edges(struct graph *graph, struct node *node) {
  node->first_edge = graph->edge_count;
  if (acre_ref_owned(node->object))
    wait_for(graph, (struct owned){node->object, acre_ref_owned(node->object), 0, true});
  while (graph->waiting_count) {
    struct owned in = graph->waiting[--graph->waiting_count];
    for (uint32_t run = 0; run < in.type->slot_count; run++)
      for (uint32_t i = 0; i < in.type->slots[run].count; i++)
        follow_slot(graph, &in, &in.type->slots[run],
                    in.type->slots[run].offset + (size_t)i * in.type->slots[run].stride);
  }
  node->edge_count = graph->edge_count - node->first_edge;
}

/* -- What is held from outside ----------------------------------------------------------------- */

struct list {
  struct node **nodes;
  size_t count;
};

static void append(struct list *list, struct node *node) {
  list->nodes = with_room(list->nodes, list->count, sizeof(struct node *));
  list->nodes[list->count++] = node;
}

static void hold(struct list *held, struct node *node) {
  if (node->state == HELD)
    return;
  node->state = HELD;
  append(held, node);
}

static void mark_held(const struct graph *graph) {
  struct list held = {NULL, 0};
  for (size_t i = 0; i < capacity; i++)
    if (nodes[i].object && acre_ref_count(nodes[i].object) > nodes[i].inside)
      hold(&held, &nodes[i]);
  while (held.count) {
    const struct node *node = held.nodes[--held.count];
    for (size_t i = 0; i < node->edge_count; i++)
      hold(&held, graph->edges[node->first_edge + i].to);
  }
  free(held.nodes);
}

/* -- Reports ----------------------------------------------------------------------------------- */

static void print_object(const struct node *node) {
  const acre_type *type = node->site ? node->site->type : NULL;
  acre_os_print(2, "%s", type ? type->name : "an object");
  if (node->site && node->site->file)
    acre_os_print(2, " allocated at %s:%u", node->site->file, node->site->line);
}

static void print_field(const struct node *node, const struct edge *edge) {
  const acre_type *type = node->site ? node->site->type : NULL;
  size_t index;
  const acre_slot *run = type ? acre_type_slot_at(type, type->size, edge->offset, &index) : NULL;
  if (run && run->name && *run->name)
    acre_os_print(2, "field '%s'", run->name);
  else
    acre_os_print(2, "the word at offset %zu", edge->offset);
  if (run && run->count > 1)
    acre_os_print(2, " [%zu]", index);
}

/* A path through the graph, for a search in depth without recursion: each node on it, and how many
 * of its edges have been followed, the last of which leads to the next node. */
struct path {
  struct step {
    struct node *node;
    size_t next;
  } *steps;
  size_t length;
};

static void enter(struct path *path, struct node *node) {
  node->state = OPEN;
  path->steps = with_room(path->steps, path->length, sizeof *path->steps);
  path->steps[path->length++] = (struct step){node, 0};
}

/* The path ends with an edge to a node on it.  Each object is named in one report. */
static void report_cycle(const struct graph *graph, const struct path *path,
                         const struct node *start) {
  size_t first = path->length;
  while (path->steps[--first].node != start)
    ;
  acre_os_print(2, "acre: a cycle of references keeps %zu object%s alive\n", path->length - first,
                path->length - first == 1 ? "" : "s");
  for (size_t i = first; i < path->length; i++) {
    const struct step *step = &path->steps[i];
    const struct edge *edge = &graph->edges[step->node->first_edge + step->next - 1];
    acre_os_print(2, "  %p: ", (void *)step->node->object);
    print_object(step->node);
    acre_os_print(2, ", ");
    print_field(step->node, edge);
    acre_os_print(2, " %s to %p\n", edge->is_direct ? "refers" : "leads", (void *)edge->to->object);
  }
}

static bool is_any_reported(const struct path *path, const struct node *start, bool *reported) {
  for (size_t i = path->length; i-- > 0;) {
    if (reported[path->steps[i].node - nodes])
      return true;
    if (path->steps[i].node == start)
      return false;
  }
  return false;
}

static void report_from(const struct graph *graph, struct node *start, struct path *path,
                        bool *reported) {
  enter(path, start);
  while (path->length) {
    struct step *last = &path->steps[path->length - 1];
    if (last->next == last->node->edge_count) {
      last->node->state = DONE;
      path->length--;
      continue;
    }
    struct node *to = graph->edges[last->node->first_edge + last->next++].to;
    if (to->state == UNKNOWN)
      enter(path, to);
    else if (to->state == OPEN && !is_any_reported(path, to, reported)) {
      report_cycle(graph, path, to);
      for (size_t i = path->length; i-- > 0;) {
        reported[path->steps[i].node - nodes] = true;
        if (path->steps[i].node == to)
          break;
      }
    }
  }
}

/* Reports what is neither held from outside nor reached from there; returns how many objects that
 * are. */
static size_t report_all(const struct graph *graph) {
  size_t lost = 0;
  struct path path = {NULL, 0};
  bool *reported = calloc(capacity ? capacity : 1, sizeof *reported);
  if (!reported)
    acre_os_fatal("out of memory for the check for cycles");
  for (size_t i = 0; i < capacity; i++)
    lost += nodes[i].object && nodes[i].state != HELD;
  for (size_t i = 0; i < capacity; i++)
    if (nodes[i].object && nodes[i].state == UNKNOWN)
      report_from(graph, &nodes[i], &path, reported);
  if (lost)
    acre_os_print(2, "acre: %zu counted object%s alive only through cycles\n", lost,
                  lost == 1 ? " is" : "s are");
  free(path.steps);
  free(reported);
  return lost;
}

size_t acre_check_cycles(void) {
  acre_cycles_lock();
  struct graph graph = {NULL, 0, NULL, 0};
  for (size_t i = 0; i < capacity; i++)
    nodes[i].inside = 0, nodes[i].state = UNKNOWN;
  for (size_t i = 0; i < capacity; i++)
    if (nodes[i].object)
      collect_edges(&graph, &nodes[i]);
  mark_held(&graph);
  size_t lost = report_all(&graph);
  free(graph.edges);
  free(graph.waiting);
  acre_cycles_unlock();
  return lost;
}

static void check_at_exit(void) { acre_check_cycles(); }

void acre_cycles_start(void) {
  ACRE_ASSERT(!used);
  acre_is_checking_cycles = true;
  atexit(check_at_exit);
}
