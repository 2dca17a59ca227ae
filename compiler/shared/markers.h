/* SPDX-License-Identifier: MIT */
//===- markers.h - What the AST half tells the pass -------------*- C++ -*-===//
//
// The two halves of AcrePlugin.so may run in different processes, so the AST
// half leaves what it knows in the IR: as calls to the functions named here,
// which are declared and never defined, and as llvm.var.annotation strings.
// The table in docs/design/compiler.md says what each means.  Every name and
// every character of the grammar is written here and nowhere else.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_SHARED_MARKERS_H
#define ACRE_SHARED_MARKERS_H

#include "llvm/ADT/StringRef.h"

namespace acre::markers {

/// All marker functions begin so.
inline constexpr llvm::StringLiteral Prefix = "__acre_";

/// Every site argument is a SITE string where memory may be written, null where
/// it is only read.

/// ptr (ptr address, ptr site): the address of a slot that is read or written,
/// unchanged.
inline constexpr llvm::StringLiteral SlotSameregion = "__acre_slot_sameregion";
inline constexpr llvm::StringLiteral SlotParentptr = "__acre_slot_parentptr";
inline constexpr llvm::StringLiteral SlotTraditional = "__acre_slot_traditional";
/// The same for slots of region handles that are written.
inline constexpr llvm::StringLiteral HandleSameregion = "__acre_handle_sameregion";
inline constexpr llvm::StringLiteral HandleParentptr = "__acre_handle_parentptr";
inline constexpr llvm::StringLiteral HandleTraditional = "__acre_handle_traditional";
/// ptr (ptr address, ptr layout, ptr site): the address of a record or array that is
/// assigned or overwritten, or of a record that is copied from, unchanged.
inline constexpr llvm::StringLiteral SlotRecord = "__acre_slot_record";
/// The same for a destination that is only known to begin with such a record: the size of the copy
/// says nothing of its type.
inline constexpr llvm::StringLiteral SlotStart = "__acre_slot_start";
/// ptr (ptr address): the address of non-pointer bytes of a union that also
/// has pointers, unchanged.  For a bit-field: the record that holds it.
inline constexpr llvm::StringLiteral SlotUnion = "__acre_slot_union";
/// ptr (ptr address): the destination of a call that copies or fills numbers, by the types of its
/// arguments; a record of numbers that is assigned.
inline constexpr llvm::StringLiteral SlotNumbers = "__acre_slot_numbers";
/// ptr (ptr address, ptr words): a record without annotated slots, or an array of it, that is
/// assigned or copied to.  words has a letter for each word of one.
inline constexpr llvm::StringLiteral SlotWords = "__acre_slot_words";
/// ptr (ptr address): a variable that only functions that are deletes set, where it is read or set.
inline constexpr llvm::StringLiteral SetByDeletes = "__acre_set_by_deletes";
/// ptr (ptr function, ptr site): the callee of a call that may delete.
inline constexpr llvm::StringLiteral Deletes = "__acre_deletes";
/// ptr (ptr function): the callee of an allocation of memory for numbers, by how its size is
/// written.  Only with -facre-malloc=collected.
inline constexpr llvm::StringLiteral AllocatesNumbers = "__acre_allocates_numbers";
/// ptr (ptr value, ptr site): the value assigned to a traditional local.
inline constexpr llvm::StringLiteral CheckTraditional = "__acre_check_traditional";
/// The same where it is a region handle.
inline constexpr llvm::StringLiteral CheckTraditionalHandle = "__acre_check_traditional_handle";
/// ptr (ptr callee, ptr item, ptr site, ptr variable): the callee of a call whose signature says
/// where an argument or the result points.  item is SUBJECT;KIND;REGION: the index of an argument
/// or "r", a rule and a kind of region, the index of the argument that names the region or empty:
/// then it is what variable holds.  Nested, one for each item.
inline constexpr llvm::StringLiteral Signature = "__acre_signature";
/// ptr (ptr value, ptr index): an argument of such a call that an item is about.
inline constexpr llvm::StringLiteral Argument = "__acre_argument";
/// ptr (ptr value, ptr region, ptr kind): in the function itself, where its parameter points.
inline constexpr llvm::StringLiteral KnownRegion = "__acre_known_region";
/// ptr (ptr value, ptr region, ptr kind, ptr site): the value that it returns.
inline constexpr llvm::StringLiteral CheckRegion = "__acre_check_region";
/// ptr (ptr callee, ptr item, ptr allocation): the callee of a call that a map of pools names.
/// item is WORD;POOL;SIZE;COUNT;ALIGN;OTHER;TYPE;BYTES;MOST.  WORD: a letter, below.  SIZE and
/// COUNT: the index of the argument, or empty.  ALIGN: the same, or '=' and a number.  POOL: the
/// index, PoolInPlace and that of the argument that points to it, PoolOfResult, PoolOfVariable and
/// a name, or empty: the pool that OTHER lies in.  OTHER: the argument that is the parent, what is
/// copied, an object of the pool, or the name.  TYPE: what the map calls pools, and BYTES how large
/// they are, or empty.  MOST: how many bytes a region gives at once, or empty.  allocation is
/// SITE|LAYOUT.
inline constexpr llvm::StringLiteral PoolCall = "__acre_pool_call";
inline constexpr char PoolCreate = 'c';
inline constexpr char PoolAlloc = 'a';
inline constexpr char PoolCopy = 'm';
inline constexpr char PoolText = 't';
inline constexpr char PoolRelease = 'r';
inline constexpr char PoolResize = 's';
inline constexpr char PoolOwner = 'w';
inline constexpr char PoolSpace = 'b';
inline constexpr char PoolTotal = 'l';
inline constexpr char PoolEmpty = '0';
inline constexpr char PoolDestroy = 'd';
inline constexpr char PoolClear = 'e';
inline constexpr char PoolClearOnly = 'o';
inline constexpr char PoolName = 'n';
inline constexpr char PoolInPlace = '*';
inline constexpr char PoolOfResult = '>';
inline constexpr char PoolOfVariable = '@';
inline constexpr char PoolAlignment = '=';
/// The array whose address ACRE_TYPE names, in a sum with what says the type.  The AST half puts a
/// string in its place, an address constant too: TypePrefix, SITE and LAYOUT.  The IR half puts the
/// acre_site in the place of the string.
inline constexpr llvm::StringLiteral Type = "__acre_type";
inline constexpr llvm::StringLiteral TypePrefix = "\1acre.type:";
/// Prefix of the annotation string of a local variable that has annotated slots, and of a variable
/// of static storage whose type has members that are pointers.
inline constexpr llvm::StringLiteral LayoutAnnotation = "acre.layout:";
/// Prefix of the names of functions that check what is passed through pointers.
inline constexpr llvm::StringLiteral CheckedPointer = "acre.checked.";

/// The function of scope.h that ends a block: its calls may delete, and none is marked.
inline constexpr llvm::StringLiteral ScopeLeave = "acre_scope_leave";

/// SITE is file;line;function.
/// LAYOUT is name;size;align;flexible_first;flexible_stride followed by
/// ;offset,count,stride,rule,path for each run of slots.  Behind the name may stand NamesSeparator
/// and the lines of acre_type::names.
/// Behind TypePrefix stands SITE|LAYOUT.  SITE| alone: the layout is not known.  If objects of the
/// type own something, |OWNED follows. OWNED is a list of types that own something, separated by |,
/// the type itself first, each size followed by ;offset,count,stride,kind,target for each run of
/// owning slots.  target: the number of the type that a unique pointer leads to, the first being 0;
/// empty if that owns nothing.
inline constexpr char FieldSeparator = ';';
inline constexpr char PartSeparator = ',';
inline constexpr char SiteSeparator = '|';
inline constexpr char NamesSeparator = '\n';

/// Rules of slots, as LAYOUT writes them.
inline constexpr char RulePlain = 'p';
inline constexpr char RuleSameregion = 's';
inline constexpr char RuleParentptr = 'a';
inline constexpr char RuleTraditional = 't';
inline constexpr char RuleUnion = 'u';
/// The same rules of slots of region handles.
inline constexpr char RuleHandleSameregion = 'S';
inline constexpr char RuleHandleParentptr = 'A';
inline constexpr char RuleHandleTraditional = 'T';
/// No slots but bytes in which a copy may carry pointers all the same.  A layout with a run of
/// these, of none if there are none, is exact: outside of its runs are only numbers and padding.
inline constexpr char RuleBytes = 'b';

/// What a word of a record is, as SlotWords writes it: a pointer, numbers or nothing, what is to be
/// searched.
inline constexpr char WordOfSlot = 'p';
inline constexpr char WordOfNumbers = 'n';
inline constexpr char WordOfBytes = 'b';

/// Kinds of owning slots, as OWNED writes them.
inline constexpr char OwnedObject = 'o';
inline constexpr char OwnedReference = 'r';
inline constexpr char OwnedWeak = 'w';

/// Kinds of KnownRegion and CheckRegion: two letters.
inline constexpr char RegionItself = 's';
inline constexpr char RegionOrAncestor = 'u';
inline constexpr char RegionOfHandle = 'h';
inline constexpr char RegionOfObject = 'o';
/// The kind of a result that is traditional: it names no region.
inline constexpr llvm::StringLiteral OutsideRegions = "t";

/// The source annotations, as annotate_type writes them.
inline constexpr llvm::StringLiteral AnnotationSameregion = "acre.sameregion";
inline constexpr llvm::StringLiteral AnnotationParentptr = "acre.parentptr";
inline constexpr llvm::StringLiteral AnnotationTraditional = "acre.traditional";
inline constexpr llvm::StringLiteral AnnotationDeletes = "acre.deletes";
inline constexpr llvm::StringLiteral AnnotationInregion = "acre.inregion";
inline constexpr llvm::StringLiteral AnnotationInparent = "acre.inparent";
inline constexpr llvm::StringLiteral AnnotationUnique = "acre.unique";
inline constexpr llvm::StringLiteral AnnotationBorrowed = "acre.borrowed";
inline constexpr llvm::StringLiteral AnnotationRefcounted = "acre.refcounted";
inline constexpr llvm::StringLiteral AnnotationOut = "acre.out";
/// As annotate writes it.
inline constexpr llvm::StringLiteral AnnotationSettled = "acre.settled";

} // namespace acre::markers

#endif
