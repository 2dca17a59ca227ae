// SPDX-License-Identifier: MIT
//===- Bases.cpp - Which value keeps the object of a pointer --------------===//
#include "pass/base/Bases.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace acre {

/// How far in front of its base a derived pointer may be and still count as the base: the
/// instructions of all targets have room for that.
static constexpr int64_t MostInFront = 256;

bool isObjectPointer(const Value *V) {
  Type *T = V->getType()->getScalarType();
  return T->isPointerTy() && T->getPointerAddressSpace() == 0;
}

/// The operand that V was computed from, if there is only one that can be; else null.
static Value *stepFrom(Value *V) {
  if (auto *Address = dyn_cast<GEPOperator>(V))
    return Address->getPointerOperand();
  if (isa<FreezeInst, BitCastInst>(V))
    return cast<Instruction>(V)->getOperand(0);
  if (auto *Call = dyn_cast<IntrinsicInst>(V))
    switch (Call->getIntrinsicID()) {
    case Intrinsic::ptrmask:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group:
      return Call->getArgOperand(0);
    default:
      return nullptr;
    }
  return isa<ShuffleVectorInst>(V) ? const_cast<Value *>(getSplatValue(V)) : nullptr;
}

static Value *rootOf(Value *V) {
  for (Value *Next = V; Next && isObjectPointer(Next); Next = stepFrom(V))
    V = Next;
  return V;
}

static bool isMerge(const Value *V) { return isa<PHINode, SelectInst>(V) && isObjectPointer(V); }

/// What may hold pointers among the operands of a phi or select.
static SmallVector<Value *, 4> inputsOf(Instruction &Merge) {
  if (auto *Choice = dyn_cast<SelectInst>(&Merge))
    return {Choice->getTrueValue(), Choice->getFalseValue()};
  return SmallVector<Value *, 4>(Merge.operand_values());
}

/// Whether what V points to stays without a pointer: a constant, a variable, a function.
static bool isNoObject(const Value *V) {
  auto *Parameter = dyn_cast<Argument>(V);
  return isa<Constant, AllocaInst>(V) || !isObjectPointer(V) ||
         (Parameter && Parameter->hasByValAttr());
}

Bases::Bases(Function &F, const DominatorTree &Tree) : Tree(Tree) {
  ReversePostOrderTraversal<Function *> Order(&F);
  for (BasicBlock *Block : Order)
    for (Instruction &I : *Block)
      if (isMerge(&I))
        Merges.push_back(&I);
  solve();
  findWhole();
  addCompanions();
}

/// The base of V as far as it is known, or null.  A merge of several bases stands for its
/// companion.
Value *Bases::resolve(Value *V) const {
  Value *Root = rootOf(V);
  if (isNoObject(Root))
    return nullptr;
  if (!isMerge(Root))
    return Root;
  auto Found = Meetings.find(cast<Instruction>(Root));
  if (Found == Meetings.end())
    return Root; // made by addCompanions, or never reached
  return Found->second.HasSeveral ? Root : Found->second.One;
}

Bases::Meeting Bases::meet(Instruction &Merge) const {
  Meeting Result;
  for (Value *Input : inputsOf(Merge)) {
    Value *Base = resolve(Input);
    if (!Base || Base == Result.One)
      continue;
    auto *Definition = dyn_cast<Instruction>(Base);
    // A base of an earlier turn of a loop is not the one that has its name now.
    if (Result.One || (Definition && !Tree.dominates(Definition, &Merge)))
      return {nullptr, true};
    Result.One = Base;
  }
  return Result;
}

/// A merge goes from nothing known to one base to several.  One that changes its one base for long
/// counts as several: so this ends.
void Bases::solve() {
  static constexpr unsigned MostRounds = 16;
  for (Instruction *Merge : Merges)
    Meetings[Merge];
  bool IsStable = false;
  for (unsigned Round = 0; !IsStable; ++Round) {
    IsStable = true;
    for (Instruction *Merge : Merges) {
      Meeting &Known = Meetings[Merge];
      if (Known.HasSeveral)
        continue;
      Meeting Now = meet(*Merge);
      if (Now.One == Known.One && Now.HasSeveral == Known.HasSeveral)
        continue;
      Known = Known.One && Round >= MostRounds ? Meeting{nullptr, true} : Now;
      IsStable = false;
    }
  }
}

/// Whether a register that holds Input holds an address in its object: Input is exact, or made by
/// GEPs that say so (inbounds).
bool Bases::isWhole(Value *Input) const {
  auto *Address = dyn_cast<GEPOperator>(Input);
  for (; Address && Address->isInBounds(); Address = dyn_cast<GEPOperator>(Input))
    Input = Address->getPointerOperand();
  if (isNoObject(rootOf(Input)))
    return true;
  auto Found = isMerge(Input) ? Meetings.find(cast<Instruction>(Input)) : Meetings.end();
  return Found != Meetings.end() ? Found->second.IsWhole : rootOf(Input) == Input;
}

/// All are taken for whole until one of their inputs is not.  Vectors stay so: originsOf says what
/// their elements are made of.
void Bases::findWhole() {
  for (bool HasChanged = true; HasChanged;) {
    HasChanged = false;
    for (Instruction *Merge : Merges) {
      Meeting &Known = Meetings[Merge];
      if (!Known.IsWhole || Merge->getType()->isVectorTy())
        continue;
      Known.IsWhole = all_of(inputsOf(*Merge), [&](Value *Input) { return isWhole(Input); });
      HasChanged |= !Known.IsWhole;
    }
  }
}

