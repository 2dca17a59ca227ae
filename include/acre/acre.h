/* SPDX-License-Identifier: MIT */
/* acre.h - everything: annotations, arenas, counted regions. */
#ifndef ACRE_ACRE_H
#define ACRE_ACRE_H

#include <acre/annotations.h>
#include <acre/arena.h>
#include <acre/region.h>
#include <acre/type.h>

#endif
