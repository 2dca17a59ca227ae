/* Random programs on a collected heap against a model of what is reachable, in every configuration.
 */
#include "heap_support.h"

#include <map>
#include <memory>
#include <set>

extern "C" {
#include "memory/pages.h"
#include "platform/os.h"
}

namespace {

/* The model keeps the graph outside the heap: each object has an identity, which is also in the
   object.  The program holds objects through the variables of its frames, a table of globals and
   handles; and only through these may it use them. */
class HeapModel {
public:
  HeapModel(const acre_heap_config &given, std::mt19937_64 generator)
      : config(given), random(generator) {
    heap = acre_heap_new(&config);
    if (heap)
      acre_heap_add_roots(heap, globals, sizeof globals, random() % 2);
    pushFrame();
  }
  ~HeapModel() {
    while (!frames.empty())
      popFrame();
    for (Handle &handle : handles)
      acre_heap_handle_delete(heap, handle.handle);
    for (auto &[weak, id] : weaks)
      acre_heap_weak_delete(heap, weak);
    acre_heap_delete(heap);
  }

  void step() {
    ASSERT_NE(heap, nullptr);
    unsigned kind = random() % 100;
    if (kind < 45)
      allocate();
    else if (kind < 60)
      link();
    else if (kind < 72)
      drop();
    else if (kind < 78)
      load();
    else if (kind < 82)
      frames.size() < 20 && random() % 2 ? pushFrame() : frames.size() > 1 ? popFrame() : void();
    else if (kind < 86)
      moveHandle();
    else if (kind < 90)
      weakOrFinal();
    else if (kind < 91)
      freeOne();
    else if (kind < 98)
      collect(random() % 8);
    else
      burst();
  }

  /* Everything reachable is in the heap as the model has it. */
  void expectSound() {
    ASSERT_TRUE(acre_heap_check(heap));
    for (std::uint64_t id : reachable())
      ASSERT_NO_FATAL_FAILURE(expectObject(id));
    for (auto &[weak, id] : weaks) {
      Object *object = static_cast<Object *>(acre_heap_weak_get(heap, weak));
      if (object)
        ASSERT_EQ(object->id, id);
      else
        ASSERT_FALSE(reachable().count(id)) << "a weak reference to a reachable object was cleared";
    }
  }

  /* After a whole collection nothing else is left, but what finalizers keep. */
  void expectNothingElse() {
    acre_heap_collect(heap);
    while (Object *object = static_cast<Object *>(acre_heap_next_finalizable(heap)))
      ASSERT_TRUE(finalizable.count(object->id));
    for (auto &[weak, id] : weaks)
      acre_heap_weak_delete(heap, weak);
    weaks.clear();
    size_t before;
    do {
      acre_heap_stats stats;
      before = finalizable.size();
      acre_heap_collect(heap);
      while (Object *object = static_cast<Object *>(acre_heap_next_finalizable(heap)))
        finalizable.erase(object->id);
      acre_heap_get_stats(heap, &stats);
    } while (before != finalizable.size());
    acre_heap_collect(heap);
    acre_heap_stats stats;
    acre_heap_get_stats(heap, &stats);
    ASSERT_GE(stats.live_objects, reachable().size());
    /* Finalizable objects that are reachable keep their registration; all else has been dropped. */
    ASSERT_EQ(stats.live_objects, reachable().size());
  }

  acre_heap *heap = nullptr;

private:
  /* At the start of each object; then count slots, then bytes of fill. */
  struct Object {
    std::uint64_t id, count, size;
    Object *slots[];
  };
  static constexpr acre_slot slots[] = {
      {sizeof(Object), 1, sizeof(void *), ACRE_SLOT_PLAIN, "slots"}};
  struct Shape {
    size_t count, size;
    bool isTyped;
    std::vector<std::uint64_t> targets;
    Object *where;
  };
  static constexpr int variableCount = 6, globalCount = 20;
  struct Frame {
    Object *variables[variableCount] = {};
    void *addresses[variableCount];
    std::uint64_t ids[variableCount] = {};
    acre_heap_frame frame = {};
  };
  struct Handle {
    acre_heap_handle *handle;
    std::uint64_t id;
  };
  acre_heap_config config;
  std::mt19937_64 random;
  std::uint64_t nextId = 1;
  std::map<std::uint64_t, Shape> shapes;
  std::vector<std::unique_ptr<Frame>> frames;
  Object *globals[globalCount] = {};
  std::uint64_t globalIds[globalCount] = {};
  std::vector<Handle> handles;
  std::vector<std::pair<acre_heap_weak *, std::uint64_t>> weaks;
  std::set<std::uint64_t> finalizable;
  std::set<std::uint64_t> freed;

