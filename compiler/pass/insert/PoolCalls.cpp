// SPDX-License-Identifier: MIT
//===- PoolCalls.cpp - Regions for the program's own pools ----------------===//
#include "pass/insert/PoolCalls.h"
#include "pass/base/PointsAfter.h"
#include "shared/markers.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace acre {

namespace {

enum Field { Word, Pool, Size, Count, Align, Other, TypeName, TypeSize, Most };

class PoolCallRewriter {
public:
  PoolCallRewriter(RuntimeABI &Runtime, const PoolCall &Named)
      : ABI(Runtime), Named(Named), Call(*cast<CallBase>(Named.Call)), B(&Call) {
    if (auto *Plain = dyn_cast<CallInst>(&Call); Plain && Plain->isMustTailCall())
      Plain->setTailCallKind(CallInst::TCK_Tail);
  }
  void rewrite();

private:
  void create();
  void end(uint32_t How);
  void text();
  void replaceUnlessNull(Value *Answer, Value *Result);
  void release();
  void space();
  void total();
  void isEmpty();
  void afterResult(function_ref<Value *(IRBuilder<> &, Value *Bytes)> Emit);
  void allocate(Value *Object);
  void afterCall(function_ref<void(IRBuilder<> &)> Emit);

  Value *pointer(Field F);
  Value *number(Field F, uint64_t Default);
  /// The pool as it is at B.
  Value *pool(IRBuilderBase &At);
  Value *poolInVariable(IRBuilderBase &At, StringRef Name);
  Constant *noPool();
  /// Pointer, or null where more bytes are asked for than regions give.
  Value *unlessTooMuch(Value *Pointer);
  Constant *poolSize();
  Constant *here() { return ABI.string(Named.At.File + ":" + std::to_string(Named.At.Line)); }
  const std::string &field(Field F) const { return Named.Fields[F]; }
  Value *argument(StringRef Index);

