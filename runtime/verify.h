/* verify.h - recounting from scratch.  Internal to the runtime. */
#ifndef ACRE_RUNTIME_VERIFY_H
#define ACRE_RUNTIME_VERIFY_H

/* acre_verify; on a difference the program ends.  when: for the message. */
void acre_verify_or_abort(const char *when);

#endif
