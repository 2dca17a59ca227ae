/* SPDX-License-Identifier: MIT */
/* sever.c - see sever.h. */
#include "region/sever.h"

#include <pthread.h>

#include "counting/describe.h"
#include "counting/kept.h"
#include "counting/object.h"
#include "counting/place.h"
#include "counting/record.h"
#include "counting/search.h"
#include "counting/store.h"
#include "evidence/log.h"
#include "foreign/stale.h"
#include "gc/linux/stop_world.h"
#include "memory/pages.h"
#include "platform/atomic.h"
#include "platform/check.h"
#include "platform/fault.h"
#include "platform/os.h"
#include "region/condemned.h"
#include "region/known.h"
#include "region/trap.h"

/* Held by who uses what is remembered of findings (known.h), makes a trap, or writes to the log. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void acre_sever_lock(void) { pthread_mutex_lock(&lock); }
void acre_sever_unlock(void) {
  ACRE_ASSERT(acre_is_locked(&lock));
  pthread_mutex_unlock(&lock);
}

struct referrer {
  uintptr_t slot;
  void *value, *substitute;
  bool has_record;
  struct acre_known_finding *known; /* what is remembered of it, or null */
};

/* If there are more than a few slots they are counted first, then listed in memory of their own. */
enum { FEW = 16 };
struct listing {
  struct acre_condemned *set;
  struct referrer *all;
  size_t count, capacity; /* all has the first capacity of count */
  struct referrer few[FEW];
};

static bool points_in(const struct acre_condemned *set, const void *value) {
  const uint32_t region = acre_page_owner(value);
  return acre_target_is_object(set->target)
             ? acre_target_has(set->target, value)
             : region && acre_condemned_set_of(acre_registry_at(region)) == set;
}

static void add(struct listing *listing, uintptr_t slot, bool has_record) {
  void *value;
  if (!acre_slot_read(slot, &value) || !points_in(listing->set, value))
    return;
  if (listing->count < listing->capacity)
    listing->all[listing->count] = (struct referrer){slot, value, NULL, has_record, NULL};
  listing->count++;
}

/* -- Which slots ------------------------------------------------------------------------------- */

static bool is_severable(const void *slot) {
  return !acre_place_is_of_frame(slot) && !acre_kept_is_slot(slot) && !acre_place_is_number(slot);
}

static void add_record(uintptr_t slot, uint32_t region, void *context) {
  (void)region;
  if (is_severable((void *)slot))
    add(context, slot, true);
}

static void add_found(uintptr_t slot, void *context) {
  if (is_severable((void *)slot))
    add(context, slot, false);
}

static void find(struct listing *listing) {
  listing->count = 0;
  acre_condemned_each_referrer(listing->set, add_record, listing);
  if (listing->set->target)
    acre_search_tree(listing->set->target, add_found, listing);
}

/* False if there are none, or no memory to list them. */
static bool list(struct listing *listing) {
  listing->all = listing->few;
  listing->capacity = FEW;
  find(listing);
  if (listing->count <= listing->capacity)
    return listing->count != 0;
  listing->capacity = listing->count;
  listing->all = acre_os_table(listing->count * sizeof *listing->all);
  if (!listing->all)
    return false;
  find(listing);
  /* Other threads have stored more meanwhile, or less. */
  listing->count = listing->count < listing->capacity ? listing->count : listing->capacity;
  return true;
}

static void end(const struct listing *listing) {
  if (listing->all != listing->few)
    acre_os_unreserve(listing->all, listing->capacity * sizeof *listing->all);
}

/* -- Words ------------------------------------------------------------------------------------- */

/* "global variable 'g', stored at a.c:4 in f, pointed to node allocated at a.c:3 in region 'r'
   (created at a.c:2)" */
static void print_referrer(int fd, const struct referrer *referrer) {
  acre_print_slot(fd, (void *)referrer->slot, referrer->value);
  acre_print_stored(fd, (void *)referrer->slot, referrer->value);
  acre_os_print(fd, " pointed to ");
  acre_print_object(fd, referrer->value);
  acre_os_print(fd, " in ");
  acre_print_region(fd, acre_registry_at(acre_page_owner(referrer->value)));
}

/* The program is not to use such an object any more: no pointer in it is a mistake. */
static bool is_given_back(uintptr_t slot) {
  return acre_page_owner((void *)slot) && acre_object_find((void *)slot).mark != ACRE_OBJECT_IN_USE;
}

