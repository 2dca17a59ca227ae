// SPDX-License-Identifier: MIT
#include "ViewPage.h"

#include "ViewTemplate.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <set>

namespace acre::cli {
namespace {

using Json = nlohmann::json;
using Difference = std::int64_t;

/// What has a colour of its own over time.
constexpr size_t BandsMax = 6;

Difference difference(std::uint64_t Now, std::uint64_t Before) {
  return static_cast<Difference>(Now) - static_cast<Difference>(Before);
}

/// Regions of an earlier snapshot. Of the same process they have the same index and generation, of
/// another one those count as the same that have the same name and place, in their order.
class Earlier {
public:
  Earlier(const Snapshot &From, const Snapshot &Later) : IsSame(From.Process == Later.Process) {
    for (const auto &[Index, Region] : From.Regions)
      Regions.emplace(keyOf(Region), &Region);
  }
  /// The region that was Later, taken out; null if there was none.
  const SnapshotRegion *take(const SnapshotRegion &Later) {
    auto Found = Regions.lower_bound(keyOf(Later));
    if (Found == Regions.end() || Found->first != keyOf(Later))
      return nullptr;
    const SnapshotRegion *Result = Found->second;
    Regions.erase(Found);
    return Result;
  }
  size_t left() const { return Regions.size(); }
  std::uint64_t bytesLeft() const {
    std::uint64_t Sum = 0;
    for (const auto &[Key, Region] : Regions)
      Sum += Region->Bytes;
    return Sum;
  }

private:
  std::string keyOf(const SnapshotRegion &Of) const {
    return IsSame ? std::to_string(Of.Index) + "." + std::to_string(Of.Generation)
                  : Of.Name + "\n" + Of.CreatedAt;
  }

