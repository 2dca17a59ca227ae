/* barrier.c - the barriers that compiled code calls: each makes records agree with memory
 * (docs/design/counting.md).
 *
 * A plain slot is reconciled: its record becomes the region it points into, if that is another than
 * the slot's own.  An annotated slot is checked and has no record.  Stores to atomic slots by
 * several threads settle on the last value: each thread that set the record reads the slot again
 * afterwards and repeats if it has changed.
 */
#include "counting/barrier.h"

#include <stdlib.h>
#include <string.h>

#include "counting/describe.h"
#include "counting/record.h"
#include "memory/descriptor.h"
#include "platform/os.h"
#include "platform/thread.h"

unsigned char acre_rt_active;

uintptr_t acre_define(uintptr_t word) {
  (void)VALGRIND_MAKE_MEM_DEFINED(&word, sizeof word);
  return word;
}

/* -- Relations of regions ---------------------------------------------------------------------- */

static bool is_ancestor(uint32_t ancestor, uint32_t index) {
  if (ancestor == index)
    return true;
  const struct acre_region_entry *above = acre_registry_at(ancestor),
                                 *region = acre_registry_at(index);
  if (region->parent == above)
    return true;
  if (above->parent == region)
    return false;
  return above->root == region->root &&
         acre_order_encloses(&above->begin, &above->end, &region->begin);
}

_Thread_local uint64_t acre_unrelated_pairs[ACRE_UNRELATED_HOLDERS][ACRE_UNRELATED_EACH]
    __attribute__((tls_model("initial-exec")));

static void note_if_own(uint64_t *pair, uint32_t holder, uint32_t target) {
  if (acre_registry_at(holder)->owner == acre_thread_id())
    *pair = acre_relation(holder, target);
}

/* Two words at a time.  Lanes of 32 bits are those that every processor with vectors compares. */
typedef uint64_t word_pair __attribute__((vector_size(16)));
typedef uint32_t half_words __attribute__((vector_size(16)));

/* Two ancestors at a time: the upper half of those of holder becomes what is no index.  The place
   that unrelated regions of holder share with those of others is cleared. */
void acre_forget_relations(uint32_t holder) {
  const uint64_t wanted = acre_relation(holder, UINT32_MAX);
  const half_words gone = (half_words)(word_pair){wanted, wanted};
#pragma GCC unroll 16
  for (size_t i = 0; i < ACRE_ANCESTOR_PAIRS; i += 2) {
    half_words held;
    memcpy(&held, &acre_rt_ancestor_pairs[i], sizeof held);
    held |= (half_words)(held == gone);
    memcpy(&acre_rt_ancestor_pairs[i], &held, sizeof held);
  }
  memset(acre_unrelated_pairs[holder % ACRE_UNRELATED_HOLDERS], 0, sizeof *acre_unrelated_pairs);
}

bool acre_find_below(uint32_t holder, uint32_t target) {
  bool is_below = is_ancestor(target, holder);
  note_if_own(is_below ? acre_ancestor_pair(holder, target) : acre_unrelated_pair(holder, target),
              holder, target);
  return is_below;
}

/* -- One slot ---------------------------------------------------------------------------------- */

static inline void reconcile(uintptr_t slot, const void *value) {
  uint32_t region = acre_counted_target((const void *)slot, value);
  if (region || acre_line_has(slot))
    acre_record_store(slot, region);
}

__attribute__((noinline)) static void reconcile_slowly(uintptr_t slot, const void *value) {
  reconcile(slot, value);
}

/* The same without a call before the last one. */
void acre_rt_store(void *slot, void *value) {
  uint32_t target = acre_page_owner(value), holder = acre_page_owner(slot);
  if (!holder && acre_thread_is_uncounted((uintptr_t)slot))
    return;
  if (target <= ACRE_INDEX_PERMANENT || target == holder || acre_is_known_below(holder, target)) {
    if (acre_line_has((uintptr_t)slot))
      acre_record_store((uintptr_t)slot, 0);
  } else if (__builtin_expect(acre_is_known_unrelated(holder, target), 1)) {
    acre_record_store((uintptr_t)slot, target);
  } else {
    reconcile_slowly((uintptr_t)slot, value);
  }
}

void acre_rt_drop_record(void *slot, void *value) {
  (void)value;
  acre_record_store((uintptr_t)slot, 0);
}

