// SPDX-License-Identifier: MIT
//===- Arenas.cpp - Pointers into the regions of blocks -------------------===//
//
// An arena is a root whose objects end, or may no more be reached, with a
// block.  Where a pointer into one is stored outside, returned or used after the
// block for certain, that is an error.  The rest is left to the region's count
// when the block ends, and reported as doubtful only on request: pointers that
// were read from memory of the arena or returned by functions that know it, and
// places of which it is not known whether they are in it.
//
//===----------------------------------------------------------------------===//

#include "plugin/Annotations.h"
#include "plugin/Signature.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Following.h"
#include "plugin/ownership/Plain.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace acre::ast;

/// The arenas among Of.
static llvm::SmallBitVector arenasIn(const Variables &Vars, llvm::SmallBitVector Of) {
  return Of &= Vars.arenaRoots();
}

void ArenaTransfer::weaken(Loans &Of) const {
  llvm::SmallBitVector Arenas = arenasIn(Vars, Of.roots());
  Of.Maybe |= Arenas;
  Of.Direct.reset(Arenas);
  Of.Deep.reset(Arenas);
}

/// The arenas that this argument says something of: it is the handle, or points there.
llvm::SmallBitVector ArenaTransfer::arenasOf(const Expr *Argument, bool &IsCertain) const {
  const VarDecl *Handle = localVariable(Argument->IgnoreParenCasts());
  llvm::SmallBitVector Arenas(Vars.rootCount());
  IsCertain = true;
  if (std::optional<unsigned> Root = Handle ? Vars.rootOfArena(Handle) : std::nullopt) {
    Arenas.set(*Root);
  } else if (isSlotType(Argument->getType())) {
    Loans Of = All.Values.loansOf(All.Values.evaluate(Argument));
    Arenas = arenasIn(Vars, Of.Direct);
    IsCertain = Of.Maybe.none();
    Arenas |= Of.Maybe;
  }
  return Arenas;
}

void ArenaTransfer::addArenas(Value &Result, const CallExpr *Call, bool IsKnown) const {
  if (Vars.arenaCount() == 0 || isRegionHandle(Call->getType()))
    return;
  const FunctionDecl *Callee = Call->getDirectCallee();
  bool IsAllocation = allocatesInRegion(libraryFunction(Call));
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    bool IsCertain = false;
    llvm::SmallBitVector Arenas = arenasOf(Call->getArg(I), IsCertain);
    if (Arenas.none())
      continue;
    bool IsNamed =
        (IsAllocation && I == 0) ||
        (Callee && llvm::any_of(declaredSignature(Callee).Items, [&](const SignatureItem &Item) {
           return Item.Subject == SignatureItem::Result && Item.Parameter == int(I) &&
                  !Item.IsUpward;
         }));
    if (IsNamed && IsCertain)
      Result.Lent.Direct |= Arenas;
    else if (!IsKnown)
      Result.Lent.Maybe |= Arenas;
  }
}

/// Whether Later was declared while Earlier was in scope already, in the same block or one inside
/// it.
bool ArenaTransfer::isDeclaredAfter(const VarDecl *Later, const VarDecl *Earlier) const {
  const SourceManager &Sources = Context.getSourceManager();
  return !isa<ParmVarDecl>(Later) &&
         Sources.isBeforeInTranslationUnit(Earlier->getLocation(), Later->getLocation());
}

ArenaTransfer::Fate ArenaTransfer::fateOf(const Sink &Into, unsigned Arena) const {
  const VarDecl *Handle = Vars.variableOfRoot(Arena);
  if (Into.What == Sink::Result)
    return Fate::Outlives;
  const VarDecl *Variable = Into.Local   ? Into.Local
                            : Into.Place ? variableAround(Into.Place)
                                         : nullptr;
  if (Variable && !Variable->hasLocalStorage())
    return Fate::Outlives;
  if (Variable)
    return isDeclaredAfter(Variable, Handle) ? Fate::Ends : Fate::Doubtful;
  if (!Into.Place) // of an initializer: what it makes is declared or made in the block
    return Fate::Ends;
  Loans Holder = All.Values.holderOf(Into.Place).Lent;
  bool IsOne = Holder.roots().count() == 1 && Holder.Maybe.none();
  if (!IsOne)
    return Fate::Doubtful;
  unsigned Root = Holder.roots().find_first();
  if (Root == Arena)
    return Fate::Ends;
  if (Vars.isArena(Root)) {
    const VarDecl *Other = Vars.variableOfRoot(Root);
    return !keyOfArena(Other) && isDeclaredAfter(Other, Handle) ? Fate::Ends : Fate::Outlives;
  }
  // What a parameter points to was there before the block's region was.
  return Vars.parameterOfRoot(Root) && !keyOfArena(Handle) ? Fate::Outlives : Fate::Doubtful;
}

