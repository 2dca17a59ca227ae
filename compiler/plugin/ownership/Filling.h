/* SPDX-License-Identifier: MIT */
//===- Filling.h - What functions do to the slots of structures -*- C++ -*-===//
//
// A function that is lent a structure with owning slots, or one slot, may put
// owners there, take them out, or be the one that sets the structure up.  That is read off its
// body, without regard to the order of statements.  It decides what is warned of,
// and a structure whose address no callee keeps is judged as an owner is.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_FILLING_H
#define ACRE_PLUGIN_OWNERSHIP_FILLING_H

#include "plugin/Statements.h"
#include "llvm/ADT/SmallBitVector.h"

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace acre::ast {

class PlainFacts;
class Summaries;

/// What a function does to the owning slots, by number, of what a parameter points to: that may be
/// one slot.
struct SlotUse {
  llvm::SmallBitVector Fills;     ///< may leave an owner there
  llvm::SmallBitVector Takes;     ///< may take out what is there
  llvm::SmallBitVector TakenHere; ///< of these, what its own body takes, and no callee
  llvm::SmallBitVector Leaves; ///< of these, what it leaves alone on some path; only numbers that
                               ///< it was given decide which path that is
  llvm::SmallBitVector Reads;  ///< looks at what is there, or takes it, and never sets it before
  bool IsKept = false;         ///< may keep the address, or that of a part
  bool Begins = false;         ///< sets the whole structure, without a look at what is in it
  bool MayWalk = false;        ///< may get from the address to what lies beside it
};

/// Records that of each parameter of Definition that points to a structure with owning slots, or to
/// one slot, if the body is the one that runs.
void noteSlotUses(clang::ASTContext &Context, PlainFacts &Facts, Summaries &Known,
                  const clang::FunctionDecl *Definition, const Evaluated &Body);

} // namespace acre::ast

#endif
