// SPDX-License-Identifier: MIT
//===- Opened.cpp - What the C library opens in local variables -----------===//

#include "plugin/ownership/Opened.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;
using namespace acre::ast;

/// The name of the variable that an argument is, or is the address of.
static const DeclRefExpr *nameIn(const Expr *Argument) {
  Argument = Argument->IgnoreParenCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(Argument);
      Address && Address->getOpcode() == UO_AddrOf)
    Argument = Address->getSubExpr()->IgnoreParens();
  return dyn_cast<DeclRefExpr>(Argument);
}

static const VarDecl *variableIn(const Expr *Argument) {
  const DeclRefExpr *Name = nameIn(Argument);
  const auto *Variable = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  return Variable && Variable->hasLocalStorage() && !isa<ParmVarDecl>(Variable) ? Variable
                                                                                : nullptr;
}

static constexpr unsigned MostCallees = 4; // that hand a parameter on to each other

/// Whether this function uses what its parameter points to, and neither opens nor ends it, for all
/// that its body says.
static bool onlyUses(const FunctionDecl *Callee, unsigned Index, unsigned Depth = 0);

/// Whether Call is known to do no more with this argument than pass says, or than to use it.
static bool isFollowed(const CallExpr *Call, unsigned Index, bool IsUsedOnly, unsigned Depth) {
  if (std::optional<LibraryEffect> Effect = libraryEffect(Call))
    return !Effect->keeps(Index) &&
           !(IsUsedOnly && (Effect->Opens == Index || Effect->EndsOpened || Effect->ends(Index)));
  QualType To = parameterType(Call, Index);
  if (To.isNull() || To->getPointeeType().isNull())
    return false;
  const FunctionDecl *Callee = Call->getDirectCallee();
  return To->getPointeeType().isConstQualified() ||
         (Callee && Depth < MostCallees && onlyUses(Callee, Index, Depth + 1));
}

static bool onlyUses(const FunctionDecl *Callee, unsigned Index, unsigned Depth) {
  const FunctionDecl *Definition = Callee->getDefinition();
  if (!Definition || !Definition->hasBody() || Index >= Definition->getNumParams())
    return false;
  const ParmVarDecl *Parameter = Definition->getParamDecl(Index);
  llvm::DenseSet<const Expr *> Known;
  const Evaluated Nodes = evaluatedIn(Definition->getASTContext(), Definition->getBody());
  for (const Stmt *Node : Nodes)
    if (const auto *Call = dyn_cast<CallExpr>(Node)) {
      for (unsigned I = 0; I != Call->getNumArgs(); ++I)
        if (const auto *Name = dyn_cast<DeclRefExpr>(Call->getArg(I)->IgnoreParenCasts());
            Name && Name->getDecl() == Parameter && isFollowed(Call, I, true, Depth))
          Known.insert(Name);
    } else if (const auto *Member = dyn_cast<MemberExpr>(Node)) {
      Known.insert(Member->getBase()->IgnoreParenImpCasts());
    }
  return llvm::all_of(Nodes, [&](const Stmt *Node) {
    const auto *Name = dyn_cast<DeclRefExpr>(Node);
    return !Name || Name->getDecl() != Parameter || Known.contains(Name);
  });
}

/// Whether the call that Value is, if it is one, returns what it has opened.
static const CallExpr *openingCall(const Expr *Value) {
  const auto *Call = Value ? dyn_cast<CallExpr>(Value->IgnoreParenCasts()) : nullptr;
  const std::optional<LibraryEffect> Effect = Call ? libraryEffect(Call) : std::nullopt;
  return Effect && Effect->OpensResult ? Call : nullptr;
}

/// Whether values of this type are handles, which the program does not look into.
static bool isHandleType(QualType Type) {
  return Type->getAs<TypedefType>() && Type->isVoidPointerType() &&
         disciplineOf(Type) == Discipline::None;
}

