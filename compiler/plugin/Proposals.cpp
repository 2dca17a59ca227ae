// SPDX-License-Identifier: MIT
//===- Proposals.cpp - Where a missing word goes, as fix-its --------------===//

#include "plugin/Proposals.h"
#include "plugin/Annotations.h"
#include "plugin/DirectivePlaces.h"
#include "versions/Clang.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace acre;
using namespace acre::ast;

namespace {
constexpr llvm::StringRef ShortWord = "deletes", LongWord = "ACRE_DELETES",
                          WithoutShortWords = "ACRE_NO_SHORT_NAMES";

class Recorder : public PPCallbacks {
public:
  explicit Recorder(SourceManager &Sources) : Sources(Sources) {}

  void InclusionDirective(SourceLocation Hash, const Token &, StringRef Name, bool, CharSourceRange,
                          OptionalFileEntryRef File, StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (File)
      Files.add(Sources.getFileEntryForID(Sources.getFileID(Hash)), &File->getFileEntry(), Name);
  }

  Inclusions Files;

private:
  SourceManager &Sources;
};
} // namespace

void Inclusions::add(const FileEntry *From, const FileEntry *To, llvm::StringRef Name) {
  Files[From].push_back(To);
  if (Header.empty() && Name.starts_with("acre/"))
    Header = Name.str();
}

bool Inclusions::reaches(const FileEntry *From, const FileEntry *To) const {
  llvm::SmallVector<const FileEntry *, 16> Next = {From};
  llvm::DenseSet<const FileEntry *> Seen = {From};
  while (!Next.empty()) {
    auto Found = Files.find(Next.pop_back_val());
    if (Found == Files.end())
      continue;
    for (const FileEntry *Each : Found->second) {
      if (Each == To)
        return true;
      if (Seen.insert(Each).second)
        Next.push_back(Each);
    }
  }
  return false;
}

const Inclusions &ast::recordInclusions(Preprocessor &Input) {
  auto Made = std::make_unique<Recorder>(Input.getSourceManager());
  const Inclusions &Result = Made->Files;
  Input.addPPCallbacks(std::move(Made));
  return Result;
}

bool Proposals::isWord(llvm::StringRef Name, SourceLocation At) const {
  MacroDefinition Found = Input.getMacroDefinitionAtLoc(Input.getIdentifierInfo(Name), At);
  const MacroInfo *Macro = Found.getMacroInfo();
  // The program may have a macro of its own that is called deletes.
  return Macro && (Name == LongWord ||
                   (Macro->getNumTokens() == 1 && Macro->getReplacementToken(0).isAnyIdentifier() &&
                    Macro->getReplacementToken(0).getIdentifierInfo()->getName() == LongWord));
}

llvm::StringRef Proposals::wordAt(SourceLocation At) const {
  return isWord(ShortWord, At) ? ShortWord : isWord(LongWord, At) ? LongWord : llvm::StringRef();
}

const FileEntry *Proposals::fileOfWords() const {
  const MacroInfo *Macro = Input.getMacroInfo(Input.getIdentifierInfo(LongWord));
  const SourceManager &Sources = Context.getSourceManager();
  return Macro ? Sources.getFileEntryForID(Sources.getFileID(Macro->getDefinitionLoc())) : nullptr;
}

SourceLocation Proposals::writtenAt(SourceLocation At) const {
  const SourceManager &Sources = Context.getSourceManager();
  At = At.isValid() ? Sources.getSpellingLoc(At) : At;
  if (At.isInvalid() || !Sources.getFileEntryForID(Sources.getFileID(At)) ||
      Sources.isInSystemHeader(At))
    return SourceLocation();
  return At;
}

FixItHint Proposals::includeIn(SourceLocation Before) const {
  const SourceManager &Sources = Context.getSourceManager();
  const auto [File, Offset] = Sources.getDecomposedLoc(Before);
  unsigned Place = placeOfInclude(Sources.getBufferData(File), Offset, Context.getLangOpts());
  // The words that the program does not want would come with an include that is read first.
  const MacroInfo *Unwanted = Input.getMacroInfo(Input.getIdentifierInfo(WithoutShortWords));
  bool IsClean =
      !Unwanted || !Sources.getFileEntryForID(Sources.getFileID(Unwanted->getDefinitionLoc()));
  if (!IsClean || Included.header().empty())
    return FixItHint();
  return Reports.insertion(
      Sources.getLocForStartOfFile(File).getLocWithOffset(static_cast<int>(Place)),
      ("#include <" + Included.header() + ">\n").str());
}

