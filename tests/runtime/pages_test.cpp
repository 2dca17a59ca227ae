#include "test_support.h"

#include <atomic>
#include <cstring>
#include <map>
#include <thread>
#include <vector>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include "memory/pages.h"
#include "platform/os.h"
}

namespace {

char *alloc(size_t count, uint32_t owner = 0) {
  return static_cast<char *>(acre_pages_alloc(count, owner));
}

size_t bytes(size_t count) { return count * ACRE_WINDOW_PAGE_SIZE; }

TEST(Pages, RunIsAlignedZeroAndInTheWindow) {
  char *run = alloc(3);
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(run) % ACRE_WINDOW_PAGE_SIZE, 0u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(run) >> ACRE_WINDOW_SHIFT, acre_rt_window_tag);
  EXPECT_TRUE(isZero(run, bytes(3)));
  acre_pages_free(run, 3);
}

TEST(Pages, OwnerIsKnownForEveryAddressOfARunAndNoOther) {
  char *before = alloc(1, 6), *run = alloc(5, 7), *after = alloc(1, 8);
  for (size_t offset = 0; offset < bytes(5); offset += 512)
    EXPECT_EQ(acre_page_owner(run + offset), 7u);
  EXPECT_EQ(acre_page_owner(run + bytes(5) - 1), 7u);
  EXPECT_NE(acre_page_owner(run + bytes(5)), 7u);
  EXPECT_NE(acre_page_owner(run - 1), 7u);
  acre_pages_free(run, 5);
  EXPECT_EQ(acre_page_owner(run), 0u);
  EXPECT_EQ(acre_page_owner(run + bytes(5) - 1), 0u);
  EXPECT_EQ(acre_page_owner(before), 6u);
  EXPECT_EQ(acre_page_owner(after), 8u);
  acre_pages_free(before, 1);
  acre_pages_free(after, 1);
}

TEST(Pages, AddressesOutsideTheWindowHaveNoOwner) {
  int onStack = 0;
  static int global = 0;
  char *run = alloc(1, 9);
  uintptr_t base = acre_rt_window_base, end = base + bytes(acre_rt_window_pages);
  EXPECT_EQ(acre_page_owner(&onStack), 0u);
  EXPECT_EQ(acre_page_owner(&global), 0u);
  EXPECT_EQ(acre_page_owner(nullptr), 0u);
  EXPECT_EQ(acre_page_owner(reinterpret_cast<void *>(UINTPTR_MAX)), 0u);
  EXPECT_EQ(acre_page_owner(reinterpret_cast<void *>(base)), 0u);
  EXPECT_EQ(acre_page_owner(reinterpret_cast<void *>(base - 1)), 0u);
  EXPECT_EQ(acre_page_owner(reinterpret_cast<void *>(end - 1)), 0u);
  EXPECT_EQ(acre_page_owner(reinterpret_cast<void *>(end)), 0u);
  EXPECT_EQ(acre_page_owner(
                reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(run) ^ uintptr_t{1} << 63)),
            0u);
  acre_pages_free(run, 1);
}

TEST(Pages, WindowDoesNotCrossItsBoundary) {
  ASSERT_TRUE(acre_pages_start());
  uintptr_t last = acre_rt_window_base + bytes(acre_rt_window_pages) - 1;
  EXPECT_EQ(acre_rt_window_base >> ACRE_WINDOW_SHIFT, last >> ACRE_WINDOW_SHIFT);
}

class PagesReuse : public testing::TestWithParam<size_t> {};

TEST_P(PagesReuse, ReusedPagesReadAsZero) {
  size_t count = GetParam();
  char *run = alloc(count, 1);
  ASSERT_NE(run, nullptr);
  std::memset(run, 0xff, bytes(count));
  acre_pages_free(run, count);
  char *again = alloc(count, 2);
  ASSERT_NE(again, nullptr);
  EXPECT_TRUE(isZero(again, bytes(count)));
  acre_pages_free(again, count);
  EXPECT_TRUE(acre_pages_check());
}

INSTANTIATE_TEST_SUITE_P(Sizes, PagesReuse,
                         testing::Values(1, 2, 3, 32, 33, 63, 64, 65, 128, 129, 1000));

