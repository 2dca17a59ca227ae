//===- Lower.cpp - Inline tests for the calls that remain -----------------===//
//
//   acre_rt_store    value in the window, or the slot's granule in the filter
//   acre_rt_release  a granule of the range in the filter (small ranges), or acre_rt_active
//   the others       acre_rt_active
//
// The cold call of acre_rt_store goes through a function of this module that
// preserves most registers, so that hot code around it spills nothing.
//
// The loads carry !nosanitize: they are no accesses of the program.
//
//===----------------------------------------------------------------------===//
#include "Lower.h"
#include "RuntimeABI.h"
#include "StackObjects.h"
#include "acre/abi.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(StoresInlined, "Store barriers with an inline test");
STATISTIC(RangesGuarded, "Range barriers with an inline test");

namespace acre {
namespace {

constexpr uint64_t GranuleSize = uint64_t(1) << ACRE_GRANULE_SHIFT;
/// Frames whose objects are all within this distance of each other are tested once for all of them.
constexpr uint64_t FrameReach = GranuleSize / 4;

class Lowering {
public:
  explicit Lowering(Module &Unit) : M(Unit), ABI(Unit) {}
  bool run();

private:
  void runOn(Function &F);
  void lowerStore(CallInst &Call);
  void lowerRelease(CallInst &Call);
  void lowerReleaseGroup(ArrayRef<CallInst *> Group);
  void lowerActive(CallInst &Call);

  Value *load(IRBuilder<> &B, Type *T, Value *Address);
  Value *filterByte(IRBuilder<> &B, Value *Address);
  Value *isActive(IRBuilder<> &B);
  Instruction *coldBlock(Instruction *Before, Value *Condition);
  Function *coldStore();
  bool isCallOf(const Instruction &I, Entry E) const;

