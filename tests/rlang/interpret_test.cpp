#include "support.h"

using namespace acre::rlang;

namespace {

Outcome runText(const std::string &Text, RunOptions Options = {}) {
  Program P = parsed(Text);
  Checked C(P);
  Options.Verify = true;
  return run(C, Options);
}

/// The outcome of main around Body, which need not be well typed.
Outcome runMain(const std::string &Body) { return runText(ListStruct + mainFunction(Body)); }

const std::string Cell = "n = null; r = newregion[](); a = new L[pr](n, n, n, n)@r; ";

#define EXPECT_OUTCOME(Result, Kind, Words)                                              \
  do {                                                                                   \
    Outcome Got = Result;                                                                \
    EXPECT_EQ(Got.K, Outcome::Kind) << Got.Message;                                      \
    EXPECT_NE(Got.Message.find(Words), std::string::npos) << "message: " << Got.Message; \
  } while (false)

} // namespace

TEST(Interpret, MainReturnsItsResult) {
  Outcome Result =
      runText(ListStruct +
              "main[] / true () : exists q . L[q]@q, true is [pa, pn, pr] a : L[pa]@pa, "
              "n : L[pn]@pn, r : region@pr, { " +
              Cell + "}, a");
  EXPECT_EQ(Result.K, Outcome::Finished) << Result.Message;
  EXPECT_EQ(Result.Result, "a L in region 2");
  EXPECT_EQ(Result.LiveRegions, 1u);
}

TEST(Interpret, ChkEndsTheProgramWhenFalse) {
  EXPECT_OUTCOME(runMain(Cell + "chk pa = pr; a.next = a; s = r"), Finished, "");
  EXPECT_OUTCOME(runMain(Cell + "chk pa != pr; a.next = a; s = r"), Aborted, "chk pa != pr failed");
  EXPECT_OUTCOME(
      runMain(Cell + "s = newsubregion[pr](r); chk ps <= pa & !(pa <= ps); b = a; r = s"), Finished,
      "");
}

TEST(Interpret, NullHasNoFieldsAndNoObjects) {
  EXPECT_OUTCOME(runMain("a = null; b = a.next"), Aborted, "'a' is null");
  EXPECT_OUTCOME(runMain("a = null; a.any = a"), Aborted, "'a' is null");
  EXPECT_OUTCOME(runMain("n = null; r = null; a = new L[pr](n, n, n, n)@r"), Aborted,
                 "'r' is null");
  EXPECT_OUTCOME(runMain("r = null; s = newsubregion[pr](r)"), Aborted, "'r' is null");
  EXPECT_OUTCOME(runMain("r = null; nothing = deleteregion[pr](r)"), Aborted, "'r' is null");
  EXPECT_OUTCOME(runMain("a = null; r = regionof_L[pa, pa](a); chk pr = top; s = r"), Finished, "");
}

TEST(Interpret, DeletingIsSafe) {
  EXPECT_OUTCOME(runMain(Cell + "nothing = deleteregion[pr](r)"), Finished, "");
  EXPECT_OUTCOME(runMain(Cell + "nothing = deleteregion[pr](r); b = a"), Aborted,
                 "by variable 'a' of main");
  EXPECT_OUTCOME(runMain(Cell + "nothing = deleteregion[pr](r); s = r"), Aborted,
                 "by variable 'r' of main");
  EXPECT_OUTCOME(
      runMain(Cell +
              "s = newregion[](); b = new L[ps](n, n, n, a)@s; nothing = deleteregion[pr](r)"),
      Aborted, "by field 'any' of an object in region 3");
  EXPECT_OUTCOME(
      runMain(Cell +
              "s = newregion[](); b = new L[ps](n, n, n, a)@s; nothing = deleteregion[ps](s); "
              "nothing = deleteregion[pr](r)"),
      Finished, "");
  EXPECT_OUTCOME(runMain(Cell + "a.any = a; nothing = deleteregion[pr](r)"), Finished, "");
  EXPECT_OUTCOME(runMain(Cell + "s = newsubregion[pr](r); nothing = deleteregion[pr](r)"), Aborted,
                 "subregion 3");
  EXPECT_OUTCOME(runMain("r = traditional[](); nothing = deleteregion[pr](r)"), Aborted,
                 "traditional");
}