TEST(Pages, RunOfNoPagesOrMoreThanTheWindowIsRefused) {
  EXPECT_EQ(acre_pages_alloc(0, 1), nullptr);
  ASSERT_TRUE(acre_pages_start());
  EXPECT_EQ(acre_pages_alloc(acre_rt_window_pages, 1), nullptr);
  EXPECT_EQ(acre_pages_alloc(acre_rt_window_pages + 1, 1), nullptr);
  EXPECT_EQ(acre_pages_alloc(SIZE_MAX, 1), nullptr);
  EXPECT_EQ(acre_pages_alloc(size_t{1} << 32, 1), nullptr);
  EXPECT_EQ(acre_pages_alloc((size_t{1} << 32) + 1, 1), nullptr);
  EXPECT_TRUE(acre_pages_check());
}

TEST(Pages, RunGrowsInPlaceOverFreePagesOnly) {
  char *block = alloc(12, 1);
  acre_pages_shrink(block, 12, 2);
  char *neighbour = block + bytes(2);
  std::memset(block, 1, bytes(2));
  ASSERT_TRUE(acre_pages_extend(block, 2, 3, 1));
  EXPECT_TRUE(isZero(neighbour, bytes(3)));
  EXPECT_EQ(block[bytes(2) - 1], 1) << "what was there stays";
  EXPECT_EQ(acre_page_owner(block + bytes(5) - 1), 1u);
  EXPECT_FALSE(acre_pages_extend(block, 5, 0, 1));
  EXPECT_FALSE(acre_pages_extend(block, 5, acre_rt_window_pages, 1));
  EXPECT_FALSE(acre_pages_extend(block, 5, SIZE_MAX, 1));
  EXPECT_TRUE(acre_pages_check());
  acre_pages_free(block, 5);
}

TEST(Pages, RunDoesNotGrowOverItsNeighbour) {
  char *pair = alloc(2, 1);
  acre_pages_shrink(pair, 2, 1);
  /* The freed page is taken back by a run of its own, wherever that comes from. */
  std::vector<char *> singles;
  do
    singles.push_back(alloc(1, 2));
  while (singles.back() != pair + bytes(1) && singles.size() < 100000);
  ASSERT_EQ(singles.back(), pair + bytes(1));
  EXPECT_FALSE(acre_pages_extend(pair, 1, 1, 1));
  EXPECT_EQ(acre_page_owner(pair + bytes(1)), 2u);
  for (char *single : singles)
    acre_pages_free(single, 1);
  EXPECT_TRUE(acre_pages_extend(pair, 1, 1, 1));
  acre_pages_free(pair, 2);
  EXPECT_TRUE(acre_pages_check());
}

TEST(Pages, FreedNeighboursMerge) {
  char *whole = alloc(30, 1);
  acre_pages_free(whole, 30);
  char *again = alloc(30, 1);
  acre_pages_shrink(again, 30, 10);
  ASSERT_TRUE(acre_pages_extend(again, 10, 20, 1)) << "the pages given back are one free run";
  acre_pages_free(again, 30);
  EXPECT_TRUE(acre_pages_check());
}

TEST(Pages, BytesInUseAndPeakFollowTheRuns) {
  size_t before = acre_pages_in_use();
  char *run = alloc(100);
  EXPECT_EQ(acre_pages_in_use(), before + bytes(100));
  EXPECT_GE(acre_pages_peak(), before + bytes(100));
  acre_pages_shrink(run, 100, 40);
  EXPECT_EQ(acre_pages_in_use(), before + bytes(40));
  size_t peak = acre_pages_peak();
  acre_pages_free(run, 40);
  EXPECT_EQ(acre_pages_in_use(), before);
  EXPECT_EQ(acre_pages_peak(), peak);
}

TEST(Pages, CacheOfFreePagesIsBounded) {
  std::vector<char *> runs;
  size_t total = ACRE_PAGES_CACHE_LIMIT + (ACRE_PAGES_CACHE_LIMIT >> 1);
  for (size_t size = 0; size < total; size += bytes(16))
    runs.push_back(alloc(16));
  for (char *run : runs) {
    run[0] = 1;
    acre_pages_free(run, 16);
    ASSERT_LE(acre_pages_cached(), ACRE_PAGES_CACHE_LIMIT);
  }
  EXPECT_TRUE(acre_pages_check());
}

