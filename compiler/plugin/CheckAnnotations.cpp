// SPDX-License-Identifier: MIT
//===- CheckAnnotations.cpp - Where annotations may be written -----------===//

#include "plugin/Annotations.h"
#include "plugin/Checks.h"
#include "plugin/Inheritance.h"
#include "plugin/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace acre;
using namespace acre::ast;

namespace {
enum class Place : unsigned {
  Local,
  Parameter,
  Result,
  Cast
}; // the order is that of %select in diagnostics.def
}

/// The word that says what a slot of this type may hold or who owns it; empty if there is none.
static llvm::StringRef slotWord(QualType Type) {
  if (Discipline Found = disciplineOf(Type); Found != Discipline::None)
    return wordOfDiscipline(Found);
  return wordOfRule(slotRule(Type));
}

/// Whether these words stand on one pointer: a reference that is lent.
static bool isLendingReference(llvm::StringRef One, llvm::StringRef Other) {
  return (One == "refcounted" && Other == "borrowed") ||
         (One == "borrowed" && Other == "refcounted");
}

/// Visits what is written in the source: types with their places, not the types that Sema derived
/// from them.
class Checks::TypeVisitor : public RecursiveASTVisitor<TypeVisitor> {
public:
  explicit TypeVisitor(Checks &Owner) : Owner(Owner) {}

  bool shouldWalkTypesOfTypeLocs() const { return false; }

  bool TraverseStmt(Stmt *Node, DataRecursionQueue *Queue = nullptr) {
    return !Owner.IsBodyWritten || RecursiveASTVisitor::TraverseStmt(Node, Queue);
  }

  bool VisitTypeLoc(TypeLoc Each) {
    const auto Written = Each.getAs<WordTypeLoc>();
    llvm::StringRef Word = Written.isNull() ? "" : annotationWord(Written.getAttr());
    if (Word.empty())
      return true;
    SourceLocation Location = Written.getAttr()->getLocation();
    QualType Type = modifiedLoc(Written).getType();
    if (Type->isDependentType() || Type->containsErrors())
      return true;
    if (Word == "deletes") {
      if (!Type->isFunctionType())
        Owner.Reports.report(Diag::DeletesOnNonFunction, Location) << Owner.print(Type);
      return true;
    }
    if (isRegionWord(Word) && isSlotType(Type))
      Owner.checkRegionPlace(cast<WordAttr>(Written.getAttr()));
    else if (!isSlotType(Type))
      Owner.Reports.report(Diag::AnnotationOnNonPointer, Location) << Word << Owner.print(Type);
    else if (llvm::StringRef Inner = slotWord(Type); !Inner.empty() && Inner != Word &&
                                                     !isRegionWord(Word) && Word != OutWord &&
                                                     !isLendingReference(Inner, Word))
      Owner.Reports.report(Diag::ConflictingAnnotations, Location) << Inner << Word;
    return true;
  }

  bool VisitVarDecl(VarDecl *Variable) {
    if (Variable->getTypeSourceInfo() &&
        (Variable->hasLocalStorage() || isa<ParmVarDecl>(Variable)))
      checkHolder(Variable->getTypeSourceInfo()->getTypeLoc(),
                  isa<ParmVarDecl>(Variable) ? Place::Parameter : Place::Local);
    if (!Variable->hasLocalStorage() && !isa<ParmVarDecl>(Variable))
      checkBorrowed(Variable);
    Owner.checkRedeclaration(Variable);
    if (Variable->hasAttr<AliasAttr>())
      Owner.VariableAliases.push_back(Variable);
    return true;
  }

  bool VisitFieldDecl(FieldDecl *Field) {
    checkBorrowed(Field);
    return true;
  }

  bool VisitFunctionTypeLoc(FunctionTypeLoc Written) {
    checkHolder(Written.getReturnLoc(), Place::Result);
    return true;
  }

  bool VisitCStyleCastExpr(CStyleCastExpr *Cast) {
    if (Cast->getTypeInfoAsWritten())
      checkHolder(Cast->getTypeInfoAsWritten()->getTypeLoc(), Place::Cast);
    return true;
  }

  bool VisitNamedDecl(NamedDecl *Declared) {
    Owner.checkSettled(Declared);
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl *Declared) {
    Owner.checkSignature(Declared);
    Owner.checkRedeclaration(Declared);
    if (Declared->hasAttr<AliasAttr>())
      Owner.Aliases.push_back(Declared);
    return true;
  }

  bool VisitTypedefNameDecl(TypedefNameDecl *Declared) {
    Owner.checkRedeclaration(Declared);
    return true;
  }

