/* SPDX-License-Identifier: MIT */
/* report.c - the referrer report: the list of records that name a region, and of pins into it. */
#include "evidence/report.h"

#include "counting/describe.h"
#include "counting/pin.h"
#include "counting/place.h"
#include "counting/record.h"
#include "foreign/held_locals.h"
#include "foreign/stale.h"
#include "platform/frame.h"
#include "platform/os.h"
#include "platform/thread.h"

size_t acre_report_limit = 10;

struct report {
  int fd; /* or -1: they are only counted */
  uint32_t region;
  const struct acre_target *target; /* null: the region, and what has records */
  bool spares_frames;               /* what frames hold is no referrer */
  size_t limit, found;
  uintptr_t frame; /* stack below it is dead */
  const acre_rt_pin_frame *last_frame;
  bool has_place[ACRE_PLACE_OTHER + 1], has_number, has_pin, has_kept;
};

/* Counts a referrer and begins its line, if it is to have one. */
static bool begin_line(struct report *report) {
  if (++report->found > report->limit || report->fd < 0)
    return false;
  acre_os_print(report->fd, "  %zu. ", report->found);
  return true;
}

static void end_line(const struct report *report, const void *value, bool is_number) {
  acre_os_print(report->fd,
                is_number ? " holds a number that looks like a pointer to " : " points to ");
  acre_print_object(report->fd, value);
  acre_os_print(report->fd, "\n");
}

void acre_print_pinned(int fd, const acre_rt_pin_site *site, size_t entry) {
  const char *name = site->entries[entry].name;
  if (name)
    acre_os_print(fd, "local variable '%s'", name);
  else
    acre_os_print(fd, "an unnamed value");
  if (site->where.function)
    acre_os_print(fd, " of function %s", site->where.function);
  acre_os_print(fd, ", %s across the call at %s:%u",
                site->entries[entry].is_kept ? "whose address may be held" : "live",
                site->where.file ? site->where.file : "?", site->where.line);
}

/* Is value one of the pointers that the report is about? */
static bool is_wanted(const struct report *report, const void *value) {
  return report->target ? acre_target_has(report->target, value)
                        : acre_page_owner(value) == report->region;
}

/* Only frames know zombies. */
static bool is_spared(const struct report *report, const void *slot) {
  const uint32_t holder = acre_page_owner(slot);
  return report->spares_frames ? acre_place_is_of_frame(slot)
                               : holder && acre_registry_at(holder)->is_zombie;
}

#define OVERWRITTEN " pointed into it, and was overwritten by code that Acre did not compile\n"

/* A line of a slot that has a record and is not pinned. */
static void report_slot(struct report *report, void *slot) {
  void *value = NULL;
  bool is_pointer = acre_slot_read((uintptr_t)slot, &value) && is_wanted(report, value);
  acre_print_slot(report->fd, slot, value);
  if (!is_pointer) {
    acre_os_print(report->fd, OVERWRITTEN);
    return;
  }
  acre_print_stored(report->fd, slot, value);
  end_line(report, value, acre_place_is_number(slot));
}

/* Writes which word holds the address of the local that slot lies in, if one was found. */
static void print_keeper(int fd, uintptr_t slot) {
  const uintptr_t keeper = acre_held_locals_reached_by(slot);
  void *value = NULL;
  if (!keeper || !acre_slot_read(keeper, &value))
    return;
  acre_os_print(fd, " (");
  acre_print_slot(fd, (void *)keeper, value);
  acre_os_print(fd, " has it)");
}

