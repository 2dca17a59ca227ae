// SPDX-License-Identifier: MIT
//===- Pins.cpp - Locals that are live across a deleting call -------------===//
//
// Each call that may delete gets the list of what must survive it: SSA values
// that may be pointers, and the parts of stack objects that are live, as ranges
// of bytes.  An object whose address somebody may have kept is listed as such to
// the end of its life: before it refuses a delete, the runtime looks whether
// anybody has the address.  All is written in one frame, shared by all such calls
// of the function, because calls of one activation do not overlap.
//
// longjmp can lead from any call of the program's to the return of a setjmp that is not the first.
// What is live there is therefore live at every deleting call that the setjmp reaches.
//
//===----------------------------------------------------------------------===//
#include "pass/insert/Pins.h"
#include "acre/abi.h"
#include "pass/base/CheckMode.h"
#include "pass/base/Liveness.h"
#include "pass/base/PointsAfter.h"
#include "pass/base/StackObjects.h"
#include "pass/insert/SetjmpReturns.h"
#include "shared/markers.h"
#include "versions/LLVM.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

namespace acre {

namespace {

/// Sizes that say how two words stand for one range.
constexpr uint64_t RangeToNext = ACRE_PIN_TO_NEXT, RangeEnd = ACRE_PIN_END;

/// Bytes [First, End) of an object; none if they are equal.
struct ByteRange {
  uint64_t First = 0, End = 0;
};

/// Something pinned at a call: a word, or the address of Size bytes (acre_rt_pin_entry).
struct PinnedWord {
  Value *V;
  std::string Name;
  uint64_t Size;
  bool IsKept = false;
  ByteRange Hole = {};
};

/// A part of a stack object that is live, or an object whose address somebody may have kept.
struct PinnedRange {
  Value *Object;
  uint64_t Offset, Size;
  bool IsKept;
  ByteRange Hole = {}; ///< of a kept object: no pointers of the program
};

/// A call of setjmp, and the blocks behind its own that longjmp leads to.
struct JumpTarget {
  CallBase *Call;
  SmallVector<const BasicBlock *, 2> Blocks;
};

class PinInserter {
public:
  PinInserter(Function &Fn, RuntimeABI &Runtime, AddressUses &Uses, const VariableNames &Names)
      : F(Fn), DL(Fn.getDataLayout()), ABI(Runtime), Tree(Fn), Addresses(Uses) {
    for (auto &[V, Name] : Names)
      if (V)
        KnownNames.try_emplace(V, Name);
  }
  unsigned run();

private:
  struct DeletingCall {
    DeletingCall(CallBase *Calling, Site Where) : Call(Calling), At(std::move(Where)) {}
    CallBase *Call;
    Site At;
    SmallSetVector<Value *, 8> Values;
    SmallVector<PinnedRange, 4> Ranges;
    /// Memory of dynamic size whose place is known, and whether it is only kept.
    SmallVector<std::pair<AllocaInst *, bool>, 2> Dynamic;
    bool HasAllDynamic = false; ///< the frame's memory of dynamic size is pinned as a whole
    bool MayJump = true;        ///< it, or what is called behind it, may lead to a setjmp
    SmallVector<PinnedWord, 8> Words;
  };

  void collectCalls();
  void collectLive();
  void collectObject(Value &Object, const NeedlessUses &Ignored);
  void collectDynamic(AllocaInst &Made, const NeedlessUses &Ignored);
  ByteRange jumpBufferIn(const Value &Object) const;
  ObjectLiveness::Parts liveAt(const ObjectLiveness &L, const DeletingCall &D) const;
  bool isKeptAt(const ObjectLiveness &L, const DeletingCall &D) const {
    return L.isKeptAt(*D.Call) || (!Setjmps.empty() && L.isEverKept());
  }
  void findJumps();
  bool isReachable(const JumpTarget &From, const DeletingCall &D) const;
  bool isLive(const Liveness &L, const DeletingCall &D) const;
  Value *availableAt(Value *V, CallBase &At);
  void addWords(DeletingCall &D, IRBuilder<> &B, Value *V, const std::string &Name);
  void addRange(DeletingCall &D, IRBuilder<> &B, const PinnedRange &Range);
  void addVariadic(DeletingCall &D);
  std::string nameOf(Value *V) const;
  void forgetPlaces(IRBuilder<> &B, Value *Address, Value *Bytes);
  void zeroAtBirth(Value *Object);
  void zeroDynamic();
  void pinDynamic(DeletingCall &D);
  Constant *pinSite(const DeletingCall &D);
  void emit(DeletingCall &D, AllocaInst *Frame, StructType *FrameType);

