/* SPDX-License-Identifier: MIT */
//===- Summary.h - What functions do with plain parameters ------*- C++ -*-===//
//
// A parameter without an annotation borrows if its value, followed through the
// body, is only used, compared, or lent to parameters that borrow.  Bodies may
// come after the calls that rely on them, and call each other: what each
// parameter does is recorded when its body is seen, and questions are answered
// at the end of the translation unit, by reachability.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_SUMMARY_H
#define ACRE_PLUGIN_OWNERSHIP_SUMMARY_H

#include "plugin/ownership/Endless.h"
#include "plugin/ownership/Filling.h"
#include "plugin/ownership/Left.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class CallExpr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace acre::ast {

class Diagnostics;
class Steadiness;

/// Reports to be made if what they rest on turns out to be so.
using HeldReports = std::vector<std::function<void()>>;

/// What is done with a pointer that may outlive its arena; the order is that of %select in
/// diagnostics.def, and Sink's.
enum class ArenaUse : unsigned { Variable, Slot, Passed, Returned, Used, Handle };

/// What a function is right by, if it is: either by its parameters, or by what it calls.
struct Reliance {
  const clang::FunctionDecl *Function;
  std::vector<unsigned> Alone; ///< parameters that would have to be the only ways to their objects;
                               ///< none: that is not enough
  bool IsBySteady =
      false; ///< whether it is enough that these are steady, and keep nothing in these parameters
  llvm::DenseSet<const clang::FunctionDecl *> Steady;
  llvm::DenseSet<const clang::FunctionDecl *>
      SteadyAlone; ///< it is enough if these are so for what
                   ///< nobody else can reach
  llvm::DenseSet<std::pair<const clang::FunctionDecl *, unsigned>> Borrowing;
  /// What hangs on this global variable alone is lent to a parameter: it is enough that the
  /// function is steady, or names the variable nowhere.
  struct LentGlobal {
    const clang::FunctionDecl *Callee;
    unsigned Index;
    const clang::VarDecl *Variable;
  };
  std::vector<LentGlobal> Globals;
  std::vector<unsigned> Words; ///< parameters where 'borrowed' would help
  HeldReports Else;
};

/// Static functions whose results, without a word, may hang on a global variable or on what a
/// 'borrowed' parameter points to: who calls one by its name knows that.  By canonical declaration.
class Getters {
public:
  void lendsGlobal(const clang::FunctionDecl *Function) { Global.insert(Function); }
  void lendsParameter(const clang::FunctionDecl *Function, unsigned Index) {
    Parameters.insert({Function, Index});
  }
  /// Report: to be made if the function may be called otherwise.
  void add(const clang::FunctionDecl *Function, std::function<void()> Report) {
    Else[Function].push_back(std::move(Report));
  }
  bool isOfGlobal(const clang::FunctionDecl *Function) const { return Global.contains(Function); }
  bool isOfParameter(const clang::FunctionDecl *Function, unsigned Index) const {
    return Parameters.contains({Function, Index});
  }
  const llvm::MapVector<const clang::FunctionDecl *, HeldReports> &all() const { return Else; }

private:
  llvm::DenseSet<const clang::FunctionDecl *> Global;
  llvm::DenseSet<std::pair<const clang::FunctionDecl *, unsigned>> Parameters;
  llvm::MapVector<const clang::FunctionDecl *, HeldReports> Else;
};

/// What is in the owning slots, by number, of a new object that a function returns.
struct ReturnedObject {
  llvm::SmallBitVector MayHold; ///< something
  llvm::SmallBitVector IsNull;  ///< on every path
};

/// What functions leave to their callers where they end, by canonical declaration (Outcomes.h).
class KnownOutcomes {
public:
  /// This parameter, by its index, points to an owner, which is null where the function ends.
  void empties(const clang::FunctionDecl *Function, unsigned Index) {
    Emptying.insert({Function, Index});
  }
  bool isEmptying(const clang::FunctionDecl *Function, unsigned Index) const {
    return Emptying.contains({Function, Index});
  }
  /// Function returns such an object at one place; none: what is in it is not known.
  void returns(const clang::FunctionDecl *Function, const std::optional<ReturnedObject> &What);
  /// What is in the objects that it returns; null: that is not known.
  const ReturnedObject *returnedBy(const clang::FunctionDecl *Function) const {
    auto Found = Returned.find(Function);
    return Found == Returned.end() || !Found->second ? nullptr : &*Found->second;
  }
  /// It returns a result, which is a positive number if IsPositive, and the places for others may
  /// hold something if MayHold.
  void leaves(const clang::FunctionDecl *Function, bool MayHold, bool IsPositive) {
    auto [Found, IsNew] = OnlyPositive.try_emplace(Function, true);
    Found->second &= !MayHold || IsPositive;
  }
  /// Whether it leaves nothing in the places for others unless its result is a positive number.
  bool fillsIfPositive(const clang::FunctionDecl *Function) const {
    return OnlyPositive.lookup(Function);
  }
  /// Function never returns (Endless.h).
  void isFollowedBy(const clang::FunctionDecl *Function, After What) { Ends[Function] = What; }
  After after(const clang::FunctionDecl *Function) const {
    auto Found = Ends.find(Function);
    return Found == Ends.end() ? After::Return : Found->second;
  }

private:
  llvm::DenseSet<std::pair<const clang::FunctionDecl *, unsigned>> Emptying;
  llvm::DenseMap<const clang::FunctionDecl *, std::optional<ReturnedObject>> Returned;
  llvm::DenseMap<const clang::FunctionDecl *, After> Ends;
  llvm::DenseMap<const clang::FunctionDecl *, bool> OnlyPositive;
};

