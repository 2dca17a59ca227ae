/* SPDX-License-Identifier: MIT */
/* sanitizer.c - see sanitizer.h. */
#include "platform/sanitizer.h"

bool acre_is_checked;

void acre_sanitizer_look(void) { acre_is_checked = acre_memory_is_checked(); }

uintptr_t acre_sanitizer_define_word(uintptr_t word) {
  (void)VALGRIND_MAKE_MEM_DEFINED(&word, sizeof word);
  return word;
}
