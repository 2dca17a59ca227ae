// strtol_l and the other functions that take a locale, or stand for a newer standard, stored an
// uncounted pointer.
// RUN: %each_level -o %t %s
#define _GNU_SOURCE
#include "../end_to_end/Inputs/check.h"
#include <locale.h>
#include <wchar.h>

static char *end;
static wchar_t *wide_end;

extern long __strtol_internal(const char *text, char **end, int base, int group);

int main(void) {
  region r = newregion(), w = newregion();
  locale_t c = newlocale(LC_ALL_MASK, "C", 0);
  char *text = rstrdup(r, "42 apples");
  wchar_t *wide = rarrayalloc(w, 8, wchar_t);
  wmemcpy(wide, L"42 figs", 8);
#define COUNTED(call) ((void)(call), CHECK_COUNT(r, 1), end = NULL)
#define WIDE_COUNTED(call) ((void)(call), CHECK_COUNT(w, 1), wide_end = NULL)
  COUNTED(strtol_l(text, &end, 10, c));
  COUNTED(strtoul_l(text, &end, 10, c));
  COUNTED(strtoll_l(text, &end, 10, c));
  COUNTED(strtoull_l(text, &end, 10, c));
  COUNTED(strtod_l(text, &end, c));
  COUNTED(strtof_l(text, &end, c));
  COUNTED(strtold_l(text, &end, c));
  COUNTED(strtoq(text, &end, 10));
  COUNTED(__strtol_internal(text, &end, 10, 0));
  WIDE_COUNTED(wcstol_l(wide, &wide_end, 10, c));
  WIDE_COUNTED(wcstod_l(wide, &wide_end, c));
  freelocale(c);
}
