/* SPDX-License-Identifier: MIT */
/* wrapped_program.c - what a program gets that is linked with --wrap=F, by which programs test
 * themselves: their calls of F are calls of __wrap_F then.
 *
 * The calls that acre-cc has made of calls of malloc and its kin are wrapped too, and lead from
 * here to the program's function.  What the runtime refers to, and the program neither calls nor
 * has a __wrap_F for, stays the library's.
 *
 * All names are weak: those that a link does not wrap lead nowhere, and nobody refers to them.
 */
#if defined(__x86_64__)
#define JUMP(name) "jmp " name "@PLT\n"
#elif defined(__aarch64__)
#define JUMP(name) "b " name "\n"
#elif defined(__riscv)
#define JUMP(name) "tail " name "@plt\n"
#else
#error "a jump to a function of another object"
#endif

/* A name may stand in several lists, and an interceptor for several functions: the first counts. */
#define LEAD(from, to)                                                     \
  __asm__(".text\n"                                                        \
          ".ifndef " from "\n"                                             \
          ".weak " to "\n.weak " from "\n.type " from ", %function\n" from \
          ":\n" JUMP(to) ".size " from ", . - " from "\n"                  \
                         ".endif");

#define LEAD_WRAPPED(name) LEAD("__wrap_" name, "__real_" name)
#define LEAD_INTERCEPTED(interceptor, name) LEAD("__wrap_" interceptor, "__wrap_" name)

#define ACRE_COLLECTED(name, interceptor) LEAD_INTERCEPTED(interceptor, name)
#include "shared/library.def"
#define ACRE_COLLECTED_AT(name, interceptor, count) LEAD_INTERCEPTED(interceptor, name)
#include "shared/library.def"
#define ACRE_COLLECTED_SITE(name, interceptor, count) LEAD_INTERCEPTED(interceptor, name)
#include "shared/library.def"
#define ACRE_COLLECTED_NUMBERS(name, interceptor) LEAD_INTERCEPTED(interceptor, name)
#include "shared/library.def"

#define ACRE_INTERCEPTED(name, interceptor) LEAD_WRAPPED(name)
#include "shared/library.def"
#define ACRE_COLLECTED(name, interceptor) LEAD_WRAPPED(name)
#include "shared/library.def"
