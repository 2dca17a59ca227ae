/* SPDX-License-Identifier: MIT */
/* webserver - serves the files below a directory by HTTP/1.1, in little memory.
 *
 * One process, one loop (events.h); every client is an object of its own, which is consumed when
 * its event comes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../events/signals.h"
#include "../events/sockets.h"
#include "connection.h"

enum { EXIT_USAGE = 2, ACCEPTS_PER_TURN = 64, PAUSE_MILLISECONDS = 1000, OTHER_DESCRIPTORS = 8 };

static const char usage[] =
    "usage: webserver [OPTION]... [DIRECTORY]\n"
    "Serves the files below DIRECTORY (.) by HTTP/1.1: GET and HEAD, one range, "
    "If-Modified-Since.\n"
    "\n"
    "  -a, --address HOST:PORT  where to listen (127.0.0.1:8080); port 0 is any that is free\n"
    "  -b, --buffer BYTES       of an answer in memory at a time, 2048 to 1048576 (8192)\n"
    "  -t, --timeout SECONDS    how long to wait for a request, or for a client to take an answer "
    "(30)\n"
    "  -l, --log                print a line for each answer\n"
    "  -h, --help               this text\n"
    "\n"
    "SIGINT and SIGTERM end it when the answers that were begun are sent; a second one at once.  "
    "SIGUSR1 prints how\n"
    "much memory it has.  Exit status: 0; 1 if it cannot serve; 2 for a wrong command line.\n";

struct options {
  const char *address, *directory;
  struct site site;
};

_Noreturn static void fail_usage(const char *what, const char *argument) {
  fprintf(stderr, "webserver: %s%s\nTry 'webserver --help'.\n", what, argument);
  exit(EXIT_USAGE);
}

static unsigned long parse_number(const char *text, unsigned long least, unsigned long most) {
  char *end;
  errno = 0;
  unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || errno || value < least || value > most)
    fail_usage("not a number in range: ", text);
  return value;
}

static void set_timeout(struct site *site, unsigned long seconds) {
  site->idle_milliseconds = site->head_milliseconds = site->send_milliseconds =
      (int64_t)seconds * 1000;
}

static struct options parse_options(int argc, char **argv) {
  static const struct option names[] = {
      {"address", required_argument, 0, 'a'}, {"buffer", required_argument, 0, 'b'},
      {"timeout", required_argument, 0, 't'}, {"log", no_argument, 0, 'l'},
      {"help", no_argument, 0, 'h'},          {0}};
  struct options options = {
      .address = "127.0.0.1:8080", .directory = ".", .site = {.buffer = 8192}};
  int option;
  set_timeout(&options.site, 30);
  while ((option = getopt_long(argc, argv, "a:b:t:lh", names, NULL)) != -1) {
    switch (option) {
    case 'a':
      options.address = optarg;
      break;
    case 'b':
      options.site.buffer = parse_number(optarg, ANSWER_HEAD_MAX, 1 << 20);
      break;
    case 't':
      set_timeout(&options.site, parse_number(optarg, 1, 86400));
      break;
    case 'l':
      options.site.is_logging = true;
      break;
    case 'h':
      fputs(usage, stdout);
      exit(EXIT_SUCCESS);
    default:
      fputs("Try 'webserver --help'.\n", stderr);
      exit(EXIT_USAGE);
    }
  }
  if (argc - optind > 1)
    fail_usage("one directory is served, not also: ", argv[optind + 1]);
  if (optind < argc)
    options.directory = argv[optind];
  return options;
}

struct listener {
  int socket;
  struct clients *clients;
};

/* So that each client can have a file too. */
static size_t most_clients(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < 2 * OTHER_DESCRIPTORS)
    return 1;
  return (size_t)(limit.rlim_cur - OTHER_DESCRIPTORS) / 2;
}

static bool is_lack(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

static void clients_come(struct events *borrowed loop, void *unique environment, unsigned event) {
  struct listener *unique listener = environment;
  struct clients *clients = listener->clients;
  int socket = listener->socket;
  if (event & (EVENT_STOP | EVENT_FAILED)) {
    events_close(loop, socket);
    clients->listener = -1;
    free(listener);
    return;
  }
  bool is_full = false;
  for (int i = 0; i < ACCEPTS_PER_TURN && !is_full; i++) {
    is_full = clients->count >= clients->most;
    int client = is_full ? -1 : accept4(socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;
    if (client < 0) {
      is_full = is_full || is_lack(errno);
      break;
    }
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connection_start(loop, clients, client);
  }
  /* Whoever cannot be served now stays in the queue until another client goes. */
  clients->listener = is_full ? socket : -1;
  events_wait(loop, socket, is_full ? 0 : EVENT_READABLE, is_full ? PAUSE_MILLISECONDS : 0,
              clients_come, listener);
}

static bool serve(struct events *loop, const struct options *options) {
  int socket = socket_listen("webserver", options->address, SOCK_STREAM);
  struct listener *unique listener = malloc(sizeof *listener);
  if (socket < 0 || !listener || !signals_wait(loop, "webserver", false)) {
    if (socket >= 0)
      perror("webserver");
    free(listener);
    return false;
  }
  struct clients clients = {.site = &options->site, .most = most_clients(), .listener = -1};
  *listener = (struct listener){socket, &clients};
  printf("webserver: port %u\n", socket_port(socket));
  fflush(stdout);
  events_wait(loop, socket, EVENT_READABLE, 0, clients_come, listener);
  events_run(loop);
  return true;
}

int main(int argc, char **argv) {
  struct options options = parse_options(argc, argv);
  setvbuf(stdout, NULL, _IOLBF, 0);
  options.site.root = open(options.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (options.site.root < 0) {
    fprintf(stderr, "webserver: %s: %s\n", options.directory, strerror(errno));
    return EXIT_FAILURE;
  }
  struct events *unique loop = events_new();
  bool is_served = loop && serve(loop, &options);
  if (loop)
    events_free(loop);
  close(options.site.root);
  return is_served ? EXIT_SUCCESS : EXIT_FAILURE;
}
