/* Regions that pass from thread to thread: which may, who gets them, and a random model. */
#include "region_support.h"

#include <acre/scope.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace {

bool give(acre_region region) { return acre_region_give_at(region, "give.c:7"); }
bool take(acre_region region) { return acre_region_take_at(region, "take.c:8"); }
template <typename Body> void inThread(Body body) { std::thread(body).join(); }

using RegionGiveTest = RegionTest;
class RegionGiveConcurrencyTest : public RegionTest {};
class RegionGiveDeathTest : public RegionTest {};

Node *outside;

// -- Who has it ----------------------------------------------------------------------------------

TEST_F(RegionGiveConcurrencyTest, AnotherThreadAllocatesAndDeletesInWhatItTook) {
  acre_region root = acre_region_new("a.c:1"), child = acre_region_new_sub(root, "a.c:2");
  Node *node = newNode(root), *below = newNode(child);
  store(&node->next, below);
  store(&below->next, node);
  node->value = 5;
  ASSERT_TRUE(give(root));
  inThread([=] {
    EXPECT_TRUE(take(root));
    EXPECT_EQ(node->value, 5);
    newNode(root);
    store(&newNode(child)->next, below);
    store<Node>(&node->next, nullptr);
    EXPECT_TRUE(acre_region_delete(child, "a.c:3"));
    EXPECT_TRUE(acre_region_delete(root, "a.c:4"));
  });
}

TEST_F(RegionGiveConcurrencyTest, AThreadTakesBackWhatNobodyTook) {
  acre_region region = acre_region_new("a.c:1");
  EXPECT_TRUE(take(region)); // it is this thread's
  EXPECT_TRUE(give(region));
  EXPECT_TRUE(take(region));
  newNode(region);
  EXPECT_TRUE(acre_region_delete(region, "a.c:2"));
}

TEST_F(RegionGiveConcurrencyTest, WhatAThreadLeftBelongsToWhoTakesIt) {
  Policy policy(ACRE_DELETE_DEFER);
  acre_region root = nullptr;
  inThread([&] {
    root = acre_region_new("a.c:1");
    acre_region child = acre_region_new_sub(root, "a.c:2");
    store(&outside, newNode(child));
    EXPECT_TRUE(acre_region_delete(child, "a.c:3")); // deferred, because of outside
  });
  ASSERT_TRUE(take(root));
  newNode(root);
  store<Node>(&outside, nullptr);
  EXPECT_EQ(acre_region_reclaim(), 1u);
  EXPECT_TRUE(acre_region_delete(root, "a.c:5"));
}

