/* SPDX-License-Identifier: MIT */
/* lexer.c - tokens, one at a time; adjacent string literals are joined. */
#include "lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct lexer lexer;

enum { NESTING_LIMIT = 400 };

struct word {
  const char *traditional text;
  int token;
};

static const struct word words[] = {
    {"break", TOKEN_BREAK},
    {"case", TOKEN_CASE},
    {"continue", TOKEN_CONTINUE},
    {"default", TOKEN_DEFAULT},
    {"do", TOKEN_DO},
    {"else", TOKEN_ELSE},
    {"for", TOKEN_FOR},
    {"goto", TOKEN_GOTO},
    {"if", TOKEN_IF},
    {"return", TOKEN_RETURN},
    {"switch", TOKEN_SWITCH},
    {"while", TOKEN_WHILE},
    {"sizeof", TOKEN_SIZEOF},
    {"_Alignof", TOKEN_ALIGNOF},
    {"__alignof__", TOKEN_ALIGNOF},
    {"_Static_assert", TOKEN_STATIC_ASSERT},
    {"__extension__", TOKEN_EXTENSION},
    {"__builtin_va_start", TOKEN_VA_START},
    {"__builtin_va_arg", TOKEN_VA_ARG},
    {"__builtin_va_end", TOKEN_VA_END},
    {"__builtin_va_copy", TOKEN_VA_COPY},
    {"auto", TOKEN_AUTO},
    {"register", TOKEN_REGISTER},
    {"static", TOKEN_STATIC},
    {"extern", TOKEN_EXTERN},
    {"typedef", TOKEN_TYPEDEF},
    {"const", TOKEN_CONST},
    {"__const", TOKEN_CONST},
    {"volatile", TOKEN_VOLATILE},
    {"restrict", TOKEN_RESTRICT},
    {"__restrict", TOKEN_RESTRICT},
    {"inline", TOKEN_INLINE},
    {"__inline", TOKEN_INLINE},
    {"__inline__", TOKEN_INLINE},
    {"_Noreturn", TOKEN_NORETURN},
    {"void", TOKEN_VOID},
    {"char", TOKEN_CHAR},
    {"short", TOKEN_SHORT},
    {"int", TOKEN_INT},
    {"long", TOKEN_LONG},
    {"signed", TOKEN_SIGNED},
    {"__signed__", TOKEN_SIGNED},
    {"unsigned", TOKEN_UNSIGNED},
    {"float", TOKEN_FLOAT},
    {"double", TOKEN_DOUBLE},
    {"_Bool", TOKEN_BOOL},
    {"struct", TOKEN_STRUCT},
    {"union", TOKEN_UNION},
    {"enum", TOKEN_ENUM},
    {"typeof", TOKEN_TYPEOF},
    {"__typeof__", TOKEN_TYPEOF},
    {"__builtin_va_list", TOKEN_VA_LIST},
    {"__attribute__", TOKEN_ATTRIBUTE},
    {"__asm__", TOKEN_ATTRIBUTE},
    {"asm", TOKEN_ATTRIBUTE},
};

/* Longer spellings come before their prefixes. */
static const struct word marks[] = {
    {"...", TOKEN_ELLIPSIS},
    {"<<=", TOKEN_ASSIGN_SHIFT_LEFT},
    {">>=", TOKEN_ASSIGN_SHIFT_RIGHT},
    {"->", TOKEN_ARROW},
    {"++", TOKEN_INCREMENT},
    {"--", TOKEN_DECREMENT},
    {"<<", TOKEN_SHIFT_LEFT},
    {">>", TOKEN_SHIFT_RIGHT},
    {"<=", TOKEN_LESS_EQUAL},
    {">=", TOKEN_GREATER_EQUAL},
    {"==", TOKEN_EQUAL},
    {"!=", TOKEN_UNEQUAL},
    {"&&", TOKEN_AND},
    {"||", TOKEN_OR},
    {"+=", TOKEN_ASSIGN_ADD},
    {"-=", TOKEN_ASSIGN_SUBTRACT},
    {"*=", TOKEN_ASSIGN_MULTIPLY},
    {"/=", TOKEN_ASSIGN_DIVIDE},
    {"%=", TOKEN_ASSIGN_REMAINDER},
    {"&=", TOKEN_ASSIGN_AND},
    {"|=", TOKEN_ASSIGN_OR},
    {"^=", TOKEN_ASSIGN_XOR},
};

