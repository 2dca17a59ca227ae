/* SPDX-License-Identifier: MIT */
/* main.c - lcc -o ASSEMBLY FILE: compiles one preprocessed file.
 *          lcc -w C SEED FUNCTIONS: writes a random program.
 *          lcc SEED FUNCTIONS REPEAT FILE...: compiles each FILE, then a random program, each
 *              REPEAT times, and prints
 *          a digest of the code of each.
 */
#include "output.h"
#include "unit.h"
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    error("cannot open %s", path);
  size_t length = 0, capacity = 1 << 16;
  char *text = malloc(capacity);
  while (text && (length += fread(text + length, 1, capacity - length - 1, file)) == capacity - 1)
    text = realloc(text, capacity *= 2);
  if (!text || ferror(file))
    error("cannot read %s", path);
  fclose(file);
  text[length] = '\0';
  return text;
}

static void write_file(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(text, 1, length, file) != length || fclose(file) != 0)
    error("cannot write %s", path);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void compile_repeatedly(const char *name, const char *text, int repeat) deletes {
  uint64_t digest = 0;
  size_t length = 0;
  for (int i = 0; i < repeat; i++) {
    output_reset();
    unit_compile(text, name);
    if (i > 0 && output_digest() != digest)
      error("the same text gave different code");
    digest = output_digest();
  }
  output_contents(&length);
  printf("%s: %zu bytes of assembly, digest %016lx\n", name, length, (unsigned long)digest);
}

static int parse_count(const char *text) {
  char *end;
  long value = strtol(text, &end, 10);
  if (*text == '\0' || *end != '\0' || value < 0 || value > 1000000)
    error("not a number from 0 to 1000000: %s", text);
  return (int)value;
}

static void compile_file(const char *path, const char *assembly) deletes {
  size_t length;
  char *text = read_file(path);
  unit_compile(text, path);
  const char *contents = output_contents(&length);
  write_file(assembly, contents, length);
  free(text);
}

static void compile_workload(int seed, int function_count, int repeat) deletes {
  char name[32];
  snprintf(name, sizeof name, "seed %d", seed);
  char *text = workload_generate((unsigned)seed, function_count);
  compile_repeatedly(name, text, repeat);
  free(text);
}

int main(int argc, char **argv) {
  memory_start();
  if (argc == 4 && strcmp(argv[1], "-o") == 0) {
    compile_file(argv[3], argv[2]);
    return 0;
  }
  if (argc == 5 && strcmp(argv[1], "-w") == 0) {
    char *text = workload_generate((unsigned)parse_count(argv[3]), parse_count(argv[4]));
    write_file(argv[2], text, strlen(text));
    free(text);
    return 0;
  }
  if (argc < 4)
    error("usage: lcc SEED FUNCTIONS REPEAT FILE... or lcc -o ASSEMBLY FILE or lcc -w C SEED "
          "FUNCTIONS");
  int repeat = parse_count(argv[3]);
  for (int i = 4; i < argc; i++) {
    char *text = read_file(argv[i]);
    compile_repeatedly(base_name(argv[i]), text, repeat);
    free(text);
  }
  compile_workload(parse_count(argv[1]), parse_count(argv[2]), repeat);
  return 0;
}
