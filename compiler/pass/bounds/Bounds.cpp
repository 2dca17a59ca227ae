// SPDX-License-Identifier: MIT
//===- Bounds.cpp - Inserting the checks of bounds ------------------------===//
#include "pass/bounds/Bounds.h"
#include "pass/base/Library.h"
#include "pass/base/RuntimeABI.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(BoundsChecked, "Checks of bounds inserted");
STATISTIC(BoundsByLength,
          "Checks of bounds made only where an index is not below its array's declared length");

static cl::opt<bool> IsOn("acre-bounds", cl::desc("Check indexing and pointer arithmetic"));

namespace acre {
namespace {

/// What an address was computed from.
struct Base {
  Value *Pointer = nullptr;
  bool IsComputed = false; ///< by indexing or arithmetic, not only by steps to members
};

/// An index that is not constant, and the declared length of its array.
struct Element {
  Value *Index;
  uint64_t Length;
};

/// Whether a step stays in what its pointer points to, by the types alone, if the elements that it
/// adds to Variable are in their arrays.
bool isStepInside(const GEPOperator &Step, SmallVectorImpl<Element> &Variable) {
  Type *T = Step.getSourceElementType();
  auto *First = dyn_cast<ConstantInt>(*Step.idx_begin());
  if (T->isIntegerTy(8) || !First || !First->isZero())
    return false;
  for (const Use &Index : drop_begin(Step.indices())) {
    auto *Array = dyn_cast<ArrayType>(T);
    auto *Constant = dyn_cast<ConstantInt>(Index);
    if (Array && Constant && Constant->getValue().uge(Array->getNumElements()))
      return false;
    if (!Constant && (!Array || !Index->getType()->isIntegerTy()))
      return false;
    if (!Constant)
      Variable.push_back({Index, Array->getNumElements()});
    T = GetElementPtrInst::getTypeAtIndex(T, Index.get());
  }
  return true;
}

bool isStepToMember(const GEPOperator &Step) {
  SmallVector<Element, 2> Variable;
  return isStepInside(Step, Variable) && Variable.empty();
}

class FunctionBounds {
public:
  FunctionBounds(Function &Fn, RuntimeABI &Runtime, FunctionAnalysisManager &FAM, bool Complete)
      : F(Fn), ABI(Runtime), Library(FAM.getResult<TargetLibraryAnalysis>(Fn)),
        Dominators(FAM.getResult<DominatorTreeAnalysis>(Fn)),
        Loops(FAM.getResult<LoopAnalysis>(Fn)),
        Evolution(FAM.getResult<ScalarEvolutionAnalysis>(Fn)), IsComplete(Complete) {}
  void run();

private:
  struct Check {
    Instruction *Before;
    Value *Address, *Size;
    Base From;
    /// If these are in their arrays, so is the access; none: that is not known.
    SmallVector<Element, 2> Inside = {};
    /// What Before writes at Address, if it finds out itself how much; then Size is null.
    std::optional<WrittenText> Text = {};
  };

  void collect(Instruction &I);
  void addAccess(Instruction &I, Value *Address, Value *Size, bool IsTyped = true);
  void addEscape(Instruction &Before, Value *Kept);
  Value *bytesOf(CallBase &Call, const SizedAccess &Known);
  Value *bytesOfText(IRBuilder<> &B, const Check &Made, Value *High);
  Base baseOf(Value *Address);
  void findLocals();
  bool mayBeComputed(Value *Pointer) const;
  Base ofLocal(LoadInst &Read);
  Base throughPhi(PHINode &Phi);
  Base ofSeveral(PHINode &Phi);
  Value *baseToKeep(Value *Pointer);
  std::pair<Value *, Value *> rangeOf(Value *Pointer, ArrayRef<const Check *> Group);
  Instruction *placeToAsk(Value *Pointer, ArrayRef<const Check *> Group);
  bool hasKnownTripCount(const Instruction &I) const;
  SmallVector<Element, 2> elementsOf(const Check &Made) const;
  void insert(IRBuilder<> &B, const Check &Made, std::pair<Value *, Value *> Range);
  void insertByLength(const Check &Made);