static void report_record(uintptr_t slot, uint32_t region, void *context) {
  struct report *report = context;
  uint32_t holder = acre_page_owner((void *)slot);
  bool is_of_set = holder && acre_registry_is_condemned(acre_registry_at(holder));
  if (region != report->region || (is_of_set && !acre_target_is_object(report->target)) ||
      is_spared(report, (void *)slot))
    return;
  void *value = NULL;
  bool is_pointer = acre_slot_read(slot, &value) && is_wanted(report, value);
  if (acre_target_is_object(report->target) && !is_pointer)
    return;
  size_t entry = 0;
  const acre_rt_pin_frame *pin = acre_pin_find_range(slot, &entry);
  if (pin)
    *(pin->site->entries[entry].is_kept ? &report->has_kept : &report->has_pin) = true;
  else if (acre_place_is_number((void *)slot))
    report->has_number = true;
  else
    report->has_place[acre_place_of((void *)slot)] = true;
  if (!begin_line(report))
    return;
  if (!pin) {
    report_slot(report, (void *)slot);
    return;
  }
  acre_print_pinned(report->fd, pin->site, entry);
  if (pin->site->entries[entry].is_kept)
    print_keeper(report->fd, slot);
  if (!is_pointer || !acre_print_stored(report->fd, (void *)slot, value))
    acre_os_print(report->fd, ",");
  if (is_pointer)
    end_line(report, value, false);
  else
    acre_os_print(report->fd, OVERWRITTEN);
}

static void report_value(struct report *report, const acre_rt_pin_site *site, size_t i,
                         const void *value) {
  report->has_pin = true;
  if (!begin_line(report))
    return;
  acre_print_pinned(report->fd, site, i);
  acre_os_print(report->fd, ",");
  end_line(report, value, false);
}

/* All entries of one frame follow each other in the log, so the first one reports the frame and the
 * others are passed over. */
static void report_pin(const struct acre_pin_entry *entry, void *context) {
  struct report *report = context;
  if (entry->region->index != report->region || entry->frame == report->last_frame)
    return;
  report->last_frame = entry->frame;
  bool is_left =
      acre_thread_is_on_stack((uintptr_t)entry->frame) && (uintptr_t)entry->frame < report->frame;
  if (is_left) { /* by a longjmp in code that Acre did not compile */
    if (!acre_target_is_object(report->target) && begin_line(report))
      acre_os_print(report->fd, "a local variable of a function that longjmp has left\n");
    return;
  }
  const acre_rt_pin_site *site = entry->frame->site;
  for (size_t i = 0; i < site->entry_count; i++)
    if (!site->entries[i].size && is_wanted(report, entry->frame->values[i]))
      report_value(report, site, i, entry->frame->values[i]);
}

static void report_thread(struct acre_thread *thread, void *context) {
  ((struct report *)context)->last_frame = NULL;
  acre_pin_each(thread, report_pin, context);
}

/* A slot in the region or below it, which has no record. */
static void report_found(uintptr_t slot, void *context) {
  struct report *report = context;
  report->has_place[ACRE_PLACE_OBJECT] = true;
  if (begin_line(report))
    report_slot(report, (void *)slot);
}

static void find_referrers(struct report *report) {
  acre_thread_find_stack();
  acre_settle_lazy(acre_frame_end());
  acre_pin_settle();
  acre_record_each(ACRE_RECORD_ANYWHERE, report_record, report);
  if (!report->spares_frames)
    acre_thread_each(report_thread, report);
  if (report->target)
    acre_search_tree(report->target, report_found, report);
  if (report->found > report->limit && report->fd >= 0)
    acre_os_print(report->fd, "  and %zu more\n", report->found - report->limit);
}

size_t acre_report_referrers(int fd, struct acre_region_entry *region, size_t limit) {
  struct report report = {
      .fd = fd, .region = region->index, .limit = limit, .frame = acre_frame_end()};
  find_referrers(&report);
  return report.found;
}

size_t acre_report_referrers_of(const struct acre_target *target, bool spares_frames) {
  struct report report = {.fd = -1,
                          .region = target->region,
                          .target = target,
                          .spares_frames = spares_frames,
                          .frame = acre_frame_end()};
  find_referrers(&report);
  return report.found;
}

size_t acre_region_report(acre_region region, int fd, size_t limit) {
  return acre_report_referrers(fd, acre_registry_expect(region, "acre_region_report"), limit);
}

/* -- Refusals ---------------------------------------------------------------------------------- */

