// SPDX-License-Identifier: MIT
//===- PackedStores.cpp - Pointers where no collector looks ---------------===//
#include "pass/insert/PackedStores.h"
#include "pass/base/Library.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace acre {

static bool mayHide(const StoreInst &Store) {
  const Value *Stored = Store.getValueOperand();
  return Stored->getType()->isPointerTy() && Stored->getType()->getPointerAddressSpace() == 0 &&
         !isa<Constant>(Stored) && Store.getAlign().value() < sizeof(void *);
}

void keepWhatPackedStoresHide(Function &F, RuntimeABI &ABI) {
  if (!collectsUnfreed(ABI.module()))
    return;
  SmallVector<StoreInst *, 4> Stores;
  for (Instruction &I : instructions(F))
    if (auto *Store = dyn_cast<StoreInst>(&I); Store && mayHide(*Store))
      Stores.push_back(Store);
  for (StoreInst *Store : Stores) {
    IRBuilder<> B(Store);
    ABI.call(B, Entry::KeepCollected, {Store->getValueOperand()});
  }
}

} // namespace acre
