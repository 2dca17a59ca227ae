// SPDX-License-Identifier: MIT
//===- Marking.cpp - Leaves in a body what the IR would forget ------------===//

#include "plugin/Marking.h"
#include "plugin/Owned.h"
#include "plugin/Statements.h"
#include "shared/markers.h"
#include "versions/Clang.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace acre;
using namespace acre::ast;

/// Memory that a void * argument can name, and that has an address.
static bool isMarkable(const Expr *Lvalue) {
  if (Lvalue->getType().hasAddressSpace() || Lvalue->getObjectKind() == OK_VectorComponent)
    return false;
  const auto *Reference = dyn_cast<DeclRefExpr>(Lvalue->IgnoreParens());
  const auto *Variable = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  return !Variable || Variable->getStorageClass() != SC_Register || Variable->hasLocalStorage();
}

/// Whether Place, an object or a pointer to one, is written as part of a packed structure: the type
/// does not say then how the object is aligned.
static bool isInPacked(const Expr *Place) {
  for (;;) {
    Place = Place->IgnoreParenCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(Place)) {
      const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      if (Field && (Field->hasAttr<PackedAttr>() || Field->getParent()->hasAttr<PackedAttr>() ||
                    Field->getParent()->hasAttr<MaxFieldAlignmentAttr>()))
        return true;
      if (Member->isArrow())
        return false;
      Place = Member->getBase();
    } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Place)) {
      Place = Element->getBase();
    } else if (const auto *Address = dyn_cast<UnaryOperator>(Place);
               Address && (Address->getOpcode() == UO_AddrOf || Address->getOpcode() == UO_Deref)) {
      Place = Address->getSubExpr();
    } else if (const auto *Sum = dyn_cast<BinaryOperator>(Place); Sum && Sum->isAdditiveOp()) {
      Place = Sum->getLHS()->getType()->isIntegerType() ? Sum->getRHS() : Sum->getLHS();
    } else {
      return false;
    }
  }
}

static bool isTraditionalLocal(const Expr *Lvalue) {
  return isLocalVariable(Lvalue) && slotRule(Lvalue->getType()) == Rule::Traditional;
}

std::string Marking::siteAt(const Expr *At) {
  return Build.site(At->getExprLoc(), Holder->getName());
}

void Marking::mark(FunctionDecl *Definition, const Evaluated &Body) {
  if (!Done.insert(Definition).second || !Definition->getBody())
    return;
  Function = Definition;
  Holder = Definition;
  IsResultTraditional = returnsTraditional(Definition);
  OwnSignature = SignaturesOf.of(Definition);
  SmallVector<Stmt *, 4> Sizes;
  for (ParmVarDecl *Parameter : Definition->parameters()) {
    appendArraySizes(Parameter->getOriginalType(), Sizes);
    visitLocal(Parameter);
  }
  for (Stmt *Size : Sizes)
    for (Stmt *Node : evaluatedIn(Context, Size))
      visit(Node);
  for (Stmt *Node : Body)
    visit(Node);
  markEntry(Definition);
}

/// Whether Sum is what ACRE_TYPE and ACRE_TYPE_OF_SIZE write: an array's address, and a product
/// that says the type.
static bool isTypeRequest(const BinaryOperator *Sum) {
  const auto *Reference = dyn_cast<DeclRefExpr>(Sum->getLHS()->IgnoreImpCasts());
  return Reference && Sum->getOpcode() == BO_Add && Reference->getDecl()->getIdentifier() &&
         Reference->getDecl()->getName() == markers::Type && isa<BinaryOperator>(Sum->getRHS());
}

void Marking::markInitializer(VarDecl *Variable) {
  Holder = Variable;
  visitStatic(Variable);
}

void Marking::visitStatic(VarDecl *Variable) {
  visitConstant(Variable->getInit());
  QualType Type = Context.getBaseElementType(Variable->getType());
  if (!Variable->isThisDeclarationADefinition() || !Type->isRecordType())
    return;
  constexpr size_t FieldsBeforeSlots = 5;
  if (std::string Layout = LayoutsOf.describe(Type, true);
      llvm::StringRef(Layout).count(markers::FieldSeparator) >= FieldsBeforeSlots)
    Build.annotate(Variable, Layout);
}

void Marking::visitConstant(Expr *Initializer) {
  for (Stmt *Node : evaluatedIn(Context, Initializer))
    if (auto *Reference = dyn_cast<DeclRefExpr>(Node))
      visitMention(Reference);
    else if (auto *Sum = dyn_cast<BinaryOperator>(Node); Sum && isTypeRequest(Sum))
      visitTypeRequest(Sum);
    else if (auto *Literal = dyn_cast<CompoundLiteralExpr>(Node);
             Literal && hasStaticStorage(Literal))
      visitConstant(Literal->getInitializer());
    else if (auto *Constant = dyn_cast<ConstantExpr>(Node))
      visitConstant(Constant->getSubExpr());
}

