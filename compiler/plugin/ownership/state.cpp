//===- state.cpp - What is known of owners and borrowers at a point -------===//

#include "plugin/ownership/state.h"
#include "llvm/ADT/STLExtras.h"

using namespace acre::ast;

llvm::SmallBitVector Loans::roots() const {
  llvm::SmallBitVector All = Direct;
  return All |= Deep;
}

llvm::SmallVector<unsigned, 4> Loans::numbers() const {
  llvm::SmallBitVector All = roots();
  return llvm::to_vector<4>(All.set_bits());
}

void Loans::add(const Loans &Other) {
  Direct |= Other.Direct;
  Deep |= Other.Deep;
  Maybe |= Other.Maybe;
  Frames |= Other.Frames;
}

void Sites::add(const clang::Stmt *Place) {
  if (Places.size() < Most && !llvm::is_contained(Places, Place))
    Places.push_back(Place);
}

void Sites::add(const Sites &Other) {
  for (const clang::Stmt *Each : Other.Places)
    add(Each);
}

void OwnerState::join(const OwnerState &Other) {
  Conditions |= Other.Conditions;
  if (RestoredBy != Other.RestoredBy)
    RestoredBy.reset();
  ConsumedAt.add(Other.ConsumedAt);
}

bool OwnerState::operator==(const OwnerState &Other) const {
  return Conditions == Other.Conditions && RestoredBy == Other.RestoredBy &&
         ConsumedAt.all() == Other.ConsumedAt.all();
}

void BorrowerState::join(const BorrowerState &Other) {
  From.add(Other.From);
  if ((Other.IsDangling && !IsDangling) || (Other.IsDoubtful && !IsDangling && !IsDoubtful))
    LostRoot = Other.LostRoot;
  IsDangling |= Other.IsDangling;
  IsDoubtful |= Other.IsDoubtful;
  LostAt.add(Other.LostAt);
}

bool State::join(const State &Other) {
  if (!IsReached) {
    *this = Other;
    return true;
  }
  bool HasChanged = false;
  auto JoinAll = [&](auto &Into, const auto &From) {
    for (size_t I = 0; I != Into.size(); ++I) {
      auto Before = Into[I];
      Into[I].join(From[I]);
      HasChanged |= !(Into[I] == Before);
    }
  };
  JoinAll(Owners, Other.Owners);
  JoinAll(Borrowers, Other.Borrowers);
  JoinAll(Keys, Other.Keys);
  size_t Before = Left.size();
  llvm::erase_if(Left, [&](const LeftAddress &Each) { return !llvm::is_contained(Other.Left, Each); });
  return HasChanged || Left.size() != Before;
}
