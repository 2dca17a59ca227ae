// SPDX-License-Identifier: MIT
//===- InlineTests.cpp - The tests that stand before barriers -------------===//
#include "pass/lower/InlineTests.h"
#include "llvm/IR/MDBuilder.h"
#include <cstddef>
#include <iterator>

using namespace llvm;

namespace acre {

Value *InlineTests::load(IRBuilder<> &B, Type *T, Value *Address) {
  LoadInst *L = B.CreateLoad(T, Address);
  L->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(B.getContext(), {}));
  return L;
}

Value *InlineTests::load(IRBuilder<> &B, Variable V) {
  GlobalVariable *G = ABI.variable(V);
  return load(B, G->getValueType(), G);
}

Value *InlineTests::address(IRBuilder<> &B, Value *V) {
  return B.CreatePtrToInt(B.CreateFreeze(V), ABI.sizeType());
}

Value *InlineTests::filterByte(IRBuilder<> &B, Value *Address) {
  constexpr uint64_t Last = std::size(acre_rt_filter) - 1;
  Value *Index = B.CreateAnd(B.CreateLShr(Address, ACRE_FILTER_SHIFT), Last);
  Value *Byte = B.CreateInBoundsGEP(B.getInt8Ty(), ABI.variable(Variable::Filter), Index);
  return load(B, B.getInt8Ty(), Byte);
}

Value *InlineTests::countIn(IRBuilder<> &B, Variable Lines, Value *Address) {
  Value *Index = B.CreateAnd(B.CreateLShr(Address, ACRE_LINE_SHIFT), ACRE_LINE_COUNTS - 1);
  Value *Count = B.CreateInBoundsGEP(B.getInt8Ty(), ABI.variable(Lines), Index);
  return load(B, B.getInt8Ty(), Count);
}

Value *InlineTests::lineCount(IRBuilder<> &B, Value *Address) {
  return countIn(B, Variable::Lines, Address);
}

Value *InlineTests::eagerCount(IRBuilder<> &B, Value *Address) {
  return countIn(B, Variable::EagerLines, Address);
}

void InlineTests::branch(IRBuilder<> &B, Value *Condition, BasicBlock *Then) {
  auto *Next = BasicBlock::Create(B.getContext(), "", Then->getParent(), Then);
  B.CreateCondBr(Condition, Then, Next);
  B.SetInsertPoint(Next);
}

Value *InlineTests::record(IRBuilder<> &B, Value *Address, BasicBlock *Absent) {
  Type *Pointer = ABI.pointerType();
  auto Select = [&](Value *Table, Type *T, unsigned Shift, uint64_t Mask) {
    Value *Index = B.CreateAnd(B.CreateLShr(Address, Shift), Mask);
    return load(B, T, B.CreateInBoundsGEP(T, Table, Index));
  };
  constexpr unsigned TableShift = 32;
  constexpr uint64_t LastTable = std::size(acre_rt_records) - 1,
                     LastBlock = (uint64_t(1) << (TableShift - ACRE_FILTER_SHIFT)) - 1;
  Value *Granules = Select(ABI.variable(Variable::Records), Pointer, TableShift, LastTable);
  branch(B, B.CreateIsNull(Granules), Absent);
  Value *Records = Select(Granules, Pointer, ACRE_FILTER_SHIFT, LastBlock);
  branch(B, B.CreateIsNull(Records), Absent);
  constexpr uint64_t Last = (uint64_t(1) << (ACRE_FILTER_SHIFT - ACRE_RECORD_SHIFT)) - 1;
  return Select(Records, B.getInt32Ty(), ACRE_RECORD_SHIFT, Last);
}

Value *InlineTests::windowPages(IRBuilder<> &B) {
  auto *Pages = cast<LoadInst>(load(B, Variable::WindowPages));
  Pages->setAtomic(AtomicOrdering::Acquire);
  return Pages;
}

Value *InlineTests::windowPage(IRBuilder<> &B, Value *Address) {
  // The base is loaded each time, which costs less than a register for it.
  Value *Base = load(B, Variable::WindowBase);
  return B.CreateLShr(B.CreateSub(Address, Base), ACRE_WINDOW_PAGE_SHIFT);
}

Value *InlineTests::pageMember(IRBuilder<> &B, Value *Page, uint64_t Offset) {
  static_assert(sizeof(acre_rt_page) == 8);
  Value *Entry = B.CreateInBoundsGEP(B.getInt64Ty(), load(B, Variable::PageMap), Page);
  return load(B, B.getInt32Ty(), B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Entry, Offset));
}

Value *InlineTests::ownerOf(IRBuilder<> &B, Value *Page) {
  return pageMember(B, Page, offsetof(acre_rt_page, owner));
}

Value *InlineTests::unrecordedOwnerOf(IRBuilder<> &B, Value *Page) {
  return pageMember(B, Page, offsetof(acre_rt_page, unrecorded));
}

