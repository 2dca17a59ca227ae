/* SPDX-License-Identifier: MIT */
//===- Following.h - A function while it is followed -------------*- C++ -*-===//
//
// The facts of one function, which do not change; the state at the point that is
// being visited; and the parts of the transfer function, which change it.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_FOLLOWING_H
#define ACRE_PLUGIN_OWNERSHIP_FOLLOWING_H

#include "plugin/ownership/Aliases.h"
#include "plugin/ownership/Arenas.h"
#include "plugin/ownership/Borrowing.h"
#include "plugin/ownership/Calls.h"
#include "plugin/ownership/Frames.h"
#include "plugin/ownership/FreedArrays.h"
#include "plugin/ownership/Gaps.h"
#include "plugin/ownership/Growth.h"
#include "plugin/ownership/Lenders.h"
#include "plugin/ownership/Losses.h"
#include "plugin/ownership/Moved.h"
#include "plugin/ownership/Opened.h"
#include "plugin/ownership/Operands.h"
#include "plugin/ownership/Order.h"
#include "plugin/ownership/Outcomes.h"
#include "plugin/ownership/Places.h"
#include "plugin/ownership/Records.h"
#include "plugin/ownership/Sinks.h"
#include "plugin/ownership/Slots.h"
#include "plugin/ownership/Steady.h"
#include "plugin/ownership/Summary.h"
#include "plugin/ownership/Taken.h"
#include "plugin/ownership/Tests.h"
#include "plugin/ownership/Typed.h"
#include "plugin/ownership/Value.h"
#include "llvm/ADT/SetVector.h"

namespace acre::ast {

/// What is taken for granted of a function, until the translation unit ends.
struct Supposed {
  /// Parameters that are the only ways to their objects.
  llvm::ArrayRef<const clang::ParmVarDecl *> Alone;
  /// Callees that may still prove steady are assumed to be; null: none is.
  const Steadiness *Steady = nullptr;
  /// What is known already: only warnings rest on it.
  const Steadiness *Seen = nullptr;
  /// Whether its callers know of each result that it lends: nobody has named it yet, and all who
  /// can are in this file.
  bool MayBeGetter = false;
  /// Receives the callees that this assumption was used for, if not null.
  Reliance *Rests = nullptr;
  /// Receives the reports to issue at the end of the unit if an assumption fails, if not null.
  HeldReports *Held = nullptr;
};

struct Following {
  Following(clang::ASTContext &Context, Diagnostics &Reports, PlainFacts &Facts, Summaries &Known,
            const clang::FunctionDecl *Function, const Evaluated &Body, const Orderly *Only,
            const Supposed &Given);
  const OwningSlots &slotsOf(unsigned Object) const { return ObjectSlots[Object]; }

  clang::ASTContext &Context;
  PlainFacts &Facts;
  Summaries &Known;
  const clang::FunctionDecl *Function;
  const Evaluated &Body;
  Variables Vars;
  const MovedOwners Moved;
  const TypedPointers Typed;
  llvm::SmallBitVector OpenRoots; ///< that are not exclusive
  const bool MayOwn;
  const Supposed Given;
  std::vector<OwningSlots> ObjectSlots;
  llvm::DenseMap<unsigned, const clang::VarDecl *>
      MadeFor; ///< by object: the pointer that memory of alloca, for one of its type, is set to
  llvm::DenseSet<const clang::Expr *>
      Filled; ///< addresses that are made for functions of the C library
  llvm::DenseMap<const clang::InitListExpr *, const clang::VarDecl *>
      Initialized; ///< if there are aliases

  State Now;                                   ///< at the point that is being visited
  State Jumps;                                 ///< at any call, where longjmp may leave from
  const clang::CallExpr *TestedJump = nullptr; ///< the setjmp that the block ends with

  llvm::SetVector<const clang::VarDecl *> Unproven;
  llvm::DenseSet<const clang::UnaryOperator *> Cells; ///< addresses of owners that are followed
  llvm::DenseMap<const clang::Expr *, unsigned char>
      Put; ///< by value that a slot was set to: the conditions that it may be in
  llvm::DenseMap<const clang::Expr *, bool>
      TakenNull; ///< by call, or block, that took what a slot held: it was null
  llvm::DenseMap<const clang::Expr *, std::pair<unsigned, SlotState>>
      TakenSlots;   ///< by call, or block, that took what an owner had: that, and the slots' state
  EndedLoans Ended; ///< for the order of operands
  llvm::SetVector<const clang::Expr *> Fresh,
      Taken; ///< calls with unique results, and those that found an owner

  Reporter Says;
  ValueReader Values;
  TestTransfer Tests;
  PlaceTransfer Places;
  GapTransfer Gaps;
  BorrowTransfer Borrowing;
  SlotTransfer Slots;
  LossTransfer Losses;
  GrowthTransfer Growth;
  OutcomeTransfer Outcomes;
  RecordTransfer Records;
  ArenaTransfer Arenas;
  AliasTransfer Aliases;
  FrameTransfer Frames;
  FreedArrayTransfer FreedArrays;
  CursorTransfer Cursors;
  SinkTransfer Sinks;
  OpenedTransfer Opened;
  LenderTransfer Lenders;
  OperandTransfer Operands;
  CallTransfer Calls;
};

} // namespace acre::ast

#endif