/// Adds the variables that Node opens something in.
static void appendOpened(const Stmt *Node, llvm::SmallVectorImpl<OpenedVariable> &Into) {
  auto Add = [&](const VarDecl *Variable, bool IsLibrarys) {
    if (Variable && !Variable->hasAttr<CleanupAttr>() &&
        llvm::none_of(Into, [&](auto &Each) { return Each.Variable == Variable; }))
      Into.push_back({Variable, IsLibrarys});
  };
  auto AddHandle = [&](const VarDecl *Variable, const Expr *Value) {
    if (Variable && Variable->hasLocalStorage() && !isa<ParmVarDecl>(Variable) &&
        isHandleType(Variable->getType()) && openingCall(Value))
      Add(Variable, false);
  };
  if (const auto *Call = dyn_cast<CallExpr>(Node)) {
    const std::optional<LibraryEffect> Effect = libraryEffect(Call);
    if (Effect && Effect->Opens && *Effect->Opens < Call->getNumArgs())
      if (const VarDecl *Variable = variableIn(Call->getArg(*Effect->Opens));
          Variable && (Variable->getType()->isRecordType() || isHandleType(Variable->getType())))
        Add(Variable, !Effect->IsNoted);
  } else if (const auto *Statement = dyn_cast<DeclStmt>(Node)) {
    for (const Decl *Each : Statement->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(Each))
        AddHandle(Variable, Variable->getInit());
  } else if (const auto *Assignment = dyn_cast<BinaryOperator>(Node);
             Assignment && Assignment->getOpcode() == BO_Assign) {
    AddHandle(variableIn(Assignment->getLHS()), Assignment->getRHS());
  }
}

/// Whether Node calls setjmp: where that returns again, a flag does not tell any more whether
/// something is open.
static bool returnsAgain(const Stmt *Node) {
  const auto *Call = dyn_cast<CallExpr>(Node);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->hasAttr<ReturnsTwiceAttr>();
}

llvm::SmallVector<OpenedVariable, 2> acre::ast::openedVariables(const Evaluated &Body) {
  llvm::SmallVector<OpenedVariable, 2> Result;
  for (const Stmt *Node : Body)
    appendOpened(Node, Result);
  if (Result.empty() || llvm::any_of(Body, returnsAgain))
    return {};
  llvm::DenseSet<const Expr *> Known;
  for (const Stmt *Node : Body)
    if (const auto *Call = dyn_cast<CallExpr>(Node)) {
      for (unsigned I = 0; I != Call->getNumArgs(); ++I)
        if (isFollowed(Call, I, false, 0))
          Known.insert(nameIn(Call->getArg(I)));
    } else if (const auto *Member = dyn_cast<MemberExpr>(Node)) {
      Known.insert(Member->getBase()->IgnoreParens());
    } else if (const auto *Operator = dyn_cast<BinaryOperator>(Node)) {
      if (Operator->isAssignmentOp() || Operator->isEqualityOp())
        Known.insert(Operator->getLHS()->IgnoreParenCasts());
      if (Operator->isEqualityOp())
        Known.insert(Operator->getRHS()->IgnoreParenCasts());
    }
  for (const Stmt *Node : Body) {
    const auto *Name = dyn_cast<DeclRefExpr>(Node);
    llvm::erase_if(Result, [&](const OpenedVariable &Each) {
      return (Name && Name->getDecl() == Each.Variable && !Known.contains(Name)) ||
             llvm::is_contained(variablesGivenAway(Node), Each.Variable);
    });
  }
  return Result;
}

