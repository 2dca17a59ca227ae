// SPDX-License-Identifier: MIT
//===- RuntimeABI.cpp - Calls and constants of the runtime ----------------===//
#include "pass/base/RuntimeABI.h"
#include "pass/base/CheckMode.h"
#include "pass/base/Markers.h"
#include "pass/base/RegisteredTable.h"
#include "shared/markers.h"
#include "versions/LLVM.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/SHA1.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace acre {

namespace {
enum class Effects { None, Hidden, Reads, Any, Ends };
struct EntryInfo {
  StringLiteral Name, Pointers;
  Effects Touches;
  FunctionType *(*Type)(LLVMContext &);
};
struct VariableInfo {
  StringLiteral Name;
  Type *(*TypeIn)(LLVMContext &);
};

/// One row of the table of entry points.  Function is a HeaderFunction; each pointer that it takes
/// has its letter.
template <typename Function, size_t Length>
constexpr EntryInfo entry(StringLiteral Name, StringLiteral Pointers, Effects Touches) {
  static_assert(Length - 1 == Function::PointerCount,
                "runtime_entry.def says of each pointer parameter what is done with it");
  return {Name, Pointers, Touches, Function::type};
}
} // namespace

static constexpr EntryInfo Entries[] = {
#define ACRE_ENTRY(Enumerator, Function, Pointers, Touches)                        \
  entry<decltype(headerFunction(Function)), sizeof(Pointers)>(#Function, Pointers, \
                                                              Effects::Touches),
#include "shared/runtime_entry.def"
};
static constexpr VariableInfo Variables[] = {
#define ACRE_VARIABLE(Enumerator, Name) {#Name, headerType<decltype(Name)>},
#include "shared/runtime_entry.def"
};
static constexpr VariableInfo ThreadVariables[] = {
#define ACRE_THREAD_VARIABLE(Enumerator, Name) {#Name, headerType<decltype(Name)>},
#include "shared/runtime_entry.def"
};

static const EntryInfo &info(Entry E) { return Entries[static_cast<size_t>(E)]; }

StringRef entryName(Entry E) { return info(E).Name; }

std::optional<Entry> entryNamed(StringRef Name) {
  static const StringMap<Entry> Known = [] {
    StringMap<Entry> Names;
    for (size_t I = 0; I != std::size(Entries); ++I)
      Names.try_emplace(Entries[I].Name, static_cast<Entry>(I));
    return Names;
  }();
  if (!Name.starts_with("acre_rt_"))
    return std::nullopt;
  auto Found = Known.find(Name);
  return Found == Known.end() ? std::nullopt : std::optional(Found->second);
}

RuntimeABI::RuntimeABI(Module &Unit) : M(Unit) {
  LLVMContext &C = M.getContext();
  Ptr = PointerType::getUnqual(C);
  Size = M.getDataLayout().getIntPtrType(C);
  Word32 = Type::getInt32Ty(C);
}

static AttributeList attributesOf(LLVMContext &C, const EntryInfo &E) {
  AttrBuilder Function(C);
  // An entry point of the runtime never deletes a region or longjmps into the program.  A check
  // that fails ends the program: what the program would have done in its own memory until then
  // nobody sees, so what comes after a check may be moved before it.
  Function.addAttribute(Attribute::NoUnwind)
      .addAttribute(Attribute::NoCallback)
      .addAttribute(Attribute::NoFree);
  Function.addAttribute(E.Touches == Effects::Ends ? Attribute::NoReturn : Attribute::WillReturn);
  if (E.Touches == Effects::None)
    Function.addMemoryAttr(MemoryEffects::none()).addAttribute(Attribute::Speculatable);
  if (E.Touches == Effects::Hidden)
    Function.addMemoryAttr(MemoryEffects::inaccessibleMemOnly());
  if (E.Touches == Effects::Reads)
    Function.addMemoryAttr(MemoryEffects::inaccessibleMemOnly() |
                           MemoryEffects::argMemOnly(ModRefInfo::Ref));
  // The inliner is to decide as if barriers were not there: most become a test, and of what is
  // inlined more is proved.
  if (E.Touches == Effects::Hidden || E.Touches == Effects::Reads)
    Function.addAttribute("call-inline-cost", "0");
  AttributeList Result = AttributeList::get(C, AttributeList::FunctionIndex, Function);
  StringRef Letters = E.Pointers;
  for (auto [Index, Type] : enumerate(E.Type(C)->params())) {
    if (!Type->isPointerTy())
      continue;
    const char Letter = Letters.front();
    Letters = Letters.drop_front();
    AttrBuilder Parameter(C);
    if (Letter == 'n')
      Parameter.addAttribute(capturesAddress(C));
    // A delete may read every slot that has a record: stores to slots must reach memory before it.
    if (Letter == 's')
      addCapturesForReading(Parameter);
    Result = Result.addParamAttributes(C, Index, Parameter);
  }
  return Result;
}

