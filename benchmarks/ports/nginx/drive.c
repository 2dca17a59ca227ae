/* SPDX-License-Identifier: MIT */
/* drive.c - becomes a web server, after leaving behind a process that loads it and then tells it to
 * end.
 *
 * usage: drive SOCKET REQUESTS COUNT CONNECTIONS PROGRAM [ARGUMENT...]
 *
 * The load is closed: each connection sends its next request when it has the answer to the last
 * one, COUNT requests in all, those of the file REQUESTS in turn.  A line of it is "METHOD PATH"
 * and, each after a tab, "Name: value", "header=BYTES" (one large header), "body=BYTES".  Answers
 * to one line must be all the same.  Prints, line by line, status, size and a hash of the body. The
 * program is the process that was started, so that whoever waits for that learns what the server
 * alone used: the load is no child of it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINES_MAX = 64, CONNECTIONS_MAX = 256, STEP = 65536, PATIENCE_SECONDS = 120 };

struct answer {
  unsigned status;
  size_t size;
  uint64_t hash;
};

struct line {
  char *name, *request;
  size_t size;
  bool is_answered;
  struct answer answer;
};

struct connection {
  int socket;
  struct line *line; /* whose answer is awaited, or null */
  char *data;
  size_t size, capacity;
};

static struct line lines[LINES_MAX];
static size_t line_count;
static const char *socket_path;
static pid_t server;

_Noreturn static void fail(const char *what, const char *about) {
  fprintf(stderr, "drive: %s: %s\n", about, what);
  kill(server, SIGTERM);
  exit(1);
}

static void *check(void *p) {
  if (!p)
    fail("out of memory", "load");
  return p;
}

/* -- Requests ---------------------------------------------------------------------------------- */

static void parse_line(struct line *line, char *text) {
  size_t body = 0;
  FILE *out = check(open_memstream(&line->request, &line->size));
  char *field = strsep(&text, "\t");
  line->name = check(strdup(field));
  fprintf(out, "%s HTTP/1.1\r\nHost: localhost\r\n", field);
  while ((field = strsep(&text, "\t"))) {
    if (sscanf(field, "body=%zu", &body) == 1)
      fprintf(out, "Content-Length: %zu\r\n", body);
    else if (strncmp(field, "header=", 7) == 0)
      fprintf(out, "X-Large: %0*d\r\n", atoi(field + 7), 7);
    else
      fprintf(out, "%s\r\n", field);
  }
  fputs("\r\n", out);
  for (size_t i = 0; i < body; i++)
    putc('a' + (int)(i % 23), out);
  fclose(out);
}

static void read_lines(const char *path) {
  FILE *file = fopen(path, "r");
  char *text = NULL;
  size_t capacity = 0;
  if (!file)
    fail(strerror(errno), path);
  while (line_count < LINES_MAX && getline(&text, &capacity, file) > 0) {
    text[strcspn(text, "\n")] = '\0';
    if (*text && *text != '#')
      parse_line(&lines[line_count++], text);
  }
  free(text);
  fclose(file);
  if (line_count == 0)
    fail("holds no request", path);
}

/* -- Answers ----------------------------------------------------------------------------------- */

static uint64_t hash_of(uint64_t hash, const char *data, size_t size) {
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (unsigned char)data[i]) * 0x100000001b3;
  return hash;
}

/* The value of a header of the answer, whose head ends at body, or null. */
static const char *header(const char *data, const char *body, const char *name) {
  const char *found = strcasestr(data, name);
  return found && found < body ? found + strlen(name) : NULL;
}

static bool read_chunks(const char *at, const char *end, struct answer *answer) {
  while (memmem(at, (size_t)(end - at), "\r\n", 2)) {
    char *digits_end;
    size_t size = strtoul(at, &digits_end, 16);
    at = digits_end + 2;
    if ((size_t)(end - at) < size + 2)
      return false;
    answer->hash = hash_of(answer->hash, at, size);
    answer->size += size;
    at += size + 2;
    if (size == 0)
      return true;
  }
  return false;
}

/* Whether the answer is there to its end. */
static bool read_answer(const struct connection *connection, struct answer *answer) {
  const char *body = memmem(connection->data, connection->size, "\r\n\r\n", 4), *value;
  if (!body)
    return false;
  body += 4;
  const char *end = connection->data + connection->size;
  *answer = (struct answer){.hash = 0xcbf29ce484222325};
  sscanf(connection->data, "HTTP/1.%*c %u", &answer->status);
  if (header(connection->data, body, "\r\nTransfer-Encoding: chunked"))
    return read_chunks(body, end, answer);
  if (answer->status != 304 && strncmp(connection->line->name, "HEAD", 4) != 0 &&
      (value = header(connection->data, body, "\r\nContent-Length:")))
    answer->size = strtoul(value, NULL, 10);
  if ((size_t)(end - body) < answer->size)
    return false;
  answer->hash = hash_of(answer->hash, body, answer->size);
  return true;
}

