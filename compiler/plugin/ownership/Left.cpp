// SPDX-License-Identifier: MIT
//===- Left.cpp - Slots that a function leaves to its callers -------------===//

#include "plugin/ownership/Left.h"
#include "llvm/ADT/DenseSet.h"

using namespace acre::ast;

void LeftSlots::finish() {
  llvm::DenseSet<const clang::Stmt *> Told; // one slot each is enough
  for (const auto &[Which, Each] : Left)
    if (!Each.InCallee.empty())
      for (const Loss &Found : Each.IsEmptied ? Each.InCallers : Each.InCallee)
        if (Told.insert(Found.Place).second)
          Found.Report();
}