/// The variable of Definition that names the region of Item.
static const VarDecl *regionOf(const FunctionDecl *Definition, const SignatureItem &Item) {
  return Item.Variable ? Item.Variable : Definition->getParamDecl(Item.Parameter);
}

void Marking::markEntry(FunctionDecl *Definition) {
  if (!OwnSignature.hasParameters())
    return;
  auto *Body = cast<CompoundStmt>(Definition->getBody());
  SourceLocation Start = Body->getBeginLoc();
  SmallVector<Stmt *, 16> Statements;
  for (const SignatureItem &Item : OwnSignature.Items)
    if (Item.Subject != SignatureItem::Result)
      Statements.push_back(
          Build.knownRegion(Build.read(Definition->getParamDecl(Item.Subject), Start),
                            Build.read(regionOf(Definition, Item), Start), Item.kind()));
  Statements.append(Body->body_begin(), Body->body_end());
  FPOptionsOverride Features =
      Body->hasStoredFPFeatures() ? Body->getStoredFPFeatures() : FPOptionsOverride();
  Definition->setBody(CompoundStmt::Create(Context, Statements, Features, Body->getLBracLoc(),
                                           Body->getRBracLoc()));
}

void Marking::visit(Stmt *Node) {
  if (auto *Operator = dyn_cast<BinaryOperator>(Node)) {
    if (Operator->isAssignmentOp())
      visitAssignment(Operator);
    else if (isTypeRequest(Operator))
      visitTypeRequest(Operator);
  } else if (auto *Step = dyn_cast<UnaryOperator>(Node)) {
    if (Step->isIncrementDecrementOp())
      Step->setSubExpr(markWritten(Step->getSubExpr()));
    else if (Step->getOpcode() == UO_AddrOf)
      Step->setSubExpr(markLiteral(Step->getSubExpr()));
  } else if (auto *Conversion = dyn_cast<CastExpr>(Node)) {
    visitConversion(Conversion);
  } else if (auto *Member = dyn_cast<MemberExpr>(Node)) {
    if (!Member->isArrow())
      Member->setBase(markLiteral(Member->getBase()));
  } else if (auto *Call = dyn_cast<CallExpr>(Node)) {
    visitCall(Call);
  } else if (auto *Operation = dyn_cast<AtomicExpr>(Node)) {
    visitAtomic(Operation);
  } else if (auto *Statement = dyn_cast<DeclStmt>(Node)) {
    visitDeclarations(Statement);
  } else if (auto *Return = dyn_cast<ReturnStmt>(Node)) {
    visitReturn(Return);
  } else if (auto *Block = dyn_cast<BlockExpr>(Node)) {
    visitBlock(Block);
  } else if (auto *Literal = dyn_cast<CompoundLiteralExpr>(Node)) {
    if (hasStaticStorage(Literal))
      visitConstant(Literal->getInitializer());
  } else if (auto *Reference = dyn_cast<DeclRefExpr>(Node)) {
    visitMention(Reference);
  }
}

void Marking::visitConversion(CastExpr *Conversion) {
  Expr *From = Conversion->getSubExpr();
  const auto *Call = dyn_cast<CallExpr>(From->IgnoreParens());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (Callee && Conversion->getType()->isPointerType() && pooledFunction(Callee))
    Pointees[Call] = Conversion->getType()->getPointeeType();
  if (Conversion->getCastKind() == CK_LValueToRValue)
    Conversion->setSubExpr(markRead(From));
  else if (Conversion->getCastKind() == CK_ArrayToPointerDecay)
    Conversion->setSubExpr(markLiteral(From));
}

/// Numbers that nobody keeps other data in: not bytes, and not words.
static bool isNumber(const ASTContext &Context, QualType Type) {
  return !Type.isNull() && Type->isArithmeticType() && !Type->isIncompleteType() &&
         !Type->isAnyCharacterType() &&
         (Type->isFloatingType() ||
          Context.getTypeSize(Type) < Context.getTypeSize(Context.VoidPtrTy));
}

/// Whether a struct holds such numbers only.
static bool isRecordOfNumbers(const ASTContext &Context, QualType Type) {
  const auto *Record = Type->getAsRecordDecl();
  if (!Record || !Record->isCompleteDefinition() || Record->isUnion() || Record->field_empty())
    return false;
  return llvm::all_of(Record->fields(), [&](const FieldDecl *Field) {
    QualType Element = Context.getBaseElementType(Field->getType());
    return isNumber(Context, Element) || isRecordOfNumbers(Context, Element);
  });
}

