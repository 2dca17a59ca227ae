/* SPDX-License-Identifier: MIT */
/* run.h - programs, one expression after the other. */
#ifndef SCHEME_RUN_H
#define SCHEME_RUN_H

#include "heap.h"

/* Makes the arena, and runs the prelude in it.  False: a message was printed. */
bool run_start(struct host *host, char **arguments);
/* Each of these returns whether the program went to its end: it may fail, with a message, or exit
 * (host->is_exit). */
bool run_file(struct host *host, const char *path);
bool run_text(struct host *host, const char *text, const char *name);
/* Reads expressions from the standard input and prints what they are. */
bool converse(struct host *host, bool has_prompt);
/* Prints to stderr how much memory was used. */
void run_report(const struct host *host);

#endif
