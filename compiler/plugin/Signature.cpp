// SPDX-License-Identifier: MIT
//===- Signature.cpp - Where parameters and results point -----------------===//

#include "plugin/Signature.h"
#include "plugin/Annotations.h"
#include "plugin/Layout.h"
#include "shared/markers.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace acre;
using namespace acre::ast;

bool SignatureItem::operator==(const SignatureItem &Other) const {
  const VarDecl *Mine = Variable ? Variable->getCanonicalDecl() : nullptr;
  const VarDecl *Its = Other.Variable ? Other.Variable->getCanonicalDecl() : nullptr;
  return Subject == Other.Subject && IsUpward == Other.IsUpward && IsHandle == Other.IsHandle &&
         Parameter == Other.Parameter && Mine == Its;
}

std::string SignatureItem::kind() const {
  return {IsUpward ? markers::RegionOrAncestor : markers::RegionItself,
          IsHandle ? markers::RegionOfHandle : markers::RegionOfObject};
}

bool Signature::hasParameters() const {
  return llvm::any_of(
      Items, [](const SignatureItem &Item) { return Item.Subject != SignatureItem::Result; });
}

bool Signature::isNamed(unsigned Index) const {
  return llvm::any_of(Items,
                      [&](const SignatureItem &Item) { return Item.Parameter == int(Index); });
}

const WordAttr *ast::regionAnnotation(QualType Type) {
  while (!Type.isNull()) {
    if (const auto *Attributed = dyn_cast<WordType>(Type.getTypePtr()))
      if (isRegionWord(annotationWord(Attributed->getAttr())))
        return cast<WordAttr>(Attributed->getAttr());
    QualType Next = Type->getLocallyUnqualifiedSingleStepDesugaredType();
    if (Next.getTypePtr() == Type.getTypePtr())
      return nullptr;
    Type = Next;
  }
  return nullptr;
}

llvm::StringRef ast::regionName(const WordAttr *Annotation) { return writtenName(Annotation); }

const VarDecl *ast::namedRegion(const FunctionDecl *Declared, llvm::StringRef Name) {
  auto CanName = [](const VarDecl *Variable) {
    QualType Type = Variable->getType();
    return Type->isPointerType() && !Type.isVolatileQualified() &&
           !Type->getPointeeType()->isFunctionType();
  };
  for (const ParmVarDecl *Parameter : Declared->parameters())
    if (Parameter->getIdentifier() && Parameter->getName() == Name)
      return CanName(Parameter) ? Parameter : nullptr;
  ASTContext &Context = Declared->getASTContext();
  for (const NamedDecl *Each : Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Name)))
    if (const auto *Variable = dyn_cast<VarDecl>(Each); Variable && !Variable->getTLSKind())
      return CanName(Variable) ? Variable : nullptr;
  return nullptr;
}

std::optional<Uncheckable> ast::uncheckableByPointer(const FunctionDecl *Declared) {
  if (!Declared->hasPrototype())
    return Uncheckable::NoPrototype;
  if (Declared->isVariadic())
    return Uncheckable::Variadic;
  // Its address may have to be null.
  return Declared->isWeak() ? std::optional(Uncheckable::Weak) : std::nullopt;
}

Signature ast::declaredSignature(const FunctionDecl *Declared) {
  Signature Result;
  auto Add = [&](QualType Type, int Subject) {
    const WordAttr *Annotation = regionAnnotation(Type);
    const VarDecl *Region = Annotation ? namedRegion(Declared, regionName(Annotation)) : nullptr;
    if (!Region || !isSlotType(Type))
      return;
    const auto *Parameter = dyn_cast<ParmVarDecl>(Region);
    Result.Items.push_back(
        {Subject, annotationWord(Annotation) == UpwardRegionWord, isRegionHandle(Region->getType()),
         Parameter ? int(Parameter->getFunctionScopeIndex()) : -1, Parameter ? nullptr : Region});
  };
  if (const auto *Type = writtenType(Declared)->getAs<FunctionType>())
    Add(Type->getReturnType(), SignatureItem::Result);
  for (const ParmVarDecl *Parameter : Declared->parameters())
    Add(Parameter->getType(), int(Parameter->getFunctionScopeIndex()));
  return Result;
}

const Signature &Signatures::of(const FunctionDecl *Function) {
  auto [Found, IsNew] = Known.try_emplace(Function->getCanonicalDecl());
  if (IsNew)
    for (const FunctionDecl *Each : Function->redecls())
      if (Found->second.Items.empty())
        Found->second = declaredSignature(Each);
  return Found->second;
}
