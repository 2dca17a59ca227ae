// The rules of Figure 6, each with a program that it rejects beside one that it accepts.
#include "support.h"

using namespace acre::rlang;

namespace {

std::string errorInFunction(const std::string &Body) {
  return errorIn(ListStruct + function(Body));
}

#define EXPECT_ACCEPTED(Text) EXPECT_EQ(Text, "")
#define EXPECT_REJECTED(Text, Why)                                       \
  do {                                                                   \
    std::string Found = Text;                                            \
    EXPECT_NE(Found.find(Why), std::string::npos) << "found: " << Found; \
  } while (false)

} // namespace

TEST(Check, AssignBindsADeadRegion) {
  EXPECT_ACCEPTED(errorInFunction("c = a; a.next = c; c = b; b.next = c"));
  // pa is a region parameter, so it stays what it is.
  EXPECT_REJECTED(errorInFunction("a = b"),
                  "(assign) a = b: regions 'pa' and 'pb' must be equal, and 'pa' cannot be "
                  "bound here; nothing is known of them here");
  EXPECT_ACCEPTED(errorInFunction("chk pa = pb; a = b"));
}

TEST(Check, AssignMayNotRebindWhatALiveVariableUses) {
  const std::string Shared = "f[pa, pb] / true (a : L[pa]@pa, b : L[pb]@pb) : region@top, true\n"
                             "is [pc] c : L[pc]@pc, d : L[pc]@pc, {\n";
  EXPECT_REJECTED(errorIn(ListStruct + Shared + "c = a; d = b; c.any = d }, c\n"),
                  "(assign) d = b");
  EXPECT_REJECTED(errorIn(ListStruct + Shared + "c = a; d = b; d = c }, d\n"), "(assign) d = b");
}

TEST(Check, AssignForgetsTheOldRegion) {
  EXPECT_REJECTED(
      errorInFunction("c = a; chk pc = pb; c = null; c = a; chk pa = top; d = c; b.next = d"), "");
  EXPECT_REJECTED(errorInFunction("c = b; c = a; b.next = c"),
                  "(write) b.next = c: (exists gen.) 'pc = top | pc = pb'");
  EXPECT_ACCEPTED(errorInFunction("c = a; c = b; b.next = c"));
}

TEST(Check, ReadOpensTheFieldsType) {
  EXPECT_ACCEPTED(errorInFunction("c = a.next; a.next = c"));
  EXPECT_REJECTED(errorInFunction("c = a.any; a.next = c"), "is not implied");
  EXPECT_ACCEPTED(errorInFunction("c = a.up; a.up = c"));
  EXPECT_ACCEPTED(errorInFunction("c = a.next; a.up = c"));
  EXPECT_REJECTED(errorInFunction("c = a.up; a.next = c"), "(write)");
  EXPECT_ACCEPTED(errorInFunction("c = a.old; b.old = c"));
}

TEST(Check, ReadShowsThatTheObjectExists) {
  EXPECT_ACCEPTED(errorInFunction("c = a.next; nothing = null; chk pa != top"));
  const std::string Claims =
      "f[pa] / true (a : L[pa]@pa) : region@top, pa != top is [pc] c : L[pc]@pc, "
      "nothing : region@top, { nothing = null; ";
  EXPECT_ACCEPTED(errorIn(ListStruct + Claims + "c = a.next }, nothing"));
  EXPECT_REJECTED(errorIn(ListStruct + Claims + "c = a }, nothing"),
                  "(fndef) f: the output property 'pa != top'");
}

TEST(Check, WriteNeedsTheFieldsProperty) {
  for (const char *Field : {"next", "up", "old"})
    EXPECT_REJECTED(errorInFunction(std::string("a.") + Field + " = b"), "(write)");
  EXPECT_ACCEPTED(errorInFunction("a.any = b"));
  EXPECT_ACCEPTED(errorInFunction("chk pb = top | pb = pa; a.next = b"));
  EXPECT_ACCEPTED(errorInFunction("chk pa <= pb; a.up = b"));
  EXPECT_ACCEPTED(errorInFunction("chk pb = top | pb = RT; a.old = b"));
  EXPECT_REJECTED(errorInFunction("chk pb <= pa; a.up = b"), "known here: pb <= pa & pa != top");
}

