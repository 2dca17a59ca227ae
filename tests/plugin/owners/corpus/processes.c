/* SPDX-License-Identifier: MIT */
/* Programs and their pipes, mappings, semaphores, libraries, timers, data of threads. */
#include "corpus.h"
#include <dlfcn.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

struct job {
  char *unique command;
  struct job *unique next;
  pid_t child;
};
struct mapping {
  void *base;
  size_t size;
};

// right
static char *unique output_of(const char *command) {
  FILE *unique in = popen(command, "r");
  char *unique text = NULL;
  size_t room = 0;
  if (!in) return NULL;
  if (getdelim(&text, &room, '\0', in) < 0) free(acre_take(&text));
  if (pclose(in) != 0) free(acre_take(&text));
  return text;
}

// wrong: the stream of a program is closed as a file
static bool run_closed(const char *command) {
  FILE *unique in = popen(command, "r");
  char line[80];
  if (!in) return false;
  bool any = fgets(line, sizeof line, in) != NULL;
  fclose(in);
  return any;
}

// leak: the program's stream
static int first_number(const char *command) {
  FILE *unique in = popen(command, "r");
  int number;
  if (!in) return -1;
  if (fscanf(in, "%d", &number) != 1) return -1;
  pclose(in);
  return number;
}

// wrong: read after the program has ended
static int last_number(const char *command) {
  FILE *unique in = popen(command, "r");
  int number = 0;
  if (!in) return -1;
  int status = pclose(in);
  while (fscanf(in, "%d", &number) == 1) note(number);
  return status ? -1 : number;
}

// right
static pid_t run(struct job *borrowed j) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    close(ends[0]);
    execl("/bin/sh", "sh", "-c", j->command, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  j->child = child;
  close(ends[0]);
  return child;
}

// right
static void reap(struct job *unique *jobs) {
  int status;
  pid_t gone = waitpid(-1, &status, WNOHANG);
  struct job *unique *at = jobs;
  while (*at && (*at)->child != gone) at = &(*at)->next;
  if (!*at) return;
  struct job *unique done = acre_take(at);
  *at = acre_take(&done->next);
  acre_drop(done);
}

// wrong: the command is shown after its job was dropped
static void reap_loud(struct job *unique *jobs) {
  struct job *unique done = acre_take(jobs);
  if (!done) return;
  *jobs = acre_take(&done->next);
  const char *command = done->command;
  acre_drop(done);
  if (command) puts(command);
}

// right
static uint32_t sum_of(const char *path) {
  struct stat about;
  uint32_t sum = 0;
  int fd = open(path, O_RDONLY);
  if (fd < 0) return 0;
  if (fstat(fd, &about) != 0 || about.st_size == 0) {
    close(fd);
    return 0;
  }
  size_t size = (size_t)about.st_size;
  unsigned char *unique bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (bytes == MAP_FAILED) return 0;
  for (size_t i = 0; i < size; i++) sum = sum * 31 + bytes[i];
  munmap(bytes, size);
  return sum;
}

// leak: the mapping, where a zero is found
static ssize_t find_zero(int fd, size_t size) {
  char *unique bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
  if (bytes == MAP_FAILED) return -1;
  for (size_t i = 0; i < size; i++)
    if (!bytes[i]) return (ssize_t)i;
  munmap(bytes, size);
  return -1;
}

// wrong: read after the mapping is gone
static char first_byte(int fd, size_t size) {
  char *unique bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (bytes == MAP_FAILED) return 0;
  const char *first = bytes;
  munmap(bytes, size);
  return *first;
}

// wrong: a mapping is no block of malloc
static int zeros(size_t size) {
  int *unique all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return -1;
  int first = all[0];
  free(all);
  return first;
}

// right
static bool map_file(struct mapping *borrowed into, int fd, size_t size) {
  void *base = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (base == MAP_FAILED) return false;
  into->base = base;
  into->size = size;
  return true;
}

// right
static int take_turn(const char *name) {
  sem_t *unique turn = sem_open(name, O_CREAT, 0600, 1);
  if (turn == SEM_FAILED) return -1;
  while (sem_wait(turn) != 0 && errno == EINTR) {}
  note(1);
  sem_post(turn);
  sem_close(turn);
  return 0;
}

