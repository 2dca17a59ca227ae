#include "test_support.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <thread>
#include <vector>

#include <acre/arena.h>

extern "C" {
#include "memory/pages.h"
#include "platform/os.h"
int arena_in_c99(void);
}
int arena_in_cxx11();
int arena_in_cxx20();

namespace {

constexpr size_t Page = ACRE_WINDOW_PAGE_SIZE;

/* An arena that is checked and deleted at the end of a test, and must give all its pages back. */
class Arena {
public:
  explicit Arena(const acre_arena_options &options = {}) : arena(acre_arena_new(&options)) {
    EXPECT_NE(arena, nullptr);
  }
  ~Arena() {
    EXPECT_TRUE(acre_arena_check(arena));
    size_t rest = acre_pages_in_use() - stats().bytes_held;
    acre_arena_delete(arena);
    EXPECT_EQ(acre_pages_in_use(), rest) << "pages lost";
  }
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;
  operator acre_arena *() const { return arena; }
  acre_arena_stats stats() const {
    acre_arena_stats result;
    acre_arena_get_stats(arena, &result);
    return result;
  }

private:
  acre_arena *arena;
};

char *alloc(acre_arena *arena, size_t size) {
  return static_cast<char *>(acre_arena_alloc(arena, size));
}

void ignore(const void *) {}

uintptr_t address(const void *p) { return reinterpret_cast<uintptr_t>(p); }

TEST(Arena, HeaderWorksInC99) { EXPECT_EQ(arena_in_c99(), 0) << "line of arena_in_c99.c"; }

TEST(Arena, HeaderWorksInCxx11AndCxx20) {
  EXPECT_EQ(arena_in_cxx11(), 0) << "line of arena_in_cxx.cpp";
  EXPECT_EQ(arena_in_cxx20(), 0) << "line of arena_in_cxx.cpp";
}

TEST(Arena, ObjectsFollowEachOtherRoundedToTheAlignment) {
  if (isMemoryChecked())
    GTEST_SKIP() << "objects are kept apart";
  Arena arena;
  char *first = alloc(arena, 1), *second = alloc(arena, 16), *third = alloc(arena, 17),
       *fourth = alloc(arena, 32);
  EXPECT_EQ(second - first, 16);
  EXPECT_EQ(third - second, 16);
  EXPECT_EQ(fourth - third, 32);
}

TEST(Arena, DefaultAlignmentSuitsEveryType) {
  static_assert(ACRE_ARENA_ALIGN >= alignof(max_align_t), "");
  Arena arena;
  for (size_t size = 0; size < 3000; size += 7)
    ASSERT_EQ(address(acre_arena_alloc(arena, size)) % alignof(max_align_t), 0u);
}

TEST(Arena, EveryPowerOfTwoAlignmentIsKept) {
  Arena arena;
  for (size_t align = 1; align <= size_t{1} << 20; align *= 2)
    for (size_t size : {size_t{1}, size_t{24}, size_t{5000}}) {
      void *p = acre_arena_alloc_aligned(arena, size, align);
      ASSERT_EQ(address(p) % align, 0u) << align;
      std::memset(p, 1, size);
      ASSERT_TRUE(acre_arena_check(arena));
    }
  EXPECT_EQ(acre_arena_try_alloc_aligned(arena, 1, size_t{1} << 63), nullptr);
}

TEST(Arena, RequestOfNoBytesIsNotNull) {
  Arena arena;
  volatile size_t none = 0;
  EXPECT_NE(acre_arena_try_alloc(arena, 0), nullptr);
  EXPECT_NE(acre_arena_try_alloc(arena, none), nullptr);
  EXPECT_NE(acre_arena_try_alloc_array(arena, none, 8, 8), nullptr);
  EXPECT_NE(acre_arena_try_alloc_array(arena, 8, none, 8), nullptr);
}

TEST(Arena, SizesThatOverflowAreRefusedAndChangeNothing) {
  Arena arena;
  acre_arena_stats before = arena.stats();
  for (size_t less = 0; less < 40; less++) {
    volatile size_t size = SIZE_MAX - less;
    EXPECT_EQ(acre_arena_try_alloc(arena, size), nullptr);
    EXPECT_EQ(acre_arena_try_alloc_aligned(arena, size, 4096), nullptr);
    EXPECT_EQ(acre_arena_try_resize(arena, nullptr, 0, size), nullptr);
  }
  EXPECT_EQ(acre_arena_try_alloc(arena, SIZE_MAX - 8), nullptr) << "constant size";
  EXPECT_EQ(acre_arena_try_alloc(arena, SIZE_MAX / 2), nullptr);
  EXPECT_EQ(acre_arena_try_alloc_array(arena, SIZE_MAX / 8 + 2, 8, 8), nullptr);
  EXPECT_EQ(acre_arena_try_alloc_array(arena, 8, SIZE_MAX / 8 + 2, 8), nullptr);
  EXPECT_EQ(acre_arena_try_alloc_array(arena, size_t{1} << 32, size_t{1} << 32, 8), nullptr);
  EXPECT_EQ(arena.stats().bytes_used, before.bytes_used);
  EXPECT_EQ(arena.stats().bytes_held, before.bytes_held);
}

TEST(Arena, ZeroedMemoryIsZeroAlsoWhereObjectsWereBefore) {
  Arena arena;
  std::memset(alloc(arena, 6000), 0xff, 6000);
  acre_arena_reset(arena, SIZE_MAX);
  void *p = acre_arena_alloc_zeroed(arena, 5000);
  EXPECT_TRUE(isZero(p, 5000));
  EXPECT_TRUE(isZero(acre_arena_try_alloc_zeroed(arena, 50000), 50000));
}

TEST(Arena, BlocksGrowByThePolicyUpToTheLargest) {
  acre_arena_options options = {};
  options.initial_block = Page;
  options.max_block = 65536;
  options.growth_percent = 200;
  Arena arena(options);
  size_t held = arena.stats().bytes_held, largest = 0;
  EXPECT_EQ(held, Page);
  for (int i = 0; i < 5000; i++) {
    ASSERT_NE(alloc(arena, 100), nullptr);
    size_t now = arena.stats().bytes_held;
    largest = std::max(largest, now - held);
    EXPECT_LE(now - held, 65536u);
    held = now;
  }
  EXPECT_EQ(largest, 65536u);
  EXPECT_TRUE(acre_arena_check(arena));
}

TEST(Arena, GrowthOfOneHundredPercentKeepsBlocksEqual) {
  acre_arena_options options = {};
  options.initial_block = Page;
  options.growth_percent = 100;
  Arena arena(options);
  for (int i = 0; i < 2000; i++) {
    size_t held = arena.stats().bytes_held;
    ASSERT_NE(alloc(arena, 100), nullptr);
    size_t more = arena.stats().bytes_held - held;
    EXPECT_TRUE(more == 0 || more == Page) << more;
  }
}

TEST(Arena, LastBlockGrowsInPlaceWhenTheNextPagesAreFree) {
  acre_pages_trim(0);
  Arena arena;
  for (int i = 0; i < 10000; i++)
    alloc(arena, 64);
  acre_arena_stats stats = arena.stats();
  EXPECT_GT(stats.extended, 0u);
  EXPECT_EQ(stats.blocks, stats.taken);
}

TEST(Arena, BlockOfAnotherArenaStopsGrowthInPlace) {
  Arena arena;
  std::vector<char *> objects;
  for (int round = 0; round < 20; round++) {
    Arena other;
    for (int i = 0; i < 300; i++) {
      objects.push_back(alloc(arena, 100));
      std::memset(objects.back(), static_cast<int>(objects.size() % 251), 100);
      std::memset(alloc(other, 100), 0xff, 100);
    }
  }
  for (size_t i = 0; i < objects.size(); i++)
    ASSERT_EQ(static_cast<unsigned char>(objects[i][99]), (i + 1) % 251);
}

/* Takes the page after an arena's only block, so that the block cannot grow in place. */
class Wall {
public:
  explicit Wall(acre_arena *arena) {
    void *next = arena->limit;
    do
      pages.push_back(acre_pages_alloc(1, 0));
    while (pages.back() != next && pages.size() < 200000);
    EXPECT_EQ(pages.back(), next);
  }
  ~Wall() {
    for (void *page : pages)
      acre_pages_free(page, 1);
  }

private:
  std::vector<void *> pages;
};

TEST(Arena, LargeObjectDoesNotEndTheCurrentBlock) {
  if (isMemoryChecked())
    GTEST_SKIP() << "objects are kept apart";
  acre_arena_options options = {};
  options.initial_block = 65536;
  Arena arena(options);
  Wall wall(arena);
  char *before = alloc(arena, 64);
  std::memset(alloc(arena, size_t{4} << 20), 1, size_t{4} << 20);
  EXPECT_EQ(arena.stats().extended, 0u);
  EXPECT_EQ(alloc(arena, 64), before + 64) << "the rest of the block was lost";
}

TEST(Arena, ResizeOfTheLastObjectHappensInPlace) {
  if (isMemoryChecked())
    GTEST_SKIP() << "a resized object always moves";
  Arena arena;
  char *p = alloc(arena, 100);
  std::memset(p, 3, 100);
  EXPECT_EQ(acre_arena_resize(arena, p, 100, 2000), p);
  EXPECT_EQ(acre_arena_resize(arena, p, 2000, 10), p);
  EXPECT_EQ(alloc(arena, 16), p + 16) << "what a smaller size leaves is used again";
  EXPECT_NE(acre_arena_resize(arena, p, 10, 100), p) << "not the last object any more";
}

TEST(Arena, ResizeKeepsContents) {
  Arena arena;
  char *p = nullptr;
  size_t size = 0;
  for (int i = 0; i < 200; i++) {
    size_t next = size + static_cast<size_t>(i) * 37 % 900;
    p = static_cast<char *>(acre_arena_resize(arena, p, size, next));
    for (size_t at = size; at < next; at++)
      p[at] = static_cast<char>(at * 7);
    size = next;
    if (i % 3 == 0)
      alloc(arena, 10);
  }
  for (size_t at = 0; at < size; at++)
    ASSERT_EQ(p[at], static_cast<char>(at * 7));
}

TEST(Arena, RewindFreesWhatCameAfterTheMarkOnly) {
  Arena arena;
  char *kept = alloc(arena, 1000);
  std::memset(kept, 5, 1000);
  size_t used = arena.stats().bytes_used;
  acre_arena_mark outer = acre_arena_set_mark(arena);
  alloc(arena, 50);
  acre_arena_mark inner = acre_arena_set_mark(arena);
  for (int i = 0; i < 1000; i++)
    std::memset(alloc(arena, 5000), 6, 5000);
  acre_arena_rewind(arena, inner);
  EXPECT_TRUE(acre_arena_check(arena));
  acre_arena_rewind(arena, outer);
  EXPECT_EQ(arena.stats().bytes_used, used);
  for (int i = 0; i < 1000; i++)
    ASSERT_EQ(kept[i], 5);
}

TEST(Arena, RewindKeepsNoMoreMemoryThanAllowed) {
  acre_arena_options options = {};
  options.max_block = 65536;
  options.spare = 128 << 10;
  Arena arena(options);
  acre_arena_mark mark = acre_arena_set_mark(arena);
  for (int i = 0; i < 20; i++) {
    for (int n = 0; n < 1000; n++)
      alloc(arena, 1000);
    alloc(arena, size_t{3} << 20);
    acre_arena_rewind(arena, mark);
    acre_arena_stats stats = arena.stats();
    EXPECT_LE(stats.bytes_spare, options.spare);
    EXPECT_LE(stats.bytes_held, 2 * options.spare + 2 * Page);
    EXPECT_TRUE(acre_arena_check(arena));
  }
}

TEST(Arena, StackUseTakesNoMemoryFromTheSystemOnceWarm) {
  Arena arena;
  size_t taken = 0;
  for (int round = 0; round < 100; round++) {
    acre_arena_mark mark = acre_arena_set_mark(arena);
    for (int i = 0; i < 50; i++)
      alloc(arena, 1000);
    acre_arena_rewind(arena, mark);
    acre_arena_stats stats = arena.stats();
    EXPECT_TRUE(round == 0 || stats.taken + stats.extended == taken);
    taken = stats.taken + stats.extended;
  }
}

TEST(Arena, ResetKeepsOrReturnsMemoryAsAsked) {
  Arena arena;
  for (int i = 0; i < 3000; i++)
    alloc(arena, 1000);
  size_t held = arena.stats().bytes_held;
  acre_arena_reset(arena, SIZE_MAX);
  EXPECT_EQ(arena.stats().bytes_held, held);
  EXPECT_EQ(arena.stats().bytes_used, 0u);
  acre_arena_reset(arena, 500000);
  EXPECT_LE(arena.stats().bytes_held, 500000u + 2 * Page);
  EXPECT_TRUE(acre_arena_check(arena));
  acre_arena_reset(arena, 0);
  EXPECT_EQ(arena.stats().bytes_held, Page);
  EXPECT_EQ(arena.stats().bytes_spare, 0u);
  EXPECT_NE(alloc(arena, 100), nullptr);
}

TEST(Arena, SpareBlocksAreUsedAgain) {
  acre_arena_options options = {};
  options.growth_percent = 100;
  options.max_block = Page;
  options.spare = 1 << 20;
  Arena arena(options);
  std::vector<Arena *> walls;
  acre_arena_mark mark = acre_arena_set_mark(arena);
  for (int i = 0; i < 10; i++) {
    alloc(arena, 8000);
    walls.push_back(new Arena); /* in the way of growth in place */
  }
  acre_arena_rewind(arena, mark);
  size_t taken = arena.stats().taken;
  ASSERT_GT(arena.stats().bytes_spare, 0u);
  for (int i = 0; i < 5; i++)
    alloc(arena, 8000);
  EXPECT_GT(arena.stats().reused, 0u);
  EXPECT_EQ(arena.stats().taken, taken);
  for (auto it = walls.rbegin(); it != walls.rend(); ++it)
    delete *it;
}

TEST(Arena, LimitIsNeverPassed) {
  acre_arena_options options = {};
  options.limit = 100000;
  Arena arena(options);
  size_t got = 0;
  while (void *p = acre_arena_try_alloc(arena, 500)) {
    std::memset(p, 1, 500);
    got += 500;
    ASSERT_LE(arena.stats().bytes_held, options.limit);
  }
  EXPECT_GT(got, 80000u) << "most of the limit can be used";
  EXPECT_EQ(acre_arena_try_alloc(arena, 100000), nullptr);
  EXPECT_TRUE(acre_arena_check(arena));
  acre_arena_reset(arena, SIZE_MAX);
  EXPECT_NE(acre_arena_try_alloc(arena, 500), nullptr);
}

TEST(Arena, LimitBelowTheFirstBlockMakesNoArena) {
  acre_arena_options options = {};
  options.limit = 4096;
  EXPECT_EQ(acre_arena_new(&options), nullptr);
  options.limit = 0;
  options.initial_block = SIZE_MAX;
  EXPECT_EQ(acre_arena_new(&options), nullptr);
}

TEST(Arena, OutOfMemoryFunctionIsAskedUntilItHelped) {
  struct State {
    acre_arena_mark empty;
    int calls;
    size_t bytes;
  } state = {};
  acre_arena_options options = {};
  options.limit = 50000;
  options.context = &state;
  options.out_of_memory = [](acre_arena *arena, size_t bytes, void *context) {
    State *s = static_cast<State *>(context);
    s->bytes = bytes;
    if (++s->calls == 2)
      acre_arena_rewind(arena, s->empty);
    return true;
  };
  Arena arena(options);
  state.empty = acre_arena_set_mark(arena);
  EXPECT_NE(alloc(arena, 20000), nullptr);
  EXPECT_NE(alloc(arena, 30000), nullptr);
  EXPECT_EQ(state.calls, 2);
  EXPECT_EQ(state.bytes, 30000u);
  EXPECT_EQ(acre_arena_try_alloc(arena, 40000), nullptr);
  EXPECT_EQ(state.calls, 2) << "try functions do not ask";
}

TEST(Arena, FailureAtEachRequestIsNullOrSurvived) {
  ASSERT_TRUE(acre_pages_start()); /* its requests are not those to fail */
  for (uint64_t n = 1; n <= 30; n++) {
    size_t before = acre_pages_in_use();
    acre_os_fail_at(n);
    acre_arena *arena = acre_arena_new(nullptr);
    EXPECT_EQ(arena == nullptr, n == 1);
    for (size_t i = 0; arena && i < 40; i++) {
      size_t size = i * 997;
      void *p = acre_arena_try_alloc_aligned(arena, size, size_t{1} << i % 8);
      if (p)
        std::memset(p, 1, size);
      if (i == 20)
        acre_arena_reset(arena, 0);
      ASSERT_TRUE(acre_arena_check(arena));
      ASSERT_TRUE(acre_pages_check());
    }
    acre_arena_delete(arena);
    acre_os_fail_at(0);
    EXPECT_EQ(acre_pages_in_use(), before);
  }
}

TEST(Arena, MemoryLargerThanTheWindowIsRefused) {
  Arena arena;
  EXPECT_EQ(acre_arena_try_alloc(arena, size_t{1} << 40), nullptr);
  EXPECT_EQ(acre_arena_try_alloc(arena, (size_t{1} << 40) - 4096), nullptr);
  EXPECT_NE(acre_arena_try_alloc(arena, 100), nullptr);
}

TEST(Arena, MemoryCheckerSeesOnlyObjectsAsAccessible) {
  if (!isMemoryChecked())
    GTEST_SKIP() << "no memory checker";
  Arena arena;
  char *p = alloc(arena, 24), *q = alloc(arena, 5);
  EXPECT_FALSE(isAccessAnError(p));
  EXPECT_FALSE(isAccessAnError(p + 23));
  EXPECT_TRUE(isAccessAnError(p + 24));
  EXPECT_TRUE(isAccessAnError(p + 40)) << "the gap between objects";
  EXPECT_FALSE(isAccessAnError(q + 4));
  EXPECT_TRUE(isAccessAnError(q + 5));
  acre_arena_mark mark = acre_arena_set_mark(arena);
  char *after = alloc(arena, 100);
  acre_arena_rewind(arena, mark);
  EXPECT_TRUE(isAccessAnError(after));
  EXPECT_FALSE(isAccessAnError(q));
  char *old = alloc(arena, 32);
  char *grown = static_cast<char *>(acre_arena_resize(arena, old, 32, 64));
  EXPECT_TRUE(isAccessAnError(old));
  EXPECT_FALSE(isAccessAnError(grown + 63));
  acre_arena_reset(arena, SIZE_MAX);
  EXPECT_TRUE(isAccessAnError(p));
}

TEST(Arena, ThreadsUseTheirOwnArenasAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([t] {
      for (int round = 0; round < repetitions(100); round++) {
        acre_arena *arena = acre_arena_new(nullptr);
        std::vector<char *> objects;
        for (int i = 0; i < 500; i++)
          std::memset(objects.emplace_back(alloc(arena, 200)), t, 200);
        for (char *object : objects)
          ASSERT_TRUE(object[0] == t && object[199] == t);
        acre_arena_delete(arena);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_TRUE(acre_pages_check());
}

TEST(ArenaDeathTest, OutOfMemoryAbortsWithNameAndSizes) {
  acre_arena_options options = {};
  options.name = "requests";
  options.limit = 65536;
  EXPECT_DEATH(
      {
        acre_arena *arena = acre_arena_new(&options);
        for (;;)
          alloc(arena, 12345);
      },
      "acre: fatal: arena \"requests\": out of memory: 12345 bytes wanted, [0-9]+ held, limit "
      "65536");
  EXPECT_DEATH(ignore(acre_arena_alloc(acre_arena_new(nullptr), SIZE_MAX - 5)),
               "arena \"unnamed\": out of memory: 18446744073709551610 bytes wanted, 16384 held");
  EXPECT_DEATH(
      ignore(acre_arena_alloc_array(acre_arena_new(nullptr), SIZE_MAX / 2, 3, 8)),
      "an array of 9223372036854775807 elements of 3 bytes is larger than the address space");
  EXPECT_DEATH(ignore(acre_arena_resize(acre_arena_new(nullptr), nullptr, 0, SIZE_MAX)),
               "out of memory");
}

TEST(ArenaDeathTest, OutOfMemoryFunctionThatGivesUpIsObeyed) {
  acre_arena_options options = {};
  options.limit = Page;
  options.out_of_memory = [](acre_arena *, size_t, void *) { return false; };
  EXPECT_DEATH(alloc(acre_arena_new(&options), 50000), "out of memory: 50000 bytes");
}

TEST(ArenaDeathTest, AlignmentThatIsNoPowerOfTwoAborts) {
  Arena arena;
  for (size_t align : {size_t{0}, size_t{3}, size_t{24}, size_t{4095}, SIZE_MAX}) {
    EXPECT_DEATH(ignore(acre_arena_alloc_aligned(arena, 8, align)), "is not a power of two");
    EXPECT_DEATH(ignore(acre_arena_try_alloc_aligned(arena, 8, align)), "is not a power of two");
  }
}

TEST(ArenaDeathTest, MarkThatIsNotValidAborts) {
  Arena arena, other;
  acre_arena_mark outer = acre_arena_set_mark(arena);
  alloc(arena, 100);
  acre_arena_mark inner = acre_arena_set_mark(arena);
  alloc(arena, 100000);
  acre_arena_mark far = acre_arena_set_mark(arena);
  EXPECT_DEATH(acre_arena_rewind(arena, acre_arena_set_mark(other)), "a mark that is not valid");
  acre_arena_rewind(arena, outer);
  EXPECT_DEATH(acre_arena_rewind(arena, inner), "a mark that is not valid");
  EXPECT_DEATH(acre_arena_rewind(arena, far), "a mark that is not valid");
  EXPECT_DEATH(acre_arena_rewind(arena, acre_arena_mark{}), "a mark that is not valid");
}

TEST(ArenaDeathTest, ShrinkingGrowthIsRefused) {
  acre_arena_options options = {};
  options.growth_percent = 50;
  EXPECT_DEATH(ignore(acre_arena_new(&options)), "growth_percent 50 is less than 100");
}

TEST(ArenaDeathTest, UseOfADeletedArenaIsNoticedWhereItNeedsMemory) {
  if (isMemoryChecked())
    GTEST_SKIP() << "the memory checker reports it first";
  EXPECT_DEATH(
      {
        acre_arena *arena = acre_arena_new(nullptr);
        acre_arena_delete(arena);
        alloc(arena, 100000);
      },
      "is not an arena");
}

} // namespace
