/* SPDX-License-Identifier: MIT */
//===- Flow.h - Follows owners and borrowers through a function -*- C++ -*-===//
//
// Intraprocedural and modular (Cyclone, section 3): a call is judged by the
// callee's signature, or for plain parameters by its summary.  The function's
// control flow graph is gone through in the order of evaluation until nothing
// changes, then once more to report.
//
// Every place where a pointer gets a new holder - assignment, initializer,
// argument, result - is a sink.  What flows into one is read off the
// expression (Value.cpp); what that does to owners and borrowers is in
// Sinks.cpp and Calls.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef ACRE_PLUGIN_OWNERSHIP_FLOW_H
#define ACRE_PLUGIN_OWNERSHIP_FLOW_H

#include "plugin/Diagnostics.h"
#include "plugin/Signature.h"
#include "plugin/ownership/Library.h"
#include "plugin/ownership/Order.h"
#include "plugin/ownership/State.h"
#include "plugin/ownership/Steady.h"
#include "plugin/ownership/Summary.h"
#include "plugin/ownership/Taken.h"
#include "plugin/ownership/Variables.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

namespace clang {
class BinaryOperator;
class CFG;
class CFGBlock;
class CallExpr;
class DeclRefExpr;
class Expr;
class InitListExpr;
class RecordDecl;
class StmtExpr;
class UnaryOperator;
} // namespace clang

namespace acre::ast {

class PlainFacts;

/// What an expression's value may be, as far as ownership goes.
struct Value {
  bool MayBeNull = false; ///< the constant
  bool IsFresh =
      false; ///< an owner that is in no variable: the result of a call, or a cast to unique
  bool IsUnknown = false;                                  ///< a plain pointer
  bool IsAdopted = false;                                  ///< a cast says that it is the only one
  Loans Lent;                                              ///< where a borrowed pointer comes from
  llvm::SmallVector<const clang::DeclRefExpr *, 2> Owners; ///< the values of these owners
  llvm::SmallVector<const clang::Expr *, 1> Slots; ///< the values of these unique slots in memory
  llvm::SmallVector<const clang::VarDecl *, 1> OwnerAddresses;
  llvm::SmallVector<unsigned, 2> Borrowers; ///< the borrowers that it was computed from
  llvm::SmallVector<const clang::Expr *, 1>
      Results; ///< the calls that IsFresh speaks of, and what takenByHand knows

  explicit Value(unsigned Roots) : Lent(Roots) {}
  void add(const Value &Other);
};

/// What gets a pointer.
struct Sink {
  enum Kind : unsigned {
    Variable,
    Slot,
    Argument,
    Result
  }; // the order is that of %select in diagnostics.def
  Kind What;
  clang::QualType Type;
  const clang::VarDecl *Local = nullptr; ///< of Variable
  const clang::Expr *Place = nullptr; ///< of Slot: the lvalue, or null for a part of an initializer
  const clang::Stmt *At;              ///< what does it
};

/// What is taken for granted of a function, until the translation unit ends.
struct Supposed {
  llvm::ArrayRef<const clang::ParmVarDecl *>
      Alone;                          ///< parameters that are the only ways to their objects
  const Steadiness *Steady = nullptr; ///< if not null, what may turn out steady is
  Reliance *Rests = nullptr;          ///< if not null, gets which functions that matters of
  HeldReports *Held = nullptr; ///< if not null, gets what could be right if more were granted
};

class Flow {
public:
  /// Body: what is evaluated in that of Function.  Only: what to follow; null if something may be
  /// owned.
  Flow(clang::ASTContext &Context, Diagnostics &Reports, PlainFacts &Facts, Summaries &Known,
       const clang::FunctionDecl *Function, const Evaluated &Body, const Orderly *Only,
       const Supposed &Given);
  void run();
  /// Local variables of which only the running program knows whether their owning slots are set
  /// when they are used.
  llvm::ArrayRef<const clang::VarDecl *> unproven() const { return Unproven.getArrayRef(); }

private:
  struct Lending;

