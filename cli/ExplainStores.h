/* SPDX-License-Identifier: MIT */
//===- ExplainStores.h - What was decided of each store -------*- C++ -*-===//
//
// A store is a place in the source.  Inlining and unrolling make copies of it, and
// the compiler decides on each alone; the store's check (or count) is gone only if
// that of every copy is.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_CLI_EXPLAIN_STORES_H
#define ACRE_CLI_EXPLAIN_STORES_H

#include "ExplainRecords.h"

namespace acre::cli {

enum class SlotKind { Sameregion, Parentptr, Traditional, Inregion, Inparent, Counted, Copy };

/// As the annotation is written; "counted" if there is none; "copy": a whole structure that has
/// annotated slots.
const char *nameOf(SlotKind Kind);

struct Place {
  std::string File;              // empty if not known
  unsigned Line = 0, Column = 0; // 0 if not known; no line if the optimizer merged stores of
                                 // several lines into one
};

struct Copy {
  std::string Function; // that it was compiled in
  bool IsKept = false;
  std::vector<std::string> Facts; // removed: by which
  std::string Missing, Change;    // kept: the fact that is missing, and what can be done
  std::optional<Place> Where;     // kept: the line to change, if it is another

  bool operator==(const Copy &Other) const;
};

struct Store {
  Place At;
  SlotKind Kind = SlotKind::Counted;
  std::string
      Subject; // "check of sameregion store", "counted store", "check of copied struct node"
  std::string Function; // that it stands in
  std::vector<Copy> Copies;

  bool isKept() const;
};

struct Decisions {
  std::vector<Store> Stores; // by file, line and column
  /// Barriers that were inserted before anything was removed.
  bool HasBarriers = false;
};

/// Collects the remarks of Acre's pass.  FirstFiles come first, in that order.  If a remark is not
/// understood, Error says so.
Decisions decisionsOf(const std::vector<Record> &Records,
                      const std::vector<std::string> &FirstFiles, std::string &Error);

/// Leaves of All what stands in, or was inlined into, a function.
void selectFunction(Decisions &All, const std::string &Function);

struct Tally {
  unsigned Stores = 0, Removed = 0;
};

/// Which stores a tally is about.
enum class Tallied { Annotated, Counted, Copies };
Tally tally(const std::vector<Store> &Stores, Tallied Which);

} // namespace acre::cli

#endif
