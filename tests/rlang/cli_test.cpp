// acre rlang on the programs beside this file.
#include "Commands.h"

#include <gtest/gtest.h>

#include <fstream>

using acre::cli::Arguments;

namespace {

struct Answer {
  int Status;
  std::string Output, Errors;
};

Answer rlang(const Arguments &Given) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  int Status = acre::cli::rlang(Given);
  fflush(nullptr);
  return {Status, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

std::string program(const std::string &Name) {
  return std::string(ACRE_RLANG_PROGRAM_DIRECTORY) + "/" + Name;
}

std::string written(const std::string &Name, const std::string &Text) {
  std::string Path = testing::TempDir() + Name;
  std::ofstream(Path) << Text;
  return Path;
}

const std::string Region = "main[] / true () : exists q . region@q, true is [p] r : region@p, { ";

#define EXPECT_CONTAINS(Text, Part) EXPECT_NE((Text).find(Part), std::string::npos) << (Text)

} // namespace

TEST(CommandLine, CheckIsSilentAboutWellTypedPrograms) {
  for (const char *Name : {"figure1.rl", "constructor.rl", "environments.rl"}) {
    Answer A = rlang({"check", program(Name)});
    EXPECT_EQ(A.Status, 0) << A.Errors;
    EXPECT_EQ(A.Output + A.Errors, "");
  }
}

TEST(CommandLine, CheckNamesThePlaceAndTheRule) {
  Answer A = rlang({"check", program("unknown_region.rl")});
  EXPECT_EQ(A.Status, 1);
  EXPECT_EQ(A.Errors, program("unknown_region.rl") +
                          ":12:3: error: (write) a.next = b: (exists gen.) 'pb = top | pb = "
                          "pa' is not implied; known here: pa != top\n");
  A = rlang({"check", written("syntax.rl", "struct L[p {}")});
  EXPECT_EQ(A.Status, 1);
  EXPECT_CONTAINS(A.Errors, "syntax.rl:1:12: error: expected ']', found '{'\n");
}

TEST(CommandLine, InferPrintsAProgramThatStillChecks) {
  for (const char *Name : {"figure1.rl", "constructor.rl", "environments.rl"}) {
    Answer A = rlang({"infer", program(Name)});
    EXPECT_EQ(A.Status, 0) << A.Errors;
    Answer Again = rlang({"check", written("inferred.rl", A.Output)});
    EXPECT_EQ(Again.Status, 0) << Again.Errors << A.Output;
  }
  Answer A = rlang({"infer", program("figure1.rl")});
  EXPECT_CONTAINS(A.Output, "figure1.rl:34:5: chk pd = top | pd = prl: always holds\n");
  EXPECT_CONTAINS(A.Output, "\n// checks removed: 2 of 2\n");
  EXPECT_EQ(A.Output.find("  chk"), std::string::npos);
  EXPECT_CONTAINS(rlang({"infer", "--keep-checks", program("figure1.rl")}).Output, "  chk");
  EXPECT_CONTAINS(rlang({"infer", program("constructor.rl")}).Output, "checks removed: 1 of 1");
  EXPECT_CONTAINS(rlang({"infer", program("environments.rl")}).Output, "checks removed: 2 of 2");
  EXPECT_EQ(rlang({"infer", program("unknown_region.rl")}).Status, 1);
}

TEST(CommandLine, RunSaysHowTheProgramEnded) {
  for (const char *Name : {"figure1.rl", "constructor.rl", "environments.rl"})
    for (const char *Seed : {"1", "2", "3", "4"}) {
      Answer A = rlang({"run", "--verify", "--seed", Seed, program(Name)});
      EXPECT_EQ(A.Status, 0) << A.Errors;
      EXPECT_CONTAINS(A.Output, "main returned null; ");
      EXPECT_CONTAINS(A.Output, "regions left: 0\n");
    }
  Answer A =
      rlang({"run", written("aborts.rl", Region + "r = newregion[]();\nchk p = top; r = r }, r")});
  EXPECT_EQ(A.Status, 3);
  EXPECT_CONTAINS(A.Errors, "aborts.rl:2:1: error: chk p = top failed\n");
  A = rlang({"run", "--steps", "100",
             written("endless.rl", Region + "r = newregion[](); while r {} }, r")});
  EXPECT_EQ(A.Status, 4);
  EXPECT_CONTAINS(A.Errors, "stopped after 100 steps");
  EXPECT_EQ(rlang({"run", program("unknown_region.rl")}).Status, 1);
  EXPECT_EQ(rlang({"run", written("empty.rl", "")}).Status, 1);
}

TEST(CommandLine, WrongUsageIsExplained) {
  EXPECT_EQ(rlang({}).Status, 2);
  EXPECT_CONTAINS(rlang({"--help"}).Output, "exit status:");
  EXPECT_CONTAINS(rlang({"run", "--help"}).Output, "--verify");
  for (const Arguments &Wrong : {Arguments{"chek", "x"},
                                 {"check"},
                                 {"check", "a", "b"},
                                 {"check", "--verify", "a"},
                                 {"run", "--steps"},
                                 {"run", "--steps", "many", "a"},
                                 {"run", "--seed", "-1", "a"}}) {
    Answer A = rlang(Wrong);
    EXPECT_EQ(A.Status, 2) << A.Errors;
    EXPECT_CONTAINS(A.Errors, "acre: error: rlang: ");
  }
}

TEST(CommandLine, FilesThatCannotBeReadAreNamed) {
  Answer A = rlang({"check", "/nowhere/x.rl"});
  EXPECT_EQ(A.Status, 1);
  EXPECT_EQ(A.Errors, "acre: error: cannot read '/nowhere/x.rl': No such file or directory\n");
  EXPECT_EQ(rlang({"check", testing::TempDir()}).Status, 1);
}
