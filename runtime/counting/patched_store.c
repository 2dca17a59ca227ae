/* SPDX-License-Identifier: MIT */
/* patched_store.c - see patched_store.h.
 *
 * Most of these stores change no count.  The most common are told in assembly that uses three
 * registers, the others by a function that saves no more registers than it uses; and most that
 * change a count only exchange a record.  This file, record.c and lazy.c are compiled without
 * vector registers, which take a hundred times as long to save as a record takes to exchange: they
 * are saved only where more of the runtime is called.
 */
#include "counting/patched_store.h"

#ifdef __x86_64__

#include <cpuid.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <acre/abi.h>

#include "counting/scan.h"
#include "counting/store.h"
#include "platform/check.h"

/* Saves rax and rdi. */
#define BEGIN(name)                       \
  ".globl " name "\n"                     \
  ".hidden " name "\n"                    \
  ".type " name ",@function\n" name ":\n" \
  ".cfi_startproc\n"                      \
  "endbr64\n"                             \
  "pushq %rax\n"                          \
  "pushq %rdi\n"                          \
  ".cfi_adjust_cfa_offset 16\n"
/* Saves rsi: the arguments come into rdi and rsi. */
#define READ_ARGUMENTS         \
  "pushq %rsi\n"               \
  ".cfi_adjust_cfa_offset 8\n" \
  "movq 32(%rsp), %rdi\n"      \
  "movq 40(%rsp), %rsi\n"
/* The states of x87, SSE, AVX and AVX-512, as XSAVE lays them out.  Where the system has no XSAVE
   there is no AVX either. */
#define VECTOR_STATES "0xe7"
#define VECTOR_BYTES "2688"
#define SAVE_VECTORS                                                \
  "subq $" VECTOR_BYTES ", %rsp\n"                                  \
  "andq $-64, %rsp\n"                                               \
  "cmpb $0, acre_patched_has_xsave(%rip)\n"                         \
  "je 2f\n"                                                         \
  "movl $" VECTOR_STATES ", %eax\n"                                 \
  "xorl %edx, %edx\n"                                               \
  ".irp offset, 0, 8, 16, 24, 32, 40, 48, 56\n" /* of the header */ \
  "movq %rdx, 512+\\offset(%rsp)\n"                                 \
  ".endr\n"                                                         \
  "xsave64 (%rsp)\n"                                                \
  "jmp 3f\n"                                                        \
  "2: fxsave64 (%rsp)\n"                                            \
  "3:\n"
#define RESTORE_VECTORS                     \
  "cmpb $0, acre_patched_has_xsave(%rip)\n" \
  "je 2f\n"                                 \
  "movl $" VECTOR_STATES ", %eax\n"         \
  "xorl %edx, %edx\n"                       \
  "xrstor64 (%rsp)\n"                       \
  "jmp 3f\n"                                \
  "2: fxrstor64 (%rsp)\n"                   \
  "3:\n"
#define CALL_SAVING_ALL(callee)                                \
  "pushq %rbp\n"                                               \
  ".cfi_adjust_cfa_offset 8\n"                                 \
  ".cfi_rel_offset %rbp, 0\n"                                  \
  "movq %rsp, %rbp\n"                                          \
  ".cfi_def_cfa_register %rbp\n"                               \
  "pushq %rcx\npushq %rdx\npushq %r8\npushq %r9\n"             \
  "pushq %r10\n" SAVE_VECTORS "cld\n"                          \
  "call " callee "\n" RESTORE_VECTORS "leaq -40(%rbp), %rsp\n" \
  "popq %r10\npopq %r9\npopq %r8\npopq %rdx\n"                 \
  "popq %rcx\npopq %rbp\n"                                     \
  ".cfi_def_cfa %rsp, 32\n"                                    \
  ".cfi_restore %rbp\n"
