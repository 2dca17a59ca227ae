//===- Barriers.cpp - Records follow every pointer that reaches memory ----===//
#include "pass/insert/Barriers.h"
#include "pass/base/Library.h"
#include "pass/insert/AggregateCopies.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(StoreBarriers, "Barriers of single pointer stores");
STATISTIC(RangeBarriers, "Barriers of copies and fills");
STATISTIC(RuleChecks, "Checks of annotated stores");
STATISTIC(PrivateStores, "Pointer stores to private stack objects, which need none");

namespace acre {

void forEachPointAfter(Instruction &I, bool IncludeUnwind, function_ref<void(IRBuilder<> &)> Emit) {
  if (!I.isTerminator()) {
    IRBuilder<> B(I.getNextNode());
    B.SetCurrentDebugLocation(I.getDebugLoc());
    Emit(B);
    return;
  }
  BasicBlock *From = I.getParent();
  SmallSetVector<BasicBlock *, 4> Targets;
  for (BasicBlock *Next : successors(From))
    if (IncludeUnwind || !Next->isEHPad())
      Targets.insert(Next);
  for (BasicBlock *Target : Targets) {
    BasicBlock *At = Target;
    if (!Target->getUniquePredecessor())
      At = Target->isEHPad() ? nullptr : SplitBlockPredecessors(Target, {From}, ".acre");
    if (!At) {
      SmallVector<BasicBlock *, 2> Pads;
      SplitLandingPadPredecessors(Target, {From}, ".acre", ".other", Pads);
      At = Pads.front();
    }
    IRBuilder<> B(At, At->getFirstInsertionPt());
    B.SetCurrentDebugLocation(I.getDebugLoc());
    Emit(B);
  }
}

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

class BarrierInserter {
public:
  BarrierInserter(Function &Fn, RuntimeABI &Runtime, const StackObjects &Objects,
                  const MarkerFacts &Known)
      : F(Fn), DL(Fn.getDataLayout()), ABI(Runtime), Stack(Objects), Facts(Known),
        Result(privateResult(Fn)) {}
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
  void visitAsm(CallBase &Call);
  bool visitCopier(CallBase &Call);
  bool visitAtomicLibrary(CallBase &Call);
  void visitSetter(CallBase &Call);

