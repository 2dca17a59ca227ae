/* SPDX-License-Identifier: MIT */
/* descriptor.c - see descriptor.h. */
#include "memory/descriptor.h"

#define SLOT_SIZE sizeof(void *)

static void visit_run(const acre_slot *run, size_t base, size_t size, acre_slot_visitor *visit,
                      void *context) {
  size_t offset = base + run->offset;
  for (uint32_t i = 0; i < run->count && offset + SLOT_SIZE <= size; i++, offset += run->stride)
    visit(run, offset, context);
}

void acre_type_each_slot(const acre_type *type, size_t size, acre_slot_visitor *visit,
                         void *context) {
  if (!type->slot_count)
    return;
  if (type->flexible_stride) {
    for (uint32_t i = 0; i < type->flexible_first; i++)
      visit_run(&type->slots[i], 0, size, visit, context);
    for (uint32_t i = type->flexible_first; i < type->slot_count; i++)
      for (size_t base = 0; base < size; base += type->flexible_stride)
        visit_run(&type->slots[i], base, size, visit, context);
    return;
  }
  for (size_t base = 0; base < size && type->size; base += type->size)
    for (uint32_t i = 0; i < type->slot_count; i++)
      visit_run(&type->slots[i], base, size, visit, context);
}

/* Most runs are one slot, and most are not the one that is looked for: no division before that is
 * certain. */
static bool is_in_run(const acre_slot *run, size_t offset, size_t *index) {
  size_t distance = offset - run->offset;
  *index = 0;
  if (distance == 0)
    return true;
  if (offset < run->offset || distance >= (size_t)run->count * run->stride)
    return false;
  *index = distance / run->stride;
  return distance % run->stride == 0;
}

const acre_slot *acre_type_slot_at(const acre_type *type, size_t size, size_t offset,
                                   size_t *index) {
  if (!type->size || offset + SLOT_SIZE > size)
    return NULL;
  size_t element = type->flexible_stride ? 0 : offset / type->size;
  offset -= element * type->size;
  for (uint32_t i = 0; i < type->slot_count; i++) {
    const acre_slot *run = &type->slots[i];
    if (type->flexible_stride && i >= type->flexible_first) {
      if (offset < run->offset)
        continue;
      size_t repeat = (offset - run->offset) / type->flexible_stride;
      if (is_in_run(run, offset - repeat * type->flexible_stride, index)) {
        *index += repeat * run->count;
        return run;
      }
    } else if (is_in_run(run, offset, index)) {
      *index += element;
      return run;
    }
  }
  return NULL;
}

bool acre_type_is_packed(const acre_type *type, uintptr_t address) {
  uintptr_t bits = address | type->flexible_stride | (type->flexible_stride ? 0 : type->size);
  for (uint32_t i = 0; i < type->slot_count; i++)
    bits |= type->slots[i].offset | type->slots[i].stride;
  return bits % SLOT_SIZE != 0;
}
