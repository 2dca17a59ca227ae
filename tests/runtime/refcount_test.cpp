/* References: objects with a hidden count. */
#include <acre/own.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace {

struct Pair {
  long a, b;
};

TEST(Reference, ObjectsAreZeroAlignedAndCounted) {
  for (size_t size : {size_t{0}, size_t{1}, sizeof(Pair), size_t{5000}}) {
    char *p = static_cast<char *>(acre_ref_new(size));
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % alignof(std::max_align_t), 0u);
    for (size_t i = 0; i < size; i++)
      EXPECT_EQ(p[i], 0);
    EXPECT_EQ(acre_ref_count(p), 1u);
    EXPECT_EQ(acre_ref_alias(p), p);
    EXPECT_EQ(acre_ref_count(p), 2u);
    std::memset(p, 0xff, size);
    acre_ref_drop(p);
    EXPECT_EQ(acre_ref_count(p), 1u);
    acre_ref_drop(p);
  }
}

TEST(Reference, NullHasNoCount) {
  EXPECT_EQ(acre_ref_alias(nullptr), nullptr);
  EXPECT_EQ(acre_ref_count(nullptr), 0u);
  acre_ref_drop(nullptr);
  EXPECT_EQ(acre_weak_new(nullptr), nullptr);
  EXPECT_EQ(acre_ref_of_weak(nullptr), nullptr);
  acre_weak_drop(nullptr);
}

TEST(Reference, SizesThatCannotBeAreOutOfMemory) { EXPECT_EQ(acre_ref_new(SIZE_MAX - 8), nullptr); }

TEST(Reference, WeakReferencesEndWithTheLastReference) {
  Pair *p = static_cast<Pair *>(acre_ref_new(sizeof(Pair)));
  acre_weak *one = acre_weak_new(p), *other = acre_weak_new(p);
  EXPECT_EQ(acre_ref_of_weak(one), p);
  EXPECT_EQ(acre_ref_count(p), 2u);
  acre_ref_drop(p);
  EXPECT_EQ(acre_ref_of_weak(other), p);
  acre_ref_drop(p);
  acre_ref_drop(p);
  EXPECT_EQ(acre_ref_of_weak(one), nullptr);
  EXPECT_EQ(acre_ref_of_weak(other), nullptr);
  acre_weak_drop(one);
  EXPECT_EQ(acre_ref_of_weak(other), nullptr);
  acre_weak_drop(other);
}

TEST(Reference, SharedObjectsAreCountedByManyThreads) {
  constexpr int rounds = 20000;
  Pair *p = static_cast<Pair *>(acre_ref_new_shared(sizeof(Pair)));
  acre_weak *weak = acre_weak_new(p);
  std::atomic<int> found{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([&found, weak, mine = acre_ref_alias(p)] {
      for (int j = 0; j < rounds; j++) {
        void *another = acre_ref_alias(mine);
        if (void *again = acre_ref_of_weak(weak)) {
          found++;
          acre_ref_drop(again);
        }
        acre_ref_drop(another);
      }
      acre_ref_drop(mine);
    });
  for (std::thread &each : threads)
    each.join();
  EXPECT_EQ(found, 4 * rounds);
  EXPECT_EQ(acre_ref_count(p), 1u);
  acre_ref_drop(p);
  EXPECT_EQ(acre_ref_of_weak(weak), nullptr);
  acre_weak_drop(weak);
}

TEST(ReferenceDeathTest, DroppingTooOftenIsSaid) {
  Pair *p = static_cast<Pair *>(acre_ref_new(sizeof(Pair)));
  acre_weak *weak = acre_weak_new(p);
  acre_ref_drop(p);
  EXPECT_DEATH(acre_ref_drop(p), "a reference to an object that has none is dropped");
  acre_weak_drop(weak);
}

} // namespace
