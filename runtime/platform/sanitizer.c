/* sanitizer.c - see sanitizer.h. */
#include "platform/sanitizer.h"

bool acre_is_checked;

void acre_sanitizer_look(void) { acre_is_checked = acre_memory_is_checked(); }
