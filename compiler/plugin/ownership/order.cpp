//===- order.cpp - Consumption and use in no certain order ----------------===//

#include "plugin/ownership/order.h"
#include "plugin/ownership/flow.h"
#include "plugin/statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

namespace {

/// The owners that an expression names, and those that are consumed when its evaluation has ended.
struct Mentions {
  llvm::SmallVector<const DeclRefExpr *, 4> Used, Consumed;

  void add(const Mentions &Other) {
    Used.append(Other.Used);
    Consumed.append(Other.Consumed);
  }
};

class Order {
public:
  Order(Diagnostics &Reports, const Variables &Vars) : Reports(Reports), Vars(Vars) {}

  Mentions visit(const Stmt *Node);

private:
  bool isOwner(const Expr *Value) const;
  bool isSetLast(const Stmt *Node) const;
  void addConsumed(const Expr *Value, Mentions &Into) const;
  void compare(const Mentions &Consumer, const Mentions &Other);

  Diagnostics &Reports;
  const Variables &Vars;
};

bool Order::isOwner(const Expr *Value) const {
  const auto *Reference = dyn_cast<DeclRefExpr>(Value);
  const auto *Variable = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  return Variable && Vars.ownerOf(Variable);
}

/// The owners whose value Value may be.
void Order::addConsumed(const Expr *Value, Mentions &Into) const {
  Value = Value->IgnoreParenCasts();
  if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(Value)) {
    addConsumed(Choice->getTrueExpr(), Into);
    addConsumed(Choice->getFalseExpr(), Into);
  } else if (isOwner(Value)) {
    Into.Consumed.push_back(cast<DeclRefExpr>(Value));
  }
}

/// Whether Node assigns to an owner, which happens when both operands have been evaluated.
bool Order::isSetLast(const Stmt *Node) const {
  const auto *Assignment = dyn_cast<BinaryOperator>(Node);
  return Assignment && Assignment->getOpcode() == BO_Assign && isOwner(Assignment->getLHS()->IgnoreParens());
}

void Order::compare(const Mentions &Consumer, const Mentions &Other) {
  for (const DeclRefExpr *Consumed : Consumer.Consumed)
    for (const DeclRefExpr *Used : Other.Used)
      if (Used->getDecl() == Consumed->getDecl()) {
        Reports.report(Diag::Unsequenced, Used->getLocation()) << Used->getDecl() << Used->getSourceRange();
        Reports.note(Consumed->getLocation(), "consumed here") << Consumed->getSourceRange();
        return;
      }
}

/// Whether the operands of Node may be evaluated in any order.
bool isUnordered(const Stmt *Node) {
  if (const auto *Operator = dyn_cast<BinaryOperator>(Node))
    return !Operator->isLogicalOp() && Operator->getOpcode() != BO_Comma;
  return isa<CallExpr, ArraySubscriptExpr, InitListExpr>(Node);
}

Mentions Order::visit(const Stmt *Node) {
  Mentions All;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Node); Reference && isOwner(Reference)) {
    All.Used.push_back(Reference);
    return All;
  }
  if (isa<UnaryExprOrTypeTraitExpr>(Node))
    return All;
  llvm::SmallVector<Mentions, 4> Operands;
  for (const Stmt *Child : Node->children())
    if (Child)
      Operands.push_back(visit(Child));
  if (!isa<Expr>(Node))
    return All; // what a statement did is done when the next one begins
  for (unsigned I = 0; I != Operands.size(); ++I) {
    for (unsigned J = 0; isUnordered(Node) && J != Operands.size(); ++J)
      if (I != J && !Operands[I].Consumed.empty() && !(J == 0 && isSetLast(Node)))
        compare(Operands[I], Operands[J]);
    All.add(Operands[I]);
  }
  if (const auto *Call = dyn_cast<CallExpr>(Node)) {
    std::optional<LibraryEffect> Effect = libraryEffect(Call);
    for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
      QualType To = parameterType(Call, I);
      if ((!To.isNull() && isOwning(To)) || (Effect && Effect->Freed == I) || (isSwap(Call) && I == 1))
        addConsumed(Call->getArg(I), All);
    }
  } else if (const auto *Assignment = dyn_cast<BinaryOperator>(Node);
             Assignment && Assignment->getOpcode() == BO_Assign && isOwning(Assignment->getLHS()->getType())) {
    addConsumed(Assignment->getRHS(), All);
  }
  return All;
}

} // namespace

void acre::ast::checkOrder(Diagnostics &Reports, const Variables &Vars, Stmt *Body) {
  if (Vars.ownerCount())
    Order(Reports, Vars).visit(Body);
}