  // Flow.cpp
  State entryState() const;
  void iterate(const clang::CFG &Graph);
  void visitBlock(const clang::CFGBlock &Block);
  /// Hands the state to the blocks that follow, and adds those to Changed that it told anything
  /// new; null: only ends the function, if the block does.
  void leaveBlock(const clang::CFGBlock &Block, llvm::BitVector *Changed);
  void visit(const clang::Stmt *Node);
  bool isNullConstant(const clang::Expr *Value) const;
  void visitAssignment(const clang::BinaryOperator *Operator);
  /// Atomics, assembly and blocks, whose operands are not followed.
  void visitUnfollowed(const clang::Stmt *Node);
  void visitReference(const clang::DeclRefExpr *Reference);
  /// A pointer that this variable holds is moved, where it stands.
  void movePointer(const clang::VarDecl *Variable);
  /// The value of a borrower is used.
  void read(unsigned Borrower, const clang::Expr *At);
  void visitOperator(const clang::UnaryOperator *Operator);
  void visitDeclaration(const clang::VarDecl *Variable, const clang::Stmt *At);
  void visitList(const clang::InitListExpr *List);
  /// The setjmp whose result Condition tests, if it does; IsReturnIfTrue: where it holds, the
  /// result is not zero.
  const clang::CallExpr *jumpTest(const clang::Expr *Condition, bool &IsReturnIfTrue) const;
  void refine(State &Into, const clang::Expr *Condition, bool IsTrue) const;
  void restrict(State &Into, const clang::VarDecl *Variable, bool IsNull) const;
  /// Variable, which is no pointer, is set to Value; null: to something else.
  void keepTest(const clang::VarDecl *Variable, const clang::Expr *Value);
  /// Variable may have another value.
  void forgetTests(const clang::VarDecl *Variable);
  /// The slot that Lvalue names is null in this state.
  void keepEmpty(State &In, const clang::Expr *Lvalue) const;
  bool isEmpty(const clang::Expr *Lvalue) const;
  /// The slot that this lvalue is, or that it points to.
  std::optional<Place> slotPlace(const clang::Expr *Lvalue) const;
  /// That slot has another value.
  void forgetEmpty(const clang::Expr *Written);
  /// Whether the objects that these begin at are certainly two.
  bool areApart(const clang::VarDecl *One, const clang::VarDecl *Other) const;
  /// Restricts the state to where a switch by Condition goes to Label.
  void refineSwitch(const clang::CFGBlock &Switch, const clang::Stmt *Label,
                    const clang::Expr *Condition);
  /// A setjmp returns again: with the state of any call that may have led there.
  void joinJumps();
  void endLife(const clang::VarDecl *Variable, const clang::Stmt *At);
  /// Variable's cleanup is called.
  void cleanUp(const clang::VarDecl *Variable, const clang::Stmt *At);
  void endFunction(const clang::CFGBlock &Block);

  // Value.cpp
  Value evaluate(const clang::Expr *Expression) const;
  Value load(const clang::Expr *Lvalue) const;
  Value addressOf(const clang::Expr *Lvalue) const;
  Value derived(Value Base) const;
  Value resultOf(const clang::CallExpr *Call) const;
  Value valueOf(const clang::BinaryOperator *Operator) const;
  /// The value of a block of takenByHand.
  Value taken(const clang::StmtExpr *Block) const;
  /// A cast to Type says something of What that is not known otherwise.
  void believe(clang::QualType Type, Value &What) const;
  Value none() const { return Value(Vars.rootCount()); }
  /// The roots that the object which holds this lvalue may belong to, with the borrowers it is
  /// reached through.
  Value holderOf(const clang::Expr *Lvalue) const;
  /// The holders of a slot at this address.
  Loans holdersOf(Loans Address) const;
  /// What a copy of the value borrows.
  Loans loansOf(const Value &Of) const;

