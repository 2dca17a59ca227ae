//===- ownership.cpp - Exclusive pointers, checked ------------------------===//

#include "plugin/ownership/ownership.h"
#include "plugin/ownership/flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace acre::ast;

void Ownership::check(const FunctionDecl *Definition, const Evaluated &Body) {
  // The words are macros of own.h; a header that was precompiled may hold them unseen.
  if (!Context.getExternalSource() && !Input.isMacroDefined("ACRE_UNIQUE"))
    return;
  if (!Definition->isInvalidDecl() && !Definition->isDependentContext() && Context.getLangOpts().CPlusPlus == 0)
    Flow(Context, Reports, Known, Definition, Body).run();
}
