/* SPDX-License-Identifier: MIT */
/* realloc: growing buffers, vectors of numbers and of owners, string builders. */
#include "corpus.h"

struct buffer {
  char *unique data;
  size_t length, capacity;
};

// right
bool buffer_reserve(struct buffer *borrowed b, size_t extra) {
  if (b->length + extra <= b->capacity) return true;
  size_t capacity = (b->length + extra) * 2;
  char *unique old = acre_take(&b->data);
  char *unique data = realloc(old, capacity);
  if (!data) {
    b->data = old;
    return false;
  }
  b->data = data;
  b->capacity = capacity;
  return true;
}

// leak: the old data when there is no memory
bool buffer_reserve_loses(struct buffer *borrowed b, size_t extra) {
  size_t capacity = (b->length + extra) * 2;
  char *unique data = acre_take(&b->data);
  data = realloc(data, capacity);
  if (!data) return false;
  b->data = data;
  b->capacity = capacity;
  return true;
}

// wrong: a pointer into the old data
void buffer_append_self(struct buffer *borrowed b) {
  char *start = b->data;
  char *unique data = realloc(acre_take(&b->data), b->capacity * 2);
  if (!data) return;
  memcpy(data + b->length, start, b->length);
  b->data = data;
}

// right
bool buffer_append(struct buffer *borrowed b, const char *text, size_t n) {
  if (!buffer_reserve(b, n)) return false;
  memcpy(b->data + b->length, text, n);
  b->length += n;
  return true;
}

// right
void buffer_grow_or_die(struct buffer *borrowed b) {
  b->data = realloc(acre_take(&b->data), b->capacity *= 2);
  if (!b->data) abort();
}

// right
void buffer_release(struct buffer *borrowed b) {
  free(acre_take(&b->data));
  b->length = b->capacity = 0;
}

// right
char *unique buffer_steal(struct buffer *borrowed b) {
  b->length = b->capacity = 0;
  return acre_take(&b->data);
}

// wrong: the buffer still has it
char *unique buffer_steal_copy(struct buffer *borrowed b) {
  b->length = 0;
  return b->data;
}

// leak: what the buffer had
void buffer_init_again(struct buffer *borrowed b) {
  free(acre_take(&b->data));
  b->data = malloc(16);
  b->data = malloc(32);
  b->capacity = 32;
}

// right
void buffer_init(struct buffer *acre_out b) {
  b->data = malloc(16);
  b->capacity = b->data ? 16 : 0;
  b->length = 0;
}

// right
int local_buffer(const char *text) {
  struct buffer b = {0};
  if (!buffer_append(&b, text, strlen(text))) {
    buffer_release(&b);
    return -1;
  }
  int n = (int)b.length;
  buffer_release(&b);
  return n;
}

// leak: the local buffer in case of an error
int local_buffer_loses(const char *text) {
  struct buffer b = {0};
  b.data = strdup(text);
  if (!b.data) return -1;
  if (b.data[0] == '#') return 0;
  free(acre_take(&b.data));
  return 1;
}

// wrong: the local buffer is read after its release
int local_buffer_late(const char *text) {
  struct buffer b = {0};
  b.data = strdup(text);
  if (!b.data) return -1;
  const char *p = b.data;
  free(acre_take(&b.data));
  return *p;
}

// right
char *unique read_all(FILE *in) {
  size_t used = 0, size = 1024;
  char *unique text = malloc(size);
  if (!text) return NULL;
  for (;;) {
    size_t n = fread(text + used, 1, size - used, in);
    used += n;
    if (used < size) break;
    char *unique more = realloc(text, size *= 2);
    if (!more) {
      free(text);
      return NULL;
    }
    text = more;
  }
  text[used] = '\0';
  return text;
}

