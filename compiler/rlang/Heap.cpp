// SPDX-License-Identifier: MIT
//===- Heap.cpp - The paper's heap model ----------------------------------===//
#include "Heap.h"

#include <algorithm>

namespace acre::rlang {

RegionId Heap::newRegion(RegionId Parent) {
  Regions.push_back({Parent, false});
  return regions() - 1;
}

Value Heap::newObject(Object New) {
  Objects.push_back(std::move(New));
  return {Value::Object, static_cast<unsigned>(Objects.size() - 1)};
}

size_t Heap::liveRegions() const {
  return static_cast<size_t>(std::count_if(Regions.begin() + FirstAbstractId, Regions.end(),
                                           [](const RegionState &R) { return !R.IsDeleted; }));
}

RegionId Heap::regionOf(Value V) const {
  if (V.K == Value::Null)
    return TopId;
  return V.K == Value::Region ? V.Index : Objects[V.Index].In;
}

bool Heap::isLessEqual(RegionId Low, RegionId High) const {
  if (High == TopId)
    return true;
  while (Low != High && Low != TopId)
    Low = Regions[Low].Parent;
  return Low == High;
}

bool Heap::holds(const Formula &F) const {
  auto Holds = [&](const Formula &Each) { return holds(Each); };
  switch (F.K) {
  case Formula::LessEqual:
    return isLessEqual(F.A, F.B);
  case Formula::NotLessEqual:
    return !isLessEqual(F.A, F.B);
  case Formula::And:
    return std::all_of(F.Operands.begin(), F.Operands.end(), Holds);
  case Formula::Or:
    return std::any_of(F.Operands.begin(), F.Operands.end(), Holds);
  }
  return false;
}

std::string Heap::whyNotDeletable(RegionId Id) const {
  if (Id == TraditionalId)
    return "the traditional region is never deleted";
  for (RegionId Child = 0; Child < regions(); ++Child)
    if (Regions[Child].Parent == Id && !Regions[Child].IsDeleted)
      return "region " + std::to_string(Id) + " has subregion " + std::to_string(Child);
  for (const Object &From : Objects) {
    if (From.In == Id || isDeleted(From.In))
      continue;
    for (size_t I = 0; I < From.Fields.size(); ++I)
      if (regionOf(From.Fields[I]) == Id)
        return "region " + std::to_string(Id) + " is referenced by field '" +
               From.Layout->Fields[I].Name + "' of an object in region " + std::to_string(From.In);
  }
  return {};
}

void Heap::deleteRegion(RegionId Id) { Regions[Id].IsDeleted = true; }

bool Heap::isBase(Value V, const Type &T, const Scope &S) const {
  if (regionOf(V) != S[T.Target])
    return false;
  if (V.K == Value::Null)
    return true;
  if (T.isRegion() || V.K == Value::Region)
    return T.isRegion() && V.K == Value::Region;
  const Object &O = object(V);
  if (O.Layout->Name != T.Base)
    return false;
  for (size_t I = 0; I < T.Arguments.size(); ++I)
    if (S[T.Arguments[I]] != O.Arguments[I])
      return false;
  return true;
}

std::optional<Scope> Heap::instantiate(Value V, const Type &T, Scope S) const {
  return instantiateFrom(V, T, std::move(S), 0);
}

std::optional<Scope> Heap::instantiateFrom(Value V, const Type &T, Scope S, size_t Index) const {
  if (Index == T.Exists.size()) {
    if (isBase(V, T, S))
      return S;
    return std::nullopt;
  }
  const Quantifier &Q = T.Exists[Index];
  RegionId First = 0, Last = regions() - 1;
  if (T.Target.Name == Q.Name)
    First = Last = regionOf(V);
  for (RegionId Id = First; Id <= Last; ++Id) {
    S.bind(Q.Name, Id);
    if (holds(Q.Where, S))
      if (std::optional<Scope> Found = instantiateFrom(V, T, S, Index + 1))
        return Found;
  }
  return std::nullopt;
}

} // namespace acre::rlang
