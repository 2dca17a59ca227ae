// The paper's soundness theorem, tried: random well-typed programs never make a value inconsistent
// with its type, and what inference removes never fails.
//
//   ACRE_RLANG_PROGRAMS=100000 acre_rlang_tests --gtest_filter='Soundness.*'
//   ACRE_RLANG_SEED=17 ACRE_RLANG_PROGRAMS=1 acre_rlang_tests --gtest_filter='Soundness.*'
#include "generate.h"

#include "rlang/Infer.h"
#include "rlang/Interpret.h"
#include "rlang/Print.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace acre::rlang;

namespace {

unsigned long fromEnvironment(const char *Name, unsigned long Otherwise) {
  const char *Text = getenv(Name);
  return Text ? strtoul(Text, nullptr, 10) : Otherwise;
}

constexpr unsigned long RunsOfEach = 3; // with different outcomes of the tests written *

RunOptions options(unsigned long Seed, const std::set<const Statement *> *Removed = nullptr) {
  RunOptions Options;
  Options.StepLimit = 500;
  Options.DepthLimit = 30;
  Options.Seed = Seed;
  Options.Verify = true;
  Options.Removed = Removed;
  return Options;
}

/// The first inconsistency in a few runs of P, well typed or not; empty if none.
std::string inconsistency(const Checked &C, const std::set<const Statement *> *Removed = nullptr) {
  for (unsigned long Seed = 0; Seed < RunsOfEach; ++Seed)
    if (Outcome Result = run(C, options(Seed, Removed)); Result.K == Outcome::Inconsistent)
      return Result.Message;
  return {};
}

bool isAccepted(const Program &P) { return Checked(P).errors().empty(); }

/// What is wrong with what inference makes of P, a well-typed program.
std::string inferenceProblem(const Program &P) {
  Inference I(P);
  if (!I.errors().empty())
    return "not well typed any more: " + I.errors().front().Message;
  if (std::string Problem = inconsistency(Checked(I.annotated()), &I.removable()); !Problem.empty())
    return Problem;
  Program Reduced = I.reduced();
  Checked C(Reduced);
  return C.errors().empty() ? inconsistency(C)
                            : "without the checks: " + C.errors().front().Message;
}

/// The same program as if no property were known, as the translation of C gives it.
Program withoutProperties(Program P) {
  for (Function &F : P.Functions) {
    F.Signature.Input = F.Signature.Output = {};
    for (Quantifier &Q : F.Signature.Result.Exists)
      Q.Where = {};
  }
  return P;
}

std::string shrunk(unsigned long Seed, const Program &P,
                   const std::function<bool(const Program &)> &Fails) {
  printf("shrinking a program that fails: ACRE_RLANG_SEED=%lu\n",
         Seed); // in case that takes too long
  fflush(stdout);
  return "ACRE_RLANG_SEED=" + std::to_string(Seed) + " ACRE_RLANG_PROGRAMS=1; shrunk:\n" +
         print(shrink(P, Fails));
}

class Soundness : public testing::Test {
protected:
  const unsigned long First = fromEnvironment("ACRE_RLANG_SEED", 1);
  const unsigned long Count = fromEnvironment("ACRE_RLANG_PROGRAMS", 60);

  bool isOneOff() const { return Count < 50; }

  template <class Try> void eachSeed(Try &&Do) {
    for (unsigned long Seed = First; Seed < First + Count && !HasFailure(); ++Seed) {
      std::mt19937_64 Random(Seed);
      Do(Seed, Random);
    }
  }
};

} // namespace

