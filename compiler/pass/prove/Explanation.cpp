// SPDX-License-Identifier: MIT
//===- Explanation.cpp - Decisions in words -------------------------------===//
#include "pass/prove/Explanation.h"
#include "pass/base/Markers.h"
#include "pass/base/SourceNames.h"
#include "shared/markers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ValueTracking.h"

#define DEBUG_TYPE "acre"

using namespace llvm;

namespace acre {

static std::string quoted(StringRef Text) { return ("'" + Text + "'").str(); }

static std::string calleeOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return "the result of an indirect call";
  // As include/acre/region.h spells them.
  StringRef Spelled = StringSwitch<StringRef>(Callee->getName())
                          .Case("acre_region_new", "newregion")
                          .Case("acre_region_new_sub", "newsubregion")
                          .Case("acre_region_of", "regionof")
                          .Case("acre_region_alloc", "ralloc")
                          .Case("acre_region_alloc_array", "rarrayalloc")
                          .Case("acre_region_extend_array", "rarrayextend")
                          .Case("acre_region_copy_array", "rarraycopy")
                          .Case("acre_region_alloc_bytes", "rstralloc")
                          .Case("acre_region_strdup", "rstrdup")
                          .Case("acre_region_strdup_at", "rstrdup")
                          .Case("acre_region_extend_bytes", "rstrextend")
                          .Default(Callee->getName());
  return "the result of " + quoted(Spelled);
}

/// The name of V in the source, or what it is.
static std::string nameOf(const Value *V) {
  if (!V)
    return "a value";
  if (isa<ConstantPointerNull>(V))
    return "null";
  if (isa<GlobalValue, AllocaInst>(V)) {
    std::optional<SourceName> Variable = sourceNameOfVariable(*V);
    return Variable              ? quoted(Variable->Text)
           : isa<GlobalValue>(V) ? quoted(V->getName())
                                 : "a local variable";
  }
  std::optional<SourceName> Name = sourceName(*V);
  if (auto *Call = dyn_cast<CallBase>(V))
    return (Name ? quoted(Name->Text) + ", " : "") + calleeOf(*Call);
  if (Name)
    return quoted(Name->Text);
  if (isa<Argument>(V))
    return "a parameter";
  if (isa<LoadInst>(V))
    return "a pointer read from memory";
  if (isa<PHINode, SelectInst>(V))
    return "one of several pointers";
  return "a value";
}

/// Its name where a verb follows.
static std::string subject(const Value *V) {
  return nameOf(V) + (V && isa<CallBase>(V) && sourceName(*V) ? "," : "");
}

static std::string lineOf(const Value *V) {
  auto *I = dyn_cast_or_null<Instruction>(V);
  unsigned Line = I && I->getDebugLoc() ? I->getDebugLoc().getLine() : 0;
  return Line ? " (line " + std::to_string(Line) + ")" : "";
}

static StringRef annotationOf(SlotRule Rule) {
  return Rule == SlotRule::Sameregion  ? "sameregion"
         : Rule == SlotRule::Parentptr ? "parentptr"
                                       : "traditional";
}

static std::string describeStore(const CallInst &Barrier) {
  std::optional<RuleCheck> Check = ruleCheck(Barrier);
  if (!Check)
    return "counted store";
  switch (Check->From) {
  case RuleCheck::Store:
    return "check of " + Check->word().str() + " store";
  case RuleCheck::Outside:
    return "check of traditional pointer";
  case RuleCheck::Signature:
  case RuleCheck::Known:
    return "check of " + Check->word().str() + " value";
  }
  llvm_unreachable("all origins are described");
}

