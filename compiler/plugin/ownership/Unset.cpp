// SPDX-License-Identifier: MIT
//===- Unset.cpp - Owning slots of objects that may not be set yet --------===//

#include "plugin/ownership/Unset.h"
#include "plugin/Annotations.h"
#include "plugin/Checks.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Choices.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

namespace {
/// Where a slot is.
struct Way {
  std::string Path;
  bool IsMany = false;
  const FieldDecl *Array = nullptr; ///< or a variable, if IsElement is set
  bool IsElement = false;
  unsigned Union = 0;
};
} // namespace

static void appendSlots(ASTContext &Context, QualType Type, const Way &At, OwningSlots &Into) {
  if (isOwning(Type)) {
    Into.Paths.push_back(At.Path);
    Into.Many.resize(Into.count(), At.IsMany);
    Into.Elements.resize(Into.count(), At.IsElement);
    Into.Holders.push_back(At.Array);
    Into.Unions.push_back(At.Union);
  } else if (const ArrayType *Array = Context.getAsArrayType(Type)) {
    Way Next = At;
    Next.Path += "[...]";
    Next.IsMany = Next.IsElement = true;
    appendSlots(Context, Array->getElementType(), Next, Into);
  } else if (const RecordDecl *Record = Type->getAsRecordDecl();
             Record && Record->getDefinition()) {
    for (const FieldDecl *Field : Record->getDefinition()->fields()) {
      Way Next = At;
      if (Field->getIdentifier())
        Next.Path += "." + Field->getNameAsString();
      Next.IsMany |= Record->isUnion();
      if (Record->isUnion() && !Next.Union)
        Next.Union = Into.count() + 1;
      if (!Next.IsElement && Field->getType()->isArrayType())
        Next.Array = Field;
      appendSlots(Context, Field->getType(), Next, Into);
    }
  }
}

OwningSlots acre::ast::owningSlots(ASTContext &Context, QualType Type) {
  OwningSlots Result;
  if (!Type.isNull() && hasUniqueSlots(Context, Type))
    appendSlots(Context, Type, Way(), Result);
  return Result;
}

/// How many owningSlots has. It is asked for each use of a member, so it names none of them.
static unsigned slotCount(ASTContext &Context, QualType Type) {
  if (isOwning(Type))
    return 1;
  if (const ArrayType *Array = Context.getAsArrayType(Type))
    return slotCount(Context, Array->getElementType());
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  unsigned Count = 0;
  if (Record && hasUniqueSlots(Context, Type))
    for (const FieldDecl *Field : Record->fields())
      Count += slotCount(Context, Field->getType());
  return Count;
}

unsigned acre::ast::firstSlotOf(ASTContext &Context, const FieldDecl *Field) {
  unsigned First = 0;
  for (const FieldDecl *Each : Field->getParent()->fields()) {
    if (Each->getCanonicalDecl() == Field->getCanonicalDecl())
      break;
    First += slotCount(Context, Each->getType());
  }
  return First;
}

SlotState SlotState::unset(const OwningSlots &Slots) {
  SlotState Result;
  Result.Bits = Slots.Many;
  Result.Bits.flip();
  return Result;
}

SlotState SlotState::set(const OwningSlots &Slots) {
  SlotState Result;
  Result.Bits = Slots.Many;
  return Result;
}

SlotState SlotState::null(const OwningSlots &Slots) {
  SlotState Result = set(Slots);
  Result.Null = Slots.Many;
  Result.Null.flip();
  return Result;
}

void SlotState::setNull(unsigned Slot, bool IsNull) {
  if (Slot >= Null.size() && !IsNull)
    return;
  Null.resize(std::max<size_t>(Null.size(), Slot + 1));
  Null[Slot] = IsNull;
}

