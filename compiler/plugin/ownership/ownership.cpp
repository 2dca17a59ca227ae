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
  Flow(Context, Reports, Facts, Known, Definition, Body, Only ? &*Only : nullptr).run();
}
