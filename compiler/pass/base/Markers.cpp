// SPDX-License-Identifier: MIT
//===- Markers.cpp - Reading and removing what the AST half wrote ---------===//
#include "pass/base/Markers.h"
#include "acre/abi.h"
#include "pass/base/CheckMode.h"
#include "pass/base/SetByDeletes.h"
#include "shared/markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace acre {

static constexpr StringLiteral UninstrumentedAnnotation = "acre.uninstrumented";

namespace {

class MarkerStripper {
public:
  explicit MarkerStripper(RuntimeABI &Runtime) : ABI(Runtime), M(Runtime.module()) {}
  MarkerFacts run();

private:
  using Handler = void (MarkerStripper::*)(CallBase &);

  void stripAll(StringRef Name, unsigned Fewest, unsigned Most, Handler Handle);
  void stripLocalAnnotations();
  void readGlobalAnnotations();
  bool readGlobalAnnotation(Constant *Annotation);
  void findScopeEnds();

  void handleSlot(CallBase &Call);
  void handleUnion(CallBase &Call);
  void handleNumbers(CallBase &Call);
  void handleWords(CallBase &Call);
  void handleRecord(CallBase &Call);
  void handleSetByDeletes(CallBase &Call);
  void handleDeletes(CallBase &Call);
  void handleAllocatesNumbers(CallBase &Call);
  void handlePoolCall(CallBase &Call);
  void handleCheckTraditional(CallBase &Call);
  void handleSignature(CallBase &Call);
  void handleArgument(CallBase &Call);
  void handleKnownRegion(CallBase &Call);
  void handleCheckRegion(CallBase &Call);
  void replaceTypeTexts();
  Constant *typeSite(StringRef Text);

  void markSlot(Instruction &I, SlotRule Rule);
  void markSite(Instruction &I, CallBase &Marker, unsigned Argument);
  void sign(CallBase &Target, ArrayRef<StringRef> Fields, Value *Variable, const Site &At);
  void recordUses(CallBase &Marker, const Layout &L);
  void recordWrite(Use &U, CallBase &Marker, const Layout &L, uint64_t Offset);
  void recordRead(Use &U, const Layout &L, uint64_t Offset);
  std::optional<StringRef> text(CallBase &Call, Value *V);
  std::optional<Layout> layout(Instruction *I, StringRef Text);
  /// I is null if the fault lies in no instruction.
  void fail(Instruction *I, const Twine &Message) {
    if (I)
      M.getContext().emitError(I, "acre: " + Message);
    else
      M.getContext().emitError("acre: " + Message);
  }
  /// The value of Parsed; reports the error at I otherwise.
  template <typename T> std::optional<T> report(Instruction *I, Expected<T> Parsed) {
    if (Parsed)
      return std::move(*Parsed);
    fail(I, toString(Parsed.takeError()));
    return std::nullopt;
  }

  RuntimeABI &ABI;
  Module &M;
  MarkerFacts Facts;
  SmallSetVector<GlobalVariable *, 16> Texts;
};

/// The text of a string literal, which -fwritable-strings makes a variable.
static std::optional<StringRef> literalText(const GlobalVariable &G) {
  if (!G.hasLocalLinkage() || !G.hasInitializer())
    return std::nullopt;
  if (isa<ConstantAggregateZero>(G.getInitializer()))
    return StringRef();
  auto *Bytes = dyn_cast<ConstantDataArray>(G.getInitializer());
  return Bytes && Bytes->isCString() ? std::optional(Bytes->getAsCString()) : std::nullopt;
}

std::optional<StringRef> MarkerStripper::text(CallBase &Call, Value *V) {
  auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(V));
  std::optional<StringRef> Result = G ? literalText(*G) : std::nullopt;
  if (!Result) {
    fail(&Call, "the marker " + Call.getCalledFunction()->getName() + " needs a string literal");
    return std::nullopt;
  }
  Texts.insert(G);
  return Result;
}

