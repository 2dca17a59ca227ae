/* SPDX-License-Identifier: MIT */
//===- HeaderTypes.h - The runtime's C types as LLVM types ------*- C++ -*-===//
//
// What generated code knows of the runtime's structures, functions and
// variables is taken from their declarations in include/acre by the templates
// here.  A member, a parameter or an element that is added there is here at
// once, or this does not compile.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PASS_HEADERTYPES_H
#define ACRE_PASS_HEADERTYPES_H

#include "acre/abi.h"
#include "acre/bump.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>

namespace acre {

/// The structure T as LLVM sees it: one specialization of MirrorOf for each.
template <typename T> struct Mirror;

/// The LLVM type of the C type T.
template <typename T> llvm::Type *headerType(llvm::LLVMContext &C) {
  if constexpr (std::is_void_v<T>)
    return llvm::Type::getVoidTy(C);
  else if constexpr (std::is_pointer_v<T>)
    return llvm::PointerType::getUnqual(C);
  else if constexpr (std::is_array_v<T>)
    return llvm::ArrayType::get(headerType<std::remove_extent_t<T>>(C), std::extent_v<T>);
  else if constexpr (std::is_integral_v<T>)
    return llvm::IntegerType::get(C, 8 * sizeof(T));
  else
    return Mirror<T>::type(C);
}

template <auto Member> struct MemberOf;
template <typename T, typename Field, Field T::*Member> struct MemberOf<Member> {
  using Structure = T;
  using Type = Field;
};

/// A structure by the list of its members.
template <auto First, auto... Rest> struct MirrorOf {
  using Structure = typename MemberOf<First>::Structure;
  static constexpr size_t Count = 1 + sizeof...(Rest);

  /// A value for each member.
  class Fields {
  public:
    template <typename... V> Fields(V *...Each) : Values{Each...} {
      static_assert(sizeof...(V) == Count, "each member has a value");
    }
    operator llvm::ArrayRef<llvm::Constant *>() const { return Values; }

  private:
    std::array<llvm::Constant *, Count> Values;
  };

  /// A literal type: its identity is its shape.
  static llvm::StructType *type(llvm::LLVMContext &C) {
    static_assert(isComplete(), "the list has all members of the structure, in their order");
    return llvm::StructType::get(C, {headerType<typename MemberOf<First>::Type>(C),
                                     headerType<typename MemberOf<Rest>::Type>(C)...});
  }
  static llvm::Constant *get(llvm::LLVMContext &C, const Fields &Values) {
    return llvm::ConstantStruct::get(type(C), llvm::ArrayRef<llvm::Constant *>(Values));
  }
  /// Several of them, one after the other.
  static llvm::Constant *getArray(llvm::LLVMContext &C, llvm::ArrayRef<llvm::Constant *> Elements) {
    return llvm::ConstantArray::get(llvm::ArrayType::get(type(C), Elements.size()), Elements);
  }
  /// Member of a constant of this type; null if it is none.
  template <auto Member> static llvm::Constant *member(const llvm::Constant *Value) {
    constexpr size_t Index = indexOf<Member>();
    static_assert(Index < Count, "a member of this structure");
    auto *T = Value ? llvm::dyn_cast<llvm::StructType>(Value->getType()) : nullptr;
    bool IsOne = T && T->isLayoutIdentical(type(Value->getContext()));
    return IsOne ? Value->getAggregateElement(static_cast<unsigned>(Index)) : nullptr;
  }
  /// The value of such a member that is a number; none if it is not known.
  template <auto Member> static std::optional<uint64_t> number(const llvm::Constant *Value) {
    auto *Known = llvm::dyn_cast_or_null<llvm::ConstantInt>(member<Member>(Value));
    return Known ? std::optional(Known->getZExtValue()) : std::nullopt;
  }

private:
  template <auto Member> struct Name {};
  template <auto Member> static constexpr size_t indexOf() {
    const bool IsThis[] = {std::is_same_v<Name<Member>, Name<First>>,
                           std::is_same_v<Name<Member>, Name<Rest>>...};
    return std::find(std::begin(IsThis), std::end(IsThis), true) - std::begin(IsThis);
  }
  /// Whether members laid out one after the other are as large as the structure, and each stands
  /// where the one before it ends.
  static constexpr bool isComplete() {
    constexpr Structure Sample{};
    const void *Places[] = {&(Sample.*First), &(Sample.*Rest)...};
    size_t End = 0;
    auto Add = [&End](size_t Size, size_t Align) {
      End = (End + Align - 1) / Align * Align + Size;
    };
    Add(sizeof(Sample.*First), alignof(typename MemberOf<First>::Type));
    (Add(sizeof(Sample.*Rest), alignof(typename MemberOf<Rest>::Type)), ...);
    Add(0, alignof(Structure));
    bool IsOrdered = true;
    for (size_t I = 1; I < Count; ++I)
      IsOrdered &= Places[I - 1] < Places[I];
    return IsOrdered && End == sizeof(Structure);
  }
};

template <>
struct Mirror<acre_rt_where>
    : MirrorOf<&acre_rt_where::file, &acre_rt_where::function, &acre_rt_where::line> {};
template <> struct Mirror<acre_rt_range> : MirrorOf<&acre_rt_range::low, &acre_rt_range::high> {};
template <>
struct Mirror<acre_slot> : MirrorOf<&acre_slot::offset, &acre_slot::count, &acre_slot::stride,
                                    &acre_slot::rule, &acre_slot::name> {};
template <>
struct Mirror<acre_owned_slot>
    : MirrorOf<&acre_owned_slot::offset, &acre_owned_slot::count, &acre_owned_slot::stride,
               &acre_owned_slot::kind, &acre_owned_slot::target> {};
template <>
struct Mirror<acre_owned_type>
    : MirrorOf<&acre_owned_type::size, &acre_owned_type::slot_count, &acre_owned_type::slots> {};
template <>
struct Mirror<acre_type>
    : MirrorOf<&acre_type::name, &acre_type::size, &acre_type::align, &acre_type::slot_count,
               &acre_type::flexible_first, &acre_type::flexible_stride, &acre_type::slots,
               &acre_type::owned, &acre_type::names> {};
template <>
struct Mirror<acre_site>
    : MirrorOf<&acre_site::type, &acre_site::file, &acre_site::function, &acre_site::line> {};
template <> struct Mirror<acre_rt_local> : MirrorOf<&acre_rt_local::name, &acre_rt_local::size> {};
template <>
struct Mirror<acre_rt_locals> : MirrorOf<&acre_rt_locals::count, &acre_rt_locals::locals> {};
template <>
struct Mirror<acre_rt_pin_entry>
    : MirrorOf<&acre_rt_pin_entry::name, &acre_rt_pin_entry::size, &acre_rt_pin_entry::is_kept,
               &acre_rt_pin_entry::hole_first, &acre_rt_pin_entry::hole_size> {};
template <>
struct Mirror<acre_rt_pin_site>
    : MirrorOf<&acre_rt_pin_site::where, &acre_rt_pin_site::entry_count, &acre_rt_pin_site::entries,
               &acre_rt_pin_site::is_values_only> {};
template <>
struct Mirror<acre_rt_pending_pins>
    : MirrorOf<&acre_rt_pending_pins::next, &acre_rt_pending_pins::limit,
               &acre_rt_pending_pins::regions> {};
template <>
struct Mirror<acre_rt_global>
    : MirrorOf<&acre_rt_global::address, &acre_rt_global::size, &acre_rt_global::name,
               &acre_rt_global::file, &acre_rt_global::line, &acre_rt_global::first_stride,
               &acre_rt_global::second_stride, &acre_rt_global::type> {};
template <>
struct Mirror<acre_rt_module>
    : MirrorOf<&acre_rt_module::next, &acre_rt_module::global_count, &acre_rt_module::globals,
               &acre_rt_module::thread_local_count, &acre_rt_module::thread_locals,
               &acre_rt_module::locate> {};
template <>
struct Mirror<acre_rt_stored> : MirrorOf<&acre_rt_stored::where, &acre_rt_stored::slot> {};
template <>
struct Mirror<acre_rt_patch_points>
    : MirrorOf<&acre_rt_patch_points::pointers, &acre_rt_patch_points::pointers_end,
               &acre_rt_patch_points::words, &acre_rt_patch_points::words_end,
               &acre_rt_patch_points::releases, &acre_rt_patch_points::releases_end,
               &acre_rt_patch_points::next, &acre_rt_patch_points::code,
               &acre_rt_patch_points::code_size, &acre_rt_patch_points::users> {};
template <>
struct Mirror<acre_rt_store_site>
    : MirrorOf<&acre_rt_store_site::where, &acre_rt_store_site::slot, &acre_rt_store_site::type,
               &acre_rt_store_site::column, &acre_rt_store_site::removed,
               &acre_rt_store_site::cleared, &acre_rt_store_site::kept> {};
template <>
struct Mirror<acre_rt_stats> : MirrorOf<&acre_rt_stats::next, &acre_rt_stats::count,
                                        &acre_rt_stats::sites, &acre_rt_stats::counts> {};
template <>
struct Mirror<acre_rt_allocating>
    : MirrorOf<&acre_rt_allocating::region, &acre_rt_allocating::normal,
               &acre_rt_allocating::pointer_free> {};

/// The function type of a C function's declaration.
template <typename F> struct HeaderFunction;
template <typename R, typename... P> struct HeaderFunction<R(P...)> {
  static constexpr size_t PointerCount = (std::is_pointer_v<P> + ... + 0);
  static llvm::FunctionType *type(llvm::LLVMContext &C) {
    return llvm::FunctionType::get(headerType<R>(C), parameters(C), false);
  }
  static llvm::SmallVector<llvm::Type *, 4> parameters(llvm::LLVMContext &C) {
    return {headerType<P>(C)...};
  }
};
template <typename R, typename... P> struct HeaderFunction<R(P..., ...)> {
  static constexpr size_t PointerCount = HeaderFunction<R(P...)>::PointerCount;
  static llvm::FunctionType *type(llvm::LLVMContext &C) {
    return llvm::FunctionType::get(headerType<R>(C), HeaderFunction<R(P...)>::parameters(C), true);
  }
};
/// That of a function's address.  To Clang, one that does not return has a type of its own, which
/// this conversion drops.
template <typename R, typename... P> HeaderFunction<R(P...)> headerFunction(R (*)(P...));
template <typename R, typename... P> HeaderFunction<R(P..., ...)> headerFunction(R (*)(P..., ...));

} // namespace acre

#endif
