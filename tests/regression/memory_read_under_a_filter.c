// Where a filter forbids process_vm_readv and pipe2, memory was taken to be gone, and a region with
// pointers into it was deleted.
// RUN: %each_level -o %t %s
#include "../end_to_end/Inputs/check.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static node *global;

static int forbid(void) {
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pipe2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

int main(void) deletes {
  region r = newregion();
  node **block = malloc(8 * sizeof *block);
  block[3] = new_node(r);
  if (forbid())
    return 0; // not every machine lets a program do that
  DELETE_REFUSED(r);
  global = block[3];
  block[3] = NULL;
  DELETE_REFUSED(r);
  global = NULL;
  DELETE_ACCEPTED(r);
  free(block);
}
