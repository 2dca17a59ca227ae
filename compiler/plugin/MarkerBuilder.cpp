// SPDX-License-Identifier: MIT
//===- MarkerBuilder.cpp - The tree of each marker -----------------------===//

#include "plugin/MarkerBuilder.h"
#include "shared/markers.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace acre;
using namespace acre::ast;

std::string MarkerBuilder::site(SourceLocation Location, llvm::StringRef Function) const {
  SourceManager &Sources = Context.getSourceManager();
  PresumedLoc Place = Sources.getPresumedLoc(Sources.getExpansionLoc(Location));
  std::string Text;
  for (char C : llvm::StringRef(Place.isValid() ? Place.getFilename() : "")) {
    switch (C) {
    case markers::FieldSeparator:
      Text += "%3b";
      break;
    case markers::PartSeparator:
      Text += "%2c";
      break;
    case markers::SiteSeparator:
      Text += "%7c";
      break;
    case '%':
      Text += "%25";
      break;
    default:
      Text += C;
    }
  }
  Text += markers::FieldSeparator + std::to_string(Place.isValid() ? Place.getLine() : 0) +
          markers::FieldSeparator;
  return Text + Function.str();
}

FunctionDecl *MarkerBuilder::declare(llvm::StringRef Name, unsigned ParameterCount) {
  FunctionDecl *&Function = Functions[Name];
  if (Function)
    return Function;
  SmallVector<QualType, 4> Types(ParameterCount, Context.VoidPtrTy);
  QualType Type =
      Context.getFunctionType(Context.VoidPtrTy, Types, FunctionProtoType::ExtProtoInfo());
  DeclContext *Unit = Context.getTranslationUnitDecl();
  Function = FunctionDecl::Create(Context, Unit, SourceLocation(), SourceLocation(),
                                  &Context.Idents.get(Name), Type,
                                  Context.getTrivialTypeSourceInfo(Type), SC_Extern);
  SmallVector<ParmVarDecl *, 4> Parameters;
  for (QualType Each : Types)
    Parameters.push_back(ParmVarDecl::Create(Context, Function, SourceLocation(), SourceLocation(),
                                             nullptr, Each, nullptr, SC_None, nullptr));
  Function->setParams(Parameters);
  Function->setImplicit();
  // The pass removes every call, so what the optimizer may assume about them matters only to
  // CodeGen.
  Function->addAttr(ConstAttr::CreateImplicit(Context));
  Function->addAttr(NoThrowAttr::CreateImplicit(Context));
  return Function;
}

