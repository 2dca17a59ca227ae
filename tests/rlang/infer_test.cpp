// Section 4.3 on the examples of section 5.2, and on what the constraint sets can carry between
// functions.
#include "support.h"

using namespace acre::rlang;

namespace {

/// "removed/all" checks of an inferred program; or its first error.
std::string removedChecks(const std::string &Text) {
  Inference I(parsed(Text));
  if (!I.errors().empty())
    return I.errors().front().Message;
  size_t All = 0;
  auto Count = [&](auto &&Self, const std::vector<Statement> &Block) -> void {
    for (const Statement &S : Block) {
      All += S.K == Statement::Check;
      Self(Self, S.Then);
      Self(Self, S.Else);
    }
  };
  for (const Function &F : I.annotated().Functions)
    Count(Count, F.Body);
  Program Reduced = I.reduced();
  EXPECT_TRUE(Checked(Reduced).errors().empty()) << print(Reduced);
  return std::to_string(I.removable().size()) + "/" + std::to_string(All);
}

std::string signatureAfterInference(const std::string &Text, const std::string &Name) {
  Inference I(parsed(Text));
  EXPECT_TRUE(I.errors().empty()) << I.errors().front().Message;
  for (const Function &F : I.annotated().Functions)
    if (F.Signature.Name == Name)
      return print(F.Signature);
  return "";
}

const std::string SameRegion = "chk pb = top | pb = pa; a.next = b";

/// main around Body, with a function whose callers it knows.
std::string withCallee(const std::string &Callee, const std::string &Body) {
  return ListStruct + Callee + mainFunction(Body);
}

/// The constructor of section 5.2: new->next = next.
const std::string Constructor =
    "new_rlist[pr, pnext] / true (r : region@pr, next : L[pnext]@pnext) : exists q . L[q]@q, true\n"
    "is [pnew, pnull] new1 : L[pnew]@pnew, none : L[pnull]@pnull, {\n"
    "none = null; new1 = new L[pr](none, none, none, none)@r;\n"
    "chk pnext = top | pnext = pnew; new1.next = next }, new1\n";

} // namespace

TEST(Infer, ContentsMadeAfterTheObjectInItsRegion) {
  EXPECT_EQ(removedChecks(ListStruct +
                          mainFunction("n = null; r = newregion[](); a = new L[pr](n, n, n, n)@r; "
                                       "s = regionof_L[pa, pa](a); b = new L[ps](n, n, n, n)@s; " +
                                       SameRegion)),
            "1/1");
}

TEST(Infer, TheLoopOfFigure1) {
  EXPECT_EQ(
      removedChecks(ListStruct + mainFunction("n = null; b = null; r = newregion[](); while * { "
                                              "a = new L[pr](n, n, n, n)@r; " +
                                              SameRegion + "; b = a }")),
      "1/1");
  // A second region, from which the list may come too.
  EXPECT_EQ(
      removedChecks(ListStruct + mainFunction("n = null; b = null; r = newregion[](); while * { "
                                              "a = new L[pr](n, n, n, n)@r; " +
                                              SameRegion + "; b = a; r = newregion[]() }")),
      "0/1");
}

TEST(Infer, FieldsOfTheSameRegionMayBeCopied) {
  const std::string Copy =
      "r = regionof_L[pb, pb](b); if r { n = null; c = new L[pr](n, n, n, n)@r; d = b.next; "
      "chk pd = top | pd = pc; c.next = d } {}";
  EXPECT_EQ(removedChecks(ListStruct + function(Copy)), "1/1");
}

TEST(Infer, ObjectsFromArraysAreUnknown) {
  const std::string Array = "struct A[p] { element : exists q . L[q]@q }\n";
  const std::string Body =
      "f[pr, po] / true (r : region@pr, objects : A[po]@po) : region@top, true\n"
      "is [pa, pb, pn] a : L[pa]@pa, b : L[pb]@pb, n : L[pn]@pn, nothing : region@top, {\n"
      "n = null; a = new L[pr](n, n, n, n)@r; b = objects.element; " +
      SameRegion + "; nothing = null }, nothing\n";
  EXPECT_EQ(removedChecks(ListStruct + Array + Body), "0/1");
}

TEST(Infer, AConstructorIsAsGoodAsItsCalls) {
  const std::string Fill =
      "b = null; r = newregion[](); while * { a = new_rlist[pr, pb](r, b); b = a }";
  EXPECT_EQ(removedChecks(withCallee(Constructor, Fill)), "1/1");
  EXPECT_EQ(
      signatureAfterInference(withCallee(Constructor, Fill), "new_rlist"),
      "new_rlist[pr, pnext] / pnext = top | pnext = pr (r : region@pr, next : L[pnext]@pnext) : "
      "exists q / q = pr . L[q]@q, pr != top");
  // One call with an object from elsewhere is enough to keep the check.
  EXPECT_EQ(removedChecks(
                withCallee(Constructor, Fill + "; s = newregion[](); c = new_rlist[ps, pb](s, b)")),
            "0/1");
  // So is a caller that is not known.
  InferenceOptions AllEntries;
  AllEntries.IsEntry = [](const Function &) { return true; };
  EXPECT_TRUE(Inference(parsed(withCallee(Constructor, Fill)), AllEntries).removable().empty());
  EXPECT_EQ(removedChecks(ListStruct + Constructor), "0/1");
}

