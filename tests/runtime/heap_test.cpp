/* Collected heaps, claim by claim, in every configuration. */
#include "heap_support.h"

#include <cstring>
#include <thread>

extern "C" {
#include "memory/pages.h"
#include "platform/os.h"
}

extern "C" int heap_in_c99(void);

namespace {

TEST(HeapHeader, WorksInC99) {
  EXPECT_EQ(heap_in_c99(), 0) << "the line of heap_in_c99.c that fails";
}

class Heap : public EveryHeap {};
INSTANTIATE_EVERY_HEAP(Heap);

TEST_P(Heap, ObjectsAreZeroAlignedAndApart) {
  make();
  std::vector<std::pair<char *, size_t>> objects;
  acre_heap_handle *keep = acre_heap_handle_new(heap, nullptr);
  for (size_t size :
       {0, 1, 7, 8, 9, 15, 16, 24, 40, 100, 1000, 4000, 8000, 8168, 8192, 9000, 20000, 70000})
    for (size_t align : {1, 8, 16, 64, 256}) {
      char *p = static_cast<char *>(acre_heap_try_alloc(heap, size, align, nullptr));
      ASSERT_NE(p, nullptr) << size;
      EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % align, 0u);
      EXPECT_TRUE(isZero(p, size));
      std::memset(p, 0xff, size);
      EXPECT_EQ(acre_heap_object_size(heap, p), size);
      objects.emplace_back(p, size);
    }
  EXPECT_TRUE(acre_heap_check(heap));
  std::sort(objects.begin(), objects.end());
  for (size_t i = 1; i < objects.size(); i++)
    EXPECT_LE(objects[i - 1].first + objects[i - 1].second, objects[i].first);
  acre_heap_handle_delete(heap, keep);
}

TEST_P(Heap, WhatIsReachableStaysAndTheRestGoes) {
  make();
  Node *list = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &list);
  for (std::uint64_t i = 0; i < 1000; i++) {
    list = newNode(heap, list, nullptr, i);
    ASSERT_NE(newNode(heap), nullptr);
  }
  EXPECT_EQ(stats().live_objects, 2000u);
  acre_heap_collect(heap);
  EXPECT_EQ(stats().live_objects, 1000u);
  EXPECT_TRUE(acre_heap_check(heap));
  std::uint64_t expected = 1000;
  for (const Node *node = list; node; node = node->left)
    EXPECT_EQ(node->value, --expected);
  EXPECT_EQ(expected, 0u);
  list = nullptr;
  acre_heap_collect(heap);
  EXPECT_EQ(stats().live_objects, 0u);
  EXPECT_TRUE(acre_heap_check(heap));
  acre_heap_pop(heap, &frame);
}

TEST_P(Heap, CyclesGo) {
  make();
  Node *a = newNode(heap), *b = newNode(heap, a);
  acre_heap_store(heap, &a->left, b);
  acre_heap_collect(heap);
  EXPECT_EQ(stats().live_objects, 0u);
}

TEST_P(Heap, PointersIntoAndPastAnObjectKeepIt) {
  make();
  for (size_t size : {8, 24, 40, 104, 488, 2024, 4072, 8168, 8192, 16384, 40000}) {
    char *object = static_cast<char *>(acre_heap_try_alloc_bytes(heap, size));
    ASSERT_NE(object, nullptr);
    for (size_t offset : {size_t{0}, size_t{1}, size / 2, size - 1, size}) {
      void *p = object + offset;
      EXPECT_EQ(acre_heap_object_of(heap, p), object) << size << " at " << offset;
      acre_heap_frame frame;
      void *const variables[] = {&p};
      frame = {nullptr, nullptr, variables, 1, 0};
      acre_heap_push(heap, &frame);
      acre_heap_collect(heap);
      EXPECT_EQ(acre_heap_object_of(heap, p), object) << size << " at " << offset;
      acre_heap_pop(heap, &frame);
    }
    acre_heap_collect(heap);
    EXPECT_EQ(acre_heap_object_of(heap, object), nullptr);
    EXPECT_EQ(stats().live_objects, 0u);
  }
}

TEST_P(Heap, PointersPastAnObjectOfTheLastPageKeepIt) {
  config.limit = config.limit_max = 256 << 10;
  make();
  /* Sizes that end where their cell, and at last the heap, does. */
  for (size_t size : {24, 40, 48, 104})
    for (char *object; (object = static_cast<char *>(acre_heap_try_alloc_bytes(heap, size)));) {
      acre_heap_handle *keep = acre_heap_handle_new(heap, object);
      ASSERT_NE(keep, nullptr);
      ASSERT_EQ(acre_heap_object_of(heap, object + size), object) << size;
    }
}