  bool VisitRecordDecl(RecordDecl *Record) {
    Owner.checkPacked(Record);
    return true;
  }

private:
  /// Rejects borrowed where the pointer would be kept.
  void checkBorrowed(const DeclaratorDecl *Slot) {
    if (disciplineOf(Owner.Context.getBaseElementType(Slot->getType())) == Discipline::Borrowed)
      Owner.Reports.report(Diag::BorrowedMisplaced, Slot->getLocation());
  }

  /// Rejects sameregion and parentptr on the value itself.  One that comes from a typedef or typeof
  /// describes the slots the name was made for, and says nothing about this value.
  void checkHolder(TypeLoc Written, Place Where) {
    while (!Written.isNull()) {
      if (auto Attributed = Written.getAs<WordTypeLoc>()) {
        llvm::StringRef Word = annotationWord(Attributed.getAttr());
        Rule Found = ruleOfWord(Word);
        bool NeedsHolder = Found == Rule::Sameregion || Found == Rule::Parentptr ||
                           (Found == Rule::Traditional && Where == Place::Cast);
        if (NeedsHolder && isSlotType(modifiedLoc(Attributed).getType()))
          Owner.Reports.report(Diag::AnnotationNeedsHolder, Attributed.getAttr()->getLocation())
              << Word << unsigned(Where)
              << llvm::ArrayRef(Owner.Words.without(Attributed.getAttr()->getLocation()));
        Written = modifiedLoc(Attributed);
      } else if (auto Array = Written.getAs<ArrayTypeLoc>(); Array && Where != Place::Parameter) {
        Written = Array.getElementLoc();
      } else if (Written.getAs<QualifiedTypeLoc>() || Written.getAs<ParenTypeLoc>() ||
                 Written.getAs<MacroQualifiedTypeLoc>()) {
        Written = Written.getNextTypeLoc();
      } else {
        return;
      }
    }
  }

  Checks &Owner;
};

void Checks::checkWritten(Decl *Declaration) { TypeVisitor(*this).TraverseDecl(Declaration); }

void Checks::checkRedeclaration(const NamedDecl *Declaration) {
  const auto *Previous = dyn_cast_or_null<NamedDecl>(Declaration->getPreviousDecl());
  if (!Previous || Declaration->isInvalidDecl() || Previous->isInvalidDecl())
    return;
  // Before C99 a call declares; what the compiler knows by itself was not called.
  const auto *Called = dyn_cast<FunctionDecl>(Previous);
  if (Previous->isImplicit() && !(Called && Called->getBuiltinID() == 0))
    return;
  if (const auto *Later = dyn_cast<FunctionDecl>(Declaration))
    return checkRedeclaredFunction(Later, cast<FunctionDecl>(Previous));
  QualType Now, Before;
  if (const auto *Later = dyn_cast<VarDecl>(Declaration)) {
    const VarDecl *Earlier = wordsOf(cast<VarDecl>(Previous));
    if (wordsOf(Later) != Later)
      return;
    if (!Later->getTypeSourceInfo() || !Earlier->getTypeSourceInfo())
      return;
    Now = Later->getTypeSourceInfo()->getType();
    Before = Earlier->getTypeSourceInfo()->getType();
  } else if (const auto *LaterName = dyn_cast<TypedefNameDecl>(Declaration)) {
    Now = LaterName->getUnderlyingType();
    Before = cast<TypedefNameDecl>(Previous)->getUnderlyingType();
  }
  if (Now.isNull() || !areAnnotatedDifferently(Context, Before, Now))
    return;
  Reports.report(Diag::RedeclaredAnnotation, Declaration->getLocation())
      << Declaration << print(Now) << print(Before)
      << llvm::ArrayRef(Words.deletesAlike(Declaration, Previous));
  Reports.note(Previous->getLocation(), "previous declaration is here");
}

/// Whether a declaration of the function before this one says deletes.
static bool wasDeletes(const FunctionDecl *Declared) {
  for (const FunctionDecl *Each = Declared->getPreviousDecl(); Each; Each = Each->getPreviousDecl())
    if (isDeletesType(writtenType(Each)))
      return true;
  return false;
}

void Checks::checkRedeclaredFunction(const FunctionDecl *Later, const FunctionDecl *Earlier) {
  // Like an attribute of C, deletes holds from the declaration on that says it.  Before, callers
  // did not know.
  if (isDeletesType(writtenType(Later)) && !wasDeletes(Later)) {
    Reports.report(Diag::RedeclaredDeletes, Later->getLocation()) << Later << 1u;
    for (const FunctionDecl *Each = Earlier; Each; Each = Each->getPreviousDecl())
      if (Each->isImplicit())
        Reports.note(Each->getLocation(), "it is called here before it is declared")
            << llvm::ArrayRef(Words.deletesBeforeCall(Later, Each->getLocation()));
      else
        Reports.note(Each->getLocation(), "previous declaration is here")
            << llvm::ArrayRef(Words.deletesOn(Each));
    return;
  }
  if (wordsOf(Later) != Later)
    return; // they are those of an earlier one
  Earlier = wordsOf(Earlier);
  if ((areAnnotatedDifferently(Context, writtenType(Earlier), writtenType(Later)) ||
       !(declaredSignature(Earlier) == declaredSignature(Later))) &&
      Later->hasWrittenPrototype() && Earlier->hasWrittenPrototype()) {
    Reports.report(Diag::RedeclaredAnnotation, Later->getLocation())
        << Later << print(writtenType(Later)) << print(writtenType(Earlier))
        << llvm::ArrayRef(Words.deletesAlike(Later, Earlier));
  } else {
    return;
  }
  Reports.note(Earlier->getLocation(), "previous declaration is here");
}

