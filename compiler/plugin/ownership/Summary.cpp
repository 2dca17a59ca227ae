// SPDX-License-Identifier: MIT
//===- Summary.cpp - What functions do with plain parameters --------------===//

#include "plugin/ownership/Summary.h"
#include "plugin/Annotations.h"
#include "plugin/Diagnostics.h"
#include "plugin/ownership/Library.h"
#include "plugin/ownership/Steady.h"
#include "versions/Clang.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace clang;
using namespace acre::ast;

llvm::SmallVector<Summaries::Parameter, 2> acre::ast::parametersRunBy(const CallExpr *Call) {
  llvm::SmallVector<Summaries::Parameter, 2> Result;
  const FunctionDecl *Run = functionRunBy(Call);
  if (Run && Run != Call->getDirectCallee() && (Run->isDefined() || !Run->isExternallyVisible()))
    for (const ParmVarDecl *Each : Run->parameters())
      if (isSlotType(Each->getType()))
        Result.push_back({Run->getCanonicalDecl(), Each->getFunctionScopeIndex()});
  return Result;
}

void Summaries::begin(const FunctionDecl *Defined) {
  for (unsigned I = 0; I != Defined->getNumParams(); ++I)
    Known[{Defined, I}] = Use();
}

std::string Summaries::describe(const FunctionDecl *Defined) const {
  auto NameOf = [](Parameter Which) {
    return " " + Which.first->getNameAsString() + ":" + std::to_string(Which.second & ~Content) +
           (Which.second & Content ? "*" : "");
  };
  std::string Text;
  for (unsigned I = 0; I != Defined->getNumParams(); ++I) {
    const Use What = Known.lookup({Defined, I});
    std::set<std::string> Does;
    if (What.DoesEscape) // then it does not matter what else has it
      Does.insert(" escapes");
    else
      for (Parameter Each : What.LentTo)
        Does.insert(NameOf(Each));
    if (What.IsReturned)
      Does.insert(" is returned");
    if (!Does.empty())
      Text += std::to_string(I) + llvm::join(Does, "") + "; ";
  }
  return Text;
}

bool Summaries::mayReturn(Parameter Which) const {
  auto Found = Known.find(Which);
  if (!Finished.lookup(Which.first) && Which.second < Which.first->getNumParams())
    if (std::optional<bool> Said = mayReturnByAttribute(Which.first, Which.second))
      return *Said;
  return !Finished.lookup(Which.first) || Found == Known.end() || Found->second.IsReturned;
}

void Summaries::ask(Parameter Which, const VarDecl *Lent, SourceRange Place) {
  if (!IsQuiet)
    Questions.push_back({Which, Lent, Place, false});
}

void Summaries::askInArena(Parameter Which, const VarDecl *Lent, SourceRange Place) {
  if (!IsQuiet)
    Questions.push_back({Which, Lent, Place, true});
}

void Summaries::askIfSeen(Parameter Which, const VarDecl *Lent, SourceRange Place) {
  if (!IsQuiet)
    OfSeen.push_back({Which, Lent, Place, false});
}

void Summaries::askBody(const FunctionDecl *Function, const VarDecl *Variable, SourceRange Place) {
  if (!IsQuiet)
    Bodies.push_back({{Function, Content}, Variable, Place, false});
}

bool Summaries::isCursor(Parameter Which) const {
  if (!Followed.contains({Which.first, Which.second | Content}) || mayReturn(Which) ||
      !borrows(Which))
    return false;
  llvm::DenseSet<Parameter> Seen;
  llvm::SmallVector<Parameter, 4> Work = {{Which.first, Which.second | Content}};
  while (!Work.empty()) {
    Parameter Each = Work.pop_back_val();
    if (!Seen.insert(Each).second || !(Each.second & Content))
      continue;
    if (!Followed.contains(Each))
      return false;
    auto Found = Known.find(Each);
    Work.append(Found->second.LentTo.begin(), Found->second.LentTo.end());
  }
  return true;
}

bool Summaries::borrows(Parameter Which, bool BelievesUnseen) const {
  llvm::DenseSet<Parameter> Seen = {Which};
  llvm::SmallVector<Parameter, 8> Work = {Which};
  while (!Work.empty()) {
    Parameter Each = Work.pop_back_val();
    const auto [Function, Index] = Each;
    if (Index < Function->getNumParams() &&
        disciplineOf(Function->getParamDecl(Index)->getType()) == Discipline::Borrowed)
      continue;
    auto Found = Known.find(Each);
    if (Found == Known.end() &&
        (BelievesUnseen || (Index < Function->getNumParams() &&
                            isLentByAttribute(Function->getMostRecentDecl()->getParamDecl(Index)))))
      continue;
    if (Found == Known.end() || Found->second.DoesEscape ||
        ((Index & Content) && !Followed.contains(Each)) ||
        !isOwnBody(Function->getMostRecentDecl()))
      return false;
    for (Parameter Next : Found->second.LentTo)
      if (Seen.insert(Next).second)
        Work.push_back(Next);
  }
  return true;
}

