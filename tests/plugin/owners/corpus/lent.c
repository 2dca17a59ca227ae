/* SPDX-License-Identifier: MIT */
/* What the C library owns and lends until it is asked again: entries of databases, broken-down
   times, texts, directory entries. */
#include "corpus.h"
#include <arpa/inet.h>
#include <dlfcn.h>
#include <grp.h>
#include <locale.h>
#include <netinet/in.h>
#include <pwd.h>

// right
static char *unique home_of(uid_t user) {
  const struct passwd *entry = getpwuid(user);
  return entry ? strdup(entry->pw_dir) : NULL;
}

// wrong: the entry is the library's
static char *unique home_freed(uid_t user) {
  struct passwd *entry = getpwuid(user);
  if (!entry) return NULL;
  char *unique home = strdup(entry->pw_dir);
  free(entry);
  return home;
}

// wrong: the name is a part of the library's entry
static bool is_user_freed(const char *name, uid_t user) {
  struct passwd *entry = getpwnam(name);
  if (!entry) return false;
  char *found = entry->pw_name;
  bool is = entry->pw_uid == user && strcmp(found, name) == 0;
  free(found);
  return is;
}

// stale: the first entry is overwritten by the second
static bool share_home(uid_t one, uid_t other) {
  struct passwd *a = getpwuid(one);
  struct passwd *b = getpwuid(other);
  return a && b && strcmp(a->pw_dir, b->pw_dir) == 0;
}

// right
static bool share_home_copied(uid_t one, uid_t other) {
  struct passwd *entry = getpwuid(one);
  char *unique home = entry ? strdup(entry->pw_dir) : NULL;
  if (!home) return false;
  entry = getpwuid(other);
  bool is = entry && strcmp(home, entry->pw_dir) == 0;
  free(home);
  return is;
}

// right
static bool share_groups(uid_t user, gid_t group) {
  struct passwd *who = getpwuid(user);
  struct group *what = getgrgid(group);
  return who && what && who->pw_gid == what->gr_gid && strcmp(who->pw_name, what->gr_name) == 0;
}

// stale: the name is read after the next entry was asked for
static void print_owner(const char *path) {
  struct stat about;
  if (stat(path, &about) != 0) return;
  const struct passwd *owner = getpwuid(about.st_uid);
  const char *name = owner ? owner->pw_name : "?";
  const struct passwd *me = getpwuid(getuid());
  printf("%s belongs to %s, not to %s\n", path, name, me ? me->pw_name : "?");
}

// right
static void print_day(time_t when) {
  const struct tm *t = localtime(&when);
  if (t) printf("%04d-%02d-%02d\n", t->tm_year + 1900, t->tm_mon + 1, t->tm_mday);
}

// stale: both are the same object
static int days_between(time_t from, time_t to) {
  const struct tm *a = localtime(&from);
  const struct tm *b = localtime(&to);
  if (!a || !b) return 0;
  return b->tm_yday - a->tm_yday + 365 * (b->tm_year - a->tm_year);
}

// right
static int days_between_copied(time_t from, time_t to) {
  struct tm a = *localtime(&from);
  struct tm b = *localtime(&to);
  return b.tm_yday - a.tm_yday + 365 * (b.tm_year - a.tm_year);
}

// stale: gmtime overwrites what localtime has lent
static int hours_from_utc(time_t now) {
  struct tm *here = localtime(&now);
  int day = here->tm_yday;
  struct tm *utc = gmtime(&now);
  return here->tm_hour - utc->tm_hour + 24 * (day - utc->tm_yday);
}

// right
static int hours_from_utc_saved(time_t now) {
  struct tm *t = localtime(&now);
  int here = t->tm_hour, day = t->tm_yday;
  t = gmtime(&now);
  return here - t->tm_hour + 24 * (day - t->tm_yday);
}

// wrong: what localtime lends is freed
static char *unique date_of(time_t when) {
  struct tm *t = localtime(&when);
  char text[32];
  strftime(text, sizeof text, "%F", t);
  free(t);
  return strdup(text);
}

// right
static char *unique config_path(const char *name) {
  const char *home = getenv("XDG_CONFIG_HOME");
  char *unique path = NULL;
  if (!home || !*home) home = getenv("HOME");
  if (!home || asprintf(&path, "%s/%s", home, name) < 0) return NULL;
  return path;
}

// wrong: the environment's text is freed
static bool has_editor(void) {
  char *editor = getenv("VISUAL");
  if (!editor) editor = getenv("EDITOR");
  if (!editor) return false;
  bool is = access(editor, X_OK) == 0;
  free(editor);
  return is;
}

// right
static bool has_default_editor(void) {
  const char *set = getenv("EDITOR");
  char *unique copy = strdup(set ? set : "vi");
  bool is = copy && strcmp(copy, "vi") == 0;
  free(copy);
  return is;
}

// stale: the first address is overwritten
static void print_pair(struct in_addr from, struct in_addr to) {
  const char *a = inet_ntoa(from);
  const char *b = inet_ntoa(to);
  printf("%s -> %s\n", a, b);
}

// stale: both arguments are the same text
static void print_pair_at_once(struct in_addr from, struct in_addr to) {
  printf("%s -> %s\n", inet_ntoa(from), inet_ntoa(to));
}

