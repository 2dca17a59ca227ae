/* SPDX-License-Identifier: MIT */
/* main.c - mudlle SEED FUNCTIONS REPEAT FILE...
 *
 * Compiles and runs each FILE, then a random program of FUNCTIONS functions, which is compiled
 * REPEAT times.  Prints what the programs print, and for each its value and a digest of its code.
 */
#include "compile.h"
#include "machine.h"
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    fail(0, "cannot open %s", path);
  size_t length = 0, capacity = 1 << 16;
  char *text = malloc(capacity);
  while (text && (length += fread(text + length, 1, capacity - length - 1, file)) == capacity - 1)
    text = realloc(text, capacity *= 2);
  if (!text || ferror(file))
    fail(0, "cannot read %s", path);
  fclose(file);
  text[length] = '\0';
  return text;
}

static struct program *compile(const char *text) deletes {
  struct program *program = program_new();
  builtin_declare(program);
  compile_text(program, text);
  return program;
}

static void run(const char *name, struct program *program) deletes {
  size_t byte_count, code_count;
  uint64_t digest = program_digest(program, &byte_count, &code_count);
  struct machine *machine = machine_new(program);
  const struct value *result = machine_run(machine);
  printf("%s: %zu functions, %zu bytes, code %016llx, value %s\n", name, code_count, byte_count,
         (unsigned long long)digest, value_to_string(machine, result)->text);
  machine_delete(machine);
}

static void run_file(const char *name, const char *text) deletes {
  struct program *program = compile(text);
  run(name, program);
  program_delete(program);
}

static void run_workload(int seed, int function_count, int repeat) deletes {
  char name[32];
  snprintf(name, sizeof name, "seed %d", seed);
  char *text = workload_generate((unsigned)seed, function_count);
  for (int i = 1; i < repeat; i++)
    program_delete(compile(text));
  run_file(name, text);
  free(text);
}

static const char *base_name(const char *path) {
  const char *base = path;
  for (; *path; path++)
    if (*path == '/')
      base = path + 1;
  return base;
}

static int parse_count(const char *text) {
  char *end;
  long value = strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || value < 0 || value > 1000000)
    fail(0, "not a number from 0 to 1000000: %s", text);
  return (int)value;
}

int main(int argc, char **argv) {
  memory_start();
  if (argc < 4)
    fail(0, "usage: mudlle SEED FUNCTIONS REPEAT FILE...");
  int seed = parse_count(argv[1]), function_count = parse_count(argv[2]),
      repeat = parse_count(argv[3]);
  for (int i = 4; i < argc; i++) {
    char *text = read_file(argv[i]);
    run_file(base_name(argv[i]), text);
    free(text);
  }
  if (repeat > 0)
    run_workload(seed, function_count, repeat);
  return 0;
}
