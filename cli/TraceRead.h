/* SPDX-License-Identifier: MIT */
//===- TraceRead.h - Reading what ACRE_TRACE wrote -----------------------===//
//
// A trace has the heaps of several processes. Times are in microseconds,
// amounts of memory in bytes.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_CLI_TRACE_READ_H
#define ACRE_CLI_TRACE_READ_H

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace acre::cli {

struct HeapSample {
  double Time;
  std::uint64_t Clock, Limit, Useful, Headers, Padding, External;
};

/// A stretch of time in which the program stood still.
struct Pause {
  double Begin, Length;
  std::string Event; ///< begin, increment, finish or idle
  double end() const { return Begin + Length; }
};

/// What a pause was for, in words of the reader.
const char *purposeOf(const std::string &Event);

/// What a trace says of one heap.
struct HeapTrace {
  std::string Process, Name;
  long ProcessId = 0, Number = 0;
  double First = 0, Last = 0; ///< its first and last event
  bool HasEvents = false;
  std::vector<HeapSample> Samples;
  std::vector<Pause> Pauses;
  std::map<std::string, std::uint64_t> Counts; ///< of events, by name

  std::uint64_t allocated() const { return Samples.empty() ? 0 : Samples.back().Clock; }
};

class TraceReader {
public:
  /// Returns a message if this is no trace; an empty string if it is.
  std::string read(std::istream &From);

  /// In the order in which they were made.
  const std::vector<HeapTrace> &heaps() const { return Heaps; }
  /// The last line is not whole: the process died while it was written, or still runs.
  bool isCutOff() const { return IsCutOff; }

private:
  std::vector<HeapTrace> Heaps;
  std::map<std::pair<long, long>, size_t> Places;
  std::map<long, std::string> Processes;
  bool IsCutOff = false;
};

/// The least share of any window of so many microseconds that the program had. Pauses are in order
/// and disjoint.
class MutatorUtilisation {
public:
  explicit MutatorUtilisation(const HeapTrace &Heap);
  double least(double Window) const;

private:
  /// How long the program stood still from the start of the trace to Time.
  double pausedUntil(double Time) const;

  const std::vector<Pause> &Pauses;
  std::vector<double> Sums; ///< of the pauses before each
  double First, Last;
};

} // namespace acre::cli

#endif