/// Goes to Else unless Condition holds, else on in a new block before Place.
static void unless(IRBuilder<> &B, Value *Condition, BasicBlock *Else, BasicBlock *Place,
                   bool IsLikely) {
  auto *Next = BasicBlock::Create(B.getContext(), "", Place->getParent(), Place);
  MDNode *Weights = IsLikely ? MDBuilder(B.getContext()).createLikelyBranchWeights() : nullptr;
  B.CreateCondBr(Condition, Next, Else, Weights);
  B.SetInsertPoint(Next);
}

void InlineTests::branchOnRegions(IRBuilder<> &B, Value *Slot, Value *New, bool IsInside,
                                  BasicBlock *Same, BasicBlock *Outside, BasicBlock *Other) {
  Value *Pages = windowPages(B), *NewPage = windowPage(B, New);
  if (!IsInside)
    unless(B, B.CreateICmpULT(NewPage, Pages), Outside, Other, false);
  Value *SlotPage = windowPage(B, Slot);
  unless(B, B.CreateICmpULT(SlotPage, Pages), Other, Other, true);
  B.CreateCondBr(B.CreateICmpEQ(ownerOf(B, SlotPage), ownerOf(B, NewPage)), Same, Other,
                 MDBuilder(B.getContext()).createLikelyBranchWeights());
}

void InlineTests::branchOnStore(IRBuilder<> &B, Value *Slot, Value *New, bool IsInside,
                                const Ways &To) {
  Value *Pages = windowPages(B), *NewPage = windowPage(B, New);
  if (!IsInside)
    unless(B, B.CreateICmpULT(NewPage, Pages), To.Line, To.Far, false);
  Value *SlotPage = windowPage(B, Slot);
  unless(B, B.CreateICmpULT(SlotPage, Pages), To.Outside, To.Far, true);
  Value *Target = ownerOf(B, NewPage);
  if (To.Nothing != To.Line)
    unless(B, B.CreateICmpNE(unrecordedOwnerOf(B, SlotPage), Target), To.Nothing, To.Far, false);
  B.CreateCondBr(B.CreateICmpEQ(ownerOf(B, SlotPage), Target), To.Line, To.Far,
                 MDBuilder(B.getContext()).createLikelyBranchWeights());
}

Value *InlineTests::recordAt(IRBuilder<> &B, Value *Place) {
  auto *Known = cast<LoadInst>(load(B, ABI.pointerType(), Place));
  Known->setAtomic(AtomicOrdering::Monotonic);
  return load(B, B.getInt32Ty(), Known);
}

void InlineTests::branchOnPlace(IRBuilder<> &B, Value *Place, Value *New, bool IsInside,
                                BasicBlock *Done, BasicBlock *Line, BasicBlock *Far) {
  if (!IsInside)
    unless(B, isInWindow(B, New), Line, Far, false);
  Value *Pages = windowPages(B), *Page = windowPage(B, New);
  unless(B, B.CreateICmpULT(Page, Pages), Far, Far, true);
  Value *Wanted = B.CreateShl(ownerOf(B, Page), ACRE_RECORD_SHIFT), *Record = recordAt(B, Place);
  // The mark of a lazy record is shifted out.
  B.CreateCondBr(B.CreateIsNull(B.CreateShl(B.CreateXor(Record, Wanted), 1)), Done, Far,
                 MDBuilder(B.getContext()).createLikelyBranchWeights());
}

Value *InlineTests::isActive(IRBuilder<> &B) {
  return B.CreateIsNotNull(load(B, Variable::Active));
}

Value *InlineTests::isInWindow(IRBuilder<> &B, Value *Word) {
  Value *Tag = load(B, Variable::WindowTag);
  return B.CreateICmpEQ(B.CreateLShr(Word, ACRE_WINDOW_SHIFT), Tag);
}

Value *InlineTests::isIn(IRBuilder<> &B, Value *Address, Value *Range) {
  Value *Low = load(B, ABI.sizeType(), Range);
  Value *Size = load(B, ABI.sizeType(), B.CreateConstInBoundsGEP1_64(ABI.sizeType(), Range, 1));
  return B.CreateICmpULT(B.CreateSub(Address, Low), Size);
}

Value *InlineTests::isUncounted(IRBuilder<> &B, Value *Slot) {
  return isIn(B, Slot, ABI.threadLocal(B, ThreadVariable::Stack));
}

Value *InlineTests::isBounded(IRBuilder<> &B, Value *Address) {
  return isIn(B, Address, ABI.variable(Variable::Bounded));
}

Value *InlineTests::isOnOtherPage(IRBuilder<> &B, Value *Slot, Value *New) {
  return B.CreateICmpUGE(B.CreateXor(Slot, New), ABI.size(uint64_t(1) << ACRE_WINDOW_PAGE_SHIFT));
}

Value *InlineTests::isFarFrom(IRBuilder<> &B, Value *Slot, Value *New) {
  return B.CreateAnd(isOnOtherPage(B, Slot, New), B.CreateIsNotNull(New));
}

} // namespace acre
