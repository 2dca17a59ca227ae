/* SPDX-License-Identifier: MIT */
//===- Dropped.h - New objects whose pointer nobody keeps -------*- C++ -*-===//
//
//   strdup(s);    if (!fopen(path, "w"))    return malloc(n) != NULL;
//
// The C library's results are plain, and a plain pointer may be kept in ways that
// are not followed.  Here it is kept nowhere, which the place of the call shows.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_DROPPED_H
#define ACRE_PLUGIN_OWNERSHIP_DROPPED_H

#include "plugin/Statements.h"

namespace acre::ast {

class Diagnostics;

/// Warns of each object that a function of the C library makes in Body, and that is lost at once.
/// Linear in the size of Body.
void reportDropped(Diagnostics &Reports, const Evaluated &Body);

} // namespace acre::ast

#endif
