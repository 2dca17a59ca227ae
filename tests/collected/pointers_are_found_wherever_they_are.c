// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=poison,check,growth=256K,pause=0 %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// An object lives as long as a pointer to it is in a global, a local, thread-local storage, the C
// library's memory, memory from mmap, a signal stack, an environment string, the kernel (epoll), or
// another object.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <pthread.h>
#include <search.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

static item *in_data = (item *)1;
static item *in_bss;
static _Thread_local item *in_thread;
static pthread_key_t key;
static pthread_barrier_t barrier;

static int compare(const void *a, const void *b) {
  const item *x = a, *y = b;
  return (x->number > y->number) - (x->number < y->number);
}

static void *work(void *argument) {
  item *local = new_item(10);
  in_thread = new_item(11);
  pthread_setspecific(key, new_item(12));
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier); /* the main thread collects */
  CHECK(is_whole(argument, 13) && is_whole(local, 10) && is_whole(in_thread, 11) &&
        is_whole(pthread_getspecific(key), 12));
  return new_item(14);
}

static void find_in_tree(void *root) {
  item wanted = {.number = 20};
  item **found = tfind(&wanted, root, compare);
  CHECK(found && is_whole(*found, 20));
}

__attribute__((noinline)) static int give_to_epoll(int descriptor) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = new_item(21)};
  int epoll = epoll_create1(0);
  CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0);
  event.data.ptr = NULL;
  return epoll;
}

static void take_from_epoll(int epoll) {
  struct epoll_event event;
  CHECK(epoll_wait(epoll, &event, 1, -1) == 1 && is_whole(event.data.ptr, 21));
}

int main(void) {
  item *local = new_item(0);
  char *inside = (char *)new_item(1) + 9, *past = (char *)new_item(2) + sizeof(item);
  item **mapped = mmap(NULL, 4096 * 4, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  item **read_only = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  void *tree = NULL, *result;
  pthread_t thread;
  in_data = new_item(3);
  in_bss = new_item(4);
  in_thread = new_item(5);
  mapped[1500] = new_item(6);
  *read_only = new_item(7);
  mprotect(read_only, 4096, PROT_READ);
  local->next = new_item(8);
  local->next->next = new_item(9);
  tsearch(new_item(20), &tree, compare);
  int ends[2];
  CHECK(pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
  int epoll = give_to_epoll(ends[0]);
  CHECK(setenv("ACRE_TEST", "x", 1) == 0);
  char *text = strdup("ACRE_PUT=kept");
  putenv(text);
  text = NULL;
  pthread_key_create(&key, NULL);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&thread, NULL, work, new_item(13));
  pthread_barrier_wait(&barrier);
  churn();
  pthread_barrier_wait(&barrier);
  pthread_join(thread, &result);
  churn();
  CHECK(is_whole(local, 0) && is_whole((item *)(inside - 9), 1) && is_whole((item *)past - 1, 2));
  CHECK(is_whole(in_data, 3) && is_whole(in_bss, 4) && is_whole(in_thread, 5) &&
        is_whole(mapped[1500], 6));
  CHECK(is_whole(*read_only, 7) && is_whole(local->next, 8) && is_whole(local->next->next, 9));
  CHECK(is_whole(result, 14) && strcmp(getenv("ACRE_PUT"), "kept") == 0);
  take_from_epoll(epoll);
  find_in_tree(&tree);
  CHECK(acre_collected_check());
}