  bool isTracked(Value *Address) const;
  bool isExposed(Value *Address) const;
  bool isResult(Value *Address) const;
  bool mayCarryPointer(const StoreInst &S) const;
  Value *windowValue(IRBuilder<> &B, Value *V);
  void check(Instruction &I, Value *Slot, Value *New, SlotRule Rule);
  void emitCheck(IRBuilder<> &B, Value *Slot, Value *New, SlotRule Rule, Constant *Where);
  void storeAfter(Instruction &I, Value *Slot, Value *New);
  void rereadAfter(Instruction &I, Value *Slot);
  void rescanAfter(Instruction &I, Value *Address, Value *Size, Align Known = Align());
  void releaseAfter(Instruction &I, Value *Address, Value *Size);
  bool rescanRecords(Instruction &I, Value *Size, Value *From = nullptr);
  bool rescanWords(Instruction &I, Value *Address, Value *Size);
  Constant *null() { return ConstantPointerNull::get(ABI.pointerType()); }
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
  const Value *Result; ///< the memory of this function's result, before any barrier uses its
                       ///< address; or null
  unsigned Count = 0;
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

/// What the code generator makes an integer of although the source has a pointer: arguments and
/// results that travel in integer registers, and the operands of atomic operations.
static bool isOpaqueSource(const Value *V) {
  while (auto *E = dyn_cast<ExtractValueInst>(V))
    V = E->getAggregateOperand();
  if (auto *L = dyn_cast<LoadInst>(V))
    return L->isAtomic();
  if (auto *Call = dyn_cast<CallBase>(V))
    return !isa<IntrinsicInst>(Call);
  return isa<Argument, AtomicRMWInst, AtomicCmpXchgInst>(V);
}

/// Whether V is a vector, or a word taken from one: programs copy memory in such pieces, whatever
/// is in it.
static bool carriesAnything(const Value &V) {
  bool IsPiece = isa<FixedVectorType>(V.getType()) || isa<ExtractElementInst>(V);
  return IsPiece && !isa<Constant>(V) &&
         V.getType()->getPrimitiveSizeInBits() >= 8 * sizeof(uint64_t);
}

bool BarrierInserter::mayCarryPointer(const StoreInst &S) const {
  Type *T = S.getValueOperand()->getType();
  if (containsPointer(T) || carriesAnything(*S.getValueOperand()))
    return true;
  if (T->isFPOrFPVectorTy() || !mayHoldPointer(T, DL) ||
      DL.getTypeStoreSize(T).getKnownMinValue() < DL.getPointerSize())
    return false;
  // A store with an access type is an assignment of the source, and its type is no pointer.
  return S.isAtomic() ||
         (isOpaqueSource(S.getValueOperand()) && !S.getMetadata(LLVMContext::MD_tbaa));
}

/// V if it may point into a region, null otherwise.  The runtime does the same with both, but null
/// costs less.
Value *BarrierInserter::windowValue(IRBuilder<> &B, Value *V) {
  auto *Null = ConstantPointerNull::get(ABI.pointerType());
  if (V->getType()->isIntegerTy())
    return isa<Constant>(V) ? static_cast<Value *>(Null) : B.CreateIntToPtr(V, ABI.pointerType());
  return isOutsideRegions(V) ? static_cast<Value *>(Null) : V;
}

void BarrierInserter::check(Instruction &I, Value *Slot, Value *New, SlotRule Rule) {
  IRBuilder<> B(&I);
  if (New->getType()->isIntegerTy())
    New = B.CreateIntToPtr(New, ABI.pointerType());
  // Null satisfies every rule; the address of a local or global satisfies "traditional".
  if (isa<ConstantPointerNull, UndefValue>(New) ||
      (Rule == SlotRule::Traditional && isa<ConstantPointerNull>(windowValue(B, New))))
    return;
  uint64_t Offset;
  const LocalLayout *Local = localOf(Slot, Offset);
  emitCheck(B, Slot, New, Rule, Local ? whereOf(I, *Local) : ABI.where(ABI.siteOf(I)));
}

void BarrierInserter::emitCheck(IRBuilder<> &B, Value *Slot, Value *New, SlotRule Rule,
                                Constant *Where) {
  ++RuleChecks;
  ++Count;
  if (isHandleRule(Rule))
    ABI.call(B, Entry::CheckHandle, {Slot, New, B.getInt32(static_cast<uint32_t>(Rule)), Where});
  else if (Rule == SlotRule::Traditional)
    ABI.call(B, Entry::CheckTraditional, {New, Where});
  else
    ABI.call(B, Rule == SlotRule::Sameregion ? Entry::CheckSameregion : Entry::CheckParentptr,
             {Slot, New, Where});
}

void BarrierInserter::storeAfter(Instruction &I, Value *Slot, Value *New) {
  forEachPointAfter(I, false, [&](IRBuilder<> &B) {
    ABI.call(B, Entry::Store, {Slot, windowValue(B, New)});
    ++StoreBarriers;
    ++Count;
  });
}

void BarrierInserter::rereadAfter(Instruction &I, Value *Slot) {
  forEachPointAfter(I, false, [&](IRBuilder<> &B) {
    ABI.call(B, Entry::Reread, {Slot});
    ++StoreBarriers;
    ++Count;
  });
}

/// Known: how Address is aligned, which lowering makes use of.
void BarrierInserter::rescanAfter(Instruction &I, Value *Address, Value *Size, Align Known) {
  forEachPointAfter(I, false, [&](IRBuilder<> &B) {
    CallInst *Call =
        ABI.call(B, Entry::Rescan, {Address, B.CreateZExtOrTrunc(Size, ABI.sizeType())});
    if (Known > Align())
      Call->addParamAttr(0, Attribute::getWithAlignment(F.getContext(), Known));
    ++RangeBarriers;
    ++Count;
  });
}

void BarrierInserter::releaseAfter(Instruction &I, Value *Address, Value *Size) {
  forEachPointAfter(I, false, [&](IRBuilder<> &B) {
    ABI.call(B, Entry::Release, {Address, B.CreateZExtOrTrunc(Size, ABI.sizeType())});
    ++RangeBarriers;
    ++Count;
  });
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
        ABI.call(B, Entry::Rescan, {W.Base, Extent});
      else if (IsStart)
        ABI.call(B, Entry::RescanCopied, {W.Base, From, Extent, W.Type, Where});
      else if (W.Shape->IsExact)
        ABI.call(B, Entry::RescanSlots,
                 {W.Base, Extent, W.Type, hasRules(*W.Shape) ? Where : null()});
      else
        ABI.call(B, Entry::RescanTyped, {W.Base, Extent, W.Type, Where});
      ++RangeBarriers;
      ++Count;
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
    rescanAfter(I, addressAt(B, Address, Run.Offset), ABI.size(uint64_t(Run.Count) * Run.Stride),
                Align(Shape->Align));
    return true;
  }
  Constant *Type = ABI.type(*Shape);
  forEachPointAfter(I, false, [&](IRBuilder<> &B) {
    ABI.call(B, Entry::RescanSlots,
             {Address, B.CreateZExtOrTrunc(Size, ABI.sizeType()), Type, null()});
    ++RangeBarriers;
    ++Count;
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
      emitCheck(B, Slot, B.CreateLoad(ABI.pointerType(), Slot), Run.Rule, whereOf(I, *Local));
    }
  }
}

/// Whether Source is a constant: no region's address can be in it.
static bool isConstantSource(const Value *Source) {
  auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(Source));
  return G && G->isConstant();
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
      ABI.call(B, E, {Destination, Bytes, Local->Type, whereOf(I, *Local)});
      ++RangeBarriers;
      ++Count;
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
  SlotRule Rule = slotRule(S);
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
    return rescanAfter(S, Slot, ABI.size(Bytes), S.getAlign());
  if (IsWord && (S.isVolatile() || S.isAtomic()))
    return rereadAfter(S, Slot);
  if (IsWord)
    return storeAfter(S, Slot, New);
  rescanAfter(S, Slot, ABI.size(Bytes), S.getAlign());
}