void Summaries::report(const Question &Asked) {
  if (Asked.IsInArena)
    Reports.report(Diag::ArenaDoubtful, Asked.Place.getBegin())
        << unsigned(ArenaUse::Passed) << Asked.Lent << Asked.Place;
  else
    Reports.report(Diag::NotBorrowing, Asked.Place.getBegin())
        << Asked.Lent << Asked.Which.first << Asked.Place;
  noteWord(Asked.Which);
  const FunctionDecl *Callee = Asked.Which.first;
  if (Asked.IsInArena || isWordWanted(Asked.Which) || Callee->getLocation().isInvalid())
    return;
  const bool IsOfSystem =
      Callee->getASTContext().getSourceManager().isInSystemHeader(Callee->getLocation());
  Reports.note(Callee->getLocation(),
               isInLibraryTable(Callee)
                   ? "%0 is known to keep this: 'acre_release' gives it an owner for good, "
                     "'acre_unowned' lends one without a check"
               : IsOfSystem
                   ? "%0 is declared here; a file of notes (-facre-notes=) can say what it "
                     "does with owners"
                   : "%0 is declared here")
      << Callee;
}

/// Whether there is a declaration of the parameter where 'borrowed' can be written.
bool Summaries::isWordWanted(Parameter Which) const {
  const auto [Function, Index] = Which;
  const SourceManager &Sources = Function->getASTContext().getSourceManager();
  return Index < Function->getNumParams() &&
         llvm::any_of(
             Function->redecls(),
             [&](const FunctionDecl *Each) {
               SourceLocation Name = Each->getParamDecl(Index)->getLocation();
               return Name.isValid() && !Sources.isInSystemHeader(Name);
             });
}

void Summaries::noteWord(Parameter Which) {
  const auto [Function, Index] = Which;
  if (Index >= Function->getNumParams())
    return;
  for (const FunctionDecl *Each : Function->redecls()) {
    const ParmVarDecl *Parameter = Each->getParamDecl(Index);
    SourceLocation Name = Parameter->getLocation();
    if (Name.isInvalid() || Function->getASTContext().getSourceManager().isInSystemHeader(Name))
      continue; // nobody writes a word there
    auto Note =
        Reports.note(Name, "the parameter is declared here; 'borrowed' says that it is not kept");
    if (Name.isFileID() && Parameter->getDeclName() && isSlotType(Parameter->getType()))
      Note << Reports.insertion(Name, "borrowed ");
  }
}

namespace {
/// Finds the functions that are named otherwise than to call them, or may be called under another
/// name or by none.
struct PointedFunctions : RecursiveASTVisitor<PointedFunctions> {
  llvm::DenseSet<const FunctionDecl *> Found;
  llvm::DenseSet<const Expr *> Called, Swapped;
  llvm::DenseSet<const VarDecl *> Addresses; // variables whose addresses are made, but to swap
  llvm::StringSet<> Symbols;                 // that attributes name
  std::string Assembly;

  bool VisitFunctionDecl(FunctionDecl *Function) {
    if (const auto *Alias = Function->getAttr<AliasAttr>())
      Symbols.insert(Alias->getAliasee());
    if (const auto *Alias = Function->getAttr<WeakRefAttr>())
      Symbols.insert(Alias->getAliasee());
    if (const auto *Label = Function->getAttr<AsmLabelAttr>())
      Symbols.insert(Label->getLabel());
    if (Function->hasAttr<UsedAttr>() || Function->hasAttr<RetainAttr>() ||
        Function->hasAttr<ConstructorAttr>() || Function->hasAttr<DestructorAttr>())
      Found.insert(Function->getCanonicalDecl());
    return true;
  }
  bool VisitFileScopeAsmDecl(FileScopeAsmDecl *Text) {
    Assembly += acre::assemblyText(Text);
    return true;
  }
  bool VisitGCCAsmStmt(GCCAsmStmt *Text) {
    Assembly += acre::assemblyText(Text);
    return true;
  }
  bool isFound(const FunctionDecl *Function) const {
    const auto *Label = Function->getMostRecentDecl()->getAttr<AsmLabelAttr>();
    llvm::StringRef Symbol = Label ? Label->getLabel() : Function->getName();
    return Found.contains(Function) || Symbols.contains(Symbol) ||
           llvm::StringRef(Assembly).contains(Symbol);
  }

