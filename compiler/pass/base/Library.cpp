// SPDX-License-Identifier: MIT
//===- Library.cpp - What the C library does with memory ------------------===//
#include "pass/base/Library.h"
#include "pass/base/Markers.h"
#include "versions/LLVM.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool> CollectedMalloc("acre-collected-malloc",
                                     cl::desc("malloc and its kin use the collected heap"));
static cl::opt<bool> QuarantineMalloc("acre-quarantine-malloc",
                                      cl::desc("that heap reclaims only what was freed"));

namespace acre {

static std::optional<Copier> copierNamed(StringRef Name) {
  return StringSwitch<std::optional<Copier>>(Name)
#define ACRE_COPIER(Name, Destination, Size, Unit, Kind) \
  .Case(Name, Copier{Destination, Size, Unit, CopierKind::Kind})
#include "shared/library.def"
      .Default(std::nullopt);
}

/// What Clang appends to the name of such a body.
static constexpr StringLiteral InlineSuffix = ".inline";

/// The function that F is such a body of; empty if it is none.
static StringRef fortifiedName(const Function &F) {
  StringRef Name = F.getName();
  bool IsBody = F.hasLocalLinkage() && F.hasFnAttribute(Attribute::AlwaysInline) &&
                Name.consume_back(InlineSuffix) && all_of(F.uses(), [](const Use &U) {
                  auto *Call = dyn_cast<CallBase>(U.getUser());
                  return Call && Call->isCallee(&U);
                });
  return IsBody ? Name : "";
}

bool isFortifiedCopier(const Function &F) { return copierNamed(fortifiedName(F)).has_value(); }

/// The name by which Call calls, or would call without the headers' checks; empty if it may be
/// another function of this unit.
static StringRef calledName(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return "";
  return Callee->hasLocalLinkage() ? fortifiedName(*Callee)
                                   : GlobalValue::dropLLVMManglingEscape(Callee->getName());
}

std::optional<Copier> copierOf(const CallBase &Call) {
  auto Known = copierNamed(calledName(Call));
  bool IsCalledSo = Known && Call.arg_size() > std::max(Known->Destination, Known->Size) &&
                    Call.getArgOperand(Known->Destination)->getType()->isPointerTy() &&
                    Call.getArgOperand(Known->Size)->getType()->isIntegerTy();
  return IsCalledSo ? Known : std::nullopt;
}

static SmallVector<SizedAccess, 2> accessesNamed(StringRef Name) {
  static constexpr struct {
    StringLiteral Name;
    SizedAccess Access;
  } Table[] = {
#define ACRE_ACCESSES(Name, Pointer, Size) {Name, {Pointer, Size, 1}},
#define ACRE_ACCESSES_MANY(Name, Pointer, Size) {Name, {Pointer, Size, 1, /*Many=*/true}},
#include "shared/library.def"
  };
  SmallVector<SizedAccess, 2> Result;
  for (const auto &Each : Table)
    if (Each.Name == Name)
      Result.push_back(Each.Access);
  if (auto Known = copierNamed(Name); Known && Known->Kind != CopierKind::UpTo) {
    Result.push_back({Known->Destination, Known->Size, Known->Unit});
    if (Known->Kind == CopierKind::Copy)
      Result.push_back({1 - Known->Destination, Known->Size, Known->Unit});
  }
  return Result;
}

static std::optional<WrittenText> textNamed(StringRef Name) {
  constexpr auto Limit = [](int Argument) {
    return Argument < 0 ? std::nullopt : std::optional<unsigned>(Argument);
  };
  return StringSwitch<std::optional<WrittenText>>(Name)
#define ACRE_WRITES_TEXT(Name, Destination, Source, Most, Unit, How) \
  .Case(Name, WrittenText{Destination, Source, Limit(Most), Unit, WrittenText::How})
#include "shared/library.def"
      .Default(std::nullopt);
}

bool isFortifiedAccess(const Function &F) {
  StringRef Name = fortifiedName(F);
  return !accessesNamed(Name).empty() || textNamed(Name);
}

/// The name by which Call calls a function of the C library that accesses memory; empty if none.
static StringRef accessName(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isIntrinsic() ||
      (!Callee->isDeclarationForLinker() && !isFortifiedAccess(*Callee)))
    return "";
  return calledName(Call);
}