static void log_referrer(const struct referrer *referrer, const char *outcome, const char *here) {
  struct acre_finding finding;
  if (!acre_log_is_on() || is_given_back(referrer->slot))
    return;
  if (referrer->known && referrer->known->logged) {
    acre_finding_again(referrer->known->logged);
    return;
  }
  if (!acre_finding_begin(&finding))
    return;
  print_referrer(finding.fd, referrer);
  acre_os_print(finding.fd, ", %s at %s", outcome, here ? here : "an unknown place");
  const uint32_t number = acre_finding_log(&finding);
  if (referrer->known)
    referrer->known->logged = number;
}

/* -- Severing ---------------------------------------------------------------------------------- */

/* Needs no other thread to run. */
static void write_all(const struct listing *listing) {
  for (size_t done = 0, count; done < listing->count; done += count) {
    const struct referrer *some = &listing->all[done];
    acre_os_word words[FEW];
    count = listing->count - done < FEW ? listing->count - done : FEW;
    for (size_t i = 0; i < count; i++)
      words[i] = (acre_os_word){some[i].slot, some[i].substitute, false};
    acre_os_write_words(words, count);
    for (size_t i = 0; i < count; i++)
      if (words[i].is_written && some[i].has_record)
        acre_record_set(some[i].slot, 0);
  }
}

/* No processor exchanges what lies across two lines. */
static bool write_while_stopped(const struct referrer *referrer) {
  acre_os_word word = {referrer->slot, referrer->substitute, false};
  void *value;
  acre_gc_world_stop();
  if (acre_slot_read(referrer->slot, &value) && value == referrer->value)
    acre_os_write_words(&word, 1);
  acre_gc_world_resume();
  return word.is_written;
}

/* The memory may be unmapped meanwhile, and another thread may store to the slot. */
static void exchange(const struct referrer *referrer) {
  const bool is_written =
      referrer->slot % ACRE_SLOT_SIZE == 0
          ? acre_fault_exchange(referrer->slot, referrer->value, referrer->substitute)
          : write_while_stopped(referrer);
  if (is_written && referrer->has_record)
    acre_slot_recount(referrer->slot);
}

static void exchange_all(const struct listing *listing) {
  for (size_t i = 0; i < listing->count; i++)
    exchange(&listing->all[i]);
}

/* What an annotated slot points to is in a region, or nothing: it becomes null. */
static void choose(struct referrer *referrer, acre_delete_policy policy, const char *here) {
  struct acre_finding words;
  struct acre_known_finding *known = referrer->known;
  if (policy != ACRE_DELETE_TRAP ||
      (!referrer->has_record && acre_place_is_annotated((void *)referrer->slot)))
    return;
  if (known && known->trap) {
    referrer->substitute = acre_trap_again(referrer->value, known->trap);
    return;
  }
  if (!acre_finding_begin(&words))
    return;
  print_referrer(words.fd, referrer);
  referrer->substitute = acre_trap_make(referrer->value, &words, here);
  if (known)
    known->trap = referrer->substitute;
}

void acre_sever(struct acre_condemned *set,
                acre_delete_policy (*policy_of)(const struct acre_region_entry *region),
                const char *what, const char *here) {
  struct listing listing = {.set = set};
  if (!list(&listing))
    return;
  bool is_any_trapped = false;
  acre_sever_lock();
  for (size_t i = 0; i < listing.count; i++) {
    struct referrer *referrer = &listing.all[i];
    referrer->known = acre_known_finding_of(referrer->slot, referrer->value, here);
    choose(referrer, policy_of(acre_registry_at(acre_page_owner(referrer->value))), here);
    log_referrer(referrer, what, here);
    is_any_trapped |= referrer->substitute != NULL;
  }
  const bool is_alone = acre_is_single_threaded();
  if (is_any_trapped || !is_alone)
    acre_fault_watch();
  acre_sever_unlock();
  if (is_alone)
    write_all(&listing);
  else
    exchange_all(&listing);
  end(&listing);
}

void acre_sever_log(struct acre_condemned *set, const char *outcome, const char *here) {
  struct listing listing = {.set = set};
  if (!acre_log_is_on() || !list(&listing))
    return;
  acre_sever_lock();
  for (size_t i = 0; i < listing.count; i++)
    log_referrer(&listing.all[i], outcome, here);
  acre_sever_unlock();
  end(&listing);
}
