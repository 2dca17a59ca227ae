// SPDX-License-Identifier: MIT
//===- Failures.cpp - Calls that fail leave nothing in what they fill -----===//
//
// A function that puts an object into a place says by its result whether it
// has: asprintf fails with a negative number, a function of the program whose
// parameter is acre_out with any number but zero, with false, or with null.
// Where the result is found to be a failure, the owner is null.
//
//===----------------------------------------------------------------------===//

#include "plugin/Annotations.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

namespace {
/// The results of a function that are failures.
enum class Failure { None, Negative, Nonzero, Zero, NotPositive };

/// Whether all numbers that stand in this relation to Number are failures.
bool areAllFailures(Failure How, BinaryOperatorKind Relation, const llvm::APSInt &Number) {
  const bool IsNegative = Number.isNegative(), IsZero = Number.isZero();
  switch (How) {
  case Failure::Negative:
    return (Relation == BO_LT && (IsNegative || IsZero)) ||
           ((Relation == BO_LE || Relation == BO_EQ) && IsNegative);
  case Failure::Nonzero:
    return (Relation == BO_NE && IsZero) || (Relation == BO_EQ && !IsZero) ||
           (Relation == BO_LT && (IsNegative || IsZero)) || (Relation == BO_LE && IsNegative) ||
           (Relation == BO_GT && !IsNegative) || (Relation == BO_GE && !IsNegative && !IsZero);
  case Failure::Zero:
    return Relation == BO_EQ && IsZero;
  case Failure::NotPositive:
    return ((Relation == BO_EQ || Relation == BO_LE) && (IsNegative || IsZero)) ||
           (Relation == BO_LT && (IsNegative || IsZero || Number.isOne()));
  case Failure::None:
    break;
  }
  return false;
}

/// Whether none of them is one.
bool areNoFailures(Failure How, BinaryOperatorKind Relation, const llvm::APSInt &Number) {
  const bool IsZero = Number.isZero();
  switch (How) {
  case Failure::Negative: // there is one such number, -1
    return areAllFailures(How, BinaryOperator::negateComparisonOp(Relation), Number);
  case Failure::Nonzero:
    return Relation == BO_EQ && IsZero;
  case Failure::Zero:
    return Relation == BO_NE && IsZero;
  case Failure::NotPositive:
    return areAllFailures(How, BinaryOperator::negateComparisonOp(Relation), Number) ||
           (Relation == BO_EQ && !IsZero && !Number.isNegative());
  case Failure::None:
    break;
  }
  return false;
}

Failure failureOf(ASTContext &Context, const CallExpr *Call,
                  const std::optional<LibraryEffect> &Effect) {
  if (Effect && Effect->Opens)
    return Failure::Nonzero;
  if (Effect && !Effect->IsNoted)
    return libraryFunction(Call) == "posix_memalign" || libraryFunction(Call) == "getaddrinfo"
               ? Failure::Nonzero
               : Failure::Negative;
  QualType Type = Call->getCallReturnType(Context);
  if (Effect && Effect->FillsIf == LibraryEffect::Any)
    return Failure::None;
  const auto *Named = Type->getAs<TypedefType>();
  if (Named && Named->getDecl()->getName() == "gboolean") // of GLib: an int
    return Failure::Zero;
  if (Type->isBooleanType() || isSlotType(Type))
    return Failure::Zero;
  return Type->isIntegerType() ? Failure::Nonzero : Failure::None;
}
} // namespace

/// The call whose result this operand of a test is, or was.
const CallExpr *TestTransfer::testedCall(const State &In, const Expr *Operand) const {
  Operand = Operand->IgnoreParenCasts();
  if (const auto *Assignment = dyn_cast<BinaryOperator>(Operand);
      Assignment && Assignment->getOpcode() == BO_Assign)
    Operand = Assignment->getRHS()->IgnoreParenCasts();
  if (const auto *Call = dyn_cast<CallExpr>(Operand))
    return Call;
  const VarDecl *Variable = localVariable(Operand);
  const auto *Kept =
      llvm::find_if(In.Results, [&](const KeptResult &Each) { return Each.In == Variable; });
  return Variable && Kept != In.Results.end() ? Kept->Call : nullptr;
}

void TestTransfer::refineFilled(State &Into, const Expr *Condition, bool IsTrue) const {
  BinaryOperatorKind Relation = BO_NE;
  llvm::APSInt Number(32, false);
  const Expr *Tested = Condition;
  if (const auto *Test = dyn_cast<BinaryOperator>(Condition); Test && Test->isComparisonOp()) {
    std::optional<llvm::APSInt> Right = Test->getRHS()->getIntegerConstantExpr(Context),
                                Left = Test->getLHS()->getIntegerConstantExpr(Context);
    if (!Right && !Left && !All.Values.isNullConstant(Test->getRHS()))
      return;
    Relation =
        Right || !Left ? Test->getOpcode() : BinaryOperator::reverseComparisonOp(Test->getOpcode());
    Tested = Right || !Left ? Test->getLHS() : Test->getRHS();
    if (Right || Left)
      Number = Right ? *Right : *Left;
  }
  if (!IsTrue)
    Relation = BinaryOperator::negateComparisonOp(Relation);
  refineResult(Into, Tested, Relation, Number);
}

