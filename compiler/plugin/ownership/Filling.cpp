// SPDX-License-Identifier: MIT
//===- Filling.cpp - What functions do to the slots of structures ----------===//

#include "plugin/ownership/Filling.h"
#include "plugin/Annotations.h"
#include "plugin/ownership/Plain.h"
#include "plugin/ownership/Steady.h"
#include "plugin/ownership/Summary.h"
#include "plugin/ownership/Unset.h"
#include "plugin/ownership/Value.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include <map>

using namespace clang;
using namespace acre::ast;

namespace {

/// The parents of what a body evaluates, and where each subtree of it ends.
class Nesting {
public:
  explicit Nesting(const Evaluated &Body) {
    for (unsigned I = 0; I != Body.size(); ++I)
      Ends[Body[I]] = I;
    for (const Stmt *Each : Body)
      for (const Stmt *Child : Each->children())
        if (Child)
          Parents[Child] = Each;
    for (auto Each = Body.rbegin(); Each != Body.rend(); ++Each)
      if (const Stmt *Parent = parentOf(*Each))
        if (auto Found = Ends.find(Parent); Found != Ends.end())
          Found->second = std::max(Found->second, Ends[*Each]);
  }
  const Stmt *parentOf(const Stmt *Node) const { return Parents.lookup(Node); }
  unsigned endOf(const Stmt *Node) const { return Ends.lookup(Node); }
  /// The node above Node, without parentheses.
  const Stmt *aboveParens(const Stmt *Node) const {
    do
      Node = parentOf(Node);
    while (Node && isa<ParenExpr>(Node));
    return Node;
  }
  /// The node above Node, without parentheses and casts.
  const Stmt *userOf(const Stmt *Node) const {
    do
      Node = parentOf(Node);
    while (Node && isa<ParenExpr, CastExpr>(Node));
    return Node;
  }

private:
  llvm::DenseMap<const Stmt *, const Stmt *> Parents;
  llvm::DenseMap<const Stmt *, unsigned> Ends;
};

/// Null: it is no structure, or not a whole one.
const RecordDecl *definitionOf(QualType Type) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  return Record ? Record->getDefinition() : nullptr;
}

/// Follows one parameter.
class Filling {
public:
  Filling(ASTContext &Context, PlainFacts &Facts, const Summaries &Known, const Nesting &Tree,
          const ParmVarDecl *Parameter)
      : Context(Context), Facts(Facts), Known(Known), Tree(Tree),
        Record(definitionOf(Parameter->getType()->getPointeeType())),
        Count(owningSlots(Context, Parameter->getType()->getPointeeType()).count()) {
    Use.Fills.resize(Count);
    Use.Takes.resize(Count);
    Use.Reads.resize(Count);
    Passed.resize(Count);
    FirstSet.assign(Count, Never);
    FirstOther.assign(Count, Never);
  }
  /// One place where the parameter is named.  False: it is not known what happens to it.
  bool name(const DeclRefExpr *Reference);
  SlotUse result();

private:
  static constexpr unsigned Never = ~0u;
  struct Part {
    const Expr *Lvalue;
    unsigned First, Count;
    const FieldDecl *Member; ///< of the structure; null: all of it
    bool IsMany;             ///< an element, or a member of a union
  };
  bool use(const Part &At);
  bool pass(const CallExpr *Call, const Expr *Argument, const Part &At);
  void set(const Part &At, unsigned When, bool IsFilled);
  void lookAt(const Part &At, unsigned When);
  void take(const Part &At, unsigned When) {
    Use.Takes.set(At.First, At.First + At.Count);
    read(At, When);
  }
  /// Something else may take it.
  void passOn(const Part &At) {
    Use.Takes.set(At.First, At.First + At.Count);
    Passed.set(At.First, At.First + At.Count);
  }
  void read(const Part &At, unsigned When) {
    Use.Reads.set(At.First, At.First + At.Count);
    lookAt(At, When);
  }

  ASTContext &Context;
  PlainFacts &Facts;
  const Summaries &Known;
  const Nesting &Tree;
  const RecordDecl *Record; ///< null: the parameter points to one slot
  const unsigned Count;
  SlotUse Use;
  llvm::SmallBitVector Passed;                // what is taken otherwise than by acre_take
  std::vector<unsigned> FirstSet, FirstOther; // by slot: when
  llvm::DenseSet<const FieldDecl *> Set;
};

