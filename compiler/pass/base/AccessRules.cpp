// SPDX-License-Identifier: MIT
//===- AccessRules.cpp - What is known of an access or a call -------------===//
#include "pass/base/AccessRules.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MemoryModelRelaxationAnnotations.h"

using namespace llvm;

namespace acre {

static StringRef ruleName(SlotRule Rule) {
  switch (Rule) {
  case SlotRule::Plain:
    return "plain";
  case SlotRule::Sameregion:
    return "sameregion";
  case SlotRule::Parentptr:
    return "parentptr";
  case SlotRule::Traditional:
    return "traditional";
  case SlotRule::Union:
    return "union";
  case SlotRule::Numbers:
    return "numbers";
  case SlotRule::HandleSameregion:
    return "handle of sameregion";
  case SlotRule::HandleParentptr:
    return "handle of parentptr";
  case SlotRule::HandleTraditional:
    return "handle of traditional";
  }
  llvm_unreachable("all rules are named");
}

SlotRule slotRule(const Instruction &I) {
  if (!I.hasMetadata(LLVMContext::MD_mmra))
    return SlotRule::Plain;
  MMRAMetadata Tags(I);
  SmallVector<SlotRule, 2> Rules;
  for (SlotRule Rule : {SlotRule::Sameregion, SlotRule::Parentptr, SlotRule::Traditional,
                        SlotRule::Union, SlotRule::Numbers, SlotRule::HandleSameregion,
                        SlotRule::HandleParentptr, SlotRule::HandleTraditional})
    if (Tags.hasTag(SlotMetadata, ruleName(Rule)))
      Rules.push_back(Rule);
  if (Rules.size() == 1)
    return Rules[0];
  // Accesses of different slots became one: what is true of each of them.
  bool IsUpward = Rules == SmallVector<SlotRule, 2>{SlotRule::Sameregion, SlotRule::Parentptr};
  return IsUpward ? SlotRule::Parentptr : SlotRule::Plain;
}

/// Whether no tags are there but Acre's.  None are where an access that had a rule became one with
/// an access that had none: that says nothing, but the code generator warns when it loses it.
static bool isOfSlots(const MMRAMetadata &Tags) {
  return Tags.empty() || Tags.hasTagWithPrefix(SlotMetadata);
}

void dropSlotRules(Function &F) {
  for (Instruction &I : instructions(F))
    if (I.hasMetadata(LLVMContext::MD_mmra) && isOfSlots(MMRAMetadata(I)))
      I.setMetadata(LLVMContext::MD_mmra, nullptr);
}

void setSlotRule(Instruction &I, SlotRule Rule) {
  I.setMetadata(LLVMContext::MD_mmra,
                MMRAMetadata::getTagMD(I.getContext(), SlotMetadata, ruleName(Rule)));
}

bool hasDeletesCall(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && Call->getFnAttr(DeletesAttribute).isValid();
  });
}

std::optional<Site> deletesSite(const CallBase &Call) {
  Attribute A = Call.getFnAttr(DeletesAttribute);
  if (!A.isValid())
    return std::nullopt;
  return expectedToOptional(parseSite(A.getValueAsString())).value_or(Site());
}

} // namespace acre
