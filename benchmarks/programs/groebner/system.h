/* SPDX-License-Identifier: MIT */
/* system.h - systems of polynomials that Groebner bases are usually measured with. */
#ifndef GROEBNER_SYSTEM_H
#define GROEBNER_SYSTEM_H

#include "basis.h"

/* A basis, with its pairs, of the ideal called name: "cyclic-N" (the roots of cyclic polynomials, N
   variables) or "katsura-N" (magnetism of a lattice, N+1 variables), MAX_VARIABLES at most.  Null
   for another name. */
struct basis *inregion(r) system_named(region r, const char *name);

#endif
