// In a unit that names no region a function without a barrier is compiled to what Clang compiles it
// to: an early SROA would unroll the loop before the branches around it are simplified.
// DEFINE: %{code} = sed -n -e '/^full:/,/cfi_endproc/{s/#.*//;p;}'
// RUN: %clang -O2 -S %s -o %t.plain.s
// RUN: %clang -O2 -S -fplugin=%plugin -fpass-plugin=%plugin -D__ACRE__=1 %s -o %t.acre.s
// RUN: %{code} %t.plain.s > %t.plain
// RUN: %{code} %t.acre.s > %t.acre
// RUN: grep -q cfi_endproc %t.plain
// RUN: diff %t.plain %t.acre
#include <stddef.h>
#include <stdint.h>

size_t full(const char *buffer, size_t size, int32_t *point) {
  int32_t value;
  unsigned char first = (unsigned char)buffer[0];
  if (size == 2)
    value = first & 0x1F;
  else if (size == 3)
    value = first & 0xF;
  else if (size == 4)
    value = first & 0x7;
  else
    return 0;
  for (size_t i = 1; i < size; i++) {
    unsigned char next = (unsigned char)buffer[i];
    if (next < 0x80 || next > 0xBF)
      return 0;
    value = (value << 6) + (next & 0x3F);
  }
  if (value > 0x10FFFF || (0xD800 <= value && value <= 0xDFFF))
    return 0;
  if (point)
    *point = value;
  return 1;
}