std::optional<Layout> MarkerStripper::layout(Instruction *I, StringRef Text) {
  std::optional<Layout> L = report(I, parseLayout(Text));
  if (L && ignoresAnnotations())
    for (SlotRun &Run : L->Slots)
      if (Run.Rule != SlotRule::Union)
        Run.Rule = SlotRule::Plain;
  return L;
}

void MarkerStripper::markSlot(Instruction &I, SlotRule Rule) {
  if (!ignoresAnnotations() || Rule == SlotRule::Union || Rule == SlotRule::Numbers)
    setSlotRule(I, Rule);
}

/// Keeps where the source is, which without debug information nothing else says.
void MarkerStripper::markSite(Instruction &I, CallBase &Marker, unsigned Argument) {
  if (Argument >= Marker.arg_size() || isa<ConstantPointerNull>(Marker.getArgOperand(Argument)))
    return;
  LLVMContext &C = M.getContext();
  std::optional<StringRef> Text = text(Marker, Marker.getArgOperand(Argument));
  if (Text && report(&Marker, parseSite(*Text)))
    I.setMetadata(SiteMetadata, MDNode::get(C, MDString::get(C, *Text)));
}

void MarkerStripper::handleSlot(CallBase &Call) {
  SlotRule Rule = StringSwitch<SlotRule>(Call.getCalledFunction()->getName())
                      .Case(markers::SlotSameregion, SlotRule::Sameregion)
                      .Case(markers::SlotParentptr, SlotRule::Parentptr)
                      .Case(markers::HandleSameregion, SlotRule::HandleSameregion)
                      .Case(markers::HandleParentptr, SlotRule::HandleParentptr)
                      .Case(markers::HandleTraditional, SlotRule::HandleTraditional)
                      .Default(SlotRule::Traditional);
  for (User *U : Call.users())
    if (getLoadStorePointerOperand(U) == &Call || isa<AtomicRMWInst, AtomicCmpXchgInst>(U) ||
        (isa<CallBase>(U) && cast<CallBase>(U)->isInlineAsm())) {
      markSlot(*cast<Instruction>(U), Rule);
      markSite(*cast<Instruction>(U), Call, 1);
    }
  Call.replaceAllUsesWith(Call.getArgOperand(0));
}

/// Calls Use with each instruction that uses the address Marker gives, or one within what is there,
/// and with that address.
static void forEachAddressUse(CallBase &Marker, function_ref<void(Instruction &, Value *)> Use) {
  SmallVector<Value *, 4> Worklist{&Marker};
  while (!Worklist.empty()) {
    Value *Address = Worklist.pop_back_val();
    for (User *U : Address->users())
      if (isa<GetElementPtrInst>(U))
        Worklist.push_back(U);
      else
        Use(*cast<Instruction>(U), Address);
  }
}

