// SPDX-License-Identifier: MIT
//===- Flow.cpp - Follows owners and borrowers through a function ---------===//

#include "plugin/ownership/Flow.h"
#include "plugin/Annotations.h"
#include "plugin/Inheritance.h"
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
    : All(Context, Reports, Facts, Known, Function, Body, Only, Given), Context(Context),
      Function(Function), Vars(All.Vars), Says(All.Says), Now(All.Now),
      ResultType(resultType(Function)) {
  All.Slots.findObjects();
  HasOwners = Vars.ownerCount() || Vars.openedCount() || llvm::any_of(Body, [](const Stmt *Node) {
                const auto *Lvalue = dyn_cast<Expr>(Node);
                return Lvalue && Lvalue->isLValue() && isOwning(Lvalue->getType());
              });
}

bool Flow::endsByReturn(const Expr *Value) const {
  const auto *Cast = dyn_cast<ImplicitCastExpr>(Value);
  const VarDecl *Variable = Cast && Cast->getCastKind() == CK_LValueToRValue
                                ? localVariable(Cast->getSubExpr())
                                : nullptr;
  std::optional<unsigned> Root =
      Variable && Variable->hasLocalStorage() && !Variable->hasAttr<CleanupAttr>()
          ? Vars.rootOfFrame(Variable)
          : std::nullopt;
  return Root && Vars.isExclusive(*Root) && Value->getType()->isRecordType() &&
         !All.ObjectSlots.empty();
}

Flow::~Flow() = default;

void Flow::run() {
  solve();
  tell();
}

void Flow::solve() {
  All.Known.begin(Function->getCanonicalDecl());
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  Options.AddLifetime = true;
  Graph = CFG::buildCFG(Function, Function->getBody(), &Context, Options);
  if (!Graph)
    return;
  for (const Stmt *Node : All.Body) {
    if (const auto *Call = dyn_cast<CallExpr>(Node)) {
      HasSetjmp |= Call->getDirectCallee() && Call->getDirectCallee()->hasAttr<ReturnsTwiceAttr>();
      for (unsigned I = 0; I != Call->getNumArgs(); ++I)
        if (const InitListExpr *List = transparentList(Call, I))
          Transparent.insert(List);
      for (const Expr *Each : Call->arguments())
        if (!All.ObjectSlots.empty() && All.Facts.of(Call).Effect)
          All.Filled.insert(Each->IgnoreParenCasts());
    } else if (const auto *Assignment = dyn_cast<BinaryOperator>(Node);
               Assignment && Assignment->getOpcode() == BO_Assign) {
      Unread.insert(Assignment->getLHS()->IgnoreParens());
    } else if (const auto *Address = dyn_cast<UnaryOperator>(Node);
               Address && Address->getOpcode() == UO_AddrOf) {
      Unread.insert(Address->getSubExpr()->IgnoreParens());
    } else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Node);
               Cast && Cast->getCastKind() == CK_LValueToRValue) {
      Read.insert(Cast->getSubExpr()->IgnoreParens());
    } else if (const auto *Return = dyn_cast<ReturnStmt>(Node);
               Return && Return->getRetValue() && endsByReturn(Return->getRetValue())) {
      Returned.insert(Return->getRetValue());
    }
  }
  Idiomatic = partsTakenByHand(All.Body);
  All.Aliases.noteInitializers();
  All.Places.findElements();
  All.Gaps.find();
  All.Opened.find();
  All.Growth.findResults();
  All.Lenders.find();
  All.Operands.find();
  iterate(*Graph);
}

void Flow::tell() {
  if (!Graph)
    return;
  Says.start();
  for (const CFGBlock *Block : PostOrderCFGView(Graph.get())) {
    Now = Entry[Block->getBlockID()];
    if (Now.IsReached) {
      visitBlock(*Block);
      leaveBlock(*Block);
    }
  }
  checkOrder(Says.diagnostics(), Vars, Function->getBody(), All.Ended, [this](const Stmt *At) {
    const auto *Call = dyn_cast<CallExpr>(At);
    const FunctionDecl *Callee = Call ? All.Calls.takenForSteady(Call) : nullptr;
    if (Callee && All.Given.Rests)
      All.Given.Rests->Steady.insert(Callee);
    return Callee != nullptr;
  });
  for (const UnaryOperator *Address : Vars.keptAddresses())
    if (const VarDecl *Variable = localVariable(Address->getSubExpr());
        Variable && Vars.ownerOf(Variable) && !All.Cells.contains(Address))
      Says.reportAddress(Address, Variable);
  // Anyone may read a parameter whose address is taken.
  for (const ParmVarDecl *Parameter : Function->parameters())
    if (Vars.isAddressTaken(Parameter) && isSlotType(Parameter->getType()))
      All.Known.escapes({Function->getCanonicalDecl(), Parameter->getFunctionScopeIndex()});
  for (const Expr *Call : All.Fresh)
    if (!All.Taken.contains(Call))
      Says.reportLoss(
          Call->getType()->isRecordType() ? Loss::AggregateDropped : Loss::ResultDropped, Call,
          NoName, unsigned(resultDiscipline(Context, Call) == Discipline::Refcounted));
  All.Outcomes.end();
  All.Known.end(Function->getCanonicalDecl());
}

