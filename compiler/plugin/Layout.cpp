// SPDX-License-Identifier: MIT
//===- Layout.cpp - Which words of a type are pointers --------------------===//

#include "plugin/Layout.h"
#include "plugin/MemberNames.h"
#include "shared/markers.h"
#include "versions/Clang.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>
#include <tuple>

using namespace clang;
using namespace acre;
using namespace acre::ast;

static constexpr size_t MaxRuns = 512;
// Unions of arrays are compared slot by slot up to this many slots.
static constexpr uint64_t MaxUnionSlots = 4096;

static bool areAnnotated(const std::vector<SlotRun> &Runs) {
  return llvm::any_of(Runs, [](const SlotRun &Run) {
    return Run.SlotRule != Rule::Plain && Run.SlotRule != Rule::Union;
  });
}

Layouts::Layouts(ASTContext &Context)
    : Context(Context), PointerSize(Context.getTypeSizeInChars(Context.VoidPtrTy).getQuantity()) {}
Layouts::~Layouts() = default;

static std::string join(const std::string &Outer, const std::string &Inner) {
  return Outer.empty() ? Inner : Inner.empty() ? Outer : Outer + "." + Inner;
}

void Layouts::cover(uint64_t Size, Runs &Out) {
  Out.clear();
  if (Size >= PointerSize)
    Out.push_back({0, Size / PointerSize, PointerSize, Rule::Union, ""});
}

void Layouts::repeat(const Runs &Element, uint64_t Count, uint64_t Size, Runs &Out) {
  if (Count == 0)
    return;
  for (const SlotRun &Run : Element) {
    if (Run.Count * Run.Stride == Size)
      Out.push_back({Run.Offset, Run.Count * Count, Run.Stride, Run.SlotRule, Run.Path});
    else if (Run.Count == 1)
      Out.push_back({Run.Offset, Count, Size, Run.SlotRule, Run.Path});
    else if (Count <= Run.Count)
      for (uint64_t I = 0; I != Count && Out.size() <= MaxRuns; ++I)
        Out.push_back({Run.Offset + I * Size, Run.Count, Run.Stride, Run.SlotRule, Run.Path});
    else
      for (uint64_t I = 0; I != Run.Count && Out.size() <= MaxRuns; ++I)
        Out.push_back({Run.Offset + I * Run.Stride, Count, Size, Run.SlotRule, Run.Path});
  }
  if (Out.size() > MaxRuns)
    cover(Count * Size, Out);
}

void Layouts::collect(QualType Type, Runs &Out) {
  if (isSlotType(Type)) {
    Rule SlotRule = layoutRule(Type);
    if (!isRegionHandle(Type) || SlotRule != Rule::Plain)
      Out.push_back({0, 1, PointerSize, SlotRule, ""});
  } else if (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type)) {
    Runs Element;
    collect(Array->getElementType(), Element);
    repeat(Element, Array->getZExtSize(),
           Context.getTypeSizeInChars(Array->getElementType()).getQuantity(), Out);
  } else if (const auto *Atomic = Type->getAs<AtomicType>()) {
    collect(Atomic->getValueType(), Out);
  } else if (const RecordDecl *Record = Type->getAsRecordDecl()) {
    Out = recordRuns(Record);
  }
}

const std::vector<SlotRun> &Layouts::recordRuns(const RecordDecl *Record) {
  static const Runs None;
  Record = Record->getDefinition();
  if (!Record || !Record->isCompleteDefinition() || Record->isInvalidDecl())
    return None; // may be complete the next time
  if (auto Known = Records.find(Record); Known != Records.end())
    return *Known->second;
  Runs Found;
  if (Record->isUnion())
    collectUnion(Record, Found);
  else
    collectFields(Record, Found);
  if (Found.size() > MaxRuns)
    cover(Context.getASTRecordLayout(Record).getSize().getQuantity(), Found);
  return *(Records[Record] = std::make_unique<Runs>(std::move(Found)));
}

void Layouts::collectFields(const RecordDecl *Record, Runs &Out) {
  const ASTRecordLayout &Place = Context.getASTRecordLayout(Record);
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isBitField())
      continue;
    Runs Inner;
    collect(Field->getType(), Inner);
    uint64_t Base =
        Context.toCharUnitsFromBits(Place.getFieldOffset(Field->getFieldIndex())).getQuantity();
    for (SlotRun &Run : Inner) {
      Run.Offset += Base;
      Run.Path = join(Field->getNameAsString(), Run.Path);
      Out.push_back(std::move(Run));
    }
  }
}