void ArenaTransfer::keepInArenas(const Sink &Into, const Expr *From, Loans &Kept) {
  llvm::SmallBitVector Certain = arenasIn(Vars, Kept.roots());
  for (unsigned Arena : Certain.set_bits())
    switch (fateOf(Into, Arena)) {
    case Fate::Outlives:
      Says.report(Diag::ArenaEscapes, From, unsigned(Into.What), Vars.variableOfRoot(Arena));
      Says.noteDeclared(Vars.variableOfRoot(Arena), "%0 is opened here, and ends with its block");
      break;
    case Fate::Doubtful:
      Says.report(Diag::ArenaDoubtful, From, unsigned(Into.What), Vars.variableOfRoot(Arena));
      break;
    case Fate::Ends:
      break;
    }
  for (unsigned Arena : Kept.Maybe.set_bits())
    if (fateOf(Into, Arena) != Fate::Ends)
      Says.report(Diag::ArenaDoubtful, From, unsigned(Into.What), Vars.variableOfRoot(Arena));
  Kept.Direct.reset(Certain);
  Kept.Deep.reset(Certain);
  Kept.Maybe.reset();
}

/// Whether an object of this type has pointers in it.
static bool hasPointers(ASTContext &Context, QualType Type) {
  Type = Context.getBaseElementType(Type);
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  return isSlotType(Type) || (Record && llvm::any_of(Record->fields(), [&](const FieldDecl *Field) {
                                return hasPointers(Context, Field->getType());
                              }));
}

/// The arenas that pointers in this structure may lead into.
llvm::SmallBitVector ArenaTransfer::arenasThrough(const Expr *Record) const {
  Record = Record->IgnoreParenCasts();
  const VarDecl *Variable = variableAround(Record);
  llvm::SmallBitVector Arenas(Vars.rootCount());
  if (Record->isLValue() && !Variable && !isa<CompoundLiteralExpr>(Record)) {
    Loans Holder =
        All.Values.addressOf(Record).Lent; // others were reported when they were stored there
    Arenas = arenasIn(Vars, Holder.roots());
    Arenas |= Holder.Maybe;
  } else if (!Variable || Variable->hasLocalStorage()) {
    for (unsigned I = 0; I != Now.Keys.size(); ++I)
      Arenas[Vars.rootOfArena(I)] = Now.Keys[I].IsOpen;
  }
  return Arenas;
}

void ArenaTransfer::copyInArenas(const Sink &Into, const Expr *From) {
  if (!Vars.arenaCount() || !From || !From->getType()->isRecordType() ||
      isa<InitListExpr>(From->IgnoreParens()) || !hasPointers(Context, From->getType()))
    return;
  llvm::SmallBitVector Arenas = arenasThrough(From);
  for (unsigned Arena : Arenas.set_bits())
    if (Into.What == Sink::Argument || fateOf(Into, Arena) != Fate::Ends)
      Says.report(Diag::ArenaDoubtful, From, unsigned(Into.What), Vars.variableOfRoot(Arena));
}

void ArenaTransfer::copyHandle(const Sink &Into, const Expr *From) {
  if (!Vars.arenaCount())
    return;
  From = From->IgnoreParenCasts();
  if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(From)) {
    copyHandle(Into, Choice->getTrueExpr());
    return copyHandle(Into, Choice->getFalseExpr());
  }
  if (const auto *Operator = dyn_cast<BinaryOperator>(From);
      Operator && Operator->getOpcode() == BO_Comma)
    return copyHandle(Into, Operator->getRHS());
  const VarDecl *Handle = localVariable(From);
  if (Handle && Vars.rootOfArena(Handle))
    Says.report(Diag::ArenaDoubtful, From, unsigned(ArenaUse::Handle), Handle);
}