FunctionCallee RuntimeABI::declare(Entry E) {
  const EntryInfo &I = info(E);
  LLVMContext &C = M.getContext();
  return M.getOrInsertFunction(I.Name, I.Type(C), attributesOf(C, I));
}

CallInst *RuntimeABI::call(IRBuilderBase &B, Entry E, ArrayRef<Value *> Arguments) {
  assert(B.GetInsertBlock() && B.GetInsertBlock()->getModule() == &M && "a call of this module");
  CallInst *Call = B.CreateCall(declare(E), Arguments);
  Call->setDoesNotThrow();
  // A call in a function with debug information must have a location, or it cannot be inlined.
  if (DISubprogram *Scope = Call->getFunction()->getSubprogram(); Scope && !Call->getDebugLoc())
    Call->setDebugLoc(DILocation::get(M.getContext(), 0, 0, Scope));
  return Call;
}

bool mayBeUnloaded(const Module &M) {
  return M.getPICLevel() != PICLevel::NotPIC && M.getPIELevel() == PIELevel::Default;
}

void shareAcrossUnits(GlobalObject &G) {
  Module &M = *G.getParent();
  G.setLinkage(GlobalValue::LinkOnceODRLinkage);
  G.setVisibility(GlobalValue::HiddenVisibility);
  if (targetTriple(M).supportsCOMDAT())
    G.setComdat(M.getOrInsertComdat(G.getName()));
}

/// Whether code of a program may refer to a variable of a shared library as if it were its own: the
/// linker makes a copy of it then.  Only the linkers of x86-64 make one for code that may lie
/// anywhere.
static bool mayHaveCopies(const Module &M) {
  return M.getPICLevel() == PICLevel::NotPIC || targetTriple(M).getArch() == Triple::x86_64;
}

/// A variable of the program, or one that it may refer to as if it were.  Large code, and what may
/// be unloaded, goes by the table of addresses.
static GlobalVariable *variableIn(Module &M, StringRef Name, Type *T, bool IsNear) {
  auto *G = cast<GlobalVariable>(M.getOrInsertGlobal(Name, T)->stripPointerCasts());
  G->setDSOLocal(IsNear && !mayBeUnloaded(M) && M.getCodeModel() != CodeModel::Large);
  return G;
}

GlobalVariable *RuntimeABI::variable(StringRef Name, Type *T) {
  return variableIn(M, Name, T, mayHaveCopies(M));
}

GlobalVariable *RuntimeABI::variable(Variable V) {
  const VariableInfo &I = Variables[static_cast<size_t>(V)];
  // The runtime is part of the program, mostly: there is no need for a copy then.
  return variableIn(M, I.Name, I.TypeIn(M.getContext()), !isRuntimeShared(M) || mayHaveCopies(M));
}

Value *RuntimeABI::threadLocal(IRBuilderBase &B, ThreadVariable V) {
  const VariableInfo &I = ThreadVariables[static_cast<size_t>(V)];
  Constant *Known = M.getOrInsertGlobal(I.Name, I.TypeIn(M.getContext()));
  auto *G = cast<GlobalVariable>(Known->stripPointerCasts());
  G->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  return B.CreateThreadLocalAddress(G);
}

/// Sanitizers leave it as it is: lowering reads it, perhaps at the link.
static GlobalVariable *makeConstant(Module &M, Type *T, GlobalValue::LinkageTypes Linkage,
                                    Constant *Init, const Twine &Name) {
  auto *G = new GlobalVariable(M, T, true, Linkage, Init, Name);
  GlobalValue::SanitizerMetadata None;
  None.NoAddress = None.NoHWAddress = true;
  G->setSanitizerMetadata(None);
  return G;
}

GlobalVariable *RuntimeABI::privateConstant(Constant *Init, const Twine &Name) {
  GlobalVariable *G = makeConstant(M, Init->getType(), GlobalValue::PrivateLinkage, Init, Name);
  G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return G;
}

