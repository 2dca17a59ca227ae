/* SPDX-License-Identifier: MIT */
//===- Annotations.h - What the sugar of a type says ------------*- C++ -*-===//
//
// An annotation is a [[clang::annotate_type("acre...")]] attribute, kept by
// Clang as sugar: two types that differ only in annotations are one canonical
// type.  So an annotation is read from a type as written, never from a
// canonical one, and conversions that drop it leave no trace in the tree.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_ANNOTATIONS_H
#define ACRE_PLUGIN_ANNOTATIONS_H

#include "clang/AST/Type.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class Attr;
class CallExpr;
class Decl;
class Expr;
class FunctionDecl;
class VarDecl;
class ASTContext;
struct PrintingPolicy;
} // namespace clang

namespace acre::ast {

/// What a pointer slot may hold; the values are those of LAYOUT strings.
enum class Rule : char {
  Plain = 'p',
  Sameregion = 's',
  Parentptr = 'a',
  Traditional = 't',
  Union = 'u',
  HandleSameregion = 'S', // of slots that hold region handles; only layouts tell them apart
  HandleParentptr = 'A',
  HandleTraditional = 'T'
};

/// Who is responsible for what a pointer points to (Cyclone, 2004): nobody that Acre knows, the one
/// who holds the pointer, somebody else while it is used, or all who hold a reference.
enum class Discipline : unsigned char { None, Unique, Borrowed, Refcounted };

/// The words that name a region: Signature.h.
inline constexpr llvm::StringLiteral RegionWord = "inregion", UpwardRegionWord = "inparent";
inline bool isRegionWord(llvm::StringRef Word) {
  return Word == RegionWord || Word == UpwardRegionWord;
}

/// The word of a parameter that points to a place with nothing in it, which the function fills.
inline constexpr llvm::StringLiteral OutWord = "acre_out";

/// The word that Attribute stands for: "sameregion", "parentptr",
/// "traditional", "deletes", "inregion", "inparent", "unique", "borrowed", "refcounted" or
/// "acre_out"; empty if it is none of Acre's.
llvm::StringRef annotationWord(const clang::Attr *Attribute);
/// The rule that a word of annotationWord stands for; Plain for those that give a slot none.
Rule ruleOfWord(llvm::StringRef Word);
llvm::StringRef wordOfRule(Rule Rule);

/// Whether Type is a pointer, a block or an atomic of one: what a slot can hold.
inline bool isSlotType(clang::QualType Type) {
  if (Type.isNull())
    return false;
  const clang::Type *Canonical = Type->getCanonicalTypeInternal().getTypePtr();
  if (const auto *Atomic = llvm::dyn_cast<clang::AtomicType>(Canonical))
    Canonical = Atomic->getValueType()->getCanonicalTypeInternal().getTypePtr();
  return llvm::isa<clang::PointerType, clang::BlockPointerType>(Canonical);
}
/// The rule of a slot of this type.  Plain if it is not a pointer.
Rule slotRule(clang::QualType Type);

/// The same as layouts have it: Plain also of region handles without an annotation.
Rule layoutRule(clang::QualType Type);

/// The discipline of a pointer of this type: Borrowed also if it is 'refcounted borrowed'.
Discipline disciplineOf(clang::QualType Type);
/// Whether a pointer of this type is 'refcounted borrowed': what it lends has a count, and so other
/// holders.
bool isLentReference(clang::QualType Type);
/// Whether the two types say the same of who owns what their pointers point to.
inline bool areOwnedAlike(clang::QualType One, clang::QualType Other) {
  return disciplineOf(One) == disciplineOf(Other) && isLentReference(One) == isLentReference(Other);
}
/// Whether a parameter of this type is acre_out.
bool saysOut(clang::QualType Type);
Discipline disciplineOfWord(llvm::StringRef Word);
llvm::StringRef wordOfDiscipline(Discipline Of);
/// Whether a pointer of this type is followed: unique or refcounted.
bool isOwning(clang::QualType Type);

/// Whether Type is that of region handles: pointers that are no addresses and are never counted.
bool isRegionHandle(clang::QualType Type);

/// Whether this function type, or the one that this type points to, is deletes.
bool isDeletesType(clang::QualType Type);
/// Whether the functions that Type points to, by any number of pointers, are deletes.
bool isDeletesBehind(clang::QualType Type);
/// Whether any declaration of Function says deletes.
bool isDeletesFunction(const clang::FunctionDecl *Function);
/// Whether the program starts with Function: main, with -ffreestanding too.
bool isProgramStart(const clang::FunctionDecl *Function);

/// Whether any declaration of Function says that its result is traditional.
bool returnsTraditional(const clang::FunctionDecl *Function);
/// Whether this declaration itself says settled: only functions that are deletes set the variable.
bool saysSettled(const clang::Decl *Declared);
/// Whether any declaration of Variable does.
bool isSettled(const clang::VarDecl *Variable);
/// The settled variable that Value names; null if there is none.
const clang::VarDecl *settledVariable(const clang::Expr *Value);

/// The type of Function as this declaration wrote it.
clang::QualType writtenType(const clang::FunctionDecl *Function);

/// Value before the conversions that Sema added.
const clang::Expr *withoutConversions(const clang::Expr *Value);
/// Whether Value is null, written as a constant.  Old programs cast it, as in (FILE *)0, which is
/// no null pointer constant in the words of the standard.
bool isNullPointer(const clang::ASTContext &Context, const clang::Expr *Value);
/// The type that Value was written with, as a pointer if it decays to one.  Says deletes if the
/// value may be a function that is.
clang::QualType writtenType(const clang::ASTContext &Context, const clang::Expr *Value);
/// Whether the function that Call calls is deletes.
bool isDeletesCall(const clang::ASTContext &Context, const clang::CallExpr *Call);

/// Type as C with Acre's words, e.g. "struct node *sameregion *".
std::string printType(clang::QualType Type, const clang::PrintingPolicy &Policy);

} // namespace acre::ast

#endif