// leak: the text when it cannot grow
char *unique read_all_loses(FILE *in) {
  size_t used = 0, size = 1024;
  char *unique text = malloc(size);
  if (!text) return NULL;
  for (;;) {
    size_t n = fread(text + used, 1, size - used, in);
    used += n;
    if (used < size) break;
    text = realloc(text, size *= 2);
    if (!text) return NULL;
  }
  return text;
}

// wrong: writes through a pointer into the old block
char *unique read_all_cursor(FILE *in) {
  size_t size = 1024;
  char *unique text = malloc(size);
  if (!text) return NULL;
  char *at = text;
  int c;
  while ((c = getc(in)) != EOF) {
    if (at == text + size) {
      char *unique more = realloc(text, size *= 2);
      if (!more) {
        free(text);
        return NULL;
      }
      text = more;
    }
    *at++ = (char)c;
  }
  return text;
}

// right
char *unique read_all_offset(FILE *in) {
  size_t size = 64, at = 0;
  char *unique text = malloc(size);
  int c;
  while (text && (c = getc(in)) != EOF) {
    if (at + 1 == size) {
      char *unique more = realloc(text, size *= 2);
      if (!more) {
        free(text);
        return NULL;
      }
      text = more;
    }
    text[at++] = (char)c;
  }
  if (text) text[at] = '\0';
  return text;
}

struct vector {
  char *unique *unique items;
  size_t count, capacity;
};

// right
bool vector_add(struct vector *borrowed v, char *unique item) {
  if (v->count == v->capacity) {
    size_t capacity = v->capacity ? v->capacity * 2 : 8;
    char *unique *unique old = acre_take(&v->items);
    char *unique *unique items = realloc(old, capacity * sizeof *items);
    if (!items) {
      v->items = old;
      free(item);
      return false;
    }
    v->items = items;
    v->capacity = capacity;
  }
  v->items[v->count++] = item;
  return true;
}

// leak: the item when there is no memory
bool vector_add_loses(struct vector *borrowed v, char *unique item) {
  if (v->count == v->capacity) return false;
  v->items[v->count++] = item;
  return true;
}

// wrong: the item is in the vector and freed
bool vector_add_frees(struct vector *borrowed v, char *unique item) {
  if (v->count < v->capacity) v->items[v->count++] = item;
  free(item);
  return true;
}

// right
void vector_free(struct vector *borrowed v) {
  for (size_t i = 0; i < v->count; i++) free(acre_take(&v->items[i]));
  free(acre_take(&v->items));
  v->count = v->capacity = 0;
}

// right
void vector_free_drop(struct vector *borrowed v) {
  acre_drop_array(acre_take(&v->items), v->count);
  v->count = v->capacity = 0;
}

// wrong: elements after the array
void vector_free_order(struct vector *borrowed v) {
  char *unique *unique items = acre_take(&v->items);
  free(items);
  for (size_t i = 0; i < v->count; i++) free(acre_take(&items[i]));
}

// right
char *unique vector_pop(struct vector *borrowed v) {
  return v->count ? acre_take(&v->items[--v->count]) : NULL;
}

// wrong: two owners
char *unique vector_last(struct vector *borrowed v) {
  return v->count ? v->items[v->count - 1] : NULL;
}

// right
const char *borrowed vector_at(const struct vector *borrowed v, size_t i) {
  return i < v->count ? v->items[i] : NULL;
}

// right
void vector_remove(struct vector *borrowed v, size_t i) {
  free(acre_take(&v->items[i]));
  for (; i + 1 < v->count; i++) v->items[i] = acre_take(&v->items[i + 1]);
  v->count--;
}

// wrong: shifts owners by memmove
void vector_remove_moved(struct vector *borrowed v, size_t i) {
  free(acre_take(&v->items[i]));
  memmove(&v->items[i], &v->items[i + 1], (v->count - i - 1) * sizeof v->items[0]);
  v->count--;
}

// leak: the element
void vector_remove_loses(struct vector *borrowed v, size_t i) {
  char *unique gone = acre_take(&v->items[i]);
  v->items[i] = acre_take(&v->items[--v->count]);
  note(gone != NULL);
}

