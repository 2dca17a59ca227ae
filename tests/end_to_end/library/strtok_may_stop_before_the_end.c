// A program that takes the first words of a string may delete the string, and take strtok to
// another one.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"

NOINLINE static void request(void) deletes {
  region r = newregion();
  CHECK(!strcmp(strtok(rstrdup(r, "alpha beta"), " "), "alpha"));
  DELETE_ACCEPTED(r);
}

int main(void) deletes {
  for (int i = 0; i < 2; i++) {
    request();
    char text[] = " one two ";
    CHECK(!strcmp(strtok(text, " "), "one") && !strcmp(strtok(NULL, " "), "two"));
    CHECK(!strtok(NULL, " ") && !strtok(NULL, " "));
    region r = newregion();
    CHECK(!strcmp(strtok(rstrdup(r, "a,b"), ","), "a") && !strcmp(strtok(NULL, ","), "b") &&
          !strtok(NULL, ","));
    DELETE_ACCEPTED(r);
    CHECK(!strtok(NULL, ","));
  }
}
