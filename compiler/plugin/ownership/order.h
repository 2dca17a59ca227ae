//===- order.h - Consumption and use in no certain order --------*- C++ -*-===//
#ifndef ACRE_PLUGIN_OWNERSHIP_ORDER_H
#define ACRE_PLUGIN_OWNERSHIP_ORDER_H

namespace clang {
class Stmt;
} // namespace clang

namespace acre::ast {

class Diagnostics;
class Variables;

/// Reports owners of Vars that one operand consumes and another uses, where C leaves open which operand is evaluated
/// first.  The flow analysis follows one order, Clang's.
void checkOrder(Diagnostics &Reports, const Variables &Vars, clang::Stmt *Body);

} // namespace acre::ast

#endif
