/* SPDX-License-Identifier: MIT */
//===- BitMatrix.h - A relation between numbers, one bit a pair -*- C++ -*-===//
#ifndef ACRE_RLANG_BITMATRIX_H
#define ACRE_RLANG_BITMATRIX_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::rlang {

class BitMatrix {
public:
  explicit BitMatrix(unsigned Size, unsigned Rows)
      : Words((Size + 63) / 64), Bits(std::size_t(Rows) * Words) {}
  explicit BitMatrix(unsigned Size) : BitMatrix(Size, Size) {}

  bool test(unsigned Row, unsigned Column) const { return word(Row, Column) >> (Column % 64) & 1; }
  void set(unsigned Row, unsigned Column) { word(Row, Column) |= uint64_t(1) << (Column % 64); }
  void reset(unsigned Row, unsigned Column) {
    word(Row, Column) &= ~(uint64_t(1) << (Column % 64));
  }

  /// Row To gains what row From of Other has; whether that changed it.
  bool unite(unsigned To, const BitMatrix &Other, unsigned From) {
    uint64_t Gained = 0;
    for (unsigned W = 0; W < Words; ++W) {
      uint64_t &Word = Bits[std::size_t(To) * Words + W];
      uint64_t Added = Other.Bits[std::size_t(From) * Words + W] & ~Word;
      Word |= Added;
      Gained |= Added;
    }
    return Gained != 0;
  }

  bool meets(unsigned Row, const BitMatrix &Other, unsigned OtherRow) const {
    for (unsigned W = 0; W < Words; ++W)
      if (Bits[std::size_t(Row) * Words + W] & Other.Bits[std::size_t(OtherRow) * Words + W])
        return true;
    return false;
  }

  void intersect(const BitMatrix &Other) {
    for (std::size_t I = 0; I < Bits.size(); ++I)
      Bits[I] &= Other.Bits[I];
  }

  bool includes(const BitMatrix &Other) const {
    for (std::size_t I = 0; I < Bits.size(); ++I)
      if (Other.Bits[I] & ~Bits[I])
        return false;
    return true;
  }

  bool operator==(const BitMatrix &) const = default;

private:
  uint64_t &word(unsigned Row, unsigned Column) {
    return Bits[std::size_t(Row) * Words + Column / 64];
  }
  uint64_t word(unsigned Row, unsigned Column) const {
    return Bits[std::size_t(Row) * Words + Column / 64];
  }

  unsigned Words;
  std::vector<uint64_t> Bits;
};

} // namespace acre::rlang

#endif