  /* Slots end where the descriptor's flexible member would run into the fill: objects with fill are
     untyped, with a fill that looks like no pointer. */
  static inline const acre_type objectType = {"Object",       sizeof(Object), 8,       1,      0,
                                              sizeof(void *), slots,          nullptr, nullptr};
  static inline const acre_site objectSite = {&objectType, "model.c", "model", 1};

  void pushFrame() {
    auto f = std::make_unique<Frame>();
    for (int i = 0; i < variableCount; i++)
      f->addresses[i] = &f->variables[i];
    f->frame = {nullptr, nullptr, f->addresses, variableCount, 0};
    acre_heap_push(heap, &f->frame);
    frames.push_back(std::move(f));
  }
  void popFrame() {
    /* Sometimes several at once, as longjmp does. */
    size_t to = frames.size() - 1;
    if (to > 2 && random() % 8 == 0)
      to -= random() % 2;
    acre_heap_pop(heap, &frames[to]->frame);
    frames.resize(to);
  }

  std::set<std::uint64_t> reachable() const {
    std::vector<std::uint64_t> stack;
    for (auto &f : frames)
      stack.insert(stack.end(), f->ids, f->ids + variableCount);
    stack.insert(stack.end(), globalIds, globalIds + globalCount);
    for (const Handle &handle : handles)
      stack.push_back(handle.id);
    std::set<std::uint64_t> found;
    while (!stack.empty()) {
      std::uint64_t id = stack.back();
      stack.pop_back();
      if (id && found.insert(id).second) {
        const auto &targets = shapes.at(id).targets;
        stack.insert(stack.end(), targets.begin(), targets.end());
      }
    }
    return found;
  }

  void expectObject(std::uint64_t id) {
    const Shape &shape = shapes.at(id);
    const Object *object = shape.where;
    ASSERT_EQ(object->id, id);
    ASSERT_EQ(object->count, shape.count);
    ASSERT_EQ(acre_heap_object_of(heap, reinterpret_cast<const char *>(object) +
                                            random() % (shape.size + 1)),
              object);
    ASSERT_EQ(acre_heap_object_size(heap, object), shape.size);
    for (size_t i = 0; i < shape.count; i++)
      ASSERT_EQ(object->slots[i], shape.targets[i] ? shapes.at(shape.targets[i]).where : nullptr);
    size_t used = sizeof(Object) + shape.count * sizeof(void *);
    ASSERT_TRUE(
        isFilled(reinterpret_cast<const char *>(object) + used, shape.size - used, id & 0xff));
  }

  Frame &top() { return *frames.back(); }
  int anyVariable() { return static_cast<int>(random() % variableCount); }

  /* An object that the program holds directly; null if it chose an empty place. */
  std::uint64_t anyHeld() {
    switch (random() % 4) {
    case 0:
      return globalIds[random() % globalCount];
    case 1:
      return handles.empty() ? 0 : handles[random() % handles.size()].id;
    case 2:
      return frames[random() % frames.size()]->ids[anyVariable()];
    default:
      return top().ids[anyVariable()];
    }
  }
  Object *objectOf(std::uint64_t id) { return id ? shapes.at(id).where : nullptr; }

  void keepSomewhere(std::uint64_t id) {
    int i = anyVariable();
    if (random() % 3) {
      top().variables[i] = objectOf(id);
      top().ids[i] = id;
    } else if (random() % 2) {
      int g = static_cast<int>(random() % globalCount);
      acre_heap_store(heap, &globals[g], objectOf(id));
      globalIds[g] = id;
    } else {
      Frame &older = *frames[random() % frames.size()];
      acre_heap_store(heap, &older.variables[i], objectOf(id));
      older.ids[i] = id;
    }
  }

  void allocate() {
    unsigned kind = random() % 100;
    size_t count = random() % (kind < 90 ? 5 : kind < 97 ? 60 : 3000);
    size_t fill = random() % 3 == 0 ? random() % (kind < 90 ? 60 : kind < 98 ? 3000 : 60000) : 0;
    bool isTyped = fill == 0;
    size_t size = sizeof(Object) + count * sizeof(void *) + fill;
    size_t align = random() % 10 ? 8 : size_t{8} << random() % 6;
    Object *object = static_cast<Object *>(
        acre_heap_try_alloc(heap, size, align, isTyped && random() % 4 ? &objectSite : nullptr));
    if (!object)
      return dropAlmostAll();
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(object) % align, 0u);
    ASSERT_TRUE(isZero(object, size));
    std::uint64_t id = nextId++;
    object->id = id;
    object->count = count;
    object->size = size;
    std::memset(reinterpret_cast<char *>(object) + size - fill, static_cast<int>(id & 0xff), fill);
    shapes[id] = {count, size, isTyped, std::vector<std::uint64_t>(count), object};
    keepSomewhere(id);
    forgetSometimes();
  }

