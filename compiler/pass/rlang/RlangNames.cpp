// SPDX-License-Identifier: MIT
//===- RlangNames.cpp - The names, types and structures of a rendering ----===//
#include "pass/rlang/RlangNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace acre {

using rlang::Property;

std::string identifier(StringRef Text) {
  std::string Result;
  for (char C : Text)
    if (isAlnum(C))
      Result += C;
    else if (!Result.empty() && Result.back() != '_')
      Result += '_';
  while (!Result.empty() && Result.back() == '_')
    Result.pop_back();
  if (Result.empty() || isDigit(Result.front()))
    Result = "v" + Result;
  static constexpr StringLiteral Words[] = {"if",     "while",  "is",   "new",   "chk",
                                            "null",   "exists", "true", "false", "region",
                                            "struct", "top",    "RT"};
  return is_contained(Words, Result) ? Result + "_" : Result;
}

rlang::Type typed(StringRef Base, StringRef Region) {
  if (Base == RegionType)
    return {{}, Base.str(), {}, at(Region), {}};
  return {{}, Base.str(), {at(Region)}, at(Region), {}};
}

rlang::Type some(StringRef Base, Property Where) {
  rlang::Type Result = typed(Base, "q");
  Result.Exists = {{"q", std::move(Where), {}}};
  return Result;
}

static Property relation(Property::Kind K, StringRef Left, StringRef Right) {
  return Property::relation(K, Left, Right);
}

Property ruleOf(SlotRule Rule, StringRef Value, StringRef Holder) {
  switch (Rule) {
  case SlotRule::Sameregion:
    return Property::combine(Property::Or, {relation(Property::Equal, Value, "top"),
                                            relation(Property::Equal, Value, Holder)});
  case SlotRule::Parentptr:
    return relation(Property::LessEqual, Holder, Value);
  case SlotRule::Traditional:
    return Property::combine(Property::Or, {relation(Property::Equal, Value, "top"),
                                            relation(Property::Equal, Value, "RT")});
  default:
    return {};
  }
}

std::string baseOf(const DIType *T) {
  auto Strip = [](const DIType *&U) {
    while (auto *D = dyn_cast_or_null<DIDerivedType>(U)) {
      if (D->getName() == "acre_region")
        return true;
      if (D->getTag() == dwarf::DW_TAG_pointer_type || D->getTag() == dwarf::DW_TAG_member)
        return false;
      U = D->getBaseType();
    }
    return false;
  };
  if (!T)
    return "";
  if (Strip(T))
    return RegionType.str();
  auto *Pointer = dyn_cast_if_present<DIDerivedType>(T);
  if (!Pointer || Pointer->getTag() != dwarf::DW_TAG_pointer_type)
    return "";
  const DIType *To = Pointer->getBaseType();
  if (!To)
    return BytesType.str();
  if (Strip(To))
    return "region_slot";
  if (auto *Record = dyn_cast_if_present<DICompositeType>(To))
    return Record->getName().empty() ? BytesType.str() : identifier(Record->getName());
  if (auto *Inner = dyn_cast_if_present<DIDerivedType>(To);
      Inner && Inner->getTag() == dwarf::DW_TAG_pointer_type) {
    std::string Name = baseOf(Inner);
    return Name == BytesType ? Name : Name + "_slot";
  }
  return BytesType.str();
}

rlang::Function declared(StringRef Name, ArrayRef<std::string> Bases, StringRef ResultBase,
                         bool IsSame) {
  rlang::Function Result;
  Result.Signature.Name = Name.str();
  for (auto [I, Base] : enumerate(Bases)) {
    std::string Region = "p" + utostr(I);
    Result.Signature.Regions.push_back(Region);
    Result.Signature.Parameters.push_back({"x" + utostr(I), typed(Base, Region), {}});
  }
  Result.Signature.Result = ResultBase.empty() ? typed(RegionType, "top")
                            : IsSame           ? typed(ResultBase, "p0")
                                               : some(ResultBase);
  return Result;
}

void Declarations::addField(StringRef Struct, StringRef Name, StringRef Base, SlotRule Rule) {
  need(Base);
  auto [Found, IsNew] = Structs[Struct.str()].insert({Name.str(), {Base.str(), Rule}});
  // Accesses that disagree are of slots that have no name of their own.
  if (!IsNew && Found->second.Rule != Rule)
    Found->second.Rule = SlotRule::Plain;
}

StringRef Declarations::fieldBase(StringRef Struct, StringRef Name) const {
  auto Record = Structs.find(Struct.str());
  if (Record == Structs.end())
    return "";
  auto Found = Record->second.find(Name.str());
  return Found == Record->second.end() ? StringRef() : StringRef(Found->second.Base);
}

SmallVector<std::string, 4> Declarations::fields(StringRef Struct) const {
  SmallVector<std::string, 4> Result;
  auto Found = Structs.find(Struct.str());
  if (Found != Structs.end())
    for (const auto &[Ignored, F] : Found->second)
      Result.push_back(F.Base);
  return Result;
}

rlang::Program Declarations::program() const {
  rlang::Program Result;
  for (const auto &[Name, Fields] : Structs) {
    rlang::Struct S{Name, {"p"}, {}, {}};
    for (const auto &[Field, What] : Fields)
      S.Fields.push_back({Field, some(What.Base, ruleOf(What.Rule, "q", "p")), {}});
    Result.Structs.push_back(std::move(S));
  }
  for (const auto &[Ignored, F] : Functions)
    Result.Functions.push_back(F);
  return Result;
}

} // namespace acre
