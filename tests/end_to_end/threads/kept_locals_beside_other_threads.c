// A dead local whose address a function may have kept refuses no delete, although other threads run
// and change memory meanwhile; it does where one of them has the address.
// RUN: %each_level -o %t %s
#include "../Inputs/check.h"
#include <pthread.h>
#include <sys/mman.h>

typedef struct cursor {
  node *at, *first;
} cursor;

static void begin(cursor *c, node *n) { c->at = c->first = n; }
static void (*volatile begin_unseen)(cursor *, node *) = begin;

static volatile bool is_over;
/* Memory comes and goes while it is looked at. */
static void *map_and_unmap(void *unused) {
  while (!is_over) {
    char *pages = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    memset(pages, 1, 1 << 20);
    munmap(pages, 1 << 20);
  }
  return unused;
}

struct meeting {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int phase;
  cursor *lent;
};
static struct meeting meeting = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, NULL};

static void reach(int phase) {
  pthread_mutex_lock(&meeting.lock);
  meeting.phase = phase;
  pthread_cond_broadcast(&meeting.changed);
  pthread_mutex_unlock(&meeting.lock);
}
static void wait_for(int phase) {
  pthread_mutex_lock(&meeting.lock);
  while (meeting.phase < phase)
    pthread_cond_wait(&meeting.changed, &meeting.lock);
  pthread_mutex_unlock(&meeting.lock);
}
/* Only this thread's stack has the address while the other one deletes. */
static void *hold(void *unused) {
  cursor *held[4];
  wait_for(1);
  held[2] = meeting.lent;
  meeting.lent = NULL;
  opaque(held);
  reach(2);
  wait_for(3);
  CHECK(held[2]->at->value == 42);
  held[2] = NULL;
  opaque(held);
  reach(4);
  return unused;
}

static NOINLINE void dead(region r) deletes {
  cursor c;
  begin_unseen(&c, new_node(r));
  CHECK(c.first->value == 42);
  DELETE_ACCEPTED(r);
}
static NOINLINE void lent_to_a_thread(region r) deletes {
  cursor c;
  begin_unseen(&c, new_node(r));
  meeting.lent = &c;
  reach(1);
  wait_for(2);
  DELETE_REFUSED(r);
  reach(3);
  wait_for(4);
}

int main(void) deletes {
  pthread_t mapper, holder;
  CHECK(pthread_create(&mapper, NULL, map_and_unmap, NULL) == 0);
  for (int i = 0; i < 20; i++)
    dead(newregion());
  CHECK(pthread_create(&holder, NULL, hold, NULL) == 0);
  region r = newregion();
  lent_to_a_thread(r);
  pthread_join(holder, NULL);
  is_over = true;
  pthread_join(mapper, NULL);
  DELETE_ACCEPTED(r);
  return 0;
}
