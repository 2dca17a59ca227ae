// SPDX-License-Identifier: MIT
#include "ExplainRlang.h"

#include "rlang/Infer.h"
#include "rlang/Parse.h"
#include "rlang/Print.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>

namespace acre::cli {
namespace {

using namespace rlang;

void visit(const std::vector<Statement> &Block,
           const std::function<void(const Statement &)> &Each) {
  for (const Statement &S : Block) {
    Each(S);
    visit(S.Then, Each);
    visit(S.Else, Each);
  }
}

/// The functions named in the first line, "// private: NAME...": all calls of these are in the
/// file.
std::set<std::string> privateFunctions(const std::string &Text) {
  std::istringstream Words(Text.substr(0, Text.find('\n')));
  std::set<std::string> Names{std::istream_iterator<std::string>(Words), {}};
  return Names;
}

/// Leaves of P the body of one function, and of the others the signatures that it uses.
void selectFunction(Program &P, const std::string &Name) {
  std::set<std::string> Used{Name};
  for (const Function &F : P.Functions)
    if (F.Signature.Name == Name)
      visit(F.Body, [&](const Statement &S) {
        if (S.K == Statement::Call)
          Used.insert(S.Name);
      });
  std::erase_if(P.Functions, [&](const Function &F) { return !Used.contains(F.Signature.Name); });
  for (Function &F : P.Functions)
    if (F.Signature.Name != Name)
      F = {F.Signature, false, {}, {}, {}, {}, F.At};
}

void printChecks(const Inference &I, const std::string &Only) {
  size_t Total = 0, Holding = 0;
  for (const Function &F : I.annotated().Functions)
    if (Only.empty() || F.Signature.Name == Only)
      visit(F.Body, [&](const Statement &S) {
        if (S.K != Statement::Check || S.Where.K == Property::False)
          return;
        bool Holds = I.removable().count(&S) != 0;
        printf("// %s: %s: %s\n", F.Signature.Name.c_str(), printShort(S).c_str(),
               Holds ? "always holds" : "stays");
        ++Total;
        Holding += Holds;
      });
  printf("// checks that always hold: %zu of %zu\n", Holding, Total);
}

} // namespace

std::string printRlang(const std::string &Text, const std::string &Function) {
  Parsed Read = parse(Text);
  if (Read.Error)
    return "what the pass has written is no rlang: line " + std::to_string(Read.Error->At.Line) +
           ": " + Read.Error->Message;
  const std::set<std::string> Private = privateFunctions(Text);
  InferenceOptions Options;
  Options.IsEntry = [&](const rlang::Function &F) { return !Private.contains(F.Signature.Name); };
  Inference I(std::move(Read.Program), Options);
  if (!I.errors().empty())
    return "what the pass has written is not well typed: line " +
           std::to_string(I.errors().front().At.Line) + ": " + I.errors().front().Message;
  Program Shown = I.annotated();
  if (!Function.empty()) {
    selectFunction(Shown, Function);
    if (std::none_of(Shown.Functions.begin(), Shown.Functions.end(),
                     [&](auto &F) { return F.Signature.Name == Function; }))
      return "the file defines no function '" + Function + "'";
  }
  fputs(print(Shown).c_str(), stdout);
  printf("\n");
  printChecks(I, Function);
  return "";
}

} // namespace acre::cli
