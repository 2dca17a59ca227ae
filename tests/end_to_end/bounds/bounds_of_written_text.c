// With -facre-bounds a function of the C library that writes text is checked for what it will
// write, its end included, which it finds out itself: as it is called, as the headers' checked
// versions call it, and as a function that the compiler knows nothing of.  A limit that is beyond
// the object is no fault where the text is short.
// RUN: %each_level -o %t %s -- -facre-bounds
// RUN: %each_level -o %t %s -- -facre-bounds -D_FORTIFY_SOURCE=2 -Wno-#warnings
// RUN: %each_level -o %t %s -- -facre-bounds -fno-builtin
// RUN: %each_level -o %t %s -- -facre-safe -DACRE_SAFE
#define _GNU_SOURCE
#include "../Inputs/check.h"

#include "../Inputs/bounded_forms.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>

enum { COUNT = 24, UNIT = sizeof(wchar_t) };

static char *bytes, text[4 * COUNT];
static wchar_t *wide, wide_text[COUNT];

static const char *text_of(size_t size) {
  memset(text, 't', size - 1);
  text[size - 1] = 0;
  return text;
}
static const wchar_t *wide_text_of(size_t size) {
  wmemset(wide_text, L't', size / UNIT - 1);
  wide_text[size / UNIT - 1] = 0;
  return wide_text;
}

NOINLINE static void do_strcpy(size_t size) { strcpy(bytes, text_of(size)); }
NOINLINE static void do_stpcpy(size_t size) {
  CHECK(stpcpy(bytes, text_of(size)) == bytes + size - 1);
}
NOINLINE static void do_strcat(size_t size) {
  strcpy(bytes, "8 bytes ");
  strcat(bytes, text_of(size - 8));
}
NOINLINE static void do_strncat(size_t size) {
  strcpy(bytes, "8 bytes ");
  text_of(sizeof text);
  strncat(bytes, text, size - 9);
}
NOINLINE static void do_wcscpy(size_t size) { wcscpy(wide, wide_text_of(size)); }
NOINLINE static void do_wcpcpy(size_t size) {
  CHECK(wcpcpy(wide, wide_text_of(size)) == wide + size / UNIT - 1);
}
NOINLINE static void do_wcscat(size_t size) {
  wcscpy(wide, L"2 ");
  wcscat(wide, wide_text_of(size - 2 * UNIT));
}
NOINLINE static void do_wcsncat(size_t size) {
  wcscpy(wide, L"2 ");
  wide_text_of(sizeof wide_text);
  wcsncat(wide, wide_text, size / UNIT - 3);
}
NOINLINE static void do_sprintf(size_t size) {
  errno = EDOM;
  CHECK(sprintf(bytes, "%s %*d", "ab", (int)size - 4, 7) == (int)size - 1 && errno == EDOM);
}
NOINLINE static void do_sprintf_of_doubles(size_t size) {
  CHECK(sprintf(bytes, "%.*f", (int)size - 3, 0.5) == (int)size - 1);
}
NOINLINE static void do_snprintf(size_t size) {
  CHECK(snprintf(bytes, size, "%s", text_of(3 * COUNT)) == 3 * COUNT - 1);
}
NOINLINE static void do_snprintf_without_limit(size_t size) {
  CHECK(snprintf(bytes, 1000, "%s", text_of(size)) == (int)size - 1);
}
NOINLINE static void list(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsprintf(bytes, format, arguments);
  va_end(arguments);
}
NOINLINE static void do_vsprintf(size_t size) { list("%s%d%.1f", text_of(size - 4), 1, 0.5); }
NOINLINE static void limited_list(size_t most, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(bytes, most, format, arguments);
  va_end(arguments);
}
NOINLINE static void do_vsnprintf(size_t size) { limited_list(size, "%s", text_of(3 * COUNT)); }
NOINLINE static void do_vsnprintf_without_limit(size_t size) {
  limited_list(1000, "%s", text_of(size));
}
NOINLINE static void do_strcpy_to_local(size_t size) {
  char local[COUNT];
  CHECK(strlen(strcpy(local, text_of(size))) == size - 1);
}
NOINLINE static void do_sprintf_to_local(size_t size) {
  char local[COUNT];
  CHECK(sprintf(local, "%*d", (int)size - 1, 7) == (int)size - 1);
}
NOINLINE static void do_strcpy_behind(size_t size) { strcpy(bytes + 8, text_of(size - 8)); }

static const bounded_form forms[] = {
    {"strcpy", do_strcpy},
    {"stpcpy", do_stpcpy},
    {"strcat", do_strcat},
    {"strncat", do_strncat},
    {"wcscpy", do_wcscpy},
    {"wcpcpy", do_wcpcpy},
    {"wcscat", do_wcscat},
    {"wcsncat", do_wcsncat},
    {"sprintf", do_sprintf},
    {"sprintf, doubles", do_sprintf_of_doubles},
    {"snprintf", do_snprintf},
    {"snprintf, beyond", do_snprintf_without_limit},
    {"vsprintf", do_vsprintf},
    {"vsnprintf", do_vsnprintf},
    {"vsnprintf, beyond", do_vsnprintf_without_limit},
    {"strcpy, local", do_strcpy_to_local},
    {"sprintf, local", do_sprintf_to_local},
    {"strcpy, behind", do_strcpy_behind},
};

int main(void) {
  region r = newregion();
  bytes = rstralloc(r, COUNT);
  wide = rarrayalloc(r, COUNT / UNIT, wchar_t);
  CHECK_FORMS(forms, COUNT, COUNT + UNIT);
  CHECK(snprintf(NULL, 0, "%s", text_of(COUNT)) == COUNT - 1);
  bytes = NULL;
  wide = NULL;
  deleteregion(r);
  bytes = malloc(COUNT);
  wide = malloc(COUNT);
#ifdef ACRE_SAFE
  CHECK_FORMS(forms, COUNT, COUNT + UNIT);
#endif
  free(bytes);
  free(wide);
}
