/* Heaps that find out by themselves what was stored: a pointer to an object that no collection has
 * seen comes up between two increments, in each phase, in a place that was visited already or not
 * yet, and moves on.  Nothing that has come up may be reclaimed.  Until it comes up a pointer is
 * disguised. */
#include "heap_internals.h"
#include "heap_support.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <thread>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/single_threaded.h>
#include <unistd.h>

extern "C" {
#include "platform/sanitizer.h"
}

namespace {

constexpr std::uintptr_t kDisguise = 0x5555555555555555;
constexpr std::size_t kPages = 160, kPageSlots = 1000, kBigSlots = 24000, kGlobalSlots = 3000,
                      kOneSlots = 1500;

constexpr std::size_t kEnough = std::size_t{1} << 40;
/* Seeds from here on: memory outside the heap is searched at once; with the next one so are a few
 * slots, in vain. */
constexpr int kAtOnce = 4;

constexpr std::uint32_t kSizesBy16[] = {16, 32, 48, 64, 96, 128, 240, 496, 1008, 2032, 4080, 8176};

struct Item {
  Item *next;
  std::uint64_t number, complement;
};
bool isWhole(const Item *item) { return item->complement == ~item->number; }

Item *volatile inData[kGlobalSlots] = {reinterpret_cast<Item *>(1)};
Item *volatile inZeroed[kGlobalSlots];
thread_local Item *volatile inThread[kOneSlots];

/* Overwrites what calls before have left below the frames that are in use. */
__attribute__((noinline)) void clearStack() {
  char dead[1 << 14];
  memset(dead, 0, sizeof dead);
  asm volatile("" : : "r"(dead) : "memory");
}

class HeapWatch : public testing::TestWithParam<int> {
protected:
  unsigned words = 300;     /* of an increment */
  std::size_t newSlots = 0; /* not 0: what comes up does so in a new object of so many */
  acre_heap *heap = nullptr;
  std::mt19937 random{static_cast<unsigned>(GetParam())};
  Item *volatile *pages[kPages] = {};
  Item *volatile *big = nullptr;
  Item *volatile *mapped = nullptr;
  std::unique_ptr<Item *volatile[]> inMalloc{new Item *volatile[kOneSlots]()};
  std::vector<std::uintptr_t> hidden;   /* disguised: has not come up */
  std::vector<Item *volatile *> places; /* where what has come up is */
  std::uint64_t made = 0;

  void SetUp() override {
    if (acre_memory_is_checked())
      GTEST_SKIP() << "a memory checker has memory of its own, and forbids to search stacks";
    acre_heap_config config = acre_heap_preset(ACRE_HEAP_ACRE);
    config.name = "watched";
    config.scans_memory = config.poisons = true;
    config.limit = std::size_t{64} << 20;
    config.increment_bytes = 1u << 30; /* increments are asked for */
    config.increment_words = words;
    config.increment_objects = 50;
    if (GetParam() % 2 == 0) { /* as the heap of a process: where cells start, a bit says all */
      config.cell_sizes = kSizesBy16;
      config.cell_size_count = std::size(kSizesBy16);
    }
    heap = acre_heap_new(&config);
    ASSERT_NE(heap, nullptr);
    heap_find_stores(heap);
    if (GetParam() >= kAtOnce)
      heap_do_at_once(heap, kEnough, GetParam() == kAtOnce ? 0 : 40);
    heap_set_last_scanned(heap, kEnough);
    acre_heap_collect_start(heap);
    if (!heap_is_tracked(heap))
      GTEST_SKIP() << "the kernel does not tell what was written";
    acre_heap_collect_finish(heap);
    for (auto &page : pages)
      page = array(kPageSlots);
    big = array(kBigSlots);
    void *mapping =
        mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(mapping, MAP_FAILED);
    mapped = static_cast<Item *volatile *>(mapping);
  }
  void TearDown() override {
    for (Item *volatile *place : places)
      *place = nullptr;
    if (mapped)
      munmap(const_cast<Item **>(mapped), 1 << 20);
    acre_heap_delete(heap);
  }

  Item *volatile *array(std::size_t slots) {
    return static_cast<Item *volatile *>(acre_heap_alloc(heap, slots * sizeof(Item *), 8, nullptr));
  }

