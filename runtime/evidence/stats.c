/* SPDX-License-Identifier: MIT */
/* stats.c - what became of each pointer store that the program executed (-facre-stats, ACRE_STATS).
 *
 * Compiled code counts; this module sums and writes.  Invariant, under the modules' lock: `tables`
 * links the table of each module that registered and has not unregistered, and a copy of the table
 * of each that has.  Written when the process exits, by a destructor that runs after those of the
 * program: a process that ends by a signal or by _exit writes nothing.  A child of fork starts from
 * zero, so that the counts of all processes can be added.
 *
 * Only this module uses stdio and malloc, and only when a library is unloaded or the process exits.
 */
#define _GNU_SOURCE
#include "evidence/stats.h"

#include <acre/abi.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counting/globals.h"
#include "counting/record.h"
#include "platform/kernel.h"
#include "platform/os.h"

enum { ALL_GROUPS = 4 };

static acre_rt_stats *tables;

/* -- Called by compiled code ------------------------------------------------------------------- */

void acre_rt_stats_safe(void) {}

static uint32_t record_of(void *slot) {
  uintptr_t start;
  return acre_record_get((uintptr_t)slot, &start);
}

/* Another thread that stores to the same slot may be counted here too. */
static void note_change(void *slot, uint32_t before, uint64_t *changed) {
  if (record_of(slot) != before)
    __atomic_fetch_add(changed, 1, __ATOMIC_RELAXED);
}

void acre_rt_stats_store(void *slot, void *value, uint64_t *changed) {
  uint32_t before = record_of(slot);
  acre_rt_store(slot, value);
  note_change(slot, before, changed);
}

void acre_rt_stats_reread(void *slot, uint64_t *changed) {
  uint32_t before = record_of(slot);
  acre_rt_reread(slot);
  note_change(slot, before, changed);
}

void acre_rt_stats_register(acre_rt_stats *stats) {
  acre_modules_lock();
  stats->next = tables;
  tables = stats;
  acre_modules_unlock();
}

/* A copy that stays valid when the module's memory is unmapped; null if there is no memory. */
static acre_rt_stats *copy_of(const acre_rt_stats *stats) {
  acre_rt_stats *copy = malloc(sizeof *copy);
  acre_rt_store_site *sites = calloc(stats->count, sizeof *sites);
  acre_rt_store_counts *counts = calloc(stats->count, sizeof *counts);
  bool is_whole = copy && sites && counts;
  for (size_t i = 0; is_whole && i < stats->count; i++) {
    const acre_rt_store_site *from = &stats->sites[i];
    sites[i] = *from;
    sites[i].where.file = strdup(from->where.file);
    sites[i].where.function = strdup(from->where.function);
    sites[i].slot = strdup(from->slot);
    sites[i].type = strdup(from->type);
    counts[i] = stats->counts[i];
    is_whole = sites[i].where.file && sites[i].where.function && sites[i].slot && sites[i].type;
  }
  if (is_whole)
    *copy = (acre_rt_stats){NULL, stats->count, sites, counts};
  return is_whole ? copy : NULL;
}

void acre_rt_stats_unregister(acre_rt_stats *stats) {
  acre_rt_stats *copy = copy_of(stats);
  acre_modules_lock();
  for (acre_rt_stats **link = &tables; *link; link = &(*link)->next)
    if (*link == stats) {
      *link = stats->next;
      break;
    }
  if (copy) {
    copy->next = tables;
    tables = copy;
  }
  acre_modules_unlock();
  if (!copy)
    acre_os_print(2,
                  "acre: out of memory: the statistics of a library that is unloaded are lost\n");
}

void acre_stats_forget(void) {
  for (acre_rt_stats *table = tables; table; table = table->next)
    memset(table->counts, 0, table->count * sizeof *table->counts);
}

/* -- JSON -------------------------------------------------------------------------------------- */

static void write_string(FILE *out, const char *text) {
  fputc('"', out);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c < 0x20)
      fprintf(out, "\\u%04x", *c);
    else
      fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
  }
  fputc('"', out);
}

static void write_member(FILE *out, const char *name, const char *text) {
  fprintf(out, "\"%s\":", name);
  write_string(out, text);
  fputc(',', out);
}

static void write_store(FILE *out, const acre_rt_store_site *site,
                        const acre_rt_store_counts *counts) {
  fputc('{', out);
  write_member(out, "file", site->where.file);
  fprintf(out, "\"line\":%" PRIu32 ",\"column\":%" PRIu32 ",", site->where.line, site->column);
  write_member(out, "function", site->where.function);
  write_member(out, "type", site->type);
  write_member(out, "slot", site->slot);
  fprintf(out, "\"removed\":%" PRIu32 ",\"cleared\":%" PRIu32 ",\"kept\":%" PRIu32 ",",
          site->removed, site->cleared, site->kept);
  fprintf(out,
          "\"safe\":%" PRIu64 ",\"executed\":%" PRIu64 ",\"called\":%" PRIu64
          ",\"changed\":%" PRIu64 "}",
          counts->safe, counts->executed, counts->called, counts->changed);
}

static void write_json(FILE *out) {
  fputs("{\"acre_stats\":1,", out);
  write_member(out, "program", program_invocation_name);
  fprintf(out, "\"process\":%ld,\"stores\":[", (long)getpid());
  const char *separator = "";
  for (const acre_rt_stats *table = tables; table; table = table->next)
    for (size_t i = 0; i < table->count; i++, separator = ",") {
      fputs(separator, out);
      write_store(out, &table->sites[i], &table->counts[i]);
    }
  fputs("]}\n", out);
}

