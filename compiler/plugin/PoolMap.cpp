// SPDX-License-Identifier: MIT
//===- PoolMap.cpp - The functions of an API of pools ---------------------===//

#include "plugin/PoolMap.h"
#include "plugin/TextFile.h"
#include "versions/Clang.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include <memory>
#include <vector>

using namespace clang;
using namespace acre;
using namespace acre::ast;

namespace {

constexpr struct {
  llvm::StringLiteral Name;
  PoolWord Word;
  /// Roles without which the word says nothing, and others that it takes.
  std::initializer_list<PoolRole> Needed, Taken;
} Words[] = {
    {"create", PoolWord::Create, {}, {PoolRole::Parent, PoolRole::Out}},
    {"alloc", PoolWord::Alloc, {PoolRole::Size}, {PoolRole::Count, PoolRole::Align}},
    {"bytes", PoolWord::Bytes, {PoolRole::Size}, {PoolRole::Count, PoolRole::Align}},
    {"copy", PoolWord::Copy, {PoolRole::From, PoolRole::Size}, {}},
    {"text", PoolWord::Text, {}, {}},
    {"release", PoolWord::Release, {PoolRole::Object}, {}},
    {"resize", PoolWord::Resize, {PoolRole::Object, PoolRole::Size}, {}},
    {"owner", PoolWord::Owner, {PoolRole::Object}, {}},
    {"space", PoolWord::Space, {PoolRole::Object}, {}},
    {"total", PoolWord::Total, {}, {}},
    {"empty", PoolWord::Empty, {}, {}},
    {"destroy", PoolWord::Destroy, {}, {}},
    {"clear", PoolWord::Clear, {}, {}},
    {"clear-only", PoolWord::ClearOnly, {}, {}},
    {"name", PoolWord::Name, {PoolRole::Name}, {}},
    {"other", PoolWord::Other, {}, {}},
};
constexpr llvm::StringLiteral Roles[PoolRoleCount] = {"pool",  "parent", "out",  "size", "count",
                                                      "align", "object", "from", "name"};
constexpr llvm::StringLiteral NoRole = "_";

/// Reads one file, and reports what is wrong with it.
class Parser {
public:
  Parser(const TextFile &File, PoolMap &Into) : File(File), Into(Into) {}
  void parse();

private:
  void statement(llvm::StringRef Line);
  void function(llvm::StringRef Said, PoolWord Word);
  bool arguments(llvm::StringRef List, PoolFunction &Function);
  void checkRoles(llvm::StringRef Name, const PoolFunction &Function);
  void fail(llvm::StringRef At, const llvm::Twine &Reason) { File.fail(At, Reason); }

