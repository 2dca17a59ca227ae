// SPDX-License-Identifier: MIT
//===- Growth.cpp - Objects that realloc may lose -------------------------===//

#include "plugin/ownership/Growth.h"
#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Library.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

/// The argument of realloc, if Made is a call of it; or null.
static const Expr *grownBy(const Expr *Made) {
  const auto *Call = dyn_cast<CallExpr>(Made->IgnoreParenCasts());
  const std::optional<LibraryEffect> Effect = Call ? libraryEffect(Call) : std::nullopt;
  return Effect && Effect->IsFresh && Effect->Freed && *Effect->Freed < Call->getNumArgs()
             ? Call->getArg(*Effect->Freed)->IgnoreParenCasts()
             : nullptr;
}

const Expr *GrowthTransfer::slotTaken(const Expr *Made) {
  const Expr *Grown = grownBy(Made);
  if (const auto *Block = dyn_cast_or_null<StmtExpr>(Grown))
    return takenByHand(Block);
  const auto *Swap = dyn_cast_or_null<CallExpr>(Grown);
  if (!Swap || !isSwap(Swap))
    return nullptr;
  const Expr *Address = Swap->getArg(0)->IgnoreParenCasts();
  const auto *Operator = dyn_cast<UnaryOperator>(Address);
  return Operator && Operator->getOpcode() == UO_AddrOf ? Operator->getSubExpr() : Address;
}

const Expr *GrowthTransfer::slotGrown(const Expr *Made) const {
  const Expr *Slot = slotTaken(Made);
  return Slot && !All.TakenNull.lookup(grownBy(Made)) ? Slot : nullptr;
}

void GrowthTransfer::set(const Expr *Into, const Expr *From) {
  if (std::optional<Place> Slot = Place::of(Into);
      Slot && isOwning(Into->getType()) && !Into->HasSideEffects(Context) && slotGrown(From))
    Now.Grown.push_back({*Slot, cast<CallExpr>(From->IgnoreParenCasts())});
}

void GrowthTransfer::find(State &Into, const Expr *Slot, bool IsNull) const {
  const std::optional<Place> Found = Into.Grown.empty() ? std::nullopt : Place::of(Slot);
  auto IsIt = [&](const GrownPlace &Each) { return !Each.HasFailed && Each.Slot == *Found; };
  if (!Found)
    return;
  if (!IsNull)
    return llvm::erase_if(Into.Grown, IsIt);
  for (GrownPlace &Each : Into.Grown)
    Each.HasFailed |= IsIt(Each);
}

void GrowthTransfer::findReturned(const Expr *Result) {
  if (Now.Grown.empty())
    return;
  State IfZero = Now;
  All.Tests.refine(IfZero, Result, false);
  State IfNot = Now;
  All.Tests.refine(IfNot, Result, true);
  Now.Grown = IfZero.Grown;
  for (const GrownPlace &Each : IfNot.Grown)
    if (!llvm::is_contained(Now.Grown, Each))
      Now.Grown.push_back(Each);
}

void GrowthTransfer::end() {
  for (const GrownPlace &Each : Now.Grown)
    if (Each.HasFailed)
      Says.reportGrown(textOf(Context, slotTaken(Each.By)), Each.By);
}
