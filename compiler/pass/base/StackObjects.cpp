// SPDX-License-Identifier: MIT
//===- StackObjects.cpp - Which locals other code can reach ---------------===//
#include "pass/base/StackObjects.h"
#include "pass/base/Library.h"
#include "versions/LLVM.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace acre {

bool containsPointer(Type *T) {
  if (auto *P = dyn_cast<PointerType>(T))
    return P->getAddressSpace() == 0;
  if (auto *V = dyn_cast<VectorType>(T))
    return containsPointer(V->getElementType());
  if (auto *A = dyn_cast<ArrayType>(T))
    return A->getNumElements() > 0 && containsPointer(A->getElementType());
  if (auto *S = dyn_cast<StructType>(T))
    return any_of(S->elements(), containsPointer);
  return false;
}

bool isOutsideRegions(const Value *V) {
  // Not what is reached from null by address arithmetic: that is an integer made a pointer.
  if (isa<ConstantPointerNull, UndefValue>(V))
    return true;
  const Value *Object = getUnderlyingObject(V, 0);
  auto *Parameter = dyn_cast<Argument>(Object);
  return isa<AllocaInst, GlobalValue>(Object) || (Parameter && Parameter->hasByValAttr());
}

bool mayHoldPointer(Type *T, const DataLayout &DL) {
  unsigned Width = DL.getPointerSizeInBits();
  if (auto *P = dyn_cast<PointerType>(T))
    return P->getAddressSpace() == 0;
  if (auto *I = dyn_cast<IntegerType>(T))
    return I->getBitWidth() >= Width;
  if (auto *V = dyn_cast<VectorType>(T))
    return mayHoldPointer(V->getElementType(), DL);
  if (auto *A = dyn_cast<ArrayType>(T)) {
    if (A->getElementType()->isIntegerTy(8))
      return A->getNumElements() * 8 >= Width;
    return A->getNumElements() > 0 && mayHoldPointer(A->getElementType(), DL);
  }
  // A union takes the type of its strictest member, which may be a double where another is a
  // pointer.
  if (auto *S = dyn_cast<StructType>(T))
    return any_of(S->elements(), [&](Type *E) {
      return mayHoldPointer(E, DL) ||
             (E->isFloatingPointTy() && E->getPrimitiveSizeInBits() >= Width);
    });
  return T->isTargetExtTy();
}

/// Whether memory of type T is likely to get records while it is exposed.  A record that outlives
/// its stack object only makes a delete look harder until it is about to be refused, so plain
/// integers are not worth a release.
static bool mayHaveRecords(Type *T) {
  if (containsPointer(T))
    return true;
  if (auto *A = dyn_cast<ArrayType>(T))
    return A->getElementType()->isIntegerTy(8) ||
           (A->getNumElements() > 0 && mayHaveRecords(A->getElementType()));
  auto *S = dyn_cast<StructType>(T);
  return S && ((S->hasName() && S->getName().starts_with("union.")) ||
               any_of(S->elements(), mayHaveRecords));
}

void hideDynamic(AllocaInst &Made) {
  IRBuilder<> B(&Made);
  Type *Size = Made.getArraySize()->getType();
  auto *Same = InlineAsm::get(FunctionType::get(Size, {Size}, false), "", "=r,0", true);
  Made.setOperand(0, B.CreateCall(Same, {Made.getArraySize()}));
  B.SetInsertPoint(Made.getNextNode());
  auto *Look = InlineAsm::get(FunctionType::get(B.getVoidTy(), {Made.getType()}, false), "",
                              "r,~{memory}", true);
  B.CreateCall(Look, {&Made});
}

Type *stackObjectType(const Value *Object) {
  if (auto *A = dyn_cast<AllocaInst>(Object)) {
    auto *Count = dyn_cast<ConstantInt>(A->getArraySize());
    bool IsArray = A->isArrayAllocation() && Count;
    return IsArray ? ArrayType::get(A->getAllocatedType(), Count->getZExtValue())
                   : A->getAllocatedType();
  }
  return cast<Argument>(Object)->getParamByValType();
}

