#include "region_support.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace {

Node *registered;
Node *unregistered;
const acre_rt_global globalTable[] = {
    {&registered, sizeof registered, "registered", "verify.c", 11, 0, 0, nullptr}};

/* Damages something, sees what the verifier says, and repairs it. */
class VerifyTest : public RegionTest {
protected:
  void SetUp() override {
    RegionTest::SetUp();
    acre_rt_register(&module);
    region = acre_region_new("verify.c:1");
    other = acre_region_new("verify.c:2");
    acre_region_set_name(region, "first");
    acre_region_set_name(other, "second");
    node = newNode(region);
    target = newNode(other);
  }
  void TearDown() override {
    acre_region both[] = {region, other};
    EXPECT_TRUE(acre_region_delete_array(2, both, "verify.c:3"));
    acre_rt_unregister(&module);
    RegionTest::TearDown();
  }
  std::string complaint() const {
    testing::internal::CaptureStderr();
    bool isSound = acre_verify();
    std::string text = testing::internal::GetCapturedStderr();
    EXPECT_EQ(isSound, text.empty());
    return text;
  }
  acre_rt_module module = {nullptr, 1, globalTable, 0, nullptr, nullptr};
  acre_region region = nullptr, other = nullptr;
  Node *node = nullptr, *target = nullptr;
};

class VerifyDeathTest : public VerifyTest {};

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST_F(VerifyTest, ASoundProgramPasses) {
  store(&node->next, target);
  store(&registered, target);
  Pin pin(target);
  EXPECT_EQ(complaint(), "");
  EXPECT_EQ(acre_region_count(other), 3u);
  store<Node>(&registered, nullptr);
  store<Node>(&node->next, nullptr);
}

TEST_F(VerifyTest, AMissedStoreToAFieldIsFound) {
  node->kids[1] = target;
  std::string text = complaint();
  EXPECT_TRUE(
      contains(text, "field 'kids[1]' of struct node allocated at node.c:12 in region 'first'"))
      << text;
  EXPECT_TRUE(contains(text, "is not counted, but points to struct node")) << text;
  node->kids[1] = nullptr;
}

TEST_F(VerifyTest, AMissedStoreToARegisteredGlobalIsFound) {
  registered = target;
  EXPECT_TRUE(contains(complaint(), "global variable 'registered' (verify.c:11) is not counted"));
  registered = nullptr;
}

TEST_F(VerifyTest, AFieldCountedInTheWrongRegionIsFound) {
  acre_region third = acre_region_new("verify.c:4");
  store(&node->next, target);
  node->next = newNode(third);
  EXPECT_TRUE(
      contains(complaint(),
               "is counted in region 'second' (created at verify.c:2) but points into the region"));
  store<Node>(&node->next, nullptr);
  acre_region_delete(third, "verify.c:5");
}

TEST_F(VerifyTest, BrokenAnnotationsAreFound) {
  node->same = target;
  EXPECT_TRUE(contains(complaint(), "field 'same' of struct node"));
  node->same = nullptr;
  node->up = target;
  EXPECT_TRUE(contains(complaint(), "breaks its annotation"));
  node->up = nullptr;
  node->legacy = node;
  EXPECT_TRUE(contains(complaint(), "field 'legacy'"));
  node->legacy = nullptr;
}

TEST_F(VerifyTest, AWrongCountIsFound) {
  acre_registry_find(other)->count += 2;
  EXPECT_TRUE(contains(
      complaint(), "the count of region 'second' (created at verify.c:2) is 2, but 0 references"));
  acre_registry_find(other)->count -= 2;
}

TEST_F(VerifyTest, StaleRecordsOfUntypedMemoryAreHealedInSilence) {
  std::size_t before = healedRecords();
  auto **block = static_cast<Node **>(std::malloc(8));
  store(block, target);
  *block = nullptr;
  EXPECT_EQ(complaint(), "");
  EXPECT_EQ(healedRecords(), before + 1);
  EXPECT_EQ(acre_region_count(other), 0u);
  std::free(block);
}

TEST_F(VerifyTest, DamagedBlocksAreFound) {
  std::uint64_t *header = reinterpret_cast<std::uint64_t *>(node) - 1;
  std::uint64_t saved = *header;
  *header = std::uint64_t{0xfff0} << 48;
  EXPECT_TRUE(
      contains(complaint(), "a block of region 'first' (created at verify.c:1) is damaged"));
  *header = saved;
}

TEST_F(VerifyTest, DamagedTableEntriesAreFound) {
  acre_region_entry *slot = acre_registry_find(region);
  slot->child_count++;
  EXPECT_TRUE(contains(complaint(), "the table entry of region 'first'"));
  slot->child_count--;
  std::swap(slot->begin.label, slot->end.label);
  EXPECT_NE(complaint(), "");
  std::swap(slot->begin.label, slot->end.label);
}

