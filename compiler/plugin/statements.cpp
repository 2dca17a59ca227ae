//===- statements.cpp - The parts of a statement that run -----------------===//

#include "plugin/statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace acre::ast;

void acre::ast::appendArraySizes(QualType Type, llvm::SmallVectorImpl<Stmt *> &Out) {
  while (!Type.isNull() && Type->isVariablyModifiedType()) {
    const clang::Type *Each = Type.getTypePtr();
    if (const auto *Array = dyn_cast<ArrayType>(Each)) {
      if (const auto *Variable = dyn_cast<VariableArrayType>(Array); Variable && Variable->getSizeExpr())
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

static void appendDeclared(const DeclStmt *Statement, llvm::SmallVectorImpl<Stmt *> &Out) {
  for (Decl *Each : Statement->decls()) {
    if (const auto *Typedef = dyn_cast<TypedefNameDecl>(Each)) {
      appendArraySizes(Typedef->getUnderlyingType(), Out);
    } else if (auto *Variable = dyn_cast<VarDecl>(Each)) {
      appendArraySizes(Variable->getType(), Out);
      if (Variable->hasLocalStorage() && Variable->getInit() && !Variable->isConstexpr())
        Out.push_back(Variable->getInit());
    }
  }
}

/// The children of Node that are evaluated whenever control reaches them.
static void appendEvaluatedChildren(ASTContext &Context, Stmt *Node, llvm::SmallVectorImpl<Stmt *> &Out) {
  if (auto *Operator = dyn_cast<UnaryExprOrTypeTraitExpr>(Node)) {
    // The size of a variable-length array is computed when sizeof is evaluated.
    if (Operator->isArgumentType())
      return appendArraySizes(Operator->getArgumentType(), Out);
    if (Operator->getArgumentExpr()->getType()->isVariableArrayType())
      Out.push_back(Operator->getArgumentExpr());
    return;
  }
  if (auto *Selection = dyn_cast<GenericSelectionExpr>(Node))
    return Out.push_back(Selection->getResultExpr());
  if (auto *Choice = dyn_cast<ChooseExpr>(Node))
    return Out.push_back(Choice->getChosenSubExpr());
  if (isa<ConstantExpr, AsmStmt, PseudoObjectExpr, RecoveryExpr>(Node))
    return;
  if (auto *Declaration = dyn_cast<DeclStmt>(Node))
    return appendDeclared(Declaration, Out);
  if (auto *Literal = dyn_cast<CompoundLiteralExpr>(Node)) {
    if (Literal->hasStaticStorage())
      return;
    appendArraySizes(Literal->getTypeSourceInfo()->getType(), Out);
  } else if (auto *Cast = dyn_cast<ExplicitCastExpr>(Node)) {
    appendArraySizes(Cast->getTypeAsWritten(), Out);
  } else if (auto *Fetch = dyn_cast<VAArgExpr>(Node)) {
    appendArraySizes(Fetch->getType(), Out);
  } else if (auto *Captured = dyn_cast<CapturedStmt>(Node)) {
    Out.push_back(Captured->getCapturedStmt());
  } else if (auto *List = dyn_cast<InitListExpr>(Node)) {
    if (InitListExpr *Semantic = List->getSemanticForm())
      Node = Semantic;
  } else if (auto *Call = dyn_cast<CallExpr>(Node)) {
    if (unsigned Builtin = Call->getBuiltinCallee(); Builtin && Context.BuiltinInfo.isUnevaluated(Builtin))
      return;
  }
  for (Stmt *Child : Node->children())
    Out.push_back(Child);
}

void acre::ast::forEachEvaluated(ASTContext &Context, Stmt *Root, llvm::function_ref<void(Stmt *)> Visit) {
  // A worklist, because generated C nests deeper than the stack.
  llvm::SmallVector<Stmt *, 64> Work = {Root};
  llvm::SmallVector<Stmt *, 16> Children;
  llvm::DenseSet<const Stmt *> Seen;
  while (!Work.empty()) {
    Stmt *Node = Work.pop_back_val();
    if (!Node || !Seen.insert(Node).second)
      continue;
    Children.clear();
    appendEvaluatedChildren(Context, Node, Children); // before Visit puts markers between
    Visit(Node);
    Work.append(Children.rbegin(), Children.rend());
  }
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
  std::optional<unsigned> Index = llvm::StringSwitch<std::optional<unsigned>>(libraryFunction(Call))
                                      .Cases({"memcpy", "memmove", "mempcpy", "memccpy", "memset"}, 0u)
                                      .Cases({"memset_explicit", "bzero", "explicit_bzero"}, 0u)
                                      .Case("bcopy", 1u)
                                      .Default(std::nullopt);
  return Index && *Index < Call->getNumArgs() ? Index : std::nullopt;
}

bool acre::ast::isSwap(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  return Callee && Callee->getIdentifier() && Callee->getName() == "acre_own_swap" && Call->getNumArgs() == 2;
}

bool acre::ast::isMemoryFunction(const CallExpr *Call) {
  if (overwrittenArgument(Call) || isSwap(Call))
    return true;
  return llvm::StringSwitch<bool>(libraryFunction(Call))
      .Cases({"free", "realloc", "reallocarray", "qsort", "qsort_r", "bsearch", "memcmp", "bcmp"}, true)
      .Cases({"memchr", "memrchr", "memmem", "munmap", "malloc_usable_size", "fwrite", "write"}, true)
      .Cases({"object_size", "dynamic_object_size", "prefetch", "assume_aligned", "printf", "fprintf"}, true)
      .Cases({"acre_own_drop", "acre_own_drop_array", "acre_region_of"}, true)
      .Cases({"acre_region_extend_array", "acre_region_copy_array"}, true)
      .Default(false);
}

bool acre::ast::isLocalVariable(const Expr *Lvalue) {
  const auto *Reference = dyn_cast<DeclRefExpr>(Lvalue->IgnoreParens());
  const auto *Variable = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  return Variable && Variable->hasLocalStorage();
}
