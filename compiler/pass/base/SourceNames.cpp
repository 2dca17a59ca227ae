// SPDX-License-Identifier: MIT
//===- SourceNames.cpp - What the source calls a value --------------------===//
#include "pass/base/SourceNames.h"
#include "versions/LLVM.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;

namespace acre {
namespace {

/// Members of members, and reads of what was read.
constexpr unsigned MostSteps = 6;

/// A place in memory, from the begin of what it is found through: Offset bits, and any multiple of
/// Stride more.
struct Distance {
  uint64_t Offset = 0, Stride = 0;

  /// Takes whole elements of Size bits out of it.  Whether that leaves nothing open.
  bool takeElements(uint64_t Size) {
    if (!Size)
      return Stride == 0;
    Offset %= Size;
    if (Stride % Size == 0)
      Stride = 0;
    return true;
  }
};

class Namer {
public:
  explicit Namer(const DataLayout &Layout, bool NamesSlot = false)
      : DL(Layout), IsForSlot(NamesSlot) {}
  std::optional<SourceName> value(const Value &V, unsigned Depth);
  std::optional<SourceName> memory(const Value &Address, unsigned Depth);
  std::optional<SourceName> member(const Value &Address, SourceName Start);
  std::optional<SourceName> object(const Value &Base, bool &IsPointer, unsigned Depth);

private:
  std::optional<Distance> distance(const Value &Address, const Value *&Base);
  std::optional<SourceName> variable(const Value &V);
  std::optional<SourceName> choice(const PHINode &V, unsigned Depth);

  std::optional<SourceName> descend(SourceName Name, Distance At, bool IsPointer);

