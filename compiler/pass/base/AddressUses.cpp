// SPDX-License-Identifier: MIT
//===- AddressUses.cpp - What is done with a local by its address ---------===//
#include "pass/base/AddressUses.h"
#include "pass/base/Library.h"
#include "pass/base/Liveness.h"
#include "pass/base/RuntimeABI.h"
#include "versions/LLVM.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace acre {
namespace {

/// What a value may be: the object's address, the address of memory that holds that, or of memory
/// from which it is found in any number of steps.
constexpr unsigned Neither = 0, IsAddress = 1, IsHolder = 2, LeadsToIt = 4,
                   Indirectly = IsHolder | LeadsToIt;

/// What the address of memory is in which a value is stored, and what a value is that is loaded
/// from memory.
unsigned whereStored(unsigned Is) {
  return (Is & IsAddress ? IsHolder : Neither) | (Is & Indirectly ? LeadsToIt : Neither);
}
unsigned whenLoaded(unsigned Is) {
  return (Is & IsHolder ? IsAddress : Neither) | (Is & LeadsToIt ? IsAddress | LeadsToIt : Neither);
}

/// A value that has to do with the object, and, if that is known, how far into the object it
/// points.
struct Trace {
  unsigned Is = Neither;
  std::optional<int64_t> Offset;
};

class Walk {
public:
  Walk(AddressUses &Known, const Function &Fn) : All(Known), DL(Fn.getDataLayout()) {}
  void begin(Value &Root, Trace T) { add(Root, T); }
  void run();

  SmallVector<ObjectUse, 16> Uses;
  ParameterFate Fate;

private:
  void add(Value &V, Trace T);
  void note(ObjectUse::Kind What, const Instruction &At,
            std::optional<std::pair<uint64_t, uint64_t>> Bytes = {});
  void visit(Use &U, Trace T);
  void visitLoad(LoadInst &L, Trace T);
  void visitTransfer(CallBase &Call, unsigned Operand, Trace T, unsigned To, Value *Size);
  void visitCall(CallBase &Call, unsigned Operand, Trace T);
  bool visitIntrinsic(IntrinsicInst &Call, unsigned Operand, Trace T);
  void visitArgument(CallBase &Call, unsigned Operand, Trace T);
  void noteLent(const CallBase &Call, unsigned Operand, Trace T);
  void store(Value &Address, Trace T, const Instruction &At);
  std::optional<std::pair<uint64_t, uint64_t>> bytesAt(Trace T, TypeSize Size) const;

