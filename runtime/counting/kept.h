/* SPDX-License-Identifier: MIT */
/* kept.h - pointers that the C library or the kernel keeps for the program.  Internal to the
 * runtime.
 *
 * Each has a slot of its own here, counted like any other, for as long as the keeper may give the
 * pointer back.  A slot is named by its keeper and a number of at most 56 bits, and is never given
 * to another name, so that no lock is needed: a signal handler may interrupt any of this.  Whether
 * a pointer is still kept is asked of the keeper, where that is possible, before a delete is
 * refused for it.
 */
#ifndef ACRE_RUNTIME_COUNTING_KEPT_H
#define ACRE_RUNTIME_COUNTING_KEPT_H

#include <stdbool.h>
#include <stdint.h>

struct acre_thread;

enum acre_keeper {
  ACRE_KEPT_BY_EPOLL = 1,   /* acre_epoll_number: the data of a descriptor that is waited for */
  ACRE_KEPT_BY_THREAD_KEY,  /* acre_key_number: a value of pthread_setspecific */
  ACRE_KEPT_BY_STREAM,      /* the FILE: its buffer */
  ACRE_KEPT_BY_COOKIE,      /* the FILE: its cookie */
  ACRE_KEPT_BY_ENVIRONMENT, /* a hash of the variable's name: the string given to putenv */
  ACRE_KEPT_BY_TIMER,       /* the timer: the value of its signal */
  ACRE_KEPT_BY_QUEUE,       /* the message queue: the value of its signal */
  ACRE_KEPT_BY_EXIT,        /* which call of on_exit: the argument */
  ACRE_KEPT_BY_BUFFER,      /* the FILE: the memory that it reads and writes */
  ACRE_KEPT_BY_LOG,         /* 0: the name that syslog puts before messages */
  ACRE_KEPT_BY_OPTIONS,     /* 0: optarg, 1: the argument that getopt reads next */
  ACRE_KEPT_BY_RANDOM,      /* 0: the state of random() */
};

/* keeper keeps value now under this number, and no longer what it kept there before.  Values that
   are in no region, null among them, are only noted to end that.  Ends the program if there is no
   memory for the table. */
void acre_kept_set(enum acre_keeper keeper, uint64_t number, const void *value);
/* What acre_kept_set noted last under the number; null if nothing. */
void *acre_kept(enum acre_keeper keeper, uint64_t number);

/* The registration of descriptor in epoll; turn: 0, or more for one that outlived the closing of
 * its descriptor. */
uint64_t acre_epoll_number(int epoll, int descriptor, unsigned turn);
/* Does epoll still hold data, for any descriptor?  Asks the kernel; O(registrations). */
bool acre_epoll_holds(int epoll, const void *data);
/* The same, for one descriptor: quick if nothing is registered under its number. */
bool acre_epoll_has(int epoll, int descriptor, const void *data);
/* The number of a key of the calling thread. */
uint64_t acre_key_number(unsigned key);

/* The calling thread ends: its values of pthread_setspecific are no longer kept.  Needs self to be
 * that thread. */
void acre_kept_end_thread(struct acre_thread *self);

/* Is slot one of these, whose keeper says that it no longer has the pointer? */
bool acre_kept_is_over(const void *slot);
bool acre_kept_is_slot(const void *slot);
/* Prints who keeps the pointer, if slot is one of these. */
bool acre_kept_print(int fd, const void *slot);

#endif