Constant *RuntimeABI::string(StringRef Text) {
  Constant *&Known = Strings[Text];
  if (!Known) {
    GlobalVariable *G =
        privateConstant(ConstantDataArray::getString(M.getContext(), Text), "acre.str");
    G->setAlignment(Align(1));
    Known = G;
  }
  return Known;
}

Constant *RuntimeABI::whereFields(const Site &At) {
  return make<acre_rt_where>({string(At.File), string(At.Function), number(At.Line)});
}

Constant *RuntimeABI::where(const Site &At) {
  Constant *&Known = Wheres[At.File + ";" + At.Function + ";" + utostr(At.Line)];
  if (!Known)
    Known = privateConstant(whereFields(At), "acre.where");
  return Known;
}

Constant *RuntimeABI::stored(const Site &At, StringRef Slot) {
  Constant *&Known = Wheres[Slot.str() + "=" + At.File + ";" + At.Function + ";" + utostr(At.Line)];
  if (!Known)
    Known = privateConstant(
        make<acre_rt_stored>({whereFields(At), Slot.empty() ? null() : string(Slot)}),
        "acre.stored");
  return Known;
}

/// A constant that is equal in every unit that has it.  Part is only reached through it.
Constant *RuntimeABI::mergedConstant(Constant *Init, StringRef Kind, StringRef Content,
                                     GlobalVariable *Part) {
  SHA1 Hash;
  Hash.update(Content);
  std::string Name =
      ("acre." + Kind + "." + toHex(ArrayRef<uint8_t>(Hash.final()).take_front(10), true)).str();
  if (GlobalVariable *Known = M.getNamedGlobal(Name)) {
    if (Part)
      Part->eraseFromParent();
    return Known;
  }
  GlobalVariable *G = makeConstant(M, Init->getType(), GlobalValue::LinkOnceODRLinkage, Init, Name);
  shareAcrossUnits(*G);
  if (Part)
    Part->setComdat(G->getComdat());
  return G;
}

/// The acre_owned_type of the first of Types, which may refer to each other.  Appends to Content
/// what it says.
Constant *RuntimeABI::owned(ArrayRef<OwnedType> Types, raw_ostream &Content) {
  assert(all_of(Types,
                [&](const OwnedType &T) {
                  return all_of(
                      T.Slots, [&](const OwnedRun &Run) { return Run.Target < int(Types.size()); });
                }) &&
         "what a type owns is in the list");
  if (Types.empty())
    return null();
  StructType *OwnedType = Mirror<acre_owned_type>::type(M.getContext());
  SmallVector<GlobalVariable *, 4> Made;
  for (size_t I = 0; I != Types.size(); ++I)
    Made.push_back(makeConstant(M, OwnedType, GlobalValue::PrivateLinkage, nullptr, "acre.owned"));
  for (auto [G, T] : zip_equal(Made, Types)) {
    Content << '|' << T.Size;
    SmallVector<Constant *, 4> Slots;
    for (const OwnedRun &Run : T.Slots) {
      Content << ';' << Run.Offset << ',' << Run.Count << ',' << Run.Stride << ',' << Run.Kind
              << ',' << Run.Target;
      Constant *Target = Run.Target < 0 ? null() : static_cast<Constant *>(Made[Run.Target]);
      Slots.push_back(make<acre_owned_slot>(
          {number(Run.Offset), number(Run.Count), number(Run.Stride), number(Run.Kind), Target}));
    }
    G->setInitializer(make<acre_owned_type>(
        {number(T.Size), number(Slots.size()), makeArray<acre_owned_slot>(Slots, "acre.owned")}));
  }
  return Made[0];
}

/// The runtime is told, once for a module, that objects may have traditional slots.
void RuntimeABI::expectTraditional() {
  constexpr char Name[] = "acre.expect_traditional";
  if (!M.getFunction(Name))
    callAtStart(*this, Entry::ExpectTraditional, Name);
}

