/* SPDX-License-Identifier: MIT */
/* arena.c - an arena without acre-cc: any C or C++ compiler will do.
 *
 * Reads lines and prints them in reverse.  A block of memory for all of them, freed at once; and a
 * mark, to take back what was only needed for a moment.
 *
 *   cc arena.c -lacre -lpthread -o arena && printf 'one\ntwo\n' | ./arena
 */
#include <stdio.h>
#include <string.h>

#include <acre/arena.h>

struct line {
  struct line *previous;
  char text[];
};

static struct line *add_line(acre_arena *lines, const char *text, struct line *previous) {
  size_t size = strlen(text) + 1;
  struct line *line = acre_arena_alloc(lines, sizeof *line + size);
  memcpy(line->text, text, size);
  line->previous = previous;
  return line;
}

static void print_upside_down(acre_arena *scratch, const struct line *line) {
  acre_arena_mark mark = acre_arena_set_mark(scratch);
  size_t length = strlen(line->text);
  char *reversed = acre_arena_alloc(scratch, length + 1);
  for (size_t i = 0; i < length; i++)
    reversed[i] = line->text[length - 1 - i];
  reversed[length] = '\0';
  printf("%s %s\n", line->text, reversed);
  acre_arena_rewind(scratch, mark);
}

int main(void) {
  acre_arena *arena = acre_arena_new(NULL);
  if (!arena) {
    fputs("arena: out of memory\n", stderr);
    return 1;
  }
  struct line *last = NULL;
  char text[1024];
  while (fgets(text, sizeof text, stdin)) {
    text[strcspn(text, "\n")] = '\0';
    last = add_line(arena, text, last);
  }
  for (const struct line *line = last; line; line = line->previous)
    print_upside_down(arena, line);

  acre_arena_stats stats;
  acre_arena_get_stats(arena, &stats);
  printf("%zu bytes in %zu block\n", stats.bytes_used, stats.blocks);
  acre_arena_delete(arena);
  return 0;
}
