/* test_support.h - what the runtime's unit tests share. */
#ifndef ACRE_TESTS_RUNTIME_TEST_SUPPORT_H
#define ACRE_TESTS_RUNTIME_TEST_SUPPORT_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <valgrind/memcheck.h>

#if defined(__SANITIZE_ADDRESS__)
#define ACRE_TEST_HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ACRE_TEST_HAS_ASAN 1
#endif
#endif
#ifndef ACRE_TEST_HAS_ASAN
#define ACRE_TEST_HAS_ASAN 0
#endif

#if ACRE_TEST_HAS_ASAN
#include <sanitizer/asan_interface.h>
#endif

/* The seed of a random test: ACRE_TEST_SEED or a new one.  Printed, and shown with each failure in
 * its scope. */
class Seed {
public:
  Seed() {
    const char *given = std::getenv("ACRE_TEST_SEED");
    value = given ? std::strtoull(given, nullptr, 0) : std::random_device()();
    std::printf("ACRE_TEST_SEED=%llu\n", static_cast<unsigned long long>(value));
  }
  std::mt19937_64 generator() const { return std::mt19937_64(value); }
  std::string text() const { return "ACRE_TEST_SEED=" + std::to_string(value); }

private:
  std::uint64_t value;
};

/* Fewer repetitions where each instruction is slow. */
inline int repetitions(int normal) {
  return RUNNING_ON_VALGRIND ? normal / 20 : ACRE_TEST_HAS_ASAN ? normal / 4 : normal;
}

/* Are there so many repetitions that a random test comes by everything, whatever its seed? */
inline bool isRepeatedEnough() { return repetitions(20) == 20; }

/* Does a memory checker watch this process? */
inline bool isMemoryChecked() {
  char byte = 0;
  return ACRE_TEST_HAS_ASAN || VALGRIND_MAKE_MEM_DEFINED(&byte, sizeof byte) != 0;
}

/* Would the memory checker report an access to the byte at p? */
inline bool isAccessAnError(const void *p) {
#if ACRE_TEST_HAS_ASAN
  return __asan_address_is_poisoned(p);
#else
  VALGRIND_DISABLE_ERROR_REPORTING;
  bool isError = VALGRIND_CHECK_MEM_IS_ADDRESSABLE(p, 1) != 0;
  VALGRIND_ENABLE_ERROR_REPORTING;
  return isError;
#endif
}

/* Does every byte have the value fill? */
inline bool isFilled(const void *p, std::size_t size, unsigned char fill) {
  const unsigned char *bytes = static_cast<const unsigned char *>(p);
  return size == 0 || (bytes[0] == fill && std::memcmp(bytes, bytes + 1, size - 1) == 0);
}

inline bool isZero(const void *p, std::size_t size) { return isFilled(p, size, 0); }

#endif
