// What setspecific, streams, the environment, timers and search trees keep counts until they give
// it back.
// RUN: %each_level -o %t %s
#define _GNU_SOURCE
#include "../Inputs/check.h"

#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <threads.h>
#include <time.h>

static void thread_values(void) deletes {
  region r = newregion();
  pthread_key_t key;
  tss_t other;
  CHECK(pthread_key_create(&key, NULL) == 0 && tss_create(&other, NULL) == thrd_success);
  CHECK(pthread_setspecific(key, new_node(r)) == 0);
  CHECK(tss_set(other, new_node(r)) == thrd_success);
  CHECK_COUNT(r, 2);
  DELETE_REFUSED(r);
  pthread_setspecific(key, new_node(r));
  tss_set(other, NULL);
  CHECK_COUNT(r, 1);
  pthread_key_delete(key); // nobody can get the value back
  DELETE_ACCEPTED(r);
}

static char line[16];

static void streams(void) deletes {
  region r = newregion();
  FILE *file = tmpfile();
  CHECK(file);
  CHECK(setvbuf(file, rstralloc(r, 512), _IOFBF, 512) == 0);
  CHECK_COUNT(r, 1);
  fputs("text\n", file);
  rewind(file);
  CHECK(fgets(line, sizeof line, file) && strcmp(line, "text\n") == 0);
  setvbuf(file, NULL, _IOFBF, 0);
  CHECK_COUNT(r, 1);
  DELETE_REFUSED(r);
  fclose(file);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}

static ssize_t take(void *cookie, const char *text, size_t size) {
  ((node *)cookie)->value += (long)size;
  (void)text;
  return (ssize_t)size;
}

static void cookies(void) deletes {
  region r = newregion();
  node *cookie = new_node(r);
  FILE *file = fopencookie(cookie, "w", (cookie_io_functions_t){.write = take});
  CHECK(file);
  CHECK_COUNT(r, 1);
  fputs("five!", file);
  DELETE_REFUSED(r);
  fclose(file);
  CHECK(cookie->value == 42 + 5);
  DELETE_ACCEPTED(r);
}

static void environment(void) deletes {
  region r = newregion();
  CHECK(putenv(rstrdup(r, "ACRE_TEST_KEPT=1")) == 0);
  CHECK_COUNT(r, 1);
  DELETE_REFUSED(r);
  CHECK(putenv(rstrdup(r, "ACRE_TEST_KEPT=2")) == 0);
  CHECK_COUNT(r, 1);
  CHECK(strcmp(getenv("ACRE_TEST_KEPT"), "2") == 0);
  unsetenv("ACRE_TEST_KEPT");
  DELETE_ACCEPTED(r);
}

static void timers(void) deletes {
  region r = newregion();
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  event.sigev_value.sival_ptr = new_node(r);
  CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  event.sigev_value.sival_ptr = NULL;
  CHECK_COUNT(r, 1);
  DELETE_REFUSED(r);
  timer_delete(timer);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}

static int by_value(const void *a, const void *b) {
  long x = ((const node *)a)->value, y = ((const node *)b)->value;
  return (x > y) - (x < y);
}

static node *numbered(region r, long value) {
  node *n = new_node(r);
  n->value = value;
  return n;
}

enum { KEYS = 31 };

/* A key that stands high in the tree is replaced by one from below. */
static void trees(void) deletes {
  region even = newregion(), odd = newregion();
  void *root = NULL;
  for (long i = 0; i < KEYS; i++)
    CHECK(tsearch(numbered(i % 2 ? odd : even, i * 7 % KEYS), &root, by_value));
  for (long i = 0; i < KEYS; i++) {
    node wanted = {.value = i};
    node **found = tfind(&wanted, &root, by_value);
    CHECK(found && *found && (*found)->value == i);
    if (regionof(*found) == even)
      tdelete(&wanted, &root, by_value);
  }
  DELETE_ACCEPTED(even);
  DELETE_REFUSED(odd);
  while (root)
    tdelete(*(node **)root, &root, by_value);
  DELETE_ACCEPTED(odd);
}

static void keep(void *key) { (void)key; }

/* What is freed beside memory that is free already may keep what was in it. */
static void whole_trees(void) deletes {
  region r = newregion();
  void *root = NULL;
  for (long i = 0; i < 4 * KEYS; i++)
    CHECK(tsearch(numbered(r, i), &root, by_value));
  DELETE_REFUSED(r);
  tdestroy(root, keep);
  CHECK_COUNT(r, 0);
  DELETE_ACCEPTED(r);
}

static void tables(void) deletes {
  region r = newregion();
  CHECK(hcreate(8));
  CHECK(hsearch((ENTRY){rstrdup(r, "key"), new_node(r)}, ENTER));
  CHECK_COUNT(r, 2);
  DELETE_REFUSED(r);
  node *array[4] = {0}, *added = new_node(r);
  size_t count = 0;
  opaque(array);
  CHECK(lsearch(&added, array, &count, sizeof *array, by_value) && count == 1);
  added = NULL;
  CHECK_HELD(r, 3);
  CHECK(array[0]->value == 42);
  hdestroy();
  CHECK_HELD(r, 1);
  array[0] = NULL;
  DELETE_ACCEPTED(r);
}

static void tables_of_the_program(void) deletes {
  region r = newregion(), other = newregion();
  struct hsearch_data first = {0}, second = {0};
  ENTRY *found;
  CHECK(hcreate_r(8, &first) && hcreate_r(8, &second));
  CHECK(hsearch_r((ENTRY){rstrdup(r, "key"), new_node(r)}, ENTER, &found, &first));
  CHECK(hsearch_r((ENTRY){rstrdup(other, "key"), new_node(other)}, ENTER, &found, &second));
  hdestroy_r(&first);
  DELETE_ACCEPTED(r);
  DELETE_REFUSED(other);
  hdestroy_r(&second);
  DELETE_ACCEPTED(other);
}

struct element {
  struct element *next, *previous;
};

static void queues(void) deletes {
  region a = newregion(), b = newregion();
  struct element head = {0};
  opaque(&head);
  insque(&head, NULL);
  insque(ralloc(a, struct element), &head);
  insque(ralloc(b, struct element), &head);
  CHECK_HELD(a, 1); // of b's
  CHECK_HELD(b, 2);
  remque(head.next->next);
  CHECK_HELD(a, 0);
  DELETE_ACCEPTED(a);
  CHECK_HELD(b, 1);
  remque(head.next);
  DELETE_ACCEPTED(b);
}

static pthread_key_t of_threads;

static void *keep_until_exit(void *unused) {
  region r = newregion();
  pthread_setspecific(of_threads, new_node(r));
  CHECK_COUNT(r, 1);
  return unused ? r : r;
}

static void ended(void *value) deletes {
  region r = regionof(value);
  CHECK_COUNT(r, 0); // what a thread kept is given back before its destructors run
  value = NULL;
  DELETE_ACCEPTED(r);
}

static void threads(void) {
  pthread_t thread;
  void *result;
  CHECK(pthread_key_create(&of_threads, ended) == 0);
  CHECK(pthread_create(&thread, NULL, keep_until_exit, NULL) == 0);
  CHECK(pthread_join(thread, &result) == 0);
  CHECK(!acre_region_is_live(result));
}

int main(void) deletes {
  thread_values();
  streams();
  cookies();
  environment();
  timers();
  trees();
  whole_trees();
  tables();
  tables_of_the_program();
  queues();
  threads();
}
