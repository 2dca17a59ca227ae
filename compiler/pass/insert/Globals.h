/* SPDX-License-Identifier: MIT */
//===- Globals.h - The table of globals that hold pointers ------*- C++ -*-===//
#ifndef ACRE_PASS_GLOBALS_H
#define ACRE_PASS_GLOBALS_H

#include "pass/base/RuntimeABI.h"

namespace acre {

/// Emits the acre_rt_module of this unit and the constructor that registers it.  A unit without
/// globals whose type has a pointer gets none.  Not listed: constants, thread-locals, and integers
/// or bytes that may hide a pointer.
void emitGlobalTable(RuntimeABI &ABI,
                     const llvm::DenseMap<llvm::GlobalVariable *, Layout> &Layouts);

} // namespace acre

#endif
