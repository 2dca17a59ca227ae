/* Regions that are emptied or moved while they live, and objects that are given back early. */
#include "region_support.h"

#include <cstring>
#include <string>

namespace {

using RegionClearTest = RegionTest;
using RegionClearDeathTest = RegionTest;

Node *global;

bool clear(acre_region region, acre_subregions subregions = ACRE_SUBREGIONS_DELETE) {
  return acre_region_clear(region, subregions, "a.c:9");
}

std::size_t bytesReserved(acre_region region) {
  acre_region_stats stats;
  acre_region_get_stats(region, &stats);
  return stats.bytes_reserved;
}

TEST_F(RegionClearTest, AClearedRegionIsEmptyAndAsItWas) {
  acre_region parent = acre_region_new("a.c:1"), region = acre_region_new_sub(parent, "a.c:2");
  acre_region_set_name(region, "requests");
  Node *node = newNode(region);
  store(&node->next, newNode(region));
  acre_region_alloc(region, 100000, 8, nullptr);
  EXPECT_TRUE(clear(region));
  acre_region_stats stats;
  acre_region_get_stats(region, &stats);
  EXPECT_EQ(stats.objects, 0u);
  EXPECT_STREQ(acre_region_name(region), "requests");
  EXPECT_EQ(acre_region_parent(region), parent);
  Node *fresh = newNode(region);
  EXPECT_EQ(fresh->next, nullptr);
  EXPECT_EQ(acre_region_of(fresh), region);
  EXPECT_TRUE(acre_region_delete(region, "a.c:3") && acre_region_delete(parent, "a.c:4"));
}

TEST_F(RegionClearTest, OfALongNameTheFirst255BytesStay) {
  acre_region region = acre_region_new("a.c:1");
  std::string name(300, 'n');
  acre_region_set_name(region, name.c_str());
  EXPECT_TRUE(clear(region));
  EXPECT_EQ(acre_region_name(region), name.substr(0, 255));
  EXPECT_TRUE(acre_region_delete(region, "a.c:3"));
}

TEST_F(RegionClearTest, ALimitCountsAnewAfterAClear) {
  acre_region region = acre_region_new("a.c:1");
  acre_region_set_limit(region, 1000);
  for (int i = 0; i < 5; i++) {
    acre_region_alloc_bytes(region, 900);
    EXPECT_TRUE(clear(region));
  }
  EXPECT_TRUE(acre_region_delete(region, "a.c:3"));
}

// A clear frees memory: it needs none, but for the name.
TEST_F(RegionClearTest, AClearNeedsNoMemory) {
  for (std::uint64_t request = 1; request < 4; request++) {
    acre_region region = acre_region_new("a.c:1"), child = acre_region_new_sub(region, "a.c:2");
    acre_region_set_name(region, "name");
    store(&newNode(region)->next, newNode(child));
    acre_os_fail_at(request);
    EXPECT_TRUE(clear(region));
    acre_os_fail_at(0);
    EXPECT_TRUE(acre_region_name(region) == std::string("name") ||
                acre_region_name(region) == std::string("a.c:1"));
    newNode(region);
    EXPECT_TRUE(acre_region_delete(region, "a.c:3"));
  }
}

TEST_F(RegionClearTest, AReferenceFromOutsideRefusesTheClear) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region region = acre_region_new("a.c:1");
  Node *node = newNode(region);
  node->value = 7;
  store(&global, node);
  EXPECT_FALSE(clear(region));
  EXPECT_EQ(global->value, 7);
  store<Node>(&global, nullptr);
  {
    Pin pin(node);
    EXPECT_FALSE(clear(region));
  }
  EXPECT_TRUE(clear(region));
  EXPECT_TRUE(acre_region_delete(region, "a.c:3"));
}

