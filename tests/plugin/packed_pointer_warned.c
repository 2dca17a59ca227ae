// Pointers at odd addresses: off unless asked for.
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-Wpacked -Xclang -verify %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -Xclang -verify=quiet %s
// quiet-no-diagnostics
struct __attribute__((packed)) odd {
  char tag;
  char *text;     // expected-warning {{pointer 'text' is at offset 1 of 'struct odd', which is not a multiple of its size [-Wacre-packed]}}
  char *words[2]; // expected-warning {{pointer 'words' is at offset 9}}
};
struct __attribute__((packed)) even { char *text; int tag; };
struct ordinary { char tag; char *text; };
