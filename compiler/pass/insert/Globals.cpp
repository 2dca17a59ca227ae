// SPDX-License-Identifier: MIT
//===- Globals.cpp - The table of globals that hold pointers --------------===//
#include "pass/insert/Globals.h"
#include "pass/base/RegisteredTable.h"
#include "pass/base/StackObjects.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/MathExtras.h"

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

/// void (void **Addresses): writes the addresses of the calling thread's Variables.
static Function *makeLocate(RuntimeABI &ABI, ArrayRef<GlobalVariable *> Variables) {
  Module &M = ABI.module();
  LLVMContext &C = M.getContext();
  Function *F = Function::createWithDefaultAttr(
      FunctionType::get(Type::getVoidTy(C), {ABI.pointerType()}, false),
      GlobalValue::InternalLinkage, 0, "acre.threadlocals.locate", &M);
  F->addFnAttr(Attribute::Cold);
  F->addFnAttr(Attribute::OptimizeForSize);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  for (auto [Index, G] : enumerate(Variables))
    B.CreateStore(B.CreateThreadLocalAddress(G),
                  B.CreateConstInBoundsGEP1_64(ABI.pointerType(), F->getArg(0), Index));
  B.CreateRetVoid();
  return F;
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

/// How many elements further each index of an array of arrays leads, but the last: the first two.
static std::pair<uint16_t, uint16_t> stridesOf(const GlobalVariable &G) {
  SmallVector<uint64_t, 4> Inner;
  for (auto *A = dyn_cast<ArrayType>(G.getValueType()); A;
       A = dyn_cast<ArrayType>(A->getElementType())) {
    for (uint64_t &Each : Inner)
      Each = SaturatingMultiply(Each, A->getNumElements());
    Inner.push_back(1);
  }
  auto At = [&](size_t I) {
    return uint16_t(I + 1 < Inner.size() && Inner[I] <= UINT16_MAX ? Inner[I] : 0);
  };
  return {At(0), At(1)};
}

/// The acre_rt_global of G.
static Constant *entryOf(RuntimeABI &ABI, GlobalVariable &G,
                         const DenseMap<GlobalVariable *, Layout> &Layouts) {
  auto Named = Layouts.find(&G);
  Site At = describe(G);
  const uint64_t Bytes = ABI.layout().getTypeAllocSize(G.getValueType()).getFixedValue();
  auto Short = [&](uint16_t N) { return ConstantInt::get(Type::getInt16Ty(G.getContext()), N); };
  const auto [First, Second] = stridesOf(G);
  return ABI.make<acre_rt_global>(
      {G.isThreadLocal() ? ABI.null() : static_cast<Constant *>(&G), ABI.size(Bytes),
       ABI.string(At.Function), ABI.string(At.File), ABI.number(At.Line), Short(First),
       Short(Second), Named != Layouts.end() ? namedType(ABI, Named->second) : typeOf(ABI, G)});
}

void emitGlobalTable(RuntimeABI &ABI, const DenseMap<GlobalVariable *, Layout> &Layouts,
                     bool NamesThreadLocals) {
  Module &M = ABI.module();
  SmallVector<Constant *, 16> Entries, ThreadEntries;
  SmallVector<GlobalVariable *, 4> ThreadLocals;
  // The memory of thread-local variables goes with a shared object too: of the thread that unloads
  // it, their records go.
  NamesThreadLocals |= mayBeUnloaded(M);
  for (GlobalVariable &G : M.globals()) {
    if (!holdsPointers(G, Layouts.contains(&G)) || (G.isThreadLocal() && !NamesThreadLocals))
      continue;
    (G.isThreadLocal() ? ThreadEntries : Entries).push_back(entryOf(ABI, G, Layouts));
    if (G.isThreadLocal())
      ThreadLocals.push_back(&G);
  }
  if (Entries.empty() && ThreadLocals.empty())
    return;
  auto List = [&](ArrayRef<Constant *> Of, StringRef Name) -> Constant * {
    return Of.empty() ? ABI.null() : ABI.makeArray<acre_rt_global>(Of, Name);
  };
  Constant *Init = ABI.make<acre_rt_module>(
      {ABI.null(), ABI.size(Entries.size()), List(Entries, "acre.globals"),
       ABI.size(ThreadLocals.size()), List(ThreadEntries, "acre.threadlocals"),
       ThreadLocals.empty() ? ABI.null() : static_cast<Constant *>(makeLocate(ABI, ThreadLocals))});
  auto *Table = new GlobalVariable(M, Init->getType(), false, GlobalValue::InternalLinkage, Init,
                                   "acre.module");
  registerTable(ABI, Table, Entry::Register, Entry::Unregister);
}

} // namespace acre
