/* SPDX-License-Identifier: MIT */
/* Sockets and names, folders, lines and texts that the C library makes, search trees. */
#include "corpus.h"
#include <ifaddrs.h>
#include <netinet/in.h>
#include <search.h>

struct peer {
  struct peer *unique next;
  char *unique name;
  int fd;
};

// right
static int dial(const char *host, const char *port) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
  struct addrinfo *unique found = NULL;
  int fd = -1;
  if (getaddrinfo(host, port, &hints, &found) != 0) return -1;
  for (const struct addrinfo *each = found; each; each = each->ai_next) {
    fd = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
    if (fd < 0) continue;
    if (connect(fd, each->ai_addr, each->ai_addrlen) == 0) break;
    close(fd);
    fd = -1;
  }
  freeaddrinfo(found);
  return fd;
}

// leak: the addresses, where one answers
static int dial_first(const char *host, const char *port) {
  struct addrinfo *unique found = NULL;
  if (getaddrinfo(host, port, NULL, &found)) return -1;
  for (const struct addrinfo *each = found; each; each = each->ai_next) {
    int fd = socket(each->ai_family, each->ai_socktype, 0);
    if (fd >= 0 && connect(fd, each->ai_addr, each->ai_addrlen) == 0) return fd;
    if (fd >= 0) close(fd);
  }
  freeaddrinfo(found);
  return -1;
}

// wrong: an address is used after all were freed
static int bind_to(const char *port) {
  struct addrinfo hints = {.ai_flags = AI_PASSIVE}, *unique found = NULL;
  if (getaddrinfo(NULL, port, &hints, &found) != 0) return -1;
  const struct addrinfo *first = found;
  int fd = socket(first->ai_family, first->ai_socktype, first->ai_protocol);
  freeaddrinfo(found);
  if (fd >= 0 && bind(fd, first->ai_addr, first->ai_addrlen) != 0) {
    close(fd);
    fd = -1;
  }
  return fd;
}

// wrong: a list of addresses is freed as one object
static bool exists(const char *host) {
  struct addrinfo *unique found = NULL;
  if (getaddrinfo(host, NULL, NULL, &found) != 0) return false;
  free(found);
  return true;
}

// right
static unsigned count_up(void) {
  struct ifaddrs *unique all = NULL;
  unsigned count = 0;
  if (getifaddrs(&all) < 0) return 0;
  for (const struct ifaddrs *each = all; each; each = each->ifa_next)
    if (each->ifa_addr && each->ifa_addr->sa_family == AF_INET) count++;
  freeifaddrs(all);
  return count;
}

// wrong: a name is read after the list was freed
static void print_first(void) {
  struct ifaddrs *unique all = NULL;
  if (getifaddrs(&all) < 0) return;
  const char *name = all ? all->ifa_name : "none";
  freeifaddrs(all);
  puts(name);
}

// right
static struct peer *unique accept_one(int listener) {
  struct sockaddr_in from;
  socklen_t size = sizeof from;
  char host[64];
  int fd = accept(listener, (struct sockaddr *)&from, &size);
  if (fd < 0) return NULL;
  struct peer *unique p = calloc(1, sizeof *p);
  if (!p || getnameinfo((struct sockaddr *)&from, size, host, sizeof host, NULL, 0, 0) != 0 ||
      !(p->name = strdup(host))) {
    close(fd);
    acre_drop(p);
    return NULL;
  }
  p->fd = fd;
  return p;
}

// leak: the peer, where its name is not known
static struct peer *unique accept_named(int listener) {
  struct sockaddr_in from;
  socklen_t size = sizeof from;
  char host[64];
  struct peer *unique p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->fd = accept(listener, (struct sockaddr *)&from, &size);
  if (p->fd < 0 || getnameinfo((struct sockaddr *)&from, size, host, sizeof host, NULL, 0, 0))
    return NULL;
  p->name = strdup(host);
  return p;
}

// right
static void poll_peers(struct peer *borrowed first) {
  struct pollfd fds[16];
  nfds_t count = 0;
  for (const struct peer *each = first; each && count < 16; each = each->next)
    fds[count++] = (struct pollfd){each->fd, POLLIN, 0};
  if (poll(fds, count, 1000) <= 0) return;
  for (nfds_t i = 0; i < count; i++)
    if (fds[i].revents & POLLIN) note(fds[i].fd);
}

// wrong: the list goes on from a peer that was freed
static void drop_closed(struct peer *unique *list) {
  char byte;
  while (*list) {
    if (recv((*list)->fd, &byte, 1, MSG_PEEK) != 0) return;
    struct peer *unique gone = acre_take(list);
    close(gone->fd);
    acre_drop(gone);
    *list = acre_take(&gone->next);
  }
}

// right
static void drop_closed_first(struct peer *unique *list) {
  char byte;
  while (*list && recv((*list)->fd, &byte, 1, MSG_PEEK) == 0) {
    struct peer *unique gone = acre_take(list);
    *list = acre_take(&gone->next);
    close(gone->fd);
    acre_drop(gone);
  }
}

// right
static int count_entries(int parent, const char *name) {
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY), count = 0;
  if (fd < 0) return -1;
  DIR *unique folder = fdopendir(fd);
  if (!folder) {
    close(fd);
    return -1;
  }
  while (readdir(folder)) count++;
  closedir(folder);
  return count;
}

