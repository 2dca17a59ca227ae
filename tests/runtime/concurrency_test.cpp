/* Threads with regions of their own, fork, and stores from signal handlers. */
#include "region_support.h"

#include <atomic>
#include <csignal>
#include <pthread.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

class ConcurrencyTest : public RegionTest {};
class ConcurrencyDeathTest : public RegionTest {};

Node *slots[8];

TEST_F(ConcurrencyTest, ThreadsUseTheirOwnRegionsAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int round = 0; round < repetitions(400); round++) {
        acre_region region = acre_region_new("thread.c:1"),
                    child = acre_region_new_sub(region, "thread.c:2");
        Node *node = newNode(region), *holder = newNode(child);
        for (int i = 0; i < 50; i++)
          store(&holder->kids[i % 3], i % 7 ? node : nullptr);
        store(&slots[t], node); /* neighbours in one granule */
        holder->up = node;
        acre_rt_check_parentptr(&holder->up, node, nullptr);
        failures += acre_region_count(region) == 0;
        store<Node>(&slots[t], nullptr);
        acre_region both[] = {region, child};
        failures += !acre_region_delete_array(2, both, "thread.c:3");
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(ConcurrencyTest, AllThreadsMayAllocateInThePermanentRegion) {
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      std::vector<char *> strings;
      for (int i = 0; i < 500; i++) {
        strings.push_back(acre_region_alloc_bytes(acre_region_permanent(), 100));
        std::memset(strings.back(), 'a' + t, 100);
      }
      for (char *string : strings)
        failures += !isFilled(string, 100, static_cast<unsigned char>('a' + t));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
}

TEST_F(ConcurrencyTest, AnAtomicSlotSettlesOnItsLastValue) {
  acre_region regions[3];
  Node *nodes[3];
  for (int i = 0; i < 3; i++) {
    regions[i] = acre_region_new("atomic.c:1");
    nodes[i] = newNode(regions[i]);
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < repetitions(20000); i++) {
        __atomic_store_n(&slots[0], i % 5 ? nodes[(t + i) % 3] : nullptr, __ATOMIC_SEQ_CST);
        acre_rt_reread(&slots[0]);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < 3; i++)
    EXPECT_EQ(acre_region_count(regions[i]), slots[0] == nodes[i] ? 1u : 0u);
  store<Node>(&slots[0], nullptr);
  EXPECT_TRUE(acre_region_delete_array(3, regions, "atomic.c:2"));
}

TEST_F(ConcurrencyTest, AThreadsStackAndPinsEndWithIt) {
  acre_region region = acre_region_new("exit.c:1");
  Node *node = newNode(region);
  struct Inner {
    static void *run(void *argument) {
      auto *inner = static_cast<Node *>(argument);
      Node *volatile local = inner;
      acre_rt_store(const_cast<Node **>(&local), inner);
      static thread_local Node *threadLocal;
      store(&threadLocal, inner);
      Pin pin(inner);
      pthread_exit(nullptr); /* with the pin in force */
    }
  };
  struct Plain { /* without C++ unwinding of the pin */
    static void *run(void *argument) {
      auto *inner = static_cast<Node *>(argument);
      static thread_local Node *threadLocal;
      store(&threadLocal, inner);
      static const acre_rt_pin_entry entries[] = {{"node", 0, 0, 0, 0}};
      static const acre_rt_pin_site site = {{"exit.c", "run", 2}, 1, entries, 0};
      alignas(8) unsigned char memory[sizeof(acre_rt_pin_frame) + sizeof(void *)];
      auto *frame = reinterpret_cast<acre_rt_pin_frame *>(memory);
      frame->values[0] = inner;
      acre_rt_pin(frame, &site);
      return nullptr;
    }
  };
  for (void *(*run)(void *) : {Inner::run, Plain::run}) {
    pthread_t thread;
    ASSERT_EQ(pthread_create(&thread, nullptr, run, node), 0);
    pthread_join(thread, nullptr);
    EXPECT_EQ(acre_region_count(region), 0u);
  }
  EXPECT_TRUE(acre_region_delete(region, "exit.c:3"));
}

TEST_F(ConcurrencyTest, VerifyingOwnRegionsWhileOthersRunIsPossible) {
  std::atomic<bool> isDone{false};
  std::thread other([&] {
    while (!isDone) {
      acre_region region = acre_region_new("other.c:1");
      store(&slots[1], newNode(region));
      store<Node>(&slots[1], nullptr);
      acre_region_delete(region, "other.c:2");
    }
  });
  acre_region region = acre_region_new("own.c:1");
  store(&slots[2], newNode(region));
  for (int i = 0; i < 20; i++)
    EXPECT_TRUE(acre_verify());
  isDone = true;
  other.join();
  store<Node>(&slots[2], nullptr);
  acre_region_delete(region, "own.c:2");
}

/* The verifier counts references to all regions: it must not do so where a delete of another thread
 * counts. */
TEST_F(ConcurrencyTest, VerifyingDoesNotLetAnotherThreadDeleteWhatIsHeld) {
  std::atomic<bool> isDone{false};
  Policy policy(ACRE_DELETE_REFUSE);
  std::thread other([&] {
    for (int i = 0; i < repetitions(300); i++) {
      acre_region region = acre_region_new("held.c:1"),
                  child = acre_region_new_sub(region, "held.c:2");
      store(&slots[1], newNode(region));
      for (int k = 0; k < 100; k++) {
        acre_region both[] = {region, child};
        ASSERT_FALSE(acre_region_delete_array(2, both, "held.c:3"));
      }
      store<Node>(&slots[1], nullptr);
      acre_region both[] = {region, child};
      ASSERT_TRUE(acre_region_delete_array(2, both, "held.c:4"));
    }
    isDone = true;
  });
  acre_region region = acre_region_new("own.c:1");
  while (!isDone)
    EXPECT_TRUE(acre_verify());
  other.join();
  acre_region_delete(region, "own.c:2");
}

TEST_F(ConcurrencyDeathTest, AnotherThreadsRegionIsRefused) {
  acre_region region = acre_region_new("owner.c:1");
  EXPECT_DEATH(std::thread([&] { newNode(region); }).join(),
               "ralloc: the region created at owner.c:1 belongs to another thread");
  EXPECT_DEATH(std::thread([&] { acre_region_delete(region, "owner.c:2"); }).join(),
               "belongs to another thread");
  acre_region_delete(region, "owner.c:3");
}

TEST_F(ConcurrencyTest, TheChildOfAForkHasItsOwnCopy) {
  acre_region region = acre_region_new("fork.c:1");
  store(&slots[0], newNode(region));
  pid_t child = fork();
  if (child == 0) {
    store<Node>(&slots[0], nullptr);
    bool isRight = acre_region_delete(region, "fork.c:2") && acre_verify();
    acre_region own = acre_region_new("fork.c:3");
    newNode(own);
    isRight = isRight && acre_region_delete(own, "fork.c:4");
    _exit(isRight ? 0 : 1);
  }
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(acre_region_count(region), 1u);
  store<Node>(&slots[0], nullptr);
  EXPECT_TRUE(acre_region_delete(region, "fork.c:5"));
}

TEST_F(ConcurrencyTest, AForkWhileAnotherThreadWorksLeavesNoLockBehind) {
  std::atomic<bool> isDone{false};
  std::thread other([&] {
    while (!isDone)
      acre_region_delete(acre_region_new("other.c:1"), "other.c:2");
  });
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (child == 0) {
      acre_region own = acre_region_new("fork.c:6");
      newNode(own);
      _exit(acre_region_delete(own, "fork.c:7") ? 0 : 1);
    }
    int status;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  isDone = true;
  other.join();
}

Node *volatile fromHandler;
Node *handlerSlots[4];
volatile std::sig_atomic_t handlerRuns;

void storeInHandler(int) {
  Node *value = handlerRuns % 3 ? fromHandler : nullptr;
  store(&handlerSlots[handlerRuns % 4], value);
  handlerRuns = handlerRuns + 1;
}

TEST_F(ConcurrencyTest, SignalHandlersMayStore) {
  acre_region region = acre_region_new("signal.c:1");
  fromHandler = newNode(region);
  std::signal(SIGALRM, storeInHandler);
  itimerval often = {{0, 200}, {0, 200}}, never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  for (int i = 0; handlerRuns < (RUNNING_ON_VALGRIND ? 20 : 500); i++)
    store(&slots[i % 8], i % 5 ? static_cast<Node *>(fromHandler)
                               : nullptr); /* the same granule as the handler's */
  setitimer(ITIMER_REAL, &never, nullptr);
  std::signal(SIGALRM, SIG_IGN); /* one may still be pending */
  std::size_t expected = 0;
  for (Node *slot : slots)
    expected += slot != nullptr;
  for (Node *slot : handlerSlots)
    expected += slot != nullptr;
  EXPECT_EQ(acre_region_count(region), expected);
  EXPECT_TRUE(acre_verify());
  for (Node *&slot : slots)
    store<Node>(&slot, nullptr);
  for (Node *&slot : handlerSlots)
    store<Node>(&slot, nullptr);
  EXPECT_TRUE(acre_region_delete(region, "signal.c:2"));
}

} // namespace
