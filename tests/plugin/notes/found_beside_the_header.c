// Notes beside a header say of its functions what the library's table says of the C library's.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include "Inputs/codec.h"
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>

struct frame {
  int size;
  char *unique text;
};

int right(const char *name, struct frame *borrowed f) {
  struct codec *unique c = codec_open(name);
  if (!c)
    return -1;
  codec_read(c, &f->size, sizeof f->size);
  puts(codec_error(c));
  codec_close(c);
  return 0;
}
int filled(const char *name) {
  struct codec *unique c = NULL;
  if (codec_make(name, &c) != 0)
    return -1;
  codec_free(0, c);
  return 0;
}
void twice(struct codec *unique c) {
  codec_close(c);
  codec_close(c); // expected-error {{'c' is used after it was consumed}}
}
void late(struct codec *unique c) {
  const char *error = codec_error(c);
  codec_close(c);
  puts(error); // expected-error {{'error' is used after 'c'}}
}
void freed(struct codec *unique c) {
  free(c); // expected-error {{struct codec is ended by codec_close, not by this}}
}
void over(struct codec *borrowed c, struct frame *borrowed f) {
  codec_read(c, f, sizeof *f); // expected-error {{bytes that are no pointers are put over}}
}
void kept(struct codec *borrowed c, char *unique name) {
  codec_name(c, name); // expected-error {{'name' is lent to 'codec_name', which is not known}}
  free(name);
}
void unknown(struct codec *borrowed c) {
  codec_unknown(c); // expected-error {{'c' is lent to 'codec_unknown', which is not known}}
}
void ended(struct codec *borrowed c) {
  char *unique text = codec_text(c);
  codec_end(text);
}
void ended_by_free(struct codec *borrowed c) {
  char *unique text = codec_text(c);
  free(text); // expected-error {{what codec_text made is ended by codec_end, not by this}}
}