static std::string describeEvidence(const Value *V) {
  if (auto *Call = dyn_cast<CallBase>(V)) {
    const Function *Callee = Call->getCalledFunction();
    if (ruleCheck(*Call))
      return (ruleCheck(*Call)->From == RuleCheck::Known ? "a signature"
                                                         : "a check that was passed") +
             lineOf(V);
    if (Callee)
      return "the call of '" + Callee->getName().str() + "'" + lineOf(V);
  }
  if (isa<LoadInst>(V))
    return "an annotated slot that is read" + lineOf(V);
  if (isa<ICmpInst>(V))
    return "a test" + lineOf(V);
  if (isa<AllocaInst>(V))
    return "all that is stored in " + nameOf(V);
  if (isa<Argument, GlobalValue>(V))
    return nameOf(V);
  return "";
}

static std::string regionOf(const RegionTerm &T) {
  bool IsOfNothing = T.V && isa<ConstantPointerNull, UndefValue>(T.V);
  switch (T.K) {
  case RegionTerm::Address:
    return IsOfNothing ? "the region of what holds the slot" : "the region of " + nameOf(T.V);
  case RegionTerm::Handle:
    return sourceName(*T.V) ? "region " + nameOf(T.V)
                            : "the region that " + nameOf(T.V) + lineOf(T.V) + " names";
  case RegionTerm::CurrentHandle:
  case RegionTerm::Global:
    return "region " + nameOf(T.V);
  case RegionTerm::CurrentObject:
  case RegionTerm::GlobalObject:
    return "the region of what " + nameOf(T.V) + " points to";
  case RegionTerm::Traditional:
    return "no region";
  case RegionTerm::Permanent:
    return "the permanent region";
  }
  llvm_unreachable("all kinds are named");
}

namespace {

/// Why a barrier stays: the fact that is missing, what to write, and the line to change if it is
/// another.
struct Reason {
  std::string Missing, Change, Where;
};

/// In words, what MissingFact says.
class Reasoning {
public:
  Reasoning(const CallInst &Store, const MissingFact &Fact)
      : Barrier(Store), Check(ruleCheck(Store)), Missing(Fact), Wanted(regionOf(Fact.Wanted)) {}
  Reason run() const;

private:
  std::string mayBeElsewhere(StringRef What) const;
  /// What allocates in the wanted region.
  std::string wantedRegion() const;
  Reason unknownValue() const;
  Reason unknownCaller() const;
  Reason unknownResult() const;
  Reason annotatedLoad(SlotRule Rule) const;
  Reason plainLoad() const;
  Reason handleLoad() const;
  Reason globalLoad() const;
  Reason arrayLoad() const;
  Reason otherRegion() const;

