// Every translation unit must see the same rules.
// RUN: %frontend -fsyntax-only -Xclang -verify %s
#include <acre/annotations.h>
struct node { struct node *sameregion next; };

extern char *traditional name; // expected-note {{previous declaration is here}}
char *name;
// expected-error@-1 {{redeclaration of 'name' with different annotations ('char *' and 'char \
*traditional')}}

void put(struct node *sameregion *slot); // expected-note {{previous declaration is here}}
void put(struct node **slot);
// expected-error@-1 {{redeclaration of 'put' with different annotations}}

char *traditional get(void); // expected-note {{previous declaration is here}}
char *get(void);
// expected-error@-1 {{redeclaration of 'get' with different annotations}}

typedef struct node *sameregion slot; // expected-note {{previous declaration is here}}
typedef struct node *slot;
// expected-error@-1 {{redeclaration of 'slot' with different annotations}}

void finish(int) deletes;
void finish(int code) {} // later declarations need not repeat it

void begin(void);            // expected-note {{previous declaration is here}}
void begin(void) deletes {}
// expected-error@-1 {{'begin' is declared with 'deletes' here but without it before}}

void target(void) deletes {}
// expected-note@-1 {{it is an alias of this function}}
void alias(void) __attribute__((alias("target")));
// expected-error@-1 {{'alias' is declared without 'deletes'}}
void same_alias(void) deletes __attribute__((alias("target")));

extern char *traditional same_name;
char *traditional same_name;
void same_put(struct node *sameregion *slot) deletes;
void same_put(struct node *sameregion *other) deletes {}
typedef void callback(void) deletes;
callback through_typedef;
void through_typedef(void) deletes {}
int old_style(int x) deletes;
int old_style(x) int x; { return x; } // expected-warning {{without a prototype}}