struct atom *atom_make(const char *text, int length) {
  uint32_t hash = 2166136261u;
  for (int i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  struct atom *sameregion *bucket = &unit->atoms[hash % ATOM_BUCKETS];
  for (struct atom *atom = *bucket; atom; atom = atom->next)
    if (atom->hash == hash && atom->length == length &&
        memcmp(atom->text, text, (size_t)length) == 0)
      return atom;
  struct atom *atom = ralloc(regionof(unit), struct atom);
  atom->text = rstralloc(regionof(unit), (size_t)length + 1);
  memcpy(atom->text, text, (size_t)length);
  atom->text[length] = '\0';
  atom->length = length;
  atom->hash = hash;
  atom->token = TOKEN_NAME;
  atom->next = *bucket;
  *bucket = atom;
  return atom;
}

void lexer_start(const char *text, const char *file_name) {
  lexer.position = text;
  lexer.file = file_name;
  lexer.file_length = (int)strlen(file_name);
  lexer.line = 1;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    atom_make(words[i].text, (int)strlen(words[i].text))->token = words[i].token;
  lexer_next();
}

void lexer_stop(void) {
  lexer.atom = NULL;
  lexer.string = NULL;
}

/* "# 12 "name" flags" names the line that follows; "#pragma" and all else means nothing here. */
static const char *skip_directive(const char *p) {
  const char *end = p + strcspn(p, "\n");
  p++;
  while (*p == ' ' || *p == '\t')
    p++;
  if (strncmp(p, "line", 4) == 0)
    p += 5;
  if (!isdigit((unsigned char)*p))
    return end;
  lexer.line = (int)strtol(p, NULL, 10) - 1;
  const char *quote = memchr(p, '"', (size_t)(end - p));
  const char *close = quote ? memchr(quote + 1, '"', (size_t)(end - quote - 1)) : NULL;
  if (close) {
    lexer.file = quote + 1;
    lexer.file_length = (int)(close - quote - 1);
  }
  return end;
}

static const char *skip_comment(const char *p) {
  if (p[1] == '/')
    return p + strcspn(p, "\n") - 1;
  for (p += 2; p[0] != '*' || p[1] != '/'; p++) {
    if (*p == '\0')
      error("comment not closed");
    lexer.line += *p == '\n';
  }
  return p + 1;
}

static const char *skip_space(const char *p) {
  for (;; p++) {
    if (*p == '\n')
      lexer.line++;
    else if (*p == '#')
      p = skip_directive(p) - 1;
    else if (p[0] == '/' && (p[1] == '/' || p[1] == '*'))
      p = skip_comment(p);
    else if (!isspace((unsigned char)*p))
      return p;
  }
}

static const char *scan_floating(const char *p) {
  char *end;
  lexer.floating = strtod(p, &end);
  lexer.token = TOKEN_FLOATING;
  lexer.is_float = *end == 'f' || *end == 'F';
  return end + (lexer.is_float || *end == 'l' || *end == 'L');
}

static const char *scan_number(const char *p) {
  const char *q = p;
  bool is_hexadecimal = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
  if (!is_hexadecimal) {
    q += strspn(q, "0123456789");
    if (*q == '.' || *q == 'e' || *q == 'E')
      return scan_floating(p);
  }
  char *end;
  lexer.token = TOKEN_INTEGER;
  lexer.integer = strtoul(p, &end, 0);
  lexer.is_unsigned = lexer.is_long = false;
  for (; isalpha((unsigned char)*end); end++) {
    if (*end == 'u' || *end == 'U')
      lexer.is_unsigned = true;
    else if (*end == 'l' || *end == 'L')
      lexer.is_long = true;
    else
      error("invalid suffix of a number");
  }
  if (lexer.integer > 0x7fffffff &&
      !(lexer.integer <= 0xffffffff && (is_hexadecimal || lexer.is_unsigned)))
    lexer.is_long = true;
  else if (lexer.integer > 0x7fffffff && !lexer.is_long)
    lexer.is_unsigned = true;
  if (lexer.integer > 0x7fffffffffffffff)
    lexer.is_unsigned = true;
  return end;
}

/* One character of a literal, after a backslash. */
static const char *scan_escape(const char *p, int *value) {
  static const char letters[] = "abfnrtv", meanings[] = "\a\b\f\n\r\t\v";
  if (*p == 'x') {
    char *end;
    *value = (int)strtoul(p + 1, &end, 16);
    return end;
  }
  if (*p >= '0' && *p <= '7') {
    int digits = 0, octal = 0;
    for (; digits < 3 && *p >= '0' && *p <= '7'; digits++)
      octal = octal * 8 + (*p++ - '0');
    *value = octal;
    return p;
  }
  const char *letter = strchr(letters, *p);
  *value = letter && *p ? meanings[letter - letters] : *p;
  return p + 1;
}

static const char *scan_character(const char *p) {
  int value = 0;
  for (p++; *p != '\'';) {
    if (*p == '\0' || *p == '\n')
      error("character constant not closed");
    if (*p == '\\')
      p = scan_escape(p + 1, &value);
    else
      value = *p++;
  }
  lexer.token = TOKEN_INTEGER;
  lexer.integer = (unsigned long)(long)(signed char)value;
  lexer.is_unsigned = lexer.is_long = false;
  return p + 1;
}

/* The length of the literals at p, an upper bound. */
static size_t literal_bound(const char *p) {
  size_t length = 1;
  while (*p == '"') {
    for (p++; *p != '"'; p++, length++) {
      if (*p == '\\' && p[1])
        p++;
      if (*p == '\0' || *p == '\n')
        error("string not closed");
    }
    p = skip_space(p + 1);
  }
  return length;
}

static const char *scan_string(const char *p) {
  int line = lexer.line;
  char *bytes = rstralloc(regionof(unit), literal_bound(p));
  lexer.line = line;
  int length = 0;
  const char *end = p;
  while (*p == '"') {
    for (p++; *p != '"';) {
      int value = *p++;
      if (value == '\\')
        p = scan_escape(p, &value);
      bytes[length++] = (char)value;
    }
    line = lexer.line;
    end = ++p;
    p = skip_space(p);
  }
  lexer.line = line;
  bytes[length++] = '\0';
  lexer.token = TOKEN_STRING;
  lexer.string = bytes;
  lexer.string_length = length;
  return end;
}

static const char *scan_name(const char *p) {
  const char *start = p;
  while (isalnum((unsigned char)*p) || *p == '_' || *p == '$')
    p++;
  lexer.atom = atom_make(start, (int)(p - start));
  lexer.token = lexer.atom->token;
  return p;
}

static const char *scan_mark(const char *p) {
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
    const char *mark = marks[i].text;
    if (mark[0] == p[0] && mark[1] == p[1] && (mark[2] == '\0' || mark[2] == p[2])) {
      lexer.token = marks[i].token;
      return p + strlen(mark);
    }
  }
  if (*p == '\0' || !strchr("(){}[];,:?=<>+-*/%&|^~!.", *p))
    error("unexpected character '%c'", *p);
  lexer.token = *p;
  return p + 1;
}