  /* Out of memory: the program gives up most of what it has. */
  void dropAlmostAll() {
    ASSERT_TRUE(acre_heap_check(heap));
    for (int i = 0; i < globalCount; i++)
      if (i % 4) {
        globals[i] = nullptr;
        globalIds[i] = 0;
      }
    while (frames.size() > 1)
      popFrame();
    for (size_t i = 0; i < handles.size(); i++)
      acre_heap_handle_set(heap, handles[i].handle, nullptr), handles[i].id = 0;
  }

  /* The model forgets what nothing refers to, so that it does not grow. */
  void forgetSometimes() {
    if (shapes.size() < 20000)
      return;
    std::set<std::uint64_t> keep = reachable();
    for (auto &[weak, id] : weaks)
      keep.insert(id);
    std::erase_if(shapes, [&](auto &each) { return !keep.count(each.first); });
  }

  void link() {
    std::uint64_t from = anyHeld(), to = random() % 5 ? anyHeld() : 0;
    if (!from || shapes.at(from).count == 0)
      return;
    size_t i = random() % shapes.at(from).count;
    if (random() % 4) {
      acre_heap_store(heap, &objectOf(from)->slots[i], objectOf(to));
    } else {
      Object *value = objectOf(to);
      std::memcpy(&objectOf(from)->slots[i], &value, sizeof value);
      acre_heap_copied(heap, &objectOf(from)->slots[i], sizeof value);
    }
    shapes.at(from).targets[i] = to;
  }

  void drop() {
    int i = anyVariable();
    top().variables[i] = nullptr;
    top().ids[i] = 0;
    if (random() % 4 == 0) {
      int g = static_cast<int>(random() % globalCount);
      globals[g] = nullptr;
      globalIds[g] = 0;
    }
  }

  /* A pointer is read from an object: where the mutator may hide what the collector has not seen.
   */
  void load() {
    std::uint64_t from = anyHeld();
    if (!from || shapes.at(from).count == 0)
      return;
    size_t i = random() % shapes.at(from).count;
    std::uint64_t to = shapes.at(from).targets[i];
    int v = anyVariable();
    top().variables[v] = objectOf(from)->slots[i];
    top().ids[v] = to;
    if (random() % 2) {
      acre_heap_store(heap, &objectOf(from)->slots[i], static_cast<Object *>(nullptr));
      shapes.at(from).targets[i] = 0;
    }
  }

