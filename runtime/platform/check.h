/* SPDX-License-Identifier: MIT */
/* check.h - assertions of invariants and preconditions.  Internal to the runtime.
 *
 * On in the presets debug, asan and tsan (ACRE_ASSERTIONS), nothing in a release.  An assertion
 * says what the code relies on; what a program can do wrong gets a message in every build.  A
 * condition whose terms do not say which invariant it is of ends in && "the invariant".
 *
 * What a function needs of its caller stands in its header as "Needs ...", and is asserted first
 * (tests/house/preconditions.py).
 */
#ifndef ACRE_RUNTIME_PLATFORM_CHECK_H
#define ACRE_RUNTIME_PLATFORM_CHECK_H

#ifdef ACRE_ASSERTIONS
/* Prints what did not hold, and aborts.  Needs no memory. */
_Noreturn void acre_assertion_failed(const char *condition, const char *file, int line);
#define ACRE_ASSERT(condition) \
  ((condition) ? (void)0 : acre_assertion_failed(#condition, __FILE__, __LINE__))
#else
/* Not evaluated, but what it names counts as used. */
#define ACRE_ASSERT(condition) ((void)(0 && (condition)))
#endif

#endif