  // Sinks.cpp
  void sink(const Sink &Into, const clang::Expr *From);
  /// Returns the conditions that the new owner may be in.
  unsigned char own(Discipline As, const clang::Expr *From, const Value &What);
  /// Reports if What is not owned as As says.
  void checkDiscipline(Discipline As, const clang::Expr *From, const Value &What);
  /// Says where a parameter is declared that could be 'refcounted borrowed'.
  void noteReferenceWord(const clang::ParmVarDecl *Parameter);
  /// Reports if What, which is lent as a reference, is not known to be one.
  void checkCounted(const clang::Expr *From, const Value &What);
  /// What summaries call the parameter whose root this is, if it has no word; none for other roots.
  std::optional<Summaries::Parameter> plainParameter(unsigned Root) const;
  /// Notes that plain parameters are kept; returns false if What is borrowed from anything else.
  bool escapePlain(const Value &What);
  void keep(const Sink &Into, const clang::Expr *From, const Value &What);
  void consume(const clang::DeclRefExpr *Owner, const clang::Expr *From);
  void assignOwner(unsigned Owner, unsigned char Conditions, const clang::Stmt *At);
  /// From may be realloc of another owner, which is not consumed if this one turns out to be null.
  void noteRestored(unsigned Owner, const clang::Expr *From);
  /// An object cannot be put into a slot of its own: it would hold itself.
  void checkNotBelow(const Value &Place, const clang::Expr *Slot, const Value &What,
                     const clang::Expr *From);
  void overwriteSlot(const clang::Expr *Slot, const clang::Stmt *At);
  /// A unique slot below one of these roots gets another value: what was reached through one is
  /// lost, but for Except. Spared: done by a call of this function, if that is not steady. Changed:
  /// the field that the slot is, if that is certain: what hangs on another one stays.
  void changeSlots(const llvm::SmallBitVector &Roots, llvm::ArrayRef<unsigned> Except,
                   const clang::Stmt *At, const clang::FunctionDecl *Spared = nullptr,
                   const clang::FieldDecl *Changed = nullptr);
  /// The field that this slot is, if it is in an object that is owned here, or lent to this
  /// function alone.
  const clang::FieldDecl *fieldOfOwned(const clang::Expr *Slot) const;
  void loseRoot(unsigned Root, const clang::Stmt *At);
  /// The loan of this borrower ends.
  void noteEnded(unsigned Borrower, const clang::Stmt *At);
  const llvm::SmallBitVector &openRoots() const { return OpenRoots; }

  // Unset.cpp
  void findObjects();
  const OwningSlots &slotsOf(unsigned Object) const { return ObjectSlots[Object]; }
  std::optional<unsigned> objectOfRoot(unsigned Root) const;
  clang::QualType typeOfObject(unsigned Object) const;
  /// The slots of what this pointer points to, or of this lvalue, if the object that they are in is
  /// certain.
  std::optional<SlotRange> slotsBehind(const clang::Expr *Pointer) const;
  std::optional<SlotRange> slotsAt(const clang::Expr *Lvalue) const;
  /// Reports the first of these slots that may not be set yet.
  void useSlots(const SlotRange &Range, const clang::Stmt *At);
  void useSlotsAt(const clang::Expr *Lvalue);
  void useObject(unsigned Object, const clang::Stmt *At);
  /// The lvalue is set, and may own something from now on.
  void setSlotsAt(const clang::Expr *Lvalue, bool MayBeLive);
  void setSlotsBelow(const Loans &Of);
  /// An owner has another object; a local variable begins.
  void beginObject(unsigned Owner, const clang::Expr *From, const Value &What);

  // Cells.cpp
  /// A local pointer gets the addresses of owners: they are loans.
  void keepCells(const clang::Expr *From, const Value &What, Loans &Kept);
  /// What is at this address has another value: that of the owners that it may be the cell of.
  void changeCells(const Loans &Address, llvm::ArrayRef<unsigned> Except, const clang::Stmt *At);
  /// Whether From is the address of an owner, or of a slot, that is null.
  bool pointsToEmpty(const clang::Expr *From) const;
  /// Adds the slots of From's object that are null where it is moved to Slot.
  void appendEmptied(const clang::Expr *Slot, const clang::Expr *From, const Value &What,
                     llvm::SmallVectorImpl<Place> &Into) const;

