// SPDX-License-Identifier: MIT
//===- TermResolver.cpp - The simplest term for a region ------------------===//
#include "pass/prove/TermResolver.h"
#include "pass/base/Markers.h"
#include "versions/LLVM.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace acre {

/// Instructions of a block that are looked at.
static constexpr unsigned MostDistance = 64;

static const LoadInst *asLoad(const Value *V) {
  auto *Load = dyn_cast<LoadInst>(V);
  return Load && Load->isSimple() ? Load : nullptr;
}

SlotRule ruleRead(const LoadInst &Load) {
  const Value *Object = objectOf(Load.getPointerOperand());
  auto *Parameter = dyn_cast<Argument>(Object);
  bool IsPrivate = isa<AllocaInst>(Object) ||
                   (Parameter && (Parameter->hasByValAttr() || Parameter->hasStructRetAttr() ||
                                  mayBePassedByAddress(*Parameter)));
  return IsPrivate ? SlotRule::Plain : slotRule(Load);
}

/// A pointer into a local or a global: the traditional region.
static bool isTraditionalObject(const Value *V) {
  auto *Parameter = dyn_cast<Argument>(V);
  return isa<AllocaInst, GlobalValue>(V) || (Parameter && Parameter->hasByValAttr());
}

/// The stable global whose value the handle is; null if there is none.
const GlobalVariable *TermResolver::stableHandle(const Value *Handle) const {
  Handle = objectOf(Handle);
  if (auto *Load = asLoad(Handle))
    if (auto *G = dyn_cast<GlobalVariable>(Load->getPointerOperand()); G && Program.isStable(*G))
      return G;
  return Program.stableHome(*Handle);
}

/// T, about what stable global G holds.
RegionTerm TermResolver::ofStableGlobal(const RegionTerm &T, const GlobalVariable &G) const {
  if (T.K == RegionTerm::Handle)
    return {RegionTerm::Global, &G};
  // All that it ever points to is one object, perhaps made in a region that another such global
  // holds.
  auto *Made = dyn_cast_or_null<CallBase>(Program.stableValue(G));
  KnownResult Known = Made ? knownResult(*Made) : KnownResult();
  if (Known.Meaning == ResultMeaning::InRegion)
    if (const GlobalVariable *Home = stableHandle(Made->getArgOperand(Known.Argument)))
      return {RegionTerm::Global, Home};
  return {RegionTerm::GlobalObject, &G};
}