void OpenedTransfer::find() {
  if (!Vars.openedCount())
    return;
  auto Note = [this](const Stmt *Each) {
    if (const auto *Value = dyn_cast_or_null<Expr>(Each))
      Discarded.insert(Value->IgnoreParenCasts());
  };
  for (const Stmt *Node : Body)
    if (const auto *Block = dyn_cast<CompoundStmt>(Node)) {
      llvm::for_each(Block->body(), Note);
    } else if (const auto *Test = dyn_cast<IfStmt>(Node)) {
      Note(Test->getThen());
      Note(Test->getElse());
    } else if (const auto *Case = dyn_cast<SwitchCase>(Node)) {
      Note(Case->getSubStmt());
    } else if (const auto *Label = dyn_cast<LabelStmt>(Node)) {
      Note(Label->getSubStmt());
    } else if (const auto *Loop = dyn_cast<ForStmt>(Node)) {
      Note(Loop->getInit());
      Note(Loop->getInc());
      Note(Loop->getBody());
    } else if (const auto *Loop = dyn_cast<WhileStmt>(Node)) {
      Note(Loop->getBody());
    }
}

std::optional<unsigned> OpenedTransfer::find(const VarDecl *Variable) const {
  return Variable ? Vars.openedOf(Variable) : std::nullopt;
}

std::optional<unsigned> OpenedTransfer::at(const CallExpr *Call, unsigned Index) const {
  return Vars.openedCount() ? find(variableIn(Call->getArg(Index))) : std::nullopt;
}

void OpenedTransfer::begin(const VarDecl *Variable) {
  if (const std::optional<unsigned> Number = find(Variable)) {
    Now.Owners[*Number] = OwnerState();
    Now.Owners[*Number].Conditions =
        Variable->getInit() ? OwnerState::Null : OwnerState::Uninitialized;
  }
}

void OpenedTransfer::change(unsigned Number, const Stmt *At) {
  const VarDecl *Variable = Vars.opened(Number - Vars.ownerCount()).Variable;
  All.Lenders.end(Variable, At);
  All.Tests.forgetTests(Variable);
  Now.forgetFacts(nullptr, Number);
}

void OpenedTransfer::set(const VarDecl *Variable, const Expr *Value, const Stmt *At) {
  const std::optional<unsigned> Number = find(Variable);
  if (!Number || !Value)
    return;
  OwnerState &Is = Now.Owners[*Number];
  if (Is.mayBe(OwnerState::Live))
    Says.reportLoss(Loss::Overwritten, At, Variable, unsigned(!Is.isSurely(OwnerState::Live)));
  change(*Number, At);
  Is = OwnerState();
  if (const CallExpr *Call = openingCall(Value)) {
    Is.Conditions = OwnerState::Live | OwnerState::Failed;
    Is.MadeBy.add(Call);
  } else if (Variable->getType()->isRecordType() || isMinusOne(Context, Value)) {
    Is.Conditions = OwnerState::Null;
  } // else it has a value that is not followed
}

void OpenedTransfer::pass(const CallExpr *Call, unsigned Index,
                          const std::optional<LibraryEffect> &Effect) {
  const std::optional<unsigned> Number = at(Call, Index);
  if (!Number || (Effect && (Effect->Opens == Index || Effect->putsBytes(Index) ||
                             Effect->TakesUnopened || (Effect->EndsOpened && Index == 0))))
    return;
  use(*Number, Call->getArg(Index));
}

void OpenedTransfer::finish(const CallExpr *Call, const std::optional<LibraryEffect> &Effect) {
  if (!Effect || !Vars.openedCount())
    return;
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    const std::optional<unsigned> Number = at(Call, I);
    if (!Number)
      continue;
    if (Effect->Opens == I) {
      open(*Number, Call, *Effect);
    } else if (Effect->EndsOpened && I == 0) {
      end(*Number, Call, *Effect);
    } else if (Effect->putsBytes(I)) {
      change(*Number, Call);
      Now.Owners[*Number] = OwnerState();
      Now.Owners[*Number].Conditions = OwnerState::Null;
    }
  }
}

/// Whether what is open stays so, for all that the call says.
static bool mayAdd(const ASTContext &Context, const CallExpr *Call, const LibraryEffect &Effect) {
  if (!Effect.AddsIf || Effect.AddsIf->first >= Call->getNumArgs())
    return false;
  const std::optional<llvm::APSInt> Flags =
      Call->getArg(Effect.AddsIf->first)->getIntegerConstantExpr(Context);
  return !Flags || (Flags->getExtValue() & Effect.AddsIf->second);
}

