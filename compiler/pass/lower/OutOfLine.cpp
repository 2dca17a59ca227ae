// SPDX-License-Identifier: MIT
//===- OutOfLine.cpp - The functions that barriers go through -------------===//
#include "pass/lower/OutOfLine.h"
#include "versions/LLVM.h"
#include "llvm/IR/Constants.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace acre {

/// A function being filled: the size of the page map as it was on entry, and where its ways end.
struct OutOfLine::Body {
  Value *Pages;
  Value *Slot, *New;
  BasicBlock *Nothing, *Runtime; ///< nothing to do; not decided here
};

/// The function Prefix has for E; without a body if it is new.
Function *OutOfLine::declare(StringRef Prefix, Entry E) {
  Module &M = ABI.module();
  std::string Name = (Prefix + entryName(E).drop_front(StringRef("acre_rt_").size())).str();
  if (Function *Known = M.getFunction(Name))
    return Known;
  auto *F = Function::createWithDefaultAttr(ABI.declare(E).getFunctionType(),
                                            GlobalValue::LinkOnceODRLinkage, 0, Name, &M);
  shareAcrossUnits(*F);
  F->addFnAttr(Attribute::NoInline);
  F->setDoesNotThrow();
  if (targetTriple(M).getArch() == Triple::x86_64 || targetTriple(M).isAArch64())
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
  assert(E != Entry::Store && "stores have functions of their own");
  bool IsWarm = E == Entry::Reread || E == Entry::Rescan || E == Entry::Release ||
                E == Entry::CheckSameregion || E == Entry::CheckParentptr ||
                E == Entry::CheckInregion;
  if (!IsWarm)
    return cold(E);
  Function *F = declare("acre.warm.", E);
  if (F->empty())
    fillWarm(*F, E);
  return F;
}

/// The number of Address's page in the window.  Addresses that are not in it go to Outside.
Value *OutOfLine::pageOf(IRBuilder<> &B, const Body &In, Value *Address, BasicBlock *Outside) {
  Value *Page = Tests.windowPage(B, Address);
  InlineTests::branch(B, B.CreateICmpUGE(Page, In.Pages), Outside);
  return Page;
}

/// A pair of regions in a word, as acre_rt_ancestor_pairs has it.
Value *OutOfLine::pairOf(IRBuilder<> &B, Value *Target, Value *Holder) {
  Type *Word = B.getInt64Ty();
  return B.CreateOr(B.CreateShl(B.CreateZExt(Holder, Word), 32), B.CreateZExt(Target, Word));
}

/// Whether the thread has found out already that the first region of Pair is an ancestor of the
/// second.
Value *OutOfLine::isKnownAbove(IRBuilder<> &B, Value *Pair) {
  Type *Word = B.getInt64Ty();
  Value *Table = ABI.threadLocal(B, ThreadVariable::AncestorPairs);
  Value *Sum = B.CreateAdd(B.CreateLShr(Pair, 32), Pair);
  Value *Known = B.CreateInBoundsGEP(Word, Table, B.CreateAnd(Sum, ACRE_ANCESTOR_PAIRS - 1));
  return B.CreateICmpEQ(Tests.load(B, Word, Known), Pair);
}

/// Ends a function with a call of another one of this class.  Registers of arguments are preserved
/// too, so only the function's own can go on in a tail call.
void OutOfLine::finish(IRBuilder<> &B, Function *Callee, ArrayRef<Value *> Arguments) {
  CallInst *Call = B.CreateCall(Callee, Arguments);
  Call->setCallingConv(Callee->getCallingConv());
  bool AreOwn = equal(Arguments, llvm::make_pointer_range(Call->getFunction()->args()));
  Call->setTailCallKind(AreOwn ? CallInst::TCK_MustTail : CallInst::TCK_NoTail);
  B.CreateRetVoid();
}

/// A function being filled, from its first block.
OutOfLine::Body OutOfLine::begin(IRBuilder<> &B, Function &F) {
  LLVMContext &C = F.getContext();
  B.SetInsertPoint(BasicBlock::Create(C, "entry", &F));
  auto *Nothing = BasicBlock::Create(C, "nothing", &F),
       *Runtime = BasicBlock::Create(C, "runtime", &F);
  Value *Pages = Tests.windowPages(B);
  IRBuilder<>(Nothing).CreateRetVoid();
  return {Pages, Tests.address(B, F.getArg(0)), Tests.address(B, F.getArg(1)), Nothing, Runtime};
}

