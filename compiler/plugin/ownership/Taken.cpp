// SPDX-License-Identifier: MIT
//===- Taken.cpp - Pointers that are taken without acre_take --------------===//

#include "plugin/ownership/Taken.h"
#include "plugin/Annotations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;
using namespace acre::ast;

namespace {

/// The variable that this expression names, behind conversions; null if it is anything else.
const VarDecl *namedBy(const Expr *Expression) {
  const auto *Reference = dyn_cast<DeclRefExpr>(Expression->IgnoreParenImpCasts());
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

/// The variable whose target this lvalue is, or null.
const VarDecl *pointedToBy(const Expr *Lvalue) {
  const auto *Deref = dyn_cast<UnaryOperator>(Lvalue->IgnoreParenImpCasts());
  return Deref && Deref->getOpcode() == UO_Deref ? namedBy(Deref->getSubExpr()) : nullptr;
}

/// Goes through the statements of a block, which have to come in this order.
struct Take {
  const VarDecl *Place = nullptr, *Value = nullptr, *Null = nullptr;
  const Expr *Slot = nullptr;
  bool IsCleared = false, IsYielded = false;

  bool isNull(const Expr *Each) const {
    return isNullPointer(Place->getASTContext(), Each) || (Null && namedBy(Each) == Null);
  }

  bool declare(const VarDecl *Variable) {
    const Expr *Init = Variable->getInit();
    if (!Init || IsCleared || !Variable->hasLocalStorage())
      return false;
    if (!Place) {
      const auto *Address = dyn_cast<UnaryOperator>(Init->IgnoreParenCasts());
      if (!Address || Address->getOpcode() != UO_AddrOf ||
          !isOwning(Address->getSubExpr()->getType()))
        return false;
      Place = Variable;
      Slot = Address->getSubExpr();
      return true;
    }
    if (!Value && pointedToBy(Init) == Place) {
      Value = Variable;
      return true;
    }
    bool IsNull = !Null && isNull(Init);
    Null = Variable;
    return IsNull;
  }

  bool add(const Stmt *Node) {
    if (IsYielded)
      return false;
    if (const auto *Statement = dyn_cast<DeclStmt>(Node))
      return llvm::all_of(Statement->decls(), [this](const Decl *Each) {
        return isa<VarDecl>(Each) && declare(cast<VarDecl>(Each));
      });
    const auto *Assignment = dyn_cast<BinaryOperator>(Node);
    if (Assignment && Assignment->getOpcode() == BO_Assign && Value && !IsCleared)
      return IsCleared = pointedToBy(Assignment->getLHS()) == Place && isNull(Assignment->getRHS());
    const auto *Last = dyn_cast<Expr>(Node);
    return IsYielded = IsCleared && Last && namedBy(Last) == Value;
  }
};

} // namespace

const Expr *acre::ast::takenByHand(const StmtExpr *Block) {
  Take Found;
  bool IsIt =
      llvm::all_of(Block->getSubStmt()->body(), [&](const Stmt *Each) { return Found.add(Each); });
  return IsIt && Found.IsYielded ? Found.Slot : nullptr;
}

static void appendParts(const StmtExpr *Block, llvm::DenseSet<const Stmt *> &Parts) {
  const Expr *Slot = takenByHand(Block);
  llvm::SmallVector<const Stmt *, 16> Work = {Block->getSubStmt()};
  while (!Work.empty()) {
    const Stmt *Each = Work.pop_back_val();
    if (Each == Slot || !Parts.insert(Each).second)
      continue;
    for (const Stmt *Child : Each->children())
      if (Child)
        Work.push_back(Child);
  }
}

llvm::DenseSet<const Stmt *> acre::ast::partsTakenByHand(const Evaluated &Body) {
  llvm::DenseSet<const Stmt *> Parts;
  for (const Stmt *Node : Body)
    if (const auto *Block = dyn_cast<StmtExpr>(Node); Block && takenByHand(Block))
      appendParts(Block, Parts);
  return Parts;
}
