// SPDX-License-Identifier: MIT
//===- Flow.cpp - Follows owners and borrowers through a function ---------===//

#include "plugin/ownership/Flow.h"
#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Order.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/Builtins.h"
#include <utility>

using namespace clang;
using namespace acre::ast;

Flow::Flow(ASTContext &Context, Diagnostics &Reports, PlainFacts &Facts, Summaries &Known,
           const FunctionDecl *Function, const Evaluated &Body, const Orderly *Only,
           const Supposed &Given)
    : Context(Context), Reports(Reports), Facts(Facts), Known(Known), Function(Function),
      Body(Body), Vars(Function, Body, Only, Known, Given.Alone), OpenRoots(Vars.rootCount()),
      MayOwn(!Only), Given(Given) {
  for (unsigned Root = 0; Root != Vars.rootCount(); ++Root)
    if (!Vars.isExclusive(Root))
      OpenRoots.set(Root);
  if (const auto *Type = ast::writtenType(Function)->getAs<FunctionType>())
    ResultType = Type->getReturnType();
  findObjects();
}

void Flow::run() {
  Known.begin(Function->getCanonicalDecl());
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  Options.AddLifetime = true;
  std::unique_ptr<CFG> Graph = CFG::buildCFG(Function, Function->getBody(), &Context, Options);
  if (!Graph)
    return;
  for (const Stmt *Node : Body) {
    if (const auto *Call = dyn_cast<CallExpr>(Node)) {
      HasSetjmp |= Call->getDirectCallee() && Call->getDirectCallee()->hasAttr<ReturnsTwiceAttr>();
      for (unsigned I = 0; I != Call->getNumArgs(); ++I)
        if (const InitListExpr *List = transparentList(Call, I))
          Transparent.insert(List);
      for (const Expr *Each : Call->arguments())
        if (!ObjectSlots.empty() && Facts.of(Call).Effect)
          Filled.insert(Each->IgnoreParenCasts());
    } else if (const auto *Assignment = dyn_cast<BinaryOperator>(Node);
               Assignment && Assignment->getOpcode() == BO_Assign) {
      Unread.insert(Assignment->getLHS()->IgnoreParens());
    } else if (const auto *Address = dyn_cast<UnaryOperator>(Node);
               Address && Address->getOpcode() == UO_AddrOf) {
      Unread.insert(Address->getSubExpr()->IgnoreParens());
    }
  }
  Idiomatic = partsTakenByHand(Body);
  noteInitializers();
  iterate(*Graph);
  IsReporting = true;
  for (const CFGBlock *Block : PostOrderCFGView(Graph.get())) {
    Now = Entry[Block->getBlockID()];
    if (Now.IsReached) {
      visitBlock(*Block);
      leaveBlock(*Block, nullptr);
    }
  }
  checkOrder(Reports, Vars, Function->getBody(), Ended, [this](const Stmt *At) {
    const auto *Call = dyn_cast<CallExpr>(At);
    const FunctionDecl *Callee = Call ? takenForSteady(Call) : nullptr;
    if (Callee && Given.Rests)
      Given.Rests->Steady.insert(Callee);
    return Callee != nullptr;
  });
  for (const UnaryOperator *Address : Vars.keptAddresses())
    if (const VarDecl *Variable = localVariable(Address->getSubExpr());
        Variable && Vars.ownerOf(Variable) && !Cells.contains(Address))
      report(Diag::OwnerAddress, Address, Variable);
  // Anyone may read a parameter whose address is taken.
  for (const ParmVarDecl *Parameter : Function->parameters())
    if (Vars.isAddressTaken(Parameter) && isSlotType(Parameter->getType()))
      Known.escapes({Function->getCanonicalDecl(), Parameter->getFunctionScopeIndex()});
  for (const Expr *Call : Fresh)
    if (!Taken.contains(Call))
      report(Diag::Leak, Call, Call->getType()->isRecordType() ? 7u : 3u, NoName,
             unsigned(resultDiscipline(Context, Call) == Discipline::Refcounted));
  Known.end(Function->getCanonicalDecl());
}

