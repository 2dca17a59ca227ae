// The notes of the installation know zlib.
// RUN: %acre-cc -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#if !__has_include(<zlib.h>)
// expected-no-diagnostics
#else
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

struct block {
  uLongf size;
  unsigned char *unique bytes;
};

int pack(struct block *borrowed b, const char *text, uLong length) {
  uLongf size = compressBound(length);
  unsigned char *unique bytes = malloc(size);
  if (!bytes)
    return -1;
  if (compress(bytes, &size, (const Bytef *)text, length) != Z_OK) {
    free(bytes);
    return -1;
  }
  b->size = size;
  free(acre_swap(&b->bytes, bytes));
  return 0;
}
int copy(const char *from, FILE *to) {
  gzFile unique in = gzopen(from, "rb");
  char line[256];
  if (!in)
    return -1;
  while (gzgets(in, line, sizeof line))
    fputs(line, to);
  return gzclose(in);
}
int deflated(unsigned char *unique text, uInt length, unsigned char *borrowed out, uInt room) {
  int status;
  {
    acre_alias(in, text);
    acre_alias(into, out);
    z_stream stream = {0};
    status = deflateInit(&stream, Z_BEST_SPEED);
    stream.next_in = in;
    stream.avail_in = length;
    stream.next_out = into;
    stream.avail_out = room;
    if (status == Z_OK)
      status = deflate(&stream, Z_FINISH);
    deflateEnd(&stream);
  }
  free(text);
  return status;
}

void closed_twice(gzFile unique in) {
  gzclose(in);
  gzclose(in); // expected-error {{'in' is used after it was consumed}}
}
void freed(gzFile unique in) {
  free(in); // expected-error {{is ended by gzclose, not by this}}
}
const char *message(gzFile unique in) {
  int number;
  const char *text = gzerror(in, &number);
  gzclose(in);
  return text; // expected-error {{'text' is used after 'in'}}
}
void over(gzFile borrowed in, struct block *borrowed b) {
  gzread(in, b, sizeof *b); // expected-error {{bytes that are no pointers}}
}
#endif
