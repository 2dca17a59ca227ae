/* snapshot_test.cpp - what a snapshot says of regions, of what is in them and of what points in. */
#include "region_support.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

#include <acre/snapshot.h>

extern "C" {
#include "evidence/tally.h"
}

namespace {

Node *registered;
const acre_rt_global globalTable[] = {
    {&registered, sizeof registered, "registered", "snapshot.c", 11, 0, 0, nullptr}};

class SnapshotTest : public RegionTest {
protected:
  void SetUp() override {
    RegionTest::SetUp();
    acre_rt_register(&module);
    path = (std::filesystem::temp_directory_path() / "acre_snapshot_test.").string() +
           std::to_string(getpid());
    region = acre_region_new("snapshot.c:1");
    holder = acre_region_new("snapshot.c:2");
  }
  void TearDown() override {
    std::filesystem::remove(path);
    acre_region both[] = {region, holder};
    EXPECT_TRUE(acre_region_delete_array(2, both, "snapshot.c:3"));
    acre_rt_unregister(&module);
    RegionTest::TearDown();
  }
  std::string snapshot() const {
    EXPECT_TRUE(acre_snapshot(path.c_str()));
    return contents();
  }
  std::string contents() const {
    std::ifstream from(path);
    std::stringstream text;
    text << from.rdbuf();
    return text.str();
  }
  static std::string number(acre_region of) {
    return std::to_string(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(of)));
  }
  bool has(const std::string &text, const std::string &line) const {
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
  }
  /* The file, and what was left of others on the way to it. */
  static std::size_t filesBeside(const std::string &path) {
    std::size_t count = 0;
    for (const auto &each :
         std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()))
      count += each.path().string().starts_with(path);
    return count;
  }
  acre_rt_module module = {nullptr, 1, globalTable, 0, nullptr, nullptr};
  std::string path;
  acre_region region = nullptr, holder = nullptr;
};

TEST_F(SnapshotTest, ObjectsAreSummedUpByRegionAndSite) {
  for (int i = 0; i < 1000; i++)
    newNode(region);
  acre_region_alloc_bytes(region, 10);
  acre_region_alloc(region, 1 << 20, 8, &numbersSite);
  const std::string text = snapshot(), of = "{\"objects\":" + number(region);
  EXPECT_TRUE(has(text, of +
                            ",\"type\":\"struct node\",\"file\":\"node.c\",\"line\":12,"
                            "\"function\":\"make_node\",\"count\":1000,\"bytes\":" +
                            std::to_string(1000 * sizeof(Node)) + "}"))
      << text;
  EXPECT_TRUE(has(text, of + ",\"kind\":\"pointer-free\",\"count\":1,\"bytes\":10}")) << text;
  EXPECT_TRUE(has(text, of + ",\"type\":\"long\",\"file\":\"numbers.c\",\"line\":4,"
                             "\"function\":\"make_numbers\",\"count\":1,\"bytes\":1048576}"))
      << text;
}

TEST_F(SnapshotTest, ReferrersAreNamed) {
  Node *target = newNode(region), *from = newNode(holder);
  store(&from->kids[1], target);
  store(&registered, target);
  auto *array = static_cast<Flexible *>(
      acre_region_alloc(holder, sizeof(Flexible) + 100 * 16, 8, &flexibleSite));
  for (int i = 0; i < 100; i++)
    store(&array->pairs[i].node, target);
  const std::string text = snapshot(), of = std::string(":").append(number(region));
  EXPECT_TRUE(has(text, "{\"reference\"" + of + ",\"from\":" + number(holder) +
                            ",\"field\":\"kids[1]\",\"type\":\"struct node\",\"file\":\"node.c\","
                            "\"line\":12,\"function\":\"make_node\",\"count\":1}"))
      << text;
  EXPECT_NE(text.find("\"field\":\"pairs.node\",\"type\":\"struct flexible\",\"file\":"
                      "\"flexible.c\",\"line\":7,\"function\":\"make_flexible\",\"count\":100}"),
            std::string::npos)
      << text;
  EXPECT_TRUE(
      has(text, "{\"outside\"" + of +
                    ",\"what\":\"global variable 'registered' (snapshot.c:11)\",\"count\":1}"))
      << text;
  store(&from->kids[1], static_cast<Node *>(nullptr));
  store(&registered, static_cast<Node *>(nullptr));
  for (int i = 0; i < 100; i++)
    store(&array->pairs[i].node, static_cast<Node *>(nullptr));
}

