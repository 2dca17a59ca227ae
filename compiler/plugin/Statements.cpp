// SPDX-License-Identifier: MIT
//===- Statements.cpp - The parts of a statement that run -----------------===//

#include "plugin/Statements.h"
#include "versions/Clang.h"
#include "versions/StringSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using namespace acre::ast;

void acre::ast::appendArraySizes(QualType Type, llvm::SmallVectorImpl<Stmt *> &Out) {
  while (!Type.isNull() && Type->isVariablyModifiedType()) {
    const clang::Type *Each = Type.getTypePtr();
    if (const auto *Array = dyn_cast<ArrayType>(Each)) {
      if (const auto *Variable = dyn_cast<VariableArrayType>(Array);
          Variable && Variable->getSizeExpr())
        Out.push_back(Variable->getSizeExpr());
      Type = Array->getElementType();
    } else if (const auto *Pointer = dyn_cast<PointerType>(Each)) {
      Type = Pointer->getPointeeType();
    } else if (const auto *Function = dyn_cast<FunctionType>(Each)) {
      Type = Function->getReturnType();
    } else if (isa<TypedefType>(Each)) {
      return; // evaluated where the typedef was declared
    } else if (const auto *Adjusted = dyn_cast<AdjustedType>(Each)) {
      Type = Adjusted->getOriginalType();
    } else {
      QualType Next = Type->getLocallyUnqualifiedSingleStepDesugaredType();
      if (Next.getTypePtr() == Each)
        return;
      Type = Next;
    }
  }
}

namespace {
/// Finds the nodes in the order of evaluatedIn.
class Walk {
public:
  Walk(ASTContext &Context, Evaluated &Nodes) : Context(Context), Nodes(Nodes) {}
  void run(Stmt *Root);

private:
  /// The first child of Node that is evaluated; the others are put on Work.  Null: it has none, or
  /// all are there.
  Stmt *next(Stmt *Node, llvm::SmallVectorImpl<Stmt *> &Work);
  /// Appends the children of Node that are evaluated whenever control reaches them.
  void appendChildren(Stmt *Node);
  void appendTrait(UnaryExprOrTypeTraitExpr *Operator);
  /// The sizes in a type, which several declarations may share.
  void appendSizes(QualType Type);
  void appendElements(InitListExpr *List);
  void append(Stmt *Child) {
    if (Child)
      Children.push_back(Child);
  }

