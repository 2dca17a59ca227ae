// SPDX-License-Identifier: MIT
//===- Borrowing.cpp - Loans, and what ends them ---------------------------===//
#include "plugin/Annotations.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Library.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using namespace acre::ast;

void BorrowTransfer::read(unsigned Borrower, const Expr *At) {
  BorrowerState &State = Now.Borrowers[Borrower];
  if (Given.Rests) {
    Given.Rests->Steady.insert(State.SparedBy.begin(), State.SparedBy.end());
    Given.Rests->SteadyAlone.insert(State.SparedAloneBy.begin(), State.SparedAloneBy.end());
  }
  if (State.IsDangling || State.IsDoubtful) {
    const std::string Name =
        "'" +
        (Borrower < Vars.borrowerCount() ? Vars.borrower(Borrower)->getNameAsString()
                                         : textOf(Context, At)) +
        "'";
    if (All.Lenders.reportLost(State, Name, At))
      return;
    const VarDecl *From = Vars.variableOfRoot(State.LostRoot);
    if (!State.IsDangling)
      Says.report(Diag::ArenaDoubtful, At, unsigned(ArenaUse::Used), From);
    else if (Vars.isArena(State.LostRoot))
      Says.report(Diag::ArenaDangling, At, Name, From);
    else if (Vars.isOpenFrame(State.LostRoot))
      Says.report(Diag::FrameDangling, At, Name, From);
    else
      Says.report(Diag::BorrowerDangling, At, Name,
                  All.Aliases.isEndedAlias(State.LostRoot) ? 2u : unsigned(From != nullptr), From);
    bool IsOfBlock = Vars.isArena(State.LostRoot) || Vars.isOpenFrame(State.LostRoot) ||
                     All.Aliases.isEndedAlias(State.LostRoot);
    Says.noteSites(State.LostAt, IsOfBlock ? "the block ends here" : "lost here");
    State = BorrowerState{Loans(Vars.rootCount())};
  }
}

void BorrowTransfer::movePointer(const VarDecl *Variable) {
  if (std::optional<unsigned> Borrower = Vars.borrowerOf(Variable)) {
    Now.forgetAbove(*Borrower);
    Loans &From = Now.Borrowers[*Borrower].From;
    From.MayBeOther = true;
    From.IsCell = false;
    From.At = OwnSlot();
  }
}

std::optional<Summaries::Parameter> BorrowTransfer::plainParameter(unsigned Root) const {
  const ParmVarDecl *Parameter = Vars.parameterOfRoot(Root);
  if (!Parameter || disciplineOf(Parameter->getType()) != Discipline::None ||
      Vars.isAlone(Parameter))
    return std::nullopt;
  return Summaries::Parameter(Function->getCanonicalDecl(), Parameter->getFunctionScopeIndex());
}

bool BorrowTransfer::escapePlain(const Value &What) {
  if (What.Lent.Deep.any()) // a unique pointer in memory owns it
    return false;
  llvm::SmallBitVector Roots = What.Lent.roots();
  for (unsigned Root : Roots.set_bits())
    if (const ParmVarDecl *Parameter = Vars.parameterOfRoot(Root);
        Vars.isExclusive(Root) || (Parameter && isLentReference(Parameter->getType())))
      return false;
  for (unsigned Root : Roots.set_bits())
    if (std::optional<Summaries::Parameter> Plain = plainParameter(Root))
      Known.escapes(*Plain);
  return true;
}