bool SlotState::join(const SlotState &Other) {
  const unsigned NullBefore = Null.count();
  Null.resize(std::min(Null.size(), Other.Null.size()));
  for (unsigned I : llvm::to_vector<4>(Null.set_bits()))
    Null[I] = Other.Null.test(I);
  bool HasChanged = NullBefore != Null.count() || Other.Bits.test(Bits) || Other.Live.test(Live) ||
                    Other.Foreign.test(Foreign);
  Bits |= Other.Bits;
  Live |= Other.Live;
  Foreign |= Other.Foreign;
  for (unsigned I = 0; I != FilledBy.size(); ++I)
    if (I >= Other.FilledBy.size() || FilledBy[I] != Other.FilledBy[I])
      HasChanged |= std::exchange(FilledBy[I], Filler()).Call != nullptr;
  Parts.resize(std::max(Parts.size(), Other.Parts.size()));
  for (unsigned I = 0; I != Other.Parts.size(); ++I) {
    HasChanged |= (Other.Parts[I] & ~Parts[I]) != 0;
    Parts[I] |= Other.Parts[I];
  }
  return HasChanged;
}

SlotFacts SlotFacts::operator|(const SlotFacts &Other) const {
  return {Bit || Other.Bit, MayBeLive || Other.MayBeLive, MayBeForeign || Other.MayBeForeign,
          MayBeOther || Other.MayBeOther, Parts | Other.Parts};
}

SlotFacts SlotFacts::operator&(const SlotFacts &Other) const {
  return {Bit && Other.Bit, MayBeLive && Other.MayBeLive, MayBeForeign && Other.MayBeForeign,
          MayBeOther && Other.MayBeOther, Parts & Other.Parts};
}

SlotFacts SlotState::facts(unsigned Slot) const {
  return {Bits.test(Slot), Slot < Live.size() && Live.test(Slot), mayBeForeign(Slot), !isNull(Slot),
          Slot < Parts.size() ? Parts[Slot] : 0};
}

void SlotState::restrict(unsigned Slot, const SlotFacts &To) {
  const SlotFacts Left = facts(Slot) & To;
  Bits[Slot] = Left.Bit;
  if (Slot < Live.size())
    Live[Slot] = Left.MayBeLive;
  if (Slot < Foreign.size())
    Foreign[Slot] = Left.MayBeForeign;
  if (Slot < Parts.size())
    Parts[Slot] = Left.Parts;
  setNull(Slot, !Left.MayBeOther);
}

void SlotState::setMember(const OwningSlots &Slots, unsigned Slot, bool MayBeLive) {
  for (unsigned I = 0; I != Slots.count(); ++I)
    if (Slots.Unions[I] == Slots.Unions[Slot])
      setLive(I, 1, I == Slot && MayBeLive);
}

void SlotState::setElement(unsigned Slot, std::optional<uint64_t> Index, bool MayBeLive) {
  const unsigned Part = Index && *Index < MostParts ? *Index : MostParts - 1;
  if (Slot < FilledBy.size() && FilledBy[Slot].Element == Index)
    FilledBy[Slot] = Filler();
  Parts.resize(std::max<size_t>(Parts.size(), Slot + 1));
  if (MayBeLive)
    Parts[Slot] |= uint64_t(1) << Part;
  else
    Parts[Slot] &= ~(uint64_t(1) << Part);
}

void SlotState::setLive(unsigned First, unsigned Count, bool MayBeLive) {
  Live.resize(std::max<size_t>(Live.size(), First + Count));
  for (unsigned I = First; I != First + Count; ++I) {
    Live[I] = MayBeLive;
    setNull(I, false);
  }
  for (unsigned I = First; I < std::min<size_t>(First + Count, Parts.size()); ++I)
    Parts[I] = 0;
  for (unsigned I = First; I < std::min<size_t>(First + Count, Foreign.size()); ++I)
    Foreign.reset(I);
  for (unsigned I = First; I < std::min<size_t>(First + Count, FilledBy.size()); ++I)
    FilledBy[I] = Filler();
}