State Flow::entryState() const {
  State Result;
  Result.IsReached = true;
  Result.Owners.resize(Vars.ownerCount() + Vars.openedCount());
  Result.Borrowers.assign(Vars.borrowerCount() + All.Operands.count(),
                          BorrowerState{Loans(Vars.rootCount())});
  Result.Keys.assign(Vars.arenaCount(), {Loans(Vars.rootCount()), false, nullptr});
  if (Vars.aliasCount()) {
    Result.Aliases.assign(Vars.aliasCount(), {false, Value(Vars.rootCount()).Lent});
    Result.Held.assign(Vars.frameCount(), Value(Vars.rootCount()).Lent);
    Result.Exposed.resize(Vars.rootCount());
  }
  auto IsParameter = [this](unsigned Object) { // a structure, which is a copy
    return isa_and_nonnull<ParmVarDecl>(
        Vars.variableOfRoot(Vars.rootOfFrameNumber(Object - Vars.ownerCount())));
  };
  for (unsigned I = 0; I != All.ObjectSlots.size(); ++I)
    Result.Slots.push_back(I < Vars.ownerCount() || All.Slots.literal(I)
                               ? SlotState::set(All.slotsOf(I))
                           : IsParameter(I) ? RecordTransfer::filled(All.slotsOf(I))
                                            : SlotState::unset(All.slotsOf(I)));
  for (unsigned I = 0; !All.ObjectSlots.empty() && I != Vars.ownerCount(); ++I)
    if (isa<ParmVarDecl>(Vars.owner(I)))
      All.Losses.noteForeign(I, Result.Slots[I]);
  All.Losses.noteEmptyParameters(Result);
  for (unsigned I = 0; I != Vars.ownerCount(); ++I)
    Result.Owners[I].Conditions = isa<ParmVarDecl>(Vars.owner(I))
                                      ? OwnerState::Null | OwnerState::Live
                                      : OwnerState::Uninitialized;
  for (unsigned I = 0; I != Vars.openedCount(); ++I)
    Result.Owners[Vars.ownerCount() + I].Conditions = OwnerState::Uninitialized;
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
  auto Leave = [&](const CFGBlock &Next) {
    if (Entry[Next.getBlockID()].join(Now))
      Changed.set(Next.getBlockID());
  };
  while (Changed.any()) {
    State JumpsBefore = All.Jumps;
    for (const CFGBlock *Block : Order) {
      if (!Changed.test(Block->getBlockID()))
        continue;
      Changed.reset(Block->getBlockID());
      Now = Entry[Block->getBlockID()];
      visitBlock(*Block);
      leaveBlock(*Block, Leave);
    }
    // Any block may have the setjmp that returns again.
    if (HasSetjmp && All.Jumps.IsReached && JumpsBefore.join(All.Jumps))
      for (unsigned I = 0; I != Entry.size(); ++I)
        if (Entry[I].IsReached)
          Changed.set(I);
  }
}