TEST_P(Heap, NothingElseIsAnObject) {
  make();
  char *object = static_cast<char *>(acre_heap_try_alloc_bytes(heap, 100));
  int local = 0;
  EXPECT_EQ(acre_heap_object_of(heap, nullptr), nullptr);
  EXPECT_EQ(acre_heap_object_of(heap, &local), nullptr);
  EXPECT_EQ(acre_heap_object_of(heap, object + ((size_t)1 << 20)), nullptr);
  EXPECT_EQ(acre_heap_object_of(heap, object - 4096 * 8), nullptr);
  for (uintptr_t word : {uintptr_t{1}, ~uintptr_t{0}, uintptr_t{1} << 47})
    EXPECT_EQ(acre_heap_object_of(heap, reinterpret_cast<void *>(word)), nullptr);
}

TEST_P(Heap, ArraysAndFlexibleMembersAreScannedToTheirEnd) {
  make();
  for (size_t count : {1, 3, 100, 900, 5000}) {
    Node *node = nullptr;
    void **array = nullptr;
    Vector *vector = nullptr;
    ACRE_HEAP_FRAME(heap, frame, &array, &vector, &node);
    array = static_cast<void **>(
        acre_heap_try_alloc_array(heap, count, sizeof(void *), alignof(void *), &pointerSite));
    vector = static_cast<Vector *>(acre_heap_try_alloc(
        heap, sizeof(Vector) + count * sizeof(void *), alignof(Vector), &vectorSite));
    ASSERT_TRUE(array && vector);
    for (size_t i = 0; i < count; i++) {
      acre_heap_store(heap, &array[i], newNode(heap, nullptr, nullptr, i));
      acre_heap_store(heap, &vector->items[i], newNode(heap, nullptr, nullptr, i));
    }
    acre_heap_store(heap, &vector->owner, newNode(heap, nullptr, nullptr, 77));
    acre_heap_collect(heap);
    EXPECT_EQ(stats().live_objects, 2 * count + 3);
    for (size_t i = 0; i < count; i++) {
      EXPECT_EQ(static_cast<Node *>(array[i])->value, i);
      EXPECT_EQ(vector->items[i]->value, i);
    }
    EXPECT_EQ(vector->owner->value, 77u);
    EXPECT_TRUE(acre_heap_check(heap));
    acre_heap_pop(heap, &frame);
    acre_heap_collect(heap);
    EXPECT_EQ(stats().live_objects, 0u);
  }
}

/* Each element has a pointer, a number, two pointers: the numbers look like pointers, and the last
 * element is cut off. */
TEST_P(Heap, EveryRunOfEveryElementIsScannedAndNothingElse) {
  static const acre_slot slots[] = {{0, 1, sizeof(void *), ACRE_SLOT_PLAIN, "first"},
                                    {16, 2, sizeof(void *), ACRE_SLOT_PLAIN, "pair"}};
  static const acre_type type = {"Record", 32, 8, 2, 1, 0, slots, nullptr, nullptr};
  static const acre_site site = {&type, "test.c", "test", 4};
  make();
  void **record = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &record);
  for (size_t words = 4; words < 60; words++) {
    record = static_cast<void **>(acre_heap_try_alloc(heap, words * sizeof(void *), 8, &site));
    ASSERT_NE(record, nullptr);
    size_t numbers = 0;
    for (size_t i = 0; i < words; i++) {
      void *value = newNode(heap, nullptr, nullptr, i);
      acre_heap_store(heap, &record[i], value);
      numbers += i % 4 == 1;
    }
    acre_heap_collect(heap);
    acre_heap_collect(heap); /* the barrier saw the numbers, if a collection ran */
    EXPECT_EQ(stats().live_objects, 1 + words - numbers) << words;
    for (size_t i = 0; i < words; i++)
      if (i % 4 != 1) {
        EXPECT_EQ(static_cast<Node *>(record[i])->value, i);
      }
    EXPECT_TRUE(acre_heap_check(heap));
  }
  acre_heap_pop(heap, &frame);
}

/* The pages of big objects that have gone become one run, in which none of them begins any more. */
TEST_P(Heap, RunsOfFreePagesHoldNoObjectsOfTheirPast) {
  make();
  for (size_t bytes : {40000, 20000, 60000, 20000})
    ASSERT_NE(acre_heap_try_alloc_bytes(heap, bytes), nullptr);
  acre_heap_collect(heap);
  acre_heap_collect(heap);
  for (int i = 0; i < 4; i++) {
    ASSERT_NE(acre_heap_try_alloc_bytes(heap, 30000), nullptr);
    EXPECT_TRUE(acre_heap_check(heap));
  }
}

TEST_P(Heap, MemoryIsReusedForever) {
  make();
  for (int i = 0; i < repetitions(200000); i++)
    ASSERT_NE(newNode(heap), nullptr) << i;
  EXPECT_LE(composition().pages, config.limit);
  EXPECT_TRUE(acre_heap_check(heap));
}

TEST_P(Heap, ObjectsOfUnknownLayoutAreScannedWordByWord) {
  make();
  void **object = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &object);
  object = static_cast<void **>(acre_heap_try_alloc(heap, 64, 8, nullptr));
  object[5] = newNode(heap);
  acre_heap_collect(heap);
  EXPECT_EQ(stats().live_objects, 2u);
  acre_heap_pop(heap, &frame);
}