Constant *RuntimeABI::type(const Layout &L) {
  assert((L.FlexibleStride != 0 || L.FlexibleFirst == L.Slots.size() + L.Bytes.size()) &&
         "without a flexible member no slot is in one");
  std::string Content = L.Name + markers::NamesSeparator + L.Names;
  raw_string_ostream Out(Content);
  Out << ';' << L.Size << ';' << L.Align << ';' << L.FlexibleFirst << ';' << L.FlexibleStride;
  SmallVector<Constant *, 8> Slots;
  for (const SlotRun &Run : concat<const SlotRun>(L.Slots, L.Bytes)) {
    auto Rule = static_cast<uint32_t>(Run.Rule);
    Out << ';' << Run.Offset << ',' << Run.Count << ',' << Run.Stride << ',' << Rule << ','
        << Run.Path;
    Slots.push_back(make<acre_slot>({number(Run.Offset), number(Run.Count), number(Run.Stride),
                                     number(Rule), string(Run.Path)}));
  }
  if (any_of(L.Slots, [](const SlotRun &Run) { return Run.Rule == SlotRule::Traditional; }))
    expectTraditional();
  GlobalVariable *Table = Slots.empty() ? nullptr : makeArray<acre_slot>(Slots, "acre.slots");
  // Equal tables of two descriptors must not become one: each goes with the group of its own.
  if (Table)
    Table->setUnnamedAddr(GlobalValue::UnnamedAddr::None);
  Constant *Init =
      make<acre_type>({string(L.Name), number(L.Size), number(L.Align), number(Slots.size()),
                       number(L.FlexibleFirst), number(L.FlexibleStride),
                       Table ? static_cast<Constant *>(Table) : null(), owned(L.Owned, Out),
                       L.Names.empty() ? null() : string(L.Names)});
  return mergedConstant(Init, "type", Out.str(), Table);
}

static const Constant *initializerOf(const Value *V) {
  auto *G = dyn_cast_or_null<GlobalVariable>(V);
  return G && G->hasInitializer() ? G->getInitializer() : nullptr;
}

/// The run of slots that an acre_slot says; none if it is not one of type's.
static std::optional<SlotRun> runOf(const Constant *Said) {
  using Slot = Mirror<acre_slot>;
  auto Offset = Slot::number<&acre_slot::offset>(Said),
       Count = Slot::number<&acre_slot::count>(Said),
       Stride = Slot::number<&acre_slot::stride>(Said), Rule = Slot::number<&acre_slot::rule>(Said);
  if (!Offset || !Count || !Stride || !Rule)
    return std::nullopt;
  return SlotRun{static_cast<uint32_t>(*Offset), static_cast<uint32_t>(*Count),
                 static_cast<uint32_t>(*Stride), static_cast<SlotRule>(*Rule), ""};
}

std::optional<Layout> RuntimeABI::layoutOf(const Value &Descriptor) {
  using Fields = Mirror<acre_type>;
  const Constant *Said = initializerOf(&Descriptor);
  auto Size = Fields::number<&acre_type::size>(Said),
       Align = Fields::number<&acre_type::align>(Said),
       Count = Fields::number<&acre_type::slot_count>(Said),
       FlexibleFirst = Fields::number<&acre_type::flexible_first>(Said),
       FlexibleStride = Fields::number<&acre_type::flexible_stride>(Said);
  if (!Size || !Align || !Count || !FlexibleFirst || !FlexibleStride)
    return std::nullopt;
  Layout Result;
  Result.Size = *Size;
  Result.Align = *Align;
  Result.FlexibleFirst = *FlexibleFirst;
  Result.FlexibleStride = *FlexibleStride;
  const Constant *Slots = initializerOf(Fields::member<&acre_type::slots>(Said));
  for (unsigned I = 0; I != *Count; ++I) {
    std::optional<SlotRun> Run = runOf(Slots ? Slots->getAggregateElement(I) : nullptr);
    if (!Run)
      return std::nullopt;
    Result.Slots.push_back(*Run);
  }
  return Result;
}

Constant *RuntimeABI::site(const Site &At, Constant *TypeOf) {
  Constant *Init = make<acre_site>({TypeOf, string(At.File), string(At.Function), number(At.Line)});
  std::string Content =
      At.File + ";" + At.Function + ";" + utostr(At.Line) + ";" + TypeOf->getName().str();
  return mergedConstant(Init, "site", Content, nullptr);
}

Site RuntimeABI::siteOf(const Instruction &I) {
  Site Result;
  if (MDNode *Node = I.getMetadata(SiteMetadata); Node && Node->getNumOperands() == 1)
    if (auto *Text = dyn_cast<MDString>(Node->getOperand(0)))
      if (std::optional<Site> Known = expectedToOptional(parseSite(Text->getString())))
        return *Known;
  Result.Function = I.getFunction()->getName().str();
  Result.File = M.getSourceFileName();
  // The function is the one the source names, also where the code was inlined.
  if (const DILocation *At = I.getDebugLoc().get()) {
    Result.Line = At->getLine();
    Result.File = At->getFilename().str();
    if (DISubprogram *Scope = At->getScope()->getSubprogram())
      Result.Function = Scope->getName().str();
  }
  return Result;
}

} // namespace acre
