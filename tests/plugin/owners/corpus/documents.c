/* SPDX-License-Identifier: MIT */
/* Ropes, builders of documents, scanners and arenas, written as nobody had tried them: right, wrong
 * and leaking. */
#include "corpus.h"

enum { SPLIT = 256 };

struct rope {
  struct rope *unique left, *unique right;
  char *unique leaf;
  size_t weight;
};
enum json_kind { JSON_NULL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };
struct json {
  enum json_kind kind;
  union {
    double number;
    char *unique string;
    struct json *unique first;
  } as;
  char *unique key;
  struct json *unique next;
};
struct element {
  char *unique tag;
  char *unique *unique attributes;
  size_t attribute_count;
  struct element *unique child, *unique sibling;
  struct element *parent;
};
struct token {
  int kind;
  char *unique text;
  unsigned line;
};
struct scanner {
  const char *at;
  struct token ahead;
  bool has_ahead;
  char *unique error;
};
struct slab {
  struct slab *unique next;
  size_t used, size;
  char bytes[];
};
struct arena {
  struct slab *unique top;
  size_t total;
};
struct out {
  char *unique text;
  size_t used, room;
  bool failed;
};
void json_free(struct json *unique j);
void element_free(struct element *unique e);
void out_text(struct out *borrowed o, const char *borrowed text);
struct json *unique json_value(struct scanner *borrowed s, int depth);
bool scan(struct scanner *borrowed s, struct token *acre_out t);

/* -- Ropes -- */

// right
struct rope *unique rope_leaf(const char *text, size_t size) {
  struct rope *unique r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->leaf = strndup(text, size);
  if (!r->leaf) {
    free(r);
    return NULL;
  }
  r->weight = size;
  return r;
}

// right
struct rope *unique rope_join(struct rope *unique left, struct rope *unique right) {
  if (!left) return right;
  if (!right) return left;
  struct rope *unique r = calloc(1, sizeof *r);
  if (!r) {
    acre_drop(left);
    acre_drop(right);
    return NULL;
  }
  r->weight = left->weight;
  r->left = left;
  r->right = right;
  return r;
}

// leak: both, where there is no memory
struct rope *unique rope_join_open(struct rope *unique left, struct rope *unique right) {
  struct rope *unique r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->left = left;
  r->right = right;
  return r;
}

// wrong: the weight of the left one is asked for when it has been given away
struct rope *unique rope_join_weight(struct rope *unique left, struct rope *unique right) {
  struct rope *unique r = calloc(1, sizeof *r);
  if (!r) {
    acre_drop(left);
    acre_drop(right);
    return NULL;
  }
  r->left = left;
  r->right = right;
  r->weight = left->weight;
  return r;
}

// right
void rope_split(struct rope *unique r, size_t at, struct rope *unique *acre_out left,
                struct rope *unique *acre_out right) {
  *left = NULL;
  *right = NULL;
  if (!r) return;
  if (r->leaf) {
    *left = rope_leaf(r->leaf, at);
    *right = rope_leaf(r->leaf + at, r->weight - at);
  } else if (at < r->weight) {
    struct rope *unique middle = NULL;
    rope_split(acre_take(&r->left), at, left, &middle);
    *right = rope_join(middle, acre_take(&r->right));
  } else {
    struct rope *unique middle = NULL;
    rope_split(acre_take(&r->right), at - r->weight, &middle, right);
    *left = rope_join(acre_take(&r->left), middle);
  }
  acre_drop(r);
}

// right
int rope_at(const struct rope *borrowed r, size_t at) {
  while (r && !r->leaf) {
    if (at < r->weight) {
      r = r->left;
    } else {
      at -= r->weight;
      r = r->right;
    }
  }
  return r ? r->leaf[at] : -1;
}

// right
struct rope *unique rope_insert(struct rope *unique r, size_t at, const char *text) {
  struct rope *unique left = NULL, *unique right = NULL;
  rope_split(r, at, &left, &right);
  left = rope_join(left, rope_leaf(text, strlen(text)));
  return rope_join(left, right);
}

