// -facre-stats counts every store that is executed, once, by what becomes of it: at every level, in
// all threads, in the child of a fork for itself, and not in a process that a signal ends.  Nothing
// is counted without the option.
// RUN: rm -f %t*json && env ACRE_TEST_LEVELS= %each_level %s -o %t -- -facre-stats -pthread
// RUN: for level in O0 Og O2 O3 lto; do ACRE_STATS=%t.$level.json %t.$level && %{python} \
// RUN:   %S/../Inputs/check_stats.py %t.$level.json || exit 1; done
// RUN: ACRE_STATS=1 %t.O2 2>&1 | FileCheck --check-prefix=TEXT %s
// TEXT: acre: pointer stores executed by process
// TEXT: {{^ +4009 .*}}/{{.*}}.O2
// TEXT: by slot
// TEXT: {{^ +4003 .*}} sameregion
// TEXT: by file
// TEXT: {{^ +4009 .*}}stats_count_every_store.c
// TEXT: by function
// TEXT: {{^ +4000 .*}} link_all
// TEXT: by type
// TEXT: {{^ +4006 .*}} node
// RUN: ACRE_STATS=1 %t.O2 2>&1 | FileCheck --check-prefix=CHILD %s
// CHILD: acre: pointer stores executed by process
// CHILD-NEXT: stores
// CHILD-NEXT: {{^ +1 }}
// RUN: (ACRE_STATS=1 %t.O2 signal || true) 2>&1 | FileCheck --check-prefix=SIGNAL --allow-empty %s
// SIGNAL-NOT: pointer stores executed
// RUN: %acre-cc %s -o %t.plain -pthread && ACRE_STATS=1 %t.plain 2>&1 | FileCheck \
// RUN:   --check-prefix=PLAIN %s
// PLAIN: acre: ACRE_STATS is set, but nothing of this program was compiled with -facre-stats
// RUN: %if !foreign %{ nm %t.plain | FileCheck --check-prefix=NOTHING \
// RUN:   --implicit-check-not=acre.stats %s %}
// NOTHING: main
// RUN: not %acre-cc -facre-stats -facre-checks=none %s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: acre-cc: error: -facre-stats counts what becomes of checks, and -facre-checks=none makes
// NONE-SAME: {{^ }}none
// RUN: ACRE_STATS=/nowhere/at/all %t.O2 2>&1 | FileCheck --check-prefix=UNWRITABLE %s
// UNWRITABLE: acre: cannot write statistics to '/nowhere/at/all': No such file or directory
#include <acre/acre.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 1000 };
struct node {
  struct node *sameregion next;
  struct node *other;
};

__attribute__((noinline)) static void link_to(struct node *a, struct node *b) { a->next = b; }
__attribute__((noinline)) static void count(struct node *a, struct node *b) { a->other = b; }
__attribute__((noinline)) static void copy(struct node *to, const struct node *from) {
  *to = *from;
}

static void *link_all(void *start) {
  region r = newregion();
  struct node *n = ralloc(r, struct node), *last = start;
  for (int i = 0; i < ROUNDS; i++)
    n->next = last = i % 2 ? n : NULL; /* the optimizer cannot know which */
  return last;
}

int main(int argc, char **argv) deletes {
  region r = newregion(), s = newregion();
  struct node *a = ralloc(r, struct node), *b = ralloc(s, struct node);
  count(a, b);    /* changes a count */
  count(a, b);    /* does not */
  count(b, b);    /* nor does this */
  count(a, NULL); /* this does */
  link_to(a, a);
  link_to(b, b);
  copy(a, a);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, link_all, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  static struct node *global;
  global = b; /* changes a count */
  (void)argv;
  if (argc > 1)
    raise(SIGKILL);
  pid_t child = fork();
  if (child == 0)
    link_to(a, a);
  else
    waitpid(child, NULL, 0);
  return 0;
}
