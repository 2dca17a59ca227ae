// SPDX-License-Identifier: MIT
//===- Formula.cpp - Properties about numbered regions --------------------===//
#include "Formula.h"

namespace acre::rlang {

Formula negate(const Formula &F) {
  static constexpr Formula::Kind Dual[] = {Formula::NotLessEqual, Formula::LessEqual, Formula::Or,
                                           Formula::And};
  Formula Result{Dual[F.K], F.A, F.B, {}};
  for (const Formula &Each : F.Operands)
    Result.Operands.push_back(negate(Each));
  return Result;
}

Formula resolve(const Property &P, const Scope &S) {
  Formula Result;
  switch (P.K) {
  case Property::True:
    break;
  case Property::False:
    Result.K = Formula::Or;
    break;
  case Property::LessEqual:
    return Formula::lessEqual(S[P.Left], S[P.Right]);
  case Property::Equal:
    return Formula::equal(S[P.Left], S[P.Right]);
  case Property::NotEqual:
    return negate(Formula::equal(S[P.Left], S[P.Right]));
  case Property::Not:
    return negate(resolve(P.Operands.front(), S));
  case Property::And:
  case Property::Or:
    Result.K = P.K == Property::And ? Formula::And : Formula::Or;
    for (const Property &Each : P.Operands)
      Result.Operands.push_back(resolve(Each, S));
    break;
  }
  return Result;
}

void collectRegions(const Property &P, const Scope &S, std::vector<RegionId> &To) {
  for (const Property &Each : P.Operands)
    collectRegions(Each, S, To);
  if (P.K == Property::LessEqual || P.K == Property::Equal || P.K == Property::NotEqual)
    for (const Region *R : {&P.Left, &P.Right})
      if (R->isAbstract())
        To.push_back(S[*R]);
}

} // namespace acre::rlang
