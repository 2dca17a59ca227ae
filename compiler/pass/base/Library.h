/* SPDX-License-Identifier: MIT */
//===- Library.h - What the C library does with memory ----------*- C++ -*-===//
#ifndef ACRE_PASS_LIBRARY_H
#define ACRE_PASS_LIBRARY_H

#include "pass/base/RuntimeABI.h"

namespace acre {

/// On a module that has memory of the collected heap.
inline constexpr llvm::StringLiteral CollectedFlag = "acre-collected";

/// Whether the unit's memory is collected though it was not freed: not with a quarantine.
bool collectsUnfreed(const llvm::Module &M);

enum class CopierKind { Copy, Fill, UpTo };

/// A function of the C library that overwrites memory: the arguments for where and how much, in
/// units of so many bytes.
struct Copier {
  unsigned Destination = 0, Size = 0, Unit = 1;
  CopierKind Kind = CopierKind::Copy;
};

/// What Call overwrites, if it calls such a function by its name.
std::optional<Copier> copierOf(const llvm::CallBase &Call);

/// Memory that a function of the C library may access: from where an argument points, as many units
/// of so many bytes as another one says, or if there are Many their product with the next argument.
struct SizedAccess {
  unsigned Pointer, Size, Unit;
  bool Many = false;
};
/// The memory that Call may access, as far as its size is an argument.
llvm::SmallVector<SizedAccess, 2> sizedAccesses(const llvm::CallBase &Call);

/// Text that a function of the C library writes: the arguments for where, and for the text or the
/// format.  Most: of how many bytes at most, if formatted, or how many characters of the source.
struct WrittenText {
  enum Kind { Copied, Appended, Formatted, FormattedList };
  unsigned Destination, Source;
  std::optional<unsigned> Most;
  unsigned Unit;
  Kind How;
};
/// The text that Call writes, if it calls such a function.
std::optional<WrittenText> writtenText(const llvm::CallBase &Call);

/// Whether F is the body that the headers give a function with sized accesses, or that writes text,
/// where they check sizes (_FORTIFY_SOURCE): its calls are known by what it stands for.
bool isFortifiedAccess(const llvm::Function &F);

/// The name of the function of the C library that Call calls, without what headers add; empty if it
/// may be another.
llvm::StringRef libraryName(const llvm::CallBase &Call);

/// Where a call fills slots with pointers: so many bytes that an argument points to, unless that is
/// null.
struct FilledSlots {
  unsigned Argument, Bytes;
};
/// The slots that Call, if it is one of a function of the C library, fills with what it is given.
llvm::SmallVector<FilledSlots, 2> filledSlots(const llvm::CallBase &Call);

/// Whether Call is one of a function of the C library that writes numbers, and no pointer of the
/// program's, into what its argument of number Argument points to, and does not keep that address.
bool fillsWithNumbers(const llvm::CallBase &Call, unsigned Argument);

/// Whether F is the body that the C library's headers give such a function where they check sizes
/// (_FORTIFY_SOURCE): it is known by what it stands for where it is called, where the types of
/// arguments are, and its own copy needs no barrier.
bool isFortifiedCopier(const llvm::Function &F);

/// Replaces the C library functions that free or move memory or keep pointers, where they are
/// called and where their address is taken.  A function that the module defines itself is the
/// program's own and stays.  Returns how many uses changed.
unsigned replaceLibraryFunctions(RuntimeABI &ABI);

} // namespace acre

#endif
