/* SPDX-License-Identifier: MIT */
/* watch.c - follows growing files, and says what matters in them.
 *
 * watch [-f from] [-n seconds] [-c command] RULES FILE...
 *
 * RULES has one rule a line: NAME LIMIT REGEX.  A rule that matches LIMIT lines within a minute is
 * told on the standard output, with what its first group was; then, where -c names a command, that
 * command is run and what it answers is printed.  -f names the character set of the files.  It ends
 * after some seconds, or at the end of the files without -n.
 */
#define _GNU_SOURCE
#include <acre/own.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { LAST = 60 };

/* A match that still counts. */
struct hit {
  struct hit *unique next;
  time_t when;
  char what[];
};

struct rule {
  struct rule *unique next;
  char *unique name;
  regex_t expression;
  size_t limit, count;
  struct hit *unique hits; /* newest first */
};

struct file {
  struct file *unique next;
  char *unique path;
  FILE *unique in;
  char *unique rest; /* a line without its end */
  int watch;
};

struct judge {
  struct rule *unique rules;
  iconv_t converter;
  const char *command;
};

struct watcher {
  struct judge judge;
  struct file *unique files;
  int notify;
};

/* -- Rules ----------------------------------------------------------------------------------- */

static void free_rule(struct rule *unique rule) {
  regfree(&rule->expression);
  acre_drop(rule);
}

/* Null, and a message, for what is no rule. */
static struct rule *unique read_rule(const char *line, int number) {
  char *unique name = NULL, *unique expression = NULL;
  size_t limit;
  int error;
  struct rule *unique rule = NULL;
  if (sscanf(line, "%ms %zu %m[^\n]", &name, &limit, &expression) != 3 || limit == 0) {
    fprintf(stderr, "watch: line %d is no rule\n", number);
    goto end;
  }
  if (!(rule = calloc(1, sizeof *rule)))
    goto end;
  error = regcomp(&rule->expression, expression, REG_EXTENDED | REG_ICASE);
  if (error) {
    char why[100];
    regerror(error, &rule->expression, why, sizeof why);
    fprintf(stderr, "watch: line %d: %s\n", number, why);
    free(rule);
    rule = NULL;
    goto end;
  }
  rule->name = name;
  name = NULL;
  rule->limit = limit;
end:
  free(name);
  free(expression);
  return rule;
}

/* All rules of a file, in its order; null if there is none or one is wrong. */
static struct rule *unique read_rules(const char *path) {
  FILE *unique in = fopen(path, "re");
  struct rule *unique first = NULL, *unique *last = &first;
  char *unique line = NULL;
  size_t size = 0;
  if (!in) {
    fprintf(stderr, "watch: %s: %s\n", path, strerror(errno));
    return NULL;
  }
  for (int number = 1; getline(&line, &size, in) > 0; number++) {
    if (line[0] == '#' || line[strspn(line, " \t\n")] == '\0')
      continue;
    struct rule *unique rule = read_rule(line, number);
    if (!rule) {
      while (first) {
        struct rule *unique next = acre_take(&first->next);
        free_rule(first);
        first = next;
      }
      break;
    }
    *last = rule;
    last = &(*last)->next;
  }
  free(line);
  fclose(in);
  return first;
}

/* Forgets matches that are too old. */
static void forget_hits(struct rule *borrowed rule, time_t now) {
  struct hit *unique *place = &rule->hits;
  size_t count = 0;
  while (*place && difftime(now, (*place)->when) < LAST) {
    place = &(*place)->next;
    count++;
  }
  acre_drop(acre_take(place));
  rule->count = count;
}

static void print_answer(const char *command) {
  char *unique line = NULL;
  size_t size = 0;
  FILE *unique answer = popen(command, "r");
  if (!answer) {
    fprintf(stderr, "watch: %s: %s\n", command, strerror(errno));
    return;
  }
  while (getline(&line, &size, answer) > 0)
    printf("  | %s", line);
  int status = pclose(answer);
  if (status != 0)
    printf("  ended with %d\n", WEXITSTATUS(status));
  free(line);
}

