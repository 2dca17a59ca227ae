// SPDX-License-Identifier: MIT
//===- BarrierStores.cpp - The store that a barrier is about ---------------------===//
#include "pass/lower/BarrierStores.h"
#include "pass/base/BarrierEffects.h"
#include "pass/lower/PatchPoints.h"
#include "versions/LLVM.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace acre {

static constexpr uint64_t WordSize = sizeof(uint64_t), PairSize = 2 * WordSize;

/// Whether two words may be stored at once in F.  Where there is AVX, its instructions would be
/// mixed with others.
static bool mayHavePairs(const Function &F) {
  const StringRef Features = F.getFnAttribute("target-features").getValueAsString();
  return Features.contains("+sse2") && !Features.contains("+avx");
}

/// The value whose bits V has too.
static const Value *bitsOf(const Value *V) {
  while (isa<IntToPtrInst, PtrToIntInst, BitCastInst>(V))
    V = cast<CastInst>(V)->getOperand(0);
  return V;
}

static bool isOfNull(const CallInst &Barrier) {
  return isCallOf(Barrier, Entry::Store) && isa<ConstantPointerNull>(Barrier.getArgOperand(1));
}

/// Whether Barrier is about Store, which stores in its slot.  A barrier of null may stand for a
/// pointer that is known to need no record: a patch point finds that too.  It may not stand for a
/// number, which would be taken for the pointer that it looks like.
static bool isAbout(const CallInst &Barrier, const StoreInst &Store) {
  const Value *Stored = Store.getValueOperand();
  const Type *T = Stored->getType();
  const bool IsWord = T->isPointerTy() || T->isIntegerTy(64) || T->isDoubleTy(),
             IsHalf = T->isIntegerTy(32) || T->isFloatTy();
  const Value *Said = Barrier.getArgOperand(1);
  if (!Store.isSimple())
    return false;
  if (isCallOf(Barrier, Entry::Rescan)) {
    auto *Size = dyn_cast<ConstantInt>(Said);
    return Size && ((IsWord && Size->equalsInt(WordSize)) ||
                    (IsHalf && Size->equalsInt(PatchPoints::HalfSize)));
  }
  return IsWord &&
         (bitsOf(Stored) == bitsOf(Said) || (T->isPointerTy() && isa<ConstantPointerNull>(Said)));
}

/// Whether a barrier may be moved across I: it is no call of the program's, nor anything else that
/// another function may see.
static bool isPassed(const Instruction &I) {
  auto *Access = dyn_cast<StoreInst>(&I);
  return !I.mayWriteToMemory() || (Access && Access->isSimple()) || entryOf(I) ||
         PatchPoints::isPoint(I) || isa<AnyMemIntrinsic, LifetimeIntrinsic>(I);
}

/// What Address is a constant number of bytes behind, and that number.
static std::pair<const Value *, int64_t> baseAndOffset(const Value *Address, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Address->getType()), 0);
  const Value *Base = Address->stripAndAccumulateConstantOffsets(DL, Offset, true);
  return {Base, Offset.getSExtValue()};
}

/// The bytes between the starts of two addresses of one object; none where that is not known.
static std::optional<int64_t> distance(const Value *From, const Value *To, const DataLayout &DL) {
  auto [FromBase, FromOffset] = baseAndOffset(From, DL);
  auto [ToBase, ToOffset] = baseAndOffset(To, DL);
  return FromBase == ToBase ? std::optional(ToOffset - FromOffset) : std::nullopt;
}

static bool isSlot(const Value *Address, const CallInst &Barrier) {
  return distance(Address, Barrier.getArgOperand(0), Barrier.getDataLayout()) == 0;
}

/// Whether what Barrier is about may be one of two words, each of which may be anything.
static bool mayBeOfPair(const CallInst &Barrier) {
  if (!isCallOf(Barrier, Entry::Rescan))
    return isOfNull(Barrier);
  auto *Size = dyn_cast<ConstantInt>(Barrier.getArgOperand(1));
  return Size && Size->equalsInt(WordSize);
}

