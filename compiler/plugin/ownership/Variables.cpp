// SPDX-License-Identifier: MIT
//===- Variables.cpp - The variables that ownership is followed in --------===//

#include "plugin/ownership/Variables.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Cursors.h"
#include "plugin/ownership/Flow.h"
#include "plugin/ownership/Library.h"
#include "plugin/ownership/Opened.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;
using namespace acre::ast;

const VarDecl *acre::ast::localVariable(const Expr *Lvalue) {
  Lvalue = Lvalue->IgnoreParens();
  // *&v is v.
  if (const auto *Deref = dyn_cast<UnaryOperator>(Lvalue); Deref && Deref->getOpcode() == UO_Deref)
    if (const auto *Address = dyn_cast<UnaryOperator>(Deref->getSubExpr()->IgnoreParenImpCasts());
        Address && Address->getOpcode() == UO_AddrOf)
      return localVariable(Address->getSubExpr());
  const auto *Reference = dyn_cast<DeclRefExpr>(Lvalue);
  const auto *Variable = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  return Variable && Variable->hasLocalStorage() ? Variable : nullptr;
}

const VarDecl *acre::ast::variableChanged(const Stmt *Node) {
  if (const auto *Operator = dyn_cast<BinaryOperator>(Node))
    return Operator->isAssignmentOp() ? localVariable(Operator->getLHS()) : nullptr;
  const auto *Operator = dyn_cast<UnaryOperator>(Node);
  return Operator && (Operator->isIncrementDecrementOp() || Operator->getOpcode() == UO_AddrOf)
             ? localVariable(Operator->getSubExpr())
             : nullptr;
}

const VarDecl *acre::ast::variableAround(const Expr *Lvalue) {
  while (true) {
    Lvalue = Lvalue->IgnoreParens();
    if (const auto *Member = dyn_cast<MemberExpr>(Lvalue); Member && !Member->isArrow()) {
      Lvalue = Member->getBase();
    } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue)) {
      const auto *Decay = dyn_cast<ImplicitCastExpr>(Element->getBase()->IgnoreParens());
      if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
        return nullptr;
      Lvalue = Decay->getSubExpr();
    } else {
      const auto *Reference = dyn_cast<DeclRefExpr>(Lvalue);
      return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
    }
  }
}

llvm::SmallVector<const VarDecl *, 4> acre::ast::variablesGivenAway(const Stmt *Node) {
  llvm::SmallVector<const VarDecl *, 4> Result;
  if (isa<AsmStmt>(Node)) {
    for (const Stmt *Each : Node->children())
      if (const auto *Operand = dyn_cast_or_null<Expr>(Each))
        if (const VarDecl *Variable = localVariable(Operand->IgnoreParenCasts()))
          Result.push_back(Variable);
  } else if (const auto *Block = dyn_cast<BlockExpr>(Node)) {
    for (const BlockDecl::Capture &Each : Block->getBlockDecl()->captures())
      Result.push_back(Each.getVariable());
  } else if (const auto *Statement = dyn_cast<DeclStmt>(Node)) {
    for (const Decl *Each : Statement->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(Each);
          Variable && Variable->hasAttr<CleanupAttr>())
        Result.push_back(Variable);
  }
  return Result;
}

llvm::SmallVector<const Expr *, 4> acre::ast::pointersGivenAway(const Stmt *Node) {
  llvm::SmallVector<const Expr *, 4> Result;
  const auto *Atomic = dyn_cast<AtomicExpr>(Node);
  if (Atomic || isa<AsmStmt>(Node))
    for (const Stmt *Each : Node->children())
      if (const auto *Operand = dyn_cast_or_null<Expr>(Each);
          Operand && isSlotType(Operand->getType()) && !(Atomic && Operand == Atomic->getPtr()))
        Result.push_back(Operand);
  return Result;
}

/// What this cast or pair of parentheses is around, or null.
static const Expr *operandOfCast(const Expr *Outer) {
  if (const auto *Cast = dyn_cast<CastExpr>(Outer))
    return Cast->getSubExpr();
  const auto *Parentheses = dyn_cast<ParenExpr>(Outer);
  return Parentheses ? Parentheses->getSubExpr() : nullptr;
}