State Flow::entryState() const {
  State Result;
  Result.IsReached = true;
  Result.Owners.resize(Vars.ownerCount());
  Result.Borrowers.assign(Vars.borrowerCount(), {Loans(Vars.rootCount()), false, false, 0, {}, {}});
  Result.Keys.assign(Vars.arenaCount(), {Loans(Vars.rootCount()), false, nullptr});
  if (Vars.aliasCount()) {
    Result.Aliases.assign(Vars.aliasCount(), {false, none().Lent});
    Result.Held.assign(Vars.frameCount(), none().Lent);
    Result.Exposed.resize(Vars.rootCount());
  }
  for (unsigned I = 0; I != ObjectSlots.size(); ++I)
    Result.Slots.push_back(I < Vars.ownerCount() ? SlotState::set(slotsOf(I))
                                                 : SlotState::unset(slotsOf(I)));
  for (unsigned I = 0; !ObjectSlots.empty() && I != Vars.ownerCount(); ++I)
    if (isa<ParmVarDecl>(Vars.owner(I)))
      noteForeign(I, Result.Slots[I]);
  noteEmptyParameters(Result);
  for (unsigned I = 0; I != Vars.ownerCount(); ++I)
    Result.Owners[I].Conditions = isa<ParmVarDecl>(Vars.owner(I))
                                      ? OwnerState::Null | OwnerState::Live
                                      : OwnerState::Uninitialized;
  for (unsigned I = 0; I != Vars.borrowerCount(); ++I)
    if (std::optional<unsigned> Root = Vars.rootOfParameter(Vars.borrower(I))) {
      Loans &From = Result.Borrowers[I].From;
      From.Direct.set(*Root);
      From.IsOpen = From.MayBeCounted = isLentReference(Vars.borrower(I)->getType());
      From.MayBeOther = !From.MayBeCounted;
    }
  return Result;
}

void Flow::iterate(const CFG &Graph) {
  PostOrderCFGView Order(&Graph);
  Entry.assign(Graph.getNumBlockIDs(), State());
  Entry[Graph.getEntry().getBlockID()] = entryState();
  llvm::BitVector Changed(Graph.getNumBlockIDs()); // blocks whose entry did since they were visited
  Changed.set(Graph.getEntry().getBlockID());
  while (Changed.any()) {
    State JumpsBefore = Jumps;
    for (const CFGBlock *Block : Order) {
      if (!Changed.test(Block->getBlockID()))
        continue;
      Changed.reset(Block->getBlockID());
      Now = Entry[Block->getBlockID()];
      visitBlock(*Block);
      leaveBlock(*Block, &Changed);
    }
    // Any block may have the setjmp that returns again.
    if (HasSetjmp && Jumps.IsReached && JumpsBefore.join(Jumps))
      for (unsigned I = 0; I != Entry.size(); ++I)
        if (Entry[I].IsReached)
          Changed.set(I);
  }
}

/// Whether the value of Cast is zero where that of its operand is, and only there.
static bool keepsZero(ASTContext &Context, const CastExpr *Cast) {
  switch (Cast->getCastKind()) {
  case CK_LValueToRValue:
  case CK_NoOp:
  case CK_BitCast:
  case CK_PointerToBoolean:
  case CK_IntegralToBoolean:
    return true;
  case CK_IntegralCast:
  case CK_PointerToIntegral:
  case CK_IntegralToPointer:
    return Cast->getSubExpr()->isKnownToHaveBooleanValue() ||
           Context.getTypeSize(Cast->getType()) >=
               Context.getTypeSize(Cast->getSubExpr()->getType());
  default:
    return false;
  }
}

/// What the value of Condition is by, without what does not change whether it is zero.
static const Expr *testedPart(ASTContext &Context, const Expr *Condition) {
  while (true) {
    Condition = Condition->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(Condition); Cast && keepsZero(Context, Cast)) {
      Condition = Cast->getSubExpr();
    } else if (const auto *Operator = dyn_cast<BinaryOperator>(Condition);
               Operator && Operator->getOpcode() == BO_Comma) {
      Condition = Operator->getRHS();
    } else if (const auto *Block = dyn_cast<StmtExpr>(Condition);
               Block && !Block->getSubStmt()->body_empty() &&
               isa<Expr>(Block->getSubStmt()->body_back())) {
      Condition = cast<Expr>(Block->getSubStmt()->body_back());
    } else if (const auto *Call = dyn_cast<CallExpr>(Condition);
               Call && Call->getNumArgs() > 1 && Call->getDirectCallee() &&
               (Call->getBuiltinCallee() == Builtin::BI__builtin_expect ||
                Call->getBuiltinCallee() == Builtin::BI__builtin_expect_with_probability)) {
      Condition = Call->getArg(0);
    } else {
      return Condition;
    }
  }
}

