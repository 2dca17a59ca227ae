/* SPDX-License-Identifier: MIT */
//===- Order.h - Consumption and use in no certain order --------*- C++ -*-===//
#ifndef ACRE_PLUGIN_OWNERSHIP_ORDER_H
#define ACRE_PLUGIN_OWNERSHIP_ORDER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class Stmt;
class VarDecl;
} // namespace clang

namespace acre::ast {

class Diagnostics;
class Variables;

/// The borrowers whose loans a place of the function ends.
using EndedLoans =
    llvm::DenseMap<const clang::Stmt *, llvm::SmallVector<const clang::VarDecl *, 2>>;

/// Reports owners of Vars that one operand consumes or sets and another uses, and borrowers whose
/// loan one ends, where C leaves open which operand is evaluated first.  The flow analysis follows
/// one order, Clang's. IsSpared: whether the loans that this would end do not end.
void checkOrder(Diagnostics &Reports, const Variables &Vars, clang::Stmt *Body,
                const EndedLoans &Ended, llvm::function_ref<bool(const clang::Stmt *)> IsSpared);

} // namespace acre::ast

#endif