FollowedVariables::FollowedVariables(const FunctionDecl *Function, const Evaluated &Body,
                                     const Orderly *Only, const Summaries &Known,
                                     llvm::ArrayRef<const ParmVarDecl *> Alone)
    : Only(Only), Alone(Alone) {
  findAddresses(Body, Known);
  llvm::SmallVector<const VarDecl *, 16> Declared(Function->parameters());
  for (const Stmt *Node : Body)
    if (const auto *Statement = dyn_cast<DeclStmt>(Node))
      for (const Decl *Each : Statement->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(Each); Variable && Variable->hasLocalStorage())
          Declared.push_back(Variable);
  HasAliases = llvm::any_of(Declared, aliasedBy);
  for (const VarDecl *Each : Declared)
    add(Each);
  if (!Only)
    Opened = openedVariables(Body);
}

const NamedDecl *OpenedVariable::named() const {
  return At.isMember() ? static_cast<const NamedDecl *>(At.member()) : At.base();
}

std::optional<unsigned> FollowedVariables::openedOf(const VarDecl *Variable) const {
  for (unsigned I = 0; I != Opened.size(); ++I)
    if (Opened[I].whole() == Variable)
      return Owners.size() + I;
  return std::nullopt;
}

/// Whether the callee looks at this argument and keeps it nowhere.
static bool isOnlyLent(const CallExpr *Call, unsigned Index, const Summaries &Known) {
  if (isSwap(Call))
    return Index == 0;
  if (std::optional<LibraryEffect> Effect = libraryEffect(Call))
    // What memset returns is a loan like any other.
    return !Effect->keeps(Index) &&
           (!Effect->pointsInto(Index) || overwrittenArgument(Call) == Index);
  const FunctionDecl *Callee = Call->getDirectCallee();
  QualType To = parameterType(Call, Index);
  if (const SlotUse *Use = Callee ? Known.slotUse({Callee->getCanonicalDecl(), Index}) : nullptr;
      Use && !Use->IsKept)
    return true;
  if (Callee && Index < Callee->getNumParams() &&
      Callee->getMostRecentDecl()->getParamDecl(Index)->hasAttr<NoEscapeAttr>())
    return true;
  return Callee && !To.isNull() && disciplineOf(To) == Discipline::Borrowed &&
         disciplineOf(Call->getCallReturnType(Callee->getASTContext())) != Discipline::Borrowed;
}

/// Whether the argument is an address that is made for it, behind casts.
static bool isMadeAddress(const Expr *Argument) {
  for (const Expr *Each = Argument; Each; Each = operandOfCast(Each)) {
    const auto *Address = dyn_cast<UnaryOperator>(Each);
    const auto *Decay = dyn_cast<CastExpr>(Each);
    if ((Address && Address->getOpcode() == UO_AddrOf) ||
        (Decay && Decay->getCastKind() == CK_ArrayToPointerDecay))
      return true;
  }
  return false;
}

