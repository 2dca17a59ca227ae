/* Cells that a thread takes in advance, and `free` without the lock (thread_cache.h). */
#include "heap_internals.h"

#include <acre/heap.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
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
    for (std::size_t size : {1, 8, 24, 100, 264}) {
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

} // namespace
