// SPDX-License-Identifier: MIT
//===- Following.cpp - A function while it is followed --------------------===//
#include "plugin/ownership/Following.h"

using namespace clang;
using namespace acre::ast;

Part::Part(Following &Whole)
    : All(Whole), Context(Whole.Context), Says(Whole.Says), Facts(Whole.Facts), Known(Whole.Known),
      Function(Whole.Function), Body(Whole.Body), Vars(Whole.Vars), OpenRoots(Whole.OpenRoots),
      Given(Whole.Given), Now(Whole.Now) {}

Value Part::none() const { return Value(Vars.rootCount()); }

Following::Following(ASTContext &Context, Diagnostics &Reports, PlainFacts &Facts, Summaries &Known,
                     const FunctionDecl *Function, const Evaluated &Body, const Orderly *Only,
                     const Supposed &Given)
    : Context(Context), Facts(Facts), Known(Known), Function(Function), Body(Body),
      Vars(Function, Body, Only, Known, Given.Alone), Moved(Body), Typed(Body),
      OpenRoots(Vars.rootCount()), MayOwn(!Only), Given(Given), Says(Context, Reports, Given.Held),
      Values(*this), Tests(*this), Places(*this), Gaps(*this), Borrowing(*this), Slots(*this),
      Losses(*this), Growth(*this), Outcomes(*this), Records(*this), Arenas(*this), Aliases(*this),
      Frames(*this), FreedArrays(*this), Cursors(*this), Sinks(*this), Opened(*this),
      Lenders(*this), Operands(*this), Calls(*this) {
  for (unsigned Root = 0; Root != Vars.rootCount(); ++Root)
    if (!Vars.isExclusive(Root))
      OpenRoots.set(Root);
}
