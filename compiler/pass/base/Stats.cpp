// SPDX-License-Identifier: MIT
//===- Stats.cpp - What becomes of each store, counted --------------------===//
#include "pass/base/Stats.h"
#include "pass/base/BarrierEffects.h"
#include "pass/base/RegionTerm.h"
#include "pass/base/RegisteredTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

static cl::opt<bool> IsCounting("acre-stats",
                                cl::desc("Count the pointer stores that a program executes"));
static cl::opt<std::string>
    StatsFile("acre-stats-file", cl::desc("Append what was decided of each store to this file"));

namespace acre {
namespace {

/// On a barrier: what of the source it belongs to, an MDNode with the fields of StoreName.
constexpr StringLiteral StoreMetadata = "acre.store";
/// On a barrier once there is a table: the number of its store there, and how its change of a count
/// is seen: an Entry, or NoEntry.  What lowering calls instead of the barrier keeps it.
constexpr StringLiteral NumberMetadata = "acre.store.number";
/// Stores with a barrier that was removed, and the file of -facre-stats=: for the link.
constexpr StringLiteral ProvedStores = "acre.stats.proved", FileOfStats = "acre.stats.file";
constexpr StringLiteral CountsName = "acre.stats.counts";

constexpr unsigned NoEntry = ~0u;

/// The counters of acre_rt_store_counts.
enum Counter : unsigned {
  Safe = offsetof(acre_rt_store_counts, safe) / sizeof(uint64_t),
  Executed = offsetof(acre_rt_store_counts, executed) / sizeof(uint64_t),
  Called = offsetof(acre_rt_store_counts, called) / sizeof(uint64_t),
  Changed = offsetof(acre_rt_store_counts, changed) / sizeof(uint64_t),
  CounterCount = sizeof(acre_rt_store_counts) / sizeof(uint64_t)
};

struct StoreName {
  std::string File, Function, Slot, Type;
  unsigned Line = 0, Column = 0;

  /// Ordinal keeps stores apart whose place is not known.
  MDNode *encode(LLVMContext &C, unsigned Ordinal) const;
  static StoreName decode(const MDNode &Node);
};

/// Copies of one store by what is left of their barriers.
struct Copies {
  unsigned Removed = 0, Cleared = 0, Kept = 0;
};

using Stores = MapVector<const MDNode *, Copies>;

MDNode *StoreName::encode(LLVMContext &C, unsigned Ordinal) const {
  auto Text = [&](StringRef S) -> Metadata * { return MDString::get(C, S); };
  auto Number = [&](unsigned N) -> Metadata * {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), N));
  };
  SmallVector<Metadata *, 7> Fields = {Text(File), Text(Function), Text(Slot),
                                       Text(Type), Number(Line),   Number(Column)};
  if (!Column)
    Fields.push_back(Number(Ordinal));
  return MDNode::get(C, Fields);
}

StoreName StoreName::decode(const MDNode &Node) {
  auto Text = [&](unsigned I) { return cast<MDString>(Node.getOperand(I))->getString().str(); };
  auto Number = [&](unsigned I) {
    return static_cast<unsigned>(mdconst::extract<ConstantInt>(Node.getOperand(I))->getZExtValue());
  };
  return {Text(0), Text(1), Text(2), Text(3), Number(4), Number(5)};
}

/// How the table calls the slots of a barrier's store.
std::optional<StringRef> slotOf(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  if (std::optional<RuleCheck> Check = ruleCheck(Call)) {
    // What signatures ask for is no store.
    bool IsStore = Check->From == RuleCheck::Store || Check->From == RuleCheck::Outside;
    return IsStore ? std::optional(Check->word()) : std::nullopt;
  }
  if (Name == entryName(Entry::Store))
    return isa<ConstantPointerNull>(Call.getArgOperand(1)) ? StringRef("cleared")
                                                           : StringRef("counted");
  if (Name == entryName(Entry::Reread))
    return StringRef("counted");
  if (isRangeBarrier(Call) && Name.starts_with(entryName(Entry::Rescan)))
    return StringRef("copy");
  return std::nullopt;
}