Expr *MarkerBuilder::cast(Expr *Value, QualType Type) {
  return ImplicitCastExpr::Create(Context, Type, CK_BitCast, Value, nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

Expr *MarkerBuilder::string(llvm::StringRef Text, SourceLocation Location) {
  QualType Type = Context.getStringLiteralArrayType(Context.CharTy, Text.size());
  Expr *Literal =
      StringLiteral::Create(Context, Text, StringLiteralKind::Ordinary, false, Type, Location);
  Expr *Decayed =
      ImplicitCastExpr::Create(Context, Context.getArrayDecayedType(Type), CK_ArrayToPointerDecay,
                               Literal, nullptr, VK_PRValue, FPOptionsOverride());
  return cast(Decayed, Context.VoidPtrTy);
}

Expr *MarkerBuilder::siteOrNull(llvm::StringRef Site, SourceLocation Location) {
  if (!Site.empty())
    return string(Site, Location);
  return ImplicitCastExpr::Create(Context, Context.VoidPtrTy, CK_NullToPointer, zero(Location),
                                  nullptr, VK_PRValue, FPOptionsOverride());
}

Expr *MarkerBuilder::zero(SourceLocation Location) {
  return IntegerLiteral::Create(Context, llvm::APInt(Context.getIntWidth(Context.IntTy), 0),
                                Context.IntTy, Location);
}

Expr *MarkerBuilder::function(FunctionDecl *Function, SourceLocation Location) {
  Expr *Named = DeclRefExpr::Create(Context, NestedNameSpecifierLoc(), SourceLocation(), Function,
                                    false, Location, Function->getType(), VK_LValue);
  return ImplicitCastExpr::Create(Context, Context.getPointerType(Function->getType()),
                                  CK_FunctionToPointerDecay, Named, nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

/// (type of Pointer)Name(Pointer, Others...)
Expr *MarkerBuilder::call(llvm::StringRef Name, Expr *Pointer, llvm::ArrayRef<Expr *> Others) {
  SmallVector<Expr *, 4> Arguments = {cast(Pointer, Context.VoidPtrTy)};
  Arguments.append(Others.begin(), Others.end());
  FunctionDecl *Function = declare(Name, Arguments.size());
  Expr *Callee = function(Function, Pointer->getBeginLoc());
  Expr *Call = CallExpr::Create(Context, Callee, Arguments, Context.VoidPtrTy, VK_PRValue,
                                Pointer->getEndLoc(), FPOptionsOverride());
  Expr *Result = cast(Call, Pointer->getType());
  Made.insert(Result);
  return Result;
}

Expr *MarkerBuilder::addressOf(Expr *Lvalue) {
  return UnaryOperator::Create(Context, Lvalue, UO_AddrOf,
                               Context.getPointerType(Lvalue->getType()), VK_PRValue, OK_Ordinary,
                               Lvalue->getExprLoc(), false, FPOptionsOverride());
}

Expr *MarkerBuilder::dereference(Expr *Pointer, const Expr *Replaced) {
  Expr *Result =
      UnaryOperator::Create(Context, Pointer, UO_Deref, Replaced->getType(), VK_LValue, OK_Ordinary,
                            Replaced->getExprLoc(), false, FPOptionsOverride());
  Made.insert(Result);
  return Result;
}

static llvm::StringRef slotMarker(Rule SlotRule) {
  switch (SlotRule) {
  case Rule::Sameregion:
    return markers::SlotSameregion;
  case Rule::Parentptr:
    return markers::SlotParentptr;
  case Rule::Traditional:
    return markers::SlotTraditional;
  case Rule::HandleSameregion:
    return markers::HandleSameregion;
  case Rule::HandleParentptr:
    return markers::HandleParentptr;
  case Rule::HandleTraditional:
    return markers::HandleTraditional;
  case Rule::Plain:
  case Rule::Union:
    break;
  }
  llvm_unreachable("only annotated slots are marked");
}

Expr *MarkerBuilder::slotPointer(Expr *Pointer, Rule SlotRule, llvm::StringRef Site) {
  return call(slotMarker(SlotRule), Pointer, {siteOrNull(Site, Pointer->getBeginLoc())});
}

Expr *MarkerBuilder::recordPointer(Expr *Pointer, llvm::StringRef Layout, llvm::StringRef Site) {
  SourceLocation Location = Pointer->getBeginLoc();
  return call(markers::SlotRecord, Pointer, {string(Layout, Location), siteOrNull(Site, Location)});
}

Expr *MarkerBuilder::startPointer(Expr *Pointer, llvm::StringRef Layout, llvm::StringRef Site) {
  SourceLocation Location = Pointer->getBeginLoc();
  return call(markers::SlotStart, Pointer, {string(Layout, Location), string(Site, Location)});
}

Expr *MarkerBuilder::wordsPointer(Expr *Pointer, llvm::StringRef Words) {
  return call(markers::SlotWords, Pointer, {string(Words, Pointer->getBeginLoc())});
}

Expr *MarkerBuilder::unionPointer(Expr *Pointer) { return call(markers::SlotUnion, Pointer, {}); }

Expr *MarkerBuilder::numbersPointer(Expr *Pointer) {
  return call(markers::SlotNumbers, Pointer, {});
}

Expr *MarkerBuilder::numbers(Expr *Lvalue) {
  return dereference(numbersPointer(addressOf(Lvalue)), Lvalue);
}

Expr *MarkerBuilder::words(Expr *Lvalue, llvm::StringRef Words) {
  return dereference(wordsPointer(addressOf(Lvalue), Words), Lvalue);
}

Expr *MarkerBuilder::setByDeletes(Expr *Lvalue) {
  return dereference(call(markers::SetByDeletes, addressOf(Lvalue), {}), Lvalue);
}

Expr *MarkerBuilder::slot(Expr *Lvalue, Rule SlotRule, llvm::StringRef Site) {
  return dereference(slotPointer(addressOf(Lvalue), SlotRule, Site), Lvalue);
}

Expr *MarkerBuilder::record(Expr *Lvalue, llvm::StringRef Layout, llvm::StringRef Site) {
  return dereference(recordPointer(addressOf(Lvalue), Layout, Site), Lvalue);
}

Expr *MarkerBuilder::unionMember(Expr *Lvalue) {
  return dereference(unionPointer(addressOf(Lvalue)), Lvalue);
}

Expr *MarkerBuilder::deletesCallee(Expr *Callee, llvm::StringRef Site) {
  return call(markers::Deletes, Callee, {string(Site, Callee->getBeginLoc())});
}

Expr *MarkerBuilder::numbersCallee(Expr *Callee) {
  return call(markers::AllocatesNumbers, Callee, {});
}

Expr *MarkerBuilder::poolCallee(Expr *Callee, llvm::StringRef Item, llvm::StringRef Allocation) {
  SourceLocation Location = Callee->getBeginLoc();
  return call(markers::PoolCall, Callee, {string(Item, Location), string(Allocation, Location)});
}

Expr *MarkerBuilder::checkedTraditional(Expr *Value, llvm::StringRef Site) {
  bool IsHandle = isRegionHandle(Value->getType());
  return call(IsHandle ? markers::CheckTraditionalHandle : markers::CheckTraditional, Value,
              {string(Site, Value->getBeginLoc())});
}

Expr *MarkerBuilder::name(const VarDecl *Variable, SourceLocation Location) {
  auto *Named = const_cast<VarDecl *>(Variable);
  return DeclRefExpr::Create(Context, NestedNameSpecifierLoc(), SourceLocation(), Named, false,
                             Location, Named->getType(), VK_LValue);
}

Expr *MarkerBuilder::place(const VarDecl *Variable, SourceLocation Location) {
  Expr *Named = name(Variable, Location);
  return isSettled(Variable) ? setByDeletes(Named) : Named;
}

Expr *MarkerBuilder::read(const VarDecl *Variable, SourceLocation Location) {
  return ImplicitCastExpr::Create(Context, Variable->getType().getUnqualifiedType(),
                                  CK_LValueToRValue, place(Variable, Location), nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

Expr *MarkerBuilder::signatureCallee(Expr *Callee, llvm::StringRef Item, llvm::StringRef Site,
                                     const VarDecl *Variable) {
  SourceLocation Location = Callee->getBeginLoc();
  Expr *Place = Variable ? cast(addressOf(place(Variable, Location)), Context.VoidPtrTy)
                         : siteOrNull("", Location);
  return call(markers::Signature, Callee, {string(Item, Location), string(Site, Location), Place});
}

Expr *MarkerBuilder::argument(Expr *Value, unsigned Index) {
  return call(markers::Argument, Value, {string(std::to_string(Index), Value->getBeginLoc())});
}

Expr *MarkerBuilder::knownRegion(Expr *Value, Expr *Region, llvm::StringRef Kind) {
  return call(markers::KnownRegion, Value,
              {cast(Region, Context.VoidPtrTy), string(Kind, Value->getBeginLoc())});
}

Expr *MarkerBuilder::checkedRegion(Expr *Value, Expr *Region, llvm::StringRef Kind,
                                   llvm::StringRef Site) {
  SourceLocation Location = Value->getBeginLoc();
  return call(markers::CheckRegion, Value,
              {cast(Region, Context.VoidPtrTy), string(Kind, Location), string(Site, Location)});
}

void MarkerBuilder::annotate(VarDecl *Variable, llvm::StringRef Layout) {
  std::string Text = (markers::LayoutAnnotation + Layout).str();
  Variable->addAttr(
      AnnotateAttr::CreateImplicit(Context, Text, nullptr, 0, Variable->getSourceRange()));
}
