/* SPDX-License-Identifier: MIT */
/* initializer.c - initialisers of static objects become data, those of local ones assignments.
 *
 * Both walk the type and the text together.  pending is an expression that was read to find out
 * whether it initialises a whole structure and then turned out to be for its first member.
 */
#include "declaration.h"
#include "output.h"

#include <string.h>

/* A word of static data that holds an address. */
struct relocation {
  struct relocation *sameregion next;
  struct symbol *parentptr symbol;
  int label;
  long offset, addend;
};

/* In the region of the trees. */
struct initializer {
  struct symbol *parentptr symbol;
  bool is_static;
  struct tree *sameregion pending;
  struct tree *sameregion set;  /* local: the assignments so far, a sequence */
  struct tree *sameregion last; /* of them */
  char *sameregion bytes;       /* static: the data, size of them */
  long size;
  struct relocation *sameregion relocations;
};

static void initialize(struct initializer *initializer, struct type *type, long offset);

const char *symbol_assembly_name(const struct symbol *symbol) {
  static char label[32];
  if (!symbol->label)
    return symbol->name->text;
  format_text(label, sizeof label, ".L%d", symbol->label);
  return label;
}

static void reserve(struct initializer *initializer, long size) {
  if (size <= initializer->size)
    return;
  long capacity = size * 2;
  initializer->bytes = rstrextend(regionof(initializer), initializer->bytes, (size_t)capacity);
  memset(initializer->bytes + initializer->size, 0, (size_t)(capacity - initializer->size));
  initializer->size = capacity;
}

/* The list is kept from the highest offset to the lowest: most new ones go to its front. */
static void add_relocation(struct initializer *initializer, const struct tree *tree, long offset) {
  struct relocation *relocation = ralloc(regionof(initializer), struct relocation), *before = NULL;
  struct relocation *after = initializer->relocations;
  if (tree->symbol && tree->symbol->is_local)
    error("address of a local variable is not constant");
  relocation->symbol = tree->symbol;
  relocation->label = tree->label;
  relocation->addend = tree->value;
  relocation->offset = offset;
  for (; after && after->offset >= offset; after = after->next)
    before = after;
  relocation->next = after;
  if (before)
    before->next = relocation;
  else
    initializer->relocations = relocation;
}

static void store_static(struct initializer *initializer, const struct tree *tree, long offset) {
  long size = tree->type->size, value = tree->value;
  reserve(initializer, offset + size);
  if (tree->op == OP_ADDRESS && size == 8) {
    add_relocation(initializer, tree, offset);
    return;
  }
  if (tree->op == OP_FLOATING) {
    float narrow = (float)tree->floating;
    memcpy(&value, size == 4 ? (const void *)&narrow : (const void *)&tree->floating, (size_t)size);
  } else if (tree->op != OP_INTEGER) {
    error("initialiser is not constant");
  }
  memcpy(initializer->bytes + offset, &value, (size_t)size);
}

static void add_assignment(struct initializer *initializer, struct tree *assignment) {
  if (initializer->last)
    initializer->last->next = assignment;
  else
    initializer->set->arguments = assignment;
  initializer->last = assignment;
  tree_deepen(initializer->set, assignment);
}

/* The part of the local object at offset. */
static struct tree *part(struct initializer *initializer, struct type *type, long offset) {
  region r = regionof(initializer);
  struct tree *object = tree_address(r, initializer->symbol, initializer->symbol->type);
  return tree_indirect(r, tree_offset(r, object, offset, type_pointer_to(type)));
}

static void store(struct initializer *initializer, struct type *type, long offset,
                  struct tree *value) {
  if (initializer->is_static)
    store_static(initializer, tree_assign_convert(regionof(initializer), value, type), offset);
  else
    add_assignment(initializer,
                   tree_assign(regionof(initializer), part(initializer, type, offset), value));
}

static bool is_char_array(const struct type *type) {
  return type->kind == TYPE_ARRAY &&
         (type->base->kind == TYPE_CHAR || type->base->kind == TYPE_UNSIGNED_CHAR);
}