void acre_rt_reread(void *slot) {
  if (acre_thread_is_uncounted((uintptr_t)slot))
    return;
  /* Atomic and volatile slots are aligned, except volatile members of packed structs, which nothing
   * can read at once. */
  bool is_aligned = (uintptr_t)slot % ACRE_SLOT_SIZE == 0;
  void *value = is_aligned ? __atomic_load_n((void **)slot, __ATOMIC_SEQ_CST)
                           : acre_read_slot((uintptr_t)slot);
  for (void *before = NULL;; before = value) {
    reconcile((uintptr_t)slot, value);
    if (!is_aligned)
      return;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    before = value;
    value = __atomic_load_n((void **)slot, __ATOMIC_SEQ_CST);
    if (value == before)
      return;
  }
}

/* -- Rules ------------------------------------------------------------------------------------- */

/* Does the handle name a region that a slot of holder may name? */
static bool names_allowed(acre_slot_rule rule, uint32_t holder, const void *handle) {
  const struct acre_region_entry *named =
      handle ? acre_registry_find((acre_region)(uintptr_t)handle) : NULL;
  if (!named)
    return !handle;
  if (rule == ACRE_SLOT_HANDLE_TRADITIONAL)
    return named->index == ACRE_INDEX_TRADITIONAL;
  return rule == ACRE_SLOT_HANDLE_SAMEREGION ? named->index == holder
                                             : is_ancestor(named->index, holder);
}

static bool obeys(acre_slot_rule rule, uint32_t holder, const void *value) {
  if (rule & ACRE_SLOT_HANDLE)
    return names_allowed(rule, holder, value);
  uint32_t target = acre_page_owner(value);
  switch (rule) {
  case ACRE_SLOT_SAMEREGION:
    return !value || target == holder;
  case ACRE_SLOT_PARENTPTR:
    return !value || is_ancestor(target, holder);
  case ACRE_SLOT_TRADITIONAL:
    return target == ACRE_INDEX_TRADITIONAL;
  default:
    break;
  }
  return true;
}

bool acre_rule_allows(acre_slot_rule rule, const void *slot, const void *value) {
  return obeys(rule, acre_page_owner(slot), value);
}

static const char *rule_name(acre_slot_rule rule) {
  static const char *const names[] = {"plain", "sameregion", "parentptr", "traditional", "union"};
  return names[rule & ~ACRE_SLOT_HANDLE];
}

/* "region 'name' (created at here)", in pieces for a message. */
static void print_region(const char *before, uint32_t index) {
  acre_os_print(2, "%s", before);
  acre_print_region(2, acre_registry_at(index));
}

/* After "a pointer may not point into ...", or the same of a handle. */
static void print_broken(acre_slot_rule rule, const void *value) {
  const struct acre_region_entry *named =
      rule & ACRE_SLOT_HANDLE ? acre_registry_find((acre_region)(uintptr_t)value) : NULL;
  if (!(rule & ACRE_SLOT_HANDLE)) {
    acre_os_print(2, "%s pointer may not point ", rule_name(rule));
    print_region("into ", acre_page_owner(value));
    acre_os_print(2, "\n  value %p: ", value);
    acre_print_object(2, value);
  } else if (named) {
    acre_os_print(2, "%s handle may not name ", rule_name(rule));
    acre_print_region(2, named);
  } else {
    acre_os_print(2, "%s handle may not name a region that was deleted (%p)", rule_name(rule),
                  value);
  }
}

_Noreturn static void fail_rule(acre_slot_rule rule, const void *slot, const void *value,
                                const acre_rt_where *where) {
  acre_os_print(2, "acre: fatal: ");
  acre_print_where(2, where);
  print_broken(rule, value);
  if (slot) {
    acre_os_print(2, "\n  slot %p: ", slot);
    acre_print_slot(2, slot);
    print_region("\n  held by ", acre_page_owner(slot));
  }
  acre_os_print(2, "\n");
  abort();
}

static void check(acre_slot_rule rule, void *slot, const void *value, const acre_rt_where *where) {
  if (!acre_rule_allows(rule, slot, value))
    fail_rule(rule, slot, value, where);
}

/* A record may be left from other data in the same memory. */
static inline void clear_record(uintptr_t slot) {
  if (acre_line_has(slot))
    acre_record_set(slot, 0);
}