  const CallInst &Barrier;
  std::optional<RuleCheck> Check;
  const MissingFact &Missing;
  std::string Wanted;
};

std::string placeOf(const DISubprogram *F) {
  return F && F->getLine() ? F->getFilename().str() + ":" + std::to_string(F->getLine()) : "";
}

std::string Reasoning::mayBeElsewhere(StringRef What) const {
  StringRef Verb = Missing.IsHandle ? " may name " : " may be in ";
  return (What + Verb +
          (Missing.Wanted.K == RegionTerm::Traditional ? "a region"
                                                       : "another region than " + Wanted))
      .str();
}

std::string Reasoning::wantedRegion() const {
  const RegionTerm &T = Missing.Wanted;
  bool IsNamed = T.V && sourceName(*T.V);
  if (T.K == RegionTerm::Handle && IsNamed)
    return sourceName(*T.V)->Text;
  if (T.K == RegionTerm::Address && IsNamed)
    return "regionof(" + sourceName(*T.V)->Text + ")";
  return "regionof() of what holds the slot";
}

Reason Reasoning::unknownValue() const {
  const Value *V = Check ? Check->Value : Barrier.getArgOperand(1),
              *Slot = Check ? Check->slot() : Barrier.getArgOperand(0);
  std::string Text =
      subject(V) +
      " has its value from several places, and for one of them nothing says that it is in ";
  if (!Slot)
    return {Text + "no region", "read the value from traditional slots only", ""};
  std::string Holder = regionOf({RegionTerm::Address, objectOf(Slot)});
  return {Text + Holder,
          "set the value and what holds the slot in the same places, or test that regionof() of "
          "both is the same "
          "before the store",
          ""};
}

Reason Reasoning::unknownCaller() const {
  const Value *V = Missing.Value;
  const Function &F = *cast<Argument>(V)->getParent();
  StringRef Called = F.getName();
  if (Called.consume_front(markers::CheckedPointer))
    return {mayBeElsewhere("an argument of " + quoted(Called) + ", called through a pointer,"),
            "call " + quoted(Called) + " by its name", ""};
  std::string Name = quoted(F.getName()), Where = placeOf(F.getSubprogram());
  std::string Text = mayBeElsewhere(nameOf(V) + ", a parameter of " + Name + ",");
  if (!F.hasLocalLinkage())
    return {Text,
            "make " + Name +
                " static, or link with -flto, so that its calls are looked at; or say in its "
                "signature, with "
                "inregion or inparent, where it points",
            Where};
  if (F.hasAddressTaken())
    return {Text + ", because the address of the function is taken and not all its calls are known",
            "call " + Name +
                " directly, or pass an object of the region and allocate in regionof() of it",
            Where};
  return {Text + ", which is not known where it is called",
          "make what is in that region a parameter of " + Name +
              " too, or test that regionof() of both is the same",
          Where};
}

Reason Reasoning::unknownResult() const {
  auto &Call = *cast<CallBase>(Missing.Value);
  const Function *Callee = Call.getCalledFunction();
  std::string Text = mayBeElsewhere(subject(&Call) + lineOf(&Call));
  if (!Callee)
    return {Text, "call the function directly, so that its definition is looked at", ""};
  std::string Name = quoted(Callee->getName()), Where = placeOf(Callee->getSubprogram());
  if (Callee->isDeclaration())
    return {
        Text,
        "define " + Name +
            " in this file, or link with -flto, so that its definition is looked at; or say in its "
            "signature, with inregion or inparent, where its result points",
        Where};
  return {Text,
          "let all returns of " + Name +
              " give a pointer into the region of one parameter, or null",
          Where};
}

/// The line that declares what a pointer is read from.
std::string placeOf(const SourceName &Name) {
  return Name.Member && Name.Member->getLine()
             ? Name.Member->getFilename().str() + ":" + std::to_string(Name.Member->getLine())
             : "";
}

/// It has an annotation, which does not say enough.
Reason Reasoning::annotatedLoad(SlotRule Rule) const {
  auto &Load = *cast<LoadInst>(Missing.Value);
  std::string Holder = nameOf(objectOf(Load.getPointerOperand()));
  std::string Text =
      nameOf(&Load) + lineOf(&Load) + " is read from a " + annotationOf(Rule).str() + " slot";
  std::optional<SourceName> Name = sourceName(Load);
  if (Rule == SlotRule::Parentptr && Name && Name->Member)
    return {Text + " and may be above the region of " + Holder,
            "make the slot that is written parentptr, or " + quoted(Name->Member->getName()) +
                " sameregion if it always is in that region",
            placeOf(*Name)};
  return {
      Text + ", but nothing says that " + Holder + ", which holds it, is in " + Wanted,
      "test before the store that regionof() of both is the same, or find both through one object",
      ""};
}

Reason Reasoning::plainLoad() const {
  const Value *V = Missing.Value;
  if (SlotRule Rule = slotRule(*cast<LoadInst>(V));
      Rule == SlotRule::Sameregion || Rule == SlotRule::Parentptr)
    return annotatedLoad(Rule);
  std::optional<SourceName> Name = sourceName(*V);
  std::string Text =
      mayBeElsewhere(nameOf(V) + lineOf(V) + " is read from a slot without annotation and");
  if (!Name || !Name->Member)
    return {Text,
            "annotate the slot it is read from: sameregion if it points into the region of what "
            "holds it",
            ""};
  if (Name->Member->getScope() && Name->Member->getScope()->getName() == "__va_list_tag")
    return {mayBeElsewhere("a variable argument" + lineOf(V)), "pass it as a parameter of its own",
            ""};
  return {Text,
          "annotate " + quoted(Name->Member->getName()) +
              ": sameregion if it always points into the region of what holds it, "
              "parentptr if into that or one above it",
          placeOf(*Name)};
}

Reason Reasoning::handleLoad() const {
  const Value *V = Missing.Value;
  std::string Text =
      mayBeElsewhere("the region handle " + nameOf(V) + lineOf(V) + " is read from memory and");
  if (Missing.Wanted.K == RegionTerm::Traditional)
    return {
        Text,
        "none, if it is to point into a region; else annotate the slot and what is stored in it",
        ""};
  std::optional<SourceName> Name = sourceName(*V);
  if (Name && wantedRegion() == Name->Text)
    return {nameOf(V) + lineOf(V) + " is read again, and may name another region than before",
            "read it once into a variable of the function, and allocate what belongs together with "
            "that",
            ""};
  const Instruction *Allocation = nullptr;
  for (const User *U : V->users())
    if (auto *Call = dyn_cast<CallBase>(U);
        Call && knownResult(*Call).Meaning == ResultMeaning::InRegion)
      Allocation = Call;
  return {Text,
          "allocate" + lineOf(Allocation) + " in " + wantedRegion() + " instead of " + nameOf(V) +
              ", or pass the region as a parameter",
          ""};
}

Reason Reasoning::globalLoad() const {
  auto *Global = cast<GlobalVariable>(objectOf(cast<LoadInst>(Missing.Value)->getPointerOperand()));
  std::string Name = nameOf(Global);
  std::string Text = mayBeElsewhere(nameOf(Missing.Value) + lineOf(Missing.Value) +
                                    " comes from global " + Name + " and");
  std::string Where;
  SmallVector<DIGlobalVariableExpression *, 1> Expressions;
  Global->getDebugInfo(Expressions);
  if (!Expressions.empty()) {
    const DIGlobalVariable *Variable = Expressions.front()->getVariable();
    Where = Variable->getFilename().str() + ":" + std::to_string(Variable->getLine());
  }
  if (!Global->hasLocalLinkage())
    return {Text,
            "make the global static and set it once, or declare it settled, or pass " + Name +
                " as a parameter",
            Where};
  return {Text, "set the global once, or declare it settled, or pass " + Name + " as a parameter",
          Where};
}

Reason Reasoning::arrayLoad() const {
  const Value *V = Missing.Value;
  std::string Local = nameOf(objectOf(cast<LoadInst>(V)->getPointerOperand()));
  std::string Text = nameOf(V) + lineOf(V) + " comes from " + Local +
                     ", in which pointers into other regions than " + Wanted + " may be";
  auto *I = dyn_cast_or_null<Instruction>(Missing.Wanted.V);
  if (I && I->getParent() != &I->getFunction()->getEntryBlock())
    return {
        Text,
        "name the region by a parameter, or a variable that is set at the begin of the function: " +
            Wanted + " may change while " + Local + " lives",
        ""};
  return {Text,
          "write only pointers to " + Local +
              ", all into one region, and give its address to no other function",
          ""};
}

Reason Reasoning::otherRegion() const {
  const Value *V = Missing.Value;
  std::string Text = V ? nameOf(V) + lineOf(V) : "the value";
  if (Missing.Wanted.K == RegionTerm::Traditional)
    return {Text + " is in a region, and what holds the slot is in none",
            "none, if it is to point into a region", ""};
  return {Text + " is in a region of which nothing says that it is " + Wanted,
          "allocate the value in " + wantedRegion(), ""};
}

Reason Reasoning::run() const {
  switch (Missing.Why) {
  case MissingFact::None:
    return unknownValue();
  case MissingFact::UnknownCaller:
    return unknownCaller();
  case MissingFact::UnknownResult:
    return unknownResult();
  case MissingFact::UnannotatedLoad:
    return Missing.IsHandle ? handleLoad() : plainLoad();
  case MissingFact::GlobalLoad:
    return globalLoad();
  case MissingFact::ArrayLoad:
    return arrayLoad();
  case MissingFact::MadeFromInteger:
    return {subject(Missing.Value) + lineOf(Missing.Value) + " is made from an integer",
            "keep the pointer in a variable of pointer type", ""};
  case MissingFact::OtherRegion:
    return otherRegion();
  case MissingFact::Budget:
    return {"the search for a proof was given up",
            "make the function smaller, or pass the value as a parameter", ""};
  }
  llvm_unreachable("all reasons are named");
}

} // namespace