TEST_P(Heap, BytesAreNotScanned) {
  make();
  void **object = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &object);
  object = static_cast<void **>(acre_heap_try_alloc_bytes(heap, 64));
  object[5] = newNode(heap);
  acre_heap_collect(heap);
  EXPECT_EQ(stats().live_objects, 1u);
  acre_heap_pop(heap, &frame);
}

TEST_P(Heap, RangesAndHandlesAreRoots) {
  make();
  static Node *globals[100];
  for (bool isProtected : {false, true}) {
    ASSERT_TRUE(acre_heap_add_roots(heap, globals, sizeof globals, isProtected));
    acre_heap_store(heap, &globals[99], newNode(heap, newNode(heap)));
    acre_heap_handle *handle = acre_heap_handle_new(heap, newNode(heap, newNode(heap)));
    acre_heap_collect(heap);
    EXPECT_EQ(stats().live_objects, 4u);
    acre_heap_handle_set(heap, handle, nullptr);
    acre_heap_collect(heap);
    EXPECT_EQ(stats().live_objects, 2u);
    acre_heap_handle_delete(heap, handle);
    acre_heap_remove_roots(heap, globals);
    acre_heap_collect(heap);
    EXPECT_EQ(stats().live_objects, 0u);
  }
}

/* Whatever phase the collection is in, a range or handle added to it keeps what it refers to. */
TEST_P(Heap, RootsMayBeAddedWhileACollectionRuns) {
  static Node *globals[4];
  config.increment_words = 1;
  make();
  bool isDone = false;
  Node *unrelated = nullptr;
  ACRE_HEAP_FRAME(heap, outer,
                  &unrelated); /* an older frame: there is an increment that ends with it */
  for (int increments = 0; !isDone; increments++) {
    Node *held = nullptr, *other = nullptr, *chain = nullptr;
    ACRE_HEAP_FRAME(heap, frame, &chain, &held, &other);
    for (int i = 0; i < 30; i++)
      chain = newNode(heap, chain);
    held = newNode(heap, newNode(heap));
    other = newNode(heap, newNode(heap));
    acre_heap_collect_start(heap);
    for (int i = 0; i < increments; i++)
      isDone = acre_heap_collect_some(heap);
    globals[2] = held;
    ASSERT_TRUE(acre_heap_add_roots(heap, globals, sizeof globals, true));
    acre_heap_handle *handle = acre_heap_handle_new(heap, other);
    held = other = nullptr;
    acre_heap_collect_finish(heap);
    ASSERT_TRUE(acre_heap_check(heap)) << increments;
    ASSERT_EQ(acre_heap_object_of(heap, globals[2]), globals[2]) << increments;
    ASSERT_NE(acre_heap_object_of(heap, globals[2]->left), nullptr) << increments;
    acre_heap_remove_roots(heap, globals);
    acre_heap_handle_delete(heap, handle);
    acre_heap_pop(heap, &frame);
    acre_heap_collect(heap);
    EXPECT_EQ(stats().live_objects, 0u);
  }
  acre_heap_pop(heap, &outer);
}

/* As longjmp leaves them: what called pop may have written over the newer frames. */
TEST_P(Heap, PopDoesNotReadNewerFrames) {
  config.increment_words = 1;
  make();
  Node *kept = nullptr, *other = nullptr;
  ACRE_HEAP_FRAME(heap, oldest, &kept);
  for (int increments = 0; increments < 60; increments++) {
    ACRE_HEAP_FRAME(heap, frame, &other);
    acre_heap_frame newer[3] = {};
    for (acre_heap_frame &each : newer)
      acre_heap_push(heap, &each);
    kept = newNode(heap, kept);
    acre_heap_collect_start(heap);
    for (int i = 0; i < increments; i++)
      acre_heap_collect_some(heap);
    std::memset(static_cast<void *>(newer), increments % 2 ? 0 : 0x5a, sizeof newer);
    acre_heap_pop(heap, &frame);
    ASSERT_TRUE(acre_heap_check(heap)) << increments;
    acre_heap_collect_finish(heap);
    ASSERT_EQ(stats().live_objects, increments + 1u);
  }
  acre_heap_pop(heap, &oldest);
}

TEST_P(Heap, OutOfMemoryIsNullAndChangesNothing) {
  config.limit = 256 << 10;
  make();
  Node *list = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &list);
  std::uint64_t count = 0;
  for (Node *node; (node = newNode(heap, list, nullptr, count)) != nullptr; count++)
    list = node;
  EXPECT_GT(count, (256u << 10) / 128);
  EXPECT_TRUE(acre_heap_check(heap));
  EXPECT_EQ(acre_heap_try_alloc(heap, 300 << 10, 8, nullptr), nullptr);
  EXPECT_EQ(acre_heap_try_alloc_array(heap, SIZE_MAX / 4, 8, 8, nullptr), nullptr);
  EXPECT_EQ(acre_heap_try_alloc(heap, SIZE_MAX, 8, nullptr), nullptr);
  EXPECT_TRUE(acre_heap_check(heap));
  for (const Node *node = list; node; node = node->left)
    EXPECT_EQ(node->value, --count);
  list = nullptr;
  EXPECT_NE(newNode(heap), nullptr);
  acre_heap_pop(heap, &frame);
}