/// T, about what Load reads.
std::optional<RegionTerm> TermResolver::ofLoad(const RegionTerm &T, const LoadInst &Load,
                                               bool IsHolder) const {
  auto *G = dyn_cast<GlobalVariable>(Load.getPointerOperand());
  SlotRule Rule = ruleRead(Load);
  if (G && Rule == SlotRule::Plain) {
    if (Program.isStable(*G))
      return ofStableGlobal(T, *G);
    if (Program.isUnchangedDuring(*G, *Load.getFunction()))
      return RegionTerm{
          T.K == RegionTerm::Handle ? RegionTerm::CurrentHandle : RegionTerm::CurrentObject, G};
  }
  if (T.K != RegionTerm::Address || !IsHolder)
    return std::nullopt;
  if (Rule == SlotRule::Traditional)
    return RegionTerm{RegionTerm::Traditional};
  if (Rule == SlotRule::Sameregion)
    return T.with(Load.getPointerOperand());
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Results of known functions: one function for each meaning.  T is about the
// result, Argument is what the result is about.
//===----------------------------------------------------------------------===//

static std::optional<RegionTerm> ofInRegion(const RegionTerm &T, const Value *Argument, bool) {
  return T.K == RegionTerm::Address ? std::optional(RegionTerm{RegionTerm::Handle, Argument})
                                    : std::nullopt;
}

/// A handle that is used is not null, so neither is what it was asked of.
static std::optional<RegionTerm> ofRegionOf(const RegionTerm &T, const Value *Argument, bool) {
  return T.K == RegionTerm::Handle ? std::optional(RegionTerm{RegionTerm::Address, Argument})
                                   : std::nullopt;
}

static std::optional<RegionTerm> ofInto(const RegionTerm &T, const Value *Argument, bool IsHolder) {
  return T.K == RegionTerm::Address && IsHolder ? std::optional(T.with(Argument)) : std::nullopt;
}

static std::optional<RegionTerm> ofOutside(const RegionTerm &T, const Value *, bool IsHolder) {
  return T.K == RegionTerm::Address && IsHolder ? std::optional(RegionTerm{RegionTerm::Traditional})
                                                : std::nullopt;
}

template <RegionTerm::Kind Named>
static std::optional<RegionTerm> ofConstantHandle(const RegionTerm &T, const Value *, bool) {
  return T.K == RegionTerm::Handle ? std::optional(RegionTerm{Named}) : std::nullopt;
}

static std::optional<RegionTerm> ofResult(const RegionTerm &T, const CallBase &Call,
                                          bool IsHolder) {
  static constexpr struct {
    ResultMeaning Meaning;
    std::optional<RegionTerm> (*Simplify)(const RegionTerm &, const Value *, bool);
  } Table[] = {
      {ResultMeaning::InRegion, ofInRegion},
      {ResultMeaning::Into, ofInto},
      {ResultMeaning::Outside, ofOutside},
      {ResultMeaning::RegionOf, ofRegionOf},
      {ResultMeaning::Traditional, ofConstantHandle<RegionTerm::Traditional>},
      {ResultMeaning::Permanent, ofConstantHandle<RegionTerm::Permanent>},
  };
  const KnownResult Known = knownResult(Call);
  for (const auto &Row : Table)
    if (Row.Meaning == Known.Meaning) {
      const Value *Argument =
          Known.Argument < Call.arg_size() ? Call.getArgOperand(Known.Argument) : nullptr;
      return Row.Simplify(T, Argument, IsHolder);
    }
  return std::nullopt;
}

std::optional<RegionTerm> TermResolver::simplify(const RegionTerm &T, bool IsHolder) const {
  if (T.K == RegionTerm::Address && isTraditionalObject(T.V))
    return RegionTerm{RegionTerm::Traditional};
  if (const LoadInst *Load = asLoad(T.V))
    return ofLoad(T, *Load, IsHolder);
  if (T.K == RegionTerm::Handle)
    if (const GlobalVariable *Home = Program.stableHome(*T.V))
      return RegionTerm{RegionTerm::Global, Home};
  auto *Call = dyn_cast<CallBase>(T.V);
  return Call ? ofResult(T, *Call, IsHolder) : std::nullopt;
}

RegionTerm TermResolver::resolve(RegionTerm T, bool IsHolder) const {
  while (!T.isConstant()) {
    T.V = objectOf(T.V);
    std::optional<RegionTerm> Simpler = simplify(T, IsHolder);
    if (!Simpler)
      return T;
    T = *Simpler;
  }
  return T;
}

/// Whether two values are loads that certainly read the same: of one block, with nothing between
/// that may write there.
bool TermResolver::isSameLoad(const Value *A, const Value *B, unsigned Depth) const {
  if (A == B)
    return true;
  if (Depth == 0)
    return false;
  if (auto *G = dyn_cast<GetElementPtrInst>(A))
    if (auto *H = dyn_cast<GetElementPtrInst>(B))
      return G->getNumOperands() == H->getNumOperands() &&
             G->getSourceElementType() == H->getSourceElementType() &&
             std::equal(G->idx_begin(), G->idx_end(), H->idx_begin()) &&
             isSameLoad(G->getPointerOperand(), H->getPointerOperand(), Depth - 1);
  const LoadInst *First = asLoad(A), *Second = asLoad(B);
  if (!First || !Second || First->getType() != Second->getType() ||
      First->getParent() != Second->getParent() ||
      !isSameLoad(First->getPointerOperand(), Second->getPointerOperand(), Depth - 1))
    return false;
  if (Second->comesBefore(First))
    std::swap(First, Second);
  MemoryLocation Location = MemoryLocation::get(First);
  unsigned Distance = 0;
  for (const Instruction *I = First->getNextNode(); I != Second; I = I->getNextNode()) {
    if (++Distance > MostDistance)
      return false;
    if (auto *Call = dyn_cast<CallBase>(I); Call && leavesProgramMemory(*Call))
      continue;
    if (!I->mayWriteToMemory())
      continue;
    auto &Aliases = FAM.getResult<AAManager>(const_cast<Function &>(*First->getFunction()));
    if (isModSet(Aliases.getModRefInfo(I, Location)))
      return false;
  }
  return true;
}

bool TermResolver::isEqual(const RegionTerm &A, const RegionTerm &B) const {
  if (A == B)
    return true;
  return A.K == B.K && !A.isConstant() && isSameLoad(A.V, B.V, 4);
}

} // namespace acre
