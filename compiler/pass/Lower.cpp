//===- Lower.cpp - Inline tests for the calls that remain -----------------===//
//
//   acre_rt_store              acre_rt_active, and value in the window or the slot's granule in the filter
//   acre_rt_check_sameregion   value neither null nor on the slot's page
//   acre_rt_check_parentptr    the same
//   acre_rt_check_traditional  value in the window
//   acre_rt_rescan             of few words: one of them in the window, or a granule in the filter
//   acre_rt_release            a granule of the range in the filter (small ranges), or acre_rt_active
//   the others                 acre_rt_active
//
// The cold calls of stores and checks go through functions of this module that
// preserve most registers, so that hot code around them spills nothing.
//
// The loads carry !nosanitize: they are no accesses of the program.
//
//===----------------------------------------------------------------------===//
#include "Lower.h"
#include "Markers.h"
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
STATISTIC(ChecksInlined, "Checks with an inline test");
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
  void lowerCheck(CallInst &Call);
  void lowerTraditionalCheck(CallInst &Call);
  void lowerRescan(CallInst &Call);
  void lowerRescanTyped(CallInst &Call);
  void lowerRelease(CallInst &Call);
  void lowerReleaseGroup(ArrayRef<CallInst *> Group);
  void lowerActive(CallInst &Call);

  Value *load(IRBuilder<> &B, Type *T, Value *Address);
  Value *filterByte(IRBuilder<> &B, Value *Address);
  Value *isActive(IRBuilder<> &&B) { return isActive(B); }
  Value *isActive(IRBuilder<> &B);
  Instruction *coldBlock(Instruction *Before, Value *Condition);
  Value *isInWindow(IRBuilder<> &B, Value *Word);
  Value *isUncounted(IRBuilder<> &B, Value *Slot);
  Value *isFarFrom(IRBuilder<> &B, Value *Slot, Value *New);
  Function *coldFunction(Entry E);
  void moveToCold(CallInst &Call, Entry E, Value *Condition);
  bool isCallOf(const Instruction &I, Entry E) const;

  Module &M;
  RuntimeABI ABI;
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

Value *Lowering::isInWindow(IRBuilder<> &B, Value *Word) {
  Value *Tag = load(B, ABI.sizeType(), ABI.variable("acre_rt_window_tag", ABI.sizeType()));
  return B.CreateICmpEQ(B.CreateLShr(Word, ACRE_WINDOW_SHIFT), Tag);
}

static std::string coldName(Entry E) { return ("acre.cold." + entryName(E).drop_front(StringRef("acre_rt_").size())).str(); }

/// Whether a slot is in a frame of this thread that is not counted now.
Value *Lowering::isUncounted(IRBuilder<> &B, Value *Slot) {
  auto *Bounds = ABI.variable("acre_rt_stack", ArrayType::get(ABI.sizeType(), 2));
  Bounds->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  Value *Address = B.CreateThreadLocalAddress(Bounds);
  Value *Low = load(B, ABI.sizeType(), Address);
  Value *Size = load(B, ABI.sizeType(), B.CreateConstInBoundsGEP1_64(ABI.sizeType(), Address, 1));
  return B.CreateICmpULT(B.CreateSub(Slot, Low), Size);
}

/// A function of this module that calls E and preserves most registers.
Function *Lowering::coldFunction(Entry E) {
  std::string Name = coldName(E);
  if (Function *Known = M.getFunction(Name))
    return Known;
  FunctionCallee Callee = ABI.declare(E);
  auto *Cold = Function::createWithDefaultAttr(Callee.getFunctionType(), GlobalValue::LinkOnceODRLinkage, 0, Name, &M);
  Cold->setVisibility(GlobalValue::HiddenVisibility);
  if (M.getTargetTriple().supportsCOMDAT())
    Cold->setComdat(M.getOrInsertComdat(Name));
  Cold->addFnAttr(Attribute::Cold);
  Cold->addFnAttr(Attribute::NoInline);
  Cold->setDoesNotThrow();
  if (M.getTargetTriple().isX86_64() || M.getTargetTriple().isAArch64())
    Cold->setCallingConv(CallingConv::PreserveMost);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", Cold));
  SmallVector<Value *, 4> Arguments(llvm::make_pointer_range(Cold->args()));
  ABI.call(B, E, Arguments);
  B.CreateRetVoid();
  return Cold;
}

