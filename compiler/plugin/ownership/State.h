/* SPDX-License-Identifier: MIT */
//===- State.h - What is known of owners and borrowers at a point *- C++ -*===//
//
// The lattice: an owner is described by the set of conditions it may be in, a
// borrower by the set of roots it may borrow from.  The join is the union; so a
// pointer that is consumed on one path is consumed after (Cyclone, section 3).
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_STATE_H
#define ACRE_PLUGIN_OWNERSHIP_STATE_H

#include "plugin/ownership/Place.h"
#include "plugin/ownership/Unset.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class CallExpr;
class Decl;
class Expr;
class FieldDecl;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace acre::ast {

/// The roots that a pointer may have been borrowed from.
struct Loans {
  llvm::SmallBitVector Direct; ///< it points into the object that the root's variable points to
  llvm::SmallBitVector
      Deep; ///< it was reached through a unique pointer in memory: an object below that
  llvm::SmallBitVector
      Maybe; ///< it may point into these arenas, which only the running program knows
  llvm::SmallBitVector Frames; ///< it points into these variables of the function's own frame
  llvm::SmallBitVector
      Cells; ///< it may be the address of these owners, which are roots; so they are in Deep
  bool IsCell = false; ///< it is the address of one owner, which is in Cells
  llvm::SmallBitVector
      Library; ///< it may point to what the C library lends here, by number (Lenders.h)
  bool MayBeUnlent = false; ///< or to something that it does not: known only where Library is not
                            ///< empty
  bool IsOpen =
      false; ///< it may point to what others reach too: what hangs below that, they may take
  bool MayBeCounted = false; ///< it may point to, or into, what has a count
  bool MayBeOther = false;   ///< it may point to anything but the beginning of what has a count

  OwnSlot Via; ///< the slot of the root's own object that all of Deep was reached through
  OwnSlot At;  ///< the part of that object that all of Direct points into

  explicit Loans(unsigned Roots = 0)
      : Direct(Roots), Deep(Roots), Maybe(Roots), Frames(Roots), Cells(Roots) {}
  bool any() const { return Direct.any() || Deep.any(); }
  /// Whether there is no pointer: null, or a variable that is not set.
  bool isNothing() const {
    return !any() && Maybe.none() && Frames.none() && !IsOpen && !MayBeCounted && !MayBeOther;
  }
  bool contains(unsigned Root) const { return Direct.test(Root) || Deep.test(Root); }
  /// The slot of the root's own object that the way to a slot leads through first.  Named: that
  /// slot itself, if it has a number and nothing lies between.
  OwnSlot firstSlot(const OwnSlot &Named) const;
  llvm::SmallBitVector roots() const;
  llvm::SmallVector<unsigned, 4> numbers() const; ///< of the roots
  /// Returns whether these loans changed; so do the joins below.
  bool add(const Loans &Other);
  /// The same; and the pointer is either.
  bool choose(const Loans &Other);
  void addLibrary(const Loans &Other);
  bool isOfLibrary(unsigned Number) const {
    return Number < Library.size() && Library.test(Number);
  }
  /// Whether it points into the function's frame, and nowhere else that is known of.
  bool isOnlyOfFrames() const { return Frames.any() && !any() && Maybe.none(); }
};

/// A few places of the program, in the order in which they were met.
class Sites {
public:
  void add(const clang::Stmt *Place);
  bool add(const Sites &Other);
  llvm::ArrayRef<const clang::Stmt *> all() const { return Places; }

private:
  static constexpr unsigned Most = 4; // as many notes as a message can bear
  llvm::SmallVector<const clang::Stmt *, 2> Places;
};

struct OwnerState {
  enum Condition : unsigned char {
    Uninitialized = 1,
    Null = 2,
    Live = 4,
    Consumed = 8,
    Failed = 16,  ///< of what a call was to open
    Standard = 32 ///< one of stdin, stdout and stderr, which need not be closed
  };

  unsigned char Conditions = 0; ///< may be in; none: nothing is known, and nothing reported
  /// Where this pointer is null, realloc was not done or has failed, and this owner still has what
  /// it had; where it is not, realloc has consumed this owner.
  const clang::VarDecl *RestoredBy = nullptr;
  Sites ConsumedAt;
  Sites MadeBy; ///< calls of the C library, or of notes, that made what it owns on some path
  const clang::Stmt *GrownAt =
      nullptr; ///< realloc was given this owner, and put its result here: null loses the object
  const clang::CallExpr *FilledBy = nullptr; ///< this call was given its address to put one there
  /// The stream that this call has opened puts one there when it is closed, on some path.
  const clang::CallExpr *WrittenSince = nullptr;
  std::optional<unsigned> WrittenBy; ///< the owner of that stream, if it is known
  unsigned char UnlessWritten = 0;   ///< the conditions that it is in if there is no stream

