/* SPDX-License-Identifier: MIT */
/* token_region.h - the tokens of NASM's preprocessor, the lines that they make and the macros of
 * several lines are in one region, instead of in blocks and by malloc.  Tokens and lines that are
 * given back are used again.
 */
#ifndef TOKEN_REGION_H
#define TOKEN_REGION_H

#include <acre/acre.h>

static settled region token_region;
static Token *freeTokens;
static Line *freeLines;

static Token *alloc_Token(void) {
  Token *token = freeTokens;
  if (!token)
    return ralloc(token_region, Token);
  freeTokens = token->next;
  token->next = NULL;
  return token;
}

static Line *alloc_Line(void) {
  Line *line = freeLines;
  if (!line)
    return ralloc(token_region, Line);
  freeLines = line->next;
  nasm_zero(*line);
  return line;
}

static void delete_Line(Line *line) {
  line->first = NULL;
  line->finishes = NULL;
  line->next = freeLines;
  freeLines = line;
}

static void delete_Blocks(void) deletes {
  freeTokens = NULL;
  freeLines = NULL;
  deleteregion(token_region);
}

#endif
