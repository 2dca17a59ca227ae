//===- Lower.cpp - Inline tests for the calls that remain -----------------===//
//
//   acre_rt_store              if a parameter points to the slot: the slot is not in an uncounted
//                              frame; value not on the slot's page and in the window, or the slot's
//                              line has records.  In units that name no region acre_rt_active
//   acre_rt_check_sameregion   value neither null nor on the slot's page
//   acre_rt_check_parentptr    the same
//   acre_rt_check_traditional  value in the window
//   acre_rt_rescan             of a copy of any size: one call for both
//                              of few words: one of them in the window, or a line with records
//   acre_rt_release            a granule of the range in the filter, or of few bytes that are no
//   local a line with
//                              records; of long ranges acre_rt_active
//   acre_rt_check_bounds       the comparisons; the failure is a call that does not return
//   acre_rt_keep, acre_rt_end_* see LowerLocals.cpp
//   acre_rt_pin, acre_rt_unpin see LowerPins.cpp
//   the others                 acre_rt_active
//
// Stores and checks go through functions of this module (OutOfLine.h).
//
//===----------------------------------------------------------------------===//
#include "pass/lower/Lower.h"
#include "acre/abi.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/Markers.h"
#include "pass/base/StackObjects.h"
#include "pass/insert/VectorStores.h"
#include "pass/locals/LowerLocals.h"
#include "pass/lower/LoopChecks.h"
#include "pass/lower/LowerPins.h"
#include "pass/lower/OutOfLine.h"
#include "pass/prove/RegionTerm.h"
#include "pass/simplify/CoalesceBarriers.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(StoresInlined, "Store barriers with an inline test");
STATISTIC(ChecksInlined, "Checks with an inline test");
STATISTIC(RangesGuarded, "Range barriers with an inline test");

namespace acre {
namespace {

constexpr uint64_t FilteredSize = uint64_t(1) << ACRE_FILTER_SHIFT, LineSize = uint64_t(1)
                                                                               << ACRE_LINE_SHIFT;
/// Frames whose objects are all within this distance of each other are tested once for all of them.
constexpr uint64_t FrameReach = FilteredSize / 4;

bool callsRegions(const Module &M) {
  return any_of(M, [](const Function &F) {
    return F.getName().starts_with("acre_region_") && !F.use_empty();
  });
}

class Lowering {
public:
  explicit Lowering(Module &Unit)
      : M(Unit), ABI(Unit), Tests(ABI), Functions(ABI), CallsRegions(callsRegions(Unit)) {}
  bool run();

private:
  void runOn(Function &F);
  void guard(ArrayRef<CallInst *> Calls, Value *Condition);
  void guardActive(ArrayRef<CallInst *> Calls);
  void lowerStore(CallInst &Call);
  void lowerFreshStore(CallInst &Call);
  void testValue(IRBuilder<> &B, const CallInst &Store, BasicBlock *Line, BasicBlock *Far,
                 BasicBlock *Done);
  void lowerStores(ArrayRef<CallInst *> Group);
  bool belongsTo(ArrayRef<CallInst *> Group, const CallInst &Barrier) const;
  void lowerCheck(CallInst &Call, LoopChecks &Loops);
  void lowerTraditionalCheck(CallInst &Call);
  void lowerSignatureCheck(CallInst &Call);
  void lowerBounds(CallInst &Call);
  void lowerBoundsCheck(CallInst &Call);
  void lowerRescan(CallInst &Call);
  void lowerRescanTyped(CallInst &Call);
  void lowerReread(CallInst &Call);
  void lowerRelease(CallInst &Call);
  void lowerReleaseGroup(ArrayRef<CallInst *> Group);
  void guardCounted(ArrayRef<CallInst *> Releases);
  void lowerActive(CallInst &Call);

  Instruction *coldBlock(Instruction *Before, Value *Condition);
  void moveToCold(CallInst &Call, Entry E, Value *Condition);

