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

/// What an argument is, or is the address of.
static const Expr *lvalueIn(const Expr *Argument) {
  Argument = Argument->IgnoreParenCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(Argument);
      Address && Address->getOpcode() == UO_AddrOf)
    Argument = Address->getSubExpr()->IgnoreParens();
  return Argument;
}

/// The local variable that this is, or the member of one that no pointer leads to.
static std::optional<Place> placeAt(const Expr *Lvalue) {
  if (!isa<DeclRefExpr, MemberExpr>(Lvalue))
    return std::nullopt;
  std::optional<Place> Found = Place::of(Lvalue);
  return Found && Found->isInVariable() && Found->base()->hasLocalStorage() &&
                 !isa<ParmVarDecl>(Found->base()) && !Found->isInUnion()
             ? Found
             : std::nullopt;
}

static std::optional<Place> placeIn(const Expr *Argument) { return placeAt(lvalueIn(Argument)); }

/// The name of the variable that a member is of, or the name itself; null if a pointer leads there.
/// Through: one that may.
static const DeclRefExpr *nameAround(const Expr *Lvalue, const ValueDecl *Through = nullptr) {
  Lvalue = Lvalue->IgnoreParenImpCasts();
  while (const auto *Member = dyn_cast<MemberExpr>(Lvalue)) {
    if (Member->isArrow() && !Through)
      return nullptr;
    Lvalue = Member->getBase()->IgnoreParenImpCasts();
  }
  const auto *Name = dyn_cast<DeclRefExpr>(Lvalue);
  return Name && (!Through || Name->getDecl() == Through) ? Name : nullptr;
}

static constexpr unsigned MostCallees = 4; // that hand a parameter on to each other

