//===- generate.h - Random rlang programs -----------------------*- C++ -*-===//
//
// Programs are written freely, then repaired: a statement that the checker
// rejects becomes a null assignment or goes.  What remains is accepted.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_TESTS_RLANG_GENERATE_H
#define ACRE_TESTS_RLANG_GENERATE_H

#include "rlang/Syntax.h"

#include <functional>
#include <random>

namespace acre::rlang {

/// Every name is used rightly; types need not fit.  Each statement has a line number of its own.
Program generate(std::mt19937_64 &Random);

/// Removes what the checker rejects; false if that does not succeed.
bool repair(Program &P);

/// One small change, after which names are still used rightly.
void mutate(Program &P, std::mt19937_64 &Random);

/// Adds to main a use of regions that no checker may accept; Kind < IllTypedKinds.
void makeIllTyped(Program &P, unsigned Kind);
inline constexpr unsigned IllTypedKinds = 6;

/// As much of P as can go while Fails stays true goes.
Program shrink(Program P, const std::function<bool(const Program &)> &Fails);

} // namespace acre::rlang

#endif
