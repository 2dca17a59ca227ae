/* SPDX-License-Identifier: MIT */
/* sanitizer.h - tells memory checkers what region and arena memory may be touched.  Internal to the
 * runtime.
 *
 * Works for Valgrind's memcheck and for AddressSanitizer in any part of the program: its functions
 * are weak, so that an uninstrumented libacre marks memory for an instrumented program.  Without a
 * checker a mark costs a few instructions and changes nothing.
 */
#ifndef ACRE_RUNTIME_PLATFORM_SANITIZER_H
#define ACRE_RUNTIME_PLATFORM_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__has_include) && __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_NOACCESS(p, n) ((void)(p), (void)(n), 0)
#define VALGRIND_MAKE_MEM_UNDEFINED(p, n) ((void)(p), (void)(n), 0)
#define VALGRIND_MAKE_MEM_DEFINED(p, n) ((void)(p), (void)(n), 0)
#define VALGRIND_DISABLE_ERROR_REPORTING ((void)0)
#define VALGRIND_ENABLE_ERROR_REPORTING ((void)0)
#define VALGRIND_DISCARD_TRANSLATIONS(p, n) ((void)(p), (void)(n))
#define RUNNING_ON_VALGRIND 0
#endif

void __asan_poison_memory_region(const volatile void *p, size_t n) __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void *p, size_t n) __attribute__((weak));
void __lsan_register_root_region(const void *p, size_t n) __attribute__((weak));

/* Defined by AddressSanitizer, ThreadSanitizer and MemorySanitizer; null in a program without. */
void __asan_init(void) __attribute__((weak));
void __tsan_init(void) __attribute__((weak));
void __msan_init(void) __attribute__((weak));

void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

/* Pointers to malloc memory may be found in [p, p+n), mapped or not: LeakSanitizer looks there too.
 */
static inline void acre_sanitizer_add_root(const void *p, size_t n) {
  if (__lsan_register_root_region)
    __lsan_register_root_region(p, n);
}

/* [p, p+n) may not be touched. */
static inline void acre_sanitizer_forbid(const void *p, size_t n) {
  (void)VALGRIND_MAKE_MEM_NOACCESS(p, n);
  if (__asan_poison_memory_region)
    __asan_poison_memory_region(p, n);
}

/* May be touched; reading before writing is an error. */
static inline void acre_sanitizer_allow(const void *p, size_t n) {
  (void)VALGRIND_MAKE_MEM_UNDEFINED(p, n);
  if (__asan_unpoison_memory_region)
    __asan_unpoison_memory_region(p, n);
}

/* May be touched and read. */
static inline void acre_sanitizer_define(const void *p, size_t n) {
  (void)VALGRIND_MAKE_MEM_DEFINED(p, n);
  if (__asan_unpoison_memory_region)
    __asan_unpoison_memory_region(p, n);
}

/* What was done before the release of an address is before what comes after its acquisition, as
 * ThreadSanitizer is told in a program whose runtime it does not watch. */
static inline void acre_sanitizer_release(void *address) {
  if (__tsan_release)
    __tsan_release(address);
}
static inline void acre_sanitizer_acquire(void *address) {
  if (__tsan_acquire)
    __tsan_acquire(address);
}

/* What the calling thread does in between Valgrind does not report: a conservative collector reads
 * memory that the program may not. */
static inline void acre_sanitizer_pause(void) { VALGRIND_DISABLE_ERROR_REPORTING; }
static inline void acre_sanitizer_resume(void) { VALGRIND_ENABLE_ERROR_REPORTING; }

/* Does a checker look at the marks?  The answer never changes.  Other Valgrind tools (callgrind) do
 * not count. */
static inline bool acre_memory_is_checked(void) {
  char byte = 0;
  return __asan_poison_memory_region || VALGRIND_MAKE_MEM_DEFINED(&byte, sizeof byte) != 0;
}

/* What acre_memory_is_checked said when acre_sanitizer_look was called; false before. */
extern bool acre_is_checked;
void acre_sanitizer_look(void);

/* Compiled into the runtime only: reads words that may lie in memory that a checker has doubts
   about (padding, the unused part of a stack object), never past the aligned word that holds a byte
   in question. */
#define ACRE_RAW_READ \
  __attribute__((no_sanitize("address"), no_sanitize("thread"), no_sanitize("undefined")))

/* word, of which a checker believes from now on that it is initialised. */
uintptr_t acre_sanitizer_define_word(uintptr_t word);
static inline uintptr_t acre_defined(uintptr_t word) {
  return __builtin_expect(acre_is_checked, 0) ? acre_sanitizer_define_word(word) : word;
}

#endif
