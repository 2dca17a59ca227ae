// SPDX-License-Identifier: MIT
//===- CheckBodies.cpp - What bodies and initializers do -----------------===//

#include "plugin/Annotations.h"
#include "plugin/Checks.h"
#include "plugin/Inheritance.h"
#include "plugin/Statements.h"
#include "plugin/ownership/Library.h"
#include "plugin/ownership/Variables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using namespace acre;
using namespace acre::ast;

std::string Checks::print(QualType Type) const {
  return "'" + printType(Type, Context.getPrintingPolicy()) + "'";
}

/// Whether an annotation can have been read: without the attribute's name in the source there is
/// none.
static bool mayHaveAnnotations(ASTContext &Context, Preprocessor &Input) {
  IdentifierTable &Names = Input.getIdentifierTable();
  return Context.getExternalSource() || Names.find(WordAttributeName) != Names.end();
}

bool Checks::areAnnotationsNew() {
  // Where only the first with these words makes a type, the next may be in any declaration.
  if (!acre::IsWordTypeOfItsPlace && HasAnnotatedTypes)
    return true;
  llvm::ArrayRef<Type *> All = Context.getTypes();
  HasAnnotatedTypes = llvm::any_of(All.drop_front(TypesSeen), [](const Type *Each) {
    const auto *Attributed = dyn_cast<WordType>(Each);
    return Attributed && isa_and_nonnull<WordAttr>(Attributed->getAttr());
  });
  TypesSeen = All.size();
  return HasAnnotatedTypes || Context.getExternalSource();
}

/// Warns of an allocator that stands in the place of the C library's.  One that looks that up hands
/// on what it gives.
static void checkOwnMalloc(const FunctionDecl *Defined, Preprocessor &Input, Diagnostics &Reports) {
  const IdentifierInfo *Name = Defined->getIdentifier();
  if (!Name || !Name->isStr("malloc") || !Defined->isExternallyVisible() ||
      !Reports.isEnabled(Diag::OwnMalloc, Defined->getLocation()))
    return;
  IdentifierTable &Names = Input.getIdentifierTable();
  for (llvm::StringRef Next : {"dlsym", "dlvsym", "__libc_malloc"})
    if (Names.find(Next) != Names.end())
      return;
  Reports.report(Diag::OwnMalloc, Defined->getLocation());
}

void Checks::check(Decl *Declaration, const Evaluated &Body) {
  HasAnnotations = HasAnnotations || mayHaveAnnotations(Context, Input);
  IsBodyWritten =
      areAnnotationsNew() || Reports.isEnabled(Diag::PackedPointer, Declaration->getLocation());
  if (Declaration->isInvalidDecl())
    return;
  auto *Named = dyn_cast<FunctionDecl>(Declaration);
  auto HasAttributes = [](const Decl *Each) { return Each->hasAttrs(); };
  if (Named && !IsBodyWritten && !Named->hasAttrs() &&
      llvm::none_of(Named->parameters(), HasAttributes)) {
    // A declaration without a word of its own may still have annotations, by a typedef.
    checkSignature(Named);
    checkRedeclaration(Named);
  } else if (HasAnnotations || IsBodyWritten) {
    checkWritten(Declaration);
  }
  if (auto *Variable = dyn_cast<VarDecl>(Declaration)) {
    Function = nullptr;
    checkVariable(Variable);
  } else if (auto *Defined = dyn_cast<FunctionDecl>(Declaration)) {
    if (!Defined->doesThisDeclarationHaveABody() || !Defined->getBody())
      return;
    checkOwnMalloc(Defined, Input, Reports);
    checkBody(Defined, Body);
  }
}

void Checks::reportNamed(Diag Kind, SourceLocation At, const NamedDecl *Named) {
  Reports.report(Kind, At) << Named;
  if (Named->getLocation().isValid())
    Reports.note(Named->getLocation(), "%0 is declared here") << Named;
}

