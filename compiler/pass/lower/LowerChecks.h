/* SPDX-License-Identifier: MIT */
//===- LowerChecks.h - Inline tests of checks -------------------*- C++ -*-===//
//
//   acre_rt_check_sameregion   value neither null nor on a page of the slot's region
//   acre_rt_check_parentptr    the same
//   acre_rt_check_inregion     value neither null nor on the object's page
//   acre_rt_check_traditional  value in the window
//   acre_rt_bounds             the address is where objects are known
//   acre_rt_check_bounds       the comparisons; the failure is a call that does not return
//
#ifndef ACRE_PASS_LOWERCHECKS_H
#define ACRE_PASS_LOWERCHECKS_H

#include "pass/lower/Guards.h"
#include "pass/lower/LoopChecks.h"

namespace acre {

class CheckLowering {
public:
  explicit CheckLowering(Guards &Shared) : Guard(Shared) {}

  /// Checks are all checks of slots in F.
  void lowerSlotChecks(llvm::Function &F, llvm::ArrayRef<llvm::CallInst *> Checks);
  void lowerTraditionalCheck(llvm::CallInst &Call);
  void lowerSignatureCheck(llvm::CallInst &Call);
  void lowerBounds(llvm::CallInst &Call);
  void lowerBoundsCheck(llvm::CallInst &Call);

private:
  void lowerSlotCheck(llvm::CallInst &Call, LoopChecks &Loops);
  void askRegions(llvm::CallInst &Call);

  Guards &Guard;
};

} // namespace acre

#endif