class Summaries {
public:
  /// A parameter of a function: its canonical declaration, and the index.
  using Parameter = std::pair<const clang::FunctionDecl *, unsigned>;

  /// Added to the index of a pointer to a pointer: what is found there (Cursors.h).
  static constexpr unsigned Content = 1u << 16;

  explicit Summaries(Diagnostics &Reports) : Reports(Reports) {}

  LeftSlots Left; ///< by functions that free
  Getters Lenders;
  KnownOutcomes Outcomes;

  void begin(const clang::FunctionDecl *Defined);
  void escapes(Parameter Which) { Known[Which].DoesEscape = true; }
  /// Every return of Function gives back what this parameter points into, and its body is the one
  /// that runs.
  void alwaysReturns(const clang::FunctionDecl *Function, unsigned Index) {
    Always[Function] = Index;
  }
  std::optional<unsigned> alwaysReturned(const clang::FunctionDecl *Function) const {
    auto Found = Always.find(Function);
    return Found == Always.end() ? std::nullopt : std::optional(Found->second);
  }
  void isReturned(Parameter Which) { Known[Which].IsReturned = true; }
  void isLentTo(Parameter Which, Parameter Other) { Known[Which].LentTo.push_back(Other); }
  void end(const clang::FunctionDecl *Defined) { Finished[Defined] = true; }
  /// What is recorded of the parameters of a function, but not of their contents: as text that does
  /// not tell in which order.
  std::string describe(const clang::FunctionDecl *Defined) const;

  /// What is done to the slots of what this parameter points to; null: that is not known.
  void usesSlots(Parameter Which, SlotUse How) { SlotUses[Which] = std::move(How); }
  const SlotUse *slotUse(Parameter Which) const {
    auto Found = SlotUses.find(Which);
    return Found == SlotUses.end() ? nullptr : &Found->second;
  }

  /// What becomes of this content is recorded.
  void follows(Parameter Which) {
    Followed.insert(Which);
    Known[Which];
  }
  /// Whether functions that were seen keep what is given to this parameter nowhere, and follow what
  /// is found there.
  bool isCursor(Parameter Which) const;

  /// Whether the result of a call may point where this argument does.
  bool mayReturn(Parameter Which) const;

  /// An owner, or what is borrowed from one, is passed to Which at Place.
  void ask(Parameter Which, const clang::VarDecl *Lent, clang::SourceRange Place);
  /// The address of the owner Lent is passed to Which: what was seen must not keep it, declarations
  /// are believed.
  void askIfSeen(Parameter Which, const clang::VarDecl *Lent, clang::SourceRange Place);
  /// The body of Function is believed about the address of Variable.
  void askBody(const clang::FunctionDecl *Function, const clang::VarDecl *Variable,
               clang::SourceRange Place);
  /// As ask, about what points into the arena Lent; a no is then only a doubt.
  void askInArena(Parameter Which, const clang::VarDecl *Lent, clang::SourceRange Place);

  // A parameter without a word may be relied on to be the only way to its object, as a borrowed
  // one, if its function can only be called where that is seen.

  /// The object of Which can be reached otherwise; so it can if that of Outer can, which is a
  /// parameter without a word.
  void isLentOpenly(Parameter Which) {
    if (!IsQuiet)
      Open.insert(Which);
  }
  void isAsOpenAs(Parameter Which, Parameter Outer) {
    if (!IsQuiet)
      OpenIf[Which].push_back(Outer);
  }
  /// What is wrong with a function if nothing that it may rest on is so.
  void reliesOn(Reliance What) { Reliant.push_back(std::move(What)); }
  /// Whether what is asked and lent is forgotten, because it will be told again.
  void setQuiet(bool Wanted) { IsQuiet = Wanted; }

  /// Notes where 'borrowed' could be written.
  void noteWord(Parameter Which);

  /// Reports the questions whose answer is no.  At the end of the translation unit.
  void finish(const Steadiness &Steady);

private:
  struct Use {
    bool DoesEscape = false, IsReturned = false;
    llvm::SmallVector<Parameter, 2> LentTo;
  };
  struct Question {
    Parameter Which;
    const clang::VarDecl *Lent;
    clang::SourceRange Place;
    bool IsInArena;
  };
  /// BelievesUnseen: of functions without a body here.
  bool borrows(Parameter Which, bool BelievesUnseen = false) const;
  void report(const Question &Asked);
  bool isWordWanted(Parameter Which) const;
  bool isOpen(Parameter Which,
              llvm::function_ref<bool(const clang::FunctionDecl *)> IsPointed) const;
  /// IsNamedAlone: whether a global variable can be reached by its name alone.
  bool isSteady(const Reliance &Each, const Steadiness &Steady,
                llvm::function_ref<bool(const clang::VarDecl *)> IsNamedAlone) const;

  Diagnostics &Reports;
  llvm::DenseMap<Parameter, Use> Known;
  llvm::DenseMap<const clang::FunctionDecl *, bool> Finished; // by canonical declaration
  llvm::DenseMap<const clang::FunctionDecl *, unsigned> Always;
  llvm::DenseMap<Parameter, SlotUse> SlotUses;
  std::vector<Question> Questions, Bodies, OfSeen;
  llvm::DenseSet<Parameter> Followed; // contents
  llvm::DenseSet<Parameter> Open;
  llvm::DenseMap<Parameter, llvm::SmallVector<Parameter, 2>> OpenIf;
  std::vector<Reliance> Reliant;
  bool IsQuiet = false;
};

/// The pointer parameters of the function of the program that a function of the C library calls
/// back, if its body is one that is seen here.
llvm::SmallVector<Summaries::Parameter, 2> parametersRunBy(const clang::CallExpr *Call);

} // namespace acre::ast

#endif
