/* SPDX-License-Identifier: MIT */
/* forward.c - what operations do to packets.
 *
 * A packet belongs to the operation that has it.  Where several come after one, all but the last
 * get a packet of their own that shares the bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "overlay.h"

static void operate(struct events *borrowed loop, struct overlay *overlay,
                    struct operation *operation, struct streambuff *unique packet);

static void pass_on(struct events *loop, struct overlay *overlay, const struct operation *operation,
                    struct streambuff *unique packet) {
  if (!operation->next_count) {
    streambuff_free(packet);
    return;
  }
  size_t last = operation->next_count - 1;
  for (size_t i = 0; i < last; i++) {
    struct streambuff *unique copy = streambuff_share(packet);
    if (copy)
      operate(loop, overlay, operation->next[i], copy);
    else
      overlay->lost++;
  }
  operate(loop, overlay, operation->next[last], packet);
}

static void lose(struct overlay *overlay, struct streambuff *unique packet) {
  streambuff_free(packet);
  overlay->lost++;
}

static struct databuff *refcounted text_data(const char *text) {
  size_t length = strlen(text);
  struct databuff *refcounted data = databuff_new(length);
  if (data)
    memcpy(data->bytes, text, length);
  return data;
}

static struct databuff *refcounted number_data(uint64_t number) {
  struct databuff *refcounted data = databuff_new(4);
  for (unsigned i = 0; data && i < 4; i++)
    data->bytes[i] = (unsigned char)(number >> (24 - 8 * i));
  return data;
}

static void split(struct events *loop, struct overlay *overlay, const struct operation *operation,
                  struct streambuff *unique packet) {
  while (streambuff_length(packet) > operation->argument) {
    struct streambuff *unique front = streambuff_cut(packet, operation->argument);
    if (!front) {
      lose(overlay, packet);
      return;
    }
    pass_on(loop, overlay, operation, front);
  }
  pass_on(loop, overlay, operation, packet);
}

static void join(struct events *loop, struct overlay *overlay, struct operation *operation,
                 struct streambuff *unique packet) {
  struct streambuff *unique held = acre_take(&operation->held);
  if (!held)
    held = packet;
  else if (!streambuff_join(held, packet))
    overlay->lost++;
  if (streambuff_length(held) >= operation->argument)
    pass_on(loop, overlay, operation, held);
  else
    streambuff_free(acre_swap(&operation->held, held));
}

/* What operations do that pass the same packet on.  False: it is lost. */
static bool change(const struct operation *operation, uint64_t packets, struct streambuff *packet) {
  switch (operation->kind) {
  case OPERATION_NUMBER:
    return streambuff_prepend(packet, number_data(packets));
  case OPERATION_PREPEND:
    return streambuff_prepend(packet, text_data(operation->text));
  case OPERATION_XOR:
    return streambuff_xor(packet, (unsigned char)operation->argument);
  case OPERATION_STRIP:
    streambuff_strip(packet, operation->argument);
    return true;
  default:
    return true;
  }
}

static void operate(struct events *borrowed loop, struct overlay *overlay,
                    struct operation *operation, struct streambuff *unique packet) {
  uint64_t packets = operation->packets++;
  switch (operation->kind) {
  case OPERATION_PORT:
    output_send(loop, overlay, rc_alias(operation->port), packet);
    break;
  case OPERATION_SPLIT:
    split(loop, overlay, operation, packet);
    break;
  case OPERATION_JOIN:
    join(loop, overlay, operation, packet);
    break;
  case OPERATION_EVERY:
    if (packets % operation->argument == 0)
      pass_on(loop, overlay, operation, packet);
    else
      streambuff_free(packet);
    break;
  default:
    if (change(operation, packets, packet))
      pass_on(loop, overlay, operation, packet);
    else
      lose(overlay, packet);
  }
}

void overlay_receive(struct events *borrowed loop, struct overlay *overlay, size_t source,
                     struct streambuff *unique packet) {
  overlay->received++;
  acre_open(memory, overlay->key);
  pass_on(loop, overlay, acre_root(struct plan, memory)->operations[source], packet);
}
