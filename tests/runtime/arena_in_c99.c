/* The arena header in C99: functions and macros compile and do what they say.  Returns the line
 * that fails, or 0. */
#include <acre/arena.h>

#if __STDC_VERSION__ != 199901L
#error "this file is to be compiled as C99"
#endif

int arena_in_c99(void);

struct point {
  double x, y;
  char tag;
};

#define EXPECT(condition) \
  do {                    \
    if (!(condition))     \
      return __LINE__;    \
  } while (0)

int arena_in_c99(void) {
  acre_arena_options options = {0};
  acre_arena_stats stats;
  acre_arena_mark mark;
  struct point *point, *points;
  char *text;
  acre_arena *arena;
  options.name = "c99";
  arena = acre_arena_new(&options);
  EXPECT(arena);
  point = ACRE_ARENA_NEW(arena, struct point);
  points = ACRE_ARENA_NEW_ARRAY(arena, 100, struct point);
  point->tag = points[99].tag = 'x';
  mark = acre_arena_set_mark(arena);
  EXPECT(acre_arena_alloc(arena, 100) && acre_arena_try_alloc(arena, 100));
  EXPECT(acre_arena_alloc_zeroed(arena, 8) && acre_arena_try_alloc_zeroed(arena, 8));
  EXPECT(acre_arena_alloc_aligned(arena, 8, 64) && acre_arena_try_alloc_aligned(arena, 8, 64));
  EXPECT(acre_arena_alloc_array(arena, 3, 8, 8) && acre_arena_try_alloc_array(arena, 3, 8, 8));
  EXPECT(!acre_arena_try_alloc_array(arena, SIZE_MAX / 4, 8, 8));
  text = acre_arena_strdup(arena, "text");
  text = (char *)acre_arena_resize(arena, text, 5, 500);
  text = (char *)acre_arena_try_resize(arena, text, 500, 600);
  EXPECT(text && strcmp(text, "text") == 0);
  acre_arena_rewind(arena, mark);
  EXPECT(point->tag == 'x');
  acre_arena_reset(arena, SIZE_MAX);
  acre_arena_get_stats(arena, &stats);
  EXPECT(stats.bytes_used == 0 && strcmp(stats.name, "c99") == 0);
  EXPECT(acre_arena_check(arena));
  acre_arena_delete(arena);
  return 0;
}
