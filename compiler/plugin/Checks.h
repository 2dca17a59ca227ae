/* SPDX-License-Identifier: MIT */
//===- Checks.h - Rejects what the annotations do not allow -----*- C++ -*-===//
//
// Four kinds of checks, each in its own file: where annotations are written
// (CheckAnnotations.cpp), what conversions do to them (CheckConversions.cpp),
// what signatures ask for (CheckSignatures.cpp), and what bodies do
// (CheckBodies.cpp), with what is put over owners in CheckSlots.cpp.  None
// changes the tree.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_CHECKS_H
#define ACRE_PLUGIN_CHECKS_H

#include "plugin/Diagnostics.h"
#include "plugin/Proposals.h"
#include "plugin/Signature.h"
#include "plugin/Statements.h"
#include "versions/Clang.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseSet.h"
#include <string>

namespace clang {
class ASTContext;
class BlockExpr;
class CallExpr;
class CastExpr;
class Decl;
class DeclRefExpr;
class Expr;
class FunctionDecl;
class GCCAsmStmt;
class InitListExpr;
class NamedDecl;
class Preprocessor;
class RecordDecl;
class Stmt;
class UnaryOperator;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace acre::ast {

class Checks {
public:
  Checks(clang::ASTContext &Context, clang::Preprocessor &Input, Diagnostics &Reports,
         const Inclusions &Included)
      : Context(Context), Input(Input), Reports(Reports), Words(Context, Input, Reports, Included) {
  }

  /// Checks a declaration of file scope and everything in it.  Body: what is evaluated in that of a
  /// function.
  void check(clang::Decl *Declaration, const Evaluated &Body);
  /// Checks what depends on declarations that may come later.  At the end of the translation unit.
  void finish();

private:
  /// How a value comes to have another type; the order is that of %select in diagnostics.def.
  enum class Conversion : unsigned { Assign, Initialize, Pass, Return, Convert, Cast };
  class TypeVisitor;

  // CheckAnnotations.cpp
  void checkWritten(clang::Decl *Declaration);
  void checkRedeclaration(const clang::NamedDecl *Declaration);
  void checkRedeclaredFunction(const clang::FunctionDecl *Later,
                               const clang::FunctionDecl *Earlier);
  void checkSettled(const clang::NamedDecl *Declared);
  void checkAlias(const clang::FunctionDecl *Declared);
  void checkVariableAlias(const clang::VarDecl *Declared);
  void checkPacked(const clang::RecordDecl *Record);

  // CheckConversions.cpp
  /// Reports if Value loses or gains annotations as it becomes a To.  Target, if not null, is what
  /// receives it; otherwise Written may be To as it was written.
  void checkConversion(Conversion How, clang::Expr *Value, clang::QualType To,
                       const clang::ValueDecl *Target, clang::TypeLoc Written = {});
  /// What lets Value, which may delete, become a To.
  Proposals::Hints proposeDeletes(const clang::Expr *Value, clang::QualType To,
                                  const clang::ValueDecl *Target, clang::TypeLoc Written);
  /// CheckLayouts.cpp: the same of the owning pointers in what Value points to.
  void checkLayout(clang::Expr *Value, clang::QualType To);
  void checkInitializer(clang::Expr *Value, clang::QualType To, const clang::ValueDecl *Target);
  /// Value is what an owner that is a static variable, or a part of one, has first: no constant can
  /// be freed.
  void checkStaticOwner(const clang::Expr *Value);
  /// Holder: what the elements of an array belong to; may be null.
  void checkList(clang::InitListExpr *List, const clang::ValueDecl *Holder);
  void checkIntegers(Conversion How, clang::Expr *Value);
  void noteOrigins(const clang::Expr *Value, const clang::ValueDecl *Target);
  /// What a pointer of the C library asks for, which nobody can annotate.
  void noteSystemPointer(clang::SourceLocation At, const clang::ValueDecl *Target);

  // CheckSlots.cpp
  /// What is done with the address of an owning slot that has another type; the order is that of
  /// %select in diagnostics.def.
  enum class SlotUnder : unsigned { Read, Set, Kept };
  using ByteParameter = std::pair<const clang::FunctionDecl *, unsigned>; ///< canonical
  struct ByteQuestion {
    ByteParameter Which;
    const clang::CallExpr *Call;
    const clang::Expr *Argument;
    clang::QualType Type;
  };
  /// Reports if Call puts bytes over owners.
  void checkBytes(const clang::CallExpr *Call);
  /// Through: the function of the program that does it, or null.
  void reportBytes(const clang::CallExpr *Call, const clang::Expr *Argument, clang::QualType Type,
                   const clang::FunctionDecl *Through);
  /// Answers the questions about functions whose bodies came later.
  void finishBytes();
  /// Reports if Pointer is the address of an owning slot under another type.
  void checkRecast(SlotUnder How, const clang::Expr *Pointer);
  void checkSlotRead(const clang::Expr *Lvalue);
  void checkSlotSet(const clang::Expr *Lvalue);
  /// The same of the address of a plain pointer that shares bytes with an owner in a union.
  void checkSharedAddress(const clang::UnaryOperator *Address);
  /// Nothing is said of the casts that Pointer is made by.
  void exemptCasts(const clang::Expr *Pointer);
  /// The same of an argument that a function of the C library fills, or reads.
  void exemptSlot(const clang::CallExpr *Call, unsigned Index, clang::QualType To);