#define END(name)                     \
  "popq %rsi\npopq %rdi\npopq %rax\n" \
  ".cfi_adjust_cfa_offset -24\n"      \
  "ret\n"                             \
  ".cfi_endproc\n"                    \
  ".size " name ",.-" name "\n"

extern bool acre_patched_has_xsave __attribute__((visibility("hidden")));
bool acre_patched_has_xsave;

/* What acre_patched_pointer reads: without the table by which a library finds its variables. */
#define CALLED_BY_ASSEMBLY __attribute__((used, visibility("hidden")))
CALLED_BY_ASSEMBLY uintptr_t acre_patched_base;
CALLED_BY_ASSEMBLY size_t acre_patched_pages;
CALLED_BY_ASSEMBLY const acre_rt_page *acre_patched_map;
CALLED_BY_ASSEMBLY unsigned char *const acre_patched_lines = acre_rt_eager_lines;
CALLED_BY_ASSEMBLY unsigned char *const acre_patched_all_lines = acre_rt_lines;
CALLED_BY_ASSEMBLY uint32_t ***const acre_patched_records = acre_rt_records;

/* The number of the page of an address on the stack; to outside if that is not in the window. */
#define PAGE_OF(offset, page, outside)        \
  "movq " offset "(%rsp), " page "\n"         \
  "subq acre_patched_base(%rip), " page "\n"  \
  "shrq " PAGE_SHIFT ", " page "\n"           \
  "cmpq acre_patched_pages(%rip), " page "\n" \
  "jae " outside "\n"
#define PAGE_SHIFT "$14"
_Static_assert(ACRE_WINDOW_PAGE_SHIFT == 14 && sizeof(acre_rt_page) == 8 &&
                   offsetof(acre_rt_page, owner) == 0 && offsetof(acre_rt_page, unrecorded) == 4,
               "the assembly knows the page map");
#define RETURN                   \
  ".cfi_remember_state\n"        \
  "popq %rdi\n"                  \
  "popq %rax\n"                  \
  ".cfi_adjust_cfa_offset -16\n" \
  "ret\n"                        \
  ".cfi_restore_state\n"
/* rax = the index of the value's region. */
#define OWNER_OF_VALUE                  \
  "movq acre_patched_map(%rip), %r11\n" \
  "movl (%r11, %rax, 8), %eax\n"
/* The value is in the slot's region, and no slot of the page, or of the line, has a record. */
#define RETURN_IF_INTERNAL                        \
  OWNER_OF_VALUE                                  \
  "cmpl %eax, 4(%r11, %rdi, 8)\n"                 \
  "jne 6f\n"                                      \
  "4:\n" RETURN "6: cmpl %eax, (%r11, %rdi, 8)\n" \
  "jne 5f\n"                                      \
  "movl 24(%rsp), %edi\n"                         \
  "shrl $6, %edi\n"                               \
  "andl $0xfffff, %edi\n"                         \
  "addq acre_patched_lines(%rip), %rdi\n"         \
  "cmpb $0, (%rdi)\n"                             \
  "je 4b\n"                                       \
  "jmp 5f\n"
_Static_assert(ACRE_LINE_SHIFT == 6 && ACRE_LINE_COUNTS - 1 == 0xfffff,
               "the assembly knows the lines");
/* The slot is aligned, and in no region, and its record is that of the value's region; the mark of
   a lazy one is shifted out. */
#define RETURN_IF_RECORDED                                            \
  "testb $7, 24(%rsp)\n"                                              \
  "jne 5f\n" OWNER_OF_VALUE "movq acre_patched_records(%rip), %r11\n" \
  "movzwl 28(%rsp), %edi\n"                                           \
  "movq (%r11, %rdi, 8), %r11\n"                                      \
  "testq %r11, %r11\n"                                                \
  "je 5f\n"                                                           \
  "movzwl 26(%rsp), %edi\n"                                           \
  "movq (%r11, %rdi, 8), %r11\n"                                      \
  "testq %r11, %r11\n"                                                \
  "je 5f\n"                                                           \
  "movzwl 24(%rsp), %edi\n"                                           \
  "shrl $3, %edi\n"                                                   \
  "shll $3, %eax\n"                                                   \
  "xorl (%r11, %rdi, 4), %eax\n"                                      \
  "addl %eax, %eax\n"                                                 \
  "je 4b\n"
