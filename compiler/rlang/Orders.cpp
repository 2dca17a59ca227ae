// SPDX-License-Identifier: MIT
//===- Orders.cpp - Implication between properties, decided ---------------===//
#include "Orders.h"

namespace acre::rlang {
namespace {

using Pending = std::vector<const Formula *>;

/// Every way to make all of Open true that is consistent with From is passed to Found, until that
/// returns true.
template <class Receive> bool eachCase(Order From, Pending Open, Receive &&Found) {
  Pending Alternatives;
  while (!Open.empty()) {
    const Formula *F = Open.back();
    Open.pop_back();
    switch (F->K) {
    case Formula::And:
      for (const Formula &Each : F->Operands)
        Open.push_back(&Each);
      break;
    case Formula::Or:
      Alternatives.push_back(F);
      break;
    default:
      if (!From.assume(*F))
        return false;
    }
  }
  // Atoms first, and alternatives that they settle: fewer splits.
  std::erase_if(Alternatives, [&](const Formula *F) { return From.decides(*F); });
  if (Alternatives.empty())
    return Found(std::move(From));
  const Formula *Split = Alternatives.back();
  Alternatives.pop_back();
  for (const Formula &Each : Split->Operands) {
    Pending Rest = Alternatives;
    Rest.push_back(&Each);
    if (eachCase(From, std::move(Rest), Found))
      return true;
  }
  return false;
}

} // namespace

Order::Order(unsigned Size) : Size(Size), Below(Size), NotBelow(Size) {
  for (RegionId Id = 0; Id < Size; ++Id) {
    Below.set(Id, Id);
    Below.set(Id, TopId);
  }
  NotBelow.set(TopId, TraditionalId);
}

bool Order::assume(const Formula &Atom) {
  if (Atom.K == Formula::LessEqual && !Below.test(Atom.A, Atom.B)) {
    for (RegionId X = 0; X < Size; ++X)
      if (Below.test(X, Atom.A))
        Below.unite(X, Below, Atom.B);
    // !(x <= y), x <= x', y' <= y give !(x' <= y'): first along the new x <= x', then along the new
    // y' <= y.
    for (RegionId X = 0; X < Size; ++X)
      if (Below.test(X, Atom.A))
        for (RegionId Above = 0; Above < Size; ++Above)
          if (Below.test(Atom.B, Above))
            NotBelow.unite(Above, NotBelow, X);
    for (RegionId X = 0; X < Size; ++X)
      if (NotBelow.meets(X, Below, Atom.B))
        for (RegionId Y = 0; Y < Size; ++Y)
          if (Below.test(Y, Atom.A))
            NotBelow.set(X, Y);
  } else if (Atom.K == Formula::NotLessEqual && !NotBelow.test(Atom.A, Atom.B)) {
    for (RegionId X = 0; X < Size; ++X)
      if (Below.test(Atom.A, X))
        for (RegionId Y = 0; Y < Size; ++Y)
          if (Below.test(Y, Atom.B))
            NotBelow.set(X, Y);
  }
  for (RegionId X = 0; X < Size; ++X)
    if (Below.meets(X, NotBelow, X))
      return false;
  return true;
}

bool Order::decides(const Formula &F) const {
  auto Decided = [&](const Formula &Each) { return decides(Each); };
  switch (F.K) {
  case Formula::LessEqual:
    return Below.test(F.A, F.B);
  case Formula::NotLessEqual:
    return NotBelow.test(F.A, F.B);
  case Formula::And:
    return std::all_of(F.Operands.begin(), F.Operands.end(), Decided);
  case Formula::Or:
    return std::any_of(F.Operands.begin(), F.Operands.end(), Decided);
  }
  return false;
}

bool Order::implies(const Formula &F) const {
  if (decides(F))
    return true;
  Formula Contrary = negate(F);
  return !eachCase(*this, {&Contrary}, [](Order) { return true; });
}

void Order::forget(RegionId Id) {
  for (RegionId Other = 0; Other < Size; ++Other) {
    for (BitMatrix *Atoms : {&Below, &NotBelow}) {
      Atoms->reset(Id, Other);
      Atoms->reset(Other, Id);
    }
  }
  Below.set(Id, Id);
  Below.unite(Id, Below, TopId);
}

void Order::weaken(const Order &Other) {
  Below.intersect(Other.Below);
  NotBelow.intersect(Other.NotBelow);
}

bool Order::isWeakerThan(const Order &Other) const {
  return Other.Below.includes(Below) && Other.NotBelow.includes(NotBelow);
}

bool Orders::add(Order New) {
  for (const Order &Each : Members)
    if (Each.isWeakerThan(New))
      return false;
  std::erase_if(Members, [&](const Order &Each) { return New.isWeakerThan(Each); });
  Members.push_back(std::move(New));
  return true;
}

void Orders::limit() {
  if (Members.size() <= mostMembers())
    return;
  for (const Order &Each : Members)
    Members.front().weaken(Each);
  Members.erase(Members.begin() + 1, Members.end());
}

void Orders::assume(const Formula &F) {
  std::vector<Order> Before = std::move(Members);
  Members.clear();
  for (Order &Each : Before) {
    // More cases than are kept anyway: this one stays as it was, which says less.
    size_t Cases = 0;
    std::vector<Order> Stronger;
    eachCase(Each, {&F}, [&](Order Case) {
      Stronger.push_back(std::move(Case));
      return ++Cases > mostMembers();
    });
    if (Cases > mostMembers())
      add(std::move(Each));
    else
      for (Order &Case : Stronger)
        add(std::move(Case));
  }
  limit();
}

bool Orders::implies(const Formula &F) const {
  return std::all_of(Members.begin(), Members.end(),
                     [&](const Order &Each) { return Each.implies(F); });
}

void Orders::forget(RegionId Id) {
  std::vector<Order> Before = std::move(Members);
  Members.clear();
  for (Order &Each : Before) {
    Each.forget(Id);
    add(std::move(Each));
  }
}

bool Orders::join(const Orders &Other) {
  bool Changed = false;
  for (const Order &Each : Other.Members)
    Changed |= add(Each);
  limit();
  return Changed;
}

} // namespace acre::rlang