void Proposals::addWord(SourceLocation At, Hints &To) {
  const SourceManager &Sources = Context.getSourceManager();
  SourceLocation Place = writtenAt(At);
  if (Place.isInvalid() || Offered.contains(Place))
    return;
  llvm::StringRef Word = wordAt(Sources.getExpansionLoc(At));
  FileID File = Sources.getFileID(Place);
  bool IsAlone = File == Sources.getMainFileID() || Included.reaches(nullptr, fileOfWords()) ||
                 Included.reaches(Sources.getFileEntryForID(File), fileOfWords());
  FixItHint Include;
  if (Word.empty() || !IsAlone)
    Include = includeIn(Place);
  if (Word.empty() && Include.isNull())
    return;
  if (Word.empty())
    Word = Input.isMacroDefined(ShortWord) ? ShortWord : LongWord;
  FixItHint Hint = Reports.insertion(Place.getLocWithOffset(1), (" " + Word).str());
  if (Hint.isNull())
    return;
  Offered.insert(Place);
  if (!Include.isNull())
    To.push_back(Include);
  To.push_back(Hint);
}

/// Proposes a declaration of Wanted without parameters, before what starts at At.
void Proposals::addDeclaration(const FunctionDecl *Wanted, SourceLocation At, Hints &To) {
  FunctionTypeLoc Written = acre::functionTypeLoc(Wanted);
  SourceLocation Begin = Wanted->getBeginLoc(),
                 End = Written ? Written.getLParenLoc() : SourceLocation();
  const SourceManager &Sources = Context.getSourceManager();
  if (!At.isFileID() || !Begin.isFileID() || End.isInvalid() || !End.isFileID() ||
      writtenAt(At).isInvalid() || !Sources.isWrittenInSameFile(Begin, End) || Offered.contains(At))
    return;
  std::string Head = Lexer::getSourceText(CharSourceRange::getCharRange(Begin, End), Sources,
                                          Context.getLangOpts())
                         .str();
  llvm::StringRef Word = wordAt(At), Text = Head;
  if (Word.empty() || Text.contains("//") || Text.contains('#') ||
      Text.count('(') != Text.count(')')) // the result is a pointer to functions
    return;
  for (char &Each : Head)
    if (Each == '\n' || Each == '\r')
      Each = ' ';
  FixItHint Hint =
      Reports.insertion(At, llvm::StringRef(Head).rtrim().str() + "() " + Word.str() + ";\n");
  if (Hint.isNull())
    return;
  Offered.insert(At);
  To.push_back(Hint);
}

static bool isDeclaredBefore(const FunctionDecl *Definition) {
  return llvm::any_of(Definition->redecls(), [&](const FunctionDecl *Each) {
    return Each != Definition && !Each->isImplicit();
  });
}

Proposals::Hints Proposals::deletesOn(const FunctionDecl *Declared) {
  Hints Result;
  FunctionTypeLoc Written = acre::functionTypeLoc(Declared);
  bool IsOldStyle = !Declared->hasWrittenPrototype() && Declared->doesThisDeclarationHaveABody() &&
                    Declared->getNumParams() != 0;
  if (Written && !IsOldStyle) {
    addWord(Written.getRParenLoc(), Result);
  } else if (Written) {
    if (!isDeclaredBefore(Declared))
      addDeclaration(Declared, Declared->getBeginLoc(), Result); // which cannot say it itself
  } else if (const TypeSourceInfo *Source = Declared->getTypeSourceInfo()) {
    // Declared by the name of a type: the word stands after the name.
    if (auto Named = Source->getTypeLoc().getAsAdjusted<TypedefTypeLoc>()) {
      SourceLocation Last = Named.getNameLoc();
      unsigned Size = Last.isFileID() ? Lexer::MeasureTokenLength(Last, Context.getSourceManager(),
                                                                  Context.getLangOpts())
                                      : 0;
      if (Size)
        addWord(Last.getLocWithOffset(static_cast<int>(Size) - 1), Result);
    }
  }
  return Result;
}

Proposals::Hints Proposals::deletesBeforeCall(const FunctionDecl *Wanted, SourceLocation Call) {
  Hints Result;
  const SourceManager &Sources = Context.getSourceManager();
  Call = Sources.getExpansionLoc(Call);
  for (const Decl *Each : Context.getTranslationUnitDecl()->decls())
    if (const auto *Caller = dyn_cast<FunctionDecl>(Each);
        Caller && Caller->doesThisDeclarationHaveABody() &&
        Sources.isPointWithin(Call, Caller->getBeginLoc(), Caller->getEndLoc()))
      addDeclaration(Wanted, Caller->getBeginLoc(), Result);
  return Result;
}

Proposals::Hints Proposals::deletesOnAll(const FunctionDecl *Function) {
  Hints Result;
  for (const FunctionDecl *Each : Function->redecls())
    if (!Each->isImplicit())
      Result.append(deletesOn(Each));
  return Result;
}

/// One step towards the function type that a type as written is, or points to.
static TypeLoc stepTowardsFunction(TypeLoc Written) {
  if (auto Atomic = Written.getAs<AtomicTypeLoc>())
    return Atomic.getValueLoc();
  return Written.getNextTypeLoc();
}

FunctionTypeLoc Proposals::functionBehind(TypeLoc Written) {
  while (!Written.isNull() && !Written.getAs<FunctionTypeLoc>()) {
    auto Named = Written.getAs<TypedefTypeLoc>();
    const TypeSourceInfo *Meant =
        Named ? Named.getTypePtr()->getDecl()->getTypeSourceInfo() : nullptr;
    Written = Meant ? Meant->getTypeLoc() : stepTowardsFunction(Written);
  }
  return Written.isNull() ? FunctionTypeLoc() : Written.getAs<FunctionTypeLoc>();
}

