/* SPDX-License-Identifier: MIT */
/* log.h - ACRE_LOG: what was found, each distinct finding once, and how often.  Internal to the
 * runtime.
 *
 * A finding is a text, written by the functions that print to a file descriptor.  Two are the same
 * if they differ in addresses only.  A finding is logged when it is met first; at exit those that
 * were met more often are logged again, with their counts.
 *
 * Calls that log take turns.
 */
#ifndef ACRE_RUNTIME_EVIDENCE_LOG_H
#define ACRE_RUNTIME_EVIDENCE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is printed to fd becomes text. */
struct acre_finding {
  int fd, reading;
};

/* where: a file's name, "stderr" or "syslog". */
void acre_log_start(const char *where);
bool acre_log_is_on(void);

/* False if descriptors are out. */
bool acre_finding_begin(struct acre_finding *finding);
/* Ends it: its text, at most size - 1 characters.  Needs size > 0. */
void acre_finding_end(struct acre_finding *finding, char *text, size_t size);
/* Ends it, and logs the text if there is a log.  Returns its number there; 0 if it has none. */
uint32_t acre_finding_log(struct acre_finding *finding);
/* The finding of this number was met again.  Does nothing for 0. */
void acre_finding_again(uint32_t number);

#endif