  AddressUses &All;
  const DataLayout &DL;
  DenseMap<Value *, Trace> Traces;
  SmallVector<Value *, 16> Worklist;
  bool IsNoting = false; ///< all traces are known
};

void Walk::add(Value &V, Trace T) {
  auto [Found, IsNew] = Traces.try_emplace(&V, T);
  if (!IsNew) {
    Trace Before = Found->second;
    Found->second.Is |= T.Is;
    if (Before.Offset != T.Offset)
      Found->second.Offset.reset();
    if (Before.Is == Found->second.Is && Before.Offset == Found->second.Offset)
      return;
  }
  Worklist.push_back(&V);
}

void Walk::run() {
  while (!Worklist.empty()) {
    Value *V = Worklist.pop_back_val();
    Trace T = Traces.lookup(V);
    for (Use &U : V->uses())
      visit(U, T);
  }
  IsNoting = true;
  for (auto &[V, T] : Traces)
    for (Use &U : V->uses())
      visit(U, T);
}

void Walk::note(ObjectUse::Kind What, const Instruction &At,
                std::optional<std::pair<uint64_t, uint64_t>> Bytes) {
  if (IsNoting)
    Uses.push_back({What, &At, Bytes});
  Fate.IsKept |= What == ObjectUse::Keep;
}

std::optional<std::pair<uint64_t, uint64_t>> Walk::bytesAt(Trace T, TypeSize Size) const {
  // Bits of a trace that leads elsewhere too: an access need not be one of the object.
  if (!T.Offset || *T.Offset < 0 || Size.isScalable() || T.Is != IsAddress)
    return std::nullopt;
  return std::pair(uint64_t(*T.Offset), uint64_t(*T.Offset) + Size.getFixedValue());
}

/// The only value that is ever stored in a local of which all loads are of all of it, and which
/// nothing else uses: as parameters and variables are without optimisation.  Null if V is no such
/// local.
StoreInst *onlyStoreTo(Value &V) {
  auto *Variable = dyn_cast<AllocaInst>(&V);
  StoreInst *Only = nullptr;
  if (!Variable)
    return nullptr;
  for (User *U : Variable->users()) {
    auto *S = dyn_cast<StoreInst>(U);
    auto *L = dyn_cast<LoadInst>(U);
    if (S && !Only && S->getValueOperand() != Variable &&
        S->getValueOperand()->getType() == Variable->getAllocatedType())
      Only = S;
    else if (!(L && L->getType() == Variable->getAllocatedType()) &&
             !isa<LifetimeIntrinsic, DbgInfoIntrinsic>(U))
      return nullptr;
  }
  return Only;
}

/// The address that V is, as far as it was only put into variables and taken out.
Value *throughVariables(Value *V) {
  for (unsigned Depth = 0; Depth < 8; ++Depth) {
    Value *Object = getUnderlyingObject(V, 0);
    auto *L = dyn_cast<LoadInst>(Object);
    StoreInst *Only = L ? onlyStoreTo(*L->getPointerOperand()) : nullptr;
    if (!Only)
      return Object;
    V = Only->getValueOperand();
  }
  return V;
}

/// What T is of is stored at Address.
void Walk::store(Value &Address, Trace T, const Instruction &At) {
  if (StoreInst *Only = onlyStoreTo(Address); Only && &At == Only) {
    for (User *U : Address.users())
      if (auto *L = dyn_cast<LoadInst>(U))
        add(*L, T);
    return;
  }
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(throughVariables(&Address), Objects);
  for (const Value *Object : Objects) {
    Value *Base = throughVariables(const_cast<Value *>(Object));
    if (isa<AllocaInst>(Base))
      add(*Base, {whereStored(T.Is), std::nullopt});
    else
      note(ObjectUse::Keep, At);
  }
}

void Walk::visitLoad(LoadInst &L, Trace T) {
  if (T.Is & IsAddress)
    note(ObjectUse::Read, L, bytesAt(T, DL.getTypeStoreSize(L.getType())));
  Type *Loaded = L.getType();
  bool IsWide = DL.getTypeStoreSize(Loaded).getKnownMinValue() >= DL.getPointerSize();
  if ((T.Is & Indirectly) && IsWide)
    add(L, {whenLoaded(T.Is), std::nullopt});
}

/// Memory is copied to the argument of number To.
void Walk::visitTransfer(CallBase &Call, unsigned Operand, Trace T, unsigned To, Value *Size) {
  auto *Length = dyn_cast_or_null<ConstantInt>(Size);
  auto Bytes = Length ? bytesAt(T, TypeSize::getFixed(Length->getZExtValue())) : std::nullopt;
  if (T.Is & IsAddress)
    note(Operand == To ? ObjectUse::Write : ObjectUse::Read, Call, Bytes);
  if (Operand != To && (T.Is & Indirectly))
    store(*Call.getArgOperand(To), {whenLoaded(T.Is), std::nullopt}, Call);
}

/// Whether Call is one of those that say something of memory to the optimizer, or to the runtime,
/// and do nothing with it.
bool isRemark(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return false;
  switch (Callee->getIntrinsicID()) {
  case Intrinsic::objectsize:
  case Intrinsic::assume:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::prefetch:
  case Intrinsic::is_constant:
    return true;
  default:
    break;
  }
  return entryNamed(Callee->getName()) || isa<DbgInfoIntrinsic>(Call) || isFakeUse(Call);
}

/// Returns whether Call is one that is known.
bool Walk::visitIntrinsic(IntrinsicInst &Call, unsigned Operand, Trace T) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
    if (T.Is & IsAddress)
      note(Call.getIntrinsicID() == Intrinsic::lifetime_start ? ObjectUse::Begin : ObjectUse::End,
           Call);
    return true;
  case Intrinsic::vastart:
  case Intrinsic::vaend:
  case Intrinsic::vacopy:
    note(ObjectUse::Read, Call);
    return true;
  case Intrinsic::ptrmask:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::expect:
    add(Call, {T.Is, std::nullopt});
    return true;
  default:
    break;
  }
  if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&Call)) {
    visitTransfer(Call, Operand, T, 0, Transfer->getLength());
    return true;
  }
  auto *Fill = dyn_cast<AnyMemSetInst>(&Call);
  if (!Fill || Operand != 0)
    return false;
  auto *Length = dyn_cast<ConstantInt>(Fill->getLength());
  if (T.Is & IsAddress)
    note(ObjectUse::Write, Call,
         Length ? bytesAt(T, TypeSize::getFixed(Length->getZExtValue())) : std::nullopt);
  return true;
}

