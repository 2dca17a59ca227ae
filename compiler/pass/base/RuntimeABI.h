/* SPDX-License-Identifier: MIT */
//===- RuntimeABI.h - Calls and constants of the runtime --------*- C++ -*-===//
//
// The pass meets the runtime only here: declarations of the entry points with
// the attributes the optimizer may rely on, its variables, and constants of the
// structures in include/acre/abi.h and include/acre/type.h.  All types are those
// of the headers (HeaderTypes.h).
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_RUNTIMEABI_H
#define ACRE_PASS_RUNTIMEABI_H

#include "pass/base/HeaderTypes.h"
#include "pass/base/Layout.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace acre {

enum class Entry {
#define ACRE_ENTRY(Enumerator, ...) Enumerator,
#include "shared/runtime_entry.def"
};
enum class Variable {
#define ACRE_VARIABLE(Enumerator, Name) Enumerator,
#include "shared/runtime_entry.def"
};
enum class ThreadVariable {
#define ACRE_THREAD_VARIABLE(Enumerator, Name) Enumerator,
#include "shared/runtime_entry.def"
};

/// The name of an entry point, and the one of this name.
llvm::StringRef entryName(Entry E);
std::optional<Entry> entryNamed(llvm::StringRef Name);

/// Whether M becomes part of a shared object: its memory may be unmapped while the program runs,
/// and its variables are found through a table.  That of an executable is not.
bool mayBeUnloaded(const llvm::Module &M);
/// The units of a library or program that have G, of this name, share one, and show it to no other.
void shareAcrossUnits(llvm::GlobalObject &G);

class RuntimeABI {
public:
  explicit RuntimeABI(llvm::Module &Unit);

  llvm::Module &module() { return M; }
  const llvm::DataLayout &layout() const { return M.getDataLayout(); }
  llvm::PointerType *pointerType() const { return Ptr; }
  llvm::IntegerType *sizeType() const { return Size; }
  llvm::IntegerType *word32Type() const { return Word32; }
  llvm::ConstantInt *size(uint64_t Bytes) const { return llvm::ConstantInt::get(Size, Bytes); }

  /// Inserts a call of E at B.
  llvm::CallInst *call(llvm::IRBuilderBase &B, Entry E, llvm::ArrayRef<llvm::Value *> Arguments);
  llvm::FunctionCallee declare(Entry E);

  /// A variable of the runtime; any other by its name.
  llvm::GlobalVariable *variable(Variable V);
  llvm::GlobalVariable *variable(llvm::StringRef Name, llvm::Type *T);
  /// The address of this thread's copy of a thread-local variable of the runtime.
  llvm::Value *threadLocal(llvm::IRBuilderBase &B, ThreadVariable V);

  /// A C string; equal strings share one global.
  llvm::Constant *string(llvm::StringRef Text);
  /// A constant of the header's type T, its members in their order.
  template <typename T> llvm::Constant *make(const typename Mirror<T>::Fields &Values) {
    return Mirror<T>::get(M.getContext(), Values);
  }
  /// A global with several of them that only this module knows.
  template <typename T>
  llvm::GlobalVariable *makeArray(llvm::ArrayRef<llvm::Constant *> Elements,
                                  const llvm::Twine &Name) {
    return privateConstant(Mirror<T>::getArray(M.getContext(), Elements), Name);
  }
  llvm::ConstantInt *number(uint32_t N) const { return llvm::ConstantInt::get(Word32, N); }
  llvm::Constant *null() const { return llvm::ConstantPointerNull::get(Ptr); }

  /// The fields of an acre_rt_where, and a global that holds one.
  llvm::Constant *whereFields(const Site &At);
  llvm::Constant *where(const Site &At);
  /// An acre_rt_stored.  Slot: what the source calls what is stored, or empty.
  llvm::Constant *stored(const Site &At, llvm::StringRef Slot);
  /// The acre_type of a layout and the acre_site of an allocation.  Named by content, so that the
  /// linker merges them.
  llvm::Constant *type(const Layout &L);
  /// What type made Descriptor of, but for names and what it owns; its bytes are slots of rule
  /// Union here, as they are to the runtime.  None if that is not known.
  static std::optional<Layout> layoutOf(const llvm::Value &Descriptor);
  llvm::Constant *site(const Site &At, llvm::Constant *TypeOf);
  /// A read-only global that only this module knows.
  llvm::GlobalVariable *privateConstant(llvm::Constant *Init, const llvm::Twine &Name);

  /// Where I stands in the source: from debug information, or file and function only.
  Site siteOf(const llvm::Instruction &I);

private:
  void expectTraditional();
  llvm::Constant *owned(llvm::ArrayRef<OwnedType> Types, llvm::raw_ostream &Content);
  llvm::Constant *mergedConstant(llvm::Constant *Init, llvm::StringRef Kind,
                                 llvm::StringRef Content, llvm::GlobalVariable *Part);

  llvm::Module &M;
  llvm::PointerType *Ptr;
  llvm::IntegerType *Size, *Word32;
  llvm::StringMap<llvm::Constant *> Strings, Wheres;
};

} // namespace acre

#endif