void SlotState::setFilledBy(unsigned Slot, const CallExpr *Call, std::optional<uint64_t> Element) {
  FilledBy.resize(std::max<size_t>(FilledBy.size(), Slot + 1));
  FilledBy[Slot] = {Call, Element};
}

bool SlotState::isFilledBy(const CallExpr *Call) const {
  return llvm::any_of(FilledBy, [&](const Filler &Each) { return Each.Call == Call; });
}

void SlotState::emptyFilledBy(const CallExpr *Call) {
  for (unsigned I = 0; I != FilledBy.size(); ++I)
    if (const Filler Each = FilledBy[I]; Each.Call == Call && Each.Element)
      setElement(I, Each.Element, false);
    else if (Each.Call == Call) {
      setLive(I, 1, false);
      setNull(I);
    }
}

void SlotState::restore(const SlotState &Before, unsigned Slot) {
  Bits[Slot] = Before.Bits[Slot];
  restoreLive(Before, Slot);
  setNull(Slot, Before.isNull(Slot));
}

void SlotState::restoreLive(const SlotState &Before, unsigned Slot) {
  setLive(Slot, 1, Slot < Before.Live.size() && Before.Live.test(Slot));
  if (Before.mayBeForeign(Slot))
    setForeign(Slot);
  if (Slot >= Before.Parts.size())
    return;
  Parts.resize(std::max<size_t>(Parts.size(), Slot + 1));
  Parts[Slot] = Before.Parts[Slot];
}

void SlotState::setForeign(const OwningSlots &Slots) {
  Foreign = Slots.Many;
  Foreign.flip();
}

void SlotState::setForeign(unsigned Slot) {
  Foreign.resize(std::max<size_t>(Foreign.size(), Slot + 1));
  Foreign.set(Slot);
}

void SlotState::set(const OwningSlots &Slots, unsigned First, unsigned Count, bool IsSet) {
  for (unsigned I = First; I != First + Count; ++I) {
    Bits[I] = Slots.Many[I] == IsSet;
    setNull(I, false);
  }
}

/// Whether one object of this type fits in Size, with something else behind it or nothing.
static bool isSizeOfOne(ASTContext &Context, const Expr *Size, QualType Type) {
  const auto *Sum = dyn_cast<BinaryOperator>(Size->IgnoreParenImpCasts());
  if (Type->getAsRecordDecl()->hasFlexibleArrayMember())
    return true;
  if (Sum && Sum->getOpcode() == BO_Add)
    return isSizeOfOne(Context, Sum->getLHS(), Type) || isSizeOfOne(Context, Sum->getRHS(), Type);
  Expr::EvalResult Known;
  return Size->EvaluateAsInt(Known, Context) &&
         Known.Val.getInt() == Context.getTypeSizeInChars(Type).getQuantity();
}

bool acre::ast::makesUnset(ASTContext &Context, const Expr *Call, QualType Type) {
  if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(Call->IgnoreParenCasts()))
    return makesUnset(Context, Choice->getTrueExpr(), Type) ||
           makesUnset(Context, Choice->getFalseExpr(), Type);
  const auto *Made = dyn_cast<CallExpr>(Call->IgnoreParenCasts());
  llvm::StringRef Name = Made ? libraryFunction(Made) : "";
  const bool IsResized = Name == "realloc" || Name == "reallocarray";
  const bool IsAligned = Name == "aligned_alloc" || Name == "memalign";
  const unsigned Size = Name == "malloc" ? 0 : Name == "reallocarray" ? 2 : 1;
  if ((Name != "malloc" && !IsAligned && !IsResized) || Size >= Made->getNumArgs() ||
      Type->isIncompleteType() || !Type->isRecordType())
    return false;
  if (IsResized && !isNullPointer(Context, Made->getArg(0)))
    return false;
  Expr::EvalResult Count;
  return (Name != "reallocarray" ||
          (Made->getArg(1)->EvaluateAsInt(Count, Context) && Count.Val.getInt() == 1)) &&
         isSizeOfOne(Context, Made->getArg(Size), Type);
}