/* -- Text -------------------------------------------------------------------------------------- */

/* The stores of one file, function, ...: see docs/reference/stats.md for the columns. */
struct row {
  const char *name;
  uint64_t safe, tested, called, counted, unchanged, copies;
};

static void add_store(struct row *row, const acre_rt_store_site *site,
                      const acre_rt_store_counts *counts) {
  if (strcmp(site->slot, "copy") == 0) {
    row->copies += counts->executed;
    return;
  }
  row->safe += counts->safe;
  if (strcmp(site->slot, "counted") == 0 || strcmp(site->slot, "cleared") == 0) {
    row->counted += counts->changed;
    row->unchanged += counts->executed - counts->changed;
  } else {
    row->called += counts->called;
    row->tested += counts->executed - counts->called;
  }
}

static uint64_t stores_of(const struct row *row) {
  return row->safe + row->tested + row->called + row->counted + row->unchanged;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

static int by_stores(const void *a, const void *b) {
  uint64_t left = stores_of(a), right = stores_of(b);
  return left != right ? (left < right) - (left > right) : by_name(a, b);
}

static const char *name_in_group(const acre_rt_store_site *site, int group) {
  switch (group) {
  case 0:
    return site->slot;
  case 1:
    return site->where.file;
  case 2:
    return site->where.function;
  default:
    return *site->type ? site->type : "(in no structure)";
  }
}

static void print_row(FILE *out, const struct row *row) {
  uint64_t all = stores_of(row);
  double scale = all ? 100.0 / (double)all : 0;
  fprintf(out, "%14" PRIu64 " %7.1f %7.1f %7.1f %7.1f %7.1f %12" PRIu64 "  %s\n", all,
          (double)row->safe * scale, (double)row->tested * scale, (double)row->called * scale,
          (double)row->counted * scale, (double)row->unchanged * scale, row->copies, row->name);
}

/* Rows of one name become one; returns how many are left. */
static size_t merge(struct row *rows, size_t count) {
  size_t kept = 0;
  qsort(rows, count, sizeof *rows, by_name);
  for (size_t i = 0; i < count; i++) {
    if (kept && strcmp(rows[kept - 1].name, rows[i].name) == 0) {
      struct row *into = &rows[kept - 1];
      into->safe += rows[i].safe;
      into->tested += rows[i].tested;
      into->called += rows[i].called;
      into->counted += rows[i].counted;
      into->unchanged += rows[i].unchanged;
      into->copies += rows[i].copies;
    } else {
      rows[kept++] = rows[i];
    }
  }
  qsort(rows, kept, sizeof *rows, by_stores);
  return kept;
}

/* The rows of a group, most stores first; what was not executed is left out. */
static void print_group(FILE *out, const char *title, int group, struct row *rows) {
  size_t count = 0;
  for (const acre_rt_stats *table = tables; table; table = table->next)
    for (size_t i = 0; i < table->count; i++) {
      rows[count] = (struct row){.name = name_in_group(&table->sites[i], group)};
      add_store(&rows[count++], &table->sites[i], &table->counts[i]);
    }
  count = merge(rows, count);
  fprintf(out, "by %s\n", title);
  for (size_t i = 0; i < count && (stores_of(&rows[i]) || rows[i].copies); i++)
    print_row(out, &rows[i]);
}

static void write_text(FILE *out) {
  static const char *const titles[ALL_GROUPS] = {"slot", "file", "function", "type"};
  struct row whole = {.name = program_invocation_name};
  size_t count = 0;
  for (const acre_rt_stats *table = tables; table; count += table->count, table = table->next)
    for (size_t i = 0; i < table->count; i++)
      add_store(&whole, &table->sites[i], &table->counts[i]);
  struct row *rows = calloc(count + 1, sizeof *rows);
  fprintf(out, "acre: pointer stores executed by process %ld; shares in per cent\n",
          (long)getpid());
  fputs("        stores    safe  inline  called counted no chg.       copies\n", out);
  print_row(out, &whole);
  for (int group = 0; rows && group < ALL_GROUPS; group++)
    print_group(out, titles[group], group, rows);
  free(rows);
}

/* -- At exit ----------------------------------------------------------------------------------- */

/* All in one write, so that processes can share a file. */
static bool append(const char *path, const char *text, size_t size) {
  int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : STDERR_FILENO;
  if (file < 0)
    return false;
  ssize_t written = 0;
  while (size && (written = write(file, text, size)) >= 0) {
    text += written;
    size -= (size_t)written;
  }
  return (!path || close(file) == 0) && size == 0;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

__attribute__((destructor(101))) static void write_at_exit(void) {
  const char *wanted = acre_os_setting("ACRE_STATS");
  if (!wanted || !*wanted || strcmp(wanted, "0") == 0)
    return;
  if (!tables) {
    acre_os_print(
        2, "acre: ACRE_STATS is set, but nothing of this program was compiled with -facre-stats\n");
    return;
  }
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  bool is_written = false;
  if (out) {
    acre_modules_lock();
    (ends_with(wanted, ".json") ? write_json : write_text)(out);
    acre_modules_unlock();
    is_written = fclose(out) == 0 && append(strcmp(wanted, "1") == 0 ? NULL : wanted, text, size);
  }
  if (!is_written)
    acre_os_print(2, "acre: cannot write statistics to '%s': %s\n", wanted, strerror(errno));
  free(text);
}