/// Whether this function uses what its parameter points to, and neither opens nor ends anything in
/// it, for all that its body says.
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
  llvm::DenseSet<const Expr *> Known; // names of the parameter, and addresses of its members
  const Evaluated Nodes = evaluatedIn(Definition->getASTContext(), Definition->getBody());
  for (const Stmt *Node : Nodes)
    if (const auto *Call = dyn_cast<CallExpr>(Node)) {
      for (unsigned I = 0; I != Call->getNumArgs(); ++I)
        if (const Expr *Argument = Call->getArg(I)->IgnoreParenCasts();
            nameAround(lvalueIn(Argument), Parameter) && isFollowed(Call, I, true, Depth))
          Known.insert(Argument);
    } else if (const auto *Member = dyn_cast<MemberExpr>(Node)) {
      Known.insert(Member->getBase()->IgnoreParenImpCasts());
    }
  return llvm::all_of(Nodes, [&](const Stmt *Node) {
    const auto *Address = dyn_cast<UnaryOperator>(Node);
    if (Address && Address->getOpcode() == UO_AddrOf)
      return !nameAround(Address->getSubExpr(), Parameter) || Known.contains(Address);
    const auto *Set = dyn_cast<BinaryOperator>(Node);
    if (Set && Set->getOpcode() == BO_Assign && Set->getLHS()->getType()->isRecordType())
      return !nameAround(Set->getLHS(), Parameter);
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

/// Adds the variables, and members, that Node opens something in.
static void appendOpened(const Stmt *Node, llvm::SmallVectorImpl<OpenedVariable> &Into) {
  auto Add = [&](const Place &Which, bool IsLibrarys) {
    if (!Which.base()->hasAttr<CleanupAttr>() &&
        llvm::none_of(Into, [&](auto &Each) { return Each.At == Which; }))
      Into.push_back({Which, IsLibrarys && !Which.isMember()});
  };
  auto AddHandle = [&](const std::optional<Place> &Which, const Expr *Value) {
    if (Which && isHandleType(Which->type()) && openingCall(Value))
      Add(*Which, false);
  };
  if (const auto *Call = dyn_cast<CallExpr>(Node)) {
    const std::optional<LibraryEffect> Effect = libraryEffect(Call);
    if (Effect && Effect->Opens && *Effect->Opens < Call->getNumArgs())
      if (const std::optional<Place> Which = placeIn(Call->getArg(*Effect->Opens));
          Which && (Which->type()->isRecordType() || isHandleType(Which->type())))
        Add(*Which, !Effect->IsNoted);
  } else if (const auto *Statement = dyn_cast<DeclStmt>(Node)) {
    for (const Decl *Each : Statement->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(Each); Variable && Variable->hasLocalStorage())
        AddHandle(Place(Variable), Variable->getInit());
  } else if (const auto *Assignment = dyn_cast<BinaryOperator>(Node);
             Assignment && Assignment->getOpcode() == BO_Assign) {
    AddHandle(placeAt(Assignment->getLHS()->IgnoreParens()), Assignment->getRHS());
  }
}

static bool copiesMemory(const CallExpr *Call) {
  const std::optional<LibraryEffect> Effect = libraryEffect(Call);
  return Effect && Effect->CopiesMemory;
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
  llvm::DenseSet<const DeclRefExpr *> Known;
  auto Add = [&](const Expr *Lvalue) {
    if (const DeclRefExpr *Name = nameAround(Lvalue))
      Known.insert(Name);
  };
  auto IsOpened = [&](const Expr *Lvalue) {
    const std::optional<Place> Which = placeAt(Lvalue);
    return Which && llvm::any_of(Result, [&](auto &Each) { return Each.At == *Which; });
  };
  // Whether that is opened, or something in it is.
  auto IsAround = [&](const Expr *Lvalue) {
    const std::optional<Place> Which = placeAt(Lvalue);
    return Which && llvm::any_of(Result, [&](auto &Each) {
             return Each.At.rebased(*Which, *Which).has_value();
           });
  };
  llvm::DenseSet<const Expr *> Told; // such places, where they are followed
  auto Tell = [&](const Expr *Lvalue) {
    Add(Lvalue);
    Told.insert(Lvalue);
  };
  for (const Stmt *Node : Body)
    if (const auto *Call = dyn_cast<CallExpr>(Node)) {
      for (unsigned I = 0; I != Call->getNumArgs(); ++I)
        if (const Expr *Lvalue = lvalueIn(Call->getArg(I));
            isFollowed(Call, I, false, 0) && (IsOpened(Lvalue) || !copiesMemory(Call)))
          Tell(Lvalue);
    } else if (const auto *Operator = dyn_cast<BinaryOperator>(Node)) {
      if (Operator->isAssignmentOp() || Operator->isEqualityOp())
        Tell(Operator->getLHS()->IgnoreParenCasts());
      if (Operator->isEqualityOp())
        Tell(Operator->getRHS()->IgnoreParenCasts());
    }
  // A member of what is opened is read, or one beside it.
  for (const Stmt *Node : Body)
    if (const auto *Member = dyn_cast<MemberExpr>(Node);
        Member && (!IsAround(Member) || Told.contains(Member)))
      Add(Member);
  for (const Stmt *Node : Body) {
    const auto *Name = dyn_cast<DeclRefExpr>(Node);
    llvm::erase_if(Result, [&](const OpenedVariable &Each) {
      return (Name && Name->getDecl() == Each.variable() && !Known.contains(Name)) ||
             llvm::is_contained(variablesGivenAway(Node), Each.variable());
    });
  }
  return Result;
}

void OpenedTransfer::find() {
  if (!Vars.openedCount())
    return;
  Discarded = discardedIn(Body);
  for (const Stmt *Node : Body)
    if (const auto *Set = dyn_cast<BinaryOperator>(Node);
        Set && Set->getOpcode() == BO_Assign && !localVariable(Set->getLHS()))
      Stored.insert(Set->getRHS()->IgnoreParenCasts());
}

const OpenedVariable &OpenedTransfer::opened(unsigned Number) const {
  return Vars.opened(Number - Vars.ownerCount());
}

std::optional<unsigned> OpenedTransfer::find(const Expr *Lvalue) const {
  const std::optional<Place> Which = Vars.openedCount() ? placeAt(Lvalue) : std::nullopt;
  for (unsigned I = 0; Which && I != Vars.openedCount(); ++I)
    if (Vars.opened(I).At == *Which)
      return Vars.ownerCount() + I;
  return std::nullopt;
}

llvm::SmallVector<unsigned, 2> OpenedTransfer::within(const Place &Whole) const {
  llvm::SmallVector<unsigned, 2> Result;
  for (unsigned I = 0; I != Vars.openedCount(); ++I)
    if (Vars.opened(I).At.rebased(Whole, Whole))
      Result.push_back(Vars.ownerCount() + I);
  return Result;
}

std::optional<unsigned> OpenedTransfer::at(const CallExpr *Call, unsigned Index) const {
  return find(lvalueIn(Call->getArg(Index)));
}

void OpenedTransfer::begin(const VarDecl *Variable) {
  for (unsigned Number : within(Place(Variable))) {
    Now.Owners[Number] = OwnerState();
    Now.Owners[Number].Conditions =
        Variable->getInit() ? OwnerState::Null : OwnerState::Uninitialized;
  }
}

void OpenedTransfer::change(unsigned Number, const Stmt *At) {
  if (const VarDecl *Whole = opened(Number).whole()) {
    All.Lenders.end(Whole, At);
    All.Tests.forgetTests(Whole);
  }
  Now.forgetFacts(nullptr, Number);
}

void OpenedTransfer::set(const VarDecl *Variable, const Stmt *At) {
  for (unsigned Number : within(Place(Variable)))
    if (const Expr *Value = Variable->getInit())
      set(Number, opened(Number).whole() ? Value : nullptr, At);
}

void OpenedTransfer::set(const Expr *Lvalue, const Expr *Value, const Stmt *At) {
  const std::optional<Place> Which =
      Vars.openedCount() ? placeAt(Lvalue->IgnoreParens()) : std::nullopt;
  for (unsigned Number : Which ? within(*Which) : llvm::SmallVector<unsigned, 2>())
    set(Number, opened(Number).At == *Which ? Value : nullptr, At);
}

void OpenedTransfer::set(unsigned Number, const Expr *Value, const Stmt *At) {
  OwnerState &Is = Now.Owners[Number];
  if (Is.mayBe(OwnerState::Live))
    Says.reportLoss(Loss::Overwritten, At, opened(Number).named(),
                    unsigned(!Is.isSurely(OwnerState::Live)));
  change(Number, At);
  Is = OwnerState();
  if (const CallExpr *Call = Value ? openingCall(Value) : nullptr) {
    Is.Conditions = OwnerState::Live | OwnerState::Failed;
    Is.MadeBy.add(Call);
  } else if (!Value || opened(Number).At.type()->isRecordType() || isMinusOne(Context, Value)) {
    Is.Conditions = OwnerState::Null; // also with the structure that it is in
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
    if (Number && Effect->Opens == I)
      open(*Number, Call, *Effect);
    else if (Number && Effect->EndsOpened && I == 0)
      end(*Number, Call, *Effect);
    else if (const std::optional<Place> Whole = placeIn(Call->getArg(I));
             Whole && Effect->putsBytes(I))
      for (unsigned Each : within(*Whole)) {
        change(Each, Call);
        Now.Owners[Each] = OwnerState();
        Now.Owners[Each].Conditions = OwnerState::Null;
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
  const NamedDecl *Named = opened(Number).named();
  const bool MayAdd = mayAdd(Context, Call, Effect);
  if (Is.mayBe(OwnerState::Live) && !MayAdd) {
    Says.reportLoss(Loss::Overwritten, Call, Named, unsigned(!Is.isSurely(OwnerState::Live)));
    Says.noteSites(Is.MadeBy, "it is opened here");
  }
  change(Number, Call);
  // Whether it has failed stands in memory, and is not followed.
  const bool IsStored = Stored.contains(Call);
  const bool WasOpen = MayAdd && Is.mayBe(OwnerState::Live);
  Is = OwnerState();
  if (IsStored)
    return;
  Is.MadeBy.add(Call);
  Is.Conditions = OwnerState::Live;
  if (WasOpen || Discarded.contains(Call))
    return; // nobody asks whether it has failed, so it is taken for done
  Is.Conditions |= OwnerState::Failed;
  Is.FilledBy = Call;
}

void OpenedTransfer::end(unsigned Number, const CallExpr *Call, const LibraryEffect &Effect) {
  OwnerState &Is = Now.Owners[Number];
  const NamedDecl *Named = opened(Number).named();
  if (Is.mayBe(OwnerState::Consumed) || Is.mayBe(OwnerState::Uninitialized)) {
    Says.reportConsumed(Named, Is, Call->getArg(0));
  } else if (Effect.NeedsOpen && Is.mayBe(OwnerState::Failed)) {
    Says.report(Diag::NotOpened, Call->getArg(0), Named,
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
  const NamedDecl *Named = opened(Number).named();
  if (Is.mayBe(OwnerState::Consumed) || Is.mayBe(OwnerState::Uninitialized)) {
    Says.reportConsumed(Named, Is, At);
  } else if (Is.isSurely(OwnerState::Failed)) {
    Says.report(Diag::NotOpened, At, Named, 0u);
    Says.noteSites(Is.MadeBy, "this has failed");
  } else {
    return;
  }
  Is.Conditions = 0;
}

void OpenedTransfer::read(const Expr *Lvalue) {
  const VarDecl *Variable = Vars.openedCount() ? variableAround(Lvalue) : nullptr;
  const std::optional<unsigned> Number = Variable ? Vars.openedOf(Variable) : std::nullopt;
  if (!Number || !isSlotType(Lvalue->getType()) || !opened(*Number).IsLibrarys)
    return;
  OwnerState &Is = Now.Owners[*Number];
  if (!Is.mayBe(OwnerState::Consumed))
    return;
  Says.reportConsumed(Variable, Is, Lvalue);
  Is.Conditions = 0;
}

void OpenedTransfer::endLife(const VarDecl *Variable, const Stmt *At) {
  for (unsigned Number : within(Place(Variable))) {
    OwnerState &Is = Now.Owners[Number];
    if (Says.reportLeak(opened(Number).named(), Is, At))
      Says.noteSites(Is.MadeBy, "it is opened here");
    change(Number, At);
    Is = OwnerState();
    Is.Conditions = OwnerState::Uninitialized;
  }
}
