/* SPDX-License-Identifier: MIT */
/* Texts, their lines and their changes, written as nobody had tried them: right, wrong and
 * leaking. */
#include "corpus.h"

struct selection {
  size_t from, to;
  char *unique text;
};
struct change {
  struct change *unique older;
  struct selection before, after;
  bool joined;
};
struct history {
  struct change *unique undo, *unique redo;
  unsigned depth;
};
struct line {
  char *unique bytes;
  size_t size, room;
  unsigned char *unique colours;
};
struct text {
  struct line *unique lines;
  size_t count, room;
  char *unique path;
  struct history history;
  bool dirty;
};
void change_free(struct change *unique c);
int apply(struct text *borrowed t, const struct selection *borrowed s);

/* -- Changes -- */

// right
static void changes_clear(struct change *unique *borrowed stack) {
  while (*stack) {
    struct change *unique top = acre_take(stack);
    *stack = acre_take(&top->older);
    free(acre_take(&top->before.text));
    free(acre_take(&top->after.text));
    free(top);
  }
}

// leak: what was selected after the change
static void changes_clear_half(struct change *unique *borrowed stack) {
  while (*stack) {
    struct change *unique top = acre_take(stack);
    *stack = acre_take(&top->older);
    free(acre_take(&top->before.text));
    free(top);
  }
}

// right
bool history_push(struct history *borrowed h, const char *before, const char *after) {
  struct change *unique c = calloc(1, sizeof *c);
  if (!c) return false;
  c->before.text = strdup(before);
  c->after.text = strdup(after);
  if (!c->before.text || !c->after.text) {
    acre_drop(c);
    return false;
  }
  c->before.to = strlen(before);
  c->after.to = strlen(after);
  c->older = acre_take(&h->undo);
  h->undo = c;
  changes_clear(&h->redo);
  h->depth++;
  return true;
}

// leak: the changes that can be done again
bool history_push_over(struct history *borrowed h, struct change *unique c) {
  c->older = acre_take(&h->undo);
  h->undo = c;
  h->redo = NULL;
  return true;
}

// right
bool history_undo(struct text *borrowed t) {
  struct change *unique c = acre_take(&t->history.undo);
  if (!c) return false;
  t->history.undo = acre_take(&c->older);
  int failed = apply(t, &c->before);
  c->older = acre_take(&t->history.redo);
  t->history.redo = c;
  return !failed;
}

// wrong: the change is applied after it was pushed on the other stack
bool history_undo_late(struct text *borrowed t) {
  struct change *unique c = acre_take(&t->history.undo);
  if (!c) return false;
  t->history.undo = acre_take(&c->older);
  c->older = acre_take(&t->history.redo);
  t->history.redo = c;
  return apply(t, &c->before) == 0;
}

// leak: the change, where it cannot be applied
bool history_undo_failed(struct text *borrowed t) {
  struct change *unique c = acre_take(&t->history.undo);
  if (!c) return false;
  t->history.undo = acre_take(&c->older);
  if (apply(t, &c->before) != 0) return false;
  c->older = acre_take(&t->history.redo);
  t->history.redo = c;
  return true;
}

// right
void history_trim(struct history *borrowed h, unsigned keep) {
  struct change *unique *at = &h->undo;
  for (; *at && keep > 0; keep--) at = &(*at)->older;
  struct change *unique rest = acre_take(at);
  while (rest) {
    struct change *unique older = acre_take(&rest->older);
    change_free(rest);
    rest = older;
    h->depth--;
  }
}

// wrong: the rest is freed by the place that still points to it
void history_trim_in_place(struct history *borrowed h, unsigned keep) {
  struct change *unique *at = &h->undo;
  for (; *at && keep > 0; keep--) at = &(*at)->older;
  change_free(*at);
}

// right
bool history_join(struct history *borrowed h) {
  struct change *unique last = acre_take(&h->undo);
  if (!last) return false;
  struct change *unique first = acre_take(&last->older);
  if (!first) {
    h->undo = last;
    return false;
  }
  free(acre_swap(&first->after.text, acre_take(&last->after.text)));
  first->after.from = last->after.from;
  first->after.to = last->after.to;
  free(acre_take(&last->before.text));
  free(last);
  h->undo = first;
  return true;
}

// leak: the last change, where it is the only one
bool history_join_two(struct history *borrowed h) {
  struct change *unique last = acre_take(&h->undo);
  if (!last) return false;
  struct change *unique first = acre_take(&last->older);
  if (!first) return false;
  free(acre_swap(&first->after.text, acre_take(&last->after.text)));
  change_free(last);
  h->undo = first;
  return true;
}

/* -- Texts -- */

// right
bool line_insert(struct line *borrowed l, size_t at, char c) {
  if (l->size + 1 >= l->room) {
    size_t room = l->room ? l->room * 2 : 16;
    char *unique bytes = realloc(l->bytes, room);
    if (!bytes) return false;
    l->bytes = bytes;
    l->room = room;
  }
  memmove(l->bytes + at + 1, l->bytes + at, l->size - at);
  l->bytes[at] = c;
  l->size++;
  return true;
}

