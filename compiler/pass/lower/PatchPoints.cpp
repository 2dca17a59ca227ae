// SPDX-License-Identifier: MIT
//===- PatchPoints.cpp - Stores that the runtime turns into barriers -----------===//
#include "pass/lower/PatchPoints.h"
#include "pass/base/AccessRules.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/RegisteredTable.h"
#include "pass/lower/BarrierStores.h"
#include "versions/LLVM.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

STATISTIC(PointsMade, "Stores and ends of memory that become barriers when there is a region");

namespace acre {

/// A table of points: its section, and the local label that each of its points has. No other
/// assembly of a function is likely to have a label with that number.
struct PatchPoints::Table {
  StringLiteral Section, Label;
};
/// Of stores of pointers, of words that may be one, alone or one of two, and of what ends.
static constexpr PatchPoints::Table Pointers = {"acre_pointer_patches", "40170"},
                                    Words = {"acre_word_patches", "40180"},
                                    Releases = {"acre_release_patches", "40200"};

/// What a barrier at a point may change: no register of the program's but one.
static constexpr StringLiteral Clobbered = "~{r11},~{flags}";

/// What the assembly of a point begins with: a prefix without effect, which stays where it is,
/// since debuggers put a breakpoint over it and later put back what was there.
static constexpr StringLiteral PointBegin = ".byte 0x3e\n";

/// More such prefixes make an instruction as long as a jump: three where it has two bytes, two
/// where it has three, one where it has four. The number that is shifted has two bits for each
/// length.
static constexpr StringLiteral PointPadding = ".skip (0x1b0 >> (2 * (40191f - 40190f))) & 3, 0x3e";

/// Whether an assembler takes Name as it is.
static bool isPlainName(StringRef Name) {
  return !Name.empty() && !isDigit(Name.front()) &&
         all_of(Name, [](char C) { return isAlnum(C) || C == '_' || C == '.'; });
}

bool PatchPoints::mayBeIn(const Function &F) {
  const Module &M = *F.getParent();
  const Triple Target = acre::targetTriple(M);
  auto Size = M.getCodeModel().value_or(CodeModel::Small);
  if (Target.getArch() != Triple::x86_64 || !Target.isOSBinFormatELF() || Target.isX32() ||
      (Size != CodeModel::Small && Size != CodeModel::Medium) || !isPlainName(F.getName()))
    return false;
  // What looks at accesses does not see one in assembly; more registers than those above may hold
  // something where there are wider vectors; and kernels and the like use none.
  return F.getFnAttribute(AsksActiveAttribute).getValueAsString() == "patched" &&
         !F.hasFnAttribute(Attribute::SanitizeAddress) &&
         !F.hasFnAttribute(Attribute::SanitizeHWAddress) &&
         !F.hasFnAttribute(Attribute::SanitizeMemory) &&
         !F.hasFnAttribute(Attribute::SanitizeThread) &&
         !F.hasFnAttribute(Attribute::NoImplicitFloat) &&
         !F.getFnAttribute("target-features").getValueAsString().contains("+avx512");
}

static StringRef assemblyOf(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  auto *Assembly = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  return Assembly ? StringRef(Assembly->getAsmString()) : StringRef();
}

bool PatchPoints::isPoint(const Instruction &I) { return assemblyOf(I).starts_with(PointBegin); }

/// Whether an operand in memory that is Slot may be relative to a segment.
static bool mayBeThreadLocal(const Value *Slot) {
  const Value *Object = getUnderlyingObject(Slot);
  if (auto *Call = dyn_cast<IntrinsicInst>(Object))
    return Call->getIntrinsicID() == Intrinsic::threadlocal_address;
  auto *Global = dyn_cast<GlobalVariable>(Object);
  return Global && Global->isThreadLocal();
}

bool PatchPoints::replace(CallInst &Barrier) {
  assert((isCallOf(Barrier, Entry::Store) || isCallOf(Barrier, Entry::Rescan)) &&
         "a barrier of one word");
  if (mayBeThreadLocal(Barrier.getArgOperand(0)))
    return false;
  StoreInst *Store = storeOfBarrier(Barrier);
  if (!Store && !isBarrierOfLaterPoint(Barrier))
    return false;
  if (Store) {
    emit(*Store, Barrier);
    Store->eraseFromParent();
  }
  Barrier.eraseFromParent();
  return true;
}

/// Assembly that puts Text into the part of a table that is kept or dropped with F.
static std::string inTable(const PatchPoints::Table &In, const Function &F, const Twine &Text) {
  return (".pushsection " + In.Section + ",\"ao\",@progbits," + F.getName() + "\n" + Text +
          "\n.popsection\n")
      .str();
}

/// A function's part of a table begins with 0 and the distance to where the function begins. Each
/// point has its distance from the one before it, which is never 0.
void PatchPoints::beginTable(Function &F, const Table &In) {
  const std::string Text =
      inTable(In, F, ".byte 0\n.long " + In.Label + "f - .") + In.Label.str() + ":";
  Instruction *Begin = &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  for (const Instruction *I = Begin; !assemblyOf(*I).empty(); I = I->getNextNode())
    if (assemblyOf(*I) == Text)
      return;
  IRBuilder<> B(Begin);
  auto *Signature = FunctionType::get(B.getVoidTy(), false);
  B.CreateCall(InlineAsm::get(Signature, Text, "", /*hasSideEffects=*/true))->setDoesNotThrow();
}

void PatchPoints::emitPair(StoreInst &Store, uint64_t Looked) {
  IRBuilder<> B(&Store);
  auto *Pair = FixedVectorType::get(B.getInt64Ty(), 2);
  makePoint(B, Words, Looked ? " * 2 + 1" : " * 2", "movups $1, $0", "=*m,x", Pair,
            {Store.getPointerOperand(), B.CreateBitCast(Store.getValueOperand(), Pair)});
}

void PatchPoints::emit(StoreInst &Store, const CallInst &Barrier) {
  if (auto Looked = wordOfPair(Barrier, Store))
    return emitPair(Store, *Looked);
  IRBuilder<> B(&Store);
  Value *Stored = Store.getValueOperand();
  if (Stored->getType()->isFloatingPointTy())
    Stored =
        B.CreateBitCast(Stored, Stored->getType()->isFloatTy() ? B.getInt32Ty() : B.getInt64Ty());
  const bool IsHalf = Stored->getType()->isIntegerTy(32);
  const bool IsPointer = isCallOf(Barrier, Entry::Store);
  makePoint(B, IsPointer ? Pointers : Words, IsPointer ? "" : " * 2",
            IsHalf ? "movl $1, $0" : "movq $1, $0", IsHalf ? "=*m,ri" : "=*m,er", Stored->getType(),
            {Store.getPointerOperand(), Stored});
}

/// Entry: what the table has behind the distance. Memory: what the first operand points to.
void PatchPoints::makePoint(IRBuilder<> &B, const Table &In, const Twine &Entry,
                            StringRef Instruction, StringRef Constraints, Type *Memory,
                            ArrayRef<Value *> Operands) {
  Function &F = *B.GetInsertBlock()->getParent();
  beginTable(F, In);
  const std::string Text =
      (PointBegin + inTable(In, F, ".uleb128 (" + In.Label + "f - " + In.Label + "b)" + Entry) +
       In.Label + ": " + PointPadding + "\n40190: " + Instruction + "\n40191:")
          .str();
  SmallVector<Type *, 2> Types;
  for (const Value *Each : Operands)
    Types.push_back(Each->getType());
  auto *Point = InlineAsm::get(FunctionType::get(B.getVoidTy(), Types, false), Text,
                               (Constraints + "," + Clobbered).str(), /*hasSideEffects=*/true);
  CallInst *Call = B.CreateCall(Point, Operands);
  Call->addParamAttr(0, Attribute::get(B.getContext(), Attribute::ElementType, Memory));
  Call->setDoesNotThrow();
  registerOnce();
  ++PointsMade;
}

bool PatchPoints::replaceRelease(CallInst &Release) {
  auto *Size = dyn_cast<ConstantInt>(Release.getArgOperand(1));
  Value *Address = Release.getArgOperand(0);
  if (!Size || Size->isZero() || !isInt<32>(Size->getSExtValue()) || mayBeThreadLocal(Address))
    return false;
  IRBuilder<> B(&Release);
  // An instruction that does nothing, but has an operand in memory.
  makePoint(B, Releases, "\n.uleb128 " + Twine(Size->getZExtValue()), "nopl $0", "*m",
            B.getInt8Ty(), {Address});
  Release.eraseFromParent();
  return true;
}

/// All units of a program or shared object have one table.
void PatchPoints::registerOnce() {
  Module &M = ABI.module();
  constexpr StringLiteral Name = "acre.patch_points";
  if (M.getNamedGlobal(Name))
    return;
  auto Bound = [&](const Twine &Symbol) -> Constant * {
    auto *G =
        cast<GlobalVariable>(M.getOrInsertGlobal(Symbol.str(), Type::getInt8Ty(M.getContext())));
    G->setLinkage(GlobalValue::ExternalWeakLinkage);
    G->setVisibility(GlobalValue::HiddenVisibility);
    return G;
  };
  Constant *Bounds = ABI.make<acre_rt_patch_points>(
      {Bound("__start_" + Pointers.Section), Bound("__stop_" + Pointers.Section),
       Bound("__start_" + Words.Section), Bound("__stop_" + Words.Section),
       Bound("__start_" + Releases.Section), Bound("__stop_" + Releases.Section), ABI.null(),
       ABI.null(), ABI.size(0), ABI.number(0)});
  auto *Table = new GlobalVariable(M, Bounds->getType(), false, GlobalValue::LinkOnceODRLinkage,
                                   Bounds, Name);
  Table->setVisibility(GlobalValue::HiddenVisibility);
  Table->setComdat(M.getOrInsertComdat(Name));
  registerTable(ABI, Table, Entry::RegisterPatchPoints, Entry::UnregisterPatchPoints);
}

} // namespace acre