  Function &F;
  const DataLayout &DL;
  RuntimeABI &ABI;
  DominatorTree Tree;
  DenseMap<Value *, std::string> KnownNames;
  SmallVector<DeletingCall, 8> Calls;
  SmallVector<JumpTarget, 4> Setjmps;
  AddressUses &Addresses;
  Value *DynamicEnd = nullptr; ///< where the frame's memory of dynamic size ends
};

void PinInserter::collectCalls() {
  for (Instruction &I : instructions(F)) {
    if (isSetjmp(I))
      Setjmps.push_back({cast<CallBase>(&I), blocksAfterJump(cast<CallBase>(I))});
    auto *Call = dyn_cast<CallBase>(&I);
    std::optional<Site> At = Call ? deletesSite(*Call) : std::nullopt;
    if (At && Tree.isReachableFromEntry(I.getParent()))
      Calls.push_back(DeletingCall(Call, std::move(*At)));
  }
}

/// Whether Call deletes, or gives away, and no more: it reads nothing that it gets the address of,
/// and runs nothing of the program.
static bool onlyDeletes(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() &&
         (Callee->getName().starts_with("acre_region_delete") ||
          Callee->getName() == "acre_region_give_at" || Callee->getName() == markers::ScopeLeave);
}

/// Whether Call may run code of the program's, which may jump: the runtime and most functions of
/// the C library do not.
static bool mayJump(const CallBase &Call, const TargetLibraryInfo &Library) {
  const Function *Callee = Call.getCalledFunction();
  LibFunc Known;
  if (Call.isInlineAsm() || isa<IntrinsicInst>(Call))
    return false;
  if (!Callee || !Callee->isDeclaration())
    return true;
  return !Callee->getName().starts_with("acre_") &&
         (!Library.getLibFunc(*Callee, Known) || Known == LibFunc_qsort);
}

/// A delete by itself leads to no setjmp: where it aborts, the region is still there.  What is
/// called behind it may.
void PinInserter::findJumps() {
  if (Setjmps.empty())
    return;
  const TargetLibraryInfoImpl Names(targetTriple(*F.getParent()));
  const TargetLibraryInfo Library(Names);
  SmallVector<const CallBase *, 16> Jumping;
  for (const Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && mayJump(*Call, Library))
      Jumping.push_back(Call);
  for (DeletingCall &D : Calls)
    D.MayJump = !onlyDeletes(*D.Call) || any_of(Jumping, [&](const CallBase *Each) {
      return Each != D.Call && isPotentiallyReachable(D.Call, Each, nullptr, &Tree);
    });
}

bool PinInserter::isReachable(const JumpTarget &From, const DeletingCall &D) const {
  return D.MayJump && isPotentiallyReachable(From.Call, D.Call, nullptr, &Tree);
}

bool PinInserter::isLive(const Liveness &L, const DeletingCall &D) const {
  if (L.isLiveAfter(*D.Call))
    return true;
  return any_of(Setjmps, [&](const JumpTarget &S) {
    return L.isLiveOver(*S.Call, S.Blocks) && isReachable(S, D);
  });
}

/// Whether the call overwrites all of Object with its result.
static bool isResultOf(const Value &Object, const CallBase &Call) {
  for (unsigned Index = 0; Index < Call.arg_size(); ++Index)
    if (Call.paramHasAttr(Index, Attribute::StructRet) && Call.getArgOperand(Index) == &Object)
      return true;
  return false;
}

void PinInserter::collectLive() {
  SmallVector<Value *, 64> Candidates;
  for (Argument &A : F.args())
    if (mayNeedPin(A, DL))
      Candidates.push_back(&A);
  for (Instruction &I : instructions(F))
    if (mayNeedPin(I, DL))
      Candidates.push_back(&I);
  NeedlessUses Ignored = findNeedlessUses(F);
  for (Value *V : Candidates) {
    Liveness L = Liveness::ofValue(*V, Ignored);
    for (DeletingCall &D : Calls)
      if (D.Call != V && isLive(L, D))
        D.Values.insert(V);
  }
  StackObjects Stack(F);
  for (ArrayRef<Value *> Objects : {Stack.privateObjects(), Stack.exposedObjects()})
    for (Value *Object : Objects)
      collectObject(*Object, Ignored);
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I); A && !A->isStaticAlloca())
      collectDynamic(*A, Ignored);
}