  Module &M;
  RuntimeABI ABI;
  InlineTests Tests;
  OutOfLine Functions;
  bool CallsRegions; ///< the unit calls functions that make regions or allocate in them
  // About the function at hand:
  bool HasPins = false;
  SmallPtrSet<const CallInst *, 16> Fresh; ///< barriers of slots that have no record
  bool IsAloof =
      false; ///< its unit names no region: barriers test acre_rt_active in line, and nothing else
  bool UsesRegions = false; ///< its unit calls functions of regions, or names some
};

Instruction *Lowering::coldBlock(Instruction *Before, Value *Condition) {
  MDNode *Weights = MDBuilder(M.getContext()).createUnlikelyBranchWeights();
  return SplitBlockAndInsertIfThen(Condition, Before->getIterator(), false, Weights);
}

static void callInstead(CallInst &Call, Function *Callee) {
  Call.setCalledFunction(Callee);
  Call.setCallingConv(Callee->getCallingConv());
  Call.setTailCallKind(CallInst::TCK_None);
}

/// Call, of E, is made only under Condition.
void Lowering::moveToCold(CallInst &Call, Entry E, Value *Condition) {
  Call.moveBefore(coldBlock(&Call, Condition)->getIterator());
  callInstead(Call, Functions.of(E));
}

/// Whether V was allocated in a region just now: it is in the window.
static bool isInRegion(const Value *V) {
  auto *Call = dyn_cast<CallBase>(objectOf(V));
  return Call && knownResult(*Call).Meaning == ResultMeaning::InRegion;
}

/// Whether Slot is most likely a local: of a caller, for a result, or one of the function's own.
static bool isLikelyInFrame(const Value *Slot) { return isa<Argument, AllocaInst>(Slot); }

/// Calls, one after the other, are made only under Condition.
void Lowering::guard(ArrayRef<CallInst *> Calls, Value *Condition) {
  Instruction *Then = coldBlock(Calls.front(), Condition);
  for (CallInst *Call : Calls)
    Call->moveBefore(Then->getIterator());
}

/// Calls, one after the other, are made only if there are regions.  A unit that makes, fills or
/// names some is most likely one of a program that has them.
void Lowering::guardActive(ArrayRef<CallInst *> Calls) {
  IRBuilder<> B(Calls.front());
  if (!UsesRegions)
    guard(Calls, Tests.isActive(B));
}

/// The barrier of one store.  The slot should have a record only if the value is in the window and
/// not on the slot's page; whether it may have one, the count of its line says.
void Lowering::lowerStore(CallInst &Call) {
  if (Fresh.contains(&Call))
    return lowerFreshStore(Call);
  Value *New = Call.getArgOperand(1);
  BasicBlock *First = Call.getParent(), *Line = SplitBlock(First, &Call);
  IRBuilder<> B(&Call);
  Value *Slot = B.CreatePtrToInt(Call.getArgOperand(0), ABI.sizeType());
  guard(&Call, B.CreateIsNotNull(Tests.lineCount(B, Slot)));
  callInstead(Call, Functions.near());
  ++StoresInlined;
  if (isa<ConstantPointerNull>(New))
    return;

  BasicBlock *Done = Call.getParent()->getSingleSuccessor();
  auto *Far = BasicBlock::Create(M.getContext(), "", First->getParent(), Line);
  auto *FarCall = cast<CallInst>(Call.clone());
  FarCall->insertInto(Far, Far->end());
  BranchInst::Create(Done, Far);
  callInstead(*FarCall, Functions.far());
  First->getTerminator()->eraseFromParent();
  B.SetInsertPoint(First);
  testValue(B, Call, Line, Far, Done);
}

/// As lowerStore, for a slot that has no record: its line is not asked.
void Lowering::lowerFreshStore(CallInst &Call) {
  ++StoresInlined;
  if (isa<ConstantPointerNull>(Call.getArgOperand(1)))
    return void(Call.eraseFromParent());
  BasicBlock *First = Call.getParent(), *Done = SplitBlock(First, &Call);
  auto *Far = BasicBlock::Create(M.getContext(), "", First->getParent(), Done);
  Call.moveBefore(*Far, Far->end());
  BranchInst::Create(Done, Far);
  callInstead(Call, Functions.far());
  First->getTerminator()->eraseFromParent();
  IRBuilder<> B(First);
  testValue(B, Call, Done, Far, Done);
}

/// Goes to Far if the value is in the window and not on the slot's page, as few are, else to Line.
/// A slot that may be in a frame, which is on no page of a region, is Done if that is not counted.
void Lowering::testValue(IRBuilder<> &B, const CallInst &Store, BasicBlock *Line, BasicBlock *Far,
                         BasicBlock *Done) {
  MDNode *Unlikely = MDBuilder(M.getContext()).createUnlikelyBranchWeights();
  auto Next = [&] { return BasicBlock::Create(M.getContext(), "", Far->getParent(), Far); };
  Value *New = Store.getArgOperand(1), *Address = Tests.address(B, New);
  Value *Slot = B.CreatePtrToInt(Store.getArgOperand(0), ABI.sizeType());
  BasicBlock *Other = Next();
  B.CreateCondBr(Tests.isOnOtherPage(B, Slot, Address), Other, Line);
  B.SetInsertPoint(Other);
  if (isa<PHINode>(Store.getArgOperand(0))) {
    BasicBlock *Counted = Next();
    B.CreateCondBr(Tests.isUncounted(B, Slot), Done, Counted);
    B.SetInsertPoint(Counted);
  }
  if (isInRegion(New))
    B.CreateBr(Far);
  else
    B.CreateCondBr(Tests.isInWindow(B, Address), Far, Line, Unlikely);
}

/// The barriers of stores to one object.  Slots that are cleared need one test of where the first
/// and the last one are.
void Lowering::lowerStores(ArrayRef<CallInst *> Group) {
  IRBuilder<> B(Group.front());
  if (IsAloof) {
    guardActive(Group);
    for (CallInst *Call : Group)
      callInstead(*Call, Functions.any());
    StoresInlined += Group.size();
    return;
  }
  bool IsCleared = all_of(
      Group, [](CallInst *Call) { return isa<ConstantPointerNull>(Call->getArgOperand(1)); });
  // One object is in one frame.
  Value *Slot = Group.front()->getArgOperand(0);
  if (isLikelyInFrame(Slot)) {
    guard(Group, B.CreateNot(Tests.isUncounted(B, B.CreatePtrToInt(Slot, ABI.sizeType()))));
    B.SetInsertPoint(Group.front());
  }
  if (Group.size() == 1 || !IsCleared) {
    for (CallInst *Call : Group)
      lowerStore(*Call);
    return;
  }
  auto OffsetOf = [&](CallInst *Call) {
    return slotAddress(*Call->getArgOperand(0), ABI.layout()).Offset;
  };
  auto [Low, High] = std::minmax_element(Group.begin(), Group.end(), [&](CallInst *A, CallInst *B) {
    return OffsetOf(A) < OffsetOf(B);
  });
  const uint64_t Reach =
      static_cast<uint64_t>(OffsetOf(*High) - OffsetOf(*Low)) + ABI.layout().getPointerSize();
  auto CountOf = [&](CallInst *Call) {
    Value *Address = B.CreatePtrToInt(Call->getArgOperand(0), ABI.sizeType());
    return Reach <= LineSize ? Tests.lineCount(B, Address) : Tests.filterByte(B, Address);
  };
  B.SetInsertPoint(Group.front());
  Value *Count = CountOf(*Low);
  guard(Group, B.CreateIsNotNull(B.CreateOr(Count, CountOf(*High))));
  for (CallInst *Call : Group)
    callInstead(*Call, Functions.near());
  StoresInlined += Group.size();
}

/// Whether Barrier, which stands behind Group, can be tested together with it: its slot is in the
/// same object, and so near that what lies between the first and the last slot has been tested with
/// them.
bool Lowering::belongsTo(ArrayRef<CallInst *> Group, const CallInst &Barrier) const {
  static_assert(2 * GroupReach <= static_cast<int64_t>(FilteredSize));
  // Counting for statistics goes between.
  const Instruction *Next = Group.back()->getNextNode();
  while (Next != &Barrier && isa_and_nonnull<AtomicRMWInst>(Next) &&
         Next->hasMetadata(LLVMContext::MD_nosanitize))
    Next = Next->getNextNode();
  SlotAddress First = slotAddress(*Group.front()->getArgOperand(0), ABI.layout()),
              Slot = slotAddress(*Barrier.getArgOperand(0), ABI.layout());
  return Next == &Barrier && First.Base == Slot.Base &&
         std::abs(First.Offset - Slot.Offset) < GroupReach;
}

/// Null obeys, and what is on the slot's page is in its region.  A record that the slot may still
/// have from other data can only delay a delete.
void Lowering::lowerCheck(CallInst &Call, LoopChecks &Loops) {
  IRBuilder<> B(&Call);
  Value *Slot = B.CreatePtrToInt(Call.getArgOperand(0), ABI.sizeType());
  Value *New = Tests.address(B, Call.getArgOperand(1));
  // Two tests, the more common one first, are less than one of both.
  Call.moveBefore(coldBlock(&Call, Tests.isOnOtherPage(B, Slot, New))->getIterator());
  B.SetInsertPoint(&Call);
  moveToCold(
      Call, isCallOf(Call, Entry::CheckSameregion) ? Entry::CheckSameregion : Entry::CheckParentptr,
      B.CreateIsNotNull(New));
  Loops.guard(Call);
  ++ChecksInlined;
}

void Lowering::lowerSignatureCheck(CallInst &Call) {
  IRBuilder<> B(&Call);
  uint64_t Kind = cast<ConstantInt>(Call.getArgOperand(2))->getZExtValue();
  Value *Checked = Tests.address(B, Call.getArgOperand(0)),
        *Object = Tests.address(B, Call.getArgOperand(1));
  moveToCold(Call, Entry::CheckInregion,
             Kind & ACRE_RT_BY_HANDLE ? B.CreateIsNotNull(Checked)
                                      : Tests.isFarFrom(B, Object, Checked));
  ++ChecksInlined;
}

void Lowering::lowerTraditionalCheck(CallInst &Call) {
  IRBuilder<> B(&Call);
  Value *New = Tests.address(B, Call.getArgOperand(0));
  moveToCold(Call, Entry::CheckTraditional, Tests.isInWindow(B, New));
  ++ChecksInlined;
}

/// Most memory is of no region: whose objects are not known is seen here.
void Lowering::lowerBounds(CallInst &Call) {
  IRBuilder<> B(&Call);
  Value *IsKnown = Tests.isBounded(B, Tests.address(B, Call.getArgOperand(0)));
  BasicBlock *Before = Call.getParent();
  Instruction *Then = SplitBlockAndInsertIfThen(IsKnown, &Call, /*Unreachable=*/false);
  B.SetInsertPoint(&Call);
  PHINode *Range = B.CreatePHI(Call.getType(), 2);
  Call.replaceAllUsesWith(Range);
  Call.moveBefore(Then->getIterator());
  Constant *All[] = {
      ConstantPointerNull::get(ABI.pointerType()),
      ConstantExpr::getIntToPtr(ConstantInt::getAllOnesValue(ABI.sizeType()), ABI.pointerType())};
  Range->addIncoming(ConstantStruct::get(cast<StructType>(Call.getType()), All), Before);
  Range->addIncoming(&Call, Then->getParent());
}

void Lowering::lowerBoundsCheck(CallInst &Call) {
  IRBuilder<> B(&Call);
  auto AddressOf = [&](unsigned Operand) { return Tests.address(B, Call.getArgOperand(Operand)); };
  Value *Low = AddressOf(0), *High = AddressOf(1), *At = AddressOf(2),
        *Size = Call.getArgOperand(3);
  Value *IsBelow = B.CreateICmpULT(At, Low);
  // No object is so near to address 0 that the difference with a constant wraps.
  Value *IsAbove = isa<Constant>(Size) ? B.CreateICmpUGT(At, B.CreateSub(High, Size))
                                       : B.CreateOr(B.CreateICmpUGT(At, High),
                                                    B.CreateICmpUGT(Size, B.CreateSub(High, At)));
  Instruction *Then = coldBlock(&Call, B.CreateOr(IsBelow, IsAbove));
  B.SetInsertPoint(Then);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  ABI.call(B, Entry::OutOfBounds, SmallVector<Value *, 5>(Call.args()));
  changeToUnreachable(Then);
  Call.eraseFromParent();
  ++ChecksInlined;
}

/// The rules of the words of one object, by its descriptor (RuntimeABI::type); none if it is not
/// known here.
static std::optional<SmallVector<SlotRule, 4>> wordRules(const Value *Type, uint64_t Size,
                                                         uint64_t Word) {
  auto *Descriptor = dyn_cast<GlobalVariable>(Type);
  auto *Fields = Descriptor && Descriptor->hasInitializer()
                     ? dyn_cast<ConstantStruct>(Descriptor->getInitializer())
                     : nullptr;
  auto NumberOf = [](const Constant *C) {
    auto *Number = dyn_cast_or_null<ConstantInt>(C);
    return Number ? Number->getZExtValue() : UINT64_MAX;
  };
  // name, size, align, slot count, flexible first, flexible stride, slots
  if (!Fields || Fields->getNumOperands() != 7 || NumberOf(Fields->getOperand(1)) != Size ||
      NumberOf(Fields->getOperand(2)) % Word != 0 || NumberOf(Fields->getOperand(5)) != 0)
    return std::nullopt;
  SmallVector<SlotRule, 4> Rules(Size / Word, SlotRule::Plain);
  auto *Table = dyn_cast<GlobalVariable>(Fields->getOperand(6));
  uint64_t Count = NumberOf(Fields->getOperand(3));
  if (Count != 0 && (!Table || !Table->hasInitializer()))
    return std::nullopt;
  for (uint64_t I = 0; I < Count; ++I) {
    // offset, count, stride, rule, path
    const Constant *Run = Table->getInitializer()->getAggregateElement(static_cast<unsigned>(I));
    uint64_t Numbers[4];
    for (unsigned Field = 0; Field < 4; ++Field)
      Numbers[Field] = Run ? NumberOf(Run->getAggregateElement(Field)) : UINT64_MAX;
    auto [Offset, Slots, Stride, Rule] = Numbers;
    for (uint64_t Index = 0; Index < Slots; ++Index) {
      uint64_t At = Offset + Index * Stride;
      if (At % Word != 0 || At / Word >= Rules.size() ||
          Rule > static_cast<uint32_t>(SlotRule::Union))
        return std::nullopt;
      Rules[At / Word] = static_cast<SlotRule>(Rule);
    }
  }
  return Rules;
}

/// One small object of known type is looked at here: annotated slots as their checks do, all other
/// words as in a rescan.
void Lowering::lowerRescanTyped(CallInst &Call) {
  constexpr uint64_t MostWords = 4;
  const uint64_t Word = ABI.layout().getPointerSize();
  static_assert(MostWords * sizeof(uint64_t) <= LineSize,
                "an object that is looked at lies in two lines at most");
  Value *Address = Call.getArgOperand(0);
  auto *Bytes = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  uint64_t Size = Bytes ? Bytes->getZExtValue() : 0;
  bool IsSmall = Size != 0 && Size % Word == 0 && Size <= MostWords * Word;
  auto Rules = IsSmall ? wordRules(Call.getArgOperand(2), Size, Word) : std::nullopt;
  if (!Rules)
    return lowerActive(Call);
  guardActive(&Call);
  IRBuilder<> B(&Call);
  Value *First = B.CreatePtrToInt(Address, ABI.sizeType());
  Value *Condition = B.CreateIsNotNull(Tests.lineCount(B, First));
  if (Size > Word)
    Condition = B.CreateOr(
        Condition, B.CreateIsNotNull(Tests.lineCount(B, B.CreateAdd(First, ABI.size(Size - 1)))));
  for (auto [Index, Rule] : enumerate(*Rules)) {
    Value *Slot = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Address, Index * Word);
    Value *Held = B.CreateFreeze(Tests.load(B, ABI.sizeType(), Slot));
    Value *IsBad = Rule == SlotRule::Sameregion || Rule == SlotRule::Parentptr
                       ? Tests.isFarFrom(B, B.CreateAdd(First, ABI.size(Index * Word)), Held)
                       : Tests.isInWindow(B, Held);
    Condition = B.CreateOr(Condition, IsBad);
  }
  Call.moveBefore(coldBlock(&Call, Condition)->getIterator());
  ++RangesGuarded;
}

static bool isSanitized(const Function &F) {
  return F.hasFnAttribute(Attribute::SanitizeAddress) ||
         F.hasFnAttribute(Attribute::SanitizeHWAddress) ||
         F.hasFnAttribute(Attribute::SanitizeMemory) || F.hasFnAttribute(Attribute::SanitizeThread);
}

/// The copy that Rescan is about, if the runtime can do both: one call, after which the caller
/// needs neither the address nor the size any more.  Sanitizers see copies in the IR.
static MemTransferInst *copyOf(CallInst &Rescan) {
  if (!isCallOf(Rescan, Entry::Rescan) || isSanitized(*Rescan.getFunction()))
    return nullptr;
  for (Instruction *I = Rescan.getPrevNode(); I; I = I->getPrevNode()) {
    auto *Copy = dyn_cast<MemTransferInst>(I);
    if (Copy && !Copy->isVolatile() && Copy->getRawDest() == Rescan.getArgOperand(0) &&
        Copy->getLength() == Rescan.getArgOperand(1) && Copy->getSourceAddressSpace() == 0)
      return Copy;
    // What is written in between could lie in the range.  Counting for statistics is no memory of
    // the program.
    bool IsCounting = isa<AtomicRMWInst>(I) && I->hasMetadata(LLVMContext::MD_nosanitize);
    if (I->mayWriteToMemory() && !IsCounting)
      return nullptr;
  }
  return nullptr;
}

/// A copy of few whole words is looked at here.
void Lowering::lowerRescan(CallInst &Call) {
  constexpr uint64_t MostWords = 4;
  const uint64_t Word = ABI.layout().getPointerSize();
  Value *Address = Call.getArgOperand(0);
  auto *Bytes = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  uint64_t Size = Bytes ? Bytes->getZExtValue() : 0;
  Align Known =
      std::max(Call.getParamAlign(0).valueOrOne(), getKnownAlignment(Address, ABI.layout(), &Call));
  if (isOfComputedNumbers(Call)) {
    Call.eraseFromParent();
    return;
  }
  IRBuilder<> B(&Call);
  if (MemTransferInst *Copy = Bytes ? nullptr : copyOf(Call)) {
    B.SetInsertPoint(Copy);
    ABI.call(B, Entry::Copy, {Copy->getRawDest(), Copy->getRawSource(), Copy->getLength()});
    Copy->eraseFromParent();
    Call.eraseFromParent();
    return;
  }
  if (!Bytes) {
    // Fewer bytes than a pointer has make none.
    Value *IsLong = B.CreateICmpUGE(Call.getArgOperand(1), ABI.size(Word));
    Call.moveBefore(coldBlock(&Call, B.CreateAnd(IsLong, Tests.isActive(B)))->getIterator());
    ++RangesGuarded;
    return;
  }
  // A part of a word does not lie across two: the word is looked at.
  bool IsPart = isPowerOf2_64(Size) && Size < Word && Known.value() >= Size;
  if (IsAloof && (IsPart || (Size == Word && Known.value() >= Word))) {
    moveToCold(Call, Entry::Rescan, Tests.isActive(B));
    ++RangesGuarded;
    return;
  }
  if (IsAloof || (!IsPart && (Known.value() < Word || Size == 0 || Size > MostWords * Word)))
    return lowerActive(Call);
  Value *First = B.CreatePtrToInt(Address, ABI.sizeType());
  if (IsPart)
    Address = B.CreateIntToPtr(B.CreateAnd(First, ~(Word - 1)), Address->getType());
  Value *Count = Tests.lineCount(B, First);
  if (Size > Word)
    Count = B.CreateOr(Count, Tests.lineCount(B, B.CreateAdd(First, ABI.size(Size - 1))));
  Value *Condition = B.CreateIsNotNull(Count);
  // Where the lower half was stored only the upper one is read: no processor forwards a part of
  // what is read.
  bool IsUpper = IsPart && Size <= Word / 2 && Known.value() >= Word && Word == 8 &&
                 ABI.layout().isLittleEndian();
  for (uint64_t Offset = 0; Offset < Size; Offset += Word) {
    Value *Slot =
        B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Address, IsUpper ? Offset + Word / 2 : Offset);
    // Padding and uninitialised bytes are copied too.
    Value *Held = B.CreateFreeze(Tests.load(B, IsUpper ? B.getInt32Ty() : ABI.sizeType(), Slot));
    if (IsUpper)
      Held = B.CreateShl(B.CreateZExt(Held, ABI.sizeType()), 32);
    Condition = B.CreateOr(Condition, Tests.isInWindow(B, Held));
  }
  guard(&Call, Condition);
  if (Size <= Word)
    callInstead(Call, Functions.of(Entry::Rescan));
  ++RangesGuarded;
}

