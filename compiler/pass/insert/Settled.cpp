//===- Settled.cpp - Variables that only deletes functions set ------------===//
#include "pass/insert/Settled.h"
#include "pass/insert/Pins.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace acre {

static constexpr StringLiteral SettledMetadata = "acre.settled", SettlesAttribute = "acre-settles";

static SettledVariables listed(const Module &M) {
  SettledVariables Result;
  if (const NamedMDNode *List = M.getNamedMetadata(SettledMetadata))
    for (const MDNode *Each : List->operands())
      // Null where the variable is gone.
      if (auto *Value = dyn_cast_or_null<ConstantAsMetadata>(Each->getOperand(0)))
        if (auto *G = dyn_cast<GlobalVariable>(Value->getValue()))
          Result.insert(G);
  return Result;
}

void noteSettled(GlobalVariable &G) {
  Module &M = *G.getParent();
  if (!listed(M).contains(&G))
    M.getOrInsertNamedMetadata(SettledMetadata)
        ->addOperand(MDNode::get(M.getContext(), ConstantAsMetadata::get(&G)));
}

void noteSetters(Module &M) {
  for (const GlobalVariable *G : listed(M))
    for (const User *U : G->users())
      if (auto *I = dyn_cast<Instruction>(U); I && !isa<LoadInst>(I))
        const_cast<Function *>(I->getFunction())->addFnAttr(SettlesAttribute);
  for (Function &F : M)
    if (!F.isDeclaration() && hasDeletesCall(F))
      F.addFnAttr(SettlesAttribute);
}

SettledVariables settledVariables(const Module &M) {
  const Function *Main = M.getFunction("main");
  return Main && !Main->use_empty() ? SettledVariables() : listed(M);
}

bool maySetSettled(const Function &F) { return F.hasFnAttribute(SettlesAttribute); }

} // namespace acre