void Flow::leaveBlock(const CFGBlock &Block, llvm::function_ref<void(const CFGBlock &Next)> Leave) {
  if (!Now.IsReached)
    return;
  const bool IsSwitch = isa_and_nonnull<SwitchStmt>(Block.getTerminatorStmt());
  const Expr *Condition = IsSwitch || Block.succ_size() == 2 ? Block.getLastCondition() : nullptr;
  bool IsTrue = true;
  const CFGBlock *Exit = &Block.getParent()->getExit();
  auto IsAsked = [&](const CFGBlock::AdjacentBlock &Next) {
    return Next.getReachableBlock() && (Leave || Next == Exit);
  };
  unsigned Left = llvm::count_if(Block.succs(), IsAsked);
  for (const CFGBlock::AdjacentBlock &Next : Block.succs()) {
    if (IsAsked(Next)) {
      if (--Left != 0) // states are large: the last block that follows gets this one
        Kept = Now;
      if (Condition && IsSwitch)
        All.Tests.refineSwitch(Block, Next.getReachableBlock()->getLabel(), Condition);
      else if (Condition)
        All.Tests.refine(Now, Condition, IsTrue);
      bool IsReturnIfTrue = false;
      if (Condition && !IsSwitch && jumpTest(Condition, IsReturnIfTrue) && IsReturnIfTrue == IsTrue)
        All.Aliases.joinJumps();
      const bool IsTaken = Now.IsReached; // by what is known of numbers
      if (IsTaken && Next == Exit && !Block.hasNoReturnElement())
        endFunction(Block);
      if (IsTaken && Leave)
        Leave(*Next);
      if (Left != 0)
        std::swap(Now, Kept);
    }
    IsTrue = false;
  }
}

const CallExpr *Flow::jumpTest(const Expr *Condition, bool &IsReturnIfTrue) const {
  IsReturnIfTrue = true;
  if (!HasSetjmp)
    return nullptr;
  Condition = Condition->IgnoreParenCasts();
  if (const auto *Expected = dyn_cast<CallExpr>(Condition);
      Expected && Expected->getBuiltinCallee() == Builtin::BI__builtin_expect)
    Condition = Expected->getArg(0)->IgnoreParenCasts();
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
  // A variable that is set there alone has that result, as in pthread_cleanup_push.
  if (const VarDecl *Kept = localVariable(Condition);
      Kept && Kept->getInit() &&
      llvm::none_of(All.Body, [&](const Stmt *Node) { return variableChanged(Node) == Kept; }))
    Condition = Kept->getInit()->IgnoreParenCasts();
  const auto *Call = dyn_cast<CallExpr>(Condition);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->hasAttr<ReturnsTwiceAttr>() ? Call : nullptr;
}

void Flow::visitBlock(const CFGBlock &Block) {
  bool IsChoice = Block.succ_size() == 2 && !isa_and_nonnull<SwitchStmt>(Block.getTerminatorStmt());
  const Expr *Condition = IsChoice ? Block.getLastCondition() : nullptr;
  bool IsReturnIfTrue = false;
  All.TestedJump = Condition ? jumpTest(Condition, IsReturnIfTrue) : nullptr;
  for (const CFGElement &Element : Block) {
    if (!Now.IsReached)
      return;
    llvm::SmallVector<unsigned char, 8> Before;
    if (Now.hasImplications())
      for (const OwnerState &Each : Now.Owners)
        Before.push_back(Each.Conditions);
    if (std::optional<CFGStmt> Statement = Element.getAs<CFGStmt>())
      visit(Statement->getStmt());
    else if (std::optional<CFGLifetimeEnds> End = Element.getAs<CFGLifetimeEnds>())
      endLife(End->getVarDecl(), End->getTriggerStmt());
    for (unsigned I = 0; I != Before.size(); ++I)
      if (Now.Owners[I].Conditions != Before[I]) // consumed; a new value forgets them itself
        Now.forgetFacts(nullptr, I);
  }
}

void Flow::visitAssignment(const BinaryOperator *Operator) {
  if (Operator->getOpcode() != BO_Assign) {
    if (Operator->isCompoundAssignmentOp())
      All.Slots.overlay(Operator->getLHS(), nullptr, Operator);
    if (const VarDecl *Variable = localVariable(Operator->getLHS());
        Operator->isCompoundAssignmentOp() && Variable) {
      All.Places.changeNumber(Operator);
      All.Arenas.forgetPaths(Variable);
      All.Borrowing.movePointer(Variable);
      if (Vars.ownerOf(Variable))
        Says.reportMoved(Operator, Variable);
    }
    return;
  }
  const VarDecl *Variable = localVariable(Operator->getLHS());
  if (Variable && !isSlotType(Variable->getType())) {
    All.Places.setNumber(Variable, Operator->getRHS());
  }
  Sink Into = {Variable ? Sink::Variable : Sink::Slot, Operator->getLHS()->getType(), Variable,
               Operator->getLHS(), Operator};
  All.Arenas.copyInArenas(Into, Operator->getRHS());
  All.Sinks.sink(Into, Operator->getRHS());
  All.Opened.set(Operator->getLHS(), Operator->getRHS(), Operator);
  All.Records.assignRecord(Operator);
  All.Slots.overlay(Operator->getLHS(), Operator->getRHS(), Operator);
  if (!Variable)
    All.Growth.set(Operator->getLHS(), Operator->getRHS());
  if (All.Values.isNullConstant(Operator->getRHS()) ||
      All.Records.wasSurelyNull(Operator->getRHS())) {
    All.Places.keepEmpty(Now, Operator->getLHS());
    All.Outcomes.noteEmptied(Operator->getLHS());
  }
}