/// An exchange or compare-exchange: what it leaves in the slot is known only to the slot.
void BarrierInserter::visitAtomic(Instruction &I, Value *Slot, Value *New) {
  Type *T = New->getType();
  uint64_t Bytes = DL.getTypeStoreSize(T).getFixedValue();
  if (T->isFPOrFPVectorTy() || Bytes < DL.getPointerSize())
    return;
  SlotRule Rule = slotRule(I);
  bool IsWord = Bytes == DL.getPointerSize(),
       HasRule = Rule != SlotRule::Plain && Rule != SlotRule::Union;
  if (!isTracked(Slot) && !(HasRule && isExposed(Slot)))
    return;
  if (Rule != SlotRule::Plain && Rule != SlotRule::Union && IsWord)
    check(I, Slot, New, Rule);
  else if (IsWord)
    rereadAfter(I, Slot);
  else
    rescanAfter(I, Slot, ABI.size(Bytes));
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
    Parts = splitPlainCopy(I);
  if (!Parts)
    return false;
  for (const CopiedSlot &Slot : Parts->Slots) {
    IRBuilder<> B(&I);
    Value *New = loadCopied(B, I, Slot), *Address = addressAt(B, Base, Slot.Offset);
    if (Slot.Rule != SlotRule::Plain && !isResult(Base))
      check(I, Address, New, Slot.Rule);
    else if (isTracked(Base))
      storeAfter(I, Address, New);
  }
  // The function that copies may not know the type, and so its alignment.
  Align Known = std::max(I.getDestAlign().valueOrOne(), Shape ? Align(Shape->Align) : Align());
  for (const CopiedBytes &Bytes : Parts->Others)
    if (isTracked(Base)) {
      IRBuilder<> B(&I);
      rescanAfter(I, addressAt(B, Base, Bytes.Offset), ABI.size(Bytes.Size),
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
    return releaseAfter(I, Destination, Size);
  if (rescanRecords(I, Size, Transfer->getRawSource()) || copiesOnlyNumbers(I, 0, UINT64_MAX) ||
      rescanWords(I, Destination, Size))
    return;
  rescanAfter(I, Destination, Size, I.getDestAlign().valueOrOne());
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
    releaseAfter(Call, Destination, Size);
  } else if (C.Kind == CopierKind::UpTo) {
    forEachPointAfter(Call, false, [&](IRBuilder<> &B) {
      Value *End = B.CreatePtrToInt(&Call, ABI.sizeType());
      Value *Written = B.CreateSub(End, B.CreatePtrToInt(Destination, ABI.sizeType()));
      Value *Extent =
          B.CreateSelect(B.CreateIsNull(&Call), B.CreateZExtOrTrunc(Size, ABI.sizeType()), Written);
      ABI.call(B, Entry::Rescan, {Destination, Extent});
      ++RangeBarriers;
      ++Count;
    });
  } else if (!rescanRecords(Call, Size, Call.getArgOperand(C.Destination == 0 ? 1 : 0)) &&
             !(C.Unit == 1 && rescanWords(Call, Destination, Size))) {
    rescanAfter(Call, Destination, Size);
  }
  return true;
}

/// Functions of the C library that store a pointer for their caller.
void BarrierInserter::visitSetter(CallBase &Call) {
  static constexpr struct {
    StringLiteral Name;
    unsigned Argument, Bytes;
  } Setters[] = {
#define ACRE_SETTER(Name, Argument, Bytes) {Name, Argument, Bytes},
#include "shared/library.def"
  };
  Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclarationForLinker())
    return;
  StringRef Called = GlobalValue::dropLLVMManglingEscape(Callee->getName());
  for (auto [Name, Index, Bytes] : Setters) {
    if (Called != Name || Index >= Call.arg_size() ||
        !Call.getArgOperand(Index)->getType()->isPointerTy())
      continue;
    Value *Slot = Call.getArgOperand(Index);
    if (isa<ConstantPointerNull>(Slot) || !isTracked(Slot))
      continue;
    forEachPointAfter(Call, false, [&](IRBuilder<> &B) {
      Value *Extent = B.CreateSelect(B.CreateIsNull(Slot), ABI.size(0), ABI.size(Bytes));
      ABI.call(B, Entry::Rescan, {Slot, Extent});
      ++RangeBarriers;
      ++Count;
    });
  }
}

