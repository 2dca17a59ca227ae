// SPDX-License-Identifier: MIT
//===- SetjmpReturns.cpp - Where longjmp leads ----------------------------===//
#include "pass/insert/SetjmpReturns.h"
#include "versions/LLVM.h"
#include "versions/StringSwitch.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace acre {

static StringRef calleeName(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? Callee->getName() : StringRef();
}

bool isSetjmp(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (Call->getIntrinsicID() == Intrinsic::eh_sjlj_setjmp)
    return true;
  // A vfork child shares the stack only until it execs; nothing of the parent's is discarded.
  return Call->hasFnAttr(Attribute::ReturnsTwice) && calleeName(*Call) != "vfork";
}

/// Whether the call returns 0 only the first time, as C says of setjmp.  getcontext returns 0 each
/// time.
static bool returnsZeroOnce(const CallBase &Call) {
  return Call.getIntrinsicID() == Intrinsic::eh_sjlj_setjmp ||
         StringSwitch<bool>(calleeName(Call))
             .Cases({"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"}, true)
             .Default(false);
}

namespace {

/// Whether values of one block are zero, given that what setjmp returned is not.
class AfterJump {
public:
  explicit AfterJump(const CallBase &Call) : Setjmp(Call) {}
  std::optional<bool> isZero(Value *V) const;

private:
  std::optional<bool> isZeroInBlock(Instruction &I) const;
  std::optional<bool> isZeroLoad(LoadInst &Load) const;

  const CallBase &Setjmp;
};

std::optional<bool> AfterJump::isZero(Value *V) const {
  if (V == &Setjmp)
    return false;
  if (auto *C = dyn_cast<ConstantInt>(V))
    return C->isZero();
  auto *I = dyn_cast<Instruction>(V);
  return I && I->getParent() == Setjmp.getParent() ? isZeroInBlock(*I) : std::nullopt;
}

static std::optional<bool> negated(std::optional<bool> Known) {
  return Known ? std::optional(!*Known) : std::nullopt;
}

std::optional<bool> AfterJump::isZeroInBlock(Instruction &I) const {
  if (isa<ZExtInst, SExtInst, FreezeInst>(I))
    return isZero(I.getOperand(0));
  if (auto *Expected = dyn_cast<IntrinsicInst>(&I))
    return Expected->getIntrinsicID() == Intrinsic::expect ? isZero(Expected->getArgOperand(0))
                                                           : std::nullopt;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return isZeroLoad(*Load);
  if (auto *Choice = dyn_cast<SelectInst>(&I)) // of && and ||
    if (std::optional<bool> IsZero = isZero(Choice->getCondition()))
      return isZero(*IsZero ? Choice->getFalseValue() : Choice->getTrueValue());
  if (I.getOpcode() == Instruction::Xor && I.getType()->isIntegerTy(1) &&
      isa<ConstantInt>(I.getOperand(1)))
    return *isZero(I.getOperand(1)) ? isZero(I.getOperand(0)) : negated(isZero(I.getOperand(0)));
  auto *Compare = dyn_cast<ICmpInst>(&I);
  if (!Compare || !Compare->isEquality())
    return std::nullopt;
  std::optional<bool> Left = isZero(I.getOperand(0)), Right = isZero(I.getOperand(1));
  if (!Left || !Right || (!*Left && !*Right))
    return std::nullopt;
  bool AreEqual = *Left && *Right;
  return AreEqual != (Compare->getPredicate() == ICmpInst::ICMP_EQ);
}

/// Unoptimised code reads the number from the variable that it has just stored it to.
std::optional<bool> AfterJump::isZeroLoad(LoadInst &Load) const {
  if (!Load.isSimple() || !isa<AllocaInst>(Load.getPointerOperand()))
    return std::nullopt;
  BasicBlock::iterator From = Load.getIterator();
  Value *Stored = FindAvailableLoadedValue(&Load, Load.getParent(), From);
  return Stored ? isZero(Stored) : std::nullopt;
}

} // namespace

SmallVector<const BasicBlock *, 2> blocksAfterJump(const CallBase &Setjmp) {
  const Instruction *End = Setjmp.getParent()->getTerminator();
  SmallVector<const BasicBlock *, 2> Blocks(successors(Setjmp.getParent()));
  if (!returnsZeroOnce(Setjmp))
    return Blocks;
  AfterJump Jump(Setjmp);
  if (auto *Branch = dyn_cast<CondBrInst>(End)) {
    if (std::optional<bool> IsZero = Jump.isZero(Branch->getCondition()))
      return {Branch->getSuccessor(*IsZero ? 1 : 0)};
  } else if (auto *Switch = dyn_cast<SwitchInst>(End);
             Switch && Jump.isZero(Switch->getCondition()) == false) {
    Blocks = {Switch->getDefaultDest()};
    for (const auto &Case : Switch->cases())
      if (!Case.getCaseValue()->isZero())
        Blocks.push_back(Case.getCaseSuccessor());
  }
  return Blocks;
}

/// The registers that calls preserve and in which a function with a frame pointer may have values.
/// Where the stack pointer moves, one may be what leads to the variables.
static std::string clobberedBefore(const Function &F) {
  const bool IsStackMoved = any_of(instructions(F), [](const Instruction &I) {
    auto *Alloca = dyn_cast<AllocaInst>(&I);
    return Alloca && !Alloca->isStaticAlloca();
  });
  const Triple Target = targetTriple(*F.getParent());
  if (Target.getArch() == Triple::x86_64)
    return std::string(IsStackMoved ? "" : "~{rbx},") + "~{r12},~{r13},~{r14},~{r15}";
  if (Target.isAArch64())
    return std::string(IsStackMoved ? "" : "~{x19},") +
           "~{x20},~{x21},~{x22},~{x23},~{x24},~{x25},~{x26},~{x27},~{x28}";
  return "";
}

/// What is clobbered has to be on the stack before; and as the function may return twice, its place
/// there is given to nothing else.
void keepOnStackAtSetjmp(Function &F) {
  SmallVector<Instruction *, 2> Setjmps;
  for (Instruction &I : instructions(F))
    if (isSetjmp(I))
      Setjmps.push_back(&I);
  const std::string Registers = Setjmps.empty() ? "" : clobberedBefore(F);
  if (Registers.empty())
    return;
  F.addFnAttr("frame-pointer", "all"); // else that register would be one of them
  InlineAsm *Clobber = InlineAsm::get(FunctionType::get(Type::getVoidTy(F.getContext()), false), "",
                                      Registers, /*hasSideEffects=*/true);
  for (Instruction *Setjmp : Setjmps)
    IRBuilder<>(Setjmp).CreateCall(Clobber);
}

} // namespace acre