static bool isArgument(const CallBase &Call, unsigned Index, bool (Type::*Is)() const) {
  return Index < Call.arg_size() && (Call.getArgOperand(Index)->getType()->*Is)();
}

SmallVector<SizedAccess, 2> sizedAccesses(const CallBase &Call) {
  SmallVector<SizedAccess, 2> Result = accessesNamed(accessName(Call));
  erase_if(Result, [&](const SizedAccess &Each) {
    return !isArgument(Call, Each.Pointer, &Type::isPointerTy) ||
           !isArgument(Call, Each.Size, &Type::isIntegerTy) ||
           (Each.Many && !isArgument(Call, Each.Size + 1, &Type::isIntegerTy));
  });
  return Result;
}

std::optional<WrittenText> writtenText(const CallBase &Call) {
  std::optional<WrittenText> Known = textNamed(accessName(Call));
  if (!Known || !isArgument(Call, Known->Destination, &Type::isPointerTy) ||
      !isArgument(Call, Known->Source, &Type::isPointerTy) ||
      (Known->Most && !isArgument(Call, *Known->Most, &Type::isIntegerTy)) ||
      (Known->How == WrittenText::FormattedList &&
       !isArgument(Call, Known->Source + 1, &Type::isPointerTy)))
    return std::nullopt;
  return Known;
}

/// The name of a function of the C library without what headers and the replaced calls add.
static StringRef baseName(StringRef Name) {
  if (!Name.consume_front("acre_rt_gc_") && !Name.consume_front("acre_rt_"))
    Name.consume_front("___") || Name.consume_front("__");
  for (StringRef Prefix : {"isoc99_", "isoc23_", "xpg_"})
    Name.consume_front(Prefix);
  Name.consume_back("_chk");
  return Name;
}

StringRef libraryName(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclarationForLinker() || Callee->isIntrinsic())
    return "";
  return baseName(GlobalValue::dropLLVMManglingEscape(Callee->getName()));
}

static bool fillsArgument(ArrayRef<FilledSlots> Slots, unsigned Argument) {
  return any_of(Slots, [&](const FilledSlots &Each) { return Each.Argument == Argument; });
}

/// By names as libraryName gives them.
static StringMap<SmallVector<FilledSlots, 2>> settersByName() {
  static constexpr struct {
    StringLiteral Name;
    FilledSlots Slots;
  } Setters[] = {
#define ACRE_SETTER(Name, Argument, Bytes) {Name, {Argument, Bytes}},
#include "shared/library.def"
  };
  StringMap<SmallVector<FilledSlots, 2>> Result;
  for (const auto &[Name, Slots] : Setters) {
    auto &Known = Result[baseName(Name)];
    if (!fillsArgument(Known, Slots.Argument))
      Known.push_back(Slots);
  }
  return Result;
}

SmallVector<FilledSlots, 2> filledSlots(const CallBase &Call) {
  static const StringMap<SmallVector<FilledSlots, 2>> Setters = settersByName();
  SmallVector<FilledSlots, 2> Filled;
  for (const FilledSlots &Each : Setters.lookup(libraryName(Call)))
    if (Each.Argument < Call.arg_size() &&
        Call.getArgOperand(Each.Argument)->getType()->isPointerTy())
      Filled.push_back(Each);
  return Filled;
}

bool fillsWithNumbers(const CallBase &Call, unsigned Argument) {
  constexpr unsigned None = ~0u;
  return Argument == StringSwitch<unsigned>(libraryName(Call))
#define ACRE_FILLS_NUMBERS(Function, Index) .Case(Function, Index)
#include "shared/library.def"
                         .Default(None);
}

