// SPDX-License-Identifier: MIT
//===- Correlated.cpp - What one variable tells of another ----------------===//
//
//   while (a && b) ...
//   if (a) keep(a); else keep(b);   // b is null where a is not
//
// Where two paths meet, an owner may be in any condition that it had on one of
// them.  If a variable tells which path it was, a later test of that variable
// tells the conditions again: that is what an implication remembers.  So it is
// with what a slot of an object holds, whether a loan has ended, and whether a
// slot elsewhere is null.  The variable is an owner, by whether it is null, or a
// local number, by constants that it was compared with or set to.
//
//===----------------------------------------------------------------------===//

#include "plugin/ownership/State.h"
#include "llvm/ADT/STLExtras.h"

using namespace acre::ast;

static constexpr unsigned MostImplications = 64; // of one state; more are not worth their joins
static constexpr unsigned MostValues = 8;        // of one number

static const KnownNumber *numberIn(const State &Of, const clang::VarDecl *Variable) {
  const auto *Found =
      llvm::find_if(Of.Numbers, [&](const KnownNumber &Each) { return Each.In == Variable; });
  return Found == Of.Numbers.end() ? nullptr : Found;
}

bool State::satisfies(const Premise &If) const {
  if (If.Owner)
    return Owners[*If.Owner].isSurely(If.IsEqual ? OwnerState::Null : OwnerState::Live);
  const KnownNumber *Known = numberIn(*this, If.In);
  if (!Known)
    return false;
  const bool IsNamed = llvm::is_contained(Known->Values, If.Value);
  return If.IsEqual ? Known->IsAmong && IsNamed && Known->Values.size() == 1
                    : Known->IsAmong != IsNamed;
}

bool State::excludes(const Premise &If) const {
  Premise Otherwise = If;
  Otherwise.IsEqual = !If.IsEqual;
  return satisfies(Otherwise);
}

void State::learn(const Premise &That) {
  if (excludes(That))
    IsReached = false; // this way is never taken
  auto Known = llvm::find_if(Numbers, [&](const KnownNumber &Each) { return Each.In == That.In; });
  if (That.IsEqual) {
    llvm::erase_if(Numbers, [&](const KnownNumber &Each) { return Each.In == That.In; });
    Numbers.push_back({That.In, true, {That.Value}});
  } else if (Known == Numbers.end()) {
    Numbers.push_back({That.In, false, {That.Value}});
  } else if (Known->IsAmong && Known->Values.size() > 1) {
    llvm::erase(Known->Values, That.Value);
  } else if (!Known->IsAmong && !llvm::is_contained(Known->Values, That.Value) &&
             Known->Values.size() < MostValues) {
    Known->Values.insert(llvm::lower_bound(Known->Values, That.Value), That.Value);
  }
  conclude();
}

bool State::joinNumbers(const State &Other) {
  const llvm::SmallVector<KnownNumber, 1> Before = Numbers;
  for (KnownNumber &Mine : Numbers) {
    const KnownNumber *Theirs = numberIn(Other, Mine.In);
    if (!Theirs) {
      Mine.Values.clear();
      continue;
    }
    const auto Own = Mine.Values;
    if (Mine.IsAmong && Theirs->IsAmong) {
      for (int64_t Each : Theirs->Values)
        if (!llvm::is_contained(Own, Each))
          Mine.Values.insert(llvm::lower_bound(Mine.Values, Each), Each);
      if (Mine.Values.size() > MostValues)
        Mine.Values.clear();
      continue;
    }
    // What one may not be and the other is not.
    const KnownNumber &Barred = Mine.IsAmong ? *Theirs : Mine,
                      &Rest = Mine.IsAmong ? Mine : *Theirs;
    llvm::SmallVector<int64_t, 2> Left;
    for (int64_t Each : Barred.Values)
      if (llvm::is_contained(Rest.Values, Each) != Rest.IsAmong)
        Left.push_back(Each);
    Mine.IsAmong = false;
    Mine.Values = Left;
  }
  llvm::erase_if(Numbers, [](const KnownNumber &Each) { return Each.Values.empty(); });
  return Numbers != Before;
}

llvm::SmallVector<Premise, 4> State::distinctFrom(const State &Other) const {
  llvm::SmallVector<Premise, 4> Result;
  // Where one of several values is excluded there, it tells as much.
  auto Add = [&](const Premise &Each) {
    const bool MayHold = Each.IsEqual || Each.Owner ? !excludes(Each) : satisfies(Each);
    if (MayHold && Other.excludes(Each) && !llvm::is_contained(Result, Each))
      Result.push_back(Each);
  };
  for (const KnownNumber &Known : Numbers) {
    llvm::SmallVector<int64_t, 2> Values = Known.Values;
    if (const KnownNumber *Theirs = numberIn(Other, Known.In))
      Values.append(Theirs->Values);
    for (int64_t Each : Values)
      for (bool IsEqual : {true, false})
        Add({Known.In, std::nullopt, Each, IsEqual});
  }
  for (unsigned I = 0; I != Owners.size(); ++I)
    for (bool IsNull : {false, true})
      Add({nullptr, I, 0, IsNull});
  return Result;
}