static inline void check_store(acre_slot_rule rule, void *slot, const void *value,
                               const acre_rt_where *where) {
  acre_add64(&acre_counters.stores_checked, 1);
  /* Each rule allows a pointer into the slot's own region. */
  if (__builtin_expect(acre_page_owner(slot) != acre_page_owner(value), 0))
    check(rule, slot, value, where);
  clear_record((uintptr_t)slot);
}

void acre_rt_check_sameregion(void *slot, void *value, const acre_rt_where *where) {
  check_store(ACRE_SLOT_SAMEREGION, slot, value, where);
}

/* value in slot, which region holder holds, obeys parentptr.  What was found true is remembered. */
static inline void check_upward(void *slot, uint32_t holder, const void *value,
                                const acre_rt_where *where) {
  uint32_t target = acre_page_owner(value);
  if (__builtin_expect(holder == target || acre_is_known_below(holder, target), 1))
    return;
  if (value && !is_ancestor(target, holder))
    fail_rule(ACRE_SLOT_PARENTPTR, slot, value, where);
  if (target)
    note_if_own(acre_ancestor_pair(holder, target), holder, target);
}

void acre_rt_check_parentptr(void *slot, void *value, const acre_rt_where *where) {
  acre_add64(&acre_counters.stores_checked, 1);
  check_upward(slot, acre_page_owner(slot), value, where);
  clear_record((uintptr_t)slot);
}

void acre_rt_check_traditional(void *value, const acre_rt_where *where) {
  acre_add64(&acre_counters.stores_checked, 1);
  if (acre_page_owner(value))
    fail_rule(ACRE_SLOT_TRADITIONAL, NULL, value, where);
}

void acre_rt_check_handle(void *slot, void *handle, int rule, const acre_rt_where *where) {
  acre_add64(&acre_counters.stores_checked, 1);
  check((acre_slot_rule)rule, slot, handle, where);
}

void acre_rt_verify_proved(void *slot, void *value, int rule, const acre_rt_where *where) {
  bool is_true = rule == ACRE_SLOT_PLAIN ? acre_counted_target(slot, value) == 0
                                         : acre_rule_allows((acre_slot_rule)rule, slot, value);
  if (is_true)
    return;
  acre_os_print(
      2,
      "acre: the compiler removed a check that fails; this is a fault of Acre, please report it\n");
  fail_rule((acre_slot_rule)rule, slot, value, where);
}

/* -- Ranges ------------------------------------------------------------------------------------ */

/* What is known of the bytes that are scanned.  In region memory the object's descriptor is looked
   up at the first external pointer. */
struct scan {
  const acre_type *type; /* or null */
  uintptr_t base;        /* where type begins */
  size_t size;
  bool is_looked_up, is_uncounted;
  bool has_traditional; /* of what was looked up: some slots are traditional */
  const acre_rt_where *where;
};

static bool has_traditional_slots(const acre_type *type) {
  for (uint32_t i = 0; type && i < type->slot_count; i++)
    if (type->slots[i].rule == ACRE_SLOT_TRADITIONAL)
      return true;
  return false;
}

static void look_up(struct scan *scan, uintptr_t slot) {
  if (scan->is_looked_up || slot - scan->base < scan->size || !acre_page_owner((void *)slot))
    return;
  struct acre_object object = acre_object_find((void *)slot);
  scan->type = object.site ? object.site->type : NULL;
  scan->base = (uintptr_t)object.start;
  scan->size = object.size;
  scan->has_traditional = has_traditional_slots(scan->type);
}

static acre_slot_rule rule_of(struct scan *scan, uintptr_t slot) {
  look_up(scan, slot);
  if (!scan->type || slot - scan->base >= scan->size)
    return ACRE_SLOT_PLAIN;
  size_t index;
  const acre_slot *run = acre_type_slot_at(scan->type, scan->size, slot - scan->base, &index);
  return run ? (acre_slot_rule)run->rule : ACRE_SLOT_PLAIN;
}

static void reconcile_scanned(struct scan *scan, uintptr_t slot, const void *value) {
  acre_slot_rule rule = rule_of(scan, slot);
  if (rule == ACRE_SLOT_PLAIN || rule == ACRE_SLOT_UNION) {
    reconcile(slot, value);
  } else {
    check(rule, (void *)slot, value, scan->where);
    acre_record_set(slot, 0);
  }
}