Expr *Marking::markRead(Expr *Lvalue) {
  QualType Type = Lvalue->getType();
  if (isLocalVariable(Lvalue) || !isMarkable(Lvalue) || Build.isMarker(Lvalue))
    return Lvalue;
  // What another member has stored there may be anywhere.
  if (Rule SlotRule = slotRule(Type); SlotRule != Rule::Plain && !isRegionHandle(Type))
    return isInUnion(Lvalue, &Layouts::hasMixedPointers) ? Lvalue
                                                         : Build.slot(Lvalue, SlotRule, "");
  if (settledVariable(Lvalue))
    return Build.setByDeletes(Lvalue);
  // A copy reads the slots of its source, so the source is marked like a slot that is read.
  if (!Type->isRecordType() || Type.isVolatileQualified() ||
      isa<CompoundLiteralExpr>(Lvalue->IgnoreParens()) || !LayoutsOf.hasAnnotatedSlots(Type))
    return Lvalue;
  std::string Layout = LayoutsOf.describe(Type);
  return Layout.empty() ? Lvalue : Build.record(Lvalue, Layout, "");
}

Expr *Marking::markWritten(Expr *Lvalue) {
  QualType Type = Lvalue->getType();
  if (Build.isMarker(Lvalue))
    return Lvalue;
  if (isSlotType(Type)) {
    Rule SlotRule = layoutRule(Type);
    if (SlotRule == Rule::Plain && settledVariable(Lvalue))
      return Build.setByDeletes(Lvalue);
    if (SlotRule == Rule::Plain || isLocalVariable(Lvalue) || !isMarkable(Lvalue))
      return Lvalue;
    return Build.slot(Lvalue, SlotRule, siteAt(Lvalue));
  }
  if (isMarkable(Lvalue) && LayoutsOf.needsLayout(Type)) {
    std::string Layout = LayoutsOf.describeCopied(Type);
    return Layout.empty() ? Lvalue : Build.record(Lvalue, Layout, siteAt(Lvalue));
  }
  if (!Type->isRecordType())
    return isInPointerUnion(Lvalue) ? markUnionMember(Lvalue) : Lvalue;
  return !isLocalVariable(Lvalue) && isMarkable(Lvalue) ? markRecord(Lvalue) : Lvalue;
}

Expr *Marking::markRecord(Expr *Lvalue) {
  QualType Type = Lvalue->getType();
  // The IR may move numbers as words or bytes, which look like memory of unknown type.
  if (isRecordOfNumbers(Context, Type))
    return isInPointerUnion(Lvalue) ? Lvalue : Build.numbers(Lvalue);
  // Else the types of its members are with the copy where the optimizer wants them, but not what is
  // padding in arrays.
  if ((!IsUntyped && !LayoutsOf.hasPadding(Type)) || Type->isUnionType() ||
      Type.isVolatileQualified() || isInPacked(Lvalue))
    return Lvalue;
  constexpr size_t MostOfPointers = 8; // more are searched together
  std::string Words = LayoutsOf.describeWords(Type, false);
  bool SaysNothing =
      Words.find(markers::WordOfNumbers) == std::string::npos && Words.size() > MostOfPointers;
  return Words.empty() || SaysNothing ? Lvalue : Build.words(Lvalue, Words);
}

Expr *Marking::markUnionMember(Expr *Lvalue) {
  if (!Lvalue->refersToBitField() && !Lvalue->refersToVectorElement())
    return isMarkable(Lvalue) ? Build.unionMember(Lvalue) : Lvalue;
  // A bit-field has no address: the structure that holds it is marked.
  Expr *Inner = Lvalue->IgnoreParens();
  if (auto *Member = dyn_cast<MemberExpr>(Inner)) {
    Expr *Base = Member->getBase();
    Member->setBase(Member->isArrow() ? Build.unionPointer(Base) : Build.unionMember(Base));
  } else if (auto *Element = dyn_cast<ArraySubscriptExpr>(Inner);
             Element && Element->getLHS()->isLValue()) {
    Element->setLHS(markUnionMember(Element->getLHS()));
  } else if (auto *Vector = dyn_cast<ExtVectorElementExpr>(Inner); Vector && !Vector->isArrow()) {
    Vector->setBase(markUnionMember(Vector->getBase()));
  }
  return Lvalue;
}

