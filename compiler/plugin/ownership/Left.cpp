// SPDX-License-Identifier: MIT
//===- Left.cpp - Slots that a function leaves to its callers -------------===//

#include "plugin/ownership/Left.h"
#include "plugin/Annotations.h"
#include "plugin/ownership/Library.h"
#include "plugin/ownership/Steady.h"
#include "plugin/ownership/Summary.h"
#include "plugin/ownership/Value.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;
using namespace acre::ast;

void LeftSlots::finish() {
  llvm::DenseSet<const clang::Stmt *> Told; // one slot each is enough
  for (const auto &[Which, Each] : Left)
    if (!Each.InCallee.empty())
      for (const Loss &Found : Each.IsEmptied ? Each.InCallers : Each.InCallee)
        if (Told.insert(Found.Place).second)
          Found.Report();
}

namespace {
/// What a body does with one parameter.
class ParameterFreed {
public:
  ParameterFreed(const Summaries &Known, const ParmVarDecl *Parameter)
      : Known(Known), Parameter(Parameter) {}

  void note(const Stmt *Node) {
    if (const auto *Call = dyn_cast<CallExpr>(Node)) {
      for (unsigned I = 0; I != Call->getNumArgs(); ++I)
        if (isIt(Call->getArg(I)))
          give(Call, I);
    } else if (const auto *Statement = dyn_cast<DeclStmt>(Node)) {
      for (const Decl *Each : Statement->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(Each))
          IsGiven |= isIt(Variable->getInit());
    } else if (const auto *Operator = dyn_cast<BinaryOperator>(Node)) {
      IsGiven |=
          Operator->isAssignmentOp() && (isIt(Operator->getRHS()) || isIt(Operator->getLHS()));
    } else if (const auto *Address = dyn_cast<UnaryOperator>(Node)) {
      IsGiven |= Address->getOpcode() == UO_AddrOf && isIt(Address->getSubExpr());
    } else if (isa<ReturnStmt, InitListExpr, AbstractConditionalOperator>(Node)) {
      for (const Stmt *Each : Node->children())
        IsGiven |= isIt(dyn_cast_or_null<Expr>(Each));
    }
  }
  bool isFreedAlone() const { return IsFreed && !IsGiven; }

private:
  bool isIt(const Expr *Value) const {
    const auto *Name = Value ? dyn_cast<DeclRefExpr>(Value->IgnoreParenCasts()) : nullptr;
    return Name && Name->getDecl() == Parameter;
  }
  void give(const CallExpr *Call, unsigned Index) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const QualType To = parameterType(Call, Index);
    if (libraryFunction(Call) == "free" ||
        (Callee && Known.Left.isFreedAlone(Callee->getCanonicalDecl(), Index)))
      IsFreed = true;
    else
      IsGiven |=
          To.isNull() || isOwning(To) || libraryEffect(Call).value_or(LibraryEffect()).ends(Index);
  }

  const Summaries &Known;
  const ParmVarDecl *Parameter;
  bool IsFreed = false, IsGiven = false;
};
} // namespace

void acre::ast::noteFreedAlone(Summaries &Known, const FunctionDecl *Definition,
                               const Evaluated &Body) {
  for (const ParmVarDecl *Each : Definition->parameters()) {
    if (!Each->getType()->isVoidPointerType() ||
        disciplineOf(Each->getType()) != Discipline::Unique || !isOwnBody(Definition))
      continue;
    ParameterFreed Use(Known, Each);
    for (const Stmt *Node : Body)
      Use.note(Node);
    if (Use.isFreedAlone())
      Known.Left.freesAlone(Definition->getCanonicalDecl(), Each->getFunctionScopeIndex());
  }
}