static void tell(const char *command, struct rule *borrowed rule, time_t now) {
  struct tm when;
  char date[64] = "";
  if (localtime_r(&now, &when))
    strftime(date, sizeof date, "%Y-%m-%d", &when);
  printf("%s %s: %zu lines", date, rule->name, rule->count);
  for (const struct hit *hit = rule->hits; hit; hit = hit->next)
    printf(" '%s'", hit->what);
  printf("\n");
  fflush(stdout);
  if (command)
    print_answer(command);
  acre_drop(acre_take(&rule->hits));
  rule->count = 0;
}

static void match_rule(const char *command, struct rule *borrowed rule, const char *line) {
  regmatch_t groups[2];
  if (regexec(&rule->expression, line, 2, groups, 0) != 0)
    return;
  regmatch_t group = groups[1].rm_so >= 0 ? groups[1] : groups[0];
  size_t length = (size_t)(group.rm_eo - group.rm_so);
  struct hit *unique hit = malloc(sizeof *hit + length + 1);
  if (!hit)
    return;
  memcpy(hit->what, line + group.rm_so, length);
  hit->what[length] = '\0';
  time_t now = hit->when = time(NULL);
  forget_hits(rule, now);
  hit->next = acre_take(&rule->hits);
  rule->hits = hit;
  if (++rule->count >= rule->limit)
    tell(command, rule, now);
}

/* -- Files ----------------------------------------------------------------------------------- */

/* The line in the program's own character set; the caller frees it. */
static char *unique convert(iconv_t converter, const char *line) {
  size_t left = strlen(line), room = 4 * left + 1;
  char *unique text = malloc(room);
  char *from = (char *)line, *to = text;
  if (!text)
    return NULL;
  room--;
  iconv(converter, NULL, NULL, NULL, NULL);
  while (left > 0 && iconv(converter, &from, &left, &to, &room) == (size_t)-1 && errno != E2BIG) {
    from++;
    left--;
  }
  *to = '\0';
  return text;
}

static void match_line(struct judge *borrowed judge, const char *line) {
  char *unique converted = NULL;
  if (judge->converter != (iconv_t)-1) {
    converted = convert(judge->converter, line);
    if (!converted)
      return;
    line = converted;
  }
  for (struct rule *rule = judge->rules; rule; rule = rule->next)
    match_rule(judge->command, rule, line);
  free(converted);
}

/* Reads what is new; half a line waits for its other half. */
static void read_file(struct judge *borrowed judge, struct file *borrowed file) {
  char *unique line = NULL;
  size_t size = 0;
  ssize_t length;
  clearerr(file->in);
  while ((length = getline(&line, &size, file->in)) > 0) {
    char *unique whole = NULL;
    if (asprintf(&whole, "%s%s", file->rest ? file->rest : "", line) < 0)
      break;
    free(acre_take(&file->rest));
    if (line[length - 1] == '\n') {
      whole[strcspn(whole, "\n")] = '\0';
      match_line(judge, whole);
      free(whole);
    } else {
      file->rest = whole;
    }
  }
  free(line);
}

static void free_file(struct file *unique file) {
  if (file->in)
    fclose(acre_take(&file->in));
  free(acre_take(&file->path));
  free(acre_take(&file->rest));
  free(file);
}

static bool add_file(struct watcher *borrowed watcher, const char *path) {
  struct file *unique file = calloc(1, sizeof *file);
  if (!file)
    return false;
  file->path = realpath(path, NULL);
  file->in = file->path ? fopen(file->path, "re") : NULL;
  if (!file->in) {
    fprintf(stderr, "watch: %s: %s\n", path, strerror(errno));
    free_file(file);
    return false;
  }
  file->watch = inotify_add_watch(watcher->notify, file->path, IN_MODIFY);
  file->next = acre_take(&watcher->files);
  watcher->files = file;
  return true;
}

