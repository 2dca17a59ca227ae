// SPDX-License-Identifier: MIT
//===- LowerRanges.cpp - Inline tests of copies and releases --------------===//
#include "pass/lower/LowerRanges.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/RegionTerm.h"
#include "pass/insert/VectorStores.h"
#include "versions/LLVM.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(RangesGuarded, "Range barriers with an inline test");
STATISTIC(RereadsInlined, "Barriers of volatile and atomic stores with an inline test");

namespace acre {

/// Frames whose objects are all within this distance of each other are tested once for all of them.
constexpr uint64_t FrameReach = FilteredSize / 4;

static bool isSanitized(const Function &F) {
  return F.hasFnAttribute(Attribute::SanitizeAddress) ||
         F.hasFnAttribute(Attribute::SanitizeHWAddress) ||
         F.hasFnAttribute(Attribute::SanitizeMemory) || F.hasFnAttribute(Attribute::SanitizeThread);
}

/// The copy or fill that Barrier is about, if the runtime can do both: one call, after which the
/// caller needs neither the address nor the size any more.  Sanitizers see them in the IR.
template <typename Intrinsic> static Intrinsic *writerOf(CallInst &Barrier) {
  if (isSanitized(*Barrier.getFunction()))
    return nullptr;
  for (Instruction *I = Barrier.getPrevNode(); I; I = I->getPrevNode()) {
    auto *Writer = dyn_cast<Intrinsic>(I);
    if (Writer && !Writer->isVolatile() && Writer->getRawDest() == Barrier.getArgOperand(0) &&
        Writer->getLength() == Barrier.getArgOperand(1))
      return Writer;
    // What is written in between could lie in the range.  Counting for statistics is no memory of
    // the program.
    bool IsCounting = isa<AtomicRMWInst>(I) && I->hasMetadata(LLVMContext::MD_nosanitize);
    if (I->mayWriteToMemory() && !IsCounting)
      return nullptr;
  }
  return nullptr;
}

/// A copy of few whole words is looked at here.
void RangeLowering::lowerRescan(CallInst &Call) {
  constexpr uint64_t MostWords = 8;
  static_assert(MostWords * sizeof(uint64_t) <= LineSize, "few words lie in two lines at most");
  const uint64_t Word = Guard.ABI.layout().getPointerSize();
  Value *Address = Call.getArgOperand(0);
  auto *Bytes = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  uint64_t Size = Bytes ? Bytes->getZExtValue() : 0;
  Align Known = std::max(Call.getParamAlign(0).valueOrOne(),
                         getKnownAlignment(Address, Guard.ABI.layout(), &Call));
  if (isOfComputedNumbers(Call)) {
    Call.eraseFromParent();
    return;
  }
  IRBuilder<> B(&Call);
  auto *Copy = Bytes || !isCallOf(Call, Entry::Rescan) ? nullptr : writerOf<MemTransferInst>(Call);
  if (Copy && Copy->getSourceAddressSpace() == 0) {
    B.SetInsertPoint(Copy);
    Guard.ABI.call(B, Entry::Copy, {Copy->getRawDest(), Copy->getRawSource(), Copy->getLength()});
    Copy->eraseFromParent();
    Call.eraseFromParent();
    return;
  }
  if (!Bytes) {
    // Fewer bytes than a pointer has make none.
    Value *IsLong = B.CreateICmpUGE(Call.getArgOperand(1), Guard.ABI.size(Word));
    moveBefore(Call, *Guard.coldBlock(&Call, B.CreateAnd(IsLong, Guard.Tests.isActive(B))));
    if (Guard.asksActive())
      Guards::callInstead(Call, Guard.Functions.cold(Entry::Rescan));
    ++RangesGuarded;
    return;
  }
  // A part of a word does not lie across two: the word is looked at.
  bool IsPart = isPowerOf2_64(Size) && Size < Word && Known.value() >= Size;
  const bool IsWord = Size == Word && Known.value() >= Word;
  const bool MayBePoint = IsWord || (IsPart && Size == PatchPoints::HalfSize);
  if (MayBePoint && Guard.hasPatchPoints() && Guard.Patches.replace(Call))
    return;
  if (Guard.asksActive() && (IsPart || IsWord)) {
    Guard.moveToCold(Call, Entry::Rescan, Guard.Tests.isActive(B));
    ++RangesGuarded;
    return;
  }
  if (Guard.asksActive() ||
      (!IsPart && (Known.value() < Word || Size == 0 || Size > MostWords * Word)))
    return lowerActive(Call);
  Value *First = B.CreatePtrToInt(Address, Guard.ABI.sizeType());
  if (IsPart)
    Address = B.CreateIntToPtr(B.CreateAnd(First, ~(Word - 1)), Address->getType());
  Value *Count = Guard.Tests.eagerCount(B, First);
  if (Size > Word)
    Count =
        B.CreateOr(Count, Guard.Tests.eagerCount(B, B.CreateAdd(First, Guard.ABI.size(Size - 1))));
  Value *Condition = B.CreateIsNotNull(Count);
  // Where the lower half was stored only the upper one is read: no processor forwards a part of
  // what is read.
  bool IsUpper = IsPart && Size <= Word / 2 && Known.value() >= Word && Word == 8 &&
                 Guard.ABI.layout().isLittleEndian();
  for (uint64_t Offset = 0; Offset < Size; Offset += Word) {
    Value *Slot =
        B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Address, IsUpper ? Offset + Word / 2 : Offset);
    // Padding and uninitialised bytes are copied too.
    Value *Held =
        B.CreateFreeze(Guard.Tests.load(B, IsUpper ? B.getInt32Ty() : Guard.ABI.sizeType(), Slot));
    if (IsUpper)
      Held = B.CreateShl(B.CreateZExt(Held, Guard.ABI.sizeType()), 32);
    Condition = B.CreateOr(Condition, Guard.Tests.isInWindow(B, Held));
  }
  Guard.guard(&Call, Condition);
  if (Size <= Word)
    Guards::callInstead(Call, Guard.Functions.of(Entry::Rescan));
  ++RangesGuarded;
}

