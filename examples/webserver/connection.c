/* SPDX-License-Identifier: MIT */
/* connection.c - reads a request, sends its answer, and again.
 *
 * Invariant: a connection is the environment of its one callback, and so belongs to the loop while
 * it waits and to connection_event while it does not.  It has a buffer for requests only while
 * there is something in it, and one for the answer only until that is sent: a client that waits
 * costs sizeof(struct connection).
 */
#define _GNU_SOURCE
#include "connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEAD_MAX = 4096, TURN = 16, LINGER_MILLISECONDS = 2000 };

struct buffer {
  size_t begin, end, capacity;
  char data[];
};

struct connection {
  struct clients *clients;
  int socket;
  int file; /* -1: none */
  enum { READING, SENDING, LINGERING } state;
  bool keeps_alive;
  int64_t position, end;     /* of file: what is not in the buffer yet */
  int64_t deadline;          /* on events_clock */
  struct buffer *unique in;  /* READING: what came; SENDING: requests that came too early */
  struct buffer *unique out; /* SENDING: what is to go */
};

/* What is next to do with a connection. */
enum next { GO_ON, WAIT_TO_READ, WAIT_TO_WRITE, CLOSE };

static struct buffer *unique buffer_new(size_t capacity) {
  struct buffer *unique buffer = malloc(sizeof *buffer + capacity);
  if (buffer)
    buffer->begin = buffer->end = 0, buffer->capacity = capacity;
  return buffer;
}

static void connection_free(struct events *loop, struct connection *unique connection) {
  if (connection->file >= 0)
    close(connection->file);
  events_close(loop, connection->socket);
  struct clients *clients = connection->clients;
  free(acre_take(&connection->in));
  free(acre_take(&connection->out));
  free(connection);
  clients->count--;
  int listener = clients->listener;
  clients->listener = -1;
  if (listener >= 0)
    events_wake(loop, listener);
}

static void set_patience(struct connection *connection, int64_t milliseconds) {
  connection->deadline = events_clock() + milliseconds;
}

static void await_request(struct connection *connection) {
  connection->state = READING;
  const struct site *site = connection->clients->site;
  set_patience(connection, connection->in ? site->head_milliseconds : site->idle_milliseconds);
}

static void log_answer(const struct connection *connection, const struct request *request,
                       const struct answer *answer) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  char name[INET6_ADDRSTRLEN] = "?";
  if (getpeername(connection->socket, (struct sockaddr *)&address, &size) == 0)
    inet_ntop(address.ss_family,
              address.ss_family == AF_INET6
                  ? (const void *)&((struct sockaddr_in6 *)&address)->sin6_addr
                  : (const void *)&((struct sockaddr_in *)&address)->sin_addr,
              name, sizeof name);
  printf("%s %s \"/%s\" %d %lld\n", name, request->is_head ? "HEAD" : "GET", request->path,
         answer->status, (long long)(answer->end - answer->first));
}

/* Prepares the answer to request, which says enough even if it is wrong. */
static enum next answer_request(struct connection *connection, const struct request *request,
                                bool is_stopping) {
  struct answer answer;
  site_answer(connection->clients->site, request, &answer);
  connection->keeps_alive = request->keeps_alive && !is_stopping;
  struct buffer *unique out = buffer_new(connection->clients->site->buffer);
  size_t length =
      out ? answer_format(&answer, request, connection->keeps_alive, out->data, out->capacity) : 0;
  if (!length) {
    if (answer.file >= 0)
      close(answer.file);
    free(out);
    return CLOSE;
  }
  out->end = length;
  free(acre_swap(&connection->out, out));
  if (connection->clients->site->is_logging)
    log_answer(connection, request, &answer);
  connection->file = answer.file;
  connection->position = answer.first;
  connection->end = request->is_head || answer.file < 0 ? answer.first : answer.end;
  connection->state = SENDING;
  set_patience(connection, connection->clients->site->send_milliseconds);
  return GO_ON;
}

static enum next answer_error(struct connection *connection, int status) {
  struct request request = {.status = status};
  return answer_request(connection, &request, true);
}

/* Takes the first request that is in the buffer whole. */
static enum next take_request(struct connection *borrowed connection, size_t length,
                              bool is_stopping) {
  struct request request;
  struct buffer *in = connection->in;
  request_parse(&request, in->data + in->begin, length);
  in->begin += length;
  if (in->begin == in->end)
    free(acre_take(&connection->in));
  return answer_request(connection, &request, is_stopping);
}

static enum next receive(struct connection *connection) {
  bool is_first = !connection->in;
  if (is_first) {
    struct buffer *unique fresh = buffer_new(HEAD_MAX);
    if (!fresh)
      return CLOSE;
    free(acre_swap(&connection->in, fresh));
  }
  struct buffer *in = connection->in;
  memmove(in->data, in->data + in->begin, in->end - in->begin);
  in->end -= in->begin;
  in->begin = 0;
  if (in->end == in->capacity)
    return answer_error(connection, 431);
  ssize_t count = recv(connection->socket, in->data + in->end, in->capacity - in->end, 0);
  if (count > 0) {
    in->end += (size_t)count;
    if (is_first)
      set_patience(connection, connection->clients->site->head_milliseconds);
    return GO_ON;
  }
  bool is_early = count < 0 && (errno == EAGAIN || errno == EINTR);
  if (is_first)
    free(acre_take(&connection->in));
  return is_early ? WAIT_TO_READ : CLOSE;
}