  RuntimeABI &ABI;
  const PoolCall &Named;
  CallBase &Call;
  IRBuilder<> B; ///< before the call
};

/// Null if the program calls the function with too few arguments.
Value *PoolCallRewriter::argument(StringRef Index) {
  unsigned I;
  return Index.getAsInteger(10, I) || I >= Call.arg_size() ? nullptr : Call.getArgOperand(I);
}

Value *PoolCallRewriter::pointer(Field F) {
  Value *Given = argument(field(F));
  return Given && Given->getType()->isPointerTy() ? Given : ABI.null();
}

Value *PoolCallRewriter::number(Field F, uint64_t Default) {
  StringRef Text = field(F);
  if (Text.consume_front(StringRef(&markers::PoolAlignment, 1)))
    return Text.getAsInteger(10, Default), ABI.size(Default);
  Value *Given = argument(Text);
  return Given && Given->getType()->isIntegerTy() ? B.CreateZExtOrTrunc(Given, ABI.sizeType())
                                                  : ABI.size(Default);
}

Value *PoolCallRewriter::pool(IRBuilderBase &At) {
  StringRef Text = field(Pool);
  if (Text.empty())
    return ABI.null();
  if (Text.front() == markers::PoolOfResult)
    return &Call;
  if (Text.front() == markers::PoolInPlace) {
    Value *Place = argument(Text.drop_front());
    if (!Place || !Place->getType()->isPointerTy())
      return ABI.null();
    return At.CreateLoad(ABI.pointerType(), Place);
  }
  if (Text.front() == markers::PoolOfVariable)
    return poolInVariable(At, Text.drop_front());
  return pointer(Pool);
}

/// Another program may have functions of these names without the variable, as PostgreSQL's clients
/// do: it is linked without, and has no pool there.
Value *PoolCallRewriter::poolInVariable(IRBuilderBase &At, StringRef Name) {
  Module &M = ABI.module();
  if (GlobalVariable *Known = M.getNamedGlobal(Name); Known && !Known->hasExternalWeakLinkage())
    return At.CreateLoad(ABI.pointerType(), Known);
  auto *Variable = cast<GlobalVariable>(M.getOrInsertGlobal(Name, ABI.pointerType()));
  Variable->setLinkage(GlobalValue::ExternalWeakLinkage);
  Value *IsThere = At.CreateIsNotNull(Variable);
  return At.CreateLoad(ABI.pointerType(), At.CreateSelect(IsThere, Variable, noPool()));
}

/// A place that holds no pool.
Constant *PoolCallRewriter::noPool() {
  Module &M = ABI.module();
  constexpr StringLiteral Name = "acre.no_pool";
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  return new GlobalVariable(M, ABI.pointerType(), true, GlobalValue::PrivateLinkage, ABI.null(),
                            Name);
}

/// The address of a number that the units have which see the type of pools: null at run time where
/// none has.
Constant *PoolCallRewriter::poolSize() {
  Module &M = ABI.module();
  const std::string Name = "acre.pool_size." + field(TypeName);
  auto *Known = cast<GlobalVariable>(M.getOrInsertGlobal(Name, ABI.sizeType()));
  uint64_t Bytes = 0;
  if (StringRef(field(TypeSize)).getAsInteger(10, Bytes)) {
    if (Known->isDeclaration())
      Known->setLinkage(GlobalValue::ExternalWeakLinkage);
    return Known;
  }
  Known->setInitializer(ABI.size(Bytes));
  Known->setConstant(true);
  Known->setLinkage(GlobalValue::WeakODRLinkage);
  return Known;
}

void PoolCallRewriter::afterCall(function_ref<void(IRBuilder<> &)> Emit) {
  forEachPointAfter(Call, false, Emit);
}

void PoolCallRewriter::create() {
  Value *Parent = pointer(Other);
  Constant *Bytes = poolSize(), *Here = here();
  afterCall([&](IRBuilder<> &After) {
    ABI.call(After, Entry::PoolCreated, {pool(After), Parent, Bytes, Here});
  });
}

/// The function of the program is not inlined: the runtime tells by frames which call of this kind
/// is within which.
void PoolCallRewriter::end(uint32_t How) {
  Value *Ended = ABI.call(B, Entry::PoolBegin, {pool(B), B.getInt32(How), here()});
  Call.setIsNoInline();
  afterCall([&](IRBuilder<> &After) {
    ABI.call(After, Entry::PoolEnd, {Ended, After.getInt32(How), here()});
  });
}

void PoolCallRewriter::text() {
  Value *From = pool(B);
  SmallVector<Use *, 4> Uses;
  for (Use &U : Call.uses())
    Uses.push_back(&U);
  if (Uses.empty())
    return;
  // The result has one point after it: an invoke's normal destination.
  afterCall([&](IRBuilder<> &After) {
    Value *Text = ABI.call(After, Entry::PoolText, {From, &Call, Named.Allocation});
    for (Use *U : Uses)
      U->set(Text);
  });
}

/// Result, which was computed before the call, unless Answer is zero: then the call is made.
void PoolCallRewriter::replaceUnlessNull(Value *Answer, Value *Result) {
  BasicBlock *Before = Call.getParent();
  BasicBlock *Rest = isa<InvokeInst>(Call)
                         ? SplitEdge(Before, cast<InvokeInst>(Call).getNormalDest())
                         : SplitBlock(Before, Call.getNextNode());
  BasicBlock *Made = SplitBlock(Before, &Call);
  Instruction *Branch = Before->getTerminator();
  IRBuilder<> At(Branch);
  At.SetCurrentDebugLocation(Call.getDebugLoc());
  MDNode *Unlikely = MDBuilder(ABI.module().getContext()).createUnlikelyBranchWeights();
  At.CreateCondBr(At.CreateIsNull(Answer), Made, Rest, Unlikely);
  Branch->eraseFromParent();
  if (Call.getType()->isVoidTy())
    return;
  IRBuilder<> Join(Rest, Rest->begin());
  PHINode *Either = Join.CreatePHI(Call.getType(), 2);
  Call.replaceAllUsesWith(Either);
  Either->addIncoming(Result, Before);
  Either->addIncoming(&Call, Made);
}

/// Where the runtime takes the object back the program's function does not run, and is said to have
/// returned zero.
void PoolCallRewriter::release() {
  Value *IsDone = ABI.call(B, Entry::PoolRelease, {pool(B), pointer(Other)});
  Type *Result = Call.getType();
  replaceUnlessNull(IsDone, Result->isVoidTy() ? nullptr : Constant::getNullValue(Result));
}

/// A limit has 32 bits, so the product is right where it is asked for.
Value *PoolCallRewriter::unlessTooMuch(Value *Pointer) {
  uint64_t Limit;
  if (StringRef(field(Most)).getAsInteger(10, Limit))
    return Pointer;
  Value *Bytes = number(Size, 0), *Times = number(Count, 1), *Bound = ABI.size(Limit);
  Value *IsMore = B.CreateOr({B.CreateICmpUGT(Bytes, Bound), B.CreateICmpUGT(Times, Bound),
                              B.CreateICmpUGT(B.CreateMul(Bytes, Times), Bound)});
  return B.CreateSelect(IsMore, ABI.null(), Pointer);
}

void PoolCallRewriter::space() {
  Value *Bytes = ABI.call(B, Entry::PoolSpace, {pointer(Other)});
  replaceUnlessNull(Bytes, B.CreateZExtOrTrunc(Bytes, Call.getType()));
}

/// What the program's function tells is about the pool's own memory, and the region has more.
void PoolCallRewriter::afterResult(function_ref<Value *(IRBuilder<> &, Value *Bytes)> Emit) {
  SmallVector<Use *, 4> Uses;
  for (Use &U : Call.uses())
    Uses.push_back(&U);
  Value *Of = pool(B);
  afterCall([&](IRBuilder<> &After) {
    Value *Result = Emit(After, ABI.call(After, Entry::PoolTotal, {Of}));
    for (Use *U : Uses)
      U->set(Result);
  });
}

void PoolCallRewriter::total() {
  afterResult([&](IRBuilder<> &After, Value *Bytes) {
    return After.CreateAdd(&Call, After.CreateZExtOrTrunc(Bytes, Call.getType()));
  });
}

void PoolCallRewriter::isEmpty() {
  afterResult([&](IRBuilder<> &After, Value *Bytes) {
    return After.CreateSelect(After.CreateIsNull(Bytes), &Call,
                              Constant::getNullValue(Call.getType()));
  });
}

/// What allocates, and is answered by the runtime.
void PoolCallRewriter::allocate(Value *Object) { replaceUnlessNull(Object, Object); }

void PoolCallRewriter::rewrite() {
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  const bool GivesPointer = Call.getType()->isPointerTy();
  const bool GivesNumber = Call.getType()->isIntegerTy();
  switch (field(Word).front()) {
  case markers::PoolCreate:
    return create();
  case markers::PoolDestroy:
    return end(ACRE_RT_POOL_DESTROYED);
  case markers::PoolClear:
    return end(ACRE_RT_POOL_CLEARED);
  case markers::PoolClearOnly:
    return end(ACRE_RT_POOL_CLEARED_ONLY);
  case markers::PoolRelease:
    return release();
  case markers::PoolName:
    ABI.call(B, Entry::PoolNamed, {pool(B), pointer(Other)});
    return;
  case markers::PoolText:
    return GivesPointer ? text() : void();
  case markers::PoolSpace:
    return GivesNumber ? space() : void();
  case markers::PoolTotal:
    return GivesNumber ? total() : void();
  case markers::PoolEmpty:
    return GivesNumber ? isEmpty() : void();
  case markers::PoolOwner:
    return GivesPointer ? allocate(ABI.call(B, Entry::PoolOwner, {pointer(Other), here()}))
                        : void();
  case markers::PoolAlloc:
    return GivesPointer ? allocate(ABI.call(B, Entry::PoolAlloc,
                                            {unlessTooMuch(pool(B)), number(Count, 1),
                                             number(Size, 0), number(Align, 1), Named.Allocation}))
                        : void();
  case markers::PoolCopy:
    return GivesPointer ? allocate(ABI.call(B, Entry::PoolCopy,
                                            {unlessTooMuch(pool(B)), pointer(Other),
                                             number(Size, 0), number(Align, 1), Named.Allocation}))
                        : void();
  case markers::PoolResize:
    return GivesPointer ? allocate(ABI.call(B, Entry::PoolResize,
                                            {pool(B), unlessTooMuch(pointer(Other)),
                                             number(Size, 0), number(Align, 1), Named.Allocation}))
                        : void();
  default:
    ABI.module().getContext().emitError(&Call, "acre: a call of a pool's function is malformed");
  }
}

} // namespace

void insertPoolCalls(RuntimeABI &ABI, ArrayRef<PoolCall> Calls) {
  for (const PoolCall &Each : Calls)
    if (Each.Call)
      PoolCallRewriter(ABI, Each).rewrite();
}

} // namespace acre