void OpenedTransfer::open(unsigned Number, const CallExpr *Call, const LibraryEffect &Effect) {
  OwnerState &Is = Now.Owners[Number];
  const VarDecl *Variable = Vars.opened(Number - Vars.ownerCount()).Variable;
  const bool MayAdd = mayAdd(Context, Call, Effect);
  if (Is.mayBe(OwnerState::Live) && !MayAdd) {
    Says.reportLoss(Loss::Overwritten, Call, Variable, unsigned(!Is.isSurely(OwnerState::Live)));
    Says.noteSites(Is.MadeBy, "it is opened here");
  }
  change(Number, Call);
  const bool WasOpen = MayAdd && Is.mayBe(OwnerState::Live);
  Is = OwnerState();
  Is.MadeBy.add(Call);
  Is.Conditions = OwnerState::Live;
  if (WasOpen || Discarded.contains(Call))
    return; // nobody asks whether it has failed, so it is taken for done
  Is.Conditions |= OwnerState::Failed;
  Is.FilledBy = Call;
}

void OpenedTransfer::end(unsigned Number, const CallExpr *Call, const LibraryEffect &Effect) {
  OwnerState &Is = Now.Owners[Number];
  const VarDecl *Variable = Vars.opened(Number - Vars.ownerCount()).Variable;
  if (Is.mayBe(OwnerState::Consumed) || Is.mayBe(OwnerState::Uninitialized)) {
    Says.reportConsumed(Variable, Is, Call->getArg(0));
  } else if (Effect.NeedsOpen && Is.mayBe(OwnerState::Failed)) {
    Says.report(Diag::NotOpened, Call->getArg(0), Variable,
                unsigned(!Is.isSurely(OwnerState::Failed)));
    Says.noteSites(Is.MadeBy, "this may fail");
  }
  change(Number, Call);
  Is = OwnerState();
  Is.Conditions = OwnerState::Consumed;
  Is.ConsumedAt.add(Call);
}

void OpenedTransfer::use(unsigned Number, const Expr *At) {
  OwnerState &Is = Now.Owners[Number];
  const VarDecl *Variable = Vars.opened(Number - Vars.ownerCount()).Variable;
  if (Is.mayBe(OwnerState::Consumed) || Is.mayBe(OwnerState::Uninitialized)) {
    Says.reportConsumed(Variable, Is, At);
  } else if (Is.isSurely(OwnerState::Failed)) {
    Says.report(Diag::NotOpened, At, Variable, 0u);
    Says.noteSites(Is.MadeBy, "this has failed");
  } else {
    return;
  }
  Is.Conditions = 0;
}

void OpenedTransfer::read(const Expr *Lvalue) {
  const VarDecl *Variable = Vars.openedCount() ? variableAround(Lvalue) : nullptr;
  const std::optional<unsigned> Number = find(Variable);
  if (!Number || !isSlotType(Lvalue->getType()) ||
      !Vars.opened(*Number - Vars.ownerCount()).IsLibrarys)
    return;
  OwnerState &Is = Now.Owners[*Number];
  if (!Is.mayBe(OwnerState::Consumed))
    return;
  Says.reportConsumed(Variable, Is, Lvalue);
  Is.Conditions = 0;
}

void OpenedTransfer::endLife(const VarDecl *Variable, const Stmt *At) {
  const std::optional<unsigned> Number = find(Variable);
  if (!Number)
    return;
  OwnerState &Is = Now.Owners[*Number];
  if (Says.reportLeak(Variable, Is, At))
    Says.noteSites(Is.MadeBy, "it is opened here");
  change(*Number, At);
  Is = OwnerState();
  Is.Conditions = OwnerState::Uninitialized;
}
