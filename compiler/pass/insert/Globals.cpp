// SPDX-License-Identifier: MIT
//===- Globals.cpp - The table of globals that hold pointers --------------===//
#include "pass/insert/Globals.h"
#include "pass/base/RegisteredTable.h"
#include "pass/base/StackObjects.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace acre {

/// IsOfPointers: its type says so, which of a union clang's own type may not.
static bool holdsPointers(const GlobalVariable &G, bool IsOfPointers) {
  return !G.isDeclarationForLinker() && !G.isConstant() && G.getAddressSpace() == 0 &&
         !G.getName().starts_with("llvm.") && G.getSection() != "llvm.metadata" &&
         (IsOfPointers || containsPointer(G.getValueType()));
}

/// The name the source gives G: "name", or "function.name" for a static local.
static Site describe(const GlobalVariable &G) {
  Site Result;
  Result.Function = GlobalValue::dropLLVMManglingEscape(G.getName()).str();
  if (StringRef(Result.Function).starts_with(".compoundliteral"))
    Result.Function = "compound literal";
  Result.File = G.getParent()->getSourceFileName();
  SmallVector<DIGlobalVariableExpression *, 1> Expressions;
  G.getDebugInfo(Expressions);
  if (Expressions.empty())
    return Result;
  const DIGlobalVariable *Variable = Expressions.front()->getVariable();
  Result.Line = Variable->getLine();
  Result.File = Variable->getFilename().str();
  Result.Function = Variable->getName().str();
  if (auto *Scope = dyn_cast_or_null<DILocalScope>(Variable->getScope()))
    Result.Function = (Scope->getSubprogram()->getName() + "." + Variable->getName()).str();
  return Result;
}

/// The memory of thread-local variables goes with the shared object too; of the thread that unloads
/// it, their records go.
static void releaseThreadLocals(RuntimeABI &ABI, ArrayRef<GlobalVariable *> Variables) {
  Module &M = ABI.module();
  LLVMContext &C = M.getContext();
  Function *F = Function::createWithDefaultAttr(FunctionType::get(Type::getVoidTy(C), false),
                                                GlobalValue::InternalLinkage, 0,
                                                "acre.threadlocals.release", &M);
  F->addFnAttr(Attribute::Cold);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  for (GlobalVariable *G : Variables) {
    uint64_t Bytes = ABI.layout().getTypeAllocSize(G->getValueType()).getFixedValue();
    ABI.call(B, Entry::Release, {B.CreateThreadLocalAddress(G), ABI.size(Bytes)});
  }
  B.CreateRetVoid();
  appendToGlobalDtors(M, F, RegisterPriority);
}

/// Appends where T, at Offset, has pointers.  False if they are too many to list.
static bool appendSlots(Type *T, uint64_t Offset, const DataLayout &DL,
                        SmallVectorImpl<SlotRun> &Slots) {
  constexpr size_t Most = 512;
  if (!containsPointer(T))
    return true;
  const uint32_t Word = DL.getPointerSize();
  if (T->isPointerTy()) {
    Slots.push_back({static_cast<uint32_t>(Offset), 1, Word, SlotRule::Plain, ""});
    return Slots.size() <= Most;
  }
  if (auto *Record = dyn_cast<StructType>(T)) {
    const StructLayout *Place = DL.getStructLayout(Record);
    for (unsigned I = 0; I != Record->getNumElements(); ++I)
      if (!appendSlots(Record->getElementType(I), Offset + Place->getElementOffset(I), DL, Slots))
        return false;
    return true;
  }
  auto *Array = dyn_cast<ArrayType>(T);
  const uint64_t Stride = Array ? DL.getTypeAllocSize(Array->getElementType()).getFixedValue() : 0;
  for (uint64_t I = 0; Array && I != Array->getNumElements(); ++I)
    if (!appendSlots(Array->getElementType(), Offset + I * Stride, DL, Slots))
      return false;
  return Array != nullptr;
}

/// The same for a layout with the names of members.  No rule holds for variables but that a member
/// of a union may be something else.
static Constant *namedType(RuntimeABI &ABI, Layout Named) {
  erase_if(Named.Slots, [](const SlotRun &Run) { return isHandleRule(Run.Rule); });
  for (SlotRun &Run : Named.Slots)
    if (Run.Rule != SlotRule::Union)
      Run.Rule = SlotRule::Plain;
  return ABI.type(Named);
}

/// The acre_type of what a global is, or an array of; null if that is not known.  What is in no
/// member is padding.
static Constant *typeOf(RuntimeABI &ABI, const GlobalVariable &G) {
  Type *T = G.getValueType();
  while (auto *Array = dyn_cast<ArrayType>(T))
    T = Array->getElementType();
  Layout Result;
  const uint64_t Size = ABI.layout().getTypeAllocSize(T).getFixedValue();
  if (Size > UINT32_MAX || !appendSlots(T, 0, ABI.layout(), Result.Slots))
    return ABI.null();
  Result.Size = Size;
  Result.Align = ABI.layout().getABITypeAlign(T).value();
  Result.FlexibleFirst = Result.Slots.size();
  return ABI.type(Result);
}

void emitGlobalTable(RuntimeABI &ABI, const DenseMap<GlobalVariable *, Layout> &Layouts) {
  Module &M = ABI.module();
  SmallVector<Constant *, 16> Entries;
  SmallVector<GlobalVariable *, 4> ThreadLocals;
  for (GlobalVariable &G : M.globals()) {
    auto Named = Layouts.find(&G);
    if (!holdsPointers(G, Named != Layouts.end()))
      continue;
    if (G.isThreadLocal()) {
      ThreadLocals.push_back(&G);
      continue;
    }
    Site At = describe(G);
    const uint64_t Bytes = ABI.layout().getTypeAllocSize(G.getValueType()).getFixedValue();
    Entries.push_back(ABI.make<acre_rt_global>(
        {&G, ABI.size(Bytes), ABI.string(At.Function), ABI.string(At.File), ABI.number(At.Line),
         Named != Layouts.end() ? namedType(ABI, Named->second) : typeOf(ABI, G)}));
  }
  if (!ThreadLocals.empty() && mayBeUnloaded(M))
    releaseThreadLocals(ABI, ThreadLocals);
  if (Entries.empty())
    return;
  GlobalVariable *List = ABI.makeArray<acre_rt_global>(Entries, "acre.globals");
  Constant *Init = ABI.make<acre_rt_module>({ABI.null(), ABI.size(Entries.size()), List});
  auto *Table = new GlobalVariable(M, Init->getType(), false, GlobalValue::InternalLinkage, Init,
                                   "acre.module");
  registerTable(ABI, Table, Entry::Register, Entry::Unregister);
}

} // namespace acre