bool Filling::name(const DeclRefExpr *Reference) {
  const Stmt *Node = Tree.aboveParens(Reference);
  if (const auto *Load = dyn_cast_or_null<ImplicitCastExpr>(Node);
      !Load || Load->getCastKind() != CK_LValueToRValue)
    return false;
  const Stmt *User = Tree.userOf(Node);
  if (!User)
    return true; // a statement of its own
  Part At = {nullptr, 0, Count, nullptr, false};
  if (const auto *Call = dyn_cast<CallExpr>(User))
    return pass(Call, Reference, At);
  const auto *Deref = dyn_cast<UnaryOperator>(User);
  const auto *Member = dyn_cast<MemberExpr>(User);
  if (Deref && Deref->getOpcode() == UO_Deref) {
    At.Lvalue = Deref;
    return use(At);
  }
  if (!Member) { // a test
    const auto *Operator = dyn_cast<BinaryOperator>(User);
    Use.IsKept |= isa<ReturnStmt>(User);
    return isa<IfStmt, WhileStmt, ForStmt, DoStmt, ReturnStmt>(User) ||
           (Deref && Deref->getOpcode() == UO_LNot) ||
           (Operator && (Operator->isEqualityOp() || Operator->isLogicalOp()));
  }
  const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
  if (!Field || !Record || Field->getParent()->getDefinition() != Record)
    return false;
  At = {Member, firstSlotOf(Context, Field), owningSlots(Context, Field->getType()).count(), Field,
        Record->isUnion()};
  // The parts of that member.
  while (true) {
    const Stmt *Above = Tree.aboveParens(At.Lvalue);
    const auto *Inner = dyn_cast_or_null<MemberExpr>(Above);
    const auto *Decay = dyn_cast_or_null<ImplicitCastExpr>(Above);
    if (Inner && !Inner->isArrow()) {
      const auto *Next = cast<FieldDecl>(Inner->getMemberDecl());
      At.IsMany |= Next->getParent()->isUnion();
      At.First += firstSlotOf(Context, Next);
      At.Count = owningSlots(Context, Next->getType()).count();
      At.Lvalue = Inner;
    } else if (Decay && Decay->getCastKind() == CK_ArrayToPointerDecay &&
               isa_and_nonnull<ArraySubscriptExpr>(Tree.parentOf(Decay))) {
      At.IsMany = true;
      At.Lvalue = cast<Expr>(Tree.parentOf(Decay));
    } else {
      return use(At);
    }
  }
}

void Filling::set(const Part &At, unsigned When, bool IsFilled) {
  if (At.Member)
    Set.insert(At.Member);
  else if (Record)
    Set.insert(Record->field_begin(), Record->field_end());
  for (unsigned I = At.First; I != At.First + At.Count; ++I) {
    FirstSet[I] = std::min(FirstSet[I], When);
    if (IsFilled)
      Use.Fills.set(I);
  }
}

void Filling::lookAt(const Part &At, unsigned When) {
  for (unsigned I = At.First; I != At.First + At.Count; ++I)
    FirstOther[I] = std::min(FirstOther[I], When);
}

bool Filling::use(const Part &At) {
  const Stmt *Above = Tree.aboveParens(At.Lvalue);
  const auto *Assignment = dyn_cast_or_null<BinaryOperator>(Above);
  if (Assignment && Assignment->isAssignmentOp() &&
      Assignment->getLHS()->IgnoreParens() == At.Lvalue) {
    const Expr *Put = Assignment->getRHS()->IgnoreParenCasts();
    const bool IsNull = isNullPointer(Context, Put);
    if (!isOwning(At.Lvalue->getType())) // what a whole structure is set to is not looked at
      passOn(At);
    set(At, Tree.endOf(Assignment), !IsNull && isOwning(At.Lvalue->getType()));
    return true;
  }
  if (const auto *Address = dyn_cast_or_null<UnaryOperator>(Above);
      Address && Address->getOpcode() == UO_AddrOf) {
    if (const auto *Call = dyn_cast_or_null<CallExpr>(Tree.userOf(Address)))
      return pass(Call, Address, At);
    Use.IsKept = true;
    return At.Count == 0;
  }
  if (const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Above);
      Cast && Cast->getCastKind() == CK_ArrayToPointerDecay) {
    if (const auto *Call = dyn_cast_or_null<CallExpr>(Tree.userOf(Cast)); Call && !At.Count)
      return pass(Call, At.Lvalue, At);
    Use.IsKept = true;
    if (At.Member)
      Set.insert(At.Member);
    if (At.Count) {
      passOn(At);
      read(At, Tree.endOf(At.Lvalue));
    }
    return true;
  }
  read(At, Tree.endOf(At.Lvalue));
  return true;
}

