// SPDX-License-Identifier: MIT
//===- Barriers.cpp - Records follow every pointer that reaches memory ----===//
#include "pass/insert/Barriers.h"
#include "pass/base/Library.h"
#include "pass/base/PointsAfter.h"
#include "pass/insert/AggregateCopies.h"
#include "pass/insert/BarrierEmitter.h"
#include "pass/insert/Writes.h"
#include "versions/LLVM.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(PrivateStores, "Pointer stores to private stack objects, which need none");

namespace acre {

namespace {

/// Where the result of address arithmetic is known to be in the object.
static Value *addressAt(IRBuilder<> &B, Value *Base, uint64_t Offset) {
  return Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset) : Base;
}

/// The memory of Fn's result, if no other code gets its address.
static const Value *privateResult(Function &Fn) {
  for (Argument &A : Fn.args()) {
    bool IsPrivate = A.hasStructRetAttr();
    if (IsPrivate)
      forEachStackUse(&A, [&](Use &, StackUse Kind) { IsPrivate &= Kind != StackUse::Expose; });
    if (IsPrivate)
      return &A;
  }
  return nullptr;
}

/// Whether U only puts an address where nobody looks but a debugger.
static bool isForDebugger(const Use &U) {
  auto *Store = dyn_cast<StoreInst>(U.getUser());
  if (!Store || U.getOperandNo() != 0)
    return false;
  auto *Place = dyn_cast<AllocaInst>(Store->getPointerOperand());
  return Place && all_of(Place->users(), IsaPred<StoreInst>);
}

/// What a store to a slot has to obey.  A structure that was passed by value, and is known to this
/// function only, obeys no rule, wherever it lies: it is counted.
static SlotRule ruleOfStore(const Instruction &I, const Value *Slot) {
  const SlotRule Rule = slotRule(I);
  auto *Parameter = dyn_cast<Argument>(getUnderlyingObject(Slot, 0));
  if (Rule == SlotRule::Union || Rule == SlotRule::Numbers || !Parameter ||
      !isPassedByAddress(*Parameter))
    return Rule;
  bool IsPrivate = true;
  forEachStackUse(const_cast<Argument *>(Parameter), [&](Use &U, StackUse Kind) {
    IsPrivate &= Kind != StackUse::Expose || isForDebugger(U);
  });
  return IsPrivate ? SlotRule::Plain : Rule;
}

class BarrierInserter {
public:
  BarrierInserter(Function &Fn, RuntimeABI &Runtime, const StackObjects &Objects,
                  const MarkerFacts &Known)
      : F(Fn), DL(Fn.getDataLayout()), ABI(Runtime), Stack(Objects), Facts(Known),
        Result(privateResult(Fn)), Emit(Runtime) {}
  unsigned run();

private:
  void visit(Instruction &I);
  void visitStore(StoreInst &S);
  void visitExposedStore(StoreInst &S, SlotRule Rule);
  void visitExposedCopy(Instruction &I, Value *Destination, Value *Size);
  void visitAtomic(Instruction &I, Value *Slot, Value *New);
  void visitMemIntrinsic(AnyMemIntrinsic &I);
  bool visitAggregateCopy(AnyMemTransferInst &I);
  bool visitWordCopy(AnyMemTransferInst &I);
  void visitPrivateCopy(AnyMemTransferInst &I);
  Value *loadCopied(IRBuilder<> &B, AnyMemTransferInst &Copy, const CopiedSlot &Slot);
  void visitCall(CallBase &Call);
  void visitMasked(IntrinsicInst &I);
  void visitMaskedOfMachine(IntrinsicInst &I);
  void rescanLane(IRBuilder<> &B, Value *Slot, Value *IsWritten);
  void visitAsm(CallBase &Call);
  bool visitCopier(CallBase &Call);
  bool visitAtomicLibrary(CallBase &Call);
  void visitSetter(CallBase &Call);

