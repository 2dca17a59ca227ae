// RUN: mkdir -p %t.directory
// RUN: %clang -O1 -fPIC -shared %S/Inputs/plain_library.c -o %t.directory/library.so
// RUN: %each_level -o %t %s %t.directory/library.so -- -facre-malloc=collected
// RUN: env ACRE_HEAP=poison,check,growth=256K %t.O2
// RUN: env LD_PRELOAD=libc_malloc_debug.so.0 GLIBC_TUNABLES=glibc.malloc.check=3 %t.O2
// A library that acre-cc did not compile frees, resizes and keeps collected memory, stores it in
// collected objects, and gives away memory of its own malloc; so does the C library. Its checking
// malloc, too, gets back what it gave.
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <dirent.h>
#include <malloc.h>
#include <wchar.h>

void library_keep(void *object);
void *library_take(void);
void library_link(void **slot, void *object);
void library_free(void *p);
void *library_resize(void *p, size_t size);
char *library_text(void);

static item *head;

static void c_library(void) {
  char *line = malloc(4), *from = NULL, *printed = NULL, *buffer = NULL;
  size_t size = 4, length = 0;
  FILE *self = fopen(__FILE__, "r");
  CHECK(self && getline(&line, &size, self) > 4 && acre_collected_owns(line) && line[0] == '/');
  CHECK(getline(&from, &length, self) > 0 && !acre_collected_owns(from));
  fclose(self);
  CHECK(asprintf(&printed, "%d %s", 42, "is") == 5 && strcmp(printed, "42 is") == 0 &&
        acre_collected_owns(printed));
  FILE *memory = open_memstream(&buffer, &length);
  fprintf(memory, "written");
  fclose(memory);
  CHECK(strcmp(buffer, "written") == 0);
  buffer = realloc(buffer, 1000);
  struct dirent **names;
  int count = scandir("/", &names, NULL, alphasort);
  for (int i = 0; i < count; i++)
    free(names[i]);
  free(names);
  free(buffer);
  free(line);
  free(from);
  free(printed);
  CHECK(wcscmp(wcsdup(L"wide"), L"wide") == 0 && strcmp(strndup("abcdef", 3), "abc") == 0);
}

static void alignment(void) {
  void *p = NULL;
  CHECK(posix_memalign(&p, 4096, 100) == 0 && (uintptr_t)p % 4096 == 0 && acre_collected_owns(p));
  CHECK(posix_memalign(&p, 3, 100) != 0);
  free(aligned_alloc(64, 640));
  p = aligned_alloc(1 << 20, 1 << 20);
  CHECK((uintptr_t)p % (1 << 20) == 0);
  free(p);
  for (size_t size = 0; size < 300; size++)
    CHECK((uintptr_t)malloc(size) % 16 == 0 && malloc_usable_size(malloc(size)) >= size);
  CHECK(calloc((size_t)1 << 40, (size_t)1 << 40) == NULL && malloc((size_t)-1) == NULL);
}

int main(void) {
  for (unsigned long i = 0; i < 100; i++)
    library_keep(new_item(i));
  head = new_item(1000);
  library_link((void **)&head->next, new_item(1001));
  char *text = library_text();
  CHECK(!acre_collected_owns(text));
  text = realloc(text, 1000);
  strcat(text, " and more");
  char *ours = malloc(10);
  strcpy(ours, "ours");
  ours = library_resize(ours, 5000);
  CHECK(acre_collected_owns(ours) && strcmp(ours, "ours") == 0);
  churn();
  for (unsigned long i = 100; i-- > 0;)
    CHECK(is_whole(library_take(), i));
  CHECK(is_whole(head->next, 1001));
  free(text);
  library_free(ours);
  library_free(new_item(1));
  c_library();
  alignment();
  CHECK(acre_collected_check());
}
