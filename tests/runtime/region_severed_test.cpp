/* Random deletes under sever and trap, compared with a model that knows every slot: what pointed in
 * points nowhere, all else is as it was, and what the stack holds can be read with all that it
 * leads to.  What the stack holds is pinned, as the functions that may delete do it, or found by
 * the search of all frames. */
#include "region_support.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

extern "C" {
#include "region/frames.h"
}

namespace {

constexpr std::size_t nodesPerRegion = 8, outsideSlots = 128, heldSlots = 6;

struct SeveredRegion {
  acre_region handle;
  std::vector<Node *> nodes;
};

enum class Frames { Pinned, Searched };

/* Lies on the stack, and so does what it holds: no record tells of that. */
class SeveredModel {
public:
  SeveredModel(std::uint64_t seed, Frames frames)
      : frames(frames), random(seed), outside(outsideSlots), held{} {}

  void step() {
    switch (random() % 16) {
    case 0:
    case 1:
      create();
      break;
    case 2:
      remove();
      break;
    case 3:
      removeTwo();
      break;
    case 4:
      clear(random() % 2 ? ACRE_SUBREGIONS_KEEP : ACRE_SUBREGIONS_DELETE);
      break;
    case 5:
      release();
      break;
    case 6:
      held[random() % heldSlots] = anyNode();
      break;
    case 7:
      acre_region_reclaim();
      break;
    default:
      storeRandom();
    }
    checkLost();
  }

  void checkCounts() const {
    std::map<acre_region, std::size_t> expected;
    for (Node *const &value : outside)
      count(expected, nullptr, value);
    for (const SeveredRegion &region : regions)
      for (Node *node : region.nodes)
        for (Node *value : {node->next, node->kids[0], node->kids[1], node->kids[2]})
          count(expected, region.handle, value);
    for (const SeveredRegion &region : regions)
      ASSERT_EQ(acre_region_count(region.handle), expected[region.handle]);
  }

  void finish() {
    held.fill(nullptr);
    acre_rt_release(outside.data(), outside.size() * sizeof(Node *));
    std::fill(outside.begin(), outside.end(), nullptr);
    std::vector<acre_region> all;
    for (const SeveredRegion &region : regions)
      if (!acre_region_parent(region.handle))
        all.push_back(region.handle);
    ASSERT_TRUE(acre_region_delete_array(all.size(), all.data(), "severed.c:9"));
    regions.clear();
  }

  std::size_t severed = 0, lost = 0, deletes = 0;

private:
  static bool isNowhere(Node *value) {
    return !value || acre_region_of(value) == acre_region_traditional();
  }

  static void count(std::map<acre_region, std::size_t> &result, acre_region holder, Node *value) {
    acre_region target = acre_region_of(value);
    if (!isNowhere(value) && !(holder && acre_region_is_ancestor(target, holder)))
      result[target]++;
  }

  SeveredRegion &any() { return regions[random() % regions.size()]; }
  Node *anyNode() {
    return regions.empty() || random() % 6 == 0 ? nullptr : any().nodes[random() % nodesPerRegion];
  }

  void fill(SeveredRegion &region) {
    region.nodes.clear();
    for (std::size_t i = 0; i < nodesPerRegion; i++) {
      region.nodes.push_back(newNode(region.handle));
      region.nodes.back()->value = ++serial;
    }
  }

  void create() {
    if (regions.size() >= 24)
      return;
    bool isRoot = regions.empty() || random() % 3 == 0;
    SeveredRegion region = {isRoot ? acre_region_new("severed.c:1")
                                   : acre_region_new_sub(any().handle, "severed.c:2"),
                            {}};
    fill(region);
    regions.push_back(region);
  }

  void storeRandom() {
    Node *value = anyNode();
    if (regions.empty() || random() % 2)
      return store(&outside[random() % outsideSlots], value);
    Node *node = any().nodes[random() % nodesPerRegion];
    store(random() % 2 ? &node->next : &node->kids[random() % 3], value);
  }

  /* -- What a delete leaves ------------------------------------------------------------------- */

  std::map<Node **, Node *> slotsOf(const std::set<Node *> &gone) {
    std::map<Node **, Node *> all;
    for (Node *&slot : outside)
      all[&slot] = slot;
    for (SeveredRegion &region : regions)
      for (Node *node : region.nodes)
        if (!gone.count(node))
          for (Node **slot :
               {&node->next, &node->up, &node->kids[0], &node->kids[1], &node->kids[2]})
            all[slot] = *slot;
    return all;
  }

  /* What the stack leads to through what is gone, now or before. */
  void noteLost(const std::set<Node *> &gone) {
    std::vector<Node *> next(held.begin(), held.end());
    std::set<Node *> seen;
    while (!next.empty()) {
      Node *node = next.back();
      next.pop_back();
      bool isLost = lostSerials.count(node);
      if (isNowhere(node) || (!isLost && !gone.count(node)) || !seen.insert(node).second)
        continue;
      if (!isLost)
        lost++;
      lostSerials.emplace(node, node->value);
      next.insert(next.end(), {node->next, node->up, node->kids[0], node->kids[1], node->kids[2]});
    }
    for (auto at = lostSerials.begin(); at != lostSerials.end();)
      at = seen.count(at->first) ? std::next(at) : lostSerials.erase(at);
  }

  /* What was held once may be dropped by now. */
  void checkLost() {
    noteLost({});
    for (auto [node, number] : lostSerials)
      ASSERT_EQ(node->value, number);
  }