  bool mayBe(Condition Which) const { return (Conditions & Which) != 0; }
  bool isSurely(Condition Which) const { return Conditions == Which; }
  bool join(const OwnerState &Other);
};

struct BorrowerState {
  Loans From;
  bool IsDangling = false; ///< on some path
  bool IsDoubtful = false; ///< an arena has ended that it may point into
  bool IsStale = false;    ///< it dangles, if it does, since the C library has overwritten that
  unsigned LostRoot = 0;   ///< of what was consumed or changed; beyond all: LenderTransfer::first
  Sites LostAt = {};
  std::vector<const clang::FunctionDecl *> SparedBy =
      {}; ///< calls of these have ended it, unless they are steady (Steady.h)
  std::vector<const clang::FunctionDecl *> SparedAloneBy =
      {}; ///< the same, where nobody but the callee could have reached what it hangs on
  std::optional<Place> Through =
      {}; ///< the element of an array that the way to where it points leads through, on every path
  std::optional<Place> Slot =
      {}; ///< the unique pointer in memory that has what it points into, on every path
  llvm::SmallBitVector Above =
      {}; ///< the borrowers that unique pointers alone led from to where it points, or that point
          ///< there: on every path, and they have had no other value since

  /// It dangles from now on, because At ends this root's loans.
  void lose(unsigned Root, const clang::Stmt *At, bool IsOverwritten = false);
  bool join(const BorrowerState &Other);
};

/// Where the key of an open arena is owned.
struct KeyState {
  Loans From;
  bool IsOpen = false; ///< the arena is, on some path
  const clang::Expr *Slot =
      nullptr; ///< the lvalue that still holds the unique key, if that is in memory

  bool join(const KeyState &Other);
};

/// What is lent as an alias, while its block lasts.
struct AliasState {
  bool IsOpen = false;
  Loans From;
};

/// A variable that outlives the function holds the address of one of its frame.
struct LeftAddress {
  const clang::VarDecl *In;
  unsigned Frame; ///< its root
  const clang::Stmt *At;

  bool operator==(const LeftAddress &Other) const { return In == Other.In && Frame == Other.Frame; }
};

/// A variable that is no pointer has the value of this test, and a pointer that of this address of
/// an element: no variable that it names has changed since.
struct KeptTest {
  const clang::VarDecl *In;
  const clang::Expr *Test;

  bool operator==(const KeptTest &Other) const; ///< also if the same is written in two places
};

/// A variable that is no pointer, or an owner, has the result of this call.
struct KeptResult {
  const clang::VarDecl *In;
  const clang::CallExpr *Call;

  bool operator==(const KeptResult &Other) const { return In == Other.In && Call == Other.Call; }
};

/// What a test says of a variable: its value is this number, or is not.  Null is 0.
struct Premise {
  const clang::VarDecl *In;
  std::optional<unsigned> Owner; ///< In as an owner; none: In is no pointer
  int64_t Value;
  bool IsEqual;

  bool operator==(const Premise &Other) const {
    return In == Other.In && Owner == Other.Owner && Value == Other.Value &&
           IsEqual == Other.IsEqual;
  }
};

/// A local number that is one of these, or is none of them.
struct KnownNumber {
  const clang::VarDecl *In;
  bool IsAmong;
  llvm::SmallVector<int64_t, 2> Values; ///< in their order

  bool operator==(const KnownNumber &Other) const {
    return In == Other.In && IsAmong == Other.IsAmong && Values == Other.Values;
  }
};

/// Where the premise holds, the owner is in one of these conditions.  What was known on each of two
/// paths is still known behind them where a test tells which one it was (Correlated.cpp).
struct Implication {
  Premise If;
  unsigned Owner;
  unsigned char Conditions;

  bool operator==(const Implication &Other) const {
    return If == Other.If && Owner == Other.Owner && Conditions == Other.Conditions;
  }
};

/// Where the premise holds, no more is so of this slot of an object than these facts say.
struct SlotImplication {
  Premise If;
  unsigned Object, Slot;
  SlotFacts Facts;

