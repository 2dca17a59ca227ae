// SPDX-License-Identifier: MIT
//===- CheckSignatures.cpp - What inregion and inparent ask for ----------===//

#include "plugin/Annotations.h"
#include "plugin/Checks.h"
#include "plugin/Signature.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/TypeLoc.h"

using namespace clang;
using namespace acre;
using namespace acre::ast;

/// The same as regionAnnotation, as it stands in the source here or in the typedef that is named:
/// a type may have the attribute of another place with the same words.
static const WordAttr *writtenRegionAnnotation(TypeLoc Written) {
  if (Written.isNull())
    return nullptr;
  for (TypeLoc At = Written; !At.isNull();) {
    const auto Own = At.getAs<WordTypeLoc>();
    if (!Own.isNull() && isRegionWord(annotationWord(Own.getAttr())))
      return cast<WordAttr>(Own.getAttr());
    if (const auto Named = At.getAs<TypedefTypeLoc>())
      At = Named.getTypePtr()->getDecl()->getTypeSourceInfo()->getTypeLoc();
    else if (At.getAs<QualifiedTypeLoc>() || isa<MacroQualifiedType>(At.getTypePtr()) ||
             isWrittenSugar(At.getTypePtr()))
      At = At.getNextTypeLoc();
    else
      break;
  }
  return regionAnnotation(Written.getType());
}

void Checks::checkSignature(const FunctionDecl *Declared) {
  auto Check = [&](TypeLoc Written) {
    const WordAttr *Annotation = writtenRegionAnnotation(Written);
    if (!Annotation)
      return;
    Placed.insert(Annotation);
    llvm::StringRef Name = regionName(Annotation);
    if (!namedRegion(Declared, Name))
      Reports.report(Diag::RegionNotNamed, Annotation->getLocation())
          << Name << annotationWord(Annotation) << Declared;
  };
  if (FunctionTypeLoc Written = acre::functionTypeLoc(Declared))
    Check(Written.getReturnLoc());
  for (const ParmVarDecl *Parameter : Declared->parameters())
    if (Parameter->getTypeSourceInfo())
      Check(Parameter->getTypeSourceInfo()->getTypeLoc());
}

void Checks::checkRegionPlace(const WordAttr *Annotation) {
  if (!Placed.contains(Annotation))
    Reports.report(Diag::RegionMisplaced, Annotation->getLocation()) << annotationWord(Annotation);
}

/// Where a settled variable is set in the way that a function which is deletes may, or main, which
/// counts as one.
void Checks::noteSetting(const Stmt *Node) {
  if (!Function || IsInBlock)
    return;
  const Expr *Set = nullptr;
  if (const auto *Operator = dyn_cast<BinaryOperator>(Node);
      Operator && Operator->getOpcode() == BO_Assign) {
    Set = Operator->getLHS();
  } else if (const auto *Call = dyn_cast<CallExpr>(Node)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    bool SetsFirst = Callee && Callee->getIdentifier() &&
                     Callee->getName() == "acre_region_delete_ptr" && Call->getNumArgs();
    const auto *Address =
        SetsFirst ? dyn_cast<UnaryOperator>(Call->getArg(0)->IgnoreParenImpCasts()) : nullptr;
    Set = Address && Address->getOpcode() == UO_AddrOf ? Address->getSubExpr() : nullptr;
  }
  if (Set && settledVariable(Set))
    Settings.insert(Set->IgnoreParens());
}

/// Remembers the name in a read of a variable or in a call: visited next, it is no other use.
void Checks::noteMentions(const Stmt *Node) {
  if (HasAnnotations)
    noteSetting(Node);
  if (const auto *Conversion = dyn_cast<ImplicitCastExpr>(Node)) {
    if (Conversion->getCastKind() == CK_LValueToRValue)
      Mention = Conversion->getSubExpr()->IgnoreParens();
  } else if (const auto *Call = dyn_cast<CallExpr>(Node)) {
    Mention = Call->getCallee()->IgnoreParenImpCasts();
  }
}

void Checks::checkMention(const DeclRefExpr *Reference) {
  if (Mention == Reference)
    return;
  if (const auto *Named = dyn_cast<FunctionDecl>(Reference->getDecl())) {
    std::optional<Uncheckable> Why = uncheckableByPointer(Named);
    if (Why && SignaturesOf.of(Named).hasParameters()) {
      Reports.report(Diag::SignatureByPointer, Reference->getLocation())
          << Named << unsigned(*Why) << Reference->getSourceRange();
      Reports.note(Named->getLocation(), "%0 is declared here") << Named;
    }
    return;
  }
  const bool IsSet = Settings.contains(Reference);
  if (const VarDecl *Variable = settledVariable(Reference); Variable && !(IsSet && MaySetSettled)) {
    Reports.report(Diag::SettledChanged, Reference->getLocation())
        << Variable << Reference->getSourceRange()
        << llvm::ArrayRef(IsSet ? Words.deletesOnAll(Function) : Proposals::Hints());
    Reports.note(Variable->getLocation(), "%0 is declared here") << Variable;
    if (IsSet)
      Supposed.insert(Function->getCanonicalDecl());
  }
  const auto *Parameter = dyn_cast<ParmVarDecl>(Reference->getDecl());
  if (Parameter && Function && Parameter->getDeclContext() == Function &&
      SignaturesOf.of(Function).isNamed(Parameter->getFunctionScopeIndex()))
    reportNamed(Diag::RegionParameterChanged, Reference->getLocation(), Parameter);
}
