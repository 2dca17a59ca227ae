// Tests against null are understood by way of variables, in switches and in parts; and not when
// what they told is out of date.
// RUN: %frontend -fsyntax-only -Wno-switch-bool -Xclang -verify %s
#include <acre/own.h>
#include <stdbool.h>
#include <stdlib.h>

char *unique make(void);
int chance(void);
void set(bool *ok);
void fill(char *unique *at);

// -- Understood
// -------------------------------------------------------------------------------------------------

void by_a_variable(void) {
  char *unique p = make();
  bool is_there = p != NULL;
  if (!is_there)
    return;
  free(p);
}
void by_an_assigned_variable(void) {
  char *unique p = make();
  bool is_there;
  is_there = p;
  (void)chance();
  if (is_there)
    free(p);
}
void by_two_variables(void) {
  char *unique p = make();
  bool is_there = p, is_not = !is_there;
  if (is_not)
    return;
  free(p);
}
void by_a_switch(void) {
  char *unique p = make();
  switch (p != NULL) {
  case 0:
    return;
  default:
    free(p);
  }
}
void by_a_switch_of_all(void) {
  char *unique p = make();
  switch (p != NULL) {
  case true:
    free(p);
    break;
  case false:
    break;
  }
}
void by_one_case(void) {
  char *unique p = make();
  switch (p == NULL) {
  case 0:
    free(p);
  }
}
void as_a_part(int other) {
  char *unique p = make();
  if ((!p) | other) {
    free(p);
    return;
  }
  free(p);
}
void as_a_part_of_a_variable(void) {
  char *unique p = make();
  bool is_to_be_left = !p || chance();
  if (!is_to_be_left) {
    free(p);
    return;
  }
  if (p)
    free(p);
}
void of_both(void) {
  char *unique p = make(), *unique q = make();
  if (!(p || q))
    return;
  free(p);
  free(q);
}
void failed_growth(size_t size) {
  char *unique p = make(), *unique q = realloc(p, size);
  bool has_grown = q != NULL;
  if (!has_grown) {
    free(p);
    return;
  }
  free(q);
}

// -- Out of date, or no test
// ---------------------------------------------------------------------------------------------

void owner_assigned(void) {
  char *unique p = NULL;
  bool is_there = p != NULL;
  p = make();
  if (!is_there)
    return; // expected-warning {{'p' may be lost at the end of its scope}}
  free(p);
}
void owner_swapped(void) {
  char *unique p = NULL;
  bool is_there = p != NULL;
  char *unique old = acre_swap(&p, make());
  free(old);
  if (!is_there)
    return; // expected-warning {{'p' may be lost at the end of its scope}}
  free(p);
}
void owner_filled(void) {
  char *unique p = NULL;
  bool is_there = p != NULL;
  fill(&p);
  if (!is_there)
    return; // expected-warning {{'p' may be lost at the end of its scope}}
  free(p);
}
void variable_assigned(void) {
  char *unique p = make();
  bool is_there = p != NULL;
  is_there = chance();
  if (!is_there)
    return; // expected-warning {{'p' may be lost at the end of its scope}}
  free(p);
}
void variable_assigned_on_one_path(void) {
  char *unique p = make();
  bool is_there = p != NULL;
  if (chance())
    is_there = false;
  if (!is_there)
    return; // expected-warning {{'p' may be lost at the end of its scope}}
  free(p);
}
void variable_changed(void) {
  char *unique p = make();
  int is_there = p != NULL;
  is_there--;
  if (!is_there)
    return; // expected-warning {{'p' may be lost at the end of its scope}}
  free(p);
}
void variable_added_to(void) {
  char *unique p = make();
  int is_there = p != NULL;
  is_there -= 1;
  if (!is_there)
    return; // expected-warning {{'p' may be lost at the end of its scope}}
  free(p);
}
void variable_lent(void) {
  char *unique p = make();
  bool is_there = p != NULL;
  set(&is_there);
  if (!is_there)
    return; // expected-warning {{'p' may be lost at the end of its scope}}
  free(p);
}
void variable_assembled(void) {
  char *unique p = make();
  bool is_there = p != NULL;
  __asm__("" : "=r"(is_there));
  if (!is_there)
    return; // expected-warning {{'p' may be lost at the end of its scope}}
  free(p);
}
void of_one_of_both(void) {
  char *unique p = make(), *unique q = make();
  if (!(p && q))
    return; // expected-warning {{'p' may be lost}} expected-warning {{'q' may be lost}}
  free(p);
  free(q);
}
void assigned_beside(void) {
  char *unique p = NULL;
  if (p || (p = make(), chance())) {
    free(p);
    return;
  }
} // expected-warning {{'p' may be lost at the end of its scope}}
void switched_by_a_range(void) {
  char *unique p = make();
  switch (p != NULL) {
  case 0 ... 1:
    return; // expected-warning {{'p' may be lost at the end of its scope}}
  default:
    free(p);
  }
}
/* A switch is not an if. */
void switched_to_the_first(size_t size) {
  char *unique p = make(), *unique q = realloc(p, size); // expected-note {{consumed here}}
  switch (q != NULL) {
  case 0:
    free(p);
    break;
  default:
    free(p); // expected-error {{'p' is used after it was consumed}}
    free(q);
  }
}
/* What is left of a pointer in a small number says little. */
void cut_off(size_t size) {
  char *unique p = make(), *unique q = realloc(p, size); // expected-note {{consumed here}}
  if (!(unsigned char)(size_t)q)
    free(p); // expected-error {{'p' is used after it was consumed}}
  free(q);
}

// -- A test that is kept in two places
// ----------------------------------------------------------------------------------

char *unique another(void);
void kept_again_in_a_loop(void) {
  char *unique p = another();
  bool is_there = p != NULL;
  while (chance()) {
    if (is_there)
      free(p);
    p = another();
    is_there = p != NULL;
  }
  if (is_there)
    free(p);
}
void kept_differently(int way) {
  char *unique p = another();
  bool is_there;
  if (way)
    is_there = p != NULL;
  else
    is_there = p == NULL;
  if (is_there)
    free(p); // expected-note {{consumed here on another path}}
} // expected-warning {{'p' may be lost at the end of its scope}}