  Function &F;
  RuntimeABI &ABI;
  const TargetLibraryInfo &Library;
  DominatorTree &Dominators;
  LoopInfo &Loops;
  ScalarEvolution &Evolution;
  bool IsComplete;
  SmallVector<Check, 32> Checks;
  DenseMap<const PHINode *, Base> Phis;
  /// Variables in memory that may have computed pointers, which nothing else has the address of,
  /// and where the base of each is.
  MapVector<Value *, AllocaInst *> Locals;
  DenseMap<const LoadInst *, LoadInst *> BasesRead;
  DenseMap<const Instruction *, size_t> Order; // in the function as it came
};

bool FunctionBounds::mayBeComputed(Value *Pointer) const {
  while (auto *Step = dyn_cast<GEPOperator>(Pointer)) {
    if (!isStepToMember(*Step))
      return true;
    Pointer = Step->getPointerOperand();
  }
  auto *Read = dyn_cast<LoadInst>(Pointer);
  return isa<PHINode>(Pointer) || (Read && Locals.contains(Read->getPointerOperand()));
}

/// The base of Pointer, as another value that goes where Pointer goes.  Null has no bounds.
Value *FunctionBounds::baseToKeep(Value *Pointer) {
  Value *Result = baseOf(Pointer).Pointer;
  if (isa<UndefValue>(Result))
    return ConstantPointerNull::get(cast<PointerType>(Result->getType()));
  return Result;
}

/// At -O0 locals are in memory.  There they may leave their object, too, as long as only they do.
void FunctionBounds::findLocals() {
  SmallVector<AllocaInst *, 16> Pointers;
  for (Instruction &I : F.getEntryBlock())
    if (auto *Local = dyn_cast<AllocaInst>(&I);
        Local && Local->getAllocatedType()->isPointerTy() &&
        Local->getAllocatedType()->getPointerAddressSpace() == 0 && isAllocaPromotable(Local))
      Pointers.push_back(Local);
  auto IsSetToComputed = [this](AllocaInst *Local) {
    return any_of(Local->users(), [this](User *Each) {
      auto *Set = dyn_cast<StoreInst>(Each);
      return Set && mayBeComputed(Set->getValueOperand());
    });
  };
  for (bool IsChanged = true; IsChanged;) {
    IsChanged = false;
    for (AllocaInst *Local : Pointers)
      if (!Locals.contains(Local) && IsSetToComputed(Local)) {
        IRBuilder<> B(Local);
        Locals[Local] = B.CreateAlloca(Local->getAllocatedType(), nullptr, "acre.base");
        IsChanged = true;
      }
  }
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (auto [Local, Bases] : Locals)
    B.CreateStore(ConstantPointerNull::get(cast<PointerType>(Bases->getAllocatedType())), Bases);
}

Base FunctionBounds::ofLocal(LoadInst &Read) {
  LoadInst *&Found = BasesRead[&Read];
  if (!Found)
    Found = IRBuilder<>(Read.getNextNode())
                .CreateLoad(Read.getType(), Locals.lookup(Read.getPointerOperand()));
  return {Found, true};
}

/// A pointer that goes round a loop comes from where it came in.
Base FunctionBounds::throughPhi(PHINode &Phi) {
  auto [Known, IsNew] = Phis.try_emplace(&Phi, Base{&Phi, false});
  if (!IsNew)
    return Known->second;
  constexpr unsigned Most = 32;
  SmallPtrSet<Value *, 8> Seen{&Phi};
  SmallVector<Value *, 8> Work(Phi.incoming_values());
  Base Only;
  bool IsOne = true;
  while (!Work.empty() && Seen.size() < Most) {
    Value *V = Work.pop_back_val();
    while (auto *Step = dyn_cast<GEPOperator>(V)) {
      Only.IsComputed |= !isStepToMember(*Step);
      V = Step->getPointerOperand();
    }
    if (!Seen.insert(V).second)
      continue;
    if (auto *Inner = dyn_cast<PHINode>(V)) {
      append_range(Work, Inner->incoming_values());
    } else if (!Only.Pointer) {
      Only.Pointer = V;
    } else {
      IsOne &= Only.Pointer == V;
    }
  }
  if (IsOne && Work.empty() && Only.Pointer)
    return Phis[&Phi] = Only;
  return Only.IsComputed || !Work.empty() ? ofSeveral(Phi) : Phis[&Phi];
}

/// Which base it comes from is known where the ways meet, too: it may have left its object on the
/// way there, and be set back before it is used.
Base FunctionBounds::ofSeveral(PHINode &Phi) {
  IRBuilder<> B(&Phi);
  PHINode *Bases = B.CreatePHI(Phi.getType(), Phi.getNumIncomingValues(), "acre.base");
  Phis[&Phi] = Base{Bases, true}; // before others ask
  Phis[Bases] = Base{Bases, false};
  for (auto [Each, From] : zip(Phi.incoming_values(), Phi.blocks()))
    Bases->addIncoming(baseToKeep(Each), From);
  return Phis[&Phi];
}

Base FunctionBounds::baseOf(Value *Address) {
  Base Result{Address, false};
  while (true) {
    if (auto *Step = dyn_cast<GEPOperator>(Result.Pointer)) {
      Result.IsComputed |= !isStepToMember(*Step);
      Result.Pointer = Step->getPointerOperand();
    } else if (auto *Phi = dyn_cast<PHINode>(Result.Pointer)) {
      Base Further = throughPhi(*Phi);
      Result.IsComputed |= Further.IsComputed;
      if (Further.Pointer == Phi)
        return Result;
      Result.Pointer = Further.Pointer;
    } else if (auto *Read = dyn_cast<LoadInst>(Result.Pointer);
               Read && Locals.contains(Read->getPointerOperand())) {
      return ofLocal(*Read);
    } else {
      return Result;
    }
  }
}

/// IsTyped: a constant size is that of the type that Address points to.
void FunctionBounds::addAccess(Instruction &I, Value *Address, Value *Size, bool IsTyped) {
  if (!Address->getType()->isPointerTy() || Address->getType()->getPointerAddressSpace() != 0)
    return;
  Base From = baseOf(Address);
  if (From.IsComputed || !IsTyped || !isa<Constant>(Size) ||
      (IsComplete && !isa<AllocaInst, Constant>(From.Pointer)))
    Checks.push_back({&I, Address, Size, From});
}

/// A pointer that others will use must be into its object, or just past.
void FunctionBounds::addEscape(Instruction &Before, Value *Kept) {
  if (!Kept->getType()->isPointerTy() || Kept->getType()->getPointerAddressSpace() != 0)
    return;
  // A value that is its own base, and on some paths perhaps undefined, has been checked where it
  // was made.
  if (Base From = baseOf(Kept); From.IsComputed && From.Pointer != Kept)
    Checks.push_back({&Before, Kept, ABI.size(0), From});
}

/// How many bytes Call may access.  A number of units whose bytes would wrap is taken as one that
/// no object has.
Value *FunctionBounds::bytesOf(CallBase &Call, const SizedAccess &Known) {
  IRBuilder<> B(&Call);
  Value *Size = B.CreateZExtOrTrunc(Call.getArgOperand(Known.Size), ABI.sizeType());
  if (Known.Many) {
    Value *Count = B.CreateZExtOrTrunc(Call.getArgOperand(Known.Size + 1), ABI.sizeType());
    Value *Product = B.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, Size, Count);
    return B.CreateSelect(B.CreateExtractValue(Product, 1),
                          ABI.size(std::numeric_limits<uint64_t>::max()),
                          B.CreateExtractValue(Product, 0));
  }
  if (Known.Unit == 1)
    return Size;
  Value *Most = ABI.size(std::numeric_limits<uint64_t>::max() / Known.Unit);
  return B.CreateMul(B.CreateBinaryIntrinsic(Intrinsic::umin, Size, Most), ABI.size(Known.Unit));
}

/// How many bytes of text the call that Made is of writes into an object that ends at High.
Value *FunctionBounds::bytesOfText(IRBuilder<> &B, const Check &Made, Value *High) {
  auto &Call = cast<CallBase>(*Made.Before);
  const WrittenText &Text = *Made.Text;
  Value *Source = Call.getArgOperand(Text.Source);
  Value *Most = Text.Most ? B.CreateZExtOrTrunc(Call.getArgOperand(*Text.Most), ABI.sizeType())
                          : ABI.size(std::numeric_limits<uint64_t>::max());
  if (Text.How == WrittenText::Copied || Text.How == WrittenText::Appended)
    return ABI.call(B, Entry::TextBytes,
                    {High, Made.Address, Source, Most, ABI.size(Text.Unit),
                     B.getInt32(Text.How == WrittenText::Appended)});
  SmallVector<Value *, 8> Arguments{High, Made.Address, Most, Source};
  if (Text.How == WrittenText::FormattedList)
    Arguments.push_back(Call.getArgOperand(Text.Source + 1));
  else
    append_range(Arguments, drop_begin(Call.args(), Text.Source + 1));
  return ABI.call(
      B, Text.How == WrittenText::FormattedList ? Entry::FormatBytesOfList : Entry::FormatBytes,
      Arguments);
}

void FunctionBounds::collect(Instruction &I) {
  if (I.hasMetadata(LLVMContext::MD_nosanitize))
    return;
  auto SizeOf = [&](Type *T) {
    return ABI.size(ABI.layout().getTypeStoreSize(T).getKnownMinValue());
  };
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    addAccess(I, L->getPointerOperand(), SizeOf(L->getType()));
  } else if (auto *S = dyn_cast<StoreInst>(&I)) {
    addAccess(I, S->getPointerOperand(), SizeOf(S->getValueOperand()->getType()));
    if (!Locals.contains(S->getPointerOperand()))
      addEscape(I, S->getValueOperand());
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    addAccess(I, Exchange->getPointerOperand(), SizeOf(Exchange->getNewValOperand()->getType()));
  } else if (auto *Update = dyn_cast<AtomicRMWInst>(&I)) {
    addAccess(I, Update->getPointerOperand(), SizeOf(Update->getValOperand()->getType()));
  } else if (auto *Block = dyn_cast<MemIntrinsic>(&I)) {
    IRBuilder<> B(&I);
    Value *Size = isa<Constant>(Block->getLength())
                      ? ABI.size(cast<ConstantInt>(Block->getLength())->getZExtValue())
                      : Block->getLength();
    if (Size->getType() != ABI.sizeType())
      Size = B.CreateZExtOrTrunc(Size, ABI.sizeType());
    addAccess(I, Block->getRawDest(), Size);
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      addAccess(I, Copy->getRawSource(), Size);
  } else if (auto *Call = dyn_cast<CallBase>(&I)) {
    for (const SizedAccess &Known : sizedAccesses(*Call))
      addAccess(I, Call->getArgOperand(Known.Pointer), bytesOf(*Call, Known), /*IsTyped=*/false);
    if (std::optional<WrittenText> Text = writtenText(*Call)) {
      Value *To = Call->getArgOperand(Text->Destination);
      Checks.push_back({&I, To, nullptr, baseOf(To), {}, Text});
    }
    bool IsOurs =
        Call->getCalledFunction() && Call->getCalledFunction()->getName().starts_with("acre_rt_");
    if (!isa<IntrinsicInst>(Call) && !Call->isInlineAsm() && !IsOurs)
      for (Value *Argument : Call->args())
        addEscape(I, Argument);
  } else if (auto *Return = dyn_cast<ReturnInst>(&I); Return && Return->getReturnValue()) {
    addEscape(I, Return->getReturnValue());
  }
}