bool Marking::isInUnion(const Expr *Lvalue, bool (Layouts::*IsIt)(const RecordDecl *)) {
  for (const Expr *Each = Lvalue; Each;) {
    Each = Each->IgnoreParens();
    if (const auto *Member = dyn_cast<MemberExpr>(Each)) {
      const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      if (Field && Field->getParent()->isUnion() && (LayoutsOf.*IsIt)(Field->getParent()))
        return true;
      Each = Member->isArrow() ? nullptr : Member->getBase();
    } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Each)) {
      // The base is an lvalue only if it is a vector; an array decays.
      const auto *Decay = dyn_cast<ImplicitCastExpr>(Element->getBase()->IgnoreParens());
      if (Element->getBase()->isLValue())
        Each = Element->getBase();
      else
        Each =
            Decay && Decay->getCastKind() == CK_ArrayToPointerDecay ? Decay->getSubExpr() : nullptr;
    } else if (const auto *Vector = dyn_cast<ExtVectorElementExpr>(Each)) {
      Each = Vector->isArrow() ? nullptr : Vector->getBase();
    } else if (const auto *Operator = dyn_cast<UnaryOperator>(Each)) {
      bool IsPart = Operator->getOpcode() == UO_Real || Operator->getOpcode() == UO_Imag;
      const auto *Decay = dyn_cast<ImplicitCastExpr>(Operator->getSubExpr()->IgnoreParens());
      bool IsFirst = Operator->getOpcode() == UO_Deref && Decay &&
                     Decay->getCastKind() == CK_ArrayToPointerDecay;
      Each = IsPart ? Operator->getSubExpr() : IsFirst ? Decay->getSubExpr() : nullptr;
    } else {
      return false;
    }
  }
  return false;
}

/// What is declared with the type that Pointer points to: the operand of &, or an array.  Null if
/// there is none.
static const Expr *pointedObject(const Expr *Pointer) {
  Pointer = Pointer->IgnoreParens();
  while (const auto *Conversion = dyn_cast<CastExpr>(Pointer)) {
    Pointer = Conversion->getSubExpr()->IgnoreParens();
    if (Conversion->getCastKind() == CK_ArrayToPointerDecay)
      return Pointer;
  }
  const auto *Address = dyn_cast<UnaryOperator>(Pointer);
  return Address && Address->getOpcode() == UO_AddrOf ? Address->getSubExpr()->IgnoreParens()
                                                      : nullptr;
}

/// Whether Lvalue is an integer as wide as a pointer that is only known by its address: in copies
/// of memory word by word, it may be one.
static bool isAnonymousWord(const ASTContext &Context, const Expr *Lvalue) {
  Lvalue = Lvalue->IgnoreParenImpCasts();
  QualType Type = Lvalue->getType();
  if (!Type->isIntegerType() || Type->isIncompleteType() ||
      Context.getTypeSize(Type) != Context.getTypeSize(Context.VoidPtrTy))
    return false;
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Lvalue))
    return !pointedObject(Element->getBase());
  const auto *Operator = dyn_cast<UnaryOperator>(Lvalue);
  return Operator && Operator->getOpcode() == UO_Deref && !pointedObject(Operator->getSubExpr());
}

void Marking::visitAssignment(BinaryOperator *Assignment) {
  Expr *Target = Assignment->getLHS();
  if (Assignment->getOpcode() == BO_Assign && isAnonymousWord(Context, Target) &&
      isAnonymousWord(Context, Assignment->getRHS()) && isMarkable(Target) &&
      !settledVariable(Target))
    return Assignment->setLHS(Build.unionMember(Target));
  if (Assignment->getOpcode() == BO_Assign && isTraditionalLocal(Target))
    Assignment->setRHS(Build.checkedTraditional(Assignment->getRHS(), siteAt(Assignment)));
  Assignment->setLHS(markWritten(Target));
}

void Marking::visitCall(CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  Called.insert(Call->getCallee()->IgnoreParenImpCasts());
  visitDeletes(Call);
  visitArguments(Call);
  if (const PoolFunction *Pooled = Callee ? pooledFunction(Callee) : nullptr)
    visitPool(Call, *Pooled);
  if (Callee)
    visitSignature(Call, Callee);
  if (IsCollected)
    visitAllocation(Call);
  if (std::optional<unsigned> Index = overwrittenArgument(Call))
    visitOverwrite(Call, *Index);
  else if (unsigned Builtin = Call->getBuiltinCallee();
           Builtin &&
           llvm::StringRef(Context.BuiltinInfo.getName(Builtin)).starts_with("__sync_") &&
           Call->getNumArgs() != 0)
    Call->setArg(0, markPointee(Call->getArg(0)));
}

/// Whether other stacks of the thread go on, which may delete.  Who calls it says so by `deletes`;
/// who does not is taken at its word.
static bool isSwitchOfStacks(const CallExpr *Call, const FunctionDecl *Caller) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  return Callee && Caller && Callee->getIdentifier() && Callee->getName() == "swapcontext" &&
         isDeletesFunction(Caller);
}

void Marking::visitDeletes(CallExpr *Call) {
  if (isDeletesCall(Context, Call) || isSwitchOfStacks(Call, Function))
    Call->setCallee(Build.deletesCallee(Call->getCallee(), siteAt(Call)));
}

