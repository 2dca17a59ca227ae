/* SPDX-License-Identifier: MIT */
/* answer.c - heads of responses. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "site.h"

const char *http_status_name(int status) {
  switch (status) {
  case 200:
    return "OK";
  case 206:
    return "Partial Content";
  case 301:
    return "Moved Permanently";
  case 304:
    return "Not Modified";
  case 400:
    return "Bad Request";
  case 403:
    return "Forbidden";
  case 404:
    return "Not Found";
  case 405:
    return "Method Not Allowed";
  case 408:
    return "Request Timeout";
  case 414:
    return "URI Too Long";
  case 416:
    return "Range Not Satisfiable";
  case 431:
    return "Request Header Fields Too Large";
  case 503:
    return "Service Unavailable";
  case 505:
    return "HTTP Version Not Supported";
  default:
    return "Internal Server Error";
  }
}

/* Adds to text, of which length is used; returns the new length, which is room or more if it did
 * not fit. */
__attribute__((format(printf, 4, 5))) static size_t add(char *text, size_t room, size_t length,
                                                        const char *format, ...) {
  va_list arguments;
  if (length >= room)
    return length;
  va_start(arguments, format);
  int added = vsnprintf(text + length, room - length, format, arguments);
  va_end(arguments);
  return length + (size_t)added;
}

static size_t add_file(char *text, size_t room, size_t length, const struct answer *answer) {
  char modified[HTTP_DATE_SIZE];
  http_date_format(modified, answer->modified);
  length = add(text, room, length, "Last-Modified: %s\r\nAccept-Ranges: bytes\r\n", modified);
  if (answer->status == 304)
    return length;
  if (answer->status == 206)
    length = add(text, room, length, "Content-Range: bytes %lld-%lld/%lld\r\n",
                 (long long)answer->first, (long long)answer->end - 1, (long long)answer->size);
  return add(text, room, length, "Content-Type: %s\r\nContent-Length: %lld\r\n\r\n", answer->type,
             (long long)(answer->end - answer->first));
}

static size_t add_note(char *text, size_t room, size_t length, const struct answer *answer,
                       bool is_head) {
  const char *name = http_status_name(answer->status);
  if (answer->status == 301)
    length = add(text, room, length, "Location: %s\r\n", answer->location);
  if (answer->status == 405)
    length = add(text, room, length, "Allow: GET, HEAD\r\n");
  if (answer->status == 416)
    length = add(text, room, length, "Content-Range: bytes */%lld\r\n", (long long)answer->size);
  length = add(text, room, length, "Content-Type: text/plain\r\nContent-Length: %zu\r\n\r\n",
               strlen(name) + 1);
  return is_head ? length : add(text, room, length, "%s\n", name);
}

size_t answer_format(const struct answer *borrowed answer, const struct request *borrowed request,
                     bool keeps_alive, char *borrowed text, size_t room) {
  char date[HTTP_DATE_SIZE];
  http_date_format(date, time(NULL));
  size_t length =
      add(text, room, 0, "HTTP/1.1 %d %s\r\nDate: %s\r\nConnection: %s\r\n", answer->status,
          http_status_name(answer->status), date, keeps_alive ? "keep-alive" : "close");
  if (answer->file >= 0)
    length = add_file(text, room, length, answer);
  else if (answer->status == 304)
    length = add(text, room, add_file(text, room, length, answer), "\r\n");
  else
    length = add_note(text, room, length, answer, request->is_head);
  return length < room ? length : 0;
}
