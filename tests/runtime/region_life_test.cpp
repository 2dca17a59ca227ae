#include "region_support.h"

#include <acre/scope.h>

#include <algorithm>
#include <csignal>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>
#include <vector>

namespace {

using RegionLifeTest = RegionTest;
using RegionLifeDeathTest = RegionTest;

Node *global;

TEST_F(RegionLifeTest, ANewRegionIsAliveAndEmpty) {
  acre_region region = acre_region_new("a.c:1");
  EXPECT_TRUE(acre_region_is_live(region));
  EXPECT_EQ(acre_region_count(region), 0u);
  EXPECT_EQ(acre_region_parent(region), nullptr);
  EXPECT_STREQ(acre_region_name(region), "a.c:1");
  acre_region_stats stats;
  acre_region_get_stats(region, &stats);
  EXPECT_EQ(stats.objects, 0u);
  EXPECT_EQ(stats.bytes_reserved, 0u);
  EXPECT_TRUE(acre_region_delete(region, "a.c:2"));
  EXPECT_FALSE(acre_region_is_live(region));
}

TEST_F(RegionLifeTest, RegionOfAnswersForInteriorAndOnePastTheEnd) {
  acre_region region = acre_region_new("a.c:1");
  for (std::size_t size : {1u, 8u, 40u, 5000u, 8144u, 8192u, 70000u}) {
    char *p = static_cast<char *>(acre_region_alloc(region, size, 1, nullptr));
    EXPECT_EQ(acre_region_of(p), region);
    EXPECT_EQ(acre_region_of(p + size / 2), region);
    EXPECT_EQ(acre_region_of(p + size), region) << size;
  }
  int local = 0;
  EXPECT_EQ(acre_region_of(&local), acre_region_traditional());
  EXPECT_EQ(acre_region_of(nullptr), nullptr);
  acre_region_delete(region, "a.c:2");
}

TEST_F(RegionLifeTest, AReferenceFromOutsideRefusesTheDelete) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region region = acre_region_new("a.c:1");
  store(&global, newNode(region));
  EXPECT_EQ(acre_region_count(region), 1u);
  EXPECT_FALSE(acre_region_delete(region, "a.c:2"));
  EXPECT_TRUE(acre_region_is_live(region));
  store<Node>(&global, nullptr);
  EXPECT_TRUE(acre_region_delete(region, "a.c:3"));
}

TEST_F(RegionLifeTest, CyclesInsideARegionDoNotCount) {
  acre_region region = acre_region_new("a.c:1");
  Node *a = newNode(region), *b = newNode(region);
  store(&a->next, b);
  store(&b->next, a);
  EXPECT_EQ(acre_region_count(region), 0u);
  EXPECT_TRUE(acre_region_delete(region, "a.c:2"));
}

TEST_F(RegionLifeTest, DeletingARegionDropsItsReferencesToOthers) {
  acre_region region = acre_region_new("a.c:1"), other = acre_region_new("a.c:2");
  Node *target = newNode(other);
  for (int i = 0; i < 1000; i++)
    store(&newNode(region)->kids[i % 3], target);
  EXPECT_EQ(acre_region_count(other), 1000u);
  EXPECT_TRUE(acre_region_delete(region, "a.c:3"));
  EXPECT_EQ(acre_region_count(other), 0u);
  EXPECT_TRUE(acre_region_delete(other, "a.c:4"));
}

