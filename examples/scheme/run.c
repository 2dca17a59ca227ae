/* SPDX-License-Identifier: MIT */
/* run.c - between two runs of the machine: collections, and the next expression. */
#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../events/footprint.h"
#include "compile.h"
#include "machine.h"
#include "prelude.h"
#include "reader.h"
#include "text.h"

#if defined(__ACRE__) && !defined(EVERYTHING_COLLECTED)
static bool out_of_memory(size_t bytes) {
  (void)bytes;
  machine_die("out of memory");
}
#endif

/* The program is told once that it uses too much; what it does to end may use some more. */
static void check_limit(struct host *host) {
  if (host->live > host->limit + host->limit / 8 + (64 << 10))
    machine_die("out of memory: see --limit");
  if (host->live > host->limit && !host->is_over_limit) {
    acre_open(memory, host->key);
    machine_interrupt(acre_root(struct machine, memory), "out of memory: see --limit");
  }
  host->is_over_limit = host->live > host->limit;
}

/* Runs what was started to its end. */
static enum outcome run(struct host *host) {
  for (;;) {
    enum outcome outcome;
    {
      acre_open(memory, host->key);
      outcome = machine_run(acre_root(struct machine, memory));
    }
    if (outcome != OUTCOME_COLLECT)
      return outcome;
    if (host->live + host->allocated > host->most_data)
      host->most_data = host->live + host->allocated;
    if (!heap_collect(host))
      machine_die("out of memory");
    check_limit(host);
  }
}

static void print_to_stderr(struct buffer *buffer) {
  fflush(stdout);
  buffer_write(buffer, stderr);
  buffer_free(buffer);
}

/* "FILE:LINE: message irritants" */
static void report_failure(struct machine *m) {
  struct buffer buffer = {0};
  struct object *failure = m->failure;
  if (!is_kind(failure, KIND_CONDITION)) {
    buffer_add_word(&buffer, "scheme: nobody handles what was raised: ");
    print_value(&buffer, failure, false);
  } else {
    struct object *file = slot(failure, CONDITION_FILE), *line = slot(failure, CONDITION_LINE);
    if (is_string(file))
      print_value(&buffer, file, true);
    else
      buffer_add_word(&buffer, "scheme");
    if (integer_of(line)) {
      buffer_add_word(&buffer, ":");
      print_value(&buffer, line, true);
    }
    buffer_add_word(&buffer, ": ");
    print_value(&buffer, slot(failure, CONDITION_MESSAGE), true);
    for (struct object *each = slot(failure, CONDITION_IRRITANTS); is_pair(each);
         each = cdr(each)) {
      buffer_add_word(&buffer, " ");
      print_value(&buffer, car(each), false);
    }
  }
  buffer_add_word(&buffer, "\n");
  print_to_stderr(&buffer);
}

static void report(struct host *host) {
  acre_open(memory, host->key);
  report_failure(acre_root(struct machine, memory));
}

/* OUTCOME_NONE: an expression was read and is to be run.  OUTCOME_DONE: there is none.
 * OUTCOME_FAILED: it is wrong. */
static enum outcome start_next(struct host *host, struct source *source, const char *name) {
  acre_open(memory, host->key);
  struct machine *m = acre_root(struct machine, memory);
  m->caller = NULL;
  m->file = name ? as_string(make_message(m, name)) : NULL;
  m->line = 0;
  struct object *datum = read_datum(m, source);
  if (!datum)
    return OUTCOME_FAILED;
  if (is_kind(datum, KIND_EOF))
    return OUTCOME_DONE;
  struct code *code = compile(m, datum);
  if (!code)
    return OUTCOME_FAILED;
  machine_start(m, code);
  return OUTCOME_NONE;
}