uint64_t stackObjectSize(const Value *Object, const DataLayout &DL) {
  if (auto *A = dyn_cast<AllocaInst>(Object)) {
    std::optional<TypeSize> Size = A->getAllocationSize(DL);
    return Size && Size->isFixed() ? Size->getFixedValue() : 0;
  }
  return DL.getTypeAllocSize(stackObjectType(Object)).getFixedValue();
}

/// Whether operand number Operand of an inline asm call is memory that the asm text accesses
/// itself.
static bool isAsmMemoryOperand(const CallBase &Call, unsigned Operand) {
  return Call.isInlineAsm() && Operand < Call.arg_size() && Call.getParamElementType(Operand);
}

static StackUse classifyCall(const CallBase &Call, unsigned Operand) {
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call)) {
    switch (Intrinsic->getIntrinsicID()) {
    case Intrinsic::lifetime_start:
      return StackUse::Begin;
    case Intrinsic::lifetime_end:
      return StackUse::End;
    case Intrinsic::vastart:
    case Intrinsic::vaend:
    case Intrinsic::vacopy:
      return StackUse::Read;
    case Intrinsic::objectsize:
    case Intrinsic::assume:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end:
      return StackUse::Ignore;
    default:
      break;
    }
    if (isa<DbgInfoIntrinsic>(Intrinsic) || isFakeUse(Call))
      return StackUse::Ignore;
    if (isa<AnyMemIntrinsic>(Intrinsic))
      return Operand == 0 ? StackUse::Write : StackUse::Read;
    return StackUse::Expose;
  }
  if (Operand < Call.arg_size() && Call.isByValArgument(Operand))
    return StackUse::Read;
  // Nobody keeps the address of a result's memory: in the callee it is the address of a local that
  // has died.
  if (Operand < Call.arg_size() && Call.paramHasAttr(Operand, Attribute::StructRet))
    return StackUse::Write;
  // Our own: it drops what the callee counted in a result, before the object's uses are classified
  // again for pins, and says that the object ends; or keeps a scope there, in which no pointer is
  // the program's.
  if (Function *Callee = Call.getCalledFunction())
    if (StringRef Name = Callee->getName(); Name == "acre_rt_release" ||
                                            Name.starts_with("acre_rt_end_") ||
                                            (Operand == 0 && Name.starts_with("acre_scope_")))
      return StackUse::Ignore;
  if (fillsWithNumbers(Call, Operand))
    return StackUse::Write;
  return isAsmMemoryOperand(Call, Operand) ? StackUse::Read : StackUse::Expose;
}

static StackUse classifyUse(const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  unsigned Operand = U.getOperandNo();
  switch (I->getOpcode()) {
  case Instruction::Load:
    return StackUse::Read;
  case Instruction::Store:
    return Operand == StoreInst::getPointerOperandIndex() ? StackUse::Write : StackUse::Expose;
  case Instruction::AtomicRMW:
    return Operand == AtomicRMWInst::getPointerOperandIndex() ? StackUse::Read : StackUse::Expose;
  case Instruction::AtomicCmpXchg:
    return Operand == AtomicCmpXchgInst::getPointerOperandIndex() ? StackUse::Read
                                                                  : StackUse::Expose;
  case Instruction::GetElementPtr:
  case Instruction::BitCast:
    return StackUse::Address;
  case Instruction::AddrSpaceCast:
    return StackUse::Expose;
  case Instruction::ICmp:
    return StackUse::Ignore;
  case Instruction::PtrToInt:
    // What a sanitizer added looks at the address, at most to print it.
    return I->hasMetadata(LLVMContext::MD_nosanitize) ? StackUse::Ignore : StackUse::Expose;
  case Instruction::Call:
  case Instruction::Invoke:
  case Instruction::CallBr:
    return classifyCall(cast<CallBase>(*I), Operand);
  default:
    return StackUse::Expose;
  }
}