/// The type that a size is written for: T in sizeof(T), and in a product with that.  Null if the
/// size is written in another way.
static QualType typeOfSize(const ASTContext &Context, const Expr *Size) {
  Size = Size->IgnoreParenCasts();
  if (const auto *Trait = dyn_cast<UnaryExprOrTypeTraitExpr>(Size))
    return Trait->getKind() == UETT_SizeOf ? Context.getBaseElementType(Trait->getTypeOfArgument())
                                           : QualType();
  const auto *Product = dyn_cast<BinaryOperator>(Size);
  if (!Product || Product->getOpcode() != BO_Mul)
    return QualType();
  QualType Left = typeOfSize(Context, Product->getLHS()),
           Right = typeOfSize(Context, Product->getRHS());
  return Left.isNull() ? Right : Right.isNull() ? Left : QualType();
}

void Marking::visitAllocation(CallExpr *Call) {
  const std::string Name(
      Call->getBuiltinCallee() ? Context.BuiltinInfo.getName(Call->getBuiltinCallee()) : "");
  if ((Name != "malloc" && Name != "calloc") || Build.isMarker(Call->getCallee()))
    return;
  QualType Type = typeOfSize(Context, Call->getArg(Call->getNumArgs() - 1));
  if (Type.isNull() && Name == "calloc")
    Type = typeOfSize(Context, Call->getArg(0));
  // n * sizeof(header) is how an allocator of the program asks for its pool, in which it then puts
  // objects of any type; so only a single structure of numbers is believed to be one.
  const Expr *Size = Call->getArg(Call->getNumArgs() - 1)->IgnoreParenCasts();
  bool IsOne = Name == "malloc" && isa<UnaryExprOrTypeTraitExpr>(Size);
  if (isNumber(Context, Type) || (IsOne && !Type.isNull() && isRecordOfNumbers(Context, Type)))
    Call->setCallee(Build.numbersCallee(Call->getCallee()));
}

/// How markers write the word of a map, and which role OTHER has.
static std::pair<char, std::optional<PoolRole>> poolLetter(PoolWord Word) {
  switch (Word) {
  case PoolWord::Create:
    return {markers::PoolCreate, PoolRole::Parent};
  case PoolWord::Alloc:
  case PoolWord::Bytes:
    return {markers::PoolAlloc, std::nullopt};
  case PoolWord::Copy:
    return {markers::PoolCopy, PoolRole::From};
  case PoolWord::Text:
    return {markers::PoolText, std::nullopt};
  case PoolWord::Release:
    return {markers::PoolRelease, PoolRole::Object};
  case PoolWord::Resize:
    return {markers::PoolResize, PoolRole::Object};
  case PoolWord::Owner:
    return {markers::PoolOwner, PoolRole::Object};
  case PoolWord::Space:
    return {markers::PoolSpace, PoolRole::Object};
  case PoolWord::Total:
    return {markers::PoolTotal, std::nullopt};
  case PoolWord::Empty:
    return {markers::PoolEmpty, std::nullopt};
  case PoolWord::Destroy:
    return {markers::PoolDestroy, std::nullopt};
  case PoolWord::Clear:
    return {markers::PoolClear, std::nullopt};
  case PoolWord::ClearOnly:
    return {markers::PoolClearOnly, std::nullopt};
  case PoolWord::Name:
    return {markers::PoolName, PoolRole::Name};
  case PoolWord::Other:
    break;
  }
  llvm_unreachable("what needs nothing has no marker");
}

static bool givesBytes(const PoolFunction &Callee) {
  return Callee.Word == PoolWord::Bytes || Callee.Word == PoolWord::Text;
}

/// Bytes may become anything later, so that a size in characters says nothing.
QualType Marking::allocatedType(const CallExpr *Call, const PoolFunction &Callee) {
  if (givesBytes(Callee))
    return Context.CharTy;
  QualType Type;
  for (PoolRole Role : {PoolRole::Size, PoolRole::Count})
    if (Type.isNull() && Callee[Role])
      Type = typeOfSize(Context, Call->getArg(*Callee[Role]));
  const QualType Wanted = Pointees.lookup(Call);
  Expr::EvalResult Bytes;
  if (Type.isNull() && !Wanted.isNull() && Wanted->isRecordType() && !Wanted->isIncompleteType() &&
      Call->getArg(*Callee[PoolRole::Size])->EvaluateAsInt(Bytes, Context) &&
      Bytes.Val.getInt() == Context.getTypeSizeInChars(Wanted).getQuantity())
    Type = Wanted;
  return Type.isNull() || Type->isAnyCharacterType() || Type->isVoidType() ? QualType() : Type;
}

