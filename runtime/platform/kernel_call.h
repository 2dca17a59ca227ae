/* SPDX-License-Identifier: MIT */
/* kernel_call.h - a system call without the C library.  What is linked into programs beside the
 * runtime uses it as well (foreign/collected_program.c).
 */
#ifndef ACRE_PLATFORM_KERNEL_CALL_H
#define ACRE_PLATFORM_KERNEL_CALL_H

#include <errno.h>

/* The kernel returns an error as its number below zero. */
#define ACRE_KERNEL_ERROR_MAX 4095UL

/* Makes a system call; returns what the kernel does. */
static inline long acre_kernel_ask(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b,
                   x2 __asm__("x2") = c, x3 __asm__("x3") = d, x4 __asm__("x4") = e,
                   x5 __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
#else
#error "each architecture makes a system call in its own way"
#endif
}

/* What the C library's function returns for a result of the kernel: -1 and errno for an error. */
static inline long acre_kernel_result(long result) {
  if ((unsigned long)result < -ACRE_KERNEL_ERROR_MAX)
    return result;
  errno = (int)-result;
  return -1;
}

#endif
