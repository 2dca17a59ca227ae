/* SPDX-License-Identifier: MIT */
/* Ways out in case of errors: goto fail, nested frees, flags, files and sockets beside memory. */
#include "corpus.h"

struct config {
  char *unique host;
  char *unique user;
  int port;
};

struct config *unique config_alloc(void);
bool parse_pair(const char *borrowed line, char *unique *acre_out key,
                char *unique *acre_out value);

// right
struct config *unique config_load(const char *path) {
  struct config *unique c = NULL;
  char *unique line = NULL;
  size_t size = 0;
  FILE *in = fopen(path, "r");
  if (!in) return NULL;
  c = calloc(1, sizeof *c);
  if (!c) goto out;
  while (getline(&line, &size, in) > 0) {
    if (strncmp(line, "host=", 5) == 0) {
      free(acre_swap(&c->host, strdup(line + 5)));
      if (!c->host) goto fail;
    } else if (strncmp(line, "port=", 5) == 0) {
      c->port = atoi(line + 5);
    }
  }
  goto out;
fail:
  acre_drop(acre_take(&c));
out:
  free(line);
  fclose(in);
  return c;
}

// wrong: c is returned after the drop
struct config *unique config_load_dropped(const char *path) {
  struct config *unique c = NULL;
  FILE *in = fopen(path, "r");
  if (!in) return NULL;
  c = calloc(1, sizeof *c);
  if (!c) goto out;
  c->host = strdup(path);
  if (!c->host) goto fail;
  goto out;
fail:
  acre_drop(c);
out:
  fclose(in);
  return c;
}

// leak: the line
struct config *unique config_load_line(const char *path) {
  struct config *unique c = calloc(1, sizeof *c);
  char *unique line = NULL;
  size_t size = 0;
  FILE *in = fopen(path, "r");
  if (!in || !c) goto fail;
  if (getline(&line, &size, in) < 0) goto fail;
  free(line);
  fclose(in);
  return c;
fail:
  if (in) fclose(in);
  acre_drop(c);
  return NULL;
}

// right
int copy_file(const char *from, const char *to) {
  int result = -1;
  FILE *out = NULL;
  char *unique buffer = malloc(4096);
  FILE *in = fopen(from, "r");
  if (!in || !buffer) goto done;
  out = fopen(to, "w");
  if (!out) goto done;
  size_t n;
  while ((n = fread(buffer, 1, 4096, in)) > 0)
    if (fwrite(buffer, 1, n, out) != n) goto done;
  result = 0;
done:
  if (out) fclose(out);
  if (in) fclose(in);
  free(buffer);
  return result;
}

// leak: the buffer when the output cannot be opened
int copy_file_loses(const char *from, const char *to) {
  char *unique buffer = malloc(4096);
  if (!buffer) return -1;
  FILE *in = fopen(from, "r");
  if (!in) {
    free(buffer);
    return -1;
  }
  FILE *out = fopen(to, "w");
  if (!out) {
    fclose(in);
    return -1;
  }
  size_t n = fread(buffer, 1, 4096, in);
  fwrite(buffer, 1, n, out);
  fclose(out);
  fclose(in);
  free(buffer);
  return 0;
}

// wrong: the buffer is freed at both labels
int copy_file_twice(const char *from) {
  char *unique buffer = malloc(4096);
  if (!buffer) return -1;
  FILE *in = fopen(from, "r");
  if (!in) goto fail_open;
  if (fread(buffer, 1, 4096, in) == 0) goto fail_read;
  free(buffer);
  fclose(in);
  return 0;
fail_read:
  free(buffer);
  fclose(in);
fail_open:
  free(buffer);
  return -1;
}

