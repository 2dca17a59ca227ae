// SPDX-License-Identifier: MIT
//===- Order.cpp - Consumption and use in no certain order ----------------===//

#include "plugin/ownership/Order.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <utility>

using namespace clang;
using namespace acre::ast;

namespace {

/// The owners and borrowers that an expression names, and what is done with them when its
/// evaluation has ended.
struct Mentions {
  struct Loan {
    const VarDecl *Borrower;
    const Stmt *EndedAt;
  };
  llvm::SmallVector<const DeclRefExpr *, 4> Used, Consumed, Set;
  llvm::SmallVector<Loan, 2> Ended;

  void add(const Mentions &Other) {
    Used.append(Other.Used);
    Consumed.append(Other.Consumed);
    Set.append(Other.Set);
    Ended.append(Other.Ended);
  }
};

class Order {
public:
  Order(Diagnostics &Reports, const Variables &Vars, const EndedLoans &Ended,
        llvm::function_ref<bool(const Stmt *)> IsSpared)
      : Reports(Reports), Vars(Vars), Ended(Ended), IsSpared(IsSpared) {}

  /// Adds what Node names and does.
  void visit(const Stmt *Node, Mentions &Into);

private:
  void visitOperands(const Stmt *Node, llvm::function_ref<bool(const Stmt *)> IsRead,
                     Mentions &Into);
  const DeclRefExpr *ownerIn(const Expr *Lvalue) const;
  const Expr *ownerSetBy(const Stmt *Node) const;
  void addConsumed(const Expr *Value, Mentions &Into) const;
  void addEnded(const Stmt *Place, Mentions &Into) const;
  void addOwn(const Stmt *Node, Mentions &Into) const;
  void compare(const Mentions &Changing, const Mentions &Other);
  void report(const DeclRefExpr *Used, unsigned How, const Stmt *Place, llvm::StringRef Note);

  Diagnostics &Reports;
  const Variables &Vars;
  const EndedLoans &Ended;
  llvm::function_ref<bool(const Stmt *)> IsSpared;
  bool IsInside = false; // a statement that is part of an expression
};

/// The owner that this lvalue is, also as *&v.
const DeclRefExpr *Order::ownerIn(const Expr *Lvalue) const {
  const VarDecl *Variable = localVariable(Lvalue);
  if (!Variable || !Vars.ownerOf(Variable))
    return nullptr;
  Lvalue = Lvalue->IgnoreParens();
  while (!isa<DeclRefExpr>(Lvalue))
    Lvalue = cast<UnaryOperator>(Lvalue)->getSubExpr()->IgnoreParenImpCasts();
  return cast<DeclRefExpr>(Lvalue);
}

void Order::addEnded(const Stmt *Place, Mentions &Into) const {
  if (auto Found = Ended.find(Place); Found != Ended.end())
    for (const VarDecl *Each : Found->second)
      Into.Ended.push_back({Each, Place});
}

/// The owners whose value Value may be.
void Order::addConsumed(const Expr *Value, Mentions &Into) const {
  Value = Value->IgnoreParenCasts();
  if (const DeclRefExpr *Owner = ownerIn(Value)) {
    Into.Consumed.push_back(Owner);
    addEnded(Owner, Into);
  } else if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(Value)) {
    addConsumed(Choice->getTrueExpr(), Into);
    addConsumed(Choice->getFalseExpr(), Into);
  } else if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(Value);
             Opaque && Opaque->getSourceExpr()) {
    addConsumed(Opaque->getSourceExpr(), Into);
  } else if (const auto *Operator = dyn_cast<BinaryOperator>(Value)) {
    if (Operator->getOpcode() == BO_Comma)
      addConsumed(Operator->getRHS(), Into);
    else if (Operator->getOpcode() == BO_Assign)
      addConsumed(Operator->getLHS(), Into);
  } else if (const auto *Block = dyn_cast<StmtExpr>(Value);
             Block && !Block->getSubStmt()->body_empty()) {
    if (const auto *Last = dyn_cast<Expr>(Block->getSubStmt()->body_back()))
      addConsumed(Last, Into);
  }
}

/// The left side, if Node assigns to an owner, which happens when both operands have been
/// evaluated.
const Expr *Order::ownerSetBy(const Stmt *Node) const {
  const auto *Assignment = dyn_cast<BinaryOperator>(Node);
  bool IsSet = Assignment && Assignment->getOpcode() == BO_Assign && ownerIn(Assignment->getLHS());
  return IsSet ? Assignment->getLHS() : nullptr;
}

void Order::report(const DeclRefExpr *Used, unsigned How, const Stmt *Place, llvm::StringRef Note) {
  Reports.report(Diag::Unsequenced, Used->getLocation())
      << Used->getDecl() << How << Used->getSourceRange();
  Reports.note(Place->getBeginLoc(), Note) << Place->getSourceRange();
}

