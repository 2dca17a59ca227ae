/* Regression: moving avail before the test for room, as Hanson's paper prints it, leaves a gap in
   an extended block. The overflow path moves avail again; Briggs found it and Hanson agreed (letter
   of 24 March 1991). */
#include "test_support.h"

#include <acre/arena.h>

namespace {

/* Allocates objects of one size, constant or not, until the block has been extended in place
 * several times. */
template <typename Alloc> void expectNoGap(size_t size, Alloc alloc) {
  acre_arena *arena = acre_arena_new(nullptr);
  acre_arena_stats stats;
  char *previous = static_cast<char *>(alloc(arena));
  size_t objects = 1;
  do {
    char *object = static_cast<char *>(alloc(arena));
    acre_arena_get_stats(arena, &stats);
    if (stats.blocks == 1) {
      ASSERT_EQ(object, previous + size)
          << "a gap after " << objects << " objects, extended " << stats.extended;
    }
    previous = object;
    objects++;
  } while (stats.blocks == 1 && stats.extended < 3);
  ASSERT_EQ(stats.extended, 3u) << "the block was to be extended in place";
  EXPECT_EQ(stats.bytes_used, objects * size);
  acre_arena_delete(arena);
}

/* 48 does not divide a page: an object crosses each place where the block is extended. */
TEST(Arena, BlockExtendedInPlaceHasNoGap) {
  if (isMemoryChecked())
    GTEST_SKIP() << "objects are kept apart";
  volatile size_t size = 48;
  expectNoGap(48, [](acre_arena *arena) { return acre_arena_alloc(arena, 48); });
  expectNoGap(48, [](acre_arena *arena) { return acre_arena_try_alloc(arena, 48); });
  expectNoGap(48, [&size](acre_arena *arena) { return acre_arena_alloc(arena, size); });
  expectNoGap(4000, [](acre_arena *arena) { return acre_arena_alloc(arena, 4000); });
}

/* The same with room for no part of the object: what is left of the block is used, and the object
 * not counted twice. */
TEST(Arena, ObjectLargerThanTheRestOfTheBlockStartsInIt) {
  if (isMemoryChecked())
    GTEST_SKIP() << "objects are kept apart";
  acre_arena *arena = acre_arena_new(nullptr);
  char *first = static_cast<char *>(acre_arena_alloc(arena, 4000));
  char *second = static_cast<char *>(acre_arena_alloc(arena, 40000));
  acre_arena_stats stats;
  acre_arena_get_stats(arena, &stats);
  if (stats.extended == 1) {
    EXPECT_EQ(second, first + 4000);
    EXPECT_EQ(stats.bytes_used, 44000u);
  }
  acre_arena_delete(arena);
}

} // namespace
