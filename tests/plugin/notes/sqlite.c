// The notes of the installation know SQLite: a whole program, and its mistakes.
// REQUIRES: sqlite
// RUN: %acre-cc -std=gnu17 -Wall -Wextra -Werror -facre-strict=own %s -lsqlite3 -o %t
// RUN: %t | FileCheck %s
// RUN: %acre-cc -fsyntax-only -DWRONG -Xclang -verify -Xclang -verify-ignore-unexpected=note %s
#include <acre/own.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
  char *unique text;
  struct word *unique next;
};

static sqlite3 *unique open_words(const char *path) {
  sqlite3 *unique db = NULL;
  char *unique why = NULL;
  if (sqlite3_open(path, &db) != SQLITE_OK) {
    fprintf(stderr, "%s\n", sqlite3_errmsg(db));
    sqlite3_close(db);
    return NULL;
  }
  if (sqlite3_exec(db, "create table words (text)", NULL, NULL, &why) != SQLITE_OK) {
    fprintf(stderr, "%s\n", why);
    sqlite3_free(why);
    sqlite3_close(db);
    return NULL;
  }
  return db;
}

static int add_word(sqlite3 *borrowed db, const char *text) {
  sqlite3_stmt *unique insert = NULL;
  if (sqlite3_prepare_v2(db, "insert into words values (?)", -1, &insert, NULL) != SQLITE_OK)
    return -1;
  sqlite3_bind_text(insert, 1, text, -1, SQLITE_TRANSIENT);
  int status = sqlite3_step(insert);
  sqlite3_finalize(insert);
  return status == SQLITE_DONE ? 0 : -1;
}

static struct word *unique read_words(sqlite3 *borrowed db, const char *like) {
  struct word *unique first = NULL, *unique *last = &first;
  char *unique query = sqlite3_mprintf("select text from words where text like %Q", like);
  sqlite3_stmt *unique select = NULL;
  if (!query || sqlite3_prepare_v2(db, query, -1, &select, NULL) != SQLITE_OK) {
    sqlite3_free(query);
    return NULL;
  }
  while (sqlite3_step(select) == SQLITE_ROW) {
    struct word *unique word = calloc(1, sizeof *word);
    if (!word)
      break;
    word->text = strdup((const char *)sqlite3_column_text(select, 0));
    *last = word;
    last = &(*last)->next;
  }
  sqlite3_finalize(select);
  sqlite3_free(query);
  return first;
}

static int count(void *total, int columns, char **values, char **names) {
  (void)columns, (void)values, (void)names;
  ++*(int *)total;
  return 0;
}

int main(void) {
  int total = 0;
  sqlite3 *unique db = open_words(":memory:");
  if (!db || add_word(db, "one") < 0 || add_word(db, "two") < 0 || add_word(db, "tree") < 0) {
    sqlite3_close(db);
    return 1;
  }
  struct word *unique words = read_words(db, "t%");
  for (const struct word *each = words; each; each = each->next)
    printf("%s\n", each->text); // CHECK: two
  acre_drop(words);             // CHECK-NEXT: tree
  char *unique why = NULL;
  sqlite3_exec(db, "select * from words", count, &total, NULL);
  if (sqlite3_exec(db, "select * from nowhere", NULL, NULL, &why))
    printf("%d, %s\n", total, why); // CHECK-NEXT: 3, no such table: nowhere
  sqlite3_free(why);
  return sqlite3_close(db);
}

#ifdef WRONG
void freed(sqlite3 *unique db) {
  free(db); // expected-error {{sqlite3 is ended by sqlite3_close, not by this}}
}
void freed_text(void) {
  char *unique text = sqlite3_mprintf("%d", 1);
  free(text); // expected-error {{what sqlite3_mprintf made is ended by sqlite3_free, not by this}}
}
void closed_twice(sqlite3 *unique db) {
  sqlite3_close(db);
  sqlite3_close(db); // expected-error {{'db' is used after it was consumed}}
}
void text_of_the_dead(sqlite3_stmt *unique s) {
  const unsigned char *text = sqlite3_column_text(s, 0);
  sqlite3_finalize(s);
  puts((const char *)text); // expected-error {{'text' is used after 's'}}
}
int lost_statement(sqlite3 *borrowed db) {
  sqlite3_stmt *unique s = NULL;
  if (sqlite3_prepare_v2(db, "select 1", -1, &s, NULL))
    return -1;
  return sqlite3_step(s); // expected-warning {{'s' may be lost}}
}
int lost_reason(sqlite3 *borrowed db) {
  char *unique why = NULL;
  if (sqlite3_exec(db, "select 1", NULL, NULL, &why) != SQLITE_OK)
    return -1; // expected-warning {{'why' may be lost}}
  return 0;
}
int not_closed(const char *path) {
  sqlite3 *unique db = NULL;
  if (sqlite3_open(path, &db) != SQLITE_OK)
    return -1; // expected-warning {{'db' may be lost}}
  return sqlite3_close(db);
}
#endif