OptimizationRemark explainRemoved(const CallInst &Barrier, ArrayRef<const Value *> Evidence) {
  OptimizationRemark R(DEBUG_TYPE, ruleCheck(Barrier) ? "CheckRemoved" : "CountRemoved", &Barrier);
  R << describeStore(Barrier) << " removed";
  unsigned Shown = 0;
  for (const Value *V : Evidence) {
    std::string Text = V ? describeEvidence(V) : std::string();
    if (!Text.empty() && Shown < 4)
      R << (Shown++ ? ", " : ": by ") << Text;
  }
  return R;
}

static OptimizationRemarkMissed kept(StringRef Name, const CallInst &Barrier, StringRef What,
                                     const Reason &Why) {
  OptimizationRemarkMissed R(DEBUG_TYPE, Name, &Barrier);
  R << What << " kept: " << ore::NV("Missing", Why.Missing) << "; "
    << ore::NV("Change", Why.Change);
  if (!Why.Where.empty())
    R << " (" << ore::NV("Where", Why.Where) << ")";
  return R;
}

OptimizationRemarkMissed explainKept(const CallInst &Barrier, const MissingFact &Missing) {
  return kept(ruleCheck(Barrier) ? "CheckKept" : "CountKept", Barrier, describeStore(Barrier),
              Reasoning(Barrier, Missing).run());
}

