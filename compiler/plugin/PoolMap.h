/* SPDX-License-Identifier: MIT */
//===- PoolMap.h - The functions of an API of pools -------------*- C++ -*-===//
//
// A map says which functions of a program make, use and end its pools
// (-facre-pools).  One statement a line; # begins a comment:
//
//   pool NAME                 the type of a pool: a structure's or a typedef's
//   align BYTES               how the pool aligns objects of unknown type (8)
//   most BYTES                where the functions below are asked for more they are called
//   WORD FUNCTION(ROLE, ...)  what a function does, and what its arguments are
//
// The result of a function that creates is the pool, unless an argument has the
// role `out`.  `of VARIABLE` behind the arguments names the variable that holds
// the pool.  docs/guide/pools.md lists words and roles.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_POOLMAP_H
#define ACRE_PLUGIN_POOLMAP_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>
#include <string>

namespace clang {
class ASTContext;
class FunctionDecl;
class QualType;
} // namespace clang

namespace acre::ast {

/// What a function does.  Other: it is known, and needs nothing.
enum class PoolWord {
  Create,
  Alloc,
  Bytes,
  Copy,
  Text,
  Release,
  Resize,
  Owner,
  Space,
  Total,
  Empty,
  Destroy,
  Clear,
  ClearOnly,
  Name,
  Other
};
/// What an argument is.
enum class PoolRole { Pool, Parent, Out, Size, Count, Align, Object, From, Name };
constexpr unsigned PoolRoleCount = 9;

struct PoolMap;

struct PoolFunction {
  PoolWord Word;
  /// The index of the argument with each role.
  std::array<std::optional<unsigned>, PoolRoleCount> Arguments;
  std::string Variable;         ///< that holds the pool, or empty
  std::optional<uint32_t> Most; ///< how many bytes a region gives at once
  const PoolMap *Map;
  clang::SourceLocation Said; ///< in the map

  std::optional<unsigned> operator[](PoolRole Role) const { return Arguments[unsigned(Role)]; }
};

/// What one file says.
struct PoolMap {
  std::string File, Type;
  clang::SourceLocation TypeSaid; ///< invalid: nowhere
  unsigned Align = 8;
  std::optional<uint32_t> Most; ///< of the functions that follow
  llvm::StringMap<PoolFunction> Functions;

  /// The size of a pool's object, where the unit has it in sight.
  std::optional<uint64_t> sizeIn(const clang::ASTContext &Context) const;
  /// Whether a pointer of Type may lead to a pool.
  bool isPointerToPool(clang::QualType Type) const;
};

/// FILE is read when the unit begins.
void addPoolMap(llvm::StringRef File);
/// Reads the files that options named, and reports what is wrong with them.
void readPoolMaps(clang::ASTContext &Context);
/// What a map says of this function; null: nothing.  One whose declaration does not fit is
/// reported, once.
const PoolFunction *pooledFunction(const clang::FunctionDecl *Function);
/// Reports functions that take a pool and are not in its map, but are declared in a file that
/// declares others of the map.  To be called at the end of the unit.
void reportUncovered(clang::ASTContext &Context);
/// Reports what a map is likely to have wrong about the functions that this unit defines, so once
/// in a program.  To be called at the end of the unit.
void checkDefinedPools(clang::ASTContext &Context);

} // namespace acre::ast

#endif