/// The slots of each member, one by one; false if there are too many.
static bool expand(const std::vector<SlotRun> &Runs, std::vector<SlotRun> &Slots) {
  for (const SlotRun &Run : Runs) {
    if (Run.Count > MaxUnionSlots - std::min<uint64_t>(Slots.size(), MaxUnionSlots))
      return false;
    for (uint64_t I = 0; I != Run.Count; ++I)
      Slots.push_back({Run.Offset + I * Run.Stride, 1, Run.Stride, Rule::Union, Run.Path});
  }
  return true;
}

void Layouts::collectUnion(const RecordDecl *Record, Runs &Out) {
  std::vector<Runs> Members;
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isBitField() && Field->isUnnamedBitField())
      continue;
    Members.emplace_back();
    if (!Field->isBitField())
      collect(Field->getType(), Members.back());
    for (SlotRun &Run : Members.back())
      Run.Path = join(Field->getNameAsString(), Run.Path);
  }
  if (Members.empty())
    return;
  bool IsUniform = std::all_of(Members.begin(), Members.end(), [&](const Runs &Each) {
    return std::equal(Each.begin(), Each.end(), Members[0].begin(), Members[0].end(),
                      [](const SlotRun &A, const SlotRun &B) { return A.hasSamePlace(B); });
  });
  if (IsUniform) {
    Out = std::move(Members[0]);
    return;
  }
  Runs Slots;
  for (const Runs &Each : Members)
    if (!expand(Each, Slots))
      return cover(Context.getASTRecordLayout(Record).getSize().getQuantity(), Out);
  llvm::sort(Slots, [](const SlotRun &A, const SlotRun &B) {
    return std::tie(A.Offset, A.Path) < std::tie(B.Offset, B.Path);
  });
  for (SlotRun &Slot : Slots) {
    SlotRun *Last = Out.empty() ? nullptr : &Out.back();
    uint64_t End = Last ? Last->Offset + Last->Count * Last->Stride : 0;
    if (Last && Slot.Offset == End && Last->Stride == PointerSize) {
      ++Last->Count;
    } else if (!Last ||
               Slot.Offset >= Last->Offset + (Last->Count - 1) * Last->Stride + PointerSize) {
      Slot.Stride = PointerSize;
      Out.push_back(std::move(Slot));
    }
  }
}

void Layouts::addFlexible(const RecordDecl *Record, uint64_t Base, const std::string &Path,
                          Layout &Result) {
  const FieldDecl *Last = nullptr;
  for (const FieldDecl *Field : Record->fields())
    Last = Field;
  if (!Last || Last->isBitField())
    return;
  const ASTRecordLayout &Place = Context.getASTRecordLayout(Record);
  uint64_t Offset =
      Base + Context.toCharUnitsFromBits(Place.getFieldOffset(Last->getFieldIndex())).getQuantity();
  std::string LastPath = join(Path, Last->getNameAsString());
  if (const RecordDecl *Inner = Last->getType()->getAsRecordDecl()) {
    if (Record->hasFlexibleArrayMember() && Inner->isUnion())
      Result.IsKnown = false; // which member says how long the object is?
    else if (!Inner->isUnion())
      addFlexible(Inner, Offset, LastPath, Result);
    return;
  }
  const ArrayType *Array = Context.getAsArrayType(Last->getType());
  const auto *Bound = dyn_cast_or_null<ConstantArrayType>(Array);
  if (!Array || (Bound && !Bound->isZeroSize()))
    return;
  Runs Element;
  collect(Array->getElementType(), Element);
  Result.FlexibleFirst = Result.Runs.size();
  for (SlotRun &Run : Element)
    Result.Runs.push_back(
        {Offset + Run.Offset, Run.Count, Run.Stride, Run.SlotRule, join(LastPath, Run.Path)});
  // Bytes behind pointers are no other element of an array either; no slot depends on their stride.
  if (!Element.empty())
    Result.FlexibleStride = Context.getTypeSizeInChars(Array->getElementType()).getQuantity();
  else if (!Result.Runs.empty())
    Result.FlexibleStride = PointerSize;
}

