// SPDX-License-Identifier: MIT
//===- StaysLoaded.cpp - Libraries that the runtime may refer to ----------===//
#include "pass/insert/StaysLoaded.h"
#include "pass/base/RegisteredTable.h"

using namespace llvm;

namespace acre {

/// Is G what an object or a report may refer to for longer than a call?
static bool isKept(const GlobalVariable &G) {
  return G.getName().starts_with("acre.site.") || G.getName().starts_with("acre.where") ||
         G.getName().starts_with("acre.stored");
}

/// Regions and pools remember where they were made, as the caller wrote it.
static bool tellsWhere(const Function &F) {
  return !F.use_empty() &&
         (F.getName().starts_with("acre_rt_pool_") ||
          (F.getName().starts_with("acre_") && !F.getName().starts_with("acre_rt_")));
}

void keepLoaded(RuntimeABI &ABI) {
  Module &M = ABI.module();
  if (!mayBeUnloaded(M) || (none_of(M.globals(), isKept) && none_of(M.functions(), tellsWhere)))
    return;
  auto *Zero = ConstantInt::get(Type::getInt8Ty(M.getContext()), 0);
  // One of each library: its first unit asks for all.
  auto *Flag = new GlobalVariable(M, Zero->getType(), false, GlobalValue::LinkOnceODRLinkage, Zero,
                                  "acre.stays_loaded");
  shareAcrossUnits(*Flag);
  callAtStart(ABI, Entry::StayLoaded, "acre.stay_loaded", Flag);
}

} // namespace acre
