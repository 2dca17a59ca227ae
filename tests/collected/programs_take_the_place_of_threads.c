// RUN: %acre-cc -O0 -facre-malloc=collected %s -o %t && env ACRE_HEAP=growth=256K %t
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t && env ACRE_HEAP=growth=256K %t
// A signal that was to stop the thread which calls execve waited for it there, and ended the new
// program.
#define _GNU_SOURCE
#include "Inputs/check.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORMS = 9, ROUNDS = 4 };

static void *allocate(void *unused) {
  (void)unused;
  static _Thread_local char *kept[100];
  for (size_t i = 0;; i++) {
    free(kept[i % 100]);
    memset(kept[i % 100] = malloc(100 + i % 3000), 1, 100);
  }
}

static void begin(int form, char *self) {
  char *words[] = {self, "one", "two", NULL}, *settings[] = {"FORM=set", NULL};
  environ = settings;
  switch (form) {
  case 0:
    execl("/proc/self/exe", self, "one", "two", NULL);
    break;
  case 1:
    execlp("/proc/self/exe", self, "one", "two", NULL);
    break;
  case 2:
    execle("/proc/self/exe", self, "one", "two", NULL, settings);
    break;
  case 3:
    execv("/proc/self/exe", words);
    break;
  case 4:
    execvp("/proc/self/exe", words);
    break;
  case 5:
    execvpe("/proc/self/exe", words, settings);
    break;
  case 6:
    execve("/proc/self/exe", words, settings);
    break;
  case 7:
    fexecve(open("/proc/self/exe", O_RDONLY), words, settings);
    break;
  default:
    execveat(AT_FDCWD, "/proc/self/exe", words, settings, 0);
  }
  perror("exec");
}

/* In a child of vfork nothing is held: the parent goes on. */
static void begin_beside(char *self) {
  char *words[] = {self, "one", "two", NULL}, *settings[] = {"FORM=set", NULL};
  pid_t child = vfork();
  if (child == 0) {
    execve("/proc/self/exe", words, settings);
    _exit(1);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main(int count, char **words) {
  if (count > 1) {
    CHECK(count == 3 && !strcmp(words[1], "one") && !strcmp(words[2], "two") && !words[3]);
    CHECK(getenv("FORM") && !strcmp(getenv("FORM"), "set"));
    return 0;
  }
  for (int round = 0; round < ROUNDS * FORMS; round++) {
    pid_t child = fork();
    if (child == 0) {
      pthread_t thread;
      for (int i = 0; i < 2; i++)
        pthread_create(&thread, NULL, allocate, NULL);
      usleep(5000);
      CHECK(execl("/nowhere", "nothing", NULL) == -1);
      begin_beside(words[0]);
      begin(round % FORMS, words[0]);
      _exit(1);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  puts("ok");
  return 0;
}
