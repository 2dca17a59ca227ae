/* scattered_heap.h - included before all else in each file of a program whose memory
 * scattered_heap.c provides. */
#ifndef ACRE_TESTS_REAL_HOSTS_SCATTERED_HEAP_H
#define ACRE_TESTS_REAL_HOSTS_SCATTERED_HEAP_H

#ifndef __ASSEMBLER__
/* The headers that declare these names come first, with all that any file may want of them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdlib.h>
#include <string.h>

void *scattered_malloc(size_t size);
void *scattered_calloc(size_t count, size_t size);
void *scattered_realloc(void *old, size_t size);
void scattered_free(void *block);
char *scattered_strdup(const char *text);
char *scattered_strndup(const char *text, size_t length);

#undef strdup
#undef strndup
#define malloc scattered_malloc
#define calloc scattered_calloc
#define realloc scattered_realloc
#define free scattered_free
#define strdup scattered_strdup
#define strndup scattered_strndup
#endif

#endif
