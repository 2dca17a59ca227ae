/* SPDX-License-Identifier: MIT */
//===- ClangOptionShapes.h - How many arguments an option takes -*- C++ -*-===//
//
// To tell inputs from the arguments of options, the driver must know which of
// Clang's options take the next argument.  Clang's own table says so; it is read
// when the driver is compiled.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_DRIVER_CLANGOPTIONSHAPES_H
#define ACRE_DRIVER_CLANGOPTIONSHAPES_H

#include <string_view>

namespace acre {

/// How many arguments after Argument belong to it.  O(log options).
unsigned followingArguments(std::string_view Argument);

} // namespace acre

#endif
