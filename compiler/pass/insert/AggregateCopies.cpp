// SPDX-License-Identifier: MIT
//===- AggregateCopies.cpp - Copies of records, slot by slot -----------------===//
#include "pass/insert/AggregateCopies.h"
#include "pass/base/Markers.h"
#include "shared/markers.h"
#include "versions/StringSwitch.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace acre {

/// A record with more slots than these is searched by the runtime.  Most checks of what a record of
/// the same type held are proved, so of them there may be more than of slots that count.
static constexpr unsigned MostCounted = 8, MostChecked = 32, MostOthers = 2;
/// Words of a record without annotated slots: all but the pointers cost nothing but their copy.
static constexpr unsigned MostWords = 32;

/// A scalar that is copied, as an operand triple of !tbaa.struct says: where it is, and the name of
/// its type.
struct CopiedField {
  uint64_t Begin, End;
  StringRef Type;
};

/// What the marker of a copy's destination said of each record; empty if there was none.
static StringRef copiedWords(const Instruction &I) {
  MDNode *Words = I.getMetadata(WordsMetadata);
  return Words ? cast<MDString>(Words->getOperand(0))->getString() : "";
}

/// The fields of one record that is so described.
static SmallVector<CopiedField, 8> fieldsOf(StringRef Words, uint64_t Word) {
  SmallVector<CopiedField, 8> Result;
  for (auto [Index, Letter] : enumerate(Words))
    if (Letter != markers::WordOfNumbers)
      Result.push_back(
          {Index * Word, (Index + 1) * Word, Letter == markers::WordOfSlot ? "any pointer" : ""});
  return Result;
}

/// What that or !tbaa.struct says of the record that I copies, or of the first one; none if nothing
/// does.
static std::optional<SmallVector<CopiedField, 8>> copiedFields(const Instruction &I) {
  if (StringRef Words = copiedWords(I); !Words.empty())
    return fieldsOf(Words, I.getDataLayout().getPointerSize());
  MDNode *Fields = I.getMetadata(LLVMContext::MD_tbaa_struct);
  if (!Fields || Fields->getNumOperands() == 0 || Fields->getNumOperands() % 3)
    return std::nullopt;
  SmallVector<CopiedField, 8> Result;
  for (unsigned Index = 0; Index < Fields->getNumOperands(); Index += 3) {
    auto *Offset = mdconst::dyn_extract<ConstantInt>(Fields->getOperand(Index));
    auto *Size = mdconst::dyn_extract<ConstantInt>(Fields->getOperand(Index + 1));
    if (!Offset || !Size)
      return std::nullopt;
    auto *Tag = dyn_cast_or_null<MDNode>(Fields->getOperand(Index + 2));
    auto *Access =
        Tag && Tag->getNumOperands() >= 2 ? dyn_cast_or_null<MDNode>(Tag->getOperand(1)) : nullptr;
    auto *Name =
        Access && Access->getNumOperands() ? dyn_cast<MDString>(Access->getOperand(0)) : nullptr;
    uint64_t Begin = Offset->getZExtValue();
    Result.push_back({Begin, Begin + Size->getZExtValue(), Name ? Name->getString() : ""});
  }
  return Result;
}

static bool isNumber(const CopiedField &Field) {
  return StringSwitch<bool>(Field.Type)
      .Cases({"_Bool", "bool", "short", "int", "long", "long long", "__int128"}, true)
      .Cases({"float", "double", "long double", "_Float16"}, true)
      .Default(false);
}

/// "any pointer", or "p1 int" with the depth and the type pointed to; no other type's name has a
/// space after a number.
static bool isPointer(const CopiedField &Field) {
  StringRef Type = Field.Type;
  unsigned Depth;
  return Type == "any pointer" ||
         (Type.consume_front("p") && !Type.consumeInteger(10, Depth) && Type.starts_with(" "));
}

bool copiesOnlyNumbers(const Instruction &I, uint64_t Begin, uint64_t End) {
  auto Fields = copiedFields(I);
  return Fields && all_of(*Fields, [&](const CopiedField &Field) {
           return Field.Begin >= End || Field.End <= Begin || isNumber(Field);
         });
}

/// Whether some of the bytes [Begin, End), at most a word, may be of a pointer.  Not if there are
/// numbers or padding among them: what stands beside, as of bit-fields, is too short.
static bool mayBePointer(ArrayRef<CopiedField> Fields, uint64_t Begin, uint64_t End) {
  BitVector IsOther(End - Begin);
  for (const CopiedField &Field : Fields) {
    if (Field.Begin >= End || Field.End <= Begin || isNumber(Field))
      continue;
    if (isPointer(Field))
      return true;
    IsOther.set(std::max(Field.Begin, Begin) - Begin, std::min(Field.End, End) - Begin);
  }
  return IsOther.all();
}

static bool isSimple(const AnyMemTransferInst &Copy) {
  return isa<MemTransferInst>(Copy) && !Copy.isVolatile();
}

/// The word at Offset is no slot, but may be no number either.
static void addOther(AggregateCopy &To, uint64_t Offset, uint64_t Word) {
  if (!To.Others.empty() && To.Others.back().Offset + To.Others.back().Size == Offset)
    To.Others.back().Size += Word;
  else
    To.Others.push_back({Offset, Word});
}