/// The tag of a structure: of its LLVM type's name "struct.tag.1", or of a descriptor's, "struct
/// tag".
std::string nameOfType(StringRef Name) {
  for (StringRef Keyword : {"struct.", "union.", "struct ", "union "})
    if (Name.consume_front(Keyword))
      break;
  auto [Stem, Number] = Name.rsplit('.');
  unsigned Ignored;
  return (!Number.empty() && !Number.getAsInteger(10, Ignored) ? Stem : Name).str();
}

/// The type of what holds the slot that Barrier is about; empty if it is no member of a structure.
std::string holderType(const CallInst &Barrier) {
  const Value *Slot = Barrier.getArgOperand(0);
  if (isTypedRescan(Barrier)) {
    auto *Descriptor = dyn_cast<GlobalVariable>(Barrier.getArgOperand(Barrier.arg_size() - 2));
    StringRef Name;
    if (Descriptor && Descriptor->hasInitializer() &&
        getConstantStringInfo(Descriptor->getInitializer()->getAggregateElement(0u), Name))
      return nameOfType(Name);
    return "";
  }
  if (auto *Next = dyn_cast_or_null<StoreInst>(Barrier.getNextNode()); Next && ruleCheck(Barrier))
    Slot = Next->getPointerOperand();
  for (auto *Step = dyn_cast<GEPOperator>(Slot); Step;
       Step = dyn_cast<GEPOperator>(Step->getPointerOperand()))
    if (auto *Record = dyn_cast<StructType>(Step->getSourceElementType());
        Record && Record->hasName())
      return nameOfType(Record->getName());
  return "";
}

StoreName nameOf(const CallInst &Barrier, StringRef Slot, RuntimeABI &ABI) {
  Site At = ABI.siteOf(Barrier);
  StoreName Result{At.File, At.Function, Slot.str(), holderType(Barrier), At.Line, 0};
  const DILocation *Location = Barrier.getDebugLoc().get();
  if (!Location)
    return Result;
  Result.Column = Location->getColumn();
  // Units of several directories may name their files alike.
  if (!sys::path::is_absolute(At.File) && !Location->getDirectory().empty()) {
    SmallString<128> Whole = Location->getDirectory();
    sys::path::append(Whole, At.File);
    Result.File = Whole.str().str();
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

class Table {
public:
  explicit Table(Module &Unit) : M(Unit), ABI(Unit) {}
  bool run();

private:
  void collect();
  void emit();
  void count();
  Error write() const;
  Constant *sites();
  std::vector<std::string> units() const;

  Module &M;
  RuntimeABI ABI;
  Stores All;
  SmallVector<CallInst *, 64> Calls;
};

bool isCallOf(const CallInst &Call, Entry E) {
  return Call.getCalledFunction() && Call.getCalledFunction()->getName() == entryName(E);
}

void Table::collect() {
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallInst>(&I);
      const MDNode *Name = Call ? Call->getMetadata(StoreMetadata) : nullptr;
      if (!Name)
        continue;
      Calls.push_back(Call);
      Copies &Of = All[Name];
      if (isCallOf(*Call, Entry::StatsSafe))
        ++Of.Removed;
      else if (isCallOf(*Call, Entry::Store) && isa<ConstantPointerNull>(Call->getArgOperand(1)))
        ++Of.Cleared;
      else
        ++Of.Kept;
    }
  // What was proved and then was in code that is gone.
  if (NamedMDNode *Proved = M.getNamedMetadata(ProvedStores)) {
    for (const MDNode *Name : Proved->operands())
      if (Copies &Of = All[Name]; Of.Removed + Of.Cleared + Of.Kept == 0)
        Of.Removed = 1;
    Proved->eraseFromParent();
  }
}

Constant *Table::sites() {
  SmallVector<Constant *, 64> Sites;
  for (auto &[Name, Of] : All) {
    StoreName At = StoreName::decode(*Name);
    Sites.push_back(ABI.make<acre_rt_store_site>({ABI.whereFields({At.File, At.Line, At.Function}),
                                                  ABI.string(At.Slot), ABI.string(At.Type),
                                                  ABI.number(At.Column), ABI.number(Of.Removed),
                                                  ABI.number(Of.Cleared), ABI.number(Of.Kept)}));
  }
  return ABI.makeArray<acre_rt_store_site>(Sites, "acre.stats.sites");
}

void Table::emit() {
  Type *CountsType = ArrayType::get(ArrayType::get(ABI.sizeType(), CounterCount), All.size());
  auto *Counts = new GlobalVariable(M, CountsType, false, GlobalValue::InternalLinkage,
                                    Constant::getNullValue(CountsType), CountsName);
  Counts->setSection("acre_stats");
  Constant *Init = ABI.make<acre_rt_stats>({ABI.null(), ABI.size(All.size()), sites(), Counts});
  auto *Head = new GlobalVariable(M, Init->getType(), false, GlobalValue::InternalLinkage, Init,
                                  "acre.stats");
  registerTable(ABI, Head, Entry::StatsRegister, Entry::StatsUnregister);
}

Value *counter(IRBuilder<> &B, GlobalVariable &Counts, unsigned Store, Counter Which) {
  Type *Row = cast<ArrayType>(Counts.getValueType())->getElementType();
  return B.CreateConstInBoundsGEP2_64(Row, &Counts, Store, Which);
}

void increment(IRBuilder<> &B, GlobalVariable &Counts, unsigned Store, Counter Which) {
  Value *At = counter(B, Counts, Store, Which);
  AtomicRMWInst *Add =
      B.CreateAtomicRMW(AtomicRMWInst::Add, At, B.getInt64(1), Align(8), AtomicOrdering::Monotonic);
  Add->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(B.getContext(), {}));
}