// leak: what is right of the place
struct rope *unique rope_cut(struct rope *unique r, size_t at) {
  struct rope *unique left = NULL, *unique right = NULL;
  rope_split(r, at, &left, &right);
  return left;
}

// wrong: the rope is looked at after it was split
size_t rope_cut_weight(struct rope *unique r, size_t at) {
  struct rope *unique left = NULL, *unique right = NULL;
  rope_split(r, at, &left, &right);
  acre_drop(left);
  acre_drop(right);
  return r->weight - at;
}

/* -- Documents -- */

// right
struct json *unique json_string(const char *text) {
  struct json *unique j = calloc(1, sizeof *j);
  if (!j) return NULL;
  j->as.string = strdup(text);
  if (!j->as.string) {
    free(j);
    return NULL;
  }
  j->kind = JSON_STRING;
  return j;
}

// right
void json_delete(struct json *unique j) {
  while (j) {
    struct json *unique next = acre_take(&j->next);
    switch (j->kind) {
      case JSON_STRING: free(acre_take(&j->as.string)); break;
      case JSON_ARRAY:
      case JSON_OBJECT: json_delete(acre_take(&j->as.first)); break;
      default: break;
    }
    free(acre_take(&j->key));
    free(j);
    j = next;
  }
}

// right
bool json_append(struct json *borrowed array, struct json *unique item) {
  if (!item) return false;
  if (array->kind != JSON_ARRAY) {
    json_free(item);
    return false;
  }
  struct json *unique *at = &array->as.first;
  while (*at) at = &(*at)->next;
  *at = item;
  return true;
}

// leak: the item, if this is no array
bool json_append_array(struct json *borrowed array, struct json *unique item) {
  if (array->kind != JSON_ARRAY) return false;
  item->next = acre_take(&array->as.first);
  array->as.first = item;
  return true;
}

// right
bool json_set(struct json *borrowed object, const char *key, struct json *unique value) {
  if (!value) return false;
  for (struct json *unique *at = &object->as.first; *at; at = &(*at)->next) {
    if (strcmp((*at)->key, key) != 0) continue;
    struct json *unique old = acre_take(at);
    value->next = acre_take(&old->next);
    free(acre_swap(&value->key, acre_take(&old->key)));
    *at = value;
    json_free(old);
    return true;
  }
  free(acre_swap(&value->key, strdup(key)));
  value->next = acre_take(&object->as.first);
  object->as.first = value;
  return true;
}

// wrong: the key is the one of the value that was replaced
const char *borrowed json_rename(struct json *borrowed object, struct json *unique value) {
  struct json *unique old = acre_take(&object->as.first);
  const char *key = old ? old->key : "";
  json_free(old);
  object->as.first = value;
  return key;
}

// right
struct json *unique json_array(struct scanner *borrowed s, int depth) {
  struct json *unique array = calloc(1, sizeof *array);
  if (!array) return NULL;
  array->kind = JSON_ARRAY;
  struct json *unique *tail = &array->as.first;
  if (*s->at == ']') return array;
  do {
    struct json *unique item = json_value(s, depth + 1);
    if (!item) {
      json_free(array);
      return NULL;
    }
    *tail = item;
    tail = &(*tail)->next;
  } while (*s->at++ == ',');
  return array;
}

// leak: the array with its first items
struct json *unique json_array_open(struct scanner *borrowed s, int depth) {
  struct json *unique array = calloc(1, sizeof *array);
  if (!array) return NULL;
  array->kind = JSON_ARRAY;
  while (*s->at != ']') {
    struct json *unique item = json_value(s, depth + 1);
    if (!item) return NULL;
    item->next = acre_take(&array->as.first);
    array->as.first = item;
  }
  return array;
}

// right
struct json *unique json_detach(struct json *borrowed array, unsigned index) {
  struct json *unique *at = &array->as.first;
  while (*at && index-- > 0) at = &(*at)->next;
  struct json *unique item = acre_take(at);
  if (item) *at = acre_take(&item->next);
  return item;
}

