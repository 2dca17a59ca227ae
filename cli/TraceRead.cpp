// SPDX-License-Identifier: MIT
#include "TraceRead.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace acre::cli {
namespace {

using Json = nlohmann::json;

/// A thousand years, in microseconds: no clock of a system shows more.
constexpr double TimeMax = 3.2e16;

void addEvent(HeapTrace &To, const Json &From, const std::string &Phase) {
  const double Time = From.at("ts"), Length = From.value("dur", 0.0);
  const std::string Name = From.at("name");
  if (!(Time >= 0 && Time <= TimeMax && Length >= 0 && Length <= TimeMax))
    throw std::out_of_range("a time");
  To.First = To.HasEvents ? std::min(To.First, Time) : Time;
  To.Last = To.HasEvents ? std::max(To.Last, Time + Length) : Time + Length;
  To.HasEvents = true;
  if (Phase == "X") {
    // An allocation's own work is no pause; threads wait side by side, for one of the others.
    if (Name != "allocate" && Name != "wait")
      To.Pauses.push_back({Time, Length, Name});
    ++To.Counts[Name];
  } else if (Phase == "C") {
    const Json &Parts = From.at("args");
    To.Samples.push_back({Time, From.at("clock"), From.at("limit"), Parts.at("useful"),
                          Parts.at("headers"), Parts.at("padding"), Parts.at("external")});
  } else if (Phase == "b" || Phase == "i") {
    ++To.Counts[Name];
  }
}

} // namespace

std::string TraceReader::read(std::istream &From) {
  size_t Number = 0;
  for (std::string Line; std::getline(From, Line);) {
    const bool IsLast = From.eof();
    ++Number;
    if (Line == "[" || Line.empty())
      continue;
    if (Line.back() == ',')
      Line.pop_back();
    try {
      const Json Event = Json::parse(Line);
      const std::string Phase = Event.at("ph");
      const long Process = Event.at("pid"), Heap = Event.value("tid", 0L);
      if (Phase == "M" && Event.at("name") == "process_name") {
        Processes[Process] = Event.at("args").at("name");
        continue;
      }
      auto [Place, IsNew] = Places.try_emplace({Process, Heap}, Heaps.size());
      if (IsNew)
        Heaps.emplace_back();
      HeapTrace &Of = Heaps[Place->second];
      Of.ProcessId = Process, Of.Number = Heap, Of.Process = Processes[Process];
      if (Phase == "M")
        Of.Name = Event.at("args").at("name").get<std::string>().substr(5); // after "heap "
      else
        addEvent(Of, Event, Phase);
    } catch (const std::exception &) {
      if (!IsLast)
        return "line " + std::to_string(Number) + ": not an event that ACRE_TRACE writes";
      IsCutOff = true;
    }
  }
  for (HeapTrace &Each : Heaps)
    std::stable_sort(Each.Pauses.begin(), Each.Pauses.end(),
                     [](auto &A, auto &B) { return A.Begin < B.Begin; });
  return Heaps.empty() ? "no heap in it: nothing made one while ACRE_TRACE was set" : "";
}

const char *purposeOf(const std::string &Event) {
  return Event == "begin"       ? "start of a collection"
         : Event == "increment" ? "step of a collection"
         : Event == "finish"    ? "last step, which ends it"
         : Event == "idle"      ? "memory given back"
                                : "other work";
}

MutatorUtilisation::MutatorUtilisation(const HeapTrace &Heap)
    : Pauses(Heap.Pauses), First(Heap.First), Last(Heap.Last) {
  double Sum = 0;
  for (const Pause &Each : Pauses) {
    Sums.push_back(Sum);
    Sum += Each.Length;
  }
}

double MutatorUtilisation::pausedUntil(double Time) const {
  auto After = std::partition_point(Pauses.begin(), Pauses.end(),
                                    [&](auto &Each) { return Each.Begin < Time; });
  if (After == Pauses.begin())
    return 0;
  const size_t Place = static_cast<size_t>(After - Pauses.begin()) - 1;
  return Sums[Place] + std::min(Pauses[Place].Length, Time - Pauses[Place].Begin);
}

double MutatorUtilisation::least(double Window) const {
  Window = std::min(Window, Last - First);
  if (Window <= 0)
    return Pauses.empty() ? 1 : 0;
  double Most = 0;
  // A window that holds most begins where a pause does, or ends where one does.
  for (const Pause &Each : Pauses)
    for (double Begin : {Each.Begin, Each.end() - Window}) {
      Begin = std::clamp(Begin, First, Last - Window);
      Most = std::max(Most, pausedUntil(Begin + Window) - pausedUntil(Begin));
    }
  return std::max(0.0, 1 - Most / Window);
}

} // namespace acre::cli
