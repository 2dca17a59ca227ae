/* SPDX-License-Identifier: MIT */
/* os.h - the runtime's only way to the operating system.  Internal to the runtime.
 *
 * Every request for memory passes here, so that failure can be injected: with ACRE_FAIL_AT=n in the
 * environment or acre_os_fail_at(n), the n-th request from then on fails, once.  Nothing here
 * allocates, locks or changes errno beyond what the system calls do, so all of it may be used in a
 * signal handler.
 */
#ifndef ACRE_RUNTIME_PLATFORM_OS_H
#define ACRE_RUNTIME_PLATFORM_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Address space without memory, at a random place, aligned to align.  Null on failure.  Needs align
 * to be a power of two. */
void *acre_os_reserve(size_t size, size_t align);
/* As acre_os_reserve, and all of it lies in one aligned block of `block` bytes, or in any if block
 * is 0, so that its addresses share their top bits.  Needs block to be a power of two, and not less
 * than size. */
void *acre_os_reserve_within(size_t size, size_t align, size_t block);
/* Gives reserved address space or a table back. */
void acre_os_unreserve(void *address, size_t size);
/* Readable, writable, zero memory in reserved space, and around it to whole pages of the system.
 * False on failure. */
bool acre_os_commit(void *address, size_t size);
/* Committed memory gets its frames at once, which takes less than to fault them in; or not, where
 * the system cannot. */
void acre_os_populate(void *address, size_t size);
/* Committed memory reads as zero again.  What of it is whole pages of the system goes back; the
 * address space stays reserved. */
void acre_os_decommit(void *address, size_t size);
/* Moves the memory of a committed range to another address: nothing is copied.  The old range stays
   committed and reads as zero, what was at the new one is gone.  False, with nothing changed, where
   the system cannot. */
bool acre_os_move(void *from, void *to, size_t size);
/* Lazily backed, readable, writable, zero: tables that are mostly never touched.  Null on failure.
 */
void *acre_os_table(size_t size);
/* Writes the ranges of at most `most` large tables and returns how many.  The collector leaves them
 * out of its search, because no pointer of the program is in them. */
typedef struct acre_os_range {
  uintptr_t start, end;
} acre_os_range;
size_t acre_os_tables(acre_os_range *ranges, size_t most);
/* Counts a request that committed memory can satisfy.  False if injection wants it to fail. */
bool acre_os_request(void);
/* The program or library that is mapped at address, if there is one; else 0, 0.  Where the C
   library does not tell the end it is the start. */
acre_os_range acre_os_library(const void *address);
/* Where the first thread's stack was when the program started; 0: the C library does not say. */
uintptr_t acre_os_stack_end(void);
/* Whether the caller is that thread.  Async-signal-safe. */
bool acre_os_is_first_thread(void);
/* Copies size bytes from address even if it is unmapped; false then (what is in to is then
 * unspecified). */
bool acre_os_read(const void *address, void *to, size_t size);
/* The same where the program itself may not read for a while (PROT_NONE).  Takes three system
 * calls; false too where there is no /proc. */
bool acre_os_read_locked(const void *address, void *to, size_t size);
/* A word for an address, and whether it was written there. */
typedef struct acre_os_word {
  uintptr_t address;
  void *value;
  bool is_written;
} acre_os_word;
/* Writes each word whose address can be written: most with one question to the system. */
void acre_os_write_words(acre_os_word *words, size_t count);
/* Processor time that the process has taken, in ns; 0 where the system does not say. */
uint64_t acre_os_processor_time(void);
/* Sets the request (1: the next) that fails; 0: none. */
void acre_os_fail_at(uint64_t request);
uint64_t acre_os_request_count(void);

/* What the environment has for a name; null if nothing, and in a process with more rights than who
   started it: its files and its safety are not that one's to choose.  Not getenv, because a program
   may define that itself, for variables of its own, and need its main to have begun. */
const char *acre_os_setting(const char *name);

/* Writes a formatted message to file descriptor fd without allocating, in one write up to 1 KiB.
   Understands %s %.*s %c %d %i %u %x %p %%, with the length modifiers l, ll, z, j and t; errno is
   kept. */
void acre_os_print(int fd, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* abort(), after a message. */
void acre_os_abort(void) __attribute__((noreturn));
/* Writes "acre: fatal: ", the message and a newline to stderr, then calls acre_os_abort. */
void acre_os_fatal(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* A call of the program. */
typedef struct acre_os_call {
  const char *what; /* is called */
  const char *here; /* FILE:LINE, or null */
  const char *file; /* else, if not null: where, in which function */
  const char *in;
  unsigned line;
} acre_os_call;
/* The same, with the function's name before the message, and in a line of its own where it was
   called, if that is known. */
void acre_os_fatal_call(const acre_os_call *call, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

#endif
