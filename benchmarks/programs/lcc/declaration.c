/* SPDX-License-Identifier: MIT */
/* declaration.c - from declarations to symbols and types. */
#include "declaration.h"

#include "code.h"

static struct symbol *find_typedef(void) {
  if (lexer.token != TOKEN_NAME)
    return NULL;
  struct symbol *symbol = symbol_find(lexer.atom, false);
  return symbol && symbol->kind == SYMBOL_TYPEDEF ? symbol : NULL;
}

bool is_type_start(void) { return lexer.token >= TOKEN_AUTO || find_typedef(); }

static void skip_parentheses(void) {
  int depth = 0;
  do {
    depth += (lexer.token == '(') - (lexer.token == ')');
    if (lexer.token == TOKEN_END)
      error("')' expected");
    lexer_next();
  } while (depth > 0);
}

static void skip_attributes(void) {
  while (lexer_accept(TOKEN_ATTRIBUTE))
    skip_parentheses();
}

static void parse_fields(struct type *aggregate) {
  nesting_enter();
  while (!lexer_accept('}')) {
    if (lexer_accept(';'))
      continue;
    struct specifiers specifiers = parse_specifiers();
    if (lexer.token == ';' && type_is_aggregate(specifiers.type))
      type_add_field(aggregate, NULL, specifiers.type);
    while (lexer.token != ';') {
      struct declarator declarator = parse_declarator(specifiers.type);
      if (lexer.token == ':')
        error("bit-fields are not supported");
      if (!declarator.name)
        error("name expected");
      type_add_field(aggregate, declarator.name, declarator.type);
      skip_attributes();
      if (!lexer_accept(','))
        break;
    }
    lexer_expect(';');
  }
  type_finish_aggregate(aggregate);
  nesting_leave();
}

static struct type *parse_aggregate(void) {
  enum type_kind kind = lexer.token == TOKEN_STRUCT ? TYPE_STRUCT : TYPE_UNION;
  lexer_next();
  skip_attributes();
  struct atom *tag = lexer.token == TOKEN_NAME ? lexer_name() : NULL;
  bool is_definition = lexer.token == '{';
  struct symbol *symbol = NULL;
  if (tag)
    symbol =
        is_definition || lexer.token == ';' ? symbol_find_here(tag, true) : symbol_find(tag, true);
  if (!symbol) {
    struct type *type = type_aggregate(unit_memory(), kind, tag);
    if (!tag) {
      lexer_expect('{');
      parse_fields(type);
      return type;
    }
    symbol = symbol_add(scope, tag, SYMBOL_TAG, type);
  }
  struct type *type = symbol->type;
  if (type->kind != kind)
    error("'%s' is another kind of type", tag->text);
  if (lexer_accept('{')) {
    if (type->size >= 0)
      error("'%s' is defined twice", tag->text);
    parse_fields(type);
  }
  skip_attributes();
  return type;
}

static void parse_enumeration(void) {
  lexer_next();
  struct atom *tag = lexer.token == TOKEN_NAME ? lexer_name() : NULL;
  if (!lexer_accept('{')) {
    if (!tag)
      error("name expected");
    return;
  }
  for (long value = 0; lexer.token != '}'; value++) {
    struct atom *name = lexer_name();
    if (lexer_accept('='))
      value = parse_constant();
    symbol_add(scope, name, SYMBOL_CONSTANT, unit->int_type)->value = value;
    if (!lexer_accept(','))
      break;
  }
  lexer_expect('}');
}

static struct type *parse_typeof(void) {
  struct type *type;
  lexer_next();
  lexer_expect('(');
  if (is_type_start())
    type = parse_type_name();
  else
    type = parse_expression(unit_memory())->type;
  lexer_expect(')');
  return type;
}

/* The words of an arithmetic type, counted. */
struct words {
  int is_signed, is_unsigned, char_count, short_count, int_count, long_count, float_count,
      double_count, bool_count;
};

