// SPDX-License-Identifier: MIT
//===- RegisteredTable.cpp - Tables that the runtime is told of -----------===//
#include "pass/base/RegisteredTable.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace acre {

static Function *caller(RuntimeABI &ABI, Entry E, ArrayRef<Value *> Arguments, const Twine &Name) {
  Module &M = ABI.module();
  LLVMContext &C = M.getContext();
  Function *F = Function::createWithDefaultAttr(FunctionType::get(Type::getVoidTy(C), false),
                                                GlobalValue::InternalLinkage, 0, Name, &M);
  F->setDoesNotThrow();
  F->addFnAttr(Attribute::Cold);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  ABI.call(B, E, Arguments);
  B.CreateRetVoid();
  return F;
}

void registerTable(RuntimeABI &ABI, GlobalVariable *Table, Entry Register, Entry Unregister) {
  Module &M = ABI.module();
  callAtStart(ABI, Register, (Table->getName() + ".register").str(), Table);
  if (mayBeUnloaded(M))
    appendToGlobalDtors(M, caller(ABI, Unregister, Table, Table->getName() + ".unregister"),
                        RegisterPriority);
}

void callAtStart(RuntimeABI &ABI, Entry E, StringRef Name, ArrayRef<Value *> Arguments) {
  appendToGlobalCtors(ABI.module(), caller(ABI, E, Arguments, Name), RegisterPriority);
}

} // namespace acre
