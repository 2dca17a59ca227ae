/* SPDX-License-Identifier: MIT */
//===- RegisteredTable.h - Tables that the runtime is told of ---*- C++ -*-===//
#ifndef ACRE_PASS_REGISTEREDTABLE_H
#define ACRE_PASS_REGISTEREDTABLE_H

#include "pass/base/RuntimeABI.h"

namespace acre {

/// Before the program's own constructors, which may store pointers.
inline constexpr int RegisterPriority = 101;

/// Emits the constructor that gives Table, the head of a list of this module's, to the runtime, and
/// the destructor that takes it back if the module's memory may go before the process does.
void registerTable(RuntimeABI &ABI, llvm::GlobalVariable *Table, Entry Register, Entry Unregister);
/// Emits a constructor of that priority, called Name, that calls E with Arguments.
void callAtStart(RuntimeABI &ABI, Entry E, llvm::StringRef Name,
                 llvm::ArrayRef<llvm::Value *> Arguments = {});

} // namespace acre

#endif
