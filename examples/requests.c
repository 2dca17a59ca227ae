/* SPDX-License-Identifier: MIT */
/* requests.c - a server in miniature: a region for each connection, a subregion for each request.
 *
 * What belongs to a request goes when the request is answered; it may point up to its connection
 * (parentptr), which costs a check and never a count.  The other direction is counted: see
 * kept_too_long.c.
 *
 *   printf 'alice GET /a\nbob GET /b\nalice GET /c\n' | ./requests
 */
#include <stdio.h>
#include <string.h>

#include <acre/acre.h>

struct connection {
  struct connection *next; /* in another region: counted */
  char *sameregion user;
  unsigned answered;
};

struct header {
  struct header *sameregion next;
  char *sameregion value;
};

struct request {
  struct connection *parentptr connection;
  struct header *sameregion headers; /* last word first */
};

static struct connection *connections;

static struct connection *find_connection(const char *user) {
  for (struct connection *c = connections; c; c = c->next)
    if (strcmp(c->user, user) == 0)
      return c;
  region r = newregion();
  struct connection *c = ralloc(r, struct connection);
  c->user = rstrdup(r, user);
  c->next = connections;
  connections = c;
  return c;
}

static struct request *parse(region r, struct connection *connection, char *words) {
  struct request *request = ralloc(r, struct request);
  request->connection = connection;
  for (char *word = strtok(words, " \n"); word; word = strtok(NULL, " \n")) {
    struct header *header = ralloc(r, struct header);
    header->value = rstrdup(r, word);
    header->next = request->headers;
    request->headers = header;
  }
  return request;
}

static void answer(const struct request *request) {
  printf("%s (request %u):", request->connection->user, ++request->connection->answered);
  for (const struct header *h = request->headers; h; h = h->next)
    printf(" %s", h->value);
  putchar('\n');
}

static void close_connections(void) deletes {
  while (connections) {
    region r = regionof(connections);
    connections = connections->next;
    deleteregion(r);
  }
}

int main(void) deletes {
  char line[256];
  while (fgets(line, sizeof line, stdin)) {
    char *words = line + strcspn(line, " \n");
    if (*words)
      *words++ = '\0';
    struct connection *connection = find_connection(line);
    region r = newsubregion(regionof(connection));
    answer(parse(r, connection, words));
    deleteregion(r);
  }
  close_connections();

  acre_stats stats;
  acre_get_stats(&stats);
  printf("%zu regions made, %zu left\n", stats.regions_created, stats.regions_live);
  return 0;
}