TEST(Interpret, CallersVariablesCountWhenACalleeDeletes) {
  const std::string Callee =
      "drop[p] / true (r : region@p) : region@top, true is [] nothing : region@top, { "
      "nothing = deleteregion[p](r) }, nothing\n";
  EXPECT_OUTCOME(runText(ListStruct + Callee + mainFunction(Cell + "nothing = drop[pr](r)")),
                 Finished, "");
  EXPECT_OUTCOME(runText(ListStruct + Callee + mainFunction(Cell + "nothing = drop[pr](r); b = a")),
                 Aborted, "by variable 'a' of main");
}

TEST(Interpret, EndlessProgramsAreStopped) {
  RunOptions Short;
  Short.StepLimit = 1000;
  EXPECT_OUTCOME(runText(ListStruct + mainFunction(Cell + "while a {}"), Short), LimitReached,
                 "1000 steps");
  const std::string Forever =
      "f[] / true () : region@top, true is [] x : region@top, { x = f[]() }, x\n";
  EXPECT_OUTCOME(runText(ListStruct + Forever + mainFunction("nothing = f[]()")), LimitReached,
                 "too many calls");
}

TEST(Interpret, WhatCannotRunSaysWhy) {
  EXPECT_OUTCOME(runText(ListStruct), Stuck, "no function 'main'");
  EXPECT_OUTCOME(
      runText("main[p] / true () : region@top, true is [] x : region@top, { x = null }, x"), Stuck,
      "'main' must have no parameters");
  EXPECT_OUTCOME(runText("g[] / true () : region@top;"
                         "main[] / true () : region@top, true is [] x : region@top, "
                         "{ x = g[]() }, x"),
                 Stuck, "'g' has no body");
}

// The verifier has to see what ill-typed programs do, or its silence about well-typed ones would
// mean nothing.
TEST(Interpret, InconsistenciesAreFound) {
  EXPECT_OUTCOME(runMain(Cell + "s = newregion[](); b = new L[ps](n, n, n, n)@s; a.next = b"),
                 Inconsistent, "field 'next' of a L in region 2 is a L in region 3");
  EXPECT_OUTCOME(runMain(Cell + "s = newregion[](); b = new L[ps](n, n, n, n)@s; a.old = b"),
                 Inconsistent, "'old'");
  EXPECT_OUTCOME(runMain(Cell + "s = newsubregion[pr](r); b = new L[ps](n, n, n, n)@s; a.up = b"),
                 Inconsistent, "'up'");
  EXPECT_OUTCOME(
      runText(ListStruct +
              "main[] / true () : region@top, true is [p, q, pn] r : region@p, s : region@q, "
              "t : region@p, nothing : region@top, { nothing = null; r = newregion[](); "
              "s = newregion[](); t = s; s = r; s = t }, nothing"),
      Inconsistent, "variable 't' of main is region 3, but its type is region@p");
  EXPECT_OUTCOME(runMain(Cell + "b = r; c = b"), Inconsistent, "variable 'b' of main is region 2");
  EXPECT_OUTCOME(
      runText(ListStruct +
              "f[] / true () : exists q / q = RT . region@q, true is [p] r : region@p, { "
              "r = newregion[]() }, r\n" +
              mainFunction("r = f[]()")),
      Inconsistent, "the result of f is region 2");
}

TEST(Interpret, AFalseRemovalIsFound) {
  Program P = parsed(ListStruct + mainFunction(Cell + "chk pa = top; b = a"));
  Checked C(P);
  std::set<const Statement *> Removed;
  for (const Statement &S : P.Functions.front().Body)
    if (S.K == Statement::Check)
      Removed.insert(&S);
  RunOptions Options;
  Options.Removed = &Removed;
  EXPECT_OUTCOME(run(C, Options), Inconsistent, "was said to hold always");
}

TEST(Interpret, TheSeedDecidesUnknownTests) {
  std::set<unsigned long> Lengths;
  for (unsigned long Seed = 0; Seed < 20; ++Seed) {
    RunOptions Options;
    Options.Seed = Seed;
    Outcome First = runText(ListStruct + mainFunction("while * { a = null }"), Options);
    EXPECT_EQ(First.Steps,
              runText(ListStruct + mainFunction("while * { a = null }"), Options).Steps);
    Lengths.insert(First.Steps);
  }
  EXPECT_GT(Lengths.size(), 2u);
}