void Marking::visitPool(CallExpr *Call, const PoolFunction &Callee) {
  if (Callee.Word == PoolWord::Other || Build.isMarker(Call->getCallee()))
    return;
  auto [Letter, OtherRole] = poolLetter(Callee.Word);
  auto Index = [&](std::optional<PoolRole> Role) {
    return Role && Callee[*Role] ? std::to_string(*Callee[*Role]) : std::string();
  };
  std::string Pool = Index(PoolRole::Pool);
  if (Callee.Word == PoolWord::Create)
    Pool = Callee[PoolRole::Out] ? markers::PoolInPlace + Index(PoolRole::Out)
                                 : std::string(1, markers::PoolOfResult);
  else if (!Callee.Variable.empty())
    Pool = markers::PoolOfVariable + Callee.Variable;
  std::string Align = Index(PoolRole::Align);
  const bool Allocates = Letter == markers::PoolAlloc || Letter == markers::PoolCopy ||
                         Letter == markers::PoolText || Letter == markers::PoolResize;
  const QualType Type = Allocates ? allocatedType(Call, Callee) : QualType();
  if (Align.empty() && Allocates) {
    uint64_t Least = givesBytes(Callee) ? 1 : Callee.Map->Align;
    if (!Type.isNull() && !Type->isIncompleteType())
      Least = std::max<uint64_t>(Least, Context.getTypeAlignInChars(Type).getQuantity());
    Align = markers::PoolAlignment + std::to_string(Least);
  }
  std::optional<uint64_t> Bytes =
      Callee.Word == PoolWord::Create ? Callee.Map->sizeIn(Context) : std::nullopt;
  const std::array Fields = {std::string(1, Letter),
                             Pool,
                             Index(PoolRole::Size),
                             Index(PoolRole::Count),
                             Align,
                             Index(OtherRole),
                             Callee.Map->Type,
                             Bytes ? std::to_string(*Bytes) : "",
                             Callee.Most ? std::to_string(*Callee.Most) : ""};
  std::string Item = llvm::join(Fields, llvm::StringRef(&markers::FieldSeparator, 1));
  std::string Allocation = siteAt(Call) + markers::SiteSeparator;
  if (!Type.isNull())
    Allocation += LayoutsOf.describe(Type, true);
  Call->setCallee(Build.poolCallee(Call->getCallee(), Item, Allocation));
}

void Marking::visitSignature(CallExpr *Call, const FunctionDecl *Callee) {
  const Signature &Says = SignaturesOf.of(Callee);
  llvm::SmallSetVector<unsigned, 4> Mentioned;
  for (const SignatureItem &Item : Says.Items) {
    bool IsResult = Item.Subject == SignatureItem::Result;
    std::string Region = Item.Variable ? "" : std::to_string(Item.Parameter);
    std::string Text = (IsResult ? "r" : std::to_string(Item.Subject)) + markers::FieldSeparator +
                       Item.kind() + markers::FieldSeparator + Region;
    Call->setCallee(Build.signatureCallee(Call->getCallee(), Text, siteAt(Call), Item.Variable));
    if (!IsResult)
      Mentioned.insert(Item.Subject);
    if (!Item.Variable)
      Mentioned.insert(Item.Parameter);
  }
  // The function checks what it returns as a traditional pointer.
  if (returnsTraditional(Callee)) {
    std::string Text = std::string("r") + markers::FieldSeparator + markers::OutsideRegions.str() +
                       markers::FieldSeparator;
    Call->setCallee(Build.signatureCallee(Call->getCallee(), Text, siteAt(Call), nullptr));
  }
  for (unsigned Index : Mentioned)
    if (Index < Call->getNumArgs())
      Call->setArg(Index, Build.argument(Call->getArg(Index), Index));
}

void Marking::visitTypeRequest(BinaryOperator *Sum) {
  const Expr *Argument = cast<BinaryOperator>(Sum->getRHS())->getRHS()->IgnoreParenImpCasts();
  const auto *Trait = dyn_cast<UnaryExprOrTypeTraitExpr>(Argument);
  QualType Pointer = Trait && Trait->isArgumentType() ? Trait->getArgumentType() : QualType();
  // ACRE_TYPE asks for the size of a pointer, which a size that a program states is not.
  QualType Type = Pointer.isNull() || !Pointer->isPointerType() ? typeOfSize(Context, Argument)
                                                                : Pointer->getPointeeType();
  std::string Text = markers::TypePrefix.str() + siteAt(Sum) + markers::SiteSeparator;
  if (std::string Layout = Type.isNull() ? "" : LayoutsOf.describe(Type, true); !Layout.empty()) {
    Text += Layout;
    std::string Owned =
        Type->isArrayType() && !Type->isConstantArrayType() ? "" : describeOwned(Context, Type);
    Text += Owned.empty() ? "" : markers::SiteSeparator + Owned;
  }
  Sum->setLHS(Build.cast(Build.string(Text, Sum->getExprLoc()), Sum->getType()));
  Sum->setRHS(Build.zero(Sum->getExprLoc()));
}

