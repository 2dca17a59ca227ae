// What assembly, atomics, blocks and cleanups do with plain parameters and borrowers was not seen,
// and what other versions of a function do: owners were lent.
// RUN: %frontend -fsyntax-only -fblocks -ferror-limit=0 -Xclang -verify -Xclang \
// RUN:   -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <stdio.h>
static char *kept;
static void store(char *p) { __atomic_store_n(&kept, p, 0); }
static void asm_store(char *p) { __asm__("mov %1, %0" : "=m"(kept) : "r"(p)); }
// expected-warning@-1 {{assembly may store a pointer in 'char *' without counting it}}
static void show(char **p) { puts(*p); }
void lent_to_store(char *unique line) {
  store(line); // expected-error {{'line' is lent to 'store'}}
  free(line);
}
void lent_to_assembly(char *unique line) {
  asm_store(line); // expected-error {{'line' is lent to 'asm_store'}}
  free(line);
}
void read_by_a_cleanup(char *unique line) {
  __attribute__((cleanup(show))) char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  free(line);
}
void stored(char *unique line) {
  char *p = line;
  __atomic_store_n(&kept, p, 0);
  // expected-error@-1 {{what is borrowed from 'line' stored in memory}}
  free(line);
}
void stored_by_address(char *unique line) {
  char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  char *q;
  __atomic_store(&kept, &p, 0);
  free(line);
}
void asm_stores(char *unique line) {
  char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  __asm__("mov %1, %0" : "=m"(kept) : "r"(p));
  // expected-warning@-1 {{assembly may store a pointer in 'char *' without counting it}}
  free(line);
}
void asm_copies(char *unique line) {
  char *p = line, *q;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  __asm__("mov %1, %0" : "=r"(q) : "r"(p));
  free(line);
  puts(q);
}
static char *asm_returns(char *p) {
  char *q;
  __asm__("mov %1, %0" : "=r"(q) : "r"(p));
  return q;
}
void lent_to_asm_result(char *unique line) {
  char *q = asm_returns(line); // expected-error {{'line' is lent to 'asm_returns'}}
  free(line);
  puts(q);
}
static char *exchange(char *p) {
  char *q = __atomic_exchange_n(&kept, p, 0);
  return q;
}
void lent_to_exchange(char *unique line) {
  char *q = exchange(line); // expected-error {{'line' is lent to 'exchange'}}
  free(line);
  puts(q);
}
static _Atomic(char *) kept_atomic;
static void store_atomic(char *p) { kept_atomic = p; }
void lent_to_store_atomic(char *unique line) {
  store_atomic(line); // expected-error {{'line' is lent to 'store_atomic'}}
  free(line);
}
void stored_atomic(char *unique line) {
  char *p = line;
  kept_atomic = p; // expected-error {{what is borrowed from 'line' stored in memory}}
  free(line);
}
static void test_and_set(char *p) { __sync_lock_test_and_set(&kept, p); }
void lent_to_test_and_set(char *unique line) {
  test_and_set(line); // expected-error {{'line' is lent to 'test_and_set'}}
  free(line);
}
#if defined(__x86_64__)
__attribute__((target("default"))) int versioned(char *p) { return *p; }
__attribute__((target("avx2"))) int versioned(char *p) {
  kept = p;
  return 1;
}
void lent_to_versions(char *unique line) {
  versioned(line); // expected-error {{'line' is lent to 'versioned'}}
  free(line);
}
#endif
static void capture(char *p, void (^*out)(void)) {
  *out = ^{ puts(p); };
}
void lent_to_capture(char *unique line, void (^*out)(void)) {
  capture(line, out); // expected-error {{'line' is lent to 'capture'}}
  free(line);
}
void captured(char *unique line) {
  char *p = line;
  // expected-error@-1 {{what is borrowed from 'line' kept in this variable, which is not \
followed,}}
  void (^b)(void) = ^{ puts(p); };
  free(line);
  b();
}
void owner_captured(char *unique line) {
  void (^b)(void) = ^{ puts(line); };
  // expected-error@-1 {{the address of the unique pointer 'line'}}
  free(line);
  b();
}
void owner_in_assembly(char *unique line) {
  __asm__("" :: "r"(line)); // expected-error {{the address of the unique pointer 'line'}}
  free(line);
}
void owner_stored(char *unique line) {
  __atomic_store_n(&kept, line, 0);
  // expected-error@-1 {{the address of the unique pointer 'line'}}
  free(line);
}
void derived_in_assembly(char *unique line) {
  __asm__("" :: "r"(line+1)); // expected-error {{what is borrowed from 'line' stored in memory}}
  free(line);
}
