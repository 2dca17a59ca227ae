// Every failing request for memory ends in success after the handler, or in a message and abort:
// never in a crash.
// RUN: %acre-cc -O2 %s -o %t
// RUN: %t
// RUN: %S/../Inputs/fail_each_request.sh %t
// QEMU takes more address space than the limit leaves.
// RUN: %if !foreign %{ sh -c 'ulimit -v 400000; exec %S/../bad_input/Inputs/status.sh %t large' | \
// RUN:   %whole %s %}
#include "../Inputs/check.h"

static node *global;
static int asked;
static bool give_up(size_t bytes) {
  (void)bytes;
  asked++;
  return false;
}

// CHECK: acre: fatal: out of memory: 1048576 bytes in the region created at [[FILE]]:[[@LINE+5]]
// CHECK-NEXT: exit status 134
int main(int argc, char **argv) deletes {
  (void)argv;
  acre_set_oom_handler(give_up);
  region r = newregion(), s = newsubregion(r);
  for (int i = 0; i < 100; i++) {
    node *n = rarrayalloc(i % 2 ? r : s, 1000 * i + 1, node);
    n->next = global;
    global = n;
  }
  for (int i = 0; argc > 1 && i < 100000; i++)
    rstralloc(r, 1 << 20)[12345] = 1;
  region many[100];
  for (int i = 0; i < 100; i++) {
    many[i] = newregion();
    ralloc(many[i], node)->next = global;
  }
  for (int i = 0; i < 100; i++)
    CHECK(deleteregion(many[i]));
  global = 0;
  CHECK(acre_verify());
  region both[2] = {r, s};
  CHECK(deleteregion_array(2, both));
}
