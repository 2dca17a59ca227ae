// SPDX-License-Identifier: MIT
//===- Plugin.cpp - The AST half's place in the compilation ---------------===//

#include "plugin/Checks.h"
#include "plugin/Diagnostics.h"
#include "plugin/Inheritance.h"
#include "plugin/Layout.h"
#include "plugin/Marking.h"
#include "plugin/PoolMap.h"
#include "plugin/Pragma.h"
#include "plugin/ownership/Library.h"
#include "plugin/ownership/Notes.h"
#include "plugin/ownership/Ownership.h"
#include "versions/PassPlugin.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

using namespace clang;
using namespace acre::ast;

namespace {

/// Checks each declaration, then marks each body before CodeGen's consumer,
/// which comes after this one, is given it.
class Consumer : public ASTConsumer {
public:
  Consumer(CompilerInstance &Compiler, std::shared_ptr<Diagnostics> Reports, bool EmitsCode,
           bool IsCollected, bool ComparesTransfers, bool ChecksPools)
      : Compiler(Compiler), Included(recordInclusions(Compiler.getPreprocessor())),
        Reports(std::move(Reports)), EmitsCode(EmitsCode), IsCollected(IsCollected),
        ComparesTransfers(ComparesTransfers), ChecksPools(ChecksPools) {}

  void Initialize(ASTContext &Context) override {
    readNamedNotes(Context);
    readPoolMaps(Context);
    LayoutsOf = std::make_unique<Layouts>(Context);
    Check = std::make_unique<Checks>(Context, Compiler.getPreprocessor(), *Reports, Included);
    Own = std::make_unique<Ownership>(Context, Compiler.getPreprocessor(), *Reports);
    if (ComparesTransfers)
      Own->compareTransfers();
    const CodeGenOptions &Options = Compiler.getCodeGenOpts();
    bool IsUntyped = Options.RelaxedAliasing && Options.OptimizationLevel > 0;
    Mark = std::make_unique<Marking>(Context, *LayoutsOf, IsCollected, IsUntyped);
  }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *Each : Group) {
      if (Each->isImplicit())
        continue;
      auto *Function = dyn_cast<FunctionDecl>(Each);
      if (Function)
        inheritWords(Function);
      else if (auto *Variable = dyn_cast<VarDecl>(Each))
        inheritWords(Variable);
      if (Function && Function->hasAttr<RestrictAttr>())
        noteDeallocator(Function);
      if (Function && !Function->doesThisDeclarationHaveABody())
        Function = nullptr;
      Evaluated Body =
          Function ? evaluatedIn(Compiler.getASTContext(), Function->getBody()) : Evaluated();
      // A precompiled header was checked when it was made, but is marked where its code is emitted.
      if (!Each->isFromASTFile()) {
        Check->check(Each, Body);
        if (Function)
          Own->check(Function, Body);
      }
      if (EmitsCode && !Each->isInvalidDecl() &&
          !Compiler.getDiagnostics().hasUncompilableErrorOccurred())
        mark(Each, Body);
    }
    return true;
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    Check->finish();
    Own->finish();
    if (ChecksPools)
      reportUncovered(Context);
    else
      checkDefinedPools(Context);
  }

private:
  /// Body: what is evaluated in that of a function.
  void mark(Decl *Declared, const Evaluated &Body) {
    if (auto *Function = dyn_cast<FunctionDecl>(Declared);
        Function && Function->doesThisDeclarationHaveABody())
      Mark->mark(Function, Body);
    else if (auto *Variable = dyn_cast<VarDecl>(Declared))
      Mark->markInitializer(Variable);
    for (FunctionDecl *Made : Mark->takeMade()) {
      Mark->mark(Made, evaluatedIn(Compiler.getASTContext(), Made->getBody()));
      Compiler.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(Made)); // for CodeGen
    }
  }

  CompilerInstance &Compiler;
  const Inclusions &Included;
  std::shared_ptr<Diagnostics> Reports;
  bool EmitsCode, IsCollected, ComparesTransfers, ChecksPools;
  std::unique_ptr<Layouts> LayoutsOf;
  std::unique_ptr<Checks> Check;
  std::unique_ptr<Ownership> Own;
  std::unique_ptr<Marking> Mark;
};

/// Only what goes on to CodeGen is rewritten: other readers of the tree
/// (the static analyzer, precompiled headers) must see the program itself.
bool emitsCode(frontend::ActionKind Action) {
  switch (Action) {
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
  case frontend::EmitObj:
    return true;
  default:
    return false;
  }
}

