// SPDX-License-Identifier: MIT
//===- Inheritance.cpp - Words that a declaration need not repeat ---------===//

#include "plugin/Inheritance.h"
#include "plugin/Annotations.h"
#include "plugin/Checks.h"
#include "plugin/Signature.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;
using namespace acre;
using namespace acre::ast;

namespace {
/// The kinds of words in a type, or in several.
struct Said {
  bool Owner = false; ///< who owns what: unique, borrowed, refcounted, acre_out
  bool Other = false; ///< how a slot is counted, or where it points
};

/// Adds what Type says, and what it points to, of its elements, its parameters and its result; what
/// the names of types say only if it IsWhole.
void collect(QualType Type, bool IsWhole, Said &Into) {
  if (const auto *Attributed = dyn_cast<WordType>(Type.getTypePtr())) {
    llvm::StringRef Word = annotationWord(Attributed->getAttr());
    Into.Owner |= disciplineOfWord(Word) != Discipline::None || Word == OutWord;
    Into.Other |= ruleOfWord(Word) != Rule::Plain || isRegionWord(Word);
    return collect(modifiedType(Attributed), IsWhole, Into);
  }
  if (const auto *Function = dyn_cast<FunctionProtoType>(Type.getTypePtr()))
    for (QualType Each : Function->param_types())
      collect(Each, IsWhole, Into);
  QualType Next = Type->getLocallyUnqualifiedSingleStepDesugaredType();
  if (const auto *Function = dyn_cast<FunctionType>(Type.getTypePtr()))
    Next = Function->getReturnType();
  else if (const auto *Array = dyn_cast<ArrayType>(Type.getTypePtr()))
    Next = Array->getElementType();
  else if (const auto *Atomic = dyn_cast<AtomicType>(Type.getTypePtr()))
    Next = Atomic->getValueType();
  else if (isa<PointerType, BlockPointerType>(Type.getTypePtr()))
    Next = Type->getPointeeType();
  if (Next.getTypePtr() != Type.getTypePtr() && (IsWhole || !isa<TypedefType>(Type.getTypePtr())))
    collect(Next, IsWhole, Into);
}

QualType asWritten(const VarDecl *Declared) {
  const TypeSourceInfo *Written = Declared->getTypeSourceInfo();
  return Written ? Written->getType() : Declared->getType();
}

/// IsWhole: by the names of types too.
Said saidBy(const VarDecl *Declared, bool IsWhole) {
  Said Words;
  collect(asWritten(Declared), IsWhole, Words);
  return Words;
}

Said saidBy(const FunctionDecl *Declared, bool IsWhole) {
  Said Words;
  collect(writtenType(Declared), IsWhole, Words);
  // An old-style definition has its parameters, but not in its type.
  for (const ParmVarDecl *Each : Declared->parameters())
    collect(asWritten(Each), IsWhole, Words);
  return Words;
}

/// Whether a later type may become an earlier one: what names of types say in it is said there too.
bool canBecome(const ASTContext &Context, QualType Later, QualType Earlier) {
  Said Words;
  collect(Later, true, Words);
  return Context.hasSameUnqualifiedType(Later, Earlier) && !Earlier->isVariablyModifiedType() &&
         (Earlier.getQualifiers().empty() || Earlier.getQualifiers() == Later.getQualifiers()) &&
         (!(Words.Owner || Words.Other) || !areAnnotatedDifferently(Context, Later, Earlier));
}

bool canBecome(const VarDecl *Later, const VarDecl *Earlier) {
  return canBecome(Later->getASTContext(), asWritten(Later), Earlier->getType());
}

bool canBecome(const FunctionDecl *Later, const FunctionDecl *Earlier) {
  const auto *Now = writtenType(Later)->getAs<FunctionType>();
  const auto *Before = writtenType(Earlier)->getAs<FunctionType>();
  return Now && Before && Later->getNumParams() == Earlier->getNumParams() &&
         canBecome(Later->getASTContext(), Now->getReturnType(), Before->getReturnType()) &&
         llvm::all_of_zip(Later->parameters(), Earlier->parameters(),
                          [](const ParmVarDecl *One, const ParmVarDecl *Other) {
                            return canBecome(One->getASTContext(), One->getType(),
                                             Other->getType());
                          });
}

template <typename Declaration> const Declaration *findWords(const Declaration *Declared) {
  const auto SaysNothing = [](const Said &Words) { return !Words.Owner && !Words.Other; };
  if (!Declared->getPreviousDecl() || Declared->isInvalidDecl() || Declared->isLocalExternDecl() ||
      !SaysNothing(saidBy(Declared, false)))
    return Declared;
  for (const Declaration *Each = Declared->getPreviousDecl(); Each; Each = Each->getPreviousDecl())
    if (const Said Words = saidBy(Each, true); !SaysNothing(Words))
      return !Words.Other && !Each->isInvalidDecl() && canBecome(Declared, Each) ? Each : Declared;
  return Declared;
}

/// Derives the types of expressions anew, as Sema did, where words came into what they name.
class Retyping : public RecursiveASTVisitor<Retyping> {
public:
  explicit Retyping(FunctionDecl *Function)
      : Context(Function->getASTContext()), Function(Function) {}