  bool VisitCallExpr(CallExpr *Call) {
    Called.insert(Call->getCallee()->IgnoreParenImpCasts());
    if (isSwap(Call))
      Swapped.insert(Call->getArg(0)->IgnoreParenCasts());
    return true;
  }
  // What is not evaluated makes no address.
  bool TraverseTypeOfExprTypeLoc(TypeOfExprTypeLoc, bool = true) { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *,
                                        DataRecursionQueue * = nullptr) {
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Operator) {
    const auto *Reference = dyn_cast<DeclRefExpr>(Operator->getSubExpr()->IgnoreParenCasts());
    const auto *Variable = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
    if (Variable && Operator->getOpcode() == UO_AddrOf && !Swapped.contains(Operator))
      Addresses.insert(Variable->getCanonicalDecl());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Reference) {
    if (const auto *Function = dyn_cast<FunctionDecl>(Reference->getDecl());
        Function && !Called.contains(Reference))
      Found.insert(Function->getCanonicalDecl());
    return true;
  }
  bool VisitVarDecl(VarDecl *Variable) {
    if (const auto *Cleanup = Variable->getAttr<CleanupAttr>())
      Found.insert(Cleanup->getFunctionDecl()->getCanonicalDecl());
    return true;
  }
};
} // namespace

void KnownOutcomes::returns(const FunctionDecl *Function,
                            const std::optional<ReturnedObject> &What) {
  auto [Entry, IsNew] = Returned.try_emplace(Function, What);
  if (IsNew)
    return;
  if (!What)
    Entry->second.reset();
  if (!Entry->second)
    return;
  Entry->second->MayHold |= What->MayHold;
  Entry->second->IsNull &= What->IsNull;
}

bool Summaries::isOpen(Parameter Which,
                       llvm::function_ref<bool(const FunctionDecl *)> IsPointed) const {
  llvm::DenseSet<Parameter> Seen = {Which};
  llvm::SmallVector<Parameter, 8> Work = {Which};
  while (!Work.empty()) {
    Parameter Each = Work.pop_back_val();
    if (Open.contains(Each) || Each.first->isExternallyVisible() || IsPointed(Each.first))
      return true;
    if (auto Found = OpenIf.find(Each); Found != OpenIf.end())
      for (Parameter Outer : Found->second)
        if (Seen.insert(Outer).second)
          Work.push_back(Outer);
  }
  return false;
}

bool Summaries::isSteady(const Reliance &Of, const Steadiness &Steady,
                         llvm::function_ref<bool(const VarDecl *)> IsNamedAlone) const {
  return Of.IsBySteady &&
         llvm::all_of(Of.Steady, [&](const FunctionDecl *Each) { return Steady.is(Each); }) &&
         llvm::all_of(Of.SteadyAlone,
                      [&](const FunctionDecl *Each) { return Steady.is(Each, true); }) &&
         llvm::all_of(Of.Borrowing, [&](Parameter Each) { return borrows(Each); }) &&
         llvm::all_of(Of.Globals, [&](const Reliance::LentGlobal &Each) {
           return borrows({Each.Callee, Each.Index}) &&
                  (Steady.is(Each.Callee) ||
                   (Steady.leavesAlone(Each.Callee, Each.Variable) && IsNamedAlone(Each.Variable)));
         });
}

void Summaries::finish(const Steadiness &Steady) {
  for (const Question &Each : Questions)
    if (!borrows(Each.Which))
      report(Each);
  for (const Question &Each : OfSeen)
    if (!borrows(Each.Which, true))
      report(Each);
  for (const Question &Each : Bodies)
    if (!isOwnBody(Each.Which.first->getMostRecentDecl()))
      report(Each);
  Left.finish();
  if (Reliant.empty() && Lenders.all().empty())
    return;
  const FunctionDecl *Any =
      Reliant.empty() ? Lenders.all().front().first : Reliant.front().Function;
  PointedFunctions Pointed;
  Pointed.TraverseDecl(Any->getASTContext().getTranslationUnitDecl());
  auto IsNamedAlone = [&](const VarDecl *Each) {
    return !Each->isExternallyVisible() && !Each->hasAttr<AliasAttr>() &&
           !Pointed.Addresses.contains(Each->getCanonicalDecl());
  };
  llvm::erase_if(Reliant,
                 [&](const Reliance &Each) { return isSteady(Each, Steady, IsNamedAlone); });
  auto IsPointed = [&](const FunctionDecl *Each) { return Pointed.isFound(Each); };
  for (const auto &[Getter, Else] : Lenders.all())
    for (const std::function<void()> &Report : Else)
      if (IsPointed(Getter))
        Report();
  for (const Reliance &Each : Reliant) {
    auto IsOpen = [&](unsigned Index) { return isOpen({Each.Function, Index}, IsPointed); };
    if (!Each.Alone.empty() && llvm::none_of(Each.Alone, IsOpen))
      continue;
    for (const std::function<void()> &Report : Each.Else)
      Report();
    for (unsigned Index : Each.Words)
      if (IsOpen(Index))
        noteWord({Each.Function, Index});
  }
}