/// Takes a store whose slot should have no record, where its line has some: most have none
/// themselves, or a lazy one, which may stay.
Function *OutOfLine::near() {
  Function *F = declare("acre.near.", Entry::Store);
  if (!F->empty())
    return F;
  LLVMContext &C = F->getContext();
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  auto *Nothing = BasicBlock::Create(C, "nothing", F);
  // The mark of a lazy one is the sign.
  static_assert(ACRE_RECORD_LAZY == uint32_t(1) << 31);
  Value *Record = Tests.record(B, Tests.address(B, F->getArg(0)), Nothing);
  InlineTests::branch(B, B.CreateICmpSLE(Record, B.getInt32(0)), Nothing);
  finish(B, cold(Entry::DropRecord), {F->getArg(0), F->getArg(1)});
  B.SetInsertPoint(Nothing);
  B.CreateRetVoid();
  return F;
}

/// The bytes lie in two lines at most.
Function *OutOfLine::nearRelease() {
  Function *F = declare("acre.near.", Entry::Release);
  if (!F->empty())
    return F;
  LLVMContext &C = F->getContext();
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  auto *Nothing = BasicBlock::Create(C, "nothing", F);
  Value *First = Tests.address(B, F->getArg(0));
  Value *Last = B.CreateSub(B.CreateAdd(First, F->getArg(1)), ABI.size(1));
  Value *Count = B.CreateOr(Tests.lineCount(B, First), Tests.lineCount(B, Last));
  InlineTests::branch(B, B.CreateIsNull(Count), Nothing);
  finish(B, cold(Entry::Release), {F->getArg(0), F->getArg(1)});
  B.SetInsertPoint(Nothing);
  B.CreateRetVoid();
  return F;
}

/// What was left in an atomic or volatile slot is often a number.  Only the runtime makes or drops
/// a record then: it reads the slot again afterwards.
void OutOfLine::fillReread(Function &F) {
  LLVMContext &C = F.getContext();
  IRBuilder<> B(BasicBlock::Create(C, "entry", &F));
  auto *Nothing = BasicBlock::Create(C, "nothing", &F),
       *Runtime = BasicBlock::Create(C, "runtime", &F);
  // Other threads may be storing there; a volatile member of a packed aggregate may be misaligned.
  LoadInst *Held = B.CreateAlignedLoad(ABI.sizeType(), F.getArg(0), Align(), /*isVolatile=*/true);
  Held->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(C, {}));
  InlineTests::branch(B, Tests.isInWindow(B, B.CreateFreeze(Held)), Runtime);
  Value *Slot = Tests.address(B, F.getArg(0));
  InlineTests::branch(B, B.CreateIsNull(Tests.eagerCount(B, Slot)), Nothing);
  B.CreateCondBr(B.CreateIsNull(Tests.record(B, Slot, Nothing)), Nothing, Runtime);
  B.SetInsertPoint(Nothing);
  B.CreateRetVoid();
  B.SetInsertPoint(Runtime);
  finish(B, cold(Entry::Reread), {F.getArg(0)});
}

