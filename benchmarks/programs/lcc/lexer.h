/* SPDX-License-Identifier: MIT */
/* lexer.h - preprocessed text to tokens.  Line markers are obeyed, other directives skipped. */
#ifndef LCC_LEXER_H
#define LCC_LEXER_H

#include "unit.h"

enum token {
  TOKEN_END = 128, /* single characters stand for themselves */
  TOKEN_NAME,
  TOKEN_INTEGER,
  TOKEN_FLOATING,
  TOKEN_STRING,
  TOKEN_ARROW,
  TOKEN_INCREMENT,
  TOKEN_DECREMENT,
  TOKEN_SHIFT_LEFT,
  TOKEN_SHIFT_RIGHT,
  TOKEN_LESS_EQUAL,
  TOKEN_GREATER_EQUAL,
  TOKEN_EQUAL,
  TOKEN_UNEQUAL,
  TOKEN_AND,
  TOKEN_OR,
  TOKEN_ELLIPSIS,
  TOKEN_ASSIGN_ADD,
  TOKEN_ASSIGN_SUBTRACT,
  TOKEN_ASSIGN_MULTIPLY,
  TOKEN_ASSIGN_DIVIDE,
  TOKEN_ASSIGN_REMAINDER,
  TOKEN_ASSIGN_AND,
  TOKEN_ASSIGN_OR,
  TOKEN_ASSIGN_XOR,
  TOKEN_ASSIGN_SHIFT_LEFT,
  TOKEN_ASSIGN_SHIFT_RIGHT,
  /* Words. */
  TOKEN_BREAK,
  TOKEN_CASE,
  TOKEN_CONTINUE,
  TOKEN_DEFAULT,
  TOKEN_DO,
  TOKEN_ELSE,
  TOKEN_FOR,
  TOKEN_GOTO,
  TOKEN_IF,
  TOKEN_RETURN,
  TOKEN_SWITCH,
  TOKEN_WHILE,
  TOKEN_SIZEOF,
  TOKEN_ALIGNOF,
  TOKEN_STATIC_ASSERT,
  TOKEN_EXTENSION,
  TOKEN_VA_START,
  TOKEN_VA_ARG,
  TOKEN_VA_END,
  TOKEN_VA_COPY,
  /* Words that begin declarations: from TOKEN_AUTO on. */
  TOKEN_AUTO,
  TOKEN_REGISTER,
  TOKEN_STATIC,
  TOKEN_EXTERN,
  TOKEN_TYPEDEF,
  TOKEN_CONST,
  TOKEN_VOLATILE,
  TOKEN_RESTRICT,
  TOKEN_INLINE,
  TOKEN_NORETURN,
  TOKEN_VOID,
  TOKEN_CHAR,
  TOKEN_SHORT,
  TOKEN_INT,
  TOKEN_LONG,
  TOKEN_SIGNED,
  TOKEN_UNSIGNED,
  TOKEN_FLOAT,
  TOKEN_DOUBLE,
  TOKEN_BOOL,
  TOKEN_STRUCT,
  TOKEN_UNION,
  TOKEN_ENUM,
  TOKEN_TYPEOF,
  TOKEN_VA_LIST,
  TOKEN_ATTRIBUTE
};

/* A name: equal names are the same atom. */
struct atom {
  struct atom *sameregion next;
  char *sameregion text;
  int length;
  uint32_t hash;
  int token; /* a word's, or TOKEN_NAME */
};

/* The current token.  The source text is malloc memory that ends with a null byte. */
struct lexer {
  const char *traditional position;
  const char *traditional file; /* of the last line marker, in the source text */
  int file_length;
  int line;
  int token;
  struct atom *atom;
  unsigned long integer;
  bool is_unsigned, is_long, is_float;
  double floating;
  char *string; /* in permanent memory; length with the null byte */
  int string_length;
  int nesting; /* of expressions, statements and declarators around the token */
};

extern struct lexer lexer;

void lexer_start(const char *text, const char *file_name);
/* Forgets everything that lies in the unit's memory. */
void lexer_stop(void);
void lexer_next(void);
/* Whether c is the next character after white space. */
bool lexer_is_before(char c);
bool lexer_accept(int token);
void lexer_expect(int token);
/* What the parser does by recursion is bounded: enter fails if it goes too deep. */
void nesting_enter(void);
void nesting_leave(void);
struct atom *atom_make(const char *text, int length);
/* The current token, which must be a name. */
struct atom *lexer_name(void);

#endif
