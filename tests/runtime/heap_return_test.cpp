/* How much memory a heap may have: what it returns, and what it takes where nobody chose. */
#include "heap_support.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

extern "C" {
#include "platform/memory_limit.h"
}

namespace {

constexpr size_t kMiB = size_t{1} << 20;

acre_heap_stats statsOf(acre_heap *heap) {
  acre_heap_stats stats;
  acre_heap_get_stats(heap, &stats);
  return stats;
}

size_t pagesOf(acre_heap *heap) {
  acre_heap_composition composition;
  acre_heap_get_composition(heap, &composition);
  return composition.pages;
}

void keep(acre_heap *heap, Node **list, size_t bytes) {
  for (size_t kept = 0; kept < bytes; kept += 32)
    *list = newNode(heap, *list);
}

/* Allocates garbage until so many collections more have ended. */
void churn(acre_heap *heap, std::uint64_t collections, bool isBig) {
  for (std::uint64_t until = statsOf(heap).collections + collections;
       statsOf(heap).collections < until;)
    ASSERT_NE(isBig ? acre_heap_try_alloc_bytes(heap, 50000) : newNode(heap), nullptr);
}

acre_heap_config growing() {
  acre_heap_config config = acre_heap_preset(ACRE_HEAP_ACRE);
  config.limit = 2 * kMiB;
  config.limit_max = 64 * kMiB;
  config.when_behind = ACRE_HEAP_BEHIND_GROW;
  return config;
}

class HeapReturns : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(SmallAndBig, HeapReturns, testing::Bool());

/* Once what was alive is dropped, two collections later its memory is on its way back. */
TEST_P(HeapReturns, MemoryThatTwoCollectionsDidNotNeed) {
  acre_heap_config config = growing();
  acre_heap *heap = acre_heap_new(&config);
  Node *list = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &list);
  keep(heap, &list, 16 * kMiB);
  EXPECT_GE(pagesOf(heap), 16 * kMiB);
  list = nullptr;
  churn(heap, 4, GetParam());
  EXPECT_TRUE(acre_heap_check(heap));
  for (int i = 0; i < 100000 && statsOf(heap).pages_returned < 1000; i++)
    ASSERT_NE(newNode(heap), nullptr);
  EXPECT_GE(statsOf(heap).pages_returned, 1000u) << "of 8 KiB";
  EXPECT_LE(pagesOf(heap), 12 * kMiB);
  EXPECT_TRUE(acre_heap_check(heap));
  /* And is taken again. */
  keep(heap, &list, 16 * kMiB);
  EXPECT_GE(pagesOf(heap), 16 * kMiB);
  EXPECT_TRUE(acre_heap_check(heap));
  acre_heap_pop(heap, &frame);
  acre_heap_delete(heap);
}

TEST(HeapReturnsNothing, WhereTheLimitIsChosen) {
  acre_heap_config config = acre_heap_preset(ACRE_HEAP_ACRE);
  config.limit = 8 * kMiB;
  acre_heap *heap = acre_heap_new(&config);
  Node *list = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &list);
  keep(heap, &list, 4 * kMiB);
  list = nullptr;
  churn(heap, 4, false);
  EXPECT_EQ(statsOf(heap).pages_returned, 0u);
  acre_heap_pop(heap, &frame);
  acre_heap_delete(heap);
}

/* 64 MiB is where it starts, not where it ends. */
TEST(HeapWithoutLimit, GrowsPastItsFirst) {
  if (acre_memory_limit() < 512 * kMiB)
    GTEST_SKIP() << "needs 512 MiB";
  acre_heap *heap = acre_heap_new(nullptr);
  ASSERT_NE(heap, nullptr);
  void *kept[4] = {};
  ASSERT_TRUE(acre_heap_add_roots(heap, kept, sizeof kept, false));
  for (void *&each : kept) {
    each = acre_heap_try_alloc_bytes(heap, 30 * kMiB);
    ASSERT_NE(each, nullptr);
  }
  EXPECT_GE(pagesOf(heap), 120 * kMiB);
  EXPECT_EQ(acre_heap_try_alloc_bytes(heap, size_t{1} << 46), nullptr);
  EXPECT_TRUE(acre_heap_check(heap));
  acre_heap_delete(heap);
}

/* -- Control groups ---------------------------------------------------------------------------- */

class ControlGroup : public testing::Test {
protected:
  std::filesystem::path root;
  ControlGroup() {
    std::string name = testing::TempDir() + "/acre-groups-XXXXXX";
    root = mkdtemp(name.data());
  }
  ~ControlGroup() override { std::filesystem::remove_all(root); }
  void write(const std::string &name, const std::string &text) {
    std::filesystem::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  }
  std::uint64_t limit() const {
    return acre_memory_limit_of_groups((root / "membership").c_str(), (root / "mount").c_str());
  }
};

TEST_F(ControlGroup, LimitOfVersion2IsTheLeastOnTheWayUp) {
  write("membership", "0::/a/b\n");
  write("mount/a/b/memory.max", "max\n");
  EXPECT_EQ(limit(), UINT64_MAX);
  write("mount/a/memory.max", "300000000\n");
  EXPECT_EQ(limit(), 300000000u);
  write("mount/a/b/memory.max", "200000000\n");
  EXPECT_EQ(limit(), 200000000u);
  write("mount/memory.max", "100000000\n");
  EXPECT_EQ(limit(), 100000000u);
}

TEST_F(ControlGroup, LimitOfVersion1IsThatOfItsMemoryHierarchy) {
  write("membership", "5:cpu,cpuacct:/x\n4:memory:/a\n1:name=systemd:/y\n");
  write("mount/memory/x/memory.limit_in_bytes", "1\n");
  write("mount/memory/a/memory.limit_in_bytes", "400000000\n");
  EXPECT_EQ(limit(), 400000000u);
}

TEST_F(ControlGroup, ContainerSeesItsOwnGroupAsTheRoot) {
  write("membership", "0::/\n");
  write("mount/memory.max", "50000000\n");
  EXPECT_EQ(limit(), 50000000u);
  write("membership", "4:memory:/docker/0123\n");
  write("mount/memory/memory.limit_in_bytes", "60000000\n");
  EXPECT_EQ(limit(), 60000000u);
}

TEST_F(ControlGroup, WhatCannotBeReadIsNoLimit) {
  EXPECT_EQ(limit(), UINT64_MAX);
  write("membership", "nonsense\n0:\n:\n0::/a\n");
  EXPECT_EQ(limit(), UINT64_MAX);
  write("mount/a/memory.max", "nonsense\n");
  EXPECT_EQ(limit(), UINT64_MAX);
}

TEST(MemoryLimit, IsAtMostTheMachines) {
  EXPECT_GT(acre_memory_limit(), 0u);
  EXPECT_LE(acre_memory_limit(),
            static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE));
}

} // namespace
