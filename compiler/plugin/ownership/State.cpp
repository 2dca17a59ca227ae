// SPDX-License-Identifier: MIT
//===- State.cpp - What is known of owners and borrowers at a point -------===//

#include "plugin/ownership/State.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace acre::ast;

llvm::SmallBitVector Loans::roots() const {
  llvm::SmallBitVector All = Direct;
  return All |= Deep;
}

llvm::SmallVector<unsigned, 4> Loans::numbers() const {
  llvm::SmallBitVector All = roots();
  return llvm::to_vector<4>(All.set_bits());
}

/// Whether Into changes.
static bool unite(llvm::SmallBitVector &Into, const llvm::SmallBitVector &Other) {
  if (!Other.test(Into))
    return false;
  Into |= Other;
  return true;
}

void Loans::addLibrary(const Loans &Other) {
  Library |= Other.Library;
  MayBeUnlent |= Other.MayBeUnlent;
}

bool Loans::choose(const Loans &Other) {
  auto IsUnlent = [](const Loans &Each) { return Each.Library.none() && !Each.isNothing(); };
  const bool MayBe =
      MayBeUnlent || Other.MayBeUnlent ||
      ((Library.any() || Other.Library.any()) && (IsUnlent(*this) || IsUnlent(Other)));
  const bool IsNew = MayBe && !MayBeUnlent;
  MayBeUnlent = MayBe;
  return add(Other) | IsNew;
}

OwnSlot Loans::firstSlot(const OwnSlot &Named) const {
  if (Direct.none() && Deep.any())
    return Via;
  if (Named.Object || IsOpen)
    return Named;
  return Deep.none() || Via == At ? At : OwnSlot(); // what both lead into
}

bool Loans::add(const Loans &Other) {
  const OwnSlot Both = Deep.none()                             ? Other.Via
                       : Other.Deep.none() || Other.Via == Via ? Via
                                                               : OwnSlot();
  bool WasVia = !(Via == Both);
  Via = Both;
  const OwnSlot There = Direct.none()                           ? Other.At
                        : Other.Direct.none() || Other.At == At ? At
                                                                : OwnSlot();
  bool HasChanged = WasVia || !(There == At);
  At = There;
  const bool AreCells = isNothing()         ? Other.IsCell
                        : Other.isNothing() ? IsCell
                                            : IsCell && Other.IsCell && Cells == Other.Cells;
  HasChanged |= AreCells != IsCell;
  IsCell = AreCells;
  HasChanged |= unite(Direct, Other.Direct);
  HasChanged |= unite(Deep, Other.Deep);
  HasChanged |= unite(Maybe, Other.Maybe);
  HasChanged |= (Other.IsOpen && !IsOpen) || (Other.MayBeCounted && !MayBeCounted) ||
                (Other.MayBeOther && !MayBeOther);
  IsOpen |= Other.IsOpen;
  MayBeCounted |= Other.MayBeCounted;
  MayBeOther |= Other.MayBeOther;
  HasChanged |= unite(Cells, Other.Cells);
  HasChanged |= unite(Library, Other.Library) || (Other.MayBeUnlent && !MayBeUnlent);
  MayBeUnlent |= Other.MayBeUnlent;
  return HasChanged | unite(Frames, Other.Frames);
}

void Sites::add(const clang::Stmt *Place) {
  if (Places.size() < Most && !llvm::is_contained(Places, Place))
    Places.push_back(Place);
}

bool Sites::add(const Sites &Other) {
  size_t Before = Places.size();
  for (const clang::Stmt *Each : Other.Places)
    add(Each);
  return Places.size() != Before;
}

bool OwnerState::join(const OwnerState &Other) {
  unsigned char Before = Conditions;
  bool WasRestored = RestoredBy != nullptr;
  bool WasFilled = FilledBy != nullptr;
  // What a result tells of a call is told only where that was made.
  if (isSurely(Uninitialized) && !FilledBy)
    FilledBy = Other.FilledBy;
  else if (FilledBy != Other.FilledBy && !(Other.isSurely(Uninitialized) && !Other.FilledBy))
    FilledBy = nullptr;
  Conditions |= Other.Conditions;
  if (RestoredBy != Other.RestoredBy)
    RestoredBy = nullptr;
  const bool IsWritten = Other.WrittenSince && !WrittenSince;
  const bool IsOther =
      WrittenSince && Other.WrittenSince && WrittenBy && WrittenBy != Other.WrittenBy;
  const unsigned char UnlessBefore = UnlessWritten;
  if (IsWritten || IsOther)
    WrittenBy = IsOther ? std::nullopt : Other.WrittenBy;
  if (IsWritten)
    WrittenSince = Other.WrittenSince;
  UnlessWritten |= Other.UnlessWritten;
  bool IsGrown = Other.GrownAt && !GrownAt;
  if (IsGrown)
    GrownAt = Other.GrownAt;
  const bool IsMadeElsewhere = MadeBy.add(Other.MadeBy);
  return ConsumedAt.add(Other.ConsumedAt) || IsMadeElsewhere || IsGrown || IsWritten || IsOther ||
         UnlessWritten != UnlessBefore || Conditions != Before ||
         WasRestored != (RestoredBy != nullptr) || WasFilled != (FilledBy != nullptr);
}