/// Rules of words that have been overwritten; none where nothing is to be done.
using WordRules = SmallVector<std::optional<SlotRule>, 4>;

/// The rules of the words of what Rescan, of a known type, is about; none if that is not small, or
/// the type is not known here.
static std::optional<WordRules> wordRules(const CallInst &Rescan, uint64_t Word) {
  constexpr uint64_t MostWords = 4;
  static_assert(MostWords * sizeof(uint64_t) <= LineSize,
                "an object that is looked at lies in two lines at most");
  auto *Bytes = dyn_cast<ConstantInt>(Rescan.getArgOperand(1));
  const uint64_t Size = Bytes ? Bytes->getZExtValue() : 0;
  if (Size == 0 || Size % Word != 0 || Size > MostWords * Word)
    return std::nullopt;
  std::optional<Layout> Type = RuntimeABI::layoutOf(*Rescan.getArgOperand(2));
  if (!Type || Type->Size == 0 || Size % Type->Size != 0 || Type->Size % Word != 0 ||
      Type->Align % Word != 0 || Type->FlexibleStride != 0)
    return std::nullopt;
  WordRules OfType(Type->Size / Word);
  for (const SlotRun &Run : Type->Slots)
    for (uint64_t Index = 0; Index < Run.Count; ++Index) {
      const uint64_t At = Run.Offset + Index * Run.Stride;
      if (At % Word != 0 || At >= Type->Size || Run.Rule > SlotRule::Union ||
          OfType[At / Word].value_or(Run.Rule) != Run.Rule)
        return std::nullopt;
      OfType[At / Word] = Run.Rule;
    }
  // What is no slot holds no pointer, or may hold one.
  if (!isCallOf(Rescan, Entry::RescanSlots))
    for (std::optional<SlotRule> &Rule : OfType)
      Rule = Rule.value_or(SlotRule::Plain);
  WordRules Result;
  for (uint64_t At = 0; At != Size; At += Type->Size)
    append_range(Result, OfType);
  return Result;
}

static bool isChecked(SlotRule Rule) {
  return Rule == SlotRule::Sameregion || Rule == SlotRule::Parentptr;
}