/// Call, of E, is made only under Condition.
void Lowering::moveToCold(CallInst &Call, Entry E, Value *Condition) {
  Instruction *Then = coldBlock(&Call, Condition);
  Function *Cold = coldFunction(E);
  Call.moveBefore(Then->getIterator());
  Call.setCalledFunction(Cold);
  Call.setCallingConv(Cold->getCallingConv());
  Call.setTailCallKind(CallInst::TCK_None);
}

void Lowering::lowerStore(CallInst &Call) {
  IRBuilder<> B(&Call);
  Call.moveBefore(coldBlock(&Call, isActive(B))->getIterator());
  B.SetInsertPoint(&Call);
  Value *Slot = Call.getArgOperand(0), *New = Call.getArgOperand(1);
  Value *Condition = B.CreateIsNotNull(filterByte(B, B.CreatePtrToInt(Slot, ABI.sizeType())));
  // Storing poison is no error of the program; branching on it would be.
  if (!isa<ConstantPointerNull>(New))
    Condition = B.CreateOr(isInWindow(B, B.CreatePtrToInt(B.CreateFreeze(New), ABI.sizeType())), Condition);
  // What a parameter points to may be a local of the caller: the second test is for results through pointers.
  if (isa<Argument, AllocaInst, PHINode>(Slot)) {
    Call.moveBefore(coldBlock(&Call, Condition)->getIterator());
    B.SetInsertPoint(&Call);
    Condition = B.CreateNot(isUncounted(B, B.CreatePtrToInt(Slot, ABI.sizeType())));
  }
  moveToCold(Call, Entry::Store, Condition);
  ++StoresInlined;
}

/// Whether New is neither null nor on the page of Slot.
Value *Lowering::isFarFrom(IRBuilder<> &B, Value *Slot, Value *New) {
  Value *IsFar = B.CreateICmpUGE(B.CreateXor(Slot, New), ABI.size(uint64_t(1) << ACRE_PAGE_SHIFT));
  return B.CreateAnd(IsFar, B.CreateIsNotNull(New));
}

/// Null obeys, and what is on the slot's page is in its region.  A record that the slot may still have from other data
/// can only delay a delete.
void Lowering::lowerCheck(CallInst &Call) {
  IRBuilder<> B(&Call);
  Value *Slot = B.CreatePtrToInt(Call.getArgOperand(0), ABI.sizeType());
  Value *New = B.CreatePtrToInt(B.CreateFreeze(Call.getArgOperand(1)), ABI.sizeType());
  moveToCold(Call, isCallOf(Call, Entry::CheckSameregion) ? Entry::CheckSameregion : Entry::CheckParentptr,
             isFarFrom(B, Slot, New));
  ++ChecksInlined;
}

void Lowering::lowerTraditionalCheck(CallInst &Call) {
  IRBuilder<> B(&Call);
  Value *New = B.CreatePtrToInt(B.CreateFreeze(Call.getArgOperand(0)), ABI.sizeType());
  moveToCold(Call, Entry::CheckTraditional, isInWindow(B, New));
  ++ChecksInlined;
}

/// The rules of the words of one object, by its descriptor (RuntimeABI::type); none if it is not known here.
static std::optional<SmallVector<SlotRule, 4>> wordRules(const Value *Type, uint64_t Size, uint64_t Word) {
  auto *Descriptor = dyn_cast<GlobalVariable>(Type);
  auto *Fields = Descriptor && Descriptor->hasInitializer() ? dyn_cast<ConstantStruct>(Descriptor->getInitializer())
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
      if (At % Word != 0 || At / Word >= Rules.size() || Rule > static_cast<uint32_t>(SlotRule::Union))
        return std::nullopt;
      Rules[At / Word] = static_cast<SlotRule>(Rule);
    }
  }
  return Rules;
}

