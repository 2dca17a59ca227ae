/* SPDX-License-Identifier: MIT */
/* site.c - finds files. */
#define _GNU_SOURCE
#include "site.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *type_of(const char *path) {
  static const struct {
    const char *suffix, *type;
  } types[] = {{"html", "text/html; charset=utf-8"},
               {"htm", "text/html; charset=utf-8"},
               {"css", "text/css; charset=utf-8"},
               {"js", "text/javascript; charset=utf-8"},
               {"mjs", "text/javascript; charset=utf-8"},
               {"json", "application/json"},
               {"txt", "text/plain; charset=utf-8"},
               {"md", "text/plain; charset=utf-8"},
               {"c", "text/plain; charset=utf-8"},
               {"h", "text/plain; charset=utf-8"},
               {"xml", "application/xml"},
               {"svg", "image/svg+xml"},
               {"png", "image/png"},
               {"jpg", "image/jpeg"},
               {"jpeg", "image/jpeg"},
               {"gif", "image/gif"},
               {"webp", "image/webp"},
               {"ico", "image/x-icon"},
               {"pdf", "application/pdf"},
               {"wasm", "application/wasm"},
               {"woff2", "font/woff2"},
               {"mp4", "video/mp4"},
               {"mp3", "audio/mpeg"},
               {"zip", "application/zip"},
               {"gz", "application/gzip"}};
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
    if (strcasecmp(dot + 1, types[i].suffix) == 0)
      return types[i].type;
  return "application/octet-stream";
}

static int status_of_errno(void) {
  switch (errno) {
  case ENOENT:
  case ENOTDIR:
  case ELOOP:
  case ENAMETOOLONG:
    return 404;
  case EACCES:
  case EPERM:
  case ENXIO:
    return 403;
  default:
    return 503;
  }
}

/* A directory is asked for by a name with a slash, so that its relative links are right. */
static void redirect(struct answer *answer, const char *path) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  const char *slash = strrchr(path, '/');
  size_t length = 0;
  for (const char *c = slash ? slash + 1 : path; *c && length + 5 < sizeof answer->location; c++) {
    if (strchr(plain, *c))
      answer->location[length++] = *c;
    else
      length += (size_t)sprintf(answer->location + length, "%%%02X", (unsigned char)*c);
  }
  memcpy(answer->location + length, "/", 2);
  answer->status = 301;
}

static int open_file(const struct site *site, const char *path, struct stat *found) {
  /* Without waiting for whoever has a FIFO's other end. */
  int file = openat(site->root, *path ? path : ".", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file >= 0 && fstat(file, found) != 0) {
    close(file);
    return -1;
  }
  return file;
}

static int open_index(const struct site *site, const char *directory, struct stat *found,
                      char path[]) {
  snprintf(path, REQUEST_PATH_MAX + 16, "%s%sindex.html", directory, *directory ? "/" : "");
  return open_file(site, path, found);
}

static void choose_bytes(const struct request *request, struct answer *answer) {
  int64_t first = request->range_first, last = request->range_last, size = answer->size;
  answer->status = 200;
  answer->first = 0;
  answer->end = size;
  if (request->modified_since > 0 && answer->modified <= request->modified_since)
    answer->status = 304;
  if (answer->status == 304 || (first < 0 && last < 0) ||
      (request->range_if && request->range_if != answer->modified))
    return;
  if (first < 0) {
    first = last < size ? size - last : 0;
    last = last ? size - 1 : -1;
  } else if (last < 0 || last >= size) {
    last = size - 1;
  }
  answer->status = first > last ? 416 : 206;
  answer->first = first;
  answer->end = last + 1;
}

void site_answer(const struct site *site, const struct request *borrowed request,
                 struct answer *borrowed answer) {
  char index[REQUEST_PATH_MAX + 16];
  const char *path = request->path;
  struct stat found;
  *answer = (struct answer){.status = request->status, .file = -1};
  if (answer->status)
    return;
  int file = open_file(site, path, &found);
  if (file >= 0 && S_ISDIR(found.st_mode)) {
    close(file);
    if (!request->ends_in_slash) {
      redirect(answer, path);
      return;
    }
    file = open_index(site, path, &found, index);
    path = index;
  } else if (file >= 0 && *path && request->ends_in_slash) {
    close(file);
    file = -1;
    errno = ENOTDIR;
  }
  if (file < 0) {
    answer->status = status_of_errno();
    return;
  }
  if (!S_ISREG(found.st_mode)) {
    close(file);
    answer->status = 403;
    return;
  }
  answer->size = found.st_size;
  answer->modified = found.st_mtime;
  answer->type = type_of(path);
  choose_bytes(request, answer);
  if (answer->status == 200 || answer->status == 206)
    answer->file = file;
  else
    close(file);
}