/* At most 64 bytes, the two lines of which have no records. */
#define RETURN_IF_CLEAR                       \
  "movq 24(%rsp), %rax\n"                     \
  "movq 32(%rsp), %rdi\n"                     \
  "subq $1, %rdi\n"                           \
  "cmpq $63, %rdi\n"                          \
  "ja 5f\n"                                   \
  "addq %rax, %rdi\n"                         \
  "shrl $6, %eax\n"                           \
  "shrl $6, %edi\n"                           \
  "andl $0xfffff, %eax\n"                     \
  "andl $0xfffff, %edi\n"                     \
  "movq acre_patched_all_lines(%rip), %r11\n" \
  "movb (%r11, %rax), %al\n"                  \
  "orb (%r11, %rdi), %al\n"                   \
  "jne 5f\n" RETURN "5:\n"
_Static_assert(ACRE_FILTER_SHIFT == 16 && ACRE_RECORD_SHIFT == 3 &&
                   ACRE_RECORD_LAZY == (uint32_t)1 << 31,
               "the assembly knows the records");

/* The first call needs no aligned stack: it has no vectors. */
__asm__(".pushsection .text\n" /* clang-format off */
        BEGIN("acre_patched_pointer")
        PAGE_OF("32", "%rax", "5f")
        PAGE_OF("24", "%rdi", "7f")
        RETURN_IF_INTERNAL
        "7:\n"
        RETURN_IF_RECORDED
        READ_ARGUMENTS
        "jmp 8f\n"
        ".cfi_adjust_cfa_offset -8\n"
        "5:\n"
        READ_ARGUMENTS
        "call acre_patched_is_settled\n"
        "testb %al, %al\n"
        "jne 1f\n"
        "movq 32(%rsp), %rdi\n"
        "movq 40(%rsp), %rsi\n"
        "8: call acre_patched_store_quickly\n"
        "testb %al, %al\n"
        "jne 1f\n"
        "movq 32(%rsp), %rdi\n"
        "movq 40(%rsp), %rsi\n"
        CALL_SAVING_ALL("acre_patched_store_slowly")
        "1:\n"
        END("acre_patched_pointer")
        BEGIN("acre_patched_word") READ_ARGUMENTS
        CALL_SAVING_ALL("acre_patched_rescan")
        END("acre_patched_word")
        BEGIN("acre_patched_release") RETURN_IF_CLEAR
        READ_ARGUMENTS
        "call acre_patched_is_clear\n"
        "testb %al, %al\n"
        "jne 1f\n"
        "movq 32(%rsp), %rdi\n"
        "movq 40(%rsp), %rsi\n"
        CALL_SAVING_ALL("acre_patched_release_slowly")
        "1:\n"
        END("acre_patched_release")
        ".popsection\n"); /* clang-format on */

void acre_patched_prepare(void) {
  const unsigned has_xsave = 1u << 27; /* and the system uses it */
  unsigned a, b, c, d;
  acre_patched_has_xsave = __get_cpuid(1, &a, &b, &c, &d) && (c & has_xsave);
  acre_patched_base = acre_window_base();
  acre_patched_pages = acre_rt_window_pages;
  acre_patched_map = acre_rt_page_map;
  ACRE_ASSERT(acre_patched_pages != 0 && "the window is reserved");
}