void SlotTransfer::findMade() {
  auto Note = [this](const VarDecl *Pointer, const Expr *Made) {
    const auto *Call = Made ? dyn_cast<CallExpr>(Made->IgnoreParenCasts()) : nullptr;
    QualType Type = Pointer ? Pointer->getType()->getPointeeType() : QualType();
    Expr::EvalResult Size;
    if (!Call || !isAlloca(Call) || Type.isNull() || !Facts.hasUniqueSlots(Type) ||
        Type->isIncompleteType() || !Call->getArg(0)->EvaluateAsInt(Size, Context) ||
        Size.Val.getInt() != Context.getTypeSizeInChars(Type).getQuantity())
      return;
    if (std::optional<unsigned> Root = Vars.rootOfUnnamed(Call))
      All.MadeFor[*objectOfRoot(*Root)] = Pointer;
  };
  for (const Stmt *Node : Body)
    if (const auto *Statement = dyn_cast<DeclStmt>(Node)) {
      for (const Decl *Each : Statement->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(Each))
          Note(Variable, Variable->getInit());
    } else if (const auto *Assignment = dyn_cast<BinaryOperator>(Node);
               Assignment && Assignment->getOpcode() == BO_Assign) {
      Note(localVariable(Assignment->getLHS()), Assignment->getRHS());
    }
}

void SlotTransfer::findObjects() {
  for (unsigned I = 0; I != Vars.ownerCount(); ++I)
    All.ObjectSlots.push_back(owningSlots(Context, Vars.owner(I)->getType()->getPointeeType()));
  findMade();
  for (unsigned I = 0; I != Vars.frameCount(); ++I) {
    const VarDecl *Variable = Vars.variableOfRoot(Vars.rootOfFrameNumber(I));
    bool IsFollowed =
        Variable ? !isSlotType(Variable->getType()) : literal(Vars.ownerCount() + I) != nullptr;
    All.ObjectSlots.push_back(IsFollowed || All.MadeFor.contains(Vars.ownerCount() + I)
                                  ? owningSlots(Context, typeOfObject(Vars.ownerCount() + I))
                                  : OwningSlots());
  }
  if (llvm::none_of(All.ObjectSlots, [](const OwningSlots &Each) { return Each.count() != 0; }))
    All.ObjectSlots.clear(); // which spares all that follows
  else
    All.Losses.findArrays();
}

void SlotTransfer::lendSlot(const Expr *Lvalue, const CallExpr *FilledBy, bool MayFill) {
  MayFill |= FilledBy != nullptr;
  std::optional<SlotRange> Range = slotsAt(Lvalue);
  if (!Range)
    return setSlotsBelow(All.Values.addressOf(Lvalue).Lent);
  const OwningSlots &Slots = All.slotsOf(Range->Object);
  SlotState &State = Now.changeSlots(Range->Object, Range->First, Range->Count);
  if (std::optional<uint64_t> Element = All.Losses.elementAt(*Range, Lvalue)) {
    State.setElement(Range->First, Element, MayFill);
    return State.setFilledBy(Range->First, FilledBy, Element);
  }
  if (Range->Count != 1 || Slots.Many.test(Range->First))
    return setSlotsBelow(All.Values.addressOf(Lvalue).Lent);
  if (Says.isOn() && Range->Object >= Vars.ownerCount() && !All.MadeFor.contains(Range->Object) &&
      State.mayBeUnset(Slots, Range->First))
    All.Unproven.insert(
        Vars.variableOfRoot(Vars.rootOfFrameNumber(Range->Object - Vars.ownerCount())));
  State.set(Slots, Range->First, 1);
  State.setLive(Range->First, 1, MayFill);
  State.setFilledBy(Range->First, FilledBy);
}