/// What LLVM would know of the function by its name, so that it goes on optimising pairs of malloc
/// and free.
static void describeAllocation(Function &Interceptor, bool Frees) {
  LLVMContext &C = Interceptor.getContext();
  AttrBuilder Kind(C);
  Kind.addAllocKindAttr(Frees ? AllocFnKind::Free : AllocFnKind::Realloc);
  Interceptor.addFnAttrs(Kind);
  Interceptor.addFnAttr("alloc-family", "malloc");
  Interceptor.addFnAttr(Attribute::WillReturn);
  Interceptor.addFnAttr(Attribute::MustProgress);
  Interceptor.addFnAttr(Attribute::NoUnwind);
  // A block that is made smaller before it is freed is not left as large: records go with the rest.
  if (Frees)
    Interceptor.addParamAttr(0, Attribute::AllocatedPointer);
  Interceptor.addParamAttr(0, capturesNone(C));
  Interceptor.setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  if (!Frees) {
    Interceptor.addRetAttr(Attribute::NoAlias);
    Interceptor.addFnAttr(Attribute::getWithAllocSizeArgs(C, 1, std::nullopt));
  }
}

static FunctionType *interceptorType(RuntimeABI &ABI, StringRef Name, const Function &Original) {
  Type *Ptr = ABI.pointerType(), *Size = ABI.sizeType();
  Type *Void = Type::getVoidTy(Ptr->getContext()), *Int = Type::getInt32Ty(Ptr->getContext());
  if (Name == "acre_rt_realloc")
    return FunctionType::get(Ptr, {Ptr, Size}, false);
  if (Name == "acre_rt_reallocarray")
    return FunctionType::get(Ptr, {Ptr, Size, Size}, false);
  if (Name == "acre_rt_qsort")
    return FunctionType::get(Void, {Ptr, Size, Size, Ptr}, false);
  if (Name == "acre_rt_qsort_r")
    return FunctionType::get(Void, {Ptr, Size, Size, Ptr, Ptr}, false);
  if (Name == "acre_rt_munmap")
    return FunctionType::get(Int, {Ptr, Size}, false);
  if (Name == "acre_rt_free" || Name == "acre_rt_gc_free")
    return FunctionType::get(Void, {Ptr}, false);
  return Original.getFunctionType();
}

/// Whether a function that calls F was compiled with -fno-builtin: what it calls may be the
/// program's own, with other effects than the library's, and no call may go.
static bool isCalledAsUnknown(const Function &F) {
  return any_of(F.users(), [&](const User *Each) {
    const auto *Call = dyn_cast<CallBase>(Each);
    return Call && (Call->getFunction()->hasFnAttribute("no-builtins") ||
                    Call->getFunction()->hasFnAttribute(("no-builtin-" + F.getName()).str()));
  });
}

/// Stand takes the place of Original, also where control flow integrity tests its type.
static void copyCallTypes(const Function &Original, Function &Stand) {
  for (unsigned Kind : {LLVMContext::MD_type, LLVMContext::MD_kcfi_type}) {
    SmallVector<MDNode *, 2> Types, Known;
    Original.getMetadata(Kind, Types);
    Stand.getMetadata(Kind, Known);
    for (MDNode *Each : Types)
      if (!is_contained(Known, Each))
        Stand.addMetadata(Kind, *Each);
  }
}

static Function *declareInterceptor(RuntimeABI &ABI, StringRef Name, const Function &Original) {
  FunctionCallee Callee =
      ABI.module().getOrInsertFunction(Name, interceptorType(ABI, Name, Original));
  auto *Interceptor = dyn_cast<Function>(Callee.getCallee());
  if (!Interceptor || !Interceptor->isDeclaration())
    return nullptr;
  Interceptor->setCallingConv(Original.getCallingConv());
  copyCallTypes(Original, *Interceptor);
  if (Original.hasFnAttribute(Attribute::NoBuiltin) || isCalledAsUnknown(Original))
    return Interceptor;
  // Freed memory in the collected heap keeps what was stored in it while something refers to it.
  if (Name.starts_with("acre_rt_gc_malloc") || Name.starts_with("acre_rt_gc_calloc"))
    Interceptor->addRetAttr(Attribute::NoAlias);
  if (Name == "acre_rt_free" || Name == "acre_rt_realloc")
    describeAllocation(*Interceptor, Name == "acre_rt_free");
  return Interceptor;
}

