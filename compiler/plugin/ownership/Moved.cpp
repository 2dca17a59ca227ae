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
#include <utility>

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

const MovedOwners::Stores *MovedOwners::storesInto(const Expr *Value) const {
  auto Found = Values.find(Value->IgnoreParenCasts());
  return Found == Values.end() ? nullptr : &Found->second;
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

/// A statement that sets a local pointer, which owns nothing.
struct MovedOwners::PointerSet {
  const VarDecl *Pointer = nullptr;
  const Expr *Value = nullptr;

  explicit PointerSet(const Stmt *Statement); // null: there is none
};

MovedOwners::PointerSet::PointerSet(const Stmt *Statement) {
  if (const auto *Declared = dyn_cast_or_null<DeclStmt>(Statement);
      Declared && Declared->isSingleDecl()) {
    Pointer = dyn_cast<VarDecl>(Declared->getSingleDecl());
    Value = Pointer ? Pointer->getInit() : nullptr;
  } else if (const auto *Set = dyn_cast_or_null<BinaryOperator>(Statement);
             Set && Set->getOpcode() == BO_Assign) {
    Pointer = localVariable(Set->getLHS());
    Value = Set->getRHS();
  }
  if (!Pointer || !Value || !Pointer->hasLocalStorage() || !Pointer->getType()->isPointerType() ||
      isOwning(Pointer->getType()))
    Pointer = nullptr;
}

/// Whether one of the slots is reached by this pointer.
static bool areReachedBy(const MovedOwners::Stores &Each, const VarDecl *Pointer) {
  return llvm::any_of(Each, [Pointer](const BinaryOperator *Store) {
    return doesName(Store->getLHS(), [Pointer](const VarDecl *It) { return It == Pointer; });
  });
}

void MovedOwners::noteUse(const PointerSet &Use, const Stores &Before) {
  // It is the end of a list that moves on: one of the slots is reached by it.
  const bool IsReached = areReachedBy(Before, Use.Pointer);
  const DeclRefExpr *Name = nameIn(Use.Value);
  const VarDecl *Owner = ownerStored(Before.front());
  if (Name && Name->getDecl() == Owner) {
    if (IsReached)
      Names[Name] = Before;
  } else if (const Expr *Read = Use.Value->IgnoreParenCasts();
             Read->isLValue() && Before.size() == 1 &&
             areWrittenAlike(Owner->getASTContext(), Read, Before.front()->getLHS())) {
    Values[Read] = Before;
  } else {
    return;
  }
  if (IsReached)
    Lasts.insert(Use.Pointer);
}

void MovedOwners::noteFollower(const PointerSet &Kept, const PointerSet &Use,
                               const Stores &Behind) {
  const DeclRefExpr *Name = nameIn(Use.Value);
  const VarDecl *Copied = localVariable(Kept.Value->IgnoreParenCasts());
  if (!Name || Name->getDecl() != ownerStored(Behind.front()) || Copied != Use.Pointer ||
      !areReachedBy(Behind, Kept.Pointer))
    return;
  for (const BinaryOperator *Each : Behind)
    Followers[Each] = {Use.Pointer, Use.Value};
  Lasts.insert(Use.Pointer);
  Lasts.insert(Kept.Pointer);
}

MovedOwners::MovedOwners(const Evaluated &Body) {
  for (const Stmt *Node : Body) {
    const auto *Block = dyn_cast<CompoundStmt>(Node);
    Stores Before;
    const Stmt *Earlier[2] = {}; // the last one, and the one before
    for (auto Each = Block ? Block->body_begin() : nullptr; Block && Each != Block->body_end();
         ++Each) {
      if (!Before.empty() && onlyCounts(*Each, Before))
        continue;
      if (!Before.empty())
        if (const PointerSet Use(*Each); Use.Pointer) {
          noteUse(Use, Before);
          if (const PointerSet First(Earlier[1]); First.Pointer)
            noteFollower(Use, First, Before);
        }
      Before = storesThatEnd(*Each);
      if (!Before.empty())
        if (const PointerSet Kept(Earlier[1]), Use(Earlier[0]); Kept.Pointer && Use.Pointer)
          noteFollower(Kept, Use, Before);
      Earlier[1] = std::exchange(Earlier[0], *Each);
    }
  }
}