/// Where the object of Pointer is asked for: before all checks of Group, and outside of loops that
/// Pointer comes into.
Instruction *FunctionBounds::placeToAsk(Value *Pointer, ArrayRef<const Check *> Group) {
  BasicBlock *At = Group.front()->Before->getParent();
  for (const Check *Each : Group)
    At = Dominators.findNearestCommonDominator(At, Each->Before->getParent());
  auto *Made = dyn_cast<Instruction>(Pointer);
  for (Loop *L = Loops.getLoopFor(At); L && !(Made && L->contains(Made)); L = L->getParentLoop()) {
    BasicBlock *Before = Dominators.getNode(L->getHeader())->getIDom()->getBlock();
    if (Made && !Dominators.dominates(Made->getParent(), Before))
      break;
    At = Before;
  }
  Instruction *First = At->getTerminator();
  for (const Check *Each : Group)
    if (Each->Before->getParent() == At && Order.lookup(Each->Before) < Order.lookup(First))
      First = Each->Before;
  return First;
}

/// The first byte of Pointer's object and the one behind it; null if nothing is known or asked.
std::pair<Value *, Value *> FunctionBounds::rangeOf(Value *Pointer, ArrayRef<const Check *> Group) {
  if (std::optional<uint64_t> Bytes = sizeOfObject(*Pointer, ABI.layout(), Library)) {
    auto *Made = dyn_cast<Instruction>(Pointer);
    BasicBlock &Block = Made ? *Made->getParent() : F.getEntryBlock();
    IRBuilder<> B(Made && !isa<PHINode>(Made) ? Made->getNextNode()
                                              : &*Block.getFirstInsertionPt());
    return {Pointer, B.CreateConstGEP1_64(B.getInt8Ty(), Pointer, *Bytes)};
  }
  if (isa<Constant, AllocaInst>(Pointer))
    return {};
  IRBuilder<> B(placeToAsk(Pointer, Group));
  CallInst *Range = ABI.call(B, Entry::Bounds, Pointer);
  return {B.CreateExtractValue(Range, 0), B.CreateExtractValue(Range, 1)};
}