TEST_P(Heap, CompositionAddsUpToTheLimit) {
  make();
  Node *list = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &list);
  for (int i = 0; i < 100; i++)
    list = newNode(heap, list);
  ASSERT_NE(acre_heap_try_alloc_bytes(heap, 10000), nullptr);
  acre_heap_composition c = composition();
  EXPECT_EQ(c.useful, 100 * sizeof(Node) + 10000);
  EXPECT_EQ(c.useful + c.headers + c.padding + c.external, c.limit);
  EXPECT_EQ(c.clock, c.useful);
  EXPECT_EQ(c.headers, (config.uses_big_objects ? 100 : 101) * config.header_words * 8);
  acre_heap_pop(heap, &frame);
}

TEST_P(Heap, WeakReferencesAreClearedWithTheirObject) {
  make();
  Node *kept = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &kept);
  kept = newNode(heap);
  acre_heap_weak *weak = acre_heap_weak_new(heap, kept),
                 *lost = acre_heap_weak_new(heap, newNode(heap));
  acre_heap_collect(heap);
  EXPECT_EQ(acre_heap_weak_get(heap, weak), kept);
  EXPECT_EQ(acre_heap_weak_get(heap, lost), nullptr);
  acre_heap_weak_delete(heap, lost);
  acre_heap_weak_delete(heap, weak);
  acre_heap_pop(heap, &frame);
}

TEST_P(Heap, FinalizableObjectsAreQueuedOnceWithWhatTheyReferTo) {
  make();
  Node *node = newNode(heap, newNode(heap, nullptr, nullptr, 5), nullptr, 4);
  ASSERT_TRUE(acre_heap_set_finalizable(heap, node));
  acre_heap_weak *weak = acre_heap_weak_new(heap, node);
  EXPECT_EQ(acre_heap_next_finalizable(heap), nullptr);
  acre_heap_collect(heap);
  EXPECT_EQ(acre_heap_weak_get(heap, weak), nullptr);
  acre_heap_collect(heap); /* the queue is a root */
  Node *found = static_cast<Node *>(acre_heap_next_finalizable(heap));
  ASSERT_EQ(found, node);
  EXPECT_EQ(found->value, 4u);
  EXPECT_EQ(found->left->value, 5u);
  EXPECT_EQ(acre_heap_next_finalizable(heap), nullptr);
  acre_heap_collect(heap);
  EXPECT_EQ(acre_heap_next_finalizable(heap), nullptr);
  EXPECT_EQ(stats().live_objects, 0u);
}

TEST_P(Heap, FreedObjectsAreReclaimedOrReported) {
  static std::vector<acre_heap_event> events;
  events.clear();
  config.trace = [](const acre_heap_event *event, void *) {
    if (event->kind == ACRE_HEAP_EVENT_FREED_IN_USE)
      events.push_back(*event);
  };
  make();
  Node *holder = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &holder);
  Node *used = newNode(heap), *unused = newNode(heap);
  holder = newNode(heap, used);
  acre_heap_free(heap, used);
  acre_heap_free(heap, unused);
  acre_heap_collect(heap);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].object, used);
  EXPECT_EQ(events[0].holder, holder);
  EXPECT_EQ(stats().live_objects, 2u);
  acre_heap_collect(heap);
  EXPECT_EQ(events.size(), 1u);
  acre_heap_pop(heap, &frame);
}

TEST_P(Heap, DeadObjectsArePoisoned) {
  if (isMemoryChecked())
    GTEST_SKIP() << "a memory checker forbids to look";
  make();
  unsigned char *object = static_cast<unsigned char *>(acre_heap_try_alloc_bytes(heap, 40));
  std::memset(object, 1, 40);
  acre_heap_collect(heap);
  EXPECT_TRUE(isFilled(object, 40, 0xdb));
}

TEST_P(Heap, MemoryCheckersSeeUsesOfDeadObjects) {
  if (!isMemoryChecked())
    GTEST_SKIP() << "no memory checker";
  make();
  for (size_t size : {40, 3000, 20000}) {
    char *object = static_cast<char *>(acre_heap_try_alloc_bytes(heap, size));
    EXPECT_FALSE(isAccessAnError(object + size - 1));
    acre_heap_collect(heap);
    if (config.uses_big_objects || size < 4096) {
      EXPECT_TRUE(isAccessAnError(object)) << size;
    }
  }
}

/* Twice as much memory as is alive is enough to be never late, and no increment is longer than it
 * may be. */
TEST_P(Heap, IncrementsKeepTheirBoundAndAreNotLate) {
  config.is_incremental = true;
  config.increment_words = 3000;
  make();
  size_t count = config.limit / 2 / 128;
  void **table = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &table);
  table =
      static_cast<void **>(acre_heap_try_alloc_array(heap, count, sizeof(void *), 8, &pointerSite));
  ASSERT_NE(table, nullptr);
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; i++)
    acre_heap_store(heap, &table[random() % count], static_cast<void *>(newNode(heap)));
  acre_heap_stats s = stats();
  EXPECT_GT(s.collections, 1u);
  EXPECT_EQ(s.forced, 0u);
  EXPECT_EQ(s.fell_behind, 0u);
  EXPECT_LE(s.words_max, config.increment_words);
  EXPECT_TRUE(acre_heap_check(heap));
  acre_heap_pop(heap, &frame);
}

