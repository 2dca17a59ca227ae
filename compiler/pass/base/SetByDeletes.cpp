// SPDX-License-Identifier: MIT
//===- SetByDeletes.cpp - Variables that only deletes functions set -------===//
#include "pass/base/SetByDeletes.h"
#include "pass/base/CheckMode.h"
#include "pass/base/Markers.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace acre {

static constexpr StringLiteral VariablesMetadata = "acre.set_by_deletes",
                               SetterAttribute = "acre-sets-them";

static SetByDeletes listed(const Module &M) {
  SetByDeletes Result;
  if (const NamedMDNode *List = M.getNamedMetadata(VariablesMetadata))
    for (const MDNode *Each : List->operands())
      // Null where the variable is gone.
      if (auto *Value = dyn_cast_or_null<ConstantAsMetadata>(Each->getOperand(0)))
        if (auto *G = dyn_cast<GlobalVariable>(Value->getValue()))
          Result.insert(G);
  return Result;
}

void noteSetByDeletes(GlobalVariable &G) {
  assert(!ignoresAnnotations() && "without annotations no variable is so declared");
  Module &M = *G.getParent();
  if (!listed(M).contains(&G))
    M.getOrInsertNamedMetadata(VariablesMetadata)
        ->addOperand(MDNode::get(M.getContext(), ConstantAsMetadata::get(&G)));
}

void noteSetters(Module &M) {
  for (const GlobalVariable *G : listed(M))
    for (const User *U : G->users())
      if (auto *I = dyn_cast<Instruction>(U); I && !isa<LoadInst>(I))
        const_cast<Function *>(I->getFunction())->addFnAttr(SetterAttribute);
  for (Function &F : M)
    if (!F.isDeclaration() && hasDeletesCall(F))
      F.addFnAttr(SetterAttribute);
}

SetByDeletes setByDeletes(const Module &M) {
  const Function *Main = M.getFunction("main");
  return Main && !Main->use_empty() ? SetByDeletes() : listed(M);
}

bool maySetThem(const Function &F) { return F.hasFnAttribute(SetterAttribute); }

} // namespace acre