// leak: the folder, where an entry is found
static bool contains(int parent, const char *name) {
  int fd = dup(parent);
  DIR *unique folder = fd < 0 ? NULL : fdopendir(fd);
  if (!folder) return false;
  for (struct dirent *each; (each = readdir(folder));)
    if (strcmp(each->d_name, name) == 0) return true;
  closedir(folder);
  return false;
}

// wrong: the folder is read after it was closed
static int walk(const char *path) {
  DIR *unique folder = opendir(path);
  if (!folder) return -1;
  int count = 0;
  while (readdir(folder))
    if (++count > 1000) {
      closedir(folder);
      count = -1;
    }
  return count;
}

// right
static int list_sorted(const char *path) {
  struct dirent *unique *unique names = NULL;
  int count = scandir(path, &names, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    puts(names[i]->d_name);
    free(acre_take(&names[i]));
  }
  free(names);
  return count;
}

// leak: the array of names
static int list_names(const char *path) {
  struct dirent *unique *unique names = NULL;
  int count = scandir(path, &names, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    struct dirent *unique each = acre_take(&names[i]);
    puts(each->d_name);
    free(each);
  }
  return count;
}

// right
static int list_plain(const char *path) {
  struct dirent **names;
  int count = scandir(path, &names, NULL, alphasort);
  if (count < 0) return -1;
  for (int i = 0; i < count; i++) {
    puts(names[i]->d_name);
    free(names[i]);
  }
  free(names);
  return count;
}

// right
static size_t longest_line(FILE *borrowed in) {
  char *unique line = NULL;
  size_t room = 0, longest = 0;
  for (ssize_t size; (size = getline(&line, &room, in)) >= 0;)
    if ((size_t)size > longest) longest = (size_t)size;
  free(line);
  return longest;
}

// leak: the line, where it is found
static bool has_line(FILE *borrowed in, const char *text) {
  char *unique line = NULL;
  size_t room = 0;
  while (getline(&line, &room, in) >= 0)
    if (strcmp(line, text) == 0) return true;
  free(line);
  return false;
}

// wrong: the second line is read over a pointer into the first
static bool repeats(FILE *borrowed in) {
  char *unique line = NULL;
  size_t room = 0;
  bool is = false;
  if (getline(&line, &room, in) > 0) {
    const char *key = line + strspn(line, " ");
    is = getline(&line, &room, in) > 0 && strcmp(key, line) == 0;
  }
  free(line);
  return is;
}

// right
static char *unique greeting(const char *name, int count) {
  char *unique text = NULL;
  if (asprintf(&text, "Hello %s, %d times", name, count) < 0) return NULL;
  return text;
}

// leak: the first text is printed over
static char *unique greet_twice(const char *name) {
  char *unique text = NULL;
  if (asprintf(&text, "Hello %s", name) < 0) return NULL;
  if (asprintf(&text, "Bye %s", name) < 0) return NULL;
  return text;
}

// right
static char *unique join_numbers(const int *numbers, size_t count) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (size_t i = 0; i < count; i++) fprintf(out, i ? ", %d" : "%d", numbers[i]);
  fclose(out);
  return text;
}

// wrong: the text is returned before the stream is closed
static char *unique join_early(const int *numbers, size_t count) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (size_t i = 0; i < count; i++) fprintf(out, "%d;", numbers[i]);
  fflush(out);
  char *unique result = acre_take(&text);
  fclose(out);
  return result;
}

// leak: the text of the stream
static size_t width_of(double number) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out) return 0;
  fprintf(out, "%g", number);
  fclose(out);
  return size;
}

static int compare_texts(const void *a, const void *b) { return strcmp(a, b); }
static void *root;

// right
static bool intern(const char *text) {
  char *unique copy = strdup(text);
  if (!copy) return false;
  void *found = tfind(copy, &root, compare_texts);
  if (found) {
    free(copy);
    return true;
  }
  return tsearch(acre_release(copy), &root, compare_texts) != NULL;
}

// wrong: the tree keeps what is freed
static bool intern_freed(const char *text) {
  char *unique copy = strdup(text);
  if (!copy) return false;
  bool done = tsearch(copy, &root, compare_texts) != NULL;
  free(copy);
  return done;
}

// leak: the text, where the tree knows it
static const char *intern_once(const char *text) {
  char *unique copy = strdup(text);
  if (!copy) return NULL;
  char **found = tfind(text, &root, compare_texts);
  if (found) return *found;
  found = tsearch(acre_release(copy), &root, compare_texts);
  return found ? *found : NULL;
}

// right
static void forget(const char *text) {
  char **found = tfind(text, &root, compare_texts);
  if (!found) return;
  char *unique kept = (char *unique) *found;
  tdelete(text, &root, compare_texts);
  free(kept);
}

// right
static int receive_line(int fd, char *borrowed into, size_t room) {
  int copy = dup(fd);
  FILE *unique in = copy < 0 ? NULL : fdopen(copy, "r");
  if (!in) {
    if (copy >= 0) close(copy);
    return -1;
  }
  char *got = fgets(into, (int)room, in);
  fclose(in);
  return got ? 0 : -1;
}

// leak: the stream over the descriptor
static int send_line(int fd, const char *text) {
  FILE *unique out = fdopen(fd, "w");
  if (!out) return -1;
  if (fputs(text, out) < 0) return -1;
  return fclose(out);
}