size_t residentPages(const char *start, size_t size) {
  std::vector<unsigned char> state(size / 4096);
  EXPECT_EQ(mincore(const_cast<char *>(start), size, state.data()), 0);
  size_t resident = 0;
  for (unsigned char page : state)
    resident += page & 1;
  return resident;
}

TEST(Pages, TrimReturnsFreePagesToTheSystem) {
  char *run = alloc(16);
  std::memset(run, 1, bytes(16));
  acre_pages_free(run, 16);
  EXPECT_GT(residentPages(run, bytes(16)), 0u);
  size_t cached = acre_pages_cached();
  EXPECT_GE(cached, bytes(16));
  EXPECT_EQ(acre_pages_trim(bytes(10)), cached - bytes(10));
  EXPECT_EQ(acre_pages_cached(), bytes(10));
  EXPECT_TRUE(acre_pages_check());
  EXPECT_EQ(acre_pages_trim(0), bytes(10));
  EXPECT_EQ(residentPages(run, bytes(16)), 0u);
  EXPECT_EQ(acre_pages_trim(0), 0u);
}

TEST(Pages, LargeFreedRunGoesBackAtOnce) {
  char *run = alloc(1000);
  std::memset(run, 1, bytes(1000));
  acre_pages_free(run, 1000);
  EXPECT_EQ(residentPages(run, bytes(1000)), 0u);
}

TEST(Pages, FailureAtEachRequestLeavesThePagesSound) {
  ASSERT_TRUE(acre_pages_start()); /* its requests are tried below, in PagesDeathTest */
  for (uint64_t n = 1; n <= 12; n++) {
    acre_os_fail_at(n);
    std::vector<std::pair<char *, size_t>> runs;
    int failures = 0;
    for (size_t i = 0; i < 12; i++) {
      size_t count = i % 3 ? i : 200 * i + 1;
      char *run = alloc(count, 3);
      failures += !run;
      if (run)
        runs.emplace_back(run, count);
      ASSERT_TRUE(acre_pages_check());
    }
    EXPECT_EQ(failures, 1) << "request " << n;
    for (auto [run, count] : runs) {
      EXPECT_EQ(acre_page_owner(run + bytes(count) - 1), 3u);
      acre_pages_free(run, count);
    }
    acre_os_fail_at(0);
  }
}

TEST(Pages, FailureToExtendLeavesTheRunAsItWas) {
  char *run = alloc(8, 4);
  acre_pages_shrink(run, 8, 4);
  acre_os_fail_at(1);
  EXPECT_FALSE(acre_pages_extend(run, 4, 4, 4));
  acre_os_fail_at(0);
  EXPECT_EQ(acre_page_owner(run + bytes(4)), 0u);
  EXPECT_TRUE(acre_pages_check());
  EXPECT_TRUE(acre_pages_extend(run, 4, 4, 4));
  acre_pages_free(run, 8);
}

TEST(Pages, MemoryCheckerSeesFreePagesAsFree) {
  if (!isMemoryChecked())
    GTEST_SKIP() << "no memory checker";
  char *run = alloc(4);
  EXPECT_FALSE(isAccessAnError(run));
  EXPECT_FALSE(isAccessAnError(run + bytes(4) - 1));
  acre_pages_shrink(run, 4, 2);
  EXPECT_FALSE(isAccessAnError(run + bytes(2) - 1));
  EXPECT_TRUE(isAccessAnError(run + bytes(2)));
  acre_pages_free(run, 2);
  EXPECT_TRUE(isAccessAnError(run));
  EXPECT_TRUE(isAccessAnError(run + bytes(4) - 1));
}

/* Random operations against a plain list of runs: contents, owners, zeroing and the checker after
 * each batch. */
class PagesModel {
public:
  explicit PagesModel(std::mt19937_64 generator) : random(generator) {}
  ~PagesModel() {
    for (auto &[start, run] : runs)
      acre_pages_free(start, run.count);
  }