/// The parts of an object that are needed once D has deleted something: by what follows, or by the
/// callee that got the address. What the callee writes there before has a record.
ObjectLiveness::Parts PinInserter::liveAt(const ObjectLiveness &L, const DeletingCall &D) const {
  ObjectLiveness::Parts Live = L.liveAfter(*D.Call);
  if (!onlyDeletes(*D.Call))
    Live |= L.readBy(*D.Call);
  for (const JumpTarget &S : Setjmps)
    if (isReachable(S, D))
      Live |= L.liveOver(*S.Call, S.Blocks);
  return Live;
}

/// The size of the jmp_buf that is declared Offset bytes into a T; 0 if none is.
static uint64_t jumpBufferSize(Type *T, uint64_t Offset, const DataLayout &DL) {
  while (true) {
    if (auto *A = dyn_cast<ArrayType>(T)) {
      T = A->getElementType();
      Offset %= std::max<uint64_t>(1, DL.getTypeAllocSize(T));
      continue;
    }
    auto *S = dyn_cast<StructType>(T);
    StringRef Name = S && S->hasName() ? S->getName() : "";
    // The other members of a union may be pointers.
    if (!S || Name.starts_with("union."))
      return 0;
    if (Name.starts_with("struct.__jmp_buf_tag") ||
        Name.starts_with("struct.__pthread_unwind_buf_t")) // of pthread_cleanup_push
      return Offset == 0 ? DL.getTypeAllocSize(S).getFixedValue() : 0;
    const StructLayout *Layout = DL.getStructLayout(S);
    if (Offset >= Layout->getSizeInBytes())
      return 0;
    unsigned Index = Layout->getElementContainingOffset(Offset);
    Offset -= Layout->getElementOffset(Index).getFixedValue();
    T = S->getElementType(Index);
  }
}

/// The jmp_buf in Object that the first setjmp of one fills.  It holds copies of registers, dead
/// ones among them.  No pointer of the program is only there: longjmp brings back what is live at
/// the return of setjmp, which is pinned for that reason, and what callers have pinned.
ByteRange PinInserter::jumpBufferIn(const Value &Object) const {
  for (const JumpTarget &S : Setjmps) {
    const CallBase *Call = S.Call;
    if (Call->arg_empty() || !Call->getArgOperand(0)->getType()->isPointerTy())
      continue;
    APInt Offset(DL.getPointerSizeInBits(), 0);
    if (Call->getArgOperand(0)->stripAndAccumulateConstantOffsets(DL, Offset, true) != &Object ||
        Offset.isNegative())
      continue;
    uint64_t First = Offset.getZExtValue();
    if (uint64_t Size = jumpBufferSize(stackObjectType(&Object), First, DL))
      return {First, First + Size};
  }
  return {};
}

void PinInserter::collectObject(Value &Object, const NeedlessUses &Ignored) {
  SmallVector<ObjectUse, 16> Uses = Addresses.of(Object);
  uint64_t Size = stackObjectSize(&Object, DL);
  ObjectLiveness L(Uses, Size, Ignored);
  ByteRange Hole = jumpBufferIn(Object);
  ObjectLiveness::Parts Searched = L.all();
  if (Hole.End)
    Searched = (Hole.First ? L.touched(0, Hole.First) : 0) |
               (Hole.End < Size ? L.touched(Hole.End, Size) : 0);
  for (DeletingCall &D : Calls) {
    if (isResultOf(Object, *D.Call))
      continue;
    ObjectLiveness::Parts Live = liveAt(L, D) & Searched;
    L.forEachRun(Live, [&](uint64_t Offset, uint64_t Bytes) {
      D.Ranges.push_back({&Object, Offset, Bytes, false});
    });
    if (Live != Searched && isKeptAt(L, D))
      D.Ranges.push_back({&Object, 0, Size, true, Hole});
  }
}

