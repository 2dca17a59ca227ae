// What the headers declare has the shape that library.def gives it: all of these are replaced.
// RUN: %acre-cc -O1 -w -c %s -o %t.o && nm -u %t.o | FileCheck %s
// RUN: %acre-cc -O1 -w -c -DIS_COLLECTED -facre-malloc=collected %s -o %t.o
// RUN: nm -u %t.o | FileCheck %s
// CHECK-NOT: U {{([b-z]|a[^c])}}
// CHECK: U acre_rt_close
// CHECK-NOT: U {{([b-z]|a[^c])}}
#define _GNU_SOURCE
#include <argz.h>
#include <getopt.h>
#include <malloc.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

void *const functions[] = {
    reallocarray, mremap, qsort_r, argz_extract, munmap, epoll_ctl, close, openlog, closelog};
void *const options[] = {getopt, getopt_long, getopt_long_only, initstate, setstate, hdestroy};
void *const kept[] = {pthread_setspecific, timer_create, timer_delete, on_exit, putenv};
void *const streams[] = {setbuffer, fmemopen, open_memstream, open_wmemstream};
void *const searches[] = {tsearch, tdelete, hdestroy_r, lsearch, insque, remque};
#ifdef IS_COLLECTED
void *const memory[] = {memalign, pvalloc,   posix_memalign,    valloc,
                        asprintf, vasprintf, malloc_usable_size};
#endif