void Flow::visitUnfollowed(const Stmt *Node) {
  Now.Tests.clear();
  All.Growth.checkAll(Node);
  if (isa<AtomicExpr>(Node))
    All.Calls.copyAtomically(Node);
  // Captures and operands are not followed.
  for (const VarDecl *Each : variablesGivenAway(Node))
    if (Vars.ownerOf(Each))
      Says.reportAddress(Node, Each);
  for (const Expr *Each : pointersGivenAway(Node)) {
    const VarDecl *Variable = localVariable(Each->IgnoreParenImpCasts());
    if (!Variable || !Vars.ownerOf(Variable))
      All.Sinks.keep({Sink::Slot, Each->getType(), nullptr, nullptr, Node}, Each,
                     All.Values.evaluate(Each));
    else if (isa<AtomicExpr>(Node))
      Says.reportAddress(Each, Variable);
  }
}

void Flow::visit(const Stmt *Node) {
  if (Idiomatic.contains(Node))
    return;
  All.Operands.use(Node);
  visitKind(Node);
  if (const auto *Operand = dyn_cast<Expr>(Node))
    All.Operands.hold(Operand);
}

void Flow::visitKind(const Stmt *Node) {
  checkNull(Node);
  if (!Now.Regrown.empty())
    All.Growth.check(Node);
  if (const auto *Block = dyn_cast<StmtExpr>(Node); Block && takenByHand(Block)) {
    All.Growth.checkAll(Node);
    All.Calls.takeByHand(Block);
  } else if (const auto *Reference = dyn_cast<DeclRefExpr>(Node)) {
    visitReference(Reference);
  } else if (const auto *Call = dyn_cast<CallExpr>(Node)) {
    All.Calls.call(Call);
    leaveByCall(Call);
  } else if (const auto *Operator = dyn_cast<BinaryOperator>(Node)) {
    visitAssignment(Operator);
  } else if (const auto *Operator = dyn_cast<UnaryOperator>(Node)) {
    visitOperator(Operator);
  } else if (const auto *Declaration = dyn_cast<DeclStmt>(Node)) {
    for (const Decl *Each : Declaration->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(Each))
        visitDeclaration(Variable, Declaration);
  } else if (const auto *Return = dyn_cast<ReturnStmt>(Node)) {
    if (Return->getRetValue())
      All.Outcomes.checkFailed(Return->getRetValue(), Return);
    if (Return->getRetValue() && !ResultType.isNull()) {
      All.Growth.findReturned(Return->getRetValue());
      All.Outcomes.noteReturned(Return->getRetValue(), ResultType);
      All.Records.takeRecord(Return->getRetValue());
      if (Returned.contains(Return->getRetValue()))
        All.Records.giveFrame(localVariable(Return->getRetValue()->IgnoreParenImpCasts()), Return);
      All.Arenas.copyInArenas({Sink::Result, ResultType, nullptr, nullptr, Return},
                              Return->getRetValue());
      All.Sinks.sink({Sink::Result, ResultType, nullptr, nullptr, Return}, Return->getRetValue());
    }
  } else if (const auto *List = dyn_cast<InitListExpr>(Node)) {
    visitList(List);
  } else if (const auto *Literal = dyn_cast<CompoundLiteralExpr>(Node)) {
    visitLiteral(Literal);
  } else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Node)) {
    if (Cast->getCastKind() == CK_LValueToRValue && !localVariable(Cast->getSubExpr())) {
      All.Slots.useSlotsAt(Cast->getSubExpr());
      All.Opened.read(Cast->getSubExpr());
    }
    if (Cast->getCastKind() == CK_LValueToRValue && Cast->getType()->isRecordType() &&
        !Returned.contains(Cast) &&
        !isa<CompoundLiteralExpr>(Cast->getSubExpr()->IgnoreParens())) // is nowhere else
      All.Aliases.copyRecord(Cast->getSubExpr());
  } else if (isa<AtomicExpr, AsmStmt, BlockExpr>(Node)) {
    visitUnfollowed(Node);
  }
}