/// Whether I is in a loop whose trip count is known when the loop begins, though not before: one
/// check may stand for all its rounds.
bool FunctionBounds::hasKnownTripCount(const Instruction &I) const {
  const Loop *L = Loops.getLoopFor(I.getParent());
  return L && L->getExitingBlock() &&
         !isa<SCEVCouldNotCompute, SCEVConstant>(Evolution.getBackedgeTakenCount(L));
}

/// The elements by which the access is inside, whatever object its base points into.
SmallVector<Element, 2> FunctionBounds::elementsOf(const Check &Made) const {
  SmallVector<Element, 2> Result;
  Value *V = Made.Address;
  while (auto *Step = dyn_cast<GEPOperator>(V)) {
    if (!isStepInside(*Step, Result))
      return {};
    V = Step->getPointerOperand();
  }
  constexpr unsigned Most = 3;
  auto *Last = dyn_cast<GEPOperator>(Made.Address);
  auto *Bytes = dyn_cast_or_null<ConstantInt>(Made.Size);
  bool IsElement =
      Last && Bytes &&
      Bytes->getValue().ule(ABI.layout().getTypeAllocSize(Last->getResultElementType()));
  bool IsWorth =
      V == Made.From.Pointer && Result.size() <= Most && !hasKnownTripCount(*Made.Before);
  return IsElement && IsWorth ? Result : SmallVector<Element, 2>();
}

