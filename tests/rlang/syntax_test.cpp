#include "generate.h"
#include "support.h"

using namespace acre::rlang;

namespace {

std::string syntaxError(const std::string &Text) {
  Parsed Result = parse(Text);
  if (!Result.Error)
    return "";
  return std::to_string(Result.Error->At.Line) + ":" + std::to_string(Result.Error->At.Column) +
         ": " + Result.Error->Message;
}

std::string nameError(const std::string &Text) {
  Program P = parsed(Text);
  std::vector<Diagnostic> Found = checkNames(P, Names(P));
  return Found.empty() ? "" : Found.front().Message;
}

} // namespace

TEST(Syntax, EveryConstructSurvivesPrinting) {
  const std::string Text = R"(
struct L[p, p'] {
  v : exists q . region@q,
  next : exists q / q = top | (q = p & !(q <= p' | q != RT)) . exists q2 / true . L[q, q2]@p
}
struct Empty[] {}
outside[p] / p != top (x : L[p, p]@p) : region@top, false;
short[](): region@RT is [] r : region@RT, { r = traditional[]() }, r
f[p] / (p = top | p = RT) & !(p <= RT) (x : L[p, top]@RT, y : region@p)
  : exists q / q <= p . region@q, p = p
is [a, b$1]
  z : L[a, b$1]@a, h : region@a,
{
  z = null; z = x; z = x.next; x.v = y; // a comment
  h = newsubregion[p](y);
  if z { if * {} { chk true } } { chk false };
  while * { while z { z = new L[a, a](y, z)@h } }
  chk a <= p | a = b$1 & a != top
}, h
)";
  Program P = parsed(Text);
  std::string Printed = print(P);
  EXPECT_EQ(P, parsed(Printed)) << Printed;
  EXPECT_EQ(Printed, print(parsed(Printed)));
}

TEST(Syntax, RandomProgramsSurvivePrinting) {
  for (unsigned long Seed = 1; Seed <= 300; ++Seed) {
    std::mt19937_64 Random(Seed);
    Program P = generate(Random);
    ASSERT_EQ(P, parsed(print(P))) << print(P);
  }
}

TEST(Syntax, ErrorsNameThePlaceAndWhatWasExpected) {
  EXPECT_EQ(syntaxError("struct L[p] {\n  next L[p]@p\n}"), "2:8: expected ':', found 'L'");
  EXPECT_EQ(syntaxError("f[] / true () : region@top"),
            "1:27: expected 'is' or ';', found the end of the file");
  EXPECT_EQ(syntaxError("f[]() : region@top is [] { x = y z }, x"),
            "1:34: expected ';' or '}', found 'z'");
  EXPECT_EQ(syntaxError("f[]() : region@top is [] { chk p }, x"),
            "1:34: expected '<=', '=' or '!=', found '}'");
  EXPECT_EQ(syntaxError("struct top[] {}"), "1:8: 'top' cannot be used as a structure");
  EXPECT_EQ(syntaxError("struct S[RT] {}"), "1:10: 'RT' cannot be used as an abstract region");
  EXPECT_EQ(syntaxError("struct S[] {} #"), "1:15: character '#' has no meaning in rlang");
  EXPECT_EQ(syntaxError("struct S\xff"), "1:9: byte 255 has no meaning in rlang");
  EXPECT_EQ(syntaxError("if"), "1:1: expected 'struct' or a function, found 'if'");
  EXPECT_EQ(syntaxError(""), "");
}

TEST(Syntax, NestingIsBounded) {
  std::string Open(100000, '(');
  EXPECT_NE(syntaxError("f[] / " + Open).find("properties are nested too deeply"),
            std::string::npos);
  std::string Blocks;
  for (int I = 0; I < 100000; ++I)
    Blocks += "if x{";
  EXPECT_NE(syntaxError("f[]() : region@top is [] {" + Blocks).find("blocks are nested too deeply"),
            std::string::npos);
}

TEST(Syntax, EveryPrefixOfAProgramIsHandled) {
  std::string Text =
      print(parsed(ListStruct + function("if a { c = a.next } {}; chk pa = top | pa <= pb")));
  for (size_t Length = 0; Length < Text.size(); ++Length)
    (void)parse(Text.substr(0, Length));
}

TEST(Names, MisuseIsReported) {
  EXPECT_EQ(nameError(ListStruct + function("c = a")), "");
  EXPECT_EQ(nameError("struct S[] { f : S[]@p }"), "abstract region 'p' is not introduced here");
  EXPECT_EQ(nameError("struct S[p, p] {}"), "abstract region 'p' is introduced twice");
  EXPECT_EQ(nameError("struct S[p] { f : exists p . S[p]@p }"),
            "abstract region 'p' is introduced twice");
  EXPECT_EQ(nameError("struct S[p] { f : S[]@p }"),
            "structure 'S' has 1 abstract regions, but is given 0");
  EXPECT_EQ(nameError("struct S[] { f : U[]@top }"), "no structure is called 'U'");
  EXPECT_EQ(nameError("newregion[]() : region@top;"), "function 'newregion' is predefined");
  EXPECT_EQ(nameError(ListStruct + function("c = z")), "no variable is called 'z'");
  EXPECT_EQ(nameError(ListStruct + function("c = a.gone")), "structure 'L' has no field 'gone'");
  EXPECT_EQ(nameError(ListStruct + function("c = r.next")), "'r' is a region and has no fields");
  EXPECT_EQ(nameError(ListStruct + function("c = new L[pa](a)@r")),
            "structure 'L' has 4 fields, but 1 values are given");
  EXPECT_EQ(nameError(ListStruct + function("c = new L[pa](a, a, a, a)@b")),
            "'b' is not a region to allocate in");
  EXPECT_EQ(nameError(ListStruct + function("r = g[]()")), "no function is called 'g'");
  EXPECT_EQ(nameError(ListStruct + function("r = newsubregion[](s)")),
            "function 'newsubregion' has 1 abstract regions, but is given 0");
  EXPECT_EQ(nameError(ListStruct + function("r = regionof_L[pa, pa]()")),
            "function 'regionof_L' has 1 parameters, but is given 0");
  // A signature speaks of the region parameters only.
  EXPECT_EQ(nameError("f[]() : region@top, pl = top is [pl] r : region@pl, { r = null }, r"),
            "abstract region 'pl' is not introduced here");
}
