/* SPDX-License-Identifier: MIT */
/* Shared objects: a registry of plugins, documents with references, a theme, observers: right,
 * wrong and leaking. */
#include "corpus.h"
#include <dlfcn.h>

struct buffer {
  size_t length;
  char *unique bytes;
};

struct slice {
  struct buffer *refcounted base;
  size_t from, length;
  struct slice *unique next;
};

struct plugin {
  char *unique name;
  void *handle;
  struct plugin *refcounted needs;
  int (*run)(int argc, char **argv);
};

struct slot {
  struct plugin *refcounted plugin;
  struct slot *unique next;
};

struct registry {
  struct slot *unique plugins;
  size_t count;
};

struct document {
  char *unique title;
  struct slice *unique content;
  struct document *refcounted parent;
  unsigned version;
};

struct view {
  struct document *refcounted shown;
  acre_weak *unique last;
  int top;
};

struct observer {
  acre_weak *unique subject;
  void (*changed)(struct document *refcounted borrowed d);
  struct observer *unique next;
};

// right
struct buffer *refcounted buffer_new(const char *borrowed text) {
  struct buffer *refcounted b = rc_new(struct buffer);
  if (!b)
    return NULL;
  b->bytes = strdup(text);
  if (!b->bytes) {
    rc_drop(b);
    return NULL;
  }
  b->length = strlen(text);
  return b;
}

// right
struct slice *unique slice_new(struct buffer *refcounted borrowed base, size_t from,
                               size_t length) {
  if (from > base->length || length > base->length - from)
    return NULL;
  struct slice *unique s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->base = rc_alias(base);
  s->from = from;
  s->length = length;
  return s;
}

// right: a part of another slice
struct slice *unique slice_sub(const struct slice *borrowed s, size_t from, size_t length) {
  if (from + length > s->length)
    return NULL;
  return slice_new(s->base, s->from + from, length);
}

// right
char *unique slices_text(const struct slice *borrowed list) {
  size_t n = 0;
  for (const struct slice *s = list; s; s = s->next)
    n += s->length;
  char *unique text = malloc(n + 1);
  if (!text)
    return NULL;
  char *w = text;
  for (const struct slice *s = list; s; s = s->next) {
    memcpy(w, s->base->bytes + s->from, s->length);
    w += s->length;
  }
  *w = '\0';
  return text;
}

// right
void slices_free(struct slice *unique list) {
  while (list) {
    struct slice *unique next = acre_take(&list->next);
    rc_drop(acre_take(&list->base));
    free(list);
    list = next;
  }
}

// leak: the references are forgotten
void slices_free_fast(struct slice *unique list) {
  while (list) {
    struct slice *unique next = acre_take(&list->next);
    free(list);
    list = next;
  }
}

// wrong: the old buffer is read when its last reference may be gone
bool slice_replace(struct slice *borrowed s, const char *borrowed text) {
  const char *old = s->base->bytes;
  struct buffer *refcounted fresh = buffer_new(text);
  if (!fresh)
    return false;
  size_t n = fresh->length;
  rc_drop(acre_swap(&s->base, fresh));
  bool same = strncmp(old, text, n) == 0;
  s->from = 0;
  s->length = n;
  return same;
}

// right
static struct plugin *refcounted plugin_find(struct registry *borrowed r, const char *name) {
  for (struct slot *s = r->plugins; s; s = s->next)
    if (strcmp(s->plugin->name, name) == 0)
      return rc_alias(s->plugin);
  return NULL;
}

// right: takes the reference
bool registry_add(struct registry *borrowed r, struct plugin *refcounted p) {
  struct slot *unique s = calloc(1, sizeof *s);
  if (!s) {
    rc_drop(p);
    return false;
  }
  s->plugin = p;
  s->next = acre_take(&r->plugins);
  r->plugins = s;
  r->count++;
  return true;
}

// right
struct plugin *refcounted plugin_load(struct registry *borrowed r, const char *borrowed name,
                                      const char *borrowed needs) {
  struct plugin *refcounted p = plugin_find(r, name);
  if (p)
    return p;
  p = rc_new(struct plugin);
  if (!p)
    return NULL;
  p->name = strdup(name);
  p->handle = dlopen(name, RTLD_NOW);
  if (!p->name || !p->handle) {
    rc_drop(p);
    return NULL;
  }
  if (needs) {
    p->needs = plugin_find(r, needs);
    if (!p->needs) {
      dlclose(p->handle);
      rc_drop(p);
      return NULL;
    }
  }
  if (!registry_add(r, rc_alias(p))) {
    dlclose(p->handle);
    rc_drop(p);
    return NULL;
  }
  return p;
}

// right
int plugin_run(struct registry *borrowed r, const char *borrowed name, int argc, char **argv) {
  struct plugin *refcounted p = plugin_find(r, name);
  if (!p)
    return -1;
  int status = p->run ? p->run(argc, argv) : 0;
  rc_drop(p);
  return status;
}