/// libatomic: the generic functions take a size and addresses, the sized ones values.
bool BarrierInserter::visitAtomicLibrary(CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  if (!Name.consume_front("__atomic_") || Callee->isIntrinsic())
    return false;
  unsigned Sized = 0;
  auto [Stem, Suffix] = Name.rsplit('_');
  if (!Suffix.empty() && !Suffix.getAsInteger(10, Sized))
    Name = Stem;
  // Numbers of the arguments that are addresses of memory the call writes.
  SmallVector<unsigned, 2> Written;
  if (Sized)
    Written = Name == "load" ? SmallVector<unsigned, 2>{} : SmallVector<unsigned, 2>{0};
  else if (Name == "load")
    Written = {2};
  else if (Name == "store")
    Written = {1};
  else if (Name == "exchange")
    Written = {1, 3};
  else if (Name == "compare_exchange")
    Written = {1, 2};
  else
    return false;
  if (Sized && Name == "compare_exchange")
    Written.push_back(1);
  Value *Size = Sized ? ABI.size(Sized) : Call.getArgOperand(0);
  if (auto *Bytes = dyn_cast<ConstantInt>(Size);
      Bytes && Bytes->getZExtValue() < DL.getPointerSize())
    return true;
  if (rescanRecords(Call, Size))
    return true;
  for (unsigned Index : Written)
    if (Index < Call.arg_size() && Call.getArgOperand(Index)->getType()->isPointerTy() &&
        isTracked(Call.getArgOperand(Index)))
      rescanAfter(Call, Call.getArgOperand(Index), Size);
  return true;
}

