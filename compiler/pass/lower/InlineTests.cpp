//===- InlineTests.cpp - The tests that stand before barriers -------------===//
#include "pass/lower/InlineTests.h"
#include "acre/abi.h"

using namespace llvm;

namespace acre {

Value *InlineTests::load(IRBuilder<> &B, Type *T, Value *Address) {
  LoadInst *L = B.CreateLoad(T, Address);
  L->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(B.getContext(), {}));
  return L;
}

Value *InlineTests::address(IRBuilder<> &B, Value *V) {
  return B.CreatePtrToInt(B.CreateFreeze(V), ABI.sizeType());
}

Value *InlineTests::filterByte(IRBuilder<> &B, Value *Address) {
  auto *Table = ABI.variable("acre_rt_filter", ArrayType::get(B.getInt8Ty(), 65536));
  Value *Index = B.CreateAnd(B.CreateLShr(Address, ACRE_FILTER_SHIFT), 0xffff);
  return load(B, B.getInt8Ty(), B.CreateInBoundsGEP(B.getInt8Ty(), Table, Index));
}

Value *InlineTests::lineCount(IRBuilder<> &B, Value *Address) {
  auto *Table = ABI.variable("acre_rt_lines", ArrayType::get(B.getInt32Ty(), 65536));
  Value *Index = B.CreateAnd(B.CreateLShr(Address, ACRE_LINE_SHIFT), 0xffff);
  return load(B, B.getInt32Ty(), B.CreateInBoundsGEP(B.getInt32Ty(), Table, Index));
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
  Value *Granules =
      Select(ABI.variable("acre_rt_records", ArrayType::get(Pointer, 65536)), Pointer, 32, 0xffff);
  branch(B, B.CreateIsNull(Granules), Absent);
  Value *Records = Select(Granules, Pointer, ACRE_FILTER_SHIFT, 0xffff);
  branch(B, B.CreateIsNull(Records), Absent);
  constexpr uint64_t Last = (uint64_t(1) << (ACRE_FILTER_SHIFT - ACRE_RECORD_SHIFT)) - 1;
  return Select(Records, B.getInt32Ty(), ACRE_RECORD_SHIFT, Last);
}

Value *InlineTests::isActive(IRBuilder<> &B) {
  return B.CreateIsNotNull(load(B, B.getInt8Ty(), ABI.variable("acre_rt_active", B.getInt8Ty())));
}

Value *InlineTests::isInWindow(IRBuilder<> &B, Value *Word) {
  Value *Tag = load(B, ABI.sizeType(), ABI.variable("acre_rt_window_tag", ABI.sizeType()));
  return B.CreateICmpEQ(B.CreateLShr(Word, ACRE_WINDOW_SHIFT), Tag);
}

Value *InlineTests::isIn(IRBuilder<> &B, Value *Address, Value *Range) {
  Value *Low = load(B, ABI.sizeType(), Range);
  Value *Size = load(B, ABI.sizeType(), B.CreateConstInBoundsGEP1_64(ABI.sizeType(), Range, 1));
  return B.CreateICmpULT(B.CreateSub(Address, Low), Size);
}

Value *InlineTests::isUncounted(IRBuilder<> &B, Value *Slot) {
  return isIn(B, Slot, ABI.threadLocal(B, "acre_rt_stack", ArrayType::get(ABI.sizeType(), 2)));
}

Value *InlineTests::isBounded(IRBuilder<> &B, Value *Address) {
  return isIn(B, Address, ABI.variable("acre_rt_bounded", ArrayType::get(ABI.sizeType(), 2)));
}

Value *InlineTests::isOnOtherPage(IRBuilder<> &B, Value *Slot, Value *New) {
  return B.CreateICmpUGE(B.CreateXor(Slot, New), ABI.size(uint64_t(1) << ACRE_WINDOW_PAGE_SHIFT));
}

Value *InlineTests::isFarFrom(IRBuilder<> &B, Value *Slot, Value *New) {
  return B.CreateAnd(isOnOtherPage(B, Slot, New), B.CreateIsNotNull(New));
}

} // namespace acre
