/* SPDX-License-Identifier: MIT */
/* place.c - see place.h.  Nothing here needs memory: it runs when that may be out and the program
   is about to end. */
#define _GNU_SOURCE
#include "counting/place.h"

#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include "counting/describe.h"
#include "counting/globals.h"
#include "counting/kept.h"
#include "counting/member.h"
#include "counting/object.h"
#include "counting/registry.h"
#include "counting/stored.h"
#include "gc/process/process.h"
#include "memory/descriptor.h"
#include "platform/malloc_block.h"
#include "platform/os.h"
#include "platform/symbols.h"
#include "platform/thread.h"

/* -- Members ----------------------------------------------------------------------------------- */

/* "[2].head": what is behind the name of the object or variable.  What its indices count: strides,
 * in elements, up to the last or 0. */
static void print_path(int fd, const struct acre_member *member, const size_t *strides,
                       const char *before) {
  size_t element = member->element;
  for (; member->is_array && *strides; element %= *strides++)
    acre_os_print(fd, "[%zu]", element / *strides);
  if (member->is_array)
    acre_os_print(fd, "[%zu]", element);
  if (member->path_length)
    acre_os_print(fd, "%s", member->is_array ? "." : before);
  acre_member_print(fd, member);
}

static void print_field(int fd, const void *slot, const void *value) {
  struct acre_object object = acre_object_find(slot);
  size_t offset = object.size ? (size_t)((const char *)slot - object.start) : 0;
  struct acre_member member;
  const acre_type *type = object.site ? object.site->type : NULL;
  bool is_named = acre_member_find(type, object.size, offset, value, &member) &&
                  (member.path_length || member.is_array || member.is_run);
  if (is_named) {
    acre_os_print(fd, member.is_number ? "integer member '" : "field '");
    print_path(fd, &member, (size_t[]){0}, "");
    acre_os_print(fd, "' of ");
  } else {
    acre_os_print(fd, "the word at offset %zu of ", offset);
  }
  if (object.size)
    acre_print_allocation(fd, &object);
  else
    acre_os_print(fd, "unused memory");
  acre_os_print(fd, " in ");
  acre_print_region(fd, acre_registry_at(acre_page_owner(slot)));
}

static void print_offset(int fd, size_t offset) {
  if (offset)
    acre_os_print(fd, " at offset %zu", offset);
}

static void print_variable(int fd, const struct acre_global_place *place, const void *value) {
  const acre_rt_global *global = place->global;
  struct acre_member member;
  bool is_named = acre_member_find(global->type, global->size, place->offset, value, &member);
  acre_os_print(fd, is_named && member.is_number ? "integer member '%s" : "%s variable '%s",
                is_named && member.is_number ? global->name
                : place->is_thread_local     ? "thread-local"
                                             : "global",
                global->name);
  if (is_named)
    print_path(fd, &member, (size_t[]){global->first_stride, global->second_stride, 0}, ".");
  acre_os_print(fd, "'");
  if (is_named && member.is_number)
    acre_os_print(fd, " of a %s variable", place->is_thread_local ? "thread-local" : "global");
  if (global->file && global->line)
    acre_os_print(fd, " (%s:%u)", global->file, global->line);
  else if (global->file) /* the line is known only where there is debug information */
    acre_os_print(fd, " (%s)", global->file);
  if (place->is_of_other_thread)
    acre_os_print(fd, " of another thread");
  if (!is_named)
    print_offset(fd, place->offset);
}

/* -- Memory that no table knows ---------------------------------------------------------------- */

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
  acre_symbol symbol;
  Dl_info info;
  if (!code)
    return;
  if (acre_symbol_find(code, &symbol))
    acre_os_print(fd, " of function %s", symbol.name);
  else if (dladdr((void *)code, &info))
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

/* Is address in the stack of a thread that is known? */
struct stack_search {
  uintptr_t address;
  bool is_found;
};

