/* SPDX-License-Identifier: MIT */
/* member.c - see member.h.  The slots of a type have names; acre_type::names has those of what else
 * a report may want. */
#include "counting/member.h"

#include <string.h>

#include "counting/object.h"
#include "memory/descriptor.h"
#include "platform/os.h"

/* -- The lines of acre_type::names ------------------------------------------------------------- */

struct line {
  char kind;
  size_t offset, count, stride;
  const char *path, *target;
  size_t path_length, target_length;
};

static size_t read_number(const char **text) {
  size_t value = 0;
  for (; **text >= '0' && **text <= '9'; ++*text)
    value = value * 10 + (size_t)(**text - '0');
  *text += **text == ' ';
  return value;
}

/* Reads the line at *text and goes behind it; false at the end. */
static bool read_line(const char **text, struct line *line) {
  const char *end = *text ? strchr(*text, '\n') : NULL;
  if (!end)
    return false;
  *line = (struct line){.kind = *(*text)++, .target = end};
  if (line->kind != '=') {
    line->offset = read_number(text);
    line->count = read_number(text);
    line->stride = read_number(text);
  }
  line->path = *text;
  line->path_length = strcspn(*text, line->kind == '=' ? "\n" : " \n");
  if (line->path + line->path_length < end)
    line->target = line->path + line->path_length + 1;
  line->target_length = (size_t)(end - line->target);
  *text = end + 1;
  return true;
}

/* Which member of the line's begins at offset, if one does. */
static bool has_offset(const struct line *line, size_t offset, size_t *index) {
  size_t distance = offset - line->offset;
  *index = line->stride ? distance / line->stride : 0;
  return offset >= line->offset && (line->stride ? distance % line->stride == 0 : distance == 0) &&
         (line->count == 0 || *index < line->count);
}

static bool is_text(const char *text, size_t length, const char *other) {
  return strlen(other) == length && memcmp(text, other, length) == 0;
}

/* Is the line's pointer one to objects of type?  Null stands for text. */
static bool fits(const struct line *line, const acre_type *type) {
  struct line plain;
  if (is_text(line->target, line->target_length, type ? type->name : "char"))
    return true;
  const char *names = type ? type->names : NULL;
  return read_line(&names, &plain) && plain.kind == '=' &&
         plain.path_length == line->target_length &&
         memcmp(plain.path, line->target, plain.path_length) == 0;
}

/* Fills member from the best line of this kind: one whose pointer fits, else the first. */
static bool find_line(const acre_type *type, char kind, size_t offset, const acre_type *target,
                      struct acre_member *member) {
  const char *names = type->names;
  struct line line;
  size_t index;
  bool is_found = false;
  while (read_line(&names, &line)) {
    if (line.kind != kind || !has_offset(&line, offset, &index))
      continue;
    bool is_best = kind != '|' || fits(&line, target);
    if (is_found && !is_best)
      continue;
    is_found = true;
    member->path = line.path;
    member->path_length = line.path_length;
    member->is_run = line.stride != 0;
    member->index = index;
    if (is_best)
      break;
  }
  return is_found;
}

/* -- Members ----------------------------------------------------------------------------------- */

static const acre_type *type_at(const void *value) {
  struct acre_object none = {0}, object = acre_page_owner(value) ? acre_object_find(value) : none;
  return object.site ? object.site->type : NULL;
}

bool acre_member_find(const acre_type *type, size_t size, size_t offset, const void *value,
                      struct acre_member *member) {
  *member = (struct acre_member){.path = ""};
  if (!type || !type->size)
    return false;
  size_t index = 0;
  const acre_slot *run = acre_type_slot_at(type, size, offset, &index);
  if (!type->flexible_stride) {
    member->is_array = size >= 2 * (size_t)type->size;
    member->element = offset / type->size;
    offset -= member->element * type->size;
  }
  member->is_number = !run;
  if (find_line(type, run ? '|' : '#', offset, type_at(value), member) || !run)
    return run || member->path_length != 0;
  member->path = run->name ? run->name : "";
  member->path_length = strlen(member->path);
  member->index = index - member->element;
  member->is_run = run->count > 1 || member->index > 0;
  return true;
}

void acre_member_print(int fd, const struct acre_member *member) {
  const char *hole = NULL;
  for (size_t i = 0; member->is_run && !hole && i + 1 < member->path_length; i++)
    if (member->path[i] == '[' && member->path[i + 1] == ']')
      hole = member->path + i;
  if (!hole) {
    acre_os_print(fd, "%.*s", (int)member->path_length, member->path);
    if (member->is_run)
      acre_os_print(fd, "[%zu]", member->index);
    return;
  }
  const char *rest = hole + 2;
  acre_os_print(fd, "%.*s[%zu]%.*s", (int)(hole - member->path), member->path, member->index,
                (int)(member->path + member->path_length - rest), rest);
}
