/* SPDX-License-Identifier: MIT */
//===- InlineTests.h - The tests that stand before barriers -----*- C++ -*-===//
//
// What include/acre/abi.h lets generated code ask without a call, as IR.  The
// loads carry !nosanitize: they are no accesses of the program.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_INLINETESTS_H
#define ACRE_PASS_INLINETESTS_H

#include "pass/base/RuntimeABI.h"

namespace acre {

/// How many bytes one byte of the filter, and one line of acre_rt_lines, tells of.
constexpr uint64_t FilteredSize = uint64_t(1) << ACRE_FILTER_SHIFT;
constexpr uint64_t LineSize = uint64_t(1) << ACRE_LINE_SHIFT;

class InlineTests {
public:
  explicit InlineTests(RuntimeABI &Runtime) : ABI(Runtime) {}

  /// Addresses are integers of the size of a pointer.  Results are bits unless they say otherwise.
  llvm::Value *load(llvm::IRBuilder<> &B, llvm::Type *T, llvm::Value *Address);
  /// What a variable of the runtime holds.
  llvm::Value *load(llvm::IRBuilder<> &B, Variable V);
  /// The address V is; storing poison is no error of the program, but branching on it would be.
  llvm::Value *address(llvm::IRBuilder<> &B, llvm::Value *V);
  /// The filter's byte for the filter area of Address.
  llvm::Value *filterByte(llvm::IRBuilder<> &B, llvm::Value *Address);
  /// How many records the line (acre_rt_lines) of Address has, with others of its index.
  llvm::Value *lineCount(llvm::IRBuilder<> &B, llvm::Value *Address);
  /// How many of these are not lazy, which is what a store has to look at.
  llvm::Value *eagerCount(llvm::IRBuilder<> &B, llvm::Value *Address);
  /// The record of the slot at Address.  Where there are none, goes on at Absent.
  llvm::Value *record(llvm::IRBuilder<> &B, llvm::Value *Address, llvm::BasicBlock *Absent);
  /// Goes to Then under Condition, else on in a new block before it.
  static void branch(llvm::IRBuilder<> &B, llvm::Value *Condition, llvm::BasicBlock *Then);
  /// The number of the window's pages.  Where it is not zero, its base and the page map are set.
  llvm::Value *windowPages(llvm::IRBuilder<> &B);
  /// The number of Address's page in the window; not below that of its pages if it is not in it.
  llvm::Value *windowPage(llvm::IRBuilder<> &B, llvm::Value *Address);
  /// The index of the region that a page of the window is in, 0 for none.
  llvm::Value *ownerOf(llvm::IRBuilder<> &B, llvm::Value *Page);
  /// The same while no slot of the page has a record; else no region's index.
  llvm::Value *unrecordedOwnerOf(llvm::IRBuilder<> &B, llvm::Value *Page);
  /// Where a store goes on.
  struct Ways {
    llvm::BasicBlock *Nothing; ///< In the slot's region, and no record on the slot's page.
    llvm::BasicBlock *Line;    ///< Needs no record: in the slot's region, or in none.
    llvm::BasicBlock *Outside; ///< New is in the window, Slot is not.
    llvm::BasicBlock *Far;     ///< In another region.
  };
  /// The tests of a store of New into Slot.  IsInside: New is known to be in the window.
  void branchOnStore(llvm::IRBuilder<> &B, llvm::Value *Slot, llvm::Value *New, bool IsInside,
                     const Ways &To);
  /// The record of a variable's slot, to which Place leads.
  llvm::Value *recordAt(llvm::IRBuilder<> &B, llvm::Value *Place);
  /// The tests of a store of New into a variable whose record Place leads to: goes to Done if that
  /// is right, to Line if the value is in no region.
  void branchOnPlace(llvm::IRBuilder<> &B, llvm::Value *Place, llvm::Value *New, bool IsInside,
                     llvm::BasicBlock *Done, llvm::BasicBlock *Line, llvm::BasicBlock *Far);
  /// Goes to Same if Slot and New are in one region, to Outside if New is in none, else to Other.
  /// The page map is read in line.  IsInside: New is known to be in the window.
  void branchOnRegions(llvm::IRBuilder<> &B, llvm::Value *Slot, llvm::Value *New, bool IsInside,
                       llvm::BasicBlock *Same, llvm::BasicBlock *Outside, llvm::BasicBlock *Other);
  llvm::Value *isActive(llvm::IRBuilder<> &B);
  llvm::Value *isInWindow(llvm::IRBuilder<> &B, llvm::Value *Word);
  llvm::Value *isIn(llvm::IRBuilder<> &B, llvm::Value *Address, llvm::Value *Range);
  /// Whether acre_rt_bounds may know the object at Address.
  llvm::Value *isBounded(llvm::IRBuilder<> &B, llvm::Value *Address);
  /// Whether a slot is in a frame of this thread that is not counted now.
  llvm::Value *isUncounted(llvm::IRBuilder<> &B, llvm::Value *Slot);
  /// Whether New is not on the page of Slot; and whether it is not null either.
  llvm::Value *isOnOtherPage(llvm::IRBuilder<> &B, llvm::Value *Slot, llvm::Value *New);
  llvm::Value *isFarFrom(llvm::IRBuilder<> &B, llvm::Value *Slot, llvm::Value *New);

private:
  llvm::Value *pageMember(llvm::IRBuilder<> &B, llvm::Value *Page, uint64_t Offset);
  llvm::Value *countIn(llvm::IRBuilder<> &B, Variable Lines, llvm::Value *Address);

  RuntimeABI &ABI;
};

} // namespace acre

#endif
