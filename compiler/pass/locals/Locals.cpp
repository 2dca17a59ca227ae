// SPDX-License-Identifier: MIT
//===- Locals.cpp - Pointers to local variables that outlive them ---------===//
#include "pass/locals/Locals.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/Layout.h"
#include "pass/base/Library.h"
#include "pass/base/Markers.h"
#include "pass/base/PointsAfter.h"
#include "pass/base/RuntimeABI.h"
#include "pass/base/SourceNames.h"
#include "pass/base/StackObjects.h"
#include "pass/insert/AggregateCopies.h"
#include "versions/LLVM.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/CommandLine.h"
#include <array>

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(LocalsKept, "Stores noted that may keep pointers to locals");
STATISTIC(LocalsEnded, "Ends of locals whose address left their function");
STATISTIC(LocalsDropped, "Notes and ends dropped after inlining");

static cl::opt<bool>
    IsOn("acre-locals",
         cl::desc("Refuse the end of a local variable while a pointer to it is kept"));

namespace acre {

bool isNoLocal(const Value &V) {
  const Value *Object = getUnderlyingObject(&V, 0);
  if (auto *Call = dyn_cast<CallBase>(Object))
    return Call->hasRetAttr(Attribute::NoAlias) ||
           (Call->getCalledFunction() &&
            Call->getCalledFunction()->getName().starts_with("acre_region_alloc"));
  return isa<Constant>(Object);
}

namespace {

/// Fixed operands of acre_rt_end_frame; the variables come behind.
enum FrameOperand { DescriptionOperand, WhereOperand, ResultOperand, FirstLocal };

class FunctionLocals {
public:
  FunctionLocals(Function &Fn, RuntimeABI &Runtime) : F(Fn), ABI(Runtime) {}
  void run();

private:
  void collectLocals();
  void keep(Instruction &After, Value *Slot, Value *Kept);
  void keepRange(Instruction &After, Value *Address, Value *Size);
  void visitStore(StoreInst &S);
  void visitCall(CallBase &Call);
  void visit(Instruction &I);
  void endBlock(IntrinsicInst &End);
  void endFrame(Instruction &Exit);
  void noteLasting();
  void endDynamic();
  void expectOutside(Instruction &Bottom);
  Constant *where(const Instruction &At) { return ABI.where(ABI.siteOf(At)); }
  Constant *nameOf(const Value &Local);
  bool isOwn(const Value *Address) const;

  Function &F;
  RuntimeABI &ABI;
  SmallVector<Value *, 8> Locals; ///< whose address leaves the function
  SmallVector<IntrinsicInst *, 8> Ends;
  SmallPtrSet<const Value *, 8> OfBlocks; ///< which end before the function does
  SmallVector<AllocaInst *, 2> Dynamic;
};

/// What a function keeps in its own variables is not noted: a variable that others reach says
/// itself when it ends.
bool FunctionLocals::isOwn(const Value *Address) const {
  const Value *Object = getUnderlyingObject(Address, 0);
  auto *Parameter = dyn_cast<Argument>(Object);
  return isa<AllocaInst>(Object) || (Parameter && Parameter->hasByValAttr());
}

Constant *FunctionLocals::nameOf(const Value &Local) {
  StringRef Name = Local.getName();
  Name.consume_back(".addr");
  std::optional<SourceName> Known = sourceNameOfVariable(Local);
  return ABI.string(Known ? StringRef(Known->Text) : Name.empty() ? StringRef("?") : Name);
}

/// Whether a call makes its result there.
static bool isPlaceOfResult(const Use &U) {
  auto *Call = dyn_cast<CallBase>(U.getUser());
  return Call && Call->isArgOperand(&U) &&
         Call->paramHasAttr(Call->getArgOperandNo(&U), Attribute::StructRet);
}

/// The variable that ends there.  Before LLVM 22 its size stands before it.
static Value *endedBy(const IntrinsicInst &End) {
  return getUnderlyingObject(End.getArgOperand(End.arg_size() - 1), 0);
}

void FunctionLocals::collectLocals() {
  SmallVector<Value *, 4> Results; // which may hold the others' addresses, and end with them
  auto Collect = [&](Value &Object) {
    bool IsExposed = false, IsResult = false;
    forEachStackUse(&Object, [&](Use &U, StackUse Kind) {
      if (Kind == StackUse::End)
        Ends.push_back(cast<IntrinsicInst>(U.getUser()));
      IsExposed |= Kind == StackUse::Expose;
      IsResult |= isPlaceOfResult(U);
    });
    if (stackObjectSize(&Object, ABI.layout()) == 0)
      return;
    if (IsExposed)
      Locals.push_back(&Object);
    else if (IsResult)
      Results.push_back(&Object);
  };
  for (Argument &A : F.args())
    if (A.hasByValAttr())
      Collect(A);
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I)) {
      if (A->isStaticAlloca())
        Collect(*A);
      else
        Dynamic.push_back(A);
    }
  SmallPtrSet<const Value *, 8> Known(Locals.begin(), Locals.end());
  erase_if(Ends, [&](IntrinsicInst *End) { return !Known.contains(endedBy(*End)); });
  if (!Locals.empty())
    append_range(Locals, Results);
}

