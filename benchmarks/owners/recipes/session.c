/* SPDX-License-Identifier: MIT */
/* session.c - linked into a server that is measured: a run of the server is a session with a client
 * of ours.
 *
 * Before main a child process runs the Python script that SESSION names, with the server's last
 * argument.  The client ends the server by SIGTERM, and the server's exit status is then 0.  With
 * SESSION_INHERITED the server is as if inetd had started it: its standard input and output are a
 * connection to the client, which finds its own end as descriptor 3.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS
#endif

static pid_t server;

static void succeed(void) {
  if (getpid() == server)
    _exit(0);
}

/* A process counts what it executes itself, and not again what was executed before it was made. */
static void count_anew(void) { CALLGRIND_ZERO_STATS; }

/* Two ends of a connection over loopback, as descriptors; a pair of sockets has no address. */
static void connect_ends(int ends[2]) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct sockaddr *place = (struct sockaddr *)&address;
  socklen_t size = sizeof address;
  int listening = socket(AF_INET, SOCK_STREAM, 0);
  ends[0] = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listening, place, size) || listen(listening, 1) ||
      getsockname(listening, place, &size) || connect(ends[0], place, size))
    _exit(126);
  ends[1] = accept(listening, NULL, NULL);
  close(listening);
}

__attribute__((constructor)) static void begin(int argc, char **argv) {
  const char *script = getenv("SESSION");
  const int is_inherited = getenv("SESSION_INHERITED") != NULL;
  int ends[2] = {-1, -1};
  if (!script)
    return;
  server = getpid();
  if (is_inherited)
    connect_ends(ends);
  if (fork() == 0) {
    if (is_inherited)
      dup2(ends[0], 3);
    execlp("python3", "python3", script, argv[argc - 1], (char *)NULL);
    _exit(127);
  }
  unsetenv("SESSION");
  pthread_atfork(NULL, NULL, count_anew);
  if (is_inherited) {
    dup2(ends[1], 0);
    dup2(ends[1], 1);
    close(ends[0]);
    close(ends[1]);
  } else
    atexit(succeed);
}