/// "next (sameregion), up (parentptr)": the annotated slots of a descriptor (RuntimeABI::type).
static std::string annotatedSlots(const GlobalVariable &Descriptor) {
  constexpr unsigned SlotsField = 6, RuleField = 3, PathField = 4;
  std::string Text;
  auto *Table =
      dyn_cast<GlobalVariable>(Descriptor.getInitializer()->getAggregateElement(SlotsField));
  const Constant *Runs = Table && Table->hasInitializer() ? Table->getInitializer() : nullptr;
  for (unsigned I = 0; Runs && Runs->getAggregateElement(I); ++I) {
    const Constant *Run = Runs->getAggregateElement(I);
    auto *Rule = dyn_cast<ConstantInt>(Run->getAggregateElement(RuleField));
    StringRef Path, Name;
    for (SlotRule Known : {SlotRule::Sameregion, SlotRule::Parentptr, SlotRule::Traditional})
      if (Rule && Rule->getZExtValue() == static_cast<uint32_t>(Known))
        Name = annotationOf(Known);
    if (!Name.empty() && getConstantStringInfo(Run->getAggregateElement(PathField), Path))
      Text += (Text.empty() ? "" : ", ") + quoted(Path) + " (" + Name.str() + ")";
  }
  return Text;
}

std::optional<OptimizationRemarkMissed> explainCopy(const CallInst &Barrier) {
  constexpr unsigned NameField = 0;
  auto *Descriptor = dyn_cast<GlobalVariable>(Barrier.getArgOperand(Barrier.arg_size() - 2));
  if (!Descriptor || !Descriptor->hasInitializer())
    return std::nullopt;
  std::string Slots = annotatedSlots(*Descriptor);
  if (Slots.empty())
    return std::nullopt;
  StringRef Type;
  getConstantStringInfo(Descriptor->getInitializer()->getAggregateElement(NameField), Type);
  std::string What = ("check of copied " + Type).str();
  return kept("CopyKept", Barrier, What,
              {"what is copied is looked at when it is there, not where it comes from: " + Slots,
               "assign the members one by one, so that each check can be proved, or copy a pointer "
               "to the structure",
               ""});
}

} // namespace acre
