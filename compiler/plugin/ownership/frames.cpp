//===- frames.cpp - Pointers to local variables ---------------------------===//
//
// Reported is only what is certain on a path: the result of a function, a pointer
// that is used after the block, and a global variable that is set to such an
// address and not set again, with no call between that might, before the variable
// ends.  What is stored elsewhere is not followed.
//
//===----------------------------------------------------------------------===//

#include "plugin/ownership/flow.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

void Flow::keepFrames(const Sink &Into, const Expr *From, const Loans &Kept) {
  if (Into.What == Sink::Result) {
    if (Kept.isOnlyOfFrames())
      report(Diag::FrameEscapes, From, 0u, Vars.variableOfRoot(Kept.Frames.find_first()), NoName);
    return;
  }
  if (!Into.Place)
    return;
  const auto *Reference = dyn_cast<DeclRefExpr>(Into.Place->IgnoreParens());
  const auto *Global = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  if (Global && Global->hasLocalStorage())
    return;
  // Behind a pointer may be any of them.
  llvm::erase_if(Now.Left, [&](const LeftAddress &Each) { return !Global || Each.In == Global; });
  if (Global && Kept.isOnlyOfFrames() && Kept.Frames.count() == 1)
    Now.Left.push_back({Global, unsigned(Kept.Frames.find_first()), From});
}

void Flow::endFrame(const VarDecl *Variable, const Stmt *At) {
  std::optional<unsigned> Root = Vars.rootOfFrame(Variable);
  if (!Root)
    return;
  if (Vars.aliasCount()) {
    Now.Held[Vars.frameOfRoot(*Root)] = none().Lent;
    Now.Exposed.reset(*Root);
    for (Loans &Each : Now.Held)
      Each.Frames.reset(*Root);
  }
  for (const LeftAddress &Each : Now.Left)
    if (Each.Frame == *Root)
      report(Diag::FrameEscapes, Each.At, 1u, Variable, Each.In);
  llvm::erase_if(Now.Left, [&](const LeftAddress &Each) { return Each.Frame == *Root; });
  for (BorrowerState &Each : Now.Borrowers) {
    if (!Each.From.Frames.test(*Root))
      continue;
    if (Each.From.isOnlyOfFrames() && Each.From.Frames.count() == 1) {
      Each.IsDangling = true;
      Each.LostRoot = *Root;
      Each.LostAt.add(At);
    }
    Each.From.Frames.reset(*Root);
  }
}

void Flow::refineFrames(State &Into, const BinaryOperator *Test) const {
  for (auto [Tested, Other] : {std::pair(Test->getLHS(), Test->getRHS()), std::pair(Test->getRHS(), Test->getLHS())}) {
    const Expr *Read = Tested->IgnoreParenCasts();
    const VarDecl *Variable = localVariable(Read);
    std::optional<unsigned> Borrower = Variable ? Vars.borrowerOf(Variable) : std::nullopt;
    if (Borrower && isSlotType(Other->getType()))
      Into.Borrowers[*Borrower].From.Frames.reset(evaluate(Other).Lent.Frames);
  }
}