/// The conditions that the owner may be in where the premise holds; 0: that is on no path.
static unsigned char impliedBy(const State &In, const Implication &Which) {
  if (In.excludes(Which.If))
    return 0;
  unsigned char Is = In.Owners[Which.Owner].Conditions;
  for (const Implication &Each : In.Implications)
    if (Each.If == Which.If && Each.Owner == Which.Owner)
      Is &= Each.Conditions;
  return Is;
}

llvm::SmallVector<Implication, 1> State::implicationsWith(const State &Other) const {
  llvm::SmallVector<Implication, 1> Result;
  auto Add = [&](const Implication &Each) {
    auto Same = llvm::find_if(
        Result, [&](const Implication &It) { return It.If == Each.If && It.Owner == Each.Owner; });
    if (Same != Result.end() && (Same->Conditions & Each.Conditions))
      Same->Conditions &= Each.Conditions; // both are so
    else if (Same == Result.end() && Result.size() < MostImplications)
      Result.push_back(Each);
  };
  // What follows on either path, where that still says something.
  for (const State *One : {this, &Other})
    for (const Implication &Each : One->Implications) {
      const unsigned char Is = impliedBy(*this, Each) | impliedBy(Other, Each);
      const unsigned char Known =
          Owners[Each.Owner].Conditions | Other.Owners[Each.Owner].Conditions;
      if (Is && (Known & ~Is))
        Add({Each.If, Each.Owner, Is});
    }
  for (auto [One, Two] : {std::pair(this, &Other), std::pair(&Other, this)}) {
    llvm::SmallVector<unsigned, 4> Less; // owners of which One says more
    for (unsigned I = 0; I != Owners.size(); ++I)
      if (unsigned char Is = One->Owners[I].Conditions; Is && (Two->Owners[I].Conditions & ~Is))
        Less.push_back(I);
    if (Less.empty())
      continue;
    for (const Premise &Each : One->distinctFrom(*Two))
      for (unsigned I : Less)
        if (I != Each.Owner)
          Add({Each, I, One->Owners[I].Conditions});
  }
  return Result;
}

std::optional<SlotFacts> State::factsIf(const Premise &If, unsigned Object, unsigned Slot) const {
  if (excludes(If))
    return std::nullopt;
  SlotFacts Result = Slots[Object].facts(Slot);
  for (const SlotImplication &Each : SlotImplications)
    if (Each.isOf(If, Object, Slot))
      Result = Result & Each.Facts;
  return Result;
}

llvm::SmallVector<SlotImplication, 1> State::slotImplicationsWith(const State &Other) const {
  llvm::SmallVector<SlotImplication, 1> Result;
  auto Add = [&](const Premise &If, unsigned Object, unsigned Slot) {
    const std::optional<SlotFacts> One = factsIf(If, Object, Slot),
                                   Two = Other.factsIf(If, Object, Slot);
    const SlotFacts Known = Slots[Object].facts(Slot) | Other.Slots[Object].facts(Slot);
    if ((!One && !Two) || Result.size() == MostImplications ||
        llvm::any_of(Result, [&](auto &Each) { return Each.isOf(If, Object, Slot); }))
      return;
    const SlotFacts Is = One && Two ? *One | *Two : One ? *One : *Two;
    if (!Known.isWithin(Is))
      Result.push_back({If, Object, Slot, Is});
  };
  for (const State *Each : {this, &Other})
    for (const SlotImplication &It : Each->SlotImplications)
      Add(It.If, It.Object, It.Slot);
  std::optional<llvm::SmallVector<Premise, 4>> Distinct;
  for (unsigned I = 0; I != Slots.size(); ++I)
    for (unsigned Slot = 0; Slot != Slots[I].count(); ++Slot) {
      if (Slots[I].facts(Slot) == Other.Slots[I].facts(Slot))
        continue;
      if (!Distinct) {
        Distinct = distinctFrom(Other);
        llvm::append_range(*Distinct, Other.distinctFrom(*this));
      }
      for (const Premise &Each : *Distinct)
        Add(Each, I, Slot);
    }
  return Result;
}

bool State::holds(const LoanImplication &Which) const {
  return excludes(Which.If) || !Borrowers[Which.Borrower].IsDangling ||
         llvm::is_contained(LoanImplications, Which);
}

