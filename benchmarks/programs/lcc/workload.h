/* SPDX-License-Identifier: MIT */
/* workload.h - large C programs, drawn from a seed. */
#ifndef LCC_WORKLOAD_H
#define LCC_WORKLOAD_H

/* The source of a program with function_count functions, in malloc memory.  The same on every
   machine.  Compiled and run, it prints one number, which every correct compiler agrees on. */
char *workload_generate(unsigned seed, int function_count);

#endif
