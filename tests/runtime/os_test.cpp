#include "test_support.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <string>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
#include "platform/os.h"
#include "platform/vdso.h"
}
#include "heap_internals.h"

namespace {

constexpr size_t kPage = 4096;

std::string printed(void (*print)(int fd)) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  print(ends[1]);
  close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(got));
  close(ends[0]);
  return text;
}

/* Where the kernel maps no such library, as under Valgrind and QEMU, nothing is found. */
TEST(Os, FindsTheClockThatNeedsNoSystemCall) {
#if defined(__aarch64__)
  auto *found =
      reinterpret_cast<int (*)(clockid_t, timespec *)>(acre_vdso_find("__kernel_clock_gettime"));
#else
  auto *found =
      reinterpret_cast<int (*)(clockid_t, timespec *)>(acre_vdso_find("__vdso_clock_gettime"));
#endif
  EXPECT_EQ(acre_vdso_find("no_such_function"), nullptr);
  if (!found)
    GTEST_SKIP() << "the kernel has no such function here";
  timespec before{}, now{}, after{};
  clock_gettime(CLOCK_MONOTONIC, &before);
  ASSERT_EQ(found(CLOCK_MONOTONIC, &now), 0);
  clock_gettime(CLOCK_MONOTONIC, &after);
  auto nanoseconds = [](const timespec &t) { return t.tv_sec * 1000000000LL + t.tv_nsec; };
  EXPECT_LE(nanoseconds(before), nanoseconds(now));
  EXPECT_LE(nanoseconds(now), nanoseconds(after));
}

/* The C library reads /proc/self/maps for that, which Acre does not for the first thread: what it
 * says to lie below may be as much more as the program's environment takes above. */
TEST(Os, StackOfTheFirstThreadIsWhereTheCLibraryFindsIt) {
  pthread_attr_t attributes;
  void *low;
  size_t size;
  ASSERT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  ASSERT_EQ(pthread_attr_getstack(&attributes, &low, &size), 0);
  pthread_attr_destroy(&attributes);
  const auto start = reinterpret_cast<uintptr_t>(low);
  uintptr_t found, end;
  heap_own_stack(&found, &end);
  EXPECT_EQ(end, start + size);
  EXPECT_LE(found, start);
  EXPECT_LT(start - found, size / 2);
}

TEST(Os, ReservedSpaceIsAlignedAndNotAccessible) {
  for (size_t align : {size_t{4096}, size_t{1} << 16, size_t{1} << 24}) {
    char *space = static_cast<char *>(acre_os_reserve(1 << 20, align));
    ASSERT_NE(space, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(space) % align, 0u);
    char byte;
    EXPECT_FALSE(acre_os_read(space, &byte, 1));
    EXPECT_FALSE(acre_os_read(space + (1 << 20) - 1, &byte, 1));
    acre_os_unreserve(space, 1 << 20);
  }
}

TEST(Os, ReserveOfMoreThanTheAddressSpaceReturnsNull) {
  EXPECT_EQ(acre_os_reserve(SIZE_MAX - 100, size_t{1} << 40), nullptr);
  EXPECT_EQ(acre_os_reserve(size_t{1} << 62, 4096), nullptr);
}

TEST(Os, CommittedMemoryIsZeroAndZeroAgainAfterDecommit) {
  char *space = static_cast<char *>(acre_os_reserve(16 * kPage, kPage));
  ASSERT_NE(space, nullptr);
  ASSERT_TRUE(acre_os_commit(space, 16 * kPage));
  EXPECT_TRUE(isZero(space, 16 * kPage));
  std::memset(space, 0x5a, 16 * kPage);
  acre_os_decommit(space + 4 * kPage, 4 * kPage);
  ASSERT_TRUE(acre_os_commit(space + 4 * kPage, 4 * kPage));
  EXPECT_TRUE(isZero(space + 4 * kPage, 4 * kPage));
  EXPECT_EQ(space[4 * kPage - 1], 0x5a);
  EXPECT_EQ(space[8 * kPage], 0x5a);
  acre_os_unreserve(space, 16 * kPage);
}

/* As where the system's pages are larger than those of the window. */
TEST(Os, PartsOfPagesAreZeroAfterDecommit) {
  char *space = static_cast<char *>(acre_os_reserve(4 * kPage, kPage));
  ASSERT_TRUE(acre_os_commit(space + kPage + 100, kPage));
  std::memset(space + kPage, 0x5a, 2 * kPage);
  acre_os_decommit(space + kPage + 100, 200);
  EXPECT_TRUE(isZero(space + kPage + 100, 200));
  EXPECT_EQ(space[kPage + 99], 0x5a);
  EXPECT_EQ(space[kPage + 300], 0x5a);
  ASSERT_TRUE(acre_os_commit(space, 4 * kPage));
  std::memset(space, 0x5a, 4 * kPage);
  acre_os_decommit(space + 100, 3 * kPage);
  EXPECT_TRUE(isZero(space + 100, 3 * kPage));
  EXPECT_EQ(space[99], 0x5a);
  EXPECT_EQ(space[3 * kPage + 100], 0x5a);
  acre_os_unreserve(space, 4 * kPage);
}

TEST(Os, LockedMemoryCanBeDecommitted) {
  char *space = static_cast<char *>(acre_os_reserve(4 * kPage, kPage));
  ASSERT_TRUE(acre_os_commit(space, 4 * kPage));
  if (mlock(space, 4 * kPage) != 0)
    GTEST_SKIP() << "memory cannot be locked here";
  std::memset(space, 1, 4 * kPage);
  acre_os_decommit(space, 4 * kPage);
  EXPECT_TRUE(isZero(space, 4 * kPage));
  acre_os_unreserve(space, 4 * kPage);
}

