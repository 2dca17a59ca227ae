// SPDX-License-Identifier: MIT
//===- CheckedPointers.cpp - Calls through pointers check too ------------===//

#include "plugin/CheckedPointers.h"
#include "shared/markers.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;
using namespace acre::ast;

FunctionDecl *CheckedPointers::of(FunctionDecl *Named) {
  FunctionDecl *&Checked = Known[Named->getCanonicalDecl()];
  if (!Checked) {
    Checked = declare(Named);
    Checked->setBody(bodyOf(Checked, Named));
    Made.push_back(Checked);
  }
  return Checked;
}

/// Declares a function of Named's type without annotations: it has no signature of its own.
FunctionDecl *CheckedPointers::declare(FunctionDecl *Named) {
  SourceLocation At = Named->getLocation();
  QualType Type = Context.getCanonicalType(Named->getType());
  bool IsExternal = Named->isExternallyVisible();
  DeclContext *Unit = Context.getTranslationUnitDecl();
  auto *Checked = FunctionDecl::Create(Context, Unit, At, At, Named->getIdentifier(), Type,
                                       Context.getTrivialTypeSourceInfo(Type, At),
                                       IsExternal ? SC_None : SC_Static);
  SmallVector<ParmVarDecl *, 8> Parameters;
  for (QualType Each : Type->castAs<FunctionProtoType>()->param_types())
    Parameters.push_back(ParmVarDecl::Create(Context, Checked, At, At, nullptr, Each,
                                             Context.getTrivialTypeSourceInfo(Each, At), SC_None,
                                             nullptr));
  Checked->setParams(Parameters);
  Checked->setImplicit();
  const auto *Label = Named->getAttr<AsmLabelAttr>();
  std::string Symbol =
      (markers::CheckedPointer + (Label ? Label->getLabel() : Named->getName())).str();
  Checked->addAttr(AsmLabelAttr::CreateImplicit(Context, Symbol, Named->getSourceRange()));
  if (IsExternal)
    Checked->addAttr(WeakAttr::CreateImplicit(Context));
  if (const auto *Visibility = Named->getAttr<VisibilityAttr>())
    Checked->addAttr(Visibility->clone(Context));
  return Checked;
}

Stmt *CheckedPointers::bodyOf(FunctionDecl *Checked, FunctionDecl *Named) {
  SourceLocation At = Named->getLocation();
  SmallVector<Expr *, 8> Arguments;
  for (ParmVarDecl *Parameter : Checked->parameters())
    Arguments.push_back(Build.read(Parameter, At));
  Expr *Call = CallExpr::Create(Context, Build.function(Named, At), Arguments,
                                Named->getReturnType().getNonLValueExprType(Context), VK_PRValue,
                                At, FPOptionsOverride());
  Stmt *Whole = Named->getReturnType()->isVoidType()
                    ? static_cast<Stmt *>(Call)
                    : ReturnStmt::Create(Context, At, Call, nullptr);
  return CompoundStmt::Create(Context, Whole, FPOptionsOverride(), At, At);
}