static bool isRescanOf(const Instruction &I, const Value *Object) {
  return (isCallOf(I, Entry::Rescan) || isTypedRescan(I)) &&
         getUnderlyingObject(cast<CallInst>(I).getArgOperand(0)) == Object;
}

/// Behind After and the barriers of what it stored, which drop the record that a note makes.  Of
/// what was a copy and is now a store of each member, the barrier is behind the last one.
static void behind(Instruction &After, const Value *Slot, function_ref<void(IRBuilder<> &)> Emit) {
  Instruction *Last = &After;
  bool IsNext = true;
  const Value *Object = Slot ? getUnderlyingObject(Slot) : nullptr;
  for (Instruction *Next = After.isTerminator() ? nullptr : After.getNextNode();
       Next && !Next->isTerminator(); Next = Next->getNextNode()) {
    bool IsOurs = entryOf(*Next).has_value(), IsCall = isa<CallBase>(Next);
    if (isCallOf(*Next, Entry::Unpin) || (IsCall && !IsOurs) || (!IsCall && !Object))
      break;
    IsNext &= IsOurs;
    if (IsNext || isRescanOf(*Next, Object))
      Last = Next;
  }
  forEachPointAfter(*Last, false, Emit);
}

void FunctionLocals::keep(Instruction &After, Value *Slot, Value *Kept) {
  if (isNoLocal(*Kept) || isOwn(Slot))
    return;
  behind(After, Slot,
         [&](IRBuilder<> &B) { ABI.call(B, Entry::Keep, {Slot, Kept, where(After)}); });
  ++LocalsKept;
}

void FunctionLocals::keepRange(Instruction &After, Value *Address, Value *Size) {
  auto *Bytes = dyn_cast<ConstantInt>(Size);
  if (isOwn(Address) || Address->getType()->getPointerAddressSpace() != 0 ||
      (Bytes && Bytes->getZExtValue() < ABI.layout().getPointerSize()))
    return;
  behind(After, Address, [&](IRBuilder<> &B) {
    ABI.call(B, Entry::KeepRange,
             {Address, B.CreateZExtOrTrunc(Size, ABI.sizeType()), where(After)});
  });
  ++LocalsKept;
}

void FunctionLocals::visitStore(StoreInst &S) {
  Type *T = S.getValueOperand()->getType();
  // Clang stores a pointer atomically as a number.
  if ((!containsPointer(T) && !S.isAtomic()) || S.getPointerAddressSpace() != 0)
    return;
  if (T->isPointerTy())
    keep(S, S.getPointerOperand(), S.getValueOperand());
  else
    keepRange(S, S.getPointerOperand(),
              ABI.size(ABI.layout().getTypeStoreSize(T).getKnownMinValue()));
}

void FunctionLocals::visitCall(CallBase &Call) {
  if (auto *Copy = dyn_cast<AnyMemTransferInst>(&Call)) {
    auto *From = dyn_cast<GlobalVariable>(getUnderlyingObject(Copy->getRawSource()));
    if (!(From && From->isConstant()) && slotRule(Call) != SlotRule::Numbers &&
        !copiesOnlyNumbers(Call, 0, UINT64_MAX))
      keepRange(Call, Copy->getRawDest(), Copy->getLength());
  } else if (auto C = copierOf(Call); C && C->Kind == CopierKind::Copy && C->Unit == 1) {
    if (slotRule(Call) != SlotRule::Numbers)
      keepRange(Call, Call.getArgOperand(C->Destination), Call.getArgOperand(C->Size));
  }
}