TEST_F(RegionClearTest, WhereDeletesAreDeferredAClearIsRefused) {
  Policy policy(ACRE_DELETE_DEFER);
  acre_region region = acre_region_new("a.c:1");
  store(&global, newNode(region));
  EXPECT_FALSE(clear(region));
  EXPECT_TRUE(acre_region_is_live(region));
  store<Node>(&global, nullptr);
  EXPECT_TRUE(clear(region));
  EXPECT_TRUE(acre_region_delete(region, "a.c:3"));
}

TEST_F(RegionClearTest, SubregionsGoWithTheObjectsAndMayReferToThem) {
  acre_region region = acre_region_new("a.c:1"), child = acre_region_new_sub(region, "a.c:2"),
              grandchild = acre_region_new_sub(child, "a.c:3");
  Node *top = newNode(region), *low = newNode(grandchild);
  store(&low->next, top);
  store(&top->next, low); // counted: it points down
  EXPECT_TRUE(clear(region));
  EXPECT_FALSE(acre_region_is_live(child) || acre_region_is_live(grandchild));
  EXPECT_TRUE(acre_region_is_live(region));
  EXPECT_TRUE(acre_region_delete(region, "a.c:4"));
}

// What a subregion holds has no record when it points up: it is searched for.
TEST_F(RegionClearTest, ASubregionThatStaysRefusesTheClearIfItPointsUp) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region region = acre_region_new("a.c:1"), child = acre_region_new_sub(region, "a.c:2"),
              grandchild = acre_region_new_sub(child, "a.c:3");
  struct {
    const char *what;
    char *slot;
  } places[] = {
      {"a plain slot", reinterpret_cast<char *>(&newNode(child)->next)},
      {"a parentptr slot", reinterpret_cast<char *>(&newNode(grandchild)->up)},
      {"a member of a union", reinterpret_cast<char *>(&newNode(child)->link)},
      {"an array", reinterpret_cast<char *>(&newNode(grandchild)->kids[2])},
      {"a misaligned slot", static_cast<char *>(acre_region_alloc(child, 9, 1, &packedSite)) + 1},
      {"memory of no known type",
       static_cast<char *>(acre_region_alloc(grandchild, 40, 8, nullptr)) + 3},
  };
  for (auto &place : places) {
    Node *node = newNode(region);
    std::memcpy(place.slot, &node, sizeof node);
    EXPECT_FALSE(clear(region, ACRE_SUBREGIONS_KEEP)) << place.what;
    std::memset(place.slot, 0, sizeof node);
    EXPECT_TRUE(clear(region, ACRE_SUBREGIONS_KEEP)) << place.what;
  }
  EXPECT_TRUE(acre_region_is_live(grandchild));
  acre_region all[] = {region, child, grandchild};
  EXPECT_TRUE(acre_region_delete_array(3, all, "a.c:4"));
}

TEST_F(RegionClearTest, ASubregionThatIsDeferredStaysAndMayStillReferUp) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region region = acre_region_new("a.c:1"), child = acre_region_new_sub(region, "a.c:2");
  acre_region_set_delete_policy(child, ACRE_DELETE_DEFER);
  Node *low = newNode(child);
  store(&global, low);
  EXPECT_TRUE(acre_region_delete(child, "a.c:3"));
  store(&low->next, newNode(region));
  EXPECT_FALSE(clear(region));
  store<Node>(&low->next, nullptr);
  EXPECT_TRUE(clear(region));
  store<Node>(&global, nullptr);
  acre_region_reclaim();
  EXPECT_TRUE(acre_region_delete(region, "a.c:4"));
}

TEST_F(RegionClearDeathTest, TheReportOfAClearNamesSlotsBelow) {
  acre_region region = acre_region_new("a.c:1"), child = acre_region_new_sub(region, "a.c:2");
  Node *low = newNode(child);
  store(&low->next, newNode(region));
  EXPECT_DEATH(clear(region, ACRE_SUBREGIONS_KEEP),
               "cannot clear the region created at a.c:1: 1 reference remains\n"
               "  clearregion called at a.c:9\n"
               "  1. field 'next' of struct node allocated at node.c:12 in the region created at "
               "a.c:2 points to struct node allocated at node.c:12\n  hint");
  EXPECT_DEATH(clear(acre_region_permanent()), "nothing of the permanent region");
  acre_region all[] = {region, child};
  EXPECT_TRUE(acre_region_delete_array(2, all, "a.c:4"));
}