// wrong: the item is given back and freed
struct json *unique json_detach_free(struct json *borrowed array) {
  struct json *unique item = acre_take(&array->as.first);
  if (!item) return NULL;
  array->as.first = acre_take(&item->next);
  if (item->kind == JSON_NULL) json_free(item);
  return item;
}

// right
void json_print(struct out *borrowed o, const struct json *borrowed j) {
  char number[32];
  switch (j->kind) {
    case JSON_NULL: out_text(o, "null"); break;
    case JSON_NUMBER:
      snprintf(number, sizeof number, "%g", j->as.number);
      out_text(o, number);
      break;
    case JSON_STRING: out_text(o, j->as.string); break;
    default:
      out_text(o, "[");
      for (const struct json *i = j->as.first; i; i = i->next) {
        if (i != j->as.first) out_text(o, ",");
        if (i->key) out_text(o, i->key);
        json_print(o, i);
      }
      out_text(o, "]");
  }
}

// right
struct element *unique element_new(struct element *parent, const char *tag) {
  struct element *unique e = calloc(1, sizeof *e);
  if (!e) return NULL;
  e->tag = strdup(tag);
  if (!e->tag) {
    free(e);
    return NULL;
  }
  e->parent = acre_unowned(parent);
  return e;
}

// right
bool element_attribute(struct element *borrowed e, const char *name, const char *value) {
  char *unique *unique grown = calloc(e->attribute_count + 1, sizeof *grown);
  char *unique text = NULL;
  if (!grown) return false;
  if (asprintf(&text, "%s=\"%s\"", name, value) < 0) {
    free(grown);
    return false;
  }
  for (size_t i = 0; i < e->attribute_count; i++) grown[i] = acre_take(&e->attributes[i]);
  grown[e->attribute_count++] = text;
  free(acre_swap(&e->attributes, grown));
  return true;
}

// leak: the attributes that were there
bool element_attribute_only(struct element *borrowed e, char *unique text) {
  char *unique *unique one = calloc(1, sizeof *one);
  if (!one) {
    free(text);
    return false;
  }
  one[0] = text;
  e->attributes = one;
  e->attribute_count = 1;
  return true;
}

// right
void element_delete(struct element *unique e) {
  if (!e) return;
  for (size_t i = 0; i < e->attribute_count; i++) free(acre_take(&e->attributes[i]));
  free(acre_take(&e->attributes));
  free(acre_take(&e->tag));
  element_delete(acre_take(&e->child));
  element_delete(acre_take(&e->sibling));
  free(e);
}

// wrong: the child goes before its sibling is taken out of it
void element_delete_early(struct element *unique e) {
  struct element *unique child = acre_take(&e->child);
  while (child) {
    struct element *next = child->sibling;
    element_free(child);
    child = (struct element *unique)next;
  }
  element_free(e);
}

/* -- Scanners -- */

// right
bool scanner_peek(struct scanner *borrowed s, int *kind) {
  if (!s->has_ahead) {
    struct token t = {0};
    if (!scan(s, &t)) return false;
    free(acre_swap(&s->ahead.text, acre_take(&t.text)));
    s->ahead.kind = t.kind;
    s->has_ahead = true;
  }
  *kind = s->ahead.kind;
  return true;
}

// leak: the text of a token that was looked at (known: a call decides whether it was set)
bool scanner_accept(struct scanner *borrowed s, int kind) {
  struct token t = {0};
  if (!scan(s, &t)) return false;
  return t.kind == kind;
}

// right
char *unique scanner_word(struct scanner *borrowed s) {
  struct token t = {0};
  if (!scan(s, &t)) return NULL;
  if (t.kind != 'w') {
    free(acre_take(&t.text));
    return NULL;
  }
  return acre_take(&t.text);
}

// wrong: the word is read from a token that was freed
int scanner_number(struct scanner *borrowed s) {
  struct token t = {0};
  if (!scan(s, &t)) return -1;
  const char *digits = t.text;
  free(acre_take(&t.text));
  return atoi(digits);
}