/// The type of one element if Type is an array whose length the type does not say.
static QualType describedType(const ASTContext &Context, QualType Type) {
  for (const ArrayType *Array; (Array = Context.getAsArrayType(Type));) {
    if (isa<ConstantArrayType>(Array) && !Array->getElementType()->isVariableArrayType())
      break;
    Type = Array->getElementType();
  }
  return Type;
}

Layout Layouts::of(QualType Type) {
  Layout Result;
  Type = describedType(Context, Type);
  if (Type->isIncompleteType() || Type->isFunctionType() || Type->isDependentType()) {
    Result.IsKnown = false;
    return Result;
  }
  collect(Type, Result.Runs);
  Result.FlexibleFirst = Result.Runs.size();
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (Record && Record->getDefinition()) {
    if (!Record->isUnion())
      addFlexible(Record->getDefinition(), 0, "", Result);
    else if (Record->getDefinition()->hasFlexibleArrayMember())
      Result.IsKnown = false;
  }
  if (Result.FlexibleStride == 0)
    Result.FlexibleFirst = Result.Runs.size();
  constexpr uint64_t Most = std::numeric_limits<uint32_t>::max(); // what acre_type can say
  if (uint64_t(Context.getTypeSizeInChars(Type).getQuantity()) > Most)
    Result.IsKnown = false;
  return Result;
}

bool Layouts::hasAnnotatedSlots(QualType Type) {
  if (Type.isNull() || Type->isFunctionType())
    return false;
  Type = Context.getBaseElementType(Type);
  if (isSlotType(Type))
    return slotRule(Type) != Rule::Plain;
  if (const auto *Atomic = Type->getAs<AtomicType>())
    Type = Atomic->getValueType();
  const RecordDecl *Record = Type->getAsRecordDecl();
  return Record && (areAnnotated(recordRuns(Record)) ||
                    (Record->hasFlexibleArrayMember() && areAnnotated(of(Type).Runs)));
}

bool Layouts::hasMisalignedSlots(QualType Type) {
  if (Type.isNull() || Type->isFunctionType())
    return false;
  Type = Context.getBaseElementType(Type);
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record || !Record->isCompleteDefinition() || recordRuns(Record).empty())
    return false;
  // In an array of packed records even a slot at offset 0 may be misaligned.
  return Context.getTypeAlignInChars(Type).getQuantity() % PointerSize != 0 ||
         llvm::any_of(recordRuns(Record), [&](const SlotRun &Run) {
           return Run.Offset % PointerSize != 0 || Run.Stride % PointerSize != 0;
         });
}

bool Layouts::hasPointers(const RecordDecl *Record) { return !recordRuns(Record).empty(); }

bool Layouts::hasMixedPointers(const RecordDecl *Union) {
  Runs All;
  for (const FieldDecl *Field : Union->fields())
    if (!Field->isBitField())
      collect(Field->getType(), All);
  return std::any_of(All.begin(), All.end(), [&](const SlotRun &Each) {
    return Each.SlotRule == Rule::Union || Each.SlotRule != All.front().SlotRule;
  });
}

static void appendName(std::string &Out, llvm::StringRef Name) {
  for (char C : Name) {
    switch (C) {
    case markers::FieldSeparator:
      Out += "%3b";
      break;
    case markers::PartSeparator:
      Out += "%2c";
      break;
    case markers::SiteSeparator:
      Out += "%7c";
      break;
    case '%':
      Out += "%25";
      break;
    default:
      Out += C;
    }
  }
}

std::string Layouts::describe(QualType Type, bool IsForReports) {
  Layout Found = of(Type);
  if (!Found.IsKnown)
    return "";
  Type = describedType(Context, Type);
  std::string Text;
  appendName(Text, typeName(Context, Type));
  if (std::string Names = IsForReports ? memberNames(Context, Type) : ""; !Names.empty())
    appendName(Text, markers::NamesSeparator + Names);
  auto Field = [&](uint64_t Value) { Text += markers::FieldSeparator + std::to_string(Value); };
  Field(Context.getTypeSizeInChars(Type).getQuantity());
  Field(Context.getTypeAlignInChars(Type).getQuantity());
  Field(Found.FlexibleFirst);
  Field(Found.FlexibleStride);
  for (const SlotRun &Run : Found.Runs) {
    Field(Run.Offset);
    for (uint64_t Value : {Run.Count, Run.Stride})
      Text += markers::PartSeparator + std::to_string(Value);
    Text += {markers::PartSeparator, char(Run.SlotRule), markers::PartSeparator};
    appendName(Text, Run.Path);
  }
  return Text;
}

