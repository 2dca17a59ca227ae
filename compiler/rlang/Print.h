/* SPDX-License-Identifier: MIT */
//===- Print.h - rlang as text ----------------------------------*- C++ -*-===//
//
// Invariant: parse(print(P)) == P for every program P whose names are
// identifiers and whose And and Or have two operands or more.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_RLANG_PRINT_H
#define ACRE_RLANG_PRINT_H

#include "Syntax.h"

namespace acre::rlang {

std::string print(const Property &P);
std::string print(const Type &T);
std::string print(const Signature &S);
std::string print(const Function &F);
std::string print(const Program &P);

/// A statement on one line; blocks of if and while are abbreviated.
std::string printShort(const Statement &S);

} // namespace acre::rlang

#endif