std::optional<uint64_t> wordOfPair(const CallInst &Barrier, const StoreInst &Store) {
  const DataLayout &DL = Store.getDataLayout();
  const Value *Stored = Store.getValueOperand();
  auto *Both = dyn_cast<FixedVectorType>(Stored->getType());
  if (!Both || DL.getTypeStoreSize(Both) != PairSize || !Store.isSimple() ||
      !mayBeOfPair(Barrier) || !mayHavePairs(*Store.getFunction()))
    return std::nullopt;
  const bool HasNumbers = !isa<ConstantAggregateZero>(Stored) && !Both->isPtrOrPtrVectorTy();
  if (isOfNull(Barrier) && HasNumbers)
    return std::nullopt;
  auto At = distance(Store.getPointerOperand(), Barrier.getArgOperand(0), DL);
  return At == 0 || At == WordSize ? std::optional<uint64_t>(*At) : std::nullopt;
}

static bool isStoreTo(const Instruction &I, const CallInst &Barrier) {
  auto *Store = dyn_cast<StoreInst>(&I);
  return Store && (wordOfPair(Barrier, *Store) || isSlot(Store->getPointerOperand(), Barrier));
}

/// Whether I writes in the word that Barrier is about, or in a part of it.
static bool writesInWord(const Instruction &I, const CallInst &Barrier) {
  auto *Store = dyn_cast<StoreInst>(&I);
  auto *Range = dyn_cast<MemIntrinsic>(&I);
  if (!Store && !Range)
    return false;
  const DataLayout &DL = Barrier.getDataLayout();
  const Value *To = Store ? Store->getPointerOperand() : Range->getRawDest();
  const auto At = distance(Barrier.getArgOperand(0), To, DL);
  if (!At || *At >= int64_t(WordSize))
    return false;
  if (Store) {
    const TypeSize Size = DL.getTypeStoreSize(Store->getValueOperand()->getType());
    return Size.isScalable() || *At + int64_t(Size.getFixedValue()) > 0;
  }
  auto *Length = dyn_cast<ConstantInt>(Range->getLength());
  return !Length || *At + int64_t(Length->getLimitedValue(INT64_MAX / 2)) > 0;
}

/// The words of what is filled or copied that Barrier and those after it are about, by their
/// offsets, and whether each may be one of two that are stored at once.
using WordsLookedAt = SmallDenseMap<uint64_t, bool, 4>;

static WordsLookedAt wordsLookedAt(const MemIntrinsic &Written, const CallInst &Barrier) {
  WordsLookedAt Words;
  for (const Instruction *I = &Barrier; I && isPassed(*I); I = I->getNextNode()) {
    auto *Next = dyn_cast<CallInst>(I);
    if (!Next || !(isCallOf(*Next, Entry::Store) || isCallOf(*Next, Entry::Rescan)))
      continue;
    if (auto At = distance(Written.getRawDest(), Next->getArgOperand(0), Next->getDataLayout()))
      Words[uint64_t(*At)] = mayBeOfPair(*Next);
  }
  return Words;
}

/// Makes Written, of few words, by stores of two words, of which at most one is Looked at, or of
/// one.  Everything is read before anything is written, since the two places may overlap.
static void split(MemIntrinsic &Written, const WordsLookedAt &Looked) {
  IRBuilder<> B(&Written);
  const uint64_t Size = cast<ConstantInt>(Written.getLength())->getZExtValue();
  const bool HasPairs = mayHavePairs(*Written.getFunction());
  auto place = [&](Value *Start, uint64_t At) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Start, At);
  };
  auto isPair = [&](uint64_t At) {
    const bool IsOne = !Looked.contains(At) || !Looked.contains(At + WordSize);
    auto mayBe = [&](uint64_t Word) { return !Looked.contains(Word) || Looked.lookup(Word); };
    return HasPairs && At + PairSize <= Size && IsOne && mayBe(At) && mayBe(At + WordSize);
  };
  Type *Word = B.getInt64Ty(), *Pair = FixedVectorType::get(Word, 2);
  auto *Copy = dyn_cast<MemTransferInst>(&Written);
  SmallVector<std::pair<uint64_t, Value *>, 4> Parts;
  for (uint64_t At = 0; At != Size; At += isPair(At) ? PairSize : WordSize) {
    Type *Part = isPair(At) ? Pair : Word;
    Value *Read = Constant::getNullValue(Part);
    if (Copy)
      Read = B.CreateFreeze(
          B.CreateAlignedLoad(Part, place(Copy->getRawSource(), At),
                              commonAlignment(Copy->getSourceAlign().valueOrOne(), At)));
    Parts.emplace_back(At, Read);
  }
  for (auto [At, Part] : Parts)
    B.CreateAlignedStore(Part, place(Written.getRawDest(), At),
                         commonAlignment(Written.getDestAlign().valueOrOne(), At));
  Written.eraseFromParent();
}

