/* SPDX-License-Identifier: MIT */
/* lexer.h - source text to tokens. */
#ifndef MUDLLE_LEXER_H
#define MUDLLE_LEXER_H

#include "program.h"

enum token {
  TOKEN_END,
  TOKEN_NUMBER,
  TOKEN_STRING,
  TOKEN_NAME,
  /* Words. */
  TOKEN_FN,
  TOKEN_VAR,
  TOKEN_IF,
  TOKEN_ELSE,
  TOKEN_WHILE,
  TOKEN_FOR,
  TOKEN_RETURN,
  TOKEN_BREAK,
  TOKEN_CONTINUE,
  TOKEN_MATCH,
  TOKEN_NIL,
  TOKEN_TRUE,
  TOKEN_FALSE,
  /* Brackets and separators. */
  TOKEN_LEFT,
  TOKEN_RIGHT,
  TOKEN_OPEN,
  TOKEN_CLOSE,
  TOKEN_LEFT_BRACKET,
  TOKEN_RIGHT_BRACKET,
  TOKEN_VECTOR,
  TOKEN_COMMA,
  TOKEN_SEMICOLON,
  TOKEN_ASSIGN,
  TOKEN_ARROW,
  /* Operators: TOKEN_FIRST_BINARY up to TOKEN_LAST_BINARY stand between two operands. */
  TOKEN_NOT,
  TOKEN_TILDE,
  TOKEN_OR,
  TOKEN_AND,
  TOKEN_CONS,
  TOKEN_EQUAL,
  TOKEN_UNEQUAL,
  TOKEN_LESS,
  TOKEN_LESS_EQUAL,
  TOKEN_GREATER,
  TOKEN_GREATER_EQUAL,
  TOKEN_BIT_OR,
  TOKEN_BIT_XOR,
  TOKEN_BIT_AND,
  TOKEN_SHIFT_LEFT,
  TOKEN_SHIFT_RIGHT,
  TOKEN_PLUS,
  TOKEN_MINUS,
  TOKEN_TIMES,
  TOKEN_DIVIDE,
  TOKEN_REMAINDER,
  TOKEN_FIRST_BINARY = TOKEN_OR,
  TOKEN_LAST_BINARY = TOKEN_REMAINDER
};

/* The text lies in malloc memory and ends with a null byte.  start and length are the current
 * token's. */
struct lexer {
  const char *traditional position;
  const char *traditional start;
  int length;
  int line;
  int number;
  enum token token;
};

void lexer_start(struct lexer *lexer, const char *text);
void lexer_next(struct lexer *lexer);
/* The current TOKEN_STRING with its escapes replaced. */
struct string *inregion(memory) lexer_string(const struct lexer *lexer, region memory);
/* The current TOKEN_NAME. */
char *inregion(memory) lexer_name(const struct lexer *lexer, region memory);

#endif
