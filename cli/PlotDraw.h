/* SPDX-License-Identifier: MIT */
//===- PlotDraw.h - The figures of a heap's trace, as SVG ----------------===//
#ifndef ACRE_CLI_PLOT_DRAW_H
#define ACRE_CLI_PLOT_DRAW_H

#include "TraceRead.h"

#include <string>

namespace acre::cli {

/// A page: what fills the heap over the allocation clock, its pauses by length, and the utilisation
/// by window.
std::string drawHeap(const HeapTrace &Heap);

} // namespace acre::cli

#endif
