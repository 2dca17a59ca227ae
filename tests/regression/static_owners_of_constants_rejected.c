// What a static owner has when the program starts was not looked at: a literal was freed.
// RUN: %frontend -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *unique next;
};
struct options {
  char *unique host;
  int port;
  const char *name;
};
static struct node last;
static char buffer[10];

static char *unique literal = "none"; // expected-error {{a plain pointer cannot become unique}}
char *unique external = "none";       // expected-error {{a plain pointer cannot become unique}}
static struct node *unique first = &last; // expected-error {{a plain pointer cannot become unique}}
// expected-error@+1 {{a plain pointer cannot become unique}}
static struct options listed = {"localhost", 80, "a"};
// expected-error@+1 {{a plain pointer cannot become unique}}
static struct options designated = {.host = buffer};
static char *unique several[2] = {NULL, // expected-error@+1 {{cannot become unique}}
                                  "a"};

static char *unique null = NULL, *unique zero = 0, *unique nothing;
static struct options only_numbers = {.port = 1, .name = "a"};
static struct node *unique adopted = (struct node *unique)&last;
static char *unique none[4] = {0};

void set(const char *text) {
  static char *unique local = "x"; // expected-error {{a plain pointer cannot become unique}}
  static struct options of_block = {"x", 1, NULL}; // expected-error {{cannot become unique}}
  free(acre_swap(&local, strdup(text)));
  free(acre_swap(&of_block.host, strdup(text)));
  free(acre_swap(&literal, strdup(text)));
  free(acre_swap(&listed.host, strdup(text)));
  free(acre_swap(&designated.host, strdup(text)));
  free(acre_swap(&only_numbers.host, strdup(text)));
  free(acre_swap(&several[0], acre_take(&none[0])));
  free(acre_swap(&null, acre_take(&zero)));
  free(acre_swap(&nothing, NULL));
  acre_drop(acre_swap(&first, acre_take(&adopted)));
}
