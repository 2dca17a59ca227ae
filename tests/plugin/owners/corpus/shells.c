/* SPDX-License-Identifier: MIT */
/* A shell's words, redirections, here-documents, jobs and variables: right, wrong and leaking. */
#include "corpus.h"

#include <glob.h>

// right
struct word {
  struct word *unique next;
  char *unique text;
  unsigned quoted : 1, assigns : 1;
};
struct redirection {
  struct redirection *unique next;
  int fd, kind;
  char *unique target;
  struct document *unique document;
};
struct document {
  char *unique end;
  char *unique body;
  size_t size;
  bool strip;
};
enum node_kind { NODE_SIMPLE, NODE_PIPE, NODE_IF, NODE_FOR, NODE_GROUP };
struct command {
  enum node_kind kind;
  struct word *unique words;
  struct word *unique assigns;
  struct redirection *unique redirections;
  struct command *unique left, *unique right, *unique other;
  char *unique variable;
};
struct variable {
  struct variable *unique next;
  char *unique name;
  char *unique value;
  unsigned flags;
};
struct frame {
  struct frame *unique outer;
  struct variable *unique locals;
  char *unique *unique arguments;
  int count;
};
struct shell {
  struct frame *unique top;
  struct variable *unique globals[64];
  struct job *unique jobs;
  char *unique prompt, *unique directory;
  int status;
};
struct job {
  struct job *unique next;
  pid_t group;
  char *unique text;
  pid_t *unique pids;
  size_t count, done;
};
struct reader {
  FILE *unique in;
  char *unique line;
  size_t room;
  const char *at;
  struct document *pending[8];
  int pending_count;
};
char *unique expand(struct shell *borrowed s, const char *borrowed text);
int run_in(struct shell *borrowed s, const struct command *borrowed c, bool forked);
void words_free(struct word *unique w);
void complain(const char *borrowed what, const char *borrowed text);

// right
struct word *unique word_new(const char *text, size_t length) {
  struct word *unique w = malloc(sizeof *w);
  if (!w) return NULL;
  *w = (struct word){0};
  if (!(w->text = strndup(text, length))) {
    free(w);
    return NULL;
  }
  return w;
}

// right
int word_list(const char *line, struct word *unique *acre_out list) {
  struct word *unique *end = list;
  *list = NULL;
  while (*(line += strspn(line, " \t"))) {
    size_t length = strcspn(line, " \t");
    struct word *unique w = word_new(line, length);
    if (!w) {
      words_free(acre_take(list));
      return -1;
    }
    *end = w;
    end = &(*end)->next;
    line += length;
  }
  return 0;
}

// leak: the words before the one that could not be made
struct word *unique word_list_short(const char *line) {
  struct word *unique first = NULL, *unique *end = &first;
  while (*(line += strspn(line, " \t"))) {
    size_t length = strcspn(line, " \t");
    *end = word_new(line, length);
    if (!*end) return NULL;
    end = &(*end)->next;
    line += length;
  }
  return first;
}

// right
void words_end(struct word *unique w) {
  for (struct word *unique next; w; w = next) {
    next = acre_take(&w->next);
    free(acre_take(&w->text));
    free(w);
  }
}

// wrong: the next word is asked of the one that was freed
void words_end_late(struct word *unique w) {
  while (w) {
    const struct word *after = w->next;
    free(acre_take(&w->text));
    words_free(w);
    if (after && after->quoted) note(1);
    break;
  }
}

// right
char *unique *unique words_argv(struct word *unique list, size_t *borrowed count) {
  size_t n = 0;
  for (const struct word *w = list; w; w = w->next) n++;
  char *unique *unique argv = calloc(n + 1, sizeof *argv);
  if (!argv) {
    words_free(list);
    return NULL;
  }
  size_t i = 0;
  for (struct word *w = list; w; w = w->next) argv[i++] = acre_take(&w->text);
  words_free(list);
  *count = n;
  return argv;
}

// leak: the nodes of the list, where there are words
char *unique *unique words_argv_lost(struct word *unique list) {
  size_t n = 0, i = 0;
  for (const struct word *w = list; w; w = w->next) n++;
  char *unique *unique argv = calloc(n + 1, sizeof *argv);
  if (!argv) {
    words_free(list);
    return NULL;
  }
  while (list) {
    argv[i++] = acre_take(&list->text);
    list = acre_take(&list->next);
  }
  return argv;
}

// right
struct word *unique words_expand(struct shell *borrowed s, const struct word *borrowed list) {
  struct word *unique result = NULL;
  struct word *unique *tail = &result;
  for (; list; list = list->next) {
    if (list->quoted || !strpbrk(list->text, "*?[")) {
      struct word *unique w = calloc(1, sizeof *w);
      if (!w) goto fail;
      w->text = expand(s, list->text);
      *tail = w;
      tail = &(*tail)->next;
      continue;
    }
    glob_t found;
    if (glob(list->text, 0, NULL, &found) != 0) continue;
    for (size_t i = 0; i < found.gl_pathc; i++) {
      struct word *unique w = word_new(found.gl_pathv[i], strlen(found.gl_pathv[i]));
      if (!w) {
        globfree(&found);
        goto fail;
      }
      *tail = w;
      tail = &(*tail)->next;
    }
    globfree(&found);
  }
  return result;
fail:
  words_free(result);
  return NULL;
}

