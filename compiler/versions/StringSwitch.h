/* SPDX-License-Identifier: MIT */
//===- StringSwitch.h - Cases in braces, on every LLVM ----------*- C++ -*-===//
//
// llvm::StringSwitch takes lists of cases only since LLVM 22.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_VERSIONS_STRINGSWITCH_H
#define ACRE_VERSIONS_STRINGSWITCH_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <initializer_list>
#include <optional>
#include <utility>

namespace acre {

/// The value of the first case that is Text.
template <typename T> class StringSwitch {
public:
  explicit StringSwitch(llvm::StringRef Text) : Text(Text) {}

  StringSwitch &Case(llvm::StringRef Each, T Value) { return Cases({Each}, std::move(Value)); }
  StringSwitch &Cases(std::initializer_list<llvm::StringRef> Each, T Value) {
    if (!Result && llvm::is_contained(Each, Text))
      Result = std::move(Value);
    return *this;
  }
  T Default(T Value) const { return Result ? *Result : std::move(Value); }

private:
  llvm::StringRef Text;
  std::optional<T> Result;
};

} // namespace acre

#endif
