/* The lock of the heap of the process. */
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <sched.h>

extern "C" {
#include "gc/process/fair_lock.h"
}

namespace {

/* By a thread that has the lock nearly all the time.  The processor may be taken from the other
 * before it waits: so not every time counts. */
TEST(FairLock, AWaiterIsPassedByAFewTimes) {
  acre_gc_fair_lock lock = {};
  std::atomic<unsigned> passes = 0;
  std::atomic<bool> isOver = false;
  std::thread greedy([&] {
    while (!isOver) {
      acre_gc_fair_lock_take(&lock);
      auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
      while (std::chrono::steady_clock::now() < until)
        ;
      passes++;
      acre_gc_fair_lock_pass(&lock);
    }
  });
  std::vector<unsigned> counts;
  for (int i = 0; i < 41; i++) {
    for (unsigned seen = passes; passes < seen + 2;)
      ;
    unsigned before = passes;
    acre_gc_fair_lock_take(&lock);
    counts.push_back(passes - before);
    acre_gc_fair_lock_pass(&lock);
  }
  isOver = true;
  greedy.join();
  std::sort(counts.begin(), counts.end());
  EXPECT_LE(counts[38], 8u);
}

TEST(FairLock, OneThreadAtATime) {
  acre_gc_fair_lock lock = {};
  unsigned long count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; i++)
    threads.emplace_back([&] {
      for (int j = 0; j < 20000; j++) {
        acre_gc_fair_lock_take(&lock);
        count = count + 1;
        if (j % 64 == 0)
          sched_yield();
        acre_gc_fair_lock_pass(&lock);
      }
    });
  for (auto &thread : threads)
    thread.join();
  EXPECT_EQ(count, 6u * 20000);
}

} // namespace