// right
static struct word *unique split_assigns(struct command *borrowed c) {
  struct word *unique *end = &c->assigns;
  while (*end) end = &(*end)->next;
  while (c->words && c->words->assigns) {
    struct word *unique w = acre_take(&c->words);
    c->words = acre_take(&w->next);
    *end = w;
    end = &(*end)->next;
  }
  return acre_take(&c->assigns);
}

// right
static void redirection_free(struct redirection *unique r) {
  if (!r) return;
  redirection_free(acre_take(&r->next));
  free(acre_take(&r->target));
  if (r->document) {
    free(acre_take(&r->document->end));
    free(acre_take(&r->document->body));
    free(acre_take(&r->document));
  }
  free(r);
}

// leak: the body of the document
static void redirection_free_document(struct redirection *unique r) {
  if (!r) return;
  free(acre_take(&r->target));
  if (r->document) {
    free(acre_take(&r->document->end));
    free(acre_take(&r->document));
  }
  acre_drop(acre_take(&r->next));
  free(r);
}

// right
int read_document(struct reader *borrowed in, struct document *borrowed d) {
  size_t room = 256, used = 0;
  char *unique body = malloc(room);
  if (!body) return -1;
  body[0] = 0;
  for (;;) {
    ssize_t length = getline(&in->line, &in->room, in->in);
    if (length < 0) break;
    const char *line = in->line;
    while (d->strip && *line == '\t') line++, length--;
    if (length > 0 && strncmp(line, d->end, (size_t)length - 1) == 0 && !d->end[length - 1]) break;
    while (used + (size_t)length + 1 > room) {
      char *unique more = realloc(body, room *= 2);
      if (!more) {
        free(body);
        return -1;
      }
      body = more;
    }
    memcpy(body + used, line, (size_t)length + 1);
    used += (size_t)length;
  }
  free(acre_swap(&d->body, body));
  d->size = used;
  return 0;
}

// wrong: the line was read over by the next call of getline
int read_document_title(struct reader *borrowed in) {
  if (getline(&in->line, &in->room, in->in) < 0) return -1;
  const char *title = in->line;
  if (getline(&in->line, &in->room, in->in) < 0) return -1;
  return strcmp(title, "end\n");
}

// right
int open_document(const struct document *borrowed d) {
  int ends[2];
  if (pipe(ends) < 0) return -1;
  if (d->size <= 4096) {
    ssize_t put = write(ends[1], d->body, d->size);
    close(ends[1]);
    if (put < 0) {
      close(ends[0]);
      return -1;
    }
    return ends[0];
  }
  if (fork() == 0) {
    close(ends[0]);
    signal(SIGPIPE, SIG_DFL);
    _exit(write(ends[1], d->body, d->size) < 0);
  }
  close(ends[1]);
  return ends[0];
}

// right
static struct variable *borrowed lookup(struct shell *borrowed s,
                                        const char *name __attribute__((noescape))) {
  for (struct frame *f = s->top; f; f = f->outer)
    for (struct variable *v = f->locals; v; v = v->next)
      if (strcmp(v->name, name) == 0) return v;
  for (struct variable *v = s->globals[(unsigned char)*name % 64]; v; v = v->next)
    if (strcmp(v->name, name) == 0) return v;
  return NULL;
}

// right
int set_variable(struct shell *borrowed s, const char *name, char *unique value) {
  struct variable *v = lookup(s, name);
  if (v && v->flags & 1) {
    complain("is read only", name);
    free(value);
    return -1;
  }
  if (v) {
    free(acre_swap(&v->value, value));
    return 0;
  }
  struct variable *unique fresh = calloc(1, sizeof *fresh);
  if (!fresh || !(fresh->name = strdup(name))) {
    free(fresh);
    free(value);
    return -1;
  }
  fresh->value = value;
  struct variable *unique *bucket = &s->globals[(unsigned char)*name % 64];
  fresh->next = acre_take(bucket);
  *bucket = fresh;
  return 0;
}

// leak: the value of a variable that is read only
int set_variable_quiet(struct shell *borrowed s, const char *name, char *unique value) {
  struct variable *v = lookup(s, name);
  if (!v) {
    free(value);
    return -1;
  }
  if (v->flags & 1) return 1;
  free(acre_swap(&v->value, value));
  return 0;
}

// wrong: the value is exported after it was given to the variable's slot, which frees it
int set_and_export(struct shell *borrowed s, const char *name, char *unique value) {
  if (set_variable(s, name, value) < 0) return -1;
  return setenv(name, value, 1);
}

// right
int push_frame(struct shell *borrowed s, char *unique *unique arguments, int count) {
  struct frame *unique f = calloc(1, sizeof *f);
  if (!f) {
    for (int i = 0; i < count; i++) free(acre_take(&arguments[i]));
    free(arguments);
    return -1;
  }
  f->arguments = arguments;
  f->count = count;
  f->outer = acre_take(&s->top);
  s->top = f;
  return 0;
}

