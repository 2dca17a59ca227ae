// SPDX-License-Identifier: MIT
//===- Owned.cpp - What objects of a type own -----------------------------===//

#include "plugin/Owned.h"
#include "plugin/Annotations.h"
#include "plugin/ownership/Library.h"
#include "shared/markers.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/TypeOrdering.h"
#include "llvm/ADT/MapVector.h"
#include <optional>
#include <vector>

using namespace clang;
using namespace acre;
using namespace acre::ast;

namespace {

/// Count owning slots, Stride bytes apart, the first at byte Offset.
struct OwnedRun {
  uint64_t Offset, Count, Stride;
  char Kind;
  QualType Target; ///< what a unique pointer points to
};

class Graph {
public:
  explicit Graph(const ASTContext &Types) : Context(Types) {}
  std::string describe(QualType Type);

private:
  using Runs = std::vector<OwnedRun>;

  void collect(QualType Type, uint64_t Base, Runs &Out) const;
  void collectArray(const ConstantArrayType *Array, uint64_t Base, Runs &Out) const;
  /// The number of Type in the text; none if its objects own nothing.
  std::optional<unsigned> numberOf(QualType Type);

  const ASTContext &Context;
  llvm::MapVector<CanQualType, Runs>
      Known; ///< in the order of their numbers; those that own nothing are left out
};

char kindOf(QualType Type) {
  if (disciplineOf(Type) == Discipline::Refcounted)
    return markers::OwnedReference;
  const auto *Record =
      Type->getPointeeType().isNull() ? nullptr : Type->getPointeeType()->getAsRecordDecl();
  llvm::StringRef Name = Record ? Record->getName() : "";
  return Name == "acre_weak"  ? markers::OwnedWeak
         : Name == "acre_key" ? markers::OwnedReference
                              : markers::OwnedObject;
}

void Graph::collect(QualType Type, uint64_t Base, Runs &Out) const {
  if (isOwning(Type)) {
    if (!closersOf(Type->getPointeeType()).empty())
      return; // free would not end it
    char Kind = kindOf(Type);
    uint64_t Size = Context.getTypeSizeInChars(Context.VoidPtrTy).getQuantity();
    Out.push_back(
        {Base, 1, Size, Kind, Kind == markers::OwnedObject ? Type->getPointeeType() : QualType()});
  } else if (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type)) {
    collectArray(Array, Base, Out);
  } else if (const RecordDecl *Record = Type->getAsRecordDecl();
             Record && Record->getDefinition() && !Record->isUnion() && !Record->isInvalidDecl()) {
    Record = Record->getDefinition();
    const ASTRecordLayout &Place = Context.getASTRecordLayout(Record);
    for (const FieldDecl *Field : Record->fields())
      if (!Field->isBitField())
        collect(Field->getType(),
                Base + Context.toCharUnitsFromBits(Place.getFieldOffset(Field->getFieldIndex()))
                           .getQuantity(),
                Out);
  }
}

void Graph::collectArray(const ConstantArrayType *Array, uint64_t Base, Runs &Out) const {
  Runs Element;
  collect(Array->getElementType(), 0, Element);
  uint64_t Count = Array->getZExtSize(),
           Size = Context.getTypeSizeInChars(Array->getElementType()).getQuantity();
  if (Count == 0)
    return;
  for (const OwnedRun &Run : Element)
    if (Run.Count == 1)
      Out.push_back({Base + Run.Offset, Count, Size, Run.Kind, Run.Target});
    else
      for (uint64_t I = 0; I != Count; ++I)
        Out.push_back({Base + I * Size + Run.Offset, Run.Count, Run.Stride, Run.Kind, Run.Target});
}

std::optional<unsigned> Graph::numberOf(QualType Type) {
  if (Type->isIncompleteType() || Type->isFunctionType())
    return std::nullopt;
  CanQualType Key = Context.getCanonicalType(Type).getUnqualifiedType();
  if (auto Found = Known.find(Key); Found != Known.end())
    return unsigned(Found - Known.begin());
  Runs Found;
  collect(Type, 0, Found);
  if (Found.empty())
    return std::nullopt;
  Known.insert({Key, std::move(Found)});
  return unsigned(Known.size() - 1);
}

std::string Graph::describe(QualType Type) {
  std::string Text;
  if (!numberOf(Type))
    return Text;
  for (unsigned I = 0; I != Known.size(); ++I) { // numbers more as it goes
    if (I)
      Text += markers::SiteSeparator;
    auto [Key, List] = *(Known.begin() + I); // a copy: the map grows
    Text += std::to_string(Context.getTypeSizeInChars(Key).getQuantity());
    for (const OwnedRun &Run : List) {
      Text += markers::FieldSeparator;
      for (uint64_t Value : {Run.Offset, Run.Count, Run.Stride})
        Text += std::to_string(Value) + markers::PartSeparator;
      Text += {Run.Kind, markers::PartSeparator};
      if (std::optional<unsigned> Target =
              Run.Target.isNull() ? std::nullopt : numberOf(Run.Target))
        Text += std::to_string(*Target);
    }
  }
  return Text;
}

} // namespace

std::string ast::describeOwned(const ASTContext &Context, QualType Type) {
  return Graph(Context).describe(Type);
}