/// For the callbacks of an LLVM that does not know the phase.
void supposePhase(CompilerInstance &Compiler) {
  const CodeGenOptions &Options = Compiler.getCodeGenOpts();
  DiagnosticsEngine &Engine = Compiler.getDiagnostics();
  acre::SupposedPhase = Options.PrepareForLTO || Options.PrepareForThinLTO
                            ? llvm::ThinOrFullLTOPhase::FullLTOPreLink
                            : llvm::ThinOrFullLTOPhase::None;
  if (!acre::KnowsPhase && Options.FatLTO) // one compilation with both
    Engine.Report(Engine.getCustomDiagID(DiagnosticsEngine::Error,
                                         "Acre needs Clang 20 for -ffat-lto-objects"));
}

/// Tells a build that writes what the unit depends on (-MD) of this file, as of a header that was
/// only looked for: behind the unit's own file, which make wants first.
class Dependency : public PPCallbacks {
public:
  Dependency(Preprocessor &Input, llvm::StringRef Path) : Input(Input), Path(Path) {}
  void FileChanged(SourceLocation, FileChangeReason, SrcMgr::CharacteristicKind, FileID) override {
    if (++Changes != 2) // the second one is to what the compiler defines
      return;
    if (OptionalFileEntryRef File = Input.getFileManager().getOptionalFileRef(Path))
      Input.getPPCallbacks()->HasInclude(SourceLocation(), Path, false, File, SrcMgr::C_User);
  }

private:
  Preprocessor &Input;
  std::string Path;
  unsigned Changes = 0;
};

void listAsDependency(const CompilerInstance &Compiler, llvm::StringRef Path) {
  Preprocessor &Input = Compiler.getPreprocessor();
  Input.addPPCallbacks(std::make_unique<Dependency>(Input, Path));
}

class Action : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 llvm::StringRef) override {
    auto Reports = std::make_shared<Diagnostics>(Compiler.getDiagnostics(), Options);
    const LangOptions &Language = Compiler.getLangOpts();
    bool EmitsCode = emitsCode(Compiler.getFrontendOpts().ProgramAction);
    supposePhase(Compiler);
    if (Language.CPlusPlus || Language.ObjC || Language.OpenCL || Language.HLSL) {
      SourceManager &Sources = Compiler.getSourceManager();
      SourceLocation Start = Sources.getLocForStartOfFile(Sources.getMainFileID());
      if (EmitsCode && Reports->isEnabled(Diag::Uninstrumented, Start))
        Reports->report(Diag::Uninstrumented, Start);
      return std::make_unique<ASTConsumer>();
    }
    addPragmas(Compiler.getPreprocessor(), Reports);
    return std::make_unique<Consumer>(Compiler, Reports, EmitsCode, IsCollected, ComparesTransfers,
                                      ChecksPools);
  }

  bool ParseArgs(const CompilerInstance &Compiler,
                 const std::vector<std::string> &Arguments) override {
    for (const std::string &Each : Arguments) {
      if (Each == "collected-malloc") {
        IsCollected = true;
        Options.set(Diag::PackedPointer, Severity::Warning);
        Options.set(Diag::OwnMalloc, Severity::Warning);
        continue;
      }
      if (Each == "pools-check") {
        ChecksPools = true;
        continue;
      }
      if (Each == "compare-transfers") {
        ComparesTransfers = true;
        continue;
      }
      if (llvm::StringRef Word = Each; Word.consume_front("notes=")) {
        addNotes(Word, false);
        listAsDependency(Compiler, Word);
        continue;
      } else if (Word.consume_front("notes-dir=")) {
        addNotes(Word, true);
        continue;
      } else if (Word.consume_front("pools=")) {
        addPoolMap(Word);
        listAsDependency(Compiler, Word);
        continue;
      }
      if (Options.parse(Each))
        continue;
      DiagnosticsEngine &Engine = Compiler.getDiagnostics();
      Engine.Report(Engine.getCustomDiagID(DiagnosticsEngine::Error,
                                           "unknown argument to the Acre plugin: '%0'"))
          << Each;
      return false;
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  Severities Options;
  bool IsCollected = false; // malloc is that of the collected heap
  bool ComparesTransfers = false;
  bool ChecksPools = false; // what maps of pools do not cover is reported
};

} // namespace

static FrontendPluginRegistry::Add<Action> Registration("acre",
                                                        "counted regions: annotations and layouts");