  /* A list of count items, disguised. */
  __attribute__((noinline)) void hide(std::size_t count) {
    Item *list = nullptr;
    for (; count > 0; count--) {
      auto *item = static_cast<Item *>(acre_heap_alloc(heap, sizeof(Item), alignof(Item), nullptr));
      *item = {list, made, ~made};
      made++;
      list = item;
    }
    hidden.push_back(reinterpret_cast<std::uintptr_t>(list) ^ kDisguise);
  }
  void hideMany(std::size_t lists, std::size_t longest = 700) {
    for (std::size_t i = 0; i < lists; i++)
      hide(i % 37 ? 1 + i % 3
                  : longest); /* the marking of a long one is more than an increment does */
    clearStack();
  }

  /* A place that is free: most in the heap. */
  Item *volatile *somePlace() {
    for (;;) {
      std::size_t at = random();
      Item *volatile *place;
      switch (random() % 16) {
      case 0:
        place = &inData[1 + at % (kGlobalSlots - 1)];
        break;
      case 1:
        place = &inZeroed[at % kGlobalSlots];
        break;
      case 2:
        place = &inThread[at % kOneSlots];
        break;
      case 3:
        place = &inMalloc[at % kOneSlots];
        break;
      case 4:
        place = &mapped[at % ((1 << 20) / sizeof *mapped)];
        break;
      case 5:
      case 6:
      case 7:
        place = &big[at % kBigSlots];
        break;
      default:
        place = &pages[at % kPages][at / kPages % kPageSlots];
      }
      if (!*place)
        return place;
    }
  }

  /* Some in an object that is made for it, which no collection has seen either. */
  __attribute__((noinline)) void bringUp() {
    Item *volatile *place = newSlots ? array(newSlots) : random() % 4 ? somePlace() : array(4);
    *place = reinterpret_cast<Item *>(hidden.back() ^ kDisguise);
    hidden.pop_back();
    places.push_back(place);
  }
  __attribute__((noinline)) void move() {
    if (places.empty())
      return;
    std::size_t at = random() % places.size();
    Item *volatile *to = somePlace(), *from = *places[at];
    for (std::size_t i = random() % 300; i > 0 && from->next; i--)
      from = from->next;
    if (from->next) { /* the rest of the list */
      *to = from->next;
      from->next = nullptr;
      places.push_back(to);
    } else {
      *to = *places[at];
      *places[at] = nullptr;
      places[at] = to;
    }
  }

  /* One collection, in which something comes up between increments while there are any of the step:
     once in so many, and so many at a time.  IDLE: of any step.  What has come up may move, until
     the end. */
  void collect(heap_step step, unsigned once, unsigned many, bool movesToo = false) {
    heap_set_last_scanned(heap, 0);
    acre_heap_collect_start(heap);
    for (bool isDone = false; !isDone;) {
      heap_step now = heap_step_of(heap);
      bool isTime = now != HEAP_STEP_ENDING && (step == HEAP_STEP_IDLE || now == step) &&
                    random() % once == 0;
      for (unsigned i = 0; isTime && i < many && !hidden.empty(); i++)
        bringUp();
      for (unsigned moves = random() % 4; movesToo && moves > 0; moves--)
        move();
      clearStack();
      isDone = acre_heap_collect_some(heap);
    }
  }

