/* region_support.h - the types, stores and pins that compiled code would have, written by hand. */
#ifndef ACRE_TESTS_RUNTIME_REGION_SUPPORT_H
#define ACRE_TESTS_RUNTIME_REGION_SUPPORT_H

#define ACRE_NO_SHORT_NAMES
#include "test_support.h"

#include <acre/abi.h>
#include <acre/region.h>

extern "C" {
#include "counting/record.h"
#include "counting/registry.h"
#include "memory/pages.h"
#include "platform/os.h"
}

/* struct node of the tests: one slot of each rule, and an array of plain ones. */
struct Node {
  Node *next;   /* plain */
  Node *same;   /* sameregion */
  Node *up;     /* parentptr */
  void *legacy; /* traditional */
  union {
    Node *link;
    long number;
  };
  Node *kids[3];
  int value;
};

inline const acre_slot nodeSlots[] = {
    {offsetof(Node, next), 1, 8, ACRE_SLOT_PLAIN, "next"},
    {offsetof(Node, same), 1, 8, ACRE_SLOT_SAMEREGION, "same"},
    {offsetof(Node, up), 1, 8, ACRE_SLOT_PARENTPTR, "up"},
    {offsetof(Node, legacy), 1, 8, ACRE_SLOT_TRADITIONAL, "legacy"},
    {offsetof(Node, link), 1, 8, ACRE_SLOT_UNION, "link"},
    {offsetof(Node, kids), 3, 8, ACRE_SLOT_PLAIN, "kids"},
};
inline const bool nodesAreTold = (acre_rt_expect_traditional(), true);
inline const acre_type nodeType = {"struct node", sizeof(Node), 8,      6, 6, 0,
                                   nodeSlots,     nullptr,      nullptr};
inline const acre_site nodeSite = {&nodeType, "node.c", "make_node", 12};

/* A header and a flexible array of pairs (pointer, number). */
struct Flexible {
  long count;
  struct {
    Node *node;
    long number;
  } pairs[];
};
inline const acre_slot flexibleSlots[] = {{8, 1, 8, ACRE_SLOT_PLAIN, "pairs.node"}};
inline const acre_type flexibleType = {"struct flexible", 8,       8,      1, 0, 16,
                                       flexibleSlots,     nullptr, nullptr};
inline const acre_site flexibleSite = {&flexibleType, "flexible.c", "make_flexible", 7};

struct __attribute__((packed)) Packed {
  char tag;
  Node *node;
};
inline const acre_slot packedSlots[] = {{1, 1, 8, ACRE_SLOT_PLAIN, "node"}};
inline const acre_type packedType = {"struct packed", 9, 1, 1, 1, 0, packedSlots, nullptr, nullptr};
inline const acre_site packedSite = {&packedType, "packed.c", "make_packed", 3};

inline const acre_type numbersType = {"long", 8, 8, 0, 0, 0, nullptr, nullptr, nullptr};
inline const acre_site numbersSite = {&numbersType, "numbers.c", "make_numbers", 4};

inline Node *newNode(acre_region region) {
  return static_cast<Node *>(acre_region_alloc(region, sizeof(Node), alignof(Node), &nodeSite));
}

/* *slot = value, as compiled code does it. */
template <typename T> void store(T **slot, T *value) {
  *slot = value;
  acre_rt_store(slot, value);
}

/* A pin frame with values in scope, like a call that may delete. */
template <std::size_t Count> class Pin {
public:
  template <typename... Values>
  explicit Pin(Values... values) : names{}, site{{"caller.c", "caller", 30}, Count, names, 1} {
    void *list[] = {values...};
    for (std::size_t i = 0; i < Count; i++) {
      names[i] = {"pinned", 0, 0, 0, 0};
      frame()->values[i] = list[i];
    }
    acre_rt_pin(frame(), &site);
  }
  ~Pin() { acre_rt_unpin(frame()); }
  Pin(const Pin &) = delete;
  Pin &operator=(const Pin &) = delete;

private:
  acre_rt_pin_frame *frame() { return reinterpret_cast<acre_rt_pin_frame *>(memory); }
  acre_rt_pin_entry names[Count];
  acre_rt_pin_site site;
  alignas(
      acre_rt_pin_frame) unsigned char memory[sizeof(acre_rt_pin_frame) + Count * sizeof(void *)];
};
template <typename... Values> Pin(Values...) -> Pin<sizeof...(Values)>;

/* Sets the default delete policy for a scope. */
class Policy {
public:
  explicit Policy(acre_delete_policy policy) { acre_set_delete_policy(policy); }
  ~Policy() { acre_set_delete_policy(ACRE_DELETE_ABORT); }
};

/* Each test leaves nothing behind and passes the verifier. */
class RegionTest : public testing::Test {
protected:
  void SetUp() override { liveBefore = liveRegions(); }
  void TearDown() override {
    acre_region_reclaim();
    EXPECT_TRUE(acre_verify());
    EXPECT_EQ(liveRegions(), liveBefore);
  }
  static std::size_t liveRegions() {
    acre_stats stats;
    acre_get_stats(&stats);
    return stats.regions_live;
  }
  static std::size_t healedRecords() {
    acre_stats stats;
    acre_get_stats(&stats);
    return stats.records_healed;
  }

private:
  std::size_t liveBefore = 0;
};

#endif