/// A function of Original's type that passes on the arguments Interceptor takes.
static Function *adapter(Function &Original, Function &Interceptor) {
  Module &M = *Original.getParent();
  Function *Adapter =
      Function::createWithDefaultAttr(Original.getFunctionType(), GlobalValue::InternalLinkage, 0,
                                      "acre." + Original.getName(), &M);
  Adapter->addFnAttr(Attribute::AlwaysInline);
  copyCallTypes(Original, *Adapter);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", Adapter));
  SmallVector<Value *, 4> Arguments;
  for (unsigned Index = 0; Index < Interceptor.arg_size(); ++Index)
    Arguments.push_back(Adapter->getArg(Index));
  B.CreateCall(&Interceptor, Arguments);
  B.CreateRetVoid();
  return Adapter;
}

/// The letter of a type in a shape (library.def).
static char letterOf(const Type *T) {
  return T->isVoidTy() ? 'v' : T->isPointerTy() ? 'p' : T->isIntegerTy() ? 'i' : '?';
}

/// Whether Original is declared as the C library's function of this name, or without a prototype.
/// If it is not, it is one of the program's that another unit defines.
static bool isOfLibrary(const Function &Original, StringRef Name) {
  StringRef Shape = StringSwitch<StringRef>(Name)
#define ACRE_SHAPE(Name, Shape) .Case(Name, Shape)
#include "shared/library.def"
                        .Default("");
  const FunctionType *Type = Original.getFunctionType();
  if (Shape.empty() || (Type->isVarArg() && Type->getNumParams() == 0))
    return true;
  const bool MayHaveMore = Shape.consume_back(".");
  std::string Own(1, letterOf(Type->getReturnType()));
  for (const llvm::Type *Each : Type->params())
    Own += letterOf(Each);
  return MayHaveMore ? StringRef(Own).starts_with(Shape) : Own == Shape;
}

static unsigned replaceFunction(RuntimeABI &ABI, StringRef Name, StringRef InterceptorName) {
  Module &M = ABI.module();
  Function *Original = M.getFunction(Name);
  if (!Original)
    Original = M.getFunction(("\1" + Name).str());
  if (!Original || !Original->isDeclarationForLinker() || Original->use_empty() ||
      !isOfLibrary(*Original, Name))
    return 0;
  Function *Interceptor = declareInterceptor(ABI, InterceptorName, *Original);
  if (!Interceptor)
    return 0;
  FunctionType *Type = Original->getFunctionType();
  bool HasMore = Type->getNumParams() > Interceptor->arg_size() &&
                 Type->getReturnType() == Interceptor->getReturnType() &&
                 Type->getParamType(0)->isPointerTy();
  unsigned Uses = Original->getNumUses();
  Original->replaceAllUsesWith(HasMore ? adapter(*Original, *Interceptor) : Interceptor);
  return Uses;
}

/// The forms of C++'s `operator delete` that give memory back: of an object, of an array, and with
/// the size or the alignment besides.
static bool isDelete(StringRef Name) {
  if (!Name.consume_front("_ZdlPv") && !Name.consume_front("_ZdaPv"))
    return false;
  Name.consume_front("m");
  return Name.empty() || Name == "St11align_val_t";
}