void forEachStackUse(Value *Object, function_ref<void(Use &, StackUse)> Visit) {
  SmallVector<Value *, 8> Worklist{Object};
  while (!Worklist.empty()) {
    Value *Address = Worklist.pop_back_val();
    for (Use &U : Address->uses()) {
      StackUse Kind = classifyUse(U);
      if (Kind == StackUse::Address)
        Worklist.push_back(U.getUser());
      else
        Visit(U, Kind);
    }
  }
}

StackObjects::StackObjects(Function &Fn) : F(Fn), DL(Fn.getDataLayout()) {
  for (Argument &A : F.args())
    if (A.hasByValAttr())
      classify(&A);
  for (Instruction &I : instructions(F)) {
    auto *A = dyn_cast<AllocaInst>(&I);
    if (!A)
      continue;
    if (A->isStaticAlloca()) {
      classify(A);
    } else {
      HasDynamic = true;
      IsPrivateObject[A] = false;
    }
  }
}

/// Whether Object, whose type is a floating-point number, is also used as something else: the
/// optimiser's name for a union with a pointer.
static bool isOverlaidNumber(Value *Object) {
  bool IsOverlaid = false;
  if (stackObjectType(Object)->isFloatingPointTy())
    forEachStackUse(Object, [&](Use &U, StackUse Kind) {
      IsOverlaid |= (Kind == StackUse::Read || Kind == StackUse::Write) &&
                    !(isa<LoadInst, StoreInst>(U.getUser()) &&
                      getLoadStoreType(U.getUser())->isFloatingPointTy());
    });
  return IsOverlaid;
}

/// Whether nothing but numbers gets into the memory that U is a use of by it.
static bool keepsNumbers(const Use &U, StackUse Kind) {
  const User *By = U.getUser();
  switch (Kind) {
  case StackUse::Begin:
  case StackUse::End:
    return true;
  case StackUse::Read:
    return isa<LoadInst, AnyMemTransferInst>(By);
  case StackUse::Write:
    if (auto *S = dyn_cast<StoreInst>(By))
      return isa<ConstantInt, ConstantFP>(S->getValueOperand());
    return isa<AnyMemSetInst>(By) || fillsWithNumbers(*cast<CallBase>(By), U.getOperandNo());
  default:
    return false;
  }
}

/// Whether the only pointers to Object that leave the function go to functions of the C library
/// that fill it with numbers.  The type does not say that: memcpy and whoever else has the address
/// may put a pointer in a member that is an integer.
static bool isFilledWithNumbers(Value *Object) {
  bool IsFilled = false, IsOfNumbers = isa<AllocaInst>(Object);
  forEachStackUse(Object, [&](Use &U, StackUse Kind) {
    IsFilled |= Kind == StackUse::Write && !isa<StoreInst, IntrinsicInst>(U.getUser());
    IsOfNumbers &= keepsNumbers(U, Kind);
  });
  return IsFilled && IsOfNumbers;
}

void StackObjects::classify(Value *Object) {
  bool IsExposed = false;
  forEachStackUse(Object, [&](Use &, StackUse Kind) { IsExposed |= Kind == StackUse::Expose; });
  IsPrivateObject[Object] = !IsExposed;
  Type *T = stackObjectType(Object);
  if (stackObjectSize(Object, DL) < DL.getPointerSize() || isFilledWithNumbers(Object))
    return;
  if (IsExposed && (mayHaveRecords(T) || mayHoldPointer(T, DL) || isOverlaidNumber(Object)))
    Exposed.push_back(Object);
  else if (!IsExposed && (mayHoldPointer(T, DL) || isOverlaidNumber(Object)))
    Private.push_back(Object);
}

bool StackObjects::isPrivate(const Value *Address) const {
  return IsPrivateObject.lookup(getUnderlyingObject(Address, 0));
}

bool StackObjects::isStack(const Value *Address) const {
  return IsPrivateObject.contains(getUnderlyingObject(Address, 0));
}