// right
bool text_insert_line(struct text *borrowed t, size_t at, const char *bytes) {
  if (t->count == t->room) {
    size_t room = t->room ? t->room * 2 : 8;
    struct line *unique lines = calloc(room, sizeof *lines);
    if (!lines) return false;
    for (size_t i = 0; i < t->count; i++) {
      lines[i].bytes = acre_take(&t->lines[i].bytes);
      lines[i].colours = acre_take(&t->lines[i].colours);
      lines[i].size = t->lines[i].size;
      lines[i].room = t->lines[i].room;
    }
    free(acre_swap(&t->lines, lines));
    t->room = room;
  }
  char *unique copy = strdup(bytes);
  if (!copy) return false;
  for (size_t i = t->count; i > at; i--) {
    t->lines[i].bytes = acre_take(&t->lines[i - 1].bytes);
    t->lines[i].colours = acre_take(&t->lines[i - 1].colours);
    t->lines[i].size = t->lines[i - 1].size;
  }
  t->lines[at].size = strlen(copy);
  t->lines[at].bytes = copy;
  t->count++;
  t->dirty = true;
  return true;
}

// right
void text_delete_line(struct text *borrowed t, size_t at) {
  free(acre_take(&t->lines[at].bytes));
  free(acre_take(&t->lines[at].colours));
  for (size_t i = at; i + 1 < t->count; i++) {
    t->lines[i].bytes = acre_take(&t->lines[i + 1].bytes);
    t->lines[i].colours = acre_take(&t->lines[i + 1].colours);
    t->lines[i].size = t->lines[i + 1].size;
  }
  t->count--;
}

// leak: the bytes and colours of the line
void text_drop_last(struct text *borrowed t) {
  if (t->count == 0) return;
  struct line *last = &t->lines[t->count - 1];
  last->bytes = NULL;
  last->colours = NULL;
  t->count--;
}

// wrong: the bytes of the second line are used after they were freed
bool text_join(struct text *borrowed t, size_t at) {
  struct line *first = &t->lines[at], *second = &t->lines[at + 1];
  char *unique more = acre_take(&second->bytes);
  if (!more) return false;
  free(more);
  for (size_t i = 0; i < second->size; i++)
    if (!line_insert(first, first->size, more[i])) return false;
  return true;
}

// right
bool text_join_copy(struct text *borrowed t, size_t at) {
  struct line *first = &t->lines[at], *second = &t->lines[at + 1];
  char *unique more = acre_take(&second->bytes);
  bool good = true;
  for (size_t i = 0; more && good && i < second->size; i++)
    good = line_insert(first, first->size, more[i]);
  free(more);
  second->size = 0;
  return good;
}

// right
char *unique text_flatten(const struct text *borrowed t, size_t *size) {
  size_t total = 1;
  for (size_t i = 0; i < t->count; i++) total += t->lines[i].size + 1;
  char *unique all = malloc(total);
  if (!all) return NULL;
  char *to = all;
  for (size_t i = 0; i < t->count; i++) {
    memcpy(to, t->lines[i].bytes, t->lines[i].size);
    to += t->lines[i].size;
    *to++ = '\n';
  }
  *to = 0;
  *size = (size_t)(to - all);
  return all;
}

// right
int text_save(struct text *borrowed t) {
  size_t size;
  char *unique temporary = NULL;
  char *unique all = NULL;
  FILE *unique out = NULL;
  int status = -1;
  if (!t->path || asprintf(&temporary, "%s.new", t->path) < 0) return -1;
  all = text_flatten(t, &size);
  if (!all) goto done;
  out = fopen(temporary, "w");
  if (!out) goto done;
  if (fwrite(all, 1, size, out) != size) goto done;
  if (fclose(acre_take(&out)) != 0) goto done;
  if (rename(temporary, t->path) == 0) {
    t->dirty = false;
    status = 0;
  }
done:
  if (out) fclose(out);
  free(all);
  free(temporary);
  return status;
}

// leak: the stream, where not all is written
int text_save_short(struct text *borrowed t) {
  size_t size;
  char *unique all = text_flatten(t, &size);
  if (!all) return -1;
  FILE *unique out = fopen(t->path, "w");
  if (!out) {
    free(all);
    return -1;
  }
  size_t done = fwrite(all, 1, size, out);
  free(all);
  if (done != size) return -1;
  return fclose(out);
}

// wrong: the stream is closed twice where it cannot be written
int text_save_twice(struct text *borrowed t, const char *bytes) {
  FILE *unique out = fopen(t->path, "w");
  int status = 0;
  if (!out) return -1;
  if (fputs(bytes, out) < 0) {
    status = -1;
    goto close;
  }
  if (fclose(out) != 0) {
    perror(t->path);
    status = -1;
    goto close;
  }
  return 0;
close:
  fclose(out);
  return status;
}

// right
bool text_load(struct text *borrowed t, const char *path) {
  FILE *unique in = fopen(path, "r");
  char *unique line = NULL;
  size_t room = 0;
  bool good = true;
  if (!in) return false;
  while (good && getline(&line, &room, in) != -1) good = text_insert_line(t, t->count, line);
  free(line);
  fclose(in);
  if (good) free(acre_swap(&t->path, strdup(path)));
  return good;
}