void Checks::checkSettled(const NamedDecl *Declared) {
  const auto *Variable = dyn_cast<VarDecl>(Declared);
  bool IsSaid = saysSettled(Declared);
  if (IsSaid && !(Variable && Variable->hasGlobalStorage() && Variable->getType()->isPointerType()))
    Reports.report(Diag::SettledMisplaced, Declared->getLocation()) << Declared;
  const VarDecl *Previous = Variable ? Variable->getPreviousDecl() : nullptr;
  if (!Previous || IsSaid == saysSettled(Previous))
    return;
  Reports.report(Diag::RedeclaredSettled, Declared->getLocation()) << Declared << unsigned(IsSaid);
  Reports.note(Previous->getLocation(), "previous declaration is here");
}

void Checks::finish() {
  for (const FunctionDecl *Each : Aliases)
    checkAlias(Each);
  for (const VarDecl *Each : VariableAliases)
    checkVariableAlias(Each);
  finishBytes();
}

void Checks::checkVariableAlias(const VarDecl *Declared) {
  llvm::StringRef Name = Declared->getAttr<AliasAttr>()->getAliasee();
  for (const NamedDecl *Each : Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Name)))
    if (const auto *Target = dyn_cast<VarDecl>(Each); Target && isSettled(Target)) {
      Reports.report(Diag::SettledChanged, Declared->getLocation()) << Target;
      Reports.note(Target->getLocation(), "it is an alias of this variable");
    }
}

void Checks::checkAlias(const FunctionDecl *Declared) {
  const auto *Alias = Declared->getAttr<AliasAttr>();
  for (const NamedDecl *Each :
       Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Alias->getAliasee()))) {
    const auto *Target = dyn_cast<FunctionDecl>(Each);
    if (Target && !(declaredSignature(Target) == declaredSignature(Declared) &&
                    returnsTraditional(Target) == returnsTraditional(Declared)))
      Reports.report(Diag::RedeclaredAnnotation, Declared->getLocation())
          << Declared << print(writtenType(Declared)) << print(writtenType(Target));
    else if (Target && isDeletesFunction(Target) && !isDeletesFunction(Declared))
      Reports.report(Diag::RedeclaredDeletes, Declared->getLocation())
          << Declared << 0u << llvm::ArrayRef(Words.deletesOn(Declared));
    else
      continue;
    Reports.note(Target->getLocation(), "it is an alias of this function");
  }
}

static bool holdsPointers(const ASTContext &Context, QualType Type) {
  Type = Context.getBaseElementType(Type);
  const RecordDecl *Record = Type->getAsRecordDecl();
  return isSlotType(Type) || (Record && llvm::any_of(Record->fields(), [&](const FieldDecl *Field) {
                                return holdsPointers(Context, Field->getType());
                              }));
}

/// Warns of the first field with pointers at addresses that are not aligned, or would not be in an
/// array.
void Checks::checkPacked(const RecordDecl *Record) {
  if (!Record->isCompleteDefinition() || Record->isInvalidDecl() ||
      !Reports.isEnabled(Diag::PackedPointer, Record->getLocation()))
    return;
  const uint64_t Size = Context.getTypeSize(Context.VoidPtrTy);
  const ASTRecordLayout &Place = Context.getASTRecordLayout(Record);
  const bool IsOddInArrays = Context.toBits(Place.getSize()) % Size != 0;
  for (const FieldDecl *Field : Record->fields()) {
    uint64_t Offset = Place.getFieldOffset(Field->getFieldIndex());
    if (Field->isBitField() || !(IsOddInArrays || Offset % Size != 0) ||
        !holdsPointers(Context, Field->getType()))
      continue;
    Reports.report(Diag::PackedPointer, Field->getLocation())
        << unsigned(!isSlotType(Context.getBaseElementType(Field->getType()))) << Field
        << unsigned(Context.toCharUnitsFromBits(Offset).getQuantity())
        << print(canonicalTagType(Context, Record)) << unsigned(Offset % Size == 0);
    return;
  }
}
