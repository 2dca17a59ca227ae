/* SPDX-License-Identifier: MIT */
/* symbols.h - the names that the linker left in the files of the program.  Internal to the runtime.
 *
 * dladdr knows what a program exports; most of its functions and variables have names in .symtab
 * only, which is in the file and not in memory.  It is read when a message needs it, without
 * malloc.  A program that was stripped has the names of .dynsym, or none.
 */
#ifndef ACRE_RUNTIME_PLATFORM_SYMBOLS_H
#define ACRE_RUNTIME_PLATFORM_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct acre_symbol {
  char name[128]; /* cut off where it is longer */
  size_t offset;  /* of the address behind the symbol's begin */
  bool is_function;
  bool is_thread_local;
} acre_symbol;

/* The function or variable that address lies in: one of the program, a library, or of the calling
   thread.  O(symbols of the file), by system calls. */
bool acre_symbol_find(uintptr_t address, acre_symbol *symbol);

#endif