void Flow::refineSwitch(const CFGBlock &Switch, const Stmt *Label, const Expr *Condition) {
  if (!testedPart(Context, Condition)->isKnownToHaveBooleanValue())
    return;
  bool MayBe[2] = {true, true};
  for (const SwitchCase *Each = cast<SwitchStmt>(Switch.getTerminatorStmt())->getSwitchCaseList();
       Each; Each = Each->getNextSwitchCase()) {
    const auto *Case = dyn_cast<CaseStmt>(Each);
    if (!Case)
      continue;
    if (Case->getRHS()) // a range
      return;
    llvm::APSInt Value = Case->getLHS()->EvaluateKnownConstInt(Context);
    for (unsigned Each : {0u, 1u}) {
      if (Case == Label)
        MayBe[Each] = Value == Each;
      else if (Value == Each)
        MayBe[Each] = false;
    }
    if (Case == Label)
      break;
  }
  // Where all values have a case of their own, nothing is known of an owner.
  for (unsigned Each : {0u, 1u})
    if (!MayBe[1 - Each])
      refine(Now, Condition, Each == 1);
}

void Flow::leaveBlock(const CFGBlock &Block, llvm::BitVector *Changed) {
  const bool IsSwitch = isa_and_nonnull<SwitchStmt>(Block.getTerminatorStmt());
  const Expr *Condition = IsSwitch || Block.succ_size() == 2 ? Block.getLastCondition() : nullptr;
  bool IsTrue = true;
  unsigned Left = llvm::count_if(
      Block.succs(), [](const CFGBlock::AdjacentBlock &Next) { return Next.getReachableBlock(); });
  for (const CFGBlock::AdjacentBlock &Next : Block.succs()) {
    if (Next.getReachableBlock()) {
      State Last; // states are large: the last block that follows gets this one
      if (--Left != 0)
        Last = Now;
      if (Condition && IsSwitch)
        refineSwitch(Block, Next.getReachableBlock()->getLabel(), Condition);
      else if (Condition)
        refine(Now, Condition, IsTrue);
      bool IsReturnIfTrue = false;
      if (Condition && !IsSwitch && jumpTest(Condition, IsReturnIfTrue) && IsReturnIfTrue == IsTrue)
        joinJumps();
      if (Next == &Block.getParent()->getExit() && !Block.hasNoReturnElement())
        endFunction(Block);
      if (Changed && Entry[Next->getBlockID()].join(Now))
        Changed->set(Next->getBlockID());
      if (Left != 0)
        Now = std::move(Last);
    }
    IsTrue = false;
  }
}

void Flow::joinJumps() {
  if (!Jumps.IsReached)
    return;
  State First = std::move(Now);
  Now = Jumps;
  for (unsigned I = 0; I != Now.Aliases.size(); ++I) // of blocks that the jump has left
    if (Now.Aliases[I].IsOpen && !First.Aliases[I].IsOpen)
      closeAlias(Vars.variableOfRoot(Vars.rootOfAlias(I)),
                 TestedJump ? TestedJump : Function->getBody());
  First.join(Now);
  Now = std::move(First);
}

const CallExpr *Flow::jumpTest(const Expr *Condition, bool &IsReturnIfTrue) const {
  IsReturnIfTrue = true;
  if (!HasSetjmp)
    return nullptr;
  Condition = Condition->IgnoreParenCasts();
  if (const auto *Not = dyn_cast<UnaryOperator>(Condition); Not && Not->getOpcode() == UO_LNot) {
    Condition = Not->getSubExpr()->IgnoreParenCasts();
    IsReturnIfTrue = false;
  } else if (const auto *Test = dyn_cast<BinaryOperator>(Condition); Test && Test->isEqualityOp()) {
    if (!Test->getRHS()->isIntegerConstantExpr(Context) ||
        !Test->getRHS()->EvaluateKnownConstInt(Context).isZero())
      return nullptr;
    Condition = Test->getLHS()->IgnoreParenCasts();
    IsReturnIfTrue = Test->getOpcode() == BO_NE;
  }
  const auto *Call = dyn_cast<CallExpr>(Condition);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->hasAttr<ReturnsTwiceAttr>() ? Call : nullptr;
}

void Flow::visitBlock(const CFGBlock &Block) {
  bool IsChoice = Block.succ_size() == 2 && !isa_and_nonnull<SwitchStmt>(Block.getTerminatorStmt());
  const Expr *Condition = IsChoice ? Block.getLastCondition() : nullptr;
  bool IsReturnIfTrue = false;
  TestedJump = Condition ? jumpTest(Condition, IsReturnIfTrue) : nullptr;
  for (const CFGElement &Element : Block) {
    if (std::optional<CFGStmt> Statement = Element.getAs<CFGStmt>())
      visit(Statement->getStmt());
    else if (std::optional<CFGLifetimeEnds> End = Element.getAs<CFGLifetimeEnds>())
      endLife(End->getVarDecl(), End->getTriggerStmt());
  }
}

