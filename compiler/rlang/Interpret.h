/* SPDX-License-Identifier: MIT */
//===- Interpret.h - Running rlang programs ---------------------*- C++ -*-===//
//
// Runs main, one statement a step, on the heap of Heap.h.  deleteregion is safe
// by counting: it ends the program if the region has a subregion, or if a field
// outside it or a live variable of any active function points into it.
//
// With verification on, every step is followed by the question that the paper's
// soundness theorem answers with yes: are the live variables of all active
// functions and all fields consistent with their types, under what the abstract
// regions stand for now?  And does the property that checking found before each
// statement hold there?
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_RLANG_INTERPRET_H
#define ACRE_RLANG_INTERPRET_H

#include "Check.h"

namespace acre::rlang {

struct RunOptions {
  unsigned long StepLimit = 1000000;
  size_t DepthLimit = 10000; // active functions
  unsigned long Seed = 0;    // of the tests written `*`
  bool Verify = false;
  const std::set<const Statement *> *Removed =
      nullptr; // checks said to hold always; executed all the same
};

struct Outcome {
  enum Kind {
    Finished,
    Aborted, // a false chk, a null pointer used, an unsafe deleteregion: the program's own fault
    LimitReached, // steps or depth
    Stuck,        // a function without a body, or no main to call
    Inconsistent, // a type or property does not hold: not a well-typed program, or a fault in this
                  // library
  };
  Kind K = Finished;
  std::string Message;
  Location At;
  unsigned long Steps = 0;
  size_t LiveRegions = 0;
  std::string Result; // of main, in words
};

/// Runs the program that C was made from.  It need not be well typed, but no name may be misused.
Outcome run(const Checked &C, const RunOptions &Options);

} // namespace acre::rlang

#endif