std::optional<unsigned> SlotTransfer::objectOfRoot(unsigned Root) const {
  if (std::optional<unsigned> Owner = Vars.ownerOfRoot(Root))
    return Owner;
  return Vars.isFrame(Root) ? std::optional(Vars.ownerCount() + Vars.frameOfRoot(Root))
                            : std::nullopt;
}

/// The type of object that this object's slots are numbered in.
QualType SlotTransfer::typeOfObject(unsigned Object) const {
  if (Object < Vars.ownerCount())
    return Vars.owner(Object)->getType()->getPointeeType();
  if (const VarDecl *Pointer = All.MadeFor.lookup(Object))
    return Pointer->getType()->getPointeeType();
  if (const CompoundLiteralExpr *Literal = literal(Object))
    return Literal->getType();
  const VarDecl *Variable = Vars.variableOfRoot(Vars.rootOfFrameNumber(Object - Vars.ownerCount()));
  return Variable ? Variable->getType() : QualType();
}

const CompoundLiteralExpr *SlotTransfer::literal(unsigned Object) const {
  const Expr *Unnamed = Object < Vars.ownerCount()
                            ? nullptr
                            : Vars.unnamed(Vars.rootOfFrameNumber(Object - Vars.ownerCount()));
  const auto *Literal = dyn_cast_or_null<CompoundLiteralExpr>(Unnamed);
  return Literal && Literal->getType()->isRecordType() ? Literal : nullptr;
}

std::optional<SlotRange> SlotTransfer::slotsBehind(const Expr *Pointer) const {
  if (All.ObjectSlots.empty())
    return std::nullopt;
  Value What = All.Values.evaluate(Pointer);
  Loans From = All.Values.loansOf(What);
  llvm::SmallBitVector Roots = From.Direct;
  Roots |= From.Frames;
  if (Roots.count() != 1 || From.Deep.any())
    return std::nullopt;
  std::optional<unsigned> Object = objectOfRoot(Roots.find_first());
  QualType Pointee = Pointer->IgnoreParenCasts()->getType()->getPointeeType();
  QualType Whole = Object ? typeOfObject(*Object) : QualType();
  if (Whole.isNull() || Pointee.isNull() || !All.slotsOf(*Object).count())
    return std::nullopt;
  bool IsWhole = Context.hasSameUnqualifiedType(Pointee, Whole);
  bool IsElement = Whole->isArrayType() &&
                   Context.hasSameUnqualifiedType(Pointee, Context.getBaseElementType(Whole));
  return IsWhole || IsElement ? std::optional(SlotRange{*Object, 0, All.slotsOf(*Object).count()})
                              : std::nullopt;
}

std::optional<SlotRange> SlotTransfer::slotsAt(const Expr *Lvalue) const {
  if (All.ObjectSlots.empty())
    return std::nullopt;
  Lvalue = Lvalue->IgnoreParens();
  if (const auto *Member = dyn_cast<MemberExpr>(Lvalue)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    std::optional<SlotRange> Base =
        Member->isArrow() ? slotsBehind(Member->getBase()) : slotsAt(Member->getBase());
    if (!Base || !Field)
      return std::nullopt;
    return SlotRange{Base->Object, Base->First + firstSlotOf(Context, Field),
                     owningSlots(Context, Field->getType()).count()};
  }
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue)) {
    const Expr *Base = Element->getBase()->IgnoreParens();
    if (const auto *Decay = dyn_cast<CastExpr>(Base);
        Decay && Decay->getCastKind() == CK_ArrayToPointerDecay)
      return slotsAt(Decay->getSubExpr());
    return slotsBehind(Base);
  }
  if (const auto *Deref = dyn_cast<UnaryOperator>(Lvalue); Deref && Deref->getOpcode() == UO_Deref)
    return slotsBehind(Deref->getSubExpr());
  const VarDecl *Variable = localVariable(Lvalue);
  std::optional<unsigned> Root = Variable ? Vars.rootOfFrame(Variable) : Vars.rootOfUnnamed(Lvalue);
  std::optional<unsigned> Object = Root ? objectOfRoot(*Root) : std::nullopt;
  if (!Object || !All.slotsOf(*Object).count())
    return std::nullopt;
  return SlotRange{*Object, 0, All.slotsOf(*Object).count()};
}