void Checks::checkVariable(VarDecl *Variable) {
  const auto *Cleanup = Variable->getAttr<CleanupAttr>();
  if (Cleanup && isDeletesFunction(Cleanup->getFunctionDecl()))
    reportNamed(Diag::CleanupDeletes, Cleanup->getLocation(), Cleanup->getFunctionDecl());
  if (Cleanup && SignaturesOf.of(Cleanup->getFunctionDecl()).hasParameters())
    Reports.report(Diag::SignatureByPointer, Cleanup->getLocation())
        << Cleanup->getFunctionDecl() << unsigned(Uncheckable::Cleanup);
  if (!Variable->getInit() || Variable->isInvalidDecl())
    return;
  // The flow analysis does not see what is there when the program starts.
  IsStatic = !Variable->hasLocalStorage() &&
             !(Variable->isStaticLocal() && isa<InitListExpr>(Variable->getInit()));
  checkInitializer(Variable->getInit(), Variable->getType(), Variable);
  IsStatic = false;
  // The walk over bodies meets the initializers of locals by their DeclStmt, and no others.
  if (!Variable->hasLocalStorage())
    for (Stmt *Node : evaluatedIn(Context, Variable->getInit()))
      checkNode(Node);
}

void Checks::checkBody(FunctionDecl *Definition, const Evaluated &Body) {
  Function = Definition;
  MaySetSettled = isProgramStart(Definition) || isDeletesFunction(Definition);
  HasFixedFunction = false;
  ResultType = resultType(Definition);
  Exempt.clear();
  CopyOf.clear();
  Mention = nullptr;
  Settings.clear();
  for (Stmt *Node : Body)
    checkNode(Node);
}

void Checks::checkNode(Stmt *Node) {
  noteMentions(Node);
  switch (Node->getStmtClass()) { // most are one of these
  case Stmt::DeclRefExprClass:
    return checkMention(cast<DeclRefExpr>(Node));
  case Stmt::ImplicitCastExprClass:
    if (cast<ImplicitCastExpr>(Node)->getCastKind() == CK_LValueToRValue)
      return checkSlotRead(cast<ImplicitCastExpr>(Node)->getSubExpr());
    return checkCast(cast<ImplicitCastExpr>(Node));
  case Stmt::CallExprClass:
    return checkCall(cast<CallExpr>(Node));
  case Stmt::BinaryOperatorClass: {
    auto *Operator = cast<BinaryOperator>(Node);
    if (Operator->getOpcode() != BO_Assign)
      return;
    checkSlotSet(Operator->getLHS());
    checkConversion(Conversion::Assign, Operator->getRHS(), Operator->getLHS()->getType(),
                    namedBy(Operator->getLHS()));
    return checkIntegers(Conversion::Assign, Operator->getRHS());
  }
  case Stmt::UnaryOperatorClass:
    if (cast<UnaryOperator>(Node)->isIncrementDecrementOp())
      checkSlotSet(cast<UnaryOperator>(Node)->getSubExpr());
    else if (cast<UnaryOperator>(Node)->getOpcode() == UO_AddrOf)
      checkSharedAddress(cast<UnaryOperator>(Node));
    return;
  case Stmt::CompoundAssignOperatorClass:
    return checkSlotSet(cast<BinaryOperator>(Node)->getLHS());
  case Stmt::MemberExprClass:
  case Stmt::ParenExprClass:
  case Stmt::ArraySubscriptExprClass:
  case Stmt::CompoundStmtClass:
  case Stmt::IfStmtClass:
    return;
  default:
    break;
  }
  if (auto *Call = dyn_cast<CallExpr>(Node)) {
    checkCall(Call);
  } else if (auto *Cast = dyn_cast<CastExpr>(Node)) {
    checkCast(Cast);
  } else if (auto *Choice = dyn_cast<AbstractConditionalOperator>(Node)) {
    if (Choice->getType()->isFunctionPointerType())
      return; // where its value goes decides
    checkConversion(Conversion::Convert, Choice->getTrueExpr(), Choice->getType(), nullptr);
    checkConversion(Conversion::Convert, Choice->getFalseExpr(), Choice->getType(), nullptr);
  } else if (auto *Return = dyn_cast<ReturnStmt>(Node)) {
    checkConversion(Conversion::Return, Return->getRetValue(), ResultType, Function);
    checkIntegers(Conversion::Return, Return->getRetValue());
  } else if (auto *Statement = dyn_cast<DeclStmt>(Node)) {
    for (Decl *Each : Statement->decls())
      checkLocal(Each);
  } else if (auto *Literal = dyn_cast<CompoundLiteralExpr>(Node)) {
    checkInitializer(Literal->getInitializer(), Literal->getType(), nullptr);
  } else if (auto *Assembly = dyn_cast<GCCAsmStmt>(Node)) {
    checkAssembly(Assembly);
  } else if (auto *Block = dyn_cast<BlockExpr>(Node)) {
    checkBlock(Block);
  }
}

