//===- support.h - Short programs for tests ---------------------*- C++ -*-===//
#ifndef ACRE_TESTS_RLANG_SUPPORT_H
#define ACRE_TESTS_RLANG_SUPPORT_H

#include "rlang/Infer.h"
#include "rlang/Interpret.h"
#include "rlang/Parse.h"
#include "rlang/Print.h"

#include <gtest/gtest.h>

#include <memory>

namespace acre::rlang {

/// The list of Figure 1, with one field of each other kind.
inline const std::string ListStruct = R"(
struct L[p] {
  next : exists q / q = top | q = p . L[q]@q,
  up : exists q / p <= q . L[q]@q,
  old : exists q / q = top | q = RT . L[q]@q,
  any : exists q . L[q]@q
}
)";

inline Program parsed(const std::string &Text) {
  Parsed Result = parse(Text);
  EXPECT_FALSE(Result.Error) << Result.Error->At.Line << ":" << Result.Error->At.Column << ": "
                             << Result.Error->Message << "\n"
                             << Text;
  return std::move(Result.Program);
}

/// A function around Body with variables a, b, c, d, n : L[pa]@pa and so on, handles r and s, and
/// nothing : region@top. The objects a and b are parameters.
inline std::string
function(const std::string &Body,
         const std::string &Signature = "f[pa, pb] / true "
                                        "(a : L[pa]@pa, b : L[pb]@pb) : region@top, true") {
  return Signature +
         "\nis [pc, pd, pn, pr, ps]\n  c : L[pc]@pc, d : L[pd]@pd, n : L[pn]@pn, r : region@pr, "
         "s : region@ps, nothing : region@top,\n{\n" +
         Body + ";\nnothing = null\n}, nothing\n";
}

inline std::string mainFunction(const std::string &Body) {
  return "main[] / true () : region@top, true\nis [pa, pb, pc, pd, pn, pr, ps]\n  a : L[pa]@pa, b "
         ": L[pb]@pb, "
         "n : L[pn]@pn, c : L[pc]@pc, d : L[pd]@pd, r : region@pr, s : region@ps, nothing : "
         "region@top,\n{\n" +
         Body + ";\nnothing = null\n}, nothing\n";
}

/// The first error of a program, empty if there is none.
inline std::string errorIn(const std::string &Text) {
  Program P = parsed(Text);
  Checked C(P);
  return C.errors().empty() ? "" : C.errors().front().Message;
}

} // namespace acre::rlang

#endif
