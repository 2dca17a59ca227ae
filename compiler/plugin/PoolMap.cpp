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

/// All maps of this unit.
class AllMaps {
public:
  std::vector<std::string> Named;

  void read(ASTContext &Context);
  const PoolFunction *of(const FunctionDecl *Function);
  void reportUncovered(ASTContext &Context);

private:
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
  DiagnosticsEngine &Engine = Function->getASTContext().getDiagnostics();
  auto Fail = [&](const llvm::Twine &Reason) {
    Engine.Report(Said.Said, Engine.getCustomDiagID(DiagnosticsEngine::Error, "pool map: %0"))
        << Reason.str();
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

void AllMaps::reportUncovered(ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  DiagnosticsEngine &Engine = Context.getDiagnostics();
  auto FileOf = [&](const FunctionDecl *Function) {
    return Sources.getFileID(Sources.getExpansionLoc(Function->getLocation()));
  };
  for (const std::unique_ptr<PoolMap> &Map : Maps) {
    llvm::DenseSet<FileID> Headers;
    std::vector<const FunctionDecl *> Others;
    for (const Decl *Each : Context.getTranslationUnitDecl()->decls()) {
      const auto *Function = dyn_cast<FunctionDecl>(Each);
      if (!Function || !Function->getIdentifier() || !Function->isCanonicalDecl())
        continue;
      if (Map->Functions.contains(Function->getName())) {
        of(Function);
        Headers.insert(FileOf(Function));
      } else if (!Function->hasBody() && takesPool(*Map, Function)) {
        Others.push_back(Function);
      }
    }
    for (const FunctionDecl *Each : Others)
      if (Headers.contains(FileOf(Each)))
        Engine.Report(Each->getLocation(),
                      Engine.getCustomDiagID(DiagnosticsEngine::Error,
                                             "'%0' takes a pool and is not in the map '%1'"))
            << Each->getName() << Map->File;
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