void BorrowerState::lose(unsigned Root, const clang::Stmt *At, bool IsOverwritten) {
  IsDangling = true;
  IsStale = IsOverwritten;
  LostRoot = Root;
  LostAt.add(At);
}

bool BorrowerState::join(const BorrowerState &Other) {
  bool HasChanged = From.choose(Other.From) || (Other.IsDangling && !IsDangling) ||
                    (Other.IsDoubtful && !IsDoubtful);
  // What is overwritten is no error, and what is gone is.
  const bool IsWorse = IsDangling && Other.IsDangling && IsStale && !Other.IsStale;
  HasChanged |= IsWorse;
  if (IsWorse || (Other.IsDangling && !IsDangling))
    IsStale = Other.IsStale;
  if (IsWorse || (Other.IsDangling && !IsDangling) ||
      (Other.IsDoubtful && !IsDangling && !IsDoubtful))
    LostRoot = Other.LostRoot;
  IsDangling |= Other.IsDangling;
  IsDoubtful |= Other.IsDoubtful;
  HasChanged |= Above.test(Other.Above);
  Above &= Other.Above;
  LostAt.add(Other.LostAt);
  for (auto [Mine, Theirs] :
       {std::pair(&SparedBy, &Other.SparedBy), std::pair(&SparedAloneBy, &Other.SparedAloneBy)})
    for (const clang::FunctionDecl *Each : *Theirs)
      if (!llvm::is_contained(*Mine, Each)) {
        Mine->push_back(Each);
        HasChanged = true;
      }
  for (auto [Mine, Theirs] : {std::pair(&Through, &Other.Through), std::pair(&Slot, &Other.Slot)})
    if (*Mine && *Mine != *Theirs) {
      Mine->reset();
      HasChanged = true;
    }
  return HasChanged;
}

bool KeptTest::operator==(const KeptTest &Other) const {
  return In == Other.In &&
         (Test == Other.Test || areWrittenAlike(In->getASTContext(), Test, Other.Test));
}

bool KeyState::join(const KeyState &Other) {
  bool IsOther = Slot && Slot != Other.Slot;
  if (IsOther)
    Slot = nullptr;
  bool IsNew = Other.IsOpen && !IsOpen;
  IsOpen |= Other.IsOpen;
  return From.add(Other.From) || IsOther || IsNew;
}

SlotState &State::changeSlots(unsigned Object, unsigned First, unsigned Count) {
  llvm::erase_if(SlotImplications, [&](const SlotImplication &Each) {
    return Each.Object == Object && Each.Slot >= First && Each.Slot - First < Count;
  });
  return Slots[Object];
}

BorrowerState &State::changeBorrower(unsigned Borrower) {
  llvm::erase_if(LoanImplications,
                 [&](const LoanImplication &Each) { return Each.Borrower == Borrower; });
  forgetAbove(Borrower);
  return Borrowers[Borrower];
}

void State::forgetAbove(unsigned Borrower) {
  Borrowers[Borrower].Through.reset();
  Borrowers[Borrower].Slot.reset();
  Borrowers[Borrower].Above.clear();
  for (BorrowerState &Each : Borrowers)
    if (Borrower < Each.Above.size())
      Each.Above.reset(Borrower);
}

void State::forgetPlaces(llvm::function_ref<bool(const Place &)> Which, bool AreNull) {
  if (!AreNull)
    forgetNull(Which);
  llvm::erase_if(Filled, [&](const FilledPlace &Each) { return Which(Each.Slot); });
  llvm::erase_if(Overlaid, Which);
  llvm::erase_if(Grown,
                 [&](const GrownPlace &Each) { return !Each.HasFailed && Which(Each.Slot); });
}

void State::forgetNull(llvm::function_ref<bool(const Place &)> Which) {
  llvm::erase_if(Empty, Which);
  llvm::erase_if(PlaceImplications, [&](const PlaceImplication &Each) { return Which(Each.Slot); });
}

bool State::joinTouched(const State &Other) {
  const llvm::SmallVector<TouchedPart, 1> Before = Touched;
  for (TouchedPart &Mine : Touched) {
    const auto *Theirs =
        llvm::find_if(Other.Touched, [&](const TouchedPart &Each) { return Each.covers(Mine); });
    if (Theirs == Other.Touched.end())
      Mine.Told = 0, Mine.By = nullptr, Mine.Root = ~0u;
    else if (Theirs->By == Mine.By)
      Mine.Told |= Theirs->Told;
    else
      Mine.By = nullptr; // which of the two it was, nothing tells
  }
  llvm::erase_if(Touched, [](const TouchedPart &Each) { return Each.Root == ~0u; });
  return Touched != Before;
}