  bool isTracked(Value *Address) const;
  bool isExposed(Value *Address) const;
  bool isResult(Value *Address) const;
  void check(Instruction &I, Value *Slot, Value *New, SlotRule Rule);
  bool rescanRecords(Instruction &I, Value *Size, Value *From = nullptr);
  bool rescanWords(Instruction &I, Value *Address, Value *Size);
  const LocalLayout *localOf(Value *Address, uint64_t &Offset) const;
  void checkLocal(Instruction &I, IRBuilder<> &B, Value *Address, uint64_t Bytes);
  Constant *whereOf(Instruction &I, const LocalLayout &Local) {
    return ABI.where(I.getDebugLoc() || I.getMetadata(SiteMetadata) ? ABI.siteOf(I)
                                                                    : Local.Declared);
  }

  Function &F;
  const DataLayout &DL;
  RuntimeABI &ABI;
  const StackObjects &Stack;
  const MarkerFacts &Facts;
  const Value *Result; ///< the memory of this function's result, before any
                       ///< barrier uses its address; or null
  BarrierEmitter Emit;
};

/// Memory that may have to be counted: any in the default address space except this frame's.  What
/// is in this frame is pinned by its own calls that may delete.
bool BarrierInserter::isTracked(Value *Address) const {
  return Address->getType()->getPointerAddressSpace() == 0 && !Stack.isStack(Address);
}

/// Memory of this frame that other code can reach: not counted, but its annotated slots obey their
/// rules.
bool BarrierInserter::isExposed(Value *Address) const {
  return Stack.isStack(Address) && !Stack.isPrivate(Address);
}

/// Memory of a caller's frame where this function makes its result, known to this function only: a
/// private record, whose annotated slots obey their rules where the caller copies it to.
bool BarrierInserter::isResult(Value *Address) const {
  return Result && Result == getUnderlyingObject(Address, 0);
}

void BarrierInserter::check(Instruction &I, Value *Slot, Value *New, SlotRule Rule) {
  IRBuilder<> B(&I);
  if (New->getType()->isIntegerTy())
    New = B.CreateIntToPtr(New, ABI.pointerType());
  // Null satisfies every rule; the address of a local or global satisfies "traditional".
  if (isa<ConstantPointerNull, UndefValue>(New) ||
      (Rule == SlotRule::Traditional && isa<ConstantPointerNull>(Emit.windowValue(B, New))))
    return;
  uint64_t Offset;
  const LocalLayout *Local = localOf(Slot, Offset);
  Emit.check(B, Slot, New, Rule, Local ? whereOf(I, *Local) : ABI.where(ABI.siteOf(I)));
}

static bool hasRules(const Layout &L) {
  return any_of(L.Slots, [](const SlotRun &Run) {
    return Run.Rule != SlotRule::Plain && Run.Rule != SlotRule::Union;
  });
}

/// The typed rescans of an instruction that overwrites objects of known layout.  Size: the bytes
/// written if the instruction says so, else null.  From: where they are copied from.  False if
/// there is nothing typed to do.
bool BarrierInserter::rescanRecords(Instruction &I, Value *Size, Value *From) {
  auto Found = Facts.RecordWrites.find(&I);
  if (Found == Facts.RecordWrites.end())
    return false;
  for (const RecordWrite &W : Found->second) {
    if (!W.Base || !(isTracked(W.Base) || isExposed(W.Base)) || W.Shape->Size == 0)
      continue;
    auto *Bytes = dyn_cast_or_null<ConstantInt>(Size);
    // Part of an object: the type does not say which part.
    if (Bytes && Bytes->getZExtValue() < W.Shape->Size)
      return false;
    forEachPointAfter(I, false, [&](IRBuilder<> &B) {
      Value *Extent = Size ? B.CreateZExtOrTrunc(Size, ABI.sizeType()) : ABI.size(W.Shape->Size);
      Constant *Where = ABI.where(ABI.siteOf(I));
      bool IsStart = W.IsStart && From && !(Bytes && Bytes->getZExtValue() == W.Shape->Size);
      if (isResult(W.Base))
        Emit.range(B, Entry::Rescan, {W.Base, Extent});
      else if (IsStart)
        Emit.range(B, Entry::RescanCopied, {W.Base, From, Extent, W.Type, Where});
      else if (W.Shape->IsExact)
        Emit.range(B, Entry::RescanSlots,
                   {W.Base, Extent, W.Type, hasRules(*W.Shape) ? Where : ABI.null()});
      else
        Emit.range(B, Entry::RescanTyped, {W.Base, Extent, W.Type, Where});
    });
  }
  return true;
}

/// The barrier of a copy of records without annotated slots, if it is known which of their words
/// may hold pointers.
bool BarrierInserter::rescanWords(Instruction &I, Value *Address, Value *Size) {
  std::optional<Layout> Shape = copiedShape(I);
  if (!Shape)
    return false;
  auto *Bytes = dyn_cast<ConstantInt>(Size);
  bool IsOne = Bytes && Bytes->getZExtValue() == Shape->Size;
  if (Shape->Bytes.empty())
    return true;
  if (IsOne && Shape->Bytes.size() == 1) {
    const SlotRun &Run = Shape->Bytes.front();
    IRBuilder<> B(&I);
    Emit.rescanAfter(I, addressAt(B, Address, Run.Offset),
                     ABI.size(uint64_t(Run.Count) * Run.Stride), Align(Shape->Align));
    return true;
  }
  Constant *Type = ABI.type(*Shape);
  forEachPointAfter(I, false, [&](IRBuilder<> &B) {
    Emit.range(B, Entry::RescanSlots,
               {Address, B.CreateZExtOrTrunc(Size, ABI.sizeType()), Type, ABI.null()});
  });
  return true;
}

/// The local with annotated slots that Address points to byte Offset of, or null.
const LocalLayout *BarrierInserter::localOf(Value *Address, uint64_t &Offset) const {
  APInt Distance(DL.getIndexTypeSizeInBits(Address->getType()), 0);
  auto Found =
      Facts.LocalLayouts.find(Address->stripAndAccumulateConstantOffsets(DL, Distance, true));
  Offset = Distance.getZExtValue();
  return Found == Facts.LocalLayouts.end() ? nullptr : &Found->second;
}

/// Bytes at Address, in an exposed local, have been written: its annotated slots obey their rules.
/// So whoever gets the local's address can rely on them.
void BarrierInserter::checkLocal(Instruction &I, IRBuilder<> &B, Value *Address, uint64_t Bytes) {
  uint64_t Begin;
  const LocalLayout *Local = localOf(Address, Begin);
  if (!Local)
    return;
  for (const SlotRun &Run : Local->Shape.Slots) {
    if (Run.Rule == SlotRule::Plain || Run.Rule == SlotRule::Union)
      continue;
    for (uint64_t Index = 0; Index < Run.Count; ++Index) {
      uint64_t Offset = Run.Offset + Index * Run.Stride;
      if (Offset < Begin || Offset + DL.getPointerSize() > Begin + Bytes)
        continue;
      Value *Slot = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Address, Offset - Begin);
      Emit.check(B, Slot, B.CreateLoad(ABI.pointerType(), Slot), Run.Rule, whereOf(I, *Local));
    }
  }
}

