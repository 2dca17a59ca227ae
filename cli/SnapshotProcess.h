/* SPDX-License-Identifier: MIT */
//===- SnapshotProcess.h - Asking a running process for snapshots ---------===//
//
// A process that was started with ACRE_SNAPSHOT=FILE,signal=NAME writes FILE
// when it gets the signal. No other is sent one: most signals end a program
// that does not handle them.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_CLI_SNAPSHOT_PROCESS_H
#define ACRE_CLI_SNAPSHOT_PROCESS_H

#include "SnapshotRead.h"

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace acre::cli {

class SnapshotProcess {
public:
  explicit SnapshotProcess(pid_t Process) : Process(Process) {}

  /// Finds out where it writes, and for which signal. What is in the way, or nothing.
  std::string find();
  /// Sends the signal, unless one that was sent has not been answered. What went wrong, or nothing.
  std::string ask();
  /// Waits for the answer. False if there is none after so many seconds.
  bool waitFor(double Seconds);
  /// Reads the answer. "FILE:LINE: what is wrong", or nothing.
  std::string read(Snapshot &To) const;

private:
  /// Tells one file of that name from the next.
  struct Identity {
    ino_t Inode = 0;
    long Seconds = 0, Nanoseconds = 0;
    bool operator==(const Identity &) const = default;
  };
  Identity identity() const;
  bool handlesSignal() const;

  pid_t Process;
  int Signal = 0;
  std::filesystem::path File; ///< as this process sees it
  Identity Former;
  bool IsAsked = false;
};

} // namespace acre::cli

#endif
