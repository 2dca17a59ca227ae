// SPDX-License-Identifier: MIT
//===- Check.cpp - Is a program well typed? -------------------------------===//
#include "Check.h"

namespace acre::rlang {
namespace {

class Recorder : public Observer {
public:
  explicit Recorder(std::map<const Statement *, Knowledge> &To) : To(To) {}
  void statement(const Statement &S, const Knowledge &Known) override {
    To.insert_or_assign(&S, Known);
  }

private:
  std::map<const Statement *, Knowledge> &To;
};

} // namespace

Checked::Checked(const Program &P, Keeping What) : Known(P), Errors(checkNames(P, Known)) {
  if (!Errors.empty())
    return;
  Recorder Record(Before);
  Observer Ignore;
  Observer &Watch = What == Properties ? static_cast<Observer &>(Record) : Ignore;
  for (const Function &F : P.Functions) {
    if (!F.HasBody)
      continue;
    const Liveness &Here = Live.emplace(&F, F).first->second;
    if (std::optional<Diagnostic> Error = Judgements(Known, F, Here, Precision::Exact, Watch).run())
      Errors.push_back(std::move(*Error));
  }
}

} // namespace acre::rlang