/// What a pointer argument points to: the type before it became void * or char *; an element's, not
/// an array's.
static QualType writtenPointee(const ASTContext &Context, const Expr *Pointer) {
  const Expr *Source = Pointer->IgnoreParens();
  while (const auto *Conversion = dyn_cast<CastExpr>(Source)) {
    bool IsUntyped = Conversion->getType()->isVoidPointerType() ||
                     (Conversion->getType()->isPointerType() &&
                      Conversion->getType()->getPointeeType()->isCharType());
    if (!IsUntyped || !Conversion->getSubExpr()->getType()->isPointerType())
      break;
    Source = Conversion->getSubExpr()->IgnoreParens();
  }
  QualType Type =
      Source->getType()->isPointerType() ? Source->getType()->getPointeeType() : QualType();
  return Type.isNull() || Type.hasAddressSpace() ? QualType() : Context.getBaseElementType(Type);
}

/// Whether Size, as it is written, is that of a number of objects of Type.
static bool isSizeOf(const ASTContext &Context, const Expr *Size, QualType Type) {
  Size = Size->IgnoreParenCasts();
  if (const auto *Trait = dyn_cast<UnaryExprOrTypeTraitExpr>(Size))
    return Trait->getKind() == UETT_SizeOf &&
           Context.hasSameUnqualifiedType(Context.getBaseElementType(Trait->getTypeOfArgument()),
                                          Type);
  const auto *Operator = dyn_cast<BinaryOperator>(Size);
  if (!Operator)
    return false;
  bool IsLeft = isSizeOf(Context, Operator->getLHS(), Type),
       IsRight = isSizeOf(Context, Operator->getRHS(), Type);
  return Operator->isAdditiveOp() ? IsLeft && IsRight
                                  : Operator->getOpcode() == BO_Mul && (IsLeft || IsRight);
}

/// Whether Size bytes lie in the object: a variable, or a member that is not smaller.  Programs
/// copy what follows a member too.
static bool isWithin(const ASTContext &Context, const Expr *Size, const Expr *Object) {
  Expr::EvalResult Bytes;
  return isa<DeclRefExpr>(Object) ||
         (!Object->getType()->isIncompleteType() && Size->EvaluateAsInt(Bytes, Context) &&
          Bytes.Val.getInt().ule(Context.getTypeSizeInChars(Object->getType()).getQuantity()));
}

/// Whether Call overwrites objects of Type at Pointer, which points to it, with nothing else.  A
/// pointer to a record may be one to what a larger record begins with, as for C's inheritance.
static bool overwritesOnly(const ASTContext &Context, const CallExpr *Call, const Expr *Pointer,
                           QualType Type) {
  const unsigned Index = sizeArgument(Call);
  const Expr *Size = Index < Call->getNumArgs() ? Call->getArg(Index) : nullptr,
             *Object = pointedObject(Pointer);
  if (!Size || isSizeOf(Context, Size, Type) || (Object && isWithin(Context, Size, Object)))
    return true;
  const RecordDecl *Record = Type->getAsRecordDecl();
  return Record ? Record->hasFlexibleArrayMember()
                : !Object || isSlotType(Type) || isa<ArraySubscriptExpr>(Object);
}

void Marking::visitOverwrite(CallExpr *Call, unsigned Index) {
  Expr *Pointer = Call->getArg(Index);
  QualType Type = writtenPointee(Context, Pointer);
  if (Type.isNull() || Type->isVoidType())
    return;
  bool IsOnly = overwritesOnly(Context, Call, Pointer, Type);
  if (isNumber(Context, Type)) {
    if (!IsOnly)
      return;
    const Expr *Source = Call->getNumArgs() > 1 ? Call->getArg(Index == 0 ? 1 : 0) : nullptr;
    if (!Source || !Source->getType()->isPointerType() ||
        isNumber(Context, writtenPointee(Context, Source)))
      Call->setArg(Index, Build.numbersPointer(Pointer));
  } else if (LayoutsOf.needsLayout(Type)) {
    if (std::string Layout = LayoutsOf.describeCopied(Type); !Layout.empty())
      Call->setArg(Index, IsOnly ? Build.recordPointer(Pointer, Layout, siteAt(Call))
                                 : Build.startPointer(Pointer, Layout, siteAt(Call)));
  } else if (IsOnly && Type->isRecordType() && !Type->getAsRecordDecl()->hasFlexibleArrayMember() &&
             LayoutsOf.hasPadding(Type) && !isInPacked(Pointer)) {
    if (std::string Words = LayoutsOf.describeWords(Type, true); !Words.empty())
      Call->setArg(Index, Build.wordsPointer(Pointer, Words));
  }
}

