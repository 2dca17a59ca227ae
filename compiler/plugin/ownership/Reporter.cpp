// SPDX-License-Identifier: MIT
//===- Reporter.cpp - What is said of a function that was followed ---------===//
#include "plugin/ownership/Reporter.h"
#include "plugin/Annotations.h"
#include "plugin/Checks.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace acre::ast;

SourceLocation Reporter::placeOf(const Stmt *At) {
  const auto *Expression = dyn_cast<Expr>(At);
  if (isa<CompoundStmt>(At))
    return At->getEndLoc();
  return Expression ? Expression->getExprLoc() : At->getBeginLoc();
}

/// What a report of this kind says of the declaration that its expression names; empty: nothing.
static llvm::StringRef originText(Diag Kind) {
  switch (Kind) {
  case Diag::PlainBecomesUnique:
    return "%0 is declared here, without 'unique'";
  case Diag::SlotCopied:
  case Diag::SlotLent:
  case Diag::SlotAtomic:
  case Diag::SwapOfPlain:
  case Diag::SwappedTypes:
  case Diag::DisciplineChanged:
  case Diag::HandleFreed:
  case Diag::NotCounted:
  case Diag::CountedLent:
    return "%0 is declared here";
  default:
    return "";
  }
}

void Reporter::noteDeclared(const NamedDecl *Named, llvm::StringRef Text) {
  if (!IsSpeaking || !Named || Named->getLocation().isInvalid() || !Named->getDeclName())
    return;
  auto Note = [To = &Reports, Named, Text] { To->note(Named->getLocation(), Text) << Named; };
  Note();
  if (IsHeld)
    Held->push_back(Note);
}

void Reporter::noteOrigin(Diag Kind, const Stmt *At) {
  llvm::StringRef Text = originText(Kind);
  const auto *Value = dyn_cast<Expr>(At);
  const ValueDecl *Named = Text.empty() || !Value ? nullptr : namedBy(Value);
  const auto *Made = dyn_cast_or_null<FunctionDecl>(Named);
  if (Kind != Diag::PlainBecomesUnique || !Made || Made->getLocation().isInvalid())
    return noteDeclared(Named, Text);
  Reports.note(Made->getLocation(),
               "the result of %0 is plain; 'unique' says that nobody else has the pointer")
      << Made;
}

void Reporter::noteOwner(QualType Type) {
  if (IsSpeaking)
    noteOwningField(Context, Reports, Type);
}

void Reporter::noteUnsetRecord(const VarDecl *Variable) {
  if (!IsSpeaking || !Variable || Variable->getLocation().isInvalid())
    return;
  const SourceLocation Name = Variable->getLocation();
  auto Note = Reports.note(Name, "%0 is declared here without a value") << Variable;
  if (Name.isFileID() && Variable->getType()->isRecordType())
    Note << Reports.insertion(
        Lexer::getLocForEndOfToken(Name, 0, Context.getSourceManager(), Context.getLangOpts()),
        " = {0}");
}

void Reporter::noteSites(const Sites &Places, llvm::StringRef Text) {
  if (!IsSpeaking)
    return;
  auto Note = [To = &Reports, Places, Text] {
    for (const Stmt *Each : Places.all())
      To->note(isa<CompoundStmt>(Each) ? Each->getEndLoc() : Each->getBeginLoc(), Text)
          << Each->getSourceRange();
  };
  Note();
  if (IsHeld)
    Held->push_back(Note);
}

void Reporter::reportConsumed(const NamedDecl *Named, const OwnerState &Owner, const Stmt *At) {
  bool WasConsumed = Owner.mayBe(OwnerState::Consumed);
  bool IsMaybe = !Owner.isSurely(WasConsumed ? OwnerState::Consumed : OwnerState::Uninitialized);
  report(WasConsumed ? Diag::UsedAfterConsumed : Diag::OwnerUninitialized, At, Named,
         unsigned(IsMaybe));
  noteSites(Owner.ConsumedAt, "consumed here");
  const auto *Variable = dyn_cast<VarDecl>(Named);
  const SourceLocation Name = Named->getLocation();
  if (WasConsumed || !IsSpeaking || Name.isInvalid() || !Variable || Variable->getInit() ||
      isa<ParmVarDecl>(Variable))
    return;
  auto Note = Reports.note(Name, "declared here without a value");
  if (Name.isFileID() && isSlotType(Variable->getType()))
    Note << Reports.insertion(
        Lexer::getLocForEndOfToken(Name, 0, Context.getSourceManager(), Context.getLangOpts()),
        " = 0");
}