// A delete looks where records are, not at objects: memory without external pointers is not even
// read.
TEST_F(RegionLifeTest, DeletingTouchesOnlyWhatHoldsReferencesToOthers) {
  acre_region region = acre_region_new("a.c:1"), other = acre_region_new("a.c:2");
  constexpr std::size_t Count = (std::size_t{4} << 20) / sizeof(Node);
  auto *nodes = static_cast<Node *>(
      acre_region_alloc_array(region, Count, sizeof(Node), alignof(Node), &nodeSite));
  nodes[Count / 2].same = nodes;
  acre_rt_check_sameregion(&nodes[Count / 2].same, nodes, nullptr);
  auto *target =
      static_cast<Node *>(acre_region_alloc(other, sizeof(Node), alignof(Node), &nodeSite));
  store(&nodes[0].next, target);
  EXPECT_EQ(acre_region_count(other), 1u);
  // All pages but the first and the last one: the header of the block and the reference are in the
  // first.
  constexpr std::uintptr_t Page = ACRE_WINDOW_PAGE_SIZE;
  auto low = (reinterpret_cast<std::uintptr_t>(nodes) + Page) & ~(Page - 1);
  auto high = reinterpret_cast<std::uintptr_t>(nodes + Count) & ~(Page - 1);
  ASSERT_EQ(mprotect(reinterpret_cast<void *>(low), high - low, PROT_NONE), 0);
  EXPECT_TRUE(acre_region_delete(region, "a.c:3"));
  ASSERT_EQ(mprotect(reinterpret_cast<void *>(low), high - low, PROT_READ | PROT_WRITE), 0);
  EXPECT_EQ(acre_region_count(other), 0u);
  EXPECT_TRUE(acre_region_delete(other, "a.c:4"));
}

TEST_F(RegionLifeTest, AParentWithALiveSubregionIsRefused) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region parent = acre_region_new("a.c:1"), child = acre_region_new_sub(parent, "a.c:2");
  EXPECT_EQ(acre_region_parent(child), parent);
  EXPECT_TRUE(acre_region_is_ancestor(parent, child));
  EXPECT_TRUE(acre_region_is_ancestor(child, child));
  EXPECT_FALSE(acre_region_is_ancestor(child, parent));
  EXPECT_FALSE(acre_region_delete(parent, "a.c:3"));
  EXPECT_TRUE(acre_region_delete(child, "a.c:4"));
  EXPECT_TRUE(acre_region_delete(parent, "a.c:5"));
}

TEST_F(RegionLifeTest, OtherTreesAreNoAncestors) {
  acre_region a = acre_region_new("a.c:1"), b = acre_region_new("a.c:2"),
              child = acre_region_new_sub(b, "a.c:3");
  EXPECT_FALSE(acre_region_is_ancestor(a, child));
  EXPECT_FALSE(acre_region_is_ancestor(acre_region_traditional(), child));
  EXPECT_FALSE(acre_region_is_ancestor(acre_region_permanent(), child));
  acre_region all[] = {b, a, child};
  EXPECT_TRUE(acre_region_delete_array(3, all, "a.c:4"));
}

TEST_F(RegionLifeTest, HandlesOfDeadRegionsStayDead) {
  std::vector<acre_region> dead;
  for (int i = 0; i < 3000; i++) {
    acre_region region = acre_region_new("a.c:1");
    for (acre_region old : dead)
      ASSERT_NE(old, region);
    if (i % 100 == 0)
      dead.push_back(region);
    acre_region_delete(region, "a.c:2");
  }
  for (acre_region old : dead)
    EXPECT_FALSE(acre_region_is_live(old));
}

TEST_F(RegionLifeTest, ASlotWithoutGenerationsIsRetired) {
  acre_region region = acre_region_new("a.c:1");
  acre_region_entry *slot = acre_registry_find(region);
  acre_registry_set_generation(region, ACRE_GENERATION_MAX);
  EXPECT_FALSE(acre_region_is_live(region));
  acre_region last = acre_handle_of(slot);
  EXPECT_TRUE(acre_region_delete(last, "a.c:2"));
  EXPECT_FALSE(acre_region_is_live(last));
  EXPECT_EQ(slot->state, ACRE_STATE_RETIRED);
  for (int i = 0; i < 100; i++) {
    acre_region next = acre_region_new("a.c:3");
    EXPECT_NE(acre_registry_find(next), slot);
    acre_region_delete(next, "a.c:4");
  }
}

TEST_F(RegionLifeTest, AMillionRegionsComeAndGo) {
  for (int i = 0; i < repetitions(1000000); i++) {
    acre_region region = acre_region_new("a.c:1");
    newNode(region);
    ASSERT_TRUE(acre_region_delete(region, "a.c:2"));
  }
}

