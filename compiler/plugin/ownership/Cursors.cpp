// SPDX-License-Identifier: MIT
//===- Cursors.cpp - Pointers that functions move by their address --------===//

#include "plugin/ownership/Cursors.h"
#include "plugin/Annotations.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Following.h"
#include "versions/StringSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;
using namespace acre::ast;

static bool isNull(const CallExpr *Call, unsigned Index) {
  return isNullPointer(Call->getDirectCallee()->getASTContext(), Call->getArg(Index));
}

bool acre::ast::isPlace(const Expr *Argument) {
  const auto *Type = dyn_cast<PointerType>(Argument->getType().getCanonicalType());
  return Type && isa<PointerType>(Type->getPointeeType());
}

std::optional<CursorEffect> acre::ast::cursorEffect(const CallExpr *Call, unsigned Index) {
  if (!isPlace(Call->getArg(Index)))
    return std::nullopt;
  llvm::StringRef Name = libraryFunction(Call);
  if (Index == 1 && readsNumber(Name))
    return CursorEffect{0u, false, false};
  if (Index == 2 && (Name == "strtok_r" || Name == "wcstok"))
    return CursorEffect{isNull(Call, 0) ? std::nullopt : std::optional(0u), true, true};
  if (Index == 0 && Name == "strsep")
    return CursorEffect{std::nullopt, true, true};
  bool IsMoved = acre::StringSwitch<bool>(Name)
                     .Cases({"mbsrtowcs", "wcsrtombs", "mbsnrtowcs", "wcsnrtombs"}, Index == 1)
                     .Case("iconv", Index == 1 || Index == 3)
                     .Default(false);
  return IsMoved ? std::optional(CursorEffect()) : std::nullopt;
}

bool acre::ast::mayBeCursor(QualType Type) {
  return isSlotType(Type) && Type->isPointerType() && disciplineOf(Type) == Discipline::None &&
         !isRegionHandle(Type) && !Type->isVoidPointerType() && !Type->isFunctionPointerType();
}

const UnaryOperator *acre::ast::cursorAddress(const CallExpr *Call, unsigned Index,
                                              const Summaries &Known) {
  if (!isPlace(Call->getArg(Index)))
    return nullptr;
  const auto *Address = dyn_cast<UnaryOperator>(Call->getArg(Index)->IgnoreParenCasts());
  if (!Address || Address->getOpcode() != UO_AddrOf)
    return nullptr;
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || !localVariable(Address->getSubExpr()) ||
      !mayBeCursor(Address->getSubExpr()->getType()))
    return nullptr;
  bool IsFollowed =
      cursorEffect(Call, Index) || Known.isCursor({Callee->getCanonicalDecl(), Index});
  return IsFollowed && !hasUniqueSlots(Callee->getASTContext(),
                                       Address->getSubExpr()->getType()->getPointeeType())
             ? Address
             : nullptr;
}

std::optional<unsigned> CursorTransfer::cursorAt(const CallExpr *Call, unsigned Index) const {
  if (!isPlace(Call->getArg(Index)))
    return std::nullopt;
  const Expr *Cursor = addressed(Call->getArg(Index));
  const VarDecl *Variable = Cursor ? localVariable(Cursor) : nullptr;
  return Variable ? Vars.borrowerOf(Variable) : std::nullopt; // whose addresses are nowhere else
}

/// Whether the value of Argument is certainly not null.
bool CursorTransfer::isNeverNull(const Expr *Argument) const {
  const Expr *Read = Argument->IgnoreParenCasts();
  if (Read->getType()->isArrayType())
    return true;
  const VarDecl *Variable = localVariable(Read);
  std::optional<unsigned> Owner = Variable ? Vars.ownerOf(Variable) : std::nullopt;
  return Owner && Now.Owners[*Owner].isSurely(OwnerState::Live);
}

void CursorTransfer::lendCursor(const CallExpr *Call, unsigned Index,
                                llvm::SmallVectorImpl<Lending> &Lent) {
  std::optional<unsigned> Cursor = cursorAt(Call, Index);
  if (!Cursor)
    return;
  std::optional<CursorEffect> Library = cursorEffect(Call, Index);
  if (Library && (!Library->IsRead || (Library->Put && isNeverNull(Call->getArg(*Library->Put)))))
    return;
  const VarDecl *Variable = Vars.borrower(*Cursor);
  All.Borrowing.read(*Cursor, Call->getArg(Index));
  Value What = none();
  What.Lent = Now.Borrowers[*Cursor].From;
  What.Borrowers.push_back(*Cursor);
  What.IsUnknown = true;
  All.Calls.lend(Call, Index | Summaries::Content, What, Library.has_value(), Lent);
  if (Says.isOn() && All.MayOwn && !Library)
    Known.askBody(Call->getDirectCallee()->getCanonicalDecl(), Variable,
                  Call->getArg(Index)->getSourceRange());
}

void CursorTransfer::moveCursor(const CallExpr *Call, unsigned Index) {
  std::optional<unsigned> Cursor = cursorAt(Call, Index);
  std::optional<CursorEffect> Library = cursorEffect(Call, Index);
  if (Cursor) {
    All.Arenas.forgetPaths(Vars.borrower(*Cursor));
    All.Tests.forgetTests(Vars.borrower(*Cursor));
    Now.changeBorrower(*Cursor).From.Frames.reset(); // it may be null, or point elsewhere
    if (!Library) {
      Value Left = none();
      All.Arenas.addArenas(Left, Call, false);
      Left.Lent.IsOpen = true;
      Now.Borrowers[*Cursor].From.add(Left.Lent);
    }
  }
  if (!Library || !Library->Put || isNull(Call, Index))
    return;
  const Expr *From = Call->getArg(*Library->Put);
  Value Put = All.Values.derived(All.Values.evaluate(From));
  if (!Cursor) { // into memory
    Now.Left.clear();
    return All.Sinks.keep({Sink::Slot, From->getType(), nullptr, nullptr, Call}, From, Put);
  }
  BorrowerState &State = Now.changeBorrower(*Cursor);
  if (Library->IsRead && !isNeverNull(From))
    State.From.add(Put.Lent);
  else
    State = BorrowerState{Put.Lent};
  All.Aliases.loseEnded(State, Call);
}

void CursorTransfer::addMoved(Value &Result, const CallExpr *Call, unsigned Index) const {
  std::optional<unsigned> Cursor = cursorAt(Call, Index);
  if (!Cursor)
    return;
  std::optional<CursorEffect> Library = cursorEffect(Call, Index);
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (Library ? Library->IsResult
              : Known.mayReturn({Callee->getCanonicalDecl(), Index | Summaries::Content})) {
    Result.Lent.add(Now.Borrowers[*Cursor].From);
    Result.Borrowers.push_back(*Cursor);
  }
}
