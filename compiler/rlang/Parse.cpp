// SPDX-License-Identifier: MIT
//===- Parse.cpp - rlang from text ----------------------------------------===//
//
// A recursive descent without lookahead beyond one token, except that
// `x . f = y`, `x = y` and `x = f[...]` are told apart after the name.
//
// Invariant: after the first error the current token is End for ever, so every
// loop stops and no later message can hide the first.
//
//===----------------------------------------------------------------------===//
#include "Parse.h"

#include <algorithm>
#include <array>

namespace acre::rlang {
namespace {

struct Token {
  enum Kind { End, Name, Symbol };
  Kind K = End;
  std::string_view Text;
  Location At;
};

constexpr std::array Keywords = {"struct", "is",  "if",     "while", "null",
                                 "new",    "chk", "exists", "true",  "false"};
constexpr std::array LongSymbols = {"<=", "!="};
constexpr std::string_view ShortSymbols = "[](){}:;,./=|&!@*";

bool isNameStart(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_' || C == '$';
}
bool isNamePart(char C) { return isNameStart(C) || (C >= '0' && C <= '9') || C == '\''; }

class Lexer {
public:
  explicit Lexer(std::string_view Text) : Rest(Text) {}

  /// The next token; nothing if there is a character that starts none.
  std::optional<Token> next() {
    skipBlanks();
    if (Rest.empty())
      return Token{Token::End, {}, Here};
    size_t Length = 0;
    if (isNameStart(Rest.front())) {
      while (Length < Rest.size() && isNamePart(Rest[Length]))
        ++Length;
      return take(Token::Name, Length);
    }
    for (std::string_view Symbol : LongSymbols)
      if (Rest.starts_with(Symbol))
        return take(Token::Symbol, Symbol.size());
    if (ShortSymbols.find(Rest.front()) != std::string_view::npos)
      return take(Token::Symbol, 1);
    return std::nullopt;
  }

  Location here() const { return Here; }
  char current() const { return Rest.front(); }

private:
  Token take(Token::Kind K, size_t Length) {
    Token Result{K, Rest.substr(0, Length), Here};
    Rest.remove_prefix(Length);
    Here.Column += static_cast<unsigned>(Length);
    return Result;
  }

  void skipBlanks() {
    bool InComment = false;
    for (; !Rest.empty(); Rest.remove_prefix(1)) {
      char C = Rest.front();
      InComment = (InComment || Rest.starts_with("//")) && C != '\n';
      if (!InComment && C != ' ' && C != '\t' && C != '\r' && C != '\n')
        return;
      Here = C == '\n' ? Location{Here.Line + 1, 1} : Location{Here.Line, Here.Column + 1};
    }
  }

  std::string_view Rest;
  Location Here{1, 1};
};

class Parser {
public:
  explicit Parser(std::string_view Text) : Lex(Text) { advance(); }

  Parsed run() {
    Parsed Result;
    while (Current.K != Token::End) {
      if (is("struct"))
        Result.Program.Structs.push_back(structure());
      else
        Result.Program.Functions.push_back(function());
    }
    Result.Error = std::move(Error);
    return Result;
  }

private:
  Lexer Lex;
  Token Current;
  std::optional<Diagnostic> Error;
  unsigned Depth = 0;

  void fail(Location At, std::string Message) {
    if (!Error)
      Error = Diagnostic{At, std::move(Message)};
    Current = {Token::End, {}, At};
  }

  void failExpecting(std::string_view What) {
    std::string Found =
        Current.K == Token::End ? "the end of the file" : "'" + std::string(Current.Text) + "'";
    fail(Current.At, "expected " + std::string(What) + ", found " + Found);
  }

  void advance() {
    if (Error)
      return;
    if (std::optional<Token> Next = Lex.next()) {
      Current = *Next;
      return;
    }
    unsigned char C = static_cast<unsigned char>(Lex.current());
    std::string Shown = C > ' ' && C < 127
                            ? "character '" + std::string(1, static_cast<char>(C)) + "'"
                            : "byte " + std::to_string(C);
    fail(Lex.here(), Shown + " has no meaning in rlang");
  }

  bool is(std::string_view Text) const { return Current.K != Token::End && Current.Text == Text; }

  bool accept(std::string_view Text) {
    if (!is(Text))
      return false;
    advance();
    return true;
  }

  void expect(std::string_view Text) {
    if (!accept(Text))
      failExpecting("'" + std::string(Text) + "'");
  }

  bool isName() const {
    return Current.K == Token::Name &&
           std::find(Keywords.begin(), Keywords.end(), Current.Text) == Keywords.end();
  }

  std::string name(std::string_view What) {
    if (!isName()) {
      failExpecting(What);
      return {};
    }
    std::string Result(Current.Text);
    advance();
    return Result;
  }

  /// A name that is introduced here, so not one of the constants.
  std::string newName(std::string_view What) {
    if (is(TopName) || is(TraditionalName) || is(RegionBase))
      fail(Current.At,
           "'" + std::string(Current.Text) + "' cannot be used as " + std::string(What));
    return name(What);
  }

  /// Items separated by commas up to Close, which is taken too.
  template <class Parse> void list(std::string_view Close, Parse &&Item) {
    if (accept(Close))
      return;
    do
      Item();
    while (accept(","));
    expect(Close);
  }

  std::vector<std::string> newRegions() {
    std::vector<std::string> Result;
    expect("[");
    list("]", [&] { Result.push_back(newName("an abstract region")); });
    return Result;
  }

  Region region() {
    Location At = Current.At;
    return {name("a region"), At};
  }

  std::vector<Region> regions() {
    std::vector<Region> Result;
    expect("[");
    list("]", [&] { Result.push_back(region()); });
    return Result;
  }