// right
int three_buffers(size_t n) {
  char *unique a = malloc(n);
  if (!a) goto fail_a;
  char *unique b = malloc(n);
  if (!b) goto fail_b;
  char *unique c = malloc(n);
  if (!c) goto fail_c;
  memset(a, 0, n);
  memcpy(b, a, n);
  memcpy(c, b, n);
  free(c);
  free(b);
  free(a);
  return 0;
fail_c:
  free(b);
fail_b:
  free(a);
fail_a:
  return -ENOMEM;
}

// leak: labels in the wrong order
int three_buffers_order(size_t n) {
  char *unique a = malloc(n);
  if (!a) return -ENOMEM;
  char *unique b = malloc(n);
  if (!b) goto fail_a;
  char *unique c = malloc(n);
  if (!c) goto fail_a;
  memcpy(c, b, n);
  free(c);
  free(b);
fail_a:
  free(a);
  return 0;
}

// wrong: c is freed where it was never made
int three_buffers_unset(size_t n) {
  char *unique a = malloc(n), *unique b;
  if (!a) goto fail;
  b = malloc(n);
  if (!b) goto fail;
  memcpy(b, a, n);
fail:
  free(b);
  free(a);
  return 0;
}

// right
int parse_settings(FILE *in, struct config *borrowed c) {
  char line[256];
  while (fgets(line, sizeof line, in)) {
    char *unique key = NULL, *unique value = NULL;
    if (!parse_pair(line, &key, &value)) {
      free(key);
      free(value);
      return -1;
    }
    if (strcmp(key, "host") == 0) {
      free(acre_swap(&c->host, value));
    } else if (strcmp(key, "user") == 0) {
      free(acre_swap(&c->user, value));
    } else {
      free(value);
    }
    free(key);
  }
  return 0;
}

// leak: a value of an unknown key
int parse_settings_loses(FILE *in, struct config *borrowed c) {
  char line[256];
  while (fgets(line, sizeof line, in)) {
    char *unique key = NULL, *unique value = NULL;
    if (!parse_pair(line, &key, &value)) return -1;
    if (strcmp(key, "host") == 0) free(acre_swap(&c->host, value));
    free(key);
  }
  return 0;
}

// wrong: the key is compared after it was freed
int parse_settings_late(FILE *in, struct config *borrowed c) {
  char line[256];
  while (fgets(line, sizeof line, in)) {
    char *unique key = NULL, *unique value = NULL;
    if (!parse_pair(line, &key, &value)) return -1;
    free(key);
    if (strcmp(key, "host") == 0)
      free(acre_swap(&c->host, value));
    else
      free(value);
  }
  return 0;
}

// right
int flagged(bool verbose) {
  bool made = false;
  char *unique text = NULL;
  if (verbose) {
    text = make();
    made = text != NULL;
  }
  if (made) look(text);
  free(text);
  return 0;
}

// right
int resource_loop(int tries) {
  char *unique got = NULL;
  for (int i = 0; i < tries && !got; i++) got = make();
  if (!got) return -1;
  look(got);
  free(got);
  return 0;
}

// leak: all but the last
int resource_loop_loses(int tries) {
  char *unique got = NULL;
  for (int i = 0; i < tries; i++) got = make();
  free(got);
  return 0;
}

// wrong: freed in the loop and behind it
int resource_loop_twice(int tries) {
  char *unique got = make();
  for (int i = 0; i < tries; i++) {
    if (got) look(got);
    if (cond()) free(got);
  }
  free(got);
  return 0;
}

// right
int config_check(struct config *unique c) {
  int r = 0;
  if (!c) return -1;
  if (!c->host) r = -EINVAL;
  else if (!c->user) r = -EPERM;
  acre_drop(c);
  return r;
}

// leak: in the first case
int config_check_loses(struct config *unique c) {
  if (!c) return -1;
  if (!c->host) return -EINVAL;
  acre_drop(c);
  return 0;
}

// wrong: read after the drop
int config_check_late(struct config *unique c) {
  if (!c) return -1;
  acre_drop(c);
  return c->port;
}