static bool count_word(struct words *words) {
  switch (lexer.token) {
  case TOKEN_SIGNED:
    words->is_signed++;
    break;
  case TOKEN_UNSIGNED:
    words->is_unsigned++;
    break;
  case TOKEN_CHAR:
    words->char_count++;
    break;
  case TOKEN_SHORT:
    words->short_count++;
    break;
  case TOKEN_INT:
    words->int_count++;
    break;
  case TOKEN_LONG:
    words->long_count++;
    break;
  case TOKEN_FLOAT:
    words->float_count++;
    break;
  case TOKEN_DOUBLE:
    words->double_count++;
    break;
  case TOKEN_BOOL:
    words->bool_count++;
    break;
  default:
    return false;
  }
  lexer_next();
  return true;
}

static struct type *type_of_words(const struct words *words) {
  if (words->bool_count)
    return unit->bool_type;
  if (words->float_count)
    return unit->float_type;
  if (words->double_count)
    return unit->double_type; /* also long double */
  if (words->char_count)
    return words->is_unsigned ? unit->unsigned_char_type : unit->char_type;
  if (words->short_count)
    return words->is_unsigned ? unit->unsigned_short_type : unit->short_type;
  if (words->long_count)
    return words->is_unsigned ? unit->unsigned_long_type : unit->long_type;
  if (!words->int_count && !words->is_signed && !words->is_unsigned)
    error("type expected");
  return words->is_unsigned ? unit->unsigned_type : unit->int_type;
}

/* A word that is a type by itself; null if it is none. */
static struct type *parse_whole_type(void) {
  struct type *type = NULL;
  switch (lexer.token) {
  case TOKEN_STRUCT:
  case TOKEN_UNION:
    return parse_aggregate();
  case TOKEN_ENUM:
    parse_enumeration();
    return unit->int_type;
  case TOKEN_TYPEOF:
    return parse_typeof();
  case TOKEN_VOID:
    type = unit->void_type;
    break;
  case TOKEN_VA_LIST:
    type = unit->va_list_type;
    break;
  default:
    break;
  }
  struct symbol *symbol = type ? NULL : find_typedef();
  if (symbol)
    type = symbol->type;
  if (type)
    lexer_next();
  return type;
}

static bool parse_storage(struct specifiers *specifiers) {
  switch (lexer.token) {
  case TOKEN_STATIC:
  case TOKEN_EXTERN:
  case TOKEN_TYPEDEF:
    specifiers->storage = lexer.token;
    break;
  case TOKEN_AUTO:
  case TOKEN_REGISTER:
  case TOKEN_CONST:
  case TOKEN_VOLATILE:
  case TOKEN_RESTRICT:
  case TOKEN_INLINE:
  case TOKEN_NORETURN:
    break;
  case TOKEN_ATTRIBUTE:
    skip_attributes();
    return true;
  default:
    return false;
  }
  lexer_next();
  return true;
}

struct specifiers parse_specifiers(void) {
  struct specifiers specifiers = {NULL, 0};
  struct words words = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  bool has_words = false;
  for (;;) {
    if (parse_storage(&specifiers))
      continue;
    if (count_word(&words)) {
      has_words = true;
      continue;
    }
    struct type *type = specifiers.type || has_words ? NULL : parse_whole_type();
    if (!type)
      break;
    specifiers.type = type;
  }
  if (!specifiers.type)
    specifiers.type = type_of_words(&words);
  return specifiers;
}

/* A declarator inside out: the first piece is applied to the base type first. */
struct piece {
  struct piece *sameregion next;
  enum type_kind kind;
  long count;                              /* of TYPE_ARRAY; -1: not given */
  struct parameter *sameregion parameters; /* of TYPE_FUNCTION */
  bool is_variadic, has_prototype;
};

static struct piece *piece_new(region memory, enum type_kind kind, struct piece *next) {
  struct piece *piece = ralloc(memory, struct piece);
  piece->kind = kind;
  piece->next = next;
  return piece;
}