void Lowering::lowerActive(CallInst &Call) {
  guardActive(&Call);
  ++RangesGuarded;
}

void Lowering::lowerReread(CallInst &Call) {
  guardActive(&Call);
  callInstead(Call, Functions.of(Entry::Reread));
  ++StoresInlined;
}

void Lowering::lowerRelease(CallInst &Call) {
  auto *Bytes = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  if (!Bytes || Bytes->getZExtValue() > FilteredSize)
    return lowerActive(Call);
  IRBuilder<> B(&Call);
  Value *First = B.CreatePtrToInt(Call.getArgOperand(0), ABI.sizeType());
  bool IsLocal = isa<AllocaInst>(objectOf(Call.getArgOperand(0)));
  if (IsLocal && IsAloof && !HasPins) {
    guardActive(&Call);
    callInstead(Call, Functions.of(Entry::Release));
    ++RangesGuarded;
    return;
  }
  // The frames that wait in a deleting call have many lines, and few granules.
  bool AsksLines = !IsLocal && Bytes->getZExtValue() <= LineSize;
  auto CountOf = [&](Value *Address) {
    return AsksLines ? Tests.lineCount(B, Address) : Tests.filterByte(B, Address);
  };
  Value *Count = CountOf(First);
  // Most likely the frame is not counted: then one granule is enough, as for a group.
  uint64_t Reach = IsLocal && !HasPins ? FrameReach : ABI.layout().getPointerSize();
  if (Bytes->getZExtValue() > Reach)
    Count = B.CreateOr(Count, CountOf(B.CreateAdd(First, ABI.size(Bytes->getZExtValue() - 1))));
  guard(&Call, B.CreateIsNotNull(Count));
  if (IsLocal)
    guardCounted(&Call);
  ++RangesGuarded;
}