/// The entry point that does what Barrier does and sees whether a count changes.
unsigned watching(const CallInst &Barrier) {
  if (isCallOf(Barrier, Entry::Store))
    return static_cast<unsigned>(Entry::StatsStore);
  return isCallOf(Barrier, Entry::Reread) ? static_cast<unsigned>(Entry::StatsReread) : NoEntry;
}

void Table::count() {
  auto Number = [](IRBuilder<> &B, unsigned N) -> Metadata * {
    return ConstantAsMetadata::get(B.getInt32(N));
  };
  GlobalVariable &Counts = *M.getNamedGlobal(CountsName);
  LLVMContext &C = M.getContext();
  for (CallInst *Call : Calls) {
    auto Store = static_cast<unsigned>(All.find(Call->getMetadata(StoreMetadata)) - All.begin());
    bool IsSafe = isCallOf(*Call, Entry::StatsSafe);
    IRBuilder<> B(Call);
    increment(B, Counts, Store, IsSafe ? Safe : Executed);
    Call->setMetadata(StoreMetadata, nullptr);
    if (IsSafe)
      Call->eraseFromParent();
    else
      Call->setMetadata(NumberMetadata,
                        MDNode::get(C, {Number(B, Store), Number(B, watching(*Call))}));
  }
}

/// The sources of this module: several after link-time optimization.
std::vector<std::string> Table::units() const {
  std::vector<std::string> Names;
  for (const DICompileUnit *Unit : M.debug_compile_units())
    Names.push_back(Unit->getFilename().str());
  if (Names.empty())
    Names.push_back(M.getSourceFileName());
  return Names;
}

/// One line of JSON, in one write, so that a build of many jobs can name one file.
Error Table::write() const {
  const NamedMDNode *Named = M.getNamedMetadata(FileOfStats);
  if (!Named || Named->getNumOperands() == 0)
    return Error::success();
  StringRef Path = cast<MDString>(Named->getOperand(0)->getOperand(0))->getString();
  json::Array List;
  for (auto &[Name, Of] : All) {
    StoreName At = StoreName::decode(*Name);
    List.push_back(json::Object{{"file", json::fixUTF8(At.File)},
                                {"line", At.Line},
                                {"column", At.Column},
                                {"function", json::fixUTF8(At.Function)},
                                {"type", json::fixUTF8(At.Type)},
                                {"slot", At.Slot},
                                {"removed", Of.Removed},
                                {"cleared", Of.Cleared},
                                {"kept", Of.Kept}});
  }
  json::Array Units;
  for (const std::string &Unit : units())
    Units.push_back(json::fixUTF8(Unit));
  std::string Line;
  raw_string_ostream(Line) << json::Value(json::Object{{"acre_stats", 1},
                                                       {"units", std::move(Units)},
                                                       {"stores", std::move(List)}})
                           << '\n';
  std::error_code Failed;
  raw_fd_ostream Out(Path, Failed, sys::fs::CD_OpenAlways, sys::fs::FA_Write, sys::fs::OF_Append);
  if (!Failed) {
    Out.SetUnbuffered();
    Out << Line;
    Failed = Out.error();
    Out.clear_error();
  }
  return Failed ? createStringError(Failed, "cannot write statistics to '" + Path +
                                                "': " + Failed.message())
                : Error::success();
}

