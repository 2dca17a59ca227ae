/* SPDX-License-Identifier: MIT */
//===- SetByDeletes.h - Variables that only deletes functions set -*- C++ -*-===//
//
// The program declares such a variable 'settled'.  It has one value while a
// function runs that is not deletes: only functions that are deletes, and main,
// set it (CheckSignatures.cpp), and a function that is not deletes calls none
// that is, by name or through a pointer.  Which functions those are is fixed
// before anything is inlined; what is inlined into a function that may set stays
// in one.
//
//   !acre.set_by_deletes = !{!{ptr @G}, ...}   the variables, as far as this module reads or sets
//                                              them
//   "acre-sets-them"                           a function that may set some, or calls one that may
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_SETBYDELETES_H
#define ACRE_PASS_SETBYDELETES_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace acre {

using SetByDeletes = llvm::SmallPtrSet<const llvm::GlobalVariable *, 8>;

/// Notes that G is such a variable.
void noteSetByDeletes(llvm::GlobalVariable &G);

/// Marks the functions that may set such variables.  Needs the marks of calls that may delete.
void noteSetters(llvm::Module &M);

/// The variables of M; none if something in M calls main, which may set them and of which no caller
/// knows that.
SetByDeletes setByDeletes(const llvm::Module &M);

/// Whether F may set them.
bool maySetThem(const llvm::Function &F);

} // namespace acre

#endif