// right
void scanner_fail(struct scanner *borrowed s, const char *format, ...) {
  char *unique text = NULL;
  va_list list;
  va_start(list, format);
  if (vasprintf(&text, format, list) < 0) text = NULL;
  va_end(list);
  if (!s->error)
    s->error = text;
  else
    free(text);
}

// leak: the second error
void scanner_fail_first(struct scanner *borrowed s, const char *text) {
  char *unique copy = strdup(text);
  if (!s->error) s->error = copy;
}

// right
size_t scan_all(struct scanner *borrowed s, struct token *unique *acre_out all) {
  size_t count = 0, room = 4;
  struct token *unique list = calloc(room, sizeof *list);
  *all = NULL;
  if (!list) return 0;
  while (count < room) {
    struct token t = {0};
    if (!scan(s, &t)) break;
    list[count].kind = t.kind;
    list[count++].text = acre_take(&t.text);
  }
  *all = list;
  return count;
}

/* -- Arenas and builders -- */

// right
void *borrowed arena_get(struct arena *borrowed a, size_t size) {
  if (!a->top || a->top->size - a->top->used < size) {
    size_t room = size > SPLIT ? size : SPLIT;
    struct slab *unique s = malloc(sizeof *s + room);
    if (!s) return NULL;
    s->used = 0;
    s->size = room;
    s->next = acre_take(&a->top);
    a->top = s;
  }
  void *at = a->top->bytes + a->top->used;
  a->top->used += size;
  a->total += size;
  return at;
}

// right
void arena_reset(struct arena *borrowed a) {
  struct slab *unique s = acre_take(&a->top);
  while (s && s->next) {
    struct slab *unique next = acre_take(&s->next);
    free(s);
    s = next;
  }
  if (s) s->used = 0;
  a->top = s;
  a->total = 0;
}

// wrong: what was got from the arena is used after its end
char arena_first(void) {
  struct arena a = {0};
  char *text = arena_get(&a, 16);
  if (text) *text = 'a';
  acre_drop(acre_take(&a.top));
  return text ? *text : 0;
}

// leak: the slabs of the local arena
int arena_count(const char *text) {
  struct arena a = {0};
  char *copy = arena_get(&a, strlen(text) + 1);
  if (!copy) return -1;
  strcpy(copy, text);
  return (int)strcspn(copy, ",");
}

// leak: the old text, where realloc fails
void out_format(struct out *borrowed o, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int size = vsnprintf(NULL, 0, format, list);
  va_end(list);
  if (size < 0 || o->failed) return;
  if (o->used + (size_t)size >= o->room) {
    size_t room = (o->used + (size_t)size + 1) * 2;
    char *unique more = realloc(acre_take(&o->text), room);
    if (!more) {
      o->failed = true;
      o->used = o->room = 0;
      return;
    }
    o->text = more;
    o->room = room;
  }
  va_start(list, format);
  vsnprintf(o->text + o->used, o->room - o->used, format, list);
  va_end(list);
  o->used += (size_t)size;
}

// leak: what was written, where there is no more room
bool out_grow(struct out *borrowed o, size_t room) {
  o->text = realloc(o->text, room);
  if (!o->text) return false;
  o->room = room;
  return true;
}

// right
char *unique join_words(const char *first, ...) {
  struct out o = {0};
  va_list list;
  va_start(list, first);
  for (const char *word = first; word; word = va_arg(list, const char *)) out_text(&o, word);
  va_end(list);
  if (o.failed) {
    free(acre_take(&o.text));
    return NULL;
  }
  return acre_take(&o.text);
}

// leak: the text, where it failed (known: another member decides)
char *unique join_words_failed(const char *first, ...) {
  struct out o = {0};
  va_list list;
  va_start(list, first);
  for (const char *word = first; word; word = va_arg(list, const char *)) out_text(&o, word);
  va_end(list);
  return o.failed ? NULL : acre_take(&o.text);
}
