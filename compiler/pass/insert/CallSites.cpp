// SPDX-License-Identifier: MIT
//===- CallSites.cpp - Where the program calls what gives or keeps memory -===//
#include "pass/insert/CallSites.h"
#include "pass/base/CheckMode.h"
#include "pass/base/PointsAfter.h"
#include "versions/StringSwitch.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace acre {
namespace {

enum class Callee { Other, Allocates, Reallocates, Frees, Keeps };

StringRef nameOf(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  return F ? F->getName() : StringRef();
}

Callee classify(const CallBase &Call) {
  StringRef Name = nameOf(Call);
  auto Known = acre::StringSwitch<Callee>(Name)
                   .Case("acre_rt_free", Callee::Frees)
                   .Cases({"acre_rt_realloc", "acre_rt_reallocarray"}, Callee::Reallocates)
#define ACRE_KEEPER(Interceptor) .Case(Interceptor, Callee::Keeps)
#include "shared/library.def"
                   .Default(Callee::Other);
  bool IsOfRuntime = Name.starts_with("acre_") && !Name.starts_with("acre_rt_gc_");
  if (Known != Callee::Other || IsOfRuntime || !Call.getType()->isPointerTy())
    return Known;
  return Call.returnDoesNotAlias() ? Callee::Allocates : Callee::Other;
}

} // namespace

void noteCallSites(Function &F, RuntimeABI &ABI) {
  if (!notesSites())
    return;
  SmallVector<std::pair<CallBase *, Callee>, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && !Call->isMustTailCall())
      if (Callee Kind = classify(*Call); Kind != Callee::Other)
        Calls.push_back({Call, Kind});
  for (auto [Call, Kind] : Calls) {
    IRBuilder<> Before(Call);
    if (Kind == Callee::Keeps)
      ABI.call(Before, Entry::KeptAt, {ABI.stored(ABI.siteOf(*Call), "")});
    if (Kind == Callee::Frees || Kind == Callee::Reallocates)
      ABI.call(Before, Entry::AllocatedAt, {Call->getArgOperand(0), ABI.null()});
    if (Kind == Callee::Allocates || Kind == Callee::Reallocates)
      forEachPointAfter(*Call, false, [&, Made = Call](IRBuilder<> &B) {
        ABI.call(B, Entry::AllocatedAt, {Made, ABI.where(ABI.siteOf(*Made))});
      });
  }
}

} // namespace acre
