// SPDX-License-Identifier: MIT
//===- Endless.cpp - Functions that never return --------------------------===//

#include "plugin/ownership/Endless.h"
#include "plugin/ownership/Steady.h"
#include "plugin/ownership/Summary.h"
#include "versions/StringSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/BitVector.h"

using namespace clang;
using namespace acre::ast;

static bool jumps(const FunctionDecl *Callee) {
  return Callee->getIdentifier() && acre::StringSwitch<bool>(Callee->getName())
                                        .Cases({"longjmp", "_longjmp", "siglongjmp"}, true)
                                        .Cases({"__longjmp_chk", "__builtin_longjmp"}, true)
                                        .Default(false);
}

After acre::ast::afterCall(const CallExpr *Call, const Summaries &Known) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return After::Return;
  if (jumps(Callee))
    return After::Jump;
  const After Found = Known.Outcomes.after(Callee->getCanonicalDecl());
  return Found == After::Return && Callee->isNoReturn() ? After::Nothing : Found;
}

/// What is reached of this graph, where calls that never return lead nowhere.
static After endOf(const CFG &Graph, const Summaries &Known) {
  After Result = After::Nothing;
  llvm::BitVector Seen(Graph.getNumBlockIDs());
  llvm::SmallVector<const CFGBlock *, 16> Work = {&Graph.getEntry()};
  while (!Work.empty()) {
    const CFGBlock *Block = Work.pop_back_val();
    if (Block == &Graph.getExit())
      return After::Return;
    bool IsLeft = !Seen.test(Block->getBlockID());
    Seen.set(Block->getBlockID());
    for (auto Each = Block->begin(); IsLeft && Each != Block->end(); ++Each) {
      const std::optional<CFGStmt> Statement = Each->getAs<CFGStmt>();
      const auto *Call = Statement ? dyn_cast<CallExpr>(Statement->getStmt()) : nullptr;
      const After Next = Call ? afterCall(Call, Known) : After::Return;
      IsLeft = Next == After::Return;
      if (Next == After::Jump)
        Result = After::Jump;
    }
    for (const CFGBlock::AdjacentBlock &Next : Block->succs())
      if (IsLeft && Next.getReachableBlock())
        Work.push_back(Next.getReachableBlock());
  }
  return Result;
}

void acre::ast::noteEndless(ASTContext &Context, Summaries &Known, const FunctionDecl *Definition,
                            const Evaluated &Body) {
  bool MayEnd = false;
  for (const Stmt *Node : Body) {
    if (isa<ReturnStmt>(Node))
      return;
    const auto *Call = dyn_cast<CallExpr>(Node);
    MayEnd |= Call && afterCall(Call, Known) != After::Return;
  }
  if (!MayEnd || !isOwnBody(Definition))
    return;
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  std::unique_ptr<CFG> Graph = CFG::buildCFG(Definition, Definition->getBody(), &Context, Options);
  if (const After Found = Graph ? endOf(*Graph, Known) : After::Return; Found != After::Return)
    Known.Outcomes.isFollowedBy(Definition->getCanonicalDecl(), Found);
}