void BarrierInserter::visitExposedStore(StoreInst &S, SlotRule Rule) {
  Value *Slot = S.getPointerOperand(), *New = S.getValueOperand();
  uint64_t Offset, Bytes = DL.getTypeStoreSize(New->getType()).getKnownMinValue();
  if (Rule == SlotRule::Plain && rescanRecords(S, nullptr))
    return;
  bool IsWord = (New->getType()->isPointerTy() || New->getType()->isIntegerTy()) &&
                Bytes == DL.getPointerSize();
  if (!IsWord)
    return forEachPointAfter(S, false, [&](IRBuilder<> &B) { checkLocal(S, B, Slot, Bytes); });
  Emit.noteAfter(S, Slot, New);
  if (const LocalLayout *Local = Rule == SlotRule::Plain ? localOf(Slot, Offset) : nullptr)
    if (const SlotRun *Run = Local->Shape.slotAt(Offset))
      Rule = Run->Rule;
  if (Rule != SlotRule::Plain && Rule != SlotRule::Union)
    check(S, Slot, New, Rule);
}

/// Size bytes at Destination, in an exposed local, are overwritten by I.
void BarrierInserter::visitExposedCopy(Instruction &I, Value *Destination, Value *Size) {
  if (rescanRecords(I, Size))
    return;
  uint64_t Offset;
  const LocalLayout *Local = localOf(Destination, Offset);
  auto *Bytes = dyn_cast<ConstantInt>(Size);
  if (!Local || !Bytes)
    return;
  forEachPointAfter(I, false, [&](IRBuilder<> &B) {
    if (Offset == 0 && Bytes->getZExtValue() == Local->Shape.Size) {
      Entry E = Local->Shape.IsExact ? Entry::RescanSlots : Entry::RescanTyped;
      Emit.range(B, E, {Destination, Bytes, Local->Type, whereOf(I, *Local)});
    } else {
      checkLocal(I, B, Destination, Bytes->getZExtValue());
    }
  });
}

