// SPDX-License-Identifier: MIT
//===- Annotations.cpp - What the sugar of a type says --------------------===//

#include "plugin/Annotations.h"
#include "shared/markers.h"
#include "versions/Clang.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace acre;
using namespace acre::ast;

namespace {
struct Word {
  llvm::StringLiteral Annotation;
  llvm::StringLiteral Text;
  Rule SlotRule;
};
constexpr Word Words[] = {
    {markers::AnnotationSameregion, "sameregion", Rule::Sameregion},
    {markers::AnnotationParentptr, "parentptr", Rule::Parentptr},
    {markers::AnnotationTraditional, "traditional", Rule::Traditional},
    {markers::AnnotationDeletes, "deletes", Rule::Plain},
    {markers::AnnotationInregion, RegionWord, Rule::Plain},
    {markers::AnnotationInparent, UpwardRegionWord, Rule::Plain},
    {markers::AnnotationUnique, "unique", Rule::Plain},
    {markers::AnnotationBorrowed, "borrowed", Rule::Plain},
    {markers::AnnotationRefcounted, "refcounted", Rule::Plain},
    {markers::AnnotationOut, OutWord, Rule::Plain},
};

/// One step through sugar; a null type at the end.
QualType desugarOnce(QualType Type) {
  QualType Next = Type->getLocallyUnqualifiedSingleStepDesugaredType();
  return Next.getTypePtr() == Type.getTypePtr() ? QualType() : Next;
}
} // namespace

llvm::StringRef ast::annotationWord(const Attr *Attribute) {
  if (const auto *Annotation = dyn_cast_or_null<WordAttr>(Attribute))
    for (const Word &Each : Words)
      if (writtenWord(Annotation) == Each.Annotation)
        return Each.Text;
  return "";
}

Rule ast::ruleOfWord(llvm::StringRef Text) {
  for (const Word &Each : Words)
    if (Each.Text == Text)
      return Each.SlotRule;
  return Rule::Plain;
}

llvm::StringRef ast::wordOfRule(Rule Wanted) {
  for (const Word &Each : Words)
    if (Each.SlotRule == Wanted)
      return Wanted == Rule::Plain ? llvm::StringRef() : llvm::StringRef(Each.Text);
  return "";
}

bool ast::isRegionHandle(QualType Type) {
  const auto *Record = Type->isPointerType() ? Type->getPointeeType()->getAsRecordDecl() : nullptr;
  return Record && Record->getName() == "acre_region_handle";
}

/// The first meaning but None that the words on Type itself have, outermost first.
template <typename Meaning>
static Meaning meaningOf(QualType Type, Meaning (*OfWord)(llvm::StringRef), Meaning None) {
  if (!isSlotType(Type))
    return None;
  while (!Type.isNull() && !isa<PointerType>(Type.getTypePtr())) { // that is no sugar
    if (const auto *Attributed = dyn_cast<WordType>(Type.getTypePtr())) {
      Meaning Found = OfWord(annotationWord(Attributed->getAttr()));
      if (Found != None)
        return Found;
      Type = modifiedType(Attributed);
    } else if (const auto *Atomic = dyn_cast<AtomicType>(Type.getTypePtr())) {
      Type = Atomic->getValueType();
    } else {
      Type = desugarOnce(Type);
    }
  }
  return None;
}

Rule ast::slotRule(QualType Type) { return meaningOf(Type, ruleOfWord, Rule::Plain); }

static bool saysRefcounted(llvm::StringRef Text) { return Text == "refcounted"; }
static bool saysBorrowed(llvm::StringRef Text) { return Text == "borrowed"; }
static bool isOutWord(llvm::StringRef Text) { return Text == OutWord; }
Rule ast::layoutRule(QualType Type) {
  Rule Found = slotRule(Type);
  if (!isRegionHandle(Type))
    return Found;
  switch (Found) {
  case Rule::Sameregion:
    return Rule::HandleSameregion;
  case Rule::Parentptr:
    return Rule::HandleParentptr;
  case Rule::Traditional:
    return Rule::HandleTraditional;
  default:
    return Found;
  }
}

Discipline ast::disciplineOf(QualType Type) {
  Discipline Outermost = meaningOf(Type, disciplineOfWord, Discipline::None);
  return Outermost == Discipline::Refcounted && meaningOf(Type, saysBorrowed, false)
             ? Discipline::Borrowed
             : Outermost;
}

