/* SPDX-License-Identifier: MIT */
//===- StaysLoaded.h - Libraries that the runtime may refer to --*- C++ -*-===//
#ifndef ACRE_PASS_STAYSLOADED_H
#define ACRE_PASS_STAYSLOADED_H

#include "pass/base/RuntimeABI.h"

namespace acre {

/// Objects refer to the site of their allocation, and reports to places in the source, when the
/// library that they were compiled into may have been closed.  So one that has such things stays
/// loaded: emits the constructor that asks for it, where the module may become part of a library.
void keepLoaded(RuntimeABI &ABI);

} // namespace acre

#endif