/// An x87 number leaves the last bytes of its place in a union as they were, perhaps those of a
/// pointer, though they are part of no value any more: they are cleared.  Returns how large the
/// place is.
static uint64_t clearTail(StoreInst &S, const DataLayout &DL) {
  Type *T = S.getValueOperand()->getType();
  const uint64_t Stored = DL.getTypeStoreSize(T).getFixedValue(),
                 Place = DL.getTypeAllocSize(T).getFixedValue();
  IRBuilder<> B(&S);
  Value *Tail = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), S.getPointerOperand(), Stored);
  B.CreateAlignedStore(B.getIntN(8 * (Place - Stored), 0), Tail,
                       commonAlignment(S.getAlign(), Stored));
  return Place;
}

void BarrierInserter::visitStore(StoreInst &S) {
  Value *Slot = S.getPointerOperand(), *New = S.getValueOperand();
  SlotRule Rule = ruleOfStore(S, Slot);
  bool IsUnion = Rule == SlotRule::Union;
  if (Rule == SlotRule::Numbers || (!mayCarryPointer(S) && !IsUnion))
    return;
  if (!isTracked(Slot)) {
    ++PrivateStores;
    if (isExposed(Slot))
      visitExposedStore(S, Rule);
    return;
  }
  Type *T = New->getType();
  uint64_t Bytes = DL.getTypeStoreSize(T).getKnownMinValue();
  if (IsUnion && T->isX86_FP80Ty())
    Bytes = clearTail(S, DL);
  bool IsWord = (T->isPointerTy() || T->isIntegerTy()) && Bytes == DL.getPointerSize();
  if (Rule == SlotRule::Plain && rescanRecords(S, nullptr))
    return;
  if (!IsUnion && Rule != SlotRule::Plain && IsWord && !isResult(Slot))
    return check(S, Slot, New, Rule);
  // Some bytes of a slot: what the whole of it holds now is for a search to say.
  if (IsUnion && Bytes < DL.getPointerSize())
    return Emit.rescanAfter(S, Slot, ABI.size(Bytes), S.getAlign());
  if (IsWord && (S.isVolatile() || S.isAtomic()))
    return Emit.rereadAfter(S, Slot);
  if (IsWord)
    return Emit.storeAfter(S, Slot, New);
  Emit.rescanAfter(S, Slot, ABI.size(Bytes), S.getAlign());
}

/// An exchange or compare-exchange: what it leaves in the slot is known only to the slot.
void BarrierInserter::visitAtomic(Instruction &I, Value *Slot, Value *New) {
  Type *T = New->getType();
  uint64_t Bytes = DL.getTypeStoreSize(T).getFixedValue();
  if (T->isFPOrFPVectorTy() || Bytes < DL.getPointerSize())
    return;
  SlotRule Rule = ruleOfStore(I, Slot);
  bool IsWord = Bytes == DL.getPointerSize(),
       HasRule = Rule != SlotRule::Plain && Rule != SlotRule::Union;
  if (!isTracked(Slot) && !(HasRule && isExposed(Slot)))
    return;
  if (Rule != SlotRule::Plain && Rule != SlotRule::Union && IsWord)
    check(I, Slot, New, Rule);
  else if (IsWord)
    Emit.rereadAfter(I, Slot);
  else
    Emit.rescanAfter(I, Slot, ABI.size(Bytes));
}