void ArenaTransfer::copyMemory(const CallExpr *Call) {
  unsigned Source = 0, Count = Call->getNumArgs();
  while (Source != Count && !copiesFrom(Call, Source))
    ++Source;
  unsigned Target = Source == 0 ? 1 : 0;
  if (Source == Count || Target >= Count)
    return;
  QualType Type = pointedBy(Call->getArg(Source)), Other = pointedBy(Call->getArg(Target));
  if (Type.isNull() || (!Other.isNull() && Facts.hasUniqueSlots(Other)))
    Type = Other;
  if (Type.isNull())
    return;
  if (Facts.hasUniqueSlots(Type)) {
    Says.report(Diag::OwnersCopied, Call, "'" + printType(Type, Context.getPrintingPolicy()) + "'");
    Says.noteOwner(Type);
  }
  if (!Vars.arenaCount() || !hasPointers(Context, Type) ||
      isRegionHandle(Call->getArg(Target)->getType()))
    return;
  Loans From = All.Values.loansOf(All.Values.evaluate(Call->getArg(Source))),
        To = All.Values.loansOf(All.Values.evaluate(Call->getArg(Target)));
  llvm::SmallBitVector Arenas = arenasIn(Vars, From.roots());
  Arenas |= From.Maybe;
  for (unsigned I = 0; From.Frames.any() && I != Now.Keys.size(); ++I)
    Arenas[Vars.rootOfArena(I)] = Arenas[Vars.rootOfArena(I)] || Now.Keys[I].IsOpen;
  for (unsigned Arena : Arenas.set_bits()) {
    const VarDecl *Handle = Vars.variableOfRoot(Arena);
    bool IsInside =
        To.roots().count() == 1 && To.Direct.test(Arena) && To.Maybe.none() && To.Frames.none();
    bool IsVariable =
        To.isOnlyOfFrames() && llvm::all_of(To.Frames.set_bits(), [&](unsigned Frame) {
          return !Vars.unnamedKind(Frame) && isDeclaredAfter(Vars.variableOfRoot(Frame), Handle);
        });
    if (!IsInside && !IsVariable)
      Says.report(Diag::ArenaDoubtful, Call, unsigned(ArenaUse::Slot), Handle);
  }
}

void ArenaTransfer::lendInArenas(const CallExpr *Call, unsigned Index, Loans &Lent) {
  llvm::SmallBitVector Arenas = arenasIn(Vars, Lent.roots());
  Arenas |= Lent.Maybe;
  Lent.Direct.reset(Arenas);
  Lent.Deep.reset(Arenas);
  Lent.Maybe.reset();
  const FunctionDecl *Callee = Call->getDirectCallee();
  unsigned At = Index & ~Summaries::Content;
  bool HasParameter = Callee && At < Callee->getNumParams();
  if (!Says.isOn() || (HasParameter && regionAnnotation(Callee->getParamDecl(At)->getType())))
    return;
  const Expr *Argument = Call->getArg(At);
  for (unsigned Arena : Arenas.set_bits())
    if (HasParameter)
      Known.askInArena({Callee->getCanonicalDecl(), Index}, Vars.variableOfRoot(Arena),
                       Argument->getSourceRange());
    else
      Says.report(Diag::ArenaDoubtful, Argument, unsigned(Sink::Argument),
                  Vars.variableOfRoot(Arena));
}

void ArenaTransfer::openArena(const VarDecl *Handle) {
  std::optional<unsigned> Root = Vars.rootOfArena(Handle);
  const Expr *Key = Root ? keyOfArena(Handle) : nullptr;
  if (!Root)
    return;
  KeyState &State = Now.Keys[Vars.arenaOfRoot(*Root)];
  Value What = Key ? All.Values.evaluate(Key) : none();
  State.IsOpen = true;
  State.From = All.Values.loansOf(What);
  bool IsUniqueSlot =
      What.Slots.size() == 1 && disciplineOf(What.Slots[0]->getType()) == Discipline::Unique;
  State.Slot = IsUniqueSlot && pathBase(What.Slots[0]) ? What.Slots[0] : nullptr;
}