TEST_F(RegionLifeTest, SubregionsNestDeeply) {
  std::vector<acre_region> chain{acre_region_new("a.c:1")};
  const std::size_t depth = static_cast<std::size_t>(repetitions(100000));
  while (chain.size() < depth)
    chain.push_back(acre_region_new_sub(chain.back(), "a.c:2"));
  EXPECT_TRUE(acre_region_is_ancestor(chain.front(), chain.back()));
  EXPECT_TRUE(acre_region_is_ancestor(chain[depth / 2], chain[depth / 2 + 1]));
  EXPECT_FALSE(acre_region_is_ancestor(chain[depth / 2 + 1], chain[depth / 2]));
  while (!chain.empty()) {
    ASSERT_TRUE(acre_region_delete(chain.back(), "a.c:3"));
    chain.pop_back();
  }
}

TEST_F(RegionLifeTest, ManySiblingsGoInAnyOrder) {
  acre_region parent = acre_region_new("a.c:1");
  std::vector<acre_region> children;
  for (int i = 0; i < 2000; i++)
    children.push_back(acre_region_new_sub(parent, "a.c:2"));
  std::shuffle(children.begin(), children.end(), std::mt19937(1));
  for (acre_region child : children)
    ASSERT_TRUE(acre_region_delete(child, "a.c:3"));
  EXPECT_TRUE(acre_region_delete(parent, "a.c:4"));
}

TEST_F(RegionLifeTest, DeletePtrClearsTheHandleAndPutsItBack) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region region = acre_region_new("a.c:1"), handle = region;
  store(&global, newNode(region));
  EXPECT_FALSE(acre_region_delete_ptr(&handle, "a.c:2"));
  EXPECT_EQ(handle, region);
  store<Node>(&global, nullptr);
  EXPECT_TRUE(acre_region_delete_ptr(&handle, "a.c:3"));
  EXPECT_EQ(handle, nullptr);
}

/* -- Sets -------------------------------------------------------------------------------------- */

TEST_F(RegionLifeTest, ReferencesAmongASetDoNotCount) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region a = acre_region_new("a.c:1"), b = acre_region_new("a.c:2");
  Node *x = newNode(a), *y = newNode(b);
  store(&x->next, y);
  store(&y->next, x);
  EXPECT_FALSE(acre_region_delete(a, "a.c:3"));
  EXPECT_FALSE(acre_region_delete(b, "a.c:4"));
  acre_region both[] = {a, b};
  store(&global, x);
  EXPECT_FALSE(acre_region_delete_array(2, both, "a.c:5"));
  EXPECT_TRUE(acre_verify());
  store<Node>(&global, nullptr);
  EXPECT_TRUE(acre_region_delete_array(2, both, "a.c:6"));
}

TEST_F(RegionLifeTest, ASetMayHoldParentsAndChildrenInAnyOrder) {
  acre_region parent = acre_region_new("a.c:1"), child = acre_region_new_sub(parent, "a.c:2");
  acre_region grandchild = acre_region_new_sub(child, "a.c:3");
  acre_region set[] = {parent, grandchild, child};
  EXPECT_TRUE(acre_region_delete_array(3, set, "a.c:4"));
  EXPECT_TRUE(acre_region_delete_array(0, nullptr, "a.c:5"));
}

TEST_F(RegionLifeTest, ASetWithAChildLeftOutIsRefused) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region parent = acre_region_new("a.c:1"), child = acre_region_new_sub(parent, "a.c:2");
  acre_region other = acre_region_new("a.c:3");
  acre_region set[] = {parent, other};
  EXPECT_FALSE(acre_region_delete_array(2, set, "a.c:4"));
  EXPECT_TRUE(acre_region_is_live(other));
  acre_region all[] = {parent, other, child};
  EXPECT_TRUE(acre_region_delete_array(3, all, "a.c:5"));
}

/* -- Policies ---------------------------------------------------------------------------------- */

TEST_F(RegionLifeTest, ADeferredRegionGoesWhenNothingPointsIn) {
  Policy policy(ACRE_DELETE_DEFER);
  acre_region region = acre_region_new("a.c:1");
  Node *node = newNode(region);
  store(&global, node);
  EXPECT_TRUE(acre_region_delete(region, "a.c:2"));
  EXPECT_FALSE(acre_region_is_live(region));
  EXPECT_EQ(acre_region_of(node), region);
  EXPECT_EQ(acre_region_reclaim(), 0u);
  store<Node>(&global, nullptr);
  EXPECT_EQ(acre_region_of(node), region);
  EXPECT_EQ(acre_region_reclaim(), 1u);
  EXPECT_EQ(acre_region_of(node), acre_region_traditional());
}