  // CheckSignatures.cpp
  void checkSignature(const clang::FunctionDecl *Declared);
  void checkRegionPlace(const WordAttr *Annotation);
  void noteMentions(const clang::Stmt *Node);
  void checkMention(const clang::DeclRefExpr *Reference);
  void noteSetting(const clang::Stmt *Node);

  // CheckBodies.cpp
  /// Whether annotations were written since it was asked last, that is, in this declaration.
  bool areAnnotationsNew();
  void checkBody(clang::FunctionDecl *Definition, const Evaluated &Body);
  void checkLocal(clang::Decl *Declaration);
  void checkBlock(clang::BlockExpr *Block);
  void checkVariable(clang::VarDecl *Variable);
  void checkNode(clang::Stmt *Node);
  /// Answers about a callee, kept because every call of it asks the same.
  struct CalleeFacts {
    bool IsDeletes = false, IsMemoryFunction = false;
  };
  const CalleeFacts &factsOf(const clang::CallExpr *Call);
  void checkCall(clang::CallExpr *Call);
  /// Checks a call of a function that is deletes.
  void checkDeletes(clang::CallExpr *Call);
  void checkCast(clang::CastExpr *Cast);
  void checkOperand(clang::Stmt *Operand);
  void checkAssembly(clang::GCCAsmStmt *Assembly);

  /// Reports of Named, and where that is declared.
  void reportNamed(Diag Kind, clang::SourceLocation At, const clang::NamedDecl *Named);
  std::string print(clang::QualType Type) const;

  clang::ASTContext &Context;
  clang::Preprocessor &Input;
  Diagnostics &Reports;
  Proposals Words;
  llvm::DenseSet<const clang::FunctionDecl *> Supposed; // that were told to say deletes, canonical
  clang::FunctionDecl *Function = nullptr;              // whose body is being checked
  clang::QualType ResultType;                           // of Function, or of the block inside it
  bool HasFixedFunction = false;                        // a fix-it for Function was given
  bool MaySetSettled = false;     // Function is one that may set settled variables
  bool HasAnnotations = false;    // the source may contain annotations
  bool IsStatic = false;          ///< the initializer that is checked is of a static variable
  bool IsBodyWritten = true;      // what is written in bodies is visited with their declaration
  size_t TypesSeen = 0;           // of the context's
  bool HasAnnotatedTypes = false; // among those that areAnnotationsNew looked at last
  llvm::DenseSet<const clang::Expr *>
      Exempt;                           // casts to void * of arguments that memory functions take
  const clang::Expr *Mention = nullptr; // what was read or called last: visited before any other
  llvm::DenseSet<const clang::Expr *> Settings; // settled variables where they are set
  bool IsInBlock = false;
  llvm::DenseMap<const clang::FunctionDecl *, CalleeFacts> Callees; // by their last declaration
  llvm::DenseMap<const clang::VarDecl *, const clang::VarDecl *>
      CopyOf;                              // locals that begin as copies of parameters
  llvm::DenseSet<ByteParameter> PutsBytes; // parameters that bytes are put behind
  llvm::DenseMap<ByteParameter, llvm::SmallVector<ByteParameter, 2>> PassesBytes; // given on from
  std::vector<ByteQuestion> ByteQuestions;
  Signatures SignaturesOf;
  llvm::SmallVector<const clang::FunctionDecl *, 4> Aliases;
  llvm::SmallVector<const clang::VarDecl *, 4> VariableAliases;
  llvm::DenseSet<const WordAttr *> Placed; // inregion and inparent where they may stand
};

/// Says where the first owner in an object of this type is declared.
void noteOwningField(clang::ASTContext &Context, Diagnostics &Reports, clang::QualType Type);

/// What two spellings of one type disagree on.
struct Difference {
  bool IsDeletesLost = false; // a function that may delete became one that may not
  bool IsSlotChanged = false; // a pointer behind the outermost one has another annotation
  bool IsSlotHidden = false;  // an annotated slot behind a void *
};
Difference compareAnnotations(const clang::ASTContext &Context, clang::QualType From,
                              clang::QualType To);
/// Whether Parameter, which may be null, takes a function that the C library calls at the bottom of
/// a stack or after main: no caller has locals that a delete could leave dangling.
bool isStartOrExitHandler(const clang::ValueDecl *Parameter);
/// Whether From and To, or any part of them, are annotated differently.
bool areAnnotatedDifferently(const clang::ASTContext &Context, clang::QualType From,
                             clang::QualType To);
/// The declaration that Value names, or whose element, member or result it is; null if there is
/// none.
const clang::ValueDecl *namedBy(const clang::Expr *Value);

} // namespace acre::ast

#endif