  const TextFile &File;
  PoolMap &Into;
};

bool Parser::arguments(llvm::StringRef List, PoolFunction &Function) {
  llvm::SmallVector<llvm::StringRef, 8> Names;
  if (!List.trim().empty())
    List.split(Names, ',');
  for (unsigned I = 0; I != Names.size(); ++I) {
    llvm::StringRef Name = Names[I].trim();
    if (Name == NoRole)
      continue;
    const auto *Role = llvm::find(Roles, Name);
    if (Role == std::end(Roles)) {
      fail(Names[I], "there is no role '" + Name + "'; an argument without one is '_'");
      return false;
    }
    std::optional<unsigned> &Place = Function.Arguments[Role - std::begin(Roles)];
    if (Place) {
      fail(Names[I], "two arguments are '" + Name + "'");
      return false;
    }
    Place = I;
  }
  return true;
}

void Parser::checkRoles(llvm::StringRef Name, const PoolFunction &Function) {
  if (Function.Word == PoolWord::Other)
    return;
  const auto *Known =
      llvm::find_if(Words, [&](const auto &Each) { return Each.Word == Function.Word; });
  for (PoolRole Role : Known->Needed)
    if (!Function[Role])
      fail(Name, "'" + Known->Name + "' needs an argument that is '" + Roles[unsigned(Role)] + "'");
  for (unsigned I = 0; I != PoolRoleCount; ++I)
    if (Function.Arguments[I] && !llvm::is_contained(Known->Needed, PoolRole(I)) &&
        !llvm::is_contained(Known->Taken, PoolRole(I)) &&
        (PoolRole(I) != PoolRole::Pool || Function.Word == PoolWord::Create))
      fail(Name, "'" + Known->Name + "' takes no argument that is '" + Roles[I] + "'");
  const bool NamesPool =
      Function[PoolRole::Pool] || !Function.Variable.empty() || Function[PoolRole::Object];
  if (!Function.Variable.empty() && Function[PoolRole::Pool])
    fail(Name, "an argument is 'pool', and 'of' names a variable: which is it?");
  if (Function.Word != PoolWord::Create && !NamesPool)
    fail(Name, "'" + Known->Name +
                   "' needs an argument that is 'pool', or 'of' and the variable that holds it");
}

void Parser::function(llvm::StringRef Said, PoolWord Word) {
  auto [Name, Rest] = Said.split('(');
  Name = Name.trim();
  if (!isNameOfC(Name))
    return fail(Said, "'" + Name + "' is no name of a function");
  PoolFunction Function{Word, {}, "", Into.Most, &Into, File.placeOf(Name)};
  auto [List, Behind] = Rest.split(')');
  if (List.size() == Rest.size() && Word != PoolWord::Other)
    return fail(Name, "the arguments of '" + Name + "' stand in parentheses");
  if (Word != PoolWord::Other && !arguments(List, Function))
    return;
  Behind = Behind.trim();
  if (Behind.consume_front("of "))
    Function.Variable = Behind.trim().str();
  else if (!Behind.empty())
    return fail(Behind, "only 'of' and a variable may stand behind the arguments");
  if (!Function.Variable.empty() && !isNameOfC(Function.Variable))
    return fail(Behind, "'" + Function.Variable + "' is no name of a variable");
  checkRoles(Name, Function);
  if (!Into.Functions.try_emplace(Name, std::move(Function)).second)
    fail(Name, "'" + Name + "' was said before");
}

void Parser::statement(llvm::StringRef Line) {
  auto [First, Rest] = Line.split(' ');
  Rest = Rest.trim();
  if (First == "pool") {
    if (!Into.Type.empty())
      return fail(First, "a map is about one type of pools; another may stand in another map");
    if (!isNameOfC(Rest))
      return fail(First, "'pool' needs the name of a structure or typedef");
    Into.Type = Rest.str();
    Into.TypeSaid = File.placeOf(First);
  } else if (First == "align") {
    if (Rest.getAsInteger(10, Into.Align) || Into.Align == 0 || Into.Align > 4096 ||
        (Into.Align & (Into.Align - 1)) != 0)
      fail(First, "'align' needs a power of two, at most 4096");
  } else if (First == "most") {
    uint32_t Most = 0;
    if (Rest.getAsInteger(10, Most) || Most == 0)
      fail(First, "'most' needs a number of bytes, less than 4294967296");
    Into.Most = Most;
  } else if (const auto *Known =
                 llvm::find_if(Words, [&](const auto &Each) { return Each.Name == First; });
             Known != std::end(Words)) {
    function(Rest, Known->Word);
  } else {
    fail(First, "there is no word '" + First + "'");
  }
}

void Parser::parse() {
  llvm::StringRef Text = File.text(), Whole = Text;
  while (!Text.empty()) {
    llvm::StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    if (llvm::StringRef Said = Line.split('#').first.trim(); !Said.empty())
      statement(Said);
  }
  if (Into.Type.empty())
    fail(Whole.take_front(0), "no line 'pool NAME' says what a pool is");
  else if (Into.Functions.empty())
    fail(Whole.take_front(0), "no function is named");
}

/// What is wrong with a map as a whole, or where it meets a unit.
void report(const ASTContext &Context, DiagnosticsEngine::Level As, SourceLocation At,
            const llvm::Twine &Reason) {
  DiagnosticsEngine &Engine = Context.getDiagnostics();
  Engine.Report(At, Engine.getCustomDiagID(As, "pool map: %0")) << Reason.str();
}

/// All maps of this unit.
class AllMaps {
public:
  std::vector<std::string> Named;