  const DataLayout &DL;
  bool IsForSlot; ///< sourceNameOfSlot
};

/// T without names and qualifiers.
const DIType *plain(const DIType *T) {
  while (auto *Derived = dyn_cast_or_null<DIDerivedType>(T)) {
    unsigned Tag = Derived->getTag();
    if (Tag != dwarf::DW_TAG_typedef && Tag != dwarf::DW_TAG_const_type &&
        Tag != dwarf::DW_TAG_volatile_type && Tag != dwarf::DW_TAG_restrict_type &&
        Tag != dwarf::DW_TAG_atomic_type && Tag != dwarf::DW_TAG_member)
      break;
    T = Derived->getBaseType();
  }
  return T;
}

const DIType *pointee(const DIType *T) {
  auto *Pointer = dyn_cast_or_null<DIDerivedType>(plain(T));
  return Pointer && Pointer->getTag() == dwarf::DW_TAG_pointer_type ? Pointer->getBaseType()
                                                                    : nullptr;
}

/// The member of Record with the bit at Offset.
const DIDerivedType *memberAt(const DICompositeType &Record, uint64_t Offset) {
  for (const DINode *Element : Record.getElements()) {
    auto *Member = dyn_cast<DIDerivedType>(Element);
    if (!Member || Member->getTag() != dwarf::DW_TAG_member)
      continue;
    uint64_t Begin = Member->getOffsetInBits(), Size = Member->getSizeInBits();
    // A flexible array member has no size.
    if (Offset >= Begin && (Offset < Begin + Size || Size == 0))
      return Member;
  }
  return nullptr;
}

/// Steps from Name, an object, or with IsPointer a pointer to one, to what is At it.
std::optional<SourceName> Namer::descend(SourceName Name, Distance At, bool IsPointer) {
  const char *Selector = IsPointer ? "->" : ".";
  bool IsUnion = false;
  for (unsigned Step = 0; Step < MostSteps; ++Step) {
    auto *Composite = dyn_cast_or_null<DICompositeType>(plain(Name.Type));
    if (!Composite)
      break;
    uint64_t Size = Composite->getSizeInBits();
    if (Composite->getTag() == dwarf::DW_TAG_array_type) {
      const DIType *Element = Composite->getBaseType();
      if (!Element || !At.takeElements(Element->getSizeInBits()))
        return std::nullopt;
      Name = {Name.Text + "[]", Element, Name.Member};
      Selector = ".";
      continue;
    }
    // Elements of an array that is known by its address only.
    if (Size && (At.Offset >= Size || (At.Stride && At.Stride % Size == 0))) {
      At.takeElements(Size);
      Name.Text += "[]";
      Selector = ".";
    }
    IsUnion = IsForSlot && Composite->getTag() == dwarf::DW_TAG_union_type;
    if (IsUnion)
      break;
    const DIDerivedType *Member = memberAt(*Composite, At.Offset);
    if (!Member)
      return std::nullopt;
    if (!Member->getName().empty())
      Name.Text += Selector + Member->getName().str();
    At.Offset -= Member->getOffsetInBits();
    Name = {Name.Text, Member->getBaseType(), Member};
    Selector = ".";
  }
  bool IsAtPointer = IsPointer && (IsForSlot || !Name.Member) && Selector[0] == '-';
  if (IsAtPointer)
    Name.Text = !Name.Type || IsUnion    ? Name.Text + "->..."
                : At.Stride || At.Offset ? Name.Text + "[]"
                                         : "*" + Name.Text;
  else if (At.Stride && !IsUnion)
    return std::nullopt;
  return Name;
}

/// How well a record that says that V has the value of a variable fits: the scope where V is
/// computed, then the function that V is in, then any.
unsigned fitness(const DbgVariableRecord &Record, const Value &V) {
  const DILocation *At = Record.getDebugLoc().get(), *Computed = nullptr;
  if (auto *I = dyn_cast<Instruction>(&V))
    Computed = I->getDebugLoc().get();
  if (!At)
    return 0;
  if (Computed && At->getInlinedAt() == Computed->getInlinedAt() &&
      At->getScope()->getSubprogram() == Computed->getScope()->getSubprogram())
    return 3;
  return !At->getInlinedAt() ? 2 : 1;
}

/// Whether Record says that a variable, or a member of it that travels in a register, has just this
/// value.
bool isValue(const DbgVariableRecord &Record) {
  const DIExpression &How = *Record.getExpression();
  constexpr unsigned ElementsOfFragment = 3;
  return !Record.hasArgList() && (How.getNumElements() == 0 ||
                                  (How.getNumElements() == ElementsOfFragment && How.isFragment()));
}

std::optional<SourceName> Namer::variable(const Value &V) {
  SmallVector<DbgVariableRecord *, 4> Records;
  if (!isa<Constant>(V))
    Records = findValueRecords(const_cast<Value &>(V));
  const DbgVariableRecord *Best = nullptr;
  for (const DbgVariableRecord *Record : Records)
    if (isValue(*Record) && !Record->getVariable()->getName().empty() &&
        (!Best || fitness(*Record, V) > fitness(*Best, V)))
      Best = Record;
  if (Best && (!isa<Argument>(V) || fitness(*Best, V) > 1)) {
    SourceName Name{Best->getVariable()->getName().str(), Best->getVariable()->getType(), nullptr};
    auto Part = Best->getExpression()->getFragmentInfo();
    return Part ? descend(std::move(Name), {Part->OffsetInBits, 0}, false) : Name;
  }
  if (isa<Argument>(V) && V.hasName())
    return SourceName{V.getName().str(), nullptr, nullptr};
  return std::nullopt;
}

/// The name that all values which V may have agree in.  One without a name has that of the memory
/// it is stored in, as the result of v->list = realloc(v->list, n).
std::optional<SourceName> Namer::choice(const PHINode &V, unsigned Depth) {
  std::optional<SourceName> Agreed;
  for (const Value *Incoming : V.incoming_values()) {
    if (Incoming == &V)
      continue;
    if (isa<Constant>(Incoming))
      return std::nullopt;
    std::optional<SourceName> Name = value(*Incoming, Depth + 1);
    for (auto User = Incoming->user_begin(); !Name && User != Incoming->user_end(); ++User)
      if (auto *Store = dyn_cast<StoreInst>(*User); Store && Store->getValueOperand() == Incoming)
        Name = memory(*Store->getPointerOperand(), Depth + 1);
    if (!Name || (Agreed && Agreed->Text != Name->Text))
      return std::nullopt;
    Agreed = std::move(Name);
  }
  return Agreed;
}

std::optional<SourceName> Namer::value(const Value &V, unsigned Depth) {
  if (Depth > MostSteps)
    return std::nullopt;
  if (auto *Load = dyn_cast<LoadInst>(&V)) {
    if (std::optional<SourceName> Read = memory(*Load->getPointerOperand(), Depth + 1))
      return Read;
    return variable(V);
  }
  if (std::optional<SourceName> Named = variable(V))
    return Named;
  if (auto *Choice = dyn_cast<PHINode>(&V); Choice && IsForSlot)
    return choice(*Choice, Depth);
  if (isa<GEPOperator>(V))
    if (std::optional<SourceName> Of = memory(V, Depth + 1))
      return SourceName{"&" + Of->Text, nullptr, Of->Member};
  return std::nullopt;
}

/// What is at Base: the variable if its address is known, else what a pointer points to.
std::optional<SourceName> Namer::object(const Value &Base, bool &IsPointer, unsigned Depth) {
  IsPointer = false;
  if (auto *Global = dyn_cast<GlobalVariable>(&Base)) {
    SmallVector<DIGlobalVariableExpression *, 1> Expressions;
    Global->getDebugInfo(Expressions);
    if (Expressions.empty())
      return SourceName{Global->getName().str(), nullptr, nullptr};
    const DIGlobalVariable *Variable = Expressions.front()->getVariable();
    return SourceName{Variable->getName().str(), Variable->getType(), nullptr};
  }
  if (isa<AllocaInst>(Base)) {
    SmallVector<DbgVariableRecord *, 4> Records;
    append_range(Records, findDVRDeclares(const_cast<Value *>(&Base)));
    if (Records.empty())
      Records = findValueRecords(const_cast<Value &>(Base));
    for (DbgVariableRecord *Record : Records)
      if (Record->isDbgDeclare() || (Record->isDbgAssign() && Record->getAddress() == &Base) ||
          (!Record->hasArgList() && Record->getExpression()->startsWithDeref()))
        return SourceName{Record->getVariable()->getName().str(), Record->getVariable()->getType(),
                          nullptr};
    return std::nullopt;
  }
  IsPointer = true;
  std::optional<SourceName> Pointer = value(Base, Depth + 1);
  if (Pointer)
    Pointer->Type = pointee(Pointer->Type);
  return Pointer;
}

/// The way from Base, which is set, to Address.  None if it is not understood.
std::optional<Distance> Namer::distance(const Value &Address, const Value *&Base) {
  Base = &Address;
  APInt Offset(DL.getIndexTypeSizeInBits(Address.getType()), 0);
  Distance At;
  while (auto *Step = dyn_cast<GEPOperator>(Base)) {
    VariableOffsets Indices;
    APInt Constant(Offset.getBitWidth(), 0);
    if (!Step->collectOffset(DL, Offset.getBitWidth(), Indices, Constant))
      return std::nullopt;
    Offset += Constant;
    for (const auto &[Ignored, Scale] : Indices)
      At.Stride = std::gcd(At.Stride, Scale.abs().getZExtValue() * 8);
    Base = Step->getPointerOperand();
  }
  if (Offset.isNegative())
    return std::nullopt;
  At.Offset = Offset.getZExtValue() * 8;
  return At;
}

std::optional<SourceName> Namer::memory(const Value &Address, unsigned Depth) {
  const Value *Base;
  bool IsPointer;
  std::optional<Distance> At = distance(Address, Base);
  std::optional<SourceName> Name = At ? object(*Base, IsPointer, Depth) : std::nullopt;
  return Name ? descend(std::move(*Name), *At, IsPointer) : std::nullopt;
}

std::optional<SourceName> Namer::member(const Value &Address, SourceName Start) {
  const Value *Base;
  std::optional<Distance> At = distance(Address, Base);
  Start.Type = pointee(Start.Type);
  return At ? descend(std::move(Start), *At, true) : std::nullopt;
}

const DataLayout *layoutOf(const Value &V) {
  if (auto *I = dyn_cast<Instruction>(&V))
    return &I->getModule()->getDataLayout();
  if (auto *A = dyn_cast<Argument>(&V))
    return &A->getParent()->getDataLayout();
  auto *G = dyn_cast<GlobalValue>(&V);
  return G && G->getParent() ? &G->getParent()->getDataLayout() : nullptr;
}

} // namespace

std::optional<SourceName> sourceName(const Value &V) {
  const DataLayout *DL = layoutOf(V);
  return DL ? Namer(*DL).value(V, 0) : std::nullopt;
}

std::optional<SourceName> sourceNameOfMemory(const Value &Address) {
  const DataLayout *DL = layoutOf(Address);
  return DL ? Namer(*DL).memory(Address, 0) : std::nullopt;
}

std::optional<SourceName> sourceNameOfSlot(const Value &Address) {
  const DataLayout *DL = layoutOf(Address);
  return DL ? Namer(*DL, true).memory(Address, 0) : std::nullopt;
}

std::optional<SourceName> sourceNameOfMember(const Value &Address, SourceName Start) {
  const DataLayout *DL = layoutOf(Address);
  return DL ? Namer(*DL).member(Address, std::move(Start)) : std::nullopt;
}

std::optional<SourceName> sourceNameOfVariable(const Value &Object) {
  bool IsPointer;
  const DataLayout *DL = isa<AllocaInst, GlobalVariable>(Object) ? layoutOf(Object) : nullptr;
  return DL ? Namer(*DL).object(Object, IsPointer, 0) : std::nullopt;
}

} // namespace acre
