/* SPDX-License-Identifier: MIT */
/* trap.c - see trap.h. */
#define _GNU_SOURCE
#include "region/trap.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#include "counting/object.h"
#include "platform/fault_spans.h"
#include "platform/os.h"

#define TRAPS ((size_t)1 << 16)
#define TEXT_BYTES 1024

struct trap {
  const char *here; /* where the region was deleted */
  size_t skipped;   /* of the offset in the object: what the address has no room for */
  char text[TEXT_BYTES];
};

static struct acre_fault_spans spans;
static size_t used; /* the last one is shared by all that come when there are no more */

static struct trap *trap_at(size_t number) { return (struct trap *)spans.entries + number; }

/* -- Telling ----------------------------------------------------------------------------------- */

static void tell(uintptr_t address, uintptr_t code) {
  size_t number;
  if (!acre_fault_span_of(&spans, address, &number))
    return;
  const struct trap *trap = trap_at(number);
  const intptr_t offset =
      (intptr_t)(address & (ACRE_SPAN - 1)) - (intptr_t)ACRE_SPAN_START + (intptr_t)trap->skipped;
  acre_os_print(2, "acre: fatal: use of a pointer into a region that was deleted at %s\n",
                trap->here ? trap->here : "an unknown place");
  acre_os_print(2, "  %s%s\n", trap->text,
                number + 1 == spans.count ? ", or it was severed after that" : "");
  Dl_info info;
  if (dladdr((void *)code, &info) && info.dli_sname)
    acre_os_print(2, "  used in %s, at offset %ld of what it pointed to\n", info.dli_sname,
                  (long)offset);
  else
    acre_os_print(2, "  used at offset %ld of what it pointed to\n", (long)offset);
}

/* -- Traps ------------------------------------------------------------------------------------- */

static size_t take_number(struct acre_finding *words, const char *here) {
  const size_t number = used < spans.count ? used++ : spans.count - 1;
  struct trap *trap = trap_at(number);
  if (used < spans.count || !trap->text[0]) {
    acre_finding_end(words, trap->text, TEXT_BYTES);
    trap->here = here;
  } else {
    char text[1];
    acre_finding_end(words, text, sizeof text);
  }
  return number;
}

/* The address of a trap that stands for value. */
static void *address_of(size_t number, const void *value) {
  const struct acre_object object = acre_object_find(value);
  const size_t offset = object.size ? (size_t)((const char *)value - object.start) : 0;
  trap_at(number)->skipped = offset - acre_fault_span_offset(offset);
  return acre_fault_address(&spans, number, offset);
}

void *acre_trap_again(const void *value, void *address) {
  size_t number;
  acre_fault_span_of(&spans, (uintptr_t)address, &number);
  return address_of(number, value);
}

void *acre_trap_make(const void *value, struct acre_finding *words, const char *here) {
  void *address = NULL;
  if (spans.entries || acre_fault_spans_reserve(&spans, TRAPS, sizeof(struct trap), tell)) {
    address = address_of(take_number(words, here), value);
  } else {
    char text[1];
    acre_finding_end(words, text, sizeof text);
  }
  return address;
}
