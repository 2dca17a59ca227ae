// SPDX-License-Identifier: MIT
//===- ProgramView.cpp - What is known of a whole module ------------------===//
#include "pass/prove/ProgramView.h"
#include "versions/LLVM.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace acre {

const ProgramView::Calls *ProgramView::callers(const Function &F) {
  auto [Found, IsNew] = Callers.try_emplace(&F);
  std::optional<Calls> &Known = Found->second;
  if (IsNew && F.hasLocalLinkage() && !F.isVarArg()) {
    Known.emplace();
    for (const Use &U : F.uses()) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      if (!Call || !Call->isCallee(&U) || Call->getFunctionType() != F.getFunctionType()) {
        Known.reset();
        break;
      }
      Known->push_back(Call);
    }
  }
  return Known ? &*Known : nullptr;
}

const SmallVector<ReturnInst *, 2> *ProgramView::returns(const Function &F) {
  if (!F.hasExactDefinition())
    return nullptr;
  auto [Found, IsNew] = Returns.try_emplace(&F);
  if (IsNew)
    for (const BasicBlock &BB : F)
      if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()))
        Found->second.push_back(const_cast<ReturnInst *>(Return));
  return &Found->second;
}

/// A use of a global that only names it: the table of globals.
static bool isInTable(const User *U) {
  return isa<Constant>(U) && all_of(U->users(), [](const User *Holder) {
           auto *Table = dyn_cast<GlobalVariable>(Holder);
           return isa<Constant>(Holder) && (!Table || Table->getName().starts_with("acre."));
         });
}

/// A call of an entry point of the runtime: it writes no pointer that was not there.
static bool isEntryPoint(const User *U) {
  auto *Call = dyn_cast<CallBase>(U);
  return Call && Call->getCalledFunction() &&
         Call->getCalledFunction()->getName().starts_with("acre_rt_");
}

/// Whether control can come from the end of From to To.
static bool reaches(const BasicBlock &From, const BasicBlock &To) {
  SmallPtrSet<const BasicBlock *, 32> Seen;
  SmallVector<const BasicBlock *, 32> Worklist{&From};
  while (!Worklist.empty())
    for (const BasicBlock *Next : successors(Worklist.pop_back_val())) {
      if (Next == &To)
        return true;
      if (Seen.insert(Next).second)
        Worklist.push_back(Next);
    }
  return false;
}

/// Whether control comes to I only where Call is a setjmp that has returned for the first time.  In
/// a cycle a jump back could lead to its next first time, and getcontext does not tell which it is.
static bool isForFirstReturn(const CallBase &Call, const Instruction &I) {
  const Function *Callee = Call.getCalledFunction();
  static constexpr StringLiteral Names[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"};
  if (!Callee || !is_contained(Names, Callee->getName()) ||
      reaches(*Call.getParent(), *Call.getParent()))
    return false;
  DominatorTree Dominators(const_cast<Function &>(*I.getFunction()));
  for (const User *U : Call.users()) {
    auto *Compare = dyn_cast<ICmpInst>(U);
    if (!Compare || !Compare->isEquality() || !match(Compare->getOperand(1), m_Zero()))
      continue;
    unsigned Outcome = Compare->getPredicate() == ICmpInst::ICMP_EQ ? 0 : 1;
    for (const User *Use : Compare->users())
      if (auto *Branch = dyn_cast<CondBrInst>(Use);
          Branch && Branch->getSuccessor(0) != Branch->getSuccessor(1) &&
          Dominators.dominates(BasicBlockEdge(Branch->getParent(), Branch->getSuccessor(Outcome)),
                               I.getParent()))
        return true;
  }
  return false;
}

/// Whether a jump back to Call may lead to I again.
static bool mayRepeat(const CallBase &Call, const Instruction &I) {
  bool IsBehind = Call.getParent() == I.getParent() ? Call.comesBefore(&I)
                                                    : reaches(*Call.getParent(), *I.getParent());
  return IsBehind && !isForFirstReturn(Call, I);
}

bool ProgramView::executesAtMostOnce(const Instruction &I, unsigned Depth) {
  const Function &F = *I.getFunction();
  if (Depth == 0 || reaches(*I.getParent(), *I.getParent()))
    return false;
  for (const Instruction &Other : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&Other);
        Call && Call->hasFnAttr(Attribute::ReturnsTwice) && mayRepeat(*Call, I))
      return false;
  if (F.getName() == "main")
    return F.use_empty();
  const Calls *All = callers(F);
  return All && All->size() == 1 && executesAtMostOnce(*All->front(), Depth - 1);
}

bool ProgramView::isStable(const GlobalVariable &G) {
  auto [Found, IsNew] = Stable.try_emplace(&G, false);
  if (!IsNew)
    return Found->second;
  bool HasInitial = !G.hasInitializer() || !G.getInitializer()->isNullValue();
  if (!G.hasLocalLinkage() || G.isThreadLocal() || HasInitial)
    return false;
  const StoreInst *Only = nullptr;
  for (const User *U : G.users()) {
    if (auto *Load = dyn_cast<LoadInst>(U); Load && Load->getType() == G.getValueType())
      continue;
    if (isEntryPoint(U) || isInTable(U))
      continue;
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Store->getPointerOperand() != &G ||
        Store->getValueOperand()->getType() != G.getValueType())
      return false;
    if (isa<ConstantPointerNull>(Store->getValueOperand()))
      continue;
    if (Only || !executesAtMostOnce(*Store, 8))
      return false;
    Only = Store;
  }
  if (Only)
    StableValues[&G] = Only->getValueOperand();
  return Stable[&G] = true;
}