bool ast::isLentReference(QualType Type) {
  return disciplineOf(Type) == Discipline::Borrowed && meaningOf(Type, saysRefcounted, false);
}

bool ast::saysOut(QualType Type) { return meaningOf(Type, isOutWord, false); }

Discipline ast::disciplineOfWord(llvm::StringRef Text) {
  return llvm::StringSwitch<Discipline>(Text)
      .Case("unique", Discipline::Unique)
      .Case("borrowed", Discipline::Borrowed)
      .Case("refcounted", Discipline::Refcounted)
      .Default(Discipline::None);
}

llvm::StringRef ast::wordOfDiscipline(Discipline Of) {
  constexpr llvm::StringLiteral Texts[] = {"", "unique", "borrowed",
                                           "refcounted"}; // in the order of the enumeration
  return Texts[unsigned(Of)];
}

bool ast::isOwning(QualType Type) {
  Discipline Found = disciplineOf(Type);
  return Found == Discipline::Unique || Found == Discipline::Refcounted;
}

bool ast::isDeletesType(QualType Type) {
  while (!Type.isNull()) {
    if (const auto *Attributed = dyn_cast<WordType>(Type.getTypePtr())) {
      if (annotationWord(Attributed->getAttr()) == "deletes")
        return true;
      Type = modifiedType(Attributed);
    } else if (const auto *Atomic = dyn_cast<AtomicType>(Type.getTypePtr())) {
      Type = Atomic->getValueType();
    } else if (const auto *Pointer = dyn_cast<PointerType>(Type.getTypePtr())) {
      if (!Pointer->getPointeeType()->isFunctionType())
        return false;
      Type = Pointer->getPointeeType();
    } else if (const auto *Block = dyn_cast<BlockPointerType>(Type.getTypePtr())) {
      Type = Block->getPointeeType();
    } else {
      Type = desugarOnce(Type);
    }
  }
  return false;
}

bool ast::isDeletesBehind(QualType Type) {
  while (!Type->isFunctionPointerType() && !Type->getPointeeType().isNull())
    Type = Type->getPointeeType();
  return isDeletesType(Type);
}

QualType ast::writtenType(const FunctionDecl *Function) {
  // Merging with an earlier declaration can replace getType() by the earlier type.
  const TypeSourceInfo *Written = Function->getTypeSourceInfo();
  return Written ? Written->getType() : Function->getType();
}

bool ast::isDeletesFunction(const FunctionDecl *Function) {
  for (const FunctionDecl *Each : Function->redecls())
    if (isDeletesType(writtenType(Each)))
      return true;
  return false;
}

bool ast::isProgramStart(const FunctionDecl *Function) {
  return Function->isMain() ||
         (Function->getIdentifier() && Function->getName() == "main" &&
          Function->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
          Function->isExternallyVisible());
}

bool ast::returnsTraditional(const FunctionDecl *Function) {
  for (const FunctionDecl *Each : Function->redecls())
    if (const auto *Type = writtenType(Each)->getAs<FunctionType>();
        Type && slotRule(Type->getReturnType()) == Rule::Traditional)
      return true;
  return false;
}

bool ast::saysSettled(const Decl *Declared) {
  return llvm::any_of(Declared->specific_attrs<AnnotateAttr>(), [](const AnnotateAttr *Each) {
    return !Each->isInherited() && Each->getAnnotation() == markers::AnnotationSettled;
  });
}

bool ast::isSettled(const VarDecl *Variable) {
  return llvm::any_of(Variable->redecls(), saysSettled);
}

const VarDecl *ast::settledVariable(const Expr *Value) {
  const auto *Reference = dyn_cast<DeclRefExpr>(Value->IgnoreParens());
  const auto *Variable = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  return Variable && isSettled(Variable) ? Variable : nullptr;
}

const Expr *ast::withoutConversions(const Expr *Value) {
  Value = Value->IgnoreParens();
  while (const auto *Cast = dyn_cast<ImplicitCastExpr>(Value))
    Value = Cast->getSubExpr()->IgnoreParens();
  return Value;
}