/// Memory outputs of inline assembly.
void BarrierInserter::visitAsm(CallBase &Call) {
  auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  unsigned Argument = 0;
  SlotRule Rule = slotRule(Call);
  for (const InlineAsm::ConstraintInfo &Constraint : Asm->ParseConstraints()) {
    bool IsOutput = Constraint.Type == InlineAsm::isOutput;
    if (IsOutput && !Constraint.isIndirect)
      continue;
    if (!IsOutput && Constraint.Type != InlineAsm::isInput)
      continue;
    unsigned Index = Argument++;
    if (!IsOutput || Index >= Call.arg_size())
      continue;
    Type *T = Call.getParamElementType(Index);
    Value *Address = Call.getArgOperand(Index);
    if (!T || !isTracked(Address) || !containsPointer(T))
      continue;
    if (!T->isPointerTy())
      rescanAfter(Call, Address, ABI.size(DL.getTypeStoreSize(T).getKnownMinValue()));
    else if (Rule == SlotRule::Plain)
      rereadAfter(Call, Address);
    else
      // What the assembly wrote is known only afterwards.
      forEachPointAfter(Call, false, [&](IRBuilder<> &B) {
        Value *Written = B.CreateLoad(T, Address);
        emitCheck(B, Address, Written, Rule, ABI.where(ABI.siteOf(Call)));
      });
  }
}

/// Masked and scattered vector stores.  Only the lanes written are reread; a lane not written may
/// have no memory.
void BarrierInserter::visitMasked(IntrinsicInst &I) {
  Value *Stored = I.getArgOperand(0), *Address = I.getArgOperand(1),
        *Mask = I.getArgOperand(I.arg_size() - 1);
  auto *T = dyn_cast<FixedVectorType>(Stored->getType());
  if (!T || isa<Constant>(Stored) ||
      DL.getTypeSizeInBits(T->getElementType()) != DL.getPointerSizeInBits())
    return;
  bool IsScatter = I.getIntrinsicID() == Intrinsic::masked_scatter;
  bool IsCompressed = I.getIntrinsicID() == Intrinsic::masked_compressstore;
  if (!IsScatter && !isTracked(Address))
    return;
  IRBuilder<> B(I.getNextNode());
  B.SetCurrentDebugLocation(I.getDebugLoc());
  if (IsCompressed) {
    Value *Lanes = B.CreateAddReduce(B.CreateZExt(Mask, T->getWithNewType(ABI.sizeType())));
    ABI.call(B, Entry::Rescan, {Address, B.CreateMul(Lanes, ABI.size(DL.getPointerSize()))});
    return;
  }
  for (unsigned Lane = 0; Lane < T->getNumElements(); ++Lane) {
    Value *Slot = IsScatter ? B.CreateExtractElement(Address, Lane)
                            : B.CreateConstGEP1_64(ABI.pointerType(), Address, Lane);
    // A range of no bytes stands for a lane that was not written.
    Value *Bytes = B.CreateSelect(B.CreateExtractElement(Mask, Lane), ABI.size(DL.getPointerSize()),
                                  ABI.size(0));
    ABI.call(B, Entry::Rescan, {Slot, Bytes});
  }
  ++RangeBarriers;
  ++Count;
}

void BarrierInserter::visitCall(CallBase &Call) {
  if (Call.isInlineAsm())
    return visitAsm(Call);
  if (auto *I = dyn_cast<IntrinsicInst>(&Call)) {
    switch (I->getIntrinsicID()) {
    case Intrinsic::masked_store:
    case Intrinsic::masked_scatter:
    case Intrinsic::masked_compressstore:
      visitMasked(*I);
      break;
    default:
      break;
    }
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
      releaseAfter(Call, Memory, ABI.size(Bytes));
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
  return Count;
}

} // namespace

unsigned insertBarriers(Function &F, RuntimeABI &ABI, const StackObjects &Stack,
                        const MarkerFacts &Facts) {
  return BarrierInserter(F, ABI, Stack, Facts).run();
}

} // namespace acre