TEST(Check, NewBindsTheTargetToTheHandlesRegion) {
  const std::string Make = "n = null; r = newregion[](); c = new L[pr](n, n, n, n)@r; ";
  EXPECT_ACCEPTED(errorInFunction(Make + "d = new L[pr](c, c, n, c)@r; c.next = d"));
  EXPECT_REJECTED(
      errorInFunction(Make + "s = newregion[](); d = new L[ps](n, n, n, n)@s; c.next = d"),
      "(write)");
  EXPECT_REJECTED(
      errorInFunction(Make + "s = newregion[](); d = new L[ps](c, n, n, n)@s"),
      "(new) d = new L[ps](c, n, n, n)@s: field 'next': (exists gen.) 'pc = top | pc = ps'");
  EXPECT_ACCEPTED(errorInFunction(Make + "s = newsubregion[pr](r); d = new L[ps](n, c, n, n)@s"));
  EXPECT_REJECTED(errorInFunction(Make + "c = new L[pn](n, n, n, n)@r"),
                  "regions 'pc' and 'pn' must be equal");
  EXPECT_REJECTED(errorInFunction(Make + "s = newregion[](); d = new L[pr](n, n, n, n)@s"),
                  "speaks of 'pr', which is not live");
}

// The paper's footnote 3: what the statement reads keeps its regions, so the target cannot be among
// it.
TEST(Check, ATargetThatIsAlsoReadKeepsItsRegion) {
  EXPECT_REJECTED(errorInFunction("c = a; c = c.any"),
                  "(read) c = c.any: regions 'pc' and 'q\'' must be equal");
  EXPECT_ACCEPTED(errorInFunction("c = a; d = c.any; c = d"));
}

TEST(Check, NullNeedsARegionThatMayBeTop) {
  EXPECT_ACCEPTED(errorInFunction("c = null; a.next = c; a.up = c; a.old = c"));
  EXPECT_REJECTED(errorInFunction("a = null"),
                  "(null) a = null: regions 'pa' and 'top' must be equal");
  EXPECT_ACCEPTED(errorInFunction("chk pa = top; a = null"));
}

TEST(Check, ChkSpeaksOnlyOfLiveRegions) {
  EXPECT_REJECTED(errorInFunction("chk pc = top"),
                  "(check) chk pc = top: 'pc' is in no live variable's type");
  EXPECT_ACCEPTED(errorInFunction("c = a; chk pc = top; a.any = c"));
}

TEST(Check, IfKeepsWhatBothBranchesEstablish) {
  EXPECT_ACCEPTED(errorInFunction("if * { c = a } { c = null }; a.next = c"));
  EXPECT_REJECTED(errorInFunction("if * { c = a } { c = b }; a.next = c"), "(write)");
  // Not expressible by constraint sets: one of two regions.
  EXPECT_ACCEPTED(errorInFunction("if * { c = a } { c = b }; chk pa = pb; a.next = c"));
}

TEST(Check, TestsTellNullFromObjects) {
  EXPECT_ACCEPTED(errorInFunction("if b { chk pa = pb } {}; a.next = b"));
  EXPECT_REJECTED(errorInFunction("if b {} { chk pa = pb }; a.next = b"), "(write)");
  EXPECT_ACCEPTED(errorInFunction("while b { chk false }; a.next = b"));
}

TEST(Check, WhileFindsTheInvariant) {
  EXPECT_ACCEPTED(errorInFunction("c = null; while * { a.next = c; c = a }"));
  EXPECT_REJECTED(errorInFunction("c = null; while * { a.next = c; c = b }"), "(write) a.next = c");
  EXPECT_ACCEPTED(errorInFunction(
      "c = a; while c { d = c.next; c = d }; c = a; while * { d = c.up; c = d; while * { "
      "a.up = c } }"));
}

TEST(Check, CallsMeetTheInputPropertyAndGetTheOutputProperty) {
  const std::string Callee =
      "g[px, py] / px != top (x : L[px]@px, y : L[py]@py) : exists q / q <= px . region@q, "
      "py = top | py = px;\n";
  auto Calls = [&](const std::string &Body) {
    return errorIn(ListStruct + Callee + function(Body));
  };
  EXPECT_REJECTED(Calls("s = g[pa, pb](a, b)"),
                  "(fncall) s = g[pa, pb](a, b): the input property 'pa != top'");
  EXPECT_ACCEPTED(Calls("if a { s = g[pa, pb](a, b); a.next = b } {}"));
  EXPECT_REJECTED(Calls("if a { s = g[pa, pa](a, b) } {}"),
                  "(fncall) s = g[pa, pa](a, b): argument 'b'");
  EXPECT_ACCEPTED(Calls("if a { s = g[pa, pb](a, b); c = null; d = new L[ps](c, a, c, c)@s } {}"));
  EXPECT_REJECTED(Calls("if a { s = g[pa, pb](a, b); c = null; d = new L[ps](a, c, c, c)@s } {}"),
                  "(new)");
}

TEST(Check, ACallBindsDeadRegionArguments) {
  EXPECT_ACCEPTED(errorInFunction(
      "r = regionof_L[pr, pr](a); chk pr = pa; c = null; d = new L[pa](c, c, c, c)@r"));
  EXPECT_REJECTED(errorIn(ListStruct + "g[p]() : region@top;" + function("s = g[pr]()")),
                  "region argument 'pr' is neither live nor bound");
}