/// Whether Made may be executed again before the memory that it made is gone: then its value is not
/// the address of all that.
static bool accumulates(const AllocaInst &Made) {
  auto IsRestore = [](const Instruction &I) {
    auto *Restore = dyn_cast<IntrinsicInst>(&I);
    return Restore && Restore->getIntrinsicID() == Intrinsic::stackrestore;
  };
  SmallVector<const BasicBlock *, 16> Worklist;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  /// Goes on from From to the end of its block.  Whether A is met.
  auto GoOn = [&](BasicBlock::const_iterator From, const BasicBlock *BB) {
    for (const Instruction &I : make_range(From, BB->end()))
      if (&I == &Made || IsRestore(I))
        return &I == &Made;
    append_range(Worklist, successors(BB));
    return false;
  };
  GoOn(std::next(Made.getIterator()), Made.getParent());
  while (!Worklist.empty())
    if (const BasicBlock *BB = Worklist.pop_back_val();
        Seen.insert(BB).second && GoOn(BB->begin(), BB))
      return true;
  return false;
}

void PinInserter::collectDynamic(AllocaInst &Made, const NeedlessUses &Ignored) {
  SmallVector<ObjectUse, 16> Uses = Addresses.of(Made);
  bool Accumulates = accumulates(Made);
  if (!Accumulates)
    Uses.push_back({ObjectUse::Begin, &Made, std::nullopt});
  ObjectLiveness L(Uses, 0, Ignored);
  for (DeletingCall &D : Calls) {
    bool IsLive = liveAt(L, D);
    if (!IsLive && !isKeptAt(L, D))
      continue;
    if (Accumulates || !Tree.dominates(&Made, D.Call))
      D.HasAllDynamic = true;
    else
      D.Dynamic.push_back({&Made, !IsLive});
  }
}

/// V at a call that its definition need not dominate: null on the paths that do not define it.
Value *PinInserter::availableAt(Value *V, CallBase &At) {
  auto *Definition = dyn_cast<Instruction>(V);
  if (!Definition || Tree.dominates(Definition, &At))
    return V;
  SSAUpdater Updater;
  Updater.Initialize(V->getType(), V->hasName() ? V->getName() : "acre.pinned");
  Updater.AddAvailableValue(&F.getEntryBlock(), Constant::getNullValue(V->getType()));
  Updater.AddAvailableValue(Definition->getParent(), V);
  return Updater.GetValueInMiddleOfBlock(At.getParent());
}

void PinInserter::addWords(DeletingCall &D, IRBuilder<> &B, Value *V, const std::string &Name) {
  Type *T = V->getType();
  if (!hasPinnableWord(T, DL))
    return;
  if (isOverlay(T, DL)) {
    addWords(D, B, B.CreateBitCast(V, B.getIntNTy(T->getPrimitiveSizeInBits())), Name);
  } else if (T->isPointerTy()) {
    D.Words.push_back({V, Name, 0});
  } else if (auto *I = dyn_cast<IntegerType>(T)) {
    unsigned Width = DL.getPointerSizeInBits();
    for (unsigned Bit = 0; Bit < I->getBitWidth(); Bit += Width) {
      Value *Word = Bit ? B.CreateLShr(V, Bit) : V;
      D.Words.push_back(
          {B.CreateIntToPtr(B.CreateZExtOrTrunc(Word, ABI.sizeType()), ABI.pointerType()), Name,
           0});
    }
  } else if (auto *Vector = dyn_cast<FixedVectorType>(T)) {
    for (unsigned Index = 0; Index < Vector->getNumElements(); ++Index)
      addWords(D, B, B.CreateExtractElement(V, Index), Name);
  } else {
    unsigned Elements = T->isArrayTy() ? T->getArrayNumElements() : T->getStructNumElements();
    for (unsigned Index = 0; Index < Elements; ++Index)
      addWords(D, B, B.CreateExtractValue(V, Index), Name);
  }
}

