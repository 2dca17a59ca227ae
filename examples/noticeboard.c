/* SPDX-License-Identifier: MIT */
/* noticeboard.c - a server of notes: connections are lines of text, which a pool of threads
 * answers.
 *
 * noticeboard [-t threads] HOST PORT prints the port that it listens at, and ends after SIGTERM or
 * SIGINT when its clients have gone.  Its commands are PUT NAME TEXT, GET NAME, DROP NAME, LIST
 * REGEX, WHO, TIME FORMAT and BYE.
 */
#define _GNU_SOURCE
#include <acre/own.h>
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BUCKETS = 64, MAX_THREADS = 64, BACKLOG = 64 };

struct note {
  char *unique name;
  char *unique text;
  time_t written;
  struct note *unique next;
};

struct board {
  pthread_rwlock_t lock;
  struct note *unique buckets[BUCKETS];
  size_t count;
};

/* A connection: waits in the queue until a thread of the pool takes it. */
struct client {
  int descriptor;
  char *unique peer;
  struct client *unique next;
};

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct client *unique first, *unique *last;
  bool is_closed;
};

struct server {
  struct board board;
  struct queue queue;
};

/* -- The board ------------------------------------------------------------------------------- */

static size_t bucket_of(const char *name) {
  size_t hash = 5381;
  while (*name)
    hash = hash * 33 + (unsigned char)*name++;
  return hash % BUCKETS;
}

static struct note *unique *find_place(struct board *board, const char *name) {
  struct note *unique *place = &board->buckets[bucket_of(name)];
  while (*place && strcmp((*place)->name, name) != 0)
    place = &(*place)->next;
  return place;
}

static struct note *unique make_note(const char *name, const char *text) {
  struct note *unique note = calloc(1, sizeof *note);
  if (!note)
    return NULL;
  note->name = strdup(name);
  note->text = strdup(text);
  note->written = time(NULL);
  if (!note->name || !note->text) {
    acre_drop(note);
    return NULL;
  }
  return note;
}

static bool board_put(struct board *board, const char *name, const char *text) {
  struct note *unique note = make_note(name, text);
  if (!note)
    return false;
  pthread_rwlock_wrlock(&board->lock);
  struct note *unique *place = find_place(board, name);
  if (*place) {
    note->next = acre_take(&(*place)->next);
    acre_drop(acre_swap(place, note));
  } else {
    *place = note;
    board->count++;
  }
  pthread_rwlock_unlock(&board->lock);
  return true;
}

/* The text of a note, which the caller frees, or null. */
static char *unique board_get(struct board *board, const char *name, time_t *written) {
  char *unique text = NULL;
  pthread_rwlock_rdlock(&board->lock);
  struct note *note = *find_place(board, name);
  if (note) {
    text = strdup(note->text);
    *written = note->written;
  }
  pthread_rwlock_unlock(&board->lock);
  return text;
}