TEST(Infer, ResultPropertiesOfThePapersExamples) {
  const std::string Signature =
      "[px] / true (x : L[px]@px) : exists q . region@q, true is [pr] r : region@pr, { ";
  EXPECT_EQ(
      signatureAfterInference(ListStruct + "f" + Signature + "r = regionof_L[px, px](x) }, r", "f"),
      "f[px] / true (x : L[px]@px) : exists q / q = px . region@q, true");
  EXPECT_EQ(signatureAfterInference(ListStruct + "f" + Signature + "r = newregion[]() }, r", "f"),
            "f[px] / true (x : L[px]@px) : exists q . region@q, true");
}

// The paper gives results existential types, so the variable that holds the result has one too.
TEST(Infer, AResultVariableOfExistentialTypeIsOpened) {
  EXPECT_EQ(signatureAfterInference(
                ListStruct + "f[px] / true (x : L[px]@px) : exists q . L[q]@q, true is [] "
                             "result : exists q . L[q]@q, { result = x.next }, result",
                "f"),
            "f[px] / true (x : L[px]@px) : exists q / q = top | q = px . L[q]@q, px != top");
}

TEST(Infer, OutputPropertiesCarryPassedChecks) {
  const std::string Callee =
      "same[px, py] / true (x : L[px]@px, y : L[py]@py) : region@top, true is [] "
      "nothing : region@top, { nothing = null; chk py = top | py = px }, nothing\n";
  const std::string Body = "f[pa, pb] / true (a : L[pa]@pa, b : L[pb]@pb) : region@top, true is [] "
                           "nothing : region@top, { nothing = same[pa, pb](a, b); " +
                           SameRegion + " }, nothing\n";
  EXPECT_EQ(removedChecks(ListStruct + Callee + Body), "1/2");
  EXPECT_EQ(signatureAfterInference(ListStruct + Callee + Body, "same"),
            "same[px, py] / true (x : L[px]@px, y : L[py]@py) : region@top, py = top | py = px");
}

TEST(Infer, RecursionReachesTheGreatestFixedPoint) {
  // last(x) is null or in x's region, which only the assumption that it is shows.
  const std::string Last =
      "last[px] / true (x : L[px]@px) : exists q . L[q]@q, true is [pn, pl] n : L[pn]@pn, "
      "l : L[pl]@pl, { l = x; if x { n = x.next; if n { l = last[pn](n) } {} } {} }, l\n";
  EXPECT_EQ(signatureAfterInference(ListStruct + Last, "last"),
            "last[px] / true (x : L[px]@px) : exists q / q = px . L[q]@q, true");
  EXPECT_EQ(
      removedChecks(withCallee(Last, "n = null; r = newregion[](); a = new L[pr](n, n, n, n)@r; "
                                     "b = last[pa](a); " +
                                         SameRegion)),
      "1/1");
}

TEST(Infer, ParentPointersAndTraditionalOnes) {
  const std::string Up =
      "n = null; r = newregion[](); b = new L[pr](n, n, n, n)@r; s = newsubregion[pr](r); "
      "a = new L[ps](n, n, n, n)@s; chk pa <= pb; a.up = b; c = a.up; ";
  EXPECT_EQ(removedChecks(ListStruct + mainFunction(Up + "chk pa <= pc; a.up = c")), "2/2");
  EXPECT_EQ(removedChecks(ListStruct + mainFunction(Up + "chk pc = top | pc = pa; a.next = c")),
            "1/2");
  EXPECT_EQ(
      removedChecks(ListStruct +
                    mainFunction("n = null; r = traditional[](); a = new L[pr](n, n, n, n)@r; "
                                 "b = a.old; chk pb = top | pb = RT; a.old = b; " +
                                 SameRegion)),
      "2/2");
}

TEST(Infer, StatedPropertiesAreKeptAndChecked) {
  const std::string Stated =
      "f[px] / px != top (x : L[px]@px) : exists q / q = px | q = RT . region@q, true is [pr] "
      "r : region@pr, { r = regionof_L[px, px](x) }, r\n";
  EXPECT_EQ(
      signatureAfterInference(ListStruct + Stated, "f"),
      "f[px] / px != top (x : L[px]@px) : exists q / (q = px | q = RT) & q = px . region@q, true");
  EXPECT_NE(removedChecks(withCallee(Stated, "a = null; r = f[pa](a)")).find("(fncall)"),
            std::string::npos);
}

TEST(Infer, WhatIsNeverReachedSaysSo) {
  const std::string Forever =
      "f[px] / true (x : L[px]@px) : region@top, true is [] nothing : region@top, "
      "{ nothing = f[px](x) }, nothing\n";
  EXPECT_EQ(signatureAfterInference(withCallee(Forever, "a = null; nothing = f[pa](a)"), "f"),
            "f[px] / px = top (x : L[px]@px) : region@top, false");
}

TEST(Infer, FunctionsElsewhereAreBelieved) {
  const std::string Outside =
      "pick[px] / true (x : L[px]@px) : exists q / q = top | q = px . L[q]@q, true;\n";
  EXPECT_EQ(removedChecks(ListStruct + Outside +
                          function("c = pick[pa](a); chk pc = top | pc = pa; a.next = c")),
            "1/1");
}