/// Says where the object with unset slots is declared, and how it would be set.
void SlotTransfer::noteUnset(unsigned Object) {
  const VarDecl *Pointer =
      Object < Vars.ownerCount() ? Vars.owner(Object) : All.MadeFor.lookup(Object);
  const VarDecl *Variable =
      Pointer ? Pointer : Vars.variableOfRoot(Vars.rootOfFrameNumber(Object - Vars.ownerCount()));
  if (!Pointer && Variable && !Variable->getInit())
    return Says.noteUnsetRecord(Variable);
  Says.noteDeclared(Variable, Object < Vars.ownerCount()
                                  ? "%0 is declared here; calloc would set its object"
                                  : "%0 is declared here");
}

void SlotTransfer::useSlots(const SlotRange &Range, const Stmt *At) {
  SlotState &State = Now.Slots[Range.Object];
  const OwningSlots &Slots = All.slotsOf(Range.Object);
  for (unsigned I = Range.First; I != Range.First + Range.Count; ++I) {
    if (!State.mayBeUnset(Slots, I))
      continue;
    Says.report(Diag::SlotUninitialized, At, All.Losses.nameOfSlot(Range.Object, I), 1u);
    noteUnset(Range.Object);
    // Where paths meet again, elements would seem to be set.
    if (Says.isOn() || !Slots.Elements.test(I))
      State = SlotState::set(Slots);
    return;
  }
}

void SlotTransfer::useSlotsAt(const Expr *Lvalue) {
  if (All.Places.isOverlaid(Lvalue)) {
    Says.report(Diag::SlotUninitialized, Lvalue, textOf(Context, Lvalue), 1u);
    Says.noteDeclared(namedBy(Lvalue), "another member of the union of %0 was set last");
    return;
  }
  if (All.ObjectSlots.empty())
    return;
  if (std::optional<SlotRange> Range = isOwning(Lvalue->getType()) ? slotsAt(Lvalue) : std::nullopt)
    useSlots(*Range, Lvalue);
}

void SlotTransfer::setSlotsAt(const Expr *Lvalue, bool MayBeLive, bool IsTaken) {
  if (All.ObjectSlots.empty() || !Facts.hasUniqueSlots(Lvalue->getType()) ||
      (localVariable(Lvalue) && Vars.ownerOf(localVariable(Lvalue))))
    return;
  if (std::optional<SlotRange> Range = slotsAt(Lvalue)) {
    SlotState &State = Now.changeSlots(Range->Object, Range->First, Range->Count);
    const OwningSlots &Slots = All.slotsOf(Range->Object);
    const bool IsOne = isOwning(Lvalue->getType()) && Range->Count == 1;
    if (IsOne && Slots.Elements.test(Range->First)) {
      if (!IsTaken) // else others are as they were
        State.set(Slots, Range->First, 1);
      return All.Losses.setElement(*Range, Lvalue, MayBeLive);
    }
    State.set(Slots, Range->First, Range->Count);
    if (IsOne && Slots.Unions[Range->First])
      State.setMember(Slots, Range->First, MayBeLive);
    else // it is not known for a whole structure, nor for one of several objects
      State.setLive(Range->First, Range->Count,
                    MayBeLive && IsOne && !isa<ArraySubscriptExpr>(Lvalue->IgnoreParens()));
  } else {
    setSlotsBelow(All.Values.addressOf(Lvalue).Lent);
  }
}