  bool shouldTraversePostOrder() const { return true; }

  bool VisitExpr(Expr *Node) {
    QualType Type = derived(Node);
    if (!Type.isNull() && Context.hasSameType(Type, Node->getType()))
      Node->setType(Type);
    return true;
  }

  /// __auto_type was deduced from what has words now.
  bool VisitVarDecl(VarDecl *Variable) {
    const Expr *Value = Variable->getInit();
    if (Value && !isa<ParmVarDecl>(Variable) && Variable->getType()->getContainedAutoType() &&
        Context.hasSameUnqualifiedType(Value->getType(), Variable->getType()))
      Variable->setType(Context.getQualifiedType(Value->getType().getUnqualifiedType(),
                                                 Variable->getType().getQualifiers()));
    return true;
  }

private:
  QualType derived(const Expr *Node) const;
  QualType derivedByOperator(const UnaryOperator *Operator) const;
  QualType derivedByOperator(const BinaryOperator *Operator) const;
  QualType derivedByCast(const ImplicitCastExpr *Cast) const;
  QualType derivedByCall(const CallExpr *Call) const;
  QualType commonOf(const Expr *One, const Expr *Other) const;
  QualType lastOf(const StmtExpr *Block) const;

  ASTContext &Context;
  FunctionDecl *Function;
};

QualType Retyping::derived(const Expr *Node) const {
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Node))
    return isa<VarDecl, FunctionDecl>(Reference->getDecl()) ? Reference->getDecl()->getType()
                                                            : QualType();
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Node))
    return derivedByCast(Cast);
  if (const auto *Operator = dyn_cast<UnaryOperator>(Node))
    return derivedByOperator(Operator);
  if (const auto *Operator = dyn_cast<BinaryOperator>(Node))
    return derivedByOperator(Operator);
  if (const auto *Inner = dyn_cast<ParenExpr>(Node))
    return Inner->getSubExpr()->getType();
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Node))
    return Element->getBase()->getType()->getPointeeType();
  if (const auto *Call = dyn_cast<CallExpr>(Node))
    return derivedByCall(Call);
  if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(Node))
    return commonOf(Choice->getTrueExpr(), Choice->getFalseExpr());
  if (const auto *Known = dyn_cast<OpaqueValueExpr>(Node))
    return Known->getSourceExpr() ? Known->getSourceExpr()->getType() : QualType();
  if (const auto *Choice = dyn_cast<ChooseExpr>(Node))
    return Choice->getChosenSubExpr()->getType();
  if (const auto *Choice = dyn_cast<GenericSelectionExpr>(Node))
    return Choice->getResultExpr()->getType();
  if (const auto *Block = dyn_cast<StmtExpr>(Node))
    return lastOf(Block);
  return {};
}

QualType Retyping::derivedByOperator(const UnaryOperator *Operator) const {
  const QualType Operand = Operator->getSubExpr()->getType();
  switch (Operator->getOpcode()) {
  case UO_AddrOf:
    return Context.getPointerType(Operand);
  case UO_Deref:
    return Operand->getPointeeType();
  case UO_PostInc:
  case UO_PostDec:
  case UO_PreInc:
  case UO_PreDec:
    return Operand.getUnqualifiedType();
  case UO_Extension:
    return Operand;
  default:
    return {};
  }
}

