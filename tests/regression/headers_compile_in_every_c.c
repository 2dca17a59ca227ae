// <acre/acre.h> and <acre/own.h> did not compile as C89, and main had to be 'deletes' in a
// freestanding program.
// RUN: %acre-cc -std=c89 -Wall -Wextra -pedantic -Werror -Wno-comment -fsyntax-only %s
// RUN: %acre-cc -ansi -fsyntax-only %s
// RUN: %acre-cc -std=gnu89 -fsyntax-only %s
// RUN: %acre-cc -std=c23 -fsyntax-only %s
// RUN: %acre-cc -ffreestanding -fsyntax-only %s
#include <acre/acre.h>
#include <acre/collected.h>
#include <acre/own.h>

int main(void) {
  region r = newregion();
  return !deleteregion(r);
}