/// Where the word that Barrier is about lies in what Written writes; none if it does not.
static std::optional<uint64_t> wordOf(const MemIntrinsic &Written, const CallInst &Barrier) {
  auto At = distance(Written.getRawDest(), Barrier.getArgOperand(0), Barrier.getDataLayout());
  auto *Length = dyn_cast<ConstantInt>(Written.getLength());
  if (!At || !Length || *At < 0 || uint64_t(*At) >= Length->getZExtValue())
    return std::nullopt;
  return uint64_t(*At);
}

/// Whether Barrier is about the word at Offset of Copy.
static bool isAboutCopied(const CallInst &Barrier, const MemTransferInst &Copy, uint64_t Offset) {
  if (isCallOf(Barrier, Entry::Rescan))
    return mayBeOfPair(Barrier);
  auto *Read = dyn_cast<LoadInst>(Barrier.getArgOperand(1));
  return Read && distance(Copy.getRawSource(), Read->getPointerOperand(),
                          Barrier.getDataLayout()) == int64_t(Offset);
}

/// Whether Written, which writes in the word that Barrier is about, is short and of whole words,
/// and writes what Barrier says.
static bool maySplit(const MemIntrinsic &Written, const CallInst &Barrier) {
  constexpr uint64_t MostWords = 4;
  const auto At = wordOf(Written, Barrier);
  if (!At || *At % WordSize != 0 || Written.isVolatile())
    return false;
  const uint64_t Size = cast<ConstantInt>(Written.getLength())->getZExtValue();
  if (Size % WordSize != 0 || Size > MostWords * WordSize)
    return false;
  if (auto *Copy = dyn_cast<MemTransferInst>(&Written))
    return Copy->getSourceAddressSpace() == 0 && isAboutCopied(Barrier, *Copy, *At);
  return isOfNull(Barrier) && match(cast<MemSetInst>(Written).getValue(), PatternMatch::m_Zero());
}

/// The store that Barrier is about, if it is, or can be made of, what writes in its word last
/// before it.
static StoreInst *storeBefore(CallInst &Barrier) {
  for (Instruction *I = Barrier.getPrevNode(); I && isPassed(*I); I = I->getPrevNode()) {
    auto *Store = dyn_cast<StoreInst>(I);
    auto *Written = dyn_cast<MemIntrinsic>(I);
    if (Store && wordOfPair(Barrier, *Store))
      return Store;
    if (Store && isSlot(Store->getPointerOperand(), Barrier))
      return isAbout(Barrier, *Store) ? Store : nullptr;
    if (!writesInWord(*I, Barrier))
      continue;
    if (!Written || !maySplit(*Written, Barrier))
      return nullptr;
    split(*Written, wordsLookedAt(*Written, Barrier));
    I = Barrier.getPrevNode();
    while (!isStoreTo(*I, Barrier))
      I = I->getPrevNode();
    return cast<StoreInst>(I);
  }
  return nullptr;
}

/// The first instruction after Barrier, in its block or in the only one that follows, that is
/// Wanted; null if it is not surely executed, or something stands before it that is not passed.
static Instruction *firstAfter(CallInst &Barrier, function_ref<bool(Instruction &)> Wanted) {
  BasicBlock *Block = Barrier.getParent(), *Next = Block->getSingleSuccessor();
  Instruction *I = Barrier.getNextNode();
  while (true) {
    if (Wanted(*I))
      return I;
    if (I->isTerminator()) {
      if (I->getParent() != Block || !Next || Next == Block || !isa<UncondBrInst>(I))
        return nullptr;
      I = &*Next->getFirstNonPHIIt();
      continue;
    }
    if (!isPassed(*I))
      return nullptr;
    I = I->getNextNode();
  }
}

