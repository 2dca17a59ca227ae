/* SPDX-License-Identifier: MIT */
/* streambuff.h - packets that share their bytes.
 *
 * A streambuff is a packet: a unique array of parts of databuffs, which are reference-counted.  Two
 * packets with the same bytes share the databuffs; bytes are put in front, cut off and passed on
 * without copying, and copied when they are changed while they are shared.
 */
#ifndef OVERLAY_STREAMBUFF_H
#define OVERLAY_STREAMBUFF_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

#include "../events/discipline.h"

struct databuff {
  size_t size;
  unsigned char bytes[];
};

struct streambuff; /* all of its operations are below */

/* Uninitialized but for its size; null when memory is out. */
struct databuff *refcounted databuff_new(size_t size);

/* Without bytes; null when memory is out. */
struct streambuff *unique streambuff_new(void);
void streambuff_free(struct streambuff *unique stream);
size_t streambuff_length(const struct streambuff *borrowed stream);

/* Put all of data behind or in front.  False, and data is gone, when memory is out. */
bool streambuff_append(struct streambuff *borrowed stream, struct databuff *refcounted data);
bool streambuff_prepend(struct streambuff *borrowed stream, struct databuff *refcounted data);
/* Another packet of the same bytes, which both share; null when memory is out. */
struct streambuff *unique streambuff_share(const struct streambuff *borrowed stream);
/* The first length bytes, which stream loses; null when memory is out. */
struct streambuff *unique streambuff_cut(struct streambuff *borrowed stream, size_t length);
/* Puts the bytes of more behind those of stream.  False, with some of them, when memory is out. */
bool streambuff_join(struct streambuff *borrowed stream, struct streambuff *unique more);
/* Takes length bytes, or all if there are fewer, off the front. */
void streambuff_strip(struct streambuff *borrowed stream, size_t length);
/* Changes every byte to the exclusive or of it and key.  False when memory is out. */
bool streambuff_xor(struct streambuff *borrowed stream, unsigned char key);
/* The first parts of the packet, at most `most`, for sendmsg; returns how many.  They are good
   until stream is changed, which nobody checks. */
size_t streambuff_gather(const struct streambuff *borrowed stream, struct iovec *parts,
                         size_t most);

#endif
