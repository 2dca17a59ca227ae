// SPDX-License-Identifier: MIT
//===- Typed.cpp - Pointers that are what their types say -----------------===//

#include "plugin/ownership/Typed.h"
#include "plugin/Annotations.h"
#include "plugin/ownership/Variables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

TypedPointers::TypedPointers(const Evaluated &Body) {
  llvm::SmallVector<std::pair<const VarDecl *, const Expr *>, 16> Set;
  for (const Stmt *Node : Body) {
    if (const auto *Declaration = dyn_cast<DeclStmt>(Node)) {
      for (const Decl *Each : Declaration->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(Each); Variable && Variable->getInit())
          Set.push_back({Variable, Variable->getInit()});
    } else if (const auto *Operator = dyn_cast<BinaryOperator>(Node)) {
      if (const VarDecl *Variable = localVariable(Operator->getLHS());
          Variable && Operator->isAssignmentOp())
        Set.push_back(
            {Variable, Operator->getOpcode() == BO_Assign ? Operator->getRHS() : nullptr});
    } else if (const auto *Operator = dyn_cast<UnaryOperator>(Node);
               Operator && Operator->getOpcode() == UO_AddrOf) {
      if (const VarDecl *Variable = localVariable(Operator->getSubExpr());
          Variable && disciplineOf(Variable->getType()) != Discipline::Unique)
        Other.insert(Variable);
    }
  }
  for (bool IsChanged = true; IsChanged;) {
    IsChanged = false;
    for (const auto &[Variable, Value] : Set)
      if (disciplineOf(Variable->getType()) != Discipline::Unique && !(Value && isTyped(Value)))
        IsChanged |= Other.insert(Variable).second;
  }
}

bool TypedPointers::contains(const VarDecl *Pointer) const { return !Other.contains(Pointer); }

bool TypedPointers::isTyped(const Expr *Value) const {
  Value = Value->IgnoreParens();
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Value)) {
    const Expr *Of = Cast->getSubExpr();
    switch (Cast->getCastKind()) {
    case CK_NullToPointer:
      return true;
    case CK_NoOp:
      return isTyped(Of);
    case CK_ArrayToPointerDecay:
      return isTypedPlace(Of);
    case CK_LValueToRValue: // of memory, what owns says what it owns
      return (localVariable(Of) || disciplineOf(Of->getType()) == Discipline::Unique) &&
             isTypedPlace(Of);
    default:
      return false;
    }
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(Value))
    return isTyped(Choice->getTrueExpr()) && isTyped(Choice->getFalseExpr());
  const auto *Address = dyn_cast<UnaryOperator>(Value);
  return Address && Address->getOpcode() == UO_AddrOf && isTypedPlace(Address->getSubExpr());
}

bool TypedPointers::isTypedPlace(const Expr *Lvalue) const {
  Lvalue = Lvalue->IgnoreParens();
  if (const auto *Named = dyn_cast<DeclRefExpr>(Lvalue)) {
    const auto *Variable = dyn_cast<VarDecl>(Named->getDecl());
    return Variable && Variable->hasLocalStorage() && contains(Variable);
  }
  if (const auto *Member = dyn_cast<MemberExpr>(Lvalue)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || Field->getParent()->isUnion())
      return false;
    return Member->isArrow() ? isTyped(Member->getBase()) : isTypedPlace(Member->getBase());
  }
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue))
    return isTyped(Element->getBase());
  const auto *Deref = dyn_cast<UnaryOperator>(Lvalue);
  return Deref && Deref->getOpcode() == UO_Deref && isTyped(Deref->getSubExpr());
}

namespace {
class Ways {
public:
  Ways(ASTContext &Context, QualType To) : Context(Context), To(To) {}
  bool leadFrom(QualType Type);

private:
  ASTContext &Context;
  const QualType To;
  llvm::DenseSet<const RecordDecl *> Seen;
};
} // namespace

bool Ways::leadFrom(QualType Type) {
  Type = Context.getBaseElementType(Type);
  if (const auto *Atomic = Type->getAs<AtomicType>())
    return leadFrom(Atomic->getValueType());
  if (Type->isPointerType()) {
    const QualType Pointee = Type->getPointeeType();
    return !Pointee->isFunctionType() &&
           (Pointee->isIncompleteType() || Context.hasSameUnqualifiedType(Pointee, To) ||
            leadFrom(Pointee));
  }
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record)
    return !Type->isArithmeticType();
  Record = Record->getDefinition();
  return !Record || Context.hasSameUnqualifiedType(Type, To) ||
         (Seen.insert(Record).second && llvm::any_of(Record->fields(), [&](const FieldDecl *Field) {
            return leadFrom(Field->getType());
          }));
}

bool acre::ast::mayLead(ASTContext &Context, QualType From, QualType To) {
  return !To->isRecordType() || To->isIncompleteType() || Ways(Context, To).leadFrom(From);
}