/// The records of memory that C++ gives back go first: the library calls `free` where nobody sees
/// it.
static unsigned dropBeforeDeletes(RuntimeABI &ABI) {
  SmallVector<CallBase *, 16> Calls;
  for (Function &F : ABI.module())
    if (isDelete(F.getName()))
      for (const Use &U : F.uses())
        if (auto *Call = dyn_cast<CallBase>(U.getUser()); Call && Call->isCallee(&U))
          Calls.push_back(Call);
  for (CallBase *Call : Calls) {
    IRBuilder<> B(Call);
    bool HasSize = Call->getCalledFunction()->getName().substr(6).starts_with("m");
    FunctionCallee Drop = ABI.module().getOrInsertFunction("acre_rt_before_delete", B.getVoidTy(),
                                                           ABI.pointerType(), ABI.sizeType());
    B.CreateCall(Drop, {Call->getArgOperand(0), HasSize ? Call->getArgOperand(1) : ABI.size(0)});
  }
  return Calls.size();
}

/// Gives a function that overwrites memory a body of its own in this unit, for the uses that are
/// not calls of it.  Its call in there gets its barrier like any other.
static unsigned wrapCopier(RuntimeABI &ABI, StringRef Name) {
  Module &M = ABI.module();
  Function *Original = M.getFunction(Name);
  if (!Original || !Original->isDeclarationForLinker() || Original->isIntrinsic())
    return 0;
  auto IsIndirect = [](const Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    return !Call || !Call->isCallee(&U);
  };
  unsigned Uses = count_if(Original->uses(), IsIndirect);
  if (!Uses)
    return 0;
  FunctionType *Type = Original->getFunctionType();
  Function *Wrapper = Function::createWithDefaultAttr(Type, GlobalValue::InternalLinkage, 0,
                                                      "acre." + Original->getName(), &M);
  copyCallTypes(*Original, *Wrapper);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", Wrapper));
  SmallVector<Value *, 4> Arguments;
  for (Argument &A : Wrapper->args())
    Arguments.push_back(&A);
  CallInst *Call = B.CreateCall(Original, Arguments);
  if (Type->getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
  Original->replaceUsesWithIf(Wrapper, [&](Use &U) { return IsIndirect(U); });
  return Uses;
}

/// Calls that allocate memory for numbers get that memory from Interceptor.
static unsigned replaceNumberCalls(RuntimeABI &ABI, StringRef Name, StringRef InterceptorName) {
  Function *Original = ABI.module().getFunction(Name);
  if (!Original || !Original->isDeclarationForLinker())
    return 0;
  unsigned Uses = 0;
  for (Use &U : make_early_inc_range(Original->uses())) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call || !Call->isCallee(&U) || !Call->hasFnAttr(NumbersAttribute))
      continue;
    if (Function *Interceptor = declareInterceptor(ABI, InterceptorName, *Original)) {
      Call->setCalledFunction(Interceptor);
      ++Uses;
    }
  }
  return Uses;
}

/// Calls whose line is known pass it to Interceptor, behind Count arguments, in the way of Passed.
static unsigned replaceKnownCalls(RuntimeABI &ABI, StringRef Name, StringRef InterceptorName,
                                  unsigned Count, function_ref<Constant *(const Site &)> Passed) {
  Function *Original = ABI.module().getFunction(Name);
  if (!Original || !Original->isDeclarationForLinker() || !isOfLibrary(*Original, Name))
    return 0;
  unsigned Uses = 0;
  for (User *Each : make_early_inc_range(Original->users())) {
    auto *Call = dyn_cast<CallInst>(Each);
    if (!Call || Call->getCalledFunction() != Original || Call->arg_size() < Count ||
        Call->isMustTailCall())
      continue;
    Site At = ABI.siteOf(*Call);
    if (!At.Line)
      continue;
    SmallVector<Value *, 4> Arguments(Call->arg_begin(), Call->arg_begin() + Count);
    SmallVector<Type *, 4> Types(map_range(Arguments, [](Value *V) { return V->getType(); }));
    Arguments.push_back(Passed(At));
    Types.push_back(ABI.pointerType());
    auto *Interceptor = FunctionType::get(Call->getType(), Types, false);
    IRBuilder<> B(Call);
    CallInst *Known =
        B.CreateCall(ABI.module().getOrInsertFunction(InterceptorName, Interceptor), Arguments);
    if (Call->returnDoesNotAlias())
      Known->addRetAttr(Attribute::NoAlias);
    Known->setCallingConv(Call->getCallingConv());
    Known->takeName(Call);
    Call->replaceAllUsesWith(Known);
    Call->eraseFromParent();
    ++Uses;
  }
  return Uses;
}

