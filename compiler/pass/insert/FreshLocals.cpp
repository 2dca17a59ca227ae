// SPDX-License-Identifier: MIT
//===- FreshLocals.cpp - Parts of locals that are copied unset ------------===//
#include "pass/insert/FreshLocals.h"
#include "pass/base/AccessRules.h"
#include "pass/base/Liveness.h"
#include "pass/base/StackObjects.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace acre {
namespace {

using Range = std::pair<uint64_t, uint64_t>;

/// Adds the bytes of a value of type T, from Offset on, that copies of it take for pointers.
void addSearched(Type *T, uint64_t Offset, const DataLayout &DL, bool IsMember,
                 SmallVectorImpl<Range> &Found) {
  constexpr unsigned MostElements = 64;
  uint64_t Size = DL.getTypeAllocSize(T).getFixedValue();
  auto *S = dyn_cast<StructType>(T);
  auto *A = dyn_cast<ArrayType>(T);
  // An array of bytes is searched as part of a structure.
  bool IsBytes =
      A && A->getElementType()->isIntegerTy(8) && IsMember && Size >= DL.getPointerSize();
  bool IsUnion = S && S->hasName() && S->getName().starts_with("union.");
  if (T->isPointerTy() || IsBytes || (IsUnion && mayHoldPointer(T, DL))) {
    Found.push_back({Offset, Offset + Size});
  } else if (S) {
    for (auto [Index, Element] : enumerate(S->elements()))
      addSearched(Element, Offset + DL.getStructLayout(S)->getElementOffset(Index), DL, true,
                  Found);
  } else if (A && A->getNumElements()) {
    uint64_t Stride = DL.getTypeAllocSize(A->getElementType());
    SmallVector<Range, 8> First;
    addSearched(A->getElementType(), 0, DL, IsMember, First);
    if (A->getNumElements() > MostElements && !First.empty())
      return Found.push_back({Offset, Offset + Size});
    for (uint64_t I = 0; I < A->getNumElements(); ++I)
      for (auto [Begin, End] : First)
        Found.push_back({Offset + I * Stride + Begin, Offset + I * Stride + End});
  }
}

/// Whether what is read may have been set in part only.  A member that is read by itself has been
/// set.
bool mayReadUnset(const ObjectUse &U) {
  if (U.What == ObjectUse::Keep)
    return true;
  return U.What == ObjectUse::Read &&
         !(isa<LoadInst>(U.At) && U.At->hasMetadata(LLVMContext::MD_tbaa));
}

/// Whether T is bytes, of which it is not known what they are used for.
bool areBytes(Type *T) {
  return T->isIntegerTy(8) || (T->isArrayTy() && T->getArrayElementType()->isIntegerTy(8));
}

/// Only those of these bytes matter that are copied as a structure is.
void keepStructures(SmallVectorImpl<ObjectUse> &Uses) {
  erase_if(Uses, [](const ObjectUse &U) {
    auto *Copy = dyn_cast<AnyMemTransferInst>(U.At);
    return U.What == ObjectUse::Read && !(Copy && isa<ConstantInt>(Copy->getLength()));
  });
}

/// Bytes that become null before an instruction.
struct Clearing {
  Instruction *Before;
  Value *Object;
  uint64_t Offset;
  Value *Bytes;
};

class Freshener {
public:
  Freshener(Function &Fn, AddressUses &Uses, RuntimeABI &Runtime)
      : F(Fn), DL(Fn.getDataLayout()), Addresses(Uses), ABI(Runtime) {}
  unsigned run();

private:
  SmallVector<ObjectUse, 16> copiesOf(Value &Object, uint64_t Size);
  bool fill(Value &Object, Type *T, uint64_t Size, const ObjectLiveness &L,
            ArrayRef<Instruction *> Births);
  bool freshen(AllocaInst &Local);
  bool freshenDynamic(AllocaInst &Made);
  bool freshenResult(Argument &Result);
  bool asksForRegion(ArrayRef<Clearing> Group) const;
  void clear(ArrayRef<Clearing> Group);