void FunctionLocals::visit(Instruction &I) {
  if (I.hasMetadata(LLVMContext::MD_nosanitize))
    return;
  if (auto *S = dyn_cast<StoreInst>(&I))
    visitStore(*S);
  else if (auto *Update = dyn_cast<AtomicRMWInst>(&I);
           Update && Update->getOperation() == AtomicRMWInst::Xchg)
    keepRange(
        I, Update->getPointerOperand(),
        ABI.size(
            ABI.layout().getTypeStoreSize(Update->getValOperand()->getType()).getFixedValue()));
  else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    keepRange(I, Exchange->getPointerOperand(),
              ABI.size(ABI.layout()
                           .getTypeStoreSize(Exchange->getNewValOperand()->getType())
                           .getFixedValue()));
  else if (auto *Call = dyn_cast<CallBase>(&I))
    visitCall(*Call);
}

/// Whether nothing but ends and the return follow End: the end of the frame is as good.
static bool leadsToReturn(const Instruction &End) {
  constexpr unsigned MostBlocks = 4;
  const Instruction *At = End.getNextNode();
  for (unsigned Blocks = 0; At && Blocks < MostBlocks; At = At->getNextNode()) {
    if (isa<ReturnInst>(At))
      return true;
    if (auto *Branch = dyn_cast<UncondBrInst>(At)) {
      ++Blocks;
      At = &*Branch->getSuccessor(0)->begin();
    }
    auto *Call = dyn_cast<CallBase>(At);
    if (!isa<LifetimeIntrinsic, LoadInst, PHINode, DbgInfoIntrinsic>(At) &&
        !isCallOf(*At, Entry::Release) && !(Call && isFakeUse(*Call)))
      return isa<ReturnInst>(At);
  }
  return false;
}

void FunctionLocals::endBlock(IntrinsicInst &End) {
  Value *Local = endedBy(End);
  if (leadsToReturn(End))
    return;
  IRBuilder<> B(&End);
  ABI.call(B, Entry::EndBlock,
           {Local, ABI.size(stackObjectSize(Local, ABI.layout())), nameOf(*Local), where(End)});
  OfBlocks.insert(Local);
  ++LocalsEnded;
}

/// The largest variable of main that ends with it.  The state of a program is often there, and the
/// rest of the program full of pointers to it.  Other variables may have had its memory before it
/// starts.
void FunctionLocals::noteLasting() {
  auto SizeOf = [&](const Value *Local) {
    return isa<AllocaInst>(Local) && !OfBlocks.contains(Local)
               ? stackObjectSize(Local, ABI.layout())
               : 0;
  };
  auto *Largest =
      max_element(Locals, [&](const Value *A, const Value *B) { return SizeOf(A) < SizeOf(B); });
  if (Largest == Locals.end() || SizeOf(*Largest) == 0)
    return;
  SmallVector<Instruction *, 1> Points;
  forEachStackUse(*Largest, [&](Use &U, StackUse Kind) {
    if (Kind == StackUse::Begin)
      Points.push_back(cast<Instruction>(U.getUser())->getNextNode());
  });
  if (Points.empty())
    Points.push_back(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (Instruction *Point : Points) {
    IRBuilder<> B(Point);
    ABI.call(B, Entry::LocalLasts, {*Largest, ABI.size(SizeOf(*Largest))});
  }
}

/// What the function returns there; null: nothing.
static Value *returnedAt(Instruction &Exit) {
  auto *Return = dyn_cast<ReturnInst>(&Exit);
  return Return ? Return->getReturnValue() : nullptr;
}

static bool mayBeLocal(const Value &Result) {
  return Result.getType()->isPointerTy() && !isNoLocal(Result) &&
         !isa<Argument>(getUnderlyingObject(&Result, 0));
}

/// What the function returns there, if that is a pointer which may be one to a local.
static Value *resultOf(Instruction &Exit) {
  Value *Result = returnedAt(Exit);
  return Result && mayBeLocal(*Result) ? Result : nullptr;
}

/// The pointers of a structure that is returned in registers, as they are at B.
static SmallVector<Value *, 2> membersOfResult(Instruction &Exit, IRBuilder<> &B) {
  SmallVector<Value *, 2> Result;
  Value *Whole = returnedAt(Exit);
  if (!Whole || !Whole->getType()->isAggregateType())
    return Result;
  for (unsigned I = 0; Type *Member = ExtractValueInst::getIndexedType(Whole->getType(), I); ++I) {
    if (!Member->isPointerTy())
      continue;
    Value *Known = FindInsertedValue(Whole, I);
    if (!Known)
      Result.push_back(B.CreateExtractValue(Whole, I));
    else if (mayBeLocal(*Known))
      Result.push_back(Known);
  }
  return Result;
}

/// Whether the function returns such a pointer there, or may with a structure.
static bool mayReturnLocal(Instruction &Exit) {
  Value *Whole = returnedAt(Exit);
  return Whole && (Whole->getType()->isAggregateType() ? containsPointer(Whole->getType())
                                                       : mayBeLocal(*Whole));
}

/// All variables end at once, also those whose blocks have ended before: what callers' variables
/// hold is judged here.
void FunctionLocals::endFrame(Instruction &Exit) {
  SmallVector<Constant *, 8> Described;
  for (Value *Local : Locals)
    Described.push_back(
        ABI.make<acre_rt_local>({nameOf(*Local), ABI.size(stackObjectSize(Local, ABI.layout()))}));
  Constant *Description = ABI.privateConstant(
      ABI.make<acre_rt_locals>(
          {ABI.size(Described.size()), ABI.makeArray<acre_rt_local>(Described, "acre.locals")}),
      "acre.locals");
  Value *Result = resultOf(Exit);
  SmallVector<Value *, 8> Operands = {Description, where(Exit), Result ? Result : ABI.null()};
  append_range(Operands, Locals);
  IRBuilder<> B(&Exit);
  for (Value *Member : membersOfResult(Exit, B))
    for (Value *Local : Locals) {
      Value *End =
          B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Local, stackObjectSize(Local, ABI.layout()));
      ABI.call(B, Entry::ExpectOutside, {Member, Local, End, where(Exit)});
    }
  CallInst *Call = ABI.call(B, Entry::EndFrame, Operands);
  for (unsigned I = FirstLocal; I != Operands.size(); ++I)
    Call->addParamAttr(I, capturesAddress(F.getContext()));
  LocalsEnded += Locals.size();
}

