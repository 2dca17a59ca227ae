#include "region_support.h"

#include <vector>

namespace {

using RegionAllocTest = RegionTest;
using RegionAllocDeathTest = RegionTest;

class RegionAllocFixture : public RegionTest {
protected:
  void SetUp() override {
    RegionTest::SetUp();
    region = acre_region_new("alloc.c:1");
  }
  void TearDown() override {
    EXPECT_TRUE(acre_region_delete(region, "alloc.c:2"));
    RegionTest::TearDown();
  }
  acre_region_stats stats() const {
    acre_region_stats result;
    acre_region_get_stats(region, &result);
    return result;
  }
  acre_region region = nullptr;
};

class RegionObjectTest : public RegionAllocFixture {};
class RegionObjectDeathTest : public RegionAllocFixture {};

TEST_F(RegionObjectTest, MemoryIsZeroAlignedAndDisjoint) {
  Seed seed;
  SCOPED_TRACE(seed.text());
  auto random = seed.generator();
  struct Piece {
    unsigned char *start;
    std::size_t size;
    unsigned char fill;
  };
  std::vector<Piece> pieces;
  for (int i = 0; i < repetitions(3000); i++) {
    std::size_t size = random() % 10 ? random() % 200 : random() % 60000;
    std::size_t align = std::size_t{1} << (random() % 20 ? random() % 6 : random() % 15);
    const acre_site *site = random() % 2 ? &numbersSite : nullptr;
    auto *p = static_cast<unsigned char *>(acre_region_alloc(region, size, align, site));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(p) % align, 0u);
    ASSERT_TRUE(isZero(p, size));
    ASSERT_EQ(acre_region_of(p + size), region);
    std::memset(p, 0x5a + i % 16, size);
    pieces.push_back({p, size, static_cast<unsigned char>(0x5a + i % 16)});
  }
  for (const Piece &piece : pieces) {
    ASSERT_TRUE(isFilled(piece.start, piece.size, piece.fill));
    acre_object object = acre_object_find(piece.start + piece.size / 2);
    ASSERT_EQ(object.start, reinterpret_cast<char *>(piece.start));
    ASSERT_EQ(object.size, piece.size ? piece.size : 1);
  }
  EXPECT_TRUE(acre_verify());
}

TEST_F(RegionObjectTest, MemoryIsZeroAgainAfterReuse) {
  for (int round = 0; round < 50; round++) {
    acre_region scratch = acre_region_new("alloc.c:3");
    for (std::size_t size : {16u, 4000u, 30000u}) {
      void *p = acre_region_alloc(scratch, size, 8, nullptr);
      ASSERT_TRUE(isZero(p, size));
      std::memset(p, 0xff, size);
    }
    acre_region_delete(scratch, "alloc.c:4");
  }
}

TEST_F(RegionObjectTest, AlignmentBeyondAPageIsKept) {
  for (std::size_t align = 16; align <= (std::size_t{1} << 20); align *= 2) {
    void *p = acre_region_alloc(region, 24, align, &nodeSite);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % align, 0u);
    EXPECT_EQ(acre_object_find(p).start, p);
  }
}

TEST_F(RegionObjectTest, LargeObjectsAreFoundFromAnyPage) {
  const std::size_t size = std::size_t{600} << 20; /* more pages than one step back reaches */
  char *p = static_cast<char *>(acre_region_alloc(region, size, 8, &numbersSite));
  for (std::size_t offset : {std::size_t{0}, size / 3, size - 1, size}) {
    EXPECT_EQ(acre_region_of(p + offset), region);
    EXPECT_EQ(acre_object_find(p + offset).start, p);
  }
}

TEST_F(RegionObjectTest, StatisticsCountWhatWasAsked) {
  newNode(region);
  acre_region_alloc_array(region, 10, 12, 4, &numbersSite);
  EXPECT_EQ(stats().objects, 2u);
  EXPECT_EQ(stats().bytes_requested, sizeof(Node) + 120);
  EXPECT_GE(stats().bytes_reserved, stats().bytes_requested);
  acre_stats before, after;
  acre_get_stats(&before);
  acre_region gone = acre_region_new("alloc.c:5");
  newNode(gone);
  acre_region_delete(gone, "alloc.c:6");
  acre_get_stats(&after);
  EXPECT_EQ(after.objects, before.objects + 1);
  EXPECT_EQ(after.bytes_requested, before.bytes_requested + sizeof(Node));
  EXPECT_EQ(after.regions_created, before.regions_created + 1);
}

