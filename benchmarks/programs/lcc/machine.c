/* SPDX-License-Identifier: MIT */
/* machine.c - tables of registers. */
#include "machine.h"

const int register_pool[] = {
    REGISTER_SI,        REGISTER_DI,        REGISTER_8,         REGISTER_9,
    REGISTER_10,        REGISTER_11,        REGISTER_BX,        REGISTER_12,
    REGISTER_13,        REGISTER_14,        REGISTER_15,        REGISTER_XMM0 + 8,
    REGISTER_XMM0 + 9,  REGISTER_XMM0 + 10, REGISTER_XMM0 + 11, REGISTER_XMM0 + 12,
    REGISTER_XMM0 + 13, REGISTER_XMM0 + 14, REGISTER_XMM0 + 15,
};
const int register_pool_size = sizeof register_pool / sizeof register_pool[0];

bool register_is_saved(int number) {
  return number == REGISTER_BX || (number >= REGISTER_12 && number <= REGISTER_15);
}

bool register_is_argument(int number) { return number >= REGISTER_SI && number <= REGISTER_9; }

static const char *const names[][4] = {
    {"%rax", "%eax", "%ax", "%al"},      {"%rcx", "%ecx", "%cx", "%cl"},
    {"%rdx", "%edx", "%dx", "%dl"},      {"%rbx", "%ebx", "%bx", "%bl"},
    {"%rsi", "%esi", "%si", "%sil"},     {"%rdi", "%edi", "%di", "%dil"},
    {"%r8", "%r8d", "%r8w", "%r8b"},     {"%r9", "%r9d", "%r9w", "%r9b"},
    {"%r10", "%r10d", "%r10w", "%r10b"}, {"%r11", "%r11d", "%r11w", "%r11b"},
    {"%r12", "%r12d", "%r12w", "%r12b"}, {"%r13", "%r13d", "%r13w", "%r13b"},
    {"%r14", "%r14d", "%r14w", "%r14b"}, {"%r15", "%r15d", "%r15w", "%r15b"},
};
static const char *const vector_names[] = {
    "%xmm0", "%xmm1", "%xmm2",  "%xmm3",  "%xmm4",  "%xmm5",  "%xmm6",  "%xmm7",
    "%xmm8", "%xmm9", "%xmm10", "%xmm11", "%xmm12", "%xmm13", "%xmm14", "%xmm15",
};

const char *register_name(int number, int size) {
  if (number >= REGISTER_XMM0)
    return vector_names[number - REGISTER_XMM0];
  return names[number][size == 8 ? 0 : size == 4 ? 1 : size == 2 ? 2 : 3];
}