  bool operator==(const SlotImplication &Other) const {
    return isOf(Other.If, Other.Object, Other.Slot) && Facts == Other.Facts;
  }
  bool isOf(const Premise &That, unsigned OfObject, unsigned OfSlot) const {
    return If == That && Object == OfObject && Slot == OfSlot;
  }
};

/// Where the premise holds, no loan of this borrower has ended.
struct LoanImplication {
  Premise If;
  unsigned Borrower;

  bool operator==(const LoanImplication &Other) const {
    return If == Other.If && Borrower == Other.Borrower;
  }
};

/// Where the premise holds, this unique pointer in memory is null.
struct PlaceImplication {
  Premise If;
  Place Slot;

  bool operator==(const PlaceImplication &Other) const {
    return If == Other.If && Slot == Other.Slot;
  }
};

/// A unique pointer in memory that the function has set.
struct FilledPlace {
  Place Slot;
  const clang::CallExpr *By = nullptr; ///< this call was given its address to do so, and may fail
  bool IsNew = false;                  ///< with memory in which there is nothing yet

  bool operator==(const FilledPlace &Other) const {
    return Slot == Other.Slot && By == Other.By && IsNew == Other.IsNew;
  }
};

/// The elements of an array that are numbered from From + Lowest up to To + Highest are empty.  The
/// first of these numbers is at most the last and one; IsSome: at most the last.
struct Gap {
  Place Slot; ///< as an element that To numbers
  const clang::VarDecl *From, *To;
  long Lowest, Highest;
  bool IsSome;

  /// Whether both are of the same elements.
  bool operator==(const Gap &Other) const {
    return From == Other.From && To == Other.To && Lowest == Other.Lowest &&
           Highest == Other.Highest && Slot == Other.Slot;
  }
};

/// Both variables point to the same slot.
struct SamePointers {
  const clang::VarDecl *One, *Other;

  bool operator==(const SamePointers &That) const { return One == That.One && Other == That.Other; }
};

/// This slot was set to what realloc made of an object that was taken out of memory.
struct GrownPlace {
  Place Slot;
  const clang::CallExpr *By;
  bool HasFailed = false; ///< a test has found it null

  bool operator==(const GrownPlace &Other) const {
    return Slot == Other.Slot && By == Other.By && HasFailed == Other.HasFailed;
  }
};

/// realloc was given what this slot owns, and In has the result.  If that is not null, the slot has
/// a pointer to nothing, until it is set to the result.
struct RegrownPlace {
  Place Slot;
  const clang::VarDecl *In;
  const clang::CallExpr *By;
  bool WasNull;

  bool operator==(const RegrownPlace &Other) const {
    return Slot == Other.Slot && In == Other.In && By == Other.By && WasNull == Other.WasNull;
  }
};

/// A callee was lent this part of what hangs on a root.
struct TouchedPart {
  enum Result : unsigned char { Zero = 1, Positive = 2, Negative = 4, Any = 7 };

  unsigned Root;
  OwnSlot Part;
  const clang::CallExpr *By = nullptr; ///< it leaves that as it was on some path, and says by its
                                       ///< result whether it has
  unsigned char Told = Any;            ///< what that result may be, for all that was asked

  bool operator==(const TouchedPart &Other) const {
    return covers(Other) && Other.Part.contains(Part) && By == Other.By && Told == Other.Told;
  }
  bool covers(const TouchedPart &Other) const {
    return Root == Other.Root && Part.contains(Other.Part);
  }
  /// Whether it may be as it was, and nobody has asked.
  bool isUntold() const { return By && Told == Any; }
};

/// An element of this array, or this member of a union, was taken here.
struct TakenPlace {
  Place Of;
  const clang::Expr *By;

