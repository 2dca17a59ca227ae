// SPDX-License-Identifier: MIT
//===- LowerLocals.cpp - Tests before notes and ends of locals ------------===//
//
//   acre_rt_keep         the value is above the stack pointer, and not far above
//   acre_rt_keep_range   the same of each word of few; of others, that there is a word
//   acre_rt_end_frame    acre_rt_kept_low is below the end of a variable, or the result in one
//   acre_rt_expect_outside
//                        the result is between the two
//   acre_rt_end_block, acre_rt_end_between, acre_rt_discard_frames
//                        acre_rt_kept_low is below the end of what ends
//
//===----------------------------------------------------------------------===//
#include "pass/lower/LowerLocals.h"
#include "pass/base/BarrierEffects.h"
#include "pass/lower/InlineTests.h"
#include "versions/LLVM.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace acre {
namespace {

/// No stack is larger.
constexpr unsigned StackBits = 36;

class LocalsLowering {
public:
  explicit LocalsLowering(RuntimeABI &Runtime)
      : ABI(Runtime), Tests(Runtime), Word(Runtime.sizeType()) {}
  /// Under which condition Call is needed; null if always.
  Value *condition(IRBuilder<> &B, CallInst &Call);

private:
  Value *number(IRBuilder<> &B, Value *Address) { return Tests.address(B, Address); }
  Value *isMaybeLocal(IRBuilder<> &B, Value *Address) {
    Value *Above = B.CreateSub(Address, B.CreatePtrToInt(B.CreateStackSave(), Word));
    return B.CreateIsNull(B.CreateLShr(Above, StackBits));
  }
  Value *isKeptBelow(IRBuilder<> &B, Value *End) {
    Value *Low = Tests.load(B, Word, ABI.threadLocal(B, ThreadVariable::KeptLow));
    return B.CreateICmpULT(Low, End);
  }
  static Value *either(IRBuilder<> &B, Value *Condition, Value *Other) {
    return Condition ? B.CreateOr(Condition, Other) : Other;
  }
  Value *ofWords(IRBuilder<> &B, CallInst &Call);
  Value *ofFrame(IRBuilder<> &B, CallInst &Call);

  RuntimeABI &ABI;
  InlineTests Tests;
  Type *Word;
};

Value *LocalsLowering::ofWords(IRBuilder<> &B, CallInst &Call) {
  constexpr uint64_t MostWords = 4;
  const uint64_t Bytes = ABI.layout().getPointerSize();
  auto *Size = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  Value *Address = Call.getArgOperand(0);
  // Fewer bytes than a pointer has make none.
  if (!Size)
    return B.CreateICmpUGE(Call.getArgOperand(1), ABI.size(Bytes));
  if (Size->getZExtValue() > MostWords * Bytes ||
      getKnownAlignment(Address, ABI.layout(), &Call).value() < Bytes)
    return nullptr;
  Value *Condition = nullptr;
  for (uint64_t Offset = 0; Offset + Bytes <= Size->getZExtValue(); Offset += Bytes) {
    Value *Held = Tests.load(B, Word, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Address, Offset));
    Condition = either(B, Condition, isMaybeLocal(B, B.CreateFreeze(Held)));
  }
  return Condition;
}

Value *LocalsLowering::ofFrame(IRBuilder<> &B, CallInst &Call) {
  enum { DescriptionOperand, WhereOperand, ResultOperand, FirstLocal };
  auto *Description = dyn_cast<GlobalVariable>(Call.getArgOperand(DescriptionOperand));
  if (!Description)
    return nullptr; // the optimizer has made one call of two
  auto InitializerOf = [](Value *Global) { return cast<GlobalVariable>(Global)->getInitializer(); };
  const Constant *List = InitializerOf(
      Mirror<acre_rt_locals>::member<&acre_rt_locals::locals>(Description->getInitializer()));
  Value *Result = Call.getArgOperand(ResultOperand), *Condition = nullptr;
  for (unsigned I = FirstLocal; I != Call.arg_size(); ++I) {
    Value *Local = Call.getArgOperand(I);
    if (isa<Constant>(Local))
      continue;
    Constant *Size = Mirror<acre_rt_local>::member<&acre_rt_local::size>(
        List->getAggregateElement(I - FirstLocal));
    Value *Start = B.CreatePtrToInt(Local, Word);
    Condition = either(B, Condition, isKeptBelow(B, B.CreateAdd(Start, Size)));
    if (!isa<Constant>(Result))
      Condition =
          either(B, Condition, B.CreateICmpULT(B.CreateSub(number(B, Result), Start), Size));
  }
  return Condition;
}

Value *LocalsLowering::condition(IRBuilder<> &B, CallInst &Call) {
  if (isCallOf(Call, Entry::Keep))
    return isMaybeLocal(B, number(B, Call.getArgOperand(1)));
  if (isCallOf(Call, Entry::KeepRange))
    return ofWords(B, Call);
  if (isCallOf(Call, Entry::EndFrame))
    return ofFrame(B, Call);
  if (isCallOf(Call, Entry::ExpectOutside)) {
    Value *Low = number(B, Call.getArgOperand(1));
    return B.CreateICmpULT(B.CreateSub(number(B, Call.getArgOperand(0)), Low),
                           B.CreateSub(number(B, Call.getArgOperand(2)), Low));
  }
  if (isCallOf(Call, Entry::EndBlock))
    return isKeptBelow(
        B, B.CreateAdd(B.CreatePtrToInt(Call.getArgOperand(0), Word), Call.getArgOperand(1)));
  return isKeptBelow(
      B, B.CreatePtrToInt(Call.getArgOperand(isCallOf(Call, Entry::EndBetween) ? 1 : 0), Word));
}

} // namespace

bool isOfLocals(Entry E) {
  return is_contained({Entry::Keep, Entry::KeepRange, Entry::EndFrame, Entry::EndBlock,
                       Entry::EndBetween, Entry::ExpectOutside, Entry::DiscardFrames},
                      E);
}

void lowerLocals(Function &F, RuntimeABI &ABI) {
  SmallVector<CallInst *, 16> Calls;
  for (Instruction &I : instructions(F))
    if (std::optional<Entry> E = entryOf(I); E && isOfLocals(*E))
      Calls.push_back(cast<CallInst>(&I));
  LocalsLowering Lowering(ABI);
  MDNode *Weights = MDBuilder(F.getContext()).createUnlikelyBranchWeights();
  for (CallInst *Call : Calls) {
    IRBuilder<> B(Call);
    if (Value *Condition = Lowering.condition(B, *Call))
      moveBefore(*Call, *SplitBlockAndInsertIfThen(Condition, Call->getIterator(), false, Weights));
  }
}

} // namespace acre
