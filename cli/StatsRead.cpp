// SPDX-License-Identifier: MIT
#include "StatsRead.h"

#include <nlohmann/json.hpp>

#include <istream>

namespace acre::cli {
namespace {

using Json = nlohmann::json;

StoreStats readStore(const Json &From) {
  StoreStats Result;
  auto Read = [&](const char *Name, auto &To) { From.at(Name).get_to(To); };
  auto ReadCount = [&](const char *Name, std::uint64_t &To) {
    To = From.value(Name, std::uint64_t(0));
  };
  Read("file", Result.File), Read("function", Result.Function), Read("type", Result.Type),
      Read("slot", Result.Slot);
  Read("line", Result.Line), Read("column", Result.Column);
  Read("removed", Result.Removed), Read("cleared", Result.Cleared), Read("kept", Result.Kept);
  ReadCount("safe", Result.Safe), ReadCount("executed", Result.Executed);
  ReadCount("called", Result.Called), ReadCount("changed", Result.Changed);
  return Result;
}

void add(StoreStats &To, const StoreStats &More) {
  To.Removed += More.Removed, To.Cleared += More.Cleared, To.Kept += More.Kept;
  To.Safe += More.Safe, To.Executed += More.Executed, To.Called += More.Called,
      To.Changed += More.Changed;
}

/// Store with all its counts zero: only its place and its kind are left.
StoreStats withoutCounts(StoreStats Store) {
  Store.Safe = Store.Executed = Store.Called = Store.Changed = 0;
  return Store;
}
StoreStats withoutCopies(StoreStats Store) {
  Store.Removed = Store.Cleared = Store.Kept = 0;
  return Store;
}

} // namespace

std::string StatsReader::read(std::istream &From) {
  size_t Number = 0;
  for (std::string Line; std::getline(From, Line);) {
    ++Number;
    try {
      const Json Read = Json::parse(Line);
      if (Read.at("acre_stats") != 1)
        return "line " + std::to_string(Number) + ": statistics of another version of Acre";
      bool IsRun = Read.contains("program");
      HasRuns |= IsRun;
      Table &Decided = IsRun ? Programs[Read.at("program")] : Compilations[Read.at("units").dump()];
      Decided.clear();
      unsigned Ordinal = 0;
      for (const Json &Each : Read.at("stores")) {
        StoreStats Store = readStore(Each);
        ++Ordinal;
        Key Name(Store.File, Store.Line, Store.Column, Store.Slot, Store.Function, Store.Type,
                 Store.Column ? 0 : Ordinal);
        add(Decided.try_emplace(Name, withoutCounts(withoutCopies(Store))).first->second,
            withoutCounts(Store));
        if (IsRun)
          add(Executed.try_emplace(Name, withoutCounts(withoutCopies(Store))).first->second,
              withoutCopies(Store));
      }
    } catch (const Json::exception &) {
      return "line " + std::to_string(Number) +
             ": not what -facre-stats or ACRE_STATS=FILE.json writes";
    }
  }
  return Number ? "" : "no statistics";
}

std::vector<StoreStats> StatsReader::merged() const {
  Table All = Executed;
  // A program tells what was decided of it too; compilations may know of stores that it does not
  // have.
  for (const auto &[Ignored, Decided] : Compilations.empty() ? Programs : Compilations)
    for (const auto &[Name, Store] : Decided)
      add(All.try_emplace(Name, withoutCopies(Store)).first->second, Store);
  std::vector<StoreStats> Result;
  for (auto &[Ignored, Store] : All)
    Result.push_back(std::move(Store));
  return Result;
}

} // namespace acre::cli