void SlotTransfer::setSlotsBelow(const Loans &Of) {
  if (All.ObjectSlots.empty())
    return;
  llvm::SmallBitVector Roots = Of.Direct;
  Roots |= Of.Frames;
  for (unsigned Root : Roots.set_bits())
    if (std::optional<unsigned> Object = objectOfRoot(Root)) {
      if (Says.isOn() && Vars.isFrame(Root) && Vars.variableOfRoot(Root) &&
          Now.Slots[*Object].mayBeUnset(All.slotsOf(*Object)))
        All.Unproven.insert(Vars.variableOfRoot(Root));
      Now.changeSlots(*Object) = SlotState::set(All.slotsOf(*Object));
    }
}

void SlotTransfer::useObject(unsigned Object, const Stmt *At) {
  if (!All.ObjectSlots.empty())
    useSlots({Object, 0, All.slotsOf(Object).count()}, At);
}

void SlotTransfer::useTaken(const Expr *Taken, const Stmt *At) {
  auto Found = All.TakenSlots.find(Taken);
  if (Found == All.TakenSlots.end())
    return;
  auto &[Owner, Slots] = Found->second;
  std::swap(Now.Slots[Owner], Slots);
  useObject(Owner, At);
  std::swap(Now.Slots[Owner], Slots);
}

/// State is what the object's maker left in it.  A maker that was given a null may have left that
/// where it leaves an owner for others.
static void setMade(SlotState &State, const ReturnedObject &Made, bool IsGivenNull) {
  for (unsigned I = 0; I != Made.MayHold.size(); ++I)
    if (!Made.MayHold.test(I))
      State.setNull(I, Made.IsNull.test(I));
    else if (IsGivenNull)
      State.setForeign(I);
    else
      State.setLive(I, 1, true);
}

/// The members that link objects of this type to others of it.
static llvm::SmallVector<const FieldDecl *, 2> linksOf(QualType Type) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  llvm::SmallVector<const FieldDecl *, 2> Result;
  if (!Record)
    return Result;
  for (const FieldDecl *Field : Record->fields()) {
    if (!isOwning(Field->getType()))
      continue;
    const RecordDecl *Pointee = Field->getType()->getPointeeType()->getAsRecordDecl();
    if (Pointee && Pointee->getDefinition() == Record)
      Result.push_back(Field);
  }
  return Result;
}

void SlotTransfer::keepLinks(SlotState &State, const CallExpr *Swap, QualType Type) const {
  const llvm::SmallVector<const FieldDecl *, 2> Links = linksOf(Type);
  if (Links.empty())
    return;
  auto IsLink = [&](const Expr *Pointer) {
    const Expr *Slot = addressed(Pointer);
    const auto *Member = Slot ? dyn_cast<MemberExpr>(Slot->IgnoreParens()) : nullptr;
    return Member && llvm::is_contained(Links, Member->getMemberDecl());
  };
  // A pointer that goes from link to link may have stopped at any of them.
  const VarDecl *Pointer = localVariable(Swap->getArg(0)->IgnoreParenCasts());
  if (!(Pointer ? mayHave(Body, Pointer, IsLink) : IsLink(Swap->getArg(0))))
    return;
  for (const FieldDecl *Each : Links)
    if (const unsigned Slot = firstSlotOf(Context, Each); State.mayBeForeign(Slot))
      State.setLive(Slot, 1, true);
}