static void handle_changes(struct watcher *borrowed watcher) {
  _Alignas(struct inotify_event) char buffer[4096];
  ssize_t length = read(watcher->notify, buffer, sizeof buffer);
  for (ssize_t at = 0; at < length;) {
    const struct inotify_event *event = (const struct inotify_event *)(buffer + at);
    for (struct file *file = watcher->files; file; file = file->next)
      if (file->watch == event->wd)
        read_file(&watcher->judge, file);
    at += (ssize_t)(sizeof *event + event->len);
  }
}

/* -- The loop -------------------------------------------------------------------------------- */

static int open_timer(double seconds) {
  struct itimerspec when = {.it_value.tv_sec = (time_t)seconds};
  when.it_value.tv_nsec = (long)((seconds - (double)when.it_value.tv_sec) * 1e9);
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  if (timer >= 0 && timerfd_settime(timer, 0, &when, NULL) < 0) {
    close(timer);
    return -1;
  }
  return timer;
}

static int open_signals(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  return signalfd(-1, &signals, SFD_CLOEXEC);
}

static void follow(struct watcher *borrowed watcher, double seconds) {
  struct pollfd sources[] = {{.fd = watcher->notify, .events = POLLIN},
                             {.fd = open_timer(seconds), .events = POLLIN},
                             {.fd = open_signals(), .events = POLLIN}};
  while (poll(sources, 3, -1) > 0 || errno == EINTR) {
    if (sources[1].revents || sources[2].revents)
      break;
    if (sources[0].revents)
      handle_changes(watcher);
  }
  if (sources[1].fd >= 0)
    close(sources[1].fd);
  if (sources[2].fd >= 0)
    close(sources[2].fd);
}

static void watcher_end(struct watcher *borrowed watcher) {
  while (watcher->judge.rules) {
    struct rule *unique rule = acre_take(&watcher->judge.rules);
    watcher->judge.rules = acre_take(&rule->next);
    free_rule(rule);
  }
  while (watcher->files) {
    struct file *unique file = acre_take(&watcher->files);
    watcher->files = acre_take(&file->next);
    free_file(file);
  }
  if (watcher->judge.converter != (iconv_t)-1)
    iconv_close(watcher->judge.converter);
  if (watcher->notify >= 0)
    close(watcher->notify);
}

static bool start(struct watcher *borrowed watcher, const char *from, char **names) {
  if (from && (watcher->judge.converter = iconv_open(nl_langinfo(CODESET), from)) == (iconv_t)-1) {
    fprintf(stderr, "watch: %s: %s\n", from, strerror(errno));
    return false;
  }
  acre_drop(acre_swap(&watcher->judge.rules, read_rules(*names++)));
  if (!watcher->judge.rules)
    return false;
  for (; *names; names++)
    if (!add_file(watcher, *names))
      return false;
  return true;
}

int main(int argc, char **argv) {
  struct watcher watcher = {.judge.converter = (iconv_t)-1};
  const char *from = NULL;
  double seconds = 0;
  setlocale(LC_ALL, "");
  for (int option; (option = getopt(argc, argv, "c:f:n:")) != -1;) {
    if (option == 'c')
      watcher.judge.command = optarg;
    else if (option == 'f')
      from = optarg;
    else if (option == 'n')
      seconds = strtod(optarg, NULL);
    else
      argc = 0;
  }
  if (argc - optind < 2) {
    fprintf(stderr, "usage: watch [-f from] [-n seconds] [-c command] RULES FILE...\n");
    return 2;
  }
  watcher.notify = inotify_init1(IN_CLOEXEC);
  bool is_right = start(&watcher, from, argv + optind);
  if (is_right) {
    for (struct file *file = watcher.files; file; file = file->next)
      read_file(&watcher.judge, file);
    if (seconds > 0)
      follow(&watcher, seconds);
  }
  watcher_end(&watcher);
  return is_right ? 0 : 1;
}