void Flow::leaveByCall(const CallExpr *Call) {
  if (!HasOwners) // Plain.h knows of no order
    return;
  const After Next = afterCall(Call, All.Known);
  if (Next == After::Jump)
    All.Growth.checkAll(Call);
  Now.IsReached &= Next == After::Return;
  // Where setjmp was called here, its variables may still be used.
  for (unsigned I = 0; Next == After::Jump && !HasSetjmp && I != Vars.ownerCount(); ++I)
    if (const OwnerState &Owner = Now.Owners[I]; Owner.mayBe(OwnerState::Live))
      Says.reportLoss(Loss::JumpedOver, Call, Vars.owner(I),
                      unsigned(!Owner.isSurely(OwnerState::Live)));
}

void Flow::visitReference(const DeclRefExpr *Reference) {
  const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
  if (!Variable || Unread.contains(Reference) || All.Moved.storesBefore(Reference))
    return;
  if (std::optional<unsigned> Index = Vars.ownerOf(Variable)) {
    OwnerState &Owner = Now.Owners[*Index];
    if (!Owner.mayBe(OwnerState::Consumed) && !Owner.mayBe(OwnerState::Uninitialized))
      return;
    Says.reportConsumed(Variable, Owner, Reference);
    Owner.Conditions = 0;
  } else if (std::optional<unsigned> Borrower = Vars.borrowerOf(Variable)) {
    All.Borrowing.read(*Borrower, Reference);
  }
}

void Flow::visitOperator(const UnaryOperator *Operator) {
  const VarDecl *Variable = localVariable(Operator->getSubExpr());
  if (Operator->isIncrementDecrementOp() && Variable) {
    All.Arenas.forgetPaths(Variable);
    All.Tests.count(Variable, Operator->isIncrementOp() ? 1 : -1);
    All.Borrowing.movePointer(Variable);
  }
  if (Operator->isIncrementDecrementOp() && Variable && Vars.ownerOf(Variable))
    Says.reportMoved(Operator, Variable);
  if (Operator->getOpcode() == UO_AddrOf && !All.Filled.contains(Operator) && !Variable)
    All.Slots.useSlotsAt(Operator->getSubExpr());
}

void Flow::visitDeclaration(const VarDecl *Variable, const Stmt *At) {
  if (!Variable->hasLocalStorage())
    return;
  if (std::optional<unsigned> Owner = Vars.ownerOf(Variable)) {
    Now.Owners[*Owner] = OwnerState();
    Now.Owners[*Owner].Conditions = OwnerState::Uninitialized;
  }
  if (std::optional<unsigned> Borrower = Vars.borrowerOf(Variable))
    Now.changeBorrower(*Borrower) = BorrowerState{Loans(Vars.rootCount())};
  if (!isSlotType(Variable->getType())) {
    All.Places.setNumber(Variable, Variable->getInit());
  }
  All.Opened.begin(Variable);
  All.Records.takeRecord(Variable->getInit());
  All.Records.beginFrame(Variable);
  All.Arenas.openArena(Variable);
  All.Aliases.openAlias(Variable);
  All.Arenas.copyInArenas({Sink::Variable, Variable->getType(), Variable, nullptr, At},
                          Variable->getInit());
  if (Variable->getInit() && !Vars.rootOfAlias(Variable))
    All.Sinks.sink({Sink::Variable, Variable->getType(), Variable, nullptr, At},
                   Variable->getInit());
  All.Opened.set(Variable, At);
}

