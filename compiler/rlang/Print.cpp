// SPDX-License-Identifier: MIT
//===- Print.cpp - rlang as text ------------------------------------------===//
#include "Print.h"

namespace acre::rlang {
namespace {

template <class Range, class Text>
std::string join(const Range &Items, const char *Between, Text &&TextOf) {
  std::string Result;
  for (const auto &Item : Items)
    Result += (Result.empty() ? "" : Between) + TextOf(Item);
  return Result;
}

std::string names(const std::vector<std::string> &Names) {
  return join(Names, ", ", [](const std::string &Name) { return Name; });
}

std::string regions(const std::vector<Region> &Regions) {
  return "[" + join(Regions, ", ", [](const Region &R) { return R.Name; }) + "]";
}

std::string variables(const std::vector<Variable> &Variables) {
  return join(Variables, ", ", [](const Variable &V) { return V.Name + " : " + print(V.Type); });
}

/// How tightly the outermost operator binds.
int strength(const Property &P) {
  switch (P.K) {
  case Property::Or:
    return 0;
  case Property::And:
    return 1;
  default:
    return 2;
  }
}

std::string operand(const Property &P, int MoreThan) {
  std::string Text = print(P);
  return strength(P) > MoreThan ? Text : "(" + Text + ")";
}

void printBlock(const std::vector<Statement> &Block, const std::string &Indent, std::string &To);

void printStatement(const Statement &S, const std::string &Indent, std::string &To) {
  To += Indent;
  if (S.K != Statement::If && S.K != Statement::While) {
    To += printShort(S);
    return;
  }
  To += (S.K == Statement::If ? "if " : "while ") + (S.Target.empty() ? "*" : S.Target) + " ";
  printBlock(S.Then, Indent, To);
  if (S.K == Statement::If) {
    To += " ";
    printBlock(S.Else, Indent, To);
  }
}

void printBlock(const std::vector<Statement> &Block, const std::string &Indent, std::string &To) {
  if (Block.empty()) {
    To += "{}";
    return;
  }
  To += "{\n";
  for (const Statement &S : Block) {
    printStatement(S, Indent + "  ", To);
    To += &S == &Block.back() ? "\n" : ";\n";
  }
  To += Indent + "}";
}

std::string print(const Struct &S) {
  std::string Fields = join(
      S.Fields, ",\n", [](const Variable &F) { return "  " + F.Name + " : " + print(F.Type); });
  return "struct " + S.Name + "[" + names(S.Parameters) + "] {" +
         (Fields.empty() ? "" : "\n" + Fields + "\n") + "}\n";
}

} // namespace

std::string print(const Property &P) {
  switch (P.K) {
  case Property::True:
    return "true";
  case Property::False:
    return "false";
  case Property::LessEqual:
    return P.Left.Name + " <= " + P.Right.Name;
  case Property::Equal:
    return P.Left.Name + " = " + P.Right.Name;
  case Property::NotEqual:
    return P.Left.Name + " != " + P.Right.Name;
  case Property::Not:
    return "!(" + print(P.Operands.front()) + ")";
  case Property::And:
    return join(P.Operands, " & ", [](const Property &Each) { return operand(Each, 1); });
  case Property::Or:
    return join(P.Operands, " | ", [](const Property &Each) { return operand(Each, 0); });
  }
  return "";
}

std::string print(const Type &T) {
  std::string Result;
  for (const Quantifier &Q : T.Exists)
    Result +=
        "exists " + Q.Name + (Q.Where.K == Property::True ? "" : " / " + print(Q.Where)) + " . ";
  return Result + T.Base + (T.isRegion() ? "" : regions(T.Arguments)) + "@" + T.Target.Name;
}

std::string printShort(const Statement &S) {
  switch (S.K) {
  case Statement::If:
    return "if " + (S.Target.empty() ? "*" : S.Target) + " {...}";
  case Statement::While:
    return "while " + (S.Target.empty() ? "*" : S.Target) + " {...}";
  case Statement::Assign:
    return S.Target + " = " + S.Source;
  case Statement::Call:
    return S.Target + " = " + S.Name + regions(S.Regions) + "(" + names(S.Arguments) + ")";
  case Statement::Read:
    return S.Target + " = " + S.Source + "." + S.Name;
  case Statement::Write:
    return S.Target + "." + S.Name + " = " + S.Source;
  case Statement::Null:
    return S.Target + " = null";
  case Statement::New:
    return S.Target + " = new " + S.Name + regions(S.Regions) + "(" + names(S.Arguments) + ")@" +
           S.Source;
  case Statement::Check:
    return "chk " + print(S.Where);
  }
  return "";
}

std::string print(const Signature &S) {
  return S.Name + "[" + names(S.Regions) + "] / " + print(S.Input) + " (" +
         variables(S.Parameters) + ") : " + print(S.Result) + ", " + print(S.Output);
}

std::string print(const Function &F) {
  if (!F.HasBody)
    return print(F.Signature) + ";\n";
  std::string Result = print(F.Signature) + "\nis [" + names(F.LocalRegions) + "]";
  for (const Variable &V : F.Locals)
    Result += "\n  " + V.Name + " : " + print(V.Type) + ",";
  Result += "\n";
  printBlock(F.Body, "", Result);
  return Result + ", " + F.ResultVariable + "\n";
}

std::string print(const Program &P) {
  std::string Result;
  for (const Struct &S : P.Structs)
    Result += (Result.empty() ? "" : "\n") + print(S);
  for (const Function &F : P.Functions)
    Result += (Result.empty() ? "" : "\n") + print(F);
  return Result;
}

} // namespace acre::rlang