void Checks::checkLocal(Decl *Declaration) {
  auto *Variable = dyn_cast<VarDecl>(Declaration);
  // An automatic variable without attributes can only be wrong where the source wrote it.
  if (HasAnnotations && !IsBodyWritten &&
      !(Variable && Variable->hasLocalStorage() && !Variable->hasAttrs()))
    checkWritten(Declaration);
  if (!Variable)
    return;
  if (Variable->getInit() && isSlotType(Variable->getType()))
    if (const auto *Parameter =
            dyn_cast_or_null<ParmVarDecl>(localVariable(Variable->getInit()->IgnoreParenCasts())))
      CopyOf[Variable] = Parameter;
  checkVariable(Variable);
}

void Checks::checkBlock(BlockExpr *Block) {
  QualType Outer = ResultType;
  bool IsOuterBlock = std::exchange(IsInBlock, true);
  ResultType = Block->getFunctionType()->getReturnType();
  for (Stmt *Node : evaluatedIn(Context, Block->getBlockDecl()->getBody()))
    checkNode(Node);
  ResultType = Outer;
  IsInBlock = IsOuterBlock;
}

const Checks::CalleeFacts &Checks::factsOf(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  auto [Found, IsNew] =
      Callees.try_emplace(Callee->getMostRecentDecl()); // says what all before it say
  if (IsNew)
    Found->second = {isDeletesFunction(Callee), isMemoryFunction(Call)};
  return Found->second;
}

/// Whether Call is of a C library function that puts a new object into the unique pointer whose
/// address is this argument.
static bool fillsOwner(const CallExpr *Call, unsigned Index) {
  QualType Slot = Call->getArg(Index)->IgnoreParenImpCasts()->getType()->getPointeeType();
  if (Slot.isNull() || disciplineOf(Slot) != Discipline::Unique)
    return false;
  const std::optional<LibraryEffect> Effect = libraryEffect(Call);
  const auto *Address = dyn_cast<UnaryOperator>(Call->getArg(Index)->IgnoreParenImpCasts());
  const bool IsOfLocal = Address && localVariable(Address->getSubExpr());
  return Effect && (Effect->Filled == Index || (Effect->FilledWhenClosed == Index && IsOfLocal));
}

/// How the parameter of a call through a pointer was written, by the declaration of the pointer.
static TypeLoc writtenParameter(const CallExpr *Call, unsigned Index) {
  const auto *Pointer = dyn_cast_or_null<DeclaratorDecl>(namedBy(Call->getCallee()));
  if (!Pointer || !Pointer->getTypeSourceInfo())
    return TypeLoc();
  // Behind `typeof` there is no written function; a null location has no kind to ask for.
  FunctionTypeLoc Written = Proposals::functionBehind(Pointer->getTypeSourceInfo()->getTypeLoc());
  if (Written.isNull())
    return TypeLoc();
  auto Function = Written.getAs<FunctionProtoTypeLoc>();
  const ParmVarDecl *Parameter =
      Function && Index < Function.getNumParams() ? Function.getParam(Index) : nullptr;
  return Parameter && Parameter->getTypeSourceInfo() ? Parameter->getTypeSourceInfo()->getTypeLoc()
                                                     : TypeLoc();
}