static bool board_drop(struct board *board, const char *name) {
  pthread_rwlock_wrlock(&board->lock);
  struct note *unique *place = find_place(board, name);
  struct note *unique note = acre_take(place);
  bool is_there = note != NULL;
  if (note) {
    *place = acre_take(&note->next);
    board->count--;
  }
  pthread_rwlock_unlock(&board->lock);
  acre_drop(note);
  return is_there;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Writes the names that match, in order. */
static void board_list(struct board *board, const regex_t *pattern, FILE *out) {
  pthread_rwlock_rdlock(&board->lock);
  const char **unique names = calloc(board->count + 1, sizeof *names);
  size_t found = 0;
  for (size_t i = 0; names && i < BUCKETS; i++)
    for (struct note *note = board->buckets[i]; note; note = note->next)
      if (regexec(pattern, note->name, 0, NULL, 0) == 0)
        names[found++] = note->name;
  if (names)
    qsort(names, found, sizeof *names, compare_names);
  for (size_t i = 0; i < found; i++)
    fprintf(out, "%s\n", names[i]);
  free(names);
  pthread_rwlock_unlock(&board->lock);
}

static void board_end(struct board *board) {
  for (size_t i = 0; i < BUCKETS; i++)
    acre_drop(acre_take(&board->buckets[i]));
  pthread_rwlock_destroy(&board->lock);
}

/* -- The queue ------------------------------------------------------------------------------- */

static void free_client(struct client *unique client) {
  if (!client)
    return;
  if (client->descriptor >= 0)
    close(client->descriptor);
  acre_drop(client);
}

static struct client *unique make_client(int descriptor, const struct sockaddr *address,
                                         socklen_t size) {
  char host[NI_MAXHOST], port[NI_MAXSERV];
  struct client *unique client = malloc(sizeof *client);
  if (!client) {
    close(descriptor);
    return NULL;
  }
  client->descriptor = descriptor;
  client->peer = NULL;
  client->next = NULL;
  if (getnameinfo(address, size, host, sizeof host, port, sizeof port,
                  NI_NUMERICHOST | NI_NUMERICSERV) == 0 &&
      asprintf(&client->peer, "%s:%s", host, port) < 0)
    client->peer = NULL;
  if (!client->peer) {
    free_client(client);
    return NULL;
  }
  return client;
}

static void queue_put(struct queue *queue, struct client *unique client) {
  pthread_mutex_lock(&queue->lock);
  client->next = NULL;
  struct client *unique *end = acre_unowned(&client->next);
  acre_drop(acre_swap(queue->last, client));
  queue->last = end;
  pthread_cond_signal(&queue->changed);
  pthread_mutex_unlock(&queue->lock);
}

/* Waits for a client; null if there will be none. */
static struct client *unique queue_get(struct queue *queue) {
  pthread_mutex_lock(&queue->lock);
  while (!queue->first && !queue->is_closed)
    pthread_cond_wait(&queue->changed, &queue->lock);
  struct client *unique client = acre_take(&queue->first);
  if (client) {
    queue->first = acre_take(&client->next);
    if (!queue->first)
      queue->last = &queue->first;
  }
  pthread_mutex_unlock(&queue->lock);
  return client;
}

static void queue_close(struct queue *queue) {
  pthread_mutex_lock(&queue->lock);
  queue->is_closed = true;
  pthread_cond_broadcast(&queue->changed);
  pthread_mutex_unlock(&queue->lock);
}

/* -- The conversation ------------------------------------------------------------------------ */

static void answer_get(struct board *board, const char *name, FILE *out) {
  time_t written = 0;
  struct tm when;
  char date[32] = "";
  char *unique text = board_get(board, name, &written);
  if (!text) {
    fprintf(out, "- no note %s\n", name);
    return;
  }
  if (gmtime_r(&written, &when))
    strftime(date, sizeof date, "%Y-%m-%d", &when);
  fprintf(out, "+ %s %s\n", date, text);
  free(text);
}

static void answer_list(struct board *board, const char *expression, FILE *out) {
  regex_t pattern;
  int error = regcomp(&pattern, expression, REG_EXTENDED | REG_NOSUB);
  if (error) {
    char why[128];
    regerror(error, &pattern, why, sizeof why);
    fprintf(out, "- %s\n", why);
    return;
  }
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique list = open_memstream(&text, &size);
  if (list) {
    board_list(board, &pattern, list);
    fclose(list);
    fprintf(out, "%s+ listed\n", text);
    free(text);
  }
  regfree(&pattern);
}

static void answer_time(const char *format, FILE *out) {
  char text[128];
  time_t now = time(NULL);
  struct tm when;
  if (localtime_r(&now, &when) && strftime(text, sizeof text, format, &when))
    fprintf(out, "+ %s\n", text);
  else
    fprintf(out, "- no time\n");
}

/* Answers one line; false to hang up. */
static bool answer(struct board *board, const struct client *client, char *line, FILE *out) {
  char *rest = line;
  char *command = strsep(&rest, " ");
  char *name = rest;
  if (strcasecmp(command, "PUT") == 0 && name) {
    strsep(&rest, " ");
    fprintf(out, rest && board_put(board, name, rest) ? "+ put %s\n" : "- not put %s\n", name);
  } else if (strcasecmp(command, "GET") == 0 && name) {
    answer_get(board, name, out);
  } else if (strcasecmp(command, "DROP") == 0 && name) {
    fprintf(out, board_drop(board, name) ? "+ dropped %s\n" : "- no note %s\n", name);
  } else if (strcasecmp(command, "LIST") == 0) {
    answer_list(board, name ? name : "", out);
  } else if (strcasecmp(command, "WHO") == 0) {
    fprintf(out, "+ %.*s\n", (int)strcspn(client->peer, ":"), client->peer);
  } else if (strcasecmp(command, "TIME") == 0 && name) {
    answer_time(name, out);
  } else if (strcasecmp(command, "BYE") == 0) {
    return false;
  } else {
    fprintf(out, "- what?\n");
  }
  return true;
}

static void converse(struct board *board, struct client *client) {
  char *unique line = NULL;
  size_t size = 0;
  ssize_t length;
  int other = dup(client->descriptor);
  FILE *unique in = fdopen(client->descriptor, "r");
  FILE *unique out = other >= 0 ? fdopen(other, "w") : NULL;
  if (in)
    client->descriptor = -1;
  if (!in || !out)
    goto end;
  while ((length = getline(&line, &size, in)) > 0) {
    line[strcspn(line, "\r\n")] = '\0';
    if (!answer(board, client, line, out) || fflush(out) != 0)
      break;
  }
end:
  free(line);
  if (out)
    fclose(out);
  else if (other >= 0)
    close(other);
  if (in)
    fclose(in);
}

static void *work(void *argument) {
  struct server *server = argument;
  struct client *unique client;
  while ((client = queue_get(&server->queue))) {
    converse(&server->board, client);
    free_client(client);
  }
  return NULL;
}

/* -- Listening ------------------------------------------------------------------------------- */

static volatile sig_atomic_t is_stopped;

static void stop(int number) {
  (void)number;
  is_stopped = 1;
}

static int listen_at(const char *host, const char *port) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *unique found =
                                                                                    NULL;
  int error = getaddrinfo(host, port, &hints, &found), descriptor = -1, on = 1;
  if (error) {
    fprintf(stderr, "noticeboard: %s: %s\n", host, gai_strerror(error));
    return -1;
  }
  for (struct addrinfo *each = found; each && descriptor < 0; each = each->ai_next) {
    descriptor = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
    if (descriptor < 0)
      continue;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(descriptor, each->ai_addr, each->ai_addrlen) < 0 || listen(descriptor, BACKLOG) < 0) {
      close(descriptor);
      descriptor = -1;
    }
  }
  freeaddrinfo(found);
  return descriptor;
}

