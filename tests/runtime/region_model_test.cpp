/* Random operations by hand-called barriers, compared with a model that knows every slot's value.
 */
#include "region_support.h"

#include <algorithm>
#include <map>
#include <vector>

namespace {

constexpr std::size_t nodesPerRegion = 12;
constexpr std::size_t outsideSlots = 256;

struct ModelRegion {
  acre_region handle;
  std::vector<Node *> nodes;
};

class RegionModel {
public:
  RegionModel(std::uint64_t seed) : random(seed), outside(outsideSlots) {}

  void step() {
    switch (random() % 20) {
    case 16:
      clearKept();
      break;
    case 17:
      clearTree();
      break;
    case 18:
      release();
      break;
    case 19:
      reparent();
      break;
    case 0:
      create();
      break;
    case 1:
      remove();
      break;
    case 2:
      copyNode();
      break;
    case 3:
      copyOutside();
      break;
    case 4:
      clearOutside();
      break;
    case 5:
      storeParent();
      break;
    case 6:
      removeSet();
      break;
    default:
      storeRandom();
    }
  }

  /* The count of each region by the model: slots outside it and the regions below it that point
   * into it. */
  std::map<acre_region, std::size_t> counts() const {
    std::map<acre_region, std::size_t> result;
    for (Node *value : outside)
      count(result, nullptr, value);
    for (const ModelRegion &region : regions)
      for (Node *node : region.nodes) {
        count(result, region.handle, node->next);
        for (Node *kid : node->kids)
          count(result, region.handle, kid);
      }
    return result;
  }

  void check() const {
    auto expected = counts();
    for (const ModelRegion &region : regions)
      ASSERT_EQ(acre_region_count(region.handle), expected[region.handle]);
  }

  void finish() {
    acre_rt_release(outside.data(), outside.size() * sizeof(Node *));
    std::fill(outside.begin(), outside.end(), nullptr);
    std::vector<acre_region> all;
    for (const ModelRegion &region : regions)
      all.push_back(region.handle);
    regions.clear();
    ASSERT_TRUE(acre_region_delete_array(all.size(), all.data(), "model.c:9"));
  }

  std::size_t refusals = 0, deletes = 0, cleared = 0, trees = 0, released = 0, moved = 0;

private:
  static void count(std::map<acre_region, std::size_t> &result, acre_region holder, Node *value) {
    acre_region target = acre_region_of(value);
    if (target && target != acre_region_traditional() &&
        !(holder && acre_region_is_ancestor(target, holder)))
      result[target]++;
  }

  ModelRegion &any() { return regions[random() % regions.size()]; }
  Node *anyNode() {
    return regions.empty() || random() % 5 == 0 ? nullptr : any().nodes[random() % nodesPerRegion];
  }
  Node **anySlot() {
    if (regions.empty() || random() % 2)
      return &outside[random() % outside.size()];
    Node *node = any().nodes[random() % nodesPerRegion];
    return random() % 2 ? &node->next : &node->kids[random() % 3];
  }

  void create() {
    if (regions.size() >= 40)
      return;
    bool isRoot = regions.empty() || random() % 2;
    std::size_t parent = isRoot ? 0 : random() % regions.size();
    acre_region handle = isRoot ? acre_region_new("model.c:1")
                                : acre_region_new_sub(regions[parent].handle, "model.c:2");
    ModelRegion region = {handle, {}};
    for (std::size_t i = 0; i < nodesPerRegion; i++)
      region.nodes.push_back(newNode(handle));
    regions.push_back(region);
  }

  bool hasChild(std::size_t index) const {
    for (const ModelRegion &region : regions)
      if (acre_region_parent(region.handle) == regions[index].handle)
        return true;
    return false;
  }

  void forget(std::size_t index) {
    regions[index] = regions.back();
    regions.pop_back();
    deletes++;
  }

  void remove() {
    if (regions.empty())
      return;
    std::size_t index = random() % regions.size();
    acre_region handle = regions[index].handle;
    bool mayGo = counts()[handle] == 0 && !hasChild(index);
    bool isGone = acre_region_delete(handle, "model.c:3");
    ASSERT_EQ(isGone, mayGo);
    if (isGone)
      forget(index);
    else
      refusals++;
  }

  void removeSet() {
    if (regions.size() < 2)
      return;
    std::size_t a = random() % regions.size(), b = random() % regions.size();
    if (a == b)
      return;
    /* Cut references from everywhere else to the pair, then only children can hold it. */
    acre_region pair[] = {regions[a].handle, regions[b].handle};
    auto isOfPair = [&](acre_region region) { return region == pair[0] || region == pair[1]; };
    auto cut = [&](Node **slot) {
      if (*slot && isOfPair(acre_region_of(*slot)))
        store<Node>(slot, nullptr);
    };
    for (Node *&slot : outside)
      cut(&slot);
    bool isHeld = false;
    for (ModelRegion &region : regions) {
      if (isOfPair(region.handle))
        continue;
      isHeld |= acre_region_parent(region.handle) && isOfPair(acre_region_parent(region.handle));
      for (Node *node : region.nodes) {
        cut(&node->next);
        for (Node *&kid : node->kids)
          cut(&kid);
      }
    }
    bool isGone = acre_region_delete_array(2, pair, "model.c:4");
    ASSERT_EQ(isGone, !isHeld);
    if (isGone) {
      forget(std::max(a, b));
      forget(std::min(a, b));
    }
  }

  /* How many slots of the model hold a value of which isWanted is true: of what lies outside and of
   * all regions but those that isGone names. */
  template <typename Wanted, typename Gone>
  std::size_t referrers(Wanted isWanted, Gone isGone) const {
    std::size_t found = 0;
    for (Node *value : outside)
      found += value && isWanted(value);
    for (const ModelRegion &region : regions) {
      if (isGone(region.handle))
        continue;
      for (Node *node : region.nodes)
        for (Node *value : {node->next, node->up, node->kids[0], node->kids[1], node->kids[2]})
          found += value && isWanted(value);
    }
    return found;
  }

