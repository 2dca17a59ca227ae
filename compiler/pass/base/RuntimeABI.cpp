//===- RuntimeABI.cpp - Calls and constants of the runtime ----------------===//
#include "pass/base/RuntimeABI.h"
#include "pass/base/Markers.h"
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
  StringLiteral Name, Signature;
  Effects Touches;
};
} // namespace

static const EntryInfo &info(Entry E) {
  static constexpr EntryInfo Table[] = {
#define ACRE_ENTRY(Enumerator, Name, Signature, Touches) {Name, Signature, Effects::Touches},
#include "shared/runtime_entry.def"
  };
  return Table[static_cast<size_t>(E)];
}

StringRef entryName(Entry E) { return info(E).Name; }

RuntimeABI::RuntimeABI(Module &Unit) : M(Unit) {
  LLVMContext &C = M.getContext();
  Ptr = PointerType::getUnqual(C);
  Size = M.getDataLayout().getIntPtrType(C);
  Word32 = Type::getInt32Ty(C);
  // Literal types: their identity is their shape, as in abi.h and type.h.
  WhereType = StructType::get(C, {Ptr, Ptr, Word32});
  SlotType = StructType::get(C, {Word32, Word32, Word32, Word32, Ptr});
  TypeType = StructType::get(C, {Ptr, Word32, Word32, Word32, Word32, Word32, Ptr, Ptr});
  OwnedSlotType = StructType::get(C, {Word32, Word32, Word32, Word32, Ptr});
  OwnedTypeType = StructType::get(C, {Word32, Word32, Ptr});
  SiteType = StructType::get(C, {Ptr, Ptr, Ptr, Word32});
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
  for (auto [Index, Letter] : enumerate(E.Signature.drop_front())) {
    AttrBuilder Parameter(C);
    if (Letter == 'n')
      Parameter.addCapturesAttr(CaptureInfo::none());
    // A delete may read every slot that has a record: stores to slots must reach memory before it.
    if (Letter == 's')
      Parameter.addCapturesAttr(
          CaptureInfo(CaptureComponents::Address | CaptureComponents::ReadProvenance));
    Result = Result.addParamAttributes(C, Index, Parameter);
  }
  return Result;
}

FunctionCallee RuntimeABI::declare(Entry E) {
  const EntryInfo &I = info(E);
  LLVMContext &C = M.getContext();
  auto TypeOf = [&](char Letter) -> Type * {
    switch (Letter) {
    case 'v':
      return Type::getVoidTy(C);
    case 'i':
      return Word32;
    case 'z':
      return Size;
    case 'r':
      return StructType::get(C, {Ptr, Ptr});
    default:
      return Ptr;
    }
  };
  SmallVector<Type *, 4> Parameters;
  StringRef Letters = I.Signature.drop_front();
  bool IsVariadic = Letters.consume_back(".");
  for (char Letter : Letters)
    Parameters.push_back(TypeOf(Letter));
  auto *Type = FunctionType::get(TypeOf(I.Signature[0]), Parameters, IsVariadic);
  return M.getOrInsertFunction(I.Name, Type, attributesOf(C, I));
}