/* Does value point into another region than slot's?  What is not counted may still break a rule. */
static inline bool is_external(const void *slot, const void *value) {
  uint32_t target = acre_page_owner(value);
  return target && target != acre_page_owner(slot);
}

/* value, in slot, is not external.  Of all rules only that of a traditional slot may forbid it. */
static inline void check_internal(struct scan *scan, uintptr_t slot, const void *value) {
  bool is_free = !scan->has_traditional && slot - scan->base < scan->size; /* as most objects are */
  if (is_free || scan->is_looked_up || !acre_page_owner(value))
    return;
  look_up(scan, slot);
  if (scan->has_traditional && rule_of(scan, slot) == ACRE_SLOT_TRADITIONAL)
    check(ACRE_SLOT_TRADITIONAL, (void *)slot, value, scan->where);
}

/* The aligned word at slot, or the misaligned slot in it that has a record and still holds an
 * external pointer. */
static void scan_word(struct scan *scan, uintptr_t slot) {
  uintptr_t start;
  bool has_record = acre_record_get(slot, &start) != 0;
  if (has_record && start != slot) {
    const void *value = acre_read_slot(start);
    if (is_external((void *)start, value)) {
      reconcile_scanned(scan, start, value);
      return;
    }
  }
  const void *value = acre_read_slot(slot);
  if (is_external((void *)slot, value)) {
    reconcile_scanned(scan, slot, value);
    return;
  }
  check_internal(scan, slot, value);
  if (has_record)
    acre_record_set(slot, 0);
}

/* As scan_word, for a word that has no record. */
static inline void scan_fresh_word(struct scan *scan, uintptr_t slot) {
  const void *value = acre_read_slot(slot);
  if (is_external((void *)slot, value))
    reconcile_scanned(scan, slot, value);
  else
    check_internal(scan, slot, value);
}

typedef uint64_t unaligned_word __attribute__((aligned(1), may_alias));
typedef word_pair unaligned_pair __attribute__((aligned(1), may_alias));
enum { PAIR_SIZE = sizeof(word_pair) };

/* Not 0 where a word lies in the window.  The upper half of a shifted word is 0, which is no half
 * of what is wanted. */
static inline word_pair in_window(word_pair words, uint64_t tag) {
  const uint64_t whole = tag | ~(uint64_t)0 << 32;
  const half_words wanted = (half_words)(word_pair){whole, whole};
  return (word_pair)((half_words)(words >> ACRE_WINDOW_SHIFT) == wanted);
}

/* Not 0 if one of count words at address lies in the window. */
ACRE_RAW_READ static inline uint64_t window_words(uintptr_t address, size_t count) {
  const uint64_t tag = acre_rt_window_tag;
  uint64_t found = 0;
  if (count % 2 != 0) {
    found = *(const unaligned_word *)address >> ACRE_WINDOW_SHIFT == tag;
    address += ACRE_SLOT_SIZE;
  }
  if (count >= 2) {
    word_pair equal = {0, 0};
    for (uintptr_t end = address + count / 2 * PAIR_SIZE; address < end; address += PAIR_SIZE)
      equal |= in_window(*(const unaligned_pair *)address, tag);
    found |= equal[0] | equal[1];
  }
  return found;
}

static inline bool has_window_word(uintptr_t address, size_t count) {
  return acre_defined(window_words(address, count) != 0);
}

/* [low, high) are aligned words of one page. */
static void scan_page(struct scan *scan, uintptr_t low, uintptr_t high) {
  enum { STEP = 32 * ACRE_SLOT_SIZE };
  bool has_records = acre_record_maybe(low);
  for (uintptr_t end; low < high; low = end) {
    end = high - low > STEP ? low + STEP : high;
    bool is_clear = !has_records || acre_record_is_clear(low, end);
    if (is_clear && !has_window_word(low, (end - low) / ACRE_SLOT_SIZE))
      continue;
    /* Records that are made here concern no other word. */
    for (uintptr_t slot = low; slot < end; slot += ACRE_SLOT_SIZE)
      if (is_clear)
        scan_fresh_word(scan, slot);
      else
        scan_word(scan, slot);
  }
}

