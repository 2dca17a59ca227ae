/* SPDX-License-Identifier: MIT */
//===- LLVM.h - One interface to LLVM 19 and all newer ones -----*- C++ -*-===//
//
// The pass is written for the newest LLVM.  What an older one has otherwise, or has
// not, is here; nothing else in the pass asks which one it is.  What the headers
// declare decides, and the version's number only where they cannot be asked.
//
// An older LLVM is told less than the newest, never more: a parameter of which a
// callee captures only some of the pointer captures all of it there.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_VERSIONS_LLVM_H
#define ACRE_VERSIONS_LLVM_H

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

static_assert(LLVM_VERSION_MAJOR >= 19, "Acre's pass needs LLVM 19");

namespace acre {

inline llvm::Triple targetTriple(const llvm::Module &M) {
  return llvm::Triple(M.getTargetTriple()); // which is a string before LLVM 21
}

/// Whether A is the address of a structure that was passed by value, in memory of the caller's.
/// Before LLVM 22 nothing says so.
inline bool isPassedByAddress(const llvm::Argument &A) {
#if LLVM_VERSION_MAJOR >= 22
  return A.hasAttribute(llvm::Attribute::DeadOnReturn);
#else
  (void)A;
  return false;
#endif
}

/// Whether A may be that: any pointer where nothing says so and the machine has such parameters.
inline bool mayBePassedByAddress(const llvm::Argument &A) {
#if LLVM_VERSION_MAJOR >= 22
  return isPassedByAddress(A);
#else
  return A.getType()->isPointerTy() && targetTriple(*A.getParent()->getParent()).isAArch64();
#endif
}

inline void moveBefore(llvm::Instruction &I, llvm::Instruction &Before) {
  I.moveBefore(*Before.getParent(), Before.getIterator());
}

/// An expander that gives what it makes Name.
template <typename Expander = llvm::SCEVExpander>
Expander expanderFor(llvm::ScalarEvolution &Evolution, const char *Name) {
  if constexpr (std::is_constructible_v<Expander, llvm::ScalarEvolution &, const char *>)
    return Expander(Evolution, Name);
  else
    return Expander(Evolution, Evolution.getDataLayout(), Name);
}

/// What GEPOperator::collectOffset fills.
template <typename Map>
Map filledBy(bool (llvm::GEPOperator::*)(const llvm::DataLayout &, unsigned, Map &, llvm::APInt &)
                 const);
using VariableOffsets = decltype(filledBy(&llvm::GEPOperator::collectOffset));

/// The debug records that say what V is the value of.
template <typename Value>
llvm::SmallVector<llvm::DbgVariableRecord *, 4> findValueRecords(Value &V) {
  llvm::SmallVector<llvm::DbgVariableRecord *, 4> Records;
  if constexpr (requires { findDbgValues(&V, Records); }) {
    findDbgValues(&V, Records);
  } else {
    llvm::SmallVector<llvm::DbgValueInst *, 4> Intrinsics; // which Clang no longer makes
    findDbgValues(Intrinsics, &V, &Records);
  }
  return Records;
}

//===- Branches ------------------------------------------------------------===//

#if LLVM_VERSION_MAJOR >= 23
using llvm::CondBrInst;
using llvm::UncondBrInst;
#else
/// Branches are of one class, and either kind of them is a view of it, as intrinsics are of calls.
class CondBrInst : public llvm::BranchInst {
public:
  static bool classof(const llvm::Value *V) {
    const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(V);
    return Branch && Branch->isConditional();
  }
};

class UncondBrInst : public llvm::BranchInst {
public:
  static bool classof(const llvm::Value *V) {
    const auto *Branch = llvm::dyn_cast<llvm::BranchInst>(V);
    return Branch && Branch->isUnconditional();
  }
};
#endif

//===- What a callee keeps of pointers -------------------------------------===//

/// That a callee keeps nothing of a pointer.
inline llvm::Attribute capturesNone(llvm::LLVMContext &C) {
#if LLVM_VERSION_MAJOR >= 21
  return llvm::Attribute::getWithCaptureInfo(C, llvm::CaptureInfo::none());
#else
  return llvm::Attribute::get(C, llvm::Attribute::NoCapture);
#endif
}

/// A callee keeps nothing of a pointer, but which address it is matters.  From 21 on the optimizer
/// otherwise takes a copy of the same contents for as good.
inline llvm::Attribute capturesAddress(llvm::LLVMContext &C) {
#if LLVM_VERSION_MAJOR >= 21
  return llvm::Attribute::getWithCaptureInfo(C,
                                             llvm::CaptureInfo(llvm::CaptureComponents::Address));
#else
  return llvm::Attribute::get(C, llvm::Attribute::NoCapture);
#endif
}

/// Adds that a callee keeps a pointer, and that nothing is ever written through what it keeps.
inline void addCapturesForReading(llvm::AttrBuilder &Attributes) {
#if LLVM_VERSION_MAJOR >= 21
  Attributes.addCapturesAttr(llvm::CaptureInfo(llvm::CaptureComponents::Address |
                                               llvm::CaptureComponents::ReadProvenance));
#else
  (void)Attributes; // without an attribute it may be written through
#endif
}

/// What a call may do with a pointer that an argument is: keep it beyond the call, and return it.
struct Captures {
  bool IsKept, IsReturned;
};

inline Captures capturesOf(const llvm::CallBase &Call, unsigned Argument) {
#if LLVM_VERSION_MAJOR >= 21
  const llvm::CaptureInfo Info = Call.getCaptureInfo(Argument);
  return {capturesAnyProvenance(Info.getOtherComponents()),
          capturesAnyProvenance(Info.getRetComponents())};
#else
  const bool IsCaptured = !Call.doesNotCapture(Argument);
  return {IsCaptured, IsCaptured};
#endif
}

//===- What keeps values alive, and does nothing ---------------------------===//

/// Whether Call is a fake use, which Clang makes for debuggers.
inline bool isFakeUse(const llvm::CallBase &Call) {
#if LLVM_VERSION_MAJOR >= 20
  return Call.getIntrinsicID() == llvm::Intrinsic::fake_use;
#else
  (void)Call;
  return false;
#endif
}

/// Keeps V, of a type with registers or a vector of pointers, until where B stands.  Nothing that
/// reads or writes memory moves across.
inline void createFakeUse(llvm::IRBuilderBase &B, llvm::Value *V) {
#if LLVM_VERSION_MAJOR >= 20
  B.CreateIntrinsic(B.getVoidTy(), llvm::Intrinsic::fake_use, {V});
#else
  // Code that is empty and may not be left out.  It has V in a register; a fake use is content with
  // memory.
  if (auto *Vector = llvm::dyn_cast<llvm::FixedVectorType>(V->getType())) {
    for (unsigned I = 0; I != Vector->getNumElements(); ++I)
      createFakeUse(B, B.CreateExtractElement(V, I));
    return;
  }
  auto *Type = llvm::FunctionType::get(B.getVoidTy(), {V->getType()}, false);
  B.CreateCall(llvm::InlineAsm::get(Type, "", "r,~{memory}", /*hasSideEffects=*/true), {V});
#endif
}

} // namespace acre

#endif
