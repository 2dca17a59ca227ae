/* SPDX-License-Identifier: MIT */
/* Wrong functions, each beside its right twin: callbacks, tables of functions, bytes, unions,
 * casts, structures in structures, container_of, variable arguments, setjmp, cleanups, ways out. */
#include "corpus.h"

#include <setjmp.h>
#include <stddef.h>

#define container_of(p, T, member) ((T *)((char *)(p) - offsetof(T, member)))

struct packet {
  uint32_t length;
  uint16_t kind, flags;
  char *unique payload;
};
struct link {
  struct link *next, *previous;
};
struct entry {
  struct link link;
  char *unique name;
  struct packet packet;
};
struct value {
  enum { VALUE_NUMBER, VALUE_TEXT, VALUE_NAME } kind;
  union {
    char *unique text;
    const char *name;
    long number;
  };
};
struct ops {
  const char *name;
  int (*open)(const char *path, struct packet *unique *acre_out packet);
  void (*close)(struct packet *unique packet);
  int (*peek)(const struct packet *borrowed packet);
};
static const char *last_name;
static struct packet *last_packet;
static jmp_buf failed;
void packet_free(struct packet *unique p);
void end_text(char *unique *p);
int packet_kind(const struct packet *borrowed p);
void warn_about(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* -- Bytes -- */

// wrong: the payload is what the file says
bool packet_read(struct packet *borrowed p, FILE *in) { return fread(p, sizeof *p, 1, in) == 1; }
// right
bool packet_read_head(struct packet *borrowed p, FILE *in) {
  return fread(p, offsetof(struct packet, payload), 1, in) == 1;
}

static bool read_all(int fd, void *buffer, size_t size) {
  char *at = buffer;
  while (size > 0) {
    ssize_t got = read(fd, at, size);
    if (got <= 0) return false;
    at += got;
    size -= (size_t)got;
  }
  return true;
}
// wrong: by a helper
bool packet_receive(struct packet *borrowed p, int fd) { return read_all(fd, p, sizeof *p); }
// right
bool packet_receive_length(struct packet *borrowed p, int fd) {
  return read_all(fd, &p->length, sizeof p->length);
}

// wrong: 0xff is no pointer
void packet_poison(struct packet *borrowed p) { memset(p, 0xff, sizeof *p); }
// right
void packet_clear(struct packet *borrowed p) {
  free(acre_take(&p->payload));
  memset(p, 0, sizeof *p);
}

// wrong: the names of the table are overwritten with text
void names_fill(char *unique *names, FILE *in) { fgets((char *)names, 64, in); }
// right
void names_fill_first(char *unique *names, FILE *in) {
  char line[64];
  if (!fgets(line, sizeof line, in)) return;
  free(acre_swap(&names[0], strdup(line)));
}

// wrong: the entry holds a packet, which holds an owner
bool entry_receive(struct entry *borrowed e, int socket) {
  return recv(socket, &e->packet, sizeof e->packet, 0) > 0;
}
// right
bool entry_receive_kind(struct entry *borrowed e, int socket) {
  return recv(socket, &e->packet.kind, sizeof e->packet.kind, 0) > 0;
}

// leak: what the packet had is cleared with it
void packet_reset(const char *text) {
  struct packet p = {.payload = strdup(text)};
  look(p.payload);
  memset(&p, 0, sizeof p);
}
// right
void packet_reset_freed(const char *text) {
  struct packet p = {.payload = strdup(text)};
  look(p.payload);
  free(acre_take(&p.payload));
  memset(&p, 0, sizeof p);
}

/* -- Unions -- */

// wrong: the text is kept by its other name
void value_keep(struct value *borrowed v) { last_name = v->name; }
// right
void value_print(struct value *borrowed v) {
  if (v->kind == VALUE_NAME) puts(v->name);
}

// wrong: a literal would be freed
void value_name(struct value *borrowed v) {
  v->name = "none";
  free(acre_take(&v->text));
}
// right
void value_unname(struct value *borrowed v) {
  if (v->kind == VALUE_TEXT) free(acre_take(&v->text));
  v->kind = VALUE_NAME;
  v->name = "none";
}

// wrong: the number is freed
void value_local(void) {
  struct value v = {.kind = VALUE_TEXT, .text = NULL};
  v.number = 7;
  free(acre_take(&v.text));
}
// right
void value_local_text(void) {
  struct value v = {.kind = VALUE_TEXT, .text = NULL};
  v.number = 0;
  v.text = make();
  free(acre_take(&v.text));
}

// leak: the text is overwritten by a number
void value_becomes_number(void) {
  struct value v = {.kind = VALUE_TEXT};
  v.text = make();
  v.kind = VALUE_NUMBER;
  v.number = 7;
}
// right
void value_was_text(void) {
  struct value v = {.kind = VALUE_TEXT};
  v.text = make();
  free(acre_take(&v.text));
  v.kind = VALUE_NUMBER;
  v.number = 7;
}

// wrong: the union's text is freed by its name while the value has it
void value_end(struct value *unique v) {
  free((char *)v->name);
  free(acre_take(&v));
}
// right
void value_end_text(struct value *unique v) {
  if (v->kind == VALUE_TEXT) free(acre_take(&v->text));
  free(v);
}

// wrong: the place of the name is the place of the text
void value_fill(struct value *borrowed v, void (*fill)(const char **borrowed)) { fill(&v->name); }
// right
void value_fill_number(struct value *borrowed v, void (*fill)(long *borrowed)) { fill(&v->number); }

/* -- Slots under other types -- */

// wrong: lost
void packet_forget(struct packet *borrowed p) { *(char **)&p->payload = NULL; }
// right
void packet_forget_freed(struct packet *borrowed p) { free(acre_take(&p->payload)); }

// wrong: copied
void packet_share(struct packet *borrowed p) { last_name = *(char *const *)&p->payload; }
// right
uint64_t packet_hash(const struct packet *borrowed p) {
  const unsigned char *byte = (const unsigned char *)&p->payload;
  uint64_t sum = 0;
  for (size_t i = 0; i < sizeof p->payload; i++) sum = sum * 31 + byte[i];
  return sum;
}

// wrong: set behind its back
void packet_set_bits(struct packet *borrowed p, uintptr_t to) { *(uintptr_t *)&p->payload = to; }
// right
uintptr_t packet_bits(const struct packet *borrowed p) { return (uintptr_t)p->payload; }

// wrong: kept under another type
void owner_cleared(void) {
  char *unique text = make();
  char **slot = (char **)&text;
  *slot = NULL;
}
// right
void owner_cleared_by_its_cell(void) {
  char *unique text = make();
  char *unique *slot = &text;
  free(acre_take(slot));
}

// right
void *unique aligned(size_t size) {
  void *unique memory = NULL;
  return posix_memalign((void **)&memory, 64, size) ? NULL : acre_take(&memory);
}
// right
void run(char *unique *borrowed arguments) { execv(arguments[0], (char *const *)arguments); }
// wrong: an element is copied under another type
void run_later(char *unique *borrowed arguments) { last_name = ((char **)arguments)[0]; }

/* -- Callbacks and tables of functions -- */

static int compare_names(const void *a, const void *b) {
  return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}
// wrong: sorted entries that were freed
void entries_sort(struct entry *unique entries, size_t count) {
  free(entries);
  qsort(entries, count, sizeof *entries, compare_names);
}
// right
void entries_sorted(struct entry *borrowed entries, size_t count) {
  qsort(entries, count, sizeof *entries, compare_names);
}

// wrong: closed twice by the table
void ops_close_twice(const struct ops *o, struct packet *unique p) {
  o->close(p);
  o->close(p);
}
// right
int ops_use(const struct ops *o, const char *path) {
  struct packet *unique p;
  if (o->open(path, &p) != 0) return -1;
  int kind = o->peek(p);
  o->close(p);
  return kind;
}

// wrong: looked at after it was closed by the table
int ops_peek_late(const struct ops *o, struct packet *unique p) {
  o->close(p);
  return o->peek(p);
}
// leak: never closed
int ops_peek_only(const struct ops *o, const char *path) {
  struct packet *unique p;
  if (o->open(path, &p) != 0) return -1;
  return o->peek(p);
}

typedef void visitor(struct entry *borrowed e, void *data);
// wrong: the callback frees what the caller still walks by
static void visit_name(struct entry *borrowed e, visitor *visit, void *data) {
  const char *name = e->name;
  visit(e, data);
  puts(name);
}
// right
static void visit_entry(struct entry *borrowed e, visitor *visit, void *data) {
  visit(e, data);
  puts(e->name ? e->name : "");
}
void visit_both(struct entry *borrowed e, visitor *visit) {
  visit_name(e, visit, NULL);
  visit_entry(e, visit, NULL);
}

static void *thread_packet(void *data) {
  struct packet *unique p = (struct packet *unique)data;
  packet_free(p);
  return NULL;
}
// wrong: the thread has it
int thread_start(struct packet *unique p, pthread_t *thread) {
  int status = pthread_create(thread, NULL, thread_packet, p);
  return status ? status : packet_kind(p);
}
// right
int thread_begin(struct packet *unique p, pthread_t *thread) {
  struct packet *given = acre_release(p);
  int status = pthread_create(thread, NULL, thread_packet, given);
  if (status) packet_free((struct packet *unique)given);
  return status;
}

/* -- container_of -- */

// wrong: what hangs on the link's entry is kept
void link_keep(struct link *borrowed l) { last_name = container_of(l, struct entry, link)->name; }
// right
void link_print(struct link *borrowed l) { puts(container_of(l, struct entry, link)->name); }

// wrong: the entry is freed by its link and used
void entry_end(struct entry *unique e) {
  struct link *l = &e->link;
  free(acre_take(&e->name));
  free(acre_take(&e->packet.payload));
  free(e);
  l->next = NULL;
}
// right
void entry_unlink(struct entry *unique e) {
  struct link *l = &e->link;
  if (l->previous) l->previous->next = l->next;
  if (l->next) l->next->previous = l->previous;
  acre_drop(e);
}

// wrong: the name is taken out of the entry that was lent, and the lender's copy is used
void entry_rename(struct entry *borrowed e, struct link *borrowed l) {
  const char *old = e->name;
  free(acre_swap(&e->name, make()));
  (void)l;
  puts(old);
}
// right
void entry_renamed(struct entry *borrowed e) {
  char *unique old = acre_swap(&e->name, make());
  if (old) puts(old);
  free(old);
}

/* -- Structures: copies, parts, out parameters -- */

// wrong: copied with its owner
struct packet packet_copy(const struct packet *borrowed p) { return *p; }
// right
struct packet packet_clone(const struct packet *borrowed p) {
  struct packet copy = {p->length, p->kind, p->flags, NULL};
  if (p->payload) copy.payload = strdup(p->payload);
  return copy;
}

// wrong: a part with an owner is copied
void entry_set_packet(struct entry *borrowed e, const struct packet *borrowed p) { e->packet = *p; }
// right
void entry_move_packet(struct entry *borrowed e, struct packet *borrowed p) {
  e->packet.length = p->length;
  free(acre_swap(&e->packet.payload, acre_take(&p->payload)));
}

// wrong: the out parameter keeps what is freed
int packet_parse(const char *text, struct packet *unique *acre_out out) {
  struct packet *unique p = calloc(1, sizeof *p);
  *out = NULL;
  if (!p) return -1;
  p->payload = strdup(text);
  *out = p;
  if (!p->payload) packet_free(p);
  return 0;
}
// right
int packet_parse_checked(const char *text, struct packet *unique *acre_out out) {
  *out = NULL;
  struct packet *unique p = calloc(1, sizeof *p);
  if (!p) return -1;
  p->payload = strdup(text);
  if (!p->payload) {
    packet_free(p);
    return -1;
  }
  *out = p;
  return 0;
}

// wrong: memmove of entries moves owners
void entries_remove(struct entry *borrowed entries, size_t at, size_t count) {
  memmove(entries + at, entries + at + 1, (count - at - 1) * sizeof *entries);
}
// right
void names_remove(char *unique *borrowed names, size_t at, size_t count) {
  free(acre_take(&names[at]));
  for (size_t i = at; i + 1 < count; i++) {
    char *unique next = acre_take(&names[i + 1]);
    free(acre_swap(&names[i], next));
  }
}

// wrong: realloc moved the array under the pointer into it
void entries_grow(struct entry *unique *borrowed entries, size_t count) {
  struct entry *first = *entries;
  struct entry *unique grown = realloc(acre_take(entries), count * sizeof *first);
  if (!grown) abort();
  *entries = grown;
  look(first->name);
}
// right
void entries_grown(struct entry *unique *borrowed entries, size_t count) {
  struct entry *unique grown = realloc(acre_take(entries), count * sizeof **entries);
  if (!grown) abort();
  *entries = grown;
  look((*entries)[0].name);
}

/* -- Variable arguments, setjmp, cleanups, ways out -- */

// wrong: an owner by variable arguments is copied
void tell(const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *unique text = va_arg(list, char *);
  va_end(list);
  free(text);
}
// right
void told(const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *text = va_arg(list, char *);
  warn_about("%s", text);
  va_end(list);
}

void keep_all(int count, ...);
// wrong: who gets variable arguments may keep them
void give_many(char *unique text) {
  keep_all(1, text);
  free(text);
}
// right
void warn_many(char *unique text) {
  warn_about("%s and %s", text, text + 1);
  free(text);
}

// wrong: freed before the jump and after it
void jump_twice(void) {
  char *unique text = make();
  if (setjmp(failed)) {
    free(text);
    return;
  }
  free(text);
  longjmp(failed, 1);
}
// right
void jump_once(void) {
  char *unique text = make();
  if (setjmp(failed) == 0) note(1);
  free(text);
}

// wrong: the cleanup frees what was returned
char *unique cleaned(void) {
  __attribute__((cleanup(end_text))) char *unique text = make();
  if (cond()) look(text);
  return text;
}
// right
char *unique cleaned_taken(void) {
  __attribute__((cleanup(end_text))) char *unique text = make();
  if (cond()) return NULL;
  return acre_take(&text);
}

// wrong: the way out frees again
int way_out(const char *path) {
  char *unique text = strdup(path);
  FILE *in = NULL;
  int status = -1;
  if (!text) goto out;
  in = fopen(text, "r");
  if (!in) {
    free(text);
    goto out;
  }
  status = 0;
out:
  if (in) fclose(in);
  free(text);
  return status;
}
// right
int way_out_once(const char *path) {
  char *unique text = strdup(path);
  FILE *in = NULL;
  int status = -1;
  if (!text) goto out;
  in = fopen(text, "r");
  if (!in) goto out;
  status = 0;
out:
  if (in) fclose(in);
  free(text);
  return status;
}

// wrong: every path of the switch but one gives it away
void sent(char *unique text, int how) {
  switch (how) {
  case 0: sink(text); break;
  case 1: free(text); break;
  default: look(text);
  }
  look(text);
}
// right
void sent_once(char *unique text, int how) {
  switch (how) {
  case 0: sink(text); break;
  case 1: free(text); break;
  default: look(text); free(text);
  }
}

// wrong: the second round frees again
void rounds(char *unique text, int count) {
  for (int i = 0; i < count; i++) free(text);
}
// right
void rounds_each(int count) {
  for (int i = 0; i < count; i++) {
    char *unique text = make();
    free(text);
  }
}

// wrong: the first owner of the pair is given twice
void pair(struct packet *borrowed one, struct packet *borrowed other) {
  char *unique text = acre_take(&one->payload);
  one->payload = text;
  free(acre_swap(&other->payload, text));
}
// right
void pair_swapped(struct packet *borrowed one, struct packet *borrowed other) {
  char *unique text = acre_take(&one->payload);
  one->payload = acre_take(&other->payload);
  other->payload = text;
}

// wrong: a comma hides the free
char last_of(char *unique text) { return (free(text), text[0]); }
// right
char first_of(char *unique text) {
  char first = text[0];
  return (free(text), first);
}

// wrong: lent to a static variable of the function
const char *remember(char *unique text) {
  static const char *kept;
  kept = text;
  free(text);
  return kept;
}
// right
size_t measure(char *unique text) {
  static size_t longest;
  if (strlen(text) > longest) longest = strlen(text);
  free(text);
  return longest;
}

// wrong: the array is freed, and its elements through it
void names_end(char *unique *unique names, size_t count) {
  free(names);
  for (size_t i = 0; i < count; i++) free(acre_take(&names[i]));
}
// right
void names_ended(char *unique *unique names, size_t count) {
  for (size_t i = 0; i < count; i++) free(acre_take(&names[i]));
  free(names);
}

// wrong: a pointer to it lies in a structure of another function
void packet_publish(struct packet *unique p) {
  last_packet = p;
  packet_free(p);
}
// right
void packet_handed(struct packet *unique p) { last_packet = acre_release(p); }

// wrong: the conditional chooses a freed one
void choose(char *unique one, char *unique other) {
  free(one);
  look(cond() ? one : other);
  free(other);
}
// right
void chosen(char *unique one, char *unique other) {
  look(cond() ? one : other);
  free(one);
  free(other);
}

// wrong: the compound literal holds a copy
int literal(char *unique text) {
  const struct packet *p = &(struct packet){.payload = text};
  int kind = packet_kind(p);
  free(text);
  return kind;
}
// right
int literal_owned(char *unique text) {
  struct packet p = {.payload = text};
  int kind = packet_kind(&p);
  free(acre_take(&p.payload));
  return kind;
}
