// What the C library owns, copied before it is overwritten, or of another kind; and pointers that
// may be something else, of which nothing is certain.
// RUN: %frontend -fsyntax-only -Werror %s
#include <acre/own.h>
#include <dirent.h>
#include <grp.h>
#include <locale.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int of_two_kinds(uid_t user, gid_t group) {
  struct passwd *who = getpwuid(user);
  struct group *what = getgrgid(group);
  return who && what && strcmp(who->pw_name, what->gr_name) == 0;
}
int copied(time_t a, time_t b) {
  struct tm from = *localtime(&a), to = *localtime(&b);
  return to.tm_yday - from.tm_yday;
}
int values(time_t a, time_t b) { return localtime(&a)->tm_yday - localtime(&b)->tm_yday; }
void set_again(uid_t one, uid_t other) {
  struct passwd *entry = getpwuid(one);
  if (entry)
    puts(entry->pw_name);
  entry = getpwuid(other);
  if (entry)
    puts(entry->pw_name);
}
void freed_or_not(bool is_new) {
  char *text = is_new ? strdup("a") : getenv("A");
  if (is_new)
    free(text);
}
void freed_by_a_test(bool is_new) {
  char *text = getenv("A");
  if (is_new)
    text = strdup("a");
  if (is_new)
    free(text);
}
void folders(DIR *one, DIR *other) {
  struct dirent *a = readdir(one), *b = readdir(other);
  if (a && b && strcmp(a->d_name, b->d_name) == 0)
    puts(a->d_name);
}
void asked(void) {
  const char *now = setlocale(LC_ALL, NULL);
  printf("%s %s\n", setlocale(LC_CTYPE, NULL), now);
}
void sums(time_t when) {
  struct tm *t = localtime(&when);
  t->tm_mday++;
  time_t next = mktime(t);
  if (next > when)
    printf("%d\n", t->tm_mday);
}
