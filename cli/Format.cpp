// SPDX-License-Identifier: MIT
#include "Format.h"

#include <cstdarg>
#include <cstdio>

namespace acre::cli {

std::string format(const char *Format, ...) {
  char Text[256];
  va_list Values;
  va_start(Values, Format);
  vsnprintf(Text, sizeof Text, Format, Values);
  va_end(Values);
  return Text;
}

} // namespace acre::cli