void Flow::visitList(const InitListExpr *List) {
  if (const InitListExpr *Semantic = List->getSemanticForm())
    List = Semantic;
  if (Transparent.contains(List))
    return; // an argument
  const RecordDecl *Record = List->getType()->getAsRecordDecl();
  if (Record && Record->isUnion()) {
    if (const FieldDecl *Field = List->getInitializedFieldInUnion(); Field && List->getNumInits())
      All.Sinks.sink({Sink::Slot, Field->getType(), All.Initialized.lookup(List), nullptr, List},
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
    All.Sinks.sink({Sink::Slot, Type, All.Initialized.lookup(List), nullptr, List},
                   List->getInit(I));
    if (Record)
      ++Field;
  }
}

void Flow::visitLiteral(const CompoundLiteralExpr *Literal) {
  if (!Literal->isFileScope() && !Read.contains(Literal))
    All.Records.beginLiteral(Literal);
  if (isSlotType(Literal->getType()) && !Literal->isFileScope() && !Read.contains(Literal))
    All.Sinks.sink({Sink::Slot, Literal->getType(), nullptr, nullptr, Literal},
                   Literal->getInitializer());
}

void Flow::cleanUp(const VarDecl *Variable, const Stmt *At) {
  All.Growth.checkAll(At);
  const FunctionDecl *Callee =
      Variable->getAttr<CleanupAttr>()->getFunctionDecl()->getCanonicalDecl();
  if (Callee->getIdentifier() && Callee->getName().starts_with("acre_"))
    return; // the end of an arena or an alias
  if (std::optional<unsigned> Index = Vars.ownerOf(Variable)) {
    OwnerState &Owner = Now.Owners[*Index];
    if (Owner.mayBe(OwnerState::Consumed))
      Says.reportCleanedUp(Variable, Owner, At);
    else if (Owner.mayBe(OwnerState::Uninitialized))
      Says.reportConsumed(Variable, Owner, At);
    Owner = OwnerState();
    Owner.Conditions = OwnerState::Null;
    All.Borrowing.loseRoot(Vars.rootOfOwner(*Index), At);
    if (Says.isOn())
      All.Known.askIfSeen({Callee, 0}, Variable, Variable->getLocation());
  }
  Now.Left.clear();
  if (All.MayOwn) {
    const FunctionDecl *Spared =
        All.Given.Steady && All.Given.Steady->mayBe(Callee) ? Callee : nullptr;
    llvm::SmallBitVector Changed = All.OpenRoots;
    if (std::optional<unsigned> Frame = Vars.rootOfFrame(Variable)) {
      All.Slots.useObject(*All.Slots.objectOfRoot(*Frame), At);
      if (!All.ObjectSlots.empty())
        Now.changeSlots(*All.Slots.objectOfRoot(*Frame)) =
            SlotState::set(All.slotsOf(*All.Slots.objectOfRoot(*Frame)));
      Changed.set(*Frame);
    }
    All.Borrowing.changeSlots(Changed, {}, At, Spared);
  }
  if (Now.MayJumpBack)
    All.Jumps.join(Now);
}

void Flow::endLife(const VarDecl *Variable, const Stmt *At) {
  if (Variable->hasAttr<CleanupAttr>())
    cleanUp(Variable, At);
  All.Arenas.closeArena(Variable, At);
  All.Aliases.closeAlias(Variable, At);
  All.Records.checkFrameEnd(Variable, At);
  All.Frames.endFrame(Variable, At);
  All.Opened.endLife(Variable, At);
  std::optional<unsigned> Index = Vars.ownerOf(Variable);
  if (!Index)
    return;
  OwnerState &Owner = Now.Owners[*Index];
  if (Owner.WrittenSince)
    Says.reportAddress(Owner.WrittenSince, Variable);
  Says.reportLeak(Variable, Owner, At);
  All.Losses.checkGrown(*Index);
  All.Growth.checkMoved(Variable, At);
  All.Borrowing.loseRoot(Vars.rootOfOwner(*Index), At);
  Owner = OwnerState();
  Owner.Conditions = OwnerState::Uninitialized;
}

void Flow::endFunction(const CFGBlock &Block) {
  const Stmt *At = Function->getBody();
  // Behind a return stand the ends of variables, before Clang 20 not those of parameters.
  for (auto Last = Block.rbegin(); Last != Block.rend(); ++Last)
    if (std::optional<CFGStmt> Statement = Last->getAs<CFGStmt>()) {
      if (isa<ReturnStmt>(Statement->getStmt()))
        At = Statement->getStmt();
      break;
    }
  All.Frames.endUnnamed();
  All.Records.checkLiterals();
  All.Growth.end(At);
  All.Outcomes.noteExit();
  for (const ParmVarDecl *Parameter : Function->parameters()) {
    All.Records.checkFrameEnd(Parameter, At);
    All.Frames.endFrame(Parameter, At);
    if (std::optional<unsigned> Index = Vars.ownerOf(Parameter)) {
      Says.reportLeak(Parameter, Now.Owners[*Index], At);
      All.Losses.checkGrown(*Index);
    }
  }
}
