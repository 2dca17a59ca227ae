/* SPDX-License-Identifier: MIT */
/* Mail queue, template engine, mime parts, terminal screen, download manager: right, wrong and
 * leaking. */

// right (known: a case below drops an object with a stream, which is told here)
#include "corpus.h"

struct part {
  char *unique type;
  char *unique body;
  struct part *unique next;
  struct part *unique child;
};

struct mail {
  char *unique from;
  char *unique *unique rcpt;
  size_t nrcpt;
  struct part *unique parts;
  struct mail *unique next;
  int tries;
};

struct spool {
  struct mail *unique head;
  struct mail *unique *tail;
  size_t count;
};

struct var {
  char *unique name, *unique value;
  struct var *unique next;
};

struct scope {
  struct var *unique vars;
  struct scope *unique outer;
};

struct line {
  char *unique cells;
  size_t width;
};

struct screen {
  struct line *unique lines;
  size_t height, width, top;
  char *unique title;
};

enum dstate { D_NEW, D_RUNNING, D_DONE, D_FAILED };

struct download {
  char *unique url;
  char *unique path;
  FILE *unique out;
  enum dstate state;
  struct download *unique next;
};

// right
struct part *unique part_new(const char *borrowed type, char *unique body) {
  struct part *unique p = calloc(1, sizeof *p);
  if (!p || !(p->type = strdup(type))) {
    free(body);
    acre_drop(p);
    return NULL;
  }
  p->body = body;
  return p;
}

// right
size_t part_count(const struct part *borrowed p) {
  size_t n = 0;
  for (; p; p = p->next)
    n += 1 + part_count(p->child);
  return n;
}

// right: children come behind their parent
void part_flatten(struct part *borrowed p) {
  while (p) {
    struct part *unique child = acre_take(&p->child);
    if (child) {
      struct part *unique *end = &child;
      while (*end)
        end = &(*end)->next;
      *end = acre_take(&p->next);
      p->next = acre_take(&child);
    }
    p = p->next;
  }
}

// wrong: the body of b is appended after b was dropped
bool part_merge(struct part *borrowed a) {
  struct part *unique b = acre_take(&a->next);
  if (!b)
    return false;
  const char *more = b->body ? b->body : "";
  size_t n = a->body ? strlen(a->body) : 0, m = strlen(more);
  a->next = acre_take(&b->next);
  acre_drop(b);
  char *unique longer = malloc(n + m + 1);
  if (!longer)
    return false;
  if (n)
    memcpy(longer, a->body, n);
  memcpy(longer + n, more, m + 1);
  free(acre_swap(&a->body, longer));
  return true;
}

// right
int mail_rcpt(struct mail *borrowed m, const char *borrowed address) {
  char *unique copy = strdup(address);
  char *unique *unique list = copy ? realloc(m->rcpt, (m->nrcpt + 1) * sizeof *list) : NULL;
  if (!list) {
    free(copy);
    return -ENOMEM;
  }
  m->rcpt = list;
  m->rcpt[m->nrcpt++] = copy;
  return 0;
}

// right
void mail_free(struct mail *unique m) {
  while (m) {
    struct mail *unique next = acre_take(&m->next);
    for (size_t i = 0; i < m->nrcpt; i++)
      free(acre_take(&m->rcpt[i]));
    acre_drop(m);
    m = next;
  }
}

// leak: the recipients are not freed with their array
void mail_bounce(struct mail *unique m) {
  printf("bounced %s\n", m->from);
  free(acre_take(&m->from));
  free(acre_take(&m->rcpt));
  acre_drop(acre_take(&m->parts));
  acre_drop(acre_take(&m->next));
  free(m);
}

// right: mails for which act returns false go to the end
size_t spool_pass(struct mail *unique *borrowed list, bool (*act)(const struct mail *borrowed m)) {
  struct mail *unique todo = acre_take(list), *unique later = NULL;
  struct mail *unique *end = &later;
  size_t done = 0;
  while (todo) {
    struct mail *unique m = todo;
    todo = acre_take(&m->next);
    if (act(m)) {
      mail_free(m);
      done++;
    } else {
      m->tries++;
      *end = m;
      end = &(*end)->next;
    }
  }
  *list = later;
  return done;
}

// wrong: mail with too many tries is freed in the loop and again behind it
int spool_retry(struct mail *unique *borrowed list) {
  struct mail *unique m = acre_take(list);
  if (!m)
    return 0;
  *list = acre_take(&m->next);
  int r = 0;
  switch (m->tries) {
  case 0:
  case 1:
    m->tries++;
    m->next = acre_take(list);
    *list = m;
    return 1;
  case 9:
    mail_free(m);
    r = -1;
    /* fall through */
  default:
    mail_free(m);
  }
  return r;
}