bool Flow::isNullConstant(const Expr *Value) const {
  return Value->isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull);
}

void Flow::visitAssignment(const BinaryOperator *Operator) {
  if (Operator->getOpcode() != BO_Assign) {
    if (const VarDecl *Variable = localVariable(Operator->getLHS());
        Operator->isCompoundAssignmentOp() && Variable) {
      forgetTests(Variable);
      forgetPaths(Variable);
      movePointer(Variable);
      if (Vars.ownerOf(Variable))
        report(Diag::OwnerArithmetic, Operator, Variable);
    }
    return;
  }
  const VarDecl *Variable = localVariable(Operator->getLHS());
  if (Variable && !isSlotType(Variable->getType()))
    keepTest(Variable, Operator->getRHS());
  Sink Into = {Variable ? Sink::Variable : Sink::Slot, Operator->getLHS()->getType(), Variable,
               Operator->getLHS(), Operator};
  copyInArenas(Into, Operator->getRHS());
  sink(Into, Operator->getRHS());
  assignRecord(Operator);
  if (isNullConstant(Operator->getRHS()))
    keepEmpty(Now, Operator->getLHS());
}

void Flow::visitUnfollowed(const Stmt *Node) {
  Now.Tests.clear();
  if (isa<AtomicExpr>(Node))
    copyAtomically(Node);
  // Captures and operands are not followed.
  for (const VarDecl *Each : variablesGivenAway(Node))
    if (Vars.ownerOf(Each))
      report(Diag::OwnerAddress, Node, Each);
  for (const Expr *Each : pointersGivenAway(Node)) {
    const VarDecl *Variable = localVariable(Each->IgnoreParenImpCasts());
    if (!Variable || !Vars.ownerOf(Variable))
      keep({Sink::Slot, Each->getType(), nullptr, nullptr, Node}, Each, evaluate(Each));
    else if (isa<AtomicExpr>(Node))
      report(Diag::OwnerAddress, Each, Variable);
  }
}

void Flow::visit(const Stmt *Node) {
  if (Idiomatic.contains(Node))
    return;
  if (const auto *Block = dyn_cast<StmtExpr>(Node); Block && takenByHand(Block)) {
    takeByHand(Block);
  } else if (const auto *Reference = dyn_cast<DeclRefExpr>(Node)) {
    visitReference(Reference);
  } else if (const auto *Call = dyn_cast<CallExpr>(Node)) {
    call(Call);
  } else if (const auto *Operator = dyn_cast<BinaryOperator>(Node)) {
    visitAssignment(Operator);
  } else if (const auto *Operator = dyn_cast<UnaryOperator>(Node)) {
    visitOperator(Operator);
  } else if (const auto *Declaration = dyn_cast<DeclStmt>(Node)) {
    for (const Decl *Each : Declaration->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(Each))
        visitDeclaration(Variable, Declaration);
  } else if (const auto *Return = dyn_cast<ReturnStmt>(Node)) {
    if (Return->getRetValue() && !ResultType.isNull()) {
      takeRecord(Return->getRetValue());
      copyInArenas({Sink::Result, ResultType, nullptr, nullptr, Return}, Return->getRetValue());
      sink({Sink::Result, ResultType, nullptr, nullptr, Return}, Return->getRetValue());
    }
  } else if (const auto *List = dyn_cast<InitListExpr>(Node)) {
    visitList(List);
  } else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Node)) {
    if (Cast->getCastKind() == CK_LValueToRValue && !localVariable(Cast->getSubExpr()))
      useSlotsAt(Cast->getSubExpr());
    if (Cast->getCastKind() == CK_LValueToRValue && Cast->getType()->isRecordType() &&
        !isa<CompoundLiteralExpr>(Cast->getSubExpr()->IgnoreParens())) // is nowhere else
      copyRecord(Cast->getSubExpr());
  } else if (isa<AtomicExpr, AsmStmt, BlockExpr>(Node)) {
    visitUnfollowed(Node);
  }
}

void Flow::visitReference(const DeclRefExpr *Reference) {
  const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
  if (!Variable || Unread.contains(Reference))
    return;
  if (std::optional<unsigned> Index = Vars.ownerOf(Variable)) {
    OwnerState &Owner = Now.Owners[*Index];
    if (!Owner.mayBe(OwnerState::Consumed) && !Owner.mayBe(OwnerState::Uninitialized))
      return;
    reportConsumed(Variable, Owner, Reference);
    Owner.Conditions = 0;
  } else if (std::optional<unsigned> Borrower = Vars.borrowerOf(Variable)) {
    read(*Borrower, Reference);
  }
}