  // Losses.cpp
  const clang::RecordDecl *slotsThrough(clang::QualType Pointer) const;
  /// Finds the types of which the function has arrays: of their elements nothing is known.
  void findArrays();
  /// The object of Owner came with what it holds.
  void noteForeign(unsigned Owner, SlotState &State) const;
  /// Whether this is an object that others have filled.
  bool comesFilled(const Value &What) const;
  /// Slots behind parameters that are acre_out.
  void noteEmptyParameters(State &In) const;
  void appendSlotPlaces(clang::QualType Type, const Place &Whole,
                        llvm::SmallVectorImpl<Place> &Into) const;
  /// Whether these slots may hold something that an assignment to them loses.
  bool mayLose(const SlotRange &Range) const;
  void checkOverwritten(const clang::Expr *Slot, const clang::Stmt *At);
  void reportOverwritten(unsigned Owner, const clang::Stmt *At);
  /// A function puts a new object where Argument points.
  void checkFilled(const clang::Expr *Argument, const clang::Stmt *At);
  /// What a message calls this slot.
  std::string nameOfSlot(unsigned Object, unsigned Slot) const;
  /// An object of its own is freed alone: warns of what it owns.
  void checkEmptied(unsigned Object, const clang::Stmt *At);
  void beginFrame(const clang::VarDecl *Variable);
  /// A structure with owners is the result of a call.
  void fillFrame(unsigned Object);
  void checkFrameEnd(const clang::VarDecl *Variable, const clang::Stmt *At);
  bool makesOwners(const clang::CallExpr *Call) const;
  /// From, if it is such a call, has found a holder.
  void takeRecord(const clang::Expr *From);
  void assignRecord(const clang::BinaryOperator *Assignment);

  // Failures.cpp
  const clang::CallExpr *testedCall(const State &In, const clang::Expr *Operand) const;
  /// Where the result of a call is found to be a failure, what it would have filled is null.
  void refineFilled(State &Into, const clang::Expr *Condition, bool IsTrue) const;
  void keepResult(const clang::VarDecl *Variable, const clang::Expr *Value);

  // Arenas.cpp
  /// What becomes of a place before the block of an arena ends.
  enum class Fate { Ends, Outlives, Doubtful };
  Fate fateOf(const Sink &Into, unsigned Arena) const;
  bool isDeclaredAfter(const clang::VarDecl *Later, const clang::VarDecl *Earlier) const;
  /// Makes what points into arenas for certain what may do so.
  void weaken(Loans &Of) const;
  llvm::SmallBitVector arenasOf(const clang::Expr *Argument, bool &IsCertain) const;
  /// The arenas that the result of Call is in.  IsKnown: only if its signature says so.
  void addArenas(Value &Result, const clang::CallExpr *Call, bool IsKnown) const;
  llvm::SmallBitVector arenasThrough(const clang::Expr *Record) const;
  /// Reports what outlives its arena.  Takes the arenas out of Kept; the next one, out of Lent.
  void keepInArenas(const Sink &Into, const clang::Expr *From, Loans &Kept);
  void lendInArenas(const clang::CallExpr *Call, unsigned Index, Loans &Lent);
  void openArena(const clang::VarDecl *Handle);
  void closeArena(const clang::VarDecl *Handle, const clang::Stmt *At);
  /// Reports the arenas that are open by the unique key in this slot, whose address it is, which is
  /// taken out.
  void takeKey(const clang::Expr *Slot, const clang::Stmt *At);
  const clang::VarDecl *pathBase(const clang::Expr *Lvalue) const;
  /// Base gets another value.
  void forgetPaths(const clang::VarDecl *Base);
  /// Reports the arenas that are open by a key whose root is consumed.
  void loseKeys(unsigned Root, const clang::Stmt *At);

  // Aliases.cpp
  void openAlias(const clang::VarDecl *Alias);
  void closeAlias(const clang::VarDecl *Alias, const clang::Stmt *At);
  bool isEndedAlias(unsigned Root) const {
    return Vars.isAlias(Root) && !Now.Aliases[Vars.aliasOfRoot(Root)].IsOpen;
  }
  /// What is borrowed by an alias whose block is over is lost already.
  void loseEnded(BorrowerState &State, const clang::Stmt *At) const;
  /// The aliases that these loans are of, also those in variables that they lead to.
  llvm::SmallBitVector aliasesBehind(const Loans &Of) const;
  /// What a variable that this lvalue may be part of holds.
  void addHeld(Loans &Into, const clang::Expr *Lvalue) const;
  /// Reports what could outlive its alias, and notes the rest in the variable that gets it. Takes
  /// the aliases out of Kept.
  void keepAliased(const Sink &Into, const clang::Expr *From, Loans &Kept);
  void lendHeld(const clang::CallExpr *Call, unsigned Index, const Value &What, bool IsKnown);
  void copyRecord(const clang::Expr *Record);
  /// A structure with pointers gets a new holder, as a whole: reports if what it points to in an
  /// arena may outlive that.
  void copyInArenas(const Sink &Into, const clang::Expr *From);
  /// As copyInArenas, for a handle.
  void copyHandle(const Sink &Into, const clang::Expr *From);
  /// As copyInArenas, for what a function of the C library copies, and for owners in it.
  void copyMemory(const clang::CallExpr *Call);
  /// These variables' addresses are now where they are not followed.
  void expose(const llvm::SmallBitVector &Frames);
  /// The owners of what is lent as an alias get another value, or slots below these roots do.
  void changeAliased(unsigned Root, const clang::Stmt *At);
  void changeBelowAliased(const llvm::SmallBitVector &Roots, const clang::Stmt *At);
  /// Adds what an alias among Roots was lent from.
  void addAliased(llvm::SmallBitVector &Roots) const;
  void noteInitializers();

