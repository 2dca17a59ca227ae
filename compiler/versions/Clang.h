/* SPDX-License-Identifier: MIT */
//===- Clang.h - One interface to Clang 19 and all newer ones ---*- C++ -*-===//
//
// The plugin is written for the newest Clang.  What an older one has otherwise, or
// has not, is here; nothing else in the plugin asks which one it is.  What the
// headers declare decides, and the version's number only where they cannot be
// asked.
//
// Before version 20 the type of an annotated pointer does not say what annotate_type
// was given.  There the words are btf_type_tag attributes: include/acre/annotations.h
// writes them, with what stands behind a colon for a second argument.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_VERSIONS_CLANG_H
#define ACRE_VERSIONS_CLANG_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Type.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/Version.inc"

#include <string>
#include <utility>

static_assert(CLANG_VERSION_MAJOR >= 19, "Acre's plugin needs Clang 19");

namespace acre {

//===- The attributes that hold the words of Acre --------------------------===//

#if CLANG_VERSION_MAJOR >= 20
using WordAttr = clang::AnnotateTypeAttr;
using WordType = clang::AttributedType;
using WordTypeLoc = clang::AttributedTypeLoc;

inline constexpr llvm::StringLiteral WordAttributeName = "annotate_type";

inline clang::QualType modifiedType(const WordType *Type) { return Type->getModifiedType(); }
inline clang::TypeLoc modifiedLoc(WordTypeLoc Written) { return Written.getModifiedLoc(); }
inline llvm::StringRef writtenWord(const WordAttr *Attribute) { return Attribute->getAnnotation(); }

/// The text that stands behind the word, or an empty one.
inline llvm::StringRef writtenName(const WordAttr *Attribute) {
  for (const clang::Expr *Argument : Attribute->args())
    if (const auto *Literal = llvm::dyn_cast<clang::StringLiteral>(Argument->IgnoreParenImpCasts()))
      return Literal->getString();
  return "";
}
#else
using WordAttr = clang::BTFTypeTagAttr;
using WordType = clang::BTFTagAttributedType;
using WordTypeLoc = clang::BTFTagAttributedTypeLoc;

inline constexpr llvm::StringLiteral WordAttributeName = "btf_type_tag";

inline clang::QualType modifiedType(const WordType *Type) { return Type->getWrappedType(); }
inline clang::TypeLoc modifiedLoc(WordTypeLoc Written) { return Written.getWrappedLoc(); }
inline llvm::StringRef writtenWord(const WordAttr *Attribute) {
  return Attribute->getBTFTypeTag().split(':').first;
}
inline llvm::StringRef writtenName(const WordAttr *Attribute) {
  return Attribute->getBTFTypeTag().split(':').second;
}
#endif

/// Since Clang 23 attributes are compared by what they say: types with the same words are one type,
/// which has the attribute of the place that was first.
template <typename Attribute>
concept IsComparedByContent =
    requires(const Attribute *Of, llvm::FoldingSetNodeID &ID, const clang::ASTContext &Context) {
      Of->Profile(ID, Context);
    };
/// Whether each word that is written makes a type of its own, with the attribute of its place.
inline constexpr bool IsWordTypeOfItsPlace = !IsComparedByContent<clang::Attr>;

/// Takes the words out of the text that Clang prints for a type; whether there was one.
inline bool removeWords(std::string &Text) {
#if CLANG_VERSION_MAJOR >= 20
  constexpr llvm::StringLiteral Begin = " [[clang::annotate_type(", End = ")]]";
#else
  constexpr llvm::StringLiteral Begin = " __attribute__((btf_type_tag(", End = ")))";
#endif
  bool IsFound = false;
  for (size_t At; (At = Text.find(Begin.data())) != std::string::npos; IsFound = true)
    Text.erase(At, Text.find(End.data(), At) + End.size() - At);
  return IsFound;
}

//===- Types and declarations ----------------------------------------------===//

/// Whether Type only says how another type is written, which has no name of its own.
inline bool isWrittenSugar(const clang::Type *Type) {
#if CLANG_VERSION_MAJOR <= 21
  if (llvm::isa<clang::ElaboratedType, WordType>(Type))
    return true;
#endif
  return llvm::isa<clang::TypeOfType, clang::TypeOfExprType, clang::ParenType,
                   clang::AttributedType>(Type);
}

template <typename Context>
clang::QualType canonicalTagType(const Context &Of, const clang::TagDecl *Tag) {
  if constexpr (requires { Of.getCanonicalTagType(Tag); })
    return Of.getCanonicalTagType(Tag);
  else
    return Of.getCanonicalType(Of.getTagDeclType(Tag));
}

template <typename Field> unsigned bitWidth(const Field *Of) {
  if constexpr (requires { Of->getBitWidthValue(); })
    return Of->getBitWidthValue();
  else
    return Of->getBitWidthValue(Of->getASTContext());
}

/// How the type of a function is written.  What Clang 19 asks for it does not look behind words.
inline clang::FunctionTypeLoc functionTypeLoc(const clang::FunctionDecl *Declared) {
  const clang::TypeSourceInfo *Written = Declared->getTypeSourceInfo();
  return Written ? Written->getTypeLoc().getAsAdjusted<clang::FunctionTypeLoc>()
                 : clang::FunctionTypeLoc();
}

inline bool hasStaticStorage(const clang::CompoundLiteralExpr *Literal) {
  return Literal->isFileScope() && Literal->isGLValue();
}

/// What a statement or declaration of assembly says.
template <typename Assembly> std::string assemblyText(const Assembly *Of) {
  if constexpr (requires { std::string(Of->getAsmString()); })
    return Of->getAsmString();
  else
    return Of->getAsmString()->getString().str();
}

/// What has no name is written without where it stands.
template <typename Printing> void leaveOutLocations(Printing &Policy) {
  if constexpr (requires { Policy.AnonymousTagLocations = false; })
    Policy.AnonymousTagLocations = false;
  else
    Policy.AnonymousTagNameStyle = static_cast<unsigned>(Printing::AnonymousTagMode::Plain);
}

/// The F of malloc(F, N), and which parameter of it that is.  An older Clang takes no such
/// arguments, so that there is none.
template <typename Attribute>
std::pair<const clang::Expr *, clang::ParamIdx> deallocatorOf(const Attribute *Malloc) {
  if constexpr (requires { Malloc->getDeallocator(); })
    return {Malloc->getDeallocator(), Malloc->getDeallocatorPtrArgIndex()};
  else
    return {};
}

} // namespace acre

#endif