  __attribute__((noinline)) void expectWhole() {
    for (Item *volatile *place : places) {
      ASSERT_EQ(acre_heap_object_of(heap, *place), *place);
      for (const Item *item = *place; item; item = item->next)
        ASSERT_TRUE(isWhole(item)) << item->number;
    }
    EXPECT_TRUE(acre_heap_check(heap));
  }
};

INSTANTIATE_TEST_SUITE_P(Seeds, HeapWatch, testing::Range(1, kAtOnce + 2));

/* Only the visits of that phase, or of those after it, can find what comes up in one of them. */
TEST_P(HeapWatch, FindsWhatComesUpInOnePhase) {
  for (heap_step step : {HEAP_STEP_ROOTS, HEAP_STEP_CHASE, HEAP_STEP_SETTLE}) {
    hideMany(step == HEAP_STEP_CHASE ? 45000 : 15000, 1);
    std::size_t before = places.size();
    /* Where memory outside the heap is not chased, fewer increments chase. */
    step == HEAP_STEP_CHASE ? collect(step, 1, GetParam() < kAtOnce ? 4 : 8) : collect(step, 12, 1);
    expectWhole();
    if (step == HEAP_STEP_ROOTS || step == HEAP_STEP_CHASE) {
      EXPECT_GE(places.size(), before + 5) << "in phase " << step;
      EXPECT_FALSE(hidden.empty()) << "nothing came up at the end of phase " << step;
    }
    hidden.clear(); /* what did not come up is garbage */
  }
}

/* What is made after the colours have changed is not scanned: it must be seen that it is written,
 * on new pages too. */
TEST_P(HeapWatch, FindsWhatComesUpInNewObjects) {
  newSlots = 900;
  for (int i = 0; i < 10; i++) {
    hideMany(40, 1);
    collect(HEAP_STEP_IDLE, 1, 1);
    expectWhole();
    hidden.clear();
  }
}

/* Next to big objects that are scanned late, one after the other: what protects their pages visits
 * what is new there. */
TEST_P(HeapWatch, FindsWhatComesUpInNewBigObjects) {
  newSlots = 1100;
  static void *volatile chain;
  chain = nullptr;
  for (int i = 0; i < 80; i++) {
    Item *volatile *made = array(newSlots);
    if (i % 2) {
      *made = static_cast<Item *>(chain);
      chain = const_cast<Item **>(made);
    }
  }
  clearStack();
  acre_heap_collect(heap); /* every other one */
  hideMany(60, 1);
  collect(HEAP_STEP_IDLE, 1, 1);
  expectWhole();
  hidden.clear();
  chain = nullptr;
}

/* Only a pointer just past its end refers to an object, and the next one is marked: with cells of
 * 24 bytes the pointer is where the bit of the next cell begins. */
TEST_P(HeapWatch, FindsWhatIsReferredToByItsEndOnly) {
  constexpr std::size_t count = 60, bytes = 16;
  std::vector<std::uintptr_t> disguised;
  for (std::size_t i = 0; i < 2 * count; i++) {
    auto made = reinterpret_cast<std::uintptr_t>(acre_heap_alloc(heap, bytes, 8, nullptr));
    if (i % 2)
      big[i] = reinterpret_cast<Item *>(made);
    else
      disguised.push_back(made ^ kDisguise);
  }
  clearStack();
  heap_set_last_scanned(heap, 0);
  acre_heap_collect_start(heap);
  std::size_t stored = 0; /* where all is done at once, none is */
  for (; !acre_heap_collect_some(heap); clearStack())
    for (; heap_step_of(heap) == HEAP_STEP_CHASE && stored < count; stored++)
      pages[stored][stored] = reinterpret_cast<Item *>((disguised[stored] ^ kDisguise) + bytes);
  EXPECT_TRUE(stored == count || GetParam() >= kAtOnce);
  for (std::size_t i = 0; i < stored; i++) {
    auto *object = reinterpret_cast<void *>(disguised[i] ^ kDisguise);
    EXPECT_EQ(acre_heap_object_of(heap, object), object);
  }
}

/* As much is written during each pass as it visits: only the limit of passes ends them. */
TEST_P(HeapWatch, FindsWhatComesUpInManyPagesAtOnce) {
  hideMany(30000, 1);
  collect(HEAP_STEP_CHASE, 1, 8);
  EXPECT_FALSE(hidden.empty());
  expectWhole();
  hidden.clear();
}

/* More than an increment may mark comes up just before the last visit. */
TEST_P(HeapWatch, FindsLongListsThatComeUpLate) {
  for (int i = 0; i < 300; i++)
    hide(500);
  clearStack();
  collect(HEAP_STEP_CHASE, 40, 1, true);
  EXPECT_FALSE(hidden.empty());
  expectWhole();
  hidden.clear();
}

TEST_P(HeapWatch, FindsWhatMovesThroughAllPhases) {
  for (int i = 0; i < 4; i++) {
    hideMany(600);
    std::size_t before = places.size();
    collect(HEAP_STEP_IDLE, 1 + i, 1, true);
    EXPECT_GT(places.size(), before);
    expectWhole();
    hidden.clear();
  }
}

/* All that the first step does was unprotected.  Where it is all there is to do, nothing may have
 * been allocated since the colours changed. */
TEST_P(HeapWatch, FindsWhatComesUpBeforeTheFirstStep) {
  for (std::size_t atOnce : {std::size_t{0}, std::size_t{2000}, std::size_t{40000}, kEnough}) {
    heap_do_at_once(heap, kEnough, atOnce);
    for (std::size_t slots : {0, 3, 900, 1100}) {
      hideMany(8, 1);
      newSlots = slots;
      heap_set_last_scanned(heap, 0);
      acre_heap_collect_start(heap);
      for (int i = 0; i < 4; i++)
        bringUp();
      clearStack();
      bool isDone = acre_heap_collect_some(heap);
      EXPECT_EQ(heap_found_little_outside(heap), __libc_single_threaded != 0);
      while (!isDone) {
        if (!hidden.empty() && random() % 20 == 0)
          bringUp();
        clearStack();
        isDone = acre_heap_collect_some(heap);
      }
      expectWhole();
      hidden.clear();
    }
  }
}

/* What was made since the colours changed was not scanned, if all the rest is done at once. */
TEST_P(HeapWatch, FindsWhatComesUpInNewObjectsBeforeAllIsDoneAtOnce) {
  for (std::size_t slots : {3, 900, 1100}) {
    newSlots = slots;
    hideMany(4, 1);
    acre_heap_collect_start(heap);
    bringUp();
    clearStack();
    acre_heap_collect_finish(heap);
    expectWhole();
    hidden.clear();
  }
}

/* A big object of which the first step has read a part, and what is stored in that part then. */
TEST_P(HeapWatch, FindsWhatIsStoredInWhatTheFirstStepReadInPart) {
  heap_do_at_once(heap, kEnough, kBigSlots / 8);
  static Item *volatile *volatile only;
  for (auto &page : pages)
    page = nullptr;
  only = big;
  big = nullptr;
  for (int round = 0; round < 4; round++) {
    hideMany(300, 1);
    heap_set_last_scanned(heap, 0);
    acre_heap_collect_start(heap);
    acre_heap_collect_some(heap);
    for (std::size_t at = round; !hidden.empty(); at += kBigSlots / 400) {
      only[at] = reinterpret_cast<Item *>(hidden.back() ^ kDisguise);
      places.push_back(&only[at]);
      hidden.pop_back();
    }
    clearStack();
    while (!acre_heap_collect_some(heap))
      ;
    expectWhole();
  }
  big = only;
  only = nullptr;
}

/* More memory than is searched at once is searched in slices. */
TEST_P(HeapWatch, SearchesMuchMemoryInSlices) {
  heap_do_at_once(heap, 1000, kEnough);
  hideMany(100);
  collect(HEAP_STEP_IDLE, 2, 1, true);
  EXPECT_FALSE(heap_found_little_outside(heap));
  expectWhole();
  hidden.clear();
}

/* Memory outside the heap that cannot be read for a while, moves, or is shared, in a collection
 * that finds it unchanged. */
TEST_P(HeapWatch, FindsWhatIsInMappingsThatChange) {
  constexpr std::size_t size = 1 << 16;
  const int flags[] = {MAP_PRIVATE | MAP_ANONYMOUS, MAP_PRIVATE | MAP_ANONYMOUS,
                       MAP_SHARED | MAP_ANONYMOUS};
  Item *volatile *mappings[3];
  for (int i = 0; i < 3; i++) {
    void *mapping = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags[i], -1, 0);
    ASSERT_NE(mapping, MAP_FAILED);
    mappings[i] = static_cast<Item *volatile *>(mapping);
    hide(2);
    clearStack();
    mappings[i][10] = reinterpret_cast<Item *>(hidden.back() ^ kDisguise);
  }
  collect(HEAP_STEP_ENDING, 1, 1); /* so that their pages have been protected */
  void *hiddenOne = const_cast<Item **>(mappings[0]), *moved = const_cast<Item **>(mappings[1]);
  ASSERT_EQ(mprotect(hiddenOne, size, PROT_NONE), 0);
  acre_heap_collect_start(heap);
  bool isChanged = false;
  for (bool isDone = false; !isDone; isDone = acre_heap_collect_some(heap))
    if (!isChanged && heap_step_of(heap) >= HEAP_STEP_CHASE) {
      isChanged = true;
      ASSERT_EQ(mprotect(hiddenOne, size, PROT_READ | PROT_WRITE), 0);
      void *to = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      moved = mremap(moved, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to);
      ASSERT_EQ(moved, to);
      mappings[1] = static_cast<Item *volatile *>(moved);
    }
  for (Item *volatile *mapping : mappings) {
    EXPECT_EQ(acre_heap_object_of(heap, mapping[10]), mapping[10]);
    EXPECT_TRUE(isWhole(mapping[10]) && isWhole(mapping[10]->next));
    munmap(const_cast<Item **>(mapping), size);
  }
}