bool readsNumber(StringRef Name) {
  return StringSwitch<bool>(Name)
#define ACRE_READS_NUMBER(Function) .Case(Function, true)
#include "shared/library.def"
      .Default(false);
}

/// Whether the call certainly writes the pointer that its argument leads to, and does not read it.
bool certainlySets(const CallBase &Call, unsigned Argument) {
  if (Argument != 1 || !readsNumber(libraryName(Call)))
    return false;
  // With a base that is none, nothing is read.
  auto *Base = Call.arg_size() > 2 ? dyn_cast<ConstantInt>(Call.getArgOperand(2)) : nullptr;
  return Call.arg_size() == 2 ||
         (Base && (Base->isZero() || (Base->getZExtValue() >= 2 && Base->getZExtValue() <= 36)));
}

/// What a function of the C library does with an argument; nothing if it is not known.
std::optional<ParameterFate> libraryFate(const CallBase &Call, unsigned Argument,
                                         bool IsOfContents) {
  StringRef Name = libraryName(Call);
  if (Name.empty())
    return std::nullopt;
  if (Name.starts_with("acre_region_") || Name == "free")
    return ParameterFate{};
  constexpr unsigned None = ~0u;
  unsigned Into = StringSwitch<unsigned>(Name)
#define ACRE_INTO(Function, Index) .Case(Function, Index)
#include "shared/library.def"
                      .Default(None);
  bool IsKnown = Into != None || readsNumber(Name) ||
                 StringSwitch<bool>(Name)
#define ACRE_LOOKS(Function) .Case(Function, true)
#include "shared/library.def"
                     .Default(false);
  if (!IsKnown)
    return std::nullopt;
  ParameterFate Fate;
  Fate.IsReturned = IsOfContents || Into == Argument || !filledSlots(Call).empty();
  return Fate;
}

/// Whether a value of type T can hold an address that is meant as one.
bool mayReturnAddress(Type *T) {
  return T->isPointerTy() || T->isAggregateType() || T->isVectorTy() || T->isIntegerTy(128);
}

/// Whether the body of Callee in this module is what a call of it runs.
bool hasItsBody(const Function &Callee) {
  return !Callee.isDeclaration() && !Callee.isInterposable() &&
         !Callee.hasFnAttribute(Attribute::Naked);
}

/// The newest use is a read by a call.  Which parameter it is of, if the callee is in view and gets
/// just this address.
void Walk::noteLent(const CallBase &Call, unsigned Operand, Trace T) {
  const Function *Callee = Call.getCalledFunction();
  if (T.Is != IsAddress || !T.Offset || *T.Offset < 0 || !Callee || !hasItsBody(*Callee) ||
      Operand >= Callee->arg_size())
    return;
  Uses.back().Lent = Callee->getArg(Operand);
  Uses.back().LentFrom = *T.Offset;
}

void Walk::visitArgument(CallBase &Call, unsigned Operand, Trace T) {
  bool IsByVal = Call.isByValArgument(Operand);
  auto Length = DL.getTypeStoreSize(PointerType::getUnqual(Call.getContext()));
  if ((T.Is & IsAddress) && Call.paramHasAttr(Operand, Attribute::StructRet)) {
    note(ObjectUse::Write, Call);
    if (IsNoting && T.Offset && *T.Offset >= 0) {
      Uses.back().IsResult = true;
      Uses.back().LentFrom = *T.Offset;
    }
  } else if ((T.Is & IsAddress) && certainlySets(Call, Operand)) {
    note(ObjectUse::Write, Call, bytesAt(T, Length));
  } else {
    note(ObjectUse::Read, Call);
    if (IsNoting && IsByVal)
      Uses.back().IsCopy = !(T.Is & Indirectly);
    else if (IsNoting)
      noteLent(Call, Operand, T);
  }
  unsigned Returned = Neither;
  bool IsKept = false;
  if ((T.Is & IsAddress) && !IsByVal) {
    ParameterFate Found = All.fateAt(Call, Operand, AddressUses::Subject::Address);
    IsKept |= Found.IsKept;
    Returned |= Found.IsReturned ? IsAddress : Neither;
  }
  if (T.Is & Indirectly) {
    ParameterFate Found = All.fateAt(Call, Operand, AddressUses::Subject::Contents);
    IsKept |= Found.IsKept;
    Returned |= Found.IsReturned ? IsAddress | LeadsToIt : Neither;
  }
  if (IsKept)
    note(ObjectUse::Keep, Call);
  if (Returned && mayReturnAddress(Call.getType()))
    add(Call, {Returned, std::nullopt});
  for (const FilledSlots &Filled : filledSlots(Call))
    if (unsigned Is = Filled.Argument != Operand ? T.Is | whenLoaded(T.Is) : whenLoaded(T.Is))
      store(*Call.getArgOperand(Filled.Argument), {Is, std::nullopt}, Call);
}

