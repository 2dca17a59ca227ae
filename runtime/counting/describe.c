/* SPDX-License-Identifier: MIT */
/* describe.c - naming regions and objects for messages.  Nothing here needs memory: it runs when
   that may be out and the program is about to end. */
#include "counting/describe.h"

#include "counting/registry.h"
#include "platform/check.h"
#include "platform/os.h"

void acre_print_region(int fd, const struct acre_region_entry *region) {
  if (region->index <= ACRE_INDEX_PERMANENT)
    acre_os_print(fd, "the %s region", region->name ? region->name : "traditional");
  else if (region->name)
    acre_os_print(fd, "region '%s' (created at %s)", region->name, region->created_here);
  else
    acre_os_print(fd, "the region created at %s", region->created_here);
}

/* How many of the first bytes of an object are a text to show; 0 if it does not begin with one.
 *is_whole: it ends there. */
static size_t text_length(const struct acre_object *object, bool *is_whole) {
  enum { MOST_SHOWN = 24 };
  size_t length = 0;
  for (; length < object->size && object->start[length]; length++) {
    unsigned char byte = (unsigned char)object->start[length];
    bool is_control = byte < ' ' || byte == 0x7f;
    if (is_control && byte != '\n' && byte != '\t')
      return 0;
  }
  *is_whole = length <= MOST_SHOWN;
  return *is_whole ? length : MOST_SHOWN;
}

static void print_text(int fd, const char *text, size_t length, bool is_whole) {
  /* Not within a character of UTF-8. */
  while (!is_whole && length > 1 && ((unsigned char)text[length] & 0xc0) == 0x80)
    length--;
  acre_os_print(fd, "text \"");
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\n' || text[i] == '\t')
      acre_os_print(fd, text[i] == '\n' ? "\\n" : "\\t");
    else
      acre_os_print(fd, text[i] == '"' || text[i] == '\\' ? "\\%c" : "%c", text[i]);
  acre_os_print(fd, is_whole ? "\"" : "...\"");
}

void acre_print_allocation(int fd, const struct acre_object *object) {
  ACRE_ASSERT(object->size > 0);
  const acre_site *site = object->site;
  const acre_type *type = site ? site->type : NULL;
  bool is_pointer_free = acre_object_allocator(object->start) ==
                         &acre_registry_at(acre_page_owner(object->start))->pointer_free;
  bool is_whole, is_of_bytes = is_pointer_free && (!type || type->size == 1);
  size_t length = is_of_bytes ? text_length(object, &is_whole) : 0;
  if (length)
    print_text(fd, object->start, length, is_whole);
  else if (type && type->size && !type->flexible_stride && object->size / type->size > 1)
    acre_os_print(fd, "array of %zu %s", object->size / type->size, type->name);
  else if (type)
    acre_os_print(fd, "%s", type->name);
  else
    acre_os_print(fd, is_pointer_free ? "%zu bytes of pointer-free data" : "%zu bytes",
                  object->size);
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
  acre_print_allocation(fd, &object);
}

void acre_print_where(int fd, const acre_rt_where *where) {
  if (where)
    acre_os_print(fd, "%s:%u: in %s: ", where->file ? where->file : "?", where->line,
                  where->function ? where->function : "?");
}
