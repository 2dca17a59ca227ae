// SPDX-License-Identifier: MIT
//===- Gaps.cpp - Empty elements between two numbers ----------------------===//

#include "plugin/ownership/Gaps.h"
#include "plugin/Annotations.h"
#include "plugin/ownership/Elements.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

std::optional<GapTransfer::Numbered> GapTransfer::numbered(const Expr *Lvalue) const {
  std::optional<Place> Slot = isOwning(Lvalue->getType()) ? Place::of(Lvalue) : std::nullopt;
  if (Slot)
    Slot = byElement(Now, *Slot);
  if (!Slot || Slot->numbers().size() != 1)
    return std::nullopt;
  const Place::Step Step = Slot->element();
  const Expr *Named = Step.Element->IgnoreParenImpCasts();
  long Offset = Step.Offset;
  if (const auto *Counted = dyn_cast<UnaryOperator>(Named);
      Counted && Counted->isIncrementDecrementOp()) {
    // It has been counted when the element is met.
    Offset -= Counted->isPrefix() ? 0 : Counted->isIncrementOp() ? 1 : -1;
    Named = Counted->getSubExpr()->IgnoreParenImpCasts();
  }
  const VarDecl *Number = localVariable(Named);
  if (!Number || Vars.isAddressTaken(Number) || !Number->hasLocalStorage())
    return std::nullopt;
  const Place Plain = *Slot->renamed(Place::element(Step.Element), Place::element(Named));
  return Numbered{*Plain.renamed({nullptr, Named, Step.Offset}, {nullptr, Named, 0}), Number, Named,
                  Offset};
}

void GapTransfer::find() {
  llvm::SmallVector<Numbered, 4> Found;
  llvm::SmallVector<std::pair<Place, const Expr *>, 4> Elements; // arrays, and what numbers them
  for (const Stmt *Node : Body) {
    const auto *Element = dyn_cast<ArraySubscriptExpr>(Node);
    const std::optional<Place> Whole = Element ? Place::of(Element) : std::nullopt;
    const Expr *Number = Element ? Element->getIdx()->IgnoreParenImpCasts() : nullptr;
    if (Whole && localVariable(Number) && Facts.hasUniqueSlots(Element->getType()))
      Elements.push_back({*Whole->array(), Number});
    const auto *Lvalue = dyn_cast<Expr>(Node);
    if (!Lvalue || !Lvalue->isLValue() || !isa<ArraySubscriptExpr, MemberExpr>(Lvalue))
      continue;
    std::optional<Numbered> Is = numbered(Lvalue);
    if (Is && llvm::none_of(Found, [&](const Numbered &Each) {
          return Each.By == Is->By && Each.Slot == Is->Slot;
        }))
      Found.push_back(*Is);
  }
  for (const Numbered &First : Found)
    for (const auto &[Array, Number] : Elements) {
      const VarDecl *By = localVariable(Number);
      if (By == First.By || First.Slot.array() != std::optional(Array) || Vars.isAddressTaken(By))
        continue;
      const Numbered Last = {
          *First.Slot.renamed(Place::element(First.Name), Place::element(Number)), By, Number};
      if (llvm::none_of(Pairs, [&](const std::pair<Numbered, Numbered> &Each) {
            return Each.first.By == First.By && Each.second.Slot == Last.Slot;
          }))
        Pairs.push_back({First, Last});
    }
}

void GapTransfer::add(State &Into, const Numbered &First, const Numbered &Last) const {
  // Where both are equal, no element is from the first up to before the last, and none from behind
  // the first up to the last.
  for (const auto &[Lowest, Highest] : {std::pair(0L, -1L), std::pair(1L, 0L)}) {
    const Gap Fresh = {Last.Slot, First.By, Last.By, Lowest, Highest, false};
    if (!llvm::is_contained(Into.Gaps, Fresh))
      Into.Gaps.push_back(Fresh);
  }
}

void GapTransfer::begin(State &Into, const VarDecl *Number) const {
  auto ValueOf = [&](const VarDecl *Variable) -> std::optional<int64_t> {
    const auto *Known =
        llvm::find_if(Into.Numbers, [&](const KnownNumber &Each) { return Each.In == Variable; });
    return Known != Into.Numbers.end() && Known->IsAmong && Known->Values.size() == 1
               ? std::optional(Known->Values.front())
               : std::nullopt;
  };
  for (const auto &[First, Last] : Pairs)
    if (First.By == Number || Last.By == Number) {
      const std::optional<int64_t> One = ValueOf(First.By), Other = ValueOf(Last.By);
      if (One && One == Other)
        add(Into, First, Last);
    }
}

void GapTransfer::keepEqual(State &Into, const VarDecl *One, const VarDecl *Other) const {
  for (const auto &[First, Last] : Pairs)
    if ((First.By == One && Last.By == Other) || (First.By == Other && Last.By == One))
      add(Into, First, Last);
}

void GapTransfer::count(State &Into, const VarDecl *Number, long Change) {
  for (Gap &Each : Into.Gaps) {
    if (Each.From == Number)
      Each.Lowest -= Change;
    if (Each.To == Number)
      Each.Highest -= Change;
  }
}

void GapTransfer::widen(State &Into, const Expr *Lvalue) const {
  const std::optional<Numbered> Is = Into.Gaps.empty() ? std::nullopt : numbered(Lvalue);
  for (Gap &Each : Into.Gaps)
    if (Is && Is->By == Each.To && Is->Slot == Each.Slot && Is->Offset == Each.Highest + 1) {
      ++Each.Highest;
      Each.IsSome = true;
    }
}

bool GapTransfer::begins(const Gap &Of, const Numbered &Slot) {
  return Slot.By == Of.From && Slot.Offset == Of.Lowest &&
         Slot.Slot.renamed(Place::element(Slot.Name), Of.Slot.element()) == std::optional(Of.Slot);
}

void GapTransfer::narrow(const Expr *Lvalue) {
  const std::optional<Place> Slot = Now.Gaps.empty() ? std::nullopt : Place::of(Lvalue);
  if (!Slot)
    return;
  const std::optional<Numbered> Is = numbered(Lvalue);
  llvm::erase_if(Now.Gaps, [&](Gap &Each) {
    const std::optional<Place> Array = Each.Slot.array();
    if (!Array || !Slot->mayBeIn(*Array)) // the array itself may be another one
      return Array && *Slot == *Array;
    if (Slot->isMember() && Slot->member() != Each.Slot.member())
      return false;
    if (!Is)
      return true;
    if (Is->By == Each.To && Is->Slot == Each.Slot)
      return Is->Offset <= Each.Highest;
    const bool IsFirst = begins(Each, *Is);
    Each.Lowest += IsFirst;
    Each.IsSome &= !IsFirst;
    return !IsFirst;
  });
}

bool GapTransfer::isFirst(const Expr *Lvalue) const {
  const std::optional<Numbered> Is = Now.Gaps.empty() ? std::nullopt : numbered(Lvalue);
  return Is &&
         llvm::any_of(Now.Gaps, [&](const Gap &Each) { return Each.IsSome && begins(Each, *Is); });
}