/// What numbers that stand in this relation to Number may be; none: it is not told so.
static unsigned char signsOf(BinaryOperatorKind Relation, const llvm::APSInt &Number) {
  const bool IsZero = Number.isZero();
  switch (Relation) {
  case BO_EQ:
    return IsZero ? TouchedPart::Zero : 0;
  case BO_NE:
    return IsZero ? TouchedPart::Positive | TouchedPart::Negative : 0;
  case BO_LT:
    return IsZero ? TouchedPart::Negative : 0;
  case BO_GE:
    return IsZero ? TouchedPart::Zero | TouchedPart::Positive : 0;
  case BO_GT:
    return IsZero ? TouchedPart::Positive : 0;
  case BO_LE:
    return IsZero ? TouchedPart::Zero | TouchedPart::Negative : 0;
  default:
    return 0;
  }
}

void TestTransfer::refineResult(State &Into, const Expr *Tested, BinaryOperatorKind Relation,
                                const llvm::APSInt &Number) const {
  const CallExpr *Call = testedCall(Into, Tested);
  for (TouchedPart &Each : Into.Touched)
    if (Call && Each.By == Call)
      Each.Told &= signsOf(Relation, Number);
  Failure How = Call ? failureOf(Context, Call, Facts.of(Call).Effect) : Failure::None;
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (How == Failure::Nonzero && Callee &&
      Known.Outcomes.fillsIfPositive(Callee->getCanonicalDecl()))
    How = Failure::NotPositive; // it says how much it has found
  bool HasFailed = areAllFailures(How, Relation, Number);
  if (!HasFailed && !areNoFailures(How, Relation, Number))
    return;
  if (const std::optional<LibraryEffect> Effect = Facts.of(Call).Effect;
      Effect && Effect->FillsIf == LibraryEffect::Fails) // what it fills says why
    HasFailed = !HasFailed;
  if (HasFailed)
    refineSlotsFilled(Into, Call);
  for (unsigned I = 0; I != Into.Owners.size(); ++I) {
    OwnerState &Owner = Into.Owners[I];
    if (I >= Vars.ownerCount()) { // something was to be opened there
      constexpr unsigned char Any =
          OwnerState::Live | OwnerState::Failed | OwnerState::Uninitialized;
      if (Owner.FilledBy == Call && Owner.Conditions && !(Owner.Conditions & ~Any))
        Owner.Conditions = HasFailed ? OwnerState::Failed : OwnerState::Live;
      continue;
    }
    if (Owner.FilledBy != Call || !Owner.mayBe(OwnerState::Null) ||
        Owner.mayBe(OwnerState::Consumed))
      continue;
    const bool WasUnset = Owner.mayBe(OwnerState::Uninitialized);
    if (!HasFailed) {
      Owner.Conditions &= ~OwnerState::Uninitialized;
      continue;
    }
    Owner.Conditions = WasUnset ? OwnerState::Uninitialized : OwnerState::Null;
    if (!All.ObjectSlots.empty())
      Into.Slots[I] = SlotState::null(All.slotsOf(I));
  }
}

void TestTransfer::refineSlotsFilled(State &Into, const CallExpr *Call) const {
  for (SlotState &Each : Into.Slots)
    Each.emptyFilledBy(Call);
  llvm::SmallVector<Place, 2> Empty;
  for (const FilledPlace &Each : Into.Filled)
    if (Each.By == Call)
      Empty.push_back(Each.Slot);
  llvm::erase_if(Into.Filled, [Call](const FilledPlace &Each) { return Each.By == Call; });
  // On another path it may hold what was there before.
  for (const Place &Each : Empty)
    if (llvm::none_of(Into.Filled, [&](const FilledPlace &It) { return It.Slot == Each; }))
      Into.Empty.push_back(Each);
}

void TestTransfer::keepResult(const VarDecl *Variable, const Expr *Value) {
  const auto *Call = Value ? dyn_cast<CallExpr>(Value->IgnoreParenCasts()) : nullptr;
  if (Call && !Vars.isAddressTaken(Variable) &&
      (llvm::any_of(Now.Owners, [&](const OwnerState &Each) { return Each.FilledBy == Call; }) ||
       llvm::any_of(Now.Slots, [&](const SlotState &Each) { return Each.isFilledBy(Call); }) ||
       llvm::any_of(Now.Filled, [&](const FilledPlace &Each) { return Each.By == Call; }) ||
       llvm::any_of(Now.Touched, [&](const TouchedPart &Each) { return Each.By == Call; })))
    Now.Results.push_back({Variable, Call});
}
