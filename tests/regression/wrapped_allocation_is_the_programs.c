// A linker's --wrap=malloc, by which programs test themselves, was not for calls that the collected
// heap had taken over; and --wrap=close did not link where the program does not stand in for it.
// RUN: %acre-cc -O1 %s -o %t && %t
// DEFINE: %{wrap} = -Wl,--wrap=malloc,--wrap=free -Xlinker --wrap=realloc -Wl,--wrap -Wl,strdup \
// DEFINE:   -Xlinker --wrap -Xlinker calloc -Wl,--wrap=close,-wrap=freopen,--wrap=qsort
// RUN: %acre-cc -O1 -DWRAPS %s -o %t %{wrap} && %t
// RUN: %acre-cc -O1 -DWRAPS %s -o %t %{wrap} -facre-malloc=collected && %t
// RUN: %acre-cc -O1 -DWRAPS %s -o %t %{wrap} -facre-malloc=quarantine && %t
// RUN: %acre-cc -O1 -g -DWRAPS %s -o %t %{wrap} -facre-malloc=collected -facre-sites && %t
// RUN: %acre-cc -O1 -DWRAPS %s -o %t %{wrap} -facre-malloc=collected -fuse-ld=lld && %t
// RUN: %acre-cc -O2 -flto -DWRAPS %s -o %t %{wrap} -facre-malloc=collected && %t
// RUN: %acre-cc -O1 -DWRAPS -c %s -o %t.o -facre-malloc=collected
// RUN: %acre-cc %t.o -o %t %{wrap} && %t
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WRAPS
static int calls[5];
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void __real_free(void *p);

void *__wrap_malloc(size_t size) {
  calls[0]++;
  return __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
  calls[1]++;
  return __real_calloc(count, size);
}
void *__wrap_realloc(void *p, size_t size) {
  calls[2]++;
  return __real_realloc(p, size);
}
char *__wrap_strdup(const char *text) {
  calls[3]++;
  return strcpy(__real_malloc(strlen(text) + 1), text);
}
void __wrap_free(void *p) {
  calls[4]++;
  __real_free(p);
}
#else
static int calls[] = {2, 1, 1, 1, 4};
#endif

int main(void) {
  char *volatile text = strdup("text"), *volatile more = malloc(10);
  int *volatile numbers = calloc(10, sizeof(int));
  long *volatile sums = malloc(20 * sizeof(long));
  more = realloc(more, 100000);
  strcpy(more, text);
  sums[3] = numbers[3];
  FILE *file = fopen("/dev/null", "w");
  fprintf(file, "%s %ld\n", more, sums[3]);
  fclose(file);
  int bad = strcmp(more, "text") || sums[3];
  free(text), free(more), free(numbers), free(sums);
  static const int expected[] = {2, 1, 1, 1, 4};
  return bad || memcmp(calls, expected, sizeof calls);
}