/// Takes a store of an address in the window that is not on the slot's page: most stay in their
/// region, and of the others most slots have the record that they should have.
Function *OutOfLine::far() {
  Function *F = declare("acre.far.", Entry::Store);
  if (!F->empty())
    return F;
  IRBuilder<> B(F->getContext());
  Body In = begin(B, *F);
  auto NewBlock = [&](const Twine &Name) {
    return BasicBlock::Create(F->getContext(), Name, F, In.Nothing);
  };
  BasicBlock *Near = NewBlock("near"), *Foreign = NewBlock("foreign"),
             *Outside = NewBlock("outside"), *Changed = NewBlock("changed");
  auto BranchIfUncounted = [&](Value *Index) {
    InlineTests::branch(B, B.CreateICmpULE(Index, B.getInt32(ACRE_UNCOUNTED_REGION)), Near);
  };

  Value *SlotPage = pageOf(B, In, In.Slot, Outside), *NewPage = pageOf(B, In, In.New, Near);
  Value *Holder = Tests.ownerOf(B, SlotPage), *Inner = Tests.ownerOf(B, NewPage);
  InlineTests::branch(B, B.CreateICmpEQ(Holder, Inner), Near);
  BranchIfUncounted(Inner);
  InlineTests::branch(B, isKnownAbove(B, pairOf(B, Inner, Holder)), Near);
  BasicBlock *Inside = B.GetInsertBlock();
  B.CreateBr(Foreign);
  // No region is above what lies outside all.  Frames are asked about last: most of these slots
  // have the right record.
  B.SetInsertPoint(Outside);
  Value *Outer = Tests.ownerOf(B, pageOf(B, In, In.New, Near));
  BranchIfUncounted(Outer);
  BasicBlock *Counted = B.GetInsertBlock();
  B.CreateBr(Foreign);

  B.SetInsertPoint(Foreign);
  PHINode *Index = B.CreatePHI(Inner->getType(), 2, "index");
  Index->addIncoming(Inner, Inside);
  Index->addIncoming(Outer, Counted);
  Value *Offset =
      B.CreateAnd(B.CreateTrunc(In.Slot, ABI.word32Type()), (1 << ACRE_RECORD_SHIFT) - 1);
  Value *Wanted = B.CreateOr(B.CreateShl(Index, ACRE_RECORD_SHIFT), Offset, "wanted");
  // The mark of a lazy record is shifted out.
  Value *Record = Tests.record(B, In.Slot, Changed),
        *IsWanted = B.CreateIsNull(B.CreateShl(B.CreateXor(Record, Wanted), 1));
  B.CreateCondBr(IsWanted, In.Nothing, Changed);
  // Slots in uncounted frames should have no record; a stack may lie in a region.
  B.SetInsertPoint(Changed);
  B.CreateCondBr(Tests.isUncounted(B, In.Slot), In.Nothing, In.Runtime);
  B.SetInsertPoint(In.Runtime);
  // Not told the record: another argument would cost every way registers and a frame.
  finish(B, cold(Entry::Store), {F->getArg(0), F->getArg(1)});
  B.SetInsertPoint(Near);
  InlineTests::branch(B, B.CreateIsNull(Tests.eagerCount(B, In.Slot)), In.Nothing);
  finish(B, near(), {F->getArg(0), F->getArg(1)});
  return F;
}

GlobalVariable *OutOfLine::placeOf(GlobalVariable &G, int64_t Offset) {
  GlobalVariable *&Place = Places[{&G, Offset}];
  if (Place)
    return Place;
  // The index of no region is that large.  Not lazy: what asks whether there is a record goes on.
  constexpr uint32_t NoRecord = ~ACRE_RECORD_LAZY;
  constexpr StringLiteral Name = "acre.no_record";
  Module &M = ABI.module();
  GlobalVariable *None = M.getNamedGlobal(Name);
  if (!None) {
    None = ABI.privateConstant(ABI.number(NoRecord), Name);
    None->setLinkage(GlobalValue::InternalLinkage);
  }
  return Place = new GlobalVariable(M, ABI.pointerType(), false, GlobalValue::InternalLinkage, None,
                                    "acre.place." + G.getName());
}

/// Takes any store, and asks what the tests in line do: most addresses are outside the window, most
/// lines have no record.
Function *OutOfLine::any() {
  Function *F = declare("acre.any.", Entry::Store);
  if (!F->empty())
    return F;
  LLVMContext &C = F->getContext();
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  auto *Line = BasicBlock::Create(C, "line", F), *Nothing = BasicBlock::Create(C, "nothing", F);
  SmallVector<Value *, 2> Arguments(llvm::make_pointer_range(F->args()));
  Value *Slot = Tests.address(B, F->getArg(0)), *New = Tests.address(B, F->getArg(1));
  InlineTests::branch(B, B.CreateNot(Tests.isInWindow(B, New)), Line);
  InlineTests::branch(B, B.CreateNot(Tests.isOnOtherPage(B, Slot, New)), Line);
  finish(B, far(), Arguments);
  B.SetInsertPoint(Line);
  InlineTests::branch(B, B.CreateIsNull(Tests.eagerCount(B, Slot)), Nothing);
  finish(B, near(), Arguments);
  B.SetInsertPoint(Nothing);
  B.CreateRetVoid();
  return F;
}

/// Bytes in one word, written by the member of a union: most words are no address, and have no
/// record.
void OutOfLine::fillRescan(Function &F) {
  LLVMContext &C = F.getContext();
  IRBuilder<> B(BasicBlock::Create(C, "entry", &F));
  auto *Nothing = BasicBlock::Create(C, "nothing", &F),
       *Runtime = BasicBlock::Create(C, "runtime", &F);
  Value *Address = Tests.address(B, F.getArg(0));
  const uint64_t Size = ABI.layout().getPointerSize();
  Value *Word = B.CreateIntToPtr(B.CreateAnd(Address, ~(Size - 1)), ABI.pointerType());
  Value *Held = B.CreateFreeze(Tests.load(B, ABI.sizeType(), Word));
  InlineTests::branch(B, Tests.isInWindow(B, Held), Runtime);
  InlineTests::branch(B, B.CreateIsNull(Tests.eagerCount(B, Address)), Nothing);
  B.CreateCondBr(B.CreateIsNull(Tests.record(B, Address, Nothing)), Nothing, Runtime);
  B.SetInsertPoint(Nothing);
  B.CreateRetVoid();
  B.SetInsertPoint(Runtime);
  finish(B, cold(Entry::Rescan), {F.getArg(0), F.getArg(1)});
}

