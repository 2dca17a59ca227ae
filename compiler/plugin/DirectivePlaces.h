/* SPDX-License-Identifier: MIT */
//===- DirectivePlaces.h - Where an #include can be added -------*- C++ -*-===//
#ifndef ACRE_PLUGIN_DIRECTIVEPLACES_H
#define ACRE_PLUGIN_DIRECTIVEPLACES_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace clang {
class LangOptions;
}

namespace acre::ast {

/// The start of the line of Text where an #include can be added for what stands at Offset: behind
/// the last #include before it, else behind the guard of the file, else before its first code.
/// None if it would not be read whenever Offset is, because other conditions hold there.
std::optional<unsigned> placeOfInclude(llvm::StringRef Text, unsigned Offset,
                                       const clang::LangOptions &Language);

} // namespace acre::ast

#endif
