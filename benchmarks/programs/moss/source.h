/* SPDX-License-Identifier: MIT */
/* source.h - program texts to compare, made up from a seed.
 *
 * Document number n is always the same.  Most of its functions are its own; some it shares with
 * other documents, with its own names for everything in them, as copied homework has.
 */
#ifndef MOSS_SOURCE_H
#define MOSS_SOURCE_H

#include <stdint.h>

#include "text.h"

void source_write(struct text *text, uint32_t document);

#endif
