// SPDX-License-Identifier: MIT
//===- Constraints.cpp - The constraint sets of region inference ----------===//
#include "Constraints.h"

#include <algorithm>

namespace acre::rlang {

ConstraintSet::ConstraintSet(unsigned Size)
    : Size(Size), Below(Size), TopOr(Size), NotTop(Size, 1) {
  NotTop.set(0, TraditionalId);
  for (RegionId Id = 0; Id < Size; ++Id) {
    Below.set(Id, Id);
    Below.set(Id, TopId);
    TopOr.set(Id, Id);
    TopOr.set(TopId, Id);
  }
}

ConstraintSet ConstraintSet::unreachable(unsigned Size) {
  ConstraintSet Result(Size);
  Result.makeUnreachable();
  return Result;
}

void ConstraintSet::activate(RegionId Id) {
  auto Place = std::lower_bound(Active.begin(), Active.end(), Id);
  if (Place == Active.end() || *Place != Id)
    Active.insert(Place, Id);
}

/// a <= b, b <= c give a <= c; a = top | a = b gives b <= a, and with a != top also a <= b.
bool ConstraintSet::closeBelow() {
  bool Changed = false;
  for (RegionId A : Active)
    for (RegionId B : Active) {
      if (!TopOr.test(A, B))
        continue;
      Changed |= !Below.test(B, A);
      Below.set(B, A);
      if (isNotTop(A)) {
        Changed |= !Below.test(A, B);
        Below.set(A, B);
      }
    }
  for (RegionId Middle : Active)
    for (RegionId A : Active)
      if (Below.test(A, Middle))
        Changed |= Below.unite(A, Below, Middle);
  return Changed;
}

/// a = top gives a = top | a = b, and so does a = b; from a = top | a = b, b = top | b = c follows
/// a = top | a = c.
bool ConstraintSet::closeTopOr() {
  bool Changed = false;
  for (RegionId A : Active) {
    if (isTop(A)) // so every b <= a
      for (RegionId B = 0; B < Size; ++B) {
        Changed |= !TopOr.test(A, B);
        TopOr.set(A, B);
        Below.set(B, A);
      }
    for (RegionId B : Active)
      if (!TopOr.test(A, B) && isEqual(A, B)) {
        TopOr.set(A, B);
        Changed = true;
      }
  }
  for (RegionId Middle : Active)
    for (RegionId A : Active)
      if (TopOr.test(A, Middle))
        Changed |= TopOr.unite(A, TopOr, Middle);
  return Changed;
}

void ConstraintSet::saturate() {
  for (bool Changed = true; Changed;) {
    Changed = closeBelow();
    Changed |= closeTopOr();
    // a <= b and b != top give a != top.
    for (RegionId A : Active)
      if (!isNotTop(A) && Below.meets(A, NotTop, 0)) {
        NotTop.set(0, A);
        Changed = true;
      }
  }
  Unreachable = Unreachable || Below.meets(TopId, NotTop, 0);
}

void ConstraintSet::assume(const Formula &F) {
  bool IsAtom = F.K == Formula::LessEqual || F.K == Formula::NotLessEqual;
  if (Unreachable || (IsAtom && implies(F)))
    return;
  switch (F.K) {
  case Formula::LessEqual:
    activate(F.A);
    activate(F.B);
    Below.set(F.A, F.B);
    saturate();
    break;
  case Formula::NotLessEqual:
    // Only b != top follows: were b top, a <= b would hold.
    if (Below.test(F.A, F.B))
      Unreachable = true;
    activate(F.B);
    NotTop.set(0, F.B);
    saturate();
    break;
  case Formula::And:
    for (const Formula &Each : F.Operands)
      assume(Each);
    break;
  case Formula::Or: {
    ConstraintSet Result = unreachable(Size);
    for (const Formula &Each : F.Operands) {
      ConstraintSet Case = *this;
      Case.assume(Each);
      Result.join(Case);
    }
    *this = std::move(Result);
    break;
  }
  }
}

bool ConstraintSet::implies(const Formula &F) const {
  if (Unreachable)
    return true;
  switch (F.K) {
  case Formula::LessEqual:
    return Below.test(F.A, F.B);
  case Formula::NotLessEqual:
    if (F.A == TopId)
      return isNotTop(F.B);
    // Were a <= b, then b would be top if a is; or the set knows otherwise.
    return isTop(F.A) && isNotTop(F.B);
  case Formula::And:
    return std::all_of(F.Operands.begin(), F.Operands.end(),
                       [&](const Formula &Each) { return implies(Each); });
  case Formula::Or:
    break;
  }
  // Were all operands false, one of them would be true.
  ConstraintSet Rest = *this;
  for (const Formula &Each : F.Operands)
    Rest.assume(negate(Each));
  return std::any_of(F.Operands.begin(), F.Operands.end(),
                     [&](const Formula &Each) { return Rest.implies(Each); });
}

/// Leaves the set closed: of an unknown region it is only known that it is at most top.
void ConstraintSet::forget(RegionId Id) {
  auto Place = std::lower_bound(Active.begin(), Active.end(), Id);
  if (Place == Active.end() || *Place != Id)
    return;
  Active.erase(Place);
  for (RegionId Other = 0; Other < Size; ++Other) {
    for (BitMatrix *Facts : {&Below, &TopOr}) {
      Facts->reset(Id, Other);
      Facts->reset(Other, Id);
    }
  }
  NotTop.reset(0, Id);
  Below.set(Id, Id);
  TopOr.set(Id, Id);
  for (RegionId Other = 0; Other < Size; ++Other)
    if (isTop(Other)) {
      Below.set(Id, Other);
      TopOr.set(Other, Id);
    }
}

bool ConstraintSet::join(const ConstraintSet &Other) {
  if (Other.Unreachable)
    return false;
  if (Unreachable) {
    *this = Other;
    return true;
  }
  bool Changed = !Other.Below.includes(Below) || !Other.TopOr.includes(TopOr) ||
                 !Other.NotTop.includes(NotTop);
  // What holds of an inactive b because a is top here, a = top | a = b, may remain where a is not
  // known to be top.
  for (RegionId Id : Other.Active)
    activate(Id);
  Below.intersect(Other.Below);
  TopOr.intersect(Other.TopOr);
  NotTop.intersect(Other.NotTop);
  return Changed;
}

ConstraintSet ConstraintSet::select(const std::vector<RegionId> &Ids) const {
  ConstraintSet Result(static_cast<unsigned>(Ids.size()));
  Result.Unreachable = Unreachable;
  for (RegionId A = 0; A < Result.Size; ++A) {
    Result.activate(A);
    if (isNotTop(Ids[A]))
      Result.NotTop.set(0, A);
    for (RegionId B = 0; B < Result.Size; ++B) {
      if (Below.test(Ids[A], Ids[B]))
        Result.Below.set(A, B);
      if (TopOr.test(Ids[A], Ids[B]))
        Result.TopOr.set(A, B);
    }
  }
  return Result;
}

Property ConstraintSet::describe(const std::vector<std::string> &Names,
                                 const Formula &Given) const {
  std::vector<Property> Conjuncts;
  ConstraintSet Said(Size);
  Said.assume(Given);
  if (Unreachable)
    return Property::combine(Said.Unreachable ? Property::And : Property::Or, {});
  auto Say = [&](bool Holds, const Formula &F, Property P) {
    if (!Holds || Said.implies(F))
      return;
    Said.assume(F);
    Conjuncts.push_back(std::move(P));
  };
  auto Relation = [&](Property::Kind K, RegionId A, RegionId B) {
    return Property::relation(K, Names[A], Names[B]);
  };
  for (RegionId A = FirstAbstractId; A < Size; ++A) {
    Say(isTop(A), Formula::isTop(A), Relation(Property::Equal, A, TopId));
    for (RegionId B = TraditionalId; B < A; ++B)
      Say(isEqual(A, B), Formula::equal(A, B), Relation(Property::Equal, A, B));
  }
  for (RegionId A = TraditionalId; A < Size; ++A)
    for (RegionId B = TraditionalId; B < Size; ++B) {
      Formula F{Formula::Or, 0, 0, {Formula::isTop(A), Formula::equal(A, B)}};
      Say(TopOr.test(A, B), F,
          Property::combine(Property::Or, {Relation(Property::Equal, A, TopId),
                                           Relation(Property::Equal, A, B)}));
    }
  for (RegionId A = TraditionalId; A < Size; ++A)
    for (RegionId B = TraditionalId; B < Size; ++B)
      Say(Below.test(A, B), Formula::lessEqual(A, B), Relation(Property::LessEqual, A, B));
  for (RegionId A = FirstAbstractId; A < Size; ++A)
    Say(isNotTop(A), Formula::isNotTop(A), Relation(Property::NotEqual, A, TopId));
  return Property::combine(Property::And, std::move(Conjuncts));
}

bool ConstraintSet::operator==(const ConstraintSet &Other) const {
  return Unreachable == Other.Unreachable &&
         (Unreachable || (Below == Other.Below && TopOr == Other.TopOr && NotTop == Other.NotTop));
}

} // namespace acre::rlang