TEST_F(SnapshotTest, PinnedLocalsAndOverwrittenSlotsAreCounted) {
  Node *target = newNode(region), *from = newNode(holder);
  store(&from->next, target);
  from->next = nullptr; /* by code that knows no records */
  std::string text;
  {
    Pin pin(target);
    text = snapshot();
  }
  EXPECT_NE(text.find("{\"local\":" + number(region)), std::string::npos) << text;
  EXPECT_TRUE(has(text, "{\"stale\":" + number(region) + ",\"count\":1}")) << text;
  acre_rt_store(&from->next, nullptr);
}

TEST_F(SnapshotTest, OfManySlotsOutsideSomeAreNamed) {
  Node *target = newNode(region);
  std::vector<Node *> slots(3000);
  for (Node *&slot : slots)
    store(&slot, target);
  const std::string text = snapshot();
  EXPECT_TRUE(has(text, "{\"outside\":" + number(region) + ",\"count\":2000}")) << text;
  for (Node *&slot : slots)
    store(&slot, static_cast<Node *>(nullptr));
}

TEST_F(SnapshotTest, NamesMayBeAnyBytes) {
  acre_region_set_name(region, "\"\\\n\x01\xff\xc3\xa9\xe2\x82</script>");
  const std::string text = snapshot();
  EXPECT_NE(text.find("\"name\":\"\\\"\\\\\\u000a\\u0001\\ufffd\xc3\xa9\\ufffd\\ufffd</script>\""),
            std::string::npos)
      << text;
  acre_region_set_name(region, std::string(1000, 'x').c_str());
  EXPECT_NE(snapshot().find("\"name\":\"" + std::string(255, 'x') + "\""), std::string::npos);
}

TEST_F(SnapshotTest, TheLastLineSaysHowManyThereAre) {
  const std::string text = snapshot();
  const auto lines = std::count(text.begin(), text.end(), '\n');
  EXPECT_TRUE(text.ends_with("{\"end\":" + std::to_string(lines) + "}\n")) << text;
  EXPECT_EQ(filesBeside(path), 1u);
}

TEST_F(SnapshotTest, WithoutMemoryTheFormerFileStays) {
  Node *target = newNode(region), *from = newNode(holder);
  store(&from->next, target);
  const std::string before = snapshot();
  int failures = 0;
  testing::internal::CaptureStderr();
  for (std::uint64_t request = 1; request < 30; request++) {
    acre_os_fail_at(request);
    if (!acre_snapshot(path.c_str())) {
      EXPECT_EQ(contents(), before);
      failures++;
    } else {
      EXPECT_TRUE(acre_os_request_count() > 0);
      break;
    }
  }
  acre_os_fail_at(0);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_GT(failures, 3);
  EXPECT_NE(
      said.find("acre: cannot write the snapshot '" + path + "': there is not enough memory\n"),
      std::string::npos)
      << said;
  EXPECT_EQ(filesBeside(path), 1u);
  store(&from->next, static_cast<Node *>(nullptr));
}

TEST_F(SnapshotTest, ThatCannotBeWrittenChangesNothing) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(acre_snapshot("/dev/full"));
  EXPECT_FALSE(acre_snapshot("/nowhere/at/all"));
  EXPECT_FALSE(acre_snapshot(""));
  EXPECT_FALSE(acre_snapshot(std::string(5000, 'x').c_str()));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("'/dev/full': No space left on device"), std::string::npos) << said;
  EXPECT_NE(said.find("'/nowhere/at/all': No such file or directory"), std::string::npos) << said;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST_F(SnapshotTest, RegionsOfOtherThreadsAreInIt) {
  std::string text;
  std::thread([&] {
    acre_region own = acre_region_new("thread.c:1");
    newNode(own);
    text = snapshot();
    acre_region_delete(own, "thread.c:2");
  }).join();
  EXPECT_NE(text.find("\"at\":\"thread.c:1\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"at\":\"snapshot.c:1\""), std::string::npos) << text;
}

TEST(TallyTest, CountsAsAMapDoes) {
  const Seed seed;
  SCOPED_TRACE(seed.text());
  std::mt19937_64 random = seed.generator();
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> expected;
  acre_tallies tallies = {};
  for (int i = 0; i < repetitions(200000); i++) {
    const std::uint64_t value = random() % 20000, key[ACRE_TALLY_WORDS] = {0, value, 0, value / 7};
    acre_tally *place = acre_tally_add(&tallies, key, i % 10);
    ASSERT_NE(place, nullptr);
    auto &[count, bytes] = expected[value];
    bytes += i % 10;
    ASSERT_EQ(place->count, ++count);
    ASSERT_EQ(place->bytes, bytes);
  }
  EXPECT_EQ(tallies.used, expected.size());
  acre_tally_end(&tallies);
}

} // namespace
