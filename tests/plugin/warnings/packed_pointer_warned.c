// Pointers at odd addresses: off unless asked for, or where the collector would not see them.
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-Wpacked -Xclang -verify %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-collected-malloc -Xclang -verify %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify=quiet %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-collected-malloc \
// RUN:   -fplugin-arg-acre-Wno-packed -Xclang -verify=quiet %s
// quiet-no-diagnostics
#include <sys/epoll.h>

struct __attribute__((packed)) odd {
  char tag;
  char *text;
  // expected-warning@-1 {{pointer 'text' is at offset 1 of 'struct odd', which is not a multiple \
of a pointer's size [-Wacre-packed]}}
  char *words[2];
};
struct __attribute__((packed)) odd_in_arrays {
  char *text;
  // expected-warning@-1 {{pointer 'text' is at offset 0 of 'struct odd_in_arrays', whose size in \
an array is not a multiple of a pointer's}}
  int tag;
};
union either {
  char *text;
  long number;
};
#pragma pack(push, 4)
struct outer {
  int tag;
  union either in; // expected-warning {{the pointers in 'in' are at offset 4 of 'struct outer'}}
};
#pragma pack(pop)
struct __attribute__((packed)) even {
  char *text;
  int tag, number;
};
struct __attribute__((packed)) numbers { char tag; long number; };
struct holder {
  int tag;
  struct even inner;
  // expected-warning@-1 {{the pointers in 'inner' are at offset 4 of 'struct holder'}}
  char *text;
};
struct ordinary { char tag; char *text; };
struct __attribute__((packed, aligned(8))) aligned { char *text; int tag; };