/* A string literal for an array of characters; returns how many it sets. */
static long initialize_string(struct initializer *initializer, struct type *type, long offset) {
  long length = lexer.string_length;
  if (type->size >= 0 && length > type->size)
    length = type->size;
  for (long i = 0; i < length; i++) {
    struct tree *character = tree_integer(regionof(initializer), lexer.string[i], unit->int_type);
    store(initializer, type->base, offset + i, character);
  }
  lexer_next();
  return length;
}

static struct tree *take_value(struct initializer *initializer) {
  struct tree *value = initializer->pending;
  initializer->pending = NULL;
  return value ? value : parse_assignment(regionof(initializer));
}

/* Whether another element of the same list follows; if so the comma is behind us. */
static bool is_continued(void) {
  if (lexer.token != ',' || lexer_is_before('}') || lexer_is_before('.') || lexer_is_before('['))
    return false;
  lexer_next();
  return true;
}

/* The members of an aggregate whose braces are left out. */
static void initialize_elided(struct initializer *initializer, struct type *type, long offset) {
  if (type->kind == TYPE_ARRAY) {
    long size = type_size(type->base);
    for (long at = 0; at < type->size; at += size) {
      initialize(initializer, type->base, offset + at);
      if (at + size >= type->size || !is_continued())
        return;
    }
    return;
  }
  for (const struct field *field = type->fields; field; field = field->next) {
    initialize(initializer, field->type, offset + field->offset);
    if (type->kind == TYPE_UNION || !field->next || !is_continued())
      return;
  }
}

/* The type of what ".name" means in an initialiser of type; *inner is its offset in *field, which
 * is it or holds it. */
static struct type *designate_field(const struct type *type, struct atom *name,
                                    const struct field **field, long *inner) {
  for (*field = type->fields; *field; *field = (*field)->next) {
    if ((*field)->name == name)
      return (*field)->type;
    const struct field *nested =
        (*field)->name ? NULL : type_find_field((*field)->type, name, inner);
    if (nested)
      return nested->type;
  }
  error("no field '%s'", name->text);
}

/* ".name" and "[index]" after the first, and "=". */
static struct type *parse_designators(struct type *type, long *offset) {
  while (!lexer_accept('=')) {
    if (lexer_accept('.')) {
      long field_offset;
      const struct field *field = type_find_field(type, lexer_name(), &field_offset);
      if (!field)
        error("no such field");
      *offset += field_offset;
      type = field->type;
    } else {
      lexer_expect('[');
      type = type->base;
      *offset += parse_constant() * type_size(type);
      lexer_expect(']');
    }
  }
  return type;
}

/* After "{"; returns the number of elements. */
static long initialize_array(struct initializer *initializer, struct type *type, long offset) {
  struct type *element = type->base;
  long size = type_size(element), count = 0;
  for (long index = 0; lexer.token != '}'; index++) {
    struct type *target = element;
    long inner = 0;
    if (lexer_accept('[')) {
      index = parse_constant();
      lexer_expect(']');
      target = parse_designators(element, &inner);
    }
    if (index < 0 || (type->size >= 0 && index * size >= type->size))
      error("too many elements");
    initialize(initializer, target, offset + index * size + inner);
    if (index + 1 > count)
      count = index + 1;
    if (!lexer_accept(','))
      break;
  }
  return count;
}

static void initialize_fields(struct initializer *initializer, struct type *type, long offset) {
  const struct field *field = type->fields;
  while (lexer.token != '}') {
    struct type *target = field ? field->type : NULL;
    long inner = 0;
    if (lexer_accept('.')) {
      target = designate_field(type, lexer_name(), &field, &inner);
      target = parse_designators(target, &inner);
    }
    if (!target)
      error("too many elements");
    initialize(initializer, target, offset + field->offset + inner);
    field = type->kind == TYPE_UNION ? NULL : field->next;
    if (!lexer_accept(','))
      break;
  }
}

/* After "{".  Returns the number of elements of an array. */
static long initialize_braced(struct initializer *initializer, struct type *type, long offset) {
  long count = 0;
  if (is_char_array(type) && lexer.token == TOKEN_STRING)
    count = initialize_string(initializer, type, offset);
  else if (type->kind == TYPE_ARRAY)
    count = initialize_array(initializer, type, offset);
  else if (type_is_aggregate(type))
    initialize_fields(initializer, type, offset);
  else
    store(initializer, type, offset, take_value(initializer));
  lexer_accept(',');
  lexer_expect('}');
  return count;
}