void Checks::checkCall(CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const auto [IsDeletes, TakesAnySlot] =
      Callee ? factsOf(Call) : CalleeFacts{isDeletesCall(Context, Call), false};
  if (IsDeletes || (Callee && Supposed.contains(Callee->getCanonicalDecl())))
    checkDeletes(Call);
  QualType CalleeType = Call->getCallee()->getType();
  if (!CalleeType->getPointeeType().isNull())
    CalleeType = CalleeType->getPointeeType();
  const auto *Prototype = CalleeType->getAs<FunctionProtoType>();
  if (HasAnnotations)
    checkBytes(Call);
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    Expr *Argument = Call->getArg(I);
    if (TakesAnySlot && Argument->IgnoreParenImpCasts()->getType()->isVoidPointerType())
      Exempt.insert(Argument->IgnoreParenImpCasts());
    const ParmVarDecl *Parameter =
        Callee && I < Callee->getNumParams() ? Callee->getParamDecl(I) : nullptr;
    QualType To = Parameter                                    ? Parameter->getType()
                  : Prototype && I < Prototype->getNumParams() ? Prototype->getParamType(I)
                                                               : QualType();
    if (HasAnnotations)
      exemptSlot(Call, I, To);
    // makecontext calls functions with parameters, which are cast for that.
    if (auto *Cast = dyn_cast<ExplicitCastExpr>(Argument->IgnoreParenImpCasts());
        Cast && isStartOrExitHandler(Parameter) &&
        !compareAnnotations(Context, ast::writtenType(Context, Cast->getSubExpr()), To)
             .IsSlotChanged)
      Exempt.insert(Cast);
    if (To.isNull() || (TakesAnySlot && To->isVoidPointerType()) || fillsOwner(Call, I))
      continue;
    checkConversion(Conversion::Pass, Argument, To, Parameter,
                    Parameter ? TypeLoc() : writtenParameter(Call, I));
    checkIntegers(Conversion::Pass, Argument);
  }
}

void Checks::checkDeletes(CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Function || isProgramStart(Function) || isDeletesFunction(Function))
    return;
  // From here on its callers are told too: each of them has to say it.
  Supposed.insert(Function->getCanonicalDecl());
  std::string Name = Callee ? "'" + Callee->getNameAsString() + "'" : "";
  Reports.report(Diag::CallNeedsDeletes, Call->getExprLoc())
      << unsigned(Callee != nullptr) << Name << Function << Call->getSourceRange()
      << llvm::ArrayRef(Words.deletesOn(Function));
  if (HasFixedFunction)
    return;
  HasFixedFunction = true;
  for (const FunctionDecl *Each : Function->redecls())
    if (Each != Function && !Each->isImplicit())
      Reports.note(Each->getLocation(), "this declaration of %0 needs 'deletes' too")
          << Each << llvm::ArrayRef(Words.deletesOn(Each));
}

void Checks::checkCast(CastExpr *Cast) {
  auto *Explicit = dyn_cast<ExplicitCastExpr>(Cast);
  bool IsExempt = Explicit && Exempt.contains(Explicit);
  if (Cast->getCastKind() == CK_IntegralToPointer && !IsExempt &&
      Reports.isEnabled(Diag::IntToPointer, Cast->getExprLoc()) &&
      !Cast->getSubExpr()->isEvaluatable(Context))
    Reports.report(Diag::IntToPointer, Cast->getExprLoc())
        << print(Cast->getSubExpr()->getType()) << Cast->getSourceRange();
  if (Explicit && !IsExempt)
    checkConversion(Conversion::Cast, Explicit->getSubExpr(), Explicit->getTypeAsWritten(), nullptr,
                    Explicit->getTypeInfoAsWritten()->getTypeLoc());
}

/// Operands of assembly, which the walk over a body leaves out.
void Checks::checkOperand(Stmt *Operand) {
  noteMentions(Operand);
  if (auto *Reference = dyn_cast<DeclRefExpr>(Operand))
    checkMention(Reference);
  for (Stmt *Child : Operand->children())
    if (Child)
      checkOperand(Child);
}

void Checks::checkAssembly(GCCAsmStmt *Assembly) {
  for (Stmt *Operand : Assembly->children())
    checkOperand(Operand);
  for (unsigned I = 0; I != Assembly->getNumOutputs(); ++I) {
    const Expr *Output = Assembly->getOutputExpr(I);
    TargetInfo::ConstraintInfo Info(Assembly->getOutputConstraint(I), Assembly->getOutputName(I));
    if (!Context.getTargetInfo().validateOutputConstraint(Info))
      continue;
    bool IsMemory = Info.allowsMemory() && !Info.allowsRegister();
    if (IsMemory && isSlotType(Output->getType()) && !isLocalVariable(Output) &&
        Reports.isEnabled(Diag::AsmStoresPointer, Output->getExprLoc()))
      Reports.report(Diag::AsmStoresPointer, Output->getExprLoc())
          << print(Output->getType()) << Output->getSourceRange();
  }
}
