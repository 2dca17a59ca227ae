// SPDX-License-Identifier: MIT
#include "ViewExport.h"

#include <nlohmann/json.hpp>

namespace acre::cli {
namespace {

// -- Stacks ---------------------------------------------------------------------------------------

struct Frame {
  std::string Name, File;
  std::uint64_t Line = 0;

  auto operator<=>(const Frame &) const = default;
};

/// Numbers things from First on, in the order in which they come.
template <typename Thing> class Numbers {
public:
  explicit Numbers(std::uint64_t First) : First(First) {}
  std::uint64_t of(const Thing &Of) {
    auto [Place, IsNew] = Known.emplace(Of, First + All.size());
    if (IsNew)
      All.push_back(Of);
    return Place->second;
  }
  const std::vector<Thing> &all() const { return All; }

private:
  std::uint64_t First;
  std::map<Thing, std::uint64_t> Known;
  std::vector<Thing> All;
};

using Stack = std::vector<std::uint64_t>; ///< of frames by their numbers, the outermost first

struct Sample {
  Stack Frames;
  std::uint64_t Count, Bytes;
};

/// Of a chain of regions that is deeper, frames within are left out: each object has all of it.
constexpr size_t DepthMax = 100;

Sample sampleOf(Stack Frames, const SnapshotObjects &Objects, Numbers<Frame> &Known) {
  const SnapshotSite &Site = Objects.Site;
  if (!Site.File.empty())
    Frames.push_back(
        Known.of({Site.Function.empty() ? Site.place() : Site.Function, Site.File, Site.Line}));
  Frames.push_back(Known.of({Site.Type.empty() ? "unknown type" : Site.Type, "", 0}));
  return {Frames, Objects.Count, Objects.Bytes};
}

std::vector<Sample> samplesOf(const Snapshot &Of, Numbers<Frame> &Known) {
  std::vector<Sample> Result;
  std::map<std::uint64_t, Stack> Stacks;
  for (const SnapshotRegion *Region : Of.parentsFirst()) {
    Stack Frames = Stacks[Region->Parent];
    if (Frames.size() == DepthMax)
      Frames.pop_back();
    Frames.push_back(Known.of({"region " + Region->label(), "", 0}));
    for (const SnapshotObjects &Each : Region->Parts)
      Result.push_back(sampleOf(Frames, Each, Known));
    Stacks[Region->Index] = std::move(Frames);
  }
  for (const SnapshotObjects &Each : Of.Collected)
    Result.push_back(sampleOf({Known.of({"collected heap", "", 0})}, Each, Known));
  return Result;
}

// -- Protocol buffers -----------------------------------------------------------------------------

/// A message, field by field.
class Message {
public:
  void number(unsigned Field, std::uint64_t Value) {
    varint(Field << 3);
    varint(Value);
  }
  void bytes(unsigned Field, const std::string &Value) {
    varint(Field << 3 | 2);
    varint(Value.size());
    Text += Value;
  }
  void message(unsigned Field, const Message &Value) { bytes(Field, Value.Text); }
  void packed(unsigned Field, const std::vector<std::uint64_t> &Values) {
    Message Inside;
    for (std::uint64_t Each : Values)
      Inside.varint(Each);
    message(Field, Inside);
  }
  const std::string &text() const { return Text; }

private:
  void varint(std::uint64_t Value) {
    for (; Value >= 0x80; Value >>= 7)
      Text += static_cast<char>(Value | 0x80);
    Text += static_cast<char>(Value);
  }

  std::string Text;
};

Message pair(std::uint64_t First, std::uint64_t Second) {
  Message Result;
  Result.number(1, First);
  Result.number(2, Second);
  return Result;
}

/// Of profile.proto: a function and a location of the same number.
void addFrame(Message &To, Numbers<std::string> &Strings, const Frame &Of, std::uint64_t Id) {
  Message Function, Location;
  const std::uint64_t Name = Strings.of(Of.Name);
  Function.number(1, Id);
  Function.number(2, Name);
  Function.number(3, Name);
  Function.number(4, Strings.of(Of.File));
  Location.number(1, Id);
  Location.message(4, pair(Id, Of.Line));
  To.message(4, Location);
  To.message(5, Function);
}

} // namespace

std::string asPprof(const Snapshot &Of) {
  Message Profile;
  Numbers<std::string> Strings(0);
  Numbers<Frame> Frames(1);
  Strings.of(""); // is the first, by the format
  Profile.message(1, pair(Strings.of("inuse_objects"), Strings.of("count")));
  Profile.message(1, pair(Strings.of("inuse_space"), Strings.of("bytes")));
  for (const Sample &Each : samplesOf(Of, Frames)) {
    Message Sum;
    Sum.packed(1, Stack(Each.Frames.rbegin(), Each.Frames.rend()));
    Sum.packed(2, {Each.Count, Each.Bytes});
    Profile.message(2, Sum);
  }
  for (size_t I = 0; I < Frames.all().size(); ++I)
    addFrame(Profile, Strings, Frames.all()[I], I + 1);
  Profile.number(9, Of.Milliseconds * 1000000);
  Profile.number(14, Strings.of("inuse_space"));
  for (const std::string &Each : Strings.all())
    Profile.bytes(6, Each);
  return Profile.text();
}

std::string asSpeedscope(const Snapshot &Of) {
  using Json = nlohmann::ordered_json;
  Numbers<Frame> Frames(0);
  Json Samples = Json::array(), Bytes = Json::array(), Counts = Json::array();
  std::uint64_t AllBytes = 0, AllCounts = 0;
  for (const Sample &Each : samplesOf(Of, Frames)) {
    Samples.push_back(Each.Frames);
    Bytes.push_back(Each.Bytes);
    Counts.push_back(Each.Count);
    AllBytes += Each.Bytes, AllCounts += Each.Count;
  }
  Json Shared = Json::array();
  for (const Frame &Each : Frames.all()) {
    Json Of = {{"name", Each.Name}};
    if (!Each.File.empty())
      Of["file"] = Each.File, Of["line"] = Each.Line;
    Shared.push_back(Of);
  }
  auto ProfileOf = [&](const char *Name, const char *Unit, std::uint64_t End, const Json &Weights) {
    return Json{{"type", "sampled"}, {"name", Name},       {"unit", Unit},      {"startValue", 0},
                {"endValue", End},   {"samples", Samples}, {"weights", Weights}};
  };
  const Json File = {{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                     {"shared", {{"frames", Shared}}},
                     {"profiles", Json::array({ProfileOf("bytes", "bytes", AllBytes, Bytes),
                                               ProfileOf("objects", "none", AllCounts, Counts)})},
                     {"name", Of.Program},
                     {"exporter", "acre view"}};
  return File.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace acre::cli