void Proposals::addBehind(TypeLoc Written, Hints &To) {
  while (!Written.isNull()) {
    if (auto Function = Written.getAs<FunctionTypeLoc>())
      return addWord(Function.getRParenLoc(), To);
    if (auto Named = Written.getAs<TypedefTypeLoc>())
      return addBehind(Named.getTypePtr()->getDecl(), To);
    Written = stepTowardsFunction(Written);
  }
}

void Proposals::addBehind(const TypedefNameDecl *Declared, Hints &To) {
  for (const TypedefNameDecl *Each : Declared->redecls())
    if (Each->getTypeSourceInfo())
      addBehind(Each->getTypeSourceInfo()->getTypeLoc(), To);
}

Proposals::Hints Proposals::deletesBehind(TypeLoc Written) {
  Hints Result;
  addBehind(Written, Result);
  return Result;
}

Proposals::Hints Proposals::deletesBehind(const ValueDecl *Declared) {
  Hints Result;
  auto Add = [&](const DeclaratorDecl *Slot) {
    if (Slot->getTypeSourceInfo())
      addBehind(Slot->getTypeSourceInfo()->getTypeLoc(), Result);
  };
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(Declared)) {
    Add(Parameter);
    const auto *Function = dyn_cast<FunctionDecl>(Parameter->getDeclContext());
    unsigned Index = Parameter->getFunctionScopeIndex();
    if (Function)
      for (const FunctionDecl *Each : Function->redecls())
        if (Index < Each->getNumParams())
          Add(Each->getParamDecl(Index));
  } else if (const auto *Variable = dyn_cast<VarDecl>(Declared)) {
    for (const VarDecl *Each : Variable->redecls())
      Add(Each);
  } else if (const auto *Function = dyn_cast<FunctionDecl>(Declared)) {
    for (const FunctionDecl *Each : Function->redecls())
      if (FunctionTypeLoc Written = acre::functionTypeLoc(Each))
        addBehind(Written.getReturnLoc(), Result);
  } else if (const auto *Field = dyn_cast<FieldDecl>(Declared)) {
    Add(Field);
  }
  return Result;
}

void Proposals::addAlike(TypeLoc One, TypeLoc Other, Hints &To) {
  if (One.isNull() || Other.isNull())
    return;
  bool IsOne = isDeletesBehind(One.getType()), IsOther = isDeletesBehind(Other.getType());
  if (IsOne != IsOther)
    addBehind(IsOne ? Other : One, To);
}

/// How a declaration wrote its type; null for those that have none.
static TypeLoc writtenOf(const NamedDecl *Declared) {
  const TypeSourceInfo *Written = nullptr;
  if (const auto *Slot = dyn_cast<DeclaratorDecl>(Declared))
    Written = Slot->getTypeSourceInfo();
  else if (const auto *Name = dyn_cast<TypedefNameDecl>(Declared))
    Written = Name->getTypeSourceInfo();
  return Written ? Written->getTypeLoc() : TypeLoc();
}

Proposals::Hints Proposals::deletesAlike(const NamedDecl *One, const NamedDecl *Other) {
  Hints Result;
  const auto *Function = dyn_cast<FunctionDecl>(One), *Again = dyn_cast<FunctionDecl>(Other);
  if (!Function || !Again) {
    addAlike(writtenOf(One), writtenOf(Other), Result);
    return Result;
  }
  FunctionTypeLoc Written = acre::functionTypeLoc(Function),
                  Rewritten = acre::functionTypeLoc(Again);
  if (Written && Rewritten)
    addAlike(Written.getReturnLoc(), Rewritten.getReturnLoc(), Result);
  for (unsigned I = 0; I < Function->getNumParams() && I < Again->getNumParams(); ++I)
    addAlike(writtenOf(Function->getParamDecl(I)), writtenOf(Again->getParamDecl(I)), Result);
  return Result;
}

Proposals::Hints Proposals::without(SourceLocation At) const {
  const SourceManager &Sources = Context.getSourceManager();
  while (At.isMacroID() && Sources.isInSystemHeader(Sources.getSpellingLoc(At)))
    At = Sources.getImmediateExpansionRange(At).getBegin();
  FixItHint Place = Reports.insertion(At, "");
  if (!At.isFileID() || Place.isNull())
    return {};
  unsigned Size = Lexer::MeasureTokenLength(At, Sources, Context.getLangOpts());
  // With the blank behind it, unless that is all that parts what is around.
  if (Size && Sources.getCharacterData(At)[Size] == ' ' && Sources.getFileOffset(At) != 0 &&
      llvm::StringRef(" *").contains(Sources.getCharacterData(At)[-1]))
    ++Size;
  return {FixItHint::CreateRemoval(
      CharSourceRange::getCharRange(At, At.getLocWithOffset(static_cast<int>(Size))))};
}
