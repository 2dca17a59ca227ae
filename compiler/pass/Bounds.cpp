//===- Bounds.cpp - Inserting the checks of bounds ------------------------===//
#include "Bounds.h"
#include "RuntimeABI.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/CommandLine.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(BoundsChecked, "Checks of bounds inserted");

static cl::opt<bool> IsOn("acre-bounds", cl::desc("Check indexing and pointer arithmetic"));

namespace acre {
namespace {

/// What an address was computed from.
struct Root {
  Value *Pointer = nullptr;
  bool IsComputed = false; ///< by indexing or arithmetic, not only by steps to members
};

/// Whether a step stays in what its pointer points to, by the types alone.
bool isStepToMember(const GEPOperator &Step) {
  Type *T = Step.getSourceElementType();
  if (T->isIntegerTy(8) || !Step.hasAllConstantIndices())
    return false;
  auto *First = cast<ConstantInt>(*Step.idx_begin());
  if (!First->isZero())
    return false;
  for (const Use &Index : drop_begin(Step.indices())) {
    if (auto *Array = dyn_cast<ArrayType>(T))
      if (cast<ConstantInt>(Index)->getZExtValue() >= Array->getNumElements())
        return false;
    T = GetElementPtrInst::getTypeAtIndex(T, Index.get());
  }
  return true;
}

/// Functions of the C library that access as many bytes as an argument says, all of them.
struct SizedAccess {
  StringLiteral Name;
  unsigned Size;
  SmallVector<unsigned, 2> Pointers;
};

const SizedAccess *sizedAccess(const CallBase &Call) {
  static const SizedAccess Table[] = {
      {"read", 2, {1}},    {"pread", 2, {1}}, {"recv", 2, {1}},  {"write", 2, {1}},     {"pwrite", 2, {1}},
      {"send", 2, {1}},    {"fgets", 1, {0}}, {"strncpy", 2, {0}}, {"memcmp", 2, {0, 1}}, {"bcmp", 2, {0, 1}},
  };
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return nullptr;
  auto *Found = find_if(Table, [&](const SizedAccess &Each) { return Each.Name == Callee->getName(); });
  return Found != std::end(Table) && Call.arg_size() > Found->Size ? Found : nullptr;
}

class FunctionBounds {
public:
  FunctionBounds(Function &Fn, RuntimeABI &Runtime, const TargetLibraryInfo &Known, bool Complete)
      : F(Fn), ABI(Runtime), Library(Known), Dominators(Fn), Loops(Dominators), IsComplete(Complete) {}
  void run();

private:
  struct Check {
    Instruction *Before;
    Value *Address, *Size;
    Root Of;
  };

  void collect(Instruction &I);
  void addAccess(Instruction &I, Value *Address, Value *Size);
  void addEscape(Instruction &Before, Value *Kept);
  Root rootOf(Value *Address);
  Root throughPhi(PHINode &Phi);
  std::pair<Value *, Value *> rangeOf(Value *Pointer, ArrayRef<const Check *> Checks);
  Instruction *placeToAsk(Value *Pointer, ArrayRef<const Check *> Checks);