  void read(ASTContext &Context);
  const PoolFunction *of(const FunctionDecl *Function);
  void reportUncovered(ASTContext &Context);
  void checkDefined(ASTContext &Context);

private:
  /// The functions of a unit that take a pool or are in its map.
  struct Declared;

  Declared declaredOf(const PoolMap &Map, const ASTContext &Context) const;
  bool isNamed(const FunctionDecl *Function) const;
  bool hasWord(llvm::StringRef Type, std::initializer_list<PoolWord> AnyOf) const;
  void checkWhole(const ASTContext &Context) const;
  bool fits(const FunctionDecl *Function, const PoolFunction &Said);

  std::vector<std::unique_ptr<PoolMap>> Maps;
  llvm::DenseMap<const FunctionDecl *, const PoolFunction *> Found; // by first declaration
};

/// The compiler compiles one unit, and its options stand for all of it.
AllMaps &maps() {
  static AllMaps All;
  return All;
}

void AllMaps::read(ASTContext &Context) {
  SourceManager &Sources = Context.getSourceManager();
  DiagnosticsEngine &Engine = Context.getDiagnostics();
  for (const std::string &Each : Named) {
    OptionalFileEntryRef File = Sources.getFileManager().getOptionalFileRef(Each);
    if (!File) {
      Engine.Report(
          Engine.getCustomDiagID(DiagnosticsEngine::Error, "cannot read the map of pools '%0'"))
          << Each;
      continue;
    }
    Maps.push_back(std::make_unique<PoolMap>());
    Maps.back()->File = Each;
    FileID Id = Sources.getOrCreateFileID(*File, SrcMgr::C_User);
    Parser(TextFile(Context, Id, "pool map"), *Maps.back()).parse();
  }
  checkWhole(Context);
}

bool AllMaps::hasWord(llvm::StringRef Type, std::initializer_list<PoolWord> AnyOf) const {
  return llvm::any_of(Maps, [&](const std::unique_ptr<PoolMap> &Map) {
    return Map->Type == Type && llvm::any_of(Map->Functions, [&](const auto &Each) {
             return llvm::is_contained(AnyOf, Each.second.Word);
           });
  });
}

/// A pool that is seen to begin nowhere has no region, so that nothing of it would be checked; nor
/// would it if it had no object, or ended nowhere.
void AllMaps::checkWhole(const ASTContext &Context) const {
  auto Fail = [&](const PoolMap &Map, llvm::StringRef Missing) {
    report(Context, DiagnosticsEngine::Error, Map.TypeSaid,
           "no line " + Missing + " of a '" + Map.Type + "'");
  };
  for (const std::unique_ptr<PoolMap> &Map : Maps) {
    if (Map->Type.empty() || Map->Functions.empty())
      continue;
    if (!hasWord(Map->Type, {PoolWord::Create}))
      Fail(*Map, "'create' tells the beginning");
    if (!hasWord(Map->Type, {PoolWord::Alloc, PoolWord::Bytes, PoolWord::Copy, PoolWord::Text,
                             PoolWord::Resize}))
      Fail(*Map, "'alloc' tells an object");
    if (!hasWord(Map->Type, {PoolWord::Destroy, PoolWord::Clear, PoolWord::ClearOnly,
                             PoolWord::Release, PoolWord::Resize}))
      Fail(*Map, "'destroy', 'clear' or 'release' tells an end");
  }
}

/// Whether an argument with Role may have Type.
bool mayBe(const PoolMap &Map, PoolRole Role, QualType Type) {
  switch (Role) {
  case PoolRole::Pool:
  case PoolRole::Parent:
    return Map.isPointerToPool(Type);
  case PoolRole::Out:
    return Type->isPointerType() && Map.isPointerToPool(Type->getPointeeType());
  case PoolRole::Size:
  case PoolRole::Count:
  case PoolRole::Align:
    return Type->isIntegerType();
  case PoolRole::Object:
  case PoolRole::From:
  case PoolRole::Name:
    return Type->isPointerType();
  }
  llvm_unreachable("all roles are above");
}

bool AllMaps::fits(const FunctionDecl *Function, const PoolFunction &Said) {
  auto Fail = [&](const llvm::Twine &Reason) {
    report(Function->getASTContext(), DiagnosticsEngine::Error, Said.Said, Reason);
    DiagnosticsEngine &Engine = Function->getASTContext().getDiagnostics();
    Engine.Report(Function->getLocation(),
                  Engine.getCustomDiagID(DiagnosticsEngine::Note, "it is declared here"));
    return false;
  };
  llvm::StringRef Name = Function->getName();
  for (unsigned I = 0; I != PoolRoleCount; ++I) {
    std::optional<unsigned> Index = Said.Arguments[I];
    if (!Index)
      continue;
    if (*Index >= Function->getNumParams())
      return Fail("'" + Name + "' has " + llvm::Twine(Function->getNumParams()) +
                  " parameters, and the map speaks of number " + llvm::Twine(*Index + 1));
    if (!mayBe(*Said.Map, PoolRole(I), Function->getParamDecl(*Index)->getType()))
      return Fail("parameter " + llvm::Twine(*Index + 1) + " of '" + Name + "' cannot be '" +
                  Roles[I] + "': its type is " +
                  Function->getParamDecl(*Index)->getType().getAsString());
  }
  const QualType Result = Function->getReturnType();
  const bool GivesPool =
      (Said.Word == PoolWord::Create && !Said[PoolRole::Out]) || Said.Word == PoolWord::Owner;
  if (GivesPool && !Said.Map->isPointerToPool(Result))
    return Fail("'" + Name + "' returns no pool, and no argument is 'out'");
  const bool GivesMemory = Said.Word == PoolWord::Alloc || Said.Word == PoolWord::Bytes ||
                           Said.Word == PoolWord::Copy || Said.Word == PoolWord::Text ||
                           Said.Word == PoolWord::Resize;
  if (GivesMemory && !Result->isPointerType())
    return Fail("'" + Name + "' returns no pointer, so it gives no memory");
  const bool GivesNumber =
      Said.Word == PoolWord::Space || Said.Word == PoolWord::Total || Said.Word == PoolWord::Empty;
  if (GivesNumber && !Result->isIntegerType())
    return Fail("'" + Name + "' returns no number");
  return true;
}

const PoolFunction *AllMaps::of(const FunctionDecl *Function) {
  if (Maps.empty() || !Function->getIdentifier())
    return nullptr;
  auto [Entry, IsNew] = Found.try_emplace(Function->getCanonicalDecl(), nullptr);
  if (!IsNew)
    return Entry->second;
  for (const std::unique_ptr<PoolMap> &Each : Maps)
    if (auto Said = Each->Functions.find(Function->getName()); Said != Each->Functions.end())
      return Found[Function->getCanonicalDecl()] =
                 fits(Function, Said->second) ? &Said->second : nullptr;
  return nullptr;
}

/// Whether a caller hands Function a pool, of which a map then has to know what becomes.
bool takesPool(const PoolMap &Map, const FunctionDecl *Function) {
  return llvm::any_of(Function->parameters(), [&](const ParmVarDecl *Parameter) {
    QualType Type = Parameter->getType();
    return !Type->isVoidPointerType() && Map.isPointerToPool(Type);
  });
}

FileID fileOf(const FunctionDecl *Function) {
  const SourceManager &Sources = Function->getASTContext().getSourceManager();
  return Sources.getFileID(Sources.getExpansionLoc(Function->getLocation()));
}

struct AllMaps::Declared {
  /// What the map names, and what takes a pool and is named by no map.
  std::vector<const FunctionDecl *> Mapped, Others;
  /// The files that declare one that is named.
  llvm::DenseSet<FileID> Files;
  /// Whether one that is named takes a pool.
  bool HasPools = false;
};

/// Whether any map names Function: several may be about one type.
bool AllMaps::isNamed(const FunctionDecl *Function) const {
  return llvm::any_of(Maps, [&](const std::unique_ptr<PoolMap> &Map) {
    return Map->Functions.contains(Function->getName());
  });
}

AllMaps::Declared AllMaps::declaredOf(const PoolMap &Map, const ASTContext &Context) const {
  Declared Result;
  for (const Decl *Each : Context.getTranslationUnitDecl()->decls()) {
    const auto *Function = dyn_cast<FunctionDecl>(Each);
    if (!Function || !Function->getIdentifier() || !Function->isCanonicalDecl())
      continue;
    if (Map.Functions.contains(Function->getName())) {
      Result.Mapped.push_back(Function);
      Result.Files.insert(fileOf(Function));
      Result.HasPools |= takesPool(Map, Function);
    } else if (takesPool(Map, Function) && !isNamed(Function)) {
      Result.Others.push_back(Function);
    }
  }
  llvm::erase_if(Result.Others, [&](const FunctionDecl *Function) {
    return !Result.Files.contains(fileOf(Function));
  });
  return Result;
}

/// Where a function is defined that takes the pool from a variable, the variable is in sight, and
/// other units can ask it too. HasPools: functions with pools are in sight; where none are, another
/// program may have a function of that name that knows no pools, as PostgreSQL's clients do.
void checkVariable(const FunctionDecl *Function, const PoolFunction &Said, bool HasPools) {
  if (Said.Variable.empty() || !Function->getDefinition())
    return;
  ASTContext &Context = Function->getASTContext();
  const VarDecl *Found = nullptr;
  for (const NamedDecl *Each :
       Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Said.Variable)))
    if (const auto *Variable = dyn_cast<VarDecl>(Each))
      Found = Variable;
  if (Found ? Found->isExternallyVisible() || !Function->isExternallyVisible() : !HasPools)
    return;
  report(Context, DiagnosticsEngine::Error, Said.Said,
         "'" + llvm::Twine(Said.Variable) + "' cannot be found where '" + Function->getName() +
             "' is called: the variable is " +
             (Found ? "static" : "not declared where the function is defined"));
}

