/* SPDX-License-Identifier: MIT */
//===- Layout.h - Which words of a type are pointers ------------*- C++ -*-===//
//
// Invariant: the runs of a layout do not overlap, and together they are all
// pointer slots of the type.  Where that would take more than MaxRuns runs,
// one run with the rule Union covers every word instead: its readers treat
// such a word as a pointer only while its record says so, which is right for
// any content.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_LAYOUT_H
#define ACRE_PLUGIN_LAYOUT_H

#include "plugin/Annotations.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class RecordDecl;
} // namespace clang

namespace acre::ast {

/// Count slots, Stride bytes apart, the first at byte Offset.
struct SlotRun {
  uint64_t Offset, Count, Stride;
  Rule SlotRule;
  std::string Path; // members from the outermost, joined by '.'

  bool hasSamePlace(const SlotRun &Other) const {
    return Offset == Other.Offset && Count == Other.Count && Stride == Other.Stride &&
           SlotRule == Other.SlotRule;
  }
};

struct Layout {
  std::vector<SlotRun> Runs;
  size_t FlexibleFirst =
      0; // Runs from here on repeat every FlexibleStride bytes; Runs.size() if there are none
  uint64_t FlexibleStride = 0;
  bool IsKnown = true; // false: a reader must expect pointers anywhere
};

class Layouts {
public:
  explicit Layouts(clang::ASTContext &Context);
  ~Layouts();

  /// The layout of a complete object of Type.  For a variable-length array and
  /// an array of unknown bound, of its element.
  Layout of(clang::QualType Type);
  /// Whether Type is a record or array with annotated slots, or an annotated pointer.
  bool hasAnnotatedSlots(clang::QualType Type);
  /// Whether Type is a record or array with slots that a search of aligned words misses.
  bool hasMisalignedSlots(clang::QualType Type);
  /// Whether code that writes whole objects of Type must say so.
  bool needsLayout(clang::QualType Type) {
    return hasAnnotatedSlots(Type) || hasMisalignedSlots(Type);
  }
  /// Whether this union or struct has any pointer slots.
  bool hasPointers(const clang::RecordDecl *Record);
  /// Whether members of this union hold pointers by different rules: what is stored by one may be
  /// read by another.
  bool hasMixedPointers(const clang::RecordDecl *Union);

  /// The LAYOUT string of Type; empty if its layout is not known.  IsForReports: with the members
  /// that reports name beside the slots.
  std::string describe(clang::QualType Type, bool IsForReports = false);
  /// The LAYOUT string for copies of objects of Type: it also says in which bytes beside the slots
  /// a copy must look for pointers, unless Type is too large.
  std::string describeCopied(clang::QualType Type);
  /// What each word of a record is (markers::WordOfSlot); empty if that is not known.  KeepsWords:
  /// integers as wide as a pointer may be one.
  std::string describeWords(clang::QualType Record, bool KeepsWords);
  /// Whether some words of a record hold padding or single bytes beside it, which are no pointer.
  bool hasPadding(clang::QualType Record);

private:
  using Runs = std::vector<SlotRun>;

  void collect(clang::QualType Type, Runs &Out);
  void collectFields(const clang::RecordDecl *Record, Runs &Out);
  void collectUnion(const clang::RecordDecl *Record, Runs &Out);
  void repeat(const Runs &Element, uint64_t Count, uint64_t Size, Runs &Out);
  void addFlexible(const clang::RecordDecl *Record, uint64_t Base, const std::string &Path,
                   Layout &Result);
  const Runs &recordRuns(const clang::RecordDecl *Record);
  void cover(uint64_t Size, Runs &Out);
  void collectBytes(clang::QualType Type, uint64_t Offset, bool KeepsWords, std::string &Bytes);
  void collectFieldBytes(const clang::RecordDecl *Record, uint64_t Offset, bool KeepsWords,
                         std::string &Bytes);
  void collectUnionBytes(const clang::RecordDecl *Union, uint64_t Offset, bool KeepsWords,
                         std::string &Bytes);
  std::string bytesOf(clang::QualType Type, bool KeepsWords);
  bool isMadeOfWords(clang::QualType Type) const;

  clang::ASTContext &Context;
  uint64_t PointerSize; // bytes
  llvm::DenseMap<const clang::RecordDecl *, std::unique_ptr<Runs>> Records;
};

} // namespace acre::ast

#endif