  Function &F;
  RuntimeABI &ABI;
  const TargetLibraryInfo &Library;
  DominatorTree Dominators;
  LoopInfo Loops;
  bool IsComplete;
  SmallVector<Check, 32> Checks;
  DenseMap<const PHINode *, Root> Phis;
};

/// A pointer that goes round a loop comes from where it came in.  One that comes from several is a root of its own.
Root FunctionBounds::throughPhi(PHINode &Phi) {
  auto [Known, IsNew] = Phis.try_emplace(&Phi, Root{&Phi, false});
  if (!IsNew)
    return Known->second;
  constexpr unsigned Most = 32;
  SmallPtrSet<Value *, 8> Seen{&Phi};
  SmallVector<Value *, 8> Work(Phi.incoming_values());
  Root Only;
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
  if (!IsOne || !Work.empty() || !Only.Pointer)
    Only.Pointer = &Phi;
  return Phis[&Phi] = Only;
}

Root FunctionBounds::rootOf(Value *Address) {
  Root Result{Address, false};
  while (true) {
    if (auto *Step = dyn_cast<GEPOperator>(Result.Pointer)) {
      Result.IsComputed |= !isStepToMember(*Step);
      Result.Pointer = Step->getPointerOperand();
    } else if (auto *Phi = dyn_cast<PHINode>(Result.Pointer)) {
      Root Further = throughPhi(*Phi);
      Result.IsComputed |= Further.IsComputed;
      if (Further.Pointer == Phi)
        return Result;
      Result.Pointer = Further.Pointer;
    } else {
      return Result;
    }
  }
}

void FunctionBounds::addAccess(Instruction &I, Value *Address, Value *Size) {
  if (!Address->getType()->isPointerTy() || Address->getType()->getPointerAddressSpace() != 0)
    return;
  Root Of = rootOf(Address);
  if (Of.IsComputed || !isa<Constant>(Size) || (IsComplete && !isa<AllocaInst, Constant>(Of.Pointer)))
    Checks.push_back({&I, Address, Size, Of});
}

/// A pointer that others will use must be into its object, or just past.
void FunctionBounds::addEscape(Instruction &Before, Value *Kept) {
  if (!Kept->getType()->isPointerTy() || Kept->getType()->getPointerAddressSpace() != 0)
    return;
  // A value that is a root, and on some paths perhaps undefined, has been checked where it was made.
  if (Root Of = rootOf(Kept); Of.IsComputed && Of.Pointer != Kept)
    Checks.push_back({&Before, Kept, ABI.size(0), Of});
}

void FunctionBounds::collect(Instruction &I) {
  if (I.hasMetadata(LLVMContext::MD_nosanitize))
    return;
  auto SizeOf = [&](Type *T) { return ABI.size(ABI.layout().getTypeStoreSize(T).getKnownMinValue()); };
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    addAccess(I, L->getPointerOperand(), SizeOf(L->getType()));
  } else if (auto *S = dyn_cast<StoreInst>(&I)) {
    addAccess(I, S->getPointerOperand(), SizeOf(S->getValueOperand()->getType()));
    addEscape(I, S->getValueOperand());
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    addAccess(I, Exchange->getPointerOperand(), SizeOf(Exchange->getNewValOperand()->getType()));
  } else if (auto *Update = dyn_cast<AtomicRMWInst>(&I)) {
    addAccess(I, Update->getPointerOperand(), SizeOf(Update->getValOperand()->getType()));
  } else if (auto *Block = dyn_cast<MemIntrinsic>(&I)) {
    IRBuilder<> B(&I);
    Value *Size = isa<Constant>(Block->getLength()) ? ABI.size(cast<ConstantInt>(Block->getLength())->getZExtValue())
                                                    : Block->getLength();
    if (Size->getType() != ABI.sizeType())
      Size = B.CreateZExtOrTrunc(Size, ABI.sizeType());
    addAccess(I, Block->getRawDest(), Size);
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      addAccess(I, Copy->getRawSource(), Size);
  } else if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (const SizedAccess *Known = sizedAccess(*Call)) {
      Value *Size = IRBuilder<>(&I).CreateZExtOrTrunc(Call->getArgOperand(Known->Size), ABI.sizeType());
      for (unsigned Pointer : Known->Pointers)
        addAccess(I, Call->getArgOperand(Pointer), Size);
    }
    bool IsOurs = Call->getCalledFunction() && Call->getCalledFunction()->getName().starts_with("acre_rt_");
    if (!isa<IntrinsicInst>(Call) && !Call->isInlineAsm() && !IsOurs)
      for (Value *Argument : Call->args())
        addEscape(I, Argument);
  } else if (auto *Return = dyn_cast<ReturnInst>(&I); Return && Return->getReturnValue()) {
    addEscape(I, Return->getReturnValue());
  } else if (auto *Phi = dyn_cast<PHINode>(&I); Phi && Phi->getType()->isPointerTy() && throughPhi(*Phi).Pointer == Phi) {
    // From here on its object is that which the value points into.
    for (auto [Value, From] : zip(Phi->incoming_values(), Phi->blocks()))
      addEscape(*From->getTerminator(), Value);
  }
}