void AllMaps::reportUncovered(ASTContext &Context) {
  DiagnosticsEngine &Engine = Context.getDiagnostics();
  for (const std::unique_ptr<PoolMap> &Map : Maps) {
    const Declared All = declaredOf(*Map, Context);
    for (const FunctionDecl *Each : All.Mapped) {
      of(Each);
      checkVariable(Each, Map->Functions.find(Each->getName())->second, All.HasPools);
    }
    for (const FunctionDecl *Each : All.Others)
      if (!Each->doesThisDeclarationHaveABody())
        Engine.Report(Each->getLocation(),
                      Engine.getCustomDiagID(DiagnosticsEngine::Error,
                                             "'%0' takes a pool and is not in the map '%1'"))
            << Each->getName() << Map->File;
  }
}

/// The name in Map that Function may have been meant by: one that this unit does not declare.
llvm::StringRef misspelled(const PoolMap &Map, const FunctionDecl *Function) {
  ASTContext &Context = Function->getASTContext();
  constexpr unsigned MostEdits = 2;
  for (const auto &Each : Map.Functions)
    if (Each.first().edit_distance(Function->getName(), true, MostEdits) <= MostEdits &&
        Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Each.first())).empty())
      return Each.first();
  return "";
}

bool callsOneOf(const PoolMap &Map, const Stmt *In) {
  if (!In)
    return false;
  if (const auto *Call = dyn_cast<CallExpr>(In))
    if (const FunctionDecl *Callee = Call->getDirectCallee();
        Callee && Callee->getIdentifier() && Map.Functions.contains(Callee->getName()))
      return true;
  return llvm::any_of(In->children(), [&](const Stmt *Each) { return callsOneOf(Map, Each); });
}