static void print_port(int descriptor) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  char port[NI_MAXSERV];
  if (getsockname(descriptor, (struct sockaddr *)&address, &size) == 0 &&
      getnameinfo((struct sockaddr *)&address, size, NULL, 0, port, sizeof port, NI_NUMERICSERV) ==
          0)
    printf("%s\n", port);
  fflush(stdout);
}

static void accept_clients(struct queue *queue, int descriptor) {
  while (!is_stopped) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    int accepted = accept(descriptor, (struct sockaddr *)&address, &size);
    if (accepted < 0)
      continue;
    struct client *unique client = make_client(accepted, (struct sockaddr *)&address, size);
    if (client)
      queue_put(queue, client);
  }
}

int main(int argc, char **argv) {
  long threads = 4;
  int option, descriptor;
  while ((option = getopt(argc, argv, "t:")) != -1)
    threads = option == 't' ? strtol(optarg, NULL, 10) : 0;
  if (argc - optind != 2 || threads < 1 || threads > MAX_THREADS) {
    fprintf(stderr, "usage: noticeboard [-t threads] HOST PORT\n");
    return 2;
  }
  struct sigaction action = {.sa_handler = stop};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  signal(SIGPIPE, SIG_IGN);

  struct server *unique server = calloc(1, sizeof *server);
  pthread_t *unique pool = calloc((size_t)threads, sizeof *pool);
  if (!server || !pool || (descriptor = listen_at(argv[optind], argv[optind + 1])) < 0) {
    free(server);
    free(pool);
    return 1;
  }
  pthread_rwlock_init(&server->board.lock, NULL);
  pthread_mutex_init(&server->queue.lock, NULL);
  pthread_cond_init(&server->queue.changed, NULL);
  server->queue.last = acre_unowned(&server->queue.first);

  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  long running = 0;
  while (running < threads && pthread_create(&pool[running], NULL, work, acre_unowned(server)) == 0)
    running++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);

  print_port(descriptor);
  if (running)
    accept_clients(&server->queue, descriptor);
  close(descriptor);

  queue_close(&server->queue);
  for (long i = 0; i < running; i++)
    pthread_join(pool[i], NULL);
  pthread_cond_destroy(&server->queue.changed);
  pthread_mutex_destroy(&server->queue.lock);
  board_end(&server->board);
  free(server);
  free(pool);
  return 0;
}