/* However far it has come: what was searched in an earlier collection, and not written since, was
 * not searched in this one. */
TEST_P(HeapWatch, FindsAllWhereTheRestIsDoneAtOnce) {
  hideMany(100);
  while (!hidden.empty())
    bringUp();
  for (int increments = 0; increments < 400; increments += 1 + increments / 4) {
    collect(HEAP_STEP_ENDING, 1, 1);
    acre_heap_collect_start(heap);
    for (int i = 0; i < increments && !acre_heap_collect_some(heap); i++)
      ;
    acre_heap_collect_finish(heap);
    expectWhole();
  }
}

/* While another thread lets pointers change places all the time. */
TEST_P(HeapWatch, FindsWhatAnotherThreadMoves) {
  hideMany(300);
  while (!hidden.empty())
    bringUp();
  std::atomic<bool> isOver = false;
  std::thread other([&] {
    heap_know_thread();
    for (std::size_t i = 0; !isOver; i++) {
      Item *volatile *one = places[i * 7 % places.size()], *volatile *two =
                                                               places[i * i % places.size()];
      Item *kept = *one;
      *one = *two;
      *two = kept;
    }
  });
  for (int i = 0; i < 5; i++) {
    acre_heap_collect_start(heap);
    while (!acre_heap_collect_some(heap))
      ;
  }
  isOver = true;
  other.join();
  expectWhole();
}

