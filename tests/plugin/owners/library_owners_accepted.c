// What functions of the C library are lent, in the everyday code of a daemon: no word is needed.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include -Werror %s
#define _GNU_SOURCE
#include <acre/own.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <libintl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <syslog.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

struct peer {
  struct peer *unique next;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct timespec last;
  struct sockaddr_in address;
  regex_t filter;
  sem_t slots;
  struct termios modes;
  char *unique name;
  int fd;
};
struct peer *unique peer_new(void);
static struct peer *unique peers;

void touch(struct peer *borrowed p) { clock_gettime(CLOCK_MONOTONIC, &p->last); }
void locked(struct peer *borrowed p) {
  pthread_mutex_lock(&p->lock);
  p->fd++;
  pthread_cond_wait(&p->changed, &p->lock);
  pthread_mutex_unlock(&p->lock);
}
// The lock is in an object that others reach: the pointer to it stays, as it has to.
int count(void) {
  struct peer *first = peers;
  if (!first)
    return 0;
  pthread_mutex_lock(&first->lock);
  int n = first->fd;
  pthread_mutex_unlock(&first->lock);
  return n;
}
char *unique when(const struct peer *borrowed p) {
  char text[64];
  struct tm tm;
  localtime_r(&p->last.tv_sec, &tm);
  strftime(text, sizeof text, "%F", &tm);
  return strdup(text);
}
struct peer *unique open_peer(const char *name) {
  struct peer *unique p = peer_new();
  if (!p)
    return NULL;
  if (clock_gettime(CLOCK_REALTIME, &p->last) || regcomp(&p->filter, name, REG_EXTENDED) ||
      sem_init(&p->slots, 0, 4) || tcgetattr(p->fd, &p->modes)) {
    acre_drop(p);
    return NULL;
  }
  return p;
}
int matches(const struct peer *borrowed p, const char *text) {
  return !regexec(&p->filter, text, 0, NULL, 0) && !strcasecmp(p->name, text);
}
void say(struct peer *borrowed p) {
  char text[INET_ADDRSTRLEN];
  socklen_t size = sizeof p->address;
  getpeername(p->fd, (struct sockaddr *)&p->address, &size);
  syslog(LOG_INFO, "%s from %s", p->name,
         inet_ntop(AF_INET, &p->address.sin_addr, text, sizeof text));
  setsockopt(p->fd, SOL_SOCKET, SO_KEEPALIVE, &p->fd, sizeof p->fd);
  printf("%s\n", gettext(p->name));
}
void files(char *unique path) {
  struct stat status;
  char link[100];
  if (stat(path, &status) == 0 && readlink(path, link, sizeof link) > 0 && access(path, R_OK) == 0)
    unlink(path);
  DIR *directory = opendir(path);
  if (directory)
    closedir(directory);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  void *map = mmap(NULL, 10, PROT_READ, MAP_PRIVATE, fd, 0);
  munmap(map, 10);
  free(path);
}
void network(char *unique host) {
  struct addrinfo *found = NULL;
  if (getaddrinfo(host, "http", NULL, &found) == 0)
    freeaddrinfo(found);
  free(host);
}
void spawn(char *unique program, char **arguments) {
  pid_t child;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, program, O_WRONLY, 0);
  posix_spawnp(&child, program, &actions, NULL, arguments, arguments);
  posix_spawn_file_actions_destroy(&actions);
  free(program);
}
int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}
void sorted(const char **unique names, size_t count) {
  qsort(names, count, sizeof *names, compare_names);
  free(names);
}
char *unique full(const char *path) { return realpath(path, NULL); }
char *unique here(void) { return getcwd(NULL, 0); }
int wide(wchar_t *unique text) {
  int result = wcsncmp(text, L"ab", 2) || wcsnlen(text, 5) || wcswidth(text, 3);
  free(text);
  return result;
}
// A stream that is owned ends with fclose.
void stream(const char *path) {
  FILE *unique in = (FILE * unique) fopen(path, "r");
  if (!in)
    return;
  fseek(in, 0, SEEK_END);
  fclose(in);
}