/// Releases of locals of a function without pins, behind their test of the filter, are made only on
/// other stacks than the thread's: its frame was never counted.  Frames that wait in a deleting
/// call often fill the filter for all others.
void Lowering::guardCounted(ArrayRef<CallInst *> Releases) {
  if (HasPins)
    return;
  IRBuilder<> B(Releases.front());
  Value *Slot = B.CreatePtrToInt(Releases.front()->getArgOperand(0), ABI.sizeType());
  guard(Releases, B.CreateNot(Tests.isUncounted(B, Slot)));
}

/// Releases of several objects of one small frame: the two granules that the frame can touch are
/// tested once, or one if it is most likely not counted.  A frame that is spread wider could be
/// missed; then records of dead stack stay, which a delete drops before it refuses.
void Lowering::lowerReleaseGroup(ArrayRef<CallInst *> Group) {
  IRBuilder<> B(Group.front());
  if (IsAloof && !HasPins) {
    guardActive(Group);
    for (CallInst *Call : Group)
      callInstead(*Call, Functions.of(Entry::Release));
    RangesGuarded += Group.size();
    return;
  }
  Value *Middle = B.CreatePtrToInt(Group.front()->getArgOperand(0), ABI.sizeType());
  Value *Byte;
  if (!HasPins)
    Byte = Tests.filterByte(B, Middle);
  else
    Byte = B.CreateOr(Tests.filterByte(B, B.CreateSub(Middle, ABI.size(FrameReach))),
                      Tests.filterByte(B, B.CreateAdd(Middle, ABI.size(FrameReach))));
  guard(Group, B.CreateIsNotNull(Byte));
  guardCounted(Group);
  RangesGuarded += Group.size();
}

