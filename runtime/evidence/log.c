/* SPDX-License-Identifier: MIT */
/* log.c - see log.h. */
#define _GNU_SOURCE
#include "evidence/log.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "platform/check.h"
#include "platform/kernel.h"
#include "platform/os.h"

#define TEXT_BYTES 1024
/* More distinct findings are logged each time. */
#define FINDINGS_MAX ((size_t)1 << 12)

struct logged {
  uint64_t hash;
  uint64_t count;
  char text[TEXT_BYTES];
};

static struct logged *findings; /* null: no log */
static size_t finding_count;
static int file = -1; /* else the system's log */

/* -- Text -------------------------------------------------------------------------------------- */

bool acre_finding_begin(struct acre_finding *finding) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
    return false;
  *finding = (struct acre_finding){.fd = ends[1], .reading = ends[0]};
  return true;
}

void acre_finding_end(struct acre_finding *finding, char *text, size_t size) {
  ACRE_ASSERT(size > 0);
  close(finding->fd);
  const ssize_t got = read(finding->reading, text, size - 1);
  close(finding->reading);
  text[got > 0 ? got : 0] = 0;
}

/* Without the digits of addresses. */
static uint64_t hash_of(const char *text) {
  uint64_t hash = UINT64_C(14695981039346656037);
  while (*text) {
    if (text[0] == '0' && text[1] == 'x')
      text += 2 + strspn(text + 2, "0123456789abcdef");
    else
      hash = (hash ^ (unsigned char)*text++) * UINT64_C(1099511628211);
  }
  return hash;
}

/* -- The log ----------------------------------------------------------------------------------- */

/* times: how often, if that is to be said; else 0. */
static void write_line(const char *text, uint64_t times) {
  if (file >= 0 && times)
    acre_os_print(file, "acre[%d]: %lu times: %s\n", (int)getpid(), (unsigned long)times, text);
  else if (file >= 0)
    acre_os_print(file, "acre[%d]: %s\n", (int)getpid(), text);
  else if (times)
    syslog(LOG_WARNING, "acre: %lu times: %s", (unsigned long)times, text);
  else
    syslog(LOG_WARNING, "acre: %s", text);
}

/* The number of the finding, which is met; 0 if there is no more room. */
static uint32_t number_of(const char *text) {
  const uint64_t hash = hash_of(text);
  for (size_t i = 0; i < finding_count; i++)
    if (findings[i].hash == hash) {
      findings[i].count++;
      return (uint32_t)i + 1;
    }
  if (finding_count == FINDINGS_MAX)
    return 0;
  struct logged *fresh = &findings[finding_count++];
  fresh->hash = hash;
  fresh->count = 1;
  memcpy(fresh->text, text, strlen(text) + 1);
  return (uint32_t)finding_count;
}

uint32_t acre_finding_log(struct acre_finding *finding) {
  char text[TEXT_BYTES];
  acre_finding_end(finding, text, sizeof text);
  if (!acre_log_is_on())
    return 0;
  const uint32_t number = number_of(text);
  if (!number || findings[number - 1].count == 1)
    write_line(text, 0);
  return number;
}

void acre_finding_again(uint32_t number) {
  if (number)
    __atomic_fetch_add(&findings[number - 1].count, 1, __ATOMIC_RELAXED);
}

/* A child of a fork counts on: each process tells what it knows. */
static void write_counts(void) {
  for (size_t i = 0; i < finding_count; i++)
    if (findings[i].count > 1)
      write_line(findings[i].text, findings[i].count);
}

bool acre_log_is_on(void) { return findings; }

void acre_log_start(const char *where) {
  if (strcmp(where, "stderr") == 0) {
    file = STDERR_FILENO;
  } else if (strcmp(where, "syslog") != 0) {
    file = open(where, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0)
      acre_os_fatal("ACRE_LOG: the file '%s' cannot be written", where);
  }
  findings = acre_os_table(FINDINGS_MAX * sizeof *findings);
  if (findings)
    atexit(write_counts);
}
