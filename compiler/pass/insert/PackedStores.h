/* SPDX-License-Identifier: MIT */
//===- PackedStores.h - Pointers where no collector looks -------*- C++ -*-===//
#ifndef ACRE_PASS_PACKEDSTORES_H
#define ACRE_PASS_PACKEDSTORES_H

#include "pass/base/RuntimeABI.h"

namespace acre {

/// The collected heap looks for pointers at aligned addresses.  What is stored in a member of a
/// packed structure, whose address may be another, is kept until it is freed.  So is what is stored
/// in one that happens to be aligned: the structure may be copied to where it is not.
void keepWhatPackedStoresHide(llvm::Function &F, RuntimeABI &ABI);

} // namespace acre

#endif