/// Memory of variable size goes when the stack pointer is restored, or with the frame.
void FunctionLocals::endDynamic() {
  SmallVector<std::pair<Instruction *, Value *>, 4> Points;
  IRBuilder<> Start(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Instruction *Bottom = Start.CreateStackSave("acre.sp");
  for (BasicBlock &BB : F) {
    for (Instruction &I : BB)
      if (auto *Restore = dyn_cast<IntrinsicInst>(&I);
          Restore && Restore->getIntrinsicID() == Intrinsic::stackrestore)
        Points.push_back({Restore, Restore->getArgOperand(0)});
    if (Instruction *Exit = exitPoint(BB))
      Points.push_back({Exit, Bottom});
  }
  for (auto [At, High] : Points) {
    IRBuilder<> B(At);
    ABI.call(B, Entry::EndBetween, {B.CreateStackSave(), High, where(*At)});
  }
  for (AllocaInst *A : Dynamic)
    hideDynamic(*A);
  expectOutside(*Bottom);
}

/// What the function returns points to no memory of variable size.  Where it does, some of that may
/// have gone: a variable says how far down it has reached.
void FunctionLocals::expectOutside(Instruction &Bottom) {
  SmallVector<Instruction *, 4> Exits;
  for (BasicBlock &BB : F)
    if (Instruction *Exit = exitPoint(BB); Exit && mayReturnLocal(*Exit))
      Exits.push_back(Exit);
  if (Exits.empty())
    return;
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  AllocaInst *Reached = B.CreateAlloca(ABI.sizeType());
  B.SetInsertPoint(Bottom.getNextNode());
  B.CreateStore(B.CreatePtrToInt(&Bottom, ABI.sizeType()), Reached);
  for (AllocaInst *A : Dynamic) {
    B.SetInsertPoint(A->getNextNode());
    Value *Low = B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateLoad(ABI.sizeType(), Reached),
                                         B.CreatePtrToInt(A, ABI.sizeType()));
    B.CreateStore(Low, Reached);
  }
  for (Instruction *Exit : Exits) {
    B.SetInsertPoint(Exit);
    SmallVector<Value *, 2> Results = membersOfResult(*Exit, B);
    if (Value *Whole = resultOf(*Exit))
      Results.push_back(Whole);
    Value *Low = B.CreateIntToPtr(B.CreateLoad(ABI.sizeType(), Reached), ABI.pointerType());
    for (Value *Each : Results)
      ABI.call(B, Entry::ExpectOutside, {Each, Low, &Bottom, where(*Exit)});
  }
}

