/* SPDX-License-Identifier: MIT */
/* lexer.c - one token of look-ahead; names and strings stay in the source text until the parser
 * copies them. */
#include "lexer.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

struct word {
  const char *traditional text;
  enum token token;
};

static const struct word words[] = {
    {"fn", TOKEN_FN},         {"var", TOKEN_VAR},     {"if", TOKEN_IF},
    {"else", TOKEN_ELSE},     {"while", TOKEN_WHILE}, {"for", TOKEN_FOR},
    {"return", TOKEN_RETURN}, {"break", TOKEN_BREAK}, {"continue", TOKEN_CONTINUE},
    {"match", TOKEN_MATCH},   {"nil", TOKEN_NIL},     {"true", TOKEN_TRUE},
    {"false", TOKEN_FALSE},
};

/* Longer spellings come before their prefixes. */
static const struct word marks[] = {
    {"=>", TOKEN_ARROW},       {"==", TOKEN_EQUAL},         {"!=", TOKEN_UNEQUAL},
    {"<=", TOKEN_LESS_EQUAL},  {">=", TOKEN_GREATER_EQUAL}, {"<<", TOKEN_SHIFT_LEFT},
    {">>", TOKEN_SHIFT_RIGHT}, {"&&", TOKEN_AND},           {"||", TOKEN_OR},
    {"::", TOKEN_CONS},        {"#[", TOKEN_VECTOR},        {"(", TOKEN_LEFT},
    {")", TOKEN_RIGHT},        {"{", TOKEN_OPEN},           {"}", TOKEN_CLOSE},
    {"[", TOKEN_LEFT_BRACKET}, {"]", TOKEN_RIGHT_BRACKET},  {",", TOKEN_COMMA},
    {";", TOKEN_SEMICOLON},    {"=", TOKEN_ASSIGN},         {"!", TOKEN_NOT},
    {"~", TOKEN_TILDE},        {"<", TOKEN_LESS},           {">", TOKEN_GREATER},
    {"|", TOKEN_BIT_OR},       {"^", TOKEN_BIT_XOR},        {"&", TOKEN_BIT_AND},
    {"+", TOKEN_PLUS},         {"-", TOKEN_MINUS},          {"*", TOKEN_TIMES},
    {"/", TOKEN_DIVIDE},       {"%", TOKEN_REMAINDER},
};

void lexer_start(struct lexer *lexer, const char *text) {
  lexer->position = text;
  lexer->line = 1;
  lexer_next(lexer);
}

static const char *skip_space(struct lexer *lexer) {
  const char *p = lexer->position;
  for (;; p++) {
    if (*p == '\n')
      lexer->line++;
    else if (p[0] == '/' && p[1] == '/')
      p += strcspn(p, "\n") - 1;
    else if (!isspace((unsigned char)*p))
      return p;
  }
}

static const char *scan_number(struct lexer *lexer, const char *p) {
  long long value = 0;
  while (isdigit((unsigned char)*p)) {
    value = value * 10 + (*p++ - '0');
    if (value > INT_MAX)
      fail(lexer->line, "number too large");
  }
  lexer->number = (int)value;
  lexer->token = TOKEN_NUMBER;
  return p;
}

static const char *scan_name(struct lexer *lexer, const char *p) {
  const char *start = p;
  while (isalnum((unsigned char)*p) || *p == '_' || *p == '?')
    p++;
  size_t length = (size_t)(p - start);
  lexer->token = TOKEN_NAME;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    const char *word = words[i].text;
    if (*word == *start && strncmp(word, start, length) == 0 && word[length] == '\0')
      lexer->token = words[i].token;
  }
  return p;
}

static const char *scan_string(struct lexer *lexer, const char *p) {
  for (p++; *p != '"'; p++) {
    if (*p == '\\' && p[1] != '\0')
      p++;
    if (*p == '\0' || *p == '\n')
      fail(lexer->line, "string not closed");
  }
  lexer->token = TOKEN_STRING;
  return p + 1;
}

static const char *scan_mark(struct lexer *lexer, const char *p) {
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
    const char *mark = marks[i].text;
    if (mark[0] == p[0] && (mark[1] == '\0' || mark[1] == p[1])) {
      lexer->token = marks[i].token;
      return p + (mark[1] == '\0' ? 1 : 2);
    }
  }
  fail(lexer->line, "unexpected character '%c'", *p);
}

void lexer_next(struct lexer *lexer) {
  const char *p = skip_space(lexer);
  lexer->start = p;
  if (*p == '\0')
    lexer->token = TOKEN_END;
  else if (isdigit((unsigned char)*p))
    p = scan_number(lexer, p);
  else if (isalpha((unsigned char)*p) || *p == '_')
    p = scan_name(lexer, p);
  else if (*p == '"')
    p = scan_string(lexer, p);
  else
    p = scan_mark(lexer, p);
  lexer->position = p;
  lexer->length = (int)(p - lexer->start);
}

struct string *inregion(memory) lexer_string(const struct lexer *lexer, region memory) {
  struct string *string = string_new(memory, NULL, lexer->length - 2);
  const char *end = lexer->start + lexer->length - 1;
  int length = 0;
  for (const char *p = lexer->start + 1; p < end; p++) {
    char c = *p;
    if (c == '\\') {
      c = *++p;
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
    string->text[length++] = c;
  }
  string->text[length] = '\0';
  string->length = length;
  return string;
}

char *inregion(memory) lexer_name(const struct lexer *lexer, region memory) {
  char *name = rstralloc(memory, (size_t)lexer->length + 1);
  memcpy(name, lexer->start, (size_t)lexer->length);
  name[lexer->length] = '\0';
  return name;
}
