// SPDX-License-Identifier: MIT
//===- Ownership.cpp - Exclusive pointers, checked ------------------------===//

#include "plugin/ownership/Ownership.h"
#include "plugin/ownership/Dropped.h"
#include "plugin/ownership/Filling.h"
#include "plugin/ownership/Flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/Statistic.h"

using namespace clang;
using namespace acre::ast;

#define DEBUG_TYPE "acre-ownership"
ALWAYS_ENABLED_STATISTIC(PlainFunctions, "Functions without owners, summarized in one pass");

void Ownership::check(const FunctionDecl *Definition, const Evaluated &Body) {
  // The words are macros of own.h; a header that was precompiled may hold them unseen.
  if (!Context.getExternalSource() && !Input.isMacroDefined("ACRE_UNIQUE"))
    return;
  if (Definition->isInvalidDecl())
    return;
  reportDropped(Reports, Body);
  Steady.note(Definition, Body);
  for (const Stmt *Node : Body)
    if (const auto *Reference = dyn_cast<DeclRefExpr>(Node))
      if (const auto *Function = dyn_cast<FunctionDecl>(Reference->getDecl()))
        Named.insert(Function->getCanonicalDecl());
  noteGivenBack(Definition, Body, Known);
  noteSlotUses(Context, Facts, Known, Definition, Body);
  noteEndless(Context, Known, Definition, Body);
  noteFreedAlone(Known, Definition, Body);
  std::optional<Summaries> Before = ComparesTransfers ? std::optional(Known) : std::nullopt;
  PlainBody Plain(Context, Facts, Known, Definition, Body);
  if (Plain.summarize()) {
    ++PlainFunctions;
    if (Before)
      compare(Definition, Body, *Before);
    return;
  }
  std::optional<Orderly> Only = Plain.orderly();
  if (followAlone(Definition, Body, Only ? &*Only : nullptr))
    return;
  llvm::SmallVector<const ParmVarDecl *, 4> Alone;
  Supposed Given = suppose(Definition, Body, Alone);
  Given.Seen = &Steady;
  Given.MayBeGetter = mayBeGetter(Definition);
  Flow Followed(Context, Reports, Facts, Known, Definition, Body, nullptr, Given);
  Followed.run();
  clear(Followed.unproven());
}

/// Whether Body follows a unique pointer in memory, or a callee may do that for it: what hangs
/// there is lent only then.
static bool readsSlots(const Evaluated &Body) {
  return llvm::any_of(Body, [](const Stmt *Node) {
    if (const auto *Call = dyn_cast<CallExpr>(Node))
      return isSlotType(Call->getType());
    const auto *Cast = dyn_cast<ImplicitCastExpr>(Node);
    return Cast && Cast->getCastKind() == CK_LValueToRValue &&
           isOwning(Cast->getSubExpr()->getType()) && !localVariable(Cast->getSubExpr());
  });
}

bool Ownership::followAlone(const FunctionDecl *Definition, const Evaluated &Body,
                            const Orderly *Only) {
  Supposed Given;
  Given.Seen = &Steady;
  Given.MayBeGetter = mayBeGetter(Definition);
  Flow Followed(Context, Reports, Facts, Known, Definition, Body, Only, Given);
  Known.setQuiet(true);
  Followed.solve();
  Known.setQuiet(false);
  if (!Only && Followed.couldBeSpared() && readsSlots(Body))
    return false;
  Followed.tell();
  clear(Followed.unproven());
  return true;
}

bool Ownership::mayBeGetter(const FunctionDecl *Definition) const {
  return !Definition->isExternallyVisible() && isOwnBody(Definition) &&
         !Named.contains(Definition->getCanonicalDecl());
}

void Ownership::compare(const FunctionDecl *Definition, const Evaluated &Body,
                        const Summaries &Before) {
  Summaries Followed = Before;
  Reports.beginQuiet();
  Flow(Context, Reports, Facts, Followed, Definition, Body, nullptr, Supposed()).run();
  unsigned Errors = Reports.endQuiet();
  const FunctionDecl *Which = Definition->getCanonicalDecl();
  std::string Plainly = Known.describe(Which), ByFlow = Followed.describe(Which);
  if (Errors)
    ByFlow += "errors";
  if (Plainly == ByFlow)
    return;
  DiagnosticsEngine &Engine = Context.getDiagnostics();
  Engine.Report(Definition->getLocation(),
                Engine.getCustomDiagID(DiagnosticsEngine::Error,
                                       "%0 is recorded as '%1', but followed it is '%2'"))
      << Definition << Plainly << ByFlow;
}

void Ownership::clear(llvm::ArrayRef<const VarDecl *> Unproven) {
  for (const VarDecl *Each : Unproven)
    if (!Each->getInit() && Each->hasLocalStorage() && !isa<ParmVarDecl>(Each))
      const_cast<VarDecl *>(Each)->setInit(new (Context) ImplicitValueInitExpr(Each->getType()));
}

Supposed Ownership::suppose(const FunctionDecl *Definition, const Evaluated &Body,
                            llvm::SmallVectorImpl<const ParmVarDecl *> &Alone) {
  auto ErrorsIf = [&](Supposed Given) {
    Reports.beginQuiet();
    Known.setQuiet(true);
    Given.MayBeGetter = mayBeGetter(Definition);
    Flow(Context, Reports, Facts, Known, Definition, Body, nullptr, Given).run();
    Known.setQuiet(false);
    return Reports.endQuiet();
  };
  Reliance Rests = {Definition->getCanonicalDecl(), {}, false, {}, {}, {}, {}, {}, {}};
  Supposed Nothing, OnlyWays, Steadily;
  Nothing.Held = &Rests.Else;
  if (ErrorsIf(Nothing) == 0 || Rests.Else.empty())
    return {};
  for (const ParmVarDecl *Each : Definition->parameters())
    if (Facts.leadsToSlots(Each)) {
      Alone.push_back(Each);
      if (!Definition->isExternallyVisible())
        Rests.Words.push_back(Each->getFunctionScopeIndex());
    }
  OnlyWays.Alone = Alone;
  bool IsByAlone = !Rests.Words.empty() && ErrorsIf(OnlyWays) == 0;
  if (IsByAlone)
    Rests.Alone = Rests.Words;
  Steadily.Steady = &Steady;
  Steadily.Rests = &Rests;
  Rests.IsBySteady = ErrorsIf(Steadily) == 0;
  if (!IsByAlone && !Rests.IsBySteady)
    return {};
  Known.reliesOn(std::move(Rests));
  Steadily.Rests = nullptr;
  return IsByAlone ? OnlyWays : Steadily;
}