static void parse_parameters(region memory, struct piece *piece) {
  struct parameter *last = NULL;
  nesting_enter();
  piece->has_prototype = lexer.token != ')';
  while (lexer.token != ')') {
    if (lexer_accept(TOKEN_ELLIPSIS)) {
      piece->is_variadic = true;
      break;
    }
    struct declarator declarator = parse_declarator(parse_specifiers().type);
    struct type *type = declarator.type;
    skip_attributes();
    if (type->kind == TYPE_VOID)
      break;
    if (type->kind == TYPE_ARRAY)
      type = type_pointer_to(type->base);
    else if (type->kind == TYPE_FUNCTION)
      type = type_pointer_to(type);
    struct parameter *parameter = ralloc(memory, struct parameter);
    parameter->name = declarator.name;
    parameter->type = type;
    if (last)
      last->next = parameter;
    else
      piece->parameters = parameter;
    last = parameter;
    if (!lexer_accept(','))
      break;
  }
  lexer_expect(')');
  nesting_leave();
}

static struct piece *parse_suffixes(region memory, struct piece *piece) {
  for (;;) {
    if (lexer_accept('(')) {
      piece = piece_new(memory, TYPE_FUNCTION, piece);
      parse_parameters(memory, piece);
    } else if (lexer_accept('[')) {
      piece = piece_new(memory, TYPE_ARRAY, piece);
      while (lexer.token == TOKEN_STATIC || lexer.token == TOKEN_CONST ||
             lexer.token == TOKEN_RESTRICT)
        lexer_next();
      piece->count = lexer.token == ']' ? -1 : parse_constant();
      lexer_expect(']');
    } else {
      return piece;
    }
  }
}

static struct piece *parse_pieces(region memory, struct atom **name) {
  struct piece *piece = NULL;
  skip_attributes();
  if (lexer_accept('*')) {
    while (lexer.token == TOKEN_CONST || lexer.token == TOKEN_VOLATILE ||
           lexer.token == TOKEN_RESTRICT)
      lexer_next();
    nesting_enter();
    piece = piece_new(memory, TYPE_POINTER, parse_pieces(memory, name));
    nesting_leave();
    return piece;
  }
  if (lexer.token == TOKEN_NAME) {
    *name = lexer_name();
  } else if (lexer.token == '(') {
    /* A parenthesis around a declarator, or the parameters of one without name? */
    lexer_next();
    nesting_enter();
    if (is_type_start() || lexer.token == ')') {
      piece = piece_new(memory, TYPE_FUNCTION, NULL);
      parse_parameters(memory, piece);
    } else {
      piece = parse_pieces(memory, name);
      lexer_expect(')');
    }
    nesting_leave();
  }
  return parse_suffixes(memory, piece);
}

struct declarator parse_declarator(struct type *base) {
  region memory = unit_memory();
  struct atom *name = NULL;
  struct type *type = base;
  for (const struct piece *piece = parse_pieces(memory, &name); piece; piece = piece->next) {
    if (piece->kind == TYPE_POINTER) {
      type = type_pointer_to(type);
    } else if (piece->kind == TYPE_ARRAY) {
      type = type_array_of(memory, type, piece->count);
    } else {
      type = type_function(memory, type);
      type->parameters = piece->parameters;
      type->is_variadic = piece->is_variadic;
      type->has_prototype = piece->has_prototype;
    }
  }
  skip_attributes();
  return (struct declarator){type, name};
}

struct type *parse_type_name(void) {
  struct declarator declarator = parse_declarator(parse_specifiers().type);
  if (declarator.name)
    error("type without name expected");
  return declarator.type;
}

struct symbol *declare_local(struct atom *name, struct type *type) {
  struct symbol *symbol;
  if (name) {
    symbol = symbol_add(scope, name, SYMBOL_VARIABLE, type);
  } else {
    symbol = ralloc(unit->function, struct symbol);
    symbol->kind = SYMBOL_VARIABLE;
    symbol->type = type;
  }
  symbol->is_local = true;
  symbol->local = code_new_local(symbol);
  return symbol;
}

struct symbol *declare(struct atom *name, struct type *type, int storage) {
  struct symbol *symbol = symbol_find_here(name, false);
  enum symbol_kind kind = type->kind == TYPE_FUNCTION ? SYMBOL_FUNCTION
                          : storage == TOKEN_TYPEDEF  ? SYMBOL_TYPEDEF
                                                      : SYMBOL_VARIABLE;
  if (storage == TOKEN_TYPEDEF)
    kind = SYMBOL_TYPEDEF;
  if (!symbol) {
    symbol = symbol_add(scope, name, kind, type);
    symbol->is_static = storage == TOKEN_STATIC;
    return symbol;
  }
  if (symbol->kind != kind || (!type_is_equal(symbol->type, type) && type_is_arithmetic(type)))
    error("'%s' is declared as something else", name->text);
  if (type->kind == TYPE_FUNCTION ? type->has_prototype : type->size >= 0)
    symbol->type = type;
  return symbol;
}