const GlobalVariable *ProgramView::stableHome(const Value &V) {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I)
    return nullptr;
  for (const User *U : V.users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    auto *G = Store ? dyn_cast<GlobalVariable>(Store->getPointerOperand()) : nullptr;
    if (G && Store->getValueOperand() == &V && isStable(*G) && executesAtMostOnce(*I, 8))
      return G;
  }
  return nullptr;
}

/// Calls Visit with each function of the module that F calls by name.
static void forEachCallee(const Function &F, function_ref<void(const Function &)> Visit) {
  for (const Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (const Function *Callee = Call->getCalledFunction(); Callee && !Callee->isDeclaration())
        Visit(*Callee);
}

bool ProgramView::isOnlyCalledFromMain(const Function &F) {
  if (!EnteredElsewhere) {
    EnteredElsewhere.emplace();
    SmallVector<const Function *, 32> Worklist;
    auto Enter = [&](const Function &Entry) {
      if (EnteredElsewhere->insert(&Entry).second)
        Worklist.push_back(&Entry);
    };
    for (const Function &Each : *F.getParent()) {
      bool IsMain = Each.getName() == "main" && Each.use_empty();
      if (!Each.isDeclaration() && !IsMain && (!Each.hasLocalLinkage() || Each.hasAddressTaken()))
        Enter(Each);
    }
    while (!Worklist.empty())
      forEachCallee(*Worklist.pop_back_val(), Enter);
  }
  return !EnteredElsewhere->contains(&F);
}

const std::optional<ProgramView::FunctionSet> &ProgramView::changers(const GlobalVariable &G) {
  auto [Found, IsNew] = Changers.try_emplace(&G);
  std::optional<FunctionSet> &Known = Found->second;
  if (!IsNew || !G.hasLocalLinkage() || G.isThreadLocal())
    return Known;
  FunctionSet Closure;
  SmallVector<const Function *, 16> Worklist;
  for (const User *U : G.users()) {
    if (isa<LoadInst>(U) || isEntryPoint(U) || isInTable(U))
      continue;
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Store->getValueOperand() == &G)
      return Known;
    if (Closure.insert(Store->getFunction()).second)
      Worklist.push_back(Store->getFunction());
  }
  while (!Worklist.empty()) {
    const Function *F = Worklist.pop_back_val();
    if (!isOnlyCalledFromMain(*F))
      return Known;
    for (const User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U); Call && Closure.insert(Call->getFunction()).second)
        Worklist.push_back(Call->getFunction());
  }
  Known = std::move(Closure);
  return Known;
}

bool ProgramView::isUnchangedDuring(const GlobalVariable &G, const Function &F) {
  if (!FixedVariables)
    FixedVariables = setByDeletes(*F.getParent());
  if (FixedVariables->contains(&G) && !maySetThem(F))
    return true;
  if (!isOnlyCalledFromMain(F))
    return false;
  const std::optional<FunctionSet> &Known = changers(G);
  return Known && !Known->contains(&F);
}

const SmallVector<StoreInst *, 8> *ProgramView::contents(const Value &Object) {
  auto [Found, IsNew] = Contents.try_emplace(&Object);
  auto &Known = Found->second;
  if (!IsNew)
    return Known ? &*Known : nullptr;
  auto *G = dyn_cast<GlobalVariable>(&Object);
  if (G ? !G->hasLocalLinkage() || !G->hasInitializer() || !G->getInitializer()->isNullValue()
        : !isa<AllocaInst>(Object))
    return nullptr;
  SmallVector<StoreInst *, 8> Stored;
  SmallVector<const Value *, 8> Worklist{&Object};
  while (!Worklist.empty()) {
    for (const Use &U : Worklist.pop_back_val()->uses()) {
      const User *User = U.getUser();
      if (isa<GetElementPtrInst>(User) ||
          (isa<ConstantExpr>(User) &&
           cast<ConstantExpr>(User)->getOpcode() == Instruction::GetElementPtr)) {
        Worklist.push_back(User);
        continue;
      }
      if (isa<LoadInst, ICmpInst, LifetimeIntrinsic>(User))
        continue;
      if (auto *Store = dyn_cast<StoreInst>(User);
          Store && U.getOperandNo() == StoreInst::getPointerOperandIndex() &&
          Store->getValueOperand()->getType()->isPointerTy()) {
        Stored.push_back(const_cast<StoreInst *>(Store));
        continue;
      }
      if (auto *Set = dyn_cast<MemSetInst>(User); Set && U.getOperandNo() == 0)
        continue;
      if (isEntryPoint(User) || isInTable(User))
        continue;
      return nullptr;
    }
  }
  Known = std::move(Stored);
  return &*Known;
}

} // namespace acre
