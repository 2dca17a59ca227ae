/* SPDX-License-Identifier: MIT */
/* Mail and MIME: headers, parameters, parts, addresses, mailboxes: right, wrong and leaking. */
#include "corpus.h"

#include <iconv.h>

// right
struct parameter {
  char *unique attribute;
  char *unique value;
  struct parameter *unique next;
};
struct address {
  char *unique personal, *unique mailbox;
  int group;
  struct address *unique next;
};
struct part {
  char *unique type, *unique subtype, *unique description;
  struct parameter *unique parameters;
  struct part *unique next, *unique parts;
  long offset, length;
};
struct envelope {
  struct address *unique from, *unique to, *unique cc;
  char *unique subject, *unique id, *unique date;
  struct header *unique others;
};
struct header {
  struct header *unique next;
  char *unique name, *unique value;
};
struct message {
  struct envelope *unique envelope;
  struct part *unique content;
  char *unique path, *unique tree;
  bool deleted : 1, changed : 1;
};
struct mailbox {
  struct message *unique *unique messages;
  size_t count, room;
  char *unique path;
  FILE *unique file;
  void (*changed)(struct mailbox *borrowed m, void *context);
  void *context;
};
void part_free(struct part *unique p);
void envelope_free(struct envelope *unique e);
void message_free(struct message *unique m);
char *unique decode_words(const char *borrowed text);
long position(FILE *borrowed in);

// right
static void parameter_set(struct parameter *unique *borrowed list, const char *attribute,
                          const char *value) {
  struct parameter *unique *at = list;
  for (; *at; at = &(*at)->next) {
    if (strcasecmp((*at)->attribute, attribute) != 0) continue;
    if (value) {
      free(acre_swap(&(*at)->value, strdup(value)));
    } else {
      struct parameter *unique gone = acre_take(at);
      *at = acre_take(&gone->next);
      acre_drop(gone);
    }
    return;
  }
  if (!value) return;
  struct parameter *unique p = calloc(1, sizeof *p);
  if (!p) return;
  p->attribute = strdup(attribute);
  p->value = strdup(value);
  *at = p;
}

// leak: the rest of the list
static void parameter_remove(struct parameter *unique *borrowed list, const char *attribute) {
  for (struct parameter *unique *at = list; *at; at = &(*at)->next) {
    if (strcasecmp((*at)->attribute, attribute) != 0) continue;
    struct parameter *unique gone = acre_take(at);
    free(acre_take(&gone->attribute));
    free(acre_take(&gone->value));
    free(gone);
    return;
  }
}

// right
struct parameter *unique parse_parameters(const char *s) {
  struct parameter *unique head = NULL, *unique fresh = NULL;
  struct parameter *unique *last = &head;
  while (s && *s) {
    const char *equals = strpbrk(s, "=;");
    if (!equals) break;
    if (*equals == ';') {
      s = equals + 1;
      continue;
    }
    fresh = calloc(1, sizeof *fresh);
    if (!fresh) break;
    fresh->attribute = strndup(s, (size_t)(equals - s));
    s = equals + 1;
    size_t length = strcspn(s, ";");
    fresh->value = strndup(s, length);
    if (!fresh->value || !fresh->attribute) {
      acre_drop(fresh);
      break;
    }
    *last = fresh;
    last = &(*last)->next;
    s += length;
    if (*s == ';') s++;
  }
  return head;
}

// right
static char *unique unfold(FILE *borrowed in) {
  char *unique line = NULL, *unique all = NULL;
  size_t room = 0, used = 0;
  ssize_t n;
  while ((n = getline(&line, &room, in)) > 0) {
    while (n > 0 && isspace((unsigned char)line[n - 1])) line[--n] = '\0';
    if (n == 0) break;
    char *unique more = realloc(all, used + (size_t)n + 2);
    if (!more) break;
    all = more;
    memcpy(all + used, line, (size_t)n + 1);
    used += (size_t)n;
    int next = getc(in);
    if (next != ' ' && next != '\t') {
      ungetc(next, in);
      break;
    }
    all[used++] = ' ';
    all[used] = '\0';
  }
  free(line);
  return all;
}