static void print_result(struct host *host) {
  struct buffer buffer = {0};
  {
    acre_open(memory, host->key);
    struct object *value = acre_root(struct machine, memory)->accumulator;
    if (!is_kind(value, KIND_UNSPECIFIED)) {
      print_value(&buffer, value, false);
      buffer_add_word(&buffer, "\n");
    }
  }
  buffer_write(&buffer, stdout);
  buffer_free(&buffer);
}

/* All expressions of the source. */
static enum outcome run_source(struct host *host, struct source *source, const char *name,
                               bool is_printed) {
  for (;;) {
    enum outcome outcome = start_next(host, source, name);
    if (outcome == OUTCOME_NONE)
      outcome = run(host);
    else if (outcome == OUTCOME_DONE)
      return OUTCOME_DONE;
    if (outcome == OUTCOME_FAILED && source->is_incomplete && is_printed)
      return OUTCOME_FAILED;
    if (outcome == OUTCOME_FAILED)
      report(host);
    if (outcome == OUTCOME_EXIT)
      host->is_exit = true;
    if (outcome != OUTCOME_DONE)
      return outcome;
    if (is_printed)
      print_result(host);
  }
}

static bool run_whole(struct host *host, struct source *unique source, const char *name) {
  enum outcome outcome = run_source(host, source, name, false);
  source_free(source);
  return outcome == OUTCOME_DONE;
}

bool run_text(struct host *host, const char *text, const char *name) {
  struct source *unique source = source_of_text(text, strlen(text));
  if (!source)
    machine_die("out of memory");
  return run_whole(host, source, name);
}

bool run_file(struct host *host, const char *path) {
  struct source *unique source = source_of_file(path);
  if (!source) {
    fprintf(stderr, "scheme: %s: %s\n", path, strerror(errno));
    return false;
  }
  return run_whole(host, source, path);
}

bool converse(struct host *host, bool has_prompt) {
  struct buffer text = {0};
  char *line = NULL;
  size_t size = 0;
  for (;;) {
    if (has_prompt)
      fputs(text.length ? "... " : "> ", stdout);
    fflush(stdout);
    ssize_t length = getline(&line, &size, stdin);
    if (length > 0)
      buffer_add(&text, line, (size_t)length);
    if (length <= 0 && !text.length)
      break;
    struct source *unique source = source_of_buffer(&text);
    if (!source || text.is_cut)
      machine_die("out of memory");
    enum outcome outcome = run_source(host, source, NULL, true);
    bool is_more_wanted = outcome == OUTCOME_FAILED && source->is_incomplete;
    source_free(source);
    if (is_more_wanted && length > 0)
      continue;
    if (is_more_wanted)
      report(host);
    buffer_free(&text);
    if (host->is_exit || length <= 0)
      break;
  }
  if (has_prompt && !host->is_exit)
    putchar('\n');
  free(line);
  buffer_free(&text);
  return !host->is_exit;
}

static void add_command_line(struct host *host, char **arguments) {
  acre_open(memory, host->key);
  struct machine *m = acre_root(struct machine, memory);
  struct object *list = m->nil;
  size_t count = 0;
  while (arguments[count])
    count++;
  for (; count > 0; count--)
    list = make_pair(m, make_message(m, arguments[count - 1]), list);
  as_symbol(intern_word(m, "%command-line"))->value = list;
}

bool run_start(struct host *host, char **arguments) {
#if defined(__ACRE__) && !defined(EVERYTHING_COLLECTED)
  acre_set_oom_handler(out_of_memory);
#endif
  if (!heap_start(host))
    machine_die("out of memory");
  if (!run_text(host, prelude, "prelude"))
    return false;
  add_command_line(host, arguments);
  return true;
}

void run_report(const struct host *host) {
  struct footprint now = footprint_now();
  fprintf(stderr, "scheme: memory: data %zu reserved %zu resident %zu collections %zu copied %zu\n",
          host->most_data, host->most_reserved > now.reserved ? host->most_reserved : now.reserved,
          now.resident, host->collections, host->copied);
}
