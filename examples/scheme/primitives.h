/* SPDX-License-Identifier: MIT */
/* primitives.h - procedures that are written in C. */
#ifndef SCHEME_PRIMITIVES_H
#define SCHEME_PRIMITIVES_H

#include "machine.h"

/* Functions are given m and their arguments, from the first.  Null: m->failure says why, or a call
   was left to the machine (m->is_transfer), or it stops (m->stop). */
typedef struct object *primitive_function(struct machine *m, struct object *sameregion *arguments,
                                          unsigned count);
enum { ANY_COUNT = 255 };
struct primitive {
  const char *name;
  primitive_function *function;
  uint8_t least, most; /* arguments; ANY_COUNT: no limit */
};

const struct primitive *primitive_of(const struct object *primitive);
/* A primitive, whatever the program has made of its name. */
struct object *primitive_object(struct machine *m, const char *name);
/* Makes primitives the values of their names. */
void define_primitives(struct machine *m);

/* Whether value is an integer from least to most; else there is a failure of the primitive. */
bool is_index(struct machine *m, const char *primitive, struct object *value, int64_t least,
              int64_t most);
/* What of a sequence optional arguments select, [*start, *end); false: a failure. */
bool select_range(struct machine *m, const char *primitive, struct object *sameregion *arguments,
                  unsigned count, unsigned first, size_t length, size_t *borrowed start,
                  size_t *borrowed end);
/* Whether memory for so many bytes may be asked for; else there is a failure. */
bool has_room(struct machine *m, const char *primitive, uint64_t bytes);

#endif