/// One small object of known type is looked at here: annotated slots as their checks do, all other words as in a rescan.
void Lowering::lowerRescanTyped(CallInst &Call) {
  constexpr uint64_t MostWords = 4;
  const uint64_t Word = ABI.layout().getPointerSize();
  Value *Address = Call.getArgOperand(0);
  auto *Bytes = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  uint64_t Size = Bytes ? Bytes->getZExtValue() : 0;
  bool IsSmall = Size != 0 && Size % Word == 0 && Size <= MostWords * Word;
  auto Rules = IsSmall ? wordRules(Call.getArgOperand(2), Size, Word) : std::nullopt;
  if (!Rules)
    return lowerActive(Call);
  Call.moveBefore(coldBlock(&Call, isActive(IRBuilder<>(&Call)))->getIterator());
  IRBuilder<> B(&Call);
  Value *First = B.CreatePtrToInt(Address, ABI.sizeType());
  Value *Condition = B.CreateIsNotNull(filterByte(B, First));
  if (Size > Word)
    Condition = B.CreateOr(Condition, B.CreateIsNotNull(filterByte(B, B.CreateAdd(First, ABI.size(Size - 1)))));
  for (auto [Index, Rule] : enumerate(*Rules)) {
    Value *Slot = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Address, Index * Word);
    Value *Held = B.CreateFreeze(load(B, ABI.sizeType(), Slot));
    Value *IsBad = Rule == SlotRule::Sameregion || Rule == SlotRule::Parentptr
                       ? isFarFrom(B, B.CreateAdd(First, ABI.size(Index * Word)), Held)
                       : isInWindow(B, Held);
    Condition = B.CreateOr(Condition, IsBad);
  }
  Call.moveBefore(coldBlock(&Call, Condition)->getIterator());
  ++RangesGuarded;
}

/// A copy of few whole words is looked at here.
void Lowering::lowerRescan(CallInst &Call) {
  constexpr uint64_t MostWords = 4;
  const uint64_t Word = ABI.layout().getPointerSize();
  Value *Address = Call.getArgOperand(0);
  auto *Bytes = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  uint64_t Size = Bytes ? Bytes->getZExtValue() : 0;
  bool IsAligned = Address->getPointerAlignment(ABI.layout()).value() >= Word;
  IRBuilder<> B(&Call);
  if (!Bytes) {
    // Fewer bytes than a pointer has make none.
    Value *IsLong = B.CreateICmpUGE(Call.getArgOperand(1), ABI.size(Word));
    Call.moveBefore(coldBlock(&Call, B.CreateAnd(IsLong, isActive(B)))->getIterator());
    ++RangesGuarded;
    return;
  }
  if (!IsAligned || Size == 0 || Size % Word != 0 || Size > MostWords * Word)
    return lowerActive(Call);
  Value *First = B.CreatePtrToInt(Address, ABI.sizeType());
  Value *Byte = filterByte(B, First);
  if (Size > Word)
    Byte = B.CreateOr(Byte, filterByte(B, B.CreateAdd(First, ABI.size(Size - 1))));
  Value *Condition = B.CreateIsNotNull(Byte);
  for (uint64_t Offset = 0; Offset < Size; Offset += Word) {
    Value *Slot = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Address, Offset);
    // Padding and uninitialised bytes are copied too.
    Value *Held = B.CreateFreeze(load(B, ABI.sizeType(), Slot));
    Condition = B.CreateOr(Condition, isInWindow(B, Held));
  }
  Instruction *Then = coldBlock(&Call, Condition);
  Call.moveBefore(Then->getIterator());
  ++RangesGuarded;
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
  SmallVector<CallInst *, 16> Stores, Checks, Traditional, Rescans, TypedRescans, Others;
  SmallVector<SmallVector<CallInst *, 4>, 4> Releases;
  uint64_t FrameSize = 0;
  const Instruction *Previous = nullptr;
  for (Instruction &I : instructions(F)) {
    if (auto *A = dyn_cast<AllocaInst>(&I); A && A->isStaticAlloca())
      FrameSize += stackObjectSize(A, ABI.layout());
    if (isCallOf(I, Entry::Store))
      Stores.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::CheckSameregion) || isCallOf(I, Entry::CheckParentptr))
      Checks.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::CheckTraditional))
      Traditional.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::Rescan))
      Rescans.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::RescanTyped))
      TypedRescans.push_back(cast<CallInst>(&I));
    if (isCallOf(I, Entry::Reread) ||
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
  for (CallInst *Call : Checks)
    lowerCheck(*Call);
  for (CallInst *Call : Traditional)
    lowerTraditionalCheck(*Call);
  for (CallInst *Call : Rescans)
    lowerRescan(*Call);
  for (CallInst *Call : TypedRescans)
    lowerRescanTyped(*Call);
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
  static constexpr StringLiteral LoweredFlag = "acre-lowered";
  bool HasEntries = false;
  for (Entry E : {Entry::Store, Entry::CheckSameregion, Entry::CheckParentptr, Entry::CheckTraditional, Entry::Rescan,
                  Entry::RescanTyped, Entry::Reread, Entry::Release, Entry::ReleaseBetween})
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

PreservedAnalyses LowerPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M)
    dropSlotRules(F);
  return Lowering(M).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace acre
