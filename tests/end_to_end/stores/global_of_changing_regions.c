// A global's record is found through a variable once it has been made: it is looked at all the same
// each time, whatever has changed it meanwhile.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <string.h>

static node *held;
static struct pair {
  int number;
  node *first, *second;
} pair;

static void set(node *to) __attribute__((noinline));
static void set(node *to) { held = to; }
static void set_second(node *to) __attribute__((noinline));
static void set_second(node *to) { pair.second = to; }

/* Other code than a store to the variable itself. */
static void set_bytes(node *to) __attribute__((noinline));
static void set_bytes(node *to) { memcpy(opaque(&held), &to, sizeof to); }

int main(void) deletes {
  region r = newregion(), s = newregion();
  node *of_r = new_node(r), *of_s = new_node(s);
  for (int round = 0; round < 20; round++) {
    set(of_r);
    CHECK_COUNT(r, 1);
    set(of_s);
    CHECK_COUNT(r, 0);
    CHECK_COUNT(s, 1);
    set_bytes(of_r);
    CHECK_COUNT(r, 1);
    CHECK_COUNT(s, 0);
    set(of_s);
    CHECK_COUNT(s, 1);
    set_bytes(0);
    CHECK_COUNT(s, 0);
    set(of_s);
    CHECK_COUNT(s, 1);
    set((node *)&pair);
    CHECK_COUNT(s, 0);
    set_second(of_r);
    CHECK_COUNT(r, 1);
    set_second(0);
    CHECK_COUNT(r, 0);
  }
  set(of_r);
  DELETE_REFUSED(r);
  set(0);
  DELETE_ACCEPTED(r);
  /* Its index is that of another region next. */
  region t = newregion();
  set(new_node(t));
  CHECK_COUNT(t, 1);
  DELETE_REFUSED(t);
  set(of_s);
  DELETE_ACCEPTED(t);
  DELETE_REFUSED(s);
  set_second(of_s);
  set(0);
  DELETE_REFUSED(s);
  set_second(0);
  DELETE_ACCEPTED(s);
  CHECK(acre_verify());
}