void FollowedVariables::findAddresses(const Evaluated &Body, const Summaries &Known) {
  llvm::DenseSet<const Expr *> Passed, Moved, Lent, Subscripted;
  llvm::SmallVector<std::pair<const Expr *, const Expr *>, 8>
      Objects; // whose address is made, and by what
  llvm::SmallVector<const CastExpr *, 8> Decays;
  auto AddressIn = [](const Expr *Argument) {
    const auto *Address = dyn_cast<UnaryOperator>(Argument->IgnoreParenCasts());
    return Address && Address->getOpcode() == UO_AddrOf ? Address : nullptr;
  };
  const llvm::DenseSet<const Stmt *> Idiomatic = partsTakenByHand(Body);
  for (const Stmt *Node : Body) {
    if (Idiomatic.contains(Node))
      continue;
    if (isa<DeclStmt, AsmStmt, BlockExpr>(Node))
      for (const VarDecl *Each : variablesGivenAway(Node))
        AddressTaken.insert(Each);
    if (const auto *Literal = dyn_cast<CompoundLiteralExpr>(Node);
        Literal && !Literal->isFileScope())
      Unnamed.push_back(Literal);
    if (const auto *Call = dyn_cast<CallExpr>(Node)) {
      if (isAlloca(Call))
        Unnamed.push_back(Call);
      if (isAddressOf(Call)) {
        Objects.push_back({Call, Call->getArg(0)});
        if (const VarDecl *Variable = localVariable(Call->getArg(0)))
          AddressTaken.insert(Variable);
      }
      for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
        if (const UnaryOperator *Address = AddressIn(Call->getArg(I)))
          Passed.insert(Address);
        if (const UnaryOperator *Address = cursorAddress(Call, I, Known))
          Moved.insert(Address);
        if (isMadeAddress(Call->getArg(I)) && isOnlyLent(Call, I, Known))
          for (const Expr *Each = Call->getArg(I); Each; Each = operandOfCast(Each))
            Lent.insert(Each);
      }
    } else if (const auto *Deref = dyn_cast<UnaryOperator>(Node);
               Deref && Deref->getOpcode() == UO_Deref) {
      if (const UnaryOperator *Address = AddressIn(Deref->getSubExpr()))
        Passed.insert(Address);
    } else if (const auto *Test = dyn_cast<BinaryOperator>(Node); Test && Test->isEqualityOp()) {
      for (const Expr *Each : {Test->getLHS(), Test->getRHS()})
        if (const UnaryOperator *Address = AddressIn(Each))
          Passed.insert(Address);
    } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Node)) {
      Subscripted.insert(Element->getBase()->IgnoreParens());
    } else if (const auto *Decay = dyn_cast<CastExpr>(Node);
               Decay && Decay->getCastKind() == CK_ArrayToPointerDecay) {
      Decays.push_back(Decay);
    } else if (const auto *Address = dyn_cast<UnaryOperator>(Node);
               Address && Address->getOpcode() == UO_AddrOf) {
      Objects.push_back({Address, Address->getSubExpr()});
      const VarDecl *Variable = localVariable(Address->getSubExpr());
      if (!Variable)
        continue;
      if (!Moved.contains(Address))
        AddressTaken.insert(Variable);
      if (Passed.insert(Address).second)
        KeptAddresses.push_back(Address);
    }
  }
  for (const CastExpr *Decay : Decays)
    if (!Subscripted.contains(Decay))
      Objects.push_back({Decay, Decay->getSubExpr()});
  for (auto [Maker, Object] : Objects) {
    const VarDecl *Variable = variableAround(Object);
    if (!Variable || !Variable->hasLocalStorage() || isOwning(Variable->getType()) ||
        isRegionHandle(Variable->getType()))
      continue;
    if (!Only || Only->Frames.contains(Variable))
      addFrame(Variable);
    if (!Lent.contains(Maker) || !hasUniqueSlots(Variable->getASTContext(), Variable->getType()))
      OpenFrames.insert(Variable);
  }
}

void FollowedVariables::addFrame(const VarDecl *Variable) {
  if (FrameIndex.try_emplace(Variable, Frames.size()).second)
    Frames.push_back(Variable);
}

const CallExpr *acre::ast::arenaCall(const VarDecl *Variable) {
  const auto *Call =
      Variable->getInit() ? dyn_cast<CallExpr>(Variable->getInit()->IgnoreParenCasts()) : nullptr;
  llvm::StringRef Name = Call ? libraryFunction(Call) : "";
  return Name == "acre_scope_enter" || Name == "acre_scope_open" ? Call : nullptr;
}

const Expr *acre::ast::keyOfArena(const VarDecl *Variable) {
  const CallExpr *Call = arenaCall(Variable);
  return Call && libraryFunction(Call) == "acre_scope_open" && Call->getNumArgs() > 1
             ? Call->getArg(1)
             : nullptr;
}

const Expr *acre::ast::aliasedBy(const VarDecl *Variable) {
  const auto *Call =
      Variable->getInit() ? dyn_cast<CallExpr>(Variable->getInit()->IgnoreParenCasts()) : nullptr;
  return Call && isAliasCall(Call) ? Call->getArg(0) : nullptr;
}