// right
static void print_pair_apart(struct in_addr from, struct in_addr to) {
  printf("%s -> ", inet_ntoa(from));
  printf("%s\n", inet_ntoa(to));
}

// wrong: the text is the library's
static char *unique address_of(struct in_addr address) {
  char *text = inet_ntoa(address);
  char *unique copy = strdup(text);
  free(text);
  return copy;
}

// right
static void complain(const char *path, int status) {
  const char *why = strerror(status);
  fprintf(stderr, "%s: %s\n", path, why);
  why = strerror(errno);
  fprintf(stderr, "then: %s\n", why);
}

// wrong: the message is the library's
static void complain_freed(const char *path) {
  char *why = strerror(errno);
  fprintf(stderr, "%s: %s\n", path, why);
  free(why);
}

// stale: the first message is kept over the second
static void complain_twice(int first, int second) {
  const char *before = strerror(first);
  const char *after = strerror(second);
  fprintf(stderr, "%s, and then %s\n", before, after);
}

// right
static char *unique newest(const char *path) {
  DIR *unique folder = opendir(path);
  char *unique best = NULL;
  time_t when = 0;
  if (!folder) return NULL;
  for (struct dirent *entry; (entry = readdir(folder));) {
    struct stat about;
    if (fstatat(dirfd(folder), entry->d_name, &about, 0) != 0 || about.st_mtime <= when) continue;
    when = about.st_mtime;
    free(best);
    best = strdup(entry->d_name);
  }
  closedir(folder);
  return best;
}

// stale: the entry that is kept is overwritten by the next one
static ino_t first_visible(const char *path) {
  DIR *unique folder = opendir(path);
  if (!folder) return 0;
  struct dirent *first = NULL, *entry;
  while ((entry = readdir(folder)))
    if (!first && entry->d_name[0] != '.') first = entry;
  ino_t number = first ? first->d_ino : 0;
  closedir(folder);
  return number;
}

// wrong: the entry ends with its folder
static bool is_empty(const char *path) {
  DIR *unique folder = opendir(path);
  if (!folder) return false;
  struct dirent *entry = readdir(folder);
  closedir(folder);
  return !entry || entry->d_name[0] == '.';
}

// wrong: an entry is freed
static size_t entries_in(const char *path) {
  DIR *unique folder = opendir(path);
  if (!folder) return 0;
  size_t count = 0;
  for (struct dirent *entry; (entry = readdir(folder)); count++) free(entry);
  closedir(folder);
  return count;
}

// right
static bool same_entries(const char *one, const char *other) {
  DIR *unique a = opendir(one), *unique b = opendir(other);
  bool is = false;
  if (a && b) {
    struct dirent *x = readdir(a), *y = readdir(b);
    is = x && y && strcmp(x->d_name, y->d_name) == 0;
  }
  if (a) closedir(a);
  if (b) closedir(b);
  return is;
}

// right
static bool resolve(const char *name, struct in_addr *borrowed into) {
  struct hostent *host = gethostbyname(name);
  if (!host || host->h_addrtype != AF_INET) return false;
  memcpy(into, host->h_addr_list[0], sizeof *into);
  return true;
}

// stale: the first host's name is overwritten
static bool same_host(const char *one, const char *other) {
  struct hostent *a = gethostbyname(one);
  if (!a) return false;
  char *name = a->h_name;
  struct hostent *b = gethostbyname(other);
  return b && strcmp(name, b->h_name) == 0;
}

// stale: the locale's name is overwritten before it is set again
static void print_in_c(double number) {
  char *before = setlocale(LC_NUMERIC, NULL);
  setlocale(LC_NUMERIC, "C");
  printf("%f\n", number);
  setlocale(LC_NUMERIC, before);
}

// right
static void print_in_c_copied(double number) {
  char *unique before = strdup(setlocale(LC_NUMERIC, NULL));
  setlocale(LC_NUMERIC, "C");
  printf("%f\n", number);
  if (before) setlocale(LC_NUMERIC, before);
  free(before);
}

// wrong: the locale's name is freed
static void restore(void) {
  char *before = setlocale(LC_ALL, NULL);
  if (before && strcmp(before, "C") != 0) setlocale(LC_ALL, before);
  free(before);
}

// right
static const char *reason(void *library, const char *name) {
  dlerror();
  (void)dlsym(library, name);
  const char *why = dlerror();
  return why ? why : "none";
}

// right
static char *unique stamp(time_t now, bool is_utc) {
  struct tm *t = is_utc ? gmtime(&now) : localtime(&now);
  char *unique text = malloc(32);
  if (text && !strftime(text, 32, "%c", t)) text[0] = '\0';
  return text;
}

// right
static size_t count_users(void) {
  size_t count = 0;
  setpwent();
  for (struct passwd *entry; (entry = getpwent());)
    if (entry->pw_uid >= 1000) count++;
  endpwent();
  return count;
}

// right
static char *unique either(bool is_set) {
  char *text = is_set ? getenv("USER") : NULL;
  char *unique copy = NULL;
  if (!text) text = getenv("LOGNAME");
  if (text) copy = strdup(text);
  return copy;
}
