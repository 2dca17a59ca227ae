// SPDX-License-Identifier: MIT
//===- Library.cpp - What C library functions do with pointers ------------===//

#include "plugin/ownership/Library.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Notes.h"
#include "versions/Clang.h"
#include "versions/StringSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace clang;
using namespace acre::ast;

void acre::ast::noteEnders(llvm::StringMap<LibraryEffect> &All) {
  llvm::SmallVector<llvm::StringRef, 16> Enders;
  for (const auto &Each : All)
    if (Each.getValue().Opens || Each.getValue().OpensResult)
      Each.getValue().EndedBy.split(Enders, ' ');
  for (llvm::StringRef Each : Enders)
    if (!Each.empty())
      All[Each].EndsOpened = true;
}

namespace {
/// Notes what Effect says of each of these names.
using Effects = llvm::StringMap<LibraryEffect>;
template <typename Note> void addNames(Effects &Into, llvm::StringRef Names, Note Effect) {
  llvm::SmallVector<llvm::StringRef, 64> Each;
  Names.split(Each, ' ');
  for (llvm::StringRef Name : Each)
    Effect(Into[Name]);
}

Effects readTable() {
  Effects All;
#define ACRE_LIST(Names, Statement) \
  addNames(All, Names, []([[maybe_unused]] LibraryEffect &Of) { Statement; });
#define ACRE_LENDS(Header, Names) ACRE_LIST(Names, )
#define ACRE_POINTS_INTO(Argument, Names) ACRE_LIST(Names, Of.PointsInto |= 1u << Argument)
#define ACRE_READS_NUMBER(Names) ACRE_LIST(Names, Of.ReadsNumber = true)
#define ACRE_PUTS_BYTES(Argument, Names) ACRE_LIST(Names, Of.Bytes |= 1u << Argument)
#define ACRE_KEEPS(Argument, Names) ACRE_LIST(Names, Of.Kept |= 1u << Argument)
#define ACRE_KEEPS_ALL(Names) ACRE_LIST(Names, Of.KeepsAll = true)
#define ACRE_MAKES(Names) ACRE_LIST(Names, Of.IsFresh = true)
#define ACRE_MAKES_UNLESS(Argument, Name) \
  ACRE_LIST(Name, Of.FreshUnless = Argument; Of.PointsInto |= 1u << Argument)
#define ACRE_FILLS(Argument, Names) ACRE_LIST(Names, Of.Filled = Argument##u)
#define ACRE_GROWS(Names) ACRE_LIST(Names, Of.Filled = 0u; Of.Grows = true)
#define ACRE_FILLS_WHEN_CLOSED(Argument, Names) ACRE_LIST(Names, Of.FilledWhenClosed = Argument##u)
#define ACRE_FREES(Names) ACRE_LIST(Names, Of.Freed = 0u)
#define ACRE_ENDED_BY(Closers, Names) ACRE_LIST(Names, Of.EndedBy = Closers)
#define ACRE_OPENS(Argument, Names) ACRE_LIST(Names, Of.Opens = Argument##u)
#define ACRE_OPENS_RESULT(Names) ACRE_LIST(Names, Of.OpensResult = true)
#define ACRE_ADDS_IF(Argument, Flags, Names) \
  ACRE_LIST(Names, Of.AddsIf = std::pair(Argument##u, Flags##u))
#define ACRE_NEEDS_OPEN(Names) ACRE_LIST(Names, Of.NeedsOpen = true)
#define ACRE_TAKES_UNOPENED(Names) ACRE_LIST(Names, Of.TakesUnopened = true)
#define ACRE_FAILS_WITH_MINUS_ONE(Names) ACRE_LIST(Names, Of.FailsWithMinusOne = true)
#define ACRE_LENDS_RESULT(Kind, Names) ACRE_LIST(Names, Of.Lends = Kind)
#define ACRE_RENEWS(Kind, Names) \
  ACRE_LIST(Names, (Of.Renews.empty() ? Of.Renews : Of.RenewsToo) = Kind)
#define ACRE_RENEWS_UNLESS(Argument, Kind, Names) \
  ACRE_LIST(Names, Of.Renews = Kind; Of.RenewsUnless = Argument##u)
#define ACRE_CALLS(Names) ACRE_LIST(Names, Of.CallsBack = true)
#define ACRE_WAITS(Names) ACRE_LIST(Names, Of.Waits = true)
#include "shared/library_owners.def"
#undef ACRE_LIST
  noteEnders(All);
  return All;
}

const LibraryEffect *tabulated(llvm::StringRef Name) {
  static const Effects All = readTable();
  auto Found = All.find(Name);
  return Found == All.end() ? nullptr : &Found->second;
}

/// Whether this is declared by a header of the system, or known to the compiler: a function of the
/// program may have the same name as one of the library.
bool isDeclaredBySystem(const FunctionDecl *Function) {
  const SourceManager &Sources = Function->getASTContext().getSourceManager();
  return Function->getBuiltinID() || Function->getName().starts_with("acre_") ||
         llvm::any_of(Function->redecls(), [&](const FunctionDecl *Each) {
           return Each->getLocation().isInvalid() || Sources.isInSystemHeader(Each->getLocation());
         });
}
} // namespace

bool acre::ast::isInLibraryTable(const FunctionDecl *Function) {
  return Function->getIdentifier() && tabulated(Function->getName()) &&
         isDeclaredBySystem(Function);
}

/// Whether the compiler knows this function, which neither gets nor returns a pointer.
static bool isPlainBuiltin(const FunctionDecl *Function) {
  return Function->getBuiltinID() && !Function->isVariadic() &&
         !isSlotType(Function->getReturnType()) &&
         llvm::none_of(Function->parameters(),
                       [](const ParmVarDecl *Each) { return isSlotType(Each->getType()); });
}

/// Functions whose result is a reference, or null.
static bool makesReference(llvm::StringRef Name) {
  return acre::StringSwitch<bool>(Name)
      .Cases({"acre_ref_new", "acre_ref_new_shared", "acre_ref_new_of", "acre_ref_new_shared_of"},
             true)
      .Cases({"acre_ref_alias", "acre_ref_of_weak"}, true)
      .Default(false);
}

bool acre::ast::allocatesInRegion(llvm::StringRef Name) {
  return acre::StringSwitch<bool>(Name)
      .Cases({"acre_region_alloc", "acre_region_alloc_array", "acre_region_extend_array",
              "acre_region_root"},
             true)
      .Cases({"acre_region_copy_array", "acre_region_alloc_bytes", "acre_region_strdup",
              "acre_region_strdup_at", "acre_region_extend_bytes"},
             true)
      .Default(false);
}

const FunctionDecl *acre::ast::functionRunBy(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const LibraryEffect *Effect = Callee ? tabulated(libraryFunction(Call)) : nullptr;
  if (Callee && !Effect)
    Effect = notedEffect(Callee);
  if (!Effect || !Effect->CallsBack)
    return Callee;
  const FunctionDecl *Found = nullptr;
  for (const Expr *Each : Call->arguments())
    if (Each->getType()->isFunctionPointerType()) {
      const Expr *Named = Each->IgnoreParenCasts();
      if (const auto *Address = dyn_cast<UnaryOperator>(Named);
          Address && Address->getOpcode() == UO_AddrOf)
        Named = Address->getSubExpr()->IgnoreParenCasts();
      const auto *Reference = dyn_cast<DeclRefExpr>(Named);
      Found = Reference ? dyn_cast<FunctionDecl>(Reference->getDecl()) : nullptr;
    }
  return Found;
}

bool acre::ast::isAtomicBuiltin(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  return Callee && Callee->getBuiltinID() && Callee->getIdentifier() &&
         (Callee->getName().starts_with("__sync_") ||
          Callee->getName().starts_with("__builtin_nontemporal_"));
}

bool acre::ast::isStandardStream(const Expr *Lvalue) {
  const auto *Name = dyn_cast<DeclRefExpr>(Lvalue->IgnoreParenCasts());
  const auto *Variable = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  return Variable && !Variable->hasLocalStorage() &&
         acre::StringSwitch<bool>(Variable->getName())
             .Cases({"stdin", "stdout", "stderr"}, true)
             .Default(false) &&
         Variable->getASTContext().getSourceManager().isInSystemHeader(Variable->getLocation());
}

llvm::StringRef acre::ast::closersOf(QualType Type) {
  const RecordDecl *Record = Type.isNull() ? nullptr : Type->getAsRecordDecl();
  if (!Record || !Record->getIdentifier())
    return "";
  if (llvm::StringRef Noted = notedClosers(Record); !Noted.empty())
    return Noted;
  if (!Record->getASTContext().getSourceManager().isInSystemHeader(Record->getLocation()))
    return "";
#define ACRE_CLOSES(Closers, Types)                                   \
  if (llvm::is_contained(llvm::split(Types, ' '), Record->getName())) \
    return Closers;
#include "shared/library_owners.def"
  return "";
}

bool acre::ast::readsNumber(llvm::StringRef Name) {
  const LibraryEffect *Effect = tabulated(Name);
  return Effect && Effect->ReadsNumber;
}

const InitListExpr *acre::ast::transparentList(const CallExpr *Call, unsigned Index) {
  const auto *Literal = dyn_cast<CompoundLiteralExpr>(Call->getArg(Index));
  if (!Literal || !Literal->getType()->isUnionType())
    return nullptr;
  const RecordDecl *Union = Literal->getType()->getAsRecordDecl();
  const auto *List = dyn_cast<InitListExpr>(Literal->getInitializer());
  bool IsIt = List && List->getNumInits() == 1 && Union->hasAttr<TransparentUnionAttr>() &&
              !libraryFunction(Call).empty() && libraryEffect(Call);
  return IsIt ? List : nullptr;
}

const Expr *acre::ast::argumentOf(const CallExpr *Call, unsigned Index) {
  const InitListExpr *List = transparentList(Call, Index);
  return List ? List->getInit(0) : Call->getArg(Index);
}

bool acre::ast::isAlloca(const CallExpr *Call) {
  llvm::StringRef Name = libraryFunction(Call);
  return Name == "alloca" || Name == "alloca_with_align";
}

bool acre::ast::isAddressOf(const CallExpr *Call) {
  return Call->getBuiltinCallee() == Builtin::BI__builtin_addressof;
}

bool acre::ast::copiesFrom(const CallExpr *Call, unsigned Index) {
  return acre::StringSwitch<bool>(libraryFunction(Call))
      .Cases({"memcpy", "memmove", "mempcpy", "memccpy", "wmemcpy", "wmemmove", "wmempcpy",
              "memcpy_inline"},
             Index != 0)
      .Case("acre_region_copy_array", Index != 0)
      .Case("bcopy", Index == 0)
      .Default(false);
}

QualType acre::ast::pointedBy(const Expr *Argument) {
  Argument = Argument->IgnoreParenCasts();
  if (const auto *Call = dyn_cast<CallExpr>(Argument); Call && isSwap(Call)) // returns void *
    if (QualType Slot = pointedBy(Call->getArg(0)); !Slot.isNull())
      return Slot->getPointeeType();
  QualType Type = Argument->getType();
  return Type->isArrayType() ? Type : Type->getPointeeType();
}

namespace {
/// Looks at what a function does with the arguments that no parameter names.
class UnnamedArguments {
public:
  explicit UnnamedArguments(ASTContext &Context)
      : List(Context.getBuiltinVaListType().getCanonicalType()) {}
  /// Whether Body gives them to functions that print them, and to no others.
  bool arePrinted(const Stmt *Body) {
    visit(Body);
    return Printed && Named == Printed && !IsRead;
  }

private:
  void visit(const Stmt *Node);
  bool isList(const Expr *Each) const {
    const auto *Name = dyn_cast<DeclRefExpr>(Each->IgnoreParenCasts());
    return Name && Name->getDecl()->getType().getCanonicalType() == List;
  }

  const QualType List;
  unsigned Named = 0, Printed = 0; ///< how often the list of them is
  bool IsRead = false;             ///< otherwise
};
} // namespace

void UnnamedArguments::visit(const Stmt *Node) {
  if (const auto *Call = dyn_cast<CallExpr>(Node)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    const unsigned Builtin = Callee ? Callee->getBuiltinID() : 0;
    const bool IsPrinting =
        Builtin == Builtin::BI__builtin_va_start || Builtin == Builtin::BI__builtin_va_copy ||
        Builtin == Builtin::BI__builtin_va_end ||
        (Callee && llvm::any_of(Callee->specific_attrs<FormatAttr>(),
                                [](const FormatAttr *Each) { return !Each->getFirstArg(); }));
    for (const Expr *Each : Call->arguments())
      Printed += IsPrinting && isList(Each);
  }
  const auto *Value = dyn_cast<DeclRefExpr>(Node);
  Named += Value && isList(Value);
  IsRead |= isa<VAArgExpr>(Node);
  for (const Stmt *Each : Node->children())
    if (Each)
      visit(Each);
}

bool acre::ast::isFormatted(const FunctionDecl *Callee, unsigned Index) {
  auto SaysSo = [&](const FormatAttr *Format) {
    return Format->getFirstArg() && int(Index) + 1 >= Format->getFirstArg();
  };
  if (!Callee || llvm::any_of(Callee->specific_attrs<FormatAttr>(), SaysSo))
    return Callee != nullptr;
  const FunctionDecl *Definition = nullptr;
  return Callee->isVariadic() && Index >= Callee->getNumParams() && Callee->hasBody(Definition) &&
         !Definition->hasAttr<WeakAttr>() &&
         UnnamedArguments(Callee->getASTContext()).arePrinted(Definition->getBody());
}

/// By function: which argument it ends, as the attributes of what makes such objects say.
static llvm::DenseMap<const FunctionDecl *, unsigned> &deallocators() {
  static llvm::DenseMap<const FunctionDecl *, unsigned> Known;
  return Known;
}

void acre::ast::noteDeallocator(const FunctionDecl *Maker) {
  for (const auto *Each : Maker->specific_attrs<RestrictAttr>()) {
    const auto [Function, Argument] = acre::deallocatorOf(Each);
    const auto *Named = Function ? dyn_cast<DeclRefExpr>(Function->IgnoreParenImpCasts()) : nullptr;
    const auto *Ends = Named ? dyn_cast<FunctionDecl>(Named->getDecl()) : nullptr;
    if (Ends)
      deallocators()[Ends->getCanonicalDecl()] = Argument.isValid() ? Argument.getASTIndex() : 0;
  }
}

/// What Clang's own attributes say: malloc, the deallocators that it names, and ownership_returns,
/// _takes and _holds.  Of all else that such a function does nothing is known.
static std::optional<LibraryEffect> effectOfAttributes(const FunctionDecl *Function) {
  Function = Function->getMostRecentDecl();
  LibraryEffect Effect;
  Effect.IsFresh = Function->hasAttr<RestrictAttr>() && isSlotType(Function->getReturnType());
  for (const auto *Each : Function->specific_attrs<OwnershipAttr>())
    if (Each->getOwnKind() == OwnershipAttr::Returns)
      Effect.IsFresh = true;
    else if (Each->args_size() != 0)
      Effect.Freed = Each->args_begin()->getASTIndex();
  if (auto Found = deallocators().find(Function->getCanonicalDecl()); Found != deallocators().end())
    Effect.Freed = Found->second;
  if (!Effect.IsFresh && !Effect.Freed)
    return std::nullopt;
  Effect.KeepsAll = Effect.CallsBack = true;
  return Effect;
}

bool acre::ast::isLentByAttribute(const ParmVarDecl *Parameter) {
  return Parameter->hasAttr<NoEscapeAttr>() || Parameter->hasAttr<LifetimeBoundAttr>();
}

std::optional<bool> acre::ast::mayReturnByAttribute(const FunctionDecl *Function, unsigned Index) {
  Function = Function->getMostRecentDecl();
  if (llvm::any_of(Function->parameters(),
                   [](const ParmVarDecl *Each) { return Each->hasAttr<LifetimeBoundAttr>(); }))
    return Function->getParamDecl(Index)->hasAttr<LifetimeBoundAttr>();
  return Function->getParamDecl(Index)->hasAttr<NoEscapeAttr>() ? std::optional(false)
                                                                : std::nullopt;
}

std::optional<LibraryEffect> acre::ast::effectOfCallee(const CallExpr *Call) {
  llvm::StringRef Name = libraryFunction(Call);
  LibraryEffect Effect;
  if (isReleaseCall(Call)) {
    Effect.Freed = 0u;
    return Effect;
  }
  if (Name.empty())
    return std::nullopt;
  if (makesReference(Name)) {
    Effect.Of = Discipline::Refcounted;
    Effect.IsFresh = true;
    return Effect;
  }
  if (Name == "acre_key_drop" || Name == "acre_own_drop" || Name == "acre_own_drop_array") {
    Effect.Freed = 0u;
    return Effect;
  }
  if (Name == "acre_ref_drop") {
    Effect.Of = Discipline::Refcounted;
    Effect.Freed = 0u;
    return Effect;
  }
  const LibraryEffect *Known = tabulated(Name);
  if (!Known && isPlainBuiltin(Call->getDirectCallee()))
    return Effect;
  if ((!Known && !allocatesInRegion(Name)) || !isDeclaredBySystem(Call->getDirectCallee())) {
    if (const LibraryEffect *Noted = notedEffect(Call->getDirectCallee())) {
      Effect = *Noted;
      Effect.IsNoted = true;
      return Effect;
    }
    return effectOfAttributes(Call->getDirectCallee());
  }
  if (Known)
    Effect = *Known;
  Effect.CopiesMemory = copiesFrom(Call, 0) || copiesFrom(Call, 1);
  return Effect;
}

bool acre::ast::asksForNothing(const ASTContext &Context, const CallExpr *Call) {
  auto IsFlag = [](const Expr *Each) { return Each->getType()->isSignedIntegerType(); };
  return llvm::none_of(Call->arguments(), IsFlag) &&
         llvm::any_of(Call->arguments(), [&](const Expr *Each) {
           const auto Number = Each->getType()->isIntegerType()
                                   ? Each->getIntegerConstantExpr(Context)
                                   : std::nullopt;
           return Number && Number->isZero();
         });
}

void acre::ast::resolve(LibraryEffect &Effect, const CallExpr *Call) {
  if (!Effect.FreshUnless || *Effect.FreshUnless >= Call->getNumArgs())
    return;
  const Expr *Given = Call->getArg(*Effect.FreshUnless);
  if (!isNullPointer(Call->getDirectCallee()->getASTContext(), Given))
    return;
  Effect.IsFresh = true;
  Effect.PointsInto = 0;
}

std::optional<LibraryEffect> acre::ast::libraryEffect(const CallExpr *Call) {
  std::optional<LibraryEffect> Effect = effectOfCallee(Call);
  if (Effect)
    resolve(*Effect, Call);
  return Effect;
}