// leak: the line that was read
static char *unique unfold_one(FILE *borrowed in) {
  char *unique line = NULL;
  size_t room = 0;
  ssize_t n = getline(&line, &room, in);
  if (n <= 0) return NULL;
  line[strcspn(line, "\r\n")] = '\0';
  return line;
}

// right
struct envelope *unique read_envelope(FILE *borrowed in) {
  struct envelope *unique e = calloc(1, sizeof *e);
  struct header *unique *last = e ? &e->others : NULL;
  char *unique line = NULL;
  while (e && (line = unfold(in)) != NULL) {
    char *colon = strchr(line, ':');
    if (!colon) {
      free(line);
      continue;
    }
    *colon++ = '\0';
    colon += strspn(colon, " ");
    switch (tolower((unsigned char)line[0])) {
      case 's':
        if (strcasecmp(line, "subject") == 0) {
          free(acre_swap(&e->subject, decode_words(colon)));
          free(line);
          continue;
        }
        break;
      case 'm':
        if (!strcasecmp(line, "message-id") && !e->id) {
          e->id = strdup(colon);
          free(line);
          continue;
        }
        break;
    }
    struct header *unique h = calloc(1, sizeof *h);
    if (!h) {
      free(line);
      break;
    }
    h->value = strdup(colon);
    h->name = line;
    *last = h;
    last = &(*last)->next;
  }
  return e;
}

// wrong: the name is used after its line was freed
int count_received(FILE *borrowed in) {
  int found = 0;
  for (char *unique line = unfold(in); line; line = unfold(in)) {
    char *end = strchr(line, ':');
    free(line);
    if (end && *end == ':') found++;
  }
  return found;
}