TEST_F(RegionLifeTest, DeferredRegionsThatHoldEachOtherInAChainAllGo) {
  Policy policy(ACRE_DELETE_DEFER);
  std::vector<acre_region> regions;
  Node *last = nullptr;
  for (int i = 0; i < 50; i++) {
    regions.push_back(acre_region_new("a.c:1"));
    Node *node = newNode(regions.back());
    store(&node->next, last);
    last = node;
  }
  store(&global, last);
  for (acre_region region : regions)
    EXPECT_TRUE(acre_region_delete(region, "a.c:2"));
  EXPECT_EQ(acre_region_reclaim(), 0u);
  store<Node>(&global, nullptr);
  EXPECT_EQ(acre_region_reclaim(), 50u);
}

TEST_F(RegionLifeTest, LaterDeletesReclaimDeferredRegions) {
  Policy policy(ACRE_DELETE_DEFER);
  acre_region region = acre_region_new("a.c:1");
  store(&global, newNode(region));
  acre_region_delete(region, "a.c:2");
  store<Node>(&global, nullptr);
  std::size_t before = liveRegions();
  for (int i = 0; i < 4; i++)
    acre_region_delete(acre_region_new("a.c:3"), "a.c:4");
  EXPECT_EQ(liveRegions(), before - 1);
}

TEST_F(RegionLifeTest, LaterDeletesLeaveADeferredRegionThatALocalHolds) {
  Policy policy(ACRE_DELETE_DEFER);
  acre_region region = acre_region_new("a.c:1"), others[4];
  for (acre_region &other : others)
    other = acre_region_new("a.c:2");
  Node *node = newNode(region);
  store(&global, node);
  acre_region_delete(region, "a.c:3");
  {
    Pin pin(node);
    store<Node>(&global, nullptr);
    for (acre_region other : others)
      EXPECT_TRUE(acre_region_delete(other, "a.c:4"));
    EXPECT_EQ(acre_region_of(node), region);
  }
  EXPECT_EQ(acre_region_reclaim(), 1u);
}

TEST_F(RegionLifeTest, ALocalHoldsTheRegionOfASetWhereverItIsInIt) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region region = acre_region_new("a.c:1"), child = acre_region_new_sub(region, "a.c:2");
  Node *node = newNode(child);
  acre_region both[] = {region, child};
  {
    Pin outer(node);
    Pin inner(nullptr, &region, &node);
    EXPECT_FALSE(acre_region_delete_array(2, both, "a.c:3"));
  }
  {
    Pin outer(&region, nullptr);
    EXPECT_TRUE(acre_region_delete_array(2, both, "a.c:4"));
  }
}

TEST_F(RegionLifeTest, AValueThatWasPinnedEarlierIsNoPointerIntoTheRegion) {
  if (!__libc_single_threaded)
    GTEST_SKIP() << "pins are counted at once where there were threads";
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region first = acre_region_new("a.c:1");
  Node *stale = newNode(first);
  ASSERT_TRUE(acre_region_delete(first, "a.c:2"));
  Pin older(stale);
  acre_region region = acre_region_new("a.c:3");
  Node *node = newNode(region);
  ASSERT_EQ(node, stale) << "the memory is used again";
  {
    Pin newer(node);
    EXPECT_FALSE(acre_region_delete(region, "a.c:4"));
    EXPECT_EQ(acre_region_count(region), 1u);
  }
  EXPECT_TRUE(acre_region_delete(region, "a.c:5"));
}

TEST_F(RegionLifeTest, ABlockThatEndsUnderANewerPinLeavesNothingCounted) {
  if (!__libc_single_threaded)
    GTEST_SKIP() << "pins are counted at once where there were threads";
  acre_key *key = acre_key_make("a.c:1");
  acre_region_delete(acre_region_new("a.c:2"), "a.c:3");
  Pin outer(nullptr);
  std::uintptr_t before = acre_rt_stack[1];
  acre_scope scope = {{0}};
  acre_scope_open(&scope, key, "a.c:4");
  {
    Pin pin(&scope);
    acre_scope_leave(&scope);
  }
  EXPECT_EQ(acre_rt_stack[1], before);
  acre_key_drop(key);
}