TEST_F(RegionGiveConcurrencyTest, OneOfSeveralThreadsGetsARegion) {
  Policy policy(ACRE_DELETE_REFUSE);
  for (int i = 0; i < repetitions(200); i++) {
    acre_region region = acre_region_new("a.c:1");
    ASSERT_TRUE(give(region));
    std::atomic<int> takers{0}, tries{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
      threads.emplace_back([&] {
        takers += take(region);
        tries++;
        while (tries < 3) // one that has ended would leave it to the next
          std::this_thread::yield();
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(takers, 1);
    ASSERT_TRUE(take(region)); // the one that had it has ended
    EXPECT_TRUE(acre_region_delete(region, "a.c:2"));
  }
}

// -- Which are closed ----------------------------------------------------------------------------

TEST_F(RegionGiveTest, WhatIsReferredToStays) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region region = acre_region_new("a.c:1"), other = acre_region_new("a.c:2");
  Node *node = newNode(region), *holder = newNode(other);
  store(&outside, node);
  EXPECT_FALSE(give(region));
  store<Node>(&outside, nullptr);
  store(&holder->next, node);
  EXPECT_FALSE(give(region));
  store<Node>(&holder->next, nullptr);
  {
    Pin pin(node);
    EXPECT_FALSE(give(region));
  }
  outside = node; // by code that Acre did not compile, and so is its end
  acre_rescan(&outside, sizeof outside);
  outside = nullptr;
  EXPECT_TRUE(give(region));
  EXPECT_TRUE(take(region));
  acre_region both[] = {region, other};
  EXPECT_TRUE(acre_region_delete_array(2, both, "a.c:3"));
}

TEST_F(RegionGiveTest, WhatRefersToAnotherRegionStays) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region region = acre_region_new("a.c:1"), child = acre_region_new_sub(region, "a.c:2"),
              other = acre_region_new("a.c:3");
  Node *node = newNode(child);
  store(&node->kids[1], newNode(other));
  EXPECT_FALSE(give(region));
  EXPECT_EQ(acre_region_count(other), 1u);
  store(&node->kids[1], newNode(region));
  store(&newNode(region)->next, node);
  store(&node->next, newNode(acre_region_permanent()));
  EXPECT_TRUE(give(region));
  EXPECT_TRUE(take(region));
  store(&node->next, newNode(other));
  node->next = nullptr; // unseen
  EXPECT_TRUE(give(region));
  EXPECT_TRUE(take(region));
  EXPECT_EQ(acre_region_count(other), 0u);
  acre_region all[] = {region, child, other};
  EXPECT_TRUE(acre_region_delete_array(3, all, "a.c:4"));
}

TEST_F(RegionGiveTest, NothingOfATreeStaysBehind) {
  Policy policy(ACRE_DELETE_DEFER);
  acre_region root = acre_region_new("a.c:1"), child = acre_region_new_sub(root, "a.c:2");
  EXPECT_FALSE(give(child)); // what is above it stays
  store(&outside, newNode(child));
  EXPECT_TRUE(acre_region_delete(child, "a.c:3"));
  EXPECT_FALSE(give(root)); // the child is deferred
  store<Node>(&outside, nullptr);
  EXPECT_EQ(acre_region_reclaim(), 1u);
  EXPECT_TRUE(give(root));
  EXPECT_TRUE(take(root));
  EXPECT_TRUE(acre_region_delete(root, "a.c:4"));
}

TEST_F(RegionGiveTest, WhatABlockOrAKeyEndsIsNeitherMovedNorGiven) {
  Policy policy(ACRE_DELETE_REFUSE);
  acre_region above = acre_region_new("a.c:1");
  {
    acre_scoped_region(scoped);
    EXPECT_FALSE(give(scoped));
    EXPECT_FALSE(acre_region_reparent_at(scoped, above, "a.c:2"));
  }
  acre_key *key = acre_key_make("a.c:3");
  acre_region arena;
  {
    acre_open(r, key);
    arena = r;
    EXPECT_FALSE(give(r));
    EXPECT_FALSE(acre_region_reparent_at(r, above, "a.c:4"));
    EXPECT_TRUE(acre_region_reparent_at(above, r, "a.c:5")); // a tree may come to lie below it
  }
  EXPECT_FALSE(take(arena));
  EXPECT_FALSE(take(above)); // it is below the arena
  acre_key_drop(key);
}

// -- Messages ------------------------------------------------------------------------------------

TEST_F(RegionGiveDeathTest, ARefusalSaysWhatRefersToWhat) {
  acre_region region = acre_region_new("a.c:1"), other = acre_region_new("a.c:2"),
              child = acre_region_new_sub(other, "a.c:3");
  Node *node = newNode(region);
  store(&outside, node);
  EXPECT_DEATH(give(region),
               "cannot give away the region created at a.c:1: 1 reference from outside remains\n"
               "  acre_region_give called at give.c:7\n"
               "  1. .*outside.* points to struct node allocated at node.c:12\n"
               "  hint: set these variables to null before the region is given away\n");
  store<Node>(&outside, nullptr);
  store(&node->next, newNode(other));
  EXPECT_DEATH(
      give(region),
      "cannot give away the region created at a.c:1: 1 reference to other regions remains\n"
      "  acre_region_give called at give.c:7\n"
      "  it would lead another thread into what stays with this one:\n"
      "  1. field 'next' of struct node allocated at node.c:12 in the region created at a.c:1 "
      "points to struct node allocated at node.c:12 in the region created at a.c:2\n"
      "  hint: ");
  EXPECT_DEATH(give(child), "cannot give away the region created at a.c:3: it is below the region "
                            "created at a.c:2\n  acre_region_give called at give.c:7");
  EXPECT_DEATH(give(acre_region_permanent()), "acre_region_give: the permanent region is every "
                                              "thread's");
  EXPECT_DEATH(take(acre_region_traditional()), "not possible with the traditional region");
  acre_region all[] = {region, other, child};
  EXPECT_TRUE(acre_region_delete_array(3, all, "a.c:4"));
}

TEST_F(RegionGiveDeathTest, WhoHasNotGotItMayNotUseIt) {
  acre_region region = acre_region_new("a.c:1");
  EXPECT_DEATH(inThread([=] { take(region); }),
               "cannot take the region created at a.c:1: its thread has not given it away\n"
               "  acre_region_take called at take.c:8");
  ASSERT_TRUE(give(region));
  EXPECT_DEATH(newNode(region), "ralloc: the region created at a.c:1 was given away at give.c:7");
  EXPECT_DEATH(give(region), "acre_region_give: .* was given away at give.c:7");
  std::atomic<bool> isTaken{false}, isDone{false};
  std::thread other([&] {
    isTaken = take(region);
    while (!isDone)
      std::this_thread::yield();
    EXPECT_TRUE(acre_region_delete(region, "a.c:2"));
  });
  while (!isTaken)
    std::this_thread::yield();
  EXPECT_DEATH(acre_region_delete(region, "a.c:3"),
               "the region created at a.c:1 was given away at give.c:7, and taken");
  isDone = true;
  other.join();
  EXPECT_DEATH(take(region), "the region created at a.c:1 was deleted at a.c:2");
}

// -- A model -------------------------------------------------------------------------------------

/* A node's value is the number of its tree. */
struct Tree {
  int number;
  std::vector<acre_region> regions; /* the root first */
  std::vector<Node *> nodes;
};

constexpr std::size_t treesEach = 3, waitingMost = 16, nodesEach = 3;

/* What the threads of the model share. */
struct Handed {
  std::mutex lock;
  std::deque<Tree> waiting;
  std::atomic<long> left;
  std::atomic<long> refused{0};
  std::atomic<int> trees{0};
  std::atomic<bool> isWrong{false};
};

/* One thread of the model.  All pointers into its trees are its own: nobody else can have one. */
class Worker {
public:
  Worker(Handed &handed, std::mt19937_64 random) : handed(handed), random(random) {}

  void run() {
    while (handed.left > 0 && !handed.isWrong)
      step();
    for (Node *&slot : slots)
      store<Node>(&slot, nullptr);
    std::vector<acre_region> all;
    for (Tree &tree : trees)
      all.insert(all.end(), tree.regions.begin(), tree.regions.end());
    expect(acre_region_delete_array(all.size(), all.data(), "model.c:4"), true, "the last delete");
  }

private:
  void expect(bool is, bool wanted, const char *what) {
    EXPECT_EQ(is, wanted) << what;
    if (is != wanted)
      handed.isWrong = true;
  }

  void step() {
    switch (random() % 16) {
    case 0:
      create();
      break;
    case 1:
    case 2:
      giveAny();
      break;
    case 3:
    case 4:
      takeAny();
      break;
    case 5:
      deleteAny();
      break;
    case 6:
      cut();
      break;
    default:
      storeAny();
    }
  }

  void create() {
    if (trees.size() == treesEach)
      return;
    Tree tree = {++handed.trees, {acre_region_new("model.c:1")}, {}};
    for (std::size_t i = random() % 3; i > 0; i--)
      tree.regions.push_back(
          acre_region_new_sub(tree.regions[random() % tree.regions.size()], "model.c:2"));
    for (acre_region region : tree.regions)
      for (std::size_t i = 0; i < nodesEach; i++) {
        tree.nodes.push_back(newNode(region));
        tree.nodes.back()->value = tree.number;
      }
    trees.push_back(tree);
  }

  Node *anyNode(const Tree &tree) { return tree.nodes[random() % tree.nodes.size()]; }
  Tree *anyTree() { return trees.empty() ? nullptr : &trees[random() % trees.size()]; }

  void storeAny() {
    const Tree *tree = anyTree(), *other = random() % 8 ? tree : anyTree();
    if (!tree)
      return;
    Node *holder = anyNode(*tree), *value = random() % 2 ? anyNode(*other) : nullptr;
    if (random() % 4 == 0)
      store(&slots[random() % 4], random() % 4 ? nullptr : value);
    else
      store(random() % 2 ? &holder->next : &holder->kids[random() % 3], value);
  }

  /* Most of what leads from tree to tree goes. */
  void cut() {
    for (Node *&slot : slots)
      store<Node>(&slot, nullptr);
    for (Tree &tree : trees)
      for (Node *node : tree.nodes)
        for (Node **slot : slotsOf(node))
          if (*slot && (*slot)->value != tree.number && random() % 8)
            store<Node>(slot, nullptr);
  }

  static std::vector<Node **> slotsOf(Node *node) {
    return {&node->next, &node->kids[0], &node->kids[1], &node->kids[2]};
  }

  bool isReferred(const Tree &tree) {
    for (Node *value : slots)
      if (value && value->value == tree.number)
        return true;
    for (const Tree &other : trees)
      for (Node *node : other.nodes)
        for (Node **slot : slotsOf(node))
          if (*slot && (*slot)->value == tree.number && other.number != tree.number)
            return true;
    return false;
  }
  static bool isReferring(const Tree &tree) {
    for (Node *node : tree.nodes)
      for (Node **slot : slotsOf(node))
        if (*slot && (*slot)->value != tree.number)
          return true;
    return false;
  }

  void forget(const Tree *tree) { trees.erase(trees.begin() + (tree - trees.data())); }

  void giveAny() {
    {
      std::lock_guard<std::mutex> guard(handed.lock);
      if (handed.waiting.size() >= waitingMost)
        return;
    }
    Tree *tree = anyTree();
    if (!tree)
      return;
    Node *pinned = random() % 4 ? nullptr : anyNode(*anyTree());
    bool isClosed =
        !isReferred(*tree) && !isReferring(*tree) && !(pinned && pinned->value == tree->number);
    bool isGiven;
    {
      Pin pin(pinned);
      isGiven = give(tree->regions[0]);
    }
    expect(isGiven, isClosed, "what is closed is given away");
    if (!isGiven) {
      handed.refused++;
      return;
    }
    std::lock_guard<std::mutex> guard(handed.lock);
    handed.waiting.push_back(*tree);
    forget(tree);
    handed.left--;
  }

  void takeAny() {
    Tree tree;
    {
      std::lock_guard<std::mutex> guard(handed.lock);
      if (handed.waiting.empty() || trees.size() == treesEach)
        return;
      tree = handed.waiting.front();
      handed.waiting.pop_front();
    }
    expect(take(tree.regions[0]), true, "what was given away is taken");
    trees.push_back(tree);
  }

  void deleteAny() {
    Tree *tree = anyTree();
    if (!tree || random() % 4)
      return;
    bool isWanted = !isReferred(*tree);
    bool isGone = acre_region_delete_array(tree->regions.size(), tree->regions.data(), "model.c:3");
    expect(isGone, isWanted, "what nothing refers to is deleted");
    if (isGone)
      forget(tree);
  }

  Handed &handed;
  std::mt19937_64 random;
  std::vector<Tree> trees;
  Node *slots[4] = {};
};

/* ACRE_TEST_HANDOVERS says how many; it is 4000. */
TEST_F(RegionGiveConcurrencyTest, RandomHandOversAgreeWithAModel) {
  Policy policy(ACRE_DELETE_REFUSE);
  Seed seed;
  SCOPED_TRACE(seed.text());
  const char *given = std::getenv("ACRE_TEST_HANDOVERS");
  const long wanted = given ? std::atol(given) : repetitions(4000);
  Handed handed;
  handed.left = wanted;
  std::mt19937_64 random = seed.generator();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&handed, own = std::mt19937_64(random())] { Worker(handed, own).run(); });
  for (std::thread &thread : threads)
    thread.join();
  for (Tree &tree : handed.waiting) {
    EXPECT_TRUE(take(tree.regions[0]));
    EXPECT_TRUE(acre_region_delete_array(tree.regions.size(), tree.regions.data(), "model.c:5"));
  }
  std::printf("%ld hand-overs, %ld refused\n", wanted - handed.left, handed.refused.load());
  EXPECT_GT(handed.refused, wanted / 10);
}

} // namespace
