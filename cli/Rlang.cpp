// SPDX-License-Identifier: MIT
//===- Rlang.cpp - acre rlang: check, run and infer rlang programs --------===//
#include "Commands.h"

#include "rlang/Infer.h"
#include "rlang/Interpret.h"
#include "rlang/Parse.h"
#include "rlang/Print.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>

namespace acre::cli {
namespace {

using namespace acre::rlang;

// Beyond those of Commands.h:
constexpr int ExitAborted = 3;      // the program ended itself
constexpr int ExitLimit = 4;        // or was ended
constexpr int ExitInconsistent = 5; // or a type did not hold

constexpr char HelpText[] =
    "usage: acre rlang <command> [options] FILE\n"
    "\n"
    "  check   check the types of an rlang program\n"
    "  run     check it, then run main\n"
    "  infer   print it with inferred properties and without the checks that these imply\n"
    "\n"
    "FILE may be - for standard input.\n"
    "\n"
    "options of run:\n"
    "  --verify       after each step compare the whole heap with the types\n"
    "  --steps N      stop after N steps (1000000)\n"
    "  --seed N       what the tests written * give (0)\n"
    "options of infer:\n"
    "  --keep-checks  print the checks that are implied too\n"
    "\n"
    "exit status: 0 done, 1 the file cannot be read or has errors, 2 wrong usage; of run also\n"
    "3 the program aborted, 4 it reached a limit, 5 a type did not hold.\n";

struct Request {
  std::string Command, File;
  RunOptions Run;
  bool KeepsChecks = false;
};

int usage(const std::string &Problem) {
  fprintf(stderr, "acre: error: rlang: %s; 'acre rlang --help' explains\n", Problem.c_str());
  return ExitUsage;
}

bool parseNumber(const std::string &Text, unsigned long &To) {
  auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), To);
  return Error == std::errc() && End == Text.data() + Text.size();
}

/// Fills To; a message if the arguments make no sense.
std::string parseArguments(const Arguments &Given, Request &To) {
  To.Command = Given.front();
  bool IsRun = To.Command == "run", IsInfer = To.Command == "infer";
  if (!IsRun && !IsInfer && To.Command != "check")
    return "unknown command '" + To.Command + "'";
  for (size_t I = 1; I < Given.size(); ++I) {
    const std::string &Each = Given[I];
    if (IsRun && Each == "--verify") {
      To.Run.Verify = true;
    } else if (IsRun && (Each == "--steps" || Each == "--seed")) {
      if (++I == Given.size() ||
          !parseNumber(Given[I], Each == "--steps" ? To.Run.StepLimit : To.Run.Seed))
        return Each + " wants a number";
    } else if (IsInfer && Each == "--keep-checks") {
      To.KeepsChecks = true;
    } else if (Each.starts_with("-") && Each != "-") {
      return To.Command + " has no option '" + Each + "'";
    } else if (!To.File.empty()) {
      return "more than one file";
    } else {
      To.File = Each;
    }
  }
  return To.File.empty() ? To.Command + " wants a file" : "";
}

bool readFile(const std::string &Name, std::string &To) {
  std::unique_ptr<FILE, int (*)(FILE *)> From(Name == "-" ? stdin : fopen(Name.c_str(), "rb"),
                                              fclose);
  char Buffer[4096];
  while (From) {
    size_t Count = fread(Buffer, 1, sizeof Buffer, From.get());
    To.append(Buffer, Count);
    if (Count < sizeof Buffer)
      break;
  }
  if (From && !ferror(From.get()))
    return true;
  fprintf(stderr, "acre: error: cannot read '%s': %s\n", Name.c_str(), strerror(errno));
  return false;
}

void report(const Request &R, const Diagnostic &D) {
  const char *Name = R.File == "-" ? "<stdin>" : R.File.c_str();
  if (D.At.Line)
    fprintf(stderr, "%s:%u:%u: error: %s\n", Name, D.At.Line, D.At.Column, D.Message.c_str());
  else
    fprintf(stderr, "%s: error: %s\n", Name, D.Message.c_str());
}

int reportAll(const Request &R, const std::vector<Diagnostic> &All) {
  for (const Diagnostic &D : All)
    report(R, D);
  return All.empty() ? 0 : ExitFound;
}

int runProgram(const Request &R, const Program &P) {
  Checked C(P, R.Run.Verify ? Checked::Properties : Checked::OnlyErrors);
  if (int Status = reportAll(R, C.errors()))
    return Status;
  Outcome Result = run(C, R.Run);
  if (Result.K != Outcome::Finished)
    report(R, {Result.At, Result.Message});
  switch (Result.K) {
  case Outcome::Finished:
    printf("main returned %s; %lu steps, regions left: %zu\n", Result.Result.c_str(), Result.Steps,
           Result.LiveRegions);
    return 0;
  case Outcome::Aborted:
    return ExitAborted;
  case Outcome::LimitReached:
    return ExitLimit;
  case Outcome::Inconsistent:
    return ExitInconsistent;
  case Outcome::Stuck:
    break;
  }
  return ExitFound;
}

void listChecks(const Request &R, const std::vector<Statement> &Block, const Inference &I,
                size_t &Total) {
  for (const Statement &S : Block) {
    if (S.K == Statement::Check) {
      ++Total;
      printf("// %s:%u:%u: %s: %s\n", R.File.c_str(), S.At.Line, S.At.Column, printShort(S).c_str(),
             I.removable().count(&S) ? "always holds" : "stays");
    }
    listChecks(R, S.Then, I, Total);
    listChecks(R, S.Else, I, Total);
  }
}

int inferProperties(const Request &R, Program P) {
  Inference I(std::move(P));
  if (int Status = reportAll(R, I.errors()))
    return Status;
  fputs(print(R.KeepsChecks ? I.annotated() : I.reduced()).c_str(), stdout);
  printf("\n");
  size_t Total = 0;
  for (const Function &F : I.annotated().Functions)
    listChecks(R, F.Body, I, Total);
  printf("// checks %s: %zu of %zu\n", R.KeepsChecks ? "that always hold" : "removed",
         I.removable().size(), Total);
  return 0;
}

} // namespace

int rlang(const Arguments &Given) {
  if (Given.empty()) {
    fputs(HelpText, stderr);
    return ExitUsage;
  }
  if (isHelpPrinted(Given, HelpText))
    return 0;
  Request R;
  if (std::string Problem = parseArguments(Given, R); !Problem.empty())
    return usage(Problem);
  std::string Text;
  if (!readFile(R.File, Text))
    return ExitFound;
  Parsed Read = parse(Text);
  if (Read.Error)
    return reportAll(R, {*Read.Error});
  if (R.Command == "run")
    return runProgram(R, Read.Program);
  if (R.Command == "infer")
    return inferProperties(R, std::move(Read.Program));
  return reportAll(R, Checked(Read.Program, Checked::OnlyErrors).errors());
}

} // namespace acre::cli
