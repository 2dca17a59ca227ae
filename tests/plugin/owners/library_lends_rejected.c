// What the C library owns is not freed, and not used after the call that overwrites it.
// RUN: %frontend -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include <acre/own.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <ifaddrs.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void freed(void) {
  struct passwd *entry = getpwnam("root"); // expected-note {{it is lent here, by the C library}}
  free(entry); // expected-error {{what getpwnam returned belongs to the C library}}
}
void part_freed(void) {
  struct passwd *entry = getpwuid(0); // expected-note {{it is lent here}}
  char *name = entry->pw_name;
  free(name); // expected-error {{what getpwuid returned belongs to the C library}}
}
void either_freed(int choice) {
  char *text = NULL;
  if (choice)
    text = getenv("A"); // expected-note {{it is lent here}}
  else
    text = getenv("B");
  free(text); // expected-error {{what getenv returned belongs to the C library}}
}
int overwritten(time_t a, time_t b) {
  const struct tm *from = localtime(&a); // expected-note {{it is lent here}}
  const struct tm *to = localtime(&b);   // expected-note {{it may be overwritten here}}
  // expected-warning@+1 {{'from' is used after 'localtime' has overwritten what the C library}}
  return to->tm_yday - from->tm_yday;
}
void in_a_loop(DIR *folder) {
  struct dirent *first = NULL, *entry;
  // expected-note@+2 {{it may be overwritten here}}
  // expected-note@+1 {{it is lent here}}
  while ((entry = readdir(folder)))
    if (!first)
      first = entry;
  if (first)
    puts(first->d_name); // expected-warning {{'first' is used after 'readdir' has overwritten}}
}
void at_once(struct in_addr a, struct in_addr b) {
  // expected-warning@+2 {{this and another argument are the same object: 'inet_ntoa' may have}}
  // expected-note@+1 {{it may be overwritten here}}
  printf("%s %s\n", inet_ntoa(a), inet_ntoa(b));
}
void with_its_owner(void) {
  struct ifaddrs *unique all = NULL;
  if (getifaddrs(&all) < 0)
    return;
  const char *name = all ? all->ifa_name : "none";
  freeifaddrs(all); // expected-note {{lost here}}
  puts(name);       // expected-error {{'name' is used after 'all', which it was borrowed from}}
}
