/* SPDX-License-Identifier: MIT */
//===- Syntax.h - Programs of rlang as data ---------------------*- C++ -*-===//
//
// rlang is the small language of the paper's section 4: Figure 4 gives its types,
// Figure 5 its programs.  These structures are the figures, production by
// production; nothing here computes.
//
// Invariant: a tree means the same wherever it came from.  Locations are for
// messages only and take no part in equality, so that reading a printed program
// gives an equal one.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_RLANG_SYNTAX_H
#define ACRE_RLANG_SYNTAX_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace acre::rlang {

struct Location {
  unsigned Line = 0, Column = 0;
  friend bool operator==(const Location &, const Location &) { return true; }
};

inline constexpr std::string_view TopName = "top";
inline constexpr std::string_view TraditionalName = "RT";
inline constexpr std::string_view RegionBase = "region";

/// Region expression: an abstract region or one of the constants top and RT.
struct Region {
  std::string Name{TopName};
  Location At;

  bool isTop() const { return Name == TopName; }
  bool isAbstract() const { return Name != TopName && Name != TraditionalName; }
  bool operator==(const Region &) const = default;
};

/// Region property.  False, NotEqual, Equal and And are shorthands of Figure 4's three forms.
struct Property {
  enum Kind { True, False, LessEqual, Equal, NotEqual, Not, And, Or };
  Kind K = True;
  Region Left, Right;             // LessEqual, Equal, NotEqual
  std::vector<Property> Operands; // one of Not, two or more of And and Or
  Location At;

  bool operator==(const Property &) const = default;

  static Property relation(Kind K, std::string_view Left, std::string_view Right) {
    return {K, {std::string(Left), {}}, {std::string(Right), {}}, {}, {}};
  }
  /// The conjunction (or disjunction); one operand is itself, none is true (false).
  static Property combine(Kind K, std::vector<Property> Operands) {
    if (Operands.size() == 1)
      return std::move(Operands.front());
    if (Operands.empty())
      return {K == And ? True : False, {}, {}, {}, {}};
    return {K, {}, {}, std::move(Operands), {}};
  }
};

/// The binder of an existential type.
struct Quantifier {
  std::string Name;
  Property Where;
  Location At;
  bool operator==(const Quantifier &) const = default;
};

/// A type is a base type at a region, below any number of quantifiers.
struct Type {
  std::vector<Quantifier> Exists;
  std::string Base; // "region" or the name of a structure
  std::vector<Region> Arguments;
  Region Target;
  Location At;

  bool isRegion() const { return Base == RegionBase; }
  bool operator==(const Type &) const = default;
};

struct Variable {
  std::string Name;
  rlang::Type Type;
  Location At;
  bool operator==(const Variable &) const = default;
};

struct Struct {
  std::string Name;
  std::vector<std::string> Parameters;
  std::vector<Variable> Fields;
  Location At;
  bool operator==(const Struct &) const = default;
};

struct Statement {
  enum Kind { If, While, Assign, Call, Read, Write, Null, New, Check };
  Kind K = Check;
  std::string Target; // the variable that changes; of Write the object; of If and While the test,
                      // empty for `*`
  std::string Source; // Assign, Read, Write: the value's variable; New: the region's
  std::string Name;   // Call: the function; New: the structure; Read, Write: the field
  std::vector<Region> Regions;        // Call, New
  std::vector<std::string> Arguments; // Call, New
  Property Where;                     // Check
  std::vector<Statement> Then, Else;  // If; While has its body in Then
  Location At;
  bool operator==(const Statement &) const = default;
};

struct Signature {
  std::string Name;
  std::vector<std::string> Regions;
  Property Input;
  std::vector<Variable> Parameters;
  Type Result;
  Property Output;
  bool operator==(const Signature &) const = default;
};

struct Function {
  rlang::Signature Signature;
  bool HasBody = false; // without one it is defined elsewhere and its signature is believed
  std::vector<std::string> LocalRegions;
  std::vector<Variable> Locals;
  std::vector<Statement> Body;
  std::string ResultVariable;
  Location At;
  bool operator==(const Function &) const = default;
};

struct Program {
  std::vector<Struct> Structs;
  std::vector<Function> Functions;
  bool operator==(const Program &) const = default;
};

/// A message about a place in a program.
struct Diagnostic {
  Location At;
  std::string Message;
};

} // namespace acre::rlang

#endif
