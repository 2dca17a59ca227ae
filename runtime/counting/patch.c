/* SPDX-License-Identifier: MIT */
/* patch.c - see patch.h.
 *
 * The machine code here is that of x86-64; compilers for other processors make no points.
 */
#include "counting/patch.h"

#include <acre/abi.h>

#include <errno.h>
#include <string.h>

#include "counting/patched_store.h"
#include "counting/registry.h"
#include "memory/pages.h"
#include "platform/check.h"
#include "platform/code.h"
#include "platform/os.h"

static acre_rt_patch_points *first;

#ifdef __x86_64__

/* -- What a point is --------------------------------------------------------------------------- */

/* By their tables. */
enum point_kind { STORES_POINTER, STORES_WORD, RELEASES, POINT_KINDS };

struct point {
  unsigned char *at;
  size_t number; /* of its code among that of all points of the tables */
  enum point_kind kind;
  bool is_second;  /* of two words */
  size_t released; /* bytes */
};

enum {
  PREFIX = 0x3e, /* without effect */
  REX_B = 1,
  REX_R = 4,
  REX = 0x40,
  REX_W = 0x48,
  REX_KINDS = 0xf0, /* these bits are those of REX */
  STORE_REGISTER = 0x89,
  STORE_CONSTANT = 0xc7,
  TWO_BYTES = 0x0f,  /* of the opcode */
  NOTHING = 0x1f,    /* behind these, with an operand in memory */
  STORE_PAIR = 0x11, /* likewise: the two words of a vector register */
  RIP_RELATIVE = 5,
  SIB_FOLLOWS = 4,
  R11 = 3, /* with REX_R or REX_B */
  JUMP_BYTES = 5,
  CODE_BYTES_MOST = 128 /* of one point */
};

/* A store of 16, 8 or 4 bytes, or an instruction that does nothing with memory that ends.  It is as
   the encoding has it, behind prefixes.  The first of these lies before the point and is neither
   read nor written: a debugger may have put a breakpoint there, and will put back what it found. */
struct instruction {
  enum point_kind kind;
  const unsigned char *opcode, *end; /* the last byte of the opcode */
  unsigned rex, register_field, mode, base;
  size_t operand_bytes; /* of ModRM, SIB and displacement */
  bool is_constant, is_half, is_pair;
  int32_t constant; /* or how many bytes end */
  int8_t slot;      /* how many bytes behind the operand */
};

/* False if there is no instruction that the compiler makes such a point. */
static bool decode(const struct point *point, struct instruction *store) {
  const unsigned char *at = point->at;
  while (*at == PREFIX)
    at++;
  const unsigned rex = (*at & REX_KINDS) == REX ? *at++ : REX;
  const bool is_release = point->kind == RELEASES;
  const bool is_pair = point->kind == STORES_WORD && *at == TWO_BYTES;
  if ((is_release || is_pair) && *at++ != TWO_BYTES)
    return false;
  const unsigned char wanted = is_release ? NOTHING : is_pair ? STORE_PAIR : STORE_REGISTER;
  const unsigned modrm = at[1], mode = modrm >> 6, base = modrm & 7;
  *store = (struct instruction){.kind = point->kind,
                                .opcode = at,
                                .rex = rex,
                                .register_field = (modrm >> 3 & 7) | (rex & REX_R ? 8 : 0),
                                .mode = mode,
                                .base = base,
                                .is_constant = wanted == STORE_REGISTER && *at == STORE_CONSTANT,
                                .is_half = wanted == STORE_REGISTER && (rex & REX_W) != REX_W,
                                .is_pair = is_pair,
                                .constant = (int32_t)point->released,
                                .slot = point->is_second ? sizeof(void *) : 0};
  const bool has_sib = mode != 3 && base == SIB_FOLLOWS;
  const bool has_base = mode != 0 || (has_sib ? at[2] & 7 : base) != RIP_RELATIVE;
  const size_t displacement = mode == 1 ? 1 : mode == 2 || !has_base ? 4 : 0;
  store->operand_bytes = 1 + has_sib + displacement;
  store->end = at + 1 + store->operand_bytes;
  if (store->is_constant) {
    memcpy(&store->constant, store->end, sizeof store->constant);
    store->end += sizeof store->constant;
  }
  return mode != 3 && (*at == wanted || (store->is_constant && store->register_field == 0)) &&
         (is_pair || !point->is_second) && store->end - point->at >= JUMP_BYTES;
}