/* A collection begins with what is slow to mark: an array whose every slot leads to another page.
 * That says nothing about the rest. */
TEST_P(Heap, ASlowBeginningIsNotFallingBehind) {
  constexpr size_t lists = 800, length = 250;
  config.is_incremental = true;
  config.gc_ratio_percent = 100;
  config.increment_words = 600;
  config.poisons = false;
  config.limit = size_t{3} * lists * length * (sizeof(Node) + 8 * config.header_words + 16);
  make();
  Node *list = nullptr;
  void **table = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &list, &table);
  table =
      static_cast<void **>(acre_heap_try_alloc_array(heap, lists, sizeof(void *), 8, &pointerSite));
  ASSERT_NE(table, nullptr);
  for (size_t i = 0; i < lists; i++, list = nullptr) {
    for (size_t n = 0; n < length; n++)
      list = newNode(heap, list);
    acre_heap_store(heap, &table[i], static_cast<void *>(list));
  }
  for (std::uint64_t before = stats().collections; stats().collections < before + 2;)
    ASSERT_NE(newNode(heap), nullptr);
  EXPECT_EQ(stats().fell_behind, 0u);
  EXPECT_TRUE(acre_heap_check(heap));
  acre_heap_pop(heap, &frame);
}

/* Increments too small for the program's rate: predicted, and handled as the configuration says. */
TEST_P(Heap, FallingBehindIsPredictedAndHandled) {
  for (acre_heap_behind policy :
       {ACRE_HEAP_BEHIND_FINISH, ACRE_HEAP_BEHIND_GROW, ACRE_HEAP_BEHIND_WAIT}) {
    config.is_incremental = true;
    config.increment_words = 100;
    config.increment_bytes = 8192;
    config.when_behind = policy;
    config.limit = 1 << 20;
    config.limit_max = 4 << 20;
    make();
    Node *list = nullptr;
    ACRE_HEAP_FRAME(heap, frame, &list);
    for (int i = 0; i < 4000; i++)
      list = newNode(heap, list);
    for (int i = 0; i < 60000; i++)
      ASSERT_NE(newNode(heap), nullptr);
    EXPECT_GT(stats().fell_behind, 0u) << policy;
    EXPECT_EQ(stats().limit_raised != 0, policy == ACRE_HEAP_BEHIND_GROW);
    EXPECT_EQ(stats().forced != 0, policy == ACRE_HEAP_BEHIND_WAIT);
    EXPECT_TRUE(acre_heap_check(heap));
    acre_heap_pop(heap, &frame);
    acre_heap_delete(heap);
    heap = nullptr;
  }
}

/* Objects of a page and a half leave gaps that no big object fits in: remapping makes one of them.
 */
TEST_P(Heap, RemappingMakesOneRunOfScatteredPages) {
  make();
  std::vector<acre_heap_handle *> handles;
  void *p;
  while ((p = acre_heap_try_alloc_bytes(heap, 12000)) != nullptr)
    handles.push_back(acre_heap_handle_new(heap, p));
  for (size_t i = 0; i < handles.size(); i += 2)
    acre_heap_handle_set(heap, handles[i], nullptr);
  size_t half = config.limit / 2 - (64 << 10);
  char *big = static_cast<char *>(acre_heap_try_alloc_bytes(heap, half));
  EXPECT_EQ(big != nullptr, config.remap != ACRE_HEAP_REMAP_NONE);
  EXPECT_EQ(stats().pages_remapped != 0, config.remap != ACRE_HEAP_REMAP_NONE);
  if (big) {
    EXPECT_TRUE(isZero(big, half));
    std::memset(big, 1, half);
  }
  for (size_t i = 1; i < handles.size(); i += 2)
    EXPECT_TRUE(isZero(acre_heap_handle_get(handles[i]), 12000));
  EXPECT_TRUE(acre_heap_check(heap));
}

constexpr size_t heapPage = 8192;

/* Little is alive, so a collection costs less than the frames of a large object. */
TEST(HeapInOneStep, CollectsWhereThatCostsLessThanMovingFrames) {
  acre_heap_config config = acre_heap_preset(ACRE_HEAP_ACRE);
  config.limit = size_t{8} << 20;
  config.is_incremental = false;
  acre_heap *heap = acre_heap_new(&config);
  ASSERT_NE(heap, nullptr);
  void *kept[16] = {};
  ASSERT_TRUE(acre_heap_add_roots(heap, kept, sizeof kept, false));
  std::mt19937_64 random(1);
  size_t pages = 0;
  for (size_t i = 0; i < 4000; i++) {
    size_t size = (1 + random() % 20) * heapPage;
    kept[random() % 16] = acre_heap_try_alloc_bytes(heap, size);
    pages += size / heapPage;
  }
  acre_heap_stats stats;
  acre_heap_get_stats(heap, &stats);
  EXPECT_LT(stats.pages_remapped, pages / 100);
  EXPECT_LT(stats.collections, 2 * pages * heapPage / config.limit + 10);
  EXPECT_TRUE(acre_heap_check(heap));
  acre_heap_delete(heap);
}