// right
struct address *unique address_parse(const char *text) {
  struct address *unique first = NULL, *unique *end = &first;
  char *unique copy = strdup(text), *save = NULL;
  if (!copy) return NULL;
  for (char *item = strtok_r(copy, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
    struct address *unique a = calloc(1, sizeof *a);
    if (!a) break;
    char *open = strchr(item, '<');
    if (open) {
      *open++ = '\0';
      open[strcspn(open, ">")] = '\0';
      a->personal = decode_words(item);
      a->mailbox = strdup(open);
    } else {
      a->mailbox = strdup(item);
    }
    *end = a;
    end = &(*end)->next;
  }
  free(copy);
  return first;
}

// right
void address_append(struct address *unique *borrowed list, struct address *unique more) {
  struct address *unique *end = list;
  while (*end) end = &(*end)->next;
  *end = more;
}

// right
struct address *unique address_remove_duplicates(struct address *unique list) {
  for (struct address *a = list; a; a = a->next) {
    struct address *unique *at = &a->next;
    while (*at) {
      if (strcasecmp((*at)->mailbox, a->mailbox) == 0) {
        struct address *unique twice = acre_take(at);
        *at = acre_take(&twice->next);
        acre_drop(twice);
      } else {
        at = &(*at)->next;
      }
    }
  }
  return list;
}

// wrong: goes on from the address that was freed
struct address *unique address_remove_groups(struct address *unique list) {
  struct address *unique *at = &list;
  while (*at) {
    if ((*at)->group) {
      struct address *unique gone = acre_take(at);
      *at = acre_take(&gone->next);
      struct address *unique *after = &gone->next;
      acre_drop(gone);
      at = after;
      continue;
    }
    at = &(*at)->next;
  }
  return list;
}

// right
void reply_to_all(struct envelope *borrowed reply, struct envelope *borrowed to) {
  address_append(&reply->to, acre_take(&to->from));
  address_append(&reply->cc, acre_take(&to->cc));
  address_append(&reply->cc, acre_take(&to->to));
  reply->cc = address_remove_duplicates(acre_take(&reply->cc));
}

// leak: whom the reply went to before
void reply_to_sender(struct envelope *borrowed reply, struct envelope *borrowed to) {
  reply->to = acre_take(&to->from);
  if (!reply->subject && to->subject) reply->subject = strdup(to->subject);
}

// right
struct part *unique part_parse(FILE *borrowed in, const char *boundary, int depth) {
  struct part *unique p = calloc(1, sizeof *p);
  if (!p || depth > 20) {
    free(p);
    return NULL;
  }
  p->offset = position(in);
  char *unique line = unfold(in);
  if (!line) {
    part_free(p);
    return NULL;
  }
  char *slash = strchr(line, '/');
  p->type = slash ? strndup(line, (size_t)(slash - line)) : strdup(line);
  if (slash) {
    char *semicolon = strchr(slash, ';');
    if (semicolon) p->parameters = parse_parameters(semicolon + 1);
    p->subtype = strdup(slash + 1);
  }
  free(line);
  if (p->type && strcasecmp(p->type, "multipart") == 0) {
    struct part *unique *last = &p->parts;
    struct part *unique inner;
    while ((inner = part_parse(in, boundary, depth + 1)) != NULL) {
      *last = inner;
      last = &(*last)->next;
    }
  }
  p->length = position(in) - p->offset;
  return p;
}

// leak: the part, where its line cannot be read
struct part *unique part_begin(FILE *borrowed in) {
  struct part *unique p = calloc(1, sizeof *p);
  if (!p) return NULL;
  char *unique line = unfold(in);
  if (!line) return NULL;
  p->type = line;
  return p;
}

// right
const struct part *borrowed part_find(const struct part *borrowed p, const char *type
                                      __attribute__((noescape))) {
  for (; p; p = p->next) {
    if (p->type && strcasecmp(p->type, type) == 0) return p;
    const struct part *inner = part_find(p->parts, type);
    if (inner) return inner;
  }
  return NULL;
}

// right
char *unique part_text(const struct part *borrowed p, const char *path) {
  FILE *unique in = fopen(path, "r");
  if (!in) return NULL;
  char *unique text = NULL;
  if (fseek(in, p->offset, SEEK_SET) < 0) goto out;
  text = malloc((size_t)p->length + 1);
  if (!text) goto out;
  size_t got = fread(text, 1, (size_t)p->length, in);
  if (got != (size_t)p->length) {
    free(text);
    text = NULL;
    goto out;
  }
  text[got] = '\0';
out:
  fclose(in);
  return text;
}

// wrong: the text is freed at the end, too
char *unique part_text_short(const struct part *borrowed p, FILE *borrowed in) {
  char *unique text = malloc((size_t)p->length + 1);
  if (!text) return NULL;
  size_t got = fread(text, 1, (size_t)p->length, in);
  if (got == 0) {
    free(text);
    goto out;
  }
  text[got] = '\0';
  return text;
out:
  free(text);
  return NULL;
}

// right
char *unique convert(const char *text, const char *from, const char *to) {
  iconv_t cd = iconv_open(to, from);
  if (cd == (iconv_t)-1) return strdup(text);
  size_t left = strlen(text), room = 4 * left + 1, free_bytes = room - 1;
  char *unique result = malloc(room);
  if (result) {
    char *in = (char *)text, *out = result;
    if (iconv(cd, &in, &left, &out, &free_bytes) == (size_t)-1) {
      free(result);
      result = strdup(text);
    } else {
      *out = '\0';
    }
  }
  iconv_close(cd);
  return result;
}

// leak: the descriptor, where there is no memory
char *unique convert_short(const char *text, const char *from) {
  iconv_t cd = iconv_open("UTF-8", from);
  if (cd == (iconv_t)-1) return NULL;
  size_t left = strlen(text), bytes = 2 * left;
  char *unique result = malloc(bytes + 1);
  if (!result) return NULL;
  char *in = (char *)text, *out = result;
  iconv(cd, &in, &left, &out, &bytes);
  *out = '\0';
  iconv_close(cd);
  return result;
}

// right
int mailbox_add(struct mailbox *borrowed m, struct message *unique x) {
  if (m->count == m->room) {
    size_t room = m->room ? m->room * 2 : 16;
    struct message *unique *unique more = realloc(m->messages, room * sizeof *more);
    if (!more) {
      message_free(x);
      return -1;
    }
    m->messages = more;
    memset(m->messages + m->room, 0, (room - m->room) * sizeof *m->messages);
    m->room = room;
  }
  m->messages[m->count++] = x;
  if (m->changed) m->changed(m, m->context);
  return 0;
}

// right
size_t mailbox_expunge(struct mailbox *borrowed m) {
  size_t kept = 0;
  for (size_t i = 0; i < m->count; i++) {
    if (m->messages[i]->deleted) {
      message_free(acre_take(&m->messages[i]));
      continue;
    }
    struct message *unique x = acre_take(&m->messages[i]);
    m->messages[kept++] = x;
  }
  size_t gone = m->count - kept;
  m->count = kept;
  return gone;
}

// leak: the messages that are deleted
size_t mailbox_expunge_lost(struct mailbox *borrowed m) {
  size_t kept = 0;
  for (size_t i = 0; i < m->count; i++) {
    struct message *unique x = acre_take(&m->messages[i]);
    if (x->deleted) continue;
    m->messages[kept++] = x;
  }
  return m->count = kept;
}

// wrong: the path is a part of the message that was freed
int mailbox_unlink(struct mailbox *borrowed m, size_t at) {
  const char *path = m->messages[at]->path;
  message_free(acre_take(&m->messages[at]));
  return path ? unlink(path) : 0;
}

// right
int mailbox_save(struct mailbox *borrowed m) {
  char *unique temporary = NULL;
  if (asprintf(&temporary, "%s.%d", m->path, (int)getpid()) < 0) return -1;
  int result = -1;
  FILE *unique out = fopen(temporary, "w");
  if (!out) goto done;
  for (size_t i = 0; i < m->count; i++)
    if (fprintf(out, "From %s\n", m->messages[i]->path) < 0) goto close_out;
  if (fflush(out) != 0) goto close_out;
  if (rename(temporary, m->path) == 0) {
    FILE *unique old = acre_swap(&m->file, out);
    if (old) fclose(old);
    free(temporary);
    return 0;
  }
close_out:
  fclose(out);
done:
  unlink(temporary);
  free(temporary);
  return result;
}

// right
struct mailbox *unique mailbox_open(const char *path) {
  struct mailbox *unique m = calloc(1, sizeof *m);
  if (m == NULL) return NULL;
  if ((m->path = realpath(path, NULL)) == NULL) {
    free(m);
    return NULL;
  }
  if ((m->file = fopen(m->path, "r+")) == NULL && (m->file = fopen(m->path, "r")) == NULL) {
    free(acre_take(&m->path));
    free(m);
    return NULL;
  }
  return m;
}

// leak: the path, where it cannot be opened
struct mailbox *unique mailbox_open_path(const char *path) {
  struct mailbox *unique m = calloc(1, sizeof *m);
  if (m == NULL) return NULL;
  m->path = realpath(path, NULL);
  m->file = fopen(path, "r+");
  if (m->file == NULL) {
    free(m);
    return NULL;
  }
  return m;
}

// right
void mailbox_close(struct mailbox *unique m) {
  if (!m) return;
  if (m->file) fclose(acre_take(&m->file));
  for (size_t i = 0; i < m->count; i++) message_free(acre_take(&m->messages[i]));
  free(acre_take(&m->messages));
  free(acre_take(&m->path));
  free(m);
}