static bool is_rip_relative(const struct instruction *store) {
  return store->mode == 0 && store->base == RIP_RELATIVE;
}

/* What a store writes whose operand is relative to the instruction. */
static const unsigned char *variable_of(const struct instruction *store) {
  int32_t distance;
  ACRE_ASSERT(is_rip_relative(store));
  memcpy(&distance, store->opcode + 2, sizeof distance);
  return store->end + distance;
}

/* -- Its code ---------------------------------------------------------------------------------- */

/* What the code of all points of a table reads, before the first. */
struct literals {
  uint64_t lines;
  uint64_t entries[POINT_KINDS];
};

struct writer {
  unsigned char *at;
  const struct literals *literals;
};

static void put(struct writer *to, const void *bytes, size_t size) {
  memcpy(to->at, bytes, size);
  to->at += size;
}
#define PUT(to, ...) \
  put(to, (const unsigned char[]){__VA_ARGS__}, sizeof(unsigned char[]){__VA_ARGS__})

static void put_word(struct writer *to, int64_t number) {
  ACRE_ASSERT(number == (int32_t)number && "code of a point is near to it");
  const int32_t word = (int32_t)number;
  put(to, &word, sizeof word);
}

/* The rest of an instruction that is relative to its end. */
static void put_distance(struct writer *to, const void *target, size_t rest) {
  put_word(to, (const unsigned char *)target - (to->at + sizeof(int32_t) + rest));
}

static void put_jump(struct writer *to, const unsigned char *target) {
  PUT(to, 0xe9);
  put_distance(to, target, 0);
}

/* The operand in memory, with another register beside it; rest bytes of the instruction follow. */
static void put_operand(struct writer *to, const struct instruction *store, unsigned field,
                        size_t rest) {
  const unsigned char *operand = store->opcode + 1;
  PUT(to, (unsigned char)((operand[0] & ~(7 << 3)) | field << 3));
  if (is_rip_relative(store)) {
    put_distance(to, variable_of(store), rest);
  } else {
    put(to, operand + 1, store->operand_bytes - 1);
  }
}

static void put_store(struct writer *to, const struct instruction *store) {
  const size_t constant_bytes = store->is_constant ? sizeof store->constant : 0;
  PUT(to, (unsigned char)store->rex);
  if (store->is_pair)
    PUT(to, TWO_BYTES);
  PUT(to, *store->opcode);
  put_operand(to, store, store->register_field & 7, constant_bytes);
  put(to, &store->constant, constant_bytes);
}

/* r11 = the slot's address. */
static void put_slot(struct writer *to, const struct instruction *store) {
  PUT(to, (unsigned char)(store->rex | REX_W | REX_R), 0x8d);
  put_operand(to, store, R11, 0);
  if (store->is_half)
    PUT(to, 0x49, 0x83, 0xe3, 0xf8); /* and -8, r11 */
  if (store->slot)
    PUT(to, 0x49, 0x83, 0xc3, (unsigned char)store->slot); /* add slot, r11 */
}

/* An instruction on r11 and the stored register. */
static void put_with_value(struct writer *to, const struct instruction *store,
                           unsigned char opcode) {
  PUT(to, (unsigned char)(REX_W | REX_B | (store->register_field & 8 ? REX_R : 0)), opcode,
      (unsigned char)(0xc0 | (store->register_field & 7) << 3 | R11));
}

