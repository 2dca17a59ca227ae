// SPDX-License-Identifier: MIT
#include "TopScreen.h"

#include "Format.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

namespace acre::cli {
namespace {

/// It is not made by the program, and not counted among those that were.
constexpr std::uint64_t PermanentRegion = 1;

/// "12.3M": at most six characters.
std::string sizeText(double Bytes) {
  static constexpr const char *Units[] = {"", "k", "M", "G", "T", "P"};
  size_t Unit = 0;
  while (std::fabs(Bytes) >= 1000 && Unit + 1 < std::size(Units))
    Bytes /= 1000, ++Unit;
  return format(Unit && std::fabs(Bytes) < 100 ? "%.1f%s" : "%.0f%s", Bytes, Units[Unit]);
}

std::string sizeText(std::uint64_t Bytes) { return sizeText(static_cast<double>(Bytes)); }

std::string growthText(double BytesPerSecond) {
  const std::string Text = sizeText(BytesPerSecond);
  return Text == "0" || Text == "-0" ? "" : (BytesPerSecond > 0 ? "+" : "") + Text;
}

/// A place without its folders, which would leave a screen no room for the line.
std::string withoutFolders(const std::string &Place) {
  return printable(Place.substr(Place.rfind('/') + 1));
}

std::string labelOf(const SnapshotRegion &Region) {
  return Region.Name.empty() ? withoutFolders(Region.label()) : printable(Region.Name);
}

/// Bytes of each region with those below it.
using Wholes = std::map<std::uint64_t, std::uint64_t>;

Wholes wholesOf(const Snapshot &Of) {
  Wholes Result;
  const std::vector<const SnapshotRegion *> Order = Of.parentsFirst();
  for (auto Each = Order.rbegin(); Each != Order.rend(); ++Each) {
    const std::uint64_t Whole = Result[(*Each)->Index] += (*Each)->Bytes;
    if ((*Each)->Parent)
      Result[(*Each)->Parent] += Whole;
  }
  return Result;
}

double secondsBetween(const Snapshot &Before, const Snapshot &Now) {
  return Now.Milliseconds > Before.Milliseconds
             ? static_cast<double>(Now.Milliseconds - Before.Milliseconds) / 1000
             : 0;
}

double rate(std::uint64_t Before, std::uint64_t Now, double Seconds) {
  return Seconds > 0 ? (static_cast<double>(Now) - static_cast<double>(Before)) / Seconds : 0;
}

bool isBefore(const TopRow &A, const TopRow &B, TopOrder By) {
  switch (By) {
  case TopOrder::Bytes:
    return A.Whole > B.Whole;
  case TopOrder::Growth:
    return A.Growth > B.Growth;
  case TopOrder::Objects:
    return A.Region->Objects > B.Region->Objects;
  case TopOrder::Count:
    return A.Region->Count > B.Region->Count;
  case TopOrder::Name:
    return A.Region->label() < B.Region->label();
  }
  return false;
}

/// Rows by the index of their parent, each list in order.
using Children = std::map<std::uint64_t, std::vector<TopRow>>;

std::vector<TopRow> asTree(const Children &Below) {
  std::vector<TopRow> Result, Waiting;
  auto AddBelow = [&](std::uint64_t Index, size_t Depth) {
    auto Found = Below.find(Index);
    if (Found == Below.end())
      return;
    for (auto Each = Found->second.rbegin(); Each != Found->second.rend(); ++Each) {
      Waiting.push_back(*Each);
      Waiting.back().Depth = Depth;
    }
  };
  for (AddBelow(0, 0); !Waiting.empty();) {
    Result.push_back(Waiting.back());
    Waiting.pop_back();
    AddBelow(Result.back().Region->Index, Result.back().Depth + 1);
  }
  return Result;
}

} // namespace

std::vector<TopRow> topRows(const Snapshot &Now, const Snapshot *Before, TopOrder By, bool IsTree) {
  const Wholes Whole = wholesOf(Now), Former = Before ? wholesOf(*Before) : Wholes();
  const double Seconds = Before ? secondsBetween(*Before, Now) : 0;
  Children Below;
  for (const auto &[Index, Region] : Now.Regions) {
    const auto Was = Before ? Before->Regions.find(Index) : Now.Regions.end();
    const bool IsKnown =
        Before && Was != Before->Regions.end() && Was->second.Generation == Region.Generation;
    Below[IsTree ? Region.Parent : 0].push_back(
        {&Region, 0, Whole.at(Index),
         rate(IsKnown ? Former.at(Index) : 0, Whole.at(Index), Seconds)});
  }
  for (auto &[Index, Rows] : Below)
    std::stable_sort(Rows.begin(), Rows.end(),
                     [By](const TopRow &A, const TopRow &B) { return isBefore(A, B, By); });
  return IsTree ? asTree(Below) : Below[0];
}

std::string topHead(const Snapshot &Now, const Snapshot *Before) {
  std::string Result = printable(Now.Program) +
                       format(", process %llu: ", static_cast<unsigned long long>(Now.Process));
  Result += sizeText(Now.bytes()) + "B in " + std::to_string(Now.objects()) +
            (Now.objects() == 1 ? " object, " : " objects, ") +
            std::to_string(Now.Regions.size() - Now.Regions.count(PermanentRegion)) +
            " regions of " + std::to_string(Now.Created) + " ever made";
  if (Now.HasCollected)
    Result += ", " + sizeText(Now.CollectedUseful) + "B collected";
  const std::string Growth =
      Before ? growthText(rate(Before->bytes(), Now.bytes(), secondsBetween(*Before, Now))) : "";
  return Growth.empty() ? Result : Result + ", " + Growth + "B/s";
}

std::string topTitles() {
  return format("%8s %8s %8s %8s %9s %7s  %s", "BYTES", "OWN", "BYTES/s", "PAGES", "OBJECTS",
                "COUNT", "REGION");
}

std::string topLine(const TopRow &Of) {
  const SnapshotRegion &R = *Of.Region;
  std::string Result =
      format("%8s %8s %8s %8s %9llu %7llu  ", sizeText(Of.Whole).c_str(), sizeText(R.Bytes).c_str(),
             growthText(Of.Growth).c_str(), sizeText(R.Reserved).c_str(),
             static_cast<unsigned long long>(R.Objects), static_cast<unsigned long long>(R.Count));
  Result += std::string(2 * std::min<size_t>(Of.Depth, 30), ' ') + labelOf(R);
  if (!R.Name.empty())
    Result += " (" + withoutFolders(R.CreatedAt) + ")";
  return R.State == "live" ? Result : Result + ", " + printable(R.State);
}

std::vector<std::string> topDetails(const Snapshot &Of, const SnapshotRegion &Region) {
  std::vector<std::string> Result;
  std::vector<SnapshotReferrers> Why = Region.Referrers;
  std::stable_sort(Why.begin(), Why.end(),
                   [](const auto &A, const auto &B) { return A.Count > B.Count; });
  for (const SnapshotReferrers &Each : Why) {
    auto From = Of.Regions.find(Each.From);
    Result.push_back(
        format("%9llu x ", static_cast<unsigned long long>(Each.Count)) + printable(Each.What) +
        (From == Of.Regions.end() ? "" : " in " + labelOf(From->second)) + " points in");
  }
  std::vector<SnapshotObjects> Parts = Region.Parts;
  std::stable_sort(Parts.begin(), Parts.end(),
                   [](const auto &A, const auto &B) { return A.Bytes > B.Bytes; });
  for (const SnapshotObjects &Each : Parts) {
    const SnapshotSite &Site = Each.Site;
    Result.push_back(format("%9s: %llu x ", sizeText(Each.Bytes).c_str(),
                            static_cast<unsigned long long>(Each.Count)) +
                     printable(Site.Type.empty() ? "unknown type" : Site.Type) +
                     (Site.File.empty() ? ""
                                        : " of " + withoutFolders(Site.place()) + " in " +
                                              printable(Site.Function)));
  }
  return Result;
}

std::string printable(const std::string &Text) {
  std::string Result;
  for (size_t I = 0; I < Text.size(); ++I) {
    const unsigned char Byte = static_cast<unsigned char>(Text[I]);
    const bool IsHigh =
        Byte == 0xc2 && I + 1 < Text.size() && static_cast<unsigned char>(Text[I + 1]) < 0xa0;
    Result += Byte < 0x20 || Byte == 0x7f || IsHigh ? '?' : Text[I];
    I += IsHigh;
  }
  return Result;
}

std::string fitted(const std::string &Text, size_t Width) {
  std::string Result;
  size_t Characters = 0;
  for (char Each : Text) {
    Characters += (static_cast<unsigned char>(Each) & 0xc0) != 0x80;
    if (Characters > Width)
      return Result;
    Result += Each;
  }
  return Result + std::string(Width - Characters, ' ');
}

} // namespace acre::cli
