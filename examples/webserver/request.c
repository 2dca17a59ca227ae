/* SPDX-License-Identifier: MIT */
/* request.c - HTTP/1.x request heads (RFC 9112), taken strictly where leniency is how requests are
 * smuggled. */
#define _GNU_SOURCE
#include "request.h"

#include <string.h>
#include <strings.h>

enum {
  BAD_REQUEST = 400,
  METHOD_NOT_ALLOWED = 405,
  URI_TOO_LONG = 414,
  VERSION_NOT_SUPPORTED = 505
};

struct headers {
  unsigned hosts;
  bool is_http_1_1, wants_close, wants_keep_alive;
};

size_t request_head_length(const char *borrowed text, size_t size) {
  for (const char *line = text;
       (line = memchr(line, '\n', size - (size_t)(line - text))) != NULL;) {
    line++;
    size_t left = size - (size_t)(line - text);
    if (left >= 1 && line[0] == '\n')
      return (size_t)(line - text) + 1;
    if (left >= 2 && line[0] == '\r' && line[1] == '\n')
      return (size_t)(line - text) + 2;
  }
  return 0;
}

static int hexadecimal(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Takes the last segment off path if it says to go nowhere or up.  False: it would leave the root.
 */
static bool close_segment(char *path, size_t *length) {
  size_t start = *length;
  while (start && path[start - 1] != '/')
    start--;
  size_t size = *length - start;
  if (size == 1 && path[start] == '.') {
    *length = start;
  } else if (size == 2 && path[start] == '.' && path[start + 1] == '.') {
    if (!start)
      return false;
    for (start--; start && path[start - 1] != '/'; start--)
      ;
    *length = start;
  }
  return true;
}

/* Decodes target, which begins with a slash, into request->path.  Returns a status. */
static int parse_path(struct request *request, const char *target, size_t size) {
  size_t length = 0;
  for (size_t i = 1; i < size && target[i] != '?' && target[i] != '#'; i++) {
    int c = (unsigned char)target[i];
    if (c == '%') {
      int high = i + 2 < size ? hexadecimal(target[i + 1]) : -1,
          low = high < 0 ? -1 : hexadecimal(target[i + 2]);
      if (low < 0)
        return BAD_REQUEST;
      c = high << 4 | low;
      i += 2;
    }
    if (c < 0x20 || c == 0x7f)
      return BAD_REQUEST;
    if (length + 1 >= sizeof request->path)
      return URI_TOO_LONG;
    if (c == '/' && !close_segment(request->path, &length))
      return BAD_REQUEST;
    if (c == '/' && (!length || request->path[length - 1] == '/'))
      continue;
    request->path[length++] = (char)c;
  }
  if (!close_segment(request->path, &length))
    return BAD_REQUEST;
  request->ends_in_slash = !length || request->path[length - 1] == '/';
  while (length && request->path[length - 1] == '/')
    length--;
  request->path[length] = 0;
  return 0;
}

static bool is_word(const char *text, size_t size, const char *word) {
  return size == strlen(word) && strncasecmp(text, word, size) == 0;
}

static bool has_word(const char *text, size_t size, const char *word) {
  while (size) {
    size_t part = strcspn(text, ",\r\n"), blank = strspn(text, " \t"), length;
    part = part < size ? part : size;
    for (length = part; length && strchr(" \t", text[length - 1]); length--)
      ;
    if (blank < length && is_word(text + blank, length - blank, word))
      return true;
    part += part < size;
    text += part;
    size -= part;
  }
  return false;
}

/* Digits to a number; RANGE_NONE if there are none.  *text goes past them. */
static int64_t parse_number(const char **text) {
  int64_t value = RANGE_NONE;
  for (; **text >= '0' && **text <= '9'; ++*text) {
    value = value < 0 ? 0 : value;
    value = value > INT64_MAX / 10 - 10 ? value : value * 10 + (**text - '0');
  }
  return value;
}

/* One range of bytes; others are ignored, as the standard allows. */
static void parse_range(struct request *request, const char *text) {
  if (strncasecmp(text, "bytes=", 6) != 0)
    return;
  text += 6;
  int64_t first = parse_number(&text);
  if (*text++ != '-')
    return;
  int64_t last = parse_number(&text);
  if (strchr("\r\n \t", *text) && (first >= 0 || last >= 0) && (last < 0 || first <= last)) {
    request->range_first = first;
    request->range_last = last;
  }
}

static int parse_header(struct request *request, struct headers *seen, const char *line,
                        size_t size) {
  const char *colon = memchr(line, ':', size);
  if (!colon || colon == line || strchr(" \t", colon[-1]) || strchr(" \t", *line))
    return BAD_REQUEST;
  size_t name = (size_t)(colon - line);
  const char *value = colon + 1, *end = line + size;
  while (value < end && strchr(" \t", *value))
    value++;
  while (end > value && strchr(" \t", end[-1]))
    end--;
  size_t length = (size_t)(end - value);
  if (is_word(line, name, "Host")) {
    seen->hosts++;
  } else if (is_word(line, name, "Connection")) {
    seen->wants_close |= has_word(value, length, "close");
    seen->wants_keep_alive |= has_word(value, length, "keep-alive");
  } else if (is_word(line, name, "Content-Length")) {
    request->has_body |= !is_word(value, length, "0");
  } else if (is_word(line, name, "Transfer-Encoding")) {
    request->has_body = true;
  } else if (is_word(line, name, "Range")) {
    parse_range(request, value);
  } else if (is_word(line, name, "If-Range")) {
    request->range_if = http_date_parse(value, length);
  } else if (is_word(line, name, "If-Modified-Since")) {
    request->modified_since = http_date_parse(value, length);
  }
  return 0;
}

/* "GET /path HTTP/1.1".  Absolute targets are for proxies, but every server has to take them. */
static int parse_request_line(struct request *request, struct headers *seen, const char *line,
                              size_t size) {
  static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const char *target = memchr(line, ' ', size);
  const char *version = memrchr(line, ' ', size);
  if (!target || target == version)
    return BAD_REQUEST;
  size_t method = (size_t)(target - line), left = (size_t)(line + size - version);
  if (left != 9 || memcmp(version, " HTTP/", 6) != 0 || version[7] != '.')
    return BAD_REQUEST;
  if (version[6] != '1')
    return VERSION_NOT_SUPPORTED;
  seen->is_http_1_1 = version[8] >= '1';
  request->is_head = method == 4 && memcmp(line, "HEAD", 4) == 0;
  bool is_get = method == 3 && memcmp(line, "GET", 3) == 0;
  target++;
  size_t length = (size_t)(version - target);
  if (length > 7 && strncasecmp(target, "http://", 7) == 0) {
    const char *slash = memchr(target + 7, '/', length - 7);
    length = slash ? length - (size_t)(slash - target) : 0;
    target = slash ? slash : "/";
    length += !slash;
  }
  int status = length && *target == '/' ? parse_path(request, target, length) : BAD_REQUEST;
  if (!is_get && !request->is_head)
    return method && strspn(line, capitals) >= method ? METHOD_NOT_ALLOWED : BAD_REQUEST;
  return status;
}

void request_parse(struct request *borrowed request, const char *borrowed head, size_t size) {
  struct headers seen = {0};
  *request = (struct request){.range_first = RANGE_NONE, .range_last = RANGE_NONE};
  bool is_first = true;
  for (size_t left = size; left && !request->status;) {
    const char *line = head + (size - left), *end = memchr(line, '\n', left);
    size_t length = (size_t)(end - line);
    left -= length + 1;
    length -= length && line[length - 1] == '\r';
    if (memchr(line, 0, length) || memchr(line, '\r', length))
      request->status = BAD_REQUEST;
    else if (is_first)
      request->status = parse_request_line(request, &seen, line, length);
    else if (length)
      request->status = parse_header(request, &seen, line, length);
    is_first = false;
  }
  if (!request->status && (seen.hosts > 1 || (seen.is_http_1_1 && !seen.hosts)))
    request->status = BAD_REQUEST;
  /* A body is not read, so what follows cannot be told from it. */
  request->keeps_alive = !request->has_body &&
                         (!request->status || request->status == METHOD_NOT_ALLOWED) &&
                         (seen.is_http_1_1 ? !seen.wants_close : seen.wants_keep_alive);
}