/// The annotated type of parameter Index of what Call calls; null if there is none.
static QualType parameterType(const CallExpr *Call, unsigned Index) {
  if (const FunctionDecl *Callee = Call->getDirectCallee())
    return Index < Callee->getNumParams() ? Callee->getParamDecl(Index)->getType() : QualType();
  const clang::Type *Pointer = Call->getCallee()->getType().getTypePtr();
  const auto *Prototype = Pointer->getPointeeType().isNull()
                              ? nullptr
                              : Pointer->getPointeeType()->getAs<FunctionProtoType>();
  return Prototype && Index < Prototype->getNumParams() ? Prototype->getParamType(Index)
                                                        : QualType();
}

void Marking::visitArguments(CallExpr *Call) {
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    QualType Type = parameterType(Call, I);
    if (!Type.isNull() && slotRule(Type) == Rule::Traditional)
      Call->setArg(I, Build.checkedTraditional(Call->getArg(I), siteAt(Call->getArg(I))));
  }
}

Expr *Marking::markPointee(Expr *Pointer) {
  const Expr *Source = Pointer->IgnoreParenImpCasts();
  QualType Type =
      Source->getType()->isPointerType() ? Source->getType()->getPointeeType() : QualType();
  if (Type.isNull() || Type.hasAddressSpace() || slotRule(Type) == Rule::Plain ||
      Build.isMarker(Pointer))
    return Pointer;
  return Build.slotPointer(Pointer, layoutRule(Type), siteAt(Pointer));
}

Expr *Marking::markLiteral(Expr *Lvalue) {
  const auto *Literal = dyn_cast<CompoundLiteralExpr>(Lvalue->IgnoreParens());
  if (!Literal || hasStaticStorage(Literal) || !Lvalue->isLValue() ||
      !LayoutsOf.needsLayout(Literal->getType()))
    return Lvalue;
  std::string Layout = LayoutsOf.describeCopied(Literal->getType());
  return Layout.empty() ? Lvalue : Build.record(Lvalue, Layout, siteAt(Lvalue));
}

void Marking::visitAtomic(AtomicExpr *Operation) {
  Expr *Marked = markPointee(Operation->getPtr());
  *Operation->child_begin() = Marked; // the pointer is the first operand of every atomic builtin
}

void Marking::visitDeclarations(DeclStmt *Statement) {
  for (Decl *Each : Statement->decls())
    if (auto *Variable = dyn_cast<VarDecl>(Each); Variable && Variable->hasLocalStorage())
      visitLocal(Variable);
    else if (Variable)
      visitStatic(Variable);
}

void Marking::visitLocal(VarDecl *Variable) {
  QualType Type = Variable->getType();
  if (isSlotType(Type)) {
    Expr *Value = Variable->getInit();
    if (Value && !isa<InitListExpr>(Value) && slotRule(Type) == Rule::Traditional &&
        !Variable->isConstexpr())
      Variable->setInit(Build.checkedTraditional(Value, siteAt(Value)));
  } else if (LayoutsOf.needsLayout(Type)) {
    if (std::string Layout = LayoutsOf.describeCopied(Type); !Layout.empty())
      Build.annotate(Variable, Layout);
  }
}

void Marking::visitReturn(ReturnStmt *Return) {
  Expr *Value = Return->getRetValue();
  if (Value && IsResultTraditional)
    Return->setRetValue(Build.checkedTraditional(Value, siteAt(Value)));
  for (const SignatureItem &Item : OwnSignature.Items)
    if (Value && Item.Subject == SignatureItem::Result)
      Return->setRetValue(Build.checkedRegion(
          Return->getRetValue(), Build.read(regionOf(Function, Item), Value->getBeginLoc()),
          Item.kind(), siteAt(Value)));
}

void Marking::visitMention(DeclRefExpr *Reference) {
  auto *Named = dyn_cast<FunctionDecl>(Reference->getDecl());
  if (!Named || Called.contains(Reference))
    return;
  const PoolFunction *Pooled = pooledFunction(Named);
  const bool IsPooled =
      Pooled && Pooled->Word != PoolWord::Other && !Named->isVariadic() && Named->hasPrototype();
  if (IsPooled || SignaturesOf.of(Named).hasParameters())
    Reference->setDecl(Pointers.of(Named));
}

void Marking::visitBlock(BlockExpr *Block) {
  bool IsOuterTraditional = IsResultTraditional;
  Signature OuterSignature;
  std::swap(OuterSignature, OwnSignature);
  IsResultTraditional = slotRule(Block->getFunctionType()->getReturnType()) == Rule::Traditional;
  for (Stmt *Node : evaluatedIn(Context, Block->getBlockDecl()->getBody()))
    visit(Node);
  IsResultTraditional = IsOuterTraditional;
  std::swap(OuterSignature, OwnSignature);
}
