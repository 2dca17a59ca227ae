/* SPDX-License-Identifier: MIT */
/* machine.h - the registers of x86-64.  rax, rcx, rdx, xmm0 and xmm1 are left to the instructions
 * themselves. */
#ifndef LCC_MACHINE_H
#define LCC_MACHINE_H

#include <stdbool.h>

enum machine_register {
  REGISTER_AX,
  REGISTER_CX,
  REGISTER_DX,
  REGISTER_BX,
  REGISTER_SI,
  REGISTER_DI,
  REGISTER_8,
  REGISTER_9,
  REGISTER_10,
  REGISTER_11,
  REGISTER_12,
  REGISTER_13,
  REGISTER_14,
  REGISTER_15,
  REGISTER_XMM0,
  REGISTER_COUNT = REGISTER_XMM0 + 16
};

/* What allocation may use, in the order of preference. */
extern const int register_pool[];
extern const int register_pool_size;

/* Whether a function must leave the register as it was. */
bool register_is_saved(int number);
/* Whether it passes an argument, or is changed by block copies. */
bool register_is_argument(int number);
/* The register's name for an operand of size bytes. */
const char *register_name(int number, int size);

#endif
