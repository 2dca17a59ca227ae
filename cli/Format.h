/* SPDX-License-Identifier: MIT */
//===- Format.h - Text as printf makes it ----------------------------------===//
#ifndef ACRE_CLI_FORMAT_H
#define ACRE_CLI_FORMAT_H

#include <string>

namespace acre::cli {

/// What printf would print, as far as 255 characters reach.
[[gnu::format(printf, 1, 2)]] std::string format(const char *Format, ...);

} // namespace acre::cli

#endif
