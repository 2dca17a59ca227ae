// SPDX-License-Identifier: MIT
#include "ExplainSource.h"

#include <algorithm>
#include <fstream>

namespace acre::cli {

std::optional<std::string> SourceFiles::line(const std::string &File, unsigned Number) {
  auto [Found, IsNew] = Read.try_emplace(File);
  std::vector<std::string> &Lines = Found->second;
  if (IsNew) {
    std::ifstream From(File, std::ios::binary);
    for (std::string Line; std::getline(From, Line);) {
      if (Line.ends_with('\r'))
        Line.pop_back();
      Lines.push_back(std::move(Line));
    }
  }
  if (Number == 0 || Number > Lines.size())
    return std::nullopt;
  return Lines[Number - 1];
}

size_t codePoints(std::string_view Line, size_t Bytes) {
  std::string_view Part = Line.substr(0, Bytes);
  return static_cast<size_t>(
      std::count_if(Part.begin(), Part.end(), [](char C) { return (C & 0xc0) != 0x80; }));
}

} // namespace acre::cli