TEST_F(Soundness, WellTypedProgramsStayConsistent) {
  unsigned long Accepted = 0, Finished = 0, Steps = 0;
  eachSeed([&](unsigned long Seed, std::mt19937_64 &Random) {
    Program P = generate(Random);
    if (!repair(P))
      return;
    ++Accepted;
    Checked C(P);
    for (unsigned long Run = 0; Run < RunsOfEach; ++Run) {
      Outcome Result = run(C, options(Run));
      Steps += Result.Steps;
      Finished += Result.K == Outcome::Finished;
    }
    auto Fails = [](const Program &Each) {
      Checked C(Each);
      return C.errors().empty() && !inconsistency(C).empty();
    };
    EXPECT_FALSE(Fails(P)) << inconsistency(C) << "\n" << shrunk(Seed, P, Fails);
  });
  printf("well-typed programs: %lu of %lu; runs that finished: %lu of %lu; steps: %lu\n", Accepted,
         Count, Finished, Accepted * RunsOfEach, Steps);
  // Programs that are rejected or end at once would show nothing.
  if (!isOneOff()) {
    EXPECT_GT(Accepted, Count / 2);
    EXPECT_GT(Finished, Accepted / 4);
    EXPECT_GT(Steps, Accepted * RunsOfEach * 10);
  }
}

TEST_F(Soundness, ProgramsThatBecomeInconsistentAreRejected) {
  unsigned long Rejected = 0, Inconsistent = 0;
  eachSeed([&](unsigned long Seed, std::mt19937_64 &Random) {
    Program P = generate(Random);
    if (Seed % 2 && !repair(P))
      return;
    for (int I = 0; I < 4; ++I) {
      mutate(P, Random);
      Checked C(P);
      bool IsRejected = !C.errors().empty();
      std::string Problem = inconsistency(C);
      Rejected += IsRejected;
      Inconsistent += !Problem.empty();
      auto Fails = [](const Program &Each) {
        Checked C(Each);
        return C.errors().empty() && !inconsistency(C).empty();
      };
      EXPECT_TRUE(Problem.empty() || IsRejected) << Problem << "\n" << shrunk(Seed, P, Fails);
    }
  });
  printf("mutants rejected: %lu of %lu; mutants that became inconsistent: %lu\n", Rejected,
         Count * 4, Inconsistent);
  EXPECT_TRUE(isOneOff() || Inconsistent > Count / 20);
}

// The ill-typed statements come first in main, before anything could end it.
TEST_F(Soundness, IllTypedProgramsAreRejected) {
  static constexpr const char *Rules[IllTypedKinds] = {"(write)",  "(new)",   "(assign)",
                                                       "(assign)", "(fndef)", "(check)"};
  eachSeed([&](unsigned long Seed, std::mt19937_64 &Random) {
    Program P = generate(Random);
    if (!repair(P))
      return;
    unsigned Kind = Seed % IllTypedKinds;
    makeIllTyped(P, Kind);
    Checked C(P);
    ASSERT_FALSE(C.errors().empty())
        << "kind " << Kind << "\n"
        << shrunk(Seed, P, [](const Program &Each) { return isAccepted(Each); });
    EXPECT_TRUE(C.errors().back().Message.starts_with(Rules[Kind])) << C.errors().back().Message;
  });
}

TEST_F(Soundness, RemovedChecksNeverFail) {
  unsigned long Checks = 0, Removed = 0;
  eachSeed([&](unsigned long Seed, std::mt19937_64 &Random) {
    Program P = generate(Random);
    if (Seed % 2)
      P = withoutProperties(P);
    if (!repair(P))
      return;
    Inference I(P);
    std::string Text = print(I.annotated());
    for (size_t At = Text.find("chk "); At != std::string::npos; At = Text.find("chk ", At + 1))
      ++Checks;
    Removed += I.removable().size();
    EXPECT_EQ(Inference(I.annotated()).removable().size(), I.removable().size()) << "seed " << Seed;
    auto Fails = [](const Program &Each) {
      return isAccepted(Each) && !inferenceProblem(Each).empty();
    };
    EXPECT_FALSE(Fails(P)) << inferenceProblem(P) << "\n" << shrunk(Seed, P, Fails);
  });
  printf("checks removed: %lu of %lu\n", Removed, Checks);
  EXPECT_TRUE(isOneOff() || Removed > Checks / 20);
}
