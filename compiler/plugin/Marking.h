/* SPDX-License-Identifier: MIT */
//===- Marking.h - Leaves in a body what the IR would forget ----*- C++ -*-===//
//
// Rewrites function bodies in place, by the marker table of
// docs/design/compiler.md, after Sema has finished with them and before CodeGen
// sees them.  A body is rewritten once.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_MARKING_H
#define ACRE_PLUGIN_MARKING_H

#include "plugin/CheckedPointers.h"
#include "plugin/Layout.h"
#include "plugin/MarkerBuilder.h"
#include "plugin/PoolMap.h"
#include "plugin/Signature.h"
#include "plugin/Statements.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class AtomicExpr;
class BinaryOperator;
class CastExpr;
class BlockExpr;
class CallExpr;
class DeclRefExpr;
class DeclStmt;
class FunctionDecl;
class ReturnStmt;
class Stmt;
class VarDecl;
} // namespace clang

namespace acre::ast {

class Marking {
public:
  /// IsCollected: what malloc allocates for numbers is marked.  IsUntyped: CodeGen does not say
  /// what copies are of.
  Marking(clang::ASTContext &Context, Layouts &Layouts, bool IsCollected, bool IsUntyped)
      : Context(Context), LayoutsOf(Layouts), Build(Context), Pointers(Context, Build),
        IsCollected(IsCollected), IsUntyped(IsUntyped) {}

  /// Body: what is evaluated in that of Function.
  void mark(clang::FunctionDecl *Function, const Evaluated &Body);
  /// Marks the initializer of a variable of file scope.
  void markInitializer(clang::VarDecl *Variable);
  /// The functions that marking made since the last call, to be marked and given to CodeGen.
  llvm::SmallVector<clang::FunctionDecl *, 2> takeMade() { return Pointers.takeMade(); }

private:
  void visit(clang::Stmt *Node);
  /// Initializer is of static storage: it is evaluated before the program runs.  May be null.
  void visitConstant(clang::Expr *Initializer);
  /// Variable is of static storage: its layout says in reports which member a pointer lies in.
  void visitStatic(clang::VarDecl *Variable);
  void visitAssignment(clang::BinaryOperator *Assignment);
  void visitCall(clang::CallExpr *Call);
  void visitDeletes(clang::CallExpr *Call);
  void visitAllocation(clang::CallExpr *Call);
  void visitPool(clang::CallExpr *Call, const PoolFunction &Callee);
  /// The type of what Call allocates in a pool; null if it is not known.
  clang::QualType allocatedType(const clang::CallExpr *Call, const PoolFunction &Callee);
  void visitSignature(clang::CallExpr *Call, const clang::FunctionDecl *Callee);
  void visitTypeRequest(clang::BinaryOperator *Sum);
  void visitOverwrite(clang::CallExpr *Call, unsigned Index);
  void visitArguments(clang::CallExpr *Call);
  void visitAtomic(clang::AtomicExpr *Operation);
  void visitConversion(clang::CastExpr *Conversion);
  void visitDeclarations(clang::DeclStmt *Statement);
  void visitLocal(clang::VarDecl *Variable);
  void visitReturn(clang::ReturnStmt *Return);
  void visitMention(clang::DeclRefExpr *Reference);
  void visitBlock(clang::BlockExpr *Block);

  /// Puts what the signature says of its parameters at the start of Definition.
  void markEntry(clang::FunctionDecl *Definition);
  clang::Expr *markRead(clang::Expr *Lvalue);
  clang::Expr *markWritten(clang::Expr *Lvalue);
  clang::Expr *markRecord(clang::Expr *Lvalue);
  clang::Expr *markUnionMember(clang::Expr *Lvalue);
  clang::Expr *markPointee(clang::Expr *Pointer);
  /// A compound literal whose address is taken: its slots have rules, but nothing else says so.
  clang::Expr *markLiteral(clang::Expr *Lvalue);
  /// Whether writing Lvalue writes part of a union that also has pointers.
  bool isInPointerUnion(const clang::Expr *Lvalue) {
    return isInUnion(Lvalue, &Layouts::hasPointers);
  }
  /// Whether Lvalue is a part of a union of which this holds.
  bool isInUnion(const clang::Expr *Lvalue, bool (Layouts::*IsIt)(const clang::RecordDecl *));
  std::string siteAt(const clang::Expr *At);

  clang::ASTContext &Context;
  Layouts &LayoutsOf;
  MarkerBuilder Build;
  CheckedPointers Pointers;
  bool IsCollected, IsUntyped;
  Signatures SignaturesOf;
  clang::FunctionDecl *Function = nullptr; // whose body is being marked
  clang::NamedDecl *Holder = nullptr;      // of what is being marked: Function or a variable
  bool IsResultTraditional = false;        // of Function, or of the block inside it
  Signature OwnSignature;                  // of Function, empty inside a block
  llvm::DenseSet<const clang::FunctionDecl *> Done;
  llvm::DenseSet<const clang::Expr *> Called; // the names of functions where they are called
  /// What calls whose result becomes another pointer are taken to point to.
  llvm::DenseMap<const clang::Expr *, clang::QualType> Pointees;
};

} // namespace acre::ast

#endif
