#include "region_support.h"

#include <csetjmp>
#include <sys/mman.h>
#include <vector>

namespace {

/* `target` is in `region`, `holder` in a child of that, `stranger` in a region `beside` both. */
class RecordTest : public RegionTest {
protected:
  void SetUp() override {
    RegionTest::SetUp();
    region = acre_region_new("record.c:1");
    child = acre_region_new_sub(region, "record.c:2");
    target = newNode(region);
    holder = newNode(child);
    beside = acre_region_new("record.c:12");
    stranger = newNode(beside);
  }
  void TearDown() override {
    EXPECT_EQ(count(), 0u);
    EXPECT_EQ(acre_region_count(beside), 0u);
    acre_region all[] = {region, child, beside};
    EXPECT_TRUE(acre_region_delete_array(3, all, "record.c:3"));
    RegionTest::TearDown();
  }
  std::size_t count() const { return acre_region_count(region); }
  acre_region region = nullptr, child = nullptr, beside = nullptr;
  Node *target = nullptr, *holder = nullptr, *stranger = nullptr;
};

class RecordDeathTest : public RecordTest {};

Node *globals[64];

TEST_F(RecordTest, StoringTwiceCountsOnce) {
  store(&globals[0], target);
  store(&globals[0], target);
  EXPECT_EQ(count(), 1u);
  store(&globals[1], target + 1);
  EXPECT_EQ(count(), 2u) << "one past the end is a reference";
  store<Node>(&globals[0], nullptr);
  store<Node>(&globals[1], nullptr);
}

TEST_F(RecordTest, OverwritingMovesTheCount) {
  acre_region other = acre_region_new("record.c:4");
  store(&globals[0], target);
  store(&globals[0], newNode(other));
  EXPECT_EQ(count(), 0u);
  EXPECT_EQ(acre_region_count(other), 1u);
  store<Node>(&globals[0], nullptr);
  acre_region_delete(other, "record.c:5");
}

TEST_F(RecordTest, TheFilterFollowsTheRecords) {
  EXPECT_FALSE(acre_record_any(reinterpret_cast<std::uintptr_t>(globals),
                               reinterpret_cast<std::uintptr_t>(globals + 64)));
  store(&globals[5], target);
  EXPECT_TRUE(acre_filter_has(reinterpret_cast<std::uintptr_t>(&globals[5])));
  store<Node>(&globals[5], nullptr);
  EXPECT_FALSE(acre_record_maybe(reinterpret_cast<std::uintptr_t>(&globals[5])));
}

TEST_F(RecordTest, RereadTakesTheValueFromMemory) {
  globals[0] = target;
  acre_rt_reread(&globals[0]);
  EXPECT_EQ(count(), 1u);
  globals[0] = nullptr;
  acre_rt_reread(&globals[0]);
  EXPECT_EQ(count(), 0u);
}

TEST_F(RecordTest, ReleaseDropsExactlyTheRange) {
  for (int i = 0; i < 64; i++)
    store(&globals[i], target);
  acre_rt_release(&globals[10], 20 * sizeof(Node *));
  EXPECT_EQ(count(), 44u);
  acre_rt_release_between(&globals[0], &globals[10]);
  EXPECT_EQ(count(), 34u);
  acre_rt_release_between(&globals[10], &globals[0]);
  EXPECT_EQ(count(), 34u);
  acre_rt_release(globals, sizeof globals);
  std::memset(globals, 0, sizeof globals);
}

TEST_F(RecordTest, RangesSpanLeavesAndPages) {
  const std::size_t size = std::size_t{1} << 20;
  auto *memory = static_cast<Node **>(
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const std::size_t slots = size / sizeof(Node *);
  for (std::size_t i = 0; i < slots; i += 511)
    memory[i] = target;
  acre_rt_rescan(memory, size);
  EXPECT_EQ(count(), (slots + 510) / 511);
  EXPECT_TRUE(acre_verify());
  acre_rt_rescan(memory, size);
  EXPECT_EQ(count(), (slots + 510) / 511);
  EXPECT_EQ(acre_rt_munmap(memory, size), 0);
  EXPECT_EQ(count(), 0u);
}

TEST_F(RecordTest, RescanMakesRecordsAgreeWithMemory) {
  globals[1] = globals[3] = target;
  acre_rescan(globals, sizeof globals);
  EXPECT_EQ(count(), 2u);
  globals[1] = nullptr;
  globals[2] = target;
  acre_rt_rescan(globals, sizeof globals);
  EXPECT_EQ(count(), 2u);
  std::memset(globals, 0, sizeof globals);
  acre_rt_rescan(globals, sizeof globals);
  EXPECT_EQ(count(), 0u);
}

/* Every size and both alignments around the limits between its ways; what lies beside the copy
 * stays. */
TEST_F(RecordTest, ACopyMovesBytesAndCountsWhatIsInThem) {
  alignas(8) static unsigned char bytes[80], from[80];
  for (std::size_t size = 0; size <= 40; size++)
    for (std::size_t at = 0; at <= 8; at++) {
      std::memset(bytes, 'x', sizeof bytes);
      std::memset(from, 'a', sizeof from);
      for (std::size_t i = 0; i < size; i++)
        from[at + i] = static_cast<unsigned char>('a' + i % 26);
      acre_rt_copy(bytes + at, from + at, size);
      EXPECT_EQ(std::memcmp(bytes + at, from + at, size), 0);
      EXPECT_EQ(bytes[at + size], 'x');
      EXPECT_TRUE(at == 0 || bytes[at - 1] == 'x');
      EXPECT_EQ(count(), 0u) << "text";
      /* Overlapping, as memmove. */
      acre_rt_copy(bytes + at + 1, bytes + at, size);
      EXPECT_EQ(std::memcmp(bytes + at + 1, from + at, size), 0);
      if (size < sizeof target)
        continue;
      std::memcpy(from + at + size - sizeof target, &target, sizeof target);
      acre_rt_copy(bytes + at, from + at, size);
      bool isFound = (at + size) % 8 == 0 || size % 8 == 0;
      EXPECT_EQ(count(), isFound) << "a pointer at the end of " << size << " bytes at offset "
                                  << at;
      acre_rt_copy(bytes + at, "0123456789012345678901234567890123456789", size);
      EXPECT_EQ(count(), 0u) << "text over it";
    }
  std::memset(bytes, 0, sizeof bytes);
}

TEST_F(RecordTest, PointersAreFoundAnywhereInLargeCopies) {
  std::vector<Node *> from(1 << 14), to(1 << 14);
  for (std::size_t at : {0ul, 1ul, 31ul, 32ul, 1023ul, 8191ul, (1ul << 14) - 1}) {
    from[at] = target;
    acre_rt_copy(to.data(), from.data(), from.size() * sizeof target);
    EXPECT_EQ(count(), 1u) << at;
    from[at] = nullptr;
  }
  std::memset(from.data(), 'a', from.size() * sizeof target);
  from[777] = target;
  acre_rt_copy(to.data(), from.data(), 6400);
  EXPECT_EQ(count(), 2u) << "what lies behind keeps its record";
  acre_rt_release(to.data(), to.size() * sizeof target);
}

TEST_F(RecordTest, AFillDropsTheRecordsOfWhatItFills) {
  for (Node *&global : globals)
    store(&global, target);
  const auto all = std::size(globals);
  acre_rt_fill(&globals[1], 0x11, 2 * sizeof target);
  EXPECT_EQ(count(), all - 2);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(globals[2]), 0x1111111111111111u);
  EXPECT_EQ(globals[3], target);
  acre_rt_fill(globals, 0, sizeof globals);
  EXPECT_EQ(count(), 0u);
}

TEST_F(RecordTest, APartlyOverwrittenSlotIsLookedAtAgain) {
  store(&globals[4], target);
  reinterpret_cast<unsigned char *>(globals)[4 * 8 + 6] = 0x12;
  acre_rt_rescan(reinterpret_cast<char *>(globals) + 4 * 8 + 6, 1);
  EXPECT_EQ(count(), 0u);
  globals[4] = nullptr;
}

TEST_F(RecordTest, MisalignedSlotsKeepTheirAddress) {
  static Packed packed[5];
  for (Packed &element : packed) {
    element.node = target;
    acre_rt_store(reinterpret_cast<char *>(&element) + 1, target);
  }
  EXPECT_EQ(count(), 5u);
  acre_rt_rescan(packed, sizeof packed);
  EXPECT_EQ(count(), 5u);
  std::size_t healed = healedRecords();
  EXPECT_TRUE(acre_verify());
  EXPECT_EQ(healedRecords(), healed);
  packed[2].node = nullptr;
  acre_rt_rescan(packed, sizeof packed);
  EXPECT_EQ(count(), 4u);
  acre_rt_release(packed, sizeof packed);
}

TEST_F(RecordTest, TypedRescanFindsMisalignedSlots) {
  static Packed packed[7];
  for (Packed &element : packed)
    element.node = target;
  acre_rt_rescan_typed(packed, sizeof packed, &packedType, nullptr);
  EXPECT_EQ(count(), 7u);
  acre_rt_release(packed, sizeof packed);
}

TEST_F(RecordTest, FlexibleMembersAreWalked) {
  const std::size_t size = sizeof(Flexible) + 5 * 16;
  auto *flexible = static_cast<Flexible *>(acre_region_alloc(beside, size, 8, &flexibleSite));
  for (int i = 0; i < 5; i++)
    flexible->pairs[i].node = target;
  EXPECT_EQ(count(), 0u);
  acre_rt_rescan_typed(flexible, size, &flexibleType, nullptr);
  EXPECT_EQ(count(), 5u);
  EXPECT_TRUE(acre_verify());
  for (int i = 0; i < 5; i++)
    store<Node>(&flexible->pairs[i].node, nullptr);
}

TEST_F(RecordTest, AnnotatedSlotsHaveNoRecords) {
  static const acre_rt_where where = {"record.c", "test", 9};
  Node *inner = newNode(child);
  acre_rt_check_sameregion(&holder->same, inner, &where);
  holder->same = inner;
  acre_rt_check_parentptr(&holder->up, target, &where);
  holder->up = target;
  acre_rt_check_traditional(&holder->legacy, globals, &where);
  holder->legacy = globals;
  acre_rt_rescan(holder, sizeof *holder);
  EXPECT_EQ(count(), 0u) << "a parentptr to an ancestor is not counted";
  holder->next = stranger;
  acre_rt_rescan(holder, sizeof *holder);
  EXPECT_EQ(acre_region_count(beside), 1u);
  EXPECT_TRUE(acre_verify());
  store<Node>(&holder->next, nullptr);
}

TEST_F(RecordTest, WhatPointsUpwardIsNotCounted) {
  acre_region grandchild = acre_region_new_sub(child, "record.c:13");
  Node *lowest = newNode(grandchild);
  store(&lowest->next, target);
  store(&holder->next, target);
  EXPECT_EQ(count(), 0u);
  acre_region_set_delete_policy(region, ACRE_DELETE_REFUSE);
  EXPECT_FALSE(acre_region_delete(region, "record.c:14")) << "there are regions below it";
  store(&lowest->next, stranger);
  store(&target->next, lowest);
  EXPECT_EQ(acre_region_count(beside), 1u);
  EXPECT_EQ(acre_region_count(grandchild), 1u) << "what points downward is";
  store(&lowest->next, target);
  EXPECT_EQ(acre_region_count(beside), 0u) << "a record of something else goes";
  EXPECT_TRUE(acre_verify());
  store<Node>(&target->next, nullptr);
  EXPECT_TRUE(acre_region_delete(grandchild, "record.c:15"));
}

TEST_F(RecordTest, UnionsCountWhileTheyHoldAPointer) {
  holder->link = stranger;
  acre_rt_rescan(holder, sizeof *holder);
  EXPECT_EQ(acre_region_count(beside), 1u);
  holder->number = 7;
  acre_rt_rescan(&holder->number, sizeof holder->number);
  EXPECT_EQ(acre_region_count(beside), 0u);
}

TEST_F(RecordDeathTest, BrokenAnnotationsAreNamed) {
  static const acre_rt_where where = {"record.c", "link_nodes", 9};
  EXPECT_DEATH(
      acre_rt_check_sameregion(&holder->same, target, &where),
      "acre: fatal: record.c:9: in link_nodes: sameregion pointer may not point into the region "
      "created at "
      "record.c:1(.|\n)*struct node allocated at node.c:12(.|\n)*field 'same' of struct node");
  EXPECT_DEATH(acre_rt_check_parentptr(&target->up, holder, &where),
               "parentptr pointer may not point into");
  EXPECT_DEATH(acre_rt_check_traditional(&holder->legacy, target, &where),
               "traditional pointer may not point into(.|\n)*field 'legacy' of struct node");
  acre_rt_check_parentptr(&holder->up, holder, &where);
  acre_rt_check_sameregion(&holder->same, nullptr, &where);
  holder->same = target;
  EXPECT_DEATH(acre_rt_rescan(holder, sizeof *holder),
               "sameregion pointer may not point into(.|\n)*field 'same'");
  EXPECT_DEATH(acre_rt_rescan_typed(holder, sizeof *holder, &nodeType, &where),
               "record.c:9: in link_nodes: sameregion");
  holder->same = nullptr;
  Node copy = {};
  copy.legacy = target;
  EXPECT_DEATH(acre_rt_rescan_typed(&copy, sizeof copy, &nodeType, &where),
               "traditional pointer may not point");
}

/* -- Healing ----------------------------------------------------------------------------------- */

TEST_F(RecordTest, AnOverwrittenSlotIsHealedBeforeADeleteIsRefused) {
  acre_region scratch = acre_region_new("record.c:6");
  std::size_t before = healedRecords();
  auto **slot = static_cast<Node **>(std::malloc(sizeof(Node *)));
  store(slot, newNode(scratch));
  *slot = nullptr; /* by code without barriers */
  EXPECT_EQ(acre_region_count(scratch), 1u);
  EXPECT_TRUE(acre_region_delete(scratch, "record.c:7"));
  EXPECT_EQ(healedRecords(), before + 1);
  std::free(slot);
}

TEST_F(RecordTest, UnmappedMemoryIsHealed) {
  acre_region scratch = acre_region_new("record.c:6");
  auto **slot = static_cast<Node **>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  store(slot, newNode(scratch));
  munmap(slot, 4096);
  EXPECT_TRUE(acre_region_delete(scratch, "record.c:7"));
}

__attribute__((noinline)) void leaveARecordOnTheStack(Node *node) {
  Node *volatile local[8];
  for (auto &slot : local) {
    slot = node;
    acre_record_set(reinterpret_cast<std::uintptr_t>(&slot), acre_page_owner(node));
  }
}

TEST_F(RecordTest, DeadStackIsHealed) {
  acre_region scratch = acre_region_new("record.c:6");
  leaveARecordOnTheStack(newNode(scratch));
  EXPECT_EQ(acre_region_count(scratch), 8u);
  EXPECT_TRUE(acre_region_delete(scratch, "record.c:7"));
}

/* -- The C library ----------------------------------------------------------------------------- */

TEST_F(RecordTest, FreeDropsRecords) {
  auto **block = static_cast<Node **>(std::malloc(10 * sizeof(Node *)));
  store(&block[9], target);
  acre_rt_free(block);
  EXPECT_EQ(count(), 0u);
  acre_rt_free(nullptr);
}

TEST_F(RecordTest, ReallocMovesRecordsWithTheBlock) {
  auto **block = static_cast<Node **>(acre_rt_realloc(nullptr, 4 * sizeof(Node *)));
  store(&block[1], target);
  for (std::size_t slots : {8u, 1000u, 100000u, 50u, 40u, 2u}) {
    block = static_cast<Node **>(acre_rt_realloc(block, slots * sizeof(Node *)));
    ASSERT_EQ(block[1], target);
    ASSERT_EQ(count(), 1u) << slots;
    std::uintptr_t start = 0;
    ASSERT_NE(acre_record_get(reinterpret_cast<std::uintptr_t>(&block[1]), &start), 0u);
  }
  block = static_cast<Node **>(acre_rt_reallocarray(block, 1, sizeof(Node *)));
  EXPECT_EQ(count(), 0u);
  errno = 0;
  EXPECT_EQ(acre_rt_reallocarray(block, SIZE_MAX, 2), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  store(&block[0], target);
  if (!ACRE_TEST_HAS_ASAN) { /* which ends the program instead */
    errno = 0;
    EXPECT_EQ(acre_rt_realloc(block, std::size_t{1} << 60), nullptr);
    EXPECT_EQ(errno, ENOMEM);
  }
  EXPECT_EQ(count(), 1u);
  acre_rt_free(block);
}

struct Item {
  long key;
  long order;
  Node *node;
};

int byKey(const void *a, const void *b) {
  long x = static_cast<const Item *>(a)->key, y = static_cast<const Item *>(b)->key;
  return (x > y) - (x < y);
}

TEST_F(RecordTest, SortingIsStableAndMovesRecords) {
  std::vector<acre_region> regions;
  for (int i = 0; i < 5; i++)
    regions.push_back(acre_region_new("record.c:8"));
  std::vector<Item> items(500);
  std::mt19937 random(7);
  for (std::size_t i = 0; i < items.size(); i++) {
    items[i].key = static_cast<long>(random() % 50);
    items[i].order = static_cast<long>(i);
    store(&items[i].node, i % 3 ? newNode(regions[i % 5]) : nullptr);
  }
  acre_rt_qsort(items.data(), items.size(), sizeof(Item), byKey);
  std::size_t healed = healedRecords();
  EXPECT_TRUE(acre_verify());
  EXPECT_EQ(healedRecords(), healed) << "each record moved with its element";
  for (std::size_t i = 1; i < items.size(); i++) {
    ASSERT_LE(items[i - 1].key, items[i].key);
    if (items[i - 1].key == items[i].key) {
      ASSERT_LT(items[i - 1].order, items[i].order);
    }
  }
  acre_rt_release(items.data(), items.size() * sizeof(Item));
  for (acre_region each : regions)
    EXPECT_TRUE(acre_region_delete(each, "record.c:9"));
}

struct __attribute__((packed)) PackedItem {
  unsigned char key;
  Node *node;
};

int byPackedKey(const void *a, const void *b, void *context) {
  ++*static_cast<int *>(context);
  return static_cast<const PackedItem *>(a)->key - static_cast<const PackedItem *>(b)->key;
}

TEST_F(RecordTest, SortingPackedElementsMovesTheirRecords) {
  static PackedItem items[40];
  for (int i = 0; i < 40; i++) {
    items[i].key = static_cast<unsigned char>(i * 37 % 41);
    items[i].node = i % 2 ? target : nullptr;
    acre_rt_store(reinterpret_cast<char *>(&items[i]) + 1, items[i].node);
  }
  int comparisons = 0;
  acre_rt_qsort_r(items, 40, sizeof *items, byPackedKey, &comparisons);
  EXPECT_GT(comparisons, 0);
  EXPECT_EQ(count(), 20u);
  std::size_t healed = healedRecords();
  EXPECT_TRUE(acre_verify());
  EXPECT_EQ(healedRecords(), healed);
  for (int i = 1; i < 40; i++)
    EXPECT_LE(items[i - 1].key, items[i].key);
  acre_rt_release(items, sizeof items);
}

std::jmp_buf jump;
int comparisonsLeft;

int jumpAway(const void *a, const void *b) {
  if (comparisonsLeft-- == 0)
    std::longjmp(jump, 1);
  return byKey(a, b);
}

TEST_F(RecordTest, AComparisonMayJumpAway) {
  static Item items[100];
  for (int i = 0; i < 100; i++) {
    items[i].key = 100 - i;
    store(&items[i].node, target);
  }
  for (comparisonsLeft = 50; setjmp(jump) == 0;)
    acre_rt_qsort(items, 100, sizeof *items, jumpAway);
  EXPECT_EQ(count(), 100u);
  EXPECT_EQ(items[0].key, 100);
  acre_rt_release(items, sizeof items);
  std::memset(items, 0, sizeof items);
}

/* -- Pins -------------------------------------------------------------------------------------- */

TEST_F(RecordTest, PinsCountWhileTheyLast) {
  {
    Pin outer(target, target, nullptr);
    EXPECT_EQ(count(), 2u);
    {
      Pin inner(target + 1);
      EXPECT_EQ(count(), 3u);
      EXPECT_TRUE(acre_verify());
    }
    EXPECT_EQ(count(), 2u);
  }
  EXPECT_EQ(count(), 0u);
}

TEST_F(RecordTest, AValueThatBecomesAPointerLaterIsNotReleased) {
  acre_region scratch = acre_region_new("record.c:10");
  char *where = reinterpret_cast<char *>(newNode(scratch));
  acre_region_delete(scratch, "record.c:11");
  acre_region again = nullptr;
  {
    Pin pin(static_cast<void *>(where)); /* dangling: pins nothing */
    again = acre_region_new("record.c:12");
    newNode(again);
    EXPECT_EQ(acre_region_count(again), 0u);
  }
  EXPECT_EQ(acre_region_count(again), 0u);
  acre_region_delete(again, "record.c:13");
}

TEST_F(RecordTest, PinnedRangesHaveRecords) {
  Node *values[4] = {target, nullptr, target, nullptr};
  static const acre_rt_pin_entry entries[] = {{"values", sizeof values, 0, 0, 0}};
  static const acre_rt_pin_site site = {{"record.c", "test", 14}, 1, entries, 0};
  alignas(8) unsigned char memory[sizeof(acre_rt_pin_frame) + sizeof(void *)];
  auto *frame = reinterpret_cast<acre_rt_pin_frame *>(memory);
  frame->values[0] = values;
  acre_rt_pin(frame, &site);
  EXPECT_EQ(count(), 2u);
  EXPECT_TRUE(acre_verify());
  acre_rt_unpin(frame);
  EXPECT_EQ(count(), 0u);
}

TEST_F(RecordTest, DeepPinsFillSeveralChunks) {
  auto recurse = [&](auto &self, int depth) -> void {
    Pin pin(target, nullptr);
    if (depth > 0)
      self(self, depth - 1);
    else
      EXPECT_EQ(count(), 5001u);
  };
  recurse(recurse, 5000);
  EXPECT_EQ(count(), 0u);
}

TEST_F(RecordTest, PinsMayEndOutOfOrder) {
  auto *a = new Pin(target);
  auto *b = new Pin(target, target);
  auto *c = new Pin(static_cast<void *>(nullptr));
  delete a;
  EXPECT_EQ(count(), 2u);
  delete c;
  delete b;
  EXPECT_EQ(count(), 0u);
}

__attribute__((noinline)) void pinRecordAndJump(Node *node, int depth) {
  if (!node)
    return;
  Node *volatile local = node;
  acre_rt_store(const_cast<Node **>(&local), node);
  static const acre_rt_pin_entry entries[] = {{"node", 0, 0, 0, 0}};
  static const acre_rt_pin_site site = {{"record.c", "jump", 15}, 1, entries, 0};
  alignas(8) unsigned char memory[sizeof(acre_rt_pin_frame) + sizeof(void *)];
  auto *frame = reinterpret_cast<acre_rt_pin_frame *>(memory);
  frame->values[0] = node;
  acre_rt_pin(frame, &site);
  if (depth == 0)
    std::longjmp(jump, 1);
  pinRecordAndJump(node, depth - 1);
  acre_rt_unpin(frame);
}

/* This function's frame begins where its caller's ends. */
__attribute__((noinline)) void unwindCallees(acre_rt_pin_frame *mark) {
  acre_rt_unwind(mark, __builtin_frame_address(0));
}

TEST_F(RecordTest, UnwindDropsPinsAndStackRecordsOfLeftFrames) {
  Node *volatile mine = target;
  Pin outer(target);
  acre_rt_store(const_cast<Node **>(&mine), target);
  static int round;
  for (round = 0; round < 3; round++) {
    acre_rt_pin_frame *mark = acre_rt_pin_mark();
    if (setjmp(jump) == 0) {
      unwindCallees(mark);
      pinRecordAndJump(target, 20);
    }
    unwindCallees(mark);
    EXPECT_EQ(count(), 2u);
  }
  acre_rt_release(const_cast<Node **>(&mine), sizeof mine);
}

} // namespace