static enum next read_request(struct connection *borrowed connection, bool is_stopping) {
  struct buffer *in = connection->in;
  if (!in)
    return is_stopping ? CLOSE : receive(connection);
  /* Empty lines before a request are to be passed over. */
  while (in->begin < in->end && (in->data[in->begin] == '\r' || in->data[in->begin] == '\n'))
    in->begin++;
  size_t length = request_head_length(in->data + in->begin, in->end - in->begin);
  return length ? take_request(connection, length, is_stopping) : receive(connection);
}

/* Fills the buffer from the file.  False: the file is shorter than it was. */
static bool fill(struct connection *connection) {
  struct buffer *out = connection->out;
  if (out->begin == out->end)
    out->begin = out->end = 0;
  size_t room = out->capacity - out->end;
  if (connection->position == connection->end || !room)
    return true;
  if ((int64_t)room > connection->end - connection->position)
    room = (size_t)(connection->end - connection->position);
  ssize_t count = pread(connection->file, out->data + out->end, room, connection->position);
  if (count <= 0)
    return false;
  out->end += (size_t)count;
  connection->position += count;
  return true;
}

static enum next finish_answer(struct connection *connection) {
  free(acre_take(&connection->out));
  if (connection->file >= 0)
    close(connection->file);
  connection->file = -1;
  if (connection->keeps_alive) {
    await_request(connection);
    return GO_ON;
  }
  /* Closing before the client's last bytes are read would reset the connection, and perhaps take
   * the answer from it. */
  shutdown(connection->socket, SHUT_WR);
  free(acre_take(&connection->in));
  connection->state = LINGERING;
  set_patience(connection, LINGER_MILLISECONDS);
  return GO_ON;
}

static enum next send_answer(struct connection *connection) {
  for (int i = 0; i < TURN; i++) {
    if (!fill(connection))
      return CLOSE;
    struct buffer *out = connection->out;
    if (out->begin == out->end)
      return finish_answer(connection);
    int more = connection->position < connection->end ? MSG_MORE : 0;
    ssize_t count = send(connection->socket, out->data + out->begin, out->end - out->begin,
                         MSG_NOSIGNAL | more);
    if (count < 0)
      return errno == EAGAIN || errno == EINTR ? WAIT_TO_WRITE : CLOSE;
    out->begin += (size_t)count;
    set_patience(connection, connection->clients->site->send_milliseconds);
  }
  return WAIT_TO_WRITE; /* others wait too */
}

static enum next linger(struct connection *connection) {
  char rest[512];
  for (int i = 0; i < TURN; i++) {
    ssize_t count = recv(connection->socket, rest, sizeof rest, 0);
    if (count <= 0)
      return count < 0 && (errno == EAGAIN || errno == EINTR) ? WAIT_TO_READ : CLOSE;
  }
  return WAIT_TO_READ;
}

static enum next take_event(struct connection *connection, unsigned event) {
  if (event & EVENT_FAILED)
    return CLOSE;
  if (event & EVENT_TIMEOUT && !(event & EVENT_WRITABLE))
    return connection->state == READING && connection->in ? answer_error(connection, 408) : CLOSE;
  return GO_ON; /* a client that has read is not to blame if the server comes late */
}

static void connection_event(struct events *borrowed loop, void *unique environment,
                             unsigned event) {
  struct connection *unique connection = environment;
  enum next next = take_event(connection, event);
  for (int i = 0; next == GO_ON; i++) {
    bool is_stopping = events_is_stopping(loop);
    switch (connection->state) {
    case READING:
      next = i < TURN ? read_request(connection, is_stopping) : WAIT_TO_WRITE;
      break;
    case SENDING:
      next = send_answer(connection);
      break;
    case LINGERING:
      next = linger(connection);
      break;
    }
  }
  if (next == CLOSE) {
    connection_free(loop, connection);
    return;
  }
  int socket = connection->socket;
  int64_t left = connection->deadline - events_clock();
  events_wait(loop, socket, next == WAIT_TO_READ ? EVENT_READABLE : EVENT_WRITABLE,
              left > 0 ? left : 1, connection_event, connection);
}

void connection_start(struct events *borrowed loop, struct clients *clients, int socket) {
  struct connection *unique connection = calloc(1, sizeof *connection);
  if (!connection) {
    close(socket);
    return;
  }
  connection->clients = clients;
  clients->count++;
  connection->socket = socket;
  connection->file = -1;
  await_request(connection);
  connection_event(loop, connection, EVENT_READABLE);
}