void lexer_next(void) {
  const char *p = skip_space(lexer.position);
  if (*p == '\0')
    lexer.token = TOKEN_END;
  else if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1])))
    p = scan_number(p);
  else if (isalpha((unsigned char)*p) || *p == '_')
    p = scan_name(p);
  else if (*p == '"')
    p = scan_string(p);
  else if (*p == '\'')
    p = scan_character(p);
  else
    p = scan_mark(p);
  lexer.position = p;
  if (lexer.token == TOKEN_EXTENSION)
    lexer_next();
}

bool lexer_is_before(char c) {
  int line = lexer.line;
  bool is_before = *skip_space(lexer.position) == c;
  lexer.line = line;
  return is_before;
}

bool lexer_accept(int token) {
  if (lexer.token != token)
    return false;
  lexer_next();
  return true;
}

void nesting_enter(void) {
  if (++lexer.nesting > NESTING_LIMIT)
    error("nested too deeply");
}

void nesting_leave(void) { lexer.nesting--; }

void lexer_expect(int token) {
  if (lexer_accept(token))
    return;
  if (token < TOKEN_END)
    error("'%c' expected", token);
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (words[i].token == token)
      error("'%s' expected", words[i].text);
  error("syntax error");
}

struct atom *lexer_name(void) {
  if (lexer.token != TOKEN_NAME)
    error("name expected");
  struct atom *atom = lexer.atom;
  lexer_next();
  return atom;
}
