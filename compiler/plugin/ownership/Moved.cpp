// SPDX-License-Identifier: MIT
//===- Moved.cpp - Owners that are named once more after they went --------===//

#include "plugin/ownership/Moved.h"
#include "plugin/Annotations.h"
#include "plugin/ownership/Place.h"
#include "plugin/ownership/Variables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;
using namespace acre::ast;

/// The local owner that this assignment gives to a slot, or to another owner; or null.
static const VarDecl *ownerStored(const BinaryOperator *Store) {
  const Expr *Slot = Store->getLHS();
  const VarDecl *Owner = localVariable(Store->getRHS()->IgnoreParenCasts());
  if (!Owner || Store->getOpcode() != BO_Assign || !isOwning(Slot->getType()) ||
      disciplineOf(Owner->getType()) != Discipline::Unique ||
      disciplineOf(Slot->getType()) != Discipline::Unique || !Place::of(Slot) ||
      Slot->HasSideEffects(Owner->getASTContext()))
    return nullptr;
  return doesName(Slot, [Owner](const VarDecl *Each) { return Each == Owner; }) ? nullptr : Owner;
}

/// The assignments of which one ends Statement, whatever way it takes; none: it may end otherwise.
static MovedOwners::Stores storesThatEnd(const Stmt *Statement) {
  if (const auto *Block = dyn_cast_or_null<CompoundStmt>(Statement))
    return storesThatEnd(Block->body_empty() ? nullptr : Block->body_back());
  if (const auto *Store = dyn_cast_or_null<BinaryOperator>(Statement); Store && ownerStored(Store))
    return {Store};
  const auto *Choice = dyn_cast_or_null<IfStmt>(Statement);
  if (!Choice || !Choice->getElse())
    return {};
  MovedOwners::Stores Result = storesThatEnd(Choice->getThen());
  const MovedOwners::Stores Others = storesThatEnd(Choice->getElse());
  if (Result.empty() || Others.empty() ||
      ownerStored(Result.front()) != ownerStored(Others.front()))
    return {};
  Result.append(Others);
  return Result;
}

/// Whether this only counts something that is no part of the way to where these put the owner.
static bool onlyCounts(const Stmt *Statement, const MovedOwners::Stores &Before) {
  const auto *Operator = dyn_cast<UnaryOperator>(Statement);
  const Expr *Counted = Operator && Operator->isIncrementDecrementOp()
                            ? Operator->getSubExpr()->IgnoreParens()
                            : nullptr;
  return Counted && Counted->getType()->isArithmeticType() && Place::of(Counted) &&
         llvm::all_of(Before, [](const BinaryOperator *Each) {
           return Place::of(Each->getLHS())->numbers().empty();
         });
}

const DeclRefExpr *MovedOwners::nameIn(const Expr *Value) {
  Value = Value->IgnoreParenCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(Value);
      Address && Address->getOpcode() == UO_AddrOf) {
    const auto *Member = dyn_cast<MemberExpr>(Address->getSubExpr()->IgnoreParens());
    while (Member && !Member->isArrow())
      Member = dyn_cast<MemberExpr>(Member->getBase()->IgnoreParens());
    if (!Member)
      return nullptr;
    Value = Member->getBase()->IgnoreParenCasts();
  }
  return dyn_cast<DeclRefExpr>(Value);
}

void MovedOwners::noteUse(const Stmt *Use, const Stores &Before) {
  const VarDecl *Pointer = nullptr;
  const Expr *Value = nullptr;
  if (const auto *Statement = dyn_cast<DeclStmt>(Use); Statement && Statement->isSingleDecl()) {
    Pointer = dyn_cast<VarDecl>(Statement->getSingleDecl());
    Value = Pointer ? Pointer->getInit() : nullptr;
  } else if (const auto *Set = dyn_cast<BinaryOperator>(Use);
             Set && Set->getOpcode() == BO_Assign) {
    Pointer = localVariable(Set->getLHS());
    Value = Set->getRHS();
  }
  const DeclRefExpr *Name = Pointer && Value ? nameIn(Value) : nullptr;
  if (!Name || Name->getDecl() != ownerStored(Before.front()) || !Pointer->hasLocalStorage() ||
      !Pointer->getType()->isPointerType() || isOwning(Pointer->getType()))
    return;
  // It is the end of a list that moves on: one of the slots is reached by it.
  if (llvm::none_of(Before, [Pointer](const BinaryOperator *Each) {
        return doesName(Each->getLHS(), [Pointer](const VarDecl *It) { return It == Pointer; });
      }))
    return;
  Names[Name] = Before;
  Lasts.insert(Pointer);
}

MovedOwners::MovedOwners(const Evaluated &Body) {
  for (const Stmt *Node : Body) {
    const auto *Block = dyn_cast<CompoundStmt>(Node);
    Stores Before;
    for (auto Each = Block ? Block->body_begin() : nullptr; Block && Each != Block->body_end();
         ++Each) {
      if (!Before.empty() && onlyCounts(*Each, Before))
        continue;
      if (!Before.empty())
        noteUse(*Each, Before);
      Before = storesThatEnd(*Each);
    }
  }
}