void Flow::read(unsigned Borrower, const Expr *At) {
  BorrowerState &State = Now.Borrowers[Borrower];
  if (Given.Rests)
    Given.Rests->Steady.insert(State.SparedBy.begin(), State.SparedBy.end());
  if (State.IsDangling || State.IsDoubtful) {
    const VarDecl *Variable = Vars.borrower(Borrower);
    const VarDecl *From = Vars.variableOfRoot(State.LostRoot);
    if (!State.IsDangling)
      report(Diag::ArenaDoubtful, At, unsigned(ArenaUse::Used), From);
    else if (Vars.isArena(State.LostRoot))
      report(Diag::ArenaDangling, At, Variable, From);
    else if (Vars.isOpenFrame(State.LostRoot))
      report(Diag::FrameDangling, At, Variable, From);
    else
      report(Diag::BorrowerDangling, At, Variable,
             isEndedAlias(State.LostRoot) ? 2u : unsigned(From != nullptr), From);
    bool IsOfBlock = Vars.isArena(State.LostRoot) || Vars.isOpenFrame(State.LostRoot) ||
                     isEndedAlias(State.LostRoot);
    noteSites(State.LostAt, IsOfBlock ? "the block ends here" : "lost here");
    State = BorrowerState{Loans(Vars.rootCount()), false, false, 0, {}, {}};
  }
}

void Flow::movePointer(const VarDecl *Variable) {
  if (std::optional<unsigned> Borrower = Vars.borrowerOf(Variable))
    Now.Borrowers[*Borrower].From.MayBeOther = true;
}

void Flow::visitOperator(const UnaryOperator *Operator) {
  const VarDecl *Variable = localVariable(Operator->getSubExpr());
  if (Operator->isIncrementDecrementOp() && Variable) {
    forgetPaths(Variable);
    forgetTests(Variable);
    movePointer(Variable);
  }
  if (Operator->isIncrementDecrementOp() && Variable && Vars.ownerOf(Variable))
    report(Diag::OwnerArithmetic, Operator, Variable);
  if (Operator->getOpcode() == UO_AddrOf && !Filled.contains(Operator) && !Variable)
    useSlotsAt(Operator->getSubExpr());
}

void Flow::visitDeclaration(const VarDecl *Variable, const Stmt *At) {
  if (!Variable->hasLocalStorage())
    return;
  if (std::optional<unsigned> Owner = Vars.ownerOf(Variable)) {
    Now.Owners[*Owner] = OwnerState();
    Now.Owners[*Owner].Conditions = OwnerState::Uninitialized;
  }
  if (std::optional<unsigned> Borrower = Vars.borrowerOf(Variable))
    Now.Borrowers[*Borrower] = BorrowerState{Loans(Vars.rootCount()), false, false, 0, {}, {}};
  if (!isSlotType(Variable->getType()))
    keepTest(Variable, Variable->getInit());
  takeRecord(Variable->getInit());
  beginFrame(Variable);
  openArena(Variable);
  openAlias(Variable);
  copyInArenas({Sink::Variable, Variable->getType(), Variable, nullptr, At}, Variable->getInit());
  if (Variable->getInit() && !Vars.rootOfAlias(Variable))
    sink({Sink::Variable, Variable->getType(), Variable, nullptr, At}, Variable->getInit());
}

void Flow::visitList(const InitListExpr *List) {
  if (const InitListExpr *Semantic = List->getSemanticForm())
    List = Semantic;
  if (Transparent.contains(List))
    return; // an argument
  const RecordDecl *Record = List->getType()->getAsRecordDecl();
  if (Record && Record->isUnion()) {
    if (const FieldDecl *Field = List->getInitializedFieldInUnion(); Field && List->getNumInits())
      sink({Sink::Slot, Field->getType(), Initialized.lookup(List), nullptr, List},
           List->getInit(0));
    return;
  }
  auto Field = Record ? Record->field_begin() : RecordDecl::field_iterator();
  for (unsigned I = 0; I != List->getNumInits(); ++I) {
    while (Record && Field != Record->field_end() && Field->isUnnamedBitField())
      ++Field;
    if (Record && Field == Record->field_end())
      return;
    QualType Type = Record ? Field->getType()
                    : List->getType()->isArrayType()
                        ? Context.getAsArrayType(List->getType())->getElementType()
                        : QualType();
    sink({Sink::Slot, Type, Initialized.lookup(List), nullptr, List}, List->getInit(I));
    if (Record)
      ++Field;
  }
}