// leak: the semaphore, where it cannot be had
static bool try_turn(const char *name) {
  sem_t *unique turn = sem_open(name, 0);
  if (turn == SEM_FAILED) return false;
  if (sem_trywait(turn) != 0) return false;
  sem_post(turn);
  sem_close(turn);
  return true;
}

// wrong: given back after it was closed
static void give_turn(const char *name) {
  sem_t *unique turn = sem_open(name, 0);
  if (turn == SEM_FAILED) return;
  sem_close(turn);
  sem_post(turn);
}

// right
static double call_by_name(const char *library, const char *name, double x) {
  void *unique handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    fprintf(stderr, "%s\n", dlerror());
    return 0;
  }
  double (*function)(double) = (double (*)(double))dlsym(handle, name);
  double y = function ? function(x) : 0;
  dlclose(handle);
  return y;
}

// leak: the library, where it has no such name
static int version_of(const char *library) {
  void *unique handle = dlopen(library, RTLD_LAZY);
  if (!handle) return -1;
  int *version = dlsym(handle, "version");
  if (!version) return -1;
  int number = *version;
  dlclose(handle);
  return number;
}

// wrong: a symbol is read after its library was closed
static int version_late(const char *library) {
  void *unique handle = dlopen(library, RTLD_LAZY);
  if (!handle) return -1;
  const int *version = dlsym(handle, "version");
  dlclose(handle);
  return version ? *version : -1;
}

// right
static int wait_once(long nanoseconds) {
  struct itimerspec when = {.it_value = {0, nanoseconds}};
  uint64_t count;
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  if (fd < 0) return -1;
  int status = timerfd_settime(fd, 0, &when, NULL);
  if (status == 0 && read(fd, &count, sizeof count) != sizeof count) status = -1;
  close(fd);
  return status;
}

// right
static int alarm_in(int seconds) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  struct itimerspec when = {.it_value = {seconds, 0}};
  timer_t timer;
  if (timer_create(CLOCK_REALTIME, &event, &timer) != 0) return -1;
  if (timer_settime(timer, 0, &when, NULL) != 0) {
    timer_delete(timer);
    return -1;
  }
  pause();
  return timer_delete(timer);
}

static pthread_key_t key;
static void end_text(void *text) { free((char *unique)text); }

// right
static bool keep_name(const char *name) {
  char *unique copy = strdup(name);
  if (!copy) return false;
  char *old = pthread_getspecific(key);
  if (pthread_setspecific(key, acre_unowned(copy)) != 0) {
    free(copy);
    return false;
  }
  free((char *unique)old);
  return acre_release(copy) != NULL;
}

// wrong: the thread's data are freed
static bool keep_freed(const char *name) {
  char *unique copy = strdup(name);
  if (!copy || pthread_key_create(&key, end_text) != 0) {
    free(copy);
    return false;
  }
  bool done = pthread_setspecific(key, copy) == 0;
  free(copy);
  return done;
}

static void *work(void *given) {
  struct job *unique j = (struct job *unique)given;
  int status = system(j->command);
  acre_drop(j);
  return (void *)(intptr_t)status;
}

// right
static int run_aside(struct job *unique j) {
  pthread_t thread;
  void *result = NULL;
  struct job *given = acre_release(j);
  if (pthread_create(&thread, NULL, work, given) != 0) {
    acre_drop((struct job *unique)given);
    return -1;
  }
  pthread_join(thread, &result);
  return (int)(intptr_t)result;
}

// wrong: the thread has it
static int run_shared(struct job *unique j) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, acre_release(j)) != 0) return -1;
  puts(j->command);
  return pthread_join(thread, NULL);
}

static void unlock(void *lock) { pthread_mutex_unlock(lock); }

// right
static char *unique copy_locked(pthread_mutex_t *lock, const char *text) {
  char *unique copy;
  pthread_mutex_lock(lock);
  pthread_cleanup_push(unlock, lock);
  copy = strdup(text);
  pthread_cleanup_pop(1);
  return copy;
}

// leak: the copy, where the lock cannot be had
static char *unique copy_tried(pthread_mutex_t *lock, const char *text) {
  char *unique copy = strdup(text);
  if (pthread_mutex_trylock(lock) != 0) return NULL;
  note(1);
  pthread_mutex_unlock(lock);
  return copy;
}