bool Table::run() {
  collect();
  if (Error Failed = write())
    M.getContext().emitError("acre: " + toString(std::move(Failed)));
  if (NamedMDNode *Named = M.getNamedMetadata(FileOfStats))
    Named->eraseFromParent();
  if (All.empty())
    return false;
  emit();
  count();
  return true;
}

} // namespace

void nameStores(Function &F, RuntimeABI &ABI) {
  if (!IsCounting)
    return;
  Module &M = ABI.module();
  LLVMContext &C = M.getContext();
  NamedMDNode *File = StatsFile.empty() ? nullptr : M.getOrInsertNamedMetadata(FileOfStats);
  if (File && File->getNumOperands() == 0)
    File->addOperand(MDNode::get(C, MDString::get(C, StatsFile)));
  unsigned Ordinal = 0;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    std::optional<StringRef> Slot = Call ? slotOf(*Call) : std::nullopt;
    if (!Slot)
      continue;
    Call->setMetadata(StoreMetadata, nameOf(*Call, *Slot, ABI).encode(C, Ordinal++));
    Call->addFnAttr(Attribute::NoMerge);
  }
}

void noteProved(const CallInst &Barrier) {
  if (MDNode *Name = Barrier.getMetadata(StoreMetadata))
    const_cast<Module *>(Barrier.getModule())
        ->getOrInsertNamedMetadata(ProvedStores)
        ->addOperand(Name);
}

void noteRemoved(CallInst &Barrier, RuntimeABI &ABI) {
  MDNode *Name = Barrier.getMetadata(StoreMetadata);
  if (!Name)
    return;
  IRBuilder<> B(&Barrier);
  CallInst *Mark = ABI.call(B, Entry::StatsSafe, {});
  Mark->setMetadata(StoreMetadata, Name);
  Mark->addFnAttr(Attribute::NoMerge);
  // The inliner is to decide as if it were not there.
  Mark->addFnAttr(Attribute::get(B.getContext(), "call-inline-cost", "0"));
}

PreservedAnalyses StatsPass::run(Module &M, ModuleAnalysisManager &) {
  return Table(M).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses CallStatsPass::run(Module &M, ModuleAnalysisManager &) {
  GlobalVariable *Counts = M.getNamedGlobal(CountsName);
  if (!Counts)
    return PreservedAnalyses::all();
  RuntimeABI ABI(M);
  SmallVector<CallInst *, 64> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->getMetadata(NumberMetadata))
        Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    const MDNode *Node = Call->getMetadata(NumberMetadata);
    auto Number = [&](unsigned I) {
      return static_cast<unsigned>(
          mdconst::extract<ConstantInt>(Node->getOperand(I))->getZExtValue());
    };
    IRBuilder<> B(Call);
    increment(B, *Counts, Number(0), Called);
    Call->setMetadata(NumberMetadata, nullptr);
    if (Number(1) == NoEntry)
      continue;
    const auto Counted = static_cast<Entry>(Number(1));
    const unsigned Own = ABI.declare(Counted).getFunctionType()->getNumParams() - 1;
    const bool TellsMore = Call->arg_size() > Own; // where the record is: that is still to be told
    SmallVector<Value *, 3> Arguments(make_range(Call->arg_begin(), Call->arg_begin() + Own));
    Arguments.push_back(counter(B, *Counts, Number(0), Changed));
    ABI.call(B, Counted, Arguments);
    if (!TellsMore)
      Call->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace acre
