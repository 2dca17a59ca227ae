//===- OutOfLine.cpp - The functions that barriers go through -------------===//
#include "OutOfLine.h"
#include "acre/abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace acre {

/// A function being filled: the page map as it was on entry, and where its ways end.
struct OutOfLine::Body {
  Value *Base, *Pages, *Map;
  Value *Slot, *New;
  BasicBlock *Nothing, *Runtime; ///< nothing to do; the runtime decides
};

/// The function Prefix has for E; without a body if it is new.
Function *OutOfLine::declare(StringRef Prefix, Entry E) {
  Module &M = ABI.module();
  std::string Name = (Prefix + entryName(E).drop_front(StringRef("acre_rt_").size())).str();
  if (Function *Known = M.getFunction(Name))
    return Known;
  FunctionType *Type = ABI.declare(E).getFunctionType();
  auto *F = Function::createWithDefaultAttr(Type, GlobalValue::LinkOnceODRLinkage, 0, Name, &M);
  F->setVisibility(GlobalValue::HiddenVisibility);
  if (M.getTargetTriple().supportsCOMDAT())
    F->setComdat(M.getOrInsertComdat(Name));
  F->addFnAttr(Attribute::NoInline);
  F->setDoesNotThrow();
  if (M.getTargetTriple().isX86_64() || M.getTargetTriple().isAArch64())
    F->setCallingConv(CallingConv::PreserveMost);
  return F;
}

Function *OutOfLine::cold(Entry E) {
  Function *F = declare("acre.cold.", E);
  if (!F->empty())
    return F;
  F->addFnAttr(Attribute::Cold);
  IRBuilder<> B(BasicBlock::Create(F->getContext(), "entry", F));
  SmallVector<Value *, 4> Arguments(llvm::make_pointer_range(F->args()));
  ABI.call(B, E, Arguments);
  B.CreateRetVoid();
  return F;
}

Function *OutOfLine::of(Entry E) {
  bool IsWarm = E == Entry::Store || E == Entry::CheckSameregion || E == Entry::CheckParentptr;
  if (!IsWarm)
    return cold(E);
  Function *F = declare("acre.warm.", E);
  if (F->empty())
    fillWarm(*F, E);
  return F;
}

/// Continues in a new block unless Condition.
void OutOfLine::branch(IRBuilder<> &B, Value *Condition, BasicBlock *Then) {
  auto *Next = BasicBlock::Create(B.getContext(), "", Then->getParent(), Then);
  B.CreateCondBr(Condition, Then, Next);
  B.SetInsertPoint(Next);
}

/// The index of the region that Address is in, 0 for none.  Addresses that are not in the window go to Outside.
Value *OutOfLine::ownerOf(IRBuilder<> &B, const Body &In, Value *Address, BasicBlock *Outside) {
  Value *Page = B.CreateLShr(B.CreateSub(Address, In.Base), ACRE_PAGE_SHIFT);
  branch(B, B.CreateICmpUGE(Page, In.Pages), Outside);
  return Tests.load(B, B.getInt32Ty(), B.CreateInBoundsGEP(B.getInt32Ty(), In.Map, Page));
}

/// No record near the slot, and a value that would not make one: it points into the slot's own region or into none.
void OutOfLine::fillStore(IRBuilder<> &B, const Body &In) {
  auto *Foreign = BasicBlock::Create(B.getContext(), "foreign", In.Nothing->getParent(), In.Nothing);
  Value *Holder = ownerOf(B, In, In.Slot, Foreign);
  branch(B, B.CreateIsNotNull(Tests.filterByte(B, In.Slot)), In.Runtime);
  Value *Target = ownerOf(B, In, In.New, In.Nothing);
  branch(B, B.CreateICmpEQ(Holder, Target), In.Nothing);
  B.CreateCondBr(B.CreateIsNull(Target), In.Nothing, In.Runtime);
  B.SetInsertPoint(Foreign);
  B.CreateCondBr(Tests.isUncounted(B, In.Slot), In.Nothing, In.Runtime);
}

void OutOfLine::fillCheck(IRBuilder<> &B, const Body &In, bool IsParentptr) {
  Value *Holder = ownerOf(B, In, In.Slot, In.Runtime), *Target = ownerOf(B, In, In.New, In.Runtime);
  Value *IsSame = B.CreateICmpEQ(Holder, Target);
  if (!IsParentptr) {
    B.CreateCondBr(IsSame, In.Nothing, In.Runtime);
    return;
  }
  branch(B, IsSame, In.Nothing);
  Type *Word = B.getInt64Ty();
  Value *Wide = B.CreateZExt(Target, Word);
  Value *Pair = B.CreateOr(B.CreateShl(B.CreateZExt(Holder, Word), 32), Wide);
  auto *TableType = ArrayType::get(Word, ACRE_ANCESTOR_PAIRS);
  Value *Table = ABI.threadLocal(B, "acre_rt_ancestor_pairs", TableType);
  Value *Known = B.CreateInBoundsGEP(Word, Table, B.CreateAnd(Wide, ACRE_ANCESTOR_PAIRS - 1));
  B.CreateCondBr(B.CreateICmpEQ(Tests.load(B, Word, Known), Pair), In.Nothing, In.Runtime);
}

void OutOfLine::fillWarm(Function &F, Entry E) {
  LLVMContext &C = F.getContext();
  IRBuilder<> B(BasicBlock::Create(C, "entry", &F));
  auto *Nothing = BasicBlock::Create(C, "nothing", &F), *Runtime = BasicBlock::Create(C, "runtime", &F);
  // The number of pages says that the other two are set.
  auto *Pages = cast<LoadInst>(Tests.load(B, ABI.sizeType(), ABI.variable("acre_rt_window_pages", ABI.sizeType())));
  Pages->setAtomic(AtomicOrdering::Acquire);
  Value *Base = Tests.load(B, ABI.sizeType(), ABI.variable("acre_rt_window_base", ABI.sizeType()));
  Value *Map = Tests.load(B, ABI.pointerType(), ABI.variable("acre_rt_page_map", ABI.pointerType()));
  Body In = {Base, Pages, Map, Tests.address(B, F.getArg(0)), Tests.address(B, F.getArg(1)), Nothing, Runtime};
  if (E == Entry::Store)
    fillStore(B, In);
  else
    fillCheck(B, In, E == Entry::CheckParentptr);
  B.SetInsertPoint(Nothing);
  B.CreateRetVoid();
  B.SetInsertPoint(Runtime);
  SmallVector<Value *, 4> Arguments(llvm::make_pointer_range(F.args()));
  Function *Cold = cold(E);
  CallInst *Call = B.CreateCall(Cold, Arguments);
  Call->setCallingConv(Cold->getCallingConv());
  Call->setTailCallKind(CallInst::TCK_MustTail);
  B.CreateRetVoid();
}

} // namespace acre