  Function &F;
  const DataLayout &DL;
  AddressUses &Addresses;
  RuntimeABI &ABI;
  SmallVector<Clearing, 8> Clearings; ///< made last: they split blocks
};

/// What happens to Object, as far as it matters.
SmallVector<ObjectUse, 16> Freshener::copiesOf(Value &Object, uint64_t Size) {
  SmallVector<ObjectUse, 16> Uses;
  for (ObjectUse U : Addresses.of(Object)) {
    if (U.What == ObjectUse::Keep || U.What == ObjectUse::Read) {
      if (!mayReadUnset(U))
        continue;
      U.What = ObjectUse::Read;
    }
    // A callee sets all of its result, or makes it fresh.
    if (U.What == ObjectUse::Write && U.IsResult)
      U.Bytes = Range(U.LentFrom, Size);
    Uses.push_back(U);
  }
  return Uses;
}

bool Freshener::fill(Value &Object, Type *T, uint64_t Size, const ObjectLiveness &L,
                     ArrayRef<Instruction *> Births) {
  SmallVector<Range, 8> Searched;
  addSearched(T, 0, DL, areBytes(T), Searched);
  ObjectLiveness::Parts Wanted = 0;
  for (auto [Begin, End] : Searched)
    Wanted |= L.touched(Begin, End);
  const size_t Before = Clearings.size();
  for (Instruction *Birth : Births) {
    ObjectLiveness::Parts Unset =
        (isa<Argument>(Object) ? L.liveAtEntry(F) : L.liveBefore(*Birth)) & Wanted;
    L.forEachRun(Unset, [&](uint64_t Offset, uint64_t Bytes) {
      Clearings.push_back({Birth, &Object, Offset, ABI.size(std::min(Bytes, Size - Offset))});
    });
  }
  return Clearings.size() != Before;
}

bool Freshener::freshen(AllocaInst &Local) {
  Type *T = stackObjectType(&Local);
  uint64_t Size = stackObjectSize(&Local, DL);
  if (!T->isAggregateType() || !mayHoldPointer(T, DL) || !Size)
    return false;
  SmallVector<ObjectUse, 16> Uses = copiesOf(Local, Size);
  if (areBytes(T))
    keepStructures(Uses);
  if (none_of(Uses, [](const ObjectUse &U) { return U.What == ObjectUse::Read; }))
    return false;
  SmallVector<Instruction *, 2> Births;
  for (const ObjectUse &U : Uses)
    if (U.What == ObjectUse::Begin)
      Births.push_back(const_cast<Instruction *>(U.At->getNextNode()));
  if (Births.empty()) {
    // Memory of constant size that the program itself takes may stand behind other instructions.
    Instruction *First = &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    Births.push_back(First->comesBefore(&Local) ? Local.getNextNode() : First);
  }
  return fill(Local, T, Size, ObjectLiveness(Uses, Size, {}), Births);
}

/// It is not known which part of memory of dynamic size is what.
bool Freshener::freshenDynamic(AllocaInst &Made) {
  Type *T = Made.getAllocatedType();
  SmallVector<Range, 8> Searched;
  addSearched(T, 0, DL, false, Searched);
  SmallVector<ObjectUse, 16> Uses = copiesOf(Made, 0);
  if (areBytes(T))
    keepStructures(Uses);
  else if (Searched.empty())
    return false;
  if (!ObjectLiveness(Uses, 0, {}).liveAfter(Made))
    return false;
  Instruction *Next = Made.getNextNode();
  IRBuilder<> B(Next);
  Value *Count = B.CreateZExtOrTrunc(Made.getArraySize(), B.getInt64Ty());
  Value *Bytes = B.CreateMul(Count, B.getInt64(DL.getTypeAllocSize(T).getFixedValue()));
  Clearings.push_back({Next, &Made, 0, Bytes});
  return true;
}

/// What a function leaves unset of its result is copied by its caller.
bool Freshener::freshenResult(Argument &Result) {
  Type *T = Result.getParamStructRetType();
  uint64_t Size = DL.getTypeAllocSize(T).getFixedValue();
  ObjectLiveness L(copiesOf(Result, Size), Size, {}, &F);
  return fill(Result, T, Size, L, &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
}

/// Whether it is cheaper to ask whether there has ever been a region: what a frame held before the
/// first one is made points into none.  A block is not split before an object of constant size,
/// which would become one of dynamic size.
bool Freshener::asksForRegion(ArrayRef<Clearing> Group) const {
  constexpr uint64_t Few = 32;
  uint64_t Bytes = 0;
  for (const Clearing &Each : Group) {
    auto *Known = dyn_cast<ConstantInt>(Each.Bytes);
    Bytes += Known ? Known->getZExtValue() : Few + 1;
  }
  const Instruction *Before = Group.front().Before;
  return F.hasFnAttribute(AsksActiveAttribute) && Bytes > Few &&
         none_of(make_range(Before->getIterator(), Before->getParent()->end()),
                 [](const Instruction &I) { return isa<AllocaInst>(I); });
}

/// Group is made before one instruction.
void Freshener::clear(ArrayRef<Clearing> Group) {
  Instruction *Before = Group.front().Before;
  IRBuilder<> B(Before);
  if (asksForRegion(Group)) {
    LoadInst *Had = B.CreateLoad(B.getInt8Ty(), ABI.variable(Variable::HadRegion));
    Had->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(F.getContext(), {}));
    B.SetInsertPoint(
        SplitBlockAndInsertIfThen(B.CreateIsNotNull(Had), Before->getIterator(), false));
  }
  for (const Clearing &Each : Group) {
    Value *Start = Each.Offset
                       ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Each.Object, Each.Offset)
                       : Each.Object;
    B.CreateMemSet(Start, B.getInt8(0), Each.Bytes,
                   commonAlignment(Each.Object->getPointerAlignment(DL), Each.Offset));
  }
}

unsigned Freshener::run() {
  SmallVector<AllocaInst *, 16> Locals;
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I))
      Locals.push_back(A);
  unsigned Count = 0;
  for (AllocaInst *Local : Locals)
    Count += Local->isStaticAlloca() ? freshen(*Local) : freshenDynamic(*Local);
  for (Argument &A : F.args())
    if (A.hasStructRetAttr())
      Count += freshenResult(A);
  MapVector<Instruction *, SmallVector<Clearing, 4>> Groups;
  for (const Clearing &Each : Clearings)
    Groups[Each.Before].push_back(Each);
  for (const auto &[Before, Group] : Groups)
    clear(Group);
  return Count;
}

} // namespace

unsigned freshenLocals(Function &F, AddressUses &Addresses, RuntimeABI &ABI) {
  return Freshener(F, Addresses, ABI).run();
}

} // namespace acre
