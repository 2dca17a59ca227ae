// -Wname, -Wno-name, -Werror=name, -Wall and strict of the plugin; -w and -Werror of Clang; system headers.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang -verify %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-Wno-qualifier-lost -D__ACRE__=1 -isystem %source/include -Xclang -verify=quiet %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang -verify=quiet -w %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Xclang -verify=error -Werror %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-Werror=acre-qualifier-lost -D__ACRE__=1 -isystem %source/include -Xclang -verify=error %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-Werror -fplugin-arg-acre-Wno-error=qualifier-lost -D__ACRE__=1 -isystem %source/include -Xclang -verify %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-Wall -D__ACRE__=1 -isystem %source/include -Xclang -verify=expected,all %s
// RUN: %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-strict -D__ACRE__=1 -isystem %source/include -Xclang -verify=error,strict %s
// RUN: not %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-Wunheard %s 2>&1 | FileCheck %s
// CHECK: error: unknown argument to the Acre plugin: 'Wunheard'
// quiet-no-diagnostics
#include <acre/annotations.h>
struct node { struct node *sameregion next; }; // expected-note {{declared here}} error-note {{declared here}}
void any(void *);                              // expected-note {{declared here}} error-note {{declared here}}
void f(struct node *n, long k) {
  any(&n->next); // expected-warning {{[-Wacre-qualifier-lost]}} error-error {{[-Werror,-Wacre-qualifier-lost]}}
  any((void *)k); // all-warning {{[-Wacre-int-to-pointer]}} strict-error {{[-Werror,-Wacre-int-to-pointer]}}
}

# 1 "header.h" 3
void in_system_header(struct node *n) { any(&n->next); }