/// Past this size nobody is told what each byte of a record is.
static constexpr uint64_t MaxBytes = 8192;
/// A byte that belongs to no member.
static constexpr char Padding = ' ';

/// Members of a union overlap.  A byte of pointers only is one of a pointer, one that may be of a
/// pointer is searched.
static char either(char A, char B) {
  if (A == B || A == Padding || B == Padding)
    return A == Padding ? B : A;
  return markers::WordOfBytes;
}

void Layouts::collectUnionBytes(const RecordDecl *Union, uint64_t Offset, bool KeepsWords,
                                std::string &Bytes) {
  std::string Together(Context.getASTRecordLayout(Union).getSize().getQuantity(), Padding);
  for (const FieldDecl *Field : Union->fields()) {
    std::string Each(Together.size(), Padding);
    if (Field->isBitField())
      Each.assign(Each.size(), markers::WordOfNumbers);
    else
      collectBytes(Field->getType(), 0, KeepsWords, Each);
    for (size_t I = 0; I != Each.size(); ++I)
      Together[I] = either(Together[I], Each[I]);
  }
  Bytes.replace(Offset, Together.size(), Together);
}

void Layouts::collectFieldBytes(const RecordDecl *Record, uint64_t Offset, bool KeepsWords,
                                std::string &Bytes) {
  const ASTRecordLayout &Place = Context.getASTRecordLayout(Record);
  for (const FieldDecl *Field : Record->fields()) {
    uint64_t Begin = Place.getFieldOffset(Field->getFieldIndex());
    if (!Field->isBitField()) {
      collectBytes(Field->getType(), Offset + Context.toCharUnitsFromBits(Begin).getQuantity(),
                   KeepsWords, Bytes);
      continue;
    }
    const uint64_t Width = Context.getCharWidth(), End = Begin + bitWidth(Field);
    for (uint64_t Byte = Begin / Width; Byte * Width < End; ++Byte)
      Bytes[Offset + Byte] = markers::WordOfNumbers;
  }
}

void Layouts::collectBytes(QualType Type, uint64_t Offset, bool KeepsWords, std::string &Bytes) {
  if (const auto *Atomic = Type->getAs<AtomicType>())
    Type = Atomic->getValueType();
  uint64_t Size = Type->isIncompleteType() ? 0 : Context.getTypeSizeInChars(Type).getQuantity();
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (Size == 0)
    return;
  if (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type)) {
    const uint64_t Count = Array->getZExtSize();
    for (uint64_t I = 0; I != Count; ++I)
      collectBytes(Array->getElementType(), Offset + I * (Size / Count), KeepsWords, Bytes);
  } else if (Record && Record->isUnion()) {
    collectUnionBytes(Record, Offset, KeepsWords, Bytes);
  } else if (Record) {
    collectFieldBytes(Record, Offset, KeepsWords, Bytes);
  } else {
    bool IsWord = Type->isIntegralOrEnumerationType() && Size >= PointerSize;
    bool IsNumber = isRegionHandle(Type) ||
                    (Type->isRealType() && !Type->isAnyCharacterType() && !(KeepsWords && IsWord));
    char Letter = IsNumber           ? markers::WordOfNumbers
                  : isSlotType(Type) ? markers::WordOfSlot
                                     : markers::WordOfBytes;
    Bytes.replace(Offset, Size, Size, Letter);
  }
}

/// What each byte of a record or array of records is, as of words, or Padding; empty if that is not
/// known.
std::string Layouts::bytesOf(QualType Type, bool KeepsWords) {
  const RecordDecl *Definition = Context.getBaseElementType(Type)->getAsRecordDecl();
  Definition = Definition ? Definition->getDefinition() : nullptr;
  if (!Definition || Definition->isInvalidDecl() || Type->isIncompleteType())
    return "";
  const uint64_t Size = Context.getTypeSizeInChars(Type).getQuantity();
  std::string Bytes(Size <= MaxBytes ? Size : 0, Padding);
  if (!Bytes.empty())
    collectBytes(Type, 0, KeepsWords, Bytes);
  return Bytes;
}

