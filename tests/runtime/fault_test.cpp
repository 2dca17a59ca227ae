// SPDX-License-Identifier: MIT
// fault_test.cpp - the store that may fail, and that faults of the program lead on to its handler.
#include <csetjmp>
#include <csignal>
#include <cstdint>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

extern "C" {
#include "platform/fault.h"
}

namespace {

constexpr size_t kPage = 4096;

class Fault : public ::testing::Test {
protected:
  void SetUp() override {
    acre_fault_watch();
    memory = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    slot = static_cast<void **>(memory);
    *slot = &old_target;
  }
  void TearDown() override { munmap(memory, kPage); }

  bool exchange() const {
    return acre_fault_exchange(reinterpret_cast<uintptr_t>(slot), &old_target, &new_target);
  }

  mutable int old_target = 0, new_target = 0;
  void *memory = nullptr;
  void **slot = nullptr;
};

TEST_F(Fault, ExchangesWhatIsExpected) {
  EXPECT_TRUE(exchange());
  EXPECT_EQ(*slot, &new_target);
  EXPECT_FALSE(exchange()) << "it holds something else now";
  EXPECT_EQ(*slot, &new_target);
}

TEST_F(Fault, LeavesAloneWhatCannotBeWritten) {
  ASSERT_EQ(mprotect(memory, kPage, PROT_READ), 0);
  EXPECT_FALSE(exchange());
  EXPECT_EQ(*slot, &old_target);
  ASSERT_EQ(munmap(memory, kPage), 0);
  EXPECT_FALSE(exchange());
}

TEST_F(Fault, WorksInThreadsThatBlockTheSignal) {
  sigset_t faults, before, after;
  sigemptyset(&faults);
  sigaddset(&faults, SIGSEGV);
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &faults, &before), 0);
  ASSERT_EQ(mprotect(memory, kPage, PROT_NONE), 0);
  EXPECT_FALSE(exchange());
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &before, &after), 0);
  EXPECT_EQ(sigismember(&after, SIGSEGV), 1) << "the mask is as it was";
  EXPECT_EQ(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
}

sigjmp_buf back;
uintptr_t told;

// In a process of its own: who is told of faults is decided once.
[[noreturn]] void fault_twice(void *memory, bool (*exchange)(uintptr_t slot)) {
  struct sigaction programs = {};
  programs.sa_handler = [](int) { siglongjmp(back, 1); };
  sigaction(SIGSEGV, &programs, nullptr);
  acre_fault_watch();
  acre_fault_tell([](uintptr_t address, uintptr_t) { told = address; });
  mprotect(memory, kPage, PROT_NONE);
  if (sigsetjmp(back, 1) == 0) {
    *static_cast<void *volatile *>(memory) = nullptr;
    _exit(1);
  }
  if (told != reinterpret_cast<uintptr_t>(memory))
    _exit(2);
  told = 0;
  // A store of the runtime's is nobody's business.
  _exit(exchange(reinterpret_cast<uintptr_t>(memory)) || told ? 3 : 0);
}

using FaultDeathTest = Fault;

TEST_F(FaultDeathTest, TellsAndLeadsOn) {
  EXPECT_EXIT(
      fault_twice(memory, [](uintptr_t at) { return acre_fault_exchange(at, nullptr, nullptr); }),
      ::testing::ExitedWithCode(0), "");
}

} // namespace
