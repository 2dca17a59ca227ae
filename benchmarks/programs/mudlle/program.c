/* SPDX-License-Identifier: MIT */
/* program.c - the invariant: everything a program points to lies in its own region, symbols have
 * dense indices. */
#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKETS = 64, FIRST_FORMS = 32 };

struct program *program_new(void) {
  region memory = newregion();
  struct program *program = ralloc(memory, struct program);
  program->bucket_count = FIRST_BUCKETS;
  program->buckets = rarrayalloc(memory, FIRST_BUCKETS, struct symbol *sameregion);
  program->form_limit = FIRST_FORMS;
  program->forms = rarrayalloc(memory, FIRST_FORMS, struct code *sameregion);
  return program;
}

void program_delete(struct program *program) deletes {
  region memory = regionof(program);
  deleteregion(memory);
}

uint32_t hash_bytes(const char *bytes, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
  return hash;
}

/* Twice the buckets; symbols move, none is made. */
static void grow_buckets(struct program *program) {
  int count = program->bucket_count * 2;
  struct symbol *sameregion *grown =
      rarrayalloc(regionof(program), count, struct symbol *sameregion);
  for (int i = 0; i < program->bucket_count; i++) {
    for (struct symbol *symbol = program->buckets[i], *next; symbol; symbol = next) {
      next = symbol->next;
      struct symbol *sameregion *bucket = &grown[symbol->hash & (uint32_t)(count - 1)];
      symbol->next = *bucket;
      *bucket = symbol;
    }
  }
  program->buckets = grown;
  program->bucket_count = count;
}

struct symbol *program_symbol(struct program *program, const char *name) {
  uint32_t hash = hash_bytes(name, strlen(name));
  struct symbol *symbol = program->buckets[hash & (uint32_t)(program->bucket_count - 1)];
  for (; symbol; symbol = symbol->next)
    if (symbol->hash == hash && strcmp(symbol->name, name) == 0)
      return symbol;
  if (program->symbol_count >= program->bucket_count)
    grow_buckets(program);
  symbol = ralloc(regionof(program), struct symbol);
  symbol->name = rstrdup(regionof(program), name);
  symbol->hash = hash;
  symbol->index = program->symbol_count++;
  struct symbol *sameregion *bucket =
      &program->buckets[hash & (uint32_t)(program->bucket_count - 1)];
  symbol->next = *bucket;
  *bucket = symbol;
  return symbol;
}

void program_add_form(struct program *program, struct code *code) {
  if (program->form_count == program->form_limit) {
    program->form_limit *= 2;
    program->forms = rarrayextend(regionof(program), program->forms, program->form_limit,
                                  struct code *sameregion);
  }
  program->forms[program->form_count++] = code;
}

static uint64_t mix(uint64_t digest, const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++)
    digest = (digest ^ bytes[i]) * 1099511628211u;
  return digest;
}

uint64_t program_digest(const struct program *program, size_t *byte_count, size_t *code_count) {
  uint64_t digest = 14695981039346656037u;
  *byte_count = *code_count = 0;
  for (const struct code *code = program->newest; code; code = code->next) {
    digest = mix(digest, code->bytes, (size_t)code->byte_count);
    for (int i = 0; i < code->constant_count; i++) {
      const struct string *string = code->constants[i].string;
      if (string)
        digest = mix(digest, string->text, (size_t)string->length);
    }
    *byte_count += (size_t)code->byte_count;
    *code_count += 1;
  }
  return digest;
}

struct string *inregion(memory) string_new(region memory, const char *text, int length) {
  struct string *string = ralloc(memory, struct string);
  string->length = length;
  string->text = rstralloc(memory, (size_t)length + 1);
  if (text)
    memcpy(string->text, text, (size_t)length);
  string->text[length] = '\0';
  return string;
}

void fail(int line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout);
  fputs("mudlle: ", stderr);
  if (line)
    fprintf(stderr, "%d: ", line);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}
