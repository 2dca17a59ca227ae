/* SPDX-License-Identifier: MIT */
//===- Flow.h - Follows owners and borrowers through a function -*- C++ -*-===//
//
// Intraprocedural and modular (Cyclone, section 3): a call is judged by the
// callee's signature, or for plain parameters by its summary.  The function's
// control flow graph is gone through in the order of evaluation until nothing
// changes, then once more with the reporter on.  What each statement does is
// decided by the parts of Following.h.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_FLOW_H
#define ACRE_PLUGIN_OWNERSHIP_FLOW_H

#include "plugin/ownership/Following.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/BitVector.h"

namespace clang {
class CFG;
class CFGBlock;
} // namespace clang

namespace acre::ast {

class Flow {
public:
  /// Body: what is evaluated in that of Function.  Only: what to follow; null if something may be
  /// owned.
  Flow(clang::ASTContext &Context, Diagnostics &Reports, PlainFacts &Facts, Summaries &Known,
       const clang::FunctionDecl *Function, const Evaluated &Body, const Orderly *Only,
       const Supposed &Given);
  ~Flow();
  void run();
  /// The first half of run: what holds where is found, and nothing said.
  void solve();
  /// Whether a report may come, after solve, that granting the function more could spare it.
  bool couldBeSpared() const { return All.Says.couldBeSpared(); }
  /// The other half: what was found is reported.
  void tell();
  /// Local variables of which only the running program knows whether their owning slots are set
  /// when they are used.
  llvm::ArrayRef<const clang::VarDecl *> unproven() const { return All.Unproven.getArrayRef(); }

private:
  State entryState() const;
  void iterate(const clang::CFG &Graph);
  void visitBlock(const clang::CFGBlock &Block);
  /// Calls Leave with each block that follows, and Now as it is there; none: only ends the
  /// function, if the block does.
  void leaveBlock(const clang::CFGBlock &Block,
                  llvm::function_ref<void(const clang::CFGBlock &Next)> Leave = nullptr);
  /// Whether this is a local structure with owners that a return gives to the caller.
  bool endsByReturn(const clang::Expr *Value) const;
  /// Reports if what an owner points to is used that is null on every path.
  void checkNull(const clang::Stmt *Node);
  void visit(const clang::Stmt *Node);
  void visitKind(const clang::Stmt *Node);
  void visitAssignment(const clang::BinaryOperator *Operator);
  /// Atomics, assembly and blocks, whose operands are not followed.
  void visitUnfollowed(const clang::Stmt *Node);
  void visitReference(const clang::DeclRefExpr *Reference);
  void visitOperator(const clang::UnaryOperator *Operator);
  void visitDeclaration(const clang::VarDecl *Variable, const clang::Stmt *At);
  /// A pointer without a name: it is stored in memory of which the address is made.
  void visitLiteral(const clang::CompoundLiteralExpr *Literal);
  void visitList(const clang::InitListExpr *List);
  /// The setjmp whose result Condition tests, if it does; IsReturnIfTrue: where it holds, the
  /// result is not zero.
  const clang::CallExpr *jumpTest(const clang::Expr *Condition, bool &IsReturnIfTrue) const;
  /// Nothing comes after Call, if it never returns.
  void leaveByCall(const clang::CallExpr *Call);
  void endLife(const clang::VarDecl *Variable, const clang::Stmt *At);
  /// Variable's cleanup is called.
  void cleanUp(const clang::VarDecl *Variable, const clang::Stmt *At);
  void endFunction(const clang::CFGBlock &Block);

  Following All;
  clang::ASTContext &Context;
  const clang::FunctionDecl *Function;
  std::unique_ptr<clang::CFG> Graph; ///< null: there is none, and nothing is followed
  const Variables &Vars;
  Reporter &Says;
  State &Now;
  clang::QualType ResultType;
  bool HasSetjmp = false;
  bool HasOwners;           ///< it names one, or something is opened
  std::vector<State> Entry; // of each block
  State Kept; // while a block is left: for those that follow.  A member, to keep its memory
  llvm::DenseSet<const clang::Expr *>
      Unread; // lvalues that are only assigned, or whose address is taken
  llvm::DenseSet<const clang::Expr *> Read;     // compound literals of which only the value is used
  llvm::DenseSet<const clang::Expr *> Returned; ///< local structures that end by that
  llvm::DenseSet<const clang::InitListExpr *>
      Transparent; // that make arguments of functions of the C library
  llvm::DenseSet<const clang::Stmt *>
      Idiomatic; // parts of blocks that do together what acre_take does
};

} // namespace acre::ast

#endif