/// Whether At, in Barrier's block or the one that follows, has in its operand V what V is at
/// Barrier: not what a loop makes of it the next time.
static bool isSameThere(const Value *V, const CallInst &Barrier, const Instruction &At) {
  auto *Made = dyn_cast<Instruction>(V);
  return At.getParent() == Barrier.getParent() || !Made || Made->getParent() != At.getParent();
}

/// Whether the slot of Barrier, which At stores in or is a point of, is the same at both.
static bool isSameSlot(const CallInst &Barrier, const Instruction &At) {
  const Value *Slot = Barrier.getArgOperand(0);
  return isSameThere(baseAndOffset(Slot, Barrier.getDataLayout()).first, Barrier, At);
}

/// Whether Stored, an operand of At, is an address of the object that Barrier says is referred to
/// now.  In one object one record serves all.
static bool isOfSaidObject(const Value *Stored, const CallInst &Barrier, const Instruction &At) {
  const Value *Object = getUnderlyingObject(Stored), *Said = Barrier.getArgOperand(1);
  if (auto *Phi = dyn_cast<PHINode>(Object); Phi && !isSameThere(Phi, Barrier, At))
    Object = getUnderlyingObject(Phi->getIncomingValueForBlock(Barrier.getParent()));
  return Object == getUnderlyingObject(Said) && isSameThere(Object, Barrier, At);
}

/// The store behind Barrier that overwrites what Barrier is about, with an address of the same
/// object: the optimizer has dropped the store before, or moved it down.
static StoreInst *storeAfter(CallInst &Barrier) {
  if (!isCallOf(Barrier, Entry::Store))
    return nullptr;
  Instruction *Next = firstAfter(Barrier, [&](const Instruction &I) {
    auto *Written = dyn_cast<MemIntrinsic>(&I);
    return isStoreTo(I, Barrier) || (Written && wordOf(*Written, Barrier));
  });
  auto *Fill = dyn_cast_or_null<MemSetInst>(Next);
  if (Fill && Fill->getParent() == Barrier.getParent() && maySplit(*Fill, Barrier)) {
    split(*Fill, wordsLookedAt(*Fill, Barrier));
    Next = firstAfter(Barrier, [&](const Instruction &I) { return isStoreTo(I, Barrier); });
  }
  auto *Store = dyn_cast_or_null<StoreInst>(Next);
  if (!Store || !Store->isSimple() || !isSameSlot(Barrier, *Store))
    return nullptr;
  if (Store->getParent() == Barrier.getParent() && wordOfPair(Barrier, *Store))
    return Store;
  const bool IsZero = isOfNull(Barrier) && match(Store->getValueOperand(), PatternMatch::m_Zero());
  const bool IsWord =
      Store->getDataLayout().getTypeStoreSize(Store->getValueOperand()->getType()) == WordSize;
  return IsWord && !Store->getValueOperand()->getType()->isVectorTy() &&
                 (IsZero || isOfSaidObject(Store->getValueOperand(), Barrier, *Store))
             ? Store
             : nullptr;
}

StoreInst *storeOfBarrier(CallInst &Barrier) {
  StoreInst *Store = storeBefore(Barrier);
  return Store ? Store : storeAfter(Barrier);
}

bool isBarrierOfLaterPoint(CallInst &Barrier) {
  if (!isCallOf(Barrier, Entry::Store))
    return false;
  auto *Point = dyn_cast_or_null<CallInst>(firstAfter(Barrier, [&](const Instruction &I) {
    auto *Call = dyn_cast<CallInst>(&I);
    return isStoreTo(I, Barrier) || (Call && PatchPoints::isPoint(*Call) && Call->arg_size() == 2 &&
                                     isSlot(Call->getArgOperand(0), Barrier));
  }));
  return Point && isSameSlot(Barrier, *Point) &&
         isOfSaidObject(Point->getArgOperand(1), Barrier, *Point);
}

} // namespace acre