static void scan_range(struct scan *scan, uintptr_t address, size_t size) {
  const uintptr_t mask = ACRE_SLOT_SIZE - 1;
  uintptr_t low = address & ~mask, high = (address + size + mask) & ~mask;
  while (low < high) {
    uintptr_t page_end = (low | (ACRE_RECORD_BLOCK_SIZE - 1)) + 1;
    uintptr_t end = page_end < high ? page_end : high;
    scan_page(scan, low, end);
    low = end;
  }
  /* Bytes copied as a misaligned array of words. */
  if (address & mask)
    for (uintptr_t slot = address; slot + ACRE_SLOT_SIZE <= address + size; slot += ACRE_SLOT_SIZE)
      scan_fresh_word(scan, slot);
}

/* A word has a byte of zero exactly if its zero_mark has one of the upper bits of bytes. */
#define ONES 0x0101010101010101u
#define UPPER_BITS 0x8080808080808080u
static inline uint64_t zero_mark(uint64_t word) { return (word - ONES) & ~word; }

/* Not 0 if there is a byte of zero in a range of 8 bytes or more, as in each address in the window.
 */
ACRE_RAW_READ static inline uint64_t zero_bytes(uintptr_t address, size_t size) {
  if (size < PAIR_SIZE)
    return (zero_mark(*(const unaligned_word *)address) |
            zero_mark(*(const unaligned_word *)(address + size - ACRE_SLOT_SIZE))) &
           UPPER_BITS;
  const uintptr_t last = address + size - PAIR_SIZE;
  word_pair words = *(const unaligned_pair *)last, marks = (words - ONES) & ~words;
  for (; address < last; address += PAIR_SIZE) {
    words = *(const unaligned_pair *)address;
    marks |= (words - ONES) & ~words;
  }
  return (marks[0] | marks[1]) & UPPER_BITS;
}

/* Not 0 if there may be a pointer in the range.  Text, the most common contents of copies, is told
   from pointers without looking at each place where one could be. */
ACRE_RAW_READ __attribute__((always_inline)) static inline uint64_t suspicions(uintptr_t address,
                                                                               size_t size) {
  const uintptr_t mask = ACRE_SLOT_SIZE - 1, low = address & ~mask,
                  high = (address + size + mask) & ~mask;
  if (((address | size) & mask) == 0) /* rarely text */
    return window_words(address, size / ACRE_SLOT_SIZE);
  /* The first aligned word ends in bytes of the range; the last one may end in others. */
  if (size > ACRE_SLOT_SIZE && !zero_bytes(address, size))
    return window_words(high - ACRE_SLOT_SIZE, 1);
  uint64_t found = window_words(low, (high - low) / ACRE_SLOT_SIZE);
  return address & mask ? found | window_words(address, size / ACRE_SLOT_SIZE) : found;
}

enum { SMALL = 512 };

/* Is there certainly no record in [low, high)? */
static bool is_without_records(uintptr_t low, uintptr_t high) {
  if (high - low > SMALL)
    return false;
  bool is_in_page = (low ^ (high - 1)) < ACRE_RECORD_BLOCK_SIZE;
  return is_in_page ? acre_record_is_clear(low, high)
                    : !acre_record_maybe(low) && !acre_record_maybe(high - 1);
}

/* Whole words of one page, without records. */
static bool is_fresh(uintptr_t low, size_t size) {
  return size <= SMALL && (low | size) % ACRE_SLOT_SIZE == 0 &&
         (low ^ (low + size - 1)) < ACRE_RECORD_BLOCK_SIZE && acre_record_is_clear(low, low + size);
}

static void rescan_fresh(uintptr_t low, size_t size) {
  struct scan scan = {0};
  for (uintptr_t slot = low; slot < low + size; slot += ACRE_SLOT_SIZE)
    scan_fresh_word(&scan, slot);
}

__attribute__((noinline)) static void rescan_slowly(uintptr_t address, size_t size) {
  const uintptr_t mask = ACRE_SLOT_SIZE - 1;
  if (acre_thread_is_uncounted(address))
    return;
  if (is_fresh(address, size)) {
    rescan_fresh(address, size);
    return;
  }
  if (is_without_records(address & ~mask, (address + size + mask) & ~mask) &&
      !acre_defined(suspicions(address, size)))
    return;
  struct scan scan = {0};
  scan_range(&scan, address, size);
}

/* Do the counts of lines, or the filter, say that the range has no records?  Never wrong about yes.
 */