/* A short jump, whose target is said later. */
static unsigned char *put_branch(struct writer *to, unsigned char opcode) {
  PUT(to, opcode, 0);
  return to->at;
}
static void come_here(const struct writer *to, unsigned char *branch) {
  ACRE_ASSERT(to->at - branch <= INT8_MAX);
  branch[-1] = (unsigned char)(to->at - branch);
}

enum { BRANCH_IF_NOT_BELOW = 0x73, BRANCH_IF_UNEQUAL = 0x75, BRANCH_IF_EQUAL = 0x74 };

/* The value asks for a look: it is in the window and, if it is a pointer, on another page than the
 * slot.  Returns the branch to where the runtime is called. */
static unsigned char *put_value_test(struct writer *to, const struct instruction *store) {
  if (store->is_half || store->is_pair) {
    put_slot(to, store);
    PUT(to, 0x4d, 0x8b, 0x1b); /* mov (r11), r11 */
  } else {
    put_with_value(to, store, 0x89); /* mov value, r11 */
  }
  PUT(to, 0x49, 0xc1, 0xeb, ACRE_WINDOW_SHIFT); /* shr r11 */
  PUT(to, 0x41, 0x81, 0xfb);                    /* cmp r11d */
  put_word(to, (int64_t)acre_rt_window_tag);
  /* A variable is on no page of the window. */
  if (store->kind != STORES_POINTER || is_rip_relative(store))
    return put_branch(to, BRANCH_IF_EQUAL);
  unsigned char *outside = put_branch(to, BRANCH_IF_UNEQUAL);
  put_slot(to, store);
  put_with_value(to, store, 0x31); /* xor value, r11 */
  PUT(to, 0x49, 0x81, 0xfb);       /* cmp r11 */
  put_word(to, (int64_t)1 << ACRE_WINDOW_PAGE_SHIFT);
  unsigned char *other_page = put_branch(to, BRANCH_IF_NOT_BELOW);
  come_here(to, outside);
  return other_page;
}

/* The slot's line has records.  Which line is that of a variable is known now. */
static unsigned char *put_line_test(struct writer *to, const struct instruction *store) {
  if (is_rip_relative(store)) {
    const uintptr_t slot = (uintptr_t)variable_of(store) + (uintptr_t)store->slot;
    const uintptr_t line = slot >> ACRE_LINE_SHIFT;
    const unsigned char *count = &acre_rt_eager_lines[line % ACRE_LINE_COUNTS];
    PUT(to, 0x49, 0xbb); /* mov count, r11 */
    put(to, &count, sizeof count);
  } else {
    put_slot(to, store);
    PUT(to, 0x41, 0xc1, 0xeb, ACRE_LINE_SHIFT); /* shr r11d */
    PUT(to, 0x41, 0x81, 0xe3);                  /* and r11d */
    put_word(to, ACRE_LINE_COUNTS - 1);
    PUT(to, 0x4c, 0x03, 0x1d); /* add lines, r11 */
    put_distance(to, &to->literals->lines, 0);
  }
  PUT(to, 0x41, 0x80, 0x3b, 0); /* cmpb 0, (r11) */
  return put_branch(to, BRANCH_IF_UNEQUAL);
}

/* What ends lies in no frame of the thread that is not counted now. */
static unsigned char *put_frame_test(struct writer *to, const struct instruction *store) {
  uintptr_t thread;
  __asm__("movq %%fs:0, %0" : "=r"(thread));
  const int64_t stack = (int64_t)((uintptr_t)acre_rt_stack - thread);
  put_slot(to, store);
  PUT(to, 0x64, 0x4c, 0x2b, 0x1c, 0x25); /* sub fs:stack[0], r11 */
  put_word(to, stack);
  PUT(to, 0x64, 0x4c, 0x3b, 0x1c, 0x25); /* cmp fs:stack[1], r11 */
  put_word(to, stack + (int64_t)sizeof acre_rt_stack[0]);
  return put_branch(to, BRANCH_IF_NOT_BELOW);
}

