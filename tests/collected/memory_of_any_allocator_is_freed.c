// RUN: %acre-cc -O2 -g -facre-malloc=collected -pthread %s -o %t
// RUN: %clang -O1 -fPIC -shared %S/Inputs/own_allocator.c -o %t.so
// RUN: %t
// RUN: env LD_PRELOAD=%t.so %t
// RUN: env MALLOC_ARENA_MAX=1 %t
// RUN: env MALLOC_TOP_PAD_=0 MALLOC_MMAP_THRESHOLD_=1 %t
// RUN: env GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.tcache_count=0 %t
// RUN: setarch -R %t
// What is told about memory that nobody allocated must be true of no memory that somebody did:
// blocks of the C library in each of their kinds, also those of other threads, and those of an
// allocator in front of it, which gives memory from a static array.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <dirent.h>
#include <dlfcn.h>
#include <glob.h>
#include <locale.h>
#include <malloc.h>
#include <netdb.h>
#include <pthread.h>
#include <regex.h>
#include <unistd.h>
#include <wordexp.h>

enum { BLOCKS = 40 };
static void *(*volatile plain)(size_t);
static void *(*volatile plain_aligned)(size_t, size_t);

static void free_what_functions_return(void) {
  char *line = NULL, *text = NULL;
  size_t size = 0;
  FILE *file = fmemopen("line\nanother that is longer\n", 27, "r");
  while (getline(&line, &size, file) > 0)
    CHECK(malloc_usable_size(line) >= size);
  line = realloc(line, 100000);
  CHECK(strcmp(line, "another that is longer\n") == 0 || line[0] == 'a');
  free(line);
  fclose(file);
  file = open_memstream(&text, &size);
  for (int i = 0; i < 10000; i++)
    fputs("text ", file);
  fclose(file);
  free(text);
  free(realpath("/", NULL));
  free(getcwd(NULL, 0));
  CHECK(asprintf(&text, "%d", 5) == 1);
  free(text);
  struct dirent **entries;
  int count = scandir("/", &entries, NULL, alphasort);
  for (int i = 0; i < count; i++)
    free(entries[i]);
  free(entries);
}

static void use_libraries(void) {
  regex_t expression;
  glob_t paths;
  wordexp_t words;
  struct addrinfo *addresses;
  CHECK(regcomp(&expression, "a(b|c)*d", REG_EXTENDED) == 0);
  regfree(&expression);
  if (glob("/*", 0, NULL, &paths) == 0)
    globfree(&paths);
  if (wordexp("a b c", &words, 0) == 0)
    wordfree(&words);
  if (getaddrinfo("127.0.0.1", "80", NULL, &addresses) == 0)
    freeaddrinfo(addresses);
  setlocale(LC_ALL, "C.UTF-8");
  void *library = dlopen("libm.so.6", RTLD_NOW);
  if (library)
    dlclose(library);
  pclose(popen("true", "r"));
}

/* Each size a few times, freed in another order than allocated. */
static void *free_all_sizes(void *unused) {
  void *blocks[BLOCKS];
  for (size_t size = 1; size < ((size_t)1 << 24); size = size * 3 + 1) {
    for (int i = 0; i < BLOCKS; i++)
      blocks[i] = size < 10000 || i == 0 ? plain(size) : NULL;
    for (int i = 0; i < BLOCKS; i += 3)
      blocks[i] = realloc(blocks[i], size + size / 2);
    for (int i = BLOCKS - 1; i >= 0; i--)
      free(blocks[i]);
  }
  for (size_t align = 16; align <= (size_t)1 << 22; align *= 2)
    free(plain_aligned(align, align));
  return unused;
}

static void *allocate_in_thread(void *unused) {
  (void)unused;
  return plain(5000);
}

int main(void) {
  plain = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
  plain_aligned = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "aligned_alloc");
  free_what_functions_return();
  use_libraries();
  free_all_sizes(NULL);
  pthread_t thread;
  void *block;
  for (int i = 0; i < 4; i++) {
    pthread_create(&thread, NULL, i % 2 ? allocate_in_thread : free_all_sizes, NULL);
    pthread_join(thread, &block);
    free(block);
  }
  puts("ok");
}
