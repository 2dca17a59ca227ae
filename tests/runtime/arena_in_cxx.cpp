/* The arena header (and the heap's, which is only compiled) in C++11 and C++20, compiled once for
 * each.  Returns the line that fails, or 0. */
#include <acre/arena.h>
#include <acre/heap.h>

#include <new>

int ARENA_IN_CXX();

namespace {

struct Node {
  explicit Node(int v) : value(v), next(nullptr) {}
  int value;
  Node *next;
};

struct alignas(64) Line {
  char bytes[64];
};

} // namespace

#define EXPECT(condition) \
  do {                    \
    if (!(condition))     \
      return __LINE__;    \
  } while (0)

int ARENA_IN_CXX() {
  acre_arena *arena = acre_arena_new(nullptr);
  EXPECT(arena != nullptr);
  Node *list = nullptr;
  for (int i = 0; i < 10000; i++) {
    Node *node = new (ACRE_ARENA_NEW(arena, Node)) Node(i);
    node->next = list;
    list = node;
  }
  int count = 0;
  for (Node *node = list; node != nullptr; node = node->next)
    EXPECT(node->value == 9999 - count++);
  EXPECT(count == 10000);
  Line *lines = ACRE_ARENA_NEW_ARRAY(arena, 7, Line);
  EXPECT(reinterpret_cast<uintptr_t>(lines) % 64 == 0);
  acre_arena_mark mark = acre_arena_set_mark(arena);
  EXPECT(acre_arena_try_alloc_zeroed(arena, 100) != nullptr &&
         acre_arena_alloc_zeroed(arena, 100) != nullptr);
  EXPECT(acre_arena_try_alloc_array(arena, SIZE_MAX, 2, 1) == nullptr);
  acre_arena_rewind(arena, mark);
  EXPECT(acre_arena_check(arena));
  acre_arena_delete(arena);
  return 0;
}
