/* SPDX-License-Identifier: MIT */
//===- DirectivePlaces.h - Where an #include can be added -------*- C++ -*-===//
#ifndef ACRE_PLUGIN_DIRECTIVEPLACES_H
#define ACRE_PLUGIN_DIRECTIVEPLACES_H

#include "llvm/ADT/StringRef.h"

namespace clang {
class LangOptions;
}

namespace acre::ast {

/// The start of the line of Text where an #include can be added for what stands at Offset: behind
/// the last #include before it that is read whenever Offset is, else behind the guard of the file,
/// else before its first code or directive.
unsigned placeOfInclude(llvm::StringRef Text, unsigned Offset, const clang::LangOptions &Language);

} // namespace acre::ast

#endif