llvm::SmallVector<LoanImplication, 1> State::loanImplicationsWith(const State &Other) const {
  llvm::SmallVector<LoanImplication, 1> Result;
  auto Add = [&](const LoanImplication &Each) {
    if (Result.size() < MostImplications && !llvm::is_contained(Result, Each) && holds(Each) &&
        Other.holds(Each))
      Result.push_back(Each);
  };
  for (const State *One : {this, &Other})
    for (const LoanImplication &Each : One->LoanImplications)
      Add(Each);
  for (unsigned I = 0; I != Borrowers.size(); ++I)
    if (Borrowers[I].IsDangling != Other.Borrowers[I].IsDangling) {
      const State &Lost = Borrowers[I].IsDangling ? *this : Other,
                  &Kept = Borrowers[I].IsDangling ? Other : *this;
      for (const Premise &Each : Kept.distinctFrom(Lost))
        Add({Each, I});
    }
  return Result;
}

bool State::holds(const PlaceImplication &Which) const {
  return excludes(Which.If) || llvm::is_contained(Empty, Which.Slot) ||
         llvm::is_contained(PlaceImplications, Which);
}

llvm::SmallVector<PlaceImplication, 1> State::placeImplicationsWith(const State &Other) const {
  llvm::SmallVector<PlaceImplication, 1> Result;
  auto Add = [&](const PlaceImplication &Each) {
    if (Result.size() < MostImplications && !llvm::is_contained(Result, Each) && holds(Each) &&
        Other.holds(Each))
      Result.push_back(Each);
  };
  for (const State *One : {this, &Other})
    for (const PlaceImplication &Each : One->PlaceImplications)
      Add(Each);
  for (auto [One, Two] : {std::pair(this, &Other), std::pair(&Other, this)}) {
    std::optional<llvm::SmallVector<Premise, 4>> Distinct;
    for (const Place &Each : One->Empty) {
      if (llvm::is_contained(Two->Empty, Each))
        continue;
      if (!Distinct)
        Distinct = One->distinctFrom(*Two);
      for (const Premise &If : *Distinct)
        Add({If, Each});
    }
  }
  return Result;
}

void State::conclude() {
  for (bool HasChanged = true; HasChanged;) {
    HasChanged = false;
    for (const Implication &Each : Implications) {
      OwnerState &Owner = Owners[Each.Owner];
      const unsigned char Left = Owner.Conditions & Each.Conditions;
      if (!Left || Left == Owner.Conditions || !satisfies(Each.If))
        continue;
      Owner.Conditions = Left;
      if (!Owner.mayBe(OwnerState::Consumed))
        Owner.ConsumedAt = Sites();
      if (!Owner.mayBe(OwnerState::Null))
        Owner.GrownAt = nullptr;
      HasChanged = true;
    }
  }
  for (const SlotImplication &Each : SlotImplications)
    if (satisfies(Each.If))
      Slots[Each.Object].restrict(Each.Slot, Each.Facts);
  for (const LoanImplication &Each : LoanImplications)
    if (satisfies(Each.If))
      Borrowers[Each.Borrower].IsDangling = false;
  for (const PlaceImplication &Each : PlaceImplications)
    if (satisfies(Each.If) && !llvm::is_contained(Empty, Each.Slot)) {
      llvm::erase(Refilled, Each.Slot);
      Empty.push_back(Each.Slot);
    }
}

void State::copyFacts(const clang::VarDecl *Pointer, const clang::VarDecl *Other) {
  if (const KnownNumber *Known = numberIn(*this, Other)) {
    KnownNumber Copy = *Known;
    Copy.In = Pointer;
    Numbers.push_back(Copy);
  }
  auto CopyAll = [&](auto &Each) {
    for (size_t I = 0, Count = Each.size(); I != Count && Each.size() < MostImplications; ++I)
      if (!Each[I].If.Owner && Each[I].If.In == Other) {
        auto Copy = Each[I];
        Copy.If.In = Pointer;
        Each.push_back(Copy);
      }
  };
  CopyAll(Implications);
  CopyAll(SlotImplications);
  CopyAll(LoanImplications);
  CopyAll(PlaceImplications);
}

void State::forgetFacts(const clang::VarDecl *Variable, std::optional<unsigned> Owner) {
  llvm::erase_if(Numbers, [&](const KnownNumber &Each) { return Each.In == Variable; });
  auto IsOf = [&](const Premise &If) {
    return Owner ? If.Owner == Owner : !If.Owner && If.In == Variable;
  };
  llvm::erase_if(Implications, [&](const Implication &Each) {
    return (Owner && Each.Owner == *Owner) || IsOf(Each.If);
  });
  llvm::erase_if(SlotImplications, [&](const SlotImplication &Each) { return IsOf(Each.If); });
  llvm::erase_if(LoanImplications, [&](const LoanImplication &Each) { return IsOf(Each.If); });
  llvm::erase_if(PlaceImplications, [&](const PlaceImplication &Each) { return IsOf(Each.If); });
}