void Flow::restrict(State &Into, const VarDecl *Variable, bool IsNull) const {
  std::optional<unsigned> Index = Vars.ownerOf(Variable);
  if (!Index)
    return;
  OwnerState &Owner = Into.Owners[*Index];
  if (Owner.Conditions & ~(OwnerState::Null | OwnerState::Live))
    return;
  Owner.Conditions &= IsNull ? OwnerState::Null : OwnerState::Live;
  if (IsNull && !ObjectSlots.empty()) // there is no object
    Into.Slots[*Index] = SlotState::set(slotsOf(*Index));
  if (!IsNull)
    Owner.GrownAt = nullptr;
  for (OwnerState &Each : Into.Owners)
    if (Each.RestoredBy == Index) {
      if (IsNull) {
        Each.Conditions = OwnerState::Live;
        Each.ConsumedAt = Sites();
      }
      Each.RestoredBy.reset();
    }
}

/// The variable whose value this operand of a test is, or null.
static const VarDecl *testedVariable(ASTContext &Context, const Expr *Operand) {
  Operand = testedPart(Context, Operand);
  if (const auto *Assignment = dyn_cast<BinaryOperator>(Operand);
      Assignment && Assignment->getOpcode() == BO_Assign)
    Operand = Assignment->getLHS()->IgnoreParens();
  return localVariable(Operand);
}

void Flow::refine(State &Into, const Expr *Condition, bool IsTrue) const {
  if (!Vars.ownerCount() && !Vars.frameCount() && !MayOwn)
    return;
  Condition = testedPart(Context, Condition);
  if (const auto *Not = dyn_cast<UnaryOperator>(Condition); Not && Not->getOpcode() == UO_LNot)
    return refine(Into, Not->getSubExpr(), !IsTrue);
  auto IsNumber = [this](const Expr *Number, unsigned Value) {
    std::optional<llvm::APSInt> Known = Number->getIntegerConstantExpr(Context);
    return Known && *Known == Value;
  };
  refineFilled(Into, Condition, IsTrue);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(Condition)) { // of true and false
    for (unsigned First : {0u, 1u})
      if (IsNumber(Choice->getTrueExpr(), First) && IsNumber(Choice->getFalseExpr(), 1 - First))
        return refine(Into, Choice->getCond(), IsTrue == (First == 1));
    return;
  }
  if (const auto *Test = dyn_cast<BinaryOperator>(Condition); Test && Test->isEqualityOp()) {
    bool IsEqual = (Test->getOpcode() == BO_EQ) == IsTrue;
    for (auto [Tested, Other] :
         {std::pair(Test->getLHS(), Test->getRHS()), std::pair(Test->getRHS(), Test->getLHS())}) {
      if (isNullConstant(Other)) {
        if (const VarDecl *Variable = testedVariable(Context, Tested))
          return restrict(Into, Variable, IsEqual);
        if (IsEqual)
          keepEmpty(Into, testedPart(Context, Tested));
      }
      if (IsNumber(Other, 0) && !isSlotType(Tested->getType()))
        return refine(Into, Tested, !IsEqual);
      if (IsNumber(Other, 1) && testedPart(Context, Tested)->isKnownToHaveBooleanValue())
        return refine(Into, Tested, IsEqual);
    }
    if (!IsEqual)
      refineFrames(Into, Test);
    return;
  }
  // All are so where 'and' holds, and none is where 'or' does not.
  if (const auto *Both = dyn_cast<BinaryOperator>(Condition);
      Both && (IsTrue ? Both->getOpcode() == BO_LAnd || Both->getOpcode() == BO_And
                      : Both->getOpcode() == BO_LOr || Both->getOpcode() == BO_Or)) {
    for (auto [Each, Other] :
         {std::pair(Both->getLHS(), Both->getRHS()), std::pair(Both->getRHS(), Both->getLHS())})
      if (!Other->HasSideEffects(Context))
        refine(Into, Each, IsTrue);
    return;
  }
  const VarDecl *Variable = testedVariable(Context, Condition);
  if (Variable && isSlotType(Variable->getType()))
    return restrict(Into, Variable, !IsTrue);
  if (!Variable && !IsTrue)
    keepEmpty(Into, Condition);
  const auto *Kept =
      llvm::find_if(Into.Tests, [&](const KeptTest &Each) { return Each.In == Variable; });
  if (Kept != Into.Tests.end())
    refine(Into, Kept->Test, IsTrue);
}