void Lowering::runOn(Function &F) {
  SmallVector<CallInst *, 16> Checks, Traditional, Signatures, Asked, Bounds, Rescans, TypedRescans,
      Rereads, Others;
  SmallVector<SmallVector<CallInst *, 4>, 4> Stores, Releases;
  uint64_t FrameSize = 0;
  const Instruction *Previous = nullptr;
  HasPins = false;
  IsAloof = F.hasFnAttribute(AloofAttribute);
  UsesRegions = CallsRegions || !IsAloof;
  for (Instruction &I : instructions(F)) {
    HasPins |= isCallOf(I, Entry::Pin);
    if (auto *A = dyn_cast<AllocaInst>(&I); A && A->isStaticAlloca())
      FrameSize += stackObjectSize(A, ABI.layout());
    if (isCallOf(I, Entry::Store)) {
      auto *Call = cast<CallInst>(&I);
      if (Stores.empty() || !belongsTo(Stores.back(), *Call))
        Stores.emplace_back();
      Stores.back().push_back(Call);
    }
    if (isCallOf(I, Entry::CheckSameregion) || isCallOf(I, Entry::CheckParentptr))
      Checks.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::CheckTraditional))
      Traditional.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::CheckInregion))
      Signatures.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::Bounds))
      Asked.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::CheckBounds))
      Bounds.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::Rescan) || isCallOf(I, Entry::StoreRange))
      Rescans.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::RescanTyped))
      TypedRescans.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::Reread))
      Rereads.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::ReleaseBetween) || isCallOf(I, Entry::RescanSlots) ||
        isCallOf(I, Entry::RescanCopied))
      Others.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::Release)) {
      auto *Object = dyn_cast<AllocaInst>(cast<CallInst>(I).getArgOperand(0));
      bool IsStatic = Object && Object->isStaticAlloca();
      // Adjacent releases of static objects make a group.
      if (!Previous || !IsStatic || Previous != I.getPrevNode())
        Releases.emplace_back();
      Releases.back().push_back(cast<CallInst>(&I));
      Previous = IsStatic ? &I : nullptr;
    }
  }
  // Before any of them is lowered.
  Fresh.clear();
  for (auto &Group : Stores)
    for (CallInst *Call : Group)
      if (isFreshSlot(*Call))
        Fresh.insert(Call);
  for (auto &Group : Stores)
    lowerStores(Group);
  LoopChecks InLoops(F, ABI);
  InLoops.find(Checks);
  for (CallInst *Call : Checks)
    lowerCheck(*Call, InLoops);
  InLoops.finish();
  for (CallInst *Call : Traditional)
    lowerTraditionalCheck(*Call);
  for (CallInst *Call : Signatures)
    lowerSignatureCheck(*Call);
  for (CallInst *Call : Asked)
    lowerBounds(*Call);
  for (CallInst *Call : Bounds)
    lowerBoundsCheck(*Call);
  for (CallInst *Call : Rescans)
    lowerRescan(*Call);
  for (CallInst *Call : TypedRescans)
    lowerRescanTyped(*Call);
  for (CallInst *Call : Rereads)
    lowerReread(*Call);
  for (CallInst *Call : Others)
    lowerActive(*Call);
  if (HasPins)
    lowerPins(F, ABI);
  for (auto &Group : Releases) {
    if (Group.size() > 1 && FrameSize <= FrameReach) {
      lowerReleaseGroup(Group);
      continue;
    }
    for (CallInst *Call : Group)
      lowerRelease(*Call);
  }
  lowerLocals(F, ABI);
}