/// For each block, the exposed objects that may have records when it is entered.
void StackObjects::solve() {
  for (auto [Index, Object] : enumerate(Exposed))
    forEachStackUse(Object, [&, Index = unsigned(Index)](Use &U, StackUse Kind) {
      if (Kind == StackUse::Begin || Kind == StackUse::Ignore)
        return;
      auto *I = cast<Instruction>(U.getUser());
      if (Kind == StackUse::End && !endsAt(*I))
        return;
      // A phi uses its operand on the edge; the address was computed before.
      if (auto *Phi = dyn_cast<PHINode>(I))
        I = Phi->getIncomingBlock(U)->getTerminator();
      Events[I].push_back({Index, Kind == StackUse::End});
    });
  // longjmp leads here from places of which the control flow graph knows nothing, out of any scope.
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->hasFnAttr(Attribute::ReturnsTwice))
      for (unsigned Index = 0; Index < Exposed.size(); ++Index)
        Events[&I].push_back({Index, false});
  BitVector AtEntry(Exposed.size());
  for (auto [Index, Object] : enumerate(Exposed))
    if (isa<Argument>(Object))
      AtEntry.set(Index);
  ReversePostOrderTraversal<Function *> Order(&F);
  for (BasicBlock *BB : Order)
    DirtyIn[BB] = BB->isEntryBlock() ? AtEntry : BitVector(Exposed.size());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : Order) {
      BitVector State = DirtyIn[BB];
      for (Instruction &I : *BB)
        if (auto Found = Events.find(&I); Found != Events.end())
          for (const Event &E : Found->second)
            State[E.Object] = !E.IsEnd;
      for (BasicBlock *Next : successors(BB)) {
        BitVector &In = DirtyIn[Next];
        if (State.test(In)) {
          In |= State;
          Changed = true;
        }
      }
    }
  }
}

Instruction *exitPoint(BasicBlock &BB) {
  if (CallInst *Tail = BB.getTerminatingMustTailCall())
    return Tail;
  Instruction *End = BB.getTerminator();
  return isa<ReturnInst, ResumeInst>(End) ? End : nullptr;
}

void StackObjects::releaseAtExits(RuntimeABI &ABI) {
  SmallVector<std::pair<Instruction *, unsigned>, 16> Releases;
  for (BasicBlock &BB : F) {
    auto In = DirtyIn.find(&BB);
    if (In == DirtyIn.end())
      continue;
    Instruction *Exit = exitPoint(BB);
    BitVector State = In->second;
    for (Instruction &I : BB) {
      if (&I == Exit)
        for (unsigned Object : State.set_bits())
          Releases.push_back({Exit, Object});
      auto Found = Events.find(&I);
      if (Found == Events.end())
        continue;
      for (const Event &E : Found->second) {
        if (E.IsEnd && State[E.Object])
          Releases.push_back({&I, E.Object});
        State[E.Object] = !E.IsEnd;
      }
    }
  }
  for (auto [At, Object] : Releases) {
    if (!mayHaveRecords(stackObjectType(Exposed[Object])))
      continue;
    IRBuilder<> B(At);
    ABI.call(B, Entry::Release, {Exposed[Object], ABI.size(stackObjectSize(Exposed[Object], DL))});
  }
}

/// Dynamic stack memory goes when the stack pointer is restored, or with the frame.
void StackObjects::releaseDynamic(RuntimeABI &ABI) {
  SmallVector<std::pair<Instruction *, Value *>, 4> Releases;
  IRBuilder<> Start(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *Bottom = Start.CreateStackSave("acre.sp");
  for (BasicBlock &BB : F) {
    for (Instruction &I : BB)
      if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
        if (Intrinsic->getIntrinsicID() == Intrinsic::stackrestore)
          Releases.push_back({&I, Intrinsic->getArgOperand(0)});
    if (Instruction *Exit = exitPoint(BB))
      Releases.push_back({Exit, Bottom});
  }
  for (auto [At, High] : Releases) {
    IRBuilder<> B(At);
    ABI.call(B, Entry::ReleaseBetween, {B.CreateStackSave(), High});
  }
}

void StackObjects::insertReleases(RuntimeABI &ABI, bool Deletes) {
  if (!Exposed.empty()) {
    if (!Deletes)
      Loops.emplace(DominatorTree(F));
    solve();
    releaseAtExits(ABI);
  }
  if (HasDynamic)
    releaseDynamic(ABI);
}

} // namespace acre
