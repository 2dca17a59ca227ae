/* SPDX-License-Identifier: MIT */
/* date.c - HTTP's dates.  Their form is the one that servers send; the two that are obsolete are
 * not read. */
#define _GNU_SOURCE
#include <string.h>

#include "request.h"

static const char form[] =
    "%a, %d %b %Y %H:%M:%S GMT"; /* the names are English: nobody calls setlocale */

void http_date_format(char date[HTTP_DATE_SIZE], time_t when) {
  struct tm parts;
  gmtime_r(&when, &parts);
  strftime(date, HTTP_DATE_SIZE, form, &parts);
}

time_t http_date_parse(const char *borrowed text, size_t size) {
  char date[HTTP_DATE_SIZE];
  struct tm parts = {0};
  if (size >= sizeof date)
    return -1;
  memcpy(date, text, size);
  date[size] = 0;
  const char *end = strptime(date, form, &parts);
  return end && !*end ? timegm(&parts) : -1;
}