/// The variable that a path of members begins with; null if there is more in Lvalue, or its value
/// may change unseen.
const VarDecl *ArenaTransfer::pathBase(const Expr *Lvalue) const {
  Lvalue = Lvalue->IgnoreParenImpCasts();
  bool IsThroughPointer = false;
  while (const auto *Member = dyn_cast<MemberExpr>(Lvalue)) {
    if (IsThroughPointer && Member->isArrow())
      return nullptr;
    IsThroughPointer |= Member->isArrow();
    Lvalue = Member->getBase()->IgnoreParenImpCasts();
  }
  const auto *Reference = dyn_cast<DeclRefExpr>(Lvalue);
  const auto *Variable = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  bool IsFollowed =
      Variable && (!IsThroughPointer || Vars.borrowerOf(Variable) || Vars.ownerOf(Variable));
  return IsFollowed ? Variable : nullptr;
}

/// Whether two paths of members of the same variable are the same.
static bool isSamePath(const Expr *One, const Expr *Other) {
  One = One->IgnoreParenImpCasts();
  Other = Other->IgnoreParenImpCasts();
  const auto *Member = dyn_cast<MemberExpr>(One), *OtherMember = dyn_cast<MemberExpr>(Other);
  if (Member && OtherMember)
    return Member->getMemberDecl() == OtherMember->getMemberDecl() &&
           isSamePath(Member->getBase(), OtherMember->getBase());
  const auto *Reference = dyn_cast<DeclRefExpr>(One),
             *OtherReference = dyn_cast<DeclRefExpr>(Other);
  return Reference && OtherReference && Reference->getDecl() == OtherReference->getDecl();
}

void ArenaTransfer::takeKey(const Expr *Slot, const Stmt *At) {
  const auto *Address = dyn_cast<UnaryOperator>(Slot);
  if (!Address || Address->getOpcode() != UO_AddrOf)
    return;
  const Expr *Lvalue = Address->getSubExpr()->IgnoreParens();
  for (unsigned I = 0; I != Now.Keys.size(); ++I) {
    if (!Now.Keys[I].Slot || !isSamePath(Now.Keys[I].Slot, Lvalue))
      continue;
    const VarDecl *Handle = Vars.variableOfRoot(Vars.rootOfArena(I));
    const auto *Member = dyn_cast<MemberExpr>(Lvalue);
    const NamedDecl *Name =
        Member ? static_cast<const NamedDecl *>(Member->getMemberDecl()) : pathBase(Lvalue);
    Says.report(Diag::KeyConsumed, At, Name, Handle);
    if (Says.isOn())
      Says.note(Handle->getLocation(), "opened here");
    Now.Keys[I].Slot = nullptr;
  }
}

void ArenaTransfer::forgetPaths(const VarDecl *Base) {
  for (KeyState &Each : Now.Keys)
    if (Each.Slot && pathBase(Each.Slot) == Base)
      Each.Slot = nullptr;
}

void ArenaTransfer::closeArena(const VarDecl *Handle, const Stmt *At) {
  std::optional<unsigned> Root = Vars.rootOfArena(Handle);
  if (!Root)
    return;
  Now.Keys[Vars.arenaOfRoot(*Root)] = {Loans(Vars.rootCount()), false, nullptr};
  All.Borrowing.loseRoot(*Root, At);
}

void ArenaTransfer::loseKeys(unsigned Root, const Stmt *At) {
  for (unsigned I = 0; I != Now.Keys.size(); ++I) {
    const KeyState &Key = Now.Keys[I];
    // What consumes an object also gets the key in it.
    if (!Key.From.Direct.test(Root) && !(Key.Slot && Key.From.Deep.test(Root)))
      continue;
    const VarDecl *Handle = Vars.variableOfRoot(Vars.rootOfArena(I));
    Says.report(Diag::KeyConsumed, At, Vars.variableOfRoot(Root), Handle);
    if (Says.isOn())
      Says.note(Handle->getLocation(), "opened here");
    Now.Keys[I].From = Loans(Vars.rootCount());
  }
}