bool Lowering::run() {
  static constexpr StringLiteral LoweredFlag = "acre-lowered";
  bool HasEntries = false;
  for (Entry E : {Entry::Store,
                  Entry::CheckSameregion,
                  Entry::CheckParentptr,
                  Entry::CheckTraditional,
                  Entry::CheckInregion,
                  Entry::CheckBounds,
                  Entry::Rescan,
                  Entry::StoreRange,
                  Entry::RescanTyped,
                  Entry::RescanSlots,
                  Entry::RescanCopied,
                  Entry::Reread,
                  Entry::Release,
                  Entry::ReleaseBetween,
                  Entry::Pin,
                  Entry::Keep,
                  Entry::KeepRange,
                  Entry::EndFrame,
                  Entry::EndBlock,
                  Entry::EndBetween,
                  Entry::ExpectOutside,
                  Entry::DiscardFrames})
    HasEntries |= M.getFunction(entryName(E)) != nullptr;
  // The calls of a unit lowered before already are behind their tests.
  if (!HasEntries || M.getModuleFlag(LoweredFlag))
    return false;
  M.addModuleFlag(Module::Max, LoweredFlag, 1);
  SmallVector<Function *, 32> Functions;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasOptNone() && !F.hasMinSize())
      Functions.push_back(&F);
  for (Function *F : Functions)
    runOn(*F);
  return !Functions.empty();
}

} // namespace

PreservedAnalyses ForgetPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M)
    dropSlotRules(F);
  if (Function *Known = M.getFunction(entryName(Entry::KnownInregion))) {
    for (User *U : make_early_inc_range(Known->users()))
      cast<Instruction>(U)->eraseFromParent();
    Known->eraseFromParent();
  }
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

PreservedAnalyses LowerPass::run(Module &M, ModuleAnalysisManager &) {
  return Lowering(M).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace acre