// -- Objects -------------------------------------------------------------------------------------

bool release(acre_region region, void *p) { return acre_region_release_at(region, p, "a.c:9"); }

TEST_F(RegionClearTest, TheLastObjectsMemoryIsUsedAgainAtOnce) {
  acre_region region = acre_region_new("a.c:1");
  Node *first = newNode(region), *last = newNode(region);
  last->value = 3;
  EXPECT_TRUE(release(region, last));
  Node *again = newNode(region);
  EXPECT_EQ(again, last);
  EXPECT_EQ(again->value, 0);
  EXPECT_TRUE(release(region, first));
  EXPECT_TRUE(release(region, nullptr));
  EXPECT_TRUE(acre_verify());
  EXPECT_TRUE(acre_region_delete(region, "a.c:3"));
}

TEST_F(RegionClearTest, ALargeObjectsPagesGoBack) {
  acre_region region = acre_region_new("a.c:1");
  newNode(region);
  std::size_t before = bytesReserved(region);
  void *large[] = {acre_region_alloc(region, 100000, 8, nullptr),
                   acre_region_alloc(region, 1000000, 8, &numbersSite),
                   acre_region_alloc(region, 20000, 4096, nullptr)};
  EXPECT_GT(bytesReserved(region), before + 1000000);
  for (int i : {1, 0, 2})
    EXPECT_TRUE(release(region, large[i]));
  EXPECT_EQ(bytesReserved(region), before);
  EXPECT_TRUE(acre_verify());
  EXPECT_TRUE(acre_region_delete(region, "a.c:3"));
}

TEST_F(RegionClearTest, WhatAnObjectRefersToIsNotCountedAnyMore) {
  acre_region region = acre_region_new("a.c:1"), other = acre_region_new("a.c:2");
  Node *node = newNode(region);
  newNode(region);
  store(&node->next, newNode(other));
  EXPECT_EQ(acre_region_count(other), 1u);
  EXPECT_TRUE(release(region, node));
  EXPECT_EQ(acre_region_count(other), 0u);
  EXPECT_TRUE(acre_region_delete(other, "a.c:3"));
  EXPECT_TRUE(acre_region_delete(region, "a.c:4"));
}

TEST_F(RegionClearTest, AnObjectIsNotGivenBackWhileAnythingRefersToIt) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region region = acre_region_new("a.c:1"), child = acre_region_new_sub(region, "a.c:2"),
              other = acre_region_new("a.c:3");
  Node *node = newNode(region), *next = newNode(region);
  Node **slots[] = {&global,
                    &newNode(other)->next,  // counted
                    &newNode(region)->same, // in the region itself
                    &newNode(child)->up,    // below it
                    &newNode(child)->kids[1]};
  for (Node **slot : slots)
    for (std::size_t offset : {std::size_t{0}, sizeof(Node *), sizeof(Node)}) {
      store(slot, reinterpret_cast<Node *>(reinterpret_cast<char *>(node) + offset));
      EXPECT_FALSE(release(region, node)) << offset;
      store(slot, next);
    }
  {
    Pin pin(node);
    EXPECT_FALSE(release(region, node));
  }
  {
    Pin pin(next); // of the same region
    store(&node->same, node);
    EXPECT_TRUE(release(region, node));
  }
  for (Node **slot : slots)
    store<Node>(slot, nullptr);
  acre_region all[] = {region, child, other};
  EXPECT_TRUE(acre_region_delete_array(3, all, "a.c:4"));
}

