/* SPDX-License-Identifier: MIT */
/* Archives, patches, tables of cells, templates, codes and numbers: right, wrong and leaking. */
#include "corpus.h"

// right
struct entry {
  char *unique name;
  uint8_t *unique extra;
  long offset;
  size_t size, extra_size;
};
struct archive {
  FILE *unique file;
  struct entry *unique entries;
  size_t count, room;
  char *unique comment;
};
struct hunk {
  struct hunk *unique next;
  unsigned from, length;
  char *unique *unique lines;
  size_t line_count;
};
struct patch {
  char *unique old_name, *unique new_name;
  struct hunk *unique hunks;
  struct patch *unique next;
};
struct cell {
  char *unique source;
  double value;
  struct reference *unique uses;
};
struct reference {
  unsigned row, column;
  struct reference *unique next;
};
struct sheet {
  struct cell *unique *unique *unique rows;
  unsigned height, width;
};
struct code {
  unsigned weight;
  int symbol;
  struct code *unique zero, *unique one;
};
struct number {
  uint32_t *unique digits;
  size_t count;
  bool negative;
};
struct term {
  int power, factor;
  struct term *unique next;
};
struct slot {
  char *unique name;
  char *unique text;
  struct slot *unique next;
};
struct template {
  struct slot *unique slots;
  struct template *unique parent;
};
uint32_t read32(FILE *borrowed in);
void code_free(struct code *unique c);
void patch_free(struct patch *unique p);
void cell_free(struct cell *unique c);
double evaluate(const struct sheet *borrowed s, const char *borrowed source);
bool matches(const char *borrowed line, const char *borrowed other);

// right
struct archive *unique archive_open(const char *path) {
  struct archive *unique a = calloc(1, sizeof *a);
  if (!a) return NULL;
  if (!(a->file = fopen(path, "rb"))) goto no_file;
  uint32_t count = read32(a->file);
  if (count > 65535) goto no_entries;
  a->entries = calloc(count, sizeof *a->entries);
  if (!a->entries) goto no_entries;
  a->room = count;
  for (; a->count < count; a->count++) {
    struct entry *e = &a->entries[a->count];
    uint32_t length = read32(a->file);
    e->name = malloc(length + 1);
    if (!e->name || fread(e->name, 1, length, a->file) != length) goto no_name;
    e->name[length] = 0;
    e->offset = (long)read32(a->file);
  }
  return a;
no_name:
  for (size_t i = 0; i <= a->count; i++) free(acre_take(&a->entries[i].name));
  free(acre_take(&a->entries));
no_entries:
  fclose(acre_take(&a->file));
no_file:
  free(a);
  return NULL;
}

// leak: the names, where one cannot be read
bool archive_read(struct archive *borrowed a) {
  uint32_t count = read32(a->file);
  char *unique *unique names = calloc(count, sizeof *names);
  if (!names) return false;
  for (uint32_t i = 0; i < count; i++) {
    names[i] = malloc(64);
    if (!names[i]) return false;
  }
  for (uint32_t i = 0; i < count; i++) free(acre_take(&names[i]));
  free(names);
  return true;
}

// right
void archive_remove(struct archive *borrowed a, const char *prefix) {
  size_t kept = 0, length = strlen(prefix);
  for (size_t i = 0; i < a->count; i++) {
    struct entry *e = &a->entries[i];
    if (strncmp(e->name, prefix, length) == 0) {
      free(acre_take(&e->name));
      free(acre_take(&e->extra));
      continue;
    }
    if (kept != i) {
      a->entries[kept].name = acre_take(&e->name);
      a->entries[kept].extra = acre_take(&e->extra);
      a->entries[kept].offset = e->offset;
    }
    kept++;
  }
  a->count = kept;
}

// leak: the extra bytes of the entries that are removed
void archive_remove_names(struct archive *borrowed a, const char *name) {
  size_t kept = 0;
  for (size_t i = 0; i < a->count; i++) {
    if (strcmp(a->entries[i].name, name) == 0) {
      free(acre_take(&a->entries[i].name));
      continue;
    }
    a->entries[kept].name = acre_take(&a->entries[i].name);
    a->entries[kept].extra = acre_take(&a->entries[i].extra);
    kept++;
  }
  a->count = kept;
}