static size_t report_children(int fd, const struct acre_region_entry *region, size_t limit) {
  size_t found = 0;
  for (const struct acre_region_entry *child = region->first_child; child;
       child = child->next_sibling) {
    if (acre_registry_is_condemned(child) || ++found > limit)
      continue;
    acre_os_print(fd, "  subregion: ");
    acre_print_region(fd, child);
    acre_os_print(fd, child->state == ACRE_STATE_DEFERRED ? ", whose delete is deferred\n" : "\n");
  }
  if (found > limit)
    acre_os_print(fd, "  and %zu more subregions\n", found - limit);
  return found;
}

static void hint(const struct report *report, size_t children, bool is_given) {
  const char *text;
  if (report->has_pin)
    text = "a local that is used after the call still points in: set it to null, or finish using "
           "it, before";
  else if (report->has_kept)
    text =
        "a local still points in, and who was given its address may read it: set it to null before";
  else if (report->has_place[ACRE_PLACE_GLOBAL] || report->has_place[ACRE_PLACE_STACK])
    text = is_given ? "set these variables to null before the region is given away"
                    : "set these variables to null before the region is deleted";
  else if (report->has_place[ACRE_PLACE_OBJECT])
    text =
        is_given
            ? "clear these fields first, or make the regions that hold them subregions of this "
              "one"
            : "clear these fields first, or delete the regions that hold them together with this "
              "one (deleteregion_array)";
  else if (report->has_place[ACRE_PLACE_KEPT])
    text = "take the pointer back first: EPOLL_CTL_DEL, pthread_setspecific(key, NULL), fclose, "
           "timer_delete, unsetenv";
  else if (report->has_number)
    text =
        "if the integer is only a number, set it to 0 before, or keep it so that no delete takes "
        "it for a pointer (~number)";
  else if (report->found == 0 && children)
    text = is_given
               ? "let the subregions whose delete is deferred go first (acre_region_reclaim)"
               : "delete the subregions first, or together with their parent (deleteregion_array)";
  else
    text = "clear or free the memory that still points in";
  acre_os_print(report->fd, "  hint: %s\n", text);
}

static size_t count_live_children(const struct acre_region_entry *region) {
  size_t count = 0;
  for (const struct acre_region_entry *child = region->first_child; child;
       child = child->next_sibling)
    count += !acre_registry_is_condemned(child);
  return count;
}

/* "cannot delete the region created at a.c:3: 1 reference from outside remains" */
static void report_what(int fd, const struct acre_region_entry *region,
                        const struct acre_report_words *words, size_t children) {
  const struct acre_target *target = words->target;
  size_t references = target ? acre_report_referrers_of(target, words->spares_frames)
                             : (size_t)(region->count - region->condemned.tally);
  acre_os_print(fd, "acre: fatal: cannot %s ", words->verb);
  if (acre_target_is_object(target)) {
    acre_print_object(fd, (const void *)target->low);
    acre_os_print(fd, " in ");
  }
  acre_print_region(fd, region);
  if (references)
    acre_os_print(fd, ": %zu reference%s%s remain%s", references, references == 1 ? "" : "s",
                  target ? "" : " from outside", references == 1 ? "s" : "");
  if (children)
    acre_os_print(fd, "%s %zu live subregion%s", references ? ", and it has" : ": it has", children,
                  children == 1 ? "" : "s");
}

void acre_report_refusal(int fd, struct acre_region_entry *region, struct acre_report_words words,
                         const char *here) {
  const bool is_of_target = words.target && words.target->region == region->index;
  size_t children = is_of_target ? 0 : count_live_children(region);
  if (!is_of_target)
    words.target = NULL;
  report_what(fd, region, &words, children);
  acre_os_print(fd, "\n  %s at %s\n", words.event, here ? here : "an unknown place");
  struct report report = {.fd = fd,
                          .region = region->index,
                          .target = words.target,
                          .spares_frames = words.spares_frames,
                          .limit = acre_report_limit,
                          .frame = acre_frame_end()};
  find_referrers(&report);
  if (!is_of_target)
    report_children(fd, region, acre_report_limit);
  hint(&report, children, words.is_given);
}