TEST_F(RegionObjectTest, StringsAreCopiedAndExtended) {
  char *s = acre_region_strdup(region, "hello");
  EXPECT_STREQ(s, "hello");
  s = acre_region_extend_bytes(region, s, 100);
  EXPECT_STREQ(s, "hello");
  EXPECT_TRUE(isZero(s + 6, 94));
  char *other = acre_region_alloc_bytes(region, 10);
  EXPECT_TRUE(isZero(other, 10));
  std::memset(other, 'x', 10);
  char *moved = acre_region_extend_bytes(region, s, 200);
  EXPECT_NE(moved, s);
  EXPECT_STREQ(moved, "hello");
  EXPECT_TRUE(isZero(moved + 6, 194));
  EXPECT_TRUE(isFilled(other, 10, 'x'));
  EXPECT_EQ(acre_region_extend_bytes(region, nullptr, 0)[0], 0);
}

TEST_F(RegionObjectTest, ArraysGrowInPlaceAtTheEndOfABlockAndWhenLarge) {
  auto grow = [&](void *old, std::size_t count) {
    return acre_region_extend_array(region, old, count, sizeof(long), alignof(long), &numbersSite);
  };
  void *array = grow(nullptr, 4);
  EXPECT_EQ(grow(array, 40), array);
  EXPECT_EQ(grow(array, 4), array);
  EXPECT_TRUE(isZero(array, 40 * sizeof(long)));
  array = grow(array, 20000);
  void *larger = grow(array, 40000);
  EXPECT_TRUE(isZero(larger, 40000 * sizeof(long)));
  static_cast<long *>(larger)[39999] = 1;
  larger = grow(larger, 100);
  EXPECT_TRUE(isZero(larger, 100 * sizeof(long)));
  larger = grow(larger, 50000);
  EXPECT_TRUE(isZero(larger, 50000 * sizeof(long)));
}

TEST_F(RegionObjectTest, AnArrayThatMovesTakesItsCountsAlong) {
  acre_region other = acre_region_new("alloc.c:7");
  auto **array =
      static_cast<Node **>(acre_region_alloc_array(region, 4, sizeof(Node *), 8, nullptr));
  Node *target = newNode(other);
  for (int i = 0; i < 4; i++)
    store(&array[i], target);
  newNode(region);
  auto **moved =
      static_cast<Node **>(acre_region_extend_array(region, array, 8, sizeof(Node *), 8, nullptr));
  EXPECT_NE(moved, array);
  EXPECT_EQ(moved[3], target);
  EXPECT_EQ(array[3], nullptr);
  EXPECT_EQ(acre_region_count(other), 4u);
  moved =
      static_cast<Node **>(acre_region_extend_array(region, moved, 1, sizeof(Node *), 8, nullptr));
  EXPECT_EQ(acre_region_count(other), 1u);
  store<Node>(&moved[0], nullptr);
  EXPECT_TRUE(acre_region_delete(other, "alloc.c:8"));
}

TEST_F(RegionObjectTest, CopiedArraysAreCounted) {
  acre_region other = acre_region_new("alloc.c:7");
  Node from[2] = {};
  from[0].next = from[1].kids[2] = newNode(other);
  auto *copy =
      static_cast<Node *>(acre_region_copy_array(region, from, 2, sizeof(Node), 8, &nodeSite));
  EXPECT_EQ(acre_region_count(other), 2u);
  EXPECT_EQ(copy[1].kids[2], from[0].next);
  acre_region both[] = {other, acre_region_new("alloc.c:9")};
  store<Node>(&copy[0].next, nullptr);
  store<Node>(&copy[1].kids[2], nullptr);
  EXPECT_TRUE(acre_region_delete_array(2, both, "alloc.c:8"));
}

TEST_F(RegionObjectTest, NamesAreCopied) {
  char name[] = "request";
  acre_region_set_name(region, name);
  name[0] = 'X';
  EXPECT_STREQ(acre_region_name(region), "request");
  acre_region_set_name(region, "other");
  EXPECT_STREQ(acre_region_name(region), "other");
}

/* -- Out of memory ----------------------------------------------------------------------------- */

std::size_t wanted;
int callsLeft;
acre_region raised;

bool giveUp(std::size_t bytes) {
  wanted = bytes;
  return false;
}
bool raiseLimit(std::size_t bytes) {
  wanted = bytes;
  acre_region_set_limit(raised, 0);
  return true;
}
bool retry(std::size_t) { return callsLeft-- > 0; }

