/* SPDX-License-Identifier: MIT */
//===- OutOfLine.h - The functions that barriers go through -----*- C++ -*-===//
//
// Each unit has functions for each entry point that its inline tests lead to.
// The warm one looks further, with the page map and the records: both addresses
// of a check in one region, a relation of two regions that was found true
// before, a number in an atomic slot or a union.  The cold one calls the
// runtime.  Stores have several: one for slots that should have no record
// (near); one for addresses in the window (far), which finds the record that
// the slot should have, if any; and one that asks which of these it is, for
// code where that is not asked in line (any).
//
// All preserve most registers, so that hot code around their calls spills
// nothing.  They save no more than they use, which is why there are several.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_OUTOFLINE_H
#define ACRE_PASS_OUTOFLINE_H

#include "pass/lower/InlineTests.h"
#include "llvm/ADT/DenseMap.h"

namespace acre {

class OutOfLine {
public:
  explicit OutOfLine(RuntimeABI &Runtime) : ABI(Runtime), Tests(Runtime) {}

  /// The function to call instead of E, an entry point without result other than Store; Rescan only
  /// of bytes in one word, Release only of a local of a function without pins.
  llvm::Function *of(Entry E);
  /// Instead of Store, of what is outside the window or on the slot's page.
  llvm::Function *near();
  /// Instead of Store, of what is in the window.
  llvm::Function *far();
  /// The variable that says where the record of the slot at Offset in G is.  Before it is known, it
  /// leads to what is no record.
  llvm::GlobalVariable *placeOf(llvm::GlobalVariable &G, int64_t Offset);
  /// Instead of any Store.
  llvm::Function *any();
  /// Instead of Release, of few bytes that are no local: most have no records.
  llvm::Function *nearRelease();
  /// Instead of E, where it is seldom called.
  llvm::Function *cold(Entry E);

private:
  struct Body;
  llvm::Function *declare(llvm::StringRef Prefix, Entry E);
  Body begin(llvm::IRBuilder<> &B, llvm::Function &F);
  void finish(llvm::IRBuilder<> &B, llvm::Function *Callee,
              llvm::ArrayRef<llvm::Value *> Arguments);
  void fillWarm(llvm::Function &F, Entry E);
  llvm::Value *pageOf(llvm::IRBuilder<> &B, const Body &In, llvm::Value *Address,
                      llvm::BasicBlock *Outside);
  llvm::Value *pairOf(llvm::IRBuilder<> &B, llvm::Value *Target, llvm::Value *Holder);
  llvm::Value *isKnownAbove(llvm::IRBuilder<> &B, llvm::Value *Pair);
  void fillReread(llvm::Function &F);
  void fillRescan(llvm::Function &F);
  void fillRelease(llvm::Function &F);
  void fillCheck(llvm::IRBuilder<> &B, const Body &In, bool IsParentptr);
  void fillInregion(llvm::IRBuilder<> &B, llvm::Function &F, const Body &In);

  RuntimeABI &ABI;
  InlineTests Tests;
  llvm::DenseMap<std::pair<llvm::GlobalVariable *, int64_t>, llvm::GlobalVariable *> Places;
};

} // namespace acre

#endif