  // Cursors.cpp
  /// The borrower whose address this argument is.
  std::optional<unsigned> cursorAt(const clang::CallExpr *Call, unsigned Index) const;
  bool isNeverNull(const clang::Expr *Argument) const;
  /// What that holds is lent, if the callee looks at it.
  void lendCursor(const clang::CallExpr *Call, unsigned Index,
                  llvm::SmallVectorImpl<Lending> &Lent);
  /// It has another value, or memory has if the argument is another address.
  void moveCursor(const clang::CallExpr *Call, unsigned Index);
  /// Adds to Result what the call may have found there.
  void addMoved(Value &Result, const clang::CallExpr *Call, unsigned Index) const;

  // Frames.cpp
  /// Reports what outlives the variable that it points into.
  void keepFrames(const Sink &Into, const clang::Expr *From, const Loans &Kept);
  void endFrame(const clang::VarDecl *Variable, const clang::Stmt *At);
  /// The function returns: so compound literals end, and what alloca made.
  void endUnnamed();
  /// Test has found its operands to differ.
  void refineFrames(State &Into, const clang::BinaryOperator *Test) const;

  // Calls.cpp
  /// The callee, if it is taken for steady.
  const clang::FunctionDecl *takenForSteady(const clang::CallExpr *Call) const;
  void call(const clang::CallExpr *Call);
  void swap(const clang::CallExpr *Call);
  /// Block does what acre_take does.
  void takeByHand(const clang::StmtExpr *Block);
  /// The slot of this value gets another owner, which may be in these conditions.  Slot: as an
  /// expression.
  void exchange(const Value &Place, unsigned char Conditions, const clang::Expr *Slot,
                const clang::Stmt *At);
  /// Reports if an object of another type is put into a slot of this one.
  void checkSwappedTypes(clang::QualType SlotType, const clang::Expr *NewValue);
  /// Reports if this atomic operation is done to an owning slot, or with one.
  bool copyAtomically(const clang::Stmt *Operation);
  void argument(const clang::CallExpr *Call, unsigned Index,
                const std::optional<LibraryEffect> &Effect, llvm::SmallVectorImpl<Lending> &Lent);
  /// An argument that is no pointer.
  void passRecord(const clang::CallExpr *Call, const clang::Expr *Argument);
  /// The address of Owner is an argument: asks whether it is kept.
  void lendAddress(const clang::CallExpr *Call, unsigned Index, const clang::VarDecl *Owner);
  /// The callee may set what Argument, of this value, points to; or only reads that.
  void fillSlots(const clang::Expr *Argument, clang::QualType To, const Value &What);
  /// Index: also that of a content.
  void lend(const clang::CallExpr *Call, unsigned Index, const Value &What, bool IsKnown,
            llvm::SmallVectorImpl<Lending> &Lent);
  /// Notes if what a static function gets may be reached otherwise too.
  void noteOthers(const clang::CallExpr *Call, unsigned Index, const Value &What,
                  const Loans &From);
  void reportSlotLent(const clang::Expr *Argument, const Loans &From);
  /// Notes that two arguments lend the same object.
  void noteLentTwice(const clang::CallExpr *Call, llvm::ArrayRef<Lending> Lent);
  /// The function that Call's callee, of the C library, calls back may be given what is lent.
  void lendToCallback(const clang::CallExpr *Call, const clang::Expr *Argument, const Loans &From);
  void checkOverlap(llvm::ArrayRef<Lending> Lent);
  /// What a value that is given up was owned as.
  Discipline disciplineOfValue(const Value &What) const;
  void consumeArguments(const clang::CallExpr *Call, const std::optional<LibraryEffect> &Effect,
                        llvm::ArrayRef<Lending> Lent);