TEST_F(VerifyTest, UnregisteringAModuleDropsItsRecords) {
  store(&registered, target);
  EXPECT_EQ(acre_region_count(other), 1u);
  acre_rt_unregister(&module);
  EXPECT_EQ(acre_region_count(other), 0u);
  acre_rt_register(&module);
  registered = nullptr;
}

/* -- Reports ----------------------------------------------------------------------------------- */

std::string referrers(acre_region region, std::size_t limit, std::size_t *found) {
  testing::internal::CaptureStderr();
  *found = acre_region_report(region, 2, limit);
  return testing::internal::GetCapturedStderr();
}

/* Memory checkers have a malloc of their own, of which nothing is known. */
const char *blockOfMalloc() {
#if defined(__SANITIZE_THREAD__)
  return "memory from malloc or mmap at 0x";
#else
  return isMemoryChecked() ? "memory from malloc or mmap at 0x"
                           : "the word at offset 0 of a block of 24 bytes from malloc points";
#endif
}

TEST_F(VerifyTest, TheReportNamesEachKindOfReferrer) {
  Node *volatile local = target;
  Pin pin(target); // from here on this frame is counted
  acre_rt_store(const_cast<Node **>(&local), target);
  auto **block = static_cast<Node **>(std::malloc(8));
  static thread_local Node *threadLocal;
  store(block, target);
  store(&threadLocal, target);
  store(&registered, target);
  store(&unregistered, target);
  store(&node->next, target);
  std::size_t found;
  std::string text = referrers(other, 100, &found);
  EXPECT_EQ(found, 7u) << text;
  for (const char *part :
       {"global variable 'registered' (verify.c:11) points to struct node allocated at node.c:12",
        "field 'next' of struct node allocated at node.c:12 in region 'first' (created at "
        "verify.c:1) points to struct node",
        "local variable 'pinned' of function caller, live across the call at caller.c:30, points "
        "to struct node",
        blockOfMalloc(), "thread-local variable '", "threadLocal",
        "a local variable on the stack of"})
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  std::string first = referrers(other, 2, &found);
  EXPECT_EQ(found, 7u);
  EXPECT_TRUE(contains(first, "  and 5 more\n")) << first;
  EXPECT_FALSE(contains(first, "  3. ")) << first;
  acre_rt_free(block);
  acre_rt_release(const_cast<Node **>(&local), sizeof local);
  for (Node **slot : {&threadLocal, &registered, &unregistered, &node->next})
    store<Node>(slot, nullptr);
}

TEST_F(VerifyTest, TheReportNamesWhatIsPointedTo) {
  store(&registered, reinterpret_cast<Node *>(acre_region_alloc_bytes(other, 30) + 5));
  std::size_t found;
  std::string text = referrers(other, 10, &found);
  EXPECT_TRUE(contains(text, "points to offset 5 of 30 bytes of pointer-free data")) << text;
  store(&registered,
        static_cast<Node *>(acre_region_alloc_array(other, 3, sizeof(Node), 8, &nodeSite)) + 1);
  text = referrers(other, 10, &found);
  EXPECT_TRUE(
      contains(text, "points to offset 72 of array of 3 struct node allocated at node.c:12"))
      << text;
  store<Node>(&registered, nullptr);
}

TEST_F(VerifyDeathTest, ARefusedDeleteSaysWhoPointsIn) {
  store(&registered, target);
  acre_region child = acre_region_new_sub(other, "verify.c:6");
  EXPECT_DEATH(
      acre_region_delete(other, "server.c:80"),
      "acre: fatal: cannot delete region 'second' \\(created at verify.c:2\\): 1 reference from "
      "outside remains, "
      "and it has 1 live subregion\n  deleteregion called at server.c:80\n"
      "  1. global variable 'registered' \\(verify.c:11\\) points to struct node allocated at "
      "node.c:12\n"
      "  subregion: the region created at verify.c:6\n  hint: set these variables to null");
  acre_region_delete(child, "verify.c:7");
  store<Node>(&registered, nullptr);
  {
    Pin pin(target, target);
    EXPECT_DEATH(acre_region_delete(other, "server.c:80"),
                 "2 references from outside remain\n(.|\n)*hint: a local");
  }
}

/* In a new process, where the environment is read again. */
TEST_F(VerifyDeathTest, WithAcreVerifyADifferenceEndsTheProgram) {
  if (std::getenv("ACRE_TEST_DAMAGE")) {
    node->next = target;
    acre_region_delete(region, "verify.c:8");
    std::_Exit(0);
  }
  EXPECT_EXIT(
      {
        setenv("ACRE_VERIFY", "1", 1);
        setenv("ACRE_TEST_DAMAGE", "1", 1);
        execl("/proc/self/exe", "tests",
              "--gtest_filter=VerifyDeathTest.WithAcreVerifyADifferenceEndsTheProgram", nullptr);
      },
      testing::KilledBySignal(SIGABRT),
      "acre: fatal: the verifier found differences \\(verify.c:8\\)");
}

} // namespace
