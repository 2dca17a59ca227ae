/* Cells that a thread takes in advance, and `free` without the lock (thread_cache.h). */
#include "heap_internals.h"

#include <acre/heap.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <set>
#include <thread>

namespace {

constexpr std::uint32_t kSizes[] = {16,  32,  48,  64,  80,  96,  112, 128,  144,  160,
                                    176, 192, 208, 224, 240, 256, 272, 1008, 2720, 8176};
constexpr std::size_t kTold = 32 << 10; /* bytes that a thread frees before it tells the heap */

/* A thread's runs are those of one heap: each test has a thread of its own. */
class ThreadCache : public testing::Test {
protected:
  acre_heap *heap = nullptr;

  void inThread(const std::function<void()> &test) {
    std::thread([&] {
      acre_heap_config config = acre_heap_preset(ACRE_HEAP_ACRE);
      config.cell_sizes = kSizes;
      config.cell_size_count = sizeof kSizes / sizeof *kSizes;
      config.limit = std::size_t{16} << 20;
      heap = acre_heap_new(&config);
      ASSERT_NE(heap, nullptr);
      hasRuns = heap_use_runs(heap);
      if (hasRuns)
        test();
      acre_heap_delete(heap);
    }).join();
    if (!hasRuns)
      GTEST_SKIP() << "heaps that a memory checker looks at have no runs";
  }
  char *take(std::size_t size) { return static_cast<char *>(heap_take_from_runs(heap, size)); }

private:
  bool hasRuns = false;
};

TEST_F(ThreadCache, FreeWithoutTheLockTakesStartsOfObjectsOnly) {
  inThread([&] {
    for (std::size_t size : {1, 8, 24, 100, 264, 265, 1000, 1001, 2712, 5000, 8168}) {
      char *object = take(size);
      EXPECT_TRUE(heap_free_quickly(heap, object)) << size;
      EXPECT_FALSE(heap_free_quickly(heap, object + 8)) << size;
      EXPECT_FALSE(heap_free_quickly(heap, object + size)) << size;
      EXPECT_FALSE(heap_free_quickly(heap, object - 8)) << "its header";
    }
    int local = 0;
    EXPECT_FALSE(heap_free_quickly(heap, &local));
    EXPECT_FALSE(heap_free_quickly(heap, nullptr));
    EXPECT_FALSE(heap_free_quickly(heap, acre_heap_alloc(heap, 100000, 8, nullptr)))
        << "a big object";
  });
}

TEST_F(ThreadCache, FreeWithoutTheLockTakesNoReclaimedObject) {
  inThread([&] {
    take(24); /* the thread has runs */
    auto *object = static_cast<char *>(acre_heap_alloc(heap, 500, 8, nullptr));
    EXPECT_TRUE(heap_free_quickly(heap, object));
    acre_heap_collect(heap);
    EXPECT_FALSE(heap_free_quickly(heap, object));
  });
}

/* The heap learns of every byte, with what did not fit any more. */
TEST_F(ThreadCache, FreeWithoutTheLockTellsTheHeapInTheEnd) {
  inThread([&] {
    take(24);
    std::size_t freed = 0;
    char *object = take(24);
    while (heap_free_quickly(heap, object)) {
      freed += 32;
      object = take(24);
      ASSERT_LE(freed, kTold) << "the heap is never told";
    }
    EXPECT_EQ(freed, kTold - 32);
    EXPECT_EQ(heap_freed_bytes(heap), 0u);
    heap_report_freed(heap, 32);
    EXPECT_EQ(heap_freed_bytes(heap), kTold);
    EXPECT_TRUE(heap_free_quickly(heap, object)) << "it counts anew";
  });
}

/* Cells of what was garbage: each is taken once, zero, and as large as was asked for. */
TEST_F(ThreadCache, LargerCellsAreTakenOnceAndAreZero) {
  inThread([&] {
    for (std::size_t size : {265, 264, 1000, 1001, 2712, 5000, 8168}) {
      for (int round = 0; round < 3; round++) {
        std::set<char *> taken;
        for (int i = 0; i < 100; i++) {
          char *object = take(size);
          ASSERT_NE(object, nullptr);
          EXPECT_EQ(reinterpret_cast<std::uintptr_t>(object) % 16, 0u);
          EXPECT_EQ(acre_heap_object_size(heap, object), size);
          for (std::size_t at = 0; at < size; at++)
            ASSERT_EQ(object[at], 0) << size << ", byte " << at;
          std::memset(object, 0xee, size);
          EXPECT_TRUE(taken.insert(object).second) << size;
        }
        acre_heap_collect(heap);
        EXPECT_TRUE(acre_heap_check(heap));
      }
    }
  });
}

TEST_F(ThreadCache, WhatIsOnAStackIsKeptByCollections) {
  inThread([&] {
    take(1000); /* others are on the stack */
    acre_heap_stats before, after;
    acre_heap_get_stats(heap, &before);
    acre_heap_collect(heap);
    acre_heap_get_stats(heap, &after);
    EXPECT_EQ(after.live_objects + 1, before.live_objects);
    acre_heap_collect_start(heap);
    char *object = nullptr;
    for (int i = 0; i < 20; i++) /* those that were there, and then others */
      object = take(1000);
    acre_heap_collect_finish(heap);
    EXPECT_EQ(acre_heap_object_of(heap, object), object) << "it is black";
  });
}

/* A cell that was taken in advance still has what it held before. */
TEST_F(ThreadCache, WhatIsOnAStackRefersToNothing) {
  inThread([&] {
    take(24);
    char *target = static_cast<char *>(acre_heap_alloc(heap, 24, 8, nullptr));
    /* All cells of some pages refer to it. */
    for (int i = 0; i < 64; i++) {
      char *object = static_cast<char *>(acre_heap_alloc(heap, 2000, 8, nullptr));
      for (std::size_t at = 0; at < 2000; at += sizeof target)
        std::memcpy(object + at, &target, sizeof target);
    }
    void *kept = target;
    ASSERT_TRUE(acre_heap_add_roots(heap, &kept, sizeof kept, false));
    acre_heap_collect(heap);
    take(2000);
    kept = nullptr;
    acre_heap_collect(heap);
    EXPECT_EQ(acre_heap_object_of(heap, target), nullptr);
  });
}

} // namespace
