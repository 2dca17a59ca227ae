/* SPDX-License-Identifier: MIT */
/* gdbm-load KEYS: fills a database, reads, deletes and replaces, empties it into a dump, loads that
 * into another, reorganizes it, and says what came out. */
#include <gdbm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const NAMES[] = {"one.gdbm", "two.gdbm", "dump", "export"};

static void fail(const char *what) {
  printf("%s: %s\n", what, gdbm_strerror(gdbm_errno));
  exit(1);
}

static datum text_of(char *space, const char *form, int number) {
  datum result;
  result.dptr = space;
  result.dsize = sprintf(space, form, number);
  return result;
}

static size_t sum_all(GDBM_FILE file) {
  size_t sum = 0;
  datum key = gdbm_firstkey(file), next;
  while (key.dptr) {
    datum value = gdbm_fetch(file, key);
    for (int i = 0; i < value.dsize; i++)
      sum += (unsigned char)value.dptr[i] * (size_t)(i + 1);
    next = gdbm_nextkey(file, key);
    free(value.dptr);
    free(key.dptr);
    key = next;
  }
  return sum;
}

static void fill(GDBM_FILE file, int keys) {
  char key[32], value[300];
  memset(value, '.', sizeof value);
  for (int i = 0; i < keys; i++) {
    datum content = text_of(value, "value of %d", i);
    content.dsize += i % 200;
    if (gdbm_store(file, text_of(key, "key %d", i), content, GDBM_INSERT))
      fail("store");
  }
  for (int i = 0; i < keys; i += 3)
    if (gdbm_delete(file, text_of(key, "key %d", i)))
      fail("delete");
  for (int i = 1; i < keys; i += 3)
    if (gdbm_store(file, text_of(key, "key %d", i), text_of(value, "%d", i * 7), GDBM_REPLACE))
      fail("replace");
}

int main(int count, char **arguments) {
  GDBM_FILE one, two;
  gdbm_count_t left;
  int keys = count > 1 ? atoi(arguments[1]) : 100, cache = 20;
  for (int i = 0; i < 4; i++)
    unlink(NAMES[i]);
  one = gdbm_open(NAMES[0], 512, GDBM_NEWDB, 0600, NULL);
  if (!one)
    fail("open");
  gdbm_setopt(one, GDBM_SETCACHESIZE, &cache, sizeof cache);
  fill(one, keys);
  if (gdbm_count(one, &left))
    fail("count");
  printf("%lu left, %zx\n", (unsigned long)left, sum_all(one));
  if (gdbm_dump(one, NAMES[2], GDBM_DUMP_FMT_ASCII, GDBM_NEWDB, 0600))
    fail("dump");
  two = gdbm_open(NAMES[1], 0, GDBM_NEWDB | GDBM_NUMSYNC, 0600, NULL);
  if (!two || gdbm_load(&two, NAMES[2], GDBM_REPLACE, GDBM_META_MASK_OWNER, NULL))
    fail("load");
  if (gdbm_export(one, NAMES[3], GDBM_NEWDB, 0600) < 0)
    fail("export");
  printf("%d imported\n", gdbm_import(two, NAMES[3], GDBM_REPLACE));
  if (gdbm_reorganize(one))
    fail("reorganize");
  printf("%zx %zx\n", sum_all(one), sum_all(two));
  printf("%s\n", gdbm_db_strerror(two));
  gdbm_close(two);
  return gdbm_close(one) != 0;
}