/// The slot at Offset of what Copy copies from.  If the source's layout is known, what is read
/// obeys its rule.
Value *BarrierInserter::loadCopied(IRBuilder<> &B, AnyMemTransferInst &Copy,
                                   const CopiedSlot &Slot) {
  Align Alignment = commonAlignment(Copy.getSourceAlign().valueOrOne(), Slot.Offset);
  LoadInst *Load = B.CreateAlignedLoad(
      ABI.pointerType(), addressAt(B, Copy.getRawSource(), Slot.Offset), Alignment, "acre.copied");
  auto Found = Facts.RecordReads.find(&Copy);
  const SlotRun *Run =
      Found == Facts.RecordReads.end() ? nullptr : Found->second->slotAt(Slot.Offset);
  if (Run && !isHandleRule(Run->Rule))
    setSlotRule(*Load, Run->Rule);
  return Load;
}

/// A record copied slot by slot: each annotated slot is checked, each other one counted.
bool BarrierInserter::visitAggregateCopy(AnyMemTransferInst &I) {
  Value *Base = I.getRawDest();
  uint64_t Offset;
  const LocalLayout *Local = localOf(Base, Offset);
  auto Found = Facts.RecordWrites.find(&I);
  const Layout *Shape = Local && Offset == 0 ? &Local->Shape : nullptr;
  if (Found != Facts.RecordWrites.end())
    Shape = Found->second.size() == 1 && Found->second.front().Base == Base
                ? Found->second.front().Shape
                : nullptr;
  std::optional<AggregateCopy> Parts;
  if (Shape)
    Parts = splitCopy(I, *Shape);
  else if (Found == Facts.RecordWrites.end() && !Local)
    // An assignment of a record with annotated slots would have been marked.
    Parts = splitUnannotatedCopy(I);
  if (!Parts)
    return false;
  for (const CopiedSlot &Slot : Parts->Slots) {
    IRBuilder<> B(&I);
    Value *New = loadCopied(B, I, Slot), *Address = addressAt(B, Base, Slot.Offset);
    if (Slot.Rule != SlotRule::Plain && !isResult(Base))
      check(I, Address, New, Slot.Rule);
    else if (isTracked(Base))
      Emit.storeAfter(I, Address, New);
  }
  // The function that copies may not know the type, and so its alignment.
  Align Known = std::max(I.getDestAlign().valueOrOne(), Shape ? Align(Shape->Align) : Align());
  for (const CopiedBytes &Bytes : Parts->Others)
    if (isTracked(Base)) {
      IRBuilder<> B(&I);
      Emit.rescanAfter(I, addressAt(B, Base, Bytes.Offset), ABI.size(Bytes.Size),
                       commonAlignment(Known, Bytes.Offset));
    }
  return true;
}

/// A private copy of a record: its slots are copied one by one, so that each value keeps the rule
/// that it obeyed.
void BarrierInserter::visitPrivateCopy(AnyMemTransferInst &I) {
  auto Found = Facts.RecordReads.find(&I);
  std::optional<AggregateCopy> Parts;
  if (Found != Facts.RecordReads.end())
    Parts = splitCopy(I, *Found->second);
  if (!Parts || Stack.isStack(I.getRawSource()))
    return;
  for (const CopiedSlot &Slot : Parts->Slots) {
    if (Slot.Rule == SlotRule::Plain || isHandleRule(Slot.Rule))
      continue;
    IRBuilder<> B(&I);
    Value *Copied = loadCopied(B, I, Slot);
    B.SetInsertPoint(I.getNextNode());
    B.CreateAlignedStore(Copied, addressAt(B, I.getRawDest(), Slot.Offset),
                         commonAlignment(I.getDestAlign().valueOrOne(), Slot.Offset));
  }
}