  void step() {
    switch (random() % 8) {
    case 0:
    case 1:
    case 2:
      return take();
    case 3:
      return extend();
    case 4:
      return shrink();
    case 5:
      if (random() % 50 == 0)
        acre_pages_trim(bytes(random() % 500));
      return;
    default:
      return giveBack();
    }
  }

private:
  struct Run {
    size_t count;
    uint32_t owner;
    unsigned char fill;
  };
  std::mt19937_64 random;
  std::map<char *, Run> runs;

  size_t anyCount() {
    unsigned kind = random() % 16;
    return 1 + random() % (kind < 8 ? 1 : kind < 14 ? 40 : 400);
  }

  std::map<char *, Run>::iterator anyRun() {
    auto it = runs.begin();
    std::advance(it, random() % runs.size());
    return it;
  }

  static void expectContents(char *start, const Run &run) {
    ASSERT_TRUE(isFilled(start, bytes(run.count), run.fill));
    for (size_t page = 0; page < run.count; page++)
      ASSERT_EQ(acre_page_owner(start + bytes(page)), run.owner);
  }

  void take() {
    if (runs.size() > 300)
      return;
    Run run = {anyCount(), static_cast<uint32_t>(random() % 5),
               static_cast<unsigned char>(random() | 1)};
    char *start = alloc(run.count, run.owner);
    ASSERT_NE(start, nullptr);
    ASSERT_TRUE(isZero(start, bytes(run.count)));
    auto next = runs.lower_bound(start);
    ASSERT_TRUE(next == runs.end() || start + bytes(run.count) <= next->first) << "runs overlap";
    ASSERT_TRUE(next == runs.begin() ||
                std::prev(next)->first + bytes(std::prev(next)->second.count) <= start);
    std::memset(start, run.fill, bytes(run.count));
    runs.emplace(start, run);
  }

  void extend() {
    if (runs.empty())
      return;
    auto &[start, run] = *anyRun();
    size_t more = anyCount();
    char *end = start + bytes(run.count);
    if (!acre_pages_extend(start, run.count, more, run.owner))
      return;
    ASSERT_TRUE(isZero(end, bytes(more)));
    auto next = runs.upper_bound(start);
    ASSERT_TRUE(next == runs.end() || end + bytes(more) <= next->first) << "grown over a neighbour";
    std::memset(end, run.fill, bytes(more));
    run.count += more;
  }

  void shrink() {
    if (runs.empty())
      return;
    auto &[start, run] = *anyRun();
    size_t fewer = 1 + random() % run.count;
    acre_pages_shrink(start, run.count, fewer);
    run.count = fewer;
  }

  void giveBack() {
    if (runs.empty())
      return;
    auto it = anyRun();
    ASSERT_NO_FATAL_FAILURE(expectContents(it->first, it->second));
    acre_pages_free(it->first, it->second.count);
    runs.erase(it);
  }
};

TEST(Pages, RandomOperationsAgreeWithTheModel) {
  Seed seed;
  SCOPED_TRACE(seed.text());
  PagesModel model(seed.generator());
  for (int i = 0, n = repetitions(15000); i < n; i++) {
    ASSERT_NO_FATAL_FAILURE(model.step());
    ASSERT_TRUE(i % 500 != 0 || acre_pages_check());
  }
}

