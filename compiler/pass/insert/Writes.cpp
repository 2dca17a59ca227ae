// SPDX-License-Identifier: MIT
//===- Writes.cpp - What an instruction writes ----------------------------===//
#include "pass/insert/Writes.h"
#include "pass/base/StackObjects.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace acre {

/// What the code generator makes an integer of although the source has a pointer: arguments and
/// results that travel in integer registers, and the operands of atomic operations.
static bool isOpaqueSource(const Value *V) {
  while (auto *E = dyn_cast<ExtractValueInst>(V))
    V = E->getAggregateOperand();
  if (auto *L = dyn_cast<LoadInst>(V))
    return L->isAtomic();
  if (auto *Call = dyn_cast<CallBase>(V))
    return !isa<IntrinsicInst>(Call);
  return isa<Argument, AtomicRMWInst, AtomicCmpXchgInst>(V);
}

/// Whether V is a vector, or a word taken from one: programs copy memory in such pieces, whatever
/// is in it.
static bool carriesAnything(const Value &V) {
  bool IsPiece = isa<FixedVectorType>(V.getType()) || isa<ExtractElementInst>(V);
  return IsPiece && !isa<Constant>(V) &&
         V.getType()->getPrimitiveSizeInBits() >= 8 * sizeof(uint64_t);
}

bool mayCarryPointer(const StoreInst &S) {
  const DataLayout &DL = S.getDataLayout();
  Type *T = S.getValueOperand()->getType();
  if (containsPointer(T) || carriesAnything(*S.getValueOperand()))
    return true;
  if (T->isFPOrFPVectorTy() || !mayHoldPointer(T, DL) ||
      DL.getTypeStoreSize(T).getKnownMinValue() < DL.getPointerSize())
    return false;
  // A store with an access type is an assignment of the source, and its type is no pointer.
  return S.isAtomic() ||
         (isOpaqueSource(S.getValueOperand()) && !S.getMetadata(LLVMContext::MD_tbaa));
}

bool isConstantSource(const Value *Source) {
  auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(Source));
  return G && G->isConstant();
}

std::optional<AtomicWrite> atomicWrite(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  if (!Name.consume_front("__atomic_") || Callee->isIntrinsic())
    return std::nullopt;
  AtomicWrite Result;
  auto [Stem, Suffix] = Name.rsplit('_');
  if (!Suffix.empty() && !Suffix.getAsInteger(10, Result.Bytes))
    Name = Stem;
  if (Result.Bytes && Name == "load")
    Result.Written = {};
  else if (Result.Bytes && Name == "compare_exchange")
    Result.Written = {0, 1};
  else if (Result.Bytes)
    Result.Written = {0};
  else if (Name == "load")
    Result.Written = {2};
  else if (Name == "store")
    Result.Written = {1};
  else if (Name == "exchange")
    Result.Written = {1, 3};
  else if (Name == "compare_exchange")
    Result.Written = {1, 2};
  else
    return std::nullopt;
  return Result;
}

SmallVector<AsmOutput, 2> asmOutputs(const CallBase &Call) {
  SmallVector<AsmOutput, 2> Outputs;
  auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  unsigned Argument = 0;
  for (const InlineAsm::ConstraintInfo &Constraint : Asm->ParseConstraints()) {
    bool IsOutput = Constraint.Type == InlineAsm::isOutput;
    if (IsOutput && !Constraint.isIndirect)
      continue;
    if (!IsOutput && Constraint.Type != InlineAsm::isInput)
      continue;
    unsigned Index = Argument++;
    if (!IsOutput || Index >= Call.arg_size())
      continue;
    if (Type *T = Call.getParamElementType(Index))
      Outputs.push_back({Index, T});
  }
  return Outputs;
}

bool isMaskedStore(const IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_compressstore:
    return true;
  default:
    return false;
  }
}

} // namespace acre
