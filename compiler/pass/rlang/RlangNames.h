/* SPDX-License-Identifier: MIT */
//===- RlangNames.h - The names, types and structures of a rendering -*- C++ -*-===//
//
// Every structure has one region parameter, p: where the object is.  A field is
// an existential of the slot's rule, so what a rendering says of memory is what
// the annotations say.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_RLANGNAMES_H
#define ACRE_PASS_RLANGNAMES_H

#include "pass/base/Markers.h"
#include "rlang/Syntax.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>

namespace llvm {
class DIType;
}

namespace acre {

constexpr llvm::StringLiteral RegionType = "region", BytesType = "bytes";

/// A name of C or LLVM as one of rlang.
std::string identifier(llvm::StringRef Text);

inline rlang::Region at(llvm::StringRef Name) { return {Name.str(), {}}; }

/// Base[Region]@Region
rlang::Type typed(llvm::StringRef Base, llvm::StringRef Region);

/// exists q / Where . Base[q]@q
rlang::Type some(llvm::StringRef Base, rlang::Property Where = {});

/// What a slot with Rule may hold, if Holder is the region of what holds it.
rlang::Property ruleOf(SlotRule Rule, llvm::StringRef Value, llvm::StringRef Holder);

/// The base type of a pointer, by its type in the debug information; empty if that does not say.
std::string baseOf(const llvm::DIType *T);

/// A function without a body, of which nothing is known but its types; IsSame: but that its result
/// is where its first parameter is.
rlang::Function declared(llvm::StringRef Name, llvm::ArrayRef<std::string> Bases,
                         llvm::StringRef ResultBase, bool IsSame = false);

/// The structures and functions that bodies refer to.
class Declarations {
public:
  void addField(llvm::StringRef Struct, llvm::StringRef Field, llvm::StringRef Base, SlotRule Rule);
  /// The field's base type, or empty.
  llvm::StringRef fieldBase(llvm::StringRef Struct, llvm::StringRef Field) const;
  void declare(rlang::Function F) {
    std::string Name = F.Signature.Name;
    Functions.insert({std::move(Name), std::move(F)});
  }
  void need(llvm::StringRef Struct) {
    if (Struct != RegionType)
      Structs[Struct.str()];
  }
  rlang::Program program() const;
  /// The base types of the fields of a structure, in order.
  llvm::SmallVector<std::string, 4> fields(llvm::StringRef Struct) const;

private:
  struct Field {
    std::string Base;
    SlotRule Rule;
  };
  std::map<std::string, std::map<std::string, Field>> Structs;
  std::map<std::string, rlang::Function> Functions;
};

} // namespace acre

#endif