void Reporter::reportCleanedUp(const VarDecl *Variable, const OwnerState &Owner, const Stmt *At) {
  report(Diag::CleanupOfConsumed, At, Variable, unsigned(!Owner.isSurely(OwnerState::Consumed)));
  noteSites(Owner.ConsumedAt, "consumed here; acre_take would leave null to the cleanup");
}

bool Reporter::reportLeak(const NamedDecl *Variable, const OwnerState &Owner, const Stmt *At) {
  if (!Owner.mayBe(OwnerState::Live) || !IsSpeaking ||
      !Lost.insert({Variable, At->getEndLoc().getRawEncoding()}).second)
    return false;
  IsHeld = false;
  Reports.report(Diag::Leak, At->getEndLoc())
      << unsigned(Loss::EndOfScope) << Variable << unsigned(!Owner.isSurely(OwnerState::Live));
  noteSites(Owner.ConsumedAt, "consumed here on another path");
  return true;
}

void Reporter::reportGrown(llvm::StringRef Name, const Stmt *At) {
  if (IsSpeaking && Lost.insert({nullptr, At->getBeginLoc().getRawEncoding()}).second)
    reportLoss(Loss::ReallocFails, At, NoName, 0u, Name.str());
}

void Reporter::reportLostWith(const VarDecl *Variable, const Stmt *At, const std::string &Slot) {
  if (IsSpeaking && Lost.insert({Variable, At->getEndLoc().getRawEncoding()}).second)
    reportLoss(Loss::SlotEndOfScope, At, NoName, 1u, Slot);
}

void Reporter::reportAddress(const Stmt *At, const VarDecl *Owner) {
  report(Diag::OwnerAddress, At, Owner);
  noteDeclared(Owner, "the owner %0 is declared here");
}

void Reporter::reportMoved(const Stmt *At, const VarDecl *Owner) {
  report(Diag::OwnerArithmetic, At, Owner);
  noteDeclared(Owner, "the owner %0 is declared here; a plain copy of it may be moved");
}

void Reporter::reportNotDropped(const FieldDecl *Field, unsigned Why) {
  Reports.report(Diag::NotDropped, Field->getLocation()) << Field << Why;
}

void Reporter::reportCopiedSlot(const Expr *Slot) {
  if (!IsSpeaking)
    return;
  {
    auto Report = Reports.report(Diag::SlotCopied, Slot->getExprLoc()) << Slot->getSourceRange();
    SourceRange Range = Slot->getSourceRange();
    if (Range.getBegin().isFileID() && Range.getEnd().isFileID())
      Report << Reports.insertion(Range.getBegin(), "acre_take(&")
             << Reports.insertion(Lexer::getLocForEndOfToken(Range.getEnd(), 0,
                                                             Context.getSourceManager(),
                                                             Context.getLangOpts()),
                                  ")");
  }
  IsHeld = false;
  noteOrigin(Diag::SlotCopied, Slot);
}

void Reporter::noteReferenceWord(const ParmVarDecl *Parameter) {
  if (!IsSpeaking || Parameter->getLocation().isInvalid())
    return;
  auto Note = Reports.note(
      Parameter->getLocation(),
      "the parameter is declared here; 'refcounted borrowed' says that callers give it "
      "a reference");
  if (disciplineOf(Parameter->getType()) == Discipline::Borrowed &&
      Parameter->getLocation().isFileID() && Parameter->getDeclName())
    Note << Reports.insertion(Parameter->getLocation(), "refcounted ");
}

void Reporter::noteBorrowedResult(const FunctionDecl *Function, bool IsElsewhere) {
  const SourceLocation Name = Function->getLocation();
  if (!IsSpeaking || Name.isInvalid())
    return;
  auto Note = [To = &Reports, Name, IsElsewhere] {
    if (IsElsewhere) {
      To->note(Name, "the result is not 'borrowed', so callers would keep what a unique pointer in "
                     "memory owns; of a function with such parameters callers take a 'borrowed' "
                     "result for lent by what these point to, unless the attribute noescape says "
                     "that they do not hang there");
      return;
    }
    auto Said = To->note(Name, "a 'borrowed' result lends it: callers use it while its owner has "
                               "it, and do not keep it");
    if (Name.isFileID())
      Said << To->insertion(Name, "borrowed ");
  };
  Note();
  if (IsHeld)
    Held->push_back(Note);
}
