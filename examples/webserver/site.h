/* SPDX-License-Identifier: MIT */
/* site.h - the files that are served, and what a request for one is answered with. */
#ifndef WEBSERVER_SITE_H
#define WEBSERVER_SITE_H

#include "request.h"

struct site {
  int root; /* the directory; nothing above it is served, but symbolic links in it are followed */
  size_t buffer; /* bytes of a response that are in memory at a time */
  int64_t idle_milliseconds, head_milliseconds, send_milliseconds; /* patience; connection.c */
  bool is_logging;
};

struct answer {
  int status;
  int file; /* a descriptor that the caller closes, or -1: the body is the name of the status */
  int64_t first, end; /* of the file, the bytes that are the body */
  int64_t size;       /* of the whole file */
  time_t modified;
  const char *type;
  char location[3 * 255 + 2]; /* of status 301: relative */
};

void site_answer(const struct site *site, const struct request *borrowed request,
                 struct answer *borrowed answer);
const char *http_status_name(int status);
/* The head of the response, and the body if it is no file; returns its length, or 0 if it does not
 * fit. */
size_t answer_format(const struct answer *borrowed answer, const struct request *borrowed request,
                     bool keeps_alive, char *borrowed text, size_t room);
enum { ANSWER_HEAD_MAX = 2048 };

#endif
