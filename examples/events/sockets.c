/* SPDX-License-Identifier: MIT */
/* sockets.c - addresses and descriptors, by getaddrinfo. */
#include "sockets.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 512 };

struct place {
  char host[256], port[16];
};

/* "HOST:PORT", "[HOST]:PORT", "PORT". */
static bool split(const char *address, struct place *place) {
  const char *colon = strrchr(address, ':');
  const char *port = colon ? colon + 1 : address;
  const char *host = colon ? address : "127.0.0.1";
  size_t length = colon ? (size_t)(colon - address) : strlen(host);
  if (length >= 2 && host[0] == '[' && host[length - 1] == ']') {
    host++;
    length -= 2;
  }
  if (!length || length >= sizeof place->host || !*port || strlen(port) >= sizeof place->port)
    return false;
  memcpy(place->host, host, length);
  place->host[length] = 0;
  memcpy(place->port, port, strlen(port) + 1);
  return true;
}

static bool attach(int descriptor, const struct addrinfo *to, bool is_server) {
  int on = 1;
  if (to->ai_socktype == SOCK_STREAM)
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (!is_server)
    return connect(descriptor, to->ai_addr, to->ai_addrlen) == 0 || errno == EINPROGRESS;
  if (to->ai_socktype == SOCK_STREAM)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  return bind(descriptor, to->ai_addr, to->ai_addrlen) == 0 &&
         (to->ai_socktype != SOCK_STREAM || listen(descriptor, BACKLOG) == 0);
}

static int open_socket(const char *program, const char *address, int type, bool is_server) {
  struct place place;
  struct addrinfo *found = NULL,
                  hints = {.ai_socktype = type, .ai_flags = is_server ? AI_PASSIVE : 0};
  if (!split(address, &place)) {
    fprintf(stderr, "%s: '%s' is not HOST:PORT\n", program, address);
    return -1;
  }
  int error = getaddrinfo(place.host, place.port, &hints, &found);
  if (error) {
    fprintf(stderr, "%s: %s: %s\n", program, address, gai_strerror(error));
    return -1;
  }
  int descriptor = -1;
  for (const struct addrinfo *each = found; each && descriptor < 0; each = each->ai_next) {
    descriptor = socket(each->ai_family, each->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                        each->ai_protocol);
    if (descriptor >= 0 && !attach(descriptor, each, is_server)) {
      int reason = errno;
      close(descriptor);
      errno = reason;
      descriptor = -1;
    }
  }
  if (descriptor < 0)
    fprintf(stderr, "%s: %s: %s\n", program, address, strerror(errno));
  freeaddrinfo(found);
  return descriptor;
}

int socket_listen(const char *program, const char *borrowed address, int type) {
  return open_socket(program, address, type, true);
}

int socket_connect(const char *program, const char *borrowed address, int type) {
  return open_socket(program, address, type, false);
}

unsigned socket_port(int descriptor) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0)
    return 0;
  return ntohs(address.ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)&address)->sin6_port
                                             : ((const struct sockaddr_in *)&address)->sin_port);
}