// leak: the second of two equal mails is unlinked and lost
void spool_dedupe(struct mail *unique *borrowed list) {
  struct mail *unique *p = list;
  while (*p && (*p)->next) {
    if (strcmp((*p)->from, (*p)->next->from) == 0) {
      struct mail *unique twin = acre_take(&(*p)->next);
      (*p)->next = acre_take(&twin->next);
    } else {
      p = &(*p)->next;
    }
  }
}

// right: asks the outer ones, too
const char *borrowed scope_get(const struct scope *borrowed s,
                               const char *name __attribute__((noescape))) {
  for (; s; s = s->outer)
    for (const struct var *v = s->vars; v; v = v->next)
      if (strcmp(v->name, name) == 0)
        return v->value;
  return NULL;
}

// right
bool scope_set(struct scope *borrowed s, const char *borrowed name, const char *borrowed value) {
  struct var *v = s->vars;
  while (v && strcmp(v->name, name) != 0)
    v = v->next;
  char *unique copy = strdup(value);
  if (!copy)
    return false;
  if (v) {
    free(acre_swap(&v->value, copy));
    return true;
  }
  struct var *unique n = calloc(1, sizeof *n);
  char *unique key = strdup(name);
  if (!n || !key) {
    free(n);
    free(key);
    free(copy);
    return false;
  }
  n->name = key;
  n->value = copy;
  n->next = acre_take(&s->vars);
  s->vars = n;
  return true;
}

// wrong: the old value is read after it was replaced
bool scope_append(struct scope *borrowed s, const char *borrowed name) {
  const char *old = scope_get(s, name);
  if (!old)
    return false;
  if (!scope_set(s, name, ""))
    return false;
  return strlen(old) > 0;
}

// right
struct scope *unique scope_push(struct scope *unique outer) {
  struct scope *unique s = calloc(1, sizeof *s);
  if (!s) {
    acre_drop(outer);
    return NULL;
  }
  s->outer = outer;
  return s;
}

// right
struct scope *unique scope_pop(struct scope *unique s) {
  if (!s)
    return NULL;
  struct scope *unique outer = acre_take(&s->outer);
  acre_drop(s);
  return outer;
}

// wrong: a value of the inner scope is handed on after the pop
struct scope *unique scope_leave(struct scope *unique s, const char *borrowed name) {
  const char *value = scope_get(s, name);
  struct scope *unique outer = scope_pop(s);
  if (outer && value)
    scope_set(outer, name, value);
  return outer;
}

// right: ${name} in a template
char *unique expand(const struct scope *borrowed s, const char *borrowed text) {
  char *unique out = NULL;
  size_t size = 0;
  FILE *unique f = open_memstream(&out, &size);
  if (!f)
    return NULL;
  while (*text) {
    if (text[0] == '$' && text[1] == '{') {
      size_t n = strcspn(text + 2, "}");
      char *unique name = strndup(text + 2, n);
      const char *value = name ? scope_get(s, name) : NULL;
      fputs(value ? value : "", f);
      free(name);
      text += n + 2;
      if (*text)
        text++;
    } else {
      putc(*text++, f);
    }
  }
  fclose(f);
  return out;
}

// leak: the first expansion is lost where the second one fails
char *unique expand_twice(const struct scope *borrowed s, const char *borrowed text) {
  char *unique once = expand(s, text);
  if (!once)
    return NULL;
  char *unique both = expand(s, once);
  if (!both)
    return NULL;
  free(once);
  return both;
}

// right
struct screen *unique screen_new(size_t height, size_t width) {
  struct screen *unique s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->lines = calloc(height, sizeof *s->lines);
  if (!s->lines)
    goto fail;
  for (; s->height < height; s->height++) {
    s->lines[s->height].cells = calloc(width + 1, 1);
    if (!s->lines[s->height].cells)
      goto fail;
    s->lines[s->height].width = width;
  }
  s->width = width;
  return s;
fail:
  for (size_t i = 0; i < s->height; i++)
    free(acre_take(&s->lines[i].cells));
  free(acre_take(&s->lines));
  free(s);
  return NULL;
}

// right
bool screen_widen(struct screen *borrowed s, size_t width) {
  for (size_t i = 0; i < s->height; i++) {
    struct line *l = &s->lines[i];
    if (l->width >= width)
      continue;
    char *unique cells = realloc(l->cells, width + 1);
    if (!cells)
      return false;
    memset(cells + l->width, 0, width + 1 - l->width);
    l->cells = cells;
    l->width = width;
  }
  s->width = width;
  return true;
}