OwnSlot BorrowTransfer::ownSlot(const Expr *Slot) const {
  QualType Type = Slot->getType();
  if (Type->isIncompleteType() || Type->isFunctionType() || Type->isVariableArrayType())
    return {};
  int64_t Offset = 0, Size = int64_t(Context.getTypeSize(Type));
  while (true) {
    Slot = Slot->IgnoreParens();
    if (const auto *Named = dyn_cast<DeclRefExpr>(Slot)) {
      const auto *Global = dyn_cast<VarDecl>(Named->getDecl());
      const bool IsOne = Global && Global->hasGlobalStorage() && !Global->hasAttr<AliasAttr>();
      return IsOne ? OwnSlot{Global->getCanonicalDecl(), Offset, Size} : OwnSlot();
    }
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Slot)) {
      const auto *Decay = dyn_cast<CastExpr>(Element->getBase()->IgnoreParens());
      if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
        return {};
      Slot = Decay->getSubExpr();
      const ConstantArrayType *Array = Context.getAsConstantArrayType(Slot->getType());
      std::optional<llvm::APSInt> Number = Element->getIdx()->getIntegerConstantExpr(Context);
      if (!Array)
        return {};
      if (Number && Array->getSize().ugt(Number->getLimitedValue())) {
        Offset += int64_t(Number->getZExtValue() * Context.getTypeSize(Array->getElementType()));
      } else {
        Offset = 0;
        Size = int64_t(Context.getTypeSize(Array));
      }
      continue;
    }
    const auto *Member = dyn_cast<MemberExpr>(Slot);
    const auto *Field = Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
    if (!Field || Field->getParent()->isUnion())
      return {};
    Offset += int64_t(Context.getFieldOffset(Field));
    const Expr *Base = Member->getBase();
    const VarDecl *Variable = Member->isArrow() ? nullptr : localVariable(Base);
    const std::optional<unsigned> Frame = Variable ? Vars.rootOfFrame(Variable) : std::nullopt;
    if (!Member->isArrow() && !Frame) {
      Slot = Base;
      continue;
    }
    const OwnSlot Found = {cast<RecordDecl>(Field->getParent()->getCanonicalDecl()), Offset, Size};
    if (Frame)
      return Vars.isExclusive(*Frame) ? Found : OwnSlot();
    const Loans Of = All.Values.loansOf(All.Values.evaluate(Base));
    const bool IsWithin = Of.Direct.count() == 1 && Of.Deep.none() && !Of.IsOpen &&
                          Vars.isExclusive(Of.Direct.find_first());
    return IsWithin ? Found : OwnSlot();
  }
}

namespace {
/// Looks for ways from what a callee is lent to the object that it is a part of: these lead over
/// pointers that own nothing.
class WaysBack {
public:
  WaysBack(ASTContext &Context, const Decl *Whole) : Context(Context), Whole(Whole) {}
  /// IsOther: what has this type may be the object itself.
  bool leadFrom(QualType Type, bool IsOther = false);

private:
  /// Whether this points to what a library has made, and the program does not look into.
  bool isHandle(QualType Type) const;
  /// Whether the whole has such a structure in it.
  bool hasPart(const RecordDecl *Record) const;

  ASTContext &Context;
  const Decl *Whole;
  llvm::DenseSet<std::pair<const RecordDecl *, unsigned>> Seen;
};
} // namespace

bool WaysBack::isHandle(QualType Type) const {
  const SourceManager &Sources = Context.getSourceManager();
  const auto *Named = Type->getAs<TypedefType>();
  const QualType Pointee = Type->getPointeeType();
  if (Named && Pointee->isVoidType())
    return Sources.isInSystemHeader(Named->getDecl()->getLocation());
  const RecordDecl *Record = Pointee->getAsRecordDecl();
  return Record && (!closersOf(Pointee).empty() ||
                    (!Record->getDefinition() && Sources.isInSystemHeader(Record->getLocation())));
}

bool WaysBack::hasPart(const RecordDecl *Record) const {
  llvm::SmallVector<const RecordDecl *, 4> Work = {cast<RecordDecl>(Whole)};
  llvm::SmallPtrSet<const RecordDecl *, 4> Met;
  while (!Work.empty()) {
    const RecordDecl *Next = Work.pop_back_val()->getDefinition();
    if (!Next || !Met.insert(Next).second)
      continue;
    for (const FieldDecl *Field : Next->fields())
      if (const RecordDecl *Inner =
              Context.getBaseElementType(Field->getType())->getAsRecordDecl()) {
        if (Inner->getCanonicalDecl() == Record->getCanonicalDecl())
          return true;
        Work.push_back(Inner);
      }
  }
  return false;
}