// right
uint8_t *unique archive_extract(struct archive *borrowed a, const char *name, size_t *size) {
  for (size_t i = 0; i < a->count; i++) {
    const struct entry *e = &a->entries[i];
    if (strcmp(e->name, name) != 0) continue;
    if (fseek(a->file, e->offset, SEEK_SET) < 0) return NULL;
    uint8_t *unique bytes = malloc(e->size ? e->size : 1);
    if (bytes && fread(bytes, 1, e->size, a->file) == e->size) {
      *size = e->size;
      return bytes;
    }
    free(bytes);
    return NULL;
  }
  return NULL;
}

// wrong: the name of an entry after the entries have grown
const char *borrowed archive_add(struct archive *borrowed a, const char *name) {
  struct entry *last = a->count ? &a->entries[a->count - 1] : NULL;
  struct entry *unique more = realloc(acre_take(&a->entries), (a->count + 1) * sizeof *more);
  if (!more) abort();
  memset(&more[a->count], 0, sizeof *more);
  more[a->count].name = strdup(name);
  a->entries = more;
  a->count++;
  return last ? last->name : "";
}

// right (known: the loop ends only behind a line that was stored)
struct hunk *unique hunk_read(FILE *borrowed in, unsigned count) {
  struct hunk *unique h = calloc(1, sizeof *h);
  char *unique line = NULL;
  size_t room = 0;
  if (!h || !(h->lines = calloc(count, sizeof *h->lines))) goto fail;
  while (h->line_count < count) {
    if (getline(&line, &room, in) < 0) goto fail;
    if (*line == '\\') continue;
    h->lines[h->line_count++] = line;
    line = NULL;
    room = 0;
  }
  return h;
fail:
  free(line);
  if (h) {
    while (h->line_count > 0) free(acre_take(&h->lines[--h->line_count]));
    free(acre_take(&h->lines));
    free(h);
  }
  return NULL;
}

// leak: the line that was read last
struct hunk *unique hunk_read_one(FILE *borrowed in) {
  struct hunk *unique h = calloc(1, sizeof *h);
  char *unique line = NULL;
  size_t room = 0;
  if (!h) return NULL;
  if (getline(&line, &room, in) < 0 || *line != '@') {
    free(h);
    return NULL;
  }
  h->from = (unsigned)strtoul(line + 1, NULL, 10);
  free(line);
  return h;
}

// right
struct patch *unique patches_reverse(struct patch *unique p) {
  struct patch *unique reversed = NULL;
  while (p) {
    struct patch *unique rest = acre_take(&p->next);
    char *unique old = acre_take(&p->old_name);
    p->old_name = acre_take(&p->new_name);
    p->new_name = old;
    p->next = reversed;
    reversed = p;
    p = rest;
  }
  return reversed;
}

// wrong: the patch is used after it was put on the list
struct patch *unique patches_reverse_last(struct patch *unique p) {
  struct patch *unique reversed = NULL;
  while (p) {
    p->next = reversed;
    reversed = p;
    p = acre_take(&p->next);
  }
  return reversed;
}

// right
bool hunk_apply(const struct hunk *borrowed h, char *unique *borrowed lines, size_t count) {
  if (h->from + h->length > count) return false;
  for (size_t i = 0; i < h->line_count && i < h->length; i++) {
    if (h->lines[i][0] == ' ') {
      if (!matches(lines[h->from + i], h->lines[i] + 1)) return false;
    } else {
      char *unique fresh = strdup(h->lines[i] + 1);
      if (!fresh) return false;
      free(acre_swap(&lines[h->from + i], fresh));
    }
  }
  return true;
}

// leak: the lines that are replaced
bool hunk_apply_over(const struct hunk *borrowed h, char *unique *borrowed lines, size_t count) {
  for (size_t i = 0; i < h->line_count && h->from + i < count; i++) {
    char *unique fresh = strdup(h->lines[i]);
    if (!fresh) return false;
    lines[h->from + i] = fresh;
  }
  return true;
}

// right
struct cell *borrowed sheet_cell(struct sheet *borrowed s, unsigned row, unsigned column) {
  if (row >= s->height || column >= s->width) return NULL;
  if (!s->rows[row]) {
    s->rows[row] = calloc(s->width, sizeof *s->rows[row]);
    if (!s->rows[row]) return NULL;
  }
  if (!s->rows[row][column]) s->rows[row][column] = calloc(1, sizeof(struct cell));
  return s->rows[row][column];
}