TEST(Os, TableIsZeroAndWritableToItsEnd) {
  char *table = static_cast<char *>(acre_os_table(size_t{1} << 26));
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table[0], 0);
  table[(size_t{1} << 26) - 1] = 1;
  acre_os_unreserve(table, size_t{1} << 26);
}

TEST(Os, TheRequestThatIsToFailFailsOnce) {
  for (uint64_t n = 1; n <= 5; n++) {
    acre_os_fail_at(n);
    for (uint64_t request = 1; request <= 8; request++)
      EXPECT_EQ(acre_os_request(), request != n)
          << "request " << request << " of which " << n << " is to fail";
  }
  acre_os_fail_at(1);
  acre_os_fail_at(0);
  EXPECT_TRUE(acre_os_request());
}

TEST(Os, EveryKindOfRequestIsCountedAndCanFail) {
  char *space = static_cast<char *>(acre_os_reserve(kPage, kPage));
  ASSERT_NE(space, nullptr);
  uint64_t before = acre_os_request_count();
  acre_os_fail_at(1);
  EXPECT_EQ(acre_os_reserve(kPage, kPage), nullptr);
  acre_os_fail_at(1);
  EXPECT_FALSE(acre_os_commit(space, kPage));
  acre_os_fail_at(1);
  EXPECT_EQ(acre_os_table(kPage), nullptr);
  acre_os_fail_at(1);
  EXPECT_FALSE(acre_os_request());
  EXPECT_EQ(acre_os_request_count(), before + 4);
  acre_os_unreserve(space, kPage);
}

TEST(Os, ReadCopiesMappedMemoryAndRefusesWhatIsPartlyUnmapped) {
  char *space = static_cast<char *>(acre_os_reserve(2 * kPage, kPage));
  ASSERT_TRUE(acre_os_commit(space, kPage));
  std::memset(space, 7, kPage);
  char copy[64] = {};
  errno = 42;
  EXPECT_TRUE(acre_os_read(space + kPage - 64, copy, 64));
  EXPECT_EQ(copy[0] + copy[63], 14);
  EXPECT_FALSE(acre_os_read(space + kPage - 32, copy, 64));
  EXPECT_FALSE(acre_os_read(reinterpret_cast<void *>(8), copy, 8));
  EXPECT_EQ(errno, 42) << "errno must be kept";
  acre_os_unreserve(space, 2 * kPage);
}

TEST(Os, PrintUnderstandsItsDirectives) {
  static const char *volatile noText = nullptr;
  EXPECT_EQ(printed([](int fd) {
              acre_os_print(fd, "a %s|%d|%u|%zu|%%|%c.", "text", -7, 8u, size_t{9}, 'c');
            }),
            "a text|-7|8|9|%|c.");
  EXPECT_EQ(printed([](int fd) {
              acre_os_print(fd, "%p %lx %llu", reinterpret_cast<void *>(0xbeef), 255ul, ~0ull);
            }),
            "0xbeef ff 18446744073709551615");
  EXPECT_EQ(printed([](int fd) { acre_os_print(fd, "%d %ld", INT32_MIN, INT64_MIN); }),
            "-2147483648 -9223372036854775808");
  EXPECT_EQ(printed([](int fd) { acre_os_print(fd, "[%.*s]", 3, "abcdef"); }), "[abc]");
  EXPECT_EQ(printed([](int fd) { acre_os_print(fd, "%s", noText); }), "(null)");
}

TEST(Os, PrintWritesTextLongerThanItsBuffer) {
  static const std::string text(5000, 'x');
  EXPECT_EQ(printed([](int fd) { acre_os_print(fd, "<%s>", text.c_str()); }), "<" + text + ">");
}

TEST(Os, PrintKeepsErrnoWhenItCannotWrite) {
  errno = 42;
  acre_os_print(-1, "nobody reads this");
  EXPECT_EQ(errno, 42);
}

TEST(OsDeathTest, FatalWritesTheMessageAndAborts) {
  EXPECT_EXIT(acre_os_fatal("page %d of %s", 3, "this"), testing::KilledBySignal(SIGABRT),
              "^acre: fatal: page 3 of this\n");
}

TEST(OsDeathTest, EnvironmentSetsTheRequestThatFails) {
  /* The child is a new process, whose first request reads the variable. */
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  setenv("ACRE_FAIL_AT", "50", 1); /* constructors make a few */
  EXPECT_EXIT(
      {
        while (acre_os_request_count() < 49)
          if (!acre_os_request())
            _exit(1);
        _exit(!acre_os_request() && acre_os_request() ? 0 : 2);
      },
      testing::ExitedWithCode(0), "");
  unsetenv("ACRE_FAIL_AT");
}

void forbidProcessVmReadv() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog filter = {sizeof program / sizeof *program, program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    _exit(2);
}

TEST(OsDeathTest, ReadWorksWhereProcessVmReadvIsForbidden) {
  EXPECT_EXIT(
      {
        forbidProcessVmReadv();
        char *space = static_cast<char *>(acre_os_reserve(4 * kPage, kPage));
        acre_os_commit(space, 3 * kPage);
        std::memset(space, 9, 3 * kPage);
        static char copy[3 * kPage];
        bool isRead =
            acre_os_read(space, copy, sizeof copy) && std::memcmp(space, copy, sizeof copy) == 0;
        bool isRefused =
            !acre_os_read(space + 2 * kPage, copy, 2 * kPage) && !acre_os_read(nullptr, copy, 1);
        _exit(isRead && isRefused ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

} // namespace