bool WaysBack::leadFrom(QualType Type, bool IsOther) {
  Type = Context.getBaseElementType(Type);
  if (const auto *Atomic = Type->getAs<AtomicType>())
    return leadFrom(Atomic->getValueType(), IsOther);
  if (isSlotType(Type)) {
    if (isHandle(Type))
      return false;
    IsOther |= disciplineOf(Type) != Discipline::Unique;
    Type = Type->getPointeeType();
    return !Type->isFunctionType() && (Type->isIncompleteType() || leadFrom(Type, IsOther));
  }
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record || (IsOther && (Record->getCanonicalDecl() == Whole ||
                              (hasUniqueSlots(Context, Type) && hasPart(Record)))))
    return Record != nullptr;
  Record = Record->getDefinition();
  if (!Seen.insert({Record, unsigned(IsOther)}).second)
    return false;
  return llvm::any_of(Record->fields(),
                      [&](const FieldDecl *Field) { return leadFrom(Field->getType(), IsOther); });
}

/// The array that Lvalue is an element of, or Lvalue; null: a pointer leads to it.
static const Expr *wholeArray(const Expr *Lvalue) {
  Lvalue = Lvalue->IgnoreParens();
  while (const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue)) {
    const auto *Decay = dyn_cast<CastExpr>(Element->getBase()->IgnoreParens());
    if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
      return nullptr;
    Lvalue = Decay->getSubExpr()->IgnoreParens();
  }
  return Lvalue;
}

OwnSlot BorrowTransfer::partAt(const Expr *Lvalue, const Loans &Address) const {
  if (Address.IsOpen || Address.Deep.any() || Address.Direct.count() != 1)
    return {};
  Lvalue = wholeArray(Lvalue); // the pointer may be moved to another element
  return Lvalue ? ownSlot(Lvalue) : OwnSlot();
}

OwnSlot BorrowTransfer::firstSlot(const Expr *Slot, const Loans &Holder) const {
  return Holder.firstSlot(Holder.Deep.none() ? ownSlot(Slot) : OwnSlot());
}

/// Whether a cast on the way makes this the address of something larger, such as what the object
/// is a part of.
static bool isWidened(const ASTContext &Context, const Expr *Argument) {
  const QualType Object = Argument->IgnoreParenCasts()->getType()->getPointeeType();
  if (Object.isNull() || Object->isIncompleteType() || Object->isFunctionType())
    return false;
  for (Argument = Argument->IgnoreParens(); const auto *Cast = dyn_cast<CastExpr>(Argument);
       Argument = Cast->getSubExpr()->IgnoreParens()) {
    const QualType Into = Cast->getType()->getPointeeType();
    if (!Into.isNull() && !Into->isIncompleteType() && !Into->isFunctionType() &&
        Context.getTypeSize(Into) > Context.getTypeSize(Object))
      return true;
  }
  return false;
}

OwnSlot BorrowTransfer::partLent(const Expr *Argument, const Loans &From, bool MayWalk) const {
  if (isWidened(Context, Argument))
    return {};
  Argument = Argument->IgnoreParenCasts();
  const auto *Address = dyn_cast<UnaryOperator>(Argument);
  const bool IsAddress = Address && Address->getOpcode() == UO_AddrOf;
  const Expr *Lent = IsAddress ? Address->getSubExpr() : nullptr;
  if (Lent && MayWalk)
    Lent = wholeArray(Lent);
  const OwnSlot Part = Lent                               ? ownSlot(Lent)
                       : !IsAddress && From.Direct.none() ? From.Via
                                                          : OwnSlot();
  QualType Type =
      IsAddress ? Address->getSubExpr()->getType() : Argument->getType()->getPointeeType();
  return partWithoutWayBack(Part, Type);
}

OwnSlot BorrowTransfer::partWithoutWayBack(const OwnSlot &Part, QualType Type) const {
  if (!Part.Object || Type.isNull() || Type->isIncompleteType())
    return {};
  const auto *Global = dyn_cast<VarDecl>(Part.Object);
  const RecordDecl *Whole = Global
                                ? Context.getBaseElementType(Global->getType())->getAsRecordDecl()
                                : cast<RecordDecl>(Part.Object);
  if (Whole && WaysBack(Context, Whole->getCanonicalDecl()).leadFrom(Type))
    return {};
  return Part;
}

