// SPDX-License-Identifier: MIT
//===- CheckLayouts.cpp - Objects that are called by another type --------===//
//
// A pointer to one structure may become a pointer to another one that begins in
// the same way.  What is owned has to be owned by both names: else one of them
// would copy freely what the other one frees.
//
//===----------------------------------------------------------------------===//

#include "plugin/Annotations.h"
#include "plugin/Checks.h"
#include "plugin/ownership/Flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;
using namespace acre::ast;

namespace {
struct Slot {
  uint64_t Offset; // in bytes
  QualType Type;
};
using Slots = llvm::SmallVector<Slot, 8>;
} // namespace

/// The pointers in an object of this type; of an array those of its first element, since the others
/// are laid alike.
static void appendPointers(const ASTContext &Context, QualType Type, uint64_t Offset, Slots &Into) {
  if (isSlotType(Type)) {
    Into.push_back({Offset, Type});
  } else if (const ArrayType *Array = Context.getAsArrayType(Type)) {
    appendPointers(Context, Array->getElementType(), Offset, Into);
  } else if (const RecordDecl *Record = Type->getAsRecordDecl();
             Record && Record->getDefinition()) {
    const ASTRecordLayout &Layout = Context.getASTRecordLayout(Record->getDefinition());
    for (const FieldDecl *Field : Record->getDefinition()->fields())
      if (!Field->isBitField())
        appendPointers(
            Context, Field->getType(),
            Offset + Context.toCharUnitsFromBits(Layout.getFieldOffset(Field->getFieldIndex()))
                         .getQuantity(),
            Into);
  }
}

void Checks::checkLayout(Expr *Value, QualType To) {
  QualType From = withoutConversions(Value)->getType()->getPointeeType(),
           Into = To->getPointeeType();
  if (From.isNull() || Into.isNull() || (!From->isRecordType() && !Into->isRecordType()) ||
      From->isIncompleteType() || Into->isIncompleteType() || From->isFunctionType() ||
      Into->isFunctionType() || Context.hasSameUnqualifiedType(From, Into) ||
      (!hasUniqueSlots(Context, From) && !hasUniqueSlots(Context, Into)))
    return;
  Slots Before, After;
  appendPointers(Context, From, 0, Before);
  appendPointers(Context, Into, 0, After);
  // One member of a union is enough.
  auto IsKnown = [&](const Slot &New) {
    return llvm::any_of(Before, [&](const Slot &Old) {
      return Old.Offset == New.Offset && areOwnedAlike(Old.Type, New.Type);
    });
  };
  for (const Slot &Old : Before)
    for (const Slot &New : After)
      if (Old.Offset == New.Offset && !IsKnown(New)) {
        Reports.report(Diag::OwnersLaidElsewhere, Value->getExprLoc())
            << print(withoutConversions(Value)->getType()) << print(To) << unsigned(Old.Offset)
            << print(New.Type) << print(Old.Type) << Value->getSourceRange();
        noteOwningField(Context, Reports, hasUniqueSlots(Context, From) ? From : Into);
        return;
      }
}
