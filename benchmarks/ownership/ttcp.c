/* SPDX-License-Identifier: MIT */
/* ttcp - sends packets through an overlay and receives them, as fast as it takes them: ttcp PORT
 * SIZE COUNT.
 *
 * A frame is 4 bytes of length, the most significant first, and the packet.  Listens at PORT of the
 * loopback interface, prints "listening", waits for the overlay there, reads the port where it
 * takes packets, and sends from one thread while another receives.  Prints the seconds from the
 * first byte sent to the last received.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 1 << 16, ADDED = 4 }; /* the overlay's plan puts a number in front */

struct work {
  int socket;
  size_t size, count;
};

_Noreturn static void fail(const char *what) {
  perror(what);
  exit(EXIT_FAILURE);
}

static struct sockaddr_in loopback(const char *port) {
  return (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_port = htons((unsigned short)atoi(port)),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

/* Several small frames go in one call, as they would from a sender that has many. */
static void *send_all(void *context) {
  const struct work *work = context;
  size_t frame = work->size + 4, batch = frame < BATCH ? BATCH / frame : 1;
  unsigned char *bytes = calloc(batch, frame);
  if (!bytes)
    fail("ttcp");
  for (size_t i = 0; i < batch; i++)
    for (unsigned j = 0; j < 4; j++)
      bytes[i * frame + j] = (unsigned char)(work->size >> (24 - 8 * j));
  for (size_t left = work->count; left;) {
    size_t now = left < batch ? left : batch, sent = 0;
    for (ssize_t some; sent < now * frame; sent += (size_t)some)
      if ((some = write(work->socket, bytes + sent, now * frame - sent)) <= 0)
        fail("ttcp: write");
    left -= now;
  }
  free(bytes);
  return NULL;
}

static void receive_all(int socket, size_t bytes) {
  static char buffer[4 * BATCH];
  while (bytes) {
    ssize_t some = read(socket, buffer, sizeof buffer);
    if (some <= 0)
      fail("ttcp: read");
    bytes -= (size_t)some;
  }
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  struct sockaddr_in out = loopback(argv[1]), in;
  int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, (struct sockaddr *)&out, sizeof out) != 0 || listen(listener, 1) != 0)
    fail("ttcp: listen");
  puts("listening");
  fflush(stdout);
  int from = accept(listener, NULL, NULL);
  char port[16]; /* it is known when the overlay has connected */
  if (scanf("%15s", port) != 1)
    return 1;
  in = loopback(port);
  struct work work = {socket(AF_INET, SOCK_STREAM, 0), strtoul(argv[2], NULL, 10),
                      strtoul(argv[3], NULL, 10)};
  if (from < 0 || connect(work.socket, (struct sockaddr *)&in, sizeof in) != 0)
    fail("ttcp: connect");
  pthread_t sender;
  double start = seconds();
  if (pthread_create(&sender, NULL, send_all, &work) != 0)
    fail("ttcp");
  receive_all(from, work.count * (work.size + 4 + ADDED));
  double end = seconds();
  pthread_join(sender, NULL);
  printf("%.6f\n", end - start);
  return 0;
}
