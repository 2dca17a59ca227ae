/* heap_support.h - what the tests of collected heaps share: every configuration, and objects with
 * known pointers. */
#ifndef ACRE_TESTS_RUNTIME_HEAP_SUPPORT_H
#define ACRE_TESTS_RUNTIME_HEAP_SUPPORT_H

#include "test_support.h"

#include <algorithm>
#include <vector>

#include <acre/heap.h>

/* A node with two pointers, an array of them, a flexible array of them, and a type without. */
struct Node {
  Node *left, *right;
  std::uint64_t value;
};
inline const acre_slot nodeSlots[] = {
    {offsetof(Node, left), 2, sizeof(void *), ACRE_SLOT_PLAIN, "left"}};
inline const acre_type nodeType = {"Node", sizeof(Node), alignof(Node), 1,      1,
                                   0,      nodeSlots,    nullptr,       nullptr};
inline const acre_site nodeSite = {&nodeType, "test.c", "test", 1};

inline const acre_slot pointerSlots[] = {{0, 1, sizeof(void *), ACRE_SLOT_PLAIN, ""}};
inline const acre_type pointerType = {"void *", sizeof(void *), alignof(void *), 1,      1,
                                      0,        pointerSlots,   nullptr,         nullptr};
inline const acre_site pointerSite = {&pointerType, "test.c", "test", 2};

struct Vector {
  Node *owner;
  std::uint64_t count;
  Node *items[];
};
inline const acre_slot vectorSlots[] = {
    {offsetof(Vector, owner), 1, sizeof(void *), ACRE_SLOT_PLAIN, "owner"},
    {sizeof(Vector), 1, sizeof(void *), ACRE_SLOT_PLAIN, "items"}};
inline const acre_type vectorType = {"Vector",       sizeof(Vector), alignof(Vector), 2,      1,
                                     sizeof(void *), vectorSlots,    nullptr,         nullptr};
inline const acre_site vectorSite = {&vectorType, "test.c", "test", 3};

inline Node *newNode(acre_heap *heap, Node *left = nullptr, Node *right = nullptr,
                     std::uint64_t value = 0) {
  Node *node =
      static_cast<Node *>(acre_heap_try_alloc(heap, sizeof(Node), alignof(Node), &nodeSite));
  if (node) {
    acre_heap_store(heap, &node->left, left);
    acre_heap_store(heap, &node->right, right);
    node->value = value;
  }
  return node;
}

/* A test of each configuration of the paper, and of the default. */
class EveryHeap : public testing::TestWithParam<int> {
protected:
  acre_heap_config config = acre_heap_preset(static_cast<acre_heap_kind>(GetParam()));
  acre_heap *heap = nullptr;

  EveryHeap() {
    config.name = acre_heap_kind_name(static_cast<acre_heap_kind>(GetParam()));
    config.limit = std::size_t{2} << 20;
    config.poisons = true;
  }
  ~EveryHeap() override { acre_heap_delete(heap); }
  void make() {
    heap = acre_heap_new(&config);
    ASSERT_NE(heap, nullptr);
  }
  acre_heap_stats stats() const {
    acre_heap_stats result;
    acre_heap_get_stats(heap, &result);
    return result;
  }
  acre_heap_composition composition() const {
    acre_heap_composition result;
    acre_heap_get_composition(heap, &result);
    return result;
  }
};

inline std::string heapName(const testing::TestParamInfo<int> &info) {
  std::string name = acre_heap_kind_name(static_cast<acre_heap_kind>(info.param));
  for (char &c : name)
    c = c == '-' ? '_' : c;
  return name;
}

#define INSTANTIATE_EVERY_HEAP(Suite) \
  INSTANTIATE_TEST_SUITE_P(Each, Suite, testing::Range(0, ACRE_HEAP_KIND_COUNT), heapName)

#endif