bool State::joinGaps(const State &Other) {
  const size_t Before = Gaps.size();
  bool HasChanged = false;
  llvm::erase_if(Gaps, [&](Gap &Mine) {
    const auto *Theirs = llvm::find(Other.Gaps, Mine);
    if (Theirs == Other.Gaps.end())
      return true;
    HasChanged |= Mine.IsSome && !Theirs->IsSome;
    Mine.IsSome &= Theirs->IsSome;
    return false;
  });
  return HasChanged || Gaps.size() != Before;
}

bool State::join(const State &Other) {
  if (!IsReached) {
    *this = Other;
    return true;
  }
  llvm::SmallVector<Implication, 1> Still = implicationsWith(Other);
  llvm::SmallVector<SlotImplication, 1> StillOfSlots = slotImplicationsWith(Other);
  llvm::SmallVector<LoanImplication, 1> StillOfLoans = loanImplicationsWith(Other);
  llvm::SmallVector<PlaceImplication, 1> StillOfPlaces = placeImplicationsWith(Other);
  bool HasChanged = Still != Implications || StillOfSlots != SlotImplications ||
                    StillOfLoans != LoanImplications || StillOfPlaces != PlaceImplications ||
                    (Other.MayJumpBack && !MayJumpBack);
  Implications = std::move(Still);
  SlotImplications = std::move(StillOfSlots);
  LoanImplications = std::move(StillOfLoans);
  PlaceImplications = std::move(StillOfPlaces);
  HasChanged |= joinNumbers(Other);
  MayJumpBack |= Other.MayJumpBack;
  auto JoinAll = [&](auto &Into, const auto &From) {
    for (size_t I = 0; I != Into.size(); ++I)
      HasChanged |= Into[I].join(From[I]);
  };
  JoinAll(Owners, Other.Owners);
  JoinAll(Borrowers, Other.Borrowers);
  JoinAll(Slots, Other.Slots);
  JoinAll(Keys, Other.Keys);
  for (size_t I = 0; I != Aliases.size(); ++I) {
    HasChanged |= Other.Aliases[I].IsOpen && !Aliases[I].IsOpen;
    Aliases[I].IsOpen |= Other.Aliases[I].IsOpen;
    HasChanged |= Aliases[I].From.add(Other.Aliases[I].From);
  }
  for (size_t I = 0; I != Held.size(); ++I)
    HasChanged |= Held[I].add(Other.Held[I]);
  HasChanged |= unite(Exposed, Other.Exposed);
  auto Known = [this] { // on all paths
    return Left.size() + Tests.size() + Results.size() + Empty.size() + Overlaid.size() +
           llvm::count_if(Filled, [](auto &Each) { return Each.IsNew; });
  };
  const size_t Before = Known();
  llvm::erase_if(Left,
                 [&](const LeftAddress &Each) { return !llvm::is_contained(Other.Left, Each); });
  llvm::erase_if(Tests,
                 [&](const KeptTest &Each) { return !llvm::is_contained(Other.Tests, Each); });
  llvm::erase_if(Empty, [&](const Place &Each) { return !llvm::is_contained(Other.Empty, Each); });
  // Which array is new is known on all paths, and what it holds is set on any.
  llvm::erase_if(Filled, [&](const FilledPlace &Each) {
    return Each.IsNew && !llvm::is_contained(Other.Filled, Each);
  });
  for (const FilledPlace &Each : Other.Filled)
    if (!Each.IsNew && !llvm::is_contained(Filled, Each)) {
      Filled.push_back(Each);
      HasChanged = true;
    }
  llvm::erase_if(Overlaid,
                 [&](const Place &Each) { return !llvm::is_contained(Other.Overlaid, Each); });
  auto Unite = [&](auto &Into, const auto &From) {
    for (const auto &Each : From)
      if (!llvm::is_contained(Into, Each)) {
        Into.push_back(Each);
        HasChanged = true;
      }
  };
  Unite(Holes, Other.Holes);
  Unite(Refilled, Other.Refilled);
  Unite(Emptied, Other.Emptied);
  Unite(Grown, Other.Grown);
  Unite(Regrown, Other.Regrown);
  HasChanged |= joinTouched(Other);
  HasChanged |= joinGaps(Other);
  const size_t Pairs = Same.size();
  llvm::erase_if(Same,
                 [&](const SamePointers &Each) { return !llvm::is_contained(Other.Same, Each); });
  HasChanged |= Same.size() != Pairs;
  llvm::erase_if(Results,
                 [&](const KeptResult &Each) { return !llvm::is_contained(Other.Results, Each); });
  return HasChanged || Known() != Before;
}
