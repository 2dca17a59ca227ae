//===- ownership.cpp - Exclusive pointers, checked ------------------------===//

#include "plugin/ownership/ownership.h"
#include "plugin/ownership/flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
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
  PlainBody Plain(Context, Facts, Known, Definition, Body);
  if (Plain.summarize()) {
    ++PlainFunctions;
    return;
  }
  std::optional<Orderly> Only = Plain.orderly();
  llvm::SmallVector<const ParmVarDecl *, 4> Alone;
  if (!Only && !Definition->isExternallyVisible() && !relyOn(Definition, Body, Alone))
    Alone.clear();
  Flow(Context, Reports, Facts, Known, Definition, Body, Only ? &*Only : nullptr, Alone).run();
}

bool Ownership::relyOn(const FunctionDecl *Definition, const Evaluated &Body,
                       llvm::SmallVectorImpl<const ParmVarDecl *> &Alone) {
  for (const ParmVarDecl *Each : Definition->parameters())
    if (Facts.leadsToSlots(Each))
      Alone.push_back(Each);
  if (Alone.empty())
    return false;
  HeldReports Else;
  auto ErrorsIf = [&](ArrayRef<const ParmVarDecl *> Relied, HeldReports *Held) {
    Reports.beginQuiet();
    Known.setQuiet(true);
    Flow(Context, Reports, Facts, Known, Definition, Body, nullptr, Relied, Held).run();
    Known.setQuiet(false);
    return Reports.endQuiet();
  };
  if (ErrorsIf({}, &Else) == 0 || Else.empty() || ErrorsIf(Alone, nullptr) != 0)
    return false;
  std::vector<unsigned> Indices;
  for (const ParmVarDecl *Each : Alone)
    Indices.push_back(Each->getFunctionScopeIndex());
  Known.reliesOn(Definition->getCanonicalDecl(), std::move(Indices), std::move(Else));
  return true;
}
