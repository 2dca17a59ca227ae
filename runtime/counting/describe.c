/* SPDX-License-Identifier: MIT */
/* describe.c - naming regions, objects and places in memory for messages.  Nothing here needs
   memory: it runs when that may be out and the program is about to end. */
#define _GNU_SOURCE
#include "counting/describe.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <unwind.h>

#include "counting/globals.h"
#include "counting/kept.h"
#include "counting/registry.h"
#include "memory/descriptor.h"
#include "platform/os.h"
#include "platform/thread.h"

/* -- Regions and objects ----------------------------------------------------------------------- */

void acre_print_region(int fd, const struct acre_region_entry *region) {
  if (region->index <= ACRE_INDEX_PERMANENT)
    acre_os_print(fd, "the %s region", region->name ? region->name : "traditional");
  else if (region->name)
    acre_os_print(fd, "region '%s' (created at %s)", region->name, region->created_here);
  else
    acre_os_print(fd, "the region created at %s", region->created_here);
}

static void print_allocation(int fd, const struct acre_object *object) {
  const acre_site *site = object->site;
  const acre_type *type = site ? site->type : NULL;
  if (type && type->size && !type->flexible_stride && object->size / type->size > 1)
    acre_os_print(fd, "array of %zu %s", object->size / type->size, type->name);
  else if (type)
    acre_os_print(fd, "%s", type->name);
  else
    acre_os_print(fd, "%zu bytes", object->size);
  if (site && site->file)
    acre_os_print(fd, " allocated at %s:%u", site->file, site->line);
}

void acre_print_object(int fd, const void *p) {
  struct acre_object object = acre_object_find(p);
  if (!object.size) {
    acre_os_print(fd, "no object of a region");
    return;
  }
  size_t offset = (size_t)((const char *)p - object.start);
  if (offset == object.size)
    acre_os_print(fd, "one past the end of ");
  else if (offset)
    acre_os_print(fd, "offset %zu of ", offset);
  print_allocation(fd, &object);
  if (!object.site &&
      acre_object_allocator(p) == &acre_registry_at(acre_page_owner(p))->pointer_free)
    acre_os_print(fd, " of pointer-free data");
}

void acre_print_where(int fd, const acre_rt_where *where) {
  if (where)
    acre_os_print(fd, "%s:%u: in %s: ", where->file ? where->file : "?", where->line,
                  where->function ? where->function : "?");
}

/* -- Places ------------------------------------------------------------------------------------ */

static void print_field(int fd, const void *slot) {
  struct acre_object object = acre_object_find(slot);
  size_t offset = object.size ? (size_t)((const char *)slot - object.start) : 0, index = 0;
  const acre_type *type = object.site ? object.site->type : NULL;
  const acre_slot *run = type ? acre_type_slot_at(type, object.size, offset, &index) : NULL;
  if (run && run->name && *run->name)
    acre_os_print(fd, "field '%s'", run->name);
  else
    acre_os_print(fd, "the word at offset %zu", offset);
  if (run && (run->count > 1 || index > 0))
    acre_os_print(fd, " [%zu]", index);
  acre_os_print(fd, " of ");
  if (object.size)
    print_allocation(fd, &object);
  else
    acre_os_print(fd, "unused memory");
  acre_os_print(fd, " in ");
  acre_print_region(fd, acre_registry_at(acre_page_owner(slot)));
}

static void print_offset(int fd, size_t offset) {
  if (offset)
    acre_os_print(fd, " at offset %zu", offset);
}

/* The member of a variable as C names it: "table[2].head.links[1]". */
static void print_member(int fd, const acre_type *type, const acre_slot *run, size_t size,
                         size_t offset, size_t index) {
  if (size >= 2 * (size_t)type->size && !type->flexible_stride) {
    size_t element = offset / type->size;
    acre_os_print(fd, "[%zu]", element);
    index -= element;
  }
  if (run->name && *run->name)
    acre_os_print(fd, ".%s", run->name);
  if (run->count > 1 || index > 0)
    acre_os_print(fd, "[%zu]", index);
}

static void print_global(int fd, const acre_rt_global *global, size_t offset) {
  size_t index = 0;
  const acre_slot *run =
      global->type ? acre_type_slot_at(global->type, global->size, offset, &index) : NULL;
  acre_os_print(fd, "global variable '%s", global->name);
  if (run)
    print_member(fd, global->type, run, global->size, offset, index);
  acre_os_print(fd, "'");
  if (global->file && global->line)
    acre_os_print(fd, " (%s:%u)", global->file, global->line);
  else if (global->file) /* the line is known only where there is debug information */
    acre_os_print(fd, " (%s)", global->file);
  if (!run)
    print_offset(fd, offset);
}