void Order::compare(const Mentions &Changing, const Mentions &Other) {
  for (const DeclRefExpr *Used : Other.Used) {
    auto IsIt = [Used](const DeclRefExpr *Each) { return Each->getDecl() == Used->getDecl(); };
    if (const auto *Consumed = llvm::find_if(Changing.Consumed, IsIt);
        Consumed != Changing.Consumed.end())
      return report(Used, 0, *Consumed, "consumed here");
    if (const auto *Set = llvm::find_if(Changing.Set, IsIt); Set != Changing.Set.end())
      return report(Used, 1, *Set, "assigned here");
    for (const Mentions::Loan &Each : Changing.Ended)
      if (Each.Borrower == Used->getDecl() && !IsSpared(Each.EndedAt))
        return report(Used, 2, Each.EndedAt, "lost here");
  }
}

/// Whether the operands of Node may be evaluated in any order.
bool isUnordered(const Stmt *Node) {
  if (const auto *Operator = dyn_cast<BinaryOperator>(Node))
    return !Operator->isLogicalOp() && Operator->getOpcode() != BO_Comma;
  return isa<CallExpr, ArraySubscriptExpr, InitListExpr>(Node);
}

/// What Node itself does when its operands have been evaluated.
void Order::addOwn(const Stmt *Node, Mentions &Into) const {
  if (const auto *Call = dyn_cast<CallExpr>(Node)) {
    std::optional<LibraryEffect> Effect = libraryEffect(Call);
    for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
      QualType To = parameterType(Call, I);
      if ((!To.isNull() && isOwning(To)) || (Effect && Effect->ends(I)) || (isSwap(Call) && I == 1))
        addConsumed(Call->getArg(I), Into);
      const auto *Address = dyn_cast<UnaryOperator>(Call->getArg(I)->IgnoreParenCasts());
      if (Address && Address->getOpcode() == UO_AddrOf && ownerIn(Address->getSubExpr()))
        Into.Set.push_back(ownerIn(Address->getSubExpr()));
    }
  } else if (const auto *Block = dyn_cast<StmtExpr>(Node); Block && takenByHand(Block)) {
    if (const DeclRefExpr *Owner = ownerIn(takenByHand(Block)))
      Into.Set.push_back(Owner);
  } else if (const auto *Assignment = dyn_cast<BinaryOperator>(Node);
             Assignment && Assignment->getOpcode() == BO_Assign &&
             isOwning(Assignment->getLHS()->getType())) {
    addConsumed(Assignment->getRHS(), Into);
    if (const Expr *Owner = ownerSetBy(Node))
      Into.Set.push_back(ownerIn(Owner));
  } else if (const auto *Statement = dyn_cast<DeclStmt>(Node)) {
    for (const Decl *Each : Statement->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(Each);
          Variable && Variable->getInit() && isOwning(Variable->getType()))
        addConsumed(Variable->getInit(), Into);
  }
  addEnded(Node, Into);
}

void Order::visit(const Stmt *Node, Mentions &Into) {
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Node)) {
    const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
    if (Variable && (Vars.ownerOf(Variable) || (!Ended.empty() && Vars.borrowerOf(Variable))))
      Into.Used.push_back(Reference);
    return;
  }
  if (isa<UnaryExprOrTypeTraitExpr>(Node))
    return;
  if (const auto *Block = dyn_cast<StmtExpr>(Node); Block && takenByHand(Block)) {
    visit(takenByHand(Block), Into);
    addOwn(Node, Into);
    return;
  }
  const auto *Assignment = dyn_cast<BinaryOperator>(Node);
  const Expr *Target =
      Assignment && Assignment->getOpcode() == BO_Assign ? Assignment->getLHS() : nullptr;
  auto IsRead = [&](const Stmt *Child) { // a borrower is not where it is assigned to
    return Child && (Child != Target || !localVariable(Target) || ownerSetBy(Node));
  };
  if (isUnordered(Node)) {
    visitOperands(Node, IsRead, Into);
  } else {
    const bool WasInside = std::exchange(IsInside, IsInside || isa<StmtExpr>(Node));
    const bool IsPart = isa<Expr>(Node) || WasInside;
    for (const Stmt *Child : Node->children()) {
      if (IsRead(Child) && IsPart) {
        visit(Child, Into);
      } else if (IsRead(Child)) {
        Mentions Done; // before the next statement begins
        visit(Child, Done);
      }
    }
    IsInside = WasInside;
    if (!IsPart)
      return;
  }
  addOwn(Node, Into);
}

void Order::visitOperands(const Stmt *Node, llvm::function_ref<bool(const Stmt *)> IsRead,
                          Mentions &Into) {
  llvm::SmallVector<Mentions, 4> Operands;
  for (const Stmt *Child : Node->children())
    if (IsRead(Child))
      visit(Child, Operands.emplace_back());
  for (unsigned I = 0; I != Operands.size(); ++I) {
    for (unsigned J = 0; J != Operands.size(); ++J)
      if (I != J && !(J == 0 && ownerSetBy(Node)))
        compare(Operands[I], Operands[J]);
    Into.add(Operands[I]);
  }
}

} // namespace

void acre::ast::checkOrder(Diagnostics &Reports, const Variables &Vars, Stmt *Body,
                           const EndedLoans &Ended,
                           llvm::function_ref<bool(const Stmt *)> IsSpared) {
  Mentions All;
  if (Vars.ownerCount() || !Ended.empty())
    Order(Reports, Vars, Ended, IsSpared).visit(Body, All);
}
