/* SPDX-License-Identifier: MIT */
//===- SetjmpReturns.h - Where longjmp leads ---------------------*- C++ -*-===//
//
// A call of setjmp returns once with 0, and again, with another number, when longjmp
// is called: what is read only after the 0 is not needed for the other returns.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_SETJMPRETURNS_H
#define ACRE_PASS_SETJMPRETURNS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

namespace acre {

/// Whether I may return once more because of longjmp, or of a call like it.
bool isSetjmp(const llvm::Instruction &I);

/// The blocks behind that of Setjmp that control may go on to when longjmp has led there.  They are
/// all successors if nothing is known of the number that it returns.
llvm::SmallVector<const llvm::BasicBlock *, 2> blocksAfterJump(const llvm::CallBase &Setjmp);

/// Where frames are searched: lets F keep all that it reads behind a setjmp in its own frame, not
/// only in registers that setjmp saves where nobody looks, nor recognizes an address.
void keepOnStackAtSetjmp(llvm::Function &F);

} // namespace acre

#endif
