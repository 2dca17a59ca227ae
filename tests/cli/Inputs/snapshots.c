/* A program whose snapshots are taken at exit, by a signal, or by itself: snapshots FILE [HOW]. */
#include <acre/region.h>
#include <acre/snapshot.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct node {
  struct node *next;
  struct node *kids[4];
};
struct entry {
  const char *key;
  struct node *value;
};

static struct node *cached;

static int is_there(const char *path) { return access(path, F_OK) == 0; }

static void allocate_much(region r) {
  for (int i = 0; i < 10000; i++)
    ralloc(r, struct node);
}

static void ask(region r, const char *path) {
  raise(SIGUSR2);
  printf("at once: %d\n", is_there(path));
  allocate_much(r);
  printf("then: %d\n", is_there(path));
  unlink(path);
  fflush(stdout);
  if (fork() == 0) {
    raise(SIGUSR2);
    newsubregion(r);
    _exit(is_there(path));
  }
  int status;
  wait(&status);
  printf("of a child: %d\n", WEXITSTATUS(status));
}

static void look(region r, struct node **first, const char *path) deletes {
  if (!acre_snapshot(path))
    exit(1);
  (void)r;
  (void)first;
}

int main(int count, char **values) deletes {
  const char *how = count > 2 ? values[2] : "";
  region server = newregion(), request = newsubregion(server), table = newregion();
  acre_region_set_name(server, "server </script>'\"&\\");
  acre_region_set_name(table, "table");
  struct node *first = ralloc(server, struct node);
  for (int i = 0; i < 100; i++) {
    struct node *each = ralloc(request, struct node);
    each->next = first;
    struct entry *entry = ralloc(table, struct entry);
    entry->key = rstrdup(table, "key");
    entry->value = first;
  }
  cached = ralloc(request, struct node);
  if (strcmp(how, "ask") == 0)
    ask(request, values[1]);
  else if (strcmp(how, "more") == 0)
    allocate_much(request);
  if (strcmp(how, "ask") != 0)
    look(server, &first, values[1]);
  puts("done");
  return first->next != NULL;
}
