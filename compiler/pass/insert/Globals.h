/* SPDX-License-Identifier: MIT */
//===- Globals.h - The table of globals that hold pointers ------*- C++ -*-===//
#ifndef ACRE_PASS_GLOBALS_H
#define ACRE_PASS_GLOBALS_H

#include "pass/base/RuntimeABI.h"

namespace acre {

/// Emits the acre_rt_module of this unit and the constructor that registers it.  A unit without
/// globals whose type has a pointer gets none.  Not listed: constants, integers or bytes that may
/// hide a pointer, and without NamesThreadLocals the thread-locals of programs.
void emitGlobalTable(RuntimeABI &ABI, const llvm::DenseMap<llvm::GlobalVariable *, Layout> &Layouts,
                     bool NamesThreadLocals);

} // namespace acre

#endif