/// The distances from word boundaries at which a value of type T, Offset bytes into an object, has
/// pointers.
static void collectMisalignments(Type *T, uint64_t Offset, const DataLayout &DL, BitVector &Found) {
  if (T->isPointerTy()) {
    Found.set(Offset % DL.getPointerSize());
  } else if (auto *S = dyn_cast<StructType>(T)) {
    for (auto [Index, Element] : enumerate(S->elements()))
      collectMisalignments(Element, Offset + DL.getStructLayout(S)->getElementOffset(Index), DL,
                           Found);
  } else if (auto *A = dyn_cast<ArrayType>(T)) {
    // The distances repeat after as many elements as a word has bytes.
    uint64_t Stride = DL.getTypeAllocSize(A->getElementType());
    for (uint64_t I = 0; I < std::min<uint64_t>(A->getNumElements(), DL.getPointerSize()); ++I)
      collectMisalignments(A->getElementType(), Offset + I * Stride, DL, Found);
  }
}

/// Bytes of a stack object.  Where a packed aggregate has pointers between words, the range is
/// searched from there too.
void PinInserter::addRange(DeletingCall &D, IRBuilder<> &B, const PinnedRange &Range) {
  std::string Name = nameOf(Range.Object);
  auto Add = [&](uint64_t Skipped) {
    uint64_t Offset = Range.Offset + Skipped;
    Value *Start =
        Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Range.Object, Offset) : Range.Object;
    ByteRange Hole;
    if (Range.Hole.End && Range.Hole.First >= Skipped)
      Hole = {Range.Hole.First - Skipped, Range.Hole.End - Skipped};
    D.Words.push_back({Start, Name, Range.Size - Skipped, Range.IsKept, Hole});
  };
  Add(0);
  BitVector Misaligned(DL.getPointerSize());
  collectMisalignments(stackObjectType(Range.Object), 0, DL, Misaligned);
  Misaligned.reset(0);
  for (unsigned Distance : Misaligned.set_bits())
    if (Distance < Range.Size)
      Add(Distance);
}

/// The callee finds its variadic arguments in memory it does not track.
void PinInserter::addVariadic(DeletingCall &D) {
  FunctionType *Type = D.Call->getFunctionType();
  if (!Type->isVarArg())
    return;
  for (unsigned Index = Type->getNumParams(); Index < D.Call->arg_size(); ++Index) {
    Value *Argument = D.Call->getArgOperand(Index);
    if (D.Call->isByValArgument(Index))
      D.Words.push_back(
          {Argument, "", DL.getTypeAllocSize(D.Call->getParamByValType(Index)).getFixedValue()});
    else if (!isa<Constant>(Argument) && mayNeedPin(*Argument, DL))
      D.Values.insert(Argument);
  }
}

std::string PinInserter::nameOf(Value *V) const {
  for (DbgVariableRecord *Record : findValueRecords(*V))
    return Record->getVariable()->getName().str();
  for (DbgVariableRecord *Record : findDVRDeclares(V))
    return Record->getVariable()->getName().str();
  if (auto Known = KnownNames.find(V); Known != KnownNames.end())
    return Known->second;
  // Only debug information knows how the source calls an array of variable length.
  if (auto *Object = dyn_cast<AllocaInst>(V); Object && !Object->isStaticAlloca())
    return "";
  if (isa<AllocaInst, PHINode, Argument>(V))
    return variableName(V->getName()).str();
  return "";
}

/// Where an earlier variable in the same memory was stored is no longer of interest.
void PinInserter::forgetPlaces(IRBuilder<> &B, Value *Address, Value *Bytes) {
  if (notesSites())
    ABI.call(B, Entry::StoredRangeAt, {Address, Bytes, ABI.null()});
}