/// Whether Function looks as if it ended a pool or its objects, or made an object by itself: so as
/// if the map should name it.
bool looksLikePrimitive(const PoolMap &Map, const FunctionDecl *Function) {
  const QualType Result = Function->getReturnType();
  if (Result->isVoidType())
    return Function->getNumParams() == 1;
  return Result->isVoidPointerType() && !callsOneOf(Map, Function->getBody()) &&
         llvm::any_of(Function->parameters(), [](const ParmVarDecl *Parameter) {
           return Parameter->getType()->isIntegerType();
         });
}

void AllMaps::checkDefined(ASTContext &Context) {
  const FileID Main = Context.getSourceManager().getMainFileID();
  for (const std::unique_ptr<PoolMap> &Map : Maps) {
    const Declared All = declaredOf(*Map, Context);
    for (const FunctionDecl *Each : All.Mapped)
      checkVariable(Each, Map->Functions.find(Each->getName())->second, All.HasPools);
    for (const FunctionDecl *Each : All.Others) {
      // What a header declares is the API; what the file has for itself is not.
      if (!Each->getDefinition() || Each->doesThisDeclarationHaveABody() || fileOf(Each) == Main)
        continue;
      const llvm::StringRef Meant = misspelled(*Map, Each);
      if (Meant.empty() && !looksLikePrimitive(*Map, Each))
        continue;
      const std::string Advice =
          Meant.empty()
              ? ("; 'other " + Each->getName() + "' there says that it needs nothing").str()
              : (", whose '" + Meant + "' no declaration has").str();
      report(Context, DiagnosticsEngine::Warning, Each->getLocation(),
             "'" + Each->getName() + "' takes a pool and is not in '" + Map->File + "'" + Advice);
    }
  }
}

} // namespace

