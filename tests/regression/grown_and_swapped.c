// Where realloc has grown what a slot owns, only an assignment ended the wait for the result, and
// acre_swap was an error. An owner that was null was said to be lost where realloc fails, and a
// slot with MAP_FAILED to be lost where it is set again.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#define _GNU_SOURCE 1
#include <acre/own.h>
#include <stdlib.h>
#include <sys/mman.h>

struct buffer {
  char *unique text; // expected-note 2 {{'text' is declared here}}
  size_t size;
  int lines;
};

int swapped(struct buffer *borrowed b, size_t size) {
  char *unique more = realloc(b->text, size);
  if (!more)
    return -1;
  acre_swap(&b->text, more);
  b->size = size;
  return 0;
}
int freed_twice(struct buffer *borrowed b, size_t size) {
  // expected-error@+1 {{taken with 'acre_take' or 'acre_swap', not copied}}
  char *unique more = realloc(b->text, size);
  if (!more)
    return -1;
  free(acre_swap(&b->text, more)); // expected-note {{the slot may be used here}}
  return 0;
}
int swapped_elsewhere(struct buffer *borrowed b, struct buffer *borrowed other, size_t size) {
  // expected-error@+1 {{taken with 'acre_take' or 'acre_swap', not copied}}
  char *unique more = realloc(b->text, size);
  if (!more)
    return -1;
  acre_swap(&other->text, more); // expected-note {{the slot may be used here}} \
    expected-warning {{the result is unique and is dropped}}
  return 0;
}
char *unique from_null(size_t size) {
  char *unique text = NULL;
  text = realloc(text, size);
  return text;
}
char *unique from_some(size_t size) {
  char *unique text = malloc(8);
  text = realloc(text, size); // expected-warning {{'text' is lost where realloc returns null}}
  return text;
}
int mapped(struct buffer *borrowed b, int file, size_t size) {
  if (b->text)
    munmap(acre_take(&b->text), b->size);
  b->text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (b->text == MAP_FAILED) {
    b->text = NULL;
    return -1;
  }
  b->size = size;
  return 0;
}
int mapped_twice(struct buffer *borrowed b, int file, size_t size) {
  if (b->text)
    munmap(acre_take(&b->text), b->size);
  b->text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (b->text != MAP_FAILED) {
    b->text = NULL; // expected-warning {{'b->text' may be overwritten}}
    return -1;
  }
  return 0;
}
// mremap is to mmap what realloc is to malloc, and fails with MAP_FAILED.
int moved(int file, size_t size, size_t larger) {
  void *unique at = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (at == MAP_FAILED)
    return -1;
  void *unique more = mremap(at, size, larger, MREMAP_MAYMOVE);
  if (more == MAP_FAILED) {
    munmap(at, size);
    return -1;
  }
  munmap(more, larger);
  return 0;
}
int moved_and_lost(int file, size_t size, size_t larger) {
  void *unique at = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (at == MAP_FAILED)
    return -1;
  void *unique more = mremap(at, size, larger, MREMAP_MAYMOVE); // expected-note {{consumed here}}
  if (more == MAP_FAILED)
    return -1; // expected-warning {{'at' is lost}}
  munmap(at, size); // expected-error {{'at' is used after it was consumed}}
  return 0; // expected-warning {{'more' may be lost}}
}
