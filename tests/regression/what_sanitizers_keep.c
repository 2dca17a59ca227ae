// A sanitizer keeps addresses of frames that ran before main. They lie where locals of functions
// that main calls come to lie, which refused deletes though nobody had their addresses.
// REQUIRES: sanitizers
// RUN: %acre-cc -O1 -g -fsanitize=undefined %s -o %t && %t && %t && %t && %t
// RUN: %acre-cc -O1 -g -fsanitize=address %s -o %t && %t && %t && %t && %t
#include <acre/acre.h>
#include <string.h>

struct node {
  int id;
};
static void touch(void *memory) { (void)memory; }
static void (*volatile lend)(void *) = touch;

__attribute__((noinline)) static int delete_behind_a_large_local(region r) deletes {
  struct {
    struct node *p;
    char bytes[8192];
  } local;
  memset(local.bytes, 0, sizeof local.bytes);
  local.p = ralloc(r, struct node);
  lend(&local);
  return deleteregion(r);
}

int main(void) {
  acre_set_delete_policy(ACRE_DELETE_REFUSE);
  return !delete_behind_a_large_local(newregion());
}