TEST_F(RegionLifeTest, ARegionsOwnPolicyWins) {
  Policy policy(ACRE_DELETE_DEFER);
  acre_region region = acre_region_new("a.c:1");
  acre_region_set_delete_policy(region, ACRE_DELETE_REFUSE);
  store(&global, newNode(region));
  EXPECT_FALSE(acre_region_delete(region, "a.c:2"));
  EXPECT_TRUE(acre_region_is_live(region));
  store<Node>(&global, nullptr);
  EXPECT_TRUE(acre_region_delete(region, "a.c:3"));
}

TEST_F(RegionLifeTest, ThePermanentRegionIsAllocatedInAndNotCounted) {
  acre_region permanent = acre_region_permanent();
  Node *node = newNode(permanent);
  store(&global, node);
  EXPECT_EQ(acre_region_count(permanent), 0u);
  EXPECT_EQ(acre_region_of(node), permanent);
  store<Node>(&global, nullptr);
  acre_region region = acre_region_new("a.c:1");
  store(&node->next, newNode(region));
  EXPECT_EQ(acre_region_count(region), 1u);
  store<Node>(&node->next, nullptr);
  EXPECT_TRUE(acre_region_delete(region, "a.c:2"));
}

/* -- Misuse ------------------------------------------------------------------------------------ */

TEST_F(RegionLifeDeathTest, DeadHandlesAreNamed) {
  acre_region region = acre_region_new("server.c:42");
  acre_region_delete(region, "server.c:80");
  EXPECT_DEATH(newNode(region),
               "ralloc: the region created at server.c:42 was deleted at server.c:80");
  EXPECT_DEATH(acre_region_delete(region, "a.c:1"), "was deleted at server.c:80");
  EXPECT_DEATH(newNode(nullptr), "ralloc: the region handle is null");
  EXPECT_DEATH(newNode(reinterpret_cast<acre_region>(0x1234)), "is not a region handle");
  EXPECT_DEATH(acre_region_new_sub(region, "a.c:1"),
               "newsubregion: the region created at server.c:42");
}

TEST_F(RegionLifeDeathTest, SpecialRegionsRefuseWhatTheyCannotDo) {
  EXPECT_DEATH(newNode(acre_region_traditional()), "not possible with the traditional region");
  EXPECT_DEATH(acre_region_delete(acre_region_traditional(), "a.c:1"),
               "not possible with the traditional region");
  EXPECT_DEATH(acre_region_delete(acre_region_permanent(), "a.c:1"),
               "permanent region cannot be deleted");
  EXPECT_DEATH(acre_region_new_sub(acre_region_permanent(), "a.c:1"),
               "permanent region has no subregions");
}

TEST_F(RegionLifeDeathTest, AnElementTwiceInASetIsNamed) {
  acre_region region = acre_region_new("a.c:1");
  acre_region set[] = {region, region};
  EXPECT_DEATH(acre_region_delete_array(2, set, "a.c:2"), "element 1 names the same region");
  acre_region_delete(region, "a.c:3");
}

TEST_F(RegionLifeDeathTest, ADeferredRegionIsNoLongerAllocatedIn) {
  Policy policy(ACRE_DELETE_DEFER);
  acre_region region = acre_region_new("a.c:1");
  store(&global, newNode(region));
  acre_region_delete(region, "a.c:2");
  EXPECT_DEATH(newNode(region), "has been deleted \\(deferred");
  store<Node>(&global, nullptr);
}

TEST_F(RegionLifeDeathTest, TheEnvironmentSetsThePolicy) {
  EXPECT_EXIT(
      {
        setenv("ACRE_DELETE", "sometimes", 1);
        execl("/proc/self/exe", "tests", "--gtest_list_tests", nullptr);
      },
      testing::KilledBySignal(SIGABRT), "ACRE_DELETE is 'sometimes'");
}

} // namespace