/// Where the object of Pointer is asked for: before all Checks, and outside of loops that Pointer comes into.
Instruction *FunctionBounds::placeToAsk(Value *Pointer, ArrayRef<const Check *> Of) {
  BasicBlock *At = Of.front()->Before->getParent();
  for (const Check *Each : Of)
    At = Dominators.findNearestCommonDominator(At, Each->Before->getParent());
  auto *Made = dyn_cast<Instruction>(Pointer);
  for (Loop *L = Loops.getLoopFor(At); L && !(Made && L->contains(Made)); L = L->getParentLoop()) {
    BasicBlock *Before = Dominators.getNode(L->getHeader())->getIDom()->getBlock();
    if (Made && !Dominators.dominates(Made->getParent(), Before))
      break;
    At = Before;
  }
  Instruction *First = At->getTerminator();
  for (const Check *Each : Of)
    if (Each->Before->getParent() == At && Each->Before->comesBefore(First))
      First = Each->Before;
  return First;
}

/// The first byte of Pointer's object and the one behind it; null if nothing is known or asked.
std::pair<Value *, Value *> FunctionBounds::rangeOf(Value *Pointer, ArrayRef<const Check *> Of) {
  if (std::optional<uint64_t> Bytes = sizeOfObject(*Pointer, ABI.layout(), Library)) {
    auto *Made = dyn_cast<Instruction>(Pointer);
    IRBuilder<> B(Made ? Made->getNextNode() : &*F.getEntryBlock().getFirstInsertionPt());
    return {Pointer, B.CreateConstGEP1_64(B.getInt8Ty(), Pointer, *Bytes)};
  }
  if (isa<Constant, AllocaInst>(Pointer))
    return {};
  IRBuilder<> B(placeToAsk(Pointer, Of));
  CallInst *Range = ABI.call(B, Entry::Bounds, Pointer);
  return {B.CreateExtractValue(Range, 0), B.CreateExtractValue(Range, 1)};
}

void FunctionBounds::run() {
  SmallVector<Instruction *, 128> Original;
  for (Instruction &I : instructions(F))
    Original.push_back(&I);
  for (Instruction *I : Original)
    if (Dominators.isReachableFromEntry(I->getParent()))
      collect(*I);
  MapVector<Value *, SmallVector<const Check *, 4>> ByRoot;
  for (const Check &Each : Checks)
    if (Dominators.isReachableFromEntry(Each.Before->getParent()))
      ByRoot[Each.Of.Pointer].push_back(&Each);
  for (auto &[Pointer, Of] : ByRoot) {
    auto [Low, High] = rangeOf(Pointer, Of);
    if (!Low)
      continue;
    for (const Check *Each : Of) {
      IRBuilder<> B(Each->Before);
      if (Each->Before->getDebugLoc())
        B.SetCurrentDebugLocation(Each->Before->getDebugLoc());
      ABI.call(B, Entry::CheckBounds, {Low, High, Each->Address, Each->Size, ABI.where(ABI.siteOf(*Each->Before))});
      ++BoundsChecked;
    }
  }
}

} // namespace

std::optional<uint64_t> sizeOfObject(const Value &Pointer, const DataLayout &Layout, const TargetLibraryInfo &Library) {
  ObjectSizeOpts Options;
  Options.EvalMode = ObjectSizeOpts::Mode::ExactSizeFromOffset;
  uint64_t Bytes;
  if (isa<GEPOperator>(Pointer) || !getObjectSize(&Pointer, Bytes, Layout, &Library, Options))
    return std::nullopt;
  return Bytes;
}

PreservedAnalyses BoundsPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!IsOn)
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  RuntimeABI ABI(M);
  for (Function &F : M)
    if (!F.isDeclaration() && !F.getName().starts_with("acre") &&
        !F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation))
      FunctionBounds(F, ABI, FAM.getResult<TargetLibraryAnalysis>(F), IsComplete).run();
  return PreservedAnalyses::none();
}

} // namespace acre