/* Below the stack pointer the program may have 128 bytes in use. */
static void put_call(struct writer *to, const struct instruction *store) {
  put_slot(to, store);
  PUT(to, 0x48, 0x8d, 0x64, 0x24, 0x80); /* lea -128(rsp), rsp */
  if (store->is_constant || store->kind == RELEASES || store->is_pair) {
    PUT(to, 0x68); /* push constant */
    put_word(to, store->constant);
  } else {
    PUT(to, (unsigned char)(0x40 | (store->register_field & 8 ? REX_B : 0)),
        (unsigned char)(0x50 | (store->register_field & 7))); /* push value */
  }
  PUT(to, 0x41, 0x53); /* push r11 */
  PUT(to, 0xff, 0x15); /* call */
  put_distance(to, &to->literals->entries[store->kind], 0);
  PUT(to, 0x48, 0x8d, 0xa4, 0x24); /* lea 128+16(rsp), rsp */
  put_word(to, 128 + 16);
}

static void put_release(struct writer *to, const struct instruction *store) {
  unsigned char *by_frame = put_frame_test(to, store);
  put_jump(to, store->end);
  come_here(to, by_frame);
  put_call(to, store);
  put_jump(to, store->end);
}

static void put_barrier(struct writer *to, const struct instruction *store) {
  put_store(to, store);
  /* Half a constant may make a pointer of what was there. */
  const bool has_value = !store->is_constant || store->is_half;
  unsigned char *by_value = has_value ? put_value_test(to, store) : NULL;
  unsigned char *by_line = put_line_test(to, store);
  put_jump(to, store->end);
  if (by_value)
    come_here(to, by_value);
  come_here(to, by_line);
  put_call(to, store);
  put_jump(to, store->end);
}

static void put_code(struct writer *to, const struct instruction *store) {
  const unsigned char *begin = to->at;
  if (store->kind == RELEASES)
    put_release(to, store);
  else
    put_barrier(to, store);
  (void)begin;
  ACRE_ASSERT(to->at - begin <= CODE_BYTES_MOST);
}

/* -- Tables ------------------------------------------------------------------------------------ */

typedef void point_visitor(const struct point *point, void *context);

/* Reads a number in base 128, the lowest digit first, and goes on behind it. */
static size_t read_number(const unsigned char **at) {
  size_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const unsigned char digit = *(*at)++;
    number |= (size_t)(digit & 0x7f) << shift;
    if (digit < 0x80)
      return number;
  }
}

static void each_point(const acre_rt_patch_points *points, point_visitor *visit, void *context) {
  const struct {
    const unsigned char *begin, *end;
  } tables[] = {[STORES_POINTER] = {points->pointers, points->pointers_end},
                [STORES_WORD] = {points->words, points->words_end},
                [RELEASES] = {points->releases, points->releases_end}};
  struct point point = {0};
  for (point.kind = 0; point.kind < POINT_KINDS; point.kind++) {
    const unsigned char *at = tables[point.kind].begin, *end = tables[point.kind].end;
    while (at < end) {
      const size_t number = read_number(&at);
      if (number) {
        point.at += point.kind == STORES_WORD ? number >> 1 : number;
        point.is_second = point.kind == STORES_WORD && number & 1;
        point.released = point.kind == RELEASES ? read_number(&at) : 0;
        visit(&point, context);
        point.number++;
        continue;
      }
      int32_t begin;
      memcpy(&begin, at, sizeof begin);
      point.at = (unsigned char *)at + begin;
      at += sizeof begin;
    }
  }
}

struct span {
  uintptr_t low, high;
  size_t count;
};

static void add_point(const struct point *point, void *context) {
  struct span *span = context;
  struct instruction store;
  if (!decode(point, &store))
    acre_os_fatal("there is no patch point at %p", (void *)point->at);
  const uintptr_t low = (uintptr_t)point->at, high = (uintptr_t)store.end;
  span->low = low < span->low ? low : span->low;
  span->high = high > span->high ? high : span->high;
  span->count = point->number + 1;
}