bool Layouts::isMadeOfWords(QualType Type) const {
  return Context.getTypeSizeInChars(Type).getQuantity() % PointerSize == 0 &&
         Context.getTypeAlignInChars(Type).getQuantity() % PointerSize == 0;
}

/// Whether a pointer fits in what may be part of one, wherever it begins.
static bool mayHoldPointer(llvm::StringRef Bytes, uint64_t PointerSize) {
  uint64_t Together = 0;
  for (char Byte : Bytes) {
    Together = Byte == markers::WordOfSlot || Byte == markers::WordOfBytes ? Together + 1 : 0;
    if (Together == PointerSize)
      return true;
  }
  return false;
}

/// What the word that these bytes make up is.
static char wordOf(llvm::StringRef Bytes) {
  if (llvm::all_of(Bytes, [](char Byte) { return Byte == markers::WordOfSlot; }))
    return markers::WordOfSlot;
  bool MayBePointer = llvm::all_of(
      Bytes, [](char Byte) { return Byte == markers::WordOfSlot || Byte == markers::WordOfBytes; });
  return MayBePointer ? markers::WordOfBytes : markers::WordOfNumbers;
}

std::string Layouts::describeWords(QualType Record, bool KeepsWords) {
  const std::string Bytes = bytesOf(Record, KeepsWords);
  const uint64_t Count = (Bytes.size() + PointerSize - 1) / PointerSize;
  if (!mayHoldPointer(Bytes, PointerSize))
    return std::string(Count, markers::WordOfNumbers);
  if (!isMadeOfWords(Record))
    return "";
  std::string Words;
  for (uint64_t I = 0; I != Count; ++I)
    Words += wordOf(llvm::StringRef(Bytes).substr(I * PointerSize, PointerSize));
  return Words;
}

bool Layouts::hasPadding(QualType Record) {
  const std::string Bytes = bytesOf(Record, false);
  for (uint64_t At = 0; At < Bytes.size(); At += PointerSize) {
    llvm::StringRef Word = llvm::StringRef(Bytes).substr(At, PointerSize);
    bool IsFull = Word.size() == PointerSize && (wordOf(Word) != markers::WordOfNumbers ||
                                                 Word.count(markers::WordOfNumbers) == PointerSize);
    if (!IsFull)
      return true;
  }
  return false;
}

/// Appends to a LAYOUT string where, beside the slots, a copy has to be searched.
static void appendBytes(std::string &Text, llvm::StringRef Words, uint64_t PointerSize) {
  auto Run = [&](uint64_t Begin, uint64_t Count) {
    Text += markers::FieldSeparator + std::to_string(Begin * PointerSize) + markers::PartSeparator +
            std::to_string(Count) + markers::PartSeparator + std::to_string(PointerSize) +
            markers::PartSeparator + markers::RuleBytes + markers::PartSeparator;
  };
  Run(0, 0);
  for (size_t Begin = 0, End;
       (Begin = Words.find(markers::WordOfBytes, Begin)) != llvm::StringRef::npos; Begin = End) {
    End = std::min(Words.find_first_not_of(markers::WordOfBytes, Begin), Words.size());
    Run(Begin, End - Begin);
  }
}

std::string Layouts::describeCopied(QualType Type) {
  std::string Text = describe(Type);
  Type = describedType(Context, Type);
  std::string Bytes = Text.empty() || of(Type).FlexibleStride ? "" : bytesOf(Type, true);
  if (Bytes.empty())
    return Text;
  std::replace(Bytes.begin(), Bytes.end(), markers::WordOfSlot, markers::WordOfNumbers);
  if (mayHoldPointer(Bytes, PointerSize) && !isMadeOfWords(Type))
    return Text;
  std::string Words;
  for (size_t At = 0; At + PointerSize <= Bytes.size(); At += PointerSize)
    Words += wordOf(llvm::StringRef(Bytes).substr(At, PointerSize));
  appendBytes(Text, isMadeOfWords(Type) ? Words : "", PointerSize);
  return Text;
}
