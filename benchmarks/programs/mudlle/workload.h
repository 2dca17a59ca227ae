/* SPDX-License-Identifier: MIT */
/* workload.h - large programs, drawn from a seed. */
#ifndef MUDLLE_WORKLOAD_H
#define MUDLLE_WORKLOAD_H

/* The source of a program with function_count functions, in malloc memory.  The same on every
   machine.  It runs to its end without error; its value is a number. */
char *workload_generate(unsigned seed, int function_count);

#endif