/* Only the address one past the end of each object is kept; many end where a page does. */
TEST_P(Heap, KeepsObjectsOfWholePagesByTheirEnds) {
  make();
  char *ends[40] = {};
  size_t sizes[40] = {};
  ASSERT_TRUE(acre_heap_add_roots(heap, ends, sizeof ends, false));
  std::mt19937_64 random(1);
  for (size_t i = 0; i < 3000; i++) {
    size_t size = (1 + random() % 4) * heapPage - random() % 3, at = random() % 40;
    char *p = static_cast<char *>(acre_heap_try_alloc_bytes(heap, size));
    if (!p) {
      ends[at] = nullptr;
      continue;
    }
    EXPECT_TRUE(isZero(p, size));
    std::memset(p, static_cast<int>(at + 1), size);
    ends[at] = p + size;
    sizes[at] = size;
    for (size_t k = random() % 8 ? 40 : 0; k < 40; k++)
      EXPECT_TRUE(!ends[k] || (ends[k][-1] == static_cast<char>(k + 1) &&
                               *(ends[k] - sizes[k]) == static_cast<char>(k + 1)));
    if (i % 300 == 0) {
      EXPECT_TRUE(acre_heap_check(heap));
    }
  }
  acre_heap_collect(heap);
  acre_heap_collect(heap);
  size_t alive = 0;
  for (size_t k = 0; k < 40; k++)
    alive += ends[k] != nullptr;
  EXPECT_EQ(stats().live_objects, alive) << "and no object by another one's start";
  EXPECT_TRUE(acre_heap_check(heap));
}

TEST(HeapLimit, ObjectsOfWholePagesTakeNoFrameMore) {
  acre_heap_config config = acre_heap_preset(ACRE_HEAP_ACRE);
  config.limit = size_t{2} << 20;
  acre_heap *heap = acre_heap_new(&config);
  ASSERT_NE(heap, nullptr);
  size_t pages = 0;
  for (void *p; (p = acre_heap_try_alloc_bytes(heap, (1 + pages % 2) * heapPage)) != nullptr;
       pages += 1 + pages % 2)
    ASSERT_NE(acre_heap_handle_new(heap, p), nullptr);
  EXPECT_GT(pages, config.limit / heapPage * 95 / 100);
  EXPECT_TRUE(acre_heap_check(heap));
  acre_heap_delete(heap);
}

/* A heap full of one size, then of another: only where pages migrate can the second use what the
 * first left. */
TEST_P(Heap, MigrationLetsFreePagesServeAnotherSize) {
  config.is_incremental = false; /* so that it fills all before it collects */
  make();
  while (acre_heap_try_alloc_bytes(heap, 40) && composition().pages < config.limit)
    ;
  acre_heap_collect(heap);
  std::vector<acre_heap_handle *> handles;
  while (void *p = acre_heap_try_alloc_bytes(heap, 1000))
    handles.push_back(acre_heap_handle_new(heap, p));
  if (config.uses_migration) {
    EXPECT_GT(handles.size() * 1024, config.limit * 3 / 4);
    EXPECT_GT(stats().migrations, 0u);
  } else {
    EXPECT_EQ(handles.size(), 0u);
  }
  EXPECT_TRUE(acre_heap_check(heap));
}

/* One object on each page: nothing migrates, but the gaps between serve other sizes. */
TEST_P(Heap, FillingUsesTheGapsOnPages) {
  make();
  std::vector<acre_heap_handle *> handles;
  while (void *p = acre_heap_try_alloc_bytes(heap, 100))
    handles.push_back(acre_heap_handle_new(heap, p));
  for (size_t i = 0; i < handles.size(); i++)
    if (i % 40)
      acre_heap_handle_set(heap, handles[i], nullptr);
  acre_heap_collect(heap);
  size_t count = 0;
  while (void *p = acre_heap_try_alloc_bytes(heap, 1500)) {
    EXPECT_TRUE(isZero(p, 1500));
    std::memset(p, 1, 1500);
    handles.push_back(acre_heap_handle_new(heap, p));
    count++;
  }
  EXPECT_EQ(stats().gaps_filled != 0, config.fill != ACRE_HEAP_FILL_NONE);
  if (config.fill) {
    EXPECT_GT(count * 1500, config.limit / 4);
  } else {
    EXPECT_LE(count * 1500, config.limit / 8);
  }
  EXPECT_TRUE(acre_heap_check(heap));
}

/* Every other object of each page goes: no page is free, but small objects take the larger cells,
 * and collect for that no more often than an eighth of the heap is allocated. */