  bool operator==(const TakenPlace &Other) const { return By == Other.By && Of == Other.Of; }
};

struct State {
  bool IsReached = false;
  bool MayJumpBack =
      false; ///< a setjmp of the function has returned on some path, so calls may lead there
  std::vector<OwnerState> Owners; ///< and behind them variables in which something is opened
  std::vector<BorrowerState> Borrowers;
  std::vector<SlotState> Slots; ///< of each owner's object, then of each frame
  std::vector<KeyState> Keys;   ///< of each arena
  std::vector<AliasState> Aliases;
  std::vector<Loans>
      Held; ///< by frame: aliases that the variable may hold, and variables whose addresses it may
  llvm::SmallBitVector Exposed;           ///< by frame: who has the variable's address is not known
  llvm::SmallVector<LeftAddress, 1> Left; ///< on every path
  llvm::SmallVector<KeptTest, 1> Tests;   ///< on every path
  llvm::SmallVector<KeptResult, 1> Results; ///< on every path
  llvm::SmallVector<Place, 1> Empty; ///< unique pointers in memory that are null, on every path
  llvm::SmallVector<FilledPlace, 1> Filled; ///< on some path: those that were set
  llvm::SmallVector<Place, 1> Overlaid;     ///< and those in unions of which another member was set
  llvm::SmallVector<TouchedPart, 1> Touched; ///< what callees may have emptied, on every path
  llvm::SmallVector<Place, 1> Refilled;      ///< and what was set since then, on some path
  llvm::SmallVector<TakenPlace, 1> Holes;    ///< that owners were taken out of, on some path
  llvm::SmallVector<Gap, 1> Gaps;            ///< on every path
  llvm::SmallVector<SamePointers, 1> Same;   ///< on every path
  llvm::SmallVector<Place, 1>
      Emptied; ///< what parameters point to and was set to null, on some path
  llvm::SmallVector<GrownPlace, 1> Grown;     ///< on some path
  llvm::SmallVector<RegrownPlace, 1> Regrown; ///< on some path
  llvm::SmallVector<KnownNumber, 1> Numbers;  ///< on every path
  llvm::SmallVector<Implication, 1> Implications;
  llvm::SmallVector<SlotImplication, 1> SlotImplications;
  llvm::SmallVector<LoanImplication, 1> LoanImplications;
  llvm::SmallVector<PlaceImplication, 1> PlaceImplications;

  bool hasImplications() const {
    return !Implications.empty() || !SlotImplications.empty() || !LoanImplications.empty() ||
           !PlaceImplications.empty();
  }
  /// The slots of this object, of which these are about to get other values.
  SlotState &changeSlots(unsigned Object, unsigned First = 0, unsigned Count = ~0u);
  /// The borrower, which is about to get another value or to lose a loan.
  BorrowerState &changeBorrower(unsigned Borrower);
  /// It points elsewhere: which others are above it, and below.
  void forgetAbove(unsigned Borrower);

  /// Returns whether this state changed.
  bool join(const State &Other);
  /// Whether the premise certainly does not hold here, or certainly does.
  bool excludes(const Premise &If) const;
  bool satisfies(const Premise &If) const;
  /// The premise, of a number, holds here.  Draws the conclusions.
  void learn(const Premise &That);
  /// Draws the conclusions of what is known.
  void conclude();
  /// This pointer has the value of Other, which is one too: what is known of numbers.
  void copyFacts(const clang::VarDecl *Pointer, const clang::VarDecl *Other);
  /// Forgets what is known of these unique pointers in memory; AreNull: but that they are null.
  void forgetPlaces(llvm::function_ref<bool(const Place &)> Which, bool AreNull = false);
  /// These may be null or not.
  void forgetNull(llvm::function_ref<bool(const Place &)> Which);
  /// The variable, or the owner, has another value: what is known of that.
  void forgetFacts(const clang::VarDecl *Variable, std::optional<unsigned> Owner);

private:
  /// What will still be known when this state is joined with Other: of owners, slots, loans and
  /// places.
  llvm::SmallVector<Implication, 1> implicationsWith(const State &Other) const;
  llvm::SmallVector<SlotImplication, 1> slotImplicationsWith(const State &Other) const;
  llvm::SmallVector<LoanImplication, 1> loanImplicationsWith(const State &Other) const;
  llvm::SmallVector<PlaceImplication, 1> placeImplicationsWith(const State &Other) const;
  bool holds(const LoanImplication &Which) const;
  bool holds(const PlaceImplication &Which) const;
  /// What may be so of the slot where the premise holds; none: that is on no path.
  std::optional<SlotFacts> factsIf(const Premise &If, unsigned Object, unsigned Slot) const;
  bool joinNumbers(const State &Other);
  bool joinTouched(const State &Other);
  bool joinGaps(const State &Other);
  /// Premises that hold or may hold here, and not in Other.
  llvm::SmallVector<Premise, 4> distinctFrom(const State &Other) const;
};

} // namespace acre::ast

#endif
