/* Random operations on an arena against a list of the objects that must be alive. */
#include "test_support.h"

#include <cstring>
#include <map>
#include <vector>

#include <acre/arena.h>

extern "C" {
#include "memory/pages.h"
#include "platform/os.h"
}

namespace {

class ArenaModel {
public:
  explicit ArenaModel(std::mt19937_64 generator) : random(generator) {
    options.initial_block = random() % 3 ? 0 : random() % 100000;
    options.max_block = random() % 3 ? 0 : random() % 200000;
    options.growth_percent = random() % 2 ? 0 : 100 + random() % 300;
    options.limit = random() % 4 ? 0 : 200000 + random() % 2000000;
    options.spare = random() % 2 ? 0 : random() % 300000;
    arena = acre_arena_new(&options);
  }
  ~ArenaModel() {
    acre_arena_delete(arena);
    for (auto [start, count] : walls)
      acre_pages_free(start, count);
  }

  void step() {
    ASSERT_NE(arena, nullptr);
    unsigned kind = random() % 100;
    if (kind < 70)
      allocate();
    else if (kind < 80)
      resize();
    else if (kind < 88)
      marks.push_back({acre_arena_set_mark(arena), objects.size()});
    else if (kind < 94)
      rewind();
    else if (kind < 95)
      reset();
    else
      moveWall();
  }

  void expectSound() {
    ASSERT_TRUE(acre_arena_check(arena));
    for (const Object &object : objects)
      ASSERT_NO_FATAL_FAILURE(expectContents(object));
  }

private:
  struct Object {
    char *start;
    size_t size;
    unsigned char fill;
  };
  struct Mark {
    acre_arena_mark mark;
    size_t objects;
  };
  std::mt19937_64 random;
  acre_arena_options options = {};
  acre_arena *arena = nullptr;
  std::vector<Object> objects; /* in the order of allocation */
  std::vector<Mark> marks;
  std::map<char *, size_t> places; /* start and size of each object */
  std::vector<std::pair<void *, size_t>> walls;

  static void expectContents(const Object &object) {
    ASSERT_TRUE(isFilled(object.start, object.size, object.fill))
        << "an object of " << object.size << " bytes";
  }

  size_t anySize() {
    unsigned kind = random() % 100;
    return random() % (kind < 80 ? 100 : kind < 97 ? 5000 : 300000);
  }

  void add(char *start, size_t size) {
    Object object = {start, size, static_cast<unsigned char>(random())};
    if (size > 0) {
      auto next = places.lower_bound(start);
      ASSERT_TRUE(next == places.end() || start + size <= next->first) << "objects overlap";
      ASSERT_TRUE(next == places.begin() ||
                  std::prev(next)->first + std::prev(next)->second <= start);
      places.emplace(start, size);
    }
    std::memset(start, object.fill, size);
    objects.push_back(object);
  }

  void forgetAfter(size_t count) {
    for (; objects.size() > count; objects.pop_back())
      if (objects.back().size > 0)
        places.erase(objects.back().start);
  }

  void allocate() {
    size_t size = anySize(), align = size_t{1} << (random() % 8 ? 4 : random() % 14);
    bool isZeroed = random() % 4 == 0;
    void *p = isZeroed ? acre_arena_try_alloc_zeroed(arena, size)
                       : acre_arena_try_alloc_aligned(arena, size, align);
    if (!p) {
      ASSERT_NE(options.limit, 0u) << "no memory without a reason";
      return;
    }
    ASSERT_EQ(reinterpret_cast<uintptr_t>(p) % (isZeroed ? ACRE_ARENA_ALIGN : align), 0u);
    if (isZeroed) {
      ASSERT_TRUE(isZero(p, size));
    }
    ASSERT_NO_FATAL_FAILURE(add(static_cast<char *>(p), size));
  }

  /* Only objects newer than the last mark: a resized object is a new one, which a rewind to that
   * mark must free. */
  void resize() {
    size_t first = marks.empty() ? 0 : marks.back().objects;
    if (objects.size() == first)
      return;
    size_t index = random() % 2 ? objects.size() - 1 : first + random() % (objects.size() - first);
    Object object = objects[index];
    size_t size = anySize();
    char *p = static_cast<char *>(acre_arena_try_resize(arena, object.start, object.size, size));
    if (!p)
      return;
    size_t kept = size < object.size ? size : object.size;
    ASSERT_NO_FATAL_FAILURE(expectContents({p, kept, object.fill}));
    if (object.size > 0)
      places.erase(object.start);
    objects.erase(objects.begin() + static_cast<ptrdiff_t>(index));
    ASSERT_NO_FATAL_FAILURE(add(p, size));
  }

  void rewind() {
    if (marks.empty())
      return;
    size_t index = random() % 3 ? marks.size() - 1 : random() % marks.size();
    forgetAfter(marks[index].objects);
    acre_arena_rewind(arena, marks[index].mark);
    marks.resize(random() % 2 ? index + 1 : index);
    ASSERT_NO_FATAL_FAILURE(expectSound());
  }

  void reset() {
    acre_arena_reset(arena, random() % 3 ? random() % 2 ? SIZE_MAX : 0 : random() % 500000);
    forgetAfter(0);
    marks.clear();
    ASSERT_TRUE(acre_arena_check(arena));
  }

  /* Pages that come and go beside the blocks decide whether they can grow in place. */
  void moveWall() {
    if (walls.size() > 20 || (!walls.empty() && random() % 2)) {
      auto [start, count] = walls.back();
      walls.pop_back();
      acre_pages_free(start, count);
    } else {
      size_t count = 1 + random() % 4;
      walls.emplace_back(acre_pages_alloc(count, 0), count);
    }
  }
};

TEST(Arena, RandomOperationsAgreeWithTheModel) {
  Seed seed;
  SCOPED_TRACE(seed.text());
  std::mt19937_64 random = seed.generator();
  size_t before = acre_pages_in_use();
  for (int round = 0; round < repetitions(100); round++) {
    ArenaModel model{std::mt19937_64(random())};
    for (int i = 0; i < 1000; i++)
      ASSERT_NO_FATAL_FAILURE(model.step()) << "round " << round << ", step " << i;
    ASSERT_NO_FATAL_FAILURE(model.expectSound());
  }
  EXPECT_EQ(acre_pages_in_use(), before);
  EXPECT_TRUE(acre_pages_check());
}

} // namespace
