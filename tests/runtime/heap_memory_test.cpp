// Heaps that find their roots in all memory of the process.
#include <acre/acre.h>
#include <acre/heap.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include <sys/mman.h>

extern "C" {
#include "platform/sanitizer.h"
}

namespace {

struct Node {
  Node *Next;
  uintptr_t Number, Complement;
};

Node *InData = reinterpret_cast<Node *>(1);
thread_local Node *InThread;

class HeapMemory : public ::testing::TestWithParam<bool> {
protected:
  void SetUp() override {
    if (acre_memory_is_checked())
      GTEST_SKIP() << "a memory checker has memory of its own, and forbids to search stacks";
    acre_heap_config Config = acre_heap_preset(ACRE_HEAP_ACRE);
    Config.scans_memory = Config.poisons = Config.checks_each_increment = true;
    Config.is_incremental = GetParam();
    Config.limit = size_t(16) << 20;
    Heap = acre_heap_new(&Config);
  }
  void TearDown() override { acre_heap_delete(Heap); }

  __attribute__((noinline)) Node *make(uintptr_t Number) {
    auto *N = static_cast<Node *>(acre_heap_alloc(Heap, sizeof(Node), alignof(Node), nullptr));
    N->Number = Number;
    N->Complement = ~Number;
    return N;
  }
  void churn() {
    acre_heap_collect(Heap);
    for (int I = 0; I < 2000; ++I)
      make(12345);
    acre_heap_collect(Heap);
  }
  static bool isWhole(const Node *N, uintptr_t Number) {
    return N->Number == Number && N->Complement == ~Number;
  }

  acre_heap *Heap = nullptr;
};

TEST_P(HeapMemory, FindsPointersInDataStacksThreadsMallocMemoryMappingsAndRegions) {
  Node *Local = make(0);
  InData = make(1);
  InThread = make(2);
  auto InMalloc = std::make_unique<Node *>(make(3));
  auto **InMapping = static_cast<Node **>(mmap(nullptr, size_t(1) << 30, PROT_READ | PROT_WRITE,
                                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  InMapping[1 << 26] = make(4);
  acre_region Region = acre_region_new("test");
  auto **InRegion = reinterpret_cast<Node **>(acre_region_alloc_bytes(Region, 64));
  InRegion[3] = make(5);
  acre_heap_store(Heap, &Local->Next, make(6));
  churn();
  EXPECT_TRUE(isWhole(Local, 0) && isWhole(InData, 1) && isWhole(InThread, 2) &&
              isWhole(*InMalloc, 3));
  EXPECT_TRUE(isWhole(InMapping[1 << 26], 4) && isWhole(InRegion[3], 5) && isWhole(Local->Next, 6));
  munmap(InMapping, size_t(1) << 30);
  InData = nullptr;
  EXPECT_TRUE(acre_region_delete(Region, "test"));
}

TEST_P(HeapMemory, FindsPointersThatOnlyAnotherThreadHas) {
  std::atomic<int> Step = 0;
  std::atomic<Node *> Handed = make(7);
  std::thread Other([&] {
    Node *Kept = Handed.exchange(nullptr);
    Step = 1;
    while (Step < 2)
      std::this_thread::yield();
    EXPECT_TRUE(isWhole(Kept, 7));
  });
  while (Step < 1)
    std::this_thread::yield();
  churn();
  Step = 2;
  Other.join();
}

TEST_P(HeapMemory, ReclaimsWhatNothingRefersTo) {
  for (int I = 0; I < 20; ++I)
    churn();
  acre_heap_collect(Heap);
  acre_heap_stats Stats;
  acre_heap_get_stats(Heap, &Stats);
  EXPECT_GE(Stats.allocated_objects, 40000u);
  EXPECT_LT(Stats.live_objects, 200u) << "stale words may keep a few";
}

TEST_P(HeapMemory, WeakReferencesAreNoRoots) {
  std::vector<acre_heap_weak *> Weaks;
  for (int I = 0; I < 100; ++I)
    Weaks.push_back(acre_heap_weak_new(Heap, make(8)));
  churn();
  int Cleared = 0;
  for (acre_heap_weak *W : Weaks) {
    Cleared += !acre_heap_weak_get(Heap, W);
    acre_heap_weak_delete(Heap, W);
  }
  EXPECT_GE(Cleared, 95);
}

INSTANTIATE_TEST_SUITE_P(Each, HeapMemory, ::testing::Bool(),
                         [](const auto &Info) { return Info.param ? "Incremental" : "Whole"; });

} // namespace
