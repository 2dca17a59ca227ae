/* SPDX-License-Identifier: MIT */
//===- LowerRanges.h - Inline tests of copies and releases ------*- C++ -*-===//
//
//   acre_rt_rescan             of a copy of any size: one call for both
//                              of few words: one of them in the window, or a line with records
//   acre_rt_rescan_typed       of few words: the checks of annotated slots; another word in the
//   acre_rt_rescan_slots       window, or a line with records
//   acre_rt_release            records in a filter area of the range, or of few bytes that are no
//                              local a line with records; of long ranges acre_rt_active
//   acre_rt_reread             acre_rt_active
//   the others                 acre_rt_active
//
#ifndef ACRE_PASS_LOWERRANGES_H
#define ACRE_PASS_LOWERRANGES_H

#include "pass/lower/Guards.h"

namespace acre {

class RangeLowering {
public:
  explicit RangeLowering(Guards &Shared) : Guard(Shared) {}

  void lowerRescan(llvm::CallInst &Call);
  /// Inserts the checks of the annotated slots that Call, a typed rescan, is about, if it is
  /// lowered in line.  Before the checks of the function are lowered.
  llvm::SmallVector<llvm::CallInst *, 2> splitTypedRescan(llvm::CallInst &Call);
  void lowerTypedRescan(llvm::CallInst &Call);
  void lowerReread(llvm::CallInst &Call);
  /// Any call that does nothing while there are no regions.
  void lowerActive(llvm::CallInst &Call);

  /// Adds Release, which stands behind all that were added, to the last group if it follows that.
  void addRelease(llvm::CallInst &Release);
  /// FrameSize: the bytes of all static objects of the function.
  void lowerReleases(uint64_t FrameSize);

private:
  using Group = llvm::SmallVector<llvm::CallInst *, 4>;

  bool fillInstead(llvm::CallInst &Release);
  void lowerRelease(llvm::CallInst &Call);
  void lowerActiveReleases(llvm::ArrayRef<llvm::CallInst *> Group);
  void lowerReleaseGroup(llvm::ArrayRef<llvm::CallInst *> Group);
  void guardCounted(llvm::ArrayRef<llvm::CallInst *> Releases);

  Guards &Guard;
  llvm::SmallVector<Group, 4> Releases;
};

} // namespace acre

#endif
