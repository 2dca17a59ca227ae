/* SPDX-License-Identifier: MIT */
/* trap.c - see trap.h. */
#define _GNU_SOURCE
#include "region/trap.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#include "counting/object.h"
#include "platform/fault.h"
#include "platform/os.h"

#define SPAN_SHIFT 16
#define SPAN ((uintptr_t)1 << SPAN_SHIFT)
/* Objects begin here in their span: so an index below 0 faults in it too. */
#define START (SPAN / 4)
#define TEXT_BYTES 1024

struct trap {
  const char *here; /* where the region was deleted */
  size_t skipped;   /* of the offset in the object: what the address has no room for */
  char text[TEXT_BYTES];
};

static struct trap *traps; /* set last */
static uintptr_t base;
static size_t count, most; /* the last one is shared by all that come when there are no more */

/* -- Telling ----------------------------------------------------------------------------------- */

static void tell(uintptr_t address, uintptr_t code) {
  if (address - base >= most << SPAN_SHIFT)
    return;
  const size_t number = (address - base) >> SPAN_SHIFT;
  const struct trap *trap = &traps[number];
  const intptr_t offset =
      (intptr_t)(address & (SPAN - 1)) - (intptr_t)START + (intptr_t)trap->skipped;
  acre_os_print(2, "acre: fatal: use of a pointer into a region that was deleted at %s\n",
                trap->here ? trap->here : "an unknown place");
  acre_os_print(2, "  %s%s\n", trap->text,
                number + 1 == most ? ", or it was severed after that" : "");
  Dl_info info;
  if (dladdr((void *)code, &info) && info.dli_sname)
    acre_os_print(2, "  used in %s, at offset %ld of what it pointed to\n", info.dli_sname,
                  (long)offset);
  else
    acre_os_print(2, "  used at offset %ld of what it pointed to\n", (long)offset);
}

/* -- Traps ------------------------------------------------------------------------------------- */

/* As many as the system grants. */
static bool start(void) {
  static const size_t wanted[] = {(size_t)1 << 16, (size_t)1 << 12, (size_t)1 << 6};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !traps; i++) {
    void *range = acre_os_reserve(wanted[i] << SPAN_SHIFT, SPAN);
    struct trap *table = range ? acre_os_table(wanted[i] * sizeof *table) : NULL;
    if (range && !table)
      acre_os_unreserve(range, wanted[i] << SPAN_SHIFT);
    if (!table)
      continue;
    base = (uintptr_t)range;
    most = wanted[i];
    traps = table;
    acre_fault_tell(tell);
  }
  return traps;
}

static size_t take_number(struct acre_finding *words, const char *here) {
  const size_t number = count < most ? count++ : most - 1;
  if (count < most || !traps[number].text[0]) {
    acre_finding_end(words, traps[number].text, TEXT_BYTES);
    traps[number].here = here;
  } else {
    char text[1];
    acre_finding_end(words, text, sizeof text);
  }
  return number;
}

/* The address of a trap that stands for value. */
static void *address_of(size_t number, const void *value) {
  const struct acre_object object = acre_object_find(value);
  const size_t offset = object.size ? (size_t)((const char *)value - object.start) : 0,
               told = offset < SPAN / 2 ? offset
                                        : offset % sizeof(void *); /* the low bits say something */
  traps[number].skipped = offset - told;
  return (void *)(base + (number << SPAN_SHIFT) + START + told);
}

void *acre_trap_again(const void *value, void *address) {
  return address_of(((uintptr_t)address - base) >> SPAN_SHIFT, value);
}

void *acre_trap_make(const void *value, struct acre_finding *words, const char *here) {
  void *address = NULL;
  if (traps || start()) {
    address = address_of(take_number(words, here), value);
  } else {
    char text[1];
    acre_finding_end(words, text, sizeof text);
  }
  return address;
}