  Module &M;
  RuntimeABI ABI;
  Function *Cold = nullptr;
};

bool Lowering::isCallOf(const Instruction &I, Entry E) const {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->getCalledFunction() && Call->getCalledFunction()->getName() == entryName(E);
}

Value *Lowering::load(IRBuilder<> &B, Type *T, Value *Address) {
  LoadInst *L = B.CreateLoad(T, Address);
  L->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(M.getContext(), {}));
  return L;
}

/// The filter's byte for the granule of Address (an integer).
Value *Lowering::filterByte(IRBuilder<> &B, Value *Address) {
  auto *Table = ABI.variable("acre_rt_filter", ArrayType::get(B.getInt8Ty(), 65536));
  Value *Index = B.CreateAnd(B.CreateLShr(Address, ACRE_GRANULE_SHIFT), 0xffff);
  return load(B, B.getInt8Ty(), B.CreateInBoundsGEP(B.getInt8Ty(), Table, Index));
}

Value *Lowering::isActive(IRBuilder<> &B) {
  return B.CreateIsNotNull(load(B, B.getInt8Ty(), ABI.variable("acre_rt_active", B.getInt8Ty())));
}

Instruction *Lowering::coldBlock(Instruction *Before, Value *Condition) {
  MDNode *Weights = MDBuilder(M.getContext()).createUnlikelyBranchWeights();
  return SplitBlockAndInsertIfThen(Condition, Before->getIterator(), false, Weights);
}

Function *Lowering::coldStore() {
  if (Cold)
    return Cold;
  FunctionCallee Callee = ABI.declare(Entry::Store);
  Cold = Function::createWithDefaultAttr(Callee.getFunctionType(), GlobalValue::LinkOnceODRLinkage, 0,
                                         "acre.store.cold", &M);
  Cold->setVisibility(GlobalValue::HiddenVisibility);
  if (M.getTargetTriple().supportsCOMDAT())
    Cold->setComdat(M.getOrInsertComdat(Cold->getName()));
  Cold->addFnAttr(Attribute::Cold);
  Cold->addFnAttr(Attribute::NoInline);
  Cold->setDoesNotThrow();
  if (M.getTargetTriple().isX86_64() || M.getTargetTriple().isAArch64())
    Cold->setCallingConv(CallingConv::PreserveMost);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", Cold));
  ABI.call(B, Entry::Store, {Cold->getArg(0), Cold->getArg(1)});
  B.CreateRetVoid();
  return Cold;
}

void Lowering::lowerStore(CallInst &Call) {
  IRBuilder<> B(&Call);
  Value *Slot = Call.getArgOperand(0), *New = Call.getArgOperand(1);
  Value *Condition = B.CreateIsNotNull(filterByte(B, B.CreatePtrToInt(Slot, ABI.sizeType())));
  if (!isa<ConstantPointerNull>(New)) {
    // Storing poison is no error of the program; branching on it would be.
    Value *Address = B.CreatePtrToInt(B.CreateFreeze(New), ABI.sizeType());
    Value *Tag = load(B, ABI.sizeType(), ABI.variable("acre_rt_window_tag", ABI.sizeType()));
    Value *IsInWindow = B.CreateICmpEQ(B.CreateLShr(Address, ACRE_WINDOW_SHIFT), Tag);
    Condition = B.CreateOr(IsInWindow, Condition);
  }
  Instruction *Then = coldBlock(&Call, Condition);
  Call.moveBefore(Then->getIterator());
  Call.setCalledFunction(coldStore());
  Call.setCallingConv(Cold->getCallingConv());
  Call.setTailCallKind(CallInst::TCK_None);
  ++StoresInlined;
}

void Lowering::lowerActive(CallInst &Call) {
  IRBuilder<> B(&Call);
  Instruction *Then = coldBlock(&Call, isActive(B));
  Call.moveBefore(Then->getIterator());
  ++RangesGuarded;
}

void Lowering::lowerRelease(CallInst &Call) {
  auto *Bytes = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  if (!Bytes || Bytes->getZExtValue() > GranuleSize)
    return lowerActive(Call);
  IRBuilder<> B(&Call);
  Value *First = B.CreatePtrToInt(Call.getArgOperand(0), ABI.sizeType());
  Value *Byte = filterByte(B, First);
  if (Bytes->getZExtValue() > ABI.layout().getPointerSize())
    Byte = B.CreateOr(Byte, filterByte(B, B.CreateAdd(First, ABI.size(Bytes->getZExtValue() - 1))));
  Instruction *Then = coldBlock(&Call, B.CreateIsNotNull(Byte));
  Call.moveBefore(Then->getIterator());
  ++RangesGuarded;
}

/// Releases of several objects of one small frame: the two granules that the frame can touch are tested once.
/// A frame that is spread wider than its objects' sizes say could be missed; then records of dead stack stay, which
/// a delete drops before it refuses.
void Lowering::lowerReleaseGroup(ArrayRef<CallInst *> Group) {
  IRBuilder<> B(Group.front());
  Value *Middle = B.CreatePtrToInt(Group.front()->getArgOperand(0), ABI.sizeType());
  Value *Low = filterByte(B, B.CreateSub(Middle, ABI.size(FrameReach)));
  Value *High = filterByte(B, B.CreateAdd(Middle, ABI.size(FrameReach)));
  Instruction *Then = coldBlock(Group.front(), B.CreateIsNotNull(B.CreateOr(Low, High)));
  for (CallInst *Call : Group)
    Call->moveBefore(Then->getIterator());
  RangesGuarded += Group.size();
}

void Lowering::runOn(Function &F) {
  SmallVector<CallInst *, 16> Stores, Others;
  SmallVector<SmallVector<CallInst *, 4>, 4> Releases;
  uint64_t FrameSize = 0;
  const Instruction *Previous = nullptr;
  for (Instruction &I : instructions(F)) {
    if (auto *A = dyn_cast<AllocaInst>(&I); A && A->isStaticAlloca())
      FrameSize += stackObjectSize(A, ABI.layout());
    if (isCallOf(I, Entry::Store))
      Stores.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::Rescan) || isCallOf(I, Entry::RescanTyped) || isCallOf(I, Entry::Reread) ||
        isCallOf(I, Entry::ReleaseBetween))
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
  for (CallInst *Call : Stores)
    lowerStore(*Call);
  for (CallInst *Call : Others)
    lowerActive(*Call);
  for (auto &Group : Releases) {
    if (Group.size() > 1 && FrameSize <= FrameReach) {
      lowerReleaseGroup(Group);
      continue;
    }
    for (CallInst *Call : Group)
      lowerRelease(*Call);
  }
}

bool Lowering::run() {
  bool HasEntries = false;
  for (Entry E : {Entry::Store, Entry::Rescan, Entry::RescanTyped, Entry::Reread, Entry::Release,
                  Entry::ReleaseBetween})
    HasEntries |= M.getFunction(entryName(E)) != nullptr;
  if (!HasEntries)
    return false;
  // A unit lowered before has its cold function: its calls already are behind their tests.
  if (Function *Known = M.getFunction("acre.store.cold"); Known && !Known->isDeclaration())
    return false;
  SmallVector<Function *, 32> Functions;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasOptNone() && !F.hasMinSize())
      Functions.push_back(&F);
  for (Function *F : Functions)
    runOn(*F);
  return !Functions.empty();
}

} // namespace

PreservedAnalyses LowerPass::run(Module &M, ModuleAnalysisManager &) {
  return Lowering(M).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace acre
