// SPDX-License-Identifier: MIT
// Blocks of malloc are found by an address within them, or not at all.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

extern "C" {
#include "platform/malloc_block.h"
}

namespace {

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

void expectFound(const char *block, std::size_t size) {
  for (std::size_t offset : {std::size_t(0), size / 2, size - 1}) {
    acre_malloc_block found =
        acre_malloc_block_find(reinterpret_cast<std::uintptr_t>(block) + offset);
    EXPECT_EQ(found.start, reinterpret_cast<std::uintptr_t>(block)) << size << " at " << offset;
    EXPECT_GE(found.size, size);
    EXPECT_LT(found.size, size + 4096 + 32);
  }
}

/* Some are given back in between, into each of the places where malloc keeps free blocks. */
void allocateAndExpect() {
  std::vector<char *> blocks;
  auto sizeOf = [](std::size_t i) { return 1 + i * 37; };
  for (std::size_t i = 0; i < 60; i++) {
    blocks.push_back(static_cast<char *>(std::malloc(sizeOf(i))));
    std::memset(blocks.back(), 0xff, sizeOf(i));
  }
  for (std::size_t i = 0; i < blocks.size(); i += 3)
    std::free(blocks[i]);
  for (std::size_t i = 0; i < blocks.size(); i++)
    if (i % 3 != 0) {
      expectFound(blocks[i], sizeOf(i));
      std::free(blocks[i]);
    }
  auto *large = static_cast<char *>(std::malloc(300000));
  std::memset(large, 0xff, 300000);
  expectFound(large, 300000);
  std::free(large);
}

TEST(MallocBlockTest, BlocksOfTheFirstThreadAreFound) { allocateAndExpect(); }

TEST(MallocBlockTest, BlocksOfOtherThreadsAreFound) { std::thread(allocateAndExpect).join(); }

TEST(MallocBlockTest, WhatIsNoBlockIsNotFound) {
  static char global[64];
  char local[64];
  for (const void *p :
       {static_cast<const void *>(global), static_cast<const void *>(local),
        reinterpret_cast<const void *>(&expectFound), static_cast<const void *>(nullptr)})
    EXPECT_EQ(acre_malloc_block_find(reinterpret_cast<std::uintptr_t>(p)).size, 0u);
}

#endif

} // namespace