/// A function that the program looks up by its name may be the C library's free, which must not get
/// collected memory.
static unsigned checkLookUps(RuntimeABI &ABI, StringRef Name) {
  Function *LookUp = ABI.module().getFunction(Name);
  if (!LookUp || !LookUp->isDeclarationForLinker())
    return 0;
  auto *Type = FunctionType::get(ABI.pointerType(), {ABI.pointerType()}, false);
  unsigned Uses = 0;
  for (User *Each : make_early_inc_range(LookUp->users())) {
    auto *Call = dyn_cast<CallInst>(Each);
    if (!Call || Call->getCalledFunction() != LookUp || !Call->getType()->isPointerTy() ||
        Call->isMustTailCall() || Call->use_empty())
      continue;
    IRBuilder<> B(Call->getNextNode());
    auto Interceptor = ABI.module().getOrInsertFunction("acre_rt_gc_looked_up", Type);
    CallInst *Checked = B.CreateCall(Interceptor, {Call});
    Call->replaceUsesWithIf(Checked, [&](Use &U) { return U.getUser() != Checked; });
    ++Uses;
  }
  return Uses;
}

/// Names, without using it, what a program with collected memory has to be linked with
/// (runtime/foreign/collected_program.c, quarantine_program.c).  A linker takes that out of an
/// archive where there is one; where there is none, the runtime says what is missing.
static void wantCollectedHeap(Module &M) {
  M.appendModuleInlineAsm(StringRef(".globl acre_rt_gc_needs_acre_cc_to_link"));
  if (QuarantineMalloc)
    M.appendModuleInlineAsm(StringRef(".globl acre_rt_gc_wants_quarantine"));
}

bool collectsUnfreed(const Module &M) {
  return M.getModuleFlag(CollectedFlag) && !QuarantineMalloc;
}

unsigned replaceLibraryFunctions(RuntimeABI &ABI) {
  unsigned Uses = 0;
  if (CollectedMalloc) {
    ABI.module().addModuleFlag(Module::Max, CollectedFlag, 1);
#define ACRE_COLLECTED_NUMBERS(Name, Interceptor) \
  Uses += replaceNumberCalls(ABI, Name, Interceptor);
#include "shared/library.def"
    auto Where = [&](const Site &At) { return ABI.where(At); };
    auto Allocation = [&](const Site &At) { return ABI.site(At, ABI.null()); };
#define ACRE_COLLECTED_AT(Name, Interceptor, Count) \
  Uses += replaceKnownCalls(ABI, Name, Interceptor, Count, Where);
#include "shared/library.def"
#define ACRE_COLLECTED_SITE(Name, Interceptor, Count) \
  Uses += replaceKnownCalls(ABI, Name, Interceptor, Count, Allocation);
#include "shared/library.def"
#define ACRE_COLLECTED(Name, Interceptor) Uses += replaceFunction(ABI, Name, Interceptor);
#include "shared/library.def"
    Uses += checkLookUps(ABI, "dlsym");
    Uses += checkLookUps(ABI, "dlvsym");
    if (Uses)
      wantCollectedHeap(ABI.module());
  }
#define ACRE_COPIER(Name, ...) Uses += wrapCopier(ABI, Name);
#include "shared/library.def"
#define ACRE_INTERCEPTED(Name, Interceptor) Uses += replaceFunction(ABI, Name, Interceptor);
#include "shared/library.def"
  Uses += dropBeforeDeletes(ABI);
  return Uses;
}

} // namespace acre