  bool IsSame;
  std::multimap<std::string, const SnapshotRegion *> Regions;
};

Json partJson(const SnapshotObjects &Of) {
  return {{"type", Of.Site.Type},
          {"place", Of.Site.place()},
          {"function", Of.Site.Function},
          {"count", Of.Count},
          {"bytes", Of.Bytes}};
}

Json regionJson(const SnapshotRegion &Of, std::uint64_t Before) {
  Json Parts = Json::array(), Referrers = Json::array();
  for (const SnapshotObjects &Each : Of.Parts)
    Parts.push_back(partJson(Each));
  for (const SnapshotReferrers &Each : Of.Referrers)
    Referrers.push_back({{"what", Each.What}, {"from", Each.From}, {"count", Each.Count}});
  return {{"index", Of.Index},
          {"parent", Of.Parent},
          {"label", Of.Name.empty() ? Of.label() + " #" + std::to_string(Of.Index) : Of.Name},
          {"at", Of.CreatedAt},
          {"state", Of.State},
          {"policy", Of.Policy},
          {"thread", Of.Thread},
          {"objects", Of.Objects},
          {"bytes", Of.Bytes},
          {"reserved", Of.Reserved},
          {"count", Of.Count},
          {"stale", Of.Stale},
          {"growth", difference(Of.Bytes, Before)},
          {"parts", Parts},
          {"referrers", Referrers}};
}

Json snapshotJson(const Snapshot &Of, Earlier *Before) {
  Json Regions = Json::array();
  for (const auto &[Index, Region] : Of.Regions) {
    const SnapshotRegion *Was = Before ? Before->take(Region) : &Region;
    Regions.push_back(regionJson(Region, Was ? Was->Bytes : 0));
  }
  Json Result = {{"program", Of.Program},           {"process", Of.Process},
                 {"milliseconds", Of.Milliseconds}, {"stoppedMicroseconds", Of.StoppedMicroseconds},
                 {"created", Of.Created},           {"bytes", Of.bytes()},
                 {"objects", Of.objects()},         {"regions", Regions}};
  if (Of.HasCollected)
    Result["collected"] = Of.CollectedUseful;
  return Result;
}

// -- Types and sites ------------------------------------------------------------------------------

using Sites = std::map<SnapshotSite, SnapshotObjects>;

void addTo(Sites &To, const std::vector<SnapshotObjects> &Parts) {
  for (const SnapshotObjects &Each : Parts) {
    SnapshotObjects &Sum = To[Each.Site];
    Sum.Site = Each.Site;
    Sum.Count += Each.Count;
    Sum.Bytes += Each.Bytes;
  }
}

Sites sitesOf(const Snapshot &Of) {
  Sites Result;
  for (const auto &[Index, Region] : Of.Regions)
    addTo(Result, Region.Parts);
  return Result;
}

Sites collectedSitesOf(const Snapshot &Of) {
  Sites Result;
  addTo(Result, Of.Collected);
  return Result;
}

/// With those that are there no more.
Json sitesJson(Sites Now, const Sites &Before) {
  for (const auto &[Site, Was] : Before)
    Now[Site].Site = Site;
  Json Result = Json::array();
  for (const auto &[Site, Objects] : Now) {
    auto Found = Before.find(Site);
    Json Row = partJson(Objects);
    Row["growth"] = difference(Objects.Bytes, Found == Before.end() ? 0 : Found->second.Bytes);
    Result.push_back(Row);
  }
  return Result;
}

// -- Over time ------------------------------------------------------------------------------------

/// The regions that were made at one place.
struct Band {
  std::string Label;                ///< their name, or the place if they have several
  std::vector<std::uint64_t> Bytes; ///< in each snapshot
  std::uint64_t most() const { return *std::max_element(Bytes.begin(), Bytes.end()); }
};

std::vector<Band> bandsOf(const std::vector<Snapshot> &Snapshots) {
  std::map<std::string, Band> Places;
  for (size_t I = 0; I < Snapshots.size(); ++I)
    for (const auto &[Index, Region] : Snapshots[I].Regions) {
      auto [Found, IsNew] = Places.try_emplace(Region.CreatedAt);
      Band &Of = Found->second;
      Of.Label = IsNew || Of.Label == Region.label() ? Region.label() : Region.CreatedAt;
      Of.Bytes.resize(Snapshots.size());
      Of.Bytes[I] += Region.Bytes;
    }
  std::vector<Band> Result;
  for (auto &[Place, Of] : Places)
    if (Of.most())
      Result.push_back(std::move(Of));
  std::stable_sort(Result.begin(), Result.end(),
                   [](const Band &A, const Band &B) { return A.most() > B.most(); });
  return Result;
}

Json bandsJson(const std::vector<Snapshot> &Snapshots) {
  const std::vector<Band> All = bandsOf(Snapshots);
  Json Result = Json::array();
  std::vector<std::uint64_t> Rest(Snapshots.size());
  for (size_t I = 0; I < All.size(); ++I)
    if (I < BandsMax)
      Result.push_back({{"label", All[I].Label}, {"bytes", All[I].Bytes}});
    else
      std::transform(Rest.begin(), Rest.end(), All[I].Bytes.begin(), Rest.begin(), std::plus<>());
  if (All.size() > BandsMax)
    Result.push_back(
        {{"label", std::to_string(All.size() - BandsMax) + " other places"}, {"bytes", Rest}});
  return Result;
}

/// Text that ends no script: '<' stands in strings only, where it can be written otherwise.
std::string asData(const Json &Value) {
  std::string Result;
  for (char Each : Value.dump(-1, ' ', false, Json::error_handler_t::replace))
    Result += Each == '<' ? "\\u003c" : std::string(1, Each);
  return Result;
}

} // namespace

std::string viewPage(const std::vector<Snapshot> &Snapshots) {
  const Snapshot &First = Snapshots.front(), &Last = Snapshots.back();
  const bool HasGrowth = Snapshots.size() > 1;
  Earlier Before(First, Last);
  Json Shown = Json::array(), Timeline = Json::array();
  if (HasGrowth)
    Shown.push_back({{"milliseconds", First.Milliseconds}});
  Shown.push_back(snapshotJson(Last, HasGrowth ? &Before : nullptr));
  for (const Snapshot &Each : Snapshots)
    Timeline.push_back({{"milliseconds", Each.Milliseconds}, {"bytes", Each.bytes()}});
  const Json Data = {
      {"snapshots", Shown},
      {"gone", HasGrowth ? Before.left() : 0},
      {"goneBytes", HasGrowth ? Before.bytesLeft() : 0},
      {"timeline", Timeline},
      {"bands", bandsJson(Snapshots)},
      {"sites", sitesJson(sitesOf(Last), sitesOf(First))},
      {"collectedSites", sitesJson(collectedSitesOf(Last), collectedSitesOf(First))}};
  std::string Page = ViewTemplate;
  constexpr char Place[] = "@DATA@";
  return Page.replace(Page.find(Place), strlen(Place), asData(Data));
}

} // namespace acre::cli