TEST(Check, LocalsAreDeadAtTheStart) {
  EXPECT_REJECTED(errorInFunction("c = d"),
                  "(fndef) f: local variable 'd' may be read before it is assigned");
  EXPECT_REJECTED(errorInFunction("if * { d = null } {}; c = d"), "'d' may be read");
  EXPECT_ACCEPTED(errorInFunction("if * { d = null } { d = a }; c = d"));
}

TEST(Check, ExistentialVariablesAreOpenedByAssignment) {
  const std::string Start =
      "f[pa] / true (a : L[pa]@pa) : exists q . L[q]@q, true is [pc] c : L[pc]@pc, "
      "e : exists q / q = top | q = pa . L[q]@q, { ";
  EXPECT_ACCEPTED(errorIn(ListStruct + Start + "e = a; c = e; a.next = c; e = null }, e"));
  EXPECT_ACCEPTED(errorIn(ListStruct + Start + "e = a; a.next = e }, e"));
  EXPECT_REJECTED(errorIn(ListStruct + Start + "c = a.any; e = c }, e"),
                  "(assign) e = c: (exists gen.)");
  EXPECT_REJECTED(errorIn(ListStruct + Start + "e = a; c = e.next }, e"),
                  "the type of 'e' is existential");
}

TEST(Check, ResultPropertiesOfThePapersExamples) {
  const std::string Where[] = {"q = px", "true"};
  for (const std::string &Property : Where) {
    std::string Signature = "[px] / true (x : L[px]@px) : exists q / " + Property +
                            " . region@q, true is [pr] "
                            "r : region@pr, { ";
    EXPECT_ACCEPTED(
        errorIn(ListStruct + "myregionof" + Signature + "r = regionof_L[px, px](x) }, r"));
    std::string NewRegion =
        errorIn(ListStruct + "mynewregion" + Signature + "r = newregion[]() }, r");
    EXPECT_EQ(NewRegion.empty(), Property == "true") << NewRegion;
  }
}

TEST(Check, AStructureMayHaveSeveralRegions) {
  const std::string Pair =
      "struct P[p, k] { left : exists q / q = top | q = p . L[q]@q, right : exists q / q = top | "
      "q = k . L[q]@q, self : exists q / q = top | q = p . P[q, k]@q }\n";
  const std::string Start =
      "f[pa, pb, pk] / pa != top (a : L[pa]@pa, b : L[pb]@pb, t : P[pa, pk]@pa) : region@top, "
      "true is [ps, pk2] s : P[ps, pk2]@ps, l : L[ps]@ps, nothing : region@top, { "
      "nothing = null; ";
  EXPECT_ACCEPTED(
      errorIn(ListStruct + Pair + Start +
              "s = t.self; if s { chk ps = pa; t.self = s } {}; t.left = a }, nothing"));
  EXPECT_REJECTED(errorIn(ListStruct + Pair + Start + "t.right = a }, nothing"),
                  "(write) t.right = a");
  EXPECT_ACCEPTED(errorIn(ListStruct + Pair + Start + "chk pk = pa; t.right = a }, nothing"));
  EXPECT_ACCEPTED(errorIn(ListStruct + Pair + Start + "s = t.self; t.self = s }, nothing"));
  EXPECT_REJECTED(errorIn(ListStruct + Pair + "g[pk](x : P[RT, pk]@RT) : region@top;\n" + Start +
                          "nothing = g[pk](t) }, nothing"),
                  "regions 'RT' and 'pa' must be equal");
}

TEST(Check, DeepLoopsAreJudgedOnceForEachChange) {
  std::string Body = "c = null; d = a";
  for (int I = 0; I < 60; ++I)
    Body += "; while * { while * { c = d.next; d = a }";
  Body += std::string(60, '}');
  EXPECT_ACCEPTED(errorInFunction(Body));
}

TEST(Check, DeepPropertiesAreDecided) {
  std::string Deep = "pa = pb", Wide = "true";
  for (int I = 0; I < 120; ++I) {
    Deep = std::string(I % 2 ? "pa <= pb | (" : "pb != top & (") + Deep + ")";
    Wide += I % 2 ? " & (pa = top | pa = pb)" : " & (pb <= pa | pb != RT)";
  }
  EXPECT_ACCEPTED(errorInFunction("chk " + Deep + "; chk " + Wide));
  EXPECT_REJECTED(errorInFunction("chk " + Deep + "; a.next = b"), "(write)");
  EXPECT_ACCEPTED(errorInFunction("chk " + Wide + "; b.next = a"));
}