void Walk::visitCall(CallBase &Call, unsigned Operand, Trace T) {
  if (isRemark(Call))
    return;
  if (auto *Known = dyn_cast<IntrinsicInst>(&Call); Known && visitIntrinsic(*Known, Operand, T))
    return;
  if (Operand >= Call.arg_size()) {
    note(ObjectUse::Keep, Call);
    return;
  }
  const Function *Callee = Call.getCalledFunction();
  // A scope: what the runtime keeps there is its own.
  if (Operand == 0 && Callee && Callee->getName().starts_with("acre_scope_"))
    return;
  if (Call.isInlineAsm() && Call.getParamElementType(Operand)) {
    note(ObjectUse::Read, Call);
    return;
  }
  if (std::optional<Copier> Known = copierOf(Call); Known && Known->Kind != CopierKind::Fill) {
    visitTransfer(Call, Operand, T, Known->Destination, nullptr);
    if (Call.getType()->isPointerTy() && Operand == Known->Destination)
      add(Call, {T.Is, std::nullopt});
    return;
  }
  visitArgument(Call, Operand, T);
}

/// Whether what is computed by I from an address is no address: how far one is from another, or a
/// part of it.
bool isNoAddress(const Instruction &I, const DataLayout &DL) {
  if (!I.getType()->isPointerTy() && I.getType()->isIntegerTy() &&
      I.getType()->getIntegerBitWidth() < DL.getPointerSizeInBits())
    return true;
  switch (I.getOpcode()) {
  case Instruction::ICmp:
  case Instruction::FCmp:
  case Instruction::Mul:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return true;
  case Instruction::Sub:
    return isa<PtrToIntInst>(I.getOperand(0)) && isa<PtrToIntInst>(I.getOperand(1));
  case Instruction::PtrToInt:
    // What a sanitizer added looks at the address, at most to print it.
    return I.hasMetadata(LLVMContext::MD_nosanitize);
  default:
    return false;
  }
}

void Walk::visit(Use &U, Trace T) {
  auto &I = *cast<Instruction>(U.getUser());
  unsigned Operand = U.getOperandNo();
  if (auto *Call = dyn_cast<CallBase>(&I))
    return visitCall(*Call, Operand, T);
  if (isNoAddress(I, DL))
    return;
  if (auto *L = dyn_cast<LoadInst>(&I))
    return visitLoad(*L, T);
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    if (Operand == StoreInst::getPointerOperandIndex() && (T.Is & IsAddress))
      note(ObjectUse::Write, I, bytesAt(T, DL.getTypeStoreSize(S->getValueOperand()->getType())));
    if (Operand != StoreInst::getPointerOperandIndex())
      store(*S->getPointerOperand(), T, I);
    return;
  }
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
    if (Operand != 0)
      return note(ObjectUse::Keep, I);
    if (T.Is & IsAddress)
      note(ObjectUse::Read, I);
    if (T.Is & Indirectly)
      add(I, {whenLoaded(T.Is), std::nullopt});
    return;
  }
  if (isa<ReturnInst>(I)) {
    Fate.IsReturned = true;
    return;
  }
  if (auto *GEP = dyn_cast<GetElementPtrInst>(&I)) {
    APInt Step(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
    bool IsExact = Operand == 0 && T.Offset && GEP->accumulateConstantOffset(DL, Step);
    return add(I, {T.Is, IsExact ? std::optional(*T.Offset + Step.getSExtValue()) : std::nullopt});
  }
  bool IsSame = isa<BitCastInst, FreezeInst>(I);
  bool IsFollowed =
      IsSame || isa<CastInst, BinaryOperator, PHINode, SelectInst, ExtractValueInst,
                    InsertValueInst, ExtractElementInst, InsertElementInst, ShuffleVectorInst>(I);
  if (!IsFollowed)
    return note(ObjectUse::Keep, I);
  add(I, {T.Is, IsSame ? T.Offset : std::nullopt});
}

} // namespace

