// SPDX-License-Identifier: MIT
#include "SnapshotRead.h"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace acre::cli {
namespace {

using Json = nlohmann::json;

/// More than any process has; sums of a file's numbers do not overflow.
constexpr std::uint64_t NumberMax = std::uint64_t(1) << 53;

std::uint64_t number(const Json &Line, const char *Name, std::uint64_t Otherwise) {
  auto Found = Line.find(Name);
  if (Found == Line.end())
    return Otherwise;
  if (!Found->is_number_unsigned() || Found->get<std::uint64_t>() > NumberMax)
    throw std::out_of_range(Name);
  return Found->get<std::uint64_t>();
}

std::uint64_t number(const Json &Line, const char *Name) {
  if (!Line.contains(Name))
    throw std::out_of_range(Name);
  return number(Line, Name, 0);
}

SnapshotObjects objectsOf(const Json &Line) {
  SnapshotObjects Result;
  Result.Site = {Line.value("type", Line.value("kind", "")), Line.value("file", ""),
                 Line.value("function", ""), number(Line, "line", 0)};
  Result.Count = number(Line, "count");
  Result.Bytes = number(Line, "bytes", 0);
  return Result;
}

class Reader {
public:
  explicit Reader(Snapshot &To) : To(To) {}

  void readLine(const Json &Line);
  bool hasHead() const { return HasHead; }
  bool hasEnd() const { return HasEnd; }
  /// What is wrong with all lines together, or nothing.
  std::string problem() const;

private:
  void readHead(const Json &Line);
  void readRegion(const Json &Line);
  void addReferrers(const Json &Line, const char *Kind);
  void addCells(const Json &Line);
  SnapshotRegion &regionOf(const Json &Line, const char *Kind);

  Snapshot &To;
  std::uint64_t Lines = 0;
  bool HasHead = false, HasEnd = false;
};

void Reader::readHead(const Json &Line) {
  if (number(Line, "acre_snapshot") != 1)
    throw std::runtime_error("a snapshot of another version of Acre");
  HasHead = true;
  To.Program = Line.value("program", "");
  To.Process = number(Line, "process", 0);
  To.Milliseconds = number(Line, "milliseconds", 0);
  To.StoppedMicroseconds = number(Line, "stopped_us", 0);
  To.Created = number(Line, "created", 0);
}

void Reader::readRegion(const Json &Line) {
  SnapshotRegion Region;
  Region.Index = number(Line, "region");
  Region.Generation = number(Line, "generation");
  Region.Parent = number(Line, "parent", 0);
  Region.Thread = number(Line, "thread", 0);
  Region.Name = Line.value("name", "");
  Region.CreatedAt = Line.value("at", "");
  Region.State = Line.value("state", "");
  Region.Policy = Line.value("policy", "");
  Region.Objects = number(Line, "objects");
  Region.Bytes = number(Line, "bytes");
  Region.Reserved = number(Line, "reserved");
  Region.Count = number(Line, "count");
  if (!To.Regions.emplace(Region.Index, Region).second)
    throw std::runtime_error("a second line of one region");
}

SnapshotRegion &Reader::regionOf(const Json &Line, const char *Kind) {
  auto Found = To.Regions.find(number(Line, Kind));
  if (Found == To.Regions.end())
    throw std::runtime_error("a region that has no line");
  return Found->second;
}

/// "field 'next' of struct node (allocated at list.c:3)"
std::string wordsOf(const Json &Line) {
  const SnapshotSite Site = objectsOf(Line).Site;
  const std::string Field = Line.value("field", ""), Place = Site.place();
  std::string Result = Field.empty() ? "elements of " : "field '" + Field + "' of ";
  Result += Site.Type.empty() ? "objects" : Site.Type;
  return Place.empty() ? Result : Result + " (allocated at " + Place + ")";
}

void Reader::addReferrers(const Json &Line, const char *Kind) {
  SnapshotReferrers Added;
  Added.From = number(Line, "from", 0);
  Added.Count = number(Line, "count");
  Added.What = Line.value("what", "");
  if (Added.From)
    Added.What = wordsOf(Line), regionOf(Line, "from");
  if (Added.What.empty())
    Added.What = "more slots outside all regions";
  regionOf(Line, Kind).Referrers.push_back(Added);
}

/// Objects of the collected heap without a type go by the size of their cells.
void Reader::addCells(const Json &Line) {
  SnapshotObjects Added = objectsOf(Line);
  const std::uint64_t Size = number(Line, "cells");
  if (Added.Site.Type.empty())
    Added.Site.Type = Size ? "cells of " + std::to_string(Size) + " bytes" : "large objects";
  To.Collected.push_back(Added);
}

void Reader::readLine(const Json &Line) {
  ++Lines;
  if (Lines == 1 && !Line.contains("acre_snapshot"))
    throw std::runtime_error("not what acre_snapshot writes");
  if (HasEnd)
    throw std::runtime_error("a line behind the last one");
  if (Line.contains("acre_snapshot"))
    readHead(Line);
  else if (Line.contains("region"))
    readRegion(Line);
  else if (Line.contains("objects"))
    regionOf(Line, "objects").Parts.push_back(objectsOf(Line));
  else if (Line.contains("stale"))
    regionOf(Line, "stale").Stale += number(Line, "count");
  else if (Line.contains("cells"))
    addCells(Line);
  else if (Line.contains("collected"))
    To.HasCollected = true, To.CollectedUseful = number(Line, "collected");
  else if (Line.contains("end"))
    HasEnd = number(Line, "end") == Lines;
  else
    for (const char *Kind : {"reference", "outside", "local"})
      if (Line.contains(Kind)) {
        addReferrers(Line, Kind);
        return;
      }
}

/// Each region leads to a root by its parents. What was seen to do so is not followed again.
std::string Reader::problem() const {
  std::map<std::uint64_t, std::uint64_t> SeenFrom;
  for (const auto &[Index, Region] : To.Regions)
    for (std::uint64_t At = Index; At;) {
      auto Found = To.Regions.find(At);
      if (Found == To.Regions.end())
        return "region " + std::to_string(Index) + " is below one that has no line";
      auto [Seen, IsNew] = SeenFrom.emplace(At, Index);
      if (!IsNew && Seen->second == Index)
        return "region " + std::to_string(Index) + " is below itself";
      At = IsNew ? Found->second.Parent : 0;
    }
  return "";
}

} // namespace