/* Each question to the kernel ends an increment, so that the last visit can be waited for. */
class HeapWatchLast : public HeapWatch {
protected:
  HeapWatchLast() { words = 1; }

  void collectUntilLastVisit() {
    while (heap_step_of(heap) != HEAP_STEP_SETTLE) {
      clearStack();
      ASSERT_FALSE(acre_heap_collect_some(heap)) << "no increment ended before the last visit";
    }
  }
  std::uintptr_t takeHidden() {
    std::uintptr_t last = hidden.back();
    hidden.pop_back();
    return last;
  }
  __attribute__((noinline)) void bringUpAt(Item *volatile *place) {
    *place = reinterpret_cast<Item *>(takeHidden() ^ kDisguise);
    places.push_back(place);
  }
};
INSTANTIATE_TEST_SUITE_P(Seeds, HeapWatchLast, testing::Range(1, 3));

/* Fewer, as many, and more than the list that the kernel fills, of pages that are written since
 * they were protected. */
TEST_P(HeapWatchLast, FindsWhatComesUpOnMorePagesThanOneAnswerNames) {
  constexpr std::size_t page = 4096, slots = page / sizeof(Item *), most = 132;
  static_assert(most <= kPages);
  if (sysconf(_SC_PAGESIZE) != page)
    GTEST_SKIP() << "objects of one page of the heap are on one page of the system";
  void *mapping =
      mmap(nullptr, 2 * most * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapping, MAP_FAILED);
  auto **outside = static_cast<Item **>(mapping);
  for (std::size_t i = 0; i < 2 * most; i++)
    outside[i * slots] = reinterpret_cast<Item *>(1); /* so that it has memory */
  std::size_t slot = 1;
  for (std::size_t count = 124; count <= most; count++, slot++)
    for (bool isOutside : {false, true}) {
      for (std::size_t i = 0; i < count; i++)
        hide(1);
      clearStack();
      acre_heap_collect_start(heap);
      collectUntilLastVisit();
      for (std::size_t i = 0; i < count; i++) {
        Item *volatile *place = isOutside ? &outside[2 * i * slots + slot] : &pages[i][slot];
        *place = reinterpret_cast<Item *>(takeHidden() ^ kDisguise);
        places.push_back(place);
      }
      acre_heap_collect_finish(heap);
      expectWhole();
    }
  for (Item *volatile *place : places)
    *place = nullptr;
  places.clear();
  munmap(mapping, 2 * most * page);
}

/* It does not look at garbage, nor at what is long and holds numbers only: but at what lies
 * between. */
