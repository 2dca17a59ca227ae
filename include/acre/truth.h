/* SPDX-License-Identifier: MIT */
/* truth.h - the type of answers: acre_bool is bool, also where that may be a name of the program.
 *
 * <stdbool.h>, which makes bool a macro, is included for the program's convenience, but not before
 * C99, where bool is a name like any other, and not if the program defines ACRE_NO_BOOL (or
 * ACRE_NO_bool: annotations.h).
 */
#ifndef ACRE_TRUTH_H
#define ACRE_TRUTH_H

#if defined(__cplusplus)
typedef bool acre_bool;
#else
typedef _Bool acre_bool;
#if __STDC_VERSION__ >= 199901L && !defined(ACRE_NO_BOOL) && !defined(ACRE_NO_bool) && \
    (!defined(ACRE_NO_SHORT_NAMES) || defined(ACRE_USE_bool))
#include <stdbool.h>
#endif
#endif

#endif
