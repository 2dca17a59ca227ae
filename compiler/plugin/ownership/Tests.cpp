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
  if (!Index)
    return;
  OwnerState &Owner = Into.Owners[*Index];
  if (Owner.Conditions & ~(OwnerState::Null | OwnerState::Live))
    return;
  Owner.Conditions &= IsNull ? OwnerState::Null : OwnerState::Live;
  if (IsNull && !All.ObjectSlots.empty()) // there is no object
    Into.Slots[*Index] = SlotState::set(All.slotsOf(*Index));
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
  if (const auto *Test = dyn_cast<BinaryOperator>(Condition); Test && Test->isEqualityOp()) {
    bool IsEqual = (Test->getOpcode() == BO_EQ) == IsTrue;
    for (auto [Tested, Other] :
         {std::pair(Test->getLHS(), Test->getRHS()), std::pair(Test->getRHS(), Test->getLHS())}) {
      if (All.Values.isNullConstant(Other)) {
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
      All.Frames.refineFrames(Into, Test);
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

void TestTransfer::keepEmpty(State &In, const Expr *Lvalue) const {
  Lvalue = Lvalue->IgnoreParens();
  if ((isOwning(Lvalue->getType()) && localVariable(Lvalue)) || Lvalue->HasSideEffects(Context))
    return;
  if (std::optional<SlotRange> Range =
          isOwning(Lvalue->getType()) ? All.Slots.slotsAt(Lvalue) : std::nullopt;
      Range && Range->Count == 1 && !All.slotsOf(Range->Object).Many.test(Range->First))
    In.Slots[Range->Object].setLive(Range->First, 1, false);
  if (std::optional<Place> Slot = slotPlace(Lvalue); Slot && !llvm::is_contained(In.Empty, *Slot))
    In.Empty.push_back(*Slot);
}

bool TestTransfer::isEmpty(const Expr *Lvalue) const {
  std::optional<Place> Slot = Place::of(Lvalue);
  return Slot && llvm::is_contained(Now.Empty, *Slot);
}

std::optional<Place> TestTransfer::slotPlace(const Expr *Lvalue) const {
  std::optional<Place> Found = Place::of(Lvalue);
  if (isOwning(Lvalue->getType()))
    return Found;
  QualType Pointee = Lvalue->getType()->getPointeeType();
  return Found && !Pointee.isNull() && isOwning(Pointee) ? std::optional(Found->dereferenced())
                                                         : std::nullopt;
}

bool TestTransfer::areApart(const VarDecl *One, const VarDecl *Other) const {
  auto RootsOf = [this](const VarDecl *Variable) {
    llvm::SmallBitVector Roots(Vars.rootCount());
    if (std::optional<unsigned> Owner = Vars.ownerOf(Variable))
      Roots.set(Vars.rootOfOwner(*Owner));
    else if (std::optional<unsigned> Borrower = Vars.borrowerOf(Variable))
      Roots = Now.Borrowers[*Borrower].From.IsOpen ? Roots : Now.Borrowers[*Borrower].From.roots();
    return Roots;
  };
  llvm::SmallBitVector First = RootsOf(One), Second = RootsOf(Other);
  return First.any() && Second.any() && !First.anyCommon(Second) && !First.anyCommon(OpenRoots) &&
         !Second.anyCommon(OpenRoots);
}

void TestTransfer::forgetEmpty(const Expr *Written) {
  std::optional<Place> Slot = slotPlace(Written);
  llvm::erase_if(Now.Empty, [&](const Place &Each) {
    return !Slot || (Each.mayChangeWith(*Slot) && !areApart(Each.base(), Slot->base()));
  });
}

void TestTransfer::forgetTests(const VarDecl *Variable) {
  auto IsIt = [Variable](const VarDecl *Each) { return Each == Variable; };
  llvm::erase_if(Now.Empty, [&](const Place &Each) { return Each.names(IsIt); });
  llvm::erase_if(Now.Results, [&](const KeptResult &Each) { return Each.In == Variable; });
  llvm::erase_if(Now.Tests, [&](const KeptTest &Each) {
    return Each.In == Variable || doesName(Each.Test, IsIt);
  });
}

void TestTransfer::keepTest(const VarDecl *Variable, const Expr *Value) {
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