  /* Does what act does, after which gone are not there any more. */
  template <typename Act> void expectSevered(const std::set<Node *> &gone, Act act) {
    noteLost(gone);
    std::map<Node **, Node *> before = slotsOf(gone);
    if (frames == Frames::Pinned) {
      Pin pin(held[0], held[1], held[2], held[3], held[4], held[5]);
      ASSERT_TRUE(act());
    } else {
      ASSERT_TRUE(act());
    }
    deletes++;
    for (auto [slot, value] : before)
      if (gone.count(value)) {
        ASSERT_TRUE(isNowhere(*slot));
        severed++;
      } else {
        ASSERT_EQ(*slot, value);
      }
  }

  std::set<Node *> nodesOf(const std::vector<acre_region> &roots) const {
    std::set<Node *> result;
    for (const SeveredRegion &region : regions)
      if (isBelowAny(region.handle, roots))
        result.insert(region.nodes.begin(), region.nodes.end());
    return result;
  }

  static bool isBelowAny(acre_region region, const std::vector<acre_region> &roots) {
    return std::any_of(roots.begin(), roots.end(),
                       [&](acre_region root) { return acre_region_is_ancestor(root, region); });
  }

  void choosePolicy() {
    acre_set_delete_policy(random() % 2 ? ACRE_DELETE_SEVER : ACRE_DELETE_TRAP);
  }

  void removeAll(std::vector<acre_region> roots) {
    choosePolicy();
    std::set<Node *> gone = nodesOf(roots);
    std::vector<SeveredRegion> left;
    for (const SeveredRegion &region : regions)
      if (!isBelowAny(region.handle, roots))
        left.push_back(region);
    expectSevered(
        gone, [&] { return acre_region_delete_array(roots.size(), roots.data(), "severed.c:3"); });
    regions = left;
  }

  void remove() {
    if (!regions.empty())
      removeAll({any().handle});
  }

  void removeTwo() {
    if (regions.size() < 2)
      return;
    acre_region a = any().handle, b = any().handle;
    if (a != b)
      removeAll({a, b});
  }

  void clear(acre_subregions subregions) {
    if (regions.empty())
      return;
    choosePolicy();
    acre_region root = any().handle;
    std::vector<SeveredRegion> left;
    std::set<Node *> gone;
    for (const SeveredRegion &region : regions) {
      bool isCleared = region.handle == root || (subregions == ACRE_SUBREGIONS_DELETE &&
                                                 acre_region_is_ancestor(root, region.handle));
      if (!isCleared || region.handle == root)
        left.push_back(region);
      if (isCleared)
        gone.insert(region.nodes.begin(), region.nodes.end());
    }
    expectSevered(gone, [&] { return acre_region_clear(root, subregions, "severed.c:5"); });
    regions = left;
    for (SeveredRegion &region : regions)
      if (region.handle == root)
        fill(region);
  }

  void release() {
    if (regions.empty())
      return;
    choosePolicy();
    SeveredRegion &region = any();
    Node *&node = region.nodes[random() % nodesPerRegion];
    std::set<Node *> gone = {node};
    int before = node->value;
    expectSevered(gone, [&] { return acre_region_release_at(region.handle, node, "severed.c:7"); });
    if (node->value == before)
      return; /* the stack leads to it: it stays an object of the region */
    node = newNode(region.handle);
    node->value = ++serial;
  }

  Frames frames;
  std::mt19937_64 random;
  std::vector<SeveredRegion> regions;
  std::vector<Node *> outside;
  std::array<Node *, heldSlots> held;
  std::map<Node *, int> lostSerials; /* of nodes that are deleted and that the stack leads to */
  int serial = 0;
};

/* Words of dead frames keep regions, but not for ever. */
__attribute__((noinline)) void clearStack() {
  volatile char dead[1 << 15];
  for (volatile char &byte : dead)
    byte = 0;
}

__attribute__((noinline)) void runModel(Frames frames) {
  Seed seed;
  SCOPED_TRACE(seed.text());
  SeveredModel model(seed.generator()(), frames);
  for (int i = 0; i < repetitions(4000); i++) {
    model.step();
    if (testing::Test::HasFatalFailure())
      return;
    if (i % 100 == 0)
      model.checkCounts();
    if (i % 1000 == 0) {
      ASSERT_TRUE(acre_verify());
    }
  }
  if (isRepeatedEnough()) {
    for (std::size_t count : {model.severed, model.lost, model.deletes})
      EXPECT_GT(count, 80u);
  }
  model.finish();
}

std::size_t liveNow() {
  acre_stats stats;
  acre_get_stats(&stats);
  return stats.regions_live;
}

void expectAgreement(Frames frames) {
  std::size_t before = liveNow();
  acre_frames_search_wanted = frames == Frames::Searched;
  runModel(frames);
  acre_frames_search_wanted = false;
  acre_set_delete_policy(ACRE_DELETE_ABORT);
  clearStack();
  acre_region_reclaim();
  EXPECT_TRUE(acre_verify());
  EXPECT_LE(liveNow(), before + 4) << "but for what stale words of the stack refer to";
}

TEST(RegionSeveredTest, RandomDeletesAgreeWithTheModelWherePinsTell) {
  expectAgreement(Frames::Pinned);
}

TEST(RegionSeveredTest, RandomDeletesAgreeWithTheModelWhereFramesAreSearched) {
  expectAgreement(Frames::Searched);
}

} // namespace
