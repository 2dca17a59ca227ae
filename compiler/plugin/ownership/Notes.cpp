// SPDX-License-Identifier: MIT
//===- Notes.cpp - Functions of headers that one cannot change ------------===//

#include "plugin/ownership/Notes.h"
#include "plugin/TextFile.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include <memory>

using namespace clang;
using namespace acre::ast;

namespace {

/// What one file says.
struct NotesFile {
  llvm::StringMap<LibraryEffect> Effects;
  llvm::StringMap<std::string> Closers; ///< by the name of a structure
  llvm::StringMap<std::string> Enders;  ///< by the name of a function that makes what they end
};

/// A word of the format, with what its line says of each name.
struct Word {
  llvm::StringLiteral Name;
  enum { NoNumber, WithNumber, MaybeNumber } Takes;
  void (*Note)(LibraryEffect &Of, unsigned Number);
};
constexpr Word Words[] = {
    {"lends", Word::NoNumber, [](LibraryEffect &, unsigned) {}},
    {"points-into", Word::WithNumber,
     [](LibraryEffect &Of, unsigned N) { Of.PointsInto |= 1u << N; }},
    {"puts-bytes", Word::WithNumber, [](LibraryEffect &Of, unsigned N) { Of.Bytes |= 1u << N; }},
    {"keeps", Word::WithNumber, [](LibraryEffect &Of, unsigned N) { Of.Kept |= 1u << N; }},
    {"keeps-all", Word::NoNumber, [](LibraryEffect &Of, unsigned) { Of.KeepsAll = true; }},
    {"makes", Word::NoNumber, [](LibraryEffect &Of, unsigned) { Of.IsFresh = true; }},
    {"fills", Word::WithNumber, [](LibraryEffect &Of, unsigned N) { Of.Filled = N; }},
    {"fills-failing", Word::WithNumber,
     [](LibraryEffect &Of, unsigned N) {
       Of.Filled = N;
       Of.FillsIf = LibraryEffect::Fails;
     }},
    {"fills-always", Word::WithNumber,
     [](LibraryEffect &Of, unsigned N) {
       Of.Filled = N;
       Of.FillsIf = LibraryEffect::Any;
     }},
    {"opens", Word::WithNumber, [](LibraryEffect &Of, unsigned N) { Of.Opens = N; }},
    {"takes", Word::WithNumber, [](LibraryEffect &Of, unsigned N) { Of.Taken |= 1u << N; }},
    {"frees", Word::MaybeNumber, [](LibraryEffect &Of, unsigned N) { Of.Freed = N; }},
    {"calls", Word::NoNumber, [](LibraryEffect &Of, unsigned) { Of.CallsBack = true; }},
    {"waits", Word::NoNumber, [](LibraryEffect &Of, unsigned) { Of.Waits = true; }},
};
constexpr llvm::StringLiteral ClosesWord = "closes", EndsWord = "ends";
constexpr unsigned MostArguments = 32; ///< as many bits as LibraryEffect has for arguments

/// Reads one file, and reports what is wrong with it.
class Parser {
public:
  Parser(const TextFile &File, NotesFile &Into) : File(File), Into(Into) {}
  void parse();

private:
  void statement(llvm::ArrayRef<llvm::StringRef> Parts);
  /// What stands behind one of the two words with a colon.
  void closes(llvm::StringRef First, llvm::ArrayRef<llvm::StringRef> Parts);
  bool checkName(llvm::StringRef Name);
  void fail(llvm::StringRef At, const llvm::Twine &Reason) { File.fail(At, Reason); }