void FunctionBounds::insert(IRBuilder<> &B, const Check &Made, std::pair<Value *, Value *> Range) {
  Value *Size = Made.Text ? bytesOfText(B, Made, Range.second) : Made.Size;
  ABI.call(B, Entry::CheckBounds,
           {Range.first, Range.second, Made.Address, Size, ABI.where(ABI.siteOf(*Made.Before))});
  ++BoundsChecked;
}

/// Most accesses are to an element of the array: only the others ask.
void FunctionBounds::insertByLength(const Check &Made) {
  IRBuilder<> B(Made.Before);
  SmallVector<Value *, 2> Outside;
  for (const Element &Each : Made.Inside)
    Outside.push_back(
        B.CreateICmpUGE(B.CreateSExtOrTrunc(Each.Index, ABI.sizeType()), ABI.size(Each.Length)));
  Instruction *Rarely =
      SplitBlockAndInsertIfThen(B.CreateOr(Outside), Made.Before, /*Unreachable=*/false,
                                MDBuilder(F.getContext()).createUnlikelyBranchWeights());
  B.SetInsertPoint(Rarely);
  if (Made.Before->getDebugLoc())
    B.SetCurrentDebugLocation(Made.Before->getDebugLoc());
  CallInst *Range = ABI.call(B, Entry::Bounds, Made.From.Pointer);
  insert(B, Made, {B.CreateExtractValue(Range, 0), B.CreateExtractValue(Range, 1)});
  ++BoundsByLength;
}

