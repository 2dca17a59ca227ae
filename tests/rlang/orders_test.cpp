// The decision procedures against the definition: every order of a few regions is tried.
#include "rlang/Constraints.h"
#include "rlang/Orders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

using namespace acre::rlang;

namespace {

constexpr unsigned Size = 5; // top, RT, a, b, c
constexpr RegionId A = 2, B = 3, C = 4;

/// A preorder of the five: two regions below each other are the same one.
using Model = std::array<std::array<bool, Size>, Size>;

bool isModel(const Model &M) {
  for (unsigned X = 0; X < Size; ++X)
    for (unsigned Y = 0; Y < Size; ++Y)
      for (unsigned Z = 0; Z < Size; ++Z)
        if (M[X][Y] && M[Y][Z] && !M[X][Z])
          return false;
  return !M[TopId][TraditionalId];
}

const std::vector<Model> &models() {
  static const std::vector<Model> All = [] {
    std::vector<Model> Result;
    std::vector<std::pair<unsigned, unsigned>> Free;
    for (unsigned X = 0; X < Size; ++X)
      for (unsigned Y = 1; Y < Size; ++Y)
        if (X != Y && !(X == TopId && Y == TraditionalId))
          Free.push_back({X, Y});
    for (unsigned Bits = 0; Bits < 1u << Free.size(); ++Bits) {
      Model M{};
      for (unsigned X = 0; X < Size; ++X)
        M[X][X] = M[X][TopId] = true;
      for (size_t I = 0; I < Free.size(); ++I)
        M[Free[I].first][Free[I].second] = Bits >> I & 1;
      if (isModel(M))
        Result.push_back(M);
    }
    return Result;
  }();
  return All;
}

bool holds(const Formula &F, const Model &M) {
  switch (F.K) {
  case Formula::LessEqual:
    return M[F.A][F.B];
  case Formula::NotLessEqual:
    return !M[F.A][F.B];
  case Formula::And:
    return std::all_of(F.Operands.begin(), F.Operands.end(),
                       [&](const Formula &Each) { return holds(Each, M); });
  case Formula::Or:
    return std::any_of(F.Operands.begin(), F.Operands.end(),
                       [&](const Formula &Each) { return holds(Each, M); });
  }
  return false;
}

bool impliesByDefinition(const Formula &F, const Formula &G) {
  return std::all_of(models().begin(), models().end(),
                     [&](const Model &M) { return !holds(F, M) || holds(G, M); });
}

class RandomFormulas {
public:
  explicit RandomFormulas(unsigned Seed) : Random(Seed) {}

  Formula formula(unsigned Regions, unsigned Depth) {
    RegionId X = Random() % Regions, Y = Random() % Regions;
    switch (Depth ? Random() % 5 : Random() % 3) {
    case 0:
      return Formula::lessEqual(X, Y);
    case 1:
      return Formula::equal(X, Y);
    case 2:
      return negate(Formula::equal(X, Y));
    case 3:
      return {Formula::And, 0, 0, {formula(Regions, Depth - 1), formula(Regions, Depth - 1)}};
    default:
      return {Formula::Or, 0, 0, {formula(Regions, Depth - 1), formula(Regions, Depth - 1)}};
    }
  }

  /// One of the four kinds of fact.
  Formula constraint(unsigned Regions) {
    RegionId X = Random() % Regions, Y = Random() % Regions;
    switch (Random() % 4) {
    case 0:
      return Formula::isTop(X);
    case 1:
      return Formula::isNotTop(X);
    case 2:
      return Formula::lessEqual(X, Y);
    default:
      return {Formula::Or, 0, 0, {Formula::isTop(X), Formula::equal(X, Y)}};
    }
  }

private:
  std::mt19937 Random;
};

Formula conjunction(std::vector<Formula> Operands) {
  return {Formula::And, 0, 0, std::move(Operands)};
}

Formula topOr(RegionId X, RegionId Y) {
  return {Formula::Or, 0, 0, {Formula::isTop(X), Formula::equal(X, Y)}};
}

} // namespace

TEST(Orders, ImplicationIsExact) {
  for (unsigned Seed = 0; Seed < 500; ++Seed) {
    RandomFormulas Random(Seed);
    Formula F = Random.formula(Size, 3), G = Random.formula(Size, 2);
    Orders Known(Size);
    Known.assume(F);
    ASSERT_EQ(Known.implies(G), impliesByDefinition(F, G)) << "seed " << Seed;
    ASSERT_EQ(Known.isUnreachable(), impliesByDefinition(F, negate(Formula{}))) << "seed " << Seed;
  }
}

