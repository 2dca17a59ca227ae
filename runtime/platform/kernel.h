/* SPDX-License-Identifier: MIT */
/* kernel.h - functions of POSIX that the program cannot replace.
 *
 * C leaves these names to the program: it may have a function `open` of its own, or be linked with
 * --wrap=read to test itself.  Plain references of the runtime would then be to the program's.  A
 * file that includes this header calls functions of kernel.c by the usual names, which ask the
 * kernel themselves, and are no points of cancellation; a few others have a second name in glibc.
 * Interceptors do not include it: they stand for the program's own calls.  Functions of threads and
 * of signals are still the library's by their names.
 */
#ifndef ACRE_PLATFORM_KERNEL_H
#define ACRE_PLATFORM_KERNEL_H

#pragma redefine_extname clock_gettime acre_kernel_clock_gettime
#pragma redefine_extname close acre_kernel_close
#pragma redefine_extname fcntl acre_kernel_fcntl
#pragma redefine_extname fstat acre_kernel_fstat
#pragma redefine_extname getpid acre_kernel_getpid
#pragma redefine_extname getrlimit acre_kernel_getrlimit
#pragma redefine_extname gettid acre_kernel_gettid
#pragma redefine_extname ioctl acre_kernel_ioctl
#pragma redefine_extname lseek acre_kernel_lseek
#pragma redefine_extname lstat acre_kernel_lstat
#pragma redefine_extname madvise acre_kernel_madvise
#pragma redefine_extname mincore acre_kernel_mincore
#pragma redefine_extname mmap acre_kernel_mmap
#pragma redefine_extname mprotect acre_kernel_mprotect
#pragma redefine_extname mremap acre_kernel_mremap
#pragma redefine_extname munmap acre_kernel_munmap
#pragma redefine_extname open acre_kernel_open
#pragma redefine_extname personality acre_kernel_personality
#pragma redefine_extname pipe acre_kernel_pipe
#pragma redefine_extname pipe2 acre_kernel_pipe2
#pragma redefine_extname pread acre_kernel_pread
#pragma redefine_extname process_vm_readv acre_kernel_process_vm_readv
#pragma redefine_extname process_vm_writev acre_kernel_process_vm_writev
#pragma redefine_extname read acre_kernel_read
#pragma redefine_extname readlink acre_kernel_readlink
#pragma redefine_extname sched_yield acre_kernel_sched_yield
#pragma redefine_extname sigaltstack acre_kernel_sigaltstack
#pragma redefine_extname stat acre_kernel_stat
#pragma redefine_extname syscall acre_kernel_syscall
#pragma redefine_extname unlink acre_kernel_unlink
#pragma redefine_extname waitpid acre_kernel_waitpid
#pragma redefine_extname write acre_kernel_write
#pragma redefine_extname _exit acre_kernel_exit

#pragma redefine_extname clone __clone
#pragma redefine_extname environ __environ
#pragma redefine_extname getauxval __getauxval
#pragma redefine_extname sysconf __sysconf

#endif
