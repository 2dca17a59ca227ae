/* Allocation in line (acre/bump.h): the same objects, zeros, statistics and refusals as by the
 * calls. */
#include "region_support.h"

#include <thread>
#include <vector>

namespace {

class BumpTest : public RegionTest {
protected:
  void SetUp() override {
    RegionTest::SetUp();
    region = acre_region_new("bump.c:1");
  }
  void TearDown() override {
    EXPECT_TRUE(acre_region_delete(region, "bump.c:2"));
    RegionTest::TearDown();
  }
  acre_region_stats stats() const {
    acre_region_stats result;
    acre_region_get_stats(region, &result);
    return result;
  }
  acre_region region = nullptr;
};
class BumpDeathTest : public BumpTest {};

void *inLine(acre_region region, std::size_t size, std::size_t align = 8) {
  return ACRE_ALLOC_(region, size, align, nullptr);
}

TEST_F(BumpTest, AllocationsInLineAndByCallsMakeOneHeap) {
  Seed seed;
  SCOPED_TRACE(seed.text());
  auto random = seed.generator();
  std::vector<std::pair<unsigned char *, std::size_t>> objects;
  std::size_t bytes = 0;
  for (int i = 0; i < repetitions(4000); i++) {
    std::size_t size = random() % 20 ? 1 + random() % 100 : 1 + random() % 20000;
    std::size_t align = std::size_t{1} << random() % 5;
    void *p = nullptr;
    switch (random() % 5) {
    case 0:
      p = inLine(region, size, align);
      break;
    case 1:
      p = ACRE_ALLOC_BYTES_(region, size), align = 1;
      break;
    case 2:
      p = ACRE_ALLOC_ARRAY_(region, size, 1, align, nullptr);
      break;
    case 3:
      p = acre_region_alloc(region, size, align, &numbersSite);
      break;
    default:
      p = acre_region_alloc_bytes(region, size), align = 1;
      break;
    }
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(p) % align, 0u);
    auto *start = static_cast<unsigned char *>(p);
    ASSERT_TRUE(isZero(start, size));
    std::memset(start, 0xa5, size);
    objects.emplace_back(start, size);
    bytes += size;
  }
  EXPECT_EQ(stats().objects, objects.size());
  EXPECT_EQ(stats().bytes_requested, bytes);
  std::size_t visited = 0;
  auto count = [](const acre_object *, void *total) { ++*static_cast<std::size_t *>(total); };
  acre_object_each(acre_registry_find(region), count, &visited);
  EXPECT_EQ(visited, objects.size());
  for (auto [start, size] : objects) {
    acre_object object = acre_object_find(start + size / 2);
    ASSERT_EQ(object.start, reinterpret_cast<char *>(start));
    ASSERT_EQ(object.size, size);
  }
}

TEST_F(BumpTest, SizesAtTheEdgesAreAllocated) {
  for (std::size_t size :
       {std::size_t{0}, std::size_t{1}, ACRE_BUMP_MAX - 1, ACRE_BUMP_MAX, ACRE_BUMP_MAX + 1})
    for (int i = 0; i < 10; i++) {
      auto *p = static_cast<char *>(inLine(region, size));
      EXPECT_TRUE(isZero(reinterpret_cast<unsigned char *>(p), size));
      EXPECT_EQ(acre_region_of(p + size), region);
      EXPECT_NE(ACRE_ALLOC_ARRAY_(region, size, 1, 1, nullptr), nullptr);
      EXPECT_NE(ACRE_ALLOC_BYTES_(region, size), nullptr);
    }
  EXPECT_NE(ACRE_ALLOC_ARRAY_(region, 3, 0, 1, nullptr), nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(inLine(region, 8, 4096)) % 4096, 0u);
}