TEST(HeapWithoutLinks, SmallObjectsTakeLargerCellsWhereThereIsNoPage) {
  acre_heap_config config = acre_heap_preset(ACRE_HEAP_ACRE);
  config.limit = std::size_t{2} << 20;
  config.poisons = true;
  acre_heap *heap = acre_heap_new(&config);
  ASSERT_NE(heap, nullptr);
  std::vector<acre_heap_handle *> handles;
  while (void *p = acre_heap_try_alloc_bytes(heap, 2000))
    handles.push_back(acre_heap_handle_new(heap, p));
  size_t gone = 0;
  for (size_t i = 0; i < handles.size(); i += 2, gone++)
    acre_heap_handle_set(heap, handles[i], nullptr);
  acre_heap_collect(heap);
  acre_heap_stats before, after;
  acre_heap_get_stats(heap, &before);
  for (size_t i = 0; i < gone; i++) {
    void *p = acre_heap_try_alloc(heap, sizeof(Node), alignof(Node), &nodeSite);
    ASSERT_NE(p, nullptr) << i << " of " << gone;
    EXPECT_TRUE(isZero(p, sizeof(Node)));
    EXPECT_EQ(acre_heap_object_size(heap, p), sizeof(Node));
    acre_heap_handle_set(heap, handles[2 * i], p);
  }
  acre_heap_get_stats(heap, &after);
  EXPECT_LE(after.collections - before.collections, 10u)
      << "each eighth takes two: one in increments, which is due, and one for the page";
  EXPECT_TRUE(acre_heap_check(heap));
  EXPECT_EQ(acre_heap_try_alloc_bytes(heap, 2000), nullptr) << "more was free than went";
  acre_heap_delete(heap);
}

TEST_P(Heap, ProfilesCountObjectsBySize) {
  make();
  Node *kept = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &kept);
  for (int i = 0; i < 10; i++)
    kept = newNode(heap);
  acre_heap_try_alloc_bytes(heap, 100000);
  acre_heap_collect(heap);
  std::FILE *file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  ASSERT_TRUE(acre_heap_write_profile(heap, fileno(file)));
  std::rewind(file);
  std::string text(1000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  EXPECT_EQ(text, "acre heap profile 1\nheader " + std::to_string(config.header_words * 8) +
                      "\n# size allocated live\n24 10 1\n8192 1 0\n");
  EXPECT_FALSE(acre_heap_write_profile(heap, -1));
  acre_heap_pop(heap, &frame);
}