void Flow::keepEmpty(State &In, const Expr *Lvalue) const {
  Lvalue = Lvalue->IgnoreParens();
  if ((isOwning(Lvalue->getType()) && localVariable(Lvalue)) || Lvalue->HasSideEffects(Context))
    return;
  if (std::optional<SlotRange> Range = isOwning(Lvalue->getType()) ? slotsAt(Lvalue) : std::nullopt;
      Range && Range->Count == 1 && !slotsOf(Range->Object).Many.test(Range->First))
    In.Slots[Range->Object].setLive(Range->First, 1, false);
  if (std::optional<Place> Slot = slotPlace(Lvalue); Slot && !llvm::is_contained(In.Empty, *Slot))
    In.Empty.push_back(*Slot);
}

bool Flow::isEmpty(const Expr *Lvalue) const {
  std::optional<Place> Slot = Place::of(Lvalue);
  return Slot && llvm::is_contained(Now.Empty, *Slot);
}

std::optional<Place> Flow::slotPlace(const Expr *Lvalue) const {
  std::optional<Place> Found = Place::of(Lvalue);
  if (isOwning(Lvalue->getType()))
    return Found;
  QualType Pointee = Lvalue->getType()->getPointeeType();
  return Found && !Pointee.isNull() && isOwning(Pointee) ? std::optional(Found->dereferenced())
                                                         : std::nullopt;
}

bool Flow::areApart(const VarDecl *One, const VarDecl *Other) const {
  auto RootsOf = [this](const VarDecl *Variable) {
    llvm::SmallBitVector Roots(Vars.rootCount());
    if (std::optional<unsigned> Owner = Vars.ownerOf(Variable))
      Roots.set(Vars.rootOfOwner(*Owner));
    else if (std::optional<unsigned> Borrower = Vars.borrowerOf(Variable))
      Roots = Now.Borrowers[*Borrower].From.IsOpen ? Roots : Now.Borrowers[*Borrower].From.roots();
    return Roots;
  };
  llvm::SmallBitVector First = RootsOf(One), Second = RootsOf(Other);
  return First.any() && Second.any() && !First.anyCommon(Second) && !First.anyCommon(openRoots()) &&
         !Second.anyCommon(openRoots());
}

void Flow::forgetEmpty(const Expr *Written) {
  std::optional<Place> Slot = slotPlace(Written);
  llvm::erase_if(Now.Empty, [&](const Place &Each) {
    return !Slot || (Each.mayChangeWith(*Slot) && !areApart(Each.base(), Slot->base()));
  });
}

void Flow::forgetTests(const VarDecl *Variable) {
  auto IsIt = [Variable](const VarDecl *Each) { return Each == Variable; };
  llvm::erase_if(Now.Empty, [&](const Place &Each) { return Each.names(IsIt); });
  llvm::erase_if(Now.Results, [&](const KeptResult &Each) { return Each.In == Variable; });
  llvm::erase_if(Now.Tests, [&](const KeptTest &Each) {
    return Each.In == Variable || doesName(Each.Test, IsIt);
  });
}

void Flow::keepTest(const VarDecl *Variable, const Expr *Value) {
  forgetTests(Variable);
  keepResult(Variable, Value);
  if (!Vars.ownerCount() || !Value || !Variable->getType()->isIntegerType() ||
      Vars.isAddressTaken(Variable))
    return;
  bool IsTest = Variable->getType()->isBooleanType() ||
                Value->IgnoreParenCasts()->isKnownToHaveBooleanValue();
  auto IsFollowed = [this](const VarDecl *Each) {
    return Vars.ownerOf(Each) ||
           llvm::any_of(Now.Tests, [&](const KeptTest &Test) { return Test.In == Each; });
  };
  if (IsTest && doesName(Value, IsFollowed) &&
      !doesName(Value, [&](const VarDecl *Each) { return Each == Variable; }))
    Now.Tests.push_back({Variable, Value});
}