/// A pinned range is read before the program may have initialised it: without garbage in it,
/// nothing is pinned that the program did not put there.
void PinInserter::zeroAtBirth(Value *Object) {
  auto *A = dyn_cast<AllocaInst>(Object);
  if (!A)
    return;
  SmallVector<Instruction *, 2> Births;
  forEachStackUse(A, [&](Use &U, StackUse Kind) {
    if (Kind == StackUse::Begin)
      Births.push_back(cast<Instruction>(U.getUser())->getNextNode());
  });
  if (Births.empty())
    Births.push_back(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (Instruction *At : Births) {
    IRBuilder<> B(At);
    B.CreateMemSet(A, B.getInt8(0), stackObjectSize(A, DL), A->getAlign());
    forgetPlaces(B, A, ABI.size(stackObjectSize(A, DL)));
  }
}

/// The same for memory of dynamic size.
void PinInserter::zeroDynamic() {
  const bool IsAllPinned = any_of(Calls, [](const DeletingCall &D) { return D.HasAllDynamic; });
  SmallVector<AllocaInst *, 4> Dynamic;
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I); A && !A->isStaticAlloca())
      Dynamic.push_back(A);
  IRBuilder<> Start(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  DynamicEnd = Start.CreateStackSave("acre.dynamic.end");
  for (AllocaInst *A : Dynamic) {
    IRBuilder<> B(A);
    Value *High = B.CreateStackSave();
    B.SetInsertPoint(A->getNextNode());
    Value *Low = B.CreateStackSave();
    Value *Bytes =
        B.CreateSub(B.CreatePtrToInt(High, ABI.sizeType()), B.CreatePtrToInt(Low, ABI.sizeType()));
    // AddressSanitizer, which comes later, puts poisoned zones there, and knows the function
    // memset.
    if (F.hasFnAttribute(Attribute::SanitizeAddress))
      B.CreateMemSetInline(Low, MaybeAlign(), B.getInt8(0), Bytes)
          ->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(F.getContext(), {}));
    else
      B.CreateMemSet(Low, B.getInt8(0), Bytes, MaybeAlign());
    forgetPlaces(B, Low, Bytes);
    if (IsAllPinned)
      hideDynamic(*A);
  }
}

/// What is live of the memory of dynamic size; or all of it, with the gaps between: [stack pointer
/// at the call, stack pointer at entry).
void PinInserter::pinDynamic(DeletingCall &D) {
  IRBuilder<> B(D.Call);
  auto Add = [&](Value *Low, Value *High, const std::string &Name, bool IsKept) {
    D.Words.push_back({Low, Name, RangeToNext, IsKept});
    D.Words.push_back({High, Name, RangeEnd, IsKept});
  };
  if (D.HasAllDynamic)
    return Add(B.CreateStackSave(), DynamicEnd, "", false);
  for (auto [Made, IsKept] : D.Dynamic) {
    Value *Bytes =
        B.CreateMul(B.CreateZExtOrTrunc(Made->getArraySize(), ABI.sizeType()),
                    ABI.size(DL.getTypeAllocSize(Made->getAllocatedType()).getFixedValue()));
    Add(Made, B.CreateGEP(B.getInt8Ty(), Made, Bytes), nameOf(Made), IsKept);
  }
}

Constant *PinInserter::pinSite(const DeletingCall &D) {
  SmallVector<Constant *, 8> Entries;
  for (const PinnedWord &Word : D.Words)
    Entries.push_back(ABI.make<acre_rt_pin_entry>(
        {Word.Name.empty() ? ABI.null() : ABI.string(Word.Name), ABI.size(Word.Size),
         ABI.size(Word.IsKept), ABI.size(Word.Hole.First),
         ABI.size(Word.Hole.End - Word.Hole.First)}));
  bool IsValuesOnly = all_of(D.Words, [](const PinnedWord &Word) { return Word.Size == 0; });
  Constant *Init = ABI.make<acre_rt_pin_site>(
      {ABI.whereFields(D.At), ABI.size(Entries.size()),
       ABI.makeArray<acre_rt_pin_entry>(Entries, "acre.pins"), ABI.size(IsValuesOnly)});
  return ABI.privateConstant(Init, "acre.pinsite");
}

