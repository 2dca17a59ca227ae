// SPDX-License-Identifier: MIT
//===- Liveness.cpp - Which variables a statement finds live --------------===//
#include "Liveness.h"

namespace acre::rlang {

Liveness::Liveness(const Function &F) { Entry = block(F.Body, {F.ResultVariable}); }

Liveness::Set Liveness::block(const std::vector<Statement> &Block, Set Live) {
  for (auto S = Block.rbegin(); S != Block.rend(); ++S)
    Live = statement(*S, std::move(Live));
  return Live;
}

const Liveness::Set &Liveness::exposed(const Statement &Loop) {
  auto Known = Exposed.find(&Loop);
  if (Known == Exposed.end())
    Known = Exposed.emplace(&Loop, block(Loop.Then, {})).first;
  return Known->second;
}

Liveness::Set Liveness::statement(const Statement &S, Set Live) {
  Sets &Result = Around[&S];
  Result.After = Live;
  switch (S.K) {
  case Statement::If: {
    Set Else = block(S.Else, Live);
    Live = block(S.Then, std::move(Live));
    Live.insert(Else.begin(), Else.end());
    break;
  }
  case Statement::While:
    // What is live before the loop is live at the end of its body.  A body gives back what it reads
    // before writing and some of what is live after it, so adding the former is enough.
    if (!S.Target.empty())
      Live.insert(S.Target);
    Live.merge(Set(exposed(S)));
    Live.merge(block(S.Then, Live));
    break;
  case Statement::Check:
    break;
  case Statement::Write:
    Live.insert(S.Target);
    break;
  default:
    Live.erase(S.Target);
  }
  if (S.K == Statement::If && !S.Target.empty())
    Live.insert(S.Target);
  if (!S.Source.empty())
    Live.insert(S.Source);
  Live.insert(S.Arguments.begin(), S.Arguments.end());
  Result.Before = Live;
  return Live;
}

} // namespace acre::rlang
