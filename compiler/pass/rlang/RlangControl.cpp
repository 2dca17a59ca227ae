// SPDX-License-Identifier: MIT
//===- RlangControl.cpp - Control flow as if and while --------------------===//
//
// A branch becomes an if whose arms end where all ways from it meet again; a loop
// with header H becomes "H; while * { body; H }".  What leaves a loop from within
// skips the rest of the body, and may then go round again: rlang has no break.
// What ends in a call that does not return ends in "chk false".
//
//===----------------------------------------------------------------------===//
#include "pass/rlang/Rlang.h"
#include "rlang/Parse.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acre {
namespace {

using Block = std::vector<rlang::Statement>;
using Blocks = SmallPtrSet<const BasicBlock *, 8>;

constexpr unsigned MostStatements = 4000;

class Structurer {
public:
  Structurer(const Function &Fn, const LoopInfo &Info, const BlockStatements &Of)
      : F(Fn), Loops(Info), Source(Of) {
    for (const BasicBlock *B : ReversePostOrderTraversal<const Function *>(&Fn))
      Order.push_back(B);
  }
  std::optional<Block> run();

private:
  /// What surrounds the place that is written: the innermost loop, and where the enclosing arm
  /// ends.
  struct Context {
    const Loop *Inside = nullptr;
    const BasicBlock *Stop = nullptr;
  };

  void append(Block &To, Block More);
  void block(const BasicBlock &B, const Context &In, Block &To);
  void edge(const BasicBlock &From, const BasicBlock &To, const Context &In, Block &Out);
  void enter(const BasicBlock &B, const Context &In, Block &To);
  void loop(const Loop &L, const Context &In, Block &To);
  void choose(ArrayRef<const BasicBlock *> From, ArrayRef<const BasicBlock *> Targets,
              const Context &In, Block &To);
  const BasicBlock *meeting(ArrayRef<const BasicBlock *> Starts, const Context &In);
  SmallVector<const BasicBlock *, 4> next(const BasicBlock &B, const Loop *Inside) const;
  Blocks exits(const Loop &L) const;