bool PoolMap::isPointerToPool(QualType Pointer) const {
  if (!Pointer->isPointerType())
    return false;
  QualType Pointee = Pointer->getPointeeType();
  if (Pointee->isVoidType())
    return true;
  if (const RecordDecl *Record = Pointee->getAsRecordDecl(); Record && Record->getName() == Type)
    return true;
  for (const auto *Alias = Pointee->getAs<TypedefType>(); Alias;
       Alias = Alias->desugar()->getAs<TypedefType>())
    if (Alias->getDecl()->getName() == Type)
      return true;
  return false;
}

std::optional<uint64_t> PoolMap::sizeIn(const ASTContext &Context) const {
  IdentifierInfo &Id = Context.Idents.get(Type);
  for (const NamedDecl *Each : Context.getTranslationUnitDecl()->lookup(&Id)) {
    QualType Named;
    if (const auto *Alias = dyn_cast<TypedefNameDecl>(Each))
      Named = Alias->getUnderlyingType();
    else if (const auto *Record = dyn_cast<RecordDecl>(Each))
      Named = canonicalTagType(Context, Record);
    if (!Named.isNull() && !Named->isIncompleteType() && !Named->isFunctionType())
      return Context.getTypeSizeInChars(Named).getQuantity();
  }
  return std::nullopt;
}

void acre::ast::addPoolMap(llvm::StringRef File) { maps().Named.push_back(File.str()); }
void acre::ast::readPoolMaps(ASTContext &Context) { maps().read(Context); }
const PoolFunction *acre::ast::pooledFunction(const FunctionDecl *Function) {
  return maps().of(Function);
}
void acre::ast::reportUncovered(ASTContext &Context) { maps().reportUncovered(Context); }
void acre::ast::checkDefinedPools(ASTContext &Context) { maps().checkDefined(Context); }
