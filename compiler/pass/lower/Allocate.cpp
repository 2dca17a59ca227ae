// SPDX-License-Identifier: MIT
//===- Allocate.cpp - Allocation in regions, in line ----------------------===//
//
// include/acre/bump.h says when an allocation takes place in line and what it
// leaves behind.  What is known here is not tested: the size or the
// size of an element, the alignment, which of the two allocators the type
// wants.  A call of which that is not known stays as it is.
//
// The accesses carry !nosanitize: they are none of the program's.
//
//===----------------------------------------------------------------------===//
#include "pass/lower/Allocate.h"
#include "pass/base/RuntimeABI.h"
#include "versions/LLVM.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(AllocationsInlined, "Allocations in line");

namespace acre {
namespace {

constexpr StringLiteral SlowMetadata = "acre.slow";
constexpr uint64_t MostAlign = 16;

/// An allocation that can be in line.
struct Allocation {
  CallInst *Call;
  Value *Count;  ///< of elements; null: one
  uint64_t Size; ///< of an element
  uint64_t Align;
  Constant *Site; ///< or null
  bool IsPointerFree;
};

class Allocator {
public:
  explicit Allocator(Module &Unit) : M(Unit), ABI(Unit) {}
  bool run();

private:
  std::optional<Allocation> recognize(CallInst &Call) const;
  void expand(const Allocation &A);
  Value *isFast(IRBuilder<> &B, const Allocation &A, Value *Current);
  Value *take(IRBuilder<> &B, const Allocation &A, Value *Current, BasicBlock *Slow);
  Value *field(IRBuilder<> &B, Value *Structure, size_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Structure, Offset);
  }
  Value *load(IRBuilder<> &B, Type *T, Value *Address) {
    return unsanitized(B.CreateLoad(T, Address));
  }
  void store(IRBuilder<> &B, Value *V, Value *Address) { unsanitized(B.CreateStore(V, Address)); }
  template <typename T> T *unsanitized(T *I) {
    I->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(M.getContext(), {}));
    return I;
  }
  Function *coldFunction(Function *Callee);

  Module &M;
  RuntimeABI ABI;
};

/// Whether objects of a site have no pointer slots; none if the site's descriptor is not known
/// here.
std::optional<bool> isPointerFreeSite(const Constant *Site) {
  if (isa<ConstantPointerNull>(Site))
    return false;
  auto InitializerOf = [](const Value *V) -> const Constant * {
    auto *G = dyn_cast_or_null<GlobalVariable>(V);
    return G && G->isConstant() && G->hasInitializer() ? G->getInitializer() : nullptr;
  };
  const Constant *TypeOf = Mirror<acre_site>::member<&acre_site::type>(InitializerOf(Site));
  if (!TypeOf)
    return std::nullopt;
  if (TypeOf->isNullValue())
    return false;
  const Constant *TypeFields = InitializerOf(TypeOf);
  // The runtime has to know of objects that own something.
  const Constant *Owned = Mirror<acre_type>::member<&acre_type::owned>(TypeFields);
  if (!Owned || !Owned->isNullValue())
    return std::nullopt;
  auto SlotCount = Mirror<acre_type>::number<&acre_type::slot_count>(TypeFields);
  return SlotCount ? std::optional(*SlotCount == 0) : std::nullopt;
}

std::optional<Allocation> Allocator::recognize(CallInst &Call) const {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Call.hasMetadata(SlowMetadata) ||
      Call.isMustTailCall())
    return std::nullopt;
  StringRef Name = Callee->getName();
  bool IsArray = Name == "acre_region_alloc_array", IsBytes = Name == "acre_region_alloc_bytes";
  if (!IsArray && !IsBytes && Name != "acre_region_alloc")
    return std::nullopt;
  if (Call.arg_size() != (IsBytes ? 2u : IsArray ? 5u : 4u))
    return std::nullopt;
  if (IsBytes)
    return Allocation{&Call, Call.getArgOperand(1), 1, 1, nullptr, true};
  unsigned First = IsArray ? 2 : 1;
  auto *Size = dyn_cast<ConstantInt>(Call.getArgOperand(First));
  auto *Align = dyn_cast<ConstantInt>(Call.getArgOperand(First + 1));
  auto *Site = dyn_cast<Constant>(Call.getArgOperand(First + 2));
  if (!Size || !Align || !Site || Size->isZero() || Size->getValue().ugt(ACRE_BUMP_MAX) ||
      !Align->getValue().isPowerOf2() || Align->getValue().ugt(MostAlign))
    return std::nullopt;
  std::optional<bool> IsPointerFree = isPointerFreeSite(Site);
  if (!IsPointerFree)
    return std::nullopt;
  return Allocation{&Call,
                    IsArray ? Call.getArgOperand(1) : nullptr,
                    Size->getZExtValue(),
                    Align->getZExtValue(),
                    Site->isNullValue() ? nullptr : Site,
                    *IsPointerFree};
}

/// Whether the region is the current one and the count neither zero nor too large.
Value *Allocator::isFast(IRBuilder<> &B, const Allocation &A, Value *Current) {
  Value *Region = A.Call->getArgOperand(0);
  Value *Named =
      load(B, Region->getType(), field(B, Current, offsetof(acre_rt_allocating, region)));
  Value *Fast = B.CreateICmpEQ(Region, Named);
  if (A.Count)
    Fast = B.CreateAnd(Fast, B.CreateICmpULT(B.CreateSub(B.CreateFreeze(A.Count), ABI.size(1)),
                                             ABI.size(ACRE_BUMP_MAX / A.Size)));
  return Fast;
}

