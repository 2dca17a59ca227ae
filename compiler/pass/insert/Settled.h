//===- Settled.h - Variables that only deletes functions set ----*- C++ -*-===//
//
// A settled variable has one value while a function runs that is not deletes:
// only functions that are deletes, and main, set it (CheckSignatures.cpp), and
// a function that is not deletes calls none that is, by name or through a
// pointer.  Which functions those are is fixed before anything is inlined; what
// is inlined into a function that may set stays in one.
//
//   !acre.settled = !{!{ptr @G}, ...}   the variables, as far as this module reads or sets them
//   "acre-settles"                      a function that may set some, or calls one that may
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_SETTLED_H
#define ACRE_PASS_SETTLED_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace acre {

using SettledVariables = llvm::SmallPtrSet<const llvm::GlobalVariable *, 8>;

void noteSettled(llvm::GlobalVariable &G);

/// Marks the functions that may set settled variables.  When calls that may delete are marked.
void noteSetters(llvm::Module &M);

/// None if something in M calls main, which may set them and of which no caller knows that.
SettledVariables settledVariables(const llvm::Module &M);

bool maySetSettled(const llvm::Function &F);

} // namespace acre

#endif
