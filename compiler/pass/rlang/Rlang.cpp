// SPDX-License-Identifier: MIT
//===- Rlang.cpp - A module in the paper's region language ----------------===//
#include "pass/rlang/Rlang.h"
#include "pass/rlang/RlangFunction.h"
#include "rlang/Print.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include <map>

using namespace llvm;

static cl::opt<std::string>
    RlangFile("acre-rlang", cl::desc("Append the module in the region language to this file"));

namespace acre {
namespace {

using rlang::Statement;
using Statements = std::vector<Statement>;

/// The variables that Block reads before it has certainly assigned them.
void findUnassigned(const Statements &Block, StringSet<> &Assigned, StringSet<> &Unassigned) {
  auto Read = [&](StringRef Name) {
    if (!Name.empty() && !Assigned.contains(Name))
      Unassigned.insert(Name);
  };
  for (const Statement &S : Block) {
    if (S.K == Statement::If || S.K == Statement::While) {
      Read(S.Target);
      StringSet<> Then = Assigned, Else = Assigned;
      findUnassigned(S.Then, Then, Unassigned);
      findUnassigned(S.Else, Else, Unassigned);
      if (S.K == Statement::If)
        for (const auto &Name : Then)
          if (Else.contains(Name.getKey()))
            Assigned.insert(Name.getKey());
      continue;
    }
    Read(S.Source);
    for (const std::string &Argument : S.Arguments)
      Read(Argument);
    if (S.K == Statement::Write)
      Read(S.Target);
    else if (S.K != Statement::Check)
      Assigned.insert(S.Target);
  }
}

/// Gives each New of Block its arguments, and names the nulls that it needs.
void completeNews(Statements &Block, const Declarations &Known,
                  std::map<std::string, std::string> &Nulls) {
  for (Statement &S : Block) {
    completeNews(S.Then, Known, Nulls);
    completeNews(S.Else, Known, Nulls);
    if (S.K != Statement::New)
      continue;
    for (const std::string &Base : Known.fields(S.Name)) {
      std::string &Name = Nulls[Base];
      Name = "no_" + Base;
      S.Arguments.push_back(Name);
    }
  }
}

/// The last touches, when all structures are known: arguments of New, and null for what is not
/// assigned on every way.
void complete(rlang::Function &F, const Declarations &Known) {
  std::map<std::string, std::string> Nulls;
  completeNews(F.Body, Known, Nulls);
  for (const auto &[Base, Name] : Nulls) {
    F.LocalRegions.push_back("p_" + Name);
    F.Locals.push_back({Name, typed(Base, "p_" + Name), {}});
  }
  StringSet<> Assigned, Unassigned;
  for (const rlang::Variable &Parameter : F.Signature.Parameters)
    Assigned.insert(Parameter.Name);
  Statements Start;
  Statement Last;
  Last.K = Statement::Assign;
  Last.Source = F.ResultVariable;
  Statements Whole = F.Body;
  Whole.push_back(Last);
  findUnassigned(Whole, Assigned, Unassigned);
  for (const rlang::Variable &Each : F.Locals)
    if (Unassigned.contains(Each.Name)) {
      Statement S;
      S.K = Statement::Null;
      S.Target = Each.Name;
      Start.push_back(S);
    }
  F.Body.insert(F.Body.begin(), Start.begin(), Start.end());
}

bool isRendered(const Function &F) {
  return !F.isDeclaration() && !F.getName().starts_with("acre.") &&
         !F.getName().starts_with("acre_") && F.getSubprogram();
}

std::string render(Module &M, FunctionAnalysisManager &FAM) {
  Declarations Known;
  std::vector<rlang::Function> Functions;
  std::string Private = "// private:";
  for (Function &F : M) {
    if (!isRendered(F))
      continue;
    Functions.push_back(renderFunction(F, Known, FAM));
    if (F.hasLocalLinkage() && !F.hasAddressTaken())
      Private += " " + Functions.back().Signature.Name;
  }
  for (rlang::Function &F : Functions) {
    if (F.HasBody)
      complete(F, Known);
    Known.declare(std::move(F));
  }
  return Private + "\n" + rlang::print(Known.program()) + "\n";
}

} // namespace

bool writesRlang() { return !RlangFile.empty(); }

PreservedAnalyses RlangPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (RlangFile.empty())
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  std::error_code Failed;
  raw_fd_ostream Out(RlangFile, Failed, sys::fs::CD_OpenAlways, sys::fs::FA_Write,
                     sys::fs::OF_Append);
  if (!Failed)
    Out << render(M, FAM);
  if (Failed)
    M.getContext().emitError("acre: cannot write '" + RlangFile + "': " + Failed.message());
  return PreservedAnalyses::all();
}

} // namespace acre