TEST_F(BumpTest, PagesThatWereUsedReadAsZero) {
  for (int round = 0; round < 40; round++) {
    acre_region scratch = acre_region_new("bump.c:3");
    for (int i = 0; i < 40 * (1 + round % 7); i++) {
      std::size_t size = static_cast<std::size_t>(1 + i * 37 % 900);
      auto *p = static_cast<unsigned char *>(inLine(scratch, size));
      ASSERT_TRUE(isZero(p, size));
      std::memset(p, 0xff, size);
    }
    acre_region_delete(scratch, "bump.c:4");
  }
}

TEST_F(BumpTest, TheLastObjectInLineGrowsInPlace) {
  auto *bytes = ACRE_ALLOC_BYTES_(region, 10);
  std::memset(bytes, 'x', 10);
  EXPECT_EQ(acre_region_extend_bytes(region, bytes, 3000), bytes);
  EXPECT_TRUE(isZero(reinterpret_cast<unsigned char *>(bytes) + 10, 2990));
  auto *other = ACRE_ALLOC_BYTES_(region, 10);
  EXPECT_GE(other, bytes + 3000);
  EXPECT_NE(acre_region_extend_bytes(region, bytes, 4000), bytes);
}

TEST_F(BumpTest, RegionsTakeTurns) {
  acre_region other = acre_region_new_sub(region, "bump.c:5");
  for (int i = 0; i < 2000; i++) {
    ASSERT_EQ(acre_region_of(inLine(i % 3 ? region : other, 40)), i % 3 ? region : other);
    if (i % 100 == 99) {
      acre_region_delete(other, "bump.c:6");
      other = acre_region_new_sub(region, "bump.c:5");
    }
  }
  acre_region_delete(other, "bump.c:6");
}

TEST_F(BumpDeathTest, AHandleThatNamesNoRegionIsCaught) {
  EXPECT_DEATH((void)inLine(nullptr, 8), "ralloc: the region handle is null");
  acre_region gone = acre_region_new("bump.c:7");
  (void)inLine(gone, 8);
  acre_region_delete(gone, "bump.c:8");
  EXPECT_DEATH((void)inLine(gone, 8), "the region created at bump.c:7 was deleted at bump.c:8");
  acre_region next = acre_region_new("bump.c:9");
  (void)inLine(next, 8);
  EXPECT_DEATH((void)inLine(gone, 8), "ralloc: ");
  EXPECT_DEATH((void)ACRE_ALLOC_BYTES_(reinterpret_cast<acre_region>(std::uintptr_t{42}), 8),
               "is not a region handle");
  acre_region_delete(next, "bump.c:8");
}

TEST_F(BumpDeathTest, ARegionOfAnotherThreadIsCaught) {
  (void)inLine(region, 8);
  EXPECT_DEATH(std::thread([&] { (void)inLine(region, 8); }).join(), "belongs to another thread");
}

TEST_F(BumpDeathTest, ADeferredRegionIsCaught) {
  static Node *global;
  acre_region other = acre_region_new("bump.c:10");
  acre_region_set_delete_policy(other, ACRE_DELETE_DEFER);
  store(&global, static_cast<Node *>(inLine(other, sizeof(Node))));
  EXPECT_TRUE(acre_region_delete(other, "bump.c:11"));
  EXPECT_DEATH((void)inLine(other, 8), "has been deleted \\(deferred");
  store<Node>(&global, nullptr);
  EXPECT_EQ(acre_region_reclaim(), 1u);
}

TEST_F(BumpDeathTest, ALimitSetLaterHolds) {
  (void)inLine(region, 60);
  acre_region_set_limit(region, 100);
  (void)inLine(region, 40);
  EXPECT_DEATH((void)inLine(region, 1), "out of memory: 1 bytes");
  acre_region_set_limit(region, 0);
  (void)inLine(region, 1000);
  EXPECT_EQ(stats().bytes_requested, 1100u);
}

} // namespace

extern "C" int region_in_c99(void);

TEST(BumpInC, AllocatesInLine) { EXPECT_TRUE(region_in_c99()); }
