//===- Library.h - Stand-ins for the C library ------------------*- C++ -*-===//
#ifndef ACRE_PASS_LIBRARY_H
#define ACRE_PASS_LIBRARY_H

#include "RuntimeABI.h"

namespace acre {

/// Replaces the C library functions that free or move memory or keep pointers, where they are called and where their address is
/// taken.  A function that the module defines itself is the program's own and stays.  Returns how many uses changed.
unsigned replaceLibraryFunctions(RuntimeABI &ABI);

} // namespace acre

#endif