  ASTContext &Context;
  Evaluated &Nodes;
  llvm::SmallVector<Stmt *, 16> Children;
  llvm::SmallPtrSet<const Stmt *, 8> Shared; // those of types and lists that were met
};

void Walk::appendSizes(QualType Type) {
  if (!Type->isVariablyModifiedType())
    return;
  llvm::SmallVector<Stmt *, 2> Sizes;
  appendArraySizes(Type, Sizes);
  for (Stmt *Each : Sizes)
    if (Shared.insert(Each).second)
      append(Each);
}

void Walk::appendElements(InitListExpr *List) {
  if (InitListExpr *Semantic = List->getSemanticForm())
    List = Semantic;
  for (Stmt *Each : List->children())
    if (Shared.insert(Each).second) // [0 ... 9] = e is one e in ten places
      append(Each);
}

void Walk::appendTrait(UnaryExprOrTypeTraitExpr *Operator) {
  // The size of a variable-length array is computed when sizeof is evaluated.
  if (Operator->isArgumentType())
    appendSizes(Operator->getArgumentType());
  else if (Operator->getArgumentExpr()->getType()->isVariableArrayType())
    append(Operator->getArgumentExpr());
}

void Walk::appendChildren(Stmt *Node) {
  switch (Node->getStmtClass()) {
  case Stmt::StringLiteralClass:
  case Stmt::ConstantExprClass:
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
  case Stmt::PseudoObjectExprClass:
  case Stmt::RecoveryExprClass:
    return;
  case Stmt::UnaryExprOrTypeTraitExprClass:
    return appendTrait(cast<UnaryExprOrTypeTraitExpr>(Node));
  case Stmt::GenericSelectionExprClass:
    return append(cast<GenericSelectionExpr>(Node)->getResultExpr());
  case Stmt::ChooseExprClass:
    return append(cast<ChooseExpr>(Node)->getChosenSubExpr());
  case Stmt::InitListExprClass:
    return appendElements(cast<InitListExpr>(Node));
  case Stmt::DeclStmtClass:
    for (Decl *Each : cast<DeclStmt>(Node)->decls())
      if (const auto *Typedef = dyn_cast<TypedefNameDecl>(Each)) {
        appendSizes(Typedef->getUnderlyingType());
      } else if (auto *Variable = dyn_cast<VarDecl>(Each)) {
        appendSizes(Variable->getType());
        if (Variable->hasLocalStorage() && Variable->getInit() && !Variable->isConstexpr())
          append(Variable->getInit());
      }
    return;
  case Stmt::CompoundLiteralExprClass:
    if (acre::hasStaticStorage(cast<CompoundLiteralExpr>(Node)))
      return;
    appendSizes(cast<CompoundLiteralExpr>(Node)->getTypeSourceInfo()->getType());
    break;
  case Stmt::VAArgExprClass:
    appendSizes(cast<VAArgExpr>(Node)->getType());
    break;
  case Stmt::CapturedStmtClass:
    append(cast<CapturedStmt>(Node)->getCapturedStmt());
    break;
  default:
    if (auto *Cast = dyn_cast<ExplicitCastExpr>(Node)) {
      appendSizes(Cast->getTypeAsWritten());
    } else if (auto *Call = dyn_cast<CallExpr>(Node)) {
      if (unsigned Builtin = Call->getBuiltinCallee();
          Builtin && Context.BuiltinInfo.isUnevaluated(Builtin))
        return;
    }
  }
  for (Stmt *Child : Node->children())
    append(Child);
}

void Walk::run(Stmt *Root) {
  // A worklist, because generated C nests deeper than the stack.
  llvm::SmallVector<Stmt *, 64> Work = {Root};
  while (!Work.empty()) {
    Stmt *Node = Work.pop_back_val();
    while (Node && !isa<IntegerLiteral>(Node)) {
      Nodes.push_back(Node);
      Node = next(Node, Work);
    }
  }
}

Stmt *Walk::next(Stmt *Node, llvm::SmallVectorImpl<Stmt *> &Work) {
  switch (Node->getStmtClass()) { // most are one of these
  case Stmt::DeclRefExprClass:
    return nullptr;
  case Stmt::ImplicitCastExprClass:
    return cast<ImplicitCastExpr>(Node)->getSubExpr();
  case Stmt::MemberExprClass:
    return cast<MemberExpr>(Node)->getBase();
  case Stmt::ParenExprClass:
    return cast<ParenExpr>(Node)->getSubExpr();
  case Stmt::UnaryOperatorClass:
    return cast<UnaryOperator>(Node)->getSubExpr();
  case Stmt::BinaryOperatorClass:
    Work.push_back(cast<BinaryOperator>(Node)->getRHS());
    return cast<BinaryOperator>(Node)->getLHS();
  default:
    Children.clear();
    appendChildren(Node);
    Work.append(Children.rbegin(), Children.rend());
    return nullptr;
  }
}
} // namespace

Evaluated acre::ast::evaluatedIn(ASTContext &Context, Stmt *Root) {
  Evaluated Nodes;
  if (Root)
    Walk(Context, Nodes).run(Root);
  return Nodes;
}

/// Adds Statement, if it is an expression, and the parts whose values go with its own.
static void discard(const Stmt *Statement, llvm::DenseSet<const Stmt *> &Into) {
  if (const auto *Attributed = dyn_cast_or_null<AttributedStmt>(Statement))
    Statement = Attributed->getSubStmt();
  const auto *Value = dyn_cast_or_null<Expr>(Statement);
  if (!Value)
    return;
  Value = Value->IgnoreParenCasts();
  Into.insert(Value);
  if (const auto *Operator = dyn_cast<BinaryOperator>(Value);
      Operator && (Operator->getOpcode() == BO_Comma || Operator->isLogicalOp())) {
    discard(Operator->getRHS(), Into);
  } else if (const auto *Choice = dyn_cast<ConditionalOperator>(Value)) {
    discard(Choice->getTrueExpr(), Into);
    discard(Choice->getFalseExpr(), Into);
  }
}

/// Adds what this node evaluates as a statement, if it is no block.
static void discardIn(const Stmt *Node, llvm::DenseSet<const Stmt *> &Into) {
  if (const auto *Test = dyn_cast<IfStmt>(Node)) {
    discard(Test->getThen(), Into);
    discard(Test->getElse(), Into);
  } else if (const auto *Case = dyn_cast<SwitchCase>(Node)) {
    discard(Case->getSubStmt(), Into);
  } else if (const auto *Label = dyn_cast<LabelStmt>(Node)) {
    discard(Label->getSubStmt(), Into);
  } else if (const auto *Loop = dyn_cast<ForStmt>(Node)) {
    discard(Loop->getInit(), Into);
    discard(Loop->getInc(), Into);
    discard(Loop->getBody(), Into);
  } else if (const auto *Loop = dyn_cast<WhileStmt>(Node)) {
    discard(Loop->getBody(), Into);
  } else if (const auto *Loop = dyn_cast<DoStmt>(Node)) {
    discard(Loop->getBody(), Into);
  } else if (const auto *Comma = dyn_cast<BinaryOperator>(Node);
             Comma && Comma->getOpcode() == BO_Comma) {
    discard(Comma->getLHS(), Into);
  }
}