void PinInserter::emit(DeletingCall &D, AllocaInst *Frame, StructType *FrameType) {
  IRBuilder<> B(D.Call);
  for (auto [Index, Word] : enumerate(D.Words)) {
    Value *Indices[] = {B.getInt32(0), B.getInt32(3), B.getInt32(Index)};
    B.CreateStore(Word.V, B.CreateInBoundsGEP(FrameType, Frame, Indices));
  }
  ABI.call(B, Entry::Pin, {Frame, pinSite(D)});
  if (D.Call->doesNotReturn())
    return;
  forEachPointAfter(*D.Call, true,
                    [&](IRBuilder<> &After) { ABI.call(After, Entry::Unpin, {Frame}); });
}

unsigned PinInserter::run() {
  collectCalls();
  if (Calls.empty())
    return 0;
  findJumps();
  collectLive();
  SmallSetVector<Value *, 8> Ranges;
  size_t Largest = 0, Total = 0;
  for (DeletingCall &D : Calls) {
    addVariadic(D);
    auto *Call = dyn_cast<CallInst>(D.Call);
    if (Call && Call->isMustTailCall()) {
      // Nothing of this frame is left when the callee runs, so nothing is live; only arguments
      // could need a pin.
      if (Call->getFunctionType()->isVarArg() &&
          Call->arg_size() > Call->getFunctionType()->getNumParams())
        F.getContext().emitError(
            Call, "acre: a musttail call that may delete cannot pass variadic arguments");
      continue;
    }
    IRBuilder<> B(D.Call);
    for (Value *V : D.Values)
      addWords(D, B, availableAt(V, *D.Call), nameOf(V));
    for (const PinnedRange &Range : D.Ranges) {
      addRange(D, B, Range);
      Ranges.insert(Range.Object);
    }
  }
  if (any_of(Calls, [](const DeletingCall &D) { return D.HasAllDynamic || !D.Dynamic.empty(); }))
    zeroDynamic();
  for (DeletingCall &D : Calls) {
    pinDynamic(D);
    Largest = std::max(Largest, D.Words.size());
    Total += D.Words.size();
  }
  // A pin with nothing in it still says that what the callee stores in this frame is to be counted.
  bool HasObjects = any_of(instructions(F), [](Instruction &I) { return isa<AllocaInst>(I); }) ||
                    any_of(F.args(), [](Argument &A) { return A.hasByValAttr(); });
  if (!Total && !HasObjects)
    return 0;
  static_assert(offsetof(acre_rt_pin_frame, site) == 2 * sizeof(void *) &&
                    offsetof(acre_rt_pin_frame, values) == 3 * sizeof(void *),
                "the frame's type is that of the header");
  Type *Ptr = ABI.pointerType();
  StructType *FrameType =
      StructType::get(F.getContext(), {Ptr, Ptr, Ptr, ArrayType::get(Ptr, Largest)});
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  AllocaInst *Frame = B.CreateAlloca(FrameType, nullptr, "acre.pinframe");
  for (Value *Object : Ranges)
    zeroAtBirth(Object);
  for (DeletingCall &D : Calls)
    if ((HasObjects || !D.Words.empty()) &&
        !(isa<CallInst>(D.Call) && cast<CallInst>(D.Call)->isMustTailCall()))
      emit(D, Frame, FrameType);
  return Total;
}

} // namespace

unsigned insertPins(Function &F, RuntimeABI &ABI, AddressUses &Addresses,
                    const VariableNames &Names) {
  return PinInserter(F, ABI, Addresses, Names).run();
}

void insertUnwinds(Function &F, RuntimeABI &ABI) {
  SmallVector<Instruction *, 2> Setjmps;
  for (Instruction &I : instructions(F))
    if (isSetjmp(I))
      Setjmps.push_back(&I);
  for (Instruction *S : Setjmps) {
    IRBuilder<> B(S);
    Value *Mark = ABI.call(B, Entry::PinMark, {});
    forEachPointAfter(*S, false, [&](IRBuilder<> &After) {
      ABI.call(After, Entry::Unwind, {Mark, After.CreateStackSave()});
    });
  }
}

} // namespace acre