void Bases::addCompanions() {
  SmallVector<Instruction *, 8> Inexact;
  for (Instruction *Merge : Merges)
    if (const Meeting &Known = Meetings[Merge]; Known.HasSeveral && !Known.IsWhole)
      Inexact.push_back(Merge);
  for (Instruction *Merge : Inexact)
    if (auto *Phi = dyn_cast<PHINode>(Merge))
      Companions[Phi] =
          PHINode::Create(Phi->getType(), Phi->getNumIncomingValues(), "base", Phi->getIterator());
  auto BaseOrNull = [&](Value *Input) -> Value * {
    Value *Base = of(Input);
    return Base && Base->getType() == Input->getType() ? Base
                                                       : Constant::getNullValue(Input->getType());
  };
  for (Instruction *Merge : Inexact)
    if (auto *Choice = dyn_cast<SelectInst>(Merge))
      Companions[Choice] =
          SelectInst::Create(Choice->getCondition(), BaseOrNull(Choice->getTrueValue()),
                             BaseOrNull(Choice->getFalseValue()), "base", Choice->getIterator());
  for (Instruction *Merge : Inexact)
    if (auto *Phi = dyn_cast<PHINode>(Merge))
      for (auto [From, Input] : zip(Phi->blocks(), Phi->incoming_values()))
        cast<PHINode>(Companions[Phi])->addIncoming(BaseOrNull(Input), From);
}

Value *Bases::of(Value *V) const {
  Value *Base = resolve(V);
  auto Found = Base ? Companions.find(dyn_cast<Instruction>(Base)) : Companions.end();
  return Found == Companions.end() ? Base : Found->second;
}

bool Bases::isWithin(Value *V, Value *Base) const {
  int64_t Distance = 0;
  while (V != Base) {
    auto *Address = dyn_cast<GetElementPtrInst>(V);
    if (!Address || V->getType()->isVectorTy())
      return false;
    const DataLayout &Layout = Address->getDataLayout();
    APInt Offset(Layout.getIndexTypeSizeInBits(V->getType()), 0);
    if (!Address->accumulateConstantOffset(Layout, Offset) || !Offset.isSignedIntN(32))
      return false;
    Distance += Offset.getSExtValue();
    V = Address->getPointerOperand();
  }
  return Distance >= -MostInFront && isInt<32>(Distance);
}

static bool isAddition(const Value *V) {
  auto *Operation = dyn_cast<BinaryOperator>(V);
  if (!Operation || !Operation->getType()->isIntegerTy(64))
    return false;
  switch (Operation->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return true;
  default:
    return false;
  }
}

Value *Bases::ofInteger(Value *V) const {
  if (auto *Cast = dyn_cast<PtrToIntInst>(V))
    return isObjectPointer(Cast->getPointerOperand()) ? of(Cast->getPointerOperand()) : nullptr;
  auto *Choice = dyn_cast<SelectInst>(V);
  if (!isAddition(V) && !Choice)
    return nullptr;
  // Sums of sums: each is looked at once.
  auto [Known, IsNew] = Integers.try_emplace(V, nullptr);
  if (!IsNew)
    return Known->second;
  auto *Operation = cast<Instruction>(V);
  Value *Left = ofInteger(Operation->getOperand(Choice ? 1 : 0));
  Value *Right = ofInteger(Operation->getOperand(Choice ? 2 : 1));
  // The sum of two pointers is a distance.
  return Integers[V] = !Left || (Choice && Left == Right) ? Right : !Right ? Left : nullptr;
}

void Bases::addOrigins(Value *Integer, SmallVectorImpl<Value *> &Found,
                       SmallPtrSetImpl<Value *> &Seen) const {
  if (isa<Constant>(Integer) || !Seen.insert(Integer).second)
    return;
  auto *I = dyn_cast<Instruction>(Integer);
  if (I && (isAddition(I) || isa<FreezeInst>(I))) {
    for (Value *Operand : I->operand_values())
      addOrigins(Operand, Found, Seen);
  } else if (auto *Cast = dyn_cast<PtrToIntInst>(Integer)) {
    if (Value *Base = of(Cast->getPointerOperand()); Base && isObjectPointer(Base))
      Found.push_back(Base);
  } else if (isa_and_nonnull<PHINode>(I)) {
    SmallVector<Value *, 4> Inner;
    for (Value *Input : I->operand_values())
      addOrigins(Input, Inner, Seen);
    bool AreAllThere = all_of(Inner, [&](Value *Each) {
      auto *Definition = dyn_cast<Instruction>(Each);
      return !Definition || Tree.dominates(Definition, I);
    });
    if (AreAllThere)
      append_range(Found, Inner);
    else
      Found.push_back(Integer);
  } else if (Integer->getType()->isIntegerTy(64) && (!I || !isa<BinaryOperator, CastInst>(I))) {
    Found.push_back(Integer);
  }
}

SmallVector<Value *, 4> Bases::originsOf(Value *V) const {
  SmallVector<Value *, 4> Found;
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return Found;
  if (isa<IntToPtrInst>(I)) {
    SmallPtrSet<Value *, 8> Seen;
    if (!I->getType()->isVectorTy())
      addOrigins(I->getOperand(0), Found, Seen);
  } else if (isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst>(I) ||
             (isa<PHINode, SelectInst>(I) && I->getType()->isVectorTy())) {
    for (Value *Operand : I->operand_values()) {
      Value *Base = isObjectPointer(Operand) ? of(Operand) : nullptr;
      if (Base && Base != V && (Base != Operand || Base->getType()->isVectorTy()))
        Found.push_back(Base);
    }
  }
  erase_if(Found, [&](Value *Each) {
    auto *Definition = dyn_cast<Instruction>(Each);
    return Each == V || (Definition && !Tree.dominates(Definition, I));
  });
  return Found;
}

} // namespace acre
