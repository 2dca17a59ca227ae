//===- RecordCopies.cpp - Copies of records, slot by slot -----------------===//
#include "RecordCopies.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace acre {

/// A record with more slots than these is searched by the runtime.
static constexpr unsigned MostSlots = 8, MostOthers = 2;

/// Whether a TBAA access tag is that of a number.
static bool isNumberTag(const Metadata *Operand) {
  auto *Tag = dyn_cast_or_null<MDNode>(Operand);
  if (!Tag || Tag->getNumOperands() < 2)
    return false;
  auto *Access = dyn_cast_or_null<MDNode>(Tag->getOperand(1));
  auto *Name = Access && Access->getNumOperands() ? dyn_cast<MDString>(Access->getOperand(0)) : nullptr;
  return Name && StringSwitch<bool>(Name->getString())
                     .Cases({"_Bool", "bool", "short", "int", "long", "long long", "__int128"}, true)
                     .Cases({"float", "double", "long double", "_Float16"}, true)
                     .Default(false);
}

bool copiesOnlyNumbers(const Instruction &I, uint64_t Begin, uint64_t End) {
  MDNode *Fields = I.getMetadata(LLVMContext::MD_tbaa_struct);
  if (!Fields || Fields->getNumOperands() == 0 || Fields->getNumOperands() % 3)
    return false;
  for (unsigned Index = 0; Index < Fields->getNumOperands(); Index += 3) {
    auto *Offset = mdconst::dyn_extract<ConstantInt>(Fields->getOperand(Index));
    auto *Size = mdconst::dyn_extract<ConstantInt>(Fields->getOperand(Index + 1));
    if (!Offset || !Size)
      return false;
    bool IsApart = Offset->getZExtValue() >= End || Offset->getZExtValue() + Size->getZExtValue() <= Begin;
    if (!IsApart && !isNumberTag(Fields->getOperand(Index + 2)))
      return false;
  }
  return true;
}

std::optional<RecordCopy> splitCopy(const AnyMemTransferInst &Copy, const Layout &L) {
  const uint64_t Word = Copy.getDataLayout().getPointerSize();
  auto *Bytes = dyn_cast<ConstantInt>(Copy.getLength());
  bool IsSimple = isa<MemTransferInst>(Copy) && !Copy.isVolatile();
  if (!IsSimple || !Bytes || Bytes->getZExtValue() != L.Size || L.Size % Word || L.FlexibleStride || L.Align < Word)
    return std::nullopt;
  RecordCopy Result;
  BitVector IsSlot(L.Size / Word);
  for (const SlotRun &Run : L.Slots)
    for (uint64_t Index = 0; Index < Run.Count; ++Index) {
      uint64_t Offset = Run.Offset + Index * Run.Stride;
      if (Run.Rule == SlotRule::Union || Offset % Word || Offset >= L.Size || Result.Slots.size() == MostSlots)
        return std::nullopt;
      Result.Slots.push_back({Offset, Run.Rule});
      IsSlot.set(Offset / Word);
    }
  for (uint64_t Offset = 0; Offset < L.Size; Offset += Word) {
    if (IsSlot[Offset / Word] || copiesOnlyNumbers(Copy, Offset, Offset + Word))
      continue;
    if (!Result.Others.empty() && Result.Others.back().Offset + Result.Others.back().Size == Offset)
      Result.Others.back().Size += Word;
    else
      Result.Others.push_back({Offset, Word});
  }
  if (Result.Others.size() > MostOthers)
    return std::nullopt;
  return Result;
}

} // namespace acre