  const TextFile &File;
  NotesFile &Into;
};

bool Parser::checkName(llvm::StringRef Name) {
  const bool IsName = isNameOfC(Name);
  if (!IsName)
    fail(Name, "'" + Name + "' is not a name of C");
  return IsName;
}

void Parser::closes(llvm::StringRef First, llvm::ArrayRef<llvm::StringRef> Parts) {
  const bool IsOfType = First == ClosesWord;
  const auto *Colon = llvm::find(Parts, ":");
  if (Colon == Parts.begin() || Colon == Parts.end() || Colon + 1 == Parts.end())
    return fail(First, "'" + First + "' needs functions, a ':' between blanks, and names of " +
                           (IsOfType ? "structures" : "functions"));
  llvm::ArrayRef<llvm::StringRef> Functions(Parts.begin(), Colon), Ended(Colon + 1, Parts.end());
  if (llvm::all_of(Functions, [this](llvm::StringRef Each) { return checkName(Each); }))
    for (llvm::StringRef Each : Ended)
      if (checkName(Each))
        (IsOfType ? Into.Closers : Into.Enders)[Each] = llvm::join(Functions, " ");
}

void Parser::statement(llvm::ArrayRef<llvm::StringRef> Parts) {
  llvm::StringRef First = Parts.front();
  Parts = Parts.drop_front();
  if (First == ClosesWord || First == EndsWord)
    return closes(First, Parts);
  const auto *Known = llvm::find_if(Words, [&](const Word &Each) { return Each.Name == First; });
  if (Known == std::end(Words))
    return fail(First, "there is no word '" + First + "'");
  unsigned Number = 0;
  const bool HasNumber = !Parts.empty() && !Parts.front().getAsInteger(10, Number);
  if (HasNumber && Known->Takes == Word::NoNumber)
    return fail(Parts.front(), "'" + First + "' takes no number");
  if (!HasNumber && Known->Takes == Word::WithNumber)
    return fail(First, "'" + First + "' needs the number of an argument; the first one is 0");
  if (Number >= MostArguments)
    return fail(Parts.front(),
                "there are no more than " + llvm::Twine(MostArguments) + " arguments");
  if (HasNumber)
    Parts = Parts.drop_front();
  if (Parts.empty())
    return fail(First, "'" + First + "' names no function");
  for (llvm::StringRef Each : Parts)
    if (checkName(Each))
      Known->Note(Into.Effects[Each], Number);
}

void Parser::parse() {
  llvm::StringRef Text = File.text();
  llvm::SmallVector<llvm::StringRef, 32> Parts;
  auto End = [&] {
    if (!Parts.empty())
      statement(Parts);
    Parts.clear();
  };
  while (!Text.empty()) {
    llvm::StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    llvm::StringRef Said = Line.split('#').first.rtrim();
    if (Said.empty())
      continue;
    if (!llvm::isSpace(Said.front())) {
      End();
    } else if (Parts.empty()) {
      fail(Said.ltrim(), "nothing stands before what goes on here");
      continue;
    }
    llvm::SplitString(Said, Parts, " \t\r");
  }
  End();
  for (const auto &Each : Into.Enders)
    Into.Effects[Each.getKey()].EndedBy = Each.getValue();
  noteEnders(Into.Effects);
}

/// All files of notes of this unit.
class AllNotes {
public:
  std::vector<std::string> Named;
  std::string Installed; ///< a directory

  const std::vector<const NotesFile *> &named(ASTContext &Context);
  const LibraryEffect *effectOf(const FunctionDecl *Function);
  llvm::StringRef closersOf(const RecordDecl *Type);

private:
  /// Null if there is none; IsNeeded: then that is an error.
  const NotesFile *read(ASTContext &Context, llvm::StringRef Path, bool IsNeeded);
  /// The notes that belong to the header where this is declared.
  std::vector<const NotesFile *> besides(ASTContext &Context, SourceLocation Declared);

