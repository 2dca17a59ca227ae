/* SPDX-License-Identifier: MIT */
//===- Left.h - Slots that a function leaves to its callers -----*- C++ -*-===//
//
// A static function that frees an object alone may leave a slot of it to its
// callers: free_node after the next node was taken.  Nobody says so; it is
// taken for meant if one caller has emptied the slot, and then each has to.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_LEFT_H
#define ACRE_PLUGIN_OWNERSHIP_LEFT_H

#include "plugin/Statements.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include <functional>
#include <utility>
#include <vector>

namespace clang {
class FunctionDecl;
class Stmt;
} // namespace clang

namespace acre::ast {

class LeftSlots {
public:
  /// A parameter, by the function and the index, and the number of a slot of its object.
  using Slot = std::pair<std::pair<const clang::FunctionDecl *, unsigned>, unsigned>;

  /// The function frees the object at Place, and does not empty this slot.
  void leaves(Slot Which, const clang::Stmt *Place, std::function<void()> Report) {
    Left[Which].InCallee.push_back({Place, std::move(Report)});
  }
  /// A caller gives the function an object in which this slot is null.
  void isEmptied(Slot Which) { Left[Which].IsEmptied = true; }
  /// The slot may hold something.
  void isNotEmptied(Slot Which, const clang::Stmt *Place, std::function<void()> Report) {
    Left[Which].InCallers.push_back({Place, std::move(Report)});
  }
  /// The function frees the object of this parameter, which is of no type, alone.
  void freesAlone(const clang::FunctionDecl *Function, unsigned Index) {
    Alone.insert({Function, Index});
  }
  bool isFreedAlone(const clang::FunctionDecl *Function, unsigned Index) const {
    return Alone.contains({Function, Index});
  }
  /// Reports what is lost.  At the end of the translation unit.
  void finish();

private:
  struct Loss {
    const clang::Stmt *Place;
    std::function<void()> Report;
  };
  struct Uses {
    bool IsEmptied = false;
    std::vector<Loss> InCallee, InCallers;
  };
  llvm::MapVector<Slot, Uses> Left;
  llvm::DenseSet<std::pair<const clang::FunctionDecl *, unsigned>> Alone;
};

class Summaries;

/// Notes which parameters of type void *unique this function frees, and gives to nobody else: of
/// what their objects own it can free nothing.
void noteFreedAlone(Summaries &Known, const clang::FunctionDecl *Definition, const Evaluated &Body);

} // namespace acre::ast

#endif