// right
bool sheet_set(struct sheet *borrowed s, unsigned row, unsigned column, const char *source) {
  struct cell *c = sheet_cell(s, row, column);
  if (!c) return false;
  char *unique copy = *source ? strdup(source) : NULL;
  free(acre_swap(&c->source, copy));
  acre_drop(acre_take(&c->uses));
  return c->source || !*source;
}

// wrong: the source is compared after it was replaced
bool sheet_change(struct sheet *borrowed s, unsigned row, unsigned column, const char *source) {
  struct cell *c = sheet_cell(s, row, column);
  if (!c) return false;
  const char *before = c->source;
  free(acre_swap(&c->source, strdup(source)));
  return before && strcmp(before, source) != 0;
}

// right
void sheet_insert_row(struct sheet *borrowed s, unsigned at) {
  struct cell *unique *unique last = acre_take(&s->rows[s->height - 1]);
  for (unsigned row = s->height - 1; row > at; row--) s->rows[row] = acre_take(&s->rows[row - 1]);
  if (last)
    for (unsigned column = 0; column < s->width; column++)
      if (last[column]) cell_free(acre_take(&last[column]));
  s->rows[at] = last;
}

// leak: the last row
void sheet_insert_row_lost(struct sheet *borrowed s, unsigned at) {
  for (unsigned row = s->height - 1; row > at; row--) s->rows[row] = acre_take(&s->rows[row - 1]);
}

// right
bool cell_refer(struct cell *borrowed c, unsigned row, unsigned column) {
  struct reference *unique *at = &c->uses;
  while (*at && ((*at)->row < row || ((*at)->row == row && (*at)->column < column)))
    at = &(*at)->next;
  if (*at && (*at)->row == row && (*at)->column == column) return false;
  struct reference *unique r = calloc(1, sizeof *r);
  if (!r) return false;
  r->row = row;
  r->column = column;
  r->next = acre_take(at);
  *at = r;
  return true;
}

// leak: the references behind the new one
bool cell_refer_last(struct cell *borrowed c, unsigned row) {
  struct reference *unique *at = &c->uses;
  while (*at && (*at)->row < row) at = &(*at)->next;
  struct reference *unique r = calloc(1, sizeof *r);
  if (!r) return false;
  r->row = row;
  *at = r;
  return true;
}

// right
struct code *unique huffman(const unsigned *weights, int count) {
  struct code *unique *unique heap = calloc((size_t)count, sizeof *heap);
  struct code *unique whole = NULL;
  int used = 0;
  if (!heap) return NULL;
  for (int i = 0; i < count; i++) {
    if (!weights[i]) continue;
    struct code *unique leaf = calloc(1, sizeof *leaf);
    if (!leaf) goto out;
    leaf->weight = weights[i];
    leaf->symbol = i;
    heap[used++] = leaf;
  }
  while (used > 1) {
    struct code *unique both = calloc(1, sizeof *both);
    if (!both) goto out;
    both->zero = acre_take(&heap[--used]);
    both->one = acre_take(&heap[--used]);
    both->weight = both->zero->weight + both->one->weight;
    int at = used++;
    for (; at > 0 && heap[at - 1]->weight < both->weight; at--) heap[at] = acre_take(&heap[at - 1]);
    heap[at] = both;
  }
  if (used == 1) whole = acre_take(&heap[0]);
out:
  while (used > 0) {
    struct code *unique left = acre_take(&heap[--used]);
    if (left) code_free(left);
  }
  free(heap);
  return whole;
}

// right
int decode(const struct code *borrowed c, const uint8_t *bits, size_t *at) {
  while (c->zero) {
    c = bits[*at / 8] >> (*at % 8) & 1 ? c->one : c->zero;
    ++*at;
  }
  return c->symbol;
}

// wrong: the children are weighed after they were given away
struct code *unique code_pair(struct code *unique a, struct code *unique b) {
  struct code *unique both = calloc(1, sizeof *both);
  if (!both) {
    code_free(a);
    code_free(b);
    return NULL;
  }
  both->zero = a;
  both->one = b;
  both->weight = a->weight + b->weight;
  return both;
}

// right
static struct number number_of(uint32_t value) {
  struct number n = {.digits = calloc(1, sizeof *n.digits)};
  if (n.digits) {
    n.digits[0] = value;
    n.count = 1;
  }
  return n;
}