std::string SnapshotSite::place() const {
  return File.empty() ? "" : File + ":" + std::to_string(Line);
}

std::string SnapshotRegion::label() const {
  return !Name.empty() ? Name : !CreatedAt.empty() ? CreatedAt : "region " + std::to_string(Index);
}

std::uint64_t Snapshot::bytes() const {
  std::uint64_t Sum = 0;
  for (const auto &[Index, Region] : Regions)
    Sum += Region.Bytes;
  return Sum;
}

std::uint64_t Snapshot::objects() const {
  std::uint64_t Sum = 0;
  for (const auto &[Index, Region] : Regions)
    Sum += Region.Objects;
  return Sum;
}

std::vector<const SnapshotRegion *> Snapshot::parentsFirst() const {
  std::map<std::uint64_t, std::vector<const SnapshotRegion *>> Below;
  for (const auto &[Index, Region] : Regions)
    Below[Region.Parent].push_back(&Region);
  std::vector<const SnapshotRegion *> Result = Below[0];
  for (size_t I = 0; I < Result.size(); ++I)
    if (auto Found = Below.find(Result[I]->Index); Found != Below.end())
      Result.insert(Result.end(), Found->second.begin(), Found->second.end());
  return Result;
}

std::string readSnapshot(std::istream &From, Snapshot &To) {
  Reader Lines(To);
  size_t Number = 0;
  for (std::string Text; std::getline(From, Text);) {
    ++Number;
    const std::string Where = std::to_string(Number) + ": ";
    const bool IsCutOff = From.eof();
    try {
      if (IsCutOff)
        throw std::runtime_error("the line is cut off");
      Lines.readLine(Json::parse(Text));
    } catch (const Json::exception &) {
      return Where + "not what acre_snapshot writes";
    } catch (const std::out_of_range &Member) {
      return Where + "'" + Member.what() + "' is missing, or no number that there can be";
    } catch (const std::runtime_error &Problem) {
      return Where + Problem.what();
    }
  }
  if (!Lines.hasEnd())
    return std::to_string(Number + 1) +
           (Lines.hasHead() ? ": the rest is missing" : ": there is nothing in it");
  const std::string Problem = Lines.problem();
  return Problem.empty() ? "" : "1: " + Problem;
}

} // namespace acre::cli