/// The bytes are a member of a union, or for a bit-field the aggregate around them.
void MarkerStripper::handleUnion(CallBase &Call) {
  forEachAddressUse(Call, [&](Instruction &I, Value *Address) {
    if (getLoadStorePointerOperand(&I) == Address || isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
      markSlot(I, SlotRule::Union);
  });
  Call.replaceAllUsesWith(Call.getArgOperand(0));
}

/// The destination of a copy, a fill or stores without pointers.
void MarkerStripper::handleNumbers(CallBase &Call) {
  forEachAddressUse(Call, [&](Instruction &I, Value *Address) {
    if (isa<CallBase>(I) || (isa<StoreInst>(I) && getLoadStorePointerOperand(&I) == Address))
      markSlot(I, SlotRule::Numbers);
  });
  Call.replaceAllUsesWith(Call.getArgOperand(0));
}

/// The destination of a copy.
void MarkerStripper::handleWords(CallBase &Call) {
  static constexpr char Letters[] = {markers::WordOfSlot, markers::WordOfNumbers,
                                     markers::WordOfBytes, 0};
  std::optional<StringRef> Words = text(Call, Call.getArgOperand(1));
  LLVMContext &C = M.getContext();
  if (Words && Words->find_first_not_of(Letters) != StringRef::npos)
    fail(&Call, "'" + *Words + "' says of no words what they are");
  else if (Words)
    for (Use &U : Call.uses()) {
      auto *Copy = dyn_cast<CallBase>(U.getUser());
      bool IsSource = isa<AnyMemTransferInst>(U.getUser()) && U.getOperandNo() != 0;
      if (Copy && Copy->isArgOperand(&U) && !IsSource)
        Copy->setMetadata(WordsMetadata, MDNode::get(C, MDString::get(C, *Words)));
    }
  Call.replaceAllUsesWith(Call.getArgOperand(0));
}

/// One use of the address of a record, Offset bytes into it.
void MarkerStripper::recordWrite(Use &U, CallBase &Marker, const Layout &L, uint64_t Offset) {
  auto *I = cast<Instruction>(U.getUser());
  bool IsStore = isa<StoreInst>(I) && U.getOperandNo() == StoreInst::getPointerOperandIndex();
  if (IsStore && I->getOperand(0)->getType()->isSingleValueType()) {
    // A record that travels in registers is stored one slot at a time.
    const SlotRun *Run = L.slotAt(Offset);
    if (Run && Run->Rule != SlotRule::Plain) {
      markSlot(*I, Run->Rule);
      markSite(*I, Marker, 2);
    }
    return;
  }
  bool IsOther = isa<AtomicRMWInst, AtomicCmpXchgInst>(I);
  auto *Call = dyn_cast<CallBase>(I);
  // A marker around this one has its own say.
  if (Call && Call->getCalledFunction() &&
      Call->getCalledFunction()->getName().starts_with(markers::Prefix))
    return;
  bool IsCopy = Call && (!isa<AnyMemIntrinsic>(I) || U.getOperandNo() == 0) &&
                !Call->isByValArgument(U.getOperandNo());
  if (!IsStore && !IsOther && !IsCopy)
    return;
  bool IsStart = Marker.getCalledFunction()->getName() == markers::SlotStart;
  Facts.RecordWrites[I].push_back({Marker.getArgOperand(0), ABI.type(L), &L, IsStart});
  markSite(*I, Marker, 2);
}

/// The same for a record that is only read.
void MarkerStripper::recordRead(Use &U, const Layout &L, uint64_t Offset) {
  auto *I = cast<Instruction>(U.getUser());
  if (isa<LoadInst>(I) && I->getType()->isSingleValueType()) {
    const SlotRun *Run = L.slotAt(Offset);
    if (Run && Run->Rule != SlotRule::Plain && Run->Rule != SlotRule::Union &&
        !isHandleRule(Run->Rule))
      markSlot(*I, Run->Rule);
  } else if (isa<AnyMemTransferInst>(I) && U.getOperandNo() == 1 && Offset == 0) {
    Facts.RecordReads[I] = &L;
  }
}

void MarkerStripper::recordUses(CallBase &Marker, const Layout &L) {
  const DataLayout &DL = M.getDataLayout();
  bool IsRead = Marker.arg_size() > 2 && isa<ConstantPointerNull>(Marker.getArgOperand(2));
  SmallVector<std::pair<Value *, uint64_t>, 4> Worklist{{&Marker, 0}};
  while (!Worklist.empty()) {
    auto [Address, Offset] = Worklist.pop_back_val();
    for (Use &U : Address->uses()) {
      auto *GEP = dyn_cast<GetElementPtrInst>(U.getUser());
      if (!GEP) {
        if (IsRead)
          recordRead(U, L, Offset);
        else
          recordWrite(U, Marker, L, Offset);
        continue;
      }
      APInt Step(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
      if (GEP->accumulateConstantOffset(DL, Step))
        Worklist.push_back({GEP, Offset + Step.getZExtValue()});
    }
  }
}

void MarkerStripper::handleRecord(CallBase &Call) {
  std::optional<StringRef> Text = text(Call, Call.getArgOperand(1));
  std::optional<Layout> L = Text ? layout(&Call, *Text) : std::nullopt;
  if (L) {
    Facts.Layouts.push_back(std::make_unique<const Layout>(*L));
    recordUses(Call, *Facts.Layouts.back());
    // A compound literal says in this way what it is.
    auto *Literal = dyn_cast<AllocaInst>(Call.getArgOperand(0));
    markSite(Call, Call, 2);
    if (Literal && Literal->getAllocationSize(M.getDataLayout()) == TypeSize::getFixed(L->Size))
      Facts.LocalLayouts.try_emplace(Literal, LocalLayout{ABI.type(*L), *L, ABI.siteOf(Call)});
  }
  Call.replaceAllUsesWith(Call.getArgOperand(0));
}

void MarkerStripper::handleSetByDeletes(CallBase &Call) {
  if (auto *G = dyn_cast<GlobalVariable>(Call.getArgOperand(0)); G && !ignoresAnnotations())
    noteSetByDeletes(*G);
  Call.replaceAllUsesWith(Call.getArgOperand(0));
}

void MarkerStripper::handleDeletes(CallBase &Call) {
  std::optional<StringRef> Text = text(Call, Call.getArgOperand(1));
  if (Text && report(&Call, parseSite(*Text)))
    for (Use &U : Call.uses())
      if (auto *Deleter = dyn_cast<CallBase>(U.getUser()); Deleter && Deleter->isCallee(&U))
        Deleter->addFnAttr(Attribute::get(M.getContext(), DeletesAttribute, *Text));
  Call.replaceAllUsesWith(Call.getArgOperand(0));
}

void MarkerStripper::handleAllocatesNumbers(CallBase &Call) {
  for (Use &U : Call.uses())
    if (auto *Allocation = dyn_cast<CallBase>(U.getUser()); Allocation && Allocation->isCallee(&U))
      Allocation->addFnAttr(Attribute::get(M.getContext(), NumbersAttribute));
  Call.replaceAllUsesWith(Call.getArgOperand(0));
}

void MarkerStripper::handleCheckTraditional(CallBase &Call) {
  Value *Checked = Call.getArgOperand(0);
  std::optional<StringRef> Text = text(Call, Call.getArgOperand(1));
  std::optional<Site> At = Text ? report(&Call, parseSite(*Text)) : std::nullopt;
  if (At && !isa<Constant>(Checked) && !ignoresAnnotations()) {
    IRBuilder<> B(&Call);
    if (Call.getCalledFunction()->getName() == markers::CheckTraditional)
      ABI.call(B, Entry::CheckTraditional, {ABI.null(), Checked, ABI.where(*At)});
    else
      ABI.call(B, Entry::CheckHandle,
               {ConstantPointerNull::get(ABI.pointerType()), Checked,
                B.getInt32(static_cast<uint32_t>(SlotRule::HandleTraditional)), ABI.where(*At)});
  }
  Call.replaceAllUsesWith(Checked);
}

/// The kind of a region that a marker names, as the runtime knows it.
static std::optional<uint32_t> regionKind(StringRef Text) {
  if (Text.size() != 2 ||
      (Text[0] != markers::RegionItself && Text[0] != markers::RegionOrAncestor) ||
      (Text[1] != markers::RegionOfHandle && Text[1] != markers::RegionOfObject))
    return std::nullopt;
  return (Text[0] == markers::RegionOrAncestor ? ACRE_RT_OR_ANCESTOR : 0) |
         (Text[1] == markers::RegionOfHandle ? ACRE_RT_BY_HANDLE : 0);
}

/// The call whose callee Marker is, perhaps within other markers of it.
static CallBase *calledThrough(CallBase &Marker) {
  for (CallBase *Each = &Marker; Each && Each->hasOneUse();) {
    auto *Next = dyn_cast<CallBase>(Each->user_back());
    if (Next && Next->isCallee(&*Each->use_begin()))
      return Next;
    Each = Next;
  }
  return nullptr;
}

void MarkerStripper::handlePoolCall(CallBase &Call) {
  CallBase *Target = calledThrough(Call);
  std::optional<StringRef> Item = text(Call, Call.getArgOperand(1)),
                           Allocation = text(Call, Call.getArgOperand(2));
  std::optional<Site> At =
      Allocation ? report(&Call, parseSite(Allocation->split(markers::SiteSeparator).first))
                 : std::nullopt;
  SmallVector<StringRef, 8> Fields;
  if (Item)
    Item->split(Fields, markers::FieldSeparator);
  constexpr size_t FieldCount = 9;
  if (Target && At && Fields.size() == FieldCount && Fields[0].size() == 1) {
    std::vector<std::string> Owned;
    for (StringRef Each : Fields)
      Owned.push_back(Each.str());
    Facts.PoolCalls.push_back({Target, std::move(Owned), typeSite(*Allocation), *At});
  } else if (Target) {
    fail(&Call, "malformed call of a pool's function");
  }
  Call.replaceAllUsesWith(Call.getArgOperand(0));
}

/// Operand Index of the source's call.
static Value *markedArgument(CallBase &Call, StringRef Index) {
  for (Value *Operand : Call.args()) {
    auto *Marker = dyn_cast<CallBase>(Operand);
    StringRef Text;
    if (Marker && Marker->getCalledFunction() &&
        Marker->getCalledFunction()->getName() == markers::Argument &&
        getConstantStringInfo(Marker->getArgOperand(1), Text) && Text == Index)
      return Operand;
  }
  return nullptr;
}

void MarkerStripper::handleSignature(CallBase &Call) {
  CallBase *Target = calledThrough(Call);
  std::optional<StringRef> Item = text(Call, Call.getArgOperand(1)),
                           Where = text(Call, Call.getArgOperand(2));
  std::optional<Site> At = Where ? report(&Call, parseSite(*Where)) : std::nullopt;
  SmallVector<StringRef, 3> Fields;
  if (Item)
    Item->split(Fields, markers::FieldSeparator);
  if (Target && At && Fields.size() == 3 && !ignoresAnnotations())
    sign(*Target, Fields, Call.getArgOperand(3), *At);
  else if (Target && !ignoresAnnotations())
    fail(&Call, "malformed signature");
  Call.replaceAllUsesWith(Call.getArgOperand(0));
}

/// Checks before Target, or notes after it, what the fields of a signature's item say.
void MarkerStripper::sign(CallBase &Target, ArrayRef<StringRef> Fields, Value *Variable,
                          const Site &At) {
  std::optional<uint32_t> Kind = regionKind(Fields[1]);
  bool IsResult = Fields[0] == "r";
  Value *Subject = IsResult ? &Target : markedArgument(Target, Fields[0]);
  // A result is known where control goes on; nothing may follow a call that must be in tail
  // position.
  if (IsResult && (!isa<CallInst>(Target) || cast<CallInst>(Target).isMustTailCall()))
    return;
  IRBuilder<> B(IsResult ? Target.getNextNode() : &Target);
  B.SetCurrentDebugLocation(Target.getDebugLoc());
  if (IsResult && Fields[1] == markers::OutsideRegions) {
    ABI.call(B, Entry::KnownInregion,
             {Subject, ConstantPointerNull::get(ABI.pointerType()), B.getInt32(ACRE_RT_OUTSIDE)});
    return;
  }
  Value *Region = Fields[2].empty() ? B.CreateLoad(ABI.pointerType(), Variable)
                                    : markedArgument(Target, Fields[2]);
  if (!Kind || !Subject || !Region)
    return fail(&Target, "an argument that a signature speaks of is not passed as a pointer");
  if (!IsResult)
    ABI.call(B, Entry::CheckInregion, {Subject, Region, B.getInt32(*Kind), ABI.where(At)});
  else
    ABI.call(B, Entry::KnownInregion, {Subject, Region, B.getInt32(*Kind)});
}

void MarkerStripper::handleArgument(CallBase &Call) {
  if (auto *Text = dyn_cast<GlobalVariable>(getUnderlyingObject(Call.getArgOperand(1))))
    Texts.insert(Text);
  Call.replaceAllUsesWith(Call.getArgOperand(0));
}

void MarkerStripper::handleKnownRegion(CallBase &Call) {
  std::optional<StringRef> Text = text(Call, Call.getArgOperand(2));
  std::optional<uint32_t> Kind = Text ? regionKind(*Text) : std::nullopt;
  if (Kind && !ignoresAnnotations()) {
    IRBuilder<> B(&Call);
    ABI.call(B, Entry::KnownInregion,
             {Call.getArgOperand(0), Call.getArgOperand(1), B.getInt32(*Kind)});
  }
  Call.replaceAllUsesWith(Call.getArgOperand(0));
}

void MarkerStripper::handleCheckRegion(CallBase &Call) {
  std::optional<StringRef> Text = text(Call, Call.getArgOperand(2)),
                           Where = text(Call, Call.getArgOperand(3));
  std::optional<uint32_t> Kind = Text ? regionKind(*Text) : std::nullopt;
  std::optional<Site> At = Where ? report(&Call, parseSite(*Where)) : std::nullopt;
  if (Kind && At && !ignoresAnnotations()) {
    IRBuilder<> B(&Call);
    ABI.call(B, Entry::CheckInregion,
             {Call.getArgOperand(0), Call.getArgOperand(1), B.getInt32(*Kind), ABI.where(*At)});
  }
  Call.replaceAllUsesWith(Call.getArgOperand(0));
}

/// The acre_site that Text, without its prefix, describes; null if it is malformed.
Constant *MarkerStripper::typeSite(StringRef Text) {
  Constant *Null = ConstantPointerNull::get(ABI.pointerType());
  auto [SiteText, LayoutText] = Text.split(markers::SiteSeparator);
  std::optional<Site> At = report(nullptr, parseSite(SiteText));
  std::optional<Layout> L;
  if (!LayoutText.empty())
    L = layout(nullptr, LayoutText);
  return At ? ABI.site(*At, L ? ABI.type(*L) : Null) : Null;
}

/// Puts sites in the place of the strings that describe them, in instructions and in initializers.
void MarkerStripper::replaceTypeTexts() {
  for (GlobalVariable &Each : make_early_inc_range(M.globals())) {
    StringRef Text = literalText(Each).value_or("");
    if (!Text.consume_front(markers::TypePrefix))
      continue;
    Each.replaceAllUsesWith(typeSite(Text));
    Each.eraseFromParent();
  }
}

/// Removes all calls of the marker Name; a use that is no such call is not the AST half's.
void MarkerStripper::stripAll(StringRef Name, unsigned Fewest, unsigned Most, Handler Handle) {
  Function *Marker = M.getFunction(Name);
  if (!Marker)
    return;
  for (User *U : make_early_inc_range(Marker->users())) {
    auto *Call = dyn_cast<CallBase>(U);
    if (!Call || Call->getCalledFunction() != Marker || Call->arg_size() < Fewest ||
        Call->arg_size() > Most || !Call->getType()->isPointerTy() ||
        !all_of(Call->args(), [](Use &A) { return A->getType()->isPointerTy(); })) {
      fail(dyn_cast<Instruction>(U), "the marker " + Name + " is misused");
      return;
    }
    if (auto *Invoke = dyn_cast<InvokeInst>(Call))
      Call = changeToCall(Invoke);
    (this->*Handle)(*Call);
    Call->eraseFromParent();
  }
  if (Marker->use_empty())
    Marker->eraseFromParent();
}

/// Where the variable of an llvm.var.annotation is declared.
static Site declarationSite(const IntrinsicInst &Annotation) {
  StringRef File;
  getConstantStringInfo(Annotation.getArgOperand(2), File);
  auto *Line = cast<ConstantInt>(Annotation.getArgOperand(3));
  return {File.str(), static_cast<unsigned>(Line->getZExtValue()),
          Annotation.getFunction()->getName().str()};
}

void MarkerStripper::stripLocalAnnotations() {
  SmallVector<IntrinsicInst *, 8> Annotations;
  for (Function &F : M)
    if (F.getIntrinsicID() == Intrinsic::var_annotation)
      for (User *U : F.users())
        if (auto *Annotation = dyn_cast<IntrinsicInst>(U))
          Annotations.push_back(Annotation);
  for (IntrinsicInst *Annotation : Annotations) {
    StringRef Text;
    if (!getConstantStringInfo(Annotation->getArgOperand(1), Text) ||
        !Text.consume_front(markers::LayoutAnnotation))
      continue;
    if (std::optional<Layout> L = layout(Annotation, Text))
      Facts.LocalLayouts[getUnderlyingObject(Annotation->getArgOperand(0))] = {
          ABI.type(*L), *L, declarationSite(*Annotation)};
    for (unsigned Operand : {1, 2})
      if (auto *G =
              dyn_cast<GlobalVariable>(getUnderlyingObject(Annotation->getArgOperand(Operand))))
        Texts.insert(G);
    Annotation->eraseFromParent();
  }
}

/// Takes what is Acre's out of the list of what the program annotated.
void MarkerStripper::readGlobalAnnotations() {
  GlobalVariable *Annotations = M.getNamedGlobal("llvm.global.annotations");
  auto *List = Annotations && Annotations->hasInitializer()
                   ? dyn_cast<ConstantArray>(Annotations->getInitializer())
                   : nullptr;
  SmallVector<Constant *, 16> Others;
  for (Use &Element : List ? List->operands() : MutableArrayRef<Use>())
    if (!readGlobalAnnotation(cast<Constant>(Element)))
      Others.push_back(cast<Constant>(Element));
  if (!List || Others.size() == List->getNumOperands())
    return;
  if (!Others.empty()) {
    Constant *Init = ConstantArray::get(
        ArrayType::get(List->getType()->getElementType(), Others.size()), Others);
    auto *Rest = new GlobalVariable(M, Init->getType(), false, Annotations->getLinkage(), Init);
    Rest->copyAttributesFrom(Annotations);
    Rest->takeName(Annotations);
  }
  Annotations->eraseFromParent();
}

/// Whether the annotation is a layout, which nobody else wants.
bool MarkerStripper::readGlobalAnnotation(Constant *Annotation) {
  auto *Fields = dyn_cast<ConstantStruct>(Annotation);
  auto *Literal = Fields && Fields->getNumOperands() >= 2
                      ? dyn_cast<GlobalVariable>(Fields->getOperand(1)->stripPointerCasts())
                      : nullptr;
  StringRef Text = Literal ? literalText(*Literal).value_or("") : "";
  Constant *Annotated = Text.empty() ? nullptr : Fields->getOperand(0)->stripPointerCasts();
  if (auto *F = dyn_cast_or_null<Function>(Annotated); F && Text == UninstrumentedAnnotation)
    Facts.Uninstrumented.insert(F);
  auto *G = dyn_cast_or_null<GlobalVariable>(Annotated);
  if (!G || !Text.consume_front(markers::LayoutAnnotation))
    return false;
  if (std::optional<Layout> L = layout(nullptr, Text))
    Facts.GlobalLayouts.insert({G, std::move(*L)});
  Texts.insert(Literal);
  return true;
}

/// Where the block of this acre_scope began: the "file:line" it was entered with.
static Site scopeSite(const Value &Scope, const Function &F) {
  Site Result;
  Result.Function = F.getName();
  for (const User *U : Scope.users()) {
    auto *Call = dyn_cast<CallBase>(U);
    StringRef Text;
    if (!Call || Call->arg_size() < 2 ||
        !getConstantStringInfo(Call->getArgOperand(Call->arg_size() - 1), Text))
      continue;
    auto [File, Line] = Text.rsplit(':');
    if (!Line.getAsInteger(10, Result.Line))
      Result.File = File;
  }
  return Result;
}

/// The end of a block deletes its region or closes its arena: the cleanup of an acre_scope, which
/// no marker names.
void MarkerStripper::findScopeEnds() {
  Function *Leave = M.getFunction(markers::ScopeLeave);
  if (!Leave)
    return;
  for (User *U : Leave->users())
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == Leave)
      Call->addFnAttr(
          Attribute::get(M.getContext(), DeletesAttribute,
                         siteText(scopeSite(*Call->getArgOperand(0), *Call->getFunction()))));
}

/// Clang declares a function only where it is used.
static bool namesRegions(const Module &M) {
  return any_of(M.functions(), [](const Function &F) {
    StringRef Name = F.getName();
    bool IsOfAnyC = Name == markers::SlotUnion || Name == markers::SlotNumbers ||
                    Name == markers::SlotWords || Name == markers::AllocatesNumbers;
    return F.isDeclaration() &&
           (Name.starts_with("acre_") || (Name.starts_with(markers::Prefix) && !IsOfAnyC));
  });
}

MarkerFacts MarkerStripper::run() {
  Facts.NamesRegions = namesRegions(M);
  readGlobalAnnotations();
  findScopeEnds();
  stripLocalAnnotations();
  // In this order: signatures stand around other markers of a callee and are about marked
  // arguments.
  static constexpr struct {
    StringLiteral Name;
    unsigned Fewest, Most; ///< operands
    Handler Handle;
  } Table[] = {
      {markers::SlotSameregion, 1, 2, &MarkerStripper::handleSlot},
      {markers::SlotParentptr, 1, 2, &MarkerStripper::handleSlot},
      {markers::SlotTraditional, 1, 2, &MarkerStripper::handleSlot},
      {markers::HandleSameregion, 1, 2, &MarkerStripper::handleSlot},
      {markers::HandleParentptr, 1, 2, &MarkerStripper::handleSlot},
      {markers::HandleTraditional, 1, 2, &MarkerStripper::handleSlot},
      {markers::SlotUnion, 1, 1, &MarkerStripper::handleUnion},
      {markers::SlotNumbers, 1, 1, &MarkerStripper::handleNumbers},
      {markers::SlotWords, 2, 2, &MarkerStripper::handleWords},
      {markers::SetByDeletes, 1, 1, &MarkerStripper::handleSetByDeletes},
      {markers::SlotRecord, 2, 3, &MarkerStripper::handleRecord},
      {markers::SlotStart, 3, 3, &MarkerStripper::handleRecord},
      {markers::Signature, 4, 4, &MarkerStripper::handleSignature},
      {markers::Argument, 2, 2, &MarkerStripper::handleArgument},
      {markers::KnownRegion, 3, 3, &MarkerStripper::handleKnownRegion},
      {markers::CheckRegion, 4, 4, &MarkerStripper::handleCheckRegion},
      {markers::Deletes, 2, 2, &MarkerStripper::handleDeletes},
      {markers::PoolCall, 3, 3, &MarkerStripper::handlePoolCall},
      {markers::AllocatesNumbers, 1, 1, &MarkerStripper::handleAllocatesNumbers},
      {markers::CheckTraditional, 2, 2, &MarkerStripper::handleCheckTraditional},
      {markers::CheckTraditionalHandle, 2, 2, &MarkerStripper::handleCheckTraditional},
  };
  for (const auto &[Name, Fewest, Most, Handle] : Table)
    stripAll(Name, Fewest, Most, Handle);
  replaceTypeTexts();
  for (GlobalVariable *Text : Texts)
    if (Text->use_empty() && Text->hasLocalLinkage())
      Text->eraseFromParent();
  return std::move(Facts);
}

} // namespace

MarkerFacts stripMarkers(RuntimeABI &ABI) { return MarkerStripper(ABI).run(); }

} // namespace acre
