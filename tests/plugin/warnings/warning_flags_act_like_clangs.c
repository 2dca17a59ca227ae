// -Wname, -Wno-name, -Werror=name, -Wall and strict of the plugin; -w and -Werror of Clang; system
// headers.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
// RUN: %frontend -fsyntax-only -fplugin-arg-acre-Wno-qualifier-lost -Xclang -verify=quiet %s
// RUN: %frontend -fsyntax-only -Xclang -verify=quiet -w %s
// RUN: %frontend -fsyntax-only -Xclang -verify=error -Werror %s
// RUN: %frontend -fsyntax-only -fplugin-arg-acre-Werror=acre-qualifier-lost -Xclang -verify=error \
// RUN:   %s
// RUN: %frontend -fsyntax-only -fplugin-arg-acre-Werror \
// RUN:   -fplugin-arg-acre-Wno-error=qualifier-lost -Xclang -verify %s
// RUN: %frontend -fsyntax-only -fplugin-arg-acre-Wall -Xclang -verify=expected,all %s
// RUN: %frontend -fsyntax-only -fplugin-arg-acre-strict -Xclang -verify=error,strict %s
// RUN: not %clang -fsyntax-only -fplugin=%plugin -fplugin-arg-acre-Wunheard %s 2>&1 | FileCheck %s
// CHECK: error: unknown argument to the Acre plugin: 'Wunheard'
// quiet-no-diagnostics
#include <acre/annotations.h>
struct node { struct node *sameregion next; };
// expected-note@-1 {{declared here}}
// error-note@-2 {{declared here}}
void any(void *);
// expected-note@-1 {{declared here}}
// error-note@-2 {{declared here}}
void f(struct node *n, long k) {
  any(&n->next);
  // expected-warning@-1 {{[-Wacre-qualifier-lost]}}
  // error-error@-2 {{[-Werror,-Wacre-qualifier-lost]}}
  any((void *)k);
  // all-warning@-1 {{[-Wacre-int-to-pointer]}}
  // strict-error@-2 {{[-Werror,-Wacre-int-to-pointer]}}
}

# 1 "header.h" 3
void in_system_header(struct node *n) { any(&n->next); }