static inline bool is_filtered(uintptr_t address, size_t size) {
  if (acre_is_checked || size > (size_t)1 << ACRE_FILTER_SHIFT)
    return false;
  const uintptr_t last = address + size - 1;
  return (!acre_filter_has(address) && !acre_filter_has(last)) ||
         (size <= (size_t)1 << ACRE_LINE_SHIFT && !acre_line_has(address) && !acre_line_has(last));
}

/* Bytes of one aligned word. */
static void rescan_word(uintptr_t word) {
  struct scan scan = {0};
  if (acre_thread_is_uncounted(word))
    return;
  if (acre_line_has(word))
    scan_word(&scan, word);
  else
    scan_fresh_word(&scan, word);
}

/* Calls nothing where there is nothing to do, as most often. */
void acre_rt_rescan(void *bytes, size_t size) {
  const uintptr_t address = (uintptr_t)bytes;
  if (!acre_rt_active || size == 0)
    return;
  if ((address ^ (address + size - 1)) < ACRE_SLOT_SIZE)
    rescan_word(address & ~(uintptr_t)(ACRE_SLOT_SIZE - 1));
  else if (!is_filtered(address, size) || suspicions(address, size))
    rescan_slowly(address, size);
}

/* Fewer bytes than a pointer has, which make none. */
ACRE_RAW_READ static inline void copy_bytes(uintptr_t to, uintptr_t from, size_t size) {
  typedef uint32_t unaligned_half __attribute__((aligned(1), may_alias));
  typedef uint16_t unaligned_quarter __attribute__((aligned(1), may_alias));
  if (size >= sizeof(uint32_t)) {
    const uint32_t first = *(const unaligned_half *)from,
                   last = *(const unaligned_half *)(from + size - sizeof first);
    *(unaligned_half *)to = first;
    *(unaligned_half *)(to + size - sizeof last) = last;
  } else if (size >= sizeof(uint16_t)) {
    const uint16_t first = *(const unaligned_quarter *)from;
    const uint16_t last = *(const unaligned_quarter *)(from + size - sizeof first);
    *(unaligned_quarter *)to = first;
    *(unaligned_quarter *)(to + size - sizeof last) = last;
  } else if (size != 0) {
    *(unsigned char *)to = *(const unsigned char *)from;
  }
}

/* 8 to 16 bytes are two words, which are looked at on their way. */
ACRE_RAW_READ static inline void copy_words(uintptr_t to, uintptr_t from, size_t size) {
  const uint64_t first = *(const unaligned_word *)from,
                 last = *(const unaligned_word *)(from + size - ACRE_SLOT_SIZE);
  *(unaligned_word *)to = first;
  *(unaligned_word *)(to + size - ACRE_SLOT_SIZE) = last;
  if (!acre_rt_active)
    return;
  const uintptr_t mask = ACRE_SLOT_SIZE - 1, high = (to + size + mask) & ~mask;
  bool is_text = ((zero_mark(first) | zero_mark(last)) & UPPER_BITS) == 0;
  if (!is_filtered(to, size) ||
      (is_text ? window_words(high - ACRE_SLOT_SIZE, 1) : suspicions(to, size)))
    rescan_slowly(to, size);
}

/* 17 to 32 bytes are two pairs, likewise. */
ACRE_RAW_READ static inline void copy_pairs(uintptr_t to, uintptr_t from, size_t size) {
  const word_pair first = *(const unaligned_pair *)from,
                  last = *(const unaligned_pair *)(from + size - PAIR_SIZE);
  *(unaligned_pair *)to = first;
  *(unaligned_pair *)(to + size - PAIR_SIZE) = last;
  if (!acre_rt_active)
    return;
  const uintptr_t mask = ACRE_SLOT_SIZE - 1, high = (to + size + mask) & ~mask;
  const uint64_t tag = acre_rt_window_tag;
  uint64_t found;
  if (((to | size) & mask) == 0) {
    const word_pair equal = in_window(first, tag) | in_window(last, tag);
    found = equal[0] | equal[1];
  } else {
    const word_pair zero = ((first - ONES) & ~first) | ((last - ONES) & ~last);
    found = (zero[0] | zero[1]) & UPPER_BITS ? suspicions(to, size)
                                             : window_words(high - ACRE_SLOT_SIZE, 1);
  }
  if (!is_filtered(to, size) || found)
    rescan_slowly(to, size);
}

__attribute__((noinline)) static void copy_range(void *to, const void *from, size_t size) {
  memmove(to, from, size);
  acre_rt_rescan(to, size);
}