void BarrierInserter::visitMemIntrinsic(AnyMemIntrinsic &I) {
  if (slotRule(I) == SlotRule::Numbers)
    return;
  Value *Destination = I.getRawDest(), *Size = I.getLength();
  auto *Transfer = dyn_cast<AnyMemTransferInst>(&I);
  bool IsSplit =
      Transfer && !F.hasOptNone() && !F.hasMinSize() && !isConstantSource(Transfer->getRawSource());
  if (IsSplit && Stack.isPrivate(Destination))
    return visitPrivateCopy(*Transfer);
  if (IsSplit && (isTracked(Destination) || isExposed(Destination)) &&
      visitAggregateCopy(*Transfer))
    return;
  if (!isTracked(Destination)) {
    if (Transfer && isExposed(Destination) && !isConstantSource(Transfer->getRawSource()))
      visitExposedCopy(I, Destination, Size);
    return;
  }
  auto *Bytes = dyn_cast<ConstantInt>(Size);
  if (Bytes && Bytes->getZExtValue() < DL.getPointerSize())
    return;
  // A byte repeated is no address in the window.
  if (!Transfer || isConstantSource(Transfer->getRawSource()))
    return Emit.releaseAfter(I, Destination, Size);
  if (rescanRecords(I, Size, Transfer->getRawSource()) || copiesOnlyNumbers(I, 0, UINT64_MAX) ||
      rescanWords(I, Destination, Size))
    return;
  Emit.rescanAfter(I, Destination, Size, I.getDestAlign().valueOrOne());
}

bool BarrierInserter::visitCopier(CallBase &Call) {
  std::optional<Copier> Known = copierOf(Call);
  if (!Known)
    return false;
  if (slotRule(Call) == SlotRule::Numbers)
    return true;
  const Copier C = *Known;
  Value *Destination = Call.getArgOperand(C.Destination), *Size = Call.getArgOperand(C.Size);
  if (!isTracked(Destination)) {
    if (C.Kind == CopierKind::Copy && C.Unit == 1 && isExposed(Destination))
      visitExposedCopy(Call, Destination, Size);
    return true;
  }
  // What follows the call cannot run before a guaranteed tail call's caller is gone.
  if (auto *Tail = dyn_cast<CallInst>(&Call); Tail && Tail->isMustTailCall())
    Tail->setTailCallKind(CallInst::TCK_None);
  IRBuilder<> Before(&Call);
  if (C.Unit > 1)
    Size = Before.CreateMul(Before.CreateZExtOrTrunc(Size, ABI.sizeType()), ABI.size(C.Unit));
  if (C.Kind == CopierKind::Fill) {
    Emit.releaseAfter(Call, Destination, Size);
  } else if (C.Kind == CopierKind::UpTo) {
    forEachPointAfter(Call, false, [&](IRBuilder<> &B) {
      Value *End = B.CreatePtrToInt(&Call, ABI.sizeType());
      Value *Written = B.CreateSub(End, B.CreatePtrToInt(Destination, ABI.sizeType()));
      // The last word may have got a part, of a pointer whose other bytes are there already.
      Written = B.CreateAdd(Written, ABI.size(DL.getPointerSize() - 1));
      Value *Extent =
          B.CreateSelect(B.CreateIsNull(&Call), B.CreateZExtOrTrunc(Size, ABI.sizeType()), Written);
      Emit.range(B, Entry::Rescan, {Destination, Extent});
    });
  } else if (!rescanRecords(Call, Size, Call.getArgOperand(C.Destination == 0 ? 1 : 0)) &&
             !(C.Unit == 1 && rescanWords(Call, Destination, Size))) {
    Emit.rescanAfter(Call, Destination, Size);
  }
  return true;
}

/// Functions of the C library that store a pointer for their caller.
void BarrierInserter::visitSetter(CallBase &Call) {
  for (auto [Index, Bytes] : filledSlots(Call)) {
    Value *Slot = Call.getArgOperand(Index);
    if (isa<ConstantPointerNull>(Slot) || !isTracked(Slot))
      continue;
    forEachPointAfter(Call, false, [&](IRBuilder<> &B) {
      Value *Extent = B.CreateSelect(B.CreateIsNull(Slot), ABI.size(0), ABI.size(Bytes));
      Emit.range(B, Entry::Rescan, {Slot, Extent});
    });
  }
}