void FunctionLocals::run() {
  SmallVector<Instruction *, 64> Original;
  for (Instruction &I : instructions(F))
    Original.push_back(&I);
  collectLocals();
  for (Instruction *I : Original)
    visit(*I);
  for (IntrinsicInst *End : Ends)
    endBlock(*End);
  for (Instruction *I : Original)
    if (isCallOf(*I, Entry::Unwind))
      behind(*I, nullptr, [&](IRBuilder<> &B) {
        ABI.call(B, Entry::DiscardFrames, {cast<CallInst>(I)->getArgOperand(1), where(*I)});
      });
  // The process ends with main.
  if (F.getName() == "main") {
    noteLasting();
    return;
  }
  // What lies in memory of variable size goes before the variables that it points to.
  if (!Dynamic.empty())
    endDynamic();
  if (!Locals.empty())
    for (BasicBlock &BB : F)
      if (Instruction *Exit = exitPoint(BB))
        endFrame(*Exit);
}

} // namespace

bool checksLocals() { return IsOn; }

PreservedAnalyses LocalsPass::run(Module &M, ModuleAnalysisManager &) {
  static constexpr StringLiteral DoneFlag = "acre-locals";
  if (!IsOn || M.getModuleFlag(DoneFlag))
    return PreservedAnalyses::all();
  M.addModuleFlag(Module::Max, DoneFlag, 1);
  RuntimeABI ABI(M);
  for (Function &F : M)
    if (!F.isDeclaration() && !F.getName().starts_with("acre.") &&
        !F.hasFnAttribute(Attribute::Naked) &&
        !F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation))
      FunctionLocals(F, ABI).run();
  return PreservedAnalyses::none();
}

static bool isReached(AllocaInst &Local) {
  bool IsReached = false;
  forEachStackUse(&Local, [&](Use &, StackUse Kind) { IsReached |= Kind == StackUse::Expose; });
  return IsReached;
}

static bool isFilledByCall(AllocaInst &Local) {
  bool IsFilled = false;
  forEachStackUse(&Local, [&](Use &U, StackUse) { IsFilled |= isPlaceOfResult(U); });
  return IsFilled;
}

/// What is stored in a variable that this function has in sight came from a caller: it lives
/// longer.
static bool isFromCaller(const CallInst &Keep) {
  auto *From = dyn_cast<Argument>(getUnderlyingObject(Keep.getArgOperand(1), 0));
  return From && !From->hasByValAttr() &&
         isa<AllocaInst>(getUnderlyingObject(Keep.getArgOperand(0), 0));
}

PreservedAnalyses KnownLocalsPass::run(Function &F, FunctionAnalysisManager &) {
  const Module &M = *F.getParent();
  if (none_of(std::array{Entry::Keep, Entry::EndFrame, Entry::EndBlock, Entry::LocalLasts},
              [&](Entry E) { return M.getFunction(entryName(E)); }))
    return PreservedAnalyses::all();
  SmallVector<CallInst *, 8> Needless;
  SmallVector<CallInst *, 8> Frames;
  for (Instruction &I : instructions(F))
    if (isCallOf(I, Entry::Keep)) {
      if (auto &Call = cast<CallInst>(I); isNoLocal(*Call.getArgOperand(1)) || isFromCaller(Call))
        Needless.push_back(&Call);
    } else if (isCallOf(I, Entry::EndFrame)) {
      Frames.push_back(cast<CallInst>(&I));
    }
  for (CallInst *Call : Needless)
    Call->eraseFromParent();
  LocalsDropped += Needless.size();
  bool IsChanged = !Needless.empty();
  Needless.clear();
  auto *Null = ConstantPointerNull::get(PointerType::getUnqual(F.getContext()));
  for (CallInst *Call : Frames) {
    bool IsNeeded = false;
    for (unsigned I = FirstLocal; I != Call->arg_size(); ++I) {
      auto *Local = dyn_cast<AllocaInst>(Call->getArgOperand(I));
      const bool IsReachable = !Local || isReached(*Local);
      if (!IsReachable && !isFilledByCall(*Local)) {
        Call->setArgOperand(I, Null);
        IsChanged = true;
      }
      IsNeeded |= IsReachable && !isa<Constant>(Call->getArgOperand(I));
    }
    if (!IsNeeded)
      Needless.push_back(Call);
  }
  for (Instruction &I : instructions(F))
    if (isCallOf(I, Entry::EndBlock) || isCallOf(I, Entry::LocalLasts))
      if (auto *Local = dyn_cast<AllocaInst>(cast<CallInst>(I).getArgOperand(0));
          Local && !isReached(*Local))
        Needless.push_back(cast<CallInst>(&I));
  for (CallInst *Call : Needless)
    Call->eraseFromParent();
  LocalsDropped += Needless.size();
  if (!IsChanged && Needless.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace acre
