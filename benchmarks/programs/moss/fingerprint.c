/* SPDX-License-Identifier: MIT */
#include "fingerprint.h"

enum { FIRST_CAPACITY = 1024 };

static const uint64_t HASH_BASE = 0x100000001b3;

static void add_token(struct fingerprints *f, uint32_t token, uint32_t line) {
  if (f->token_count == f->token_capacity) {
    region r = REGION_OF(f);
    f->token_capacity *= 2;
    f->tokens = GROW(r, f->tokens, f->token_capacity, uint32_t);
    f->lines = GROW(r, f->lines, f->token_capacity, uint32_t);
  }
  f->tokens[f->token_count] = token;
  f->lines[f->token_count++] = line;
}

static void read_tokens(struct fingerprints *f, struct scanner *scanner, const struct text *text) {
  uint32_t token, line;
  scanner_begin(scanner, text);
  while ((token = scanner_next(scanner, &line)) != TOKEN_END)
    add_token(f, token, line);
  scanner_finish(scanner);
}

static uint32_t gram_count(const struct fingerprints *f) {
  return f->token_count < GRAM_TOKENS ? 0 : f->token_count - GRAM_TOKENS + 1;
}

/* Rolling: a hash is a polynomial in HASH_BASE with the tokens as coefficients; only then its bits
 * are mixed. */
static void hash_grams(struct fingerprints *f) {
  uint64_t rolling = 0, top = 1;
  for (int i = 1; i < GRAM_TOKENS; i++)
    top *= HASH_BASE;
  for (uint32_t i = 0; i < f->token_count; i++) {
    if (i >= GRAM_TOKENS)
      rolling -= f->tokens[i - GRAM_TOKENS] * top;
    rolling = rolling * HASH_BASE + f->tokens[i];
    if (i + 1 >= GRAM_TOKENS)
      f->hashes[i + 1 - GRAM_TOKENS] =
          (uint32_t)((rolling ^ rolling >> 29) * 0xbf58476d1ce4e5b9 >> 32);
  }
}

/* Selects the least hash of each window, the last of equal ones, each once. */
static void winnow(struct fingerprints *f) {
  uint32_t count = gram_count(f), least = 0;
  for (uint32_t end = 0; end < count; end++) {
    uint32_t start = end + 1 < WINDOW_GRAMS ? 0 : end + 1 - WINDOW_GRAMS, before = least;
    if (least < start) {
      least = start;
      for (uint32_t i = start + 1; i <= end; i++)
        if (f->hashes[i] <= f->hashes[least])
          least = i;
    } else if (f->hashes[end] <= f->hashes[least]) {
      least = end;
    }
    bool is_full = end + 1 >= WINDOW_GRAMS, is_first = end + 1 == WINDOW_GRAMS;
    if (is_full && (is_first || least != before))
      f->selected[f->count++] = (struct fingerprint){f->hashes[least], f->lines[least]};
  }
}

struct fingerprints *inregion(r) fingerprints_new(region r, struct scanner *scanner,
                                                  const struct text *text) {
  struct fingerprints *f = NEW(r, struct fingerprints);
  f->token_capacity = FIRST_CAPACITY;
  f->tokens = NEW_NUMBERS(r, f->token_capacity, uint32_t);
  f->lines = NEW_NUMBERS(r, f->token_capacity, uint32_t);
  read_tokens(f, scanner, text);
  f->hashes = NEW_NUMBERS(r, gram_count(f), uint32_t);
  f->selected = NEW_NUMBERS(r, gram_count(f), struct fingerprint);
  hash_grams(f);
  winnow(f);
  return f;
}

void fingerprints_release(struct fingerprints *fingerprints) {
  if (!IS_RELEASE_NEEDED)
    return;
  RELEASE(fingerprints->tokens);
  RELEASE(fingerprints->lines);
  RELEASE(fingerprints->hashes);
  RELEASE(fingerprints->selected);
  RELEASE(fingerprints);
}
