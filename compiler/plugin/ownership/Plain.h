/* SPDX-License-Identifier: MIT */
//===- Plain.h - Functions in which nothing can be owned --------*- C++ -*-===//
//
// Most functions of most programs name no owner, borrow from none and open no
// arena.  All that matters in them is what they do with their parameters, which
// callers may ask (Summary.h), and where the addresses of their variables go.
// Both are read off the body without regard to order, in one pass and with no
// control flow graph.
//
// Invariant: what is recorded is what Flow would record.  Where the order could
// make a difference, nothing is recorded and Flow has to decide.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_PLAIN_H
#define ACRE_PLUGIN_OWNERSHIP_PLAIN_H

#include "plugin/Statements.h"
#include "plugin/ownership/Library.h"
#include "plugin/ownership/Summary.h"
#include "plugin/ownership/Variables.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class BinaryOperator;
class CallExpr;
class DeclStmt;
class Expr;
class FieldDecl;
class FunctionDecl;
class InitListExpr;
class RecordDecl;
class VarDecl;
} // namespace clang

namespace acre::ast {

/// What is asked of the same functions and types again and again.
class PlainFacts {
public:
  explicit PlainFacts(clang::ASTContext &Context) : Context(Context) {}

  struct Callee {
    bool MayOwn = false; ///< its signature speaks of owners, or it is one of own.h and scope.h
    std::optional<LibraryEffect> Effect;
  };
  Callee of(const clang::CallExpr *Call);
  bool hasUniqueSlots(clang::QualType Type);
  /// Whether this is a pointer without a word to what has owning pointers in it.
  bool leadsToSlots(const clang::ParmVarDecl *Parameter);
  /// The parameter of a static function that this argument is for, if it is such a pointer.
  std::optional<Summaries::Parameter> privateParameter(const clang::CallExpr *Call, unsigned Index);
  /// Whether this is the first time that it is asked of this field, to say something once.
  bool isNew(const clang::FieldDecl *Field) { return Told.insert(Field).second; }

private:
  clang::ASTContext &Context;
  llvm::DenseSet<const clang::FieldDecl *> Told;
  llvm::DenseMap<const clang::FunctionDecl *, Callee> Callees;
  llvm::DenseMap<const clang::RecordDecl *, bool> Records;
};

class PlainBody {
public:
  PlainBody(clang::ASTContext &Context, PlainFacts &Facts, Summaries &Known,
            const clang::FunctionDecl *Function, const Evaluated &Body)
      : Context(Context), Facts(Facts), Known(Known), Function(Function), Body(Body) {}

  /// Records what the function does with its parameters.  False: Flow has to look at it.
  bool summarize();
  /// If it has only for the order: what Flow has to follow.
  std::optional<Orderly> orderly();

private:
  /// What a pointer may have been computed from: a bit for each parameter, one for what is found
  /// where that points to (Cursors.h), and two for the function's variables.
  using Origins = uint64_t;
  static constexpr unsigned MostParameters = 31;
  static constexpr Origins OfInnerVariable = Origins(1) << 63, OfOuterVariable = Origins(1) << 62;
  static constexpr Origins OfVariables = OfInnerVariable | OfOuterVariable;
  static constexpr Origins OfParameters = (Origins(1) << MostParameters) - 1;
  static Origins contents(Origins Parameters) {
    return (Parameters & OfParameters) << MostParameters;
  }

  struct Pointer {
    Origins May = 0;
    Origins AtTimes = 0; ///< of May: what only the order of execution can tell

    Pointer &operator|=(const Pointer &Other) {
      May |= Other.May;
      AtTimes |= Other.AtTimes;
      return *this;
    }
  };
  struct Definition {
    unsigned Variable;
    const clang::Expr *Value;
  };
  struct Stored {
    const clang::Expr *Value;
    bool IsGlobal = false; ///< in a global variable
    Origins In = 0;        ///< the content that is set to it, if it is one
  };

  bool addParameters();
  /// Notes what Node does with pointers; false: Flow has to look.
  bool note(const clang::Stmt *Node);
  /// Whether an operand of Copy points to owning slots.
  bool mayCopyOwners(const clang::Stmt *Copy);
  /// Notes what Node lets others have otherwise than by C's own assignments and calls.
  void giveAway(const clang::Stmt *Node);
  bool noteDeclarations(const clang::DeclStmt *Statement);
  bool noteList(const clang::InitListExpr *List);
  void noteAssignment(const clang::BinaryOperator *Operator);
  void noteAssigned(const clang::VarDecl *Variable, const clang::Expr *Value);
  /// Whether the declaration is one of the function's outermost block, which nothing jumps back
  /// over.
  bool isOuter(const clang::VarDecl *Variable) const;

  void define();
  void findOrder();
  Pointer read(const clang::Expr *Expression);
  Pointer load(const clang::Expr *Lvalue);
  Pointer address(const clang::Expr *Lvalue);
  Pointer result(const clang::CallExpr *Call);

  /// The parameter whose content this lvalue is, by its form.
  Origins placeOf(const clang::Expr *Lvalue) const;
  /// The contents that the lvalue may be.
  Origins contentsAt(const clang::Expr *Lvalue);
  /// What the pointer holds whose address this argument is, if that is followed.
  Pointer behind(const clang::CallExpr *Call, unsigned At);
  void noteCursor(const clang::CallExpr *Call, unsigned At);
  bool recordCursor(const clang::CallExpr *Call, unsigned At);

  bool recordKept(Pointer Value, const Stored &By);
  bool recordCall(const clang::CallExpr *Call);
  /// The function that a function of the C library calls back may be given this argument.
  bool recordCallback(const clang::CallExpr *Call, const clang::Expr *Argument);
  /// This argument is for parameter Which of a static function: notes if its object may be reached
  /// otherwise too.
  void recordOthers(Summaries::Parameter Which, const clang::CallExpr *Call, unsigned At);
  bool recordReturned(Pointer Value);
  template <typename Action> bool forEachParameter(Pointer Value, Action Do);

  clang::ASTContext &Context;
  PlainFacts &Facts;
  Summaries &Known;
  const clang::FunctionDecl *Function;
  const Evaluated &Body;
  llvm::DenseMap<const clang::VarDecl *, unsigned> Index; // of local pointers
  llvm::SmallVector<Pointer, 16> Values;                  // of them
  llvm::SmallVector<Definition, 16> Definitions;
  Origins Lost = 0; // parameters whose address is taken
  llvm::DenseSet<const clang::VarDecl *> AddressTaken, Outer;
  llvm::SmallVector<const clang::CallExpr *, 16> Calls;
  llvm::SmallVector<const clang::Expr *, 4> Returned;
  llvm::SmallVector<Stored, 8> Kept;
  Origins Places = 0; // parameters whose contents are followed
  llvm::DenseSet<const clang::Expr *>
      Moved; // addresses of variables that are followed all the same
  llvm::SmallVector<const clang::Expr *, 2>
      Unfollowed; // lvalues of which a copy or assembly may take any part
  llvm::SmallVector<const clang::Expr *, 2> Atomics; // where atomic operations are done
  llvm::DenseSet<const clang::InitListExpr *>
      Transparent; // that make arguments of functions of the C library
  llvm::DenseSet<const clang::VarDecl *> *Pointed =
      nullptr; // if not null, gets the variables whose addresses are read
  bool HasLabels = false, IsOwnerless = false;
};

} // namespace acre::ast

#endif