TEST_F(RegionClearDeathTest, WhatIsNoObjectCannotBeGivenBack) {
  acre_region region = acre_region_new("a.c:1"), other = acre_region_new("a.c:2");
  Node *node = newNode(region), *foreign = newNode(other), *kept = newNode(region);
  EXPECT_DEATH(release(region, &node->value), "is not an object of the region");
  EXPECT_DEATH(release(region, foreign), "is not an object of the region");
  EXPECT_DEATH(release(region, &global), "is not an object of the region");
  store(&kept->same, node);
  EXPECT_DEATH(release(region, node),
               "cannot give back struct node allocated at node.c:12 in the region created at "
               "a.c:1: 1 reference remains\n  acre_region_release called at a.c:9\n"
               "  1. field 'same' of struct node allocated at node.c:12");
  store<Node>(&kept->same, nullptr);
  EXPECT_TRUE(release(region, node));
  EXPECT_DEATH(release(region, node), "has been given back before");
  acre_region all[] = {region, other};
  EXPECT_TRUE(acre_region_delete_array(2, all, "a.c:4"));
}

// -- Moves ---------------------------------------------------------------------------------------

bool reparent(acre_region region, acre_region parent) {
  return acre_region_reparent_at(region, parent, "a.c:9");
}

TEST_F(RegionClearTest, ARootMovesBelowAnotherRegionWithItsTree) {
  acre_region top = acre_region_new("a.c:1"), low = acre_region_new_sub(top, "a.c:2"),
              root = acre_region_new("a.c:3"), child = acre_region_new_sub(root, "a.c:4");
  Node *above = newNode(low), *node = newNode(child);
  store(&node->next, above);
  store(&above->next, node);
  EXPECT_EQ(acre_region_count(low), 1u);
  EXPECT_TRUE(reparent(root, low));
  EXPECT_EQ(acre_region_count(low), 0u); // it points up now
  EXPECT_EQ(acre_region_count(child), 1u);
  EXPECT_TRUE(acre_region_is_ancestor(top, child));
  EXPECT_TRUE(acre_region_is_ancestor(root, child));
  EXPECT_FALSE(acre_region_is_ancestor(child, top));
  acre_rt_check_parentptr(&node->up, above, nullptr);
  store(&node->up, above);
  EXPECT_TRUE(acre_verify());
  acre_region all[] = {top, low, root, child};
  EXPECT_TRUE(acre_region_delete_array(4, all, "a.c:5"));
}

TEST_F(RegionClearTest, NothingThatIsAboveARegionMayBeLost) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region root = acre_region_new("a.c:1"), child = acre_region_new_sub(root, "a.c:2"),
              sibling = acre_region_new_sub(root, "a.c:3"), other = acre_region_new("a.c:4");
  EXPECT_FALSE(reparent(child, other));
  EXPECT_FALSE(reparent(child, nullptr));
  EXPECT_FALSE(reparent(root, child));
  EXPECT_FALSE(reparent(root, root));
  EXPECT_TRUE(reparent(child, root));
  EXPECT_TRUE(reparent(child, sibling)); // root is still above it
  EXPECT_TRUE(reparent(root, nullptr));
  EXPECT_EQ(acre_region_parent(child), sibling);
  acre_region all[] = {root, child, sibling, other};
  EXPECT_TRUE(acre_region_delete_array(4, all, "a.c:5"));
}

TEST_F(RegionClearDeathTest, AMoveThatWouldLoseAnAncestorEndsTheProgram) {
  acre_region root = acre_region_new("a.c:1"), child = acre_region_new_sub(root, "a.c:2"),
              other = acre_region_new("a.c:3");
  EXPECT_DEATH(reparent(child, other),
               "cannot move the region created at a.c:2 below the region created at a.c:3: the "
               "region created at a.c:1 has to stay above it\n"
               "  acre_region_reparent called at a.c:9");
  EXPECT_DEATH(reparent(root, child), "which is the region itself or below it");
  EXPECT_DEATH(reparent(child, nullptr), "out of the region created at a.c:1");
  acre_region all[] = {root, child, other};
  EXPECT_TRUE(acre_region_delete_array(3, all, "a.c:5"));
}

} // namespace