// right
bool config_set(struct config *borrowed c, const char *host, const char *user) {
  char *unique h = strdup(host);
  char *unique u = strdup(user);
  if (!h || !u) {
    free(h);
    free(u);
    return false;
  }
  free(acre_swap(&c->host, h));
  free(acre_swap(&c->user, u));
  return true;
}

// leak: the first copy when the second fails
bool config_set_loses(struct config *borrowed c, const char *host, const char *user) {
  char *unique h = strdup(host);
  if (!h) return false;
  char *unique u = strdup(user);
  if (!u) return false;
  free(acre_swap(&c->host, h));
  free(acre_swap(&c->user, u));
  return true;
}

// wrong: h went into the configuration
bool config_set_undo(struct config *borrowed c, const char *host, const char *user) {
  char *unique h = strdup(host);
  if (!h) return false;
  free(acre_swap(&c->host, h));
  char *unique u = strdup(user);
  if (!u) {
    free(h);
    return false;
  }
  free(acre_swap(&c->user, u));
  return true;
}

// right
void die_or_use(void) {
  char *unique p = make();
  if (!p) {
    perror("make");
    exit(1);
  }
  look(p);
  free(p);
}

// right
void die_holding(const char *why) {
  char *unique p = make();
  if (!p) abort();
  if (!why) {
    fprintf(stderr, "%s\n", p);
    exit(2);
  }
  free(p);
}

// right
int nested(void) {
  int r = -1;
  char *unique a = make();
  if (a) {
    char *unique b = make();
    if (b) {
      char *unique c = make();
      if (c) {
        r = strcmp(a, b) + strcmp(b, c);
        free(c);
      }
      free(b);
    }
    free(a);
  }
  return r;
}

// leak: b, inside
int nested_loses(void) {
  int r = -1;
  char *unique a = make();
  if (a) {
    char *unique b = make();
    if (b) {
      char *unique c = make();
      if (c) {
        r = strcmp(a, b);
        free(c);
        free(b);
      }
    }
    free(a);
  }
  return r;
}

// wrong: the inner block frees the outer's
int nested_frees(void) {
  char *unique a = make();
  if (!a) return -1;
  {
    char *unique b = make();
    if (!b) free(a);
    free(b);
  }
  int r = *a;
  free(a);
  return r;
}

// right
int do_while_zero(const char *s) {
  int r = -1;
  char *unique a = NULL, *unique b = NULL;
  do {
    a = strdup(s);
    if (!a) break;
    b = strdup(a);
    if (!b) break;
    r = (int)strlen(b);
  } while (0);
  free(a);
  free(b);
  return r;
}

// right
struct config *unique config_two_steps(const char *host) {
  struct config *unique c = config_alloc();
  if (!c) goto fail;
  if (!(c->host = strdup(host))) goto fail;
  if (!(c->user = strdup("nobody"))) goto fail;
  return c;
fail:
  acre_drop(c);
  return NULL;
}

// wrong: uses the result of a failed step
struct config *unique config_two_steps_late(const char *host) {
  struct config *unique c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->host = strdup(host);
  char *h = c->host;
  if (cond()) {
    acre_drop(c);
    puts(h);
    return NULL;
  }
  return c;
}

// right
int switch_exit(int step) {
  char *unique p = make();
  if (!p) return -1;
  switch (step) {
    case 0: free(p); return 0;
    case 1: look(p); break;
    case 2: sink(p); return 2;
    default: puts("?"); break;
  }
  free(p);
  return 1;
}

// leak: in case 0
int switch_exit_loses(int step) {
  char *unique p = make();
  if (!p) return -1;
  switch (step) {
    case 0: return 0;
    case 1: look(p); break;
    default: break;
  }
  free(p);
  return 1;
}

// wrong: case 1 falls through
int switch_exit_falls(int step) {
  char *unique p = make();
  if (!p) return -1;
  switch (step) {
    case 0: break;
    case 1: free(p); /* fallthrough */
    default: look(p); break;
  }
  return 1;
}
