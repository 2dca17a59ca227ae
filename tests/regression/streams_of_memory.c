// The text of open_memstream could have no owner.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report {
  char *unique text;
  size_t size;
};
void take(FILE *unique out);

char *unique text_of(int number) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  fprintf(out, "%d", number);
  fclose(out);
  return text;
}
int by_labels(void) {
  int result = -1;
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out)
    goto end;
  if (fputs("text", out) < 0) {
    fclose(out);
    goto end;
  }
  fclose(out);
  result = text ? puts(text) : -1;
end:
  free(text);
  return result;
}
void sometimes(int is_wanted) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = NULL;
  if (is_wanted)
    out = open_memstream(&text, &size);
  if (out)
    fclose(out);
  free(text);
}

void freed_early(void) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out)
    return;
  fflush(out);
  free(text); // expected-error {{'text' is used before it is initialized}}
  fclose(out);
} // expected-warning {{'text' may be lost}}
void set_meanwhile(void) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out)
    return;
  text = NULL; // expected-error {{the address of the unique pointer 'text'}}
  fclose(out);
}
void ends_before_the_stream(void) {
  FILE *unique out;
  {
    char *unique text;
    size_t size = 0;
    out = open_memstream(&text, &size);
    // expected-error@-1 {{the address of the unique pointer 'text'}}
    if (!out)
      return;
  }
  fclose(out);
}
FILE *unique gives_the_stream_away(void) {
  char *unique text;
  size_t size = 0;
  return open_memstream(&text, &size);
  // expected-error@-1 {{the address of the unique pointer 'text'}}
}
void closed_by_another(void) {
  char *unique text;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  // expected-error@-1 {{the address of the unique pointer 'text'}}
  if (out)
    take(out);
}
void two_streams(void) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  FILE *unique other = open_memstream(&text, &size);
  // expected-error@-1 {{the address of the unique pointer 'text'}}
  if (other)
    fclose(other);
  if (out)
    fclose(out);
  free(text); // expected-error {{'text' is used before}}
}
void into_a_field(struct report *borrowed r) {
  FILE *unique out = open_memstream(&r->text, &r->size);
  // expected-error@-1 {{changes the annotation of the pointers behind it}}
  // expected-error@-2 2{{'r' is lent to 'open_memstream'}}
  if (out)
    fclose(out);
}

void lost(void) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (out)
    fclose(out);
} // expected-warning {{'text' may be lost}}
void overwritten(void) {
  char *unique text = strdup("before");
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size); // expected-warning {{may be overwritten}}
  if (!out) {
    free(text);
    return;
  }
  fclose(out);
  free(text);
}