bool Filling::pass(const CallExpr *Call, const Expr *Argument, const Part &At) {
  const unsigned When = Tree.endOf(Call);
  if (isSwap(Call)) {
    if (isNullPointer(Context, Call->getArg(1))) {
      take(At, When);
      return true;
    }
    // What begins with a value may begin as null: it is set, and not only looked at.  Callers give
    // null to empty the slot.
    if (isa_and_nonnull<ParmVarDecl>(localVariable(Call->getArg(1)->IgnoreParenCasts())))
      passOn(At);
    Use.Fills.set(At.First, At.First + At.Count);
    lookAt(At, When);
    return true;
  }
  unsigned Index = 0;
  while (Index != Call->getNumArgs() && Call->getArg(Index)->IgnoreParenCasts() != Argument)
    ++Index;
  QualType To = Index == Call->getNumArgs() ? QualType() : parameterType(Call, Index);
  const std::optional<LibraryEffect> Effect = Facts.of(Call).Effect;
  const QualType Into = To.isNull() ? To : To->getPointeeType(); // null for a number
  const FunctionDecl *Callee = Call->getDirectCallee();
  const bool IsBorrowed = !To.isNull() && disciplineOf(To) == Discipline::Borrowed;
  const SlotUse *Inner = Callee ? Known.slotUse({Callee->getCanonicalDecl(), Index}) : nullptr;
  const bool IsResultUsed = isa_and_nonnull<Expr, DeclStmt, ReturnStmt>(Tree.userOf(Call));
  // What another function makes of the address may be that of a neighbour.
  const bool LeadsOn = isSlotType(Call->getType()) && IsResultUsed;
  Use.MayWalk |=
      Effect ? LeadsOn && Effect->pointsInto(Index) : LeadsOn || !Inner || Inner->MayWalk;
  if (Effect ? Effect->keeps(Index) || (Effect->pointsInto(Index) && IsResultUsed) : !IsBorrowed)
    Use.IsKept |= !Inner || Inner->IsKept;
  if (Effect && overwrittenArgument(Call) == Index) {
    set(At, When, false);
  } else if (saysOut(To) || (Effect && Effect->Filled == Index)) {
    set(At, When, true);
  } else if ((Effect && !Effect->CallsBack && !Effect->endsAny()) ||
             (!Into.isNull() && Into.isConstQualified())) {
    At.Count ? read(At, When) : set(At, When, false);
  } else if (Inner && Inner->Fills.size() == At.Count) {
    for (unsigned I : Inner->Fills.set_bits())
      Use.Fills.set(At.First + I);
    for (unsigned I : Inner->Takes.set_bits()) {
      Use.Takes.set(At.First + I);
      Passed.set(At.First + I);
    }
    for (unsigned I : Inner->Reads.set_bits())
      Use.Reads.set(At.First + I);
    Inner->Begins ? set(At, When, false) : lookAt(At, When);
  } else { // a part is more often begun
    passOn(At);
    At.Member ? set(At, When, false) : lookAt(At, When);
  }
  return true;
}

SlotUse Filling::result() {
  unsigned Members = 0;
  bool AreAllSet = true;
  for (const FieldDecl *Each : Record ? Record->fields() : RecordDecl::field_range({}, {})) {
    Members += !Each->isUnnamedBitField();
    AreAllSet &= Each->isUnnamedBitField() || Set.contains(Each);
  }
  for (unsigned I = 0; I != Count; ++I)
    if (FirstSet[I] != Never)
      Use.Reads.reset(I);
  bool IsFirst = true;
  for (unsigned I = 0; I != Count; ++I)
    IsFirst &= FirstSet[I] != Never && FirstSet[I] <= FirstOther[I];
  Use.TakenHere = Use.Takes;
  Use.TakenHere.reset(Passed);
  // One member alone is more often given another value than its first.
  Use.Begins = IsFirst && Members > 1 && AreAllSet && !Record->isUnion();
  return Use;
}

} // namespace

void acre::ast::noteSlotUses(ASTContext &Context, PlainFacts &Facts, Summaries &Known,
                             const FunctionDecl *Definition, const Evaluated &Body) {
  std::map<const VarDecl *, Filling> Followed;
  std::optional<Nesting> Tree;
  if (!isOwnBody(Definition))
    return;
  for (const ParmVarDecl *Each : Definition->parameters()) {
    QualType Pointee = isSlotType(Each->getType()) ? Each->getType()->getPointeeType() : QualType();
    if (isOwning(Each->getType()) || Pointee.isNull() ||
        (!isOwning(Pointee) && !definitionOf(Pointee)) || !Facts.hasUniqueSlots(Pointee))
      continue;
    if (!Tree)
      Tree.emplace(Body);
    Followed.emplace(Each, Filling(Context, Facts, Known, *Tree, Each));
  }
  if (Followed.empty())
    return;
  for (const Stmt *Node : Body)
    if (const auto *Reference = dyn_cast<DeclRefExpr>(Node))
      if (auto Found = Followed.find(dyn_cast<VarDecl>(Reference->getDecl()));
          Found != Followed.end() && !Found->second.name(Reference))
        Followed.erase(Found);
  for (auto &[Parameter, Each] : Followed)
    Known.usesSlots(
        {Definition->getCanonicalDecl(), cast<ParmVarDecl>(Parameter)->getFunctionScopeIndex()},
        Each.result());
}