CALLED_BY_ASSEMBLY
__attribute__((no_caller_saved_registers)) bool acre_patched_is_settled(void *slot, void *value);
CALLED_BY_ASSEMBLY
__attribute__((no_caller_saved_registers)) bool acre_patched_store_quickly(void *slot, void *value);
CALLED_BY_ASSEMBLY
__attribute__((no_caller_saved_registers)) bool acre_patched_is_clear(void *address, size_t size);
CALLED_BY_ASSEMBLY void acre_patched_store_slowly(void *slot, void *value);
CALLED_BY_ASSEMBLY void acre_patched_rescan(void *slot, void *value);
CALLED_BY_ASSEMBLY void acre_patched_release_slowly(void *address, size_t size);

/* Inlined: a call would make its caller save all registers. */
__attribute__((always_inline)) static inline uint32_t record_of(uintptr_t slot) {
  const uintptr_t last = ((uintptr_t)1 << (ACRE_FILTER_SHIFT - ACRE_RECORD_SHIFT)) - 1;
  uint32_t **leaves = __atomic_load_n(&acre_rt_records[slot >> 32 & 0xffff], __ATOMIC_ACQUIRE);
  uint32_t *records =
      leaves ? __atomic_load_n(&leaves[slot >> ACRE_FILTER_SHIFT & 0xffff], __ATOMIC_ACQUIRE)
             : NULL;
  return records ? __atomic_load_n(&records[slot >> ACRE_RECORD_SHIFT & last], __ATOMIC_RELAXED)
                 : 0;
}

/* Whether the slot needs no record, and has none or a lazy one. */
__attribute__((always_inline)) static inline bool is_without_record(uintptr_t slot) {
  const uint32_t record = acre_line_has_eager(slot) ? record_of(slot) : 0;
  return record == 0 || (record & ACRE_RECORD_LAZY);
}

/* Not acre_is_known_below, whose assertion may use vectors; nor acre_is_known_unrelated below. */
__attribute__((always_inline)) static inline bool needs_no_record(uint32_t holder,
                                                                  uint32_t target) {
  return target <= ACRE_INDEX_PERMANENT || target == holder ||
         *acre_ancestor_pair(holder, target) == acre_relation(holder, target);
}

/* Whether the slot has the record that it should have while it holds value.  False says nothing. */
bool acre_patched_is_settled(void *slot, void *value) {
  const uintptr_t address = (uintptr_t)slot, offset = address & ((1 << ACRE_RECORD_SHIFT) - 1);
  if (!acre_may_be_in_window(value))
    return is_without_record(address);
  const uint32_t target = acre_page_owner(value), holder = acre_page_owner(slot);
  if (needs_no_record(holder, target))
    return is_without_record(address);
  const uint32_t wanted = target << ACRE_RECORD_SHIFT | (uint32_t)offset;
  return (record_of(address) & ~ACRE_RECORD_LAZY) == wanted;
}

/* acre_rt_store, if that can be done without vectors; else false. */
bool acre_patched_store_quickly(void *slot, void *value) {
  const uint32_t target = acre_page_owner(value), holder = acre_page_owner(slot);
  if (!holder && acre_thread_is_uncounted((uintptr_t)slot))
    return true;
  if (needs_no_record(holder, target))
    return acre_record_try_store((uintptr_t)slot, 0);
  const bool is_unrelated = holder <= ACRE_INDEX_PERMANENT ||
                            *acre_unrelated_pair(holder, target) == acre_relation(holder, target);
  return is_unrelated && acre_record_try_store((uintptr_t)slot, target);
}

void acre_patched_store_slowly(void *slot, void *value) { acre_rt_store(slot, value); }

void acre_patched_rescan(void *slot, void *value) {
  (void)value;
  acre_rt_rescan(slot, sizeof value);
}

bool acre_patched_is_clear(void *address, size_t size) {
  return !acre_is_counting() || acre_range_is_clear((uintptr_t)address, size);
}

void acre_patched_release_slowly(void *address, size_t size) { acre_rt_release(address, size); }

#endif
