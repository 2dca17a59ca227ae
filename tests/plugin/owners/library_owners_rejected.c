// What functions of the C library keep, give back or free: each of these is wrong.
// RUN: %clang -fsyntax-only -fplugin=%plugin -D__ACRE__=1 -isystem %source/include \
// RUN:   -ferror-limit=0 -Wno-deprecated-declarations -Wno-acre-leak -Xclang -verify -Xclang \
// RUN:   -verify-ignore-unexpected=note,warning %s
#define _GNU_SOURCE
#include <acre/own.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <libintl.h>
#include <pthread.h>
#include <pwd.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

struct node {
  struct node *unique next;
  pthread_mutex_t lock;
  char *unique name;
};
static struct node *unique list;
static pthread_mutex_t list_lock;

// The result points into an argument.
void address(struct in_addr *from, char *unique text) {
  const char *written = inet_ntop(AF_INET, from, text, 20);
  free(text);
  puts(written); // expected-error {{'written' is used after}}
}
void date(const time_t *at, struct tm *unique tm) {
  struct tm *filled = localtime_r(at, tm);
  free(tm);
  printf("%d\n", filled->tm_year); // expected-error {{'filled' is used after}}
}
void translated(char *unique message) {
  char *text = gettext(message);
  free(message);
  puts(text); // expected-error {{'text' is used after}}
}
void plural(char *unique one, char *unique many, unsigned n) {
  const char *text = ngettext(one, many, n);
  free(many);
  puts(text); // expected-error {{'text' is used after}}
  free(one);
}
// It is the argument, and no new object.
void resolved(const char *path) {
  char buffer[4096];
  char *unique full = realpath(path, buffer);
  // expected-error@-1 {{a plain pointer cannot become unique}}
  free(full);
}
// Kept beyond the call.
void environment(char *unique text) {
  putenv(text); // expected-error {{'text' is lent to 'putenv'}}
  free(text);
}
void logged(char *unique name) {
  openlog(name, 0, LOG_USER); // expected-error {{'name' is lent to 'openlog'}}
  free(name);
}
void buffered(FILE *out, char *unique buffer) {
  setvbuf(out, buffer, _IOFBF, 100); // expected-error {{'buffer' is lent to 'setvbuf'}}
  free(buffer);
}
void user(const char *name, char *unique buffer) {
  struct passwd entry, *found;
  getpwnam_r(name, &entry, buffer, 100, &found);
  // expected-error@-1 {{'buffer' is lent to 'getpwnam_r'}}
  free(buffer);
}
void *runs(void *data);
void thread(char *unique data) {
  pthread_t thread;
  pthread_create(&thread, NULL, runs, data);
  // expected-error@-1 {{'data' is lent to 'pthread_create'}}
  free(data);
}
int compare(const void *a, const void *b) { return strcmp(a, b); }
void *tree;
void searched(char *unique key) {
  tsearch(key, &tree, compare); // expected-error {{'key' is lent to 'tsearch'}}
  free(key);
}
void memory_stream(size_t *size) {
  char *unique text = NULL;
  FILE *out = open_memstream(&text, size);
  // expected-error@-1 {{the address of the unique pointer 'text'}}
  fclose(out);
  free(text); // expected-error {{'text' is used before it is initialized}}
}
// Kept by what is called back.
static const void *greatest;
static int remember(const void *a, const void *b) {
  greatest = a;
  return memcmp(a, b, 4);
}
void sorted(char *unique table) {
  qsort(table, 10, 4, remember); // expected-error {{'table' is lent to 'remember'}}
  free(table);
}
static int collect(const void *a, const void *b, void *into) {
  *(const void **)into = a;
  return memcmp(a, b, 4);
}
void sorted_with(char *unique table, const void **into) {
  qsort_r(table, 10, 4, collect, into); // expected-error {{'table' is lent to 'collect'}}
  free(table);
}
// Closed twice, and used when closed.
void closed(FILE *unique in) {
  fclose(in);
  fclose(in); // expected-error {{'in' is used after it was consumed}}
}
void directory(DIR *unique all) {
  struct dirent *entry = readdir(all);
  closedir(all);
  puts(entry->d_name); // expected-error {{'entry' is used after}}
}
// While a lock is not held, others change what they reach.
void unlocked(void) {
  pthread_mutex_lock(&list_lock);
  struct node *first = list;
  pthread_mutex_unlock(&list_lock);
  puts(first->name); // expected-error {{'first' is used after}}
}
void waiting(pthread_cond_t *changed) {
  pthread_mutex_lock(&list_lock);
  struct node *first = list;
  pthread_cond_wait(changed, &list_lock);
  if (first) // expected-error {{'first' is used after}}
    puts(first->name);
  pthread_mutex_unlock(&list_lock);
}