// leak: the reference that was found is not dropped
int plugin_depth(struct registry *borrowed r, const char *borrowed name) {
  struct plugin *refcounted p = plugin_find(r, name);
  int depth = 0;
  if (!p)
    return -1;
  for (const struct plugin *q = p->needs; q; q = q->needs)
    depth++;
  return depth;
}

// right
bool registry_remove(struct registry *borrowed r, const char *borrowed name) {
  struct slot *unique *p = &r->plugins;
  while (*p && strcmp((*p)->plugin->name, name) != 0)
    p = &(*p)->next;
  if (!*p)
    return false;
  struct slot *unique s = acre_take(p);
  *p = acre_take(&s->next);
  r->count--;
  acre_drop(s);
  return true;
}

// wrong: the name that was borrowed is used after the plugin was removed
bool registry_rename(struct registry *borrowed r, const char *borrowed old,
                     const char *borrowed fresh) {
  struct slot *s = r->plugins;
  while (s && strcmp(s->plugin->name, old) != 0)
    s = s->next;
  if (!s)
    return false;
  registry_remove(r, old);
  printf("%s becomes %s\n", s->plugin->name, fresh);
  return true;
}

// wrong: the reference is dropped on one path and again at the end
int plugin_swap(struct registry *borrowed r, const char *borrowed a, const char *borrowed b) {
  struct plugin *refcounted p = plugin_find(r, a), *refcounted q = plugin_find(r, b);
  int result = -1;
  if (!p || !q)
    goto out;
  if (p->run == q->run) {
    rc_drop(q);
    goto out;
  }
  int (*run)(int, char **) = p->run;
  p->run = q->run;
  q->run = run;
  result = 0;
out:
  rc_drop(p);
  rc_drop(q);
  return result;
}

// right
struct document *refcounted document_new(const char *borrowed title,
                                         struct document *refcounted borrowed parent) {
  struct document *refcounted d = rc_new(struct document);
  if (!d)
    return NULL;
  d->title = strdup(title);
  if (parent)
    d->parent = rc_alias(parent);
  if (!d->title) {
    rc_drop(d);
    return NULL;
  }
  return d;
}

// right
bool document_append(struct document *refcounted borrowed d, const char *borrowed text) {
  struct buffer *refcounted b = buffer_new(text);
  if (!b)
    return false;
  struct slice *unique s = slice_new(b, 0, b->length);
  rc_drop(b);
  if (!s)
    return false;
  struct slice *unique *p = &d->content;
  while (*p)
    p = &(*p)->next;
  *p = s;
  d->version++;
  return true;
}

// right
void view_show(struct view *borrowed v, struct document *refcounted borrowed d) {
  if (v->shown) {
    acre_weak *unique before = acre_weak_new(v->shown);
    acre_weak_drop(acre_swap(&v->last, before));
  }
  rc_drop(acre_swap(&v->shown, rc_alias(d)));
  v->top = 0;
}

// right: to the document that was shown before, if it is still there
bool view_back(struct view *borrowed v) {
  if (!v->last)
    return false;
  struct document *refcounted d = acre_weak_get(struct document, v->last);
  if (!d)
    return false;
  acre_weak_drop(acre_take(&v->last));
  rc_drop(acre_swap(&v->shown, d));
  return true;
}

// leak: the reference from the weak one is not dropped where there is no title
char *unique view_title(const struct view *borrowed v) {
  if (!v->last)
    return NULL;
  struct document *refcounted d = acre_weak_get(struct document, v->last);
  if (!d || !d->title)
    return NULL;
  char *unique title = strdup(d->title);
  rc_drop(d);
  return title;
}

// wrong: what is shown is asked for its version after it was dropped
unsigned view_close(struct view *unique v) {
  struct document *refcounted d = acre_take(&v->shown);
  acre_drop(v);
  rc_drop(d);
  return d ? d->version : 0;
}

// right
bool observe(struct observer *unique *borrowed list, struct document *refcounted borrowed d,
             void (*changed)(struct document *refcounted borrowed)) {
  struct observer *unique o = calloc(1, sizeof *o);
  if (!o)
    return false;
  o->subject = acre_weak_new(d);
  if (!o->subject) {
    free(o);
    return false;
  }
  o->changed = changed;
  o->next = acre_take(list);
  *list = o;
  return true;
}

// right: those whose document is gone are removed
void notify(struct observer *unique *borrowed list) {
  struct observer *unique *p = list;
  while (*p) {
    struct document *refcounted d = acre_weak_get(struct document, (*p)->subject);
    if (!d) {
      struct observer *unique gone = acre_take(p);
      *p = acre_take(&gone->next);
      acre_weak_drop(acre_take(&gone->subject));
      free(gone);
      continue;
    }
    (*p)->changed(d);
    rc_drop(d);
    p = &(*p)->next;
  }
}

// leak: the weak references stay
void observers_free(struct observer *unique list) {
  while (list) {
    struct observer *unique next = acre_take(&list->next);
    free(list);
    list = next;
  }
}