// right: the first line becomes the last, emptied
void screen_scroll(struct screen *borrowed s) {
  if (!s->height)
    return;
  char *unique first = acre_take(&s->lines[0].cells);
  size_t width = s->lines[0].width;
  for (size_t i = 1; i < s->height; i++) {
    s->lines[i - 1].cells = acre_take(&s->lines[i].cells);
    s->lines[i - 1].width = s->lines[i].width;
  }
  memset(first, 0, width + 1);
  s->lines[s->height - 1].cells = first;
  s->lines[s->height - 1].width = width;
}

// wrong: from is read after the line was made wider
bool screen_copy_line(struct screen *borrowed s, size_t to, size_t from) {
  const char *text = s->lines[from].cells;
  if (!screen_widen(s, s->width * 2))
    return false;
  memcpy(s->lines[to].cells, text, s->width / 2);
  return true;
}

// leak: a title of null loses the old one
void screen_title(struct screen *borrowed s, const char *borrowed title) {
  if (!title || !*title) {
    s->title = NULL;
    return;
  }
  free(acre_swap(&s->title, strdup(title)));
}

// right
bool download_start(struct download *borrowed d) {
  if (d->state != D_NEW)
    return false;
  FILE *unique f = fopen(d->path, "wb");
  if (!f) {
    d->state = D_FAILED;
    return false;
  }
  FILE *unique old = acre_swap(&d->out, f);
  if (old)
    fclose(old);
  d->state = D_RUNNING;
  return true;
}

// right
int download_finish(struct download *borrowed d) {
  FILE *unique f = acre_take(&d->out);
  if (!f)
    return -EBADF;
  bool bad = ferror(f) != 0;
  if (fclose(f) != 0)
    bad = true;
  d->state = bad ? D_FAILED : D_DONE;
  return bad ? -EIO : 0;
}

// wrong: the stream is closed and then flushed
int download_cancel(struct download *borrowed d) {
  FILE *unique f = acre_take(&d->out);
  if (!f)
    return 0;
  if (d->state == D_RUNNING)
    fclose(f);
  d->state = D_FAILED;
  if (fflush(f) != 0)
    return -1;
  fclose(f);
  return 0;
}

// leak: the stream stays open
void download_drop(struct download *unique d) {
  free(acre_take(&d->url));
  free(acre_take(&d->path));
  free(d);
}

// right: moves what is done to another list
size_t downloads_done(struct download *unique *borrowed from,
                      struct download *unique *borrowed to) {
  size_t n = 0;
  while (*from) {
    if ((*from)->state == D_DONE) {
      struct download *unique d = acre_take(from);
      *from = acre_take(&d->next);
      d->next = acre_take(to);
      *to = d;
      n++;
    } else {
      from = &(*from)->next;
    }
  }
  return n;
}

// wrong: the cursor stands in an object that was dropped
size_t downloads_fail(struct download *unique *borrowed list) {
  size_t n = 0;
  struct download *unique *p = list;
  while (*p) {
    struct download *unique *next = &(*p)->next;
    if ((*p)->state == D_FAILED) {
      struct download *unique d = acre_take(p);
      *p = acre_take(&d->next);
      acre_drop(d);
      n++;
    }
    p = next;
  }
  return n;
}

// right: name of the file that comes last in the alphabet
char *unique newest_file(const char *borrowed dir) {
  DIR *unique d = opendir(dir);
  if (!d)
    return NULL;
  char *unique best = NULL;
  for (struct dirent *e; (e = readdir(d));) {
    if (e->d_name[0] == '.')
      continue;
    if (!best || strcmp(e->d_name, best) > 0) {
      char *unique name = strdup(e->d_name);
      if (!name)
        break;
      free(best);
      best = name;
    }
  }
  closedir(d);
  return best;
}

// wrong: the entry is used after the directory was closed
bool newest_entry(const char *borrowed dir, char *borrowed out, size_t size) {
  DIR *unique d = opendir(dir);
  if (!d)
    return false;
  struct dirent *e = readdir(d);
  closedir(d);
  if (!e)
    return false;
  snprintf(out, size, "%s", e->d_name);
  return true;
}

// leak: of two names the smaller one is lost
char *unique newest_of(const char *borrowed a, const char *borrowed b) {
  char *unique x = newest_file(a), *unique y = newest_file(b);
  if (!x || !y)
    return x ? x : y;
  return strcmp(x, y) > 0 ? x : y;
}