void FunctionBounds::run() {
  SmallVector<Instruction *, 128> Original;
  for (Instruction &I : instructions(F)) {
    Order[&I] = Original.size();
    Original.push_back(&I);
  }
  findLocals();
  for (Instruction *I : Original)
    if (auto *Set = dyn_cast<StoreInst>(I); Set && Locals.contains(Set->getPointerOperand()))
      IRBuilder<>(Set).CreateStore(baseToKeep(Set->getValueOperand()),
                                   Locals.lookup(Set->getPointerOperand()));
  for (Instruction *I : Original)
    if (Dominators.isReachableFromEntry(I->getParent()))
      collect(*I);
  MapVector<Value *, SmallVector<const Check *, 4>> ByBase;
  for (Check &Each : Checks) {
    if (!Dominators.isReachableFromEntry(Each.Before->getParent()))
      continue;
    if (!isa<Constant, AllocaInst>(Each.From.Pointer) &&
        !sizeOfObject(*Each.From.Pointer, ABI.layout(), Library))
      Each.Inside = elementsOf(Each);
    if (Each.Inside.empty())
      ByBase[Each.From.Pointer].push_back(&Each);
  }
  for (auto &[Pointer, Group] : ByBase) {
    std::pair<Value *, Value *> Range = rangeOf(Pointer, Group);
    if (!Range.first)
      continue;
    for (const Check *Each : Group) {
      IRBuilder<> B(Each->Before);
      if (Each->Before->getDebugLoc())
        B.SetCurrentDebugLocation(Each->Before->getDebugLoc());
      insert(B, *Each, Range);
    }
  }
  for (const Check &Each : Checks)
    if (!Each.Inside.empty())
      insertByLength(Each);
}

/// Whether what Pointer points into was allocated by the program's own code, which may keep
/// something before what it hands out: only what the C library allocates begins there.
bool isOfOwnAllocator(const Value &Pointer, const TargetLibraryInfo &Library) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&Pointer, Objects);
  return any_of(Objects, [&](const Value *Object) {
    auto *Call = dyn_cast<CallBase>(Object);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    LibFunc Known;
    return Call &&
           !(Callee && Callee->isDeclaration() &&
             (Callee->getName().starts_with("acre_rt_") || Library.getLibFunc(*Callee, Known)));
  });
}

} // namespace

std::optional<uint64_t> sizeOfObject(const Value &Pointer, const DataLayout &Layout,
                                     const TargetLibraryInfo &Library) {
  ObjectSizeOpts Options;
  Options.EvalMode = ObjectSizeOpts::Mode::ExactSizeFromOffset;
  uint64_t Bytes;
  // Null is no object of no bytes, but says that there is none: getcwd(NULL, n).
  if (isa<GEPOperator, ConstantPointerNull>(Pointer) ||
      !getObjectSize(&Pointer, Bytes, Layout, &Library, Options) ||
      isOfOwnAllocator(Pointer, Library))
    return std::nullopt;
  return Bytes;
}

bool checksBounds() { return IsOn; }

PreservedAnalyses BoundsPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!IsOn)
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  RuntimeABI ABI(M);
  for (Function &F : M)
    if (!F.isDeclaration() && !F.getName().starts_with("acre") && !isFortifiedAccess(F) &&
        !F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation))
      FunctionBounds(F, ABI, FAM, IsComplete).run();
  return PreservedAnalyses::none();
}

} // namespace acre