/* Most copies are so short that a call of memmove would take longer. */
void acre_rt_copy(void *to, const void *from, size_t size) {
  if (size < ACRE_SLOT_SIZE)
    copy_bytes((uintptr_t)to, (uintptr_t)from, size);
  else if (size <= PAIR_SIZE)
    copy_words((uintptr_t)to, (uintptr_t)from, size);
  else if (size <= 2 * PAIR_SIZE)
    copy_pairs((uintptr_t)to, (uintptr_t)from, size);
  else
    copy_range(to, from, size);
}

void acre_rt_store_range(void *slots, size_t size) {
  if (!acre_rt_active || acre_thread_is_uncounted((uintptr_t)slots))
    return;
  /* No descriptor is asked: the slots are plain to those who stored there. */
  struct scan scan = {.is_looked_up = true};
  scan_range(&scan, (uintptr_t)slots, size);
}

void acre_rescan(void *address, size_t size) { acre_rt_rescan(address, size); }

/* The slots of an object that has been overwritten. */
struct typed_scan {
  struct scan scan;
  uint32_t holder;
  uintptr_t low, high; /* slots that do not lie wholly in there are not looked at */
  uint64_t annotated;  /* of an object of up to so many words, one bit each */
};

enum { MOST_MARKED = 64 };

static void check_annotated_slot(const struct typed_scan *typed, acre_slot_rule rule,
                                 uintptr_t slot) {
  void *value = acre_read_slot(slot);
  acre_add64(&acre_counters.stores_checked, 1);
  if (!value)
    return;
  if (rule == ACRE_SLOT_PARENTPTR)
    check_upward((void *)slot, typed->holder, value, typed->scan.where);
  else if (!obeys(rule, typed->holder, value))
    fail_rule(rule, (void *)slot, value, typed->scan.where);
}

static bool is_counted_rule(uint32_t rule) {
  return rule == ACRE_SLOT_PLAIN || rule == ACRE_SLOT_UNION;
}

static void check_typed_slot(const acre_slot *run, size_t offset, void *context) {
  struct typed_scan *typed = context;
  uintptr_t slot = typed->scan.base + offset;
  if (slot < typed->low || slot + ACRE_SLOT_SIZE > typed->high)
    return;
  if (is_counted_rule(run->rule)) {
    if (slot % ACRE_SLOT_SIZE != 0 && !typed->scan.is_uncounted)
      reconcile(slot, acre_read_slot(slot));
    return;
  }
  typed->annotated |= (uint64_t)1 << offset / ACRE_SLOT_SIZE % MOST_MARKED;
  check_annotated_slot(typed, (acre_slot_rule)run->rule, slot);
}

/* Looks at the words of a small object that are no annotated slots; those have no record. */
static void scan_unmarked(const struct typed_scan *typed) {
  struct scan plain = {.is_looked_up = true};
  uintptr_t low = typed->scan.base, high = low + typed->scan.size;
  bool is_clear = (low ^ (high - 1)) < ACRE_RECORD_BLOCK_SIZE
                      ? acre_record_is_clear(low, high)
                      : !acre_record_maybe(low) && !acre_record_maybe(high - 1);
  uint64_t annotated = typed->annotated;
  for (uintptr_t slot = low; slot < high; slot += ACRE_SLOT_SIZE, annotated >>= 1)
    if (annotated & 1) {
      if (!is_clear)
        acre_record_set(slot, 0);
    } else if (is_clear) {
      scan_fresh_word(&plain, slot);
    } else {
      scan_word(&plain, slot);
    }
}

static struct typed_scan typed_scan(uintptr_t address, size_t size, const acre_type *type,
                                    const acre_rt_where *where) {
  bool is_uncounted = acre_thread_is_uncounted(address);
  return (struct typed_scan){.scan = {.type = type,
                                      .base = address,
                                      .size = size,
                                      .is_looked_up = true,
                                      .is_uncounted = is_uncounted,
                                      .where = where},
                             .holder = acre_page_owner((void *)address),
                             .low = address,
                             .high = address + size};
}