/// A small object of known type, or few of them, is looked at here: annotated slots get the checks
/// of single stores, and the words that are left are looked at as in a rescan.
SmallVector<CallInst *, 2> RangeLowering::splitTypedRescan(CallInst &Call) {
  const uint64_t Word = Guard.ABI.layout().getPointerSize();
  assert(isTypedRescan(Call) && "the second but last argument is a type");
  auto Rules = Guard.asksActive() ? std::nullopt : wordRules(Call, Word);
  if (!Rules)
    return {};
  SmallVector<CallInst *, 2> Checks;
  IRBuilder<> B(&Call);
  for (auto [Index, Rule] : enumerate(*Rules))
    if (Rule && isChecked(*Rule)) {
      Value *Slot =
          B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Call.getArgOperand(0), Index * Word);
      Value *Held = Guard.Tests.load(B, Guard.ABI.pointerType(), Slot);
      Checks.push_back(Guard.ABI.call(
          B, Rule == SlotRule::Sameregion ? Entry::CheckSameregion : Entry::CheckParentptr,
          {Slot, Held, Call.getArgOperand(3)}));
    }
  return Checks;
}

/// What splitTypedRescan has left of Call.
void RangeLowering::lowerTypedRescan(CallInst &Call) {
  const uint64_t Word = Guard.ABI.layout().getPointerSize();
  Value *Address = Call.getArgOperand(0);
  auto Rules = Guard.asksActive() ? std::nullopt : wordRules(Call, Word);
  if (!Rules)
    return lowerActive(Call);
  IRBuilder<> B(&Call);
  Value *First = B.CreatePtrToInt(Address, Guard.ABI.sizeType());
  Value *Count = Guard.Tests.eagerCount(B, First);
  if (Rules->size() > 1) {
    Value *Last = B.CreateAdd(First, Guard.ABI.size(Rules->size() * Word - 1));
    Count = B.CreateOr(Count, Guard.Tests.eagerCount(B, Last));
  }
  Value *Condition = B.CreateIsNotNull(Count);
  for (auto [Index, Rule] : enumerate(*Rules)) {
    if (!Rule || isChecked(*Rule))
      continue;
    Value *Slot = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Address, Index * Word);
    Value *Held = B.CreateFreeze(Guard.Tests.load(B, Guard.ABI.sizeType(), Slot));
    Condition = B.CreateOr(Condition, Guard.Tests.isInWindow(B, Held));
  }
  Guard.guard(&Call, Condition);
  ++RangesGuarded;
}

void RangeLowering::lowerActive(CallInst &Call) {
  Guard.guardActive(&Call);
  if (Guard.asksActive())
    Guards::callInstead(Call, Guard.Functions.cold(*entryOf(Call)));
  ++RangesGuarded;
}

void RangeLowering::lowerReread(CallInst &Call) {
  Guard.guardActive(&Call);
  Guards::callInstead(Call, Guard.Functions.of(Entry::Reread));
  ++RereadsInlined;
}

/// Fills of variable size are made by the runtime, with what ends there.
bool RangeLowering::fillInstead(CallInst &Release) {
  auto *Fill = isa<ConstantInt>(Release.getArgOperand(1)) ? nullptr : writerOf<MemSetInst>(Release);
  if (!Fill)
    return false;
  IRBuilder<> B(Fill);
  Guard.ABI.call(
      B, Entry::Fill,
      {Fill->getRawDest(), B.CreateZExt(Fill->getValue(), B.getInt32Ty()), Fill->getLength()});
  Fill->eraseFromParent();
  Release.eraseFromParent();
  return true;
}

void RangeLowering::lowerRelease(CallInst &Call) {
  if (fillInstead(Call))
    return;
  auto *Bytes = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  if (!Bytes || Bytes->getZExtValue() > FilteredSize)
    return lowerActive(Call);
  bool IsLocal = isa<AllocaInst>(objectOf(Call.getArgOperand(0)));
  IRBuilder<> B(&Call);
  Value *First = B.CreatePtrToInt(Call.getArgOperand(0), Guard.ABI.sizeType());
  // The frames that wait in a deleting call have many lines, and few filter areas.
  bool AsksLines = !IsLocal && Bytes->getZExtValue() <= LineSize;
  auto CountOf = [&](Value *Address) {
    return AsksLines ? Guard.Tests.lineCount(B, Address) : Guard.Tests.filterByte(B, Address);
  };
  Value *Count = CountOf(First);
  // Most likely the frame is not counted: then one filter area is enough, as for a group.
  uint64_t Reach = IsLocal && !Guard.hasPins() ? FrameReach : Guard.ABI.layout().getPointerSize();
  if (Bytes->getZExtValue() > Reach)
    Count =
        B.CreateOr(Count, CountOf(B.CreateAdd(First, Guard.ABI.size(Bytes->getZExtValue() - 1))));
  Guard.guard(&Call, B.CreateIsNotNull(Count));
  if (IsLocal)
    guardCounted(&Call);
  ++RangesGuarded;
}