QualType Retyping::derivedByOperator(const BinaryOperator *Operator) const {
  if (Operator->isAssignmentOp())
    return Operator->getLHS()->getType().getUnqualifiedType();
  if (Operator->isCommaOp())
    return Operator->getRHS()->getType();
  if (!Operator->getType()->isPointerType())
    return {};
  const Expr *Pointer =
      Operator->getLHS()->getType()->isPointerType() ? Operator->getLHS() : Operator->getRHS();
  return Pointer->getType();
}

QualType Retyping::derivedByCast(const ImplicitCastExpr *Cast) const {
  const QualType Operand = Cast->getSubExpr()->getType();
  switch (Cast->getCastKind()) {
  case CK_LValueToRValue:
    return Operand.getUnqualifiedType();
  case CK_ArrayToPointerDecay:
    return Operand->isArrayType() ? Context.getArrayDecayedType(Operand) : QualType();
  case CK_FunctionToPointerDecay:
    return Context.getPointerType(Operand);
  default:
    return {};
  }
}

/// Only of this function and by a pointer: nothing else can have been called by what has words now,
/// and what a builtin gives is not always what its type says.
QualType Retyping::derivedByCall(const CallExpr *Call) const {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (Callee && Callee->getCanonicalDecl() != Function->getCanonicalDecl())
    return {};
  QualType Called = Callee ? Function->getType() : Call->getCallee()->getType()->getPointeeType();
  const auto *Type = Called.isNull() ? nullptr : Called->getAs<FunctionType>();
  return Type ? Type->getCallResultType(Context) : QualType();
}

QualType Retyping::commonOf(const Expr *One, const Expr *Other) const {
  if (isNullPointer(Context, One))
    return Other->getType();
  if (isNullPointer(Context, Other))
    return One->getType();
  return Context.hasSameType(One->getType(), Other->getType())
             ? Context.getCommonSugaredType(One->getType(), Other->getType(), true)
             : QualType();
}

QualType Retyping::lastOf(const StmtExpr *Block) const {
  const CompoundStmt *Body = Block->getSubStmt();
  const auto *Last = Body->body_empty() ? nullptr : dyn_cast<Expr>(Body->body_back());
  return Last ? Last->getType().getUnqualifiedType() : QualType();
}

/// Type as that of Declared, which it canBecome.  Never without qualifiers that it has: the words
/// stand around those, and would go with them.
QualType withQualifiersOf(const VarDecl *Declared, QualType Type) {
  const Qualifiers Wanted = Declared->getType().getQualifiers();
  return Type.getQualifiers() == Wanted ? Type
                                        : Declared->getASTContext().getQualifiedType(Type, Wanted);
}
} // namespace

const FunctionDecl *ast::wordsOf(const FunctionDecl *Declared) { return findWords(Declared); }
const VarDecl *ast::wordsOf(const VarDecl *Declared) { return findWords(Declared); }

void ast::inheritWords(FunctionDecl *Declared) {
  const FunctionDecl *Source = wordsOf(Declared);
  if (Source == Declared)
    return;
  for (auto [Later, Earlier] : llvm::zip_equal(Declared->parameters(), Source->parameters()))
    Later->setType(withQualifiersOf(Later, Earlier->getType()));
  if (const auto *Type = Declared->getType()->getAs<FunctionProtoType>()) {
    const auto *Words = writtenType(Source)->getAs<FunctionProtoType>();
    if (Words)
      Declared->setType(Declared->getASTContext().getFunctionType(
          Words->getReturnType(), Words->getParamTypes(), Type->getExtProtoInfo()));
  }
  if (Declared->doesThisDeclarationHaveABody())
    Retyping(Declared).TraverseStmt(Declared->getBody());
}

void ast::inheritWords(VarDecl *Declared) {
  if (const VarDecl *Source = wordsOf(Declared); Source != Declared)
    Declared->setType(withQualifiersOf(Declared, Source->getType()));
}

QualType ast::resultType(const FunctionDecl *Declared) {
  const auto *Type = writtenType(wordsOf(Declared))->getAs<FunctionType>();
  return Type ? Type->getReturnType() : QualType();
}