  void fill(ModelRegion &region) {
    region.nodes.clear();
    for (std::size_t i = 0; i < nodesPerRegion; i++)
      region.nodes.push_back(newNode(region.handle));
  }

  void clearKept() {
    if (regions.empty())
      return;
    ModelRegion &region = any();
    auto isOwn = [&](acre_region each) { return each == region.handle; };
    auto isInside = [&](Node *value) { return isOwn(acre_region_of(value)); };
    bool mayGo = referrers(isInside, isOwn) == 0;
    ASSERT_EQ(acre_region_clear(region.handle, ACRE_SUBREGIONS_KEEP, "model.c:5"), mayGo);
    cleared += mayGo;
    if (mayGo)
      fill(region);
  }

  void clearTree() {
    if (regions.empty())
      return;
    acre_region root = any().handle;
    auto isOfTree = [&](acre_region each) { return acre_region_is_ancestor(root, each); };
    auto isInside = [&](Node *value) { return isOfTree(acre_region_of(value)); };
    bool mayGo = referrers(isInside, isOfTree) == 0;
    std::vector<ModelRegion> left;
    for (const ModelRegion &region : regions)
      if (region.handle == root || !isOfTree(region.handle))
        left.push_back(region);
    ASSERT_EQ(acre_region_clear(root, ACRE_SUBREGIONS_DELETE, "model.c:6"), mayGo);
    trees += mayGo && left.size() != regions.size();
    if (!mayGo)
      return;
    regions = left;
    for (ModelRegion &region : regions)
      if (region.handle == root)
        fill(region);
  }

  void release() {
    if (regions.empty())
      return;
    ModelRegion &region = any();
    Node *&node = region.nodes[random() % nodesPerRegion];
    std::size_t own = 0;
    for (Node *value : {node->next, node->up, node->kids[0], node->kids[1], node->kids[2]})
      own += value == node;
    auto isNode = [&](Node *value) { return value == node; };
    bool mayGo = referrers(isNode, [](acre_region) { return false; }) == own;
    ASSERT_EQ(acre_region_release_at(region.handle, node, "model.c:7"), mayGo);
    released += mayGo;
    if (mayGo)
      node = newNode(region.handle);
  }

  void reparent() {
    if (regions.empty())
      return;
    acre_region region = any().handle, parent = random() % 4 ? any().handle : nullptr;
    acre_region above = acre_region_parent(region);
    bool isBelowItself = parent && acre_region_is_ancestor(region, parent);
    bool mayMove = parent == above ||
                   (parent && !isBelowItself && (!above || acre_region_is_ancestor(above, parent)));
    ASSERT_EQ(acre_region_reparent_at(region, parent, "model.c:8"), mayMove);
    ASSERT_EQ(acre_region_parent(region), mayMove ? parent : above);
    moved += mayMove && parent != above;
  }

  void storeRandom() { store(anySlot(), anyNode()); }

  void storeParent() {
    if (regions.empty())
      return;
    Node *node = any().nodes[random() % nodesPerRegion];
    acre_region parent = acre_region_parent(acre_region_of(node));
    for (ModelRegion &region : regions)
      if (region.handle == parent)
        acre_rt_check_parentptr(&node->up, region.nodes[0], nullptr), node->up = region.nodes[0];
  }

  /* *to = *from, in one of the ways compiled code reconciles it. */
  void copyNode() {
    if (regions.empty())
      return;
    Node *to = any().nodes[random() % nodesPerRegion],
         *from = any().nodes[random() % nodesPerRegion];
    Node value = *from;
    value.up = to->up;
    value.link = nullptr;
    *to = value;
    if (random() % 2)
      acre_rt_rescan(to, sizeof *to);
    else
      acre_rt_rescan_typed(to, sizeof *to, &nodeType, nullptr);
  }

  void copyOutside() {
    std::size_t size = 1 + random() % 20, to = random() % (outsideSlots - size),
                from = random() % (outsideSlots - size);
    std::memmove(&outside[to], &outside[from], size * sizeof(Node *));
    acre_rt_rescan(&outside[to], size * sizeof(Node *));
  }

  void clearOutside() {
    std::size_t size = 1 + random() % 30, at = random() % (outsideSlots - size);
    acre_rt_release(&outside[at], size * sizeof(Node *));
    std::fill_n(outside.begin() + static_cast<std::ptrdiff_t>(at), size, nullptr);
  }

  std::mt19937_64 random;
  std::vector<ModelRegion> regions;
  std::vector<Node *> outside;
};

class RegionModelTest : public RegionTest {};

TEST_F(RegionModelTest, RandomOperationsAgreeWithTheModel) {
  Policy policy(ACRE_DELETE_REFUSE);
  Seed seed;
  SCOPED_TRACE(seed.text());
  RegionModel model(seed.generator()());
  std::size_t healed = healedRecords();
  for (int i = 0; i < repetitions(200000); i++) {
    model.step();
    if (HasFatalFailure())
      return;
    if (i % 500 == 0) {
      model.check();
      if (HasFatalFailure())
        return;
    }
    if (i % 20000 == 0) {
      ASSERT_TRUE(acre_verify());
    }
  }
  model.check();
  if (isRepeatedEnough()) {
    for (std::size_t count :
         {model.refusals, model.deletes, model.cleared, model.trees, model.released, model.moved})
      EXPECT_GT(count, 0u);
  }
  EXPECT_EQ(healedRecords(), healed) << "nothing was overwritten behind the barriers' back";
  model.finish();
}

} // namespace