static void accept_answer(struct line *line, const struct answer *answer) {
  const struct answer *first = &line->answer;
  if (!line->is_answered)
    line->answer = *answer;
  else if (first->status != answer->status || first->size != answer->size ||
           first->hash != answer->hash)
    fail("answered in two ways", line->name);
  line->is_answered = true;
}

/* -- Connections ------------------------------------------------------------------------------- */

static void connect_to_server(struct connection *connection) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", socket_path);
  for (int tries = 0; tries < PATIENCE_SECONDS * 20; tries++) {
    connection->socket = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(connection->socket, (struct sockaddr *)&address, sizeof address) == 0)
      return;
    close(connection->socket);
    if (kill(server, 0) != 0)
      fail("the server is gone", socket_path);
    usleep(50000);
  }
  fail("nobody listens", socket_path);
}

static void send_request(struct connection *connection, struct line *line) {
  connection->line = line;
  connection->size = 0;
  for (size_t sent = 0; sent < line->size;) {
    ssize_t part = send(connection->socket, line->request + sent, line->size - sent, MSG_NOSIGNAL);
    if (part < 0)
      fail(strerror(errno), line->name);
    sent += (size_t)part;
  }
}

/* Whether the answer is complete. */
static bool receive(struct connection *connection) {
  if (connection->capacity - connection->size < STEP)
    connection->data = check(realloc(connection->data, connection->capacity += 2 * STEP));
  ssize_t part = read(connection->socket, connection->data + connection->size, STEP - 1);
  if (part <= 0)
    fail(part < 0 ? strerror(errno) : "the server closed the connection", connection->line->name);
  connection->size += (size_t)part;
  connection->data[connection->size] = '\0';
  struct answer answer;
  if (!read_answer(connection, &answer))
    return false;
  accept_answer(connection->line, &answer);
  const char *body = memmem(connection->data, connection->size, "\r\n\r\n", 4);
  if (header(connection->data, body, "\r\nConnection: close")) {
    close(connection->socket);
    connect_to_server(connection);
  }
  return true;
}

static void load(size_t count, size_t connection_count) {
  static struct connection connections[CONNECTIONS_MAX];
  struct pollfd waiting[CONNECTIONS_MAX];
  size_t sent = 0, answered = 0;
  for (size_t i = 0; i < connection_count; i++) {
    connect_to_server(&connections[i]);
    if (sent < count)
      send_request(&connections[i], &lines[sent++ % line_count]);
  }
  while (answered < count) {
    for (size_t i = 0; i < connection_count; i++)
      waiting[i] = (struct pollfd){connections[i].line ? connections[i].socket : -1, POLLIN, 0};
    if (poll(waiting, connection_count, PATIENCE_SECONDS * 1000) <= 0)
      fail("no answer", socket_path);
    for (size_t i = 0; i < connection_count; i++) {
      if (!waiting[i].revents || !receive(&connections[i]))
        continue;
      answered++;
      connections[i].line = NULL;
      if (sent < count)
        send_request(&connections[i], &lines[sent++ % line_count]);
    }
  }
}

static void print_answers(void) {
  for (size_t i = 0; i < line_count; i++)
    if (lines[i].is_answered)
      printf("%s: %u, %zu bytes, %016llx\n", lines[i].name, lines[i].answer.status,
             lines[i].answer.size, (unsigned long long)lines[i].answer.hash);
  fflush(stdout);
}

int main(int argc, char **argv) {
  size_t count = argc > 5 ? strtoul(argv[3], NULL, 10) : 0;
  size_t connection_count = argc > 5 ? strtoul(argv[4], NULL, 10) : 0;
  if (connection_count < 1 || connection_count > CONNECTIONS_MAX) {
    fprintf(stderr, "usage: drive SOCKET REQUESTS COUNT CONNECTIONS PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  server = getpid();
  socket_path = argv[1];
  pid_t child = fork();
  if (child == 0) {
    if (fork() != 0)
      _exit(0);
    read_lines(argv[2]);
    load(count, connection_count);
    print_answers();
    return kill(server, SIGQUIT) != 0;
  }
  if (child < 0 || waitpid(child, NULL, 0) < 0) {
    perror("drive");
    return 127;
  }
  execvp(argv[5], argv + 5);
  perror(argv[5]);
  return 127;
}
