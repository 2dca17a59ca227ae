//===- OutOfLine.h - The functions that barriers go through -----*- C++ -*-===//
//
// Each unit has functions for each entry point that its inline tests lead to.
// The warm one looks further, with the page map and the records: a store that
// changes no record, both addresses of a check in one region, a relation of two
// regions that was found true before, a slot in a frame that is not counted, a
// number in an atomic slot.  The cold one calls the runtime.
//
// All preserve most registers, so that hot code around their calls spills
// nothing.  A warm one saves no more than it uses, and that of stores no more
// than the way it takes uses: it goes on in one for slots that should have no
// record (near), or one that finds the record which they should have (far).
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_OUTOFLINE_H
#define ACRE_PASS_OUTOFLINE_H

#include "InlineTests.h"

namespace acre {

class OutOfLine {
public:
  explicit OutOfLine(RuntimeABI &Runtime) : ABI(Runtime), Tests(Runtime) {}

  /// The function to call instead of E, which is an entry point without result.
  llvm::Function *of(Entry E);

private:
  struct Body;
  llvm::Function *declare(llvm::StringRef Prefix, Entry E, llvm::ArrayRef<llvm::Type *> Parameters = {});
  llvm::Function *cold(Entry E);
  Body begin(llvm::IRBuilder<> &B, llvm::Function &F);
  void finish(llvm::IRBuilder<> &B, llvm::Function *Callee, llvm::ArrayRef<llvm::Value *> Arguments);
  llvm::Function *near();
  llvm::Function *far();
  llvm::Function *recorded();
  void fillWarm(llvm::Function &F, Entry E);
  llvm::Value *ownerOf(llvm::IRBuilder<> &B, const Body &In, llvm::Value *Address, llvm::BasicBlock *Outside);
  void fillStore(llvm::Function &F);
  void fillReread(llvm::Function &F);
  void fillCheck(llvm::IRBuilder<> &B, const Body &In, bool IsParentptr);
  void fillInregion(llvm::IRBuilder<> &B, llvm::Function &F, const Body &In);

  RuntimeABI &ABI;
  InlineTests Tests;
};

} // namespace acre

#endif