/// Releases of locals of a function without pins, behind their test of the filter, are made only on
/// other stacks than the thread's: its frame was never counted.  Frames that wait in a deleting
/// call often fill the filter for all others.
void RangeLowering::guardCounted(ArrayRef<CallInst *> Releases) {
  if (Guard.hasPins())
    return;
  IRBuilder<> B(Releases.front());
  Value *Slot = B.CreatePtrToInt(Releases.front()->getArgOperand(0), Guard.ABI.sizeType());
  Guard.guard(Releases, B.CreateNot(Guard.Tests.isUncounted(B, Slot)));
}

/// Releases of several objects of one small frame: the two filter areas that the frame can touch
/// are tested once, or one if it is most likely not counted.  A frame that is spread wider could be
/// missed; then records of dead stack stay, which a delete drops before it refuses.
void RangeLowering::lowerReleaseGroup(ArrayRef<CallInst *> Group) {
  IRBuilder<> B(Group.front());
  Value *Middle = B.CreatePtrToInt(Group.front()->getArgOperand(0), Guard.ABI.sizeType());
  Value *Byte;
  if (!Guard.hasPins())
    Byte = Guard.Tests.filterByte(B, Middle);
  else
    Byte = B.CreateOr(Guard.Tests.filterByte(B, B.CreateSub(Middle, Guard.ABI.size(FrameReach))),
                      Guard.Tests.filterByte(B, B.CreateAdd(Middle, Guard.ABI.size(FrameReach))));
  Guard.guard(Group, B.CreateIsNotNull(Byte));
  guardCounted(Group);
  RangesGuarded += Group.size();
}

/// In a unit that names no region nothing else is asked in line.  The function out of line finds
/// out what lies in a frame that was never counted.
void RangeLowering::lowerActiveReleases(ArrayRef<CallInst *> Group) {
  SmallVector<CallInst *, 4> Left;
  for (CallInst *Call : Group)
    if (!fillInstead(*Call) &&
        (Guard.hasPins() || !Guard.hasPatchPoints() || !Guard.Patches.replaceRelease(*Call)))
      Left.push_back(Call);
  RangesGuarded += Left.size();
  if (Left.empty())
    return;
  Guard.guardActive(Left);
  for (CallInst *Call : Left) {
    bool IsOfFrame = !Guard.hasPins() && isa<AllocaInst>(objectOf(Call->getArgOperand(0)));
    auto *Bytes = dyn_cast<ConstantInt>(Call->getArgOperand(1));
    bool IsSmall = Bytes && !Bytes->isZero() && Bytes->getZExtValue() <= LineSize;
    Guards::callInstead(*Call, IsOfFrame ? Guard.Functions.of(Entry::Release)
                               : IsSmall ? Guard.Functions.nearRelease()
                                         : Guard.Functions.cold(Entry::Release));
  }
}

void RangeLowering::addRelease(CallInst &Release) {
  assert(isCallOf(Release, Entry::Release) && "a release");
  auto IsStatic = [](const CallInst &Of) {
    auto *Object = dyn_cast<AllocaInst>(Of.getArgOperand(0));
    return Object && Object->isStaticAlloca();
  };
  const Instruction *Before = Release.getPrevNode();
  while (isa_and_nonnull<LifetimeIntrinsic>(Before))
    Before = Before->getPrevNode();
  bool IsNext = !Releases.empty() && Releases.back().back() == Before;
  // Adjacent releases of static objects make a group.
  if (!IsNext || !IsStatic(Release) || !IsStatic(*Releases.back().back()))
    Releases.emplace_back();
  Releases.back().push_back(&Release);
}

void RangeLowering::lowerReleases(uint64_t FrameSize) {
  for (const Group &Each : Releases) {
    if (Guard.asksActive()) {
      lowerActiveReleases(Each);
      continue;
    }
    if (Each.size() > 1 && FrameSize <= FrameReach) {
      lowerReleaseGroup(Each);
      continue;
    }
    for (CallInst *Call : Each)
      lowerRelease(*Call);
  }
}

} // namespace acre
