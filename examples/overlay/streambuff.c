/* SPDX-License-Identifier: MIT */
/* streambuff.c - packets as arrays of parts.
 *
 * Invariant: parts[0..count) have at least one byte each, and length is the sum of their lengths.
 */
#include "streambuff.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_PARTS = 4 };

struct part {
  struct databuff *refcounted data;
  size_t offset, length;
};

struct streambuff {
  size_t length, count, capacity;
  struct part *unique parts;
};

struct databuff *refcounted databuff_new(size_t size) {
  struct databuff *refcounted data = acre_ref_new(sizeof *data + size);
  if (data)
    data->size = size;
  return data;
}

struct streambuff *unique streambuff_new(void) {
  struct streambuff *unique stream = calloc(1, sizeof *stream);
  return stream;
}

static void drop_parts(struct streambuff *stream, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    stream->length -= stream->parts[i].length;
    rc_drop(acre_take(&stream->parts[i].data));
  }
}

void streambuff_free(struct streambuff *unique stream) {
  if (stream) {
    drop_parts(stream, 0, stream->count);
    free(acre_take(&stream->parts));
  }
  free(stream);
}

size_t streambuff_length(const struct streambuff *borrowed stream) { return stream->length; }

static bool make_room(struct streambuff *stream, size_t count) {
  if (count <= stream->capacity)
    return true;
  size_t capacity = count < FEW_PARTS ? FEW_PARTS : count * 2;
  struct part *unique old = acre_take(&stream->parts);
  struct part *unique parts = realloc(old, capacity * sizeof *parts);
  if (!parts) {
    free(acre_swap(&stream->parts, old));
    return false;
  }
  for (size_t i = stream->capacity; i < capacity; i++)
    parts[i].data = NULL;
  stream->capacity = capacity;
  free(acre_swap(&stream->parts, parts));
  return true;
}

/* Moves a part to a place that has none. */
static void move(struct streambuff *stream, size_t to, size_t from) {
  rc_drop(acre_swap(&stream->parts[to].data, acre_take(&stream->parts[from].data)));
  stream->parts[to].offset = stream->parts[from].offset;
  stream->parts[to].length = stream->parts[from].length;
}

/* Puts part in before the one of that index. */
static bool insert(struct streambuff *stream, size_t index, struct databuff *refcounted data,
                   size_t offset, size_t length) {
  if (!data || !length || !make_room(stream, stream->count + 1)) {
    bool is_nothing = data && !length;
    rc_drop(data);
    return is_nothing;
  }
  for (size_t i = stream->count; i > index; i--)
    move(stream, i, i - 1);
  struct part *place = stream->parts + index;
  rc_drop(acre_swap(&place->data, data));
  place->offset = offset;
  place->length = length;
  stream->count++;
  stream->length += length;
  return true;
}

bool streambuff_append(struct streambuff *borrowed stream, struct databuff *refcounted data) {
  size_t size = data ? data->size : 0;
  return insert(stream, stream->count, data, 0, size);
}

bool streambuff_prepend(struct streambuff *borrowed stream, struct databuff *refcounted data) {
  size_t size = data ? data->size : 0;
  return insert(stream, 0, data, 0, size);
}

/* The first length bytes of stream, shared. */
static struct streambuff *unique share(const struct streambuff *stream, size_t length) {
  struct streambuff *unique copy = streambuff_new();
  bool is_whole = copy && make_room(copy, stream->count);
  for (size_t i = 0; is_whole && i < stream->count && length; i++) {
    const struct part *part = stream->parts + i;
    size_t taken = part->length < length ? part->length : length;
    is_whole = insert(copy, i, rc_alias(part->data), part->offset, taken);
    length -= taken;
  }
  if (is_whole)
    return copy;
  streambuff_free(copy);
  return NULL;
}

struct streambuff *unique streambuff_share(const struct streambuff *borrowed stream) {
  return share(stream, stream->length);
}

struct streambuff *unique streambuff_cut(struct streambuff *borrowed stream, size_t length) {
  struct streambuff *unique front = share(stream, length);
  if (front)
    streambuff_strip(stream, length);
  return front;
}

bool streambuff_join(struct streambuff *borrowed stream, struct streambuff *unique more) {
  bool is_whole = true;
  for (size_t i = 0; is_whole && i < more->count; i++) {
    const struct part *part = more->parts + i;
    is_whole = insert(stream, stream->count, rc_alias(part->data), part->offset, part->length);
  }
  streambuff_free(more);
  return is_whole;
}

void streambuff_strip(struct streambuff *borrowed stream, size_t length) {
  size_t whole = 0;
  for (; whole < stream->count && stream->parts[whole].length <= length; whole++)
    length -= stream->parts[whole].length;
  drop_parts(stream, 0, whole);
  stream->count -= whole;
  for (size_t i = 0; whole && i < stream->count; i++)
    move(stream, i, i + whole);
  if (stream->count) {
    stream->parts[0].offset += length;
    stream->parts[0].length -= length;
    stream->length -= length;
  }
}

/* Makes the bytes of a part its own. */
static bool make_writable(struct part *part) {
  if (acre_ref_count(part->data) == 1)
    return true;
  struct databuff *refcounted own = databuff_new(part->length);
  if (!own)
    return false;
  memcpy(own->bytes, part->data->bytes + part->offset, part->length);
  part->offset = 0;
  rc_drop(acre_swap(&part->data, own));
  return true;
}

bool streambuff_xor(struct streambuff *borrowed stream, unsigned char key) {
  for (size_t i = 0; i < stream->count; i++) {
    struct part *part = stream->parts + i;
    if (!make_writable(part))
      return false;
    unsigned char *bytes = stream->parts[i].data->bytes + stream->parts[i].offset;
    for (size_t j = 0; j < stream->parts[i].length; j++)
      bytes[j] ^= key;
  }
  return true;
}

size_t streambuff_gather(const struct streambuff *borrowed stream, struct iovec *parts,
                         size_t most) {
  size_t count = stream->count < most ? stream->count : most;
  for (size_t i = 0; i < count; i++) {
    const struct part *part = stream->parts + i;
    /* A borrowed pointer is not stored: an integer is what the reader of this has to answer for. */
    parts[i].iov_base = (void *)((uintptr_t)part->data->bytes + part->offset);
    parts[i].iov_len = part->length;
  }
  return count;
}