  void moveHandle() {
    if (handles.size() < 10) {
      std::uint64_t id = anyHeld();
      if (acre_heap_handle *handle = acre_heap_handle_new(heap, objectOf(id)))
        handles.push_back({handle, id});
      return;
    }
    size_t i = random() % handles.size();
    if (random() % 2) {
      std::uint64_t id = anyHeld();
      acre_heap_handle_set(heap, handles[i].handle, objectOf(id));
      handles[i].id = id;
    } else {
      acre_heap_handle_delete(heap, handles[i].handle);
      handles.erase(handles.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void weakOrFinal() {
    std::uint64_t id = anyHeld();
    if (!id)
      return;
    if (random() % 3 && weaks.size() < 30) {
      if (acre_heap_weak *weak = acre_heap_weak_new(heap, objectOf(id)))
        weaks.emplace_back(weak, id);
    } else if (!weaks.empty() && random() % 2) {
      /* What a weak reference still gives may be held again. */
      auto [weak, found] = weaks[random() % weaks.size()];
      if (Object *object = static_cast<Object *>(acre_heap_weak_get(heap, weak))) {
        ASSERT_EQ(object->id, found);
        keepSomewhere(found);
      }
    } else if (finalizable.insert(id).second && !acre_heap_set_finalizable(heap, objectOf(id))) {
      finalizable.erase(id);
    }
    if (random() % 8 == 0)
      if (Object *object = static_cast<Object *>(acre_heap_next_finalizable(heap))) {
        ASSERT_EQ(finalizable.erase(object->id), 1u);
        ASSERT_FALSE(reachable().count(object->id)) << "a reachable object was finalized";
      }
  }

  void freeOne() {
    std::uint64_t id = anyHeld();
    if (id && freed.insert(id).second)
      acre_heap_free(heap, objectOf(id));
  }

  void collect(unsigned how) {
    if (how == 0)
      acre_heap_collect(heap);
    else if (how == 1)
      acre_heap_collect_finish(heap);
    else if (how < 4)
      acre_heap_collect_start(heap);
    else
      acre_heap_collect_some(heap);
    if (how == 0)
      freed.clear(); /* what was freed and is still held was reported, and may be freed again */
  }

  void burst() {
    for (int i = 0; i < 200; i++)
      ASSERT_NO_FATAL_FAILURE(allocate());
    drop();
  }
};

class HeapPrograms : public EveryHeap {
protected:
  void runPrograms(int rounds, int steps, std::mt19937_64 random) {
    for (int round = 0; round < rounds; round++) {
      HeapModel model(config, std::mt19937_64(random()));
      for (int i = 0; i < steps; i++) {
        ASSERT_NO_FATAL_FAILURE(model.step()) << "round " << round << ", step " << i;
        if (i % 100 == 99) {
          ASSERT_NO_FATAL_FAILURE(model.expectSound()) << "round " << round << ", step " << i;
        }
      }
      ASSERT_NO_FATAL_FAILURE(model.expectSound());
      ASSERT_NO_FATAL_FAILURE(model.expectNothingElse());
      ASSERT_TRUE(acre_heap_check(model.heap));
    }
  }
};
INSTANTIATE_EVERY_HEAP(HeapPrograms);

/* Events are taken, so that freed objects in use are not reported on stderr. */
void ignoreEvent(const acre_heap_event *, void *) {}

TEST_P(HeapPrograms, AgreeWithTheModel) {
  Seed seed;
  SCOPED_TRACE(seed.text());
  std::mt19937_64 random = seed.generator();
  size_t before = acre_pages_in_use();
  config.trace = ignoreEvent;
  for (int i = 0; i < repetitions(20); i++) {
    config.limit = (std::size_t{256} << 10) << random() % 4;
    config.limit_max = random() % 2 ? 0 : 2 * config.limit;
    config.increment_words = static_cast<unsigned>(1 + random() % 2000);
    config.increment_objects = static_cast<unsigned>(1 + random() % 500);
    config.increment_bytes = static_cast<unsigned>(1 + random() % 5000);
    config.gc_ratio_percent = static_cast<unsigned>(50 + random() % 400);
    config.when_behind = static_cast<acre_heap_behind>(random() % 3);
    if (config.uses_migration)
      config.growth_percent = static_cast<unsigned>(random() % 3 * 60);
    ASSERT_NO_FATAL_FAILURE(runPrograms(1, 2000, std::mt19937_64(random())));
  }
  EXPECT_EQ(acre_pages_in_use(), before);
}

TEST_P(HeapPrograms, AreCheckedAfterEachSmallIncrement) {
  Seed seed;
  SCOPED_TRACE(seed.text());
  config.trace = ignoreEvent;
  config.is_incremental = true;
  config.checks_each_increment = true;
  config.limit = 256 << 10;
  config.increment_words = 40;
  config.increment_objects = 10;
  config.increment_bytes = 1;
  config.when_behind = ACRE_HEAP_BEHIND_WAIT;
  ASSERT_NO_FATAL_FAILURE(runPrograms(1, repetitions(3000), seed.generator()));
}

TEST_P(HeapPrograms, SurviveACollectionAtEachAllocation) {
  Seed seed;
  SCOPED_TRACE(seed.text());
  config.trace = ignoreEvent;
  config.collects_each_allocation = true;
  config.limit = 512 << 10;
  ASSERT_NO_FATAL_FAILURE(runPrograms(repetitions(4), 1000, seed.generator()));
}

TEST_P(HeapPrograms, SurviveFailuresOfTheSystem) {
  Seed seed;
  SCOPED_TRACE(seed.text());
  std::mt19937_64 random = seed.generator();
  config.trace = ignoreEvent;
  for (int i = 0; i < repetitions(40); i++) {
    HeapModel model(config, std::mt19937_64(random()));
    for (int step = 0; step < 1000; step++) {
      acre_os_fail_at(1 + random() % 4);
      ASSERT_NO_FATAL_FAILURE(model.step()) << "program " << i << ", step " << step;
      acre_os_fail_at(0);
    }
    ASSERT_NO_FATAL_FAILURE(model.expectSound());
  }
}

} // namespace