static bool has_on_stack(const struct acre_thread *thread, uintptr_t address) {
  /* The thread may be finding its stack just now. */
  const uintptr_t high = __atomic_load_n(&thread->stack_high, __ATOMIC_ACQUIRE);
  const uintptr_t low = __atomic_load_n(&thread->stack_low, __ATOMIC_RELAXED);
  return high && address - low < high - low;
}

static void compare_stack(struct acre_thread *thread, void *context) {
  struct stack_search *search = context;
  search->is_found |= has_on_stack(thread, search->address);
}

static bool is_on_other_stack(uintptr_t address) {
  struct stack_search search = {address, false};
  acre_thread_each(compare_stack, &search);
  return search.is_found;
}

/* Thread-local storage may lie above the stack in the same block.  It begins below what the runtime
   has there, by as much in each thread. */
#define TLS_MOST ((uintptr_t)1 << 20)

static int find_tls_low(struct dl_phdr_info *info, size_t size, void *context) {
  uintptr_t *low = context, start = (uintptr_t)info->dlpi_tls_data;
  (void)size;
  if (start && start < *low && (uintptr_t)&acre_self - start < TLS_MOST)
    *low = start;
  return 0;
}

struct frame_search_in_stacks {
  uintptr_t address, below_self; /* how far below acre_self the storage begins */
  bool is_found;
};

static void look_in_frames(struct acre_thread *thread, void *context) {
  struct frame_search_in_stacks *search = context;
  const bool has_storage = has_on_stack(thread, (uintptr_t)thread);
  search->is_found |= has_on_stack(thread, search->address) &&
                      !(has_storage && search->address >= (uintptr_t)thread - search->below_self);
}

/* It is asked once. */
static uintptr_t storage_below_self(void) {
  static uintptr_t known = UINTPTR_MAX;
  uintptr_t below = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (below == UINTPTR_MAX) {
    uintptr_t low = (uintptr_t)&acre_self;
    dl_iterate_phdr(find_tls_low, &low);
    below = (uintptr_t)&acre_self - low;
    __atomic_store_n(&known, below, __ATOMIC_RELAXED);
  }
  return below;
}

static bool is_on_stack_of_any(uintptr_t address) {
  struct frame_search_in_stacks search = {address, storage_below_self(), false};
  look_in_frames(&acre_self, &search);
  if (!search.is_found)
    acre_thread_each(look_in_frames, &search);
  return search.is_found;
}

/* A variable of which no file has a name, because it was stripped. */
struct variable_search {
  uintptr_t address;
  const char *file; /* null: the program itself */
  size_t offset;
  bool is_thread_local;
};

static int find_variable(struct dl_phdr_info *info, size_t size, void *context) {
  struct variable_search *search = context;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    bool is_thread_local = info->dlpi_phdr[i].p_type == PT_TLS;
    uintptr_t start = is_thread_local ? (uintptr_t)info->dlpi_tls_data
                                      : (uintptr_t)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    if ((info->dlpi_phdr[i].p_type != PT_LOAD && !is_thread_local) || !start ||
        search->address - start >= info->dlpi_phdr[i].p_memsz)
      continue;
    search->file = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : NULL;
    search->offset = (size_t)(search->address - (uintptr_t)info->dlpi_addr);
    search->is_thread_local = is_thread_local;
    return 1;
  }
  return 0;
}

static void print_allocated(int fd, uintptr_t slot) {
  struct acre_malloc_block block = {0, 0};
  size_t size;
  const char *collected = acre_gc_process_object((const void *)slot, &size);
  if (collected)
    block = (struct acre_malloc_block){(uintptr_t)collected, size};
  else
    block = acre_malloc_block_find(slot);
  if (!block.size) {
    acre_os_print(fd, "memory from malloc or mmap at %p", (void *)slot);
    return;
  }
  const acre_rt_where *at = acre_allocated_find(block.start);
  acre_os_print(fd, "the word at offset %zu of a block of %zu bytes from malloc",
                slot - block.start, block.size);
  if (at)
    acre_os_print(fd, " (called at %s:%u in %s)", at->file, at->line, at->function);
}

