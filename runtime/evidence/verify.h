/* SPDX-License-Identifier: MIT */
/* verify.h - recounting from scratch.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_EVIDENCE_VERIFY_H
#define ACRE_RUNTIME_EVIDENCE_VERIFY_H

#include <stdbool.h>

/* Each delete is to be verified: ACRE_VERIFY=1, or -facre-verify in the link. */
extern bool acre_is_verifying;

/* acre_verify; on a difference the program ends.  when: for the message. */
void acre_verify_or_abort(const char *when);
/* To be called in the child of a fork. */
void acre_verify_in_child(void);

#endif