CallInst *RuntimeABI::call(IRBuilderBase &B, Entry E, ArrayRef<Value *> Arguments) {
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

GlobalVariable *RuntimeABI::variable(StringRef Name, Type *T) {
  auto *G = cast<GlobalVariable>(M.getOrInsertGlobal(Name, T)->stripPointerCasts());
  // An executable that is linked with the shared runtime has a copy of the variable, as of all data
  // of shared objects, but large code cannot refer to one.
  G->setDSOLocal(!mayBeUnloaded(M) && M.getCodeModel() != CodeModel::Large);
  return G;
}

Value *RuntimeABI::threadLocal(IRBuilderBase &B, StringRef Name, Type *T) {
  auto *G = cast<GlobalVariable>(M.getOrInsertGlobal(Name, T)->stripPointerCasts());
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
  return ConstantStruct::get(
      WhereType, {string(At.File), string(At.Function), ConstantInt::get(Word32, At.Line)});
}

Constant *RuntimeABI::where(const Site &At) {
  Constant *&Known = Wheres[At.File + ";" + At.Function + ";" + utostr(At.Line)];
  if (!Known)
    Known = privateConstant(whereFields(At), "acre.where");
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
  G->setVisibility(GlobalValue::HiddenVisibility);
  if (M.getTargetTriple().supportsCOMDAT()) {
    Comdat *Group = M.getOrInsertComdat(Name);
    G->setComdat(Group);
    if (Part)
      Part->setComdat(Group);
  }
  return G;
}

/// The acre_owned_type of the first of Types, which may refer to each other.  Appends to Content
/// what it says.
Constant *RuntimeABI::owned(ArrayRef<OwnedType> Types, raw_ostream &Content) {
  if (Types.empty())
    return ConstantPointerNull::get(Ptr);
  auto Number = [&](uint32_t N) { return ConstantInt::get(Word32, N); };
  SmallVector<GlobalVariable *, 4> Made;
  for (size_t I = 0; I != Types.size(); ++I)
    Made.push_back(
        makeConstant(M, OwnedTypeType, GlobalValue::PrivateLinkage, nullptr, "acre.owned"));
  for (auto [G, T] : zip_equal(Made, Types)) {
    Content << '|' << T.Size;
    SmallVector<Constant *, 4> Slots;
    for (const OwnedRun &Run : T.Slots) {
      Content << ';' << Run.Offset << ',' << Run.Count << ',' << Run.Stride << ',' << Run.Kind
              << ',' << Run.Target;
      Constant *Target = Run.Target < 0 ? ConstantPointerNull::get(Ptr)
                                        : static_cast<Constant *>(Made[Run.Target]);
      Slots.push_back(
          ConstantStruct::get(OwnedSlotType, {Number(Run.Offset), Number(Run.Count),
                                              Number(Run.Stride), Number(Run.Kind), Target}));
    }
    Constant *List = ConstantArray::get(ArrayType::get(OwnedSlotType, Slots.size()), Slots);
    G->setInitializer(ConstantStruct::get(OwnedTypeType, {Number(T.Size), Number(Slots.size()),
                                                          privateConstant(List, "acre.owned")}));
  }
  return Made[0];
}

Constant *RuntimeABI::type(const Layout &L) {
  auto Number = [&](uint32_t N) { return ConstantInt::get(Word32, N); };
  std::string Content = L.Name;
  raw_string_ostream Out(Content);
  Out << ';' << L.Size << ';' << L.Align << ';' << L.FlexibleFirst << ';' << L.FlexibleStride;
  SmallVector<Constant *, 8> Slots;
  for (const SlotRun &Run : concat<const SlotRun>(L.Slots, L.Bytes)) {
    auto Rule = static_cast<uint32_t>(Run.Rule);
    Out << ';' << Run.Offset << ',' << Run.Count << ',' << Run.Stride << ',' << Rule << ','
        << Run.Path;
    Slots.push_back(
        ConstantStruct::get(SlotType, {Number(Run.Offset), Number(Run.Count), Number(Run.Stride),
                                       Number(Rule), string(Run.Path)}));
  }
  GlobalVariable *SlotArray = nullptr;
  if (!Slots.empty())
    SlotArray = privateConstant(ConstantArray::get(ArrayType::get(SlotType, Slots.size()), Slots),
                                "acre.slots");
  // Equal tables of two descriptors must not become one: each goes with the group of its own.
  if (SlotArray)
    SlotArray->setUnnamedAddr(GlobalValue::UnnamedAddr::None);
  Constant *SlotPointer =
      SlotArray ? static_cast<Constant *>(SlotArray) : ConstantPointerNull::get(Ptr);
  Constant *Init =
      ConstantStruct::get(TypeType, {string(L.Name), Number(L.Size), Number(L.Align),
                                     Number(Slots.size()), Number(L.FlexibleFirst),
                                     Number(L.FlexibleStride), SlotPointer, owned(L.Owned, Out)});
  return mergedConstant(Init, "type", Out.str(), SlotArray);
}

Constant *RuntimeABI::site(const Site &At, Constant *TypeOf) {
  Constant *Init = ConstantStruct::get(
      SiteType, {TypeOf, string(At.File), string(At.Function), ConstantInt::get(Word32, At.Line)});
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