/// Moves the allocator's pointer at the end of B's block, or goes to Slow.
Value *Allocator::take(IRBuilder<> &B, const Allocation &A, Value *Current, BasicBlock *Slow) {
  size_t Which = A.IsPointerFree ? offsetof(acre_rt_allocating, pointer_free)
                                 : offsetof(acre_rt_allocating, normal);
  Value *Bump = load(B, ABI.pointerType(), field(B, Current, Which));
  Value *AvailField = field(B, Bump, offsetof(acre_rt_bump, avail));
  Value *Bytes = A.Count ? B.CreateMul(A.Count, ABI.size(A.Size)) : ABI.size(A.Size);
  Value *Rounded = A.Size % ACRE_BUMP_HEADER == 0
                       ? Bytes
                       : B.CreateAnd(B.CreateAdd(Bytes, ABI.size(ACRE_BUMP_HEADER - 1)),
                                     ABI.size(-ACRE_BUMP_HEADER));
  Value *Start = field(B, load(B, ABI.pointerType(), AvailField),
                       ACRE_BUMP_HEADER + (A.Align > ACRE_BUMP_HEADER ? A.Align - 1 : 0));
  if (A.Align > ACRE_BUMP_HEADER)
    Start = B.CreateIntrinsic(Intrinsic::ptrmask, {Start->getType(), ABI.sizeType()},
                              {Start, ABI.size(-A.Align)});
  Value *End = B.CreateGEP(B.getInt8Ty(), Start, Rounded);
  Value *IsFull = B.CreateICmpUGT(
      End, load(B, ABI.pointerType(), field(B, Bump, offsetof(acre_rt_bump, limit))));
  BasicBlock *Take = BasicBlock::Create(M.getContext(), "acre.take", Slow->getParent(), Slow);
  B.CreateCondBr(IsFull, Slow, Take, MDBuilder(M.getContext()).createUnlikelyBranchWeights());
  B.SetInsertPoint(Take);
  if (A.Site)
    store(B, A.Site, field(B, Start, -ACRE_BUMP_HEADER));
  // The size in the upper half word of the header, whose bytes are in the order of the small end
  // first.
  store(B, B.CreateTrunc(Bytes, B.getInt16Ty()), field(B, Start, size_t(-2)));
  store(B, End, AvailField);
  store(B, Start, field(B, Bump, offsetof(acre_rt_bump, last)));
  Value *TallyField = field(B, Bump, offsetof(acre_rt_bump, tally));
  store(
      B,
      B.CreateAdd(load(B, ABI.sizeType(), TallyField), B.CreateAdd(Bytes, ABI.size(ACRE_BUMP_ONE))),
      TallyField);
  return Start;
}

/// A function of this module that calls Callee and preserves most registers, so that hot code
/// around it spills nothing.
Function *Allocator::coldFunction(Function *Callee) {
  std::string Name = ("acre.cold." + Callee->getName().drop_front(StringRef("acre_").size())).str();
  if (Function *Known = M.getFunction(Name))
    return Known;
  auto *Cold = Function::createWithDefaultAttr(Callee->getFunctionType(),
                                               GlobalValue::LinkOnceODRLinkage, 0, Name, &M);
  shareAcrossUnits(*Cold);
  Cold->addFnAttr(Attribute::Cold);
  Cold->addFnAttr(Attribute::NoInline);
  if (targetTriple(M).getArch() == Triple::x86_64 || targetTriple(M).isAArch64())
    Cold->setCallingConv(CallingConv::PreserveMost);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", Cold));
  SmallVector<Value *, 5> Arguments(llvm::make_pointer_range(Cold->args()));
  CallInst *Call = B.CreateCall(FunctionCallee(Callee), Arguments);
  Call->setMetadata(SlowMetadata, MDNode::get(M.getContext(), {}));
  B.CreateRet(Call);
  return Cold;
}

void Allocator::expand(const Allocation &A) {
  CallInst &Call = *A.Call;
  BasicBlock *Head = Call.getParent();
  BasicBlock *Slow = SplitBlock(Head, &Call), *Join = SplitBlock(Slow, Call.getNextNode());
  Head->getTerminator()->eraseFromParent();
  IRBuilder<> B(Head);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Current = ABI.threadLocal(B, ThreadVariable::Current);
  BasicBlock *Try = BasicBlock::Create(M.getContext(), "acre.try", Head->getParent(), Slow);
  B.CreateCondBr(isFast(B, A, Current), Try, Slow,
                 MDBuilder(M.getContext()).createLikelyBranchWeights());
  B.SetInsertPoint(Try);
  Value *Start = take(B, A, Current, Slow);
  BasicBlock *Taken = B.GetInsertBlock();
  B.CreateBr(Join);
  auto *Result = PHINode::Create(Call.getType(), 2, "", Join->begin());
  Call.replaceAllUsesWith(Result);
  Result->addIncoming(Start, Taken);
  Result->addIncoming(&Call, Slow);
  Function *Cold = coldFunction(Call.getCalledFunction());
  Call.setCalledFunction(Cold);
  Call.setCallingConv(Cold->getCallingConv());
  Call.setTailCallKind(CallInst::TCK_None);
  ++AllocationsInlined;
}

bool Allocator::run() {
  // Where headers have their bytes in another order, or the thread's part is not found so, calls
  // stay calls.
  if (!M.getDataLayout().isLittleEndian() || ABI.sizeType()->getBitWidth() != 64)
    return false;
  SmallVector<Allocation, 32> Found;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasOptNone() && !F.hasMinSize())
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallInst>(&I))
          if (auto A = recognize(*Call))
            Found.push_back(*A);
  for (const Allocation &A : Found)
    expand(A);
  return !Found.empty();
}

} // namespace

PreservedAnalyses AllocatePass::run(Module &M, ModuleAnalysisManager &) {
  return Allocator(M).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace acre
