/* SPDX-License-Identifier: MIT */
/* figure1.c - Figure 1 of "Language Support for Regions", made whole: a list and its contents in
 * one region.
 *
 *   acre-cc -O2 figure1.c -o figure1 && ./figure1 figure1.c
 */
#include <stdio.h>
#include <sys/stat.h>

#include <acre/acre.h>

struct finfo {
  const char *traditional name; /* from the command line, so in no region */
  long long size;
};

struct rlist {
  struct rlist *sameregion next;
  struct finfo *sameregion data;
};

static void output_rlist(const struct rlist *list) {
  for (; list; list = list->next)
    printf("%s: %lld bytes\n", list->data->name, list->data->size);
}

int main(int argc, char **argv) deletes {
  struct rlist *rl, *last = NULL;
  region r = newregion();

  for (int i = 1; i < argc; i++) {
    struct stat status;
    if (stat(argv[i], &status) != 0) {
      perror(argv[i]);
      continue;
    }
    rl = ralloc(r, struct rlist);
    rl->data = ralloc(r, struct finfo);
    rl->data->name = argv[i];
    rl->data->size = (long long)status.st_size;
    rl->next = last;
    last = rl;
  }
  output_rlist(last);
  deleteregion(r); /* rl and last still point into r, but are not used again: no references */
  return 0;
}