// right
bool number_add(struct number *borrowed a, const struct number *borrowed b) {
  size_t count = (a->count > b->count ? a->count : b->count) + 1;
  uint32_t *unique sum = calloc(count, sizeof *sum);
  if (!sum) return false;
  uint64_t carry = 0;
  for (size_t i = 0; i < count; i++) {
    carry += i < a->count ? a->digits[i] : 0;
    carry += i < b->count ? b->digits[i] : 0;
    sum[i] = (uint32_t)carry;
    carry >>= 32;
  }
  while (count > 1 && !sum[count - 1]) count--;
  free(acre_swap(&a->digits, sum));
  a->count = count;
  return true;
}

// right
int number_compare_to(uint32_t value, const struct number *borrowed other) {
  struct number n = number_of(value);
  int result = n.count < other->count ? -1 : n.count > other->count;
  if (!result && n.digits) result = n.digits[0] < other->digits[0] ? -1 : 1;
  free(acre_take(&n.digits));
  return result;
}

// leak: the digits, where the counts differ
int number_differs(uint32_t value, const struct number *borrowed other) {
  struct number n = number_of(value);
  if (n.count != other->count) return 1;
  int result = n.digits[0] != other->digits[0];
  free(acre_take(&n.digits));
  return result;
}

// right
struct term *unique polynomial_add(struct term *unique a, struct term *unique b) {
  struct term *unique sum = NULL, *unique *end = &sum;
  while (a && b) {
    if (a->power == b->power) {
      struct term *unique rest = acre_take(&b->next);
      a->factor += b->factor;
      free(b);
      b = rest;
      continue;
    }
    struct term *unique first = NULL;
    if (a->power > b->power) {
      first = a;
      a = acre_take(&first->next);
    } else {
      first = b;
      b = acre_take(&first->next);
    }
    *end = first;
    end = &(*end)->next;
  }
  *end = a ? a : b;
  return sum;
}

// leak: the rest of the longer one
struct term *unique polynomial_zip(struct term *unique a, struct term *unique b) {
  struct term *unique sum = NULL;
  while (a && b) {
    struct term *unique rest = acre_take(&a->next), *unique other = acre_take(&b->next);
    a->factor += b->factor;
    free(b);
    a->next = sum;
    sum = a;
    a = rest;
    b = other;
  }
  return sum;
}

// right
const char *borrowed template_get(const struct template *borrowed t,
                                  const char *name __attribute__((noescape))) {
  for (; t; t = t->parent)
    for (const struct slot *s = t->slots; s; s = s->next)
      if (!strcmp(s->name, name)) return s->text;
  return NULL;
}

// right
char *unique template_expand(const struct template *borrowed t, const char *source) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out) return NULL;
  while (*source) {
    const char *open = strstr(source, "{{");
    const char *close = open ? strstr(open, "}}") : NULL;
    if (!close) break;
    fwrite(source, 1, (size_t)(open - source), out);
    char *unique name = strndup(open + 2, (size_t)(close - open) - 2);
    if (!name) {
      fclose(out);
      free(text);
      return NULL;
    }
    const char *value = template_get(t, name);
    if (value) fputs(value, out);
    free(name);
    source = close + 2;
  }
  fputs(source, out);
  fclose(out);
  return text;
}

// leak: the text that was written, where a name is not known
char *unique template_expand_known(const struct template *borrowed t, const char *name) {
  char *unique text = NULL;
  size_t size = 0;
  FILE *unique out = open_memstream(&text, &size);
  if (!out) return NULL;
  const char *value = template_get(t, name);
  if (value) fputs(value, out);
  fclose(out);
  return value ? text : NULL;
}

// right
struct template *unique template_push(struct template *unique parent) {
  struct template *unique t = calloc(1, sizeof *t);
  if (!t) return parent;
  t->parent = parent;
  return t;
}

// right
struct template *unique template_pop(struct template *unique t) {
  struct template *unique parent = acre_take(&t->parent);
  acre_drop(t);
  return parent;
}

// wrong: the slot is a part of the template that was dropped
struct template *unique template_pop_told(struct template *unique t) {
  const struct slot *first = t->slots;
  struct template *unique parent = acre_take(&t->parent);
  acre_drop(t);
  if (first) puts(first->name);
  return parent;
}