/// A local of a function without pins: its frame was never counted, unless it is on another stack
/// than the thread's.
void OutOfLine::fillRelease(Function &F) {
  LLVMContext &C = F.getContext();
  IRBuilder<> B(BasicBlock::Create(C, "entry", &F));
  auto *Nothing = BasicBlock::Create(C, "nothing", &F);
  InlineTests::branch(B, Tests.isUncounted(B, Tests.address(B, F.getArg(0))), Nothing);
  finish(B, cold(Entry::Release), {F.getArg(0), F.getArg(1)});
  B.SetInsertPoint(Nothing);
  B.CreateRetVoid();
}

void OutOfLine::fillCheck(IRBuilder<> &B, const Body &In, bool IsParentptr) {
  Value *SlotPage = pageOf(B, In, In.Slot, In.Runtime),
        *NewPage = pageOf(B, In, In.New, In.Runtime);
  Value *Holder = Tests.ownerOf(B, SlotPage), *Target = Tests.ownerOf(B, NewPage);
  Value *IsSame = B.CreateICmpEQ(Holder, Target);
  if (!IsParentptr) {
    B.CreateCondBr(IsSame, In.Nothing, In.Runtime);
    return;
  }
  InlineTests::branch(B, IsSame, In.Nothing);
  B.CreateCondBr(isKnownAbove(B, pairOf(B, Target, Holder)), In.Nothing, In.Runtime);
}

/// Most handles are those of the region that the thread allocated in last, which so is alive.
void OutOfLine::fillInregion(IRBuilder<> &B, Function &F, const Body &In) {
  Value *Checked = In.Slot, *Region = In.New;
  auto *ByHandle = BasicBlock::Create(F.getContext(), "handle", &F, In.Nothing);
  Value *IsByHandle = B.CreateIsNotNull(B.CreateAnd(F.getArg(2), ACRE_RT_BY_HANDLE));
  InlineTests::branch(B, IsByHandle, ByHandle);
  Value *CheckedPage = pageOf(B, In, Checked, In.Runtime),
        *RegionPage = pageOf(B, In, Region, In.Runtime);
  Value *Owner = Tests.ownerOf(B, CheckedPage), *Wanted = Tests.ownerOf(B, RegionPage);
  InlineTests::branch(B, B.CreateICmpEQ(Owner, Wanted), In.Nothing);
  InlineTests::branch(B, B.CreateIsNull(B.CreateAnd(F.getArg(2), ACRE_RT_OR_ANCESTOR)), In.Runtime);
  B.CreateCondBr(isKnownAbove(B, pairOf(B, Owner, Wanted)), In.Nothing, In.Runtime);
  B.SetInsertPoint(ByHandle);
  Value *Allocating = ABI.threadLocal(B, ThreadVariable::Current);
  Value *Current = Tests.load(B, ABI.sizeType(), Allocating);
  InlineTests::branch(B, B.CreateICmpNE(Current, Region), In.Runtime);
  // A handle begins with the region's index.
  Owner = Tests.ownerOf(B, pageOf(B, In, Checked, In.Runtime));
  B.CreateCondBr(B.CreateICmpEQ(Owner, B.CreateTrunc(Region, B.getInt32Ty())), In.Nothing,
                 In.Runtime);
}

void OutOfLine::fillWarm(Function &F, Entry E) {
  if (E == Entry::Rescan)
    return fillRescan(F);
  if (E == Entry::Release)
    return fillRelease(F);
  if (E == Entry::Reread)
    return fillReread(F);
  IRBuilder<> B(F.getContext());
  Body In = begin(B, F);
  if (E == Entry::CheckInregion)
    fillInregion(B, F, In);
  else
    fillCheck(B, In, E == Entry::CheckParentptr);
  B.SetInsertPoint(In.Runtime);
  SmallVector<Value *, 4> Arguments(llvm::make_pointer_range(F.args()));
  finish(B, cold(E), Arguments);
}

} // namespace acre