  const Function &F;
  const LoopInfo &Loops;
  const BlockStatements &Source;
  SmallVector<const BasicBlock *, 32> Order;
  unsigned Written = 0;
  bool HasFailed = false;
};

void Structurer::append(Block &To, Block More) {
  Written += static_cast<unsigned>(More.size());
  HasFailed |= Written > MostStatements;
  std::move(More.begin(), More.end(), std::back_inserter(To));
}

Blocks Structurer::exits(const Loop &L) const {
  SmallVector<BasicBlock *, 4> Found;
  L.getExitBlocks(Found);
  Blocks Result;
  for (const BasicBlock *B : Found)
    if (!isa<UnreachableInst>(B->getTerminator()))
      Result.insert(B);
  return Result;
}

/// Where control can go from B and still come to the end: loops inside are one step, and what
/// leaves the loop that surrounds it, or goes back to its header, is left out.
SmallVector<const BasicBlock *, 4> Structurer::next(const BasicBlock &B, const Loop *Inside) const {
  SmallVector<const BasicBlock *, 4> Result;
  const Loop *Own = Loops.getLoopFor(&B);
  auto Add = [&](const BasicBlock *S) {
    bool IsLeaving = Inside && (!Inside->contains(S) || S == Inside->getHeader());
    if (!IsLeaving && !isa<UnreachableInst>(S->getTerminator()))
      Result.push_back(S);
  };
  if (Own != Inside && Own && Own->getHeader() == &B)
    for (const BasicBlock *S : exits(*Own))
      Add(S);
  else
    for (const BasicBlock *S : successors(&B))
      Add(S);
  return Result;
}

/// The first block that every way from Starts comes through, or null.
const BasicBlock *Structurer::meeting(ArrayRef<const BasicBlock *> Starts, const Context &In) {
  // Postdominators in the part that In sees, by sets; parts are small.
  DenseMap<const BasicBlock *, Blocks> Behind;
  bool IsChanged = true;
  auto Common = [&](ArrayRef<const BasicBlock *> From) -> std::optional<Blocks> {
    std::optional<Blocks> Result;
    for (const BasicBlock *S : From) {
      auto Known = Behind.find(S);
      if (Known == Behind.end())
        continue;
      if (!Result) {
        Result = Known->second;
        continue;
      }
      Blocks Both;
      for (const BasicBlock *B : *Result)
        if (Known->second.contains(B))
          Both.insert(B);
      Result = Both;
    }
    return Result;
  };
  while (IsChanged) {
    IsChanged = false;
    for (const BasicBlock *B : reverse(Order)) {
      if (isa<UnreachableInst>(B->getTerminator()) || (In.Inside && !In.Inside->contains(B)))
        continue;
      SmallVector<const BasicBlock *, 4> Next = next(*B, In.Inside);
      std::optional<Blocks> Set = Next.empty() ? Blocks() : Common(Next);
      if (!Set)
        continue;
      Set->insert(B);
      Blocks &Known = Behind[B];
      IsChanged |= Known.size() != Set->size();
      Known = *Set;
    }
  }
  std::optional<Blocks> All = Common(Starts);
  for (const BasicBlock *B : Order)
    if (All && All->contains(B))
      return B;
  return nullptr;
}

/// One of several ways, by tests of nothing.  From: the blocks whose edges are taken, or null where
/// the copies have been made.
void Structurer::choose(ArrayRef<const BasicBlock *> From, ArrayRef<const BasicBlock *> Targets,
                        const Context &In, Block &To) {
  if (Targets.empty())
    return;
  if (Targets.size() == 1) {
    if (From.front())
      edge(*From.front(), *Targets.front(), In, To);
    else if (Targets.front() != In.Stop)
      enter(*Targets.front(), In, To);
    return;
  }
  // Halves, so that a switch nests no deeper than the logarithm of its cases.
  size_t Half = Targets.size() / 2;
  rlang::Statement Choice;
  Choice.K = rlang::Statement::If;
  choose(From.take_front(Half), Targets.take_front(Half), In, Choice.Then);
  choose(From.drop_front(Half), Targets.drop_front(Half), In, Choice.Else);
  append(To, {std::move(Choice)});
}

void Structurer::edge(const BasicBlock &From, const BasicBlock &Next, const Context &In,
                      Block &Out) {
  append(Out, Source.Copies(From, Next));
  if (In.Inside && &Next == In.Inside->getHeader())
    return append(Out, Source.Block(Next));
  bool IsLeaving =
      In.Inside && !In.Inside->contains(&Next) && !isa<UnreachableInst>(Next.getTerminator());
  if (&Next != In.Stop && !IsLeaving)
    enter(Next, In, Out);
}

void Structurer::enter(const BasicBlock &B, const Context &In, Block &To) {
  if (HasFailed)
    return;
  const Loop *L = Loops.getLoopFor(&B);
  if (L && L != In.Inside && L->getHeader() == &B)
    return loop(*L, In, To);
  block(B, In, To);
}

void Structurer::block(const BasicBlock &B, const Context &In, Block &To) {
  append(To, Source.Block(B));
  SmallVector<const BasicBlock *, 4> Targets;
  SmallPtrSet<const BasicBlock *, 4> Seen;
  for (const BasicBlock *S : successors(&B))
    if (Seen.insert(S).second)
      Targets.push_back(S);
  if (Targets.empty()) {
    if (isa<UnreachableInst>(B.getTerminator())) {
      rlang::Statement Never;
      Never.Where.K = rlang::Property::False;
      append(To, {Never});
    }
    return;
  }
  if (Targets.size() == 1)
    return edge(B, *Targets.front(), In, To);
  SmallVector<const BasicBlock *, 4> Going = next(B, In.Inside);
  const BasicBlock *Meeting = meeting(Going, In);
  Context Arm{In.Inside, Meeting ? Meeting : In.Stop};
  bool Negated = false;
  std::optional<std::string> Test = Targets.size() == 2 ? Source.Test(B, Negated) : std::nullopt;
  if (Test) {
    rlang::Statement Choice;
    Choice.K = rlang::Statement::If;
    Choice.Target = *Test;
    edge(B, *Targets[Negated ? 1 : 0], Arm, Choice.Then);
    edge(B, *Targets[Negated ? 0 : 1], Arm, Choice.Else);
    append(To, {std::move(Choice)});
  } else {
    SmallVector<const BasicBlock *, 4> From(Targets.size(), &B);
    choose(From, Targets, Arm, To);
  }
  if (Meeting && Meeting != In.Stop)
    enter(*Meeting, In, To);
}

void Structurer::loop(const Loop &L, const Context &In, Block &To) {
  const BasicBlock &Header = *L.getHeader();
  append(To, Source.Block(Header));
  rlang::Statement While;
  While.K = rlang::Statement::While;
  SmallVector<const BasicBlock *, 4> Inner, Leaving;
  SmallPtrSet<const BasicBlock *, 4> Seen;
  for (const BasicBlock *S : successors(&Header))
    if (Seen.insert(S).second)
      (L.contains(S) ? Inner : Leaving).push_back(S);
  Context Body{&L, nullptr};
  SmallVector<const BasicBlock *, 4> From(Inner.size(), &Header);
  const BasicBlock *Meeting = Inner.size() > 1 ? meeting(Inner, Body) : nullptr;
  choose(From, Inner, {&L, Meeting}, While.Then);
  if (Meeting)
    enter(*Meeting, Body, While.Then);
  append(To, {std::move(While)});
  SmallVector<const BasicBlock *, 4> Targets, Sources;
  Blocks Exits = exits(L);
  for (const BasicBlock *B : Order)
    if (Exits.contains(B)) {
      Targets.push_back(B);
      Sources.push_back(nullptr);
    }
  // Other ways out have made their copies; the header's are made here.
  for (const BasicBlock *S : Leaving) {
    Block Copies = Source.Copies(Header, *S);
    if (Copies.empty())
      continue;
    rlang::Statement Choice;
    Choice.K = rlang::Statement::If;
    Choice.Then = std::move(Copies);
    if (Targets.size() == 1 && L.getExitingBlock())
      append(To, std::move(Choice.Then));
    else
      append(To, {std::move(Choice)});
  }
  // The loop itself may be inside the one that is written: what leaves both is not followed here.
  SmallVector<const BasicBlock *, 4> Followed;
  for (const BasicBlock *T : Targets)
    if (!In.Inside || (In.Inside->contains(T) && T != In.Inside->getHeader()))
      Followed.push_back(T);
    else if (T == In.Inside->getHeader())
      append(To, Source.Block(*T));
  const BasicBlock *After = Followed.size() > 1 ? meeting(Followed, In) : nullptr;
  Sources.resize(Followed.size(), nullptr);
  choose(Sources, Followed, {In.Inside, After ? After : In.Stop}, To);
  if (After && After != In.Stop)
    enter(*After, In, To);
}

/// Whether each edge back goes to the header of a loop.
bool isReducible(const Function &F, const LoopInfo &Loops, ArrayRef<const BasicBlock *> Order) {
  DenseMap<const BasicBlock *, unsigned> Number;
  for (auto [I, B] : enumerate(Order))
    Number[B] = static_cast<unsigned>(I);
  for (const BasicBlock *B : Order)
    for (const BasicBlock *S : successors(B))
      if (Number[S] <= Number[B]) {
        const Loop *L = Loops.getLoopFor(S);
        if (!L || L->getHeader() != S || !L->contains(B))
          return false;
      }
  return !F.empty();
}

unsigned depthOf(const Block &B) {
  unsigned Deepest = 0;
  for (const rlang::Statement &S : B)
    Deepest = std::max({Deepest, depthOf(S.Then), depthOf(S.Else)});
  return Deepest + 1;
}

std::optional<Block> Structurer::run() {
  if (!isReducible(F, Loops, Order))
    return std::nullopt;
  Block Result;
  enter(F.getEntryBlock(), {}, Result);
  if (HasFailed || depthOf(Result) >= rlang::DeepestNesting)
    return std::nullopt;
  return Result;
}

} // namespace

std::optional<Block> structureOf(const Function &F, FunctionAnalysisManager &FAM,
                                 const BlockStatements &Of) {
  return Structurer(F, FAM.getResult<LoopAnalysis>(const_cast<Function &>(F)), Of).run();
}

} // namespace acre