TEST_P(Heap, TracesAreLinesOfJson) {
  std::FILE *file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  int fd = fileno(file);
  config.trace = acre_heap_trace_to_fd;
  config.context = &fd;
  make();
  for (int i = 0; i < 100; i++)
    newNode(heap);
  acre_heap_collect(heap);
  std::rewind(file);
  std::string text(100000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  /* Allocations that made the program wait are told too: how many depends on the machine. */
  while (text.rfind("{\"event\":\"allocate\",", 0) == 0) {
    size_t end = text.find('\n');
    ASSERT_NE(end, std::string::npos) << text;
    text.erase(0, end + 1);
  }
  EXPECT_EQ(text.rfind("{\"event\":\"start\",\"collection\":1,", 0), 0u) << text;
  EXPECT_NE(text.find("\n{\"event\":\"finish\","), std::string::npos) << text;
  EXPECT_NE(text.find("\"useful\":2400,"), std::string::npos) << text;
  EXPECT_EQ(text.back(), '\n');
}

TEST_P(Heap, DeletingGivesAllMemoryBack) {
  size_t before = acre_pages_in_use();
  make();
  for (int i = 0; i < 1000; i++)
    ASSERT_NE(acre_heap_handle_new(heap, newNode(heap)), nullptr);
  acre_heap_delete(heap);
  heap = nullptr;
  EXPECT_EQ(acre_pages_in_use(), before);
}

TEST_P(Heap, EachFailureOfTheSystemIsSurvived) {
  for (uint64_t at = 1;; at++) {
    acre_os_fail_at(at);
    uint64_t start = acre_os_request_count();
    heap = acre_heap_new(&config);
    Node *list = nullptr;
    if (heap) {
      ACRE_HEAP_FRAME(heap, frame, &list);
      for (int i = 0; i < 3000; i++) {
        Node *node = newNode(heap, list);
        list = node && i % 4 == 0 ? node : list;
        if (i % 500 == 0)
          acre_heap_try_alloc_bytes(heap, static_cast<size_t>(i) * 40);
        acre_heap_handle *handle = i % 100 ? nullptr : acre_heap_handle_new(heap, node);
        acre_heap_handle_delete(heap, handle);
      }
      acre_heap_collect(heap);
      bool isDone = acre_os_request_count() - start < at;
      acre_os_fail_at(0);
      ASSERT_TRUE(acre_heap_check(heap)) << "request " << at;
      acre_heap_pop(heap, &frame);
      acre_heap_delete(heap);
      heap = nullptr;
      if (isDone)
        break;
    }
    acre_os_fail_at(0);
  }
}

TEST_P(Heap, ChecksFindDamage) {
  make();
  Node *list = nullptr;
  ACRE_HEAP_FRAME(heap, frame, &list);
  for (int i = 0; i < 10; i++)
    list = newNode(heap, list);
  Node *lost = list->left;
  Node *invisible = newNode(heap);
  acre_heap_collect(heap);
  ASSERT_TRUE(acre_heap_check(heap));
  testing::internal::CaptureStderr();
  /* A pointer to an object that was reclaimed ... */
  list->left = invisible;
  EXPECT_FALSE(acre_heap_check(heap));
  EXPECT_NE(
      testing::internal::GetCapturedStderr().find("a pointer to an object that was reclaimed"),
      std::string::npos);
  list->left = lost;
  /* ... and a header that was overwritten. */
  std::uint64_t *header = reinterpret_cast<std::uint64_t *>(lost) - config.header_words,
                saved = *header;
  *header ^= config.uses_bitmaps ? UINT64_C(1) << 48 : 1; /* a padding, or a link */
  testing::internal::CaptureStderr();
  EXPECT_FALSE(acre_heap_check(heap));
  testing::internal::GetCapturedStderr();
  *header = saved;
  EXPECT_TRUE(acre_heap_check(heap));
  acre_heap_pop(heap, &frame);
}

/* A store that the collector is not told of, at the worst moment: the check must see what it
 * breaks. */
TEST_P(Heap, ChecksFindAMissingBarrier) {
  config.increment_objects = 1;
  config.increment_words = 3;
  make();
  Node *holder = nullptr, *chain = nullptr;
  ACRE_HEAP_FRAME(heap, older, &chain, &holder); /* the holder is greyed last, and scanned first */
  holder = newNode(heap);
  for (int i = 0; i < 100; i++)
    chain = newNode(heap, chain);
  ACRE_HEAP_FRAME(heap, newer, nullptr);
  newer.count = 0;
  acre_heap_collect_start(heap);
  bool isSeen = false;
  testing::internal::CaptureStderr();
  for (int i = 0; i < 20 && !isSeen; i++) {
    acre_heap_collect_some(heap);
    if (Node *last = chain->left) {
      /* Moved from a grey object, or one not seen, to the holder that may be black. */
      while (last->left)
        last = last->left;
      holder->right = last;
      isSeen = !acre_heap_check(heap);
      holder->right = nullptr;
    }
  }
  testing::internal::GetCapturedStderr();
  EXPECT_TRUE(isSeen);
  acre_heap_collect_finish(heap);
  acre_heap_pop(heap, &older);
}

class HeapDeathTest : public testing::Test {};

TEST(HeapDeathTest, MisuseIsNamed) {
  acre_heap_config config = acre_heap_preset(ACRE_HEAP_ACRE);
  config.name = "mine";
  acre_heap *heap = acre_heap_new(&config);
  void *object = acre_heap_alloc(heap, 8, 8, nullptr);
  EXPECT_DEATH(acre_heap_alloc(heap, 8, 3, nullptr), "alignment 3 is not a power of two");
  EXPECT_DEATH(acre_heap_alloc(heap, SIZE_MAX / 2, 8, nullptr),
               "heap \"mine\": out of memory: .* bytes wanted");
  EXPECT_DEATH(acre_heap_alloc_array(heap, SIZE_MAX, 16, 8, nullptr),
               "larger than the address space");
  EXPECT_DEATH(acre_heap_free(heap, static_cast<char *>(object) + 1),
               "wants the start of an object");
  EXPECT_DEATH((acre_heap_free(heap, object), acre_heap_free(heap, object)), "freed twice");
  EXPECT_DEATH(acre_heap_remove_roots(heap, object), "no roots begin at");
  acre_heap_frame frame = {};
  EXPECT_DEATH(acre_heap_pop(heap, &frame), "is not pushed");
  EXPECT_DEATH(
      (acre_heap_push(heap, &frame), acre_heap_pop(heap, &frame), acre_heap_pop(heap, &frame)),
      "is not pushed");
  EXPECT_DEATH(acre_heap_collect(reinterpret_cast<acre_heap *>(object)), "is not a heap");
  EXPECT_DEATH(std::thread([&] { acre_heap_collect(heap); }).join(), "used by another thread");
  acre_heap_delete(heap);
}

TEST(HeapDeathTest, ConfigurationsThatMakeNoSenseAreRejected) {
  static const std::uint32_t descending[] = {64, 32};
  acre_heap_config base = acre_heap_preset(ACRE_HEAP_TM_RM), config = base;
  auto make = [&] { acre_heap_delete(acre_heap_new(&config)); };
  config.header_words = 4;
  EXPECT_DEATH(make(), "header_words may be 1, 2 or 3");
  config = base;
  config.limit = 100;
  EXPECT_DEATH(make(), "less than a page");
  config = base;
  config.uses_big_objects = false;
  EXPECT_DEATH(make(), "remap moves frames to big objects");
  config = base;
  config.cell_sizes = descending;
  config.cell_size_count = 2;
  EXPECT_DEATH(make(), "ascending multiples of 8");
  config = base;
  config.limit = size_t{1} << 40;
  EXPECT_DEATH(make(), "more than 32 GiB");
}

} // namespace
