// SPDX-License-Identifier: MIT
//===- Tests.cpp - What conditions tell of owners --------------------------===//
#include "plugin/Annotations.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/Builtins.h"

using namespace clang;
using namespace acre::ast;

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

void TestTransfer::refineSwitch(const CFGBlock &Switch, const Stmt *Label, const Expr *Condition) {
  const auto *Statement = cast<SwitchStmt>(Switch.getTerminatorStmt());
  keepSwitchFacts(Statement, Label, Condition);
  const auto *Chosen = dyn_cast_or_null<CaseStmt>(Label);
  for (const SwitchCase *Each = Statement->getSwitchCaseList(); Each;
       Each = Each->getNextSwitchCase())
    if (const auto *Case = dyn_cast<CaseStmt>(Each); Case && !Case->getRHS() && Case != Chosen)
      refineResult(Now, Condition, BO_NE, Case->getLHS()->EvaluateKnownConstInt(Context));
  if (Chosen && !Chosen->getRHS())
    refineResult(Now, Condition, BO_EQ, Chosen->getLHS()->EvaluateKnownConstInt(Context));
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

void TestTransfer::restrict(State &Into, const VarDecl *Variable, bool IsNull) const {
  std::optional<unsigned> Index = Vars.ownerOf(Variable);
  if (!Index && IsNull && isa<ParmVarDecl>(Variable)) // there is no slot
    if (QualType Slot = Variable->getType()->getPointeeType(); !Slot.isNull() && isOwning(Slot))
      Into.Empty.push_back(Place(Variable).dereferenced());
  if (!Index) {
    keepNull(Into, Variable, IsNull);
    return restore(Into, Variable, IsNull);
  }
  OwnerState &Owner = Into.Owners[*Index];
  constexpr unsigned char IfNot = OwnerState::Live | OwnerState::Standard;
  if (!Owner.Conditions || (Owner.Conditions & ~(OwnerState::Null | IfNot)))
    return;
  Owner.Conditions &= IsNull ? static_cast<unsigned char>(OwnerState::Null) : IfNot;
  Into.IsReached &= Owner.Conditions != 0; // else this way is never taken
  if (IsNull && !All.ObjectSlots.empty())  // there is no object
    Into.Slots[*Index] = SlotState::null(All.slotsOf(*Index));
  if (!IsNull)
    Owner.GrownAt = nullptr;
  else
    All.Growth.restore(Into, Variable);
  restore(Into, Variable, IsNull);
  for (OwnerState &Each : Into.Owners)
    if (Each.WrittenBy == Index && IsNull) { // the stream was not opened
      Each.Conditions &= ~OwnerState::Uninitialized;
      Each.Conditions |= Each.UnlessWritten;
      Each.WrittenSince = nullptr;
      Each.WrittenBy.reset();
    }
  Into.conclude();
}

void TestTransfer::restore(State &Into, const VarDecl *Variable, bool IsNull) {
  for (OwnerState &Each : Into.Owners) {
    if (Each.RestoredBy != Variable)
      continue;
    if (IsNull) {
      Each.Conditions = (Each.Conditions & ~OwnerState::Consumed) | OwnerState::Live;
      Each.ConsumedAt = Sites();
    } else {
      Each.Conditions &= OwnerState::Consumed;
    }
  }
}

/// The slot whose value this operand of a test is: that of an assignment is what it has set.
static const Expr *testedSlot(ASTContext &Context, const Expr *Operand) {
  Operand = testedPart(Context, Operand);
  const auto *Assignment = dyn_cast<BinaryOperator>(Operand);
  return Assignment && Assignment->getOpcode() == BO_Assign ? Assignment->getLHS() : Operand;
}

/// The variable whose value this operand of a test is, or null.
static const VarDecl *testedVariable(ASTContext &Context, const Expr *Operand) {
  Operand = testedPart(Context, Operand);
  if (const auto *Assignment = dyn_cast<BinaryOperator>(Operand);
      Assignment && Assignment->getOpcode() == BO_Assign)
    Operand = Assignment->getLHS()->IgnoreParens();
  return localVariable(Operand);
}

/// The variable that this number is read from, if its value is the same.
static const VarDecl *numberRead(const ASTContext &Context, const Expr *Number) {
  while (true) {
    Number = Number->IgnoreParens();
    const auto *Cast = dyn_cast<CastExpr>(Number);
    if (!Cast)
      return localVariable(Number);
    const QualType From = Cast->getSubExpr()->getType(), To = Cast->getType();
    const bool IsSame =
        From->isIntegralOrEnumerationType() && To->isIntegralOrEnumerationType() &&
        (From->isUnsignedIntegerOrEnumerationType() == To->isUnsignedIntegerOrEnumerationType()
             ? Context.getIntWidth(From) <= Context.getIntWidth(To)
             : From->isUnsignedIntegerOrEnumerationType() &&
                   Context.getIntWidth(From) < Context.getIntWidth(To));
    if (Cast->getCastKind() != CK_LValueToRValue && Cast->getCastKind() != CK_NoOp &&
        (Cast->getCastKind() != CK_IntegralCast || !IsSame))
      return nullptr;
    Number = Cast->getSubExpr();
  }
}

void TestTransfer::refine(State &Into, const Expr *Condition, bool IsTrue) const {
  if (!Vars.ownerCount() && !Vars.frameCount() && !All.MayOwn)
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
  if (const auto *Test = dyn_cast<BinaryOperator>(Condition); Test && Test->isComparisonOp())
    All.Places.keepLimit(Into, Test, IsTrue);
  if (const auto *Test = dyn_cast<BinaryOperator>(Condition); Test && Test->isEqualityOp()) {
    bool IsEqual = (Test->getOpcode() == BO_EQ) == IsTrue;
    for (auto [Tested, Other] :
         {std::pair(Test->getLHS(), Test->getRHS()), std::pair(Test->getRHS(), Test->getLHS())}) {
      keepFact(Into, numberRead(Context, Tested), Other, IsEqual);
      if (All.Values.isNullConstant(Other)) {
        if (const VarDecl *Variable = testedVariable(Context, Tested))
          return restrict(Into, Variable, IsEqual);
        refineSlot(Into, testedSlot(Context, Tested), IsEqual);
      }
      if (isMinusOne(Context, Other))
        refineMinusOne(Into, Tested, IsEqual);
      if (isStandardStream(Other))
        if (const VarDecl *Variable = testedVariable(Context, Tested))
          refineStandard(Into, Variable, IsEqual);
      if (IsNumber(Other, 0) && !isSlotType(Tested->getType()))
        return refine(Into, Tested, !IsEqual);
      if (IsNumber(Other, 1) && testedPart(Context, Tested)->isKnownToHaveBooleanValue())
        return refine(Into, Tested, IsEqual);
    }
    const VarDecl *One = numberRead(Context, Test->getLHS());
    const VarDecl *Other = numberRead(Context, Test->getRHS());
    if (IsEqual && One && Other && One != Other)
      All.Gaps.keepEqual(Into, One, Other);
    if (!IsEqual)
      All.Frames.refineFrames(Into, Test);
    for (auto [Told, By] : {std::pair(One, Test->getRHS()), std::pair(Other, Test->getLHS())})
      if (Told && Told->getType()->isBooleanType() &&
          testedPart(Context, By)->isKnownToHaveBooleanValue() && !By->HasSideEffects(Context) &&
          !numberRead(Context, By))
        return refineTold(Into, Told, By, IsEqual);
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
  if (!Variable)
    refineSlot(Into, testedSlot(Context, Condition), !IsTrue);
  keepFact(Into, Variable, nullptr, !IsTrue);
  const auto *Kept =
      llvm::find_if(Into.Tests, [&](const KeptTest &Each) { return Each.In == Variable; });
  if (Kept != Into.Tests.end())
    refine(Into, Kept->Test, IsTrue);
}

void TestTransfer::refineTold(State &Into, const VarDecl *Truth, const Expr *Test,
                              bool IsEqual) const {
  State If = Into, Else = Into;
  keepFact(If, Truth, nullptr, !IsEqual); // it is not 0 where that is so of the test
  refine(If, Test, true);
  keepFact(Else, Truth, nullptr, IsEqual);
  refine(Else, Test, false);
  if (Else.IsReached)
    If.join(Else);
  Into = std::move(If);
}

bool acre::ast::isMinusOne(const ASTContext &Context, const Expr *Value) {
  Value = Value->IgnoreParenCasts();
  std::optional<llvm::APSInt> Number;
  if (!Value->isValueDependent() && Value->getType()->isIntegerType())
    Number = Value->getIntegerConstantExpr(Context);
  return Number && Number->isSigned() && Number->getExtValue() == -1;
}

void TestTransfer::keepUnowned(State &In, const Expr *Lvalue) const {
  if (!isOwning(Lvalue->getType()) || Lvalue->HasSideEffects(Context))
    return;
  if (std::optional<SlotRange> Range = All.Slots.slotsAt(Lvalue);
      Range && Range->Count == 1 && !All.slotsOf(Range->Object).Many.test(Range->First))
    In.Slots[Range->Object].setLive(Range->First, 1, false);
  if (std::optional<Place> Slot = Place::of(Lvalue); Slot && !llvm::is_contained(In.Empty, *Slot))
    In.Empty.push_back(*Slot);
}

void TestTransfer::refineMinusOne(State &Into, const Expr *Tested, bool IsEqual) const {
  const VarDecl *Variable = testedVariable(Context, Tested);
  if (!Variable) {
    if (IsEqual)
      keepUnowned(Into, testedSlot(Context, Tested));
    return refineOpened(Into, All.Opened.find(testedSlot(Context, Tested)), IsEqual);
  }
  if (Vars.ownerOf(Variable) && IsEqual)
    return restrict(Into, Variable, true); // it owns nothing
  refineOpened(Into, Vars.openedOf(Variable), IsEqual);
}

void TestTransfer::refineOpened(State &Into, std::optional<unsigned> Opened, bool IsEqual) {
  if (!Opened)
    return;
  OwnerState &Is = Into.Owners[*Opened];
  constexpr unsigned char IfMinusOne = OwnerState::Failed | OwnerState::Null;
  if (!Is.Conditions || (Is.Conditions & ~(IfMinusOne | OwnerState::Live)))
    return;
  Is.Conditions &= IsEqual ? IfMinusOne : static_cast<unsigned char>(OwnerState::Live);
  Into.IsReached &= Is.Conditions != 0; // else this way is never taken
  Into.conclude();
}

void TestTransfer::refineStandard(State &Into, const VarDecl *Variable, bool IsEqual) const {
  const std::optional<unsigned> Index = Vars.ownerOf(Variable);
  if (!Index)
    return;
  OwnerState &Is = Into.Owners[*Index];
  constexpr unsigned char Valued = OwnerState::Null | OwnerState::Live | OwnerState::Standard;
  const unsigned char Rest = Is.Conditions & ~OwnerState::Standard;
  if (!Is.Conditions || (Is.Conditions & ~Valued))
    return;
  if (IsEqual)
    Is.Conditions = OwnerState::Standard;
  else if (Rest) // else it is another one of them
    Is.Conditions = Rest;
  Into.conclude();
}

void TestTransfer::noteFound(State &In, const Expr *Slot) const {
  const std::optional<SlotRange> Range =
      isOwning(Slot->getType()) ? All.Slots.slotsAt(Slot) : std::nullopt;
  if (!Range || Range->Count != 1 || Range->Object >= Vars.ownerCount() ||
      !In.Slots[Range->Object].mayBeForeign(Range->First) || All.Losses.isOfCallers(Range->Object))
    return;
  const OwningSlots &Slots = All.slotsOf(Range->Object);
  if (!Slots.Many.test(Range->First) && !Slots.Unions[Range->First])
    In.Slots[Range->Object].setLive(Range->First, 1, true);
}

void TestTransfer::refineSlot(State &Into, const Expr *Lvalue, bool IsNull) const {
  All.Growth.find(Into, Lvalue, IsNull);
  if (IsNull)
    All.Places.keepEmpty(Into, Lvalue);
  else if (All.Slots.isNull(Into, Lvalue))
    Into.IsReached = false; // this way is never taken
  else
    noteFound(Into, Lvalue);
}

void TestTransfer::forgetTests(const VarDecl *Variable) {
  auto IsIt = [Variable](const VarDecl *Each) { return Each == Variable; };
  auto NamesIt = [&](const Place &Each) { return Each.names(IsIt); };
  Now.forgetPlaces(NamesIt);
  llvm::erase_if(Now.Gaps,
                 [&](const Gap &Each) { return Each.From == Variable || NamesIt(Each.Slot); });
  llvm::erase_if(Now.Same, [&](const SamePointers &Each) {
    return Each.One == Variable || Each.Other == Variable;
  });
  llvm::erase_if(Now.Refilled, NamesIt);
  for (BorrowerState &Each : Now.Borrowers)
    for (std::optional<Place> *Way : {&Each.Through, &Each.Slot})
      if (*Way && NamesIt(**Way))
        Way->reset();
  llvm::erase_if(Now.Holes, [&](const TakenPlace &Each) { return NamesIt(Each.Of); });
  llvm::erase_if(Now.Results, [&](const KeptResult &Each) { return Each.In == Variable; });
  llvm::erase_if(Now.Tests, [&](const KeptTest &Each) {
    return Each.In == Variable || doesName(Each.Test, IsIt);
  });
  Now.forgetFacts(Variable, Vars.ownerOf(Variable));
  for (OwnerState &Each : Now.Owners)
    if (Each.RestoredBy == Variable)
      Each.RestoredBy = nullptr;
}

void TestTransfer::count(const VarDecl *Variable, long Change) {
  llvm::SmallVector<Place, 2> Empty;
  for (Place Each : Now.Empty)
    if (Each.names([&](const VarDecl *It) { return It == Variable; }) &&
        Each.count(Variable, Change))
      Empty.push_back(Each);
  llvm::SmallVector<Gap, 1> Gaps = Now.Gaps;
  forgetTests(Variable);
  Now.Gaps = std::move(Gaps);
  GapTransfer::count(Now, Variable, Change);
  Now.Empty.append(Empty);
}

void TestTransfer::keepFact(State &Into, const VarDecl *Variable, const Expr *Value,
                            bool IsEqual) const {
  const bool IsWanted =
      All.MayOwn || Vars.ownerCount() || Vars.openedCount() || !All.ObjectSlots.empty();
  if (!Variable || !IsWanted || !Variable->getType()->isIntegralOrEnumerationType() ||
      !Variable->hasLocalStorage() || Variable->getType().isVolatileQualified() ||
      Vars.isAddressTaken(Variable))
    return;
  std::optional<llvm::APSInt> Number;
  if (Value)
    Number = Value->getIntegerConstantExpr(Context);
  if (Value && (!Number || !Number->isRepresentableByInt64()))
    return;
  Into.learn({Variable, std::nullopt, Number ? Number->getExtValue() : 0, IsEqual});
}

void TestTransfer::keepNull(State &Into, const VarDecl *Pointer, bool IsNull) const {
  if (All.Moved.isLast(Pointer) && Vars.ownerCount() && !Vars.isAddressTaken(Pointer) &&
      !Pointer->getType().isVolatileQualified())
    Into.learn({Pointer, std::nullopt, 0, IsNull});
}

void TestTransfer::keepSwitchFacts(const SwitchStmt *Switch, const Stmt *Label,
                                   const Expr *Condition) {
  const VarDecl *Variable = numberRead(Context, Condition);
  const CaseStmt *Chosen = nullptr;
  for (const SwitchCase *Each = Switch->getSwitchCaseList(); Each; Each = Each->getNextSwitchCase())
    if (Each == Label)
      Chosen = dyn_cast<CaseStmt>(Each);
  if (Chosen && !Chosen->getRHS())
    return keepFact(Now, Variable, Chosen->getLHS(), true);
  for (const SwitchCase *Each = Switch->getSwitchCaseList(); Each; Each = Each->getNextSwitchCase())
    if (const auto *Case = dyn_cast<CaseStmt>(Each); Case && !Case->getRHS() && !Chosen)
      keepFact(Now, Variable, Case->getLHS(), false);
}

void TestTransfer::keepTest(const VarDecl *Variable, const Expr *Value) {
  forgetTests(Variable);
  keepResult(Variable, Value);
  if (Value && Value->getIntegerConstantExpr(Context))
    keepFact(Now, Variable, Value, true);
  if ((!Vars.ownerCount() && !Vars.openedCount()) || !Value ||
      !Variable->getType()->isIntegerType() || Vars.isAddressTaken(Variable))
    return;
  bool IsTest = Variable->getType()->isBooleanType() ||
                Value->IgnoreParenCasts()->isKnownToHaveBooleanValue();
  auto IsFollowed = [this](const VarDecl *Each) {
    return Vars.ownerOf(Each) || Vars.openedOf(Each) ||
           llvm::any_of(Now.Tests, [&](const KeptTest &Test) { return Test.In == Each; });
  };
  if (IsTest && doesName(Value, IsFollowed) &&
      !doesName(Value, [&](const VarDecl *Each) { return Each == Variable; }))
    Now.Tests.push_back({Variable, Value});
}
