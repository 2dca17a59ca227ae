//===- Library.cpp - What C library functions do with pointers ------------===//

#include "plugin/ownership/Library.h"
#include "plugin/Statements.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace acre::ast;

static bool isFresh(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign"}, true)
      .Cases({"strdup", "strndup", "wcsdup", "realpath", "get_current_dir_name"}, true)
      .Default(false);
}

/// Functions whose result points into their argument.
static std::optional<unsigned> resultArgument(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<unsigned>>(Name)
#define ACRE_INTO(Function, Argument) .Case(Function, Argument##u)
#include "shared/library.def"
      .Default(std::nullopt);
}

/// Functions whose result is a reference, or null.
static bool makesReference(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"acre_ref_new", "acre_ref_new_shared", "acre_ref_new_of", "acre_ref_new_shared_of"},
             true)
      .Cases({"acre_ref_alias", "acre_ref_of_weak"}, true)
      .Default(false);
}

bool acre::ast::allocatesInRegion(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"acre_region_alloc", "acre_region_alloc_array", "acre_region_extend_array",
              "acre_region_root"},
             true)
      .Cases({"acre_region_copy_array", "acre_region_alloc_bytes", "acre_region_strdup",
              "acre_region_extend_bytes"},
             true)
      .Default(false);
}

/// Functions that call what they are given.
static bool callsBack(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name).Cases({"qsort", "qsort_r", "bsearch"}, true).Default(false);
}

const FunctionDecl *acre::ast::functionRunBy(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || !callsBack(libraryFunction(Call)))
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

/// Functions that look at what they are given, write there, and return something else.
static bool onlyLooks(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
#define ACRE_LOOKS(Function) .Case(Function, true)
#include "shared/library.def"
      .Default(allocatesInRegion(Name));
}

bool acre::ast::fillsPlace(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"getline", "getdelim", "asprintf", "vasprintf"}, true)
      .Default(false);
}

bool acre::ast::readsNumber(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
#define ACRE_READS_NUMBER(Function) .Case(Function, true)
#include "shared/library.def"
      .Default(false);
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

bool acre::ast::copiesFrom(const CallExpr *Call, unsigned Index) {
  return llvm::StringSwitch<bool>(libraryFunction(Call))
      .Cases({"memcpy", "memmove", "mempcpy", "memccpy", "wmemcpy", "wmemmove", "wmempcpy",
              "memcpy_inline"},
             Index != 0)
      .Case("acre_region_copy_array", Index != 0)
      .Case("bcopy", Index == 0)
      .Default(false);
}

QualType acre::ast::pointedBy(const Expr *Argument) {
  QualType Type = Argument->IgnoreParenCasts()->getType();
  return Type->isArrayType() ? Type : Type->getPointeeType();
}

bool acre::ast::isFormatted(const FunctionDecl *Callee, unsigned Index) {
  return Callee &&
         llvm::any_of(Callee->specific_attrs<FormatAttr>(), [&](const FormatAttr *Format) {
           return Format->getFirstArg() && int(Index) + 1 >= Format->getFirstArg();
         });
}

std::optional<LibraryEffect> acre::ast::libraryEffect(const CallExpr *Call) {
  llvm::StringRef Name = libraryFunction(Call);
  LibraryEffect Effect;
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
  Effect.IsFresh = isFresh(Name);
  Effect.Result = resultArgument(Name);
  Effect.CopiesMemory = copiesFrom(Call, 0) || copiesFrom(Call, 1);
  Effect.CallsBack = callsBack(Name);
  if (Name == "free" || Name == "realloc" || Name == "reallocarray")
    Effect.Freed = 0u;
  if (Effect.IsFresh || Effect.Result || Effect.Freed || onlyLooks(Name) || readsNumber(Name))
    return Effect;
  return std::nullopt;
}