  template <typename... Arguments>
  void report(Diag Kind, const clang::Stmt *At, const Arguments &...Each) {
    if (!IsReporting)
      return;
    (Reports.report(Kind, placeOf(At)) << ... << Each) << At->getSourceRange();
    IsHeld = false;
    if (Given.Held && (Kind == Diag::SlotLent || Kind == Diag::BorrowerDangling))
      hold([To = &Reports, Kind, At, Each...] {
        (To->report(Kind, placeOf(At)) << ... << Each) << At->getSourceRange();
      });
  }
  void hold(std::function<void()> Report) {
    Given.Held->push_back(std::move(Report));
    IsHeld = true;
  }
  static clang::SourceLocation placeOf(const clang::Stmt *At);
  void reportConsumed(const clang::VarDecl *Variable, const OwnerState &Owner,
                      const clang::Stmt *At);
  void reportLeak(const clang::VarDecl *Variable, const OwnerState &Owner, const clang::Stmt *At);
  /// Warns if what this owner had before realloc may be lost.
  void checkGrown(unsigned Owner);
  void reportCopiedSlot(const clang::Expr *Slot);
  /// A cast to a plain pointer that is kept gives the object to whoever has it there.
  void release(const Sink &Into, const clang::Expr *From, Value &What);
  void noteSites(const Sites &Places, llvm::StringRef Text);
  static constexpr const clang::NamedDecl *NoName = nullptr;
  const clang::VarDecl *nameOf(const Value &What) const;

  clang::ASTContext &Context;
  Diagnostics &Reports;
  PlainFacts &Facts;
  Summaries &Known;
  const clang::FunctionDecl *Function;
  const Evaluated &Body;
  clang::QualType ResultType;
  Variables Vars;
  llvm::SmallBitVector OpenRoots; // that are not exclusive
  State Now;                      // at the point that is being visited
  State Jumps;                    // at any call, where longjmp may leave from
  const bool MayOwn;
  bool HasSetjmp = false;
  bool IsReporting = false;
  bool IsHeld = false; // the last report, so its notes are too
  const Supposed Given;
  std::vector<State> Entry; // of each block
  std::vector<OwningSlots> ObjectSlots;
  llvm::SetVector<const clang::VarDecl *> Unproven;
  llvm::DenseSet<const clang::RecordDecl *> Arrays;
  llvm::DenseSet<const clang::UnaryOperator *> Cells; // addresses of owners that are followed
  llvm::DenseSet<const clang::Expr *>
      Filled; // addresses that are made for functions of the C library
  const clang::CallExpr *TestedJump = nullptr; // the setjmp that the block being visited ends with
  llvm::DenseSet<std::pair<const clang::VarDecl *, unsigned>>
      Lost;         // leaks that were reported, with their places
  EndedLoans Ended; // for the order of operands
  llvm::DenseSet<const clang::Expr *>
      Unread; // lvalues that are only assigned, or whose address is taken
  llvm::DenseSet<const clang::InitListExpr *>
      Transparent; // that make arguments of functions of the C library
  llvm::DenseMap<const clang::InitListExpr *, const clang::VarDecl *>
      Initialized; // if there are aliases
  llvm::SetVector<const clang::Expr *> Fresh,
      Taken; // calls with unique results, and those that found an owner
  llvm::DenseSet<const clang::Stmt *>
      Idiomatic; // parts of blocks that do together what acre_take does
};

/// Notes if every return of Definition gives back what one parameter points into.
void noteGivenBack(const clang::FunctionDecl *Definition, const Evaluated &Body, Summaries &Known);
/// As what the result of a call, or of a block of takenByHand, is owned; None if it is plain.
Discipline resultDiscipline(clang::ASTContext &Context, const clang::Expr *Owned);
/// Whether an object of this type has owning pointers in it.
bool hasUniqueSlots(clang::ASTContext &Context, clang::QualType Type);
/// Whether a result of such a function that is 'borrowed' may be lent by a global variable: it is a
/// structure, and none of its parameters could lead to one.  Callers and the function agree on that
/// by the type alone.
bool lendsGlobals(clang::QualType Type);
/// The parameter type of argument Index; null for variable arguments.
clang::QualType parameterType(const clang::CallExpr *Call, unsigned Index);

} // namespace acre::ast

#endif
