// Behind the name of a type stand its plain name, numbers as large as a pointer, and pointers that
// a path with one index at its end does not name: in unions and in elements of arrays.
// RUN: %frontend -w -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | FileCheck %s
#include <acre/region.h>
#include <stdint.h>

typedef struct leaf {
  int x;
  uint64_t hash;
} leaf;
struct value {
  int kind;
  union {
    leaf *leaf;
    char *text;
    long number;
  } as;
};
struct table {
  struct {
    long key;
    leaf *first;
  } rows[4];
  leaf *plain[3];
  enum { A } small;
};
struct packet {
  int length;
  struct {
    leaf *part;
  } parts[];
};
struct only_pointers {
  leaf *a, *b;
};

void allocate(region r) {
  // CHECK-DAG: |leaf\0A=struct leaf\0A#8 1 0 hash\0A;16;
  ralloc(r, leaf);
  // CHECK-DAG: |struct value\0A%7c8 1 0 as.leaf leaf\0A%7c8 1 0 as.leaf struct leaf\0A%7c8 1 0 as.text char\0A#8 1 0 as.number\0A;16;
  ralloc(r, struct value);
  // CHECK-DAG: |struct table\0A#0 4 16 rows[].key\0A%7c8 4 16 rows[].first leaf\0A%7c8 4 16 rows[].first struct leaf\0A;96;
  ralloc(r, struct table);
  // CHECK-DAG: |struct packet\0A%7c8 0 8 parts[].part leaf\0A%7c8 0 8 parts[].part struct leaf\0A;8;
  ralloc(r, struct packet);
  // CHECK-DAG: |struct only_pointers;16;
  ralloc(r, struct only_pointers);
}