TEST_P(HeapWatchLast, FindsWhatComesUpBetweenGarbageAndNumbers) {
  constexpr std::size_t longBytes = 300 * 8192, longSlots = longBytes / sizeof(Item *),
                        shortSlots = 2000;
  static const acre_type numbers = {"double", sizeof(double), alignof(double), 0,      0,
                                    0,        nullptr,        nullptr,         nullptr};
  static const acre_site site = {&numbers, "test.c", "test", 5};
  void *volatile kept[3];
  Item *volatile *arrays[6];
  for (std::size_t i = 0; i < 3; i++) {
    kept[i] = acre_heap_alloc(heap, longBytes, 8, &site);
    arrays[i] = array(longSlots);
    hideMany(15000, 1); /* garbage, of 100 pages at least */
    hidden.clear();
    arrays[3 + i] = array(i % 2 ? kPageSlots : shortSlots);
  }
  clearStack();
  acre_heap_collect(heap); /* what is found again is not protected any more than garbage is */
  for (int i = 0; i < 12; i++)
    hide(1);
  clearStack();
  acre_heap_collect_start(heap);
  collectUntilLastVisit();
  for (std::size_t i = 0; i < 12; i++) {
    Item *volatile *array = arrays[i / 2];
    std::size_t last = (i < 6 ? longSlots : i / 2 % 2 ? shortSlots : kPageSlots) - 1;
    array[i % 2 ? last : 0] = reinterpret_cast<Item *>(takeHidden() ^ kDisguise);
    places.push_back(&array[i % 2 ? last : 0]);
  }
  acre_heap_collect_finish(heap);
  expectWhole();
  EXPECT_NE(kept[0], kept[2]);
}

/* More is written than a stop may visit, and all that comes up does so on the page that it would
 * visit last: the program runs on, and the next pass finds it; after some such stops the stop. */
TEST_P(HeapWatchLast, VisitsABoundedPartOfWhatWasWritten) {
  constexpr std::size_t patient = 3;
  hideMany(patient + 1, 1);
  Item *volatile *last = *std::max_element(std::begin(pages), std::end(pages));
  acre_heap_collect_start(heap);
  for (std::size_t stops = 0; stops <= patient; stops++) {
    collectUntilLastVisit();
    for (auto *page : pages) {
      page[0] = nullptr;
      page[kPageSlots - 1] = nullptr;
    }
    bringUpAt(&last[1 + stops]);
    clearStack();
    bool isDone = acre_heap_collect_some(heap);
    EXPECT_EQ(!isDone && heap_step_of(heap) == HEAP_STEP_CHASE, stops < patient) << stops;
  }
  acre_heap_collect_finish(heap);
  expectWhole();
}

/* Another thread cuts a list in pieces while it is marked, from the end that marking comes to last,
 * and puts them where all has been visited. */
TEST_P(HeapWatchLast, FindsWhatAnotherThreadMovesInTheLastVisit) {
  constexpr std::size_t shortLists = 3, pieces = 4000, pieceLength = 60;
  for (std::size_t i = 0; i < shortLists; i++)
    hide(200);
  std::vector<std::uintptr_t> cuts; /* where; disguised */
  hide(pieces * pieceLength);
  auto *list = reinterpret_cast<Item *>(hidden.back() ^ kDisguise);
  std::size_t at = 0;
  for (Item *item = list; item; item = item->next)
    if (++at % pieceLength == 0)
      cuts.push_back(reinterpret_cast<std::uintptr_t>(item) ^ kDisguise);
  list = nullptr;
  cuts.pop_back(); /* nothing is behind it */
  std::reverse(cuts.begin(), cuts.end());
  clearStack();
  std::atomic<bool> isTime = false;
  std::thread other([&] {
    heap_know_thread();
    while (!isTime)
      ;
    for (std::size_t i = 0; i < cuts.size(); i++) {
      auto *before = reinterpret_cast<Item *>(cuts[i] ^ kDisguise);
      big[i] = before->next;
      before->next = nullptr;
      for (int pause = 0; pause < 2000; pause++)
        asm volatile("");
    }
  });
  acre_heap_collect_start(heap);
  /* The program runs on three times if a last visit finds too much; the fourth time it waits. */
  for (std::size_t i = 0; i <= shortLists; i++) {
    collectUntilLastVisit();
    Item *volatile *place = i < shortLists ? &pages[i][0] : &pages[kPages - 1][0];
    *place = reinterpret_cast<Item *>(hidden[i] ^ kDisguise);
    places.push_back(place);
    isTime = i == shortLists;
    bool isDone = acre_heap_collect_some(heap);
    EXPECT_EQ(isDone || heap_step_of(heap) == HEAP_STEP_ENDING, i == shortLists);
  }
  acre_heap_collect_finish(heap);
  other.join();
  hidden.clear();
  for (std::size_t i = 0; i < cuts.size(); i++)
    places.push_back(&big[i]);
  expectWhole();
}