// right
void pop_frame(struct shell *borrowed s) {
  struct frame *unique f = acre_take(&s->top);
  if (!f) return;
  s->top = acre_take(&f->outer);
  for (int i = 0; i < f->count; i++) free(acre_take(&f->arguments[i]));
  free(acre_take(&f->arguments));
  acre_drop(f);
}

// leak: the frames below
void pop_frame_all(struct shell *borrowed s) {
  struct frame *unique f = acre_take(&s->top);
  if (!f) return;
  acre_drop(acre_take(&f->locals));
  for (int i = 0; i < f->count; i++) free(acre_take(&f->arguments[i]));
  free(acre_take(&f->arguments));
  free(f);
}

// right
int call_function(struct shell *borrowed s, const struct command *borrowed body,
                  struct word *unique words) {
  size_t count = 0;
  char *unique *unique argv = words_argv(words, &count);
  if (!argv) return 127;
  if (push_frame(s, argv, (int)count) < 0) return 127;
  int status = run_in(s, body, false);
  pop_frame(s);
  return s->status = status;
}

// right
struct command *unique command_pipe(struct command *unique left, struct command *unique right) {
  if (!left || !right) {
    acre_drop(left);
    acre_drop(right);
    return NULL;
  }
  struct command *unique c = calloc(1, sizeof *c);
  if (!c) goto fail;
  c->kind = NODE_PIPE;
  c->left = left;
  c->right = right;
  return c;
fail:
  acre_drop(right);
  acre_drop(left);
  return NULL;
}

// wrong: the right one is dropped twice where there is no node
struct command *unique command_if(struct command *unique test, struct command *unique then) {
  struct command *unique c = calloc(1, sizeof *c);
  if (!c) {
    acre_drop(then);
    goto fail;
  }
  c->kind = NODE_IF;
  c->left = test;
  c->right = then;
  return c;
fail:
  acre_drop(then);
  acre_drop(test);
  return NULL;
}

// right
struct command *unique command_for(const char *variable, struct word *unique words,
                                   struct command *unique body) {
  struct command *unique c = calloc(1, sizeof *c);
  char *unique name = strdup(variable);
  if (!c || !name || !body) {
    free(c);
    free(name);
    words_free(words);
    acre_drop(body);
    return NULL;
  }
  *c = (struct command){.kind = NODE_FOR, .words = words, .left = body, .variable = name};
  return c;
}

// right
int reap(struct shell *borrowed s, pid_t pid) {
  struct job *unique *at = &s->jobs;
  for (; *at; at = &(*at)->next) {
    struct job *j = *at;
    size_t i = 0;
    while (i < j->count && j->pids[i] != pid) i++;
    if (i == j->count) continue;
    j->pids[i] = 0;
    if (++j->done < j->count) return 0;
    struct job *unique gone = acre_take(at);
    *at = acre_take(&gone->next);
    printf("[%d] done %s\n", (int)gone->group, gone->text);
    free(acre_take(&gone->pids));
    free(acre_take(&gone->text));
    free(gone);
    return 1;
  }
  return -1;
}

// wrong: the job is told of after it was dropped
void reap_first(struct shell *borrowed s) {
  struct job *unique gone = acre_take(&s->jobs);
  if (!gone) return;
  s->jobs = acre_take(&gone->next);
  const char *text = gone->text;
  acre_drop(gone);
  printf("done %s\n", text);
}

// right
int change_directory(struct shell *borrowed s, const char *to) {
  char *unique target = to ? strdup(to) : NULL;
  if (!target) {
    const struct variable *home = lookup(s, "HOME");
    if (!home || !(target = strdup(home->value))) return 1;
  }
  char *unique real = realpath(target, NULL);
  if (!real || chdir(real) < 0) {
    complain("cannot go to", target);
    free(real);
    free(target);
    return 1;
  }
  free(target);
  free(acre_swap(&s->directory, real));
  return 0;
}

// leak: the real name, where one cannot go there
int change_directory_real(struct shell *borrowed s, const char *to) {
  char *unique real = realpath(to, NULL);
  if (!real) return 1;
  if (chdir(real) < 0) return 1;
  free(acre_swap(&s->directory, real));
  return 0;
}

// right
const char *borrowed prompt_of(struct shell *borrowed s) {
  if (!s->prompt) s->prompt = expand(s, "$PS1");
  return s->prompt ? s->prompt : "$ ";
}

// right
char *unique command_output(struct shell *borrowed s, const char *text) {
  char *unique line = NULL, *unique all = NULL;
  size_t room = 0, size = 0;
  char *unique command = expand(s, text);
  FILE *unique in = command ? popen(command, "r") : NULL;
  FILE *unique out = in ? open_memstream(&all, &size) : NULL;
  if (!out) goto done;
  while (getline(&line, &room, in) > 0) fputs(line, out);
  fclose(out);
  while (size > 0 && all[size - 1] == '\n') all[--size] = 0;
done:
  free(line);
  if (in) s->status = pclose(in);
  free(command);
  return all;
}