static void initialize(struct initializer *initializer, struct type *type, long offset) {
  if (!initializer->pending && lexer.token == '{') {
    nesting_enter();
    lexer_next();
    initialize_braced(initializer, type, offset);
    nesting_leave();
    return;
  }
  if (is_char_array(type) && !initializer->pending && lexer.token == TOKEN_STRING) {
    initialize_string(initializer, type, offset);
    return;
  }
  if (type_is_scalar(type)) {
    store(initializer, type, offset, take_value(initializer));
    return;
  }
  struct tree *value = take_value(initializer);
  if (type_is_aggregate(type) && value->type == type) {
    store(initializer, type, offset, value);
    return;
  }
  initializer->pending = value;
  initialize_elided(initializer, type, offset);
}

static struct type *initialize_whole(struct initializer *initializer, struct type *type) {
  long count;
  if (is_char_array(type) && lexer.token == TOKEN_STRING) {
    count = initialize_string(initializer, type, 0);
  } else if (type->kind == TYPE_ARRAY) {
    lexer_expect('{');
    count = initialize_braced(initializer, type, 0);
  } else {
    initialize(initializer, type, 0);
    return type;
  }
  return type->size < 0 ? type_array_of(unit_memory(), type->base, count) : type;
}

static void output_header(const struct symbol *symbol, const struct type *type,
                          const char *section) {
  const char *name = symbol_assembly_name(symbol);
  output("\t%s\n", section);
  if (!symbol->is_static)
    output("\t.globl\t%s\n", name);
  output("\t.p2align\t%d\n%s:\n",
         type->align >= 8   ? 3
         : type->align >= 4 ? 2
         : type->align >= 2 ? 1
                            : 0,
         name);
}

static void output_relocation(const struct relocation *relocation) {
  if (relocation->symbol)
    output("\t.quad\t%s%+ld\n", symbol_assembly_name(relocation->symbol), relocation->addend);
  else
    output("\t.quad\t.L%d%+ld\n", relocation->label, relocation->addend);
}

/* [from, to) of the data, where there is no address. */
static void output_bytes(const char *bytes, long from, long to) {
  while (from < to) {
    long zeros = 0;
    while (from + zeros < to && bytes[from + zeros] == 0)
      zeros++;
    if (zeros > 0)
      output("\t.zero\t%ld\n", zeros);
    from += zeros;
    if (from < to)
      output("\t.byte\t%d\n", bytes[from++] & 255);
  }
}

static struct relocation *reverse(struct relocation *relocations) {
  struct relocation *reversed = NULL;
  for (struct relocation *next; relocations; relocations = next) {
    next = relocations->next;
    relocations->next = reversed;
    reversed = relocations;
  }
  return reversed;
}

struct type *initialize_static(region r, struct symbol *symbol, struct type *type) {
  struct initializer *initializer = ralloc(r, struct initializer);
  initializer->symbol = symbol;
  initializer->is_static = true;
  reserve(initializer, 16);
  type = initialize_whole(initializer, type);
  reserve(initializer, type_size(type));
  output_header(symbol, type, ".data");
  long at = 0;
  for (const struct relocation *next = reverse(initializer->relocations); next; next = next->next) {
    if (next->offset < at)
      continue;
    output_bytes(initializer->bytes, at, next->offset);
    output_relocation(next);
    at = next->offset + 8;
  }
  output_bytes(initializer->bytes, at, type->size);
  return type;
}

struct type *initialize_local(region r, struct symbol *symbol, struct type *type,
                              struct tree **set) {
  struct initializer *initializer = ralloc(r, struct initializer);
  initializer->symbol = symbol;
  struct tree *clear = tree_new(r, OP_CLEAR, unit->void_type, tree_address(r, symbol, type), NULL);
  initializer->set = tree_new(r, OP_SEQUENCE, unit->void_type, NULL, NULL);
  if (lexer.token == '{' && !type_is_scalar(type))
    add_assignment(initializer, clear);
  type = initialize_whole(initializer, type);
  clear->value = type_size(type);
  *set = initializer->set;
  return type;
}

void define_zero(const struct symbol *symbol) {
  output_header(symbol, symbol->type, ".bss");
  output("\t.zero\t%ld\n", type_size(symbol->type) > 0 ? symbol->type->size : 1);
}