/// libatomic: what is written is looked at in memory.
bool BarrierInserter::visitAtomicLibrary(CallBase &Call) {
  std::optional<AtomicWrite> Known = atomicWrite(Call);
  if (!Known)
    return false;
  Value *Size = Known->Bytes ? ABI.size(Known->Bytes) : Call.getArgOperand(0);
  if (auto *Bytes = dyn_cast<ConstantInt>(Size);
      Bytes && Bytes->getZExtValue() < DL.getPointerSize())
    return true;
  if (rescanRecords(Call, Size))
    return true;
  for (unsigned Index : Known->Written)
    if (Index < Call.arg_size() && Call.getArgOperand(Index)->getType()->isPointerTy() &&
        isTracked(Call.getArgOperand(Index)))
      Emit.rescanAfter(Call, Call.getArgOperand(Index), Size);
  return true;
}

/// Memory outputs of inline assembly.
void BarrierInserter::visitAsm(CallBase &Call) {
  SlotRule Rule = slotRule(Call);
  for (const AsmOutput &Output : asmOutputs(Call)) {
    Value *Address = Call.getArgOperand(Output.Argument);
    if (!isTracked(Address) || !containsPointer(Output.T))
      continue;
    if (!Output.T->isPointerTy())
      Emit.rescanAfter(Call, Address, ABI.size(DL.getTypeStoreSize(Output.T).getKnownMinValue()));
    else if (Rule == SlotRule::Plain)
      Emit.rereadAfter(Call, Address);
    else
      // What the assembly wrote is known only afterwards.
      forEachPointAfter(Call, false, [&](IRBuilder<> &B) {
        Value *Written = B.CreateLoad(Output.T, Address);
        Emit.check(B, Address, Written, Rule, ABI.where(ABI.siteOf(Call)));
      });
  }
}

/// The type of a vector whose lanes are as wide as a pointer, and may be some; null of others.
static FixedVectorType *pointerLanes(const Value &Stored, const DataLayout &DL) {
  auto *T = dyn_cast<FixedVectorType>(Stored.getType());
  bool MayBe = T && !isa<Constant>(Stored) &&
               DL.getTypeSizeInBits(T->getElementType()) == DL.getPointerSizeInBits();
  return MayBe ? T : nullptr;
}

/// Masked and scattered vector stores.  Only the lanes written are reread; a lane not written may
/// have no memory.
void BarrierInserter::visitMasked(IntrinsicInst &I) {
  Value *Stored = I.getArgOperand(0), *Address = I.getArgOperand(1),
        *Mask = I.getArgOperand(I.arg_size() - 1);
  auto *T = pointerLanes(*Stored, DL);
  if (!T)
    return;
  bool IsScatter = I.getIntrinsicID() == Intrinsic::masked_scatter;
  bool IsCompressed = I.getIntrinsicID() == Intrinsic::masked_compressstore;
  if (!IsScatter && !isTracked(Address))
    return;
  IRBuilder<> B(I.getNextNode());
  B.SetCurrentDebugLocation(I.getDebugLoc());
  if (IsCompressed) {
    Value *Lanes = B.CreateAddReduce(B.CreateZExt(Mask, T->getWithNewType(ABI.sizeType())));
    Emit.range(B, Entry::Rescan, {Address, B.CreateMul(Lanes, ABI.size(DL.getPointerSize()))});
    return;
  }
  for (unsigned Lane = 0; Lane < T->getNumElements(); ++Lane)
    rescanLane(B,
               IsScatter ? B.CreateExtractElement(Address, Lane)
                         : B.CreateConstGEP1_64(ABI.pointerType(), Address, Lane),
               B.CreateExtractElement(Mask, Lane));
}

/// A range of no bytes stands for a lane that was not written.
void BarrierInserter::rescanLane(IRBuilder<> &B, Value *Slot, Value *IsWritten) {
  Value *Bytes = B.CreateSelect(IsWritten, ABI.size(DL.getPointerSize()), ABI.size(0));
  Emit.range(B, Entry::Rescan, {Slot, Bytes});
}