TEST(Pages, ThreadsTakeAndGiveBackAtOnce) {
  size_t before = acre_pages_in_use();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (uint32_t owner = 1; owner <= 4; owner++)
    threads.emplace_back([owner, &wrong] {
      std::mt19937_64 random(owner);
      for (int i = 0; i < repetitions(2000); i++) {
        size_t count = 1 + random() % 40;
        char *run = alloc(count, owner);
        wrong += !isZero(run, bytes(count));
        std::memset(run, static_cast<int>(owner), bytes(count));
        wrong += acre_page_owner(run + bytes(count) - 1) != owner ||
                 run[bytes(count) - 1] != static_cast<char>(owner);
        acre_pages_free(run, count);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(acre_pages_in_use(), before);
  EXPECT_TRUE(acre_pages_check());
}

TEST(PagesDeathTest, ChildOfForkCanAllocateWhileAnotherThreadDid) {
  std::atomic<bool> isDone = false;
  std::thread busy([&isDone] {
    while (!isDone)
      acre_pages_free(acre_pages_alloc(1, 1), 1);
  });
  for (int i = 0; i < 50; i++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(20); /* a lock that nobody will release would hold the child for ever */
      char *run = alloc(1, 2);
      _exit(run && acre_page_owner(run) == 2 && acre_pages_check() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  isDone = true;
  busy.join();
}

TEST(PagesDeathTest, RunGivenBackTwiceAborts) {
  EXPECT_DEATH(
      {
        char *run = alloc(2);
        acre_pages_free(run, 2);
        acre_pages_free(run, 2);
      },
      "acre: fatal: 2 pages at 0x[0-9a-f]+ are not a run in use");
}

TEST(PagesDeathTest, WrongCountOrAddressAborts) {
  char *run = alloc(4);
  EXPECT_DEATH(acre_pages_free(run, 3), "not a run in use");
  EXPECT_DEATH(acre_pages_free(run, 0), "not a run in use");
  EXPECT_DEATH(acre_pages_free(run, SIZE_MAX), "not a run in use");
  EXPECT_DEATH(acre_pages_free(run + 1, 4), "not a run in use");
  EXPECT_DEATH(acre_pages_free(nullptr, 1), "not a run in use");
  EXPECT_DEATH(acre_pages_extend(run, 3, 1, 0), "not a run in use");
  EXPECT_DEATH(acre_pages_shrink(run, 4, 5), "cannot shrink");
  EXPECT_DEATH(acre_pages_shrink(run, 4, 0), "cannot shrink");
  acre_pages_free(run, 4);
}

/* A new process with its address space limited before the window is reserved. */
int allocateWithin(rlim_t addressSpace) {
  rlimit limit = {addressSpace, addressSpace};
  if (setrlimit(RLIMIT_AS, &limit) != 0)
    return 2;
  char *run = alloc(100, 5);
  if (!run || acre_rt_window_pages >= size_t{1} << 27 || acre_page_owner(run + bytes(100) - 1) != 5)
    return 1;
  std::memset(run, 1, bytes(100));
  while (alloc(1000, 6)) {
  }
  acre_pages_free(run, 100);
  return acre_pages_check() ? 0 : 3;
}

TEST(PagesDeathTest, WindowIsSmallerWhereAddressSpaceIsLimited) {
  if (ACRE_TEST_HAS_ASAN)
    GTEST_SKIP() << "AddressSanitizer needs the address space";
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  for (rlim_t limit :
       {rlim_t{1} << 38, rlim_t{1} << 34, rlim_t{3} << 30, rlim_t{1} << 29, rlim_t{1} << 27})
    EXPECT_EXIT(_exit(allocateWithin(limit)), testing::ExitedWithCode(0), "") << "limit " << limit;
}

/* Without address space, then with it. */
int allocateWithoutAddressSpace() {
  rlimit limit = {1 << 23, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &limit);
  if (alloc(1) || acre_pages_start() || acre_page_owner(&limit) != 0 || !acre_pages_check())
    return 1;
  limit.rlim_cur = RLIM_INFINITY;
  setrlimit(RLIMIT_AS, &limit);
  return alloc(1) ? 0 : 2;
}

TEST(PagesDeathTest, NoAddressSpaceAtAllIsNullAndNotACrash) {
  if (ACRE_TEST_HAS_ASAN)
    GTEST_SKIP() << "AddressSanitizer needs the address space";
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(_exit(allocateWithoutAddressSpace()), testing::ExitedWithCode(0), "");
}

TEST(PagesDeathTest, FailureAtEachRequestOfTheFirstAllocationIsSurvived) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  for (uint64_t n = 1; n <= 5; n++)
    EXPECT_EXIT(
        {
          acre_os_fail_at(n);
          char *run = alloc(1, 1);
          char *second = alloc(1, 1);
          bool isSound =
              acre_pages_check() && second && acre_page_owner(second) == 1 && (!run || *run == 0);
          _exit(isSound ? 0 : 1);
        },
        testing::ExitedWithCode(0), "")
        << "request " << n;
}

} // namespace
