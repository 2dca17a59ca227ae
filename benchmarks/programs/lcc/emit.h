/* SPDX-License-Identifier: MIT */
/* emit.h - what the two halves of the code generator share: emit.c moves values and calls, select.c
 * chooses the instructions of each operation. */
#ifndef LCC_EMIT_H
#define LCC_EMIT_H

#include "code.h"
#include "declaration.h"
#include "machine.h"
#include "output.h"

const struct value *emit_value(int number);
/* The slot of a value, as an operand; valid for three more calls. */
const char *emit_slot(int number);
int emit_register_size(enum class class);
bool emit_is_signed(enum class class);
/* Whether value fits the immediate operand of an instruction. */
bool emit_is_short(long value);

/* operand into the machine register number; that into the place of a value. */
void emit_load(int number, struct operand operand, enum class class);
void emit_store(int number, int result);
void emit_load_memory(int number, enum class class, const char *address);
void emit_store_memory(int number, enum class class, const char *address);
/* The register that operand is in, or scratch, into which it is loaded. */
int emit_operand_register(struct operand operand, enum class class, int scratch);
/* The register of a result, or scratch if it has none: to be followed by emit_store. */
int emit_result_register(int result, int scratch);
/* operand as the source of an instruction: immediate, register or memory. */
void emit_source(char *text, size_t size, struct operand operand, enum class class, int scratch);
/* The memory operand of a load, store or address. */
void emit_address(char *text, size_t size, const struct quad *quad, int scratch);
/* Extends the value of a small class in a register to four bytes. */
void emit_extend(int number, enum class class);

void emit_call(const struct quad *quad);
void emit_va_start(const struct quad *quad);
void emit_va_arg(const struct quad *quad);

/* select.c */
void emit_quad(const struct quad *quad);

#endif