/// The same of x86's own: AVX's masked stores, whose mask is the sign of each lane, and the
/// scatters of AVX-512, of a base and a vector of offsets.
void BarrierInserter::visitMaskedOfMachine(IntrinsicInst &I) {
  StringRef Name = I.getCalledFunction()->getName();
  bool IsScatter = Name.starts_with("llvm.x86.avx512.mask.scatter");
  if (!IsScatter && !Name.starts_with("llvm.x86.avx.maskstore.pd") &&
      !Name.starts_with("llvm.x86.avx2.maskstore.q"))
    return;
  Value *Address = I.getArgOperand(0), *Mask = I.getArgOperand(1),
        *Stored = I.getArgOperand(IsScatter ? 3 : 2);
  auto *T = pointerLanes(*Stored, DL);
  if (!T || (!IsScatter && !isTracked(Address)))
    return;
  IRBuilder<> B(I.getNextNode());
  B.SetCurrentDebugLocation(I.getDebugLoc());
  for (unsigned Lane = 0; Lane < T->getNumElements(); ++Lane) {
    Value *OfLane = B.CreateExtractElement(Mask, Lane);
    if (!IsScatter) {
      rescanLane(B, B.CreateConstGEP1_64(ABI.pointerType(), Address, Lane),
                 B.CreateICmpSLT(OfLane, ConstantInt::get(OfLane->getType(), 0)));
      continue;
    }
    Value *Index = B.CreateExtractElement(I.getArgOperand(2), Lane),
          *Scale = B.CreateZExt(I.getArgOperand(4), ABI.sizeType());
    Value *Offset = B.CreateMul(B.CreateSExt(Index, ABI.sizeType()), Scale);
    rescanLane(B, B.CreateGEP(B.getInt8Ty(), Address, Offset), OfLane);
  }
}

void BarrierInserter::visitCall(CallBase &Call) {
  if (Call.isInlineAsm())
    return visitAsm(Call);
  if (auto *I = dyn_cast<IntrinsicInst>(&Call)) {
    if (isMaskedStore(*I))
      visitMasked(*I);
    else
      visitMaskedOfMachine(*I);
    return;
  }
  if (Function *Callee = Call.getCalledFunction();
      Callee && Callee->getName().starts_with("acre_rt_"))
    return;
  if (visitCopier(Call) || visitAtomicLibrary(Call))
    return;
  visitSetter(Call);
  // A result in memory is a store of the callee, which counts it there.  Once the call has returned
  // it is a local like any other.
  for (unsigned Index = 0; Index < Call.arg_size(); ++Index) {
    if (!Call.paramHasAttr(Index, Attribute::StructRet))
      continue;
    Value *Memory = Call.getArgOperand(Index);
    uint64_t Bytes = DL.getTypeAllocSize(Call.getParamStructRetType(Index)).getFixedValue();
    if (Stack.isPrivate(Memory))
      Emit.releaseAfter(Call, Memory, ABI.size(Bytes));
    else if (isExposed(Memory))
      forEachPointAfter(Call, false, [&](IRBuilder<> &B) { checkLocal(Call, B, Memory, Bytes); });
  }
  // The result is stored by the callee, which may be uninstrumented.
  if (Facts.RecordWrites.contains(&Call))
    rescanRecords(Call, nullptr);
}

void BarrierInserter::visit(Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I))
    visitStore(*S);
  else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    visitAtomic(I, RMW->getPointerOperand(), RMW->getValOperand());
  else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
    visitAtomic(I, X->getPointerOperand(), X->getNewValOperand());
  else if (auto *Mem = dyn_cast<AnyMemIntrinsic>(&I))
    visitMemIntrinsic(*Mem);
  else if (auto *Call = dyn_cast<CallBase>(&I))
    visitCall(*Call);
}

unsigned BarrierInserter::run() {
  SmallVector<Instruction *, 64> Work;
  for (Instruction &I : instructions(F))
    if (isa<StoreInst, AtomicRMWInst, AtomicCmpXchgInst, CallBase>(I))
      Work.push_back(&I);
  for (Instruction *I : Work)
    visit(*I);
  for (Argument &A : F.args())
    if (A.hasByValAttr() && isExposed(&A)) {
      Instruction &First = *F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
      IRBuilder<> B(&First);
      checkLocal(First, B, &A, DL.getTypeAllocSize(A.getParamByValType()).getFixedValue());
    }
  return Emit.count();
}

} // namespace

unsigned insertBarriers(Function &F, RuntimeABI &ABI, const StackObjects &Stack,
                        const MarkerFacts &Facts) {
  return BarrierInserter(F, ABI, Stack, Facts).run();
}

} // namespace acre