/* In a function: a static variable is known to the assembler by a number. */
static void declare_static_local(struct atom *name, struct type *type) deletes {
  struct symbol *symbol = symbol_add(scope, name, SYMBOL_VARIABLE, type);
  symbol->label = unit_new_label();
  symbol->is_static = true;
  if (lexer_accept('=')) {
    region r = newsubregion(unit->function);
    symbol->type = initialize_static(r, symbol, type);
    deleteregion(r);
  } else {
    define_zero(symbol);
  }
}

static void declare_automatic(struct atom *name, struct type *type) deletes {
  struct symbol *symbol = declare_local(name, type);
  if (lexer_accept('=')) {
    region r = newsubregion(unit->function);
    struct tree *set;
    symbol->type = initialize_local(r, symbol, type, &set);
    code_expression(r, set);
    set = NULL;
    deleteregion(r);
  }
  type_size(symbol->type);
}

static void parse_static_assertion(void) {
  lexer_next();
  lexer_expect('(');
  if (!parse_constant())
    error("static assertion failed");
  if (lexer_accept(','))
    lexer_expect(TOKEN_STRING);
  lexer_expect(')');
  lexer_expect(';');
}

void parse_local_declaration(void) deletes {
  struct specifiers specifiers = parse_specifiers();
  while (lexer.token != ';') {
    struct declarator declarator = parse_declarator(specifiers.type);
    struct type *type = declarator.type;
    struct atom *name = declarator.name;
    if (!name)
      error("name expected");
    if (specifiers.storage == TOKEN_TYPEDEF || specifiers.storage == TOKEN_EXTERN ||
        type->kind == TYPE_FUNCTION)
      declare(name, type, specifiers.storage);
    else if (specifiers.storage == TOKEN_STATIC)
      declare_static_local(name, type);
    else
      declare_automatic(name, type);
    if (!lexer_accept(','))
      break;
  }
  lexer_expect(';');
}

static void define_global(struct symbol *symbol, struct type *type, int storage) deletes {
  if (lexer_accept('=')) {
    if (symbol->is_defined)
      error("'%s' is defined twice", symbol->name->text);
    symbol->is_defined = true;
    region r = newsubregion(regionof(unit));
    symbol->type = initialize_static(r, symbol, type);
    deleteregion(r);
  } else if (storage != TOKEN_EXTERN) {
    symbol->is_tentative = true;
  }
}

void parse_external(void) deletes {
  if (lexer_accept(';'))
    return;
  if (lexer.token == TOKEN_STATIC_ASSERT) {
    parse_static_assertion();
    return;
  }
  struct specifiers specifiers = parse_specifiers();
  while (lexer.token != ';') {
    struct declarator declarator = parse_declarator(specifiers.type);
    struct type *type = declarator.type;
    struct atom *name = declarator.name;
    if (!name)
      error("name expected");
    struct symbol *symbol = declare(name, type, specifiers.storage);
    if (symbol->kind == SYMBOL_FUNCTION && lexer.token == '{') {
      parse_function(symbol, type);
      return;
    }
    if (symbol->kind == SYMBOL_VARIABLE)
      define_global(symbol, type, specifiers.storage);
    if (!lexer_accept(','))
      break;
  }
  lexer_expect(';');
}

struct symbol *declare_unnamed(region r, struct type **type, struct tree **set) {
  *set = NULL;
  if (unit->function) {
    struct symbol *symbol = declare_local(NULL, *type);
    symbol->is_in_memory = true;
    symbol->type = *type = initialize_local(r, symbol, *type, set);
    return symbol;
  }
  struct symbol *symbol = ralloc(regionof(unit), struct symbol);
  symbol->label = unit_new_label();
  symbol->is_static = true;
  symbol->type = *type = initialize_static(r, symbol, *type);
  return symbol;
}