// right
void vector_set(struct vector *borrowed v, size_t i, char *unique item) {
  free(acre_swap(&v->items[i], item));
}

// right
void vector_swap(struct vector *borrowed v, size_t i, size_t j) {
  char *unique t = acre_take(&v->items[i]);
  v->items[i] = acre_take(&v->items[j]);
  v->items[j] = t;
}

// wrong: the element is copied, then overwritten
void vector_swap_plain(struct vector *borrowed v, size_t i, size_t j) {
  char *unique t = v->items[i];
  v->items[i] = v->items[j];
  v->items[j] = t;
}

// right
char *unique vector_join(const struct vector *borrowed v) {
  size_t total = 1;
  for (size_t i = 0; i < v->count; i++) total += strlen(v->items[i]);
  char *unique text = malloc(total);
  if (!text) return NULL;
  char *at = text;
  for (size_t i = 0; i < v->count; i++) at = stpcpy(at, v->items[i]);
  *at = '\0';
  return text;
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

// right
void vector_sort(struct vector *borrowed v) {
  qsort(v->items, v->count, sizeof *v->items, by_text);
}

// right
int *unique squares(size_t n) {
  int *unique numbers = calloc(n, sizeof *numbers);
  if (!numbers) return NULL;
  for (size_t i = 0; i < n; i++) numbers[i] = (int)(i * i);
  return numbers;
}

// leak: numbers if there are too many
int sum_squares(size_t n) {
  int *unique numbers = squares(n);
  if (!numbers) return -1;
  int total = 0;
  for (size_t i = 0; i < n; i++) {
    total += numbers[i];
    if (total < 0) return -1;
  }
  free(numbers);
  return total;
}

// wrong: freed inside of the loop
int sum_squares_freed(size_t n) {
  int *unique numbers = squares(n);
  if (!numbers) return -1;
  int total = 0;
  for (size_t i = 0; i < n; i++) {
    total += numbers[i];
    if (total > 1000) free(numbers);
  }
  return total;
}

// right
char *unique append(char *unique text, const char *more) {
  size_t a = text ? strlen(text) : 0, b = strlen(more);
  char *unique longer = realloc(text, a + b + 1);
  if (!longer) {
    free(text);
    return NULL;
  }
  memcpy(longer + a, more, b + 1);
  return longer;
}

// leak: the text when it cannot grow
char *unique append_loses(char *unique text, const char *more) {
  size_t a = strlen(text), b = strlen(more);
  char *unique longer = realloc(text, a + b + 1);
  if (!longer) return NULL;
  memcpy(longer + a, more, b + 1);
  return longer;
}

// wrong: frees the text that realloc took
char *unique append_frees(char *unique text, const char *more) {
  size_t a = strlen(text), b = strlen(more);
  char *unique longer = realloc(text, a + b + 1);
  free(text);
  if (longer) memcpy(longer + a, more, b + 1);
  return longer;
}

// right
void print_all(const char *const *borrowed words, size_t n) {
  char *unique all = NULL;
  for (size_t i = 0; i < n; i++) all = append(all, words[i]);
  if (all) puts(all);
  free(all);
}

// right
bool matrix_new(double *unique *borrowed rows, size_t n) {
  for (size_t i = 0; i < n; i++) {
    free(acre_take(&rows[i]));
    rows[i] = calloc(n, sizeof(double));
    if (!rows[i]) return false;
  }
  return true;
}

// right
double trace(size_t n) {
  double *unique *unique rows = calloc(n, sizeof *rows);
  if (!rows) return 0;
  double total = 0;
  if (matrix_new(rows, n))
    for (size_t i = 0; i < n; i++) total += rows[i][i];
  for (size_t i = 0; i < n; i++) free(acre_take(&rows[i]));
  free(rows);
  return total;
}