TEST(Orders, ForgettingKeepsExactlyWhatSpeaksOfTheOthers) {
  for (unsigned Seed = 0; Seed < 500; ++Seed) {
    RandomFormulas Random(Seed);
    Formula F = Random.formula(Size, 3), G = Random.formula(C, 2);
    Orders Known(Size);
    Known.assume(F);
    Known.forget(C);
    ASSERT_EQ(Known.implies(G), impliesByDefinition(F, G)) << "seed " << Seed;
    if (!Known.isUnreachable()) {
      EXPECT_FALSE(Known.implies(Formula::equal(C, A)));
      EXPECT_FALSE(Known.implies(Formula::isNotTop(C)));
    }
  }
}

TEST(Orders, JoinIsDisjunction) {
  for (unsigned Seed = 0; Seed < 300; ++Seed) {
    RandomFormulas Random(Seed);
    Formula F = Random.formula(Size, 2), G = Random.formula(Size, 2), H = Random.formula(Size, 2);
    Orders Known(Size), Other(Size);
    Known.assume(F);
    Other.assume(G);
    Known.join(Other);
    EXPECT_FALSE(Known.join(Other)) << "seed " << Seed;
    ASSERT_EQ(Known.implies(H), impliesByDefinition({Formula::Or, 0, 0, {F, G}}, H))
        << "seed " << Seed;
  }
}

TEST(Orders, TooManyCasesOnlyLoseKnowledge) {
  constexpr unsigned Many = 26;
  Orders Known(Many);
  Known.assume(Formula::isNotTop(A));
  for (RegionId Id = B; Id < Many; ++Id)
    Known.assume(topOr(Id, A));
  EXPECT_TRUE(Known.implies(Formula::isNotTop(A)));
  EXPECT_FALSE(Known.implies(Formula::isTop(B)));
  EXPECT_FALSE(Known.isUnreachable());
}

TEST(ConstraintSet, ImpliesNothingThatDoesNotFollow) {
  for (unsigned Seed = 0; Seed < 500; ++Seed) {
    RandomFormulas Random(Seed);
    Formula F = Random.formula(Size, 3), G = Random.formula(Size, 2);
    ConstraintSet Known(Size);
    Known.assume(F);
    ASSERT_TRUE(!Known.implies(G) || impliesByDefinition(F, G)) << "seed " << Seed;
    Known.forget(C);
    Formula H = Random.formula(C, 2);
    ASSERT_TRUE(!Known.implies(H) || impliesByDefinition(F, H)) << "seed " << Seed;
  }
}

TEST(ConstraintSet, ClosureOfTheFourKindsIsComplete) {
  for (unsigned Seed = 0; Seed < 500; ++Seed) {
    RandomFormulas Random(Seed);
    std::vector<Formula> All;
    for (unsigned I = 0; I < 2 + Seed % 5; ++I)
      All.push_back(Random.constraint(Size));
    ConstraintSet Known(Size);
    for (const Formula &Each : All)
      Known.assume(Each);
    for (unsigned I = 0; I < 20; ++I) {
      Formula G = Random.constraint(Size);
      ASSERT_EQ(Known.implies(G), impliesByDefinition(conjunction(All), G)) << "seed " << Seed;
    }
  }
}

TEST(ConstraintSet, JoinKeepsWhatBothSay) {
  for (unsigned Seed = 0; Seed < 300; ++Seed) {
    RandomFormulas Random(Seed);
    Formula F =
        conjunction({Random.constraint(Size), Random.constraint(Size), Random.constraint(Size)});
    Formula G = conjunction({Random.constraint(Size), Random.constraint(Size)});
    ConstraintSet Known(Size), Other(Size);
    Known.assume(F);
    Other.assume(G);
    Known.join(Other);
    for (unsigned I = 0; I < 20; ++I) {
      Formula H = Random.constraint(Size);
      ASSERT_EQ(Known.implies(H), impliesByDefinition({Formula::Or, 0, 0, {F, G}}, H))
          << "seed " << Seed;
    }
  }
}

TEST(ConstraintSet, DescriptionSaysTheSame) {
  const std::vector<std::string> Names = {"top", "RT", "a", "b", "c"};
  Scope Numbers;
  for (RegionId Id = FirstAbstractId; Id < Size; ++Id)
    Numbers.bind(Names[Id], Id);
  for (unsigned Seed = 0; Seed < 300; ++Seed) {
    RandomFormulas Random(Seed);
    ConstraintSet Known(Size), Again(Size);
    for (unsigned I = 0; I < 4; ++I)
      Known.assume(Random.constraint(Size));
    Again.assume(resolve(Known.describe(Names), Numbers));
    ASSERT_TRUE(Known == Again) << "seed " << Seed;
  }
}

TEST(ConstraintSet, NullOrSameRegionFollowsThroughANonNullOne) {
  ConstraintSet Known(Size);
  Known.assume(topOr(A, B));
  Known.assume(topOr(B, C));
  EXPECT_TRUE(Known.implies(topOr(A, C)));
  EXPECT_FALSE(Known.implies(Formula::equal(A, C)));
  Known.assume(Formula::isNotTop(A));
  EXPECT_TRUE(Known.implies(Formula::equal(A, C)));
}
