/* SPDX-License-Identifier: MIT */
//===- Frames.h - Pointers to local variables -------------------*- C++ -*-===//
//
// A pointer to a variable does not outlive it.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_FRAMES_H
#define ACRE_PLUGIN_OWNERSHIP_FRAMES_H

#include "plugin/ownership/Part.h"
#include "plugin/ownership/Value.h"

namespace acre::ast {

/// Ends variables that pointers may lead to.
class FrameTransfer : Part {
public:
  using Part::Part;
  /// Reports what outlives the variable that it points into.
  void keepFrames(const Sink &Into, const clang::Expr *From, const Loans &Kept);
  void endFrame(const clang::VarDecl *Variable, const clang::Stmt *At);
  /// The function returns: so compound literals end, and what alloca made.
  void endUnnamed();
  /// Test has found its operands to differ.
  void refineFrames(State &Into, const clang::BinaryOperator *Test) const;

private:
  /// Local, or what is unnamed of this kind, is left in In or returned.
  void reportLeft(const clang::Stmt *At, unsigned How, const clang::VarDecl *Local,
                  const clang::VarDecl *In, unsigned Kind);
};

/// Notes if every return of Definition gives back what one parameter points into.
void noteGivenBack(const clang::FunctionDecl *Definition, const Evaluated &Body, Summaries &Known);

} // namespace acre::ast

#endif