TEST_F(RegionObjectTest, AtTheLimitTheHandlerDecides) {
  acre_region_set_limit(region, 100);
  acre_region_alloc(region, 100, 1, nullptr);
  raised = region;
  acre_oom_handler old = acre_set_oom_handler(raiseLimit);
  EXPECT_NE(acre_region_alloc(region, 1000, 1, nullptr), nullptr);
  EXPECT_EQ(wanted, 1000u);
  EXPECT_EQ(acre_set_oom_handler(old), raiseLimit);
}

TEST_F(RegionObjectDeathTest, OutOfMemoryIsSaid) {
  acre_region_set_limit(region, 100);
  acre_region_set_name(region, "small");
  EXPECT_DEATH(acre_region_alloc(region, 101, 1, nullptr),
               "out of memory: 101 bytes in region 'small' \\(created at alloc.c:1\\), whose limit "
               "is 100 bytes");
  acre_region_set_limit(region, 0);
  acre_set_oom_handler(giveUp);
  EXPECT_DEATH(acre_region_alloc_array(region, SIZE_MAX / 2, 3, 1, nullptr),
               "out of memory: 18446744073709551615 bytes");
  EXPECT_DEATH(acre_region_alloc(region, SIZE_MAX - 7, 8, nullptr), "out of memory");
  EXPECT_DEATH(acre_region_alloc(region, std::size_t{1} << 40, 8, nullptr), "out of memory");
  acre_set_oom_handler(nullptr);
}

TEST_F(RegionObjectDeathTest, BadArgumentsAreNamed) {
  EXPECT_DEATH(acre_region_alloc(region, 8, 24, nullptr),
               "ralloc: alignment 24 is not a power of two");
  EXPECT_DEATH(acre_region_alloc(region, 8, 0, nullptr), "alignment 0");
  int local;
  EXPECT_DEATH(acre_region_extend_array(region, &local, 2, 4, 4, nullptr),
               "is not an object of the region");
  char *s = acre_region_strdup(region, "hello");
  EXPECT_DEATH(acre_region_extend_bytes(region, s + 1, 4), "is not an object of the region");
  EXPECT_DEATH(acre_rt_free(s), "only deleting the region frees");
  EXPECT_DEATH(acre_rt_realloc(s, 3), "only deleting the region frees");
}

/* A program that uses every kind of memory, with the n-th request failing, for each n. */
void useEverything() {
  acre_region a = acre_region_new("oom.c:1"), b = acre_region_new_sub(a, "oom.c:2");
  Node *node = newNode(a);
  for (int i = 0; i < 400; i++)
    newNode(b);
  acre_region_alloc(b, 100000, 8, &numbersSite);
  acre_region_alloc(b, 8, 65536, nullptr);
  char *s = acre_region_strdup(a, "text");
  acre_region_extend_bytes(a, s, 30000);
  acre_region_extend_bytes(a, s = acre_region_alloc_bytes(a, 20000), 90000);
  (void)node;
  acre_region set[] = {a, b};
  acre_region_delete_array(2, set, "oom.c:3");
}

TEST_F(RegionObjectTest, EachFailedRequestIsRetriedWhenTheHandlerSaysSo) {
  acre_set_oom_handler(retry);
  std::uint64_t requests = acre_os_request_count();
  useEverything();
  requests = acre_os_request_count() - requests;
  ASSERT_GT(requests, 3u);
  for (std::uint64_t n = 1; n <= requests + 2; n++) {
    callsLeft = 5;
    acre_os_fail_at(n);
    useEverything();
    acre_os_fail_at(0);
    ASSERT_TRUE(acre_verify()) << n;
  }
  acre_set_oom_handler(nullptr);
}

TEST_F(RegionObjectDeathTest, EachFailedRequestWithoutAHandlerEndsWithAMessage) {
  EXPECT_DEATH(
      {
        /* Not every request is needed: some only make later ones cheaper. */
        for (int i = 0; i < 10000; i++) {
          acre_os_fail_at(1);
          newNode(acre_region_new("oom.c:4"));
        }
      },
      "acre: fatal: out of memory: ");
}

TEST_F(RegionObjectDeathTest, NoMemoryForARecordEndsWithAMessage) {
  Node *node = newNode(region);
  auto **slots = static_cast<Node **>(acre_os_table(std::size_t{1} << 33));
  EXPECT_DEATH(
      {
        acre_os_fail_at(1);
        store(&slots[std::size_t{1} << 29], node);
      },
      "acre: fatal: out of memory for the records of counted slots");
  acre_os_unreserve(slots, std::size_t{1} << 33);
}

} // namespace
