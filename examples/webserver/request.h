/* SPDX-License-Identifier: MIT */
/* request.h - what a client asks for, without a pointer into what it sent. */
#ifndef WEBSERVER_REQUEST_H
#define WEBSERVER_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "../events/discipline.h"

enum { REQUEST_PATH_MAX = 1024, RANGE_NONE = -1 };

struct request {
  int status; /* 0: well formed; else the HTTP status that says what is wrong */
  bool is_head;
  bool keeps_alive;            /* the connection is to stay open */
  bool has_body;               /* which nobody reads */
  char path[REQUEST_PATH_MAX]; /* decoded, without a query, "." or ".."; relative: "" is the root */
  bool ends_in_slash;
  /* Bytes first to last; last may be RANGE_NONE: to the end; first may be: the last so many.  Both:
   * no range. */
  int64_t range_first, range_last;
  time_t modified_since, range_if; /* 0: no such condition; -1: one that is never met */
};

/* The length of the request's head, up to its empty line, or 0 if that is not there yet. */
size_t request_head_length(const char *borrowed text, size_t size);
/* Reads a whole head. */
void request_parse(struct request *borrowed request, const char *borrowed head, size_t size);

/* HTTP's dates: "Sun, 06 Nov 1994 08:49:37 GMT". */
enum { HTTP_DATE_SIZE = 30 };
void http_date_format(char date[HTTP_DATE_SIZE], time_t when);
/* -1 if it is none. */
time_t http_date_parse(const char *borrowed text, size_t size);

#endif