/* Where as much is written as is visited, another pass leaves as much for the last visit.  One more
 * is always done, and some are, because the next may be the one that gains. */
TEST_P(HeapWatch, VisitsWhatWasWrittenNoMoreOftenThanItGains) {
  acre_heap_collect_start(heap);
  while (heap_step_of(heap) != HEAP_STEP_SETTLE) {
    for (auto *page : pages)
      page[0] = nullptr;
    ASSERT_FALSE(acre_heap_collect_some(heap)) << "no increment ended before the last visit";
  }
  EXPECT_GT(heap_passes(heap), 3u);
  EXPECT_LE(heap_passes(heap), 7u) << "after two that may be late four have gained nothing";
  acre_heap_collect_finish(heap);
}

long faults() {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

/* The program is about to write to them. */
TEST_P(HeapWatch, PagesWithoutAnObjectAreNotProtected) {
  hideMany(15000, 1); /* 1 MB */
  hidden.clear();
  acre_heap_collect_start(heap);
  while (!acre_heap_collect_some(heap))
    clearStack();
  acre_heap_collect_start(heap);
  while (heap_step_of(heap) == HEAP_STEP_ROOTS)
    acre_heap_collect_some(heap);
  hidden.reserve(15000);
  long before = faults();
  hideMany(15000, 1);
  EXPECT_LT(faults() - before, 100) << "250 pages of the system are written";
}

/* Only what is scanned is.  When the collection ends garbage is poisoned, which writes to its pages
 * as the program would. */
TEST_P(HeapWatch, PagesOfGarbageAreNotProtected) {
  hideMany(15000, 1);
  hidden.clear();
  acre_heap_collect_start(heap);
  long before = 0;
  do
    before = faults();
  while (!acre_heap_collect_some(heap));
  EXPECT_LT(faults() - before, 100) << "250 pages of the system are written";
}

TEST_P(HeapWatch, NewPagesGetTheirFramesTogether) {
  constexpr std::uintptr_t pageBytes = 8192;
  auto page =
      reinterpret_cast<std::uintptr_t>(acre_heap_try_alloc(heap, 4000, 8, nullptr)) & -pageBytes;
  unsigned char isThere = 0;
  ASSERT_EQ(mincore(reinterpret_cast<void *>(page + pageBytes), pageBytes / 2, &isThere), 0);
  EXPECT_TRUE(isThere & 1) << "nothing is on the next page";
}

/* The rest of a collection while only a frame has the pointer.  The place is deeper than calls of
   the caller's have come, and what is called from here is some pages further on. */
__attribute__((noinline)) void collectFromLargeFrame(acre_heap *heap, std::uintptr_t disguised) {
  Item *volatile frame[1024] = {};
  frame[1024 - 128] = reinterpret_cast<Item *>(disguised ^ kDisguise);
  while (!acre_heap_collect_some(heap))
    clearStack();
  asm volatile("" : : "r"(frame) : "memory");
}

/* The place is below the stack pointer when the collection begins, but not that of a page: so the
   page is protected after the pointer was stored, and nobody will say that it was written. */
TEST_P(HeapWatch, FindsWhatFramesStoreBeforeTheirPageIsProtected) {
  heap_know_thread();
  for (std::uintptr_t above : {1024, 1536, 2048, 2560, 3072, 3584}) {
    hide(3);
    std::uintptr_t disguised = hidden.back(),
                   here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    void *volatile room = alloca(
        (here - above) % 4096); /* what is called begins that far above the start of a page */
    clearStack();
    acre_heap_collect_start(heap);
    ASSERT_FALSE(acre_heap_collect_some(heap));
    collectFromLargeFrame(heap, disguised);
    (void)room;
    auto *item = reinterpret_cast<Item *>(disguised ^ kDisguise);
    ASSERT_EQ(acre_heap_object_of(heap, item), item) << above;
    EXPECT_TRUE(isWhole(item) && isWhole(item->next)) << above;
  }
}

/* The test could not fail if disguised pointers were found. */
TEST_P(HeapWatch, ReclaimsWhatDoesNotComeUp) {
  hideMany(400);
  collect(HEAP_STEP_ENDING, 1, 1);
  std::size_t kept = 0;
  for (std::uintptr_t each : hidden)
    kept += acre_heap_object_of(heap, reinterpret_cast<void *>(each ^ kDisguise)) != nullptr;
  EXPECT_LE(kept, 4u) << "stale words may keep a few";
}

#if defined(__x86_64__)
/* An increment while only a register that calls preserve has the pointer. */
// clang-format off
#define COLLECT_SOME_WITH(name, register) \
  __attribute__((noinline)) bool name(acre_heap *heap, std::uintptr_t disguised) { \
    bool (*some)(acre_heap *) = acre_heap_collect_some; \
    std::uintptr_t isDone, key = kDisguise; \
    asm volatile("lea -128(%%rsp), %%rsp\n push %%" register "\n" \
                 "push %%rbp\n mov %%rsp, %%rbp\n" \
                 "and $-16, %%rsp\n" \
                 "mov %%rsi, %%" register "\n xor %%rdx, %%" register "\n" \
                 "call *%%rcx\n movzbl %%al, %%eax\n" \
                 "mov %%rbp, %%rsp\n pop %%rbp\n pop %%" register "\n lea 128(%%rsp), %%rsp" \
                 : "=a"(isDone), "+D"(heap), "+S"(disguised), "+d"(key), "+c"(some) \
                 : \
                 : "r8", "r9", "r10", "r11", "memory", "cc"); \
    return isDone; \
  }
// clang-format on
COLLECT_SOME_WITH(collectWithRbx, "rbx")
COLLECT_SOME_WITH(collectWithR12, "r12")
COLLECT_SOME_WITH(collectWithR13, "r13")
COLLECT_SOME_WITH(collectWithR14, "r14")
COLLECT_SOME_WITH(collectWithR15, "r15")

TEST_P(HeapWatch, FindsWhatOnlyARegisterOfTheCallerHas) {
  for (auto *collectSome :
       {collectWithRbx, collectWithR12, collectWithR13, collectWithR14, collectWithR15}) {
    hide(3);
    std::uintptr_t disguised = hidden.back();
    clearStack();
    acre_heap_collect_start(heap);
    while (!collectSome(heap, disguised))
      clearStack();
    auto *item = reinterpret_cast<Item *>(disguised ^ kDisguise);
    ASSERT_EQ(acre_heap_object_of(heap, item), item);
    EXPECT_TRUE(isWhole(item) && isWhole(item->next));
  }
}

/* Holds the pointer in a register, and nowhere else, until it is told to stop. */
void holdInRegister(std::uintptr_t disguised, volatile int *state) {
  asm volatile("xor %[key], %[disguised]\n movl $1, (%[state])\n"
               "1: pause\n cmpl $1, (%[state])\n je 1b\n xor %[key], %[disguised]"
               : [disguised] "+r"(disguised)
               : [key] "r"(kDisguise), [state] "r"(state)
               : "memory", "cc");
}

TEST_P(HeapWatch, FindsWhatOnlyARegisterOfAnotherThreadHas) {
  hide(3);
  std::uintptr_t disguised = hidden.back();
  clearStack();
  volatile int state = 0;
  acre_heap_collect_start(heap);
  std::unique_ptr<std::thread> other;
  /* It takes the pointer up when memory has been searched. */
  for (bool isDone = false; !isDone; isDone = acre_heap_collect_some(heap)) {
    if (!other && heap_step_of(heap) >= HEAP_STEP_CHASE) {
      other = std::make_unique<std::thread>([&] {
        heap_know_thread();
        holdInRegister(disguised, &state);
      });
      while (state == 0)
        std::this_thread::yield();
    }
    clearStack();
  }
  ASSERT_TRUE(other);
  auto *item = reinterpret_cast<Item *>(disguised ^ kDisguise);
  EXPECT_EQ(acre_heap_object_of(heap, item), item);
  EXPECT_TRUE(isWhole(item) && isWhole(item->next));
  state = 2;
  other->join();
}
#endif

} // namespace