void SlotTransfer::beginObject(unsigned Owner, const Expr *From, const Value &What) {
  if (All.ObjectSlots.empty())
    return;
  SlotState &State = Now.changeSlots(Owner);
  QualType Type = Vars.owner(Owner)->getType()->getPointeeType();
  if (const VarDecl *Moved = localVariable(From->IgnoreParenImpCasts())) // with all that is known
    if (std::optional<unsigned> Other = Vars.ownerOf(Moved);
        Other && Context.hasSameUnqualifiedType(typeOfObject(*Other), Type)) {
      State = SlotState(Now.Slots[*Other]);
      return;
    }
  if (auto Taken = All.TakenSlots.find(From->IgnoreParenCasts());
      Taken != All.TakenSlots.end() &&
      Context.hasSameUnqualifiedType(typeOfObject(Taken->second.first), Type)) {
    State = SlotState(Taken->second.second);
    return;
  }
  State = isEmpty(Owner, From) ? SlotState::null(All.slotsOf(Owner))
                               : SlotState::set(All.slotsOf(Owner));
  const auto *Call = dyn_cast<CallExpr>(From->IgnoreParenCasts());
  const ReturnedObject *Made =
      Call && isFollowedAlone(Owner) ? All.Outcomes.returnedBy(From, Type) : nullptr;
  if (Made && Made->MayHold.size() == All.slotsOf(Owner).count())
    setMade(State, *Made, llvm::any_of(Call->arguments(), [&](const Expr *Each) {
              return All.Values.isNullConstant(Each);
            }));
  else if (All.slotsOf(Owner).count() && makesUnset(Context, From, Type))
    State = SlotState::unset(All.slotsOf(Owner));
  else if (All.Losses.comesFilled(What))
    All.Losses.noteForeign(Owner, State);
  const auto *Swap = What.Results.size() == 1 ? dyn_cast<CallExpr>(What.Results.front()) : nullptr;
  if (Swap && isSwap(Swap)) {
    keepLinks(State, Swap, Type);
    for (unsigned I : All.Places.emptyBehind(Swap->getArg(0), Type)) // a test has found it null
      State.setLive(I, 1, false);
  }
  std::optional<LibraryEffect> Effect = Call ? Facts.of(Call).Effect : std::nullopt;
  if (Effect && Effect->IsFresh && Effect->Freed) // what it held has moved
    for (const DeclRefExpr *Each : All.Values.evaluate(Call->getArg(*Effect->Freed)).Owners)
      if (unsigned Other = *Vars.ownerOf(cast<VarDecl>(Each->getDecl()));
          Context.hasSameUnqualifiedType(typeOfObject(Other), Type))
        State.join(Now.Slots[Other]);
  for (const DeclRefExpr *Each : What.Owners)
    if (unsigned Other = *Vars.ownerOf(cast<VarDecl>(Each->getDecl()));
        Context.hasSameUnqualifiedType(typeOfObject(Other), Type))
      State.join(Now.Slots[Other]);
}

/// Whether From is null, or one new object with zeros.
bool SlotTransfer::isEmpty(unsigned Owner, const Expr *From) const {
  const auto *Call = dyn_cast<CallExpr>(From->IgnoreParenCasts());
  return isFollowedAlone(Owner) &&
         (All.Values.isNullConstant(From) || (Call && libraryFunction(Call) == "calloc"));
}

bool SlotTransfer::isFollowedAlone(unsigned Object) const {
  return Object < Vars.ownerCount()
             ? disciplineOf(Vars.owner(Object)->getType()) == Discipline::Unique &&
                   !All.Losses.isArray(Vars.owner(Object)->getType())
             : Vars.isExclusive(Vars.rootOfFrameNumber(Object - Vars.ownerCount()));
}

bool SlotTransfer::isNull(const State &In, const Expr *Lvalue) const {
  std::optional<SlotRange> Range = isOwning(Lvalue->getType()) ? slotsAt(Lvalue) : std::nullopt;
  return Range && Range->Count == 1 && In.Slots[Range->Object].isNull(Range->First);
}

void SlotTransfer::replaceObject(unsigned Owner) {
  if (All.ObjectSlots.empty())
    return;
  Now.changeSlots(Owner) = SlotState::set(All.slotsOf(Owner));
  All.Losses.noteForeign(Owner, Now.Slots[Owner]);
}