bool ast::isNullPointer(const ASTContext &Context, const Expr *Value) {
  auto IsConstant = [&](const Expr *Each) {
    return Each->isNullPointerConstant(const_cast<ASTContext &>(Context),
                                       Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull;
  };
  const auto *Cast = dyn_cast<CastExpr>(Value->IgnoreParens());
  while (Cast && Cast->getType()->isPointerType() && !IsConstant(Cast)) {
    Value = Cast->getSubExpr()->IgnoreParens();
    Cast = dyn_cast<CastExpr>(Value);
  }
  return IsConstant(Value);
}

/// The type of Function that says deletes, if any declaration does.
static QualType declaredType(const FunctionDecl *Function) {
  for (const FunctionDecl *Each : Function->redecls())
    if (isDeletesType(writtenType(Each)))
      return writtenType(Each);
  return Function->getType();
}

QualType ast::writtenType(const ASTContext &Context, const Expr *Value) {
  Value = withoutConversions(Value);
  const Expr *Named = Value;
  if (const auto *Operator = dyn_cast<UnaryOperator>(Value);
      Operator && (Operator->getOpcode() == UO_AddrOf || Operator->getOpcode() == UO_Deref))
    Named = withoutConversions(Operator->getSubExpr());
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Named))
    if (const auto *Function = dyn_cast<FunctionDecl>(Reference->getDecl()))
      return Context.getPointerType(declaredType(Function));
  if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(Value);
      Choice && Value->getType()->isFunctionPointerType())
    // The type of the choice keeps only what both have in common.
    for (const Expr *Each : {Choice->getTrueExpr(), Choice->getFalseExpr()})
      if (QualType Type = writtenType(Context, Each); isDeletesType(Type))
        return Type;
  if (const ArrayType *Array = Context.getAsArrayType(Value->getType()))
    return Context.getPointerType(Array->getElementType());
  return Value->getType();
}

bool ast::isDeletesCall(const ASTContext &Context, const CallExpr *Call) {
  if (const FunctionDecl *Callee = Call->getDirectCallee())
    return isDeletesFunction(Callee);
  return isDeletesType(writtenType(Context, Call->getCallee()));
}

static std::string printWithDeletes(QualType Type, const PrintingPolicy &Policy) {
  // Where Clang prints words is fit for deletes only.
  std::string Text = Type.getAsString(Policy);
  return removeWords(Text) && isDeletesType(Type) ? Text + " deletes" : Text;
}

/// Whether this type says anything of its own, or of what it points to.
static bool saysAnything(QualType Type) {
  return disciplineOf(Type) != Discipline::None || slotRule(Type) != Rule::Plain ||
         (!Type->getPointeeType().isNull() && saysAnything(Type->getPointeeType()));
}

/// Such a function, or a pointer to it, with the words of the parameters and of the result.
static std::string printFunction(QualType Type, const FunctionProtoType *Function,
                                 const PrintingPolicy &Policy) {
  std::string Text = printType(Function->getReturnType(), Policy);
  Text += Text.back() == '*' ? "" : " ";
  Text += Type->isFunctionType() ? "(" : "(*)(";
  for (unsigned I = 0; I != Function->getNumParams(); ++I)
    Text += (I ? ", " : "") + printType(Function->getParamType(I), Policy);
  Text += Function->isVariadic() ? ", ...)" : Function->getNumParams() ? ")" : "void)";
  return Text + (isDeletesType(Type) ? " deletes" : "");
}

std::string ast::printType(QualType Type, const PrintingPolicy &Policy) {
  std::string Qualifiers = Type.getLocalQualifiers().getAsString(Policy);
  auto Append = [](std::string Text, llvm::StringRef Word) {
    if (!Word.empty())
      Text += (Text.back() == '*' ? "" : " ") + Word.str();
    return Text;
  };
  if (const auto *Attributed = dyn_cast<WordType>(Type.getTypePtr())) {
    llvm::StringRef Word = annotationWord(Attributed->getAttr());
    if (ruleOfWord(Word) != Rule::Plain || disciplineOfWord(Word) != Discipline::None)
      return Append(Append(printType(modifiedType(Attributed), Policy), Qualifiers), Word);
  }
  if (const auto *Function = (Type->isFunctionPointerType() ? Type->getPointeeType() : Type)
                                 ->getAs<FunctionProtoType>();
      Function && (saysAnything(Function->getReturnType()) ||
                   llvm::any_of(Function->param_types(), saysAnything)))
    return printFunction(Type, Function, Policy);
  if (const auto *Pointer = dyn_cast<PointerType>(Type.getTypePtr()))
    if (isSlotType(Pointer->getPointeeType()) &&
        !Pointer->getPointeeType()->isFunctionPointerType())
      return Append(Append(printType(Pointer->getPointeeType(), Policy), "*"), Qualifiers);
  return printWithDeletes(Type, Policy);
}