void Flow::cleanUp(const VarDecl *Variable, const Stmt *At) {
  const FunctionDecl *Callee =
      Variable->getAttr<CleanupAttr>()->getFunctionDecl()->getCanonicalDecl();
  if (Callee->getIdentifier() && Callee->getName().starts_with("acre_"))
    return; // the end of an arena or an alias
  if (std::optional<unsigned> Index = Vars.ownerOf(Variable)) {
    OwnerState &Owner = Now.Owners[*Index];
    if (Owner.mayBe(OwnerState::Consumed)) {
      report(Diag::CleanupOfConsumed, At, Variable,
             unsigned(!Owner.isSurely(OwnerState::Consumed)));
      noteSites(Owner.ConsumedAt, "consumed here");
    } else if (Owner.mayBe(OwnerState::Uninitialized)) {
      reportConsumed(Variable, Owner, At);
    }
    Owner = OwnerState();
    Owner.Conditions = OwnerState::Null;
    loseRoot(Vars.rootOfOwner(*Index), At);
    if (IsReporting)
      Known.askIfSeen({Callee, 0}, Variable, Variable->getLocation());
  }
  Now.Left.clear();
  if (MayOwn) {
    const FunctionDecl *Spared = Given.Steady && Given.Steady->mayBe(Callee) ? Callee : nullptr;
    llvm::SmallBitVector Changed = openRoots();
    if (std::optional<unsigned> Frame = Vars.rootOfFrame(Variable)) {
      useObject(*objectOfRoot(*Frame), At);
      if (!ObjectSlots.empty())
        Now.Slots[*objectOfRoot(*Frame)] = SlotState::set(slotsOf(*objectOfRoot(*Frame)));
      Changed.set(*Frame);
    }
    changeSlots(Changed, {}, At, Spared);
  }
  if (Now.MayJumpBack)
    Jumps.join(Now);
}

void Flow::endLife(const VarDecl *Variable, const Stmt *At) {
  if (Variable->hasAttr<CleanupAttr>())
    cleanUp(Variable, At);
  closeArena(Variable, At);
  closeAlias(Variable, At);
  checkFrameEnd(Variable, At);
  endFrame(Variable, At);
  std::optional<unsigned> Index = Vars.ownerOf(Variable);
  if (!Index)
    return;
  OwnerState &Owner = Now.Owners[*Index];
  reportLeak(Variable, Owner, At);
  checkGrown(*Index);
  loseRoot(Vars.rootOfOwner(*Index), At);
  Owner = OwnerState();
  Owner.Conditions = OwnerState::Uninitialized;
}

void Flow::endFunction(const CFGBlock &Block) {
  const Stmt *At = Function->getBody();
  if (!Block.empty())
    if (std::optional<CFGStmt> Last = Block.back().getAs<CFGStmt>();
        Last && isa<ReturnStmt>(Last->getStmt()))
      At = Last->getStmt();
  endUnnamed();
  for (const ParmVarDecl *Parameter : Function->parameters()) {
    endFrame(Parameter, At);
    if (std::optional<unsigned> Index = Vars.ownerOf(Parameter)) {
      reportLeak(Parameter, Now.Owners[*Index], At);
      checkGrown(*Index);
    }
  }
}

SourceLocation Flow::placeOf(const Stmt *At) {
  const auto *Expression = dyn_cast<Expr>(At);
  if (isa<CompoundStmt>(At))
    return At->getEndLoc();
  return Expression ? Expression->getExprLoc() : At->getBeginLoc();
}

void Flow::noteSites(const Sites &Places, llvm::StringRef Text) {
  if (!IsReporting)
    return;
  auto Note = [To = &Reports, Places, Text] {
    for (const Stmt *Each : Places.all())
      To->note(isa<CompoundStmt>(Each) ? Each->getEndLoc() : Each->getBeginLoc(), Text)
          << Each->getSourceRange();
  };
  Note();
  if (IsHeld)
    Given.Held->push_back(Note);
}

void Flow::reportConsumed(const VarDecl *Variable, const OwnerState &Owner, const Stmt *At) {
  bool WasConsumed = Owner.mayBe(OwnerState::Consumed);
  bool IsMaybe = !Owner.isSurely(WasConsumed ? OwnerState::Consumed : OwnerState::Uninitialized);
  report(WasConsumed ? Diag::UsedAfterConsumed : Diag::OwnerUninitialized, At, Variable,
         unsigned(IsMaybe));
  noteSites(Owner.ConsumedAt, "consumed here");
}

void Flow::checkGrown(unsigned Owner) {
  const Stmt *At = std::exchange(Now.Owners[Owner].GrownAt, nullptr);
  if (At && IsReporting &&
      Lost.insert({Vars.owner(Owner), At->getBeginLoc().getRawEncoding()}).second)
    report(Diag::Leak, At, 4u, Vars.owner(Owner));
}

void Flow::reportLeak(const VarDecl *Variable, const OwnerState &Owner, const Stmt *At) {
  if (!Owner.mayBe(OwnerState::Live) || !IsReporting ||
      !Lost.insert({Variable, At->getEndLoc().getRawEncoding()}).second)
    return;
  IsHeld = false;
  Reports.report(Diag::Leak, At->getEndLoc())
      << 0u << Variable << unsigned(!Owner.isSurely(OwnerState::Live));
  noteSites(Owner.ConsumedAt, "consumed here on another path");
}