void BorrowTransfer::changeSlots(const llvm::SmallBitVector &Roots, ArrayRef<unsigned> Except,
                                 const Stmt *At, const FunctionDecl *Spared, const OwnSlot &Slot) {
  All.Aliases.changeBelowAliased(Roots, At);
  llvm::SmallBitVector Changed = Roots;
  All.Aliases.addAliased(Changed);
  // What is open to all may be the same memory.
  if (Changed.anyCommon(OpenRoots))
    Changed |= OpenRoots;
  for (KeyState &Each : Now.Keys)
    if (Each.From.Deep.anyCommon(Changed))
      Each.Slot = nullptr;
  for (unsigned I = 0; I != Now.Borrowers.size(); ++I) {
    BorrowerState &Each = Now.Borrowers[I];
    if (!Each.From.Deep.anyCommon(Changed) || llvm::is_contained(Except, I) ||
        Each.From.Via.isApartFrom(Slot))
      continue;
    if (Spared) {
      llvm::SmallBitVector Ended = Each.From.Deep;
      Ended &= Changed;
      auto &By = Ended.anyCommon(OpenRoots) ? Each.SparedBy : Each.SparedAloneBy;
      if (!llvm::is_contained(By, Spared))
        By.push_back(Spared);
      noteEnded(I, At);
      continue;
    }
    const bool WasDangling = Each.IsDangling;
    Now.changeBorrower(I);
    llvm::SmallBitVector Lost = Each.From.Deep;
    Lost &= Changed;
    // Below an owner that is null nothing hangs.
    const std::optional<unsigned> Owner =
        Lost.count() == 1 && !WasDangling ? Vars.ownerOfRoot(Lost.find_first()) : std::nullopt;
    if (Owner)
      Now.LoanImplications.push_back({{nullptr, Owner, 0, true}, I});
    Each.lose(Lost.find_first(), At);
    noteEnded(I, At);
  }
}

void BorrowTransfer::noteEnded(unsigned Borrower, const Stmt *At) {
  if (Says.isOn() && Borrower < Vars.borrowerCount())
    All.Ended[At].push_back(Vars.borrower(Borrower));
}

void BorrowTransfer::giveAway(const Expr *Argument, const CallExpr *Call) {
  const auto *Cast = dyn_cast<ExplicitCastExpr>(Argument->IgnoreParenImpCasts());
  if (!Cast || disciplineOf(Cast->getTypeAsWritten()) != Discipline::Unique)
    return;
  const VarDecl *Plain = localVariable(Cast->getSubExpr()->IgnoreParenImpCasts());
  if (const std::optional<unsigned> Borrower = Plain ? Vars.borrowerOf(Plain) : std::nullopt)
    Now.changeBorrower(*Borrower).lose(Variables::SharedRoot, Call);
}

void BorrowTransfer::loseRoot(unsigned Root, const Stmt *At) {
  for (unsigned I = 0; I != Now.Borrowers.size(); ++I) {
    BorrowerState &Each = Now.Borrowers[I];
    bool IsLost = Each.From.contains(Root);
    if (!IsLost && !Each.From.Maybe.test(Root))
      continue;
    if (IsLost || !Each.IsDangling)
      Each.LostRoot = Root;
    if (IsLost)
      Now.changeBorrower(I);
    (IsLost ? Each.IsDangling : Each.IsDoubtful) = true;
    Each.IsStale &= !IsLost;
    Each.LostAt.add(At);
    if (IsLost)
      noteEnded(I, At);
  }
  if (const std::optional<unsigned> Owner = Vars.ownerOfRoot(Root); Owner && All.Lenders.any())
    All.Lenders.end(Vars.owner(*Owner), At);
  All.Arenas.loseKeys(Root, At);
  All.Aliases.changeAliased(Root, At);
}

const VarDecl *BorrowTransfer::nameOf(const Value &What) const {
  if (!What.Owners.empty())
    return cast<VarDecl>(What.Owners.front()->getDecl());
  for (unsigned Root : All.Values.loansOf(What).numbers())
    if (const VarDecl *Variable = Vars.variableOfRoot(Root))
      return Variable;
  return nullptr;
}
