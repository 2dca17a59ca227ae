// RUN: %each_level -o %t %s -- -facre-malloc=collected
// RUN: env ACRE_HEAP=poison,check,growth=64K,pause=0 %t.O2
// RUN: env ACRE_HEAP=poison,whole,growth=64K %t.O2
// RUN: %acre-cc -O2 -facre-malloc=quarantine %s -o %t.q
// RUN: env ACRE_HEAP=poison,growth=64K %t.q
// QuickJS appends to a string while malloc_usable_size says that there is room, and copied it for
// each character where that is no more than was asked for. What is beyond belongs to the object
// once the program knows of it: pointers there are found, and realloc keeps it.
#include "Inputs/check.h"
#include <malloc.h>
#include <stdint.h>

/* As many copies as a text of length characters takes that grows by one at a time. */
static unsigned copies_to_append(size_t length) {
  unsigned copies = 0;
  char *text = calloc(1, 1);
  for (size_t at = 0; at < length; at++) {
    if (malloc_usable_size(text) < at + 2) {
      char *copy = malloc(at + 2);
      memcpy(copy, text, at + 1);
      free(text);
      text = copy;
      copies++;
    }
    text[at] = (char)('a' + at % 26);
    text[at + 1] = 0;
  }
  for (size_t at = 0; at < length; at++)
    CHECK(text[at] == (char)('a' + at % 26));
  return copies;
}

static void **objects[64];

/* The last word of its room refers to an item. */
static void **new_object(size_t size, unsigned long number, size_t *words) {
  void **object = malloc(size);
  *words = malloc_usable_size(object) / sizeof *object;
  CHECK(malloc_usable_size(object) >= size &&
        malloc_usable_size(object) / sizeof *object == *words);
  for (size_t i = 0; i < *words; i++)
    object[i] = NULL;
  if (*words)
    object[*words - 1] = new_item(number);
  return object;
}

static void pointers_in_the_room(size_t size_from, size_t step) {
  size_t words[64];
  for (unsigned i = 0; i < 64; i++)
    objects[i] = new_object(size_from + i * step, i, &words[i]);
  churn();
  CHECK(acre_collected_check());
  for (unsigned i = 0; i < 64; i++)
    CHECK(!words[i] || is_whole(objects[i][words[i] - 1], i));
  for (unsigned i = 0; i < 64; i++)
    objects[i] = realloc(objects[i], words[i] * sizeof(void *) + 5000);
  churn();
  for (unsigned i = 0; i < 64; i++)
    CHECK(!words[i] || is_whole(objects[i][words[i] - 1], i));
}

/* What was stored beyond the end before the object became smaller is gone. An optimizer that knew
 * the size would read nothing there. */
static void room_is_cleared(void) {
  static volatile size_t before = 200, after = 120;
  unsigned char *object = malloc(before);
  memset(object, 255, before);
  object = realloc(object, after);
  for (size_t size = malloc_usable_size(object), at = after; at < size; at++)
    CHECK(object[at] == 0);
  CHECK(object[after - 1] == 255);
}

int main(void) {
  CHECK(copies_to_append(200) <= 20 && copies_to_append(1000) <= 40);
  pointers_in_the_room(1, 1);
  pointers_in_the_room(60, 37);
  pointers_in_the_room(4000, 331);
  pointers_in_the_room(8192, 4096);
  room_is_cleared();
  CHECK(malloc_usable_size(NULL) == 0);
}
