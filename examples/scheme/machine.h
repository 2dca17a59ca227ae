/* SPDX-License-Identifier: MIT */
/* machine.h - runs compiled programs: a machine with a stack in the arena, and no recursion in C.
 *
 * Stack, from the bottom: for each call that waits, its frame and the point that it returns to;
 * then arguments that are evaluated already.  Variables are in frames, which live as long as
 * anybody knows them; a continuation is a copy of the stack.  A tail call finds nothing of its own
 * function on the stack.
 */
#ifndef SCHEME_MACHINE_H
#define SCHEME_MACHINE_H

#include "heap.h"

/* The instructions of compiled code.  Operands are the words behind an instruction, in this order.
 */
enum instruction {
  CODE_CONSTANT,      /* number of constant: to the accumulator */
  CODE_LOCAL,         /* frames up, variable */
  CODE_LOCAL_HERE,    /* variable, of the frame itself */
  CODE_GLOBAL,        /* number of a symbol */
  CODE_SET_LOCAL,     /* frames up, variable */
  CODE_SET_GLOBAL,    /* number of a symbol */
  CODE_DEFINE,        /* number of a symbol */
  CODE_PUSH,          /* the accumulator */
  CODE_CLOSE,         /* number of code: a procedure in this frame */
  CODE_JUMP,          /* distance */
  CODE_JUMP_IF_FALSE, /* distance */
  CODE_BEGIN_CALL,    /* number of the point after it: pushes the frame and the point */
  CODE_CALL,          /* arguments, line: the accumulator */
  CODE_JUMP_IF_TRUE,  /* distance */
  CODE_BIND,          /* variables: a frame in this frame, with so many values from the stack */
  CODE_ENTER,         /* variables: a frame in this frame, of so many unassigned variables */
  CODE_LEAVE,         /* back to the frame around */
  CODE_RETURN
};

/* Makes what exists once in m, which is new: constants, primitives, words of the language. */
void machine_fill(struct machine *m);

/* Begins to run code, without arguments; whatever ran is forgotten. */
void machine_start(struct machine *m, struct code *code);
/* Runs until it is done (the value is in the accumulator), memory must be collected, or nobody
 * handles a failure. */
enum outcome machine_run(struct machine *m);
/* Raises a failure where the machine is, between two runs. */
void machine_interrupt(struct machine *m, const char *message);

/* Pushes a value on the stack. */
void machine_push(struct machine *m, struct object *inregion(m) value);
/* Leaves a call of procedure with the count arguments that were pushed last to the machine; returns
 * null. */
struct object *machine_transfer(struct machine *m, struct object *inregion(m) procedure,
                                unsigned count);

/* Sets m->failure; returns null.  The message is about irritant, which may be null. */
struct object *inregion(m) fail(struct machine *m, const char *message, struct object *irritant);
/* The same for a list of irritants, and a type of failure: a symbol's name, or null. */
struct object *inregion(m) fail_with(struct machine *m, struct object *message,
                                     struct object *irritants, const char *type);
/* "NAME: what is expected", about a value. */
struct object *inregion(m) fail_type(struct machine *m, const char *primitive, const char *expected,
                                     struct object *value);
/* Ends the program. */
_Noreturn void machine_die(const char *message);

#endif