std::optional<AggregateCopy> splitUnannotatedCopy(const AnyMemTransferInst &Copy) {
  const uint64_t Word = Copy.getDataLayout().getPointerSize();
  auto *Bytes = dyn_cast<ConstantInt>(Copy.getLength());
  auto Fields = copiedFields(Copy);
  if (!isSimple(Copy) || !Bytes || !Fields || Bytes->getZExtValue() > MostWords * Word ||
      Bytes->getZExtValue() % Word || Copy.getDestAlign().valueOrOne() < Word)
    return std::nullopt;
  // Several records, each of which was described.
  if (StringRef Words = copiedWords(Copy);
      !Words.empty() && Words.size() * Word != Bytes->getZExtValue())
    return std::nullopt;
  AggregateCopy Result;
  for (uint64_t Offset = 0; Offset < Bytes->getZExtValue(); Offset += Word) {
    if (!mayBePointer(*Fields, Offset, Offset + Word))
      continue;
    bool IsSlot = all_of(*Fields, [&](const CopiedField &Field) {
      return Field.Begin >= Offset + Word || Field.End <= Offset ||
             (isPointer(Field) && Field.Begin == Offset && Field.End == Offset + Word);
    });
    if (IsSlot)
      Result.Slots.push_back({Offset, SlotRule::Plain});
    else
      addOther(Result, Offset, Word);
  }
  if (Result.Others.size() > MostOthers || Result.Slots.size() > MostCounted)
    return std::nullopt;
  return Result;
}

/// One letter for each word of what I copies, if !tbaa.struct says so.
static std::string wordsOfCopy(const Instruction &I, uint64_t Word) {
  auto *Copy = dyn_cast<AnyMemTransferInst>(&I);
  auto *Bytes = Copy ? dyn_cast<ConstantInt>(Copy->getLength()) : nullptr;
  auto Fields = Bytes ? copiedFields(I) : std::nullopt;
  if (!Fields || Bytes->getZExtValue() % Word || Copy->getDestAlign().valueOrOne() < Word)
    return "";
  std::string Words;
  for (uint64_t Offset = 0; Offset < Bytes->getZExtValue(); Offset += Word)
    Words += mayBePointer(*Fields, Offset, Offset + Word) ? markers::WordOfBytes
                                                          : markers::WordOfNumbers;
  return Words;
}

std::optional<Layout> copiedShape(const Instruction &I) {
  const uint32_t Word = I.getDataLayout().getPointerSize();
  std::string Words = copiedWords(I).str();
  if (Words.empty())
    Words = wordsOfCopy(I, Word);
  if (!is_contained(Words, markers::WordOfNumbers))
    return std::nullopt;
  Layout Result;
  Result.Size = Words.size() * Word;
  Result.Align = Word;
  Result.IsExact = true;
  for (auto [Index, Letter] : enumerate(Words)) {
    if (Letter == markers::WordOfNumbers)
      continue;
    const uint32_t Offset = Index * Word;
    SlotRun *Last = Result.Bytes.empty() ? nullptr : &Result.Bytes.back();
    if (Last && Last->Offset + Last->Count * Word == Offset)
      ++Last->Count;
    else
      Result.Bytes.push_back({Offset, 1, Word, SlotRule::Union, ""});
  }
  Result.FlexibleFirst = Result.Bytes.size();
  return Result;
}

/// Whether the word at Offset of a record, which is no slot, may hold a pointer that a copy takes
/// along.
static bool isSearched(const Layout &L, uint64_t Offset) {
  return !L.IsExact || any_of(L.Bytes, [&](const SlotRun &Run) {
    return Offset >= Run.Offset && Offset < Run.Offset + uint64_t(Run.Count) * Run.Stride;
  });
}

std::optional<AggregateCopy> splitCopy(const AnyMemTransferInst &Copy, const Layout &L) {
  const uint64_t Word = Copy.getDataLayout().getPointerSize();
  auto *Bytes = dyn_cast<ConstantInt>(Copy.getLength());
  if (!isSimple(Copy) || !Bytes || Bytes->getZExtValue() != L.Size || L.Size % Word ||
      L.FlexibleStride || L.Align < Word)
    return std::nullopt;
  AggregateCopy Result;
  unsigned Counted = 0, Checked = 0;
  BitVector IsSlot(L.Size / Word);
  for (const SlotRun &Run : L.Slots)
    for (uint64_t Index = 0; Index < Run.Count; ++Index) {
      uint64_t Offset = Run.Offset + Index * Run.Stride;
      ++(Run.Rule == SlotRule::Plain ? Counted : Checked);
      if (Run.Rule == SlotRule::Union || Offset % Word || Offset >= L.Size ||
          Counted > MostCounted || Checked > MostChecked)
        return std::nullopt;
      Result.Slots.push_back({Offset, Run.Rule});
      IsSlot.set(Offset / Word);
    }
  auto Fields = copiedFields(Copy);
  for (uint64_t Offset = 0; Offset < L.Size; Offset += Word)
    if (!IsSlot[Offset / Word] && isSearched(L, Offset) &&
        (!Fields || mayBePointer(*Fields, Offset, Offset + Word)))
      addOther(Result, Offset, Word);
  if (Result.Others.size() > MostOthers)
    return std::nullopt;
  return Result;
}

} // namespace acre
