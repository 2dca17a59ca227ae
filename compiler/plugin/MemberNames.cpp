// SPDX-License-Identifier: MIT
//===- MemberNames.cpp - Members that only reports ask for ----------------===//

#include "plugin/MemberNames.h"
#include "plugin/Annotations.h"
#include "versions/Clang.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/RecordLayout.h"
#include <algorithm>

using namespace clang;

namespace acre::ast {

std::string typeName(const ASTContext &Context, QualType Type) {
  PrintingPolicy Policy(Context.getPrintingPolicy());
  leaveOutLocations(Policy);
  while (isWrittenSugar(Type.getTypePtr()))
    Type = Type->getLocallyUnqualifiedSingleStepDesugaredType();
  bool IsNamed = isa<TypedefType, RecordType>(Type.getTypePtr());
  return (IsNamed ? Type : Type.getCanonicalType()).getUnqualifiedType().getAsString(Policy);
}

namespace {

/// A member of members: Count of them, Stride bytes apart; [] in the path stands for which.
struct Member {
  uint64_t Offset;
  std::string Path;
  uint64_t Count = 1, Stride = 0;
  bool IsInUnion = false;
};

class Writer {
public:
  explicit Writer(const ASTContext &Of) : Context(Of) {}
  void write(QualType Type, const Member &At);
  std::string Text;

private:
  /// More than these nobody reads, and each program carries them.
  static constexpr size_t MostBytes = 2048;
  static constexpr uint64_t MostElements = 16;

  void writeFields(const RecordDecl *Record, const Member &At);
  void writeElements(QualType Element, uint64_t Count, const Member &At);
  void line(char Kind, const Member &At, const std::string &Type);
  uint64_t sizeOf(QualType Type) const {
    return Type->isIncompleteType() ? 0 : Context.getTypeSizeInChars(Type).getQuantity();
  }

  const ASTContext &Context;
};

void Writer::line(char Kind, const Member &At, const std::string &Type) {
  std::string Line = Kind + std::to_string(At.Offset) + ' ' + std::to_string(At.Count) + ' ' +
                     std::to_string(At.Stride) + ' ' + At.Path + (Type.empty() ? "" : " " + Type) +
                     '\n';
  if (Text.size() + Line.size() <= MostBytes)
    Text += Line;
}

void Writer::writeFields(const RecordDecl *Record, const Member &At) {
  const ASTRecordLayout &Place = Context.getASTRecordLayout(Record);
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isBitField())
      continue;
    Member Next = At;
    uint64_t Bits = Place.getFieldOffset(Field->getFieldIndex());
    Next.Offset += Context.toCharUnitsFromBits(Bits).getQuantity();
    std::string Name = Field->getNameAsString();
    Next.Path += (Next.Path.empty() || Name.empty() ? "" : ".") + Name;
    Next.IsInUnion |= Record->isUnion();
    write(Field->getType(), Next);
  }
}

/// Whether the layout's own path, which has the index at the end, is not as C writes it.
static bool isInElement(const Member &At) {
  size_t Hole = At.Path.find("[]");
  return At.IsInUnion || (Hole != std::string::npos && Hole + 2 != At.Path.size());
}

/// Count: 0 if the array goes on to the object's end.
void Writer::writeElements(QualType Element, uint64_t Count, const Member &At) {
  const uint64_t Size = sizeOf(Element);
  if (At.Count == 1 && At.Stride == 0) {
    Member Each = At;
    Each.Path += "[]";
    Each.Count = Count;
    Each.Stride = Size;
    return write(Element, Each);
  }
  for (uint64_t I = 0; I != std::min(Count, MostElements); ++I) {
    Member Each = At;
    Each.Offset += I * Size;
    Each.Path += "[" + std::to_string(I) + "]";
    write(Element, Each);
  }
}

void Writer::write(QualType Type, const Member &At) {
  if (const auto *Atomic = Type->getAs<AtomicType>())
    Type = Atomic->getValueType();
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (const ArrayType *Array = Context.getAsArrayType(Type)) {
    const auto *Bound = dyn_cast<ConstantArrayType>(Array);
    writeElements(Array->getElementType(), Bound ? Bound->getZExtSize() : 0, At);
  } else if (Record) {
    if ((Record = Record->getDefinition()) && !Record->isInvalidDecl())
      writeFields(Record, At);
  } else if (Type->isPointerType() && isInElement(At)) {
    QualType Pointee = Type->getPointeeType();
    std::string Written = typeName(Context, Pointee),
                Plain = typeName(Context, Pointee.getCanonicalType());
    line('|', At, Written);
    if (Plain != Written)
      line('|', At, Plain);
  } else if (Type->isIntegralOrEnumerationType() && sizeOf(Type) >= sizeOf(Context.VoidPtrTy)) {
    line('#', At, "");
  }
}

} // namespace

std::string memberNames(const ASTContext &Context, QualType Type) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (!Record || Record->isInvalidDecl())
    return "";
  Writer Names(Context);
  std::string Plain = typeName(Context, Type.getCanonicalType());
  if (Plain != typeName(Context, Type))
    Names.Text = "=" + Plain + "\n";
  Names.write(Type, {0, ""});
  return Names.Text;
}

} // namespace acre::ast