  llvm::StringMap<std::unique_ptr<NotesFile>> Files;
  std::vector<const NotesFile *> NamedFiles;
  bool AreNamedRead = false;
  llvm::DenseMap<FileID, std::vector<const NotesFile *>> OfHeaders;
  llvm::DenseMap<const FunctionDecl *, const LibraryEffect *> Found;
};

const NotesFile *AllNotes::read(ASTContext &Context, llvm::StringRef Path, bool IsNeeded) {
  auto [Entry, IsNew] = Files.try_emplace(Path);
  if (!IsNew)
    return Entry->second.get();
  SourceManager &Sources = Context.getSourceManager();
  OptionalFileEntryRef File = Sources.getFileManager().getOptionalFileRef(Path);
  if (!File) {
    DiagnosticsEngine &Engine = Context.getDiagnostics();
    if (IsNeeded)
      Engine.Report(
          Engine.getCustomDiagID(DiagnosticsEngine::Error, "cannot read the file of notes '%0'"))
          << Path;
    return nullptr;
  }
  Entry->second = std::make_unique<NotesFile>();
  FileID Id = Sources.getOrCreateFileID(*File, SrcMgr::C_User);
  Parser(TextFile(Context, Id, "notes"), *Entry->second).parse();
  return Entry->second.get();
}

const std::vector<const NotesFile *> &AllNotes::named(ASTContext &Context) {
  if (!std::exchange(AreNamedRead, true))
    for (const std::string &Each : Named)
      if (const NotesFile *File = read(Context, Each, true))
        NamedFiles.push_back(File);
  return NamedFiles;
}

std::vector<const NotesFile *> AllNotes::besides(ASTContext &Context, SourceLocation Declared) {
  SourceManager &Sources = Context.getSourceManager();
  const FileID Id = Sources.getFileID(Sources.getExpansionLoc(Declared));
  auto [Entry, IsNew] = OfHeaders.try_emplace(Id);
  OptionalFileEntryRef Header = Sources.getFileEntryRefForID(Id);
  if (!IsNew || !Header || Id == Sources.getMainFileID())
    return Entry->second;
  llvm::SmallString<128> Beside = Header->getName();
  llvm::sys::path::replace_extension(Beside, "acre");
  std::vector<std::string> Paths = {std::string(Beside)};
  if (!Installed.empty()) {
    llvm::StringRef Name = llvm::sys::path::filename(Beside);
    llvm::StringRef Folder = llvm::sys::path::filename(llvm::sys::path::parent_path(Beside));
    Paths.push_back(Installed + "/" + Folder.str() + "/" + Name.str());
    Paths.push_back(Installed + "/" + Name.str());
  }
  std::vector<const NotesFile *> Result;
  for (const std::string &Each : Paths)
    if (const NotesFile *File = read(Context, Each, false))
      Result.push_back(File);
  return OfHeaders[Id] = Result;
}

const LibraryEffect *AllNotes::effectOf(const FunctionDecl *Function) {
  Function = Function->getCanonicalDecl();
  auto [Entry, IsNew] = Found.try_emplace(Function, nullptr);
  if (!IsNew || !Function->getIdentifier())
    return Entry->second;
  ASTContext &Context = Function->getASTContext();
  std::vector<const NotesFile *> Asked = named(Context);
  for (const FunctionDecl *Each : Function->redecls())
    if (Each->getLocation().isValid() && !Each->doesThisDeclarationHaveABody())
      llvm::append_range(Asked, besides(Context, Each->getLocation()));
  for (const NotesFile *Each : Asked)
    if (auto Said = Each->Effects.find(Function->getName()); Said != Each->Effects.end())
      return Found[Function] = &Said->second;
  return nullptr;
}

llvm::StringRef AllNotes::closersOf(const RecordDecl *Type) {
  ASTContext &Context = Type->getASTContext();
  std::vector<const NotesFile *> Asked = named(Context);
  if (Type->getLocation().isValid())
    llvm::append_range(Asked, besides(Context, Type->getLocation()));
  for (const NotesFile *Each : Asked)
    if (auto Said = Each->Closers.find(Type->getName()); Said != Each->Closers.end())
      return Said->second;
  return "";
}

/// The compiler compiles one unit, and its options stand for all of it.
AllNotes &notes() {
  static AllNotes All;
  return All;
}

} // namespace

void acre::ast::addNotes(llvm::StringRef File, bool IsInstalled) {
  if (IsInstalled)
    notes().Installed = File.str();
  else
    notes().Named.push_back(File.str());
}

void acre::ast::readNamedNotes(ASTContext &Context) { notes().named(Context); }

const LibraryEffect *acre::ast::notedEffect(const FunctionDecl *Function) {
  return notes().effectOf(Function);
}

llvm::StringRef acre::ast::notedClosers(const RecordDecl *Type) { return notes().closersOf(Type); }