static unsigned char *code_of(struct literals *codes, size_t number) {
  return (unsigned char *)(codes + 1) + number * CODE_BYTES_MOST;
}

static void write_code(const struct point *point, void *context) {
  struct literals *codes = context;
  struct instruction store;
  decode(point, &store);
  struct writer to = {code_of(codes, point->number), codes};
  put_code(&to, &store);
}

/* Where the bytes of the code at an address are while it is changed. */
struct change {
  const acre_rt_patch_points *points;
  struct literals *codes;
  uintptr_t address;
  unsigned char *bytes;
};

static void write_jump(const struct point *point, void *context) {
  struct change *change = context;
  const int64_t distance = code_of(change->codes, point->number) - (point->at + JUMP_BYTES);
  const int32_t word = (int32_t)distance;
  ACRE_ASSERT(word == distance);
  unsigned char *at = change->bytes + ((uintptr_t)point->at - change->address);
  at[0] = 0xe9;
  memcpy(at + 1, &word, sizeof word);
}

static void write_jumps(uintptr_t address, unsigned char *bytes, void *context) {
  struct change *change = context;
  change->address = address;
  change->bytes = bytes;
  each_point(change->points, write_jump, change);
}

static const char *make_barriers(acre_rt_patch_points *points) {
  struct span span = {.low = UINTPTR_MAX};
  each_point(points, add_point, &span);
  if (span.count == 0)
    return NULL;
  if (!acre_pages_start())
    return "reserving the window";
  acre_patched_prepare();
  const size_t size = sizeof(struct literals) + span.count * CODE_BYTES_MOST;
  struct literals *codes = acre_code_near(span.low, span.high, size);
  if (!codes)
    return "mapping memory near to it";
  *codes = (struct literals){(uintptr_t)acre_rt_eager_lines,
                             {[STORES_POINTER] = (uintptr_t)acre_patched_pointer,
                              [STORES_WORD] = (uintptr_t)acre_patched_word,
                              [RELEASES] = (uintptr_t)acre_patched_release}};
  each_point(points, write_code, codes);
  if (!acre_code_seal(codes, size))
    return "making code executable";
  struct change change = {.points = points, .codes = codes};
  if (!acre_code_change(span.low, span.high, write_jumps, &change))
    return "changing its code";
  points->code = codes;
  points->code_size = size;
  return NULL;
}

#else

static const char *make_barriers(acre_rt_patch_points *points) {
  (void)points;
  return "writing machine code of this processor";
}

#endif

static void activate(acre_rt_patch_points *points) {
  const char *failed = points->code ? NULL : make_barriers(points);
  if (failed)
    acre_os_fatal("the stores of a part of the program that names no region cannot be counted: %s "
                  "failed (%s); compile it with -facre-barriers=inline",
                  failed, strerror(errno));
}

void acre_patches_apply(void) {
  for (acre_rt_patch_points *points = first; points; points = points->next)
    activate(points);
}

void acre_rt_register_patch_points(acre_rt_patch_points *points) {
  acre_registry_lock();
  if (points->users++ == 0) {
    points->next = first;
    first = points;
    if (acre_rt_active)
      activate(points);
  }
  acre_registry_unlock();
}

void acre_rt_unregister_patch_points(acre_rt_patch_points *points) {
  acre_registry_lock();
  ACRE_ASSERT(points->users > 0);
  if (--points->users == 0) {
    acre_rt_patch_points **link = &first;
    while (*link && *link != points)
      link = &(*link)->next;
    if (*link)
      *link = points->next;
    /* Destructors with this priority are the last of a module, so nothing jumps there any more. */
    if (points->code)
      acre_code_free(points->code, points->code_size);
    points->code = NULL;
  }
  acre_registry_unlock();
}