void acre_rt_rescan_typed(void *address, size_t size, const acre_type *type,
                          const acre_rt_where *where) {
  if (!acre_rt_active || size == 0)
    return;
  struct typed_scan typed = typed_scan((uintptr_t)address, size, type, where);
  bool is_uncounted = typed.scan.is_uncounted;
  bool is_small = size <= MOST_MARKED * ACRE_SLOT_SIZE &&
                  ((uintptr_t)address | size) % ACRE_SLOT_SIZE == 0 &&
                  !acre_type_is_packed(type, (uintptr_t)address);
  if (!is_uncounted && !is_small)
    scan_range(&typed.scan, (uintptr_t)address, size);
  acre_type_each_slot(type, size, check_typed_slot, &typed);
  if (!is_uncounted && is_small)
    scan_unmarked(&typed);
}

static void scan_slot(const acre_slot *run, size_t offset, void *context) {
  struct typed_scan *typed = context;
  uintptr_t slot = typed->scan.base + offset;
  struct scan plain = {.is_looked_up = true};
  if (!is_counted_rule(run->rule)) {
    check_annotated_slot(typed, (acre_slot_rule)run->rule, slot);
    clear_record(slot);
  } else if (typed->scan.is_uncounted) {
    return;
  } else if (slot % ACRE_SLOT_SIZE != 0) {
    reconcile(slot, acre_read_slot(slot));
  } else if (acre_line_has(slot)) {
    scan_word(&plain, slot);
  } else {
    scan_fresh_word(&plain, slot);
  }
}

/* Without annotated slots there is something to do only where an aligned word is in the window, or
 * has a record. */
void acre_rt_rescan_slots(void *address, size_t size, const acre_type *type,
                          const acre_rt_where *where) {
  if (!acre_rt_active || size == 0)
    return;
  if (!where && !acre_type_is_packed(type, (uintptr_t)address) &&
      is_filtered((uintptr_t)address, size) && !acre_defined(suspicions((uintptr_t)address, size)))
    return;
  struct typed_scan typed = typed_scan((uintptr_t)address, size, type, where);
  acre_type_each_slot(type, size, scan_slot, &typed);
}

/* [address, address + size) has been overwritten with part of an object like the one described,
 * which would begin at base. */
static void rescan_part(uintptr_t address, size_t size, uintptr_t base, struct acre_object object,
                        const acre_rt_where *where) {
  const acre_type *type = object.site->type;
  struct typed_scan typed = typed_scan(address, size, type, where);
  typed.scan.base = base;
  typed.scan.size = object.size;
  if (!typed.scan.is_uncounted)
    scan_range(&typed.scan, address, size);
  /* In an array, the elements that the range touches. */
  size_t skipped =
      type->flexible_stride || !type->size ? 0 : (address - base) / type->size * type->size;
  typed.scan.base = base + skipped;
  acre_type_each_slot(type, address + size - typed.scan.base, check_typed_slot, &typed);
}

static struct acre_object described_object(const void *p) {
  struct acre_object none = {0}, object = acre_page_owner(p) ? acre_object_find(p) : none;
  return object.site && object.site->type ? object : none;
}

void acre_rt_rescan_copied(void *address, const void *from, size_t size, const acre_type *type,
                           const acre_rt_where *where) {
  if (!acre_rt_active || size == 0)
    return;
  const size_t known = type->size <= size ? type->size : 0;
  acre_rt_rescan_typed(address, known, type, where);
  struct acre_object object = described_object(address);
  uintptr_t rest = (uintptr_t)address + known, base = (uintptr_t)object.start;
  if (!object.site) {
    object = described_object(from);
    base = (uintptr_t)address - ((uintptr_t)from - (uintptr_t)object.start);
  }
  if (size == known)
    return;
  if (object.site)
    rescan_part(rest, size - known, base, object, where);
  else
    acre_rt_rescan((void *)rest, size - known);
}

void acre_rt_release(void *address, size_t size) {
  uintptr_t low = (uintptr_t)address;
  if (!acre_rt_active || size == 0)
    return;
  /* Most ranges are small objects of one page without records. */
  bool is_in_page = (low ^ (low + size - 1)) < ACRE_RECORD_BLOCK_SIZE;
  if (is_in_page &&
      (size <= SMALL ? acre_record_is_clear(low, low + size) : !acre_record_maybe(low)))
    return;
  acre_record_release(low, low + size);
}

void acre_rt_release_between(void *low, void *high) {
  if ((uintptr_t)low < (uintptr_t)high)
    acre_rt_release(low, (size_t)((uintptr_t)high - (uintptr_t)low));
}