static void print_foreign(int fd, uintptr_t slot) {
  struct variable_search search = {.address = slot};
  acre_symbol symbol;
  if (acre_symbol_find(slot, &symbol)) {
    acre_os_print(fd, "%s variable '%s'", symbol.is_thread_local ? "thread-local" : "global",
                  symbol.name);
    print_offset(fd, symbol.offset);
  } else if (dl_iterate_phdr(find_variable, &search)) {
    if (search.is_thread_local)
      acre_os_print(fd, "a thread-local variable at %p", (void *)slot);
    else
      acre_os_print(fd, "a global variable of %s at offset %zu",
                    search.file ? search.file : "the program", search.offset);
  } else if (acre_thread_is_on_stack(slot)) {
    print_stack_slot(fd, slot);
  } else if (is_on_other_stack(slot)) {
    acre_os_print(fd, "a local variable on the stack of another thread");
  } else {
    print_allocated(fd, slot);
  }
}

/* -- Places ------------------------------------------------------------------------------------ */

enum acre_place acre_place_of(const void *slot) {
  if (acre_page_owner(slot))
    return ACRE_PLACE_OBJECT;
  if (acre_global_find((uintptr_t)slot).global)
    return ACRE_PLACE_GLOBAL;
  if (acre_kept_is_slot(slot))
    return ACRE_PLACE_KEPT;
  if (acre_thread_is_on_stack((uintptr_t)slot))
    return ACRE_PLACE_STACK;
  /* One whose type has no pointer is in no table. */
  return acre_os_library(slot).start ? ACRE_PLACE_GLOBAL : ACRE_PLACE_OTHER;
}

bool acre_place_is_of_frame(const void *slot) {
  const uint32_t holder = acre_page_owner(slot);
  return holder ? acre_registry_at(holder)->is_zombie : is_on_stack_of_any((uintptr_t)slot);
}

/* What C calls the slot, if it is in an object or a variable whose type is known. */
static bool find_member(const void *slot, const void *value, struct acre_member *member) {
  struct acre_object object =
      acre_page_owner(slot) ? acre_object_find(slot) : (struct acre_object){0};
  struct acre_global_place place =
      object.size ? (struct acre_global_place){0} : acre_global_find((uintptr_t)slot);
  if (place.global)
    return acre_member_find(place.global->type, place.global->size, place.offset, value, member);
  return acre_member_find(object.site ? object.site->type : NULL, object.size,
                          (size_t)((const char *)slot - object.start), value, member);
}

bool acre_place_is_number(const void *slot) {
  struct acre_member member;
  find_member(slot, NULL, &member);
  return member.is_number;
}

bool acre_place_is_annotated(const void *slot) {
  struct acre_object object =
      acre_page_owner(slot) ? acre_object_find(slot) : (struct acre_object){0};
  const acre_type *type = object.size && object.site ? object.site->type : NULL;
  size_t index;
  const acre_slot *run =
      type ? acre_type_slot_at(type, object.size, (size_t)((const char *)slot - object.start),
                               &index)
           : NULL;
  return run && run->rule >= ACRE_SLOT_SAMEREGION && run->rule <= ACRE_SLOT_TRADITIONAL;
}

void acre_print_slot(int fd, const void *slot, const void *value) {
  acre_thread_find_stack();
  if (acre_page_owner(slot)) {
    print_field(fd, slot, value);
    return;
  }
  struct acre_global_place place = acre_global_find((uintptr_t)slot);
  if (place.global)
    print_variable(fd, &place, value);
  else if (!acre_kept_print(fd, slot))
    print_foreign(fd, (uintptr_t)slot);
}

bool acre_print_stored(int fd, const void *slot, const void *value) {
  const acre_rt_stored *at = acre_stored_find((uintptr_t)slot, value);
  if (!at)
    return false;
  struct acre_member member;
  acre_os_print(fd, ", stored ");
  if (at->slot && !find_member((const void *)slot, value, &member))
    acre_os_print(fd, "as '%s' ", at->slot);
  acre_os_print(fd, "at %s:%u in %s,", at->where.file, at->where.line, at->where.function);
  return true;
}
