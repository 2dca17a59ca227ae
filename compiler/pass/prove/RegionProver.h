/* SPDX-License-Identifier: MIT */
//===- RegionProver.h - Proofs about the regions of SSA values --*- C++ -*-===//
//
// The inference of section 4.3 of the RC paper, on demand: instead of the
// greatest fixed point of all facts about all values, a proof is searched for
// the one fact that a check asserts.  A goal is
//
//   L = top or L = R        (Same)
//   L = top or R <= L       (Ancestor: L is R or above it)
//
// for two region terms, at a point of the program.  top is the region of null: L
// may be null, and R is known not to be, if it is the holder of a slot that is
// written.
//
// A rule replaces a goal by goals at an earlier moment of the execution (before a
// phi, a call, a passed check: solveEarlier), or at the same moment.  A goal that
// is met again below itself, with a step to an earlier moment between, may be
// taken for proved: that is induction over the execution, and what is found is
// the greatest fixed point.  Without such a step it may not: facts of one moment
// can imply each other and say nothing.  Goals that were proved under an
// assumption that fails are forgotten.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_REGIONPROVER_H
#define ACRE_PASS_REGIONPROVER_H

#include "pass/prove/ProgramView.h"
#include "pass/prove/TermResolver.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class DominatorTree;
} // namespace llvm

namespace acre {

enum class GoalKind : unsigned { Same, Ancestor };

/// Where a fact is wanted: at At, or on the edge from At's block to Into.
struct ProofPoint {
  const llvm::Instruction *At;
  const llvm::BasicBlock *Into = nullptr;
};

/// Why a proof failed: the first value of which not enough is known.
struct MissingFact {
  enum Reason {
    None,
    UnknownCaller,   ///< a parameter of a function whose callers are not all known
    UnknownResult,   ///< the result of a call
    UnannotatedLoad, ///< read from a slot without annotation
    GlobalLoad,      ///< read from a global variable
    ArrayLoad,       ///< read from a local array
    MadeFromInteger, ///< made from an integer
    OtherRegion,     ///< both regions are known, and nothing says that they are the same
    Budget,          ///< the search was given up
  };
  Reason Why = None;
  const llvm::Value *Value = nullptr;    ///< of which too little is known
  const llvm::Instruction *At = nullptr; ///< where it was wanted
  RegionTerm Wanted;                     ///< the region it should be in
  bool IsHandle = false; ///< Value is a handle, and Wanted the region it should name
};

class RegionProver {
public:
  RegionProver(llvm::FunctionAnalysisManager &Analyses, ProgramView &Whole)
      : FAM(Analyses), Program(Whole), Terms(Analyses, Whole) {}

  /// Tries to prove the goal.  IsHolder: In is the region of something that is dereferenced when
  /// control passes At.
  bool prove(GoalKind Kind, RegionTerm Value, RegionTerm In, bool IsHolder,
             const llvm::Instruction &At);

  /// Why the last proof failed.
  const MissingFact &missing() const { return Missing; }
  /// What the last proof rests on, most important first: allocations, annotated reads, checks,
  /// tests, calls.
  llvm::ArrayRef<const llvm::Value *> evidence() const { return Evidence; }
  /// How many proofs were given up for the budget.
  unsigned givenUp() const { return GivenUp; }

private:
  struct Goal {
    GoalKind Kind;
    RegionTerm L, R;
    bool IsHolder; ///< R is known not to be null
  };
  /// Kind and IsHolder, L, R, where.
  using Key = std::tuple<unsigned, unsigned, const llvm::Value *, unsigned, const llvm::Value *,
                         const llvm::Instruction *, const llvm::BasicBlock *>;

  /// How a goal stands that is proved, or being proved.
  struct Proof {
    /// The largest Assumed among the goals that it used at the same moment.  This proof may be
    /// used again only after more backward steps than that.
    int Assumed;
    unsigned Level; ///< of the open goal, or IsClosed
  };
  /// A goal that is being proved.
  struct OpenGoal {
    int Moves;        ///< steps back in time that led to it
    int Assumed;      ///< becomes Proof::Assumed
    unsigned Refused; ///< the lowest open goal that could not be assumed
  };
  static constexpr int NoAssumption = -1;
  static constexpr unsigned IsClosed = ~0u;

  bool solve(Goal G, ProofPoint Where, unsigned Depth);
  /// Where lies in the past: what is assumed here may be used to prove it.
  bool solveEarlier(const Goal &G, ProofPoint Where, unsigned Depth);
  /// Whether a goal that is proved or being proved may be taken for true.  A proof may rest on the
  /// goal itself only as it was earlier: facts of one moment that imply each other say nothing.
  bool isUsable(const Proof &Known);
  bool search(const Goal &G, ProofPoint Where, unsigned Depth);
  bool byDefinition(const Goal &G, ProofPoint Where, unsigned Depth);
  bool byPhi(const Goal &G, const llvm::PHINode &Phi, unsigned Depth);
  bool bySelect(const Goal &G, const llvm::SelectInst &Select, ProofPoint Where, unsigned Depth);
  bool byLoad(const Goal &G, const llvm::LoadInst &Load, ProofPoint Where, unsigned Depth);
  bool byContents(const Goal &G, const llvm::Value &Object, const llvm::LoadInst &Load,
                  unsigned Depth);
  bool byCall(const Goal &G, const llvm::CallBase &Call, ProofPoint Where, unsigned Depth);
  bool byCallers(const Goal &G, const llvm::Argument &Parameter, unsigned Depth);
  bool byHolder(const Goal &G, ProofPoint Where, unsigned Depth);
  bool byHolderCall(const Goal &G, const llvm::CallBase &Call, ProofPoint Where, unsigned Depth);
  bool byFacts(const Goal &G, ProofPoint Where, unsigned Depth);
  bool byHolderFacts(const Goal &G, ProofPoint Where, unsigned Depth);
  bool byEquality(const Goal &G, RegionTerm::Kind Kind, const llvm::Value &V, ProofPoint Where,
                  unsigned Depth);

  bool isNullAt(const llvm::Value *V, ProofPoint Where) const;
  bool dominates(const llvm::Instruction &I, ProofPoint Where) const;
  bool holdsOn(const llvm::ICmpInst &Compare, ProofPoint Where, bool Outcome) const;
  std::optional<RegionTerm> acrossEdge(RegionTerm T, const llvm::BasicBlock &To,
                                       const llvm::BasicBlock &From) const;
  bool isInvariant(const RegionTerm &T, const llvm::Function &F) const;
  bool fail(MissingFact::Reason Why, const Goal &G, ProofPoint Where);
  void note(const llvm::Value *V) {
    if (V && !llvm::is_contained(Evidence, V))
      Evidence.push_back(V);
  }

  llvm::DominatorTree &dominators(const llvm::Function &F) const;

  llvm::FunctionAnalysisManager &FAM;
  ProgramView &Program;
  TermResolver Terms;
  llvm::DenseSet<Key> Failed;           ///< goals without a proof, whatever is assumed
  llvm::DenseMap<Key, Proof> Proved;    ///< goals proved, or being proved
  llvm::SmallVector<OpenGoal, 32> Open; ///< from the first to the one that is looked at
  llvm::SmallVector<Key, 64> Trail;     ///< the order in which goals entered Proved in this proof
  llvm::SmallVector<const llvm::Value *, 8> Evidence;
  MissingFact Missing;
  unsigned Steps = 0, GivenUp = 0, Moves = 0;
  uint64_t TotalSteps = 0;
  bool IsOut = false; ///< the budget of this proof is used up
};

} // namespace acre

#endif
