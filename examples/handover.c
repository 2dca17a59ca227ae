/* SPDX-License-Identifier: MIT */
/* handover.c - an event server of four threads, each with an epoll of its own.
 *
 * A connection is a region: what it has said so far lies there.  After each request it goes on to
 * the next thread, as a server would do that balances its load.  acre_region_give decides that no
 * pointer into the connection stays behind; so no lock is needed for what lies there.  The handle
 * is no address: epoll and the mailboxes may keep it.
 *
 * Each line that a client sends is a word; the answer is all its words, the newest first.  The
 * server ends when CONNECTIONS clients have left.
 *
 *   ./handover CONNECTIONS       it says which port it listens at
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <acre/acre.h>
#include <acre/scope.h>

enum { WORKERS = 4, EVENTS = 16, LINE = 256 };

struct word {
  struct word *sameregion next;
  char *sameregion text;
};

struct connection {
  int socket;
  size_t filled; /* bytes of line that are there */
  struct word *sameregion words;
  char line[LINE];
};

/* Handles that other threads have given to this one. */
struct mailbox {
  pthread_mutex_t lock;
  region *handles;
  size_t count, capacity;
};

struct worker {
  int epoll, wakes;
  struct mailbox mail;
};

static struct worker workers[WORKERS];
static int listener;
static atomic_long left, answered, handed;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

/* -- Mail -------------------------------------------------------------------------------------- */

static void wake(const struct worker *w) {
  const uint64_t one = 1;
  if (write(w->wakes, &one, sizeof one) != sizeof one)
    fail("eventfd");
}

static void post(struct worker *w, region r) {
  struct mailbox *mail = &w->mail;
  pthread_mutex_lock(&mail->lock);
  if (mail->count == mail->capacity) {
    mail->capacity = mail->capacity ? 2 * mail->capacity : 16;
    mail->handles = realloc(mail->handles, mail->capacity * sizeof *mail->handles);
    if (!mail->handles)
      fail("realloc");
  }
  mail->handles[mail->count++] = r;
  pthread_mutex_unlock(&mail->lock);
  wake(w);
}

/* The handle that came last, or null. */
static region receive(struct worker *w) {
  pthread_mutex_lock(&w->mail.lock);
  region r = w->mail.count ? w->mail.handles[--w->mail.count] : NULL;
  pthread_mutex_unlock(&w->mail.lock);
  return r;
}

/* -- Connections ------------------------------------------------------------------------------- */

static void watch(const struct worker *w, int file, void *what) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};
  if (epoll_ctl(w->epoll, EPOLL_CTL_ADD, file, &event) < 0)
    fail("epoll_ctl");
}

static region new_connection(int socket) {
  region r = newregion();
  acre_region_set_name(r, "connection");
  struct connection *c = ralloc(r, struct connection);
  c->socket = socket;
  acre_root(struct connection, r) = c;
  return r;
}

static void answer(region r, struct connection *c, const char *text) {
  struct word *fresh = ralloc(r, struct word);
  fresh->text = rstrdup(r, text);
  fresh->next = c->words;
  c->words = fresh;
  char reply[4 * LINE];
  size_t size = 0;
  for (const struct word *word = c->words; word && size + LINE < sizeof reply; word = word->next)
    size += (size_t)snprintf(reply + size, LINE, "%s%s", word->text, word->next ? " " : "");
  reply[size++] = '\n';
  if (send(c->socket, reply, size, MSG_NOSIGNAL) < 0)
    perror("send");
  answered++;
}

/* Reads what is there and answers whole lines.  False when the client has left. */
static int serve(region r, struct connection *c) {
  ssize_t got = read(c->socket, c->line + c->filled, LINE - 1 - c->filled);
  if (got <= 0)
    return 0;
  c->filled += (size_t)got;
  for (char *end; (end = memchr(c->line, '\n', c->filled));) {
    *end = 0;
    answer(r, c, c->line);
    c->filled -= (size_t)(end + 1 - c->line);
    memmove(c->line, end + 1, c->filled);
  }
  return c->filled < LINE - 1;
}

static void part(const struct worker *w, region r) deletes {
  int socket = acre_root(struct connection, r)->socket;
  epoll_ctl(w->epoll, EPOLL_CTL_DEL, socket, NULL);
  close(socket);
  deleteregion(r);
  if (--left == 0)
    for (int i = 0; i < WORKERS; i++)
      wake(&workers[i]);
}

static void hand_on(const struct worker *w, region r) deletes {
  epoll_ctl(w->epoll, EPOLL_CTL_DEL, acre_root(struct connection, r)->socket, NULL);
  if (!giveregion(r))
    exit(1);
  handed++;
  post(&workers[(w + 1 - workers) % WORKERS], r);
}

/* -- Threads ----------------------------------------------------------------------------------- */

static void handle(struct worker *w, region r) deletes {
  if (serve(r, acre_root(struct connection, r)))
    hand_on(w, r);
  else
    part(w, r);
}

static void accept_one(const struct worker *w) {
  int socket = accept(listener, NULL, NULL);
  if (socket >= 0)
    watch(w, socket, new_connection(socket));
}

static void read_mail(struct worker *w) {
  for (region r; (r = receive(w));) {
    if (!takeregion(r))
      exit(1);
    watch(w, acre_root(struct connection, r)->socket, r);
  }
}

static void handle_event(struct worker *w, const struct epoll_event *event) deletes {
  uint64_t count;
  if (event->data.ptr == &listener)
    accept_one(w);
  else if (event->data.ptr)
    handle(w, event->data.ptr);
  else if (read(w->wakes, &count, sizeof count) == sizeof count)
    read_mail(w);
}

static void *work(void *argument) deletes {
  struct worker *w = argument;
  while (left > 0) {
    struct epoll_event events[EVENTS];
    int count = epoll_wait(w->epoll, events, EVENTS, -1);
    for (int i = 0; i < count && left > 0; i++)
      handle_event(w, &events[i]);
  }
  return NULL;
}

/* -- Main -------------------------------------------------------------------------------------- */

static void listen_somewhere(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) < 0 ||
      listen(listener, 64) < 0 || getsockname(listener, (struct sockaddr *)&address, &size) < 0)
    fail("listen");
  printf("port %d\n", ntohs(address.sin_port));
  fflush(stdout);
}

static void start(struct worker *w) {
  pthread_mutex_init(&w->mail.lock, NULL);
  w->epoll = epoll_create1(0);
  w->wakes = eventfd(0, EFD_NONBLOCK);
  if (w->epoll < 0 || w->wakes < 0)
    fail("epoll");
  watch(w, w->wakes, NULL);
}

int main(int argc, char **argv) deletes {
  left = argc == 2 ? atol(argv[1]) : 0;
  if (left <= 0) {
    fprintf(stderr, "usage: handover CONNECTIONS\n");
    return 2;
  }
  pthread_t threads[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    start(&workers[i]);
  listen_somewhere();
  watch(&workers[0], listener, (void *)&listener);
  for (int i = 1; i < WORKERS; i++)
    if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0)
      fail("pthread_create");
  work(&workers[0]);
  for (int i = 1; i < WORKERS; i++)
    pthread_join(threads[i], NULL);
  acre_stats stats;
  acre_get_stats(&stats);
  printf("%ld answers, %ld hand-overs, %zu regions left\n", (long)answered, (long)handed,
         stats.regions_live);
}