ParameterFate AddressUses::fateAt(const CallBase &Call, unsigned Argument, Subject About) {
  const ParameterFate Worst{true, true};
  auto *Callee = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (Call.isInlineAsm())
    return Worst;
  bool IsAbout = About == Subject::Contents;
  ParameterFate Promised = Worst;
  // This holds for functions in view too: their declarations may say that a parameter does not
  // escape.
  if (!IsAbout && Call.getArgOperand(Argument)->getType()->isPointerTy()) {
    const Captures Told = capturesOf(Call, Argument);
    Promised = {Told.IsKept, Told.IsReturned};
  }
  if (Call.onlyReadsMemory())
    Promised.IsKept = false;
  if (!Promised.IsKept && !Promised.IsReturned)
    return Promised;
  if (Callee && hasItsBody(*Callee)) {
    // Called as something else than it is, it may get its arguments in another order.
    if (Argument >= Callee->arg_size() || Callee->getFunctionType() != Call.getFunctionType())
      return Worst;
    Question Asking{Callee->getArg(Argument), IsAbout};
    auto [Found, IsNew] = Known.try_emplace(Asking);
    if (IsNew)
      Asked.push_back(Asking);
    return {Promised.IsKept && Found->second.IsKept,
            Promised.IsReturned && Found->second.IsReturned};
  }
  if (std::optional<ParameterFate> OfLibrary = libraryFate(Call, Argument, IsAbout))
    return *OfLibrary;
  return Promised;
}

/// Answers all questions that were asked: at first as if nothing happened, until all answers agree
/// with each other.
void AddressUses::settle() {
  for (bool IsChanged = true; IsChanged;) {
    IsChanged = false;
    for (size_t I = FinalCount; I < Asked.size(); ++I) {
      auto [Parameter, IsAbout] = Asked[I];
      Walk Body(*this, *Parameter->getParent());
      Body.begin(
          const_cast<Argument &>(*Parameter),
          {IsAbout ? LeadsToIt : IsAddress, IsAbout ? std::nullopt : std::optional<int64_t>(0)});
      Body.run();
      ParameterFate &Answer = Known[Asked[I]];
      IsChanged |= Answer != Body.Fate;
      Answer = Body.Fate;
    }
  }
  FinalCount = Asked.size();
}

SmallVector<ObjectUse, 16> AddressUses::of(Value &Object) {
  auto &Fn = isa<Argument>(Object) ? *cast<Argument>(Object).getParent()
                                   : *cast<Instruction>(Object).getFunction();
  for (;;) {
    Walk Body(*this, Fn);
    Body.begin(Object, {IsAddress, 0});
    Body.run();
    if (FinalCount != Asked.size()) {
      settle();
      continue;
    }
    refine(Body.Uses);
    return std::move(Body.Uses);
  }
}

/// Nothing is known of a function that is being looked at, because it calls itself.
const ParameterAccess &AddressUses::accessThrough(const Argument &Parameter) {
  auto [Found, IsNew] = Accesses.try_emplace(&Parameter);
  if (!IsNew)
    return Found->second;
  SmallVector<ObjectUse, 16> Uses = of(const_cast<Argument &>(Parameter));
  ParameterAccess Access;
  Access.IsKnown = none_of(Uses, [](const ObjectUse &U) {
    return U.What == ObjectUse::Keep ||
           (U.What == ObjectUse::Read && (!U.Bytes || U.Bytes->second > ParameterAccess::Bytes));
  });
  if (Access.IsKnown) {
    const Function &F = *Parameter.getParent();
    Access.Read = ObjectLiveness(Uses, ParameterAccess::Bytes, {}).liveAtEntry(F);
    Access.Set = ~ObjectLiveness(Uses, ParameterAccess::Bytes, {}, &F).liveAtEntry(F);
  }
  return Accesses[&Parameter] = Access;
}

/// Says of each call that reads what it reads and writes.
void AddressUses::refine(SmallVectorImpl<ObjectUse> &Uses) {
  constexpr uint64_t Word = ParameterAccess::Bytes / 64;
  SmallVector<ObjectUse, 16> Refined;
  for (const ObjectUse &U : Uses) {
    const ParameterAccess Access = U.Lent ? accessThrough(*U.Lent) : ParameterAccess();
    if (!Access.IsKnown) {
      Refined.push_back(U);
      continue;
    }
    for (auto [What, Words] :
         {std::pair(ObjectUse::Read, Access.Read), std::pair(ObjectUse::Write, Access.Set)})
      for (unsigned I = 0; I < 64; ++I) {
        unsigned First = I;
        while (I < 64 && (Words >> I & 1))
          ++I;
        if (I > First)
          Refined.push_back(
              {What, U.At, std::pair(U.LentFrom + First * Word, U.LentFrom + I * Word)});
      }
  }
  Uses.assign(Refined.begin(), Refined.end());
}

} // namespace acre