void FollowedVariables::add(const VarDecl *Variable) {
  if (isRegionHandle(Variable->getType()) && arenaCall(Variable))
    Arenas.push_back(Variable);
  if (HasAliases && aliasedBy(Variable))
    Aliases.push_back(Variable);
  if (!isSlotType(Variable->getType()) &&
      hasUniqueSlots(Variable->getASTContext(), Variable->getType())) {
    addFrame(Variable);
  } else if (HasAliases &&
             (Variable->getType()->isRecordType() || Variable->getType()->isArrayType())) {
    addFrame(Variable); // may hold pointers to what an alias lends
    OpenFrames.insert(Variable);
  }
  if (!isSlotType(Variable->getType()) || isRegionHandle(Variable->getType()))
    return;
  if (isOwning(Variable->getType())) {
    if (OwnerIndex.try_emplace(Variable, Owners.size()).second)
      Owners.push_back(Variable);
    return;
  }
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(Variable))
    Parameters.push_back(Parameter);
  if (Only && !Only->Pointers.contains(Variable))
    return;
  if (!isAddressTaken(Variable) && BorrowerIndex.try_emplace(Variable, Borrowers.size()).second)
    Borrowers.push_back(Variable);
}

std::optional<unsigned> FollowedVariables::find(const Index &In, const VarDecl *Variable) {
  auto Found = In.find(Variable);
  return Found == In.end() ? std::nullopt : std::optional(Found->second);
}

std::optional<unsigned> Variables::ownerOfRoot(unsigned Root) const {
  unsigned First = 1 + Parameters.size();
  return Root < First || Root >= firstArenaRoot() ? std::nullopt : std::optional(Root - First);
}

std::optional<unsigned> Variables::rootOfArena(const VarDecl *Variable) const {
  for (unsigned I = 0; I != Arenas.size(); ++I)
    if (Arenas[I] == Variable)
      return rootOfArena(I);
  return std::nullopt;
}

std::optional<unsigned> Variables::rootOfAlias(const VarDecl *Variable) const {
  const auto *Found = llvm::find(Aliases, Variable);
  return Found == Aliases.end() ? std::nullopt
                                : std::optional(rootOfAlias(Found - Aliases.begin()));
}

std::optional<unsigned> Variables::rootOfFrame(const VarDecl *Variable) const {
  std::optional<unsigned> Index = find(FrameIndex, Variable);
  return Index ? std::optional(firstFrameRoot() + *Index) : std::nullopt;
}

std::optional<unsigned> Variables::rootOfUnnamed(const Expr *Object) const {
  const auto *Found = llvm::find(Unnamed, Object);
  return Found == Unnamed.end()
             ? std::nullopt
             : std::optional(firstFrameRoot() + Frames.size() + (Found - Unnamed.begin()));
}

const Expr *Variables::unnamed(unsigned Root) const {
  unsigned First = firstFrameRoot() + Frames.size();
  return Root < First ? nullptr : Unnamed[Root - First];
}

unsigned Variables::unnamedKind(unsigned Root) const {
  const Expr *Object = unnamed(Root);
  return !Object ? 0 : isa<CompoundLiteralExpr>(Object) ? 1 : 2;
}

llvm::SmallBitVector Variables::arenaRoots() const {
  llvm::SmallBitVector Roots(rootCount());
  Roots.set(firstArenaRoot(), firstAliasRoot());
  return Roots;
}

std::optional<unsigned> Variables::rootOfParameter(const VarDecl *Variable) const {
  for (unsigned I = 0; I != Parameters.size(); ++I)
    if (Parameters[I] == Variable)
      return I + 1;
  return std::nullopt;
}

const ParmVarDecl *Variables::parameterOfRoot(unsigned Root) const {
  return Root >= 1 && Root <= Parameters.size() ? Parameters[Root - 1] : nullptr;
}

bool Variables::isExclusive(unsigned Root) const {
  const ParmVarDecl *Parameter = parameterOfRoot(Root);
  if (isFrame(Root))
    return !unnamedKind(Root) && !OpenFrames.contains(variableOfRoot(Root));
  return Root != SharedRoot && !isArena(Root) &&
         (!Parameter || isAlone(Parameter) ||
          (disciplineOf(Parameter->getType()) == Discipline::Borrowed &&
           !isLentReference(Parameter->getType())));
}

const VarDecl *Variables::variableOfRoot(unsigned Root) const {
  if (isArena(Root))
    return Arenas[arenaOfRoot(Root)];
  if (isAlias(Root))
    return Aliases[aliasOfRoot(Root)];
  if (isFrame(Root))
    return unnamedKind(Root) ? nullptr : Frames[Root - firstFrameRoot()];
  std::optional<unsigned> Owner = ownerOfRoot(Root);
  return Owner ? Owners[*Owner] : parameterOfRoot(Root);
}
