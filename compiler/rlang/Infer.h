/* SPDX-License-Identifier: MIT */
//===- Infer.h - Region inference: section 4.3 ------------------*- C++ -*-===//
//
// Every function's input, output and result property starts as the set of all
// constraints.  Judging the functions takes away what a call site does not
// provide or a body does not establish, until nothing changes: the greatest
// fixed point.
//
// Invariant: nothing inferred is believed.  The annotated program is checked by
// the rules of Figure 6 like any other, and a check counts as removable only if
// that finds no error.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_RLANG_INFER_H
#define ACRE_RLANG_INFER_H

#include "Check.h"

#include <functional>

namespace acre::rlang {

struct InferenceOptions {
  /// Functions that code outside the program may call: their input is what they state.  By default
  /// main and what no function of the program calls; without main, every function.
  std::function<bool(const Function &)> IsEntry;
};

class Inference {
public:
  explicit Inference(Program P, const InferenceOptions &Options = {});
  Inference(const Inference &) = delete;

  /// What the program states, made stronger by what was inferred.
  const Program &annotated() const { return Annotated; }
  /// Why the annotated program is not well typed.  Then nothing is removable.
  const std::vector<Diagnostic> &errors() const { return Errors; }
  /// The chk statements of annotated() whose property always holds.
  const std::set<const Statement *> &removable() const { return Removable; }
  /// annotated() without them.
  Program reduced() const;

private:
  Program Annotated;
  std::vector<Diagnostic> Errors;
  std::set<const Statement *> Removable;
};

} // namespace acre::rlang

#endif
