/* Records that stay while their slots hold null: never seen from outside, never too few. */
#include "region_support.h"

#include <cstdlib>
#include <random>
#include <sys/single_threaded.h>
#include <thread>
#include <vector>

extern "C" {
#include "counting/lazy.h"
}

namespace {

Node *slots[400];

class LazyTest : public RegionTest {
protected:
  void SetUp() override {
    RegionTest::SetUp();
    std::uintptr_t none;
    EXPECT_FALSE(acre_lazy_take(&none)) << "no slot has lost its pointer yet";
    region = acre_region_new("lazy.c:1");
    target = newNode(region);
  }
  void TearDown() override {
    for (Node *&slot : slots)
      store<Node>(&slot, nullptr);
    EXPECT_TRUE(acre_region_delete(region, "lazy.c:2"));
    RegionTest::TearDown();
  }
  static bool isLazy(Node **slot) {
    return acre_record_is_lazy(reinterpret_cast<std::uintptr_t>(slot));
  }
  static bool isAlone() { return __libc_single_threaded; }
  /* Gives slot value and null in turn; it ends with null. */
  static void toggle(Node **slot, Node *value, int times = ACRE_LAZY_PATIENCE + 1) {
    for (int i = 0; i < times; i++) {
      store(slot, value);
      store<Node>(slot, nullptr);
    }
  }
  acre_region region = nullptr;
  Node *target = nullptr;
};

TEST_F(LazyTest, ASlotThatLosesItsPointerOftenKeepsItsRecord) {
  if (!isAlone())
    GTEST_SKIP() << "another test left threads";
  toggle(&slots[0], target, ACRE_LAZY_PATIENCE);
  EXPECT_FALSE(isLazy(&slots[0]));
  EXPECT_TRUE(acre_lazy_is_empty());
  toggle(&slots[0], target, 1);
  EXPECT_TRUE(isLazy(&slots[0]));
  toggle(&slots[0], target, 100);
  EXPECT_TRUE(isLazy(&slots[0]));
  EXPECT_EQ(acre_region_count(region), 0u) << "who asks for the count sees none of it";
  EXPECT_FALSE(isLazy(&slots[0]));
}

TEST_F(LazyTest, WhatALazySlotHoldsIsCounted) {
  Policy refuse(ACRE_DELETE_REFUSE);
  toggle(&slots[0], target);
  store(&slots[0], target);
  EXPECT_FALSE(acre_region_delete(region, "lazy.c:3"));
  EXPECT_EQ(acre_region_count(region), 1u);
}

TEST_F(LazyTest, AnotherRegionTakesTheRecordOver) {
  Policy refuse(ACRE_DELETE_REFUSE);
  acre_region other = acre_region_new("lazy.c:4");
  toggle(&slots[0], target);
  store(&slots[0], newNode(other));
  EXPECT_EQ(isLazy(&slots[0]), isAlone());
  EXPECT_FALSE(acre_region_delete(other, "lazy.c:5"));
  store(&slots[0], target);
  EXPECT_TRUE(acre_region_delete(other, "lazy.c:6"));
  EXPECT_EQ(acre_region_count(region), 1u);
}

TEST_F(LazyTest, ADeleteSettlesThemWithoutHealing) {
  const std::size_t healed = healedRecords();
  acre_region brief = acre_region_new("lazy.c:7");
  toggle(&slots[0], newNode(brief));
  toggle(&slots[1], target);
  EXPECT_TRUE(acre_region_delete(brief, "lazy.c:8"));
  EXPECT_FALSE(isLazy(&slots[0]));
  EXPECT_EQ(healedRecords(), healed);
}

TEST_F(LazyTest, ADeleteOfWhatTheyDoNotNameLeavesThem) {
  acre_region brief = acre_region_new("lazy.c:9");
  toggle(&slots[0], target);
  EXPECT_TRUE(acre_region_delete(brief, "lazy.c:10"));
  EXPECT_EQ(isLazy(&slots[0]), isAlone());
}

TEST_F(LazyTest, DeferredRegionsGoThoughTheyAreNamed) {
  Policy defer(ACRE_DELETE_DEFER);
  acre_region brief = acre_region_new("lazy.c:11");
  Node *node = newNode(brief);
  store(&slots[0], node);
  EXPECT_TRUE(acre_region_delete(brief, "lazy.c:12"));
  toggle(&slots[0], node);
  EXPECT_EQ(isLazy(&slots[0]), isAlone());
  EXPECT_EQ(acre_region_reclaim(), 1u);
}

TEST_F(LazyTest, SlotsOfReleasedMemoryAreForgotten) {
  for (int round = 0; round < 2000; round++) {
    auto **block = static_cast<Node **>(std::calloc(8, sizeof(Node *)));
    toggle(&block[round % 8], target);
    acre_rt_free(block);
  }
  EXPECT_EQ(acre_region_count(region), 0u);
}

TEST_F(LazyTest, ThereIsRoomForSome) {
  int lazy = 0;
  for (Node *&slot : slots)
    toggle(&slot, target);
  for (Node *&slot : slots)
    lazy += isLazy(&slot);
  EXPECT_EQ(lazy > 0, isAlone());
  EXPECT_LT(lazy, 400);
  EXPECT_EQ(acre_region_count(region), 0u);
}

TEST_F(LazyTest, TheyStayTrueWithThreads) {
  toggle(&slots[0], target);
  std::thread([&] {
    store(&slots[0], target);
    store<Node>(&slots[0], nullptr);
    toggle(&slots[1], target);
  }).join();
  EXPECT_FALSE(isLazy(&slots[1])) << "made by one of several threads";
  EXPECT_EQ(acre_region_count(region), 0u);
}

/* What is counted is what the slots hold, whatever was stored, released and deleted before. */
class LazyModel : public LazyTest, public testing::WithParamInterface<unsigned> {};

TEST_P(LazyModel, CountsAreThoseOfTheSlots) {
  std::mt19937 random(GetParam());
  std::vector<acre_region> regions(4);
  std::vector<Node *> nodes(4);
  for (std::size_t i = 0; i < 4; i++)
    nodes[i] = newNode(regions[i] = acre_region_new("lazy.c:13"));
  for (int step = 0; step < 20000; step++) {
    Node **slot = &slots[random() % 12];
    std::size_t which = random() % 4;
    switch (random() % 64) {
    case 0: {
      std::size_t held = 0;
      for (Node *each : slots)
        held += each == nodes[which];
      ASSERT_EQ(acre_region_count(regions[which]), held) << "step " << step;
      break;
    }
    case 1:
      acre_rt_release(slots, 6 * sizeof *slots);
      for (int i = 0; i < 6; i++)
        slots[i] = nullptr;
      break;
    case 2:
      ASSERT_TRUE(acre_verify());
      break;
    default:
      store(slot, random() % 2 ? nodes[which] : nullptr);
    }
  }
  for (Node *&slot : slots)
    store<Node>(&slot, nullptr);
  for (acre_region each : regions)
    EXPECT_TRUE(acre_region_delete(each, "lazy.c:14"));
}
INSTANTIATE_TEST_SUITE_P(Seeds, LazyModel, testing::Range(1u, 6u));

} // namespace
