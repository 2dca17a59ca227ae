//===- RuntimeABI.h - Calls and constants of the runtime --------*- C++ -*-===//
//
// The pass meets the runtime only here: declarations of the entry points with
// the attributes the optimizer may rely on, and constants of the structures in
// include/acre/abi.h and include/acre/type.h.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_RUNTIMEABI_H
#define ACRE_PASS_RUNTIMEABI_H

#include "pass/base/Layout.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace acre {

enum class Entry {
#define ACRE_ENTRY(Enumerator, Name, Signature, Effects) Enumerator,
#include "shared/runtime_entry.def"
};

/// The name of an entry point.
llvm::StringRef entryName(Entry E);

/// Whether M becomes part of a shared object: its memory may be unmapped while the program runs,
/// and its variables are found through a table.  That of an executable is not.
bool mayBeUnloaded(const llvm::Module &M);

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

  /// A variable of the runtime.
  llvm::GlobalVariable *variable(llvm::StringRef Name, llvm::Type *T);
  /// The address of this thread's copy of a thread-local variable of the runtime.
  llvm::Value *threadLocal(llvm::IRBuilderBase &B, llvm::StringRef Name, llvm::Type *T);

  /// A C string; equal strings share one global.
  llvm::Constant *string(llvm::StringRef Text);
  /// The fields of an acre_rt_where, and a global that holds one.
  llvm::Constant *whereFields(const Site &At);
  llvm::Constant *where(const Site &At);
  /// The acre_type of a layout and the acre_site of an allocation.  Named by content, so that the
  /// linker merges them.
  llvm::Constant *type(const Layout &L);
  llvm::Constant *site(const Site &At, llvm::Constant *TypeOf);
  /// A read-only global that only this module knows.
  llvm::GlobalVariable *privateConstant(llvm::Constant *Init, const llvm::Twine &Name);

  /// Where I stands in the source: from debug information, or file and function only.
  Site siteOf(const llvm::Instruction &I);

private:
  llvm::Constant *owned(llvm::ArrayRef<OwnedType> Types, llvm::raw_ostream &Content);
  llvm::Constant *mergedConstant(llvm::Constant *Init, llvm::StringRef Kind,
                                 llvm::StringRef Content, llvm::GlobalVariable *Part);

  llvm::Module &M;
  llvm::PointerType *Ptr;
  llvm::IntegerType *Size, *Word32;
  llvm::StructType *WhereType, *SlotType, *TypeType, *SiteType, *OwnedSlotType, *OwnedTypeType;
  llvm::StringMap<llvm::Constant *> Strings, Wheres;
};

} // namespace acre

#endif
