/* SPDX-License-Identifier: MIT */
/* prelude.h - the part of the language that is written in it. */
#ifndef SCHEME_PRELUDE_H
#define SCHEME_PRELUDE_H

/* Definitions, to be run before a program. */
extern const char prelude[];

#endif