llvm::DenseSet<const Stmt *> acre::ast::discardedIn(const Evaluated &Body) {
  llvm::DenseSet<const Stmt *> Result;
  llvm::SmallPtrSet<const Stmt *, 2> Values; // blocks whose last statement is a value
  for (const Stmt *Node : Body) {            // what is around a node comes before it
    const auto *Block = dyn_cast<CompoundStmt>(Node);
    if (const auto *Around = dyn_cast<StmtExpr>(Node); Around && !Result.contains(Around))
      Values.insert(Around->getSubStmt());
    if (!Block)
      discardIn(Node, Result);
    else
      for (const Stmt *Each : Block->body())
        if (Each != Block->body_back() || !Values.contains(Block))
          discard(Each, Result);
  }
  return Result;
}

llvm::StringRef acre::ast::libraryFunction(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || !Callee->getIdentifier() || !Callee->isExternallyVisible())
    return "";
  llvm::StringRef Name = Callee->getName();
  Name.consume_front("__builtin_");
  Name.consume_front("___") || Name.consume_front("__");
  Name.consume_back("_chk") || Name.consume_back("_inline");
  return Name;
}

std::optional<unsigned> acre::ast::overwrittenArgument(const CallExpr *Call) {
  std::optional<unsigned> Index =
      acre::StringSwitch<std::optional<unsigned>>(libraryFunction(Call))
          .Cases({"memcpy", "memmove", "mempcpy", "memccpy", "memset"}, 0u)
          .Cases({"memset_explicit", "bzero", "explicit_bzero"}, 0u)
          .Case("bcopy", 1u)
          .Default(std::nullopt);
  return Index && *Index < Call->getNumArgs() ? Index : std::nullopt;
}

unsigned acre::ast::sizeArgument(const CallExpr *Call) {
  return acre::StringSwitch<unsigned>(libraryFunction(Call))
      .Case("memccpy", 3)
      .Cases({"bzero", "explicit_bzero"}, 1)
      .Default(2);
}

/// Whether Call is of this function of own.h, which is defined there.
static bool callsInline(const CallExpr *Call, llvm::StringRef Name, unsigned Arguments) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  return Callee && Callee->getIdentifier() && Callee->getName() == Name &&
         Call->getNumArgs() == Arguments;
}

bool acre::ast::isSwap(const CallExpr *Call) { return callsInline(Call, "acre_own_swap", 2); }

bool acre::ast::isAliasCall(const CallExpr *Call) { return callsInline(Call, "acre_own_alias", 1); }

bool acre::ast::isReleaseCall(const CallExpr *Call) {
  return callsInline(Call, "acre_own_release", 1);
}

bool acre::ast::isMemoryFunction(const CallExpr *Call) {
  if (overwrittenArgument(Call) || isSwap(Call))
    return true;
  return acre::StringSwitch<bool>(libraryFunction(Call))
      .Cases({"free", "realloc", "reallocarray", "qsort", "qsort_r", "bsearch", "memcmp", "bcmp"},
             true)
      .Cases({"memchr", "memrchr", "memmem", "munmap", "malloc_usable_size", "fwrite", "write"},
             true)
      .Cases(
          {"object_size", "dynamic_object_size", "prefetch", "assume_aligned", "printf", "fprintf"},
          true)
      .Cases({"acre_own_drop", "acre_own_drop_array", "acre_region_of"}, true)
      .Cases({"acre_region_extend_array", "acre_region_copy_array"}, true)
      .Default(false);
}

const Expr *acre::ast::addressed(const Expr *Pointer) {
  const auto *Address = dyn_cast<UnaryOperator>(Pointer->IgnoreParenCasts());
  return Address && Address->getOpcode() == UO_AddrOf ? Address->getSubExpr() : nullptr;
}

bool acre::ast::isLocalVariable(const Expr *Lvalue) {
  const auto *Reference = dyn_cast<DeclRefExpr>(Lvalue->IgnoreParens());
  const auto *Variable = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  return Variable && Variable->hasLocalStorage();
}
