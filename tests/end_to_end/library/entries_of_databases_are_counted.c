// Functions that put a text in the caller's buffer and pointers to it in the caller's structure
// left these uncounted.
// RUN: %each_level -o %t %s
#define _GNU_SOURCE
#include "../Inputs/check.h"
#include <mntent.h>
#include <pthread.h>
#include <pwd.h>
#include <wchar.h>

static struct passwd user, *found;
static struct mntent mount_entry;
static void *result;
static const char *rest;

static void *start(void *given) { return given; }

int main(void) {
  region r = newregion(), other = newregion();
  char *text = rstralloc(r, 4096);
  struct passwd *in_other = ralloc(other, struct passwd);
  if (getpwuid_r(0, &user, text, 4096, &found) == 0 && found) {
    CHECK(acre_region_count(r) >= 4);
    memset(&user, 0, sizeof user);
    CHECK_COUNT(r, 0);
    getpwuid_r(0, in_other, rstralloc(other, 4096), 4096, &found);
    CHECK_COUNT(other, 1);
    found = NULL;
  }
  FILE *mounts = fmemopen("none /tmp tmpfs rw 0 0\n", 23, "r");
  CHECK(mounts && getmntent_r(mounts, &mount_entry, text, 4096));
  CHECK_COUNT(r, 4);
  memset(&mount_entry, 0, sizeof mount_entry);
  fclose(mounts);
  pthread_t thread;
  CHECK(!pthread_create(&thread, NULL, start, text) && !pthread_join(thread, &result));
  CHECK_COUNT(r, 1);
  result = NULL;
  rest = rstrdup(r, "letters");
  mbsrtowcs((wchar_t[4]){0}, &rest, 4, &(mbstate_t){0});
  CHECK_COUNT(r, 1);
  rest = NULL;
  CHECK_COUNT(r, 0);
}