  std::vector<std::string> variableNames() {
    std::vector<std::string> Result;
    expect("(");
    list(")", [&] { Result.push_back(name("a variable")); });
    return Result;
  }

  Property relation() {
    Property Result;
    Result.At = Current.At;
    Result.Left = region();
    if (accept("<="))
      Result.K = Property::LessEqual;
    else if (accept("="))
      Result.K = Property::Equal;
    else if (accept("!="))
      Result.K = Property::NotEqual;
    else
      failExpecting("'<=', '=' or '!='");
    Result.Right = region();
    return Result;
  }

  Property primary() {
    Location At = Current.At;
    if (Depth >= DeepestNesting)
      fail(At, "properties are nested too deeply");
    ++Depth;
    Property Result;
    if (accept("!")) {
      Result = {Property::Not, {}, {}, {primary()}, At};
    } else if (accept("(")) {
      Result = property();
      expect(")");
    } else if (accept("true")) {
      Result.At = At;
    } else if (accept("false")) {
      Result = {Property::False, {}, {}, {}, At};
    } else {
      Result = relation();
    }
    --Depth;
    return Result;
  }

  template <class Parse>
  Property operation(Property::Kind K, std::string_view Operator, Parse &&Operand) {
    Location At = Current.At;
    std::vector<Property> Operands{Operand()};
    while (accept(Operator))
      Operands.push_back(Operand());
    Property Result = Property::combine(K, std::move(Operands));
    Result.At = At;
    return Result;
  }

  Property property() {
    return operation(Property::Or, "|",
                     [&] { return operation(Property::And, "&", [&] { return primary(); }); });
  }

  Type type() {
    Type Result;
    Result.At = Current.At;
    while (is("exists")) {
      Quantifier Q;
      advance();
      Q.At = Current.At;
      Q.Name = newName("an abstract region");
      if (accept("/"))
        Q.Where = property();
      expect(".");
      Result.Exists.push_back(std::move(Q));
    }
    Result.Base = name("a type");
    if (!Result.isRegion())
      Result.Arguments = regions();
    expect("@");
    Result.Target = region();
    return Result;
  }

  Variable variable(std::string_view What) {
    Variable Result;
    Result.At = Current.At;
    Result.Name = newName(What);
    expect(":");
    Result.Type = type();
    return Result;
  }

  Struct structure() {
    Struct Result;
    expect("struct");
    Result.At = Current.At;
    Result.Name = newName("a structure");
    Result.Parameters = newRegions();
    expect("{");
    list("}", [&] { Result.Fields.push_back(variable("a field")); });
    return Result;
  }

  Signature signature() {
    Signature Result;
    Result.Name = newName("'struct' or a function");
    Result.Regions = newRegions();
    if (accept("/"))
      Result.Input = property();
    expect("(");
    list(")", [&] { Result.Parameters.push_back(variable("a parameter")); });
    expect(":");
    Result.Result = type();
    if (accept(","))
      Result.Output = property();
    return Result;
  }

  Function function() {
    Function Result;
    Result.At = Current.At;
    Result.Signature = signature();
    if (accept(";"))
      return Result;
    if (!accept("is"))
      failExpecting("'is' or ';'");
    Result.HasBody = true;
    Result.LocalRegions = newRegions();
    while (Current.K != Token::End && !is("{")) {
      Result.Locals.push_back(variable("a local variable or '{'"));
      expect(",");
    }
    Result.Body = block();
    expect(",");
    Result.ResultVariable = name("the result variable");
    return Result;
  }

  std::vector<Statement> block() {
    std::vector<Statement> Result;
    if (Depth >= DeepestNesting)
      fail(Current.At, "blocks are nested too deeply");
    ++Depth;
    expect("{");
    while (Current.K != Token::End && !is("}")) {
      Result.push_back(statement());
      bool IsBlock = Result.back().K == Statement::If || Result.back().K == Statement::While;
      if (!accept(";") && !IsBlock && !is("}"))
        failExpecting("';' or '}'");
    }
    expect("}");
    --Depth;
    return Result;
  }

  Statement statement() {
    Statement Result;
    Result.At = Current.At;
    if (is("if") || is("while")) {
      Result.K = is("if") ? Statement::If : Statement::While;
      advance();
      if (!accept("*"))
        Result.Target = name("a variable or '*'");
      Result.Then = block();
      if (Result.K == Statement::If)
        Result.Else = block();
    } else if (accept("chk")) {
      Result.Where = property();
    } else {
      Result.Target = name("a statement");
      if (accept(".")) {
        Result.K = Statement::Write;
        Result.Name = name("a field");
        expect("=");
        Result.Source = name("a variable");
      } else {
        expect("=");
        assigned(Result);
      }
    }
    return Result;
  }

  /// What stands right of `x0 =`.
  void assigned(Statement &To) {
    if (accept("null")) {
      To.K = Statement::Null;
    } else if (accept("new")) {
      To.K = Statement::New;
      To.Name = name("a structure");
      To.Regions = regions();
      To.Arguments = variableNames();
      expect("@");
      To.Source = name("a variable");
    } else {
      To.Source = name("a variable, a function, 'null' or 'new'");
      if (is("[")) {
        To.K = Statement::Call;
        To.Name = std::move(To.Source);
        To.Source.clear();
        To.Regions = regions();
        To.Arguments = variableNames();
      } else if (accept(".")) {
        To.K = Statement::Read;
        To.Name = name("a field");
      } else {
        To.K = Statement::Assign;
      }
    }
  }
};

} // namespace

Parsed parse(std::string_view Text) { return Parser(Text).run(); }

} // namespace acre::rlang
