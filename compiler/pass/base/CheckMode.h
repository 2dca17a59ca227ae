/* SPDX-License-Identifier: MIT */
//===- CheckMode.h - What becomes of checks ---------------------*- C++ -*-===//
//
// -facre-checks=MODE.  The mode is an option of the process that compiles; the
// module carries it on to the link, as a flag.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_CHECKMODE_H
#define ACRE_PASS_CHECKMODE_H

namespace llvm {
class Module;
}

namespace acre {

enum class CheckMode : unsigned {
  Inferred, ///< what is proved goes
  All,      ///< nothing goes
  Verified, ///< what is proved is executed all the same, and must not fail
  None,     ///< checks of annotated stores go, proved or not: for measuring only
};

/// The mode of M: its flag, or the option, which then becomes its flag.
CheckMode checkMode(llvm::Module &M);

/// Whether each check that stays is an error (-facre-strict), by the flag of M, or the option.
bool isStrict(llvm::Module &M);

/// Whether programs are linked with the shared runtime (-facre-runtime=shared), by the flag of M,
/// or the option, which then becomes its flag.
bool isRuntimeShared(llvm::Module &M);

/// Whether -facre-ignore-annotations is on: annotated slots are counted like plain ones.
bool ignoresAnnotations();

/// Whether -facre-frames=conservative is on: deletes search frames, so no call pins what it holds.
bool searchesFrames();

/// Whether -facre-sites is on: the runtime is told where slots are stored.
bool notesSites();

/// Whether -facre-barriers=patched is on, as by default: stores of units that name no region become
/// barriers when the runtime makes them some.
bool patchesBarriers();

} // namespace acre

#endif
