/* SPDX-License-Identifier: MIT */
#include "versions/Clang.h"
//===- Signature.h - Where parameters and results point ---------*- C++ -*-===//
//
// inregion(r) and inparent(r) on a parameter or on the result of a function: the
// region types of rlang (RC paper, section 4.1) in its signature.  r is another
// parameter or a variable of file scope: a region handle, or a pointer to an
// object in the region.  Callers check arguments, the function checks its result.
//
// All declarations of a function agree on its signature, so each caller by name
// knows it; pointers lead to a function that checks (CheckedPointers.h).
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_SIGNATURE_H
#define ACRE_PLUGIN_SIGNATURE_H

#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace clang {
class FunctionDecl;
class ParmVarDecl;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace acre::ast {

struct SignatureItem {
  static constexpr int Result = -1;

  int Subject = Result;  ///< the index of the parameter that is annotated, or Result
  bool IsUpward = false; ///< inparent: the region or an ancestor of it
  bool IsHandle = false; ///< Region is a handle, not an object in the region
  int Parameter = -1;    ///< the index of the parameter that names the region, or -1
  const clang::VarDecl *Variable = nullptr; ///< or the variable of file scope that does

  bool operator==(const SignatureItem &Other) const;
  /// Rule and kind of region, as markers carry them.
  std::string kind() const;
};

struct Signature {
  llvm::SmallVector<SignatureItem, 2> Items;

  bool operator==(const Signature &Other) const { return Items == Other.Items; }
  bool hasParameters() const;
  /// Whether parameter Index names a region.
  bool isNamed(unsigned Index) const;
};

/// The inregion or inparent annotation of this type itself, not of what it points to; null if there
/// is none.
const WordAttr *regionAnnotation(clang::QualType Type);
/// What stands between the parentheses of the annotation.
llvm::StringRef regionName(const WordAttr *Annotation);
/// The parameter of Declared or variable of file scope of that name; null if there is none that can
/// name a region.
const clang::VarDecl *namedRegion(const clang::FunctionDecl *Declared, llvm::StringRef Name);

/// Why a call of Declared through a pointer cannot be made to check its arguments; the order is
/// that of %select in diagnostics.def.
enum class Uncheckable : unsigned { Variadic, NoPrototype, Weak, Cleanup };
std::optional<Uncheckable> uncheckableByPointer(const clang::FunctionDecl *Declared);

/// What this declaration says.  Annotations that name nothing are left out.
Signature declaredSignature(const clang::FunctionDecl *Declared);

/// What the declarations of each function say; they agree.
class Signatures {
public:
  const Signature &of(const clang::FunctionDecl *Function);

private:
  llvm::DenseMap<const clang::FunctionDecl *, Signature> Known; // by first declaration
};

} // namespace acre::ast

#endif
