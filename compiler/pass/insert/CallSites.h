/* SPDX-License-Identifier: MIT */
//===- CallSites.h - Where the program calls what gives or keeps memory ---===//
#ifndef ACRE_PASS_CALLSITES_H
#define ACRE_PASS_CALLSITES_H

#include "pass/base/RuntimeABI.h"

namespace acre {

/// -facre-sites: tells the runtime where blocks of malloc were allocated, which includes those of a
/// function that is declared to return memory of its own, and where pointers were given to
/// functions of the C library that keep them.  Needs the interceptors to have replaced them.
void noteCallSites(llvm::Function &F, RuntimeABI &ABI);

} // namespace acre

#endif
