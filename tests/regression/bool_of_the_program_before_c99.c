// The headers made bool a macro, also in programs of before C99 that have a bool of their own.
// RUN: %acre-cc -std=gnu89 -Werror -c %s -o %t.o
// RUN: %acre-cc -std=gnu17 -DHAS_BOOL -Werror -c %s -o %t.o
// RUN: %acre-cc -std=gnu23 -DHAS_BOOL -Werror -c %s -o %t.o
// RUN: %clang -std=gnu89 -isystem %source/include -Werror -c %s -o %t.o
#include <acre/acre.h>
#include <acre/heap.h>
#include <acre/own.h>
#ifndef HAS_BOOL
typedef unsigned char bool;
enum { false, true };
#endif

bool succeeds(region r) deletes;
bool succeeds(region r) deletes { return deleteregion(r) ? true : false; }