/* Loaded when a report needs it: to load it with each program takes a fifth of the time in which an
   empty one starts.  A static program has it if something else in it does. */
#pragma weak dlopen
#pragma weak dlsym
#pragma weak _Unwind_Backtrace
#pragma weak _Unwind_GetCFA
#pragma weak _Unwind_GetIP
typedef struct unwinder {
  __typeof__(&_Unwind_Backtrace) backtrace;
  __typeof__(&_Unwind_GetCFA) get_cfa;
  __typeof__(&_Unwind_GetIP) get_ip;
} unwinder;

/* The function whose frame holds an address of this thread's stack. */
struct frame_search {
  unwinder unwinder;
  uintptr_t address;
  uintptr_t code;
};

static unwinder find_unwinder(void) {
  void *library = !_Unwind_Backtrace && dlopen && dlsym ? dlopen("libgcc_s.so.1", RTLD_NOW) : NULL;
  if (!library)
    return (unwinder){_Unwind_Backtrace, _Unwind_GetCFA, _Unwind_GetIP};
  return (unwinder){dlsym(library, "_Unwind_Backtrace"), dlsym(library, "_Unwind_GetCFA"),
                    dlsym(library, "_Unwind_GetIP")};
}

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *context, void *argument) {
  struct frame_search *search = argument;
  /* Innermost first.  What is called the CFA here is where the frame begins that runs at IP: its
   * lowest address. */
  if (search->unwinder.get_cfa(context) > search->address)
    return _URC_END_OF_STACK;
  search->code = search->unwinder.get_ip(context);
  return _URC_NO_REASON;
}

static void print_function(int fd, uintptr_t code) {
  Dl_info info;
  if (!code || !dladdr((void *)code, &info))
    return;
  if (info.dli_sname)
    acre_os_print(fd, " of function %s", info.dli_sname);
  else
    acre_os_print(fd, " of the function at %s+0x%zx", info.dli_fname,
                  code - (uintptr_t)info.dli_fbase);
}

static void print_stack_slot(int fd, uintptr_t slot) {
  struct frame_search search = {find_unwinder(), slot, 0};
  if (search.unwinder.backtrace && search.unwinder.get_cfa && search.unwinder.get_ip)
    search.unwinder.backtrace(visit_frame, &search);
  acre_os_print(fd, "a local variable on the stack");
  print_function(fd, search.code);
}

static int find_tls(struct dl_phdr_info *info, size_t size, void *context) {
  uintptr_t *address = context;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data &&
        *address - (uintptr_t)info->dlpi_tls_data < info->dlpi_phdr[i].p_memsz)
      return 1;
  return 0;
}

static void print_foreign(int fd, uintptr_t slot) {
  uintptr_t address = slot;
  Dl_info info;
  if (dl_iterate_phdr(find_tls, &address)) {
    acre_os_print(fd, "a thread-local variable at %p", (void *)slot);
  } else if (dladdr((void *)slot, &info)) {
    if (info.dli_sname)
      acre_os_print(fd, "global variable '%s'", info.dli_sname);
    else
      acre_os_print(fd, "a global variable of %s", info.dli_fname);
    print_offset(fd, slot - (uintptr_t)(info.dli_sname ? info.dli_saddr : info.dli_fbase));
  } else if (acre_thread_is_on_stack(slot)) {
    print_stack_slot(fd, slot);
  } else {
    acre_os_print(fd, "memory from malloc or mmap at %p", (void *)slot);
  }
}

enum acre_place acre_place_of(const void *slot) {
  if (acre_page_owner(slot))
    return ACRE_PLACE_OBJECT;
  if (acre_global_find((uintptr_t)slot).global)
    return ACRE_PLACE_GLOBAL;
  if (acre_kept_is_slot(slot))
    return ACRE_PLACE_KEPT;
  return acre_thread_is_on_stack((uintptr_t)slot) ? ACRE_PLACE_STACK : ACRE_PLACE_OTHER;
}

void acre_print_slot(int fd, const void *slot) {
  acre_thread_find_stack();
  if (acre_page_owner(slot)) {
    print_field(fd, slot);
    return;
  }
  struct acre_global_place place = acre_global_find((uintptr_t)slot);
  if (!place.global) {
    if (!acre_kept_print(fd, slot))
      print_foreign(fd, (uintptr_t)slot);
    return;
  }
  print_global(fd, place.global, place.offset);
}
