// SPDX-License-Identifier: MIT
//===- Elements.cpp - Pointers to elements of arrays ----------------------===//

#include "plugin/ownership/Elements.h"
#include "plugin/ownership/State.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

const ArraySubscriptExpr *acre::ast::elementAt(const Expr *Address) {
  const auto *Operator = dyn_cast<UnaryOperator>(Address->IgnoreParenImpCasts());
  return Operator && Operator->getOpcode() == UO_AddrOf
             ? dyn_cast<ArraySubscriptExpr>(Operator->getSubExpr()->IgnoreParens())
             : nullptr;
}

bool acre::ast::isKeptElement(const ASTContext &Context, const Expr *From) {
  const ArraySubscriptExpr *Element = elementAt(From);
  if (!Element || !From->HasSideEffects(Context))
    return Element != nullptr;
  const auto *Counted = dyn_cast<UnaryOperator>(Element->getIdx()->IgnoreParenImpCasts());
  const auto *Number = Counted && Counted->isPostfix()
                           ? dyn_cast<DeclRefExpr>(Counted->getSubExpr()->IgnoreParenImpCasts())
                           : nullptr;
  return Number && !Element->getBase()->HasSideEffects(Context);
}

std::optional<Place> acre::ast::elementBehind(const State &In, const VarDecl *Pointer) {
  const auto *Known =
      llvm::find_if(In.Tests, [&](const KeptTest &Each) { return Each.In == Pointer; });
  const ArraySubscriptExpr *Element = Known == In.Tests.end() ? nullptr : elementAt(Known->Test);
  const std::optional<Place> At = Element ? Place::of(Element) : std::nullopt;
  return At && At->numbers().size() == 1 ? At : std::nullopt; // in no array that is in another one
}

Place acre::ast::byElement(const State &In, const Place &Slot) {
  const std::optional<Place> Element = elementBehind(In, Slot.base());
  const std::optional<Place> Renamed =
      Element ? Slot.rebased(Place(Slot.base()).dereferenced(), *Element) : std::nullopt;
  return Renamed.value_or(Slot);
}
