/* SPDX-License-Identifier: MIT */
//===- Names.h - What the names of a program stand for ----------*- C++ -*-===//
//
// Everything the judgements take for granted: each name is introduced once and
// used within its scope, with the right number of regions and arguments.
//
// Invariant: for a program without diagnostics here, every lookup that the rest
// of the library makes finds something.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_RLANG_NAMES_H
#define ACRE_RLANG_NAMES_H

#include "Syntax.h"

#include <map>

namespace acre::rlang {

/// The functions every program has.  The paper gives newsubregion no argument, though Figure 2
/// does; traditional is new: without it nothing could be allocated in RT.
enum class Predefined { None, NewRegion, NewSubregion, DeleteRegion, Traditional, RegionOf };

inline constexpr std::string_view RegionOfPrefix = "regionof_"; // and the name of a structure

/// Refers to the program, which must stay where it is.
class Names {
public:
  explicit Names(const Program &P);

  const Struct *structure(std::string_view Name) const { return find(Structs, Name); }
  /// The signature of a function of the program or a predefined one.
  const Signature *signature(std::string_view Name) const;
  /// Only a function of the program.
  const Function *function(std::string_view Name) const { return find(Functions, Name); }

  static Predefined predefined(std::string_view Name);
  static const Variable *field(const Struct &S, std::string_view Name);

private:
  template <class Value> using Map = std::map<std::string, Value, std::less<>>;
  template <class Value>
  static const Value *find(const Map<const Value *> &In, std::string_view Name) {
    auto Found = In.find(Name);
    return Found == In.end() ? nullptr : Found->second;
  }

  Map<const Struct *> Structs;
  Map<const Function *> Functions;
  Map<Signature> PredefinedSignatures;
};

/// A variable of a function, parameter or local; null if there is none.
const Variable *variable(const Function &F, std::string_view Name);

/// Every misuse of a name, structures first.
std::vector<Diagnostic> checkNames(const Program &P, const Names &N);

} // namespace acre::rlang

#endif
