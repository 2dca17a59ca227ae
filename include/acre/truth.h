/* truth.h - the type of answers: acre_bool is bool, also where that may be a name of the program.
 *
 * Before C99 it may: then <stdbool.h>, which makes it a macro, is left to the program.
 */
#ifndef ACRE_TRUTH_H
#define ACRE_TRUTH_H

#if defined(__cplusplus)
typedef bool acre_bool;
#else
typedef _Bool acre_bool;
#if __STDC_VERSION__ >= 199901L
#include <stdbool.h>
#endif
#endif

#endif
